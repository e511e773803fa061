//! Lines on standard error: errors, notes and progress, written on a best-effort basis.
//!
//! Standard error may be full, closed, or a pipe without a reader. Results, the exit code and the
//! workers of a census do not depend on it, so a line that cannot be written is lost. Foreign text
//! is shown so that it cannot control a terminal, and is shortened.

use std::ffi::OsString;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{OnceLock, mpsc};
use std::time::Duration;

use console::Style;
use misere_census::shown_text::{shortened, visible};

/// The time that the last line may take of a process that ends at once.
const LAST_LINE: Duration = Duration::from_millis(200);

/// Whether this process has written a line.
static PRINTED: AtomicBool = AtomicBool::new(false);

/// The arguments of the command line, which are shortened where a line repeats them.
static ARGUMENTS: OnceLock<Vec<String>> = OnceLock::new();

/// Records the arguments of the command line, whose first word is the name of the program.
pub fn note_arguments(given: &[OsString]) {
    let arguments = given.iter().skip(1);
    let arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
    let _ = ARGUMENTS.set(arguments.collect());
}

/// Writes one line to standard error, in the form of `format!`.
macro_rules! notice {
    ($($text:tt)*) => {
        $crate::notice::line(&format!($($text)*))
    };
}

/// Writes one line to standard error.
pub fn line(line: &str) {
    let arguments = ARGUMENTS.get().into_iter().flatten().map(String::as_str);
    let shown = visible(&shortened(line, arguments));
    text(&match shown.strip_prefix(ERROR) {
        Some(rest) => format!(
            "{}{rest}\n",
            Style::new().red().for_stderr().apply_to(ERROR)
        ),
        None => shown + "\n",
    });
}

/// The beginning of the line of an error, which is red on a terminal.
const ERROR: &str = "error:";

/// Writes a text of this program to standard error as it is.
pub fn text(text: &str) {
    PRINTED.store(true, Ordering::Relaxed);
    // In one write, so that lines of several threads and processes do not mix.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Writes the last line of a process that ends at once, even if standard error blocks.
pub fn last_line(line: &'static str) {
    let (written, is_written) = mpsc::channel();
    let write = move || {
        self::line(line);
        // The receiver is gone if the write took too long.
        let _ = written.send(());
    };
    // Without a thread the line is not written.
    if std::thread::Builder::new().spawn(write).is_ok() {
        let _ = is_written.recv_timeout(LAST_LINE);
    }
}

/// Reports whether this process has written anything to standard error.
pub fn is_any() -> bool {
    PRINTED.load(Ordering::Relaxed)
}
