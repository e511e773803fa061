//! The destination of a result that is written to a file.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use misere_census::output_file::{self, OutputError, is_standard_output};

use crate::exit::{CommandError, Exit, Failure};
use crate::watch;

/// The beginning of every JSON document.
const DOCUMENT: &str = "{";

/// The number of bytes at the beginning by which two texts are of the same kind.
const BEGINNING: usize = 8;

/// The options for a JSON document that is also written to a file.
#[derive(Clone, Debug, clap::Args)]
pub struct OutArgs {
    /// Also write the JSON document to FILE, for `misere verify`; with `-` print it alone
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    replacing: ReplaceArgs,
}

/// The option to replace any file.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ReplaceArgs {
    /// Replace FILE even if it does not begin like the result
    #[arg(long, requires = "out")]
    force: bool,
}

impl OutArgs {
    /// Reports whether a file, or standard output in its place, is named.
    pub fn is_named(&self) -> bool {
        self.out.is_some()
    }

    /// Reports whether the document is all that goes to standard output.
    pub fn is_standard_output(&self) -> bool {
        self.out.as_deref().is_some_and(is_standard_output)
    }

    /// Checks that the file could be written, before the result is computed.
    ///
    /// # Errors
    /// [`OutputError`] if it could not, [`ReplacedFileError`] if it holds something else.
    pub fn check_writable(&self) -> Result<(), Failure> {
        let Some(file) = self.file() else {
            return Ok(());
        };
        check_writable(file)?;
        self.replacing.check(file, DOCUMENT)
    }

    /// Writes the document to the file, if one is named.
    ///
    /// # Errors
    /// [`OutputError`] if it cannot be written; an existing file is then unchanged.
    pub fn write(&self, document: &str) -> Result<(), Failure> {
        self.file().map_or(Ok(()), |file| write(file, document))
    }

    fn file(&self) -> Option<&Path> {
        let file = self.out.as_deref();
        file.filter(|file| !is_standard_output(file))
    }
}

impl ReplaceArgs {
    /// Checks that a file may be replaced by a result that begins with a text.
    ///
    /// # Errors
    /// [`ReplacedFileError`] if a regular file at the place begins otherwise; [`OutputError`] if
    /// nothing can be written there.
    pub fn check(self, place: &Path, result: &str) -> Result<(), Failure> {
        let Some(file) = output_file::replaced(place)?.filter(|_| !self.force) else {
            return Ok(());
        };
        let beginning = match result.starts_with(DOCUMENT) {
            true => DOCUMENT.as_bytes(),
            false => &result.as_bytes()[..result.len().min(BEGINNING)],
        };
        let mut there = Vec::new();
        let read = File::open(file)
            .and_then(|file| file.take(beginning.len() as u64).read_to_end(&mut there));
        // A file that cannot be read is left to the error of writing it.
        if read.is_err() || there.is_empty() || there == beginning {
            return Ok(());
        }
        Err(ReplacedFileError(place.to_owned()).into())
    }
}

/// A file exists that does not begin as the result to be written does.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{}` exists, and it does not begin as this result does; name another file, or replace it \
     with --force",
    .0.display()
)]
pub struct ReplacedFileError(PathBuf);

impl CommandError for ReplacedFileError {
    fn exit(&self) -> Exit {
        Exit::Failed
    }
}

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
