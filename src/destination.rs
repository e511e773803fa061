//! The destination of a report or an argument: standard output or a file.

use std::io::IsTerminal;
use std::path::PathBuf;

use misere_census::output_file::is_standard_output;

use crate::exit::{Exit, Failure};
use crate::result_file::{self, ReplaceArgs};
use crate::terminal::{self, Page};

/// The option that names the destination.
#[derive(Clone, Debug, clap::Args)]
pub struct Destination {
    /// Write to FILE; `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    #[command(flatten)]
    replacing: ReplaceArgs,
}

impl Destination {
    /// Checks that the text can be written, before anything is computed for it.
    ///
    /// # Errors
    /// An [`OutputError`](misere_census::output_file::OutputError) if it could not be written.
    pub fn check_writable(&self) -> Result<(), Failure> {
        self.out
            .as_deref()
            .map_or(Ok(()), result_file::check_writable)
    }

    /// Reports whether the text goes to a terminal.
    pub fn is_terminal(&self) -> bool {
        self.out.is_none() && std::io::stdout().is_terminal()
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

    /// Writes the text.
    ///
    /// # Errors
    /// A [`Failure`] if it cannot be written.
    pub fn write(&self, text: &str) -> Result<Exit, Failure> {
        match &self.out {
            Some(file) => {
                self.replacing.check(file, text)?;
                result_file::write(file, text)?;
                if terminal::shows_progress() && !is_standard_output(file) {
                    notice!("wrote {}", file.display());
                }
            }
            None => terminal::print(text)?,
        }
        Ok(Exit::Done)
    }
}
