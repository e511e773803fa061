//! Standard output: the width of lines, the length of lists, and tables.
//!
//! Facts go to standard output in one piece; progress and errors go to standard error, progress
//! only if that is a terminal. `--color`, `NO_COLOR` and `CLICOLOR_FORCE` decide on colour.

use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use console::Term;

pub use misere_census::running_text::flow;

use crate::exit::{CommandError, Exit, Failure};

/// The width assumed without a terminal.
const PLAIN_WIDTH: usize = 100;

/// The form of standard output, which determines the width of lines and the length of lists.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// The number of columns of a line.
    pub width: usize,
    /// The greatest number of lines of one list on a terminal.
    ///
    /// It is `None` if output is piped and everything is printed.
    pub rows: Option<usize>,
}

impl Page {
    /// Returns the page of standard output.
    pub fn of_stdout() -> Self {
        let stdout = Term::stdout();
        match stdout.size_checked().filter(|_| stdout.is_term()) {
            Some((_, columns)) => Self {
                width: usize::from(columns).clamp(40, 200),
                rows: Some(24),
            },
            None => Self::plain(),
        }
    }

    /// Returns the page of a pipe or a file.
    pub fn plain() -> Self {
        Self {
            width: PLAIN_WIDTH,
            rows: None,
        }
    }
}

/// The values of `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorChoice {
    // On a terminal unless NO_COLOR is set, and in a pipe if CLICOLOR_FORCE is set. A docstring
    // would make the help of every command longer.
    #[default]
    Auto,
    Always,
    Never,
}

/// Whether `--quiet` was given.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Decides whether output is coloured and whether progress is shown.
///
/// Without a choice, the conventions of `NO_COLOR`, `CLICOLOR` and `CLICOLOR_FORCE` hold.
pub fn settle(color: ColorChoice, quiet: bool) {
    IS_QUIET.store(quiet, Ordering::Relaxed);
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let colored = match color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if refused => false,
        // The `console` crate knows about dumb terminals, pipes and `CLICOLOR_FORCE`.
        ColorChoice::Auto => return,
    };
    console::set_colors_enabled(colored);
    console::set_colors_enabled_stderr(colored);
}

/// Reports whether progress is shown: on a terminal, without `--quiet`.
pub fn shows_progress() -> bool {
    !is_quiet() && Term::stderr().is_term()
}

/// Reports whether `--quiet` was given.
pub fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// The reason why a result could not be printed.
#[derive(Debug, thiserror::Error)]
pub enum PrintError {
    /// A document could not be written as JSON.
    #[error("cannot write the result as JSON: {0}")]
    Json(serde_json::Error),
    /// Standard output could not be written to.
    #[error("cannot write to standard output: {0}")]
    Output(std::io::Error),
    /// The reader of standard output went away (`misere … | head`), which is not reported.
    #[error("standard output is closed")]
    Closed,
}

impl CommandError for PrintError {
    fn exit(&self) -> Exit {
        match self {
            Self::Closed => Exit::Done,
            Self::Json(_) | Self::Output(_) => Exit::Failed,
        }
    }

    fn is_silent(&self) -> bool {
        matches!(self, Self::Closed)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        PrintError::Json(error).into()
    }
}

/// Writes to standard output, in one piece.
///
/// # Errors
/// [`PrintError::Closed`] if the reader is gone, [`PrintError::Output`] if it cannot be
/// written otherwise.
pub fn print(text: &str) -> Result<(), PrintError> {
    let mut stdout = std::io::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(|cause| match cause.kind() {
            ErrorKind::BrokenPipe => PrintError::Closed,
            _ => PrintError::Output(cause),
        })
}

/// Writes one JSON document and a line end to standard output.
///
/// # Errors
/// See [`print()`] and [`json_line`].
pub fn print_json(document: &impl serde::Serialize) -> Result<(), PrintError> {
    print(&json_line(document)?)
}

/// Formats a document as one line of JSON, with its end.
///
/// # Errors
/// [`PrintError::Json`] if the document has no JSON form.
pub fn json_line(document: &impl serde::Serialize) -> Result<String, PrintError> {
    let mut text = serde_json::to_string(document).map_err(PrintError::Json)?;
    text.push('\n');
    Ok(text)
}

/// Puts foreign text, such as the name of a worker, on one line and makes it safe for a terminal.
#[cfg(feature = "census")]
pub fn foreign(text: &str) -> String {
    misere_census::printable(text, misere_census::MAX_REASON_CHARS)
}

/// Formats a number with the name of the things counted: `1 code`, `2 codes`.
pub fn counted(number: impl Into<u64>, thing: &str) -> String {
    match number.into() {
        1 => format!("1 {thing}"),
        number => format!("{number} {thing}s"),
    }
}

/// Formats a table of right-aligned columns, two spaces apart.
///
/// Each line is indented by two and has a line end.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| console::measure_text_width(cell))
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        for (cell, width) in row.iter().zip(&widths) {
            let padding = width - console::measure_text_width(cell);
            text.push_str(&" ".repeat(2 + padding));
            text.push_str(cell);
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_a_singular_and_a_plural() {
        let counts = [0_u64, 1, 2].map(|number| counted(number, "code"));
        assert_eq!(counts, ["0 codes", "1 code", "2 codes"]);
    }

    #[cfg(feature = "census")]
    #[test]
    fn foreign_text_does_not_control_a_terminal() {
        let wild = "host-a\u{1b}]0;x\u{7}\nworker 1.2 `forged`";
        assert_eq!(foreign(wild), "host-a ]0;x  worker 1.2 `forged`");
    }

    #[test]
    fn columns_are_aligned() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        assert_eq!(
            table(&[row(["heap", "Φ"]), row(["1", "ab"])]),
            "  heap   Φ\n     1  ab\n"
        );
    }
}
