//! A file that a command cannot read.

use crate::exit::CommandError;

/// The reason why a file cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read `{file}`: {cause}")]
pub struct ReadError {
    file: String,
    cause: std::io::Error,
}

impl CommandError for ReadError {}

impl ReadError {
    /// Makes the error of a file, as the user named it.
    pub fn new(file: impl std::fmt::Display, cause: std::io::Error) -> Self {
        Self {
            file: file.to_string(),
            cause,
        }
    }
}
