//! The destination of a result that is written to a file.

use std::io::ErrorKind;
use std::path::Path;

use misere_census::output_file::{self, OutputError};

use crate::exit::{CommandError, Exit, Failure};
use crate::watch;

/// Checks that a result could be written to a destination, before the result is computed.
///
/// # Errors
/// [`OutputError`] if it could not.
pub fn check_writable(place: &Path) -> Result<(), Failure> {
    watch::leave_nothing_when_stopped()?;
    Ok(output_file::check_writable(place)?)
}

/// Writes a result to the destination that the user named; `-` is standard output.
///
/// # Errors
/// [`OutputError`] if it cannot be written; an existing file is then unchanged.
pub fn write(place: &Path, text: &str) -> Result<(), Failure> {
    watch::leave_nothing_when_stopped()?;
    Ok(output_file::write(place, text.as_bytes())?)
}

impl CommandError for OutputError {
    fn exit(&self) -> Exit {
        match self.is_silent() {
            true => Exit::Done,
            false => Exit::Failed,
        }
    }

    fn is_silent(&self) -> bool {
        matches!(self, Self::StandardOutput(cause) if cause.kind() == ErrorKind::BrokenPipe)
    }
}
