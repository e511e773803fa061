//! The reports, one module for each kind: title, tables and sentences.

#[cfg(feature = "census")]
pub(crate) mod day4;
#[cfg(feature = "census")]
pub(crate) mod day5;
#[cfg(feature = "census")]
pub mod figure1;
#[cfg(feature = "census")]
pub(crate) mod figures;
#[cfg(feature = "census")]
pub(crate) mod genera;
#[cfg(feature = "census")]
pub mod infinite;
#[cfg(feature = "census")]
pub(crate) mod laws;
#[cfg(feature = "census")]
mod levels;
#[cfg(feature = "census")]
pub mod pictures;
#[cfg(feature = "census")]
pub mod plan;
#[cfg(feature = "census")]
pub(crate) mod powers_3310;
#[cfg(feature = "census")]
pub mod provenance;
#[cfg(feature = "census")]
mod same_game;
pub mod solution;
mod solved_game;
#[cfg(feature = "census")]
pub mod summary;
#[cfg(feature = "census")]
pub mod tables;
