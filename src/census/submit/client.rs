//! The client of a queue system, which this program runs to ask the queue.

use crate::shell::line;
use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// The reason why a queue did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// The client is missing or cannot be started.
    #[error("cannot start `{program}`: {cause}")]
    Start {
        /// The program.
        program: String,
        /// The error of the system.
        cause: std::io::Error,
    },
    /// The client refuses.
    #[error("`{command}` failed: {said}")]
    Refused {
        /// The command line.
        command: String,
        /// The output of the client.
        said: String,
    },
    /// The answer of the client cannot be parsed.
    #[error("`{command}` answers something that cannot be read")]
    Unreadable {
        /// The command line.
        command: String,
    },
}

/// Runs a command that has to succeed, and returns its output.
pub(super) fn said<S: AsRef<OsStr>>(command: &[S]) -> Result<String, QueueError> {
    let words: Vec<String> = command
        .iter()
        .map(|word| word.as_ref().to_string_lossy().into_owned())
        .collect();
    let Some((program, arguments)) = command.split_first() else {
        return Ok(String::new());
    };
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output();
    let output = output.map_err(|cause| QueueError::Start {
        program: words[0].clone(),
        cause,
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    // An error is one line.
    let said: Vec<&str> = said.split_whitespace().take(60).collect();
    Err(QueueError::Refused {
        command: line(&words),
        said: said.join(" "),
    })
}
