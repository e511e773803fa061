//! The file of checkpoints of a long computation, for the next run of the same command.
//!
//! The file is replaced as a whole: it is either absent or holds a complete checkpoint.

use std::path::Path;

use misere_census::checkpoint;
use misere_census::output_file;
use misere_engine::quotient::{Checkpoint, Limits};
use misere_game::ruleset::Code;

use crate::exit::{CommandError, Failure};
use crate::watch;

/// The file of checkpoints holds something else, or cannot be read.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot go on from {file}: {cause}; give another file, or move this one away to start over"
)]
pub struct CheckpointFileError {
    file: String,
    cause: Box<dyn std::error::Error + Send + Sync>,
}

impl CommandError for CheckpointFileError {}

impl CheckpointFileError {
    /// Makes the error of a file with its fault.
    pub fn new(file: &Path, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self {
            file: file.display().to_string(),
            cause: cause.into(),
        }
    }
}

/// Reads the checkpoint in a file, if the file exists.
///
/// # Errors
/// [`CheckpointFileError`] if it does not hold a checkpoint of this computation;
/// An [`OutputError`](output_file::OutputError) if it cannot be read or replaced.
pub fn read(file: &Path, code: &Code, limits: &Limits) -> Result<Option<Checkpoint>, Failure> {
    let Some(bytes) = bytes(file)? else {
        return Ok(None);
    };
    let at = checkpoint::decode(&bytes, code, limits);
    let at = at.map_err(|cause| CheckpointFileError::new(file, cause))?;
    notice!(
        "going on from heap {} ({} fuel spent)",
        at.heap(),
        at.fuel()
    );
    Ok(Some(at))
}

/// Reads the bytes of a checkpoint in a file; `None` if the file does not exist yet.
///
/// # Errors
/// An [`OutputError`](output_file::OutputError) if the file cannot be read or replaced, which is found out before the
/// computation begins.
pub fn bytes(file: &Path) -> Result<Option<Vec<u8>>, Failure> {
    watch::leave_nothing_when_stopped()?;
    Ok(output_file::read_replaced(file)?)
}

/// Replaces the contents of the file. A failure is logged and loses only the checkpoint.
pub fn write(file: &Path, code: &Code, limits: &Limits, at: &Checkpoint) {
    match checkpoint::encode(code, limits, at) {
        Ok(bytes) => replace(file, &bytes),
        Err(error) => notice!("warning: no checkpoint is kept: {error}"),
    }
}

/// Replaces the contents of the file by these bytes, as a whole.
///
/// A failure is logged and loses only the checkpoint.
pub fn replace(file: &Path, bytes: &[u8]) {
    if let Err(error) = output_file::write(file, bytes) {
        notice!("warning: no checkpoint is kept: {error}");
    }
}
