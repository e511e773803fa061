//! The destination of a result that is written to a file.

use std::path::Path;

use misere_census::output_file;

use crate::exit::CommandError;
use crate::watch;

/// Checks that a result could be written to a destination, before the result is computed.
///
/// # Errors
/// [`CommandError::Writing`] if it could not.
pub fn check_writable(place: &Path) -> Result<(), CommandError> {
    watch::leave_nothing_when_stopped()?;
    Ok(output_file::check_writable(place)?)
}

/// Writes a result to the destination that the user named; `-` is standard output.
///
/// # Errors
/// [`CommandError::Writing`] if it cannot be written; an existing file is then unchanged.
pub fn write(place: &Path, text: &str) -> Result<(), CommandError> {
    watch::leave_nothing_when_stopped()?;
    Ok(output_file::write(place, text.as_bytes())?)
}
