//! The file of checkpoints of a long computation, for the next run of the same command.
//!
//! A file that is replaced as a whole: whatever happens, it holds a checkpoint or is not there.

use std::path::Path;

use misere_census::checkpoint;
use misere_census::output_file;
use misere_theory::quotient::{Checkpoint, Limits};
use misere_theory::ruleset::Code;

use crate::exit::Failure;
use crate::watch;

/// The checkpoint in a file, if the file is there.
///
/// # Errors
/// [`Failure::Checkpoint`] if it holds anything but a checkpoint of this computation;
/// [`Failure::Writing`] if it cannot be read or replaced.
pub fn read(file: &Path, code: &Code, limits: &Limits) -> Result<Option<Checkpoint>, Failure> {
    let Some(bytes) = bytes(file)? else {
        return Ok(None);
    };
    let at = checkpoint::decode(&bytes, code, limits).map_err(|cause| Failure::Checkpoint {
        file: file.display().to_string(),
        cause: cause.into(),
    })?;
    notice!(
        "going on from heap {} ({} fuel spent)",
        at.heap(),
        at.fuel()
    );
    Ok(Some(at))
}

/// The bytes of a checkpoint in a file; `None` if the file is not there yet.
///
/// # Errors
/// [`Failure::Writing`] if the file cannot be read or replaced: that is found out before the
/// computation begins.
pub fn bytes(file: &Path) -> Result<Option<Vec<u8>>, Failure> {
    watch::leave_nothing_when_stopped()?;
    Ok(output_file::read_replaced(file)?)
}

/// Replaces the contents of the file. A failure is logged and costs nothing but the checkpoint.
pub fn write(file: &Path, code: &Code, limits: &Limits, at: &Checkpoint) {
    match checkpoint::encode(code, limits, at) {
        Ok(bytes) => replace(file, &bytes),
        Err(error) => notice!("warning: no checkpoint is kept: {error}"),
    }
}

/// Replaces the contents of the file by these bytes, as a whole. A failure is logged and costs
/// nothing but the checkpoint.
pub fn replace(file: &Path, bytes: &[u8]) {
    if let Err(error) = output_file::write(file, bytes) {
        notice!("warning: no checkpoint is kept: {error}");
    }
}
