//! The facts that reports show: the results of a census, beside published ones.

pub mod atlas;
pub mod day4;
pub mod day5;
pub mod described;
pub mod figure1;
pub mod genera;
pub mod infinite;
pub mod laws;
pub mod powers_3310;
pub mod solutions;
pub mod summary;

use misere_algebra::classify::comparison::ComparisonError;
use misere_game::control::Stop;
use misere_store::StoreError;
use serde::de::DeserializeOwned;

pub use summary::Summary;

/// A file of published data that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("the published data in {file} are damaged: {fault}")]
pub struct PublishedError {
    file: &'static str,
    fault: DataError,
}

/// The first fault of a file of published data.
#[derive(Debug, thiserror::Error)]
enum DataError {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("line {number} is not understood: `{line}`")]
    Line { number: usize, line: String },
}

impl PublishedError {
    /// Reads the tables and figures of the papers, or a part of them.
    fn tables<T: DeserializeOwned>() -> Result<T, Self> {
        Self::parsed("tables.json", include_str!("../../data/tables.json"))
    }

    /// Parses a file of published data.
    fn parsed<T: DeserializeOwned>(file: &'static str, text: &str) -> Result<T, Self> {
        serde_json::from_str(text).map_err(|cause| Self {
            file,
            fault: cause.into(),
        })
    }

    /// Returns the error for a line that cannot be parsed; lines are counted from 1.
    fn line(file: &'static str, number: usize, line: &str) -> Self {
        let line = line.to_owned();
        Self {
            file,
            fault: DataError::Line { number, line },
        }
    }
}

/// The reason why the facts of a report are unavailable.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The census cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The published data cannot be read.
    #[error(transparent)]
    Published(#[from] PublishedError),
    /// A published quotient cannot be rebuilt, or the comparison was stopped.
    #[error(transparent)]
    Comparison(#[from] ComparisonError),
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_data_are_an_error_that_names_the_file() {
        let parsed: Result<Vec<u32>, _> = PublishedError::parsed("tables.json", "[1, 2");
        let said = parsed.unwrap_err().to_string();
        assert!(said.starts_with("the published data in tables.json are damaged"));
    }
}
