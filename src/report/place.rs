//! The destination of a report: standard output or a file.

use std::path::PathBuf;

use crate::exit::{Exit, Failure};
use crate::result_file;
use crate::terminal::{self, Page};

/// The option that names the place of a report.
#[derive(Clone, Debug, clap::Args)]
pub struct Place {
    /// Write to FILE instead of standard output; `-` is standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Place {
    /// Checks that the report can be written, before anything is computed for it.
    ///
    /// # Errors
    /// An [`OutputError`](misere_census::output_file::OutputError) if it could not be written.
    pub fn check_writable(&self) -> Result<(), Failure> {
        self.out
            .as_deref()
            .map_or(Ok(()), result_file::check_writable)
    }

    /// Returns the number of columns of a line of text.
    ///
    /// A file does not depend on the terminal from which the program was called.
    pub fn width(&self) -> usize {
        let page = match &self.out {
            Some(_) => Page::plain(),
            None => Page::of_stdout(),
        };
        page.width
    }

    /// Writes the report.
    ///
    /// # Errors
    /// A [`Failure`] if it cannot be written.
    pub fn write(&self, report: &str) -> Result<Exit, Failure> {
        match &self.out {
            Some(file) => result_file::write(file, report)?,
            None => terminal::print(report)?,
        }
        Ok(Exit::Done)
    }
}
