//! The reports, one module for each kind: title, tables and sentences.

pub mod born;
pub mod figure1;
pub mod figures;
mod levels;
pub(crate) mod markup;
pub mod pictures;
pub mod plan;
pub mod provenance;
mod same_game;
pub mod summary;
pub mod tables;
