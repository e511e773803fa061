//! The reports, one module for each kind: title, tables and sentences.

pub(crate) mod day4;
pub(crate) mod day5;
pub mod figure1;
pub(crate) mod figures;
pub(crate) mod genera;
pub mod infinite;
pub(crate) mod laws;
mod levels;
pub mod pictures;
pub mod plan;
pub(crate) mod powers_3310;
pub mod provenance;
mod same_game;
pub mod solution;
pub mod summary;
pub mod tables;
