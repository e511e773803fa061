//! Failures and interruptions, which a worker returns instead of a certificate.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The cause for which a computation was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum InterruptCause {
    /// The worker is shutting down; the task is not at fault.
    Shutdown,
    /// The time guard of the worker stopped it.
    TimeGuard,
    /// The memory guard of the worker stopped it.
    MemoryGuard,
}

impl fmt::Display for InterruptCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Shutdown => "worker shut down",
            Self::TimeGuard => "time limit reached",
            Self::MemoryGuard => "memory limit reached",
        })
    }
}

/// The reason why an attempt at a task failed; the evidence that a quarantine keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Failure {
    /// The computation panicked or could not be written.
    #[error("the computation failed: {0}")]
    Computation(String),
    /// A guard stopped it.
    #[error("{0}")]
    Guard(InterruptCause),
    /// The certificate was refused by the checker.
    #[error("certificate refused: {0}")]
    Refused(String),
    /// The worker fell silent while computing the task.
    #[error("the worker fell silent")]
    Silence,
    /// The process of the task needed more memory than it was allowed, or than the machine had.
    #[error("out of memory{}", within(*.limit))]
    OutOfMemory {
        /// The memory that the process was allowed, in bytes.
        limit: Option<u64>,
    },
    /// The process of the task died.
    #[error("the process of the computation died: {end}{}", quoted(.last_words))]
    Crashed {
        /// The end of the process: a signal or an exit status.
        end: String,
        /// The last line it wrote to standard error.
        last_words: String,
    },
}

/// The most characters of a failure text that is stored; workers may send more.
pub const MAX_REASON_CHARS: usize = 500;

/// Sanitizes untrusted text for a terminal or log line and truncates it to `limit` characters.
///
/// A space replaces each character that ends a line, controls a terminal, or changes the direction
/// of the text beside it.
///
/// ```
/// use misere_census::printable;
/// assert_eq!(printable("\x1b[31mred\nand more", 9), " [31mred ");
/// ```
#[must_use]
pub fn printable(text: &str, limit: usize) -> String {
    let fit = |c: char| if is_printable(c) { c } else { ' ' };
    text.chars().take(limit).map(fit).collect()
}

fn is_printable(c: char) -> bool {
    // For Unicode, marks of direction, line and paragraph separators, and the byte order mark are
    // not control characters.
    let steers = matches!(c,
        '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    !c.is_control() && !steers
}

impl Failure {
    /// Reports whether more memory might have helped.
    ///
    /// ```
    /// use misere_census::{Failure, InterruptCause};
    /// assert!(Failure::OutOfMemory { limit: Some(1 << 30) }.is_out_of_memory());
    /// assert!(Failure::Guard(InterruptCause::MemoryGuard).is_out_of_memory());
    /// assert!(!Failure::Silence.is_out_of_memory());
    /// ```
    #[must_use]
    pub fn is_out_of_memory(&self) -> bool {
        matches!(
            self,
            Self::OutOfMemory { .. } | Self::Guard(InterruptCause::MemoryGuard)
        )
    }

    /// Returns a refused certificate, its reason [printable] and at most [`MAX_REASON_CHARS`] long.
    ///
    /// ```
    /// use misere_census::Failure;
    /// let failure = Failure::refused("heap 8\nis not right");
    /// assert_eq!(failure.to_string(), "certificate refused: heap 8 is not right");
    /// ```
    #[must_use]
    pub fn refused(reason: &str) -> Self {
        Self::Refused(cut(reason))
    }

    /// Returns a failed computation, its reason [printable] and at most [`MAX_REASON_CHARS`] long.
    #[must_use]
    pub fn computation(reason: &str) -> Self {
        Self::Computation(cut(reason))
    }

    /// Returns the death of a process, its texts [printable] and at most [`MAX_REASON_CHARS`] long.
    ///
    /// ```
    /// use misere_census::Failure;
    /// let failure = Failure::crashed("signal 11", "");
    /// assert!(failure.to_string().starts_with("the process of the computation died: signal 11"));
    /// ```
    #[must_use]
    pub fn crashed(end: &str, last_words: &str) -> Self {
        Self::Crashed {
            end: cut(end),
            last_words: cut(last_words),
        }
    }
}

fn cut(text: &str) -> String {
    printable(text, MAX_REASON_CHARS)
}

fn within(limit: Option<u64>) -> String {
    limit.map_or_else(String::new, |limit| format!(" within {limit} bytes"))
}

fn quoted(last_words: &str) -> String {
    match last_words {
        "" => String::new(),
        said => format!(" (it said: {said})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untrusted_text_cannot_control_a_terminal() {
        let wild = "\x1b]0;title\x07a\r\nforged: line\u{202e}b\u{2028}c\u{9b}d";
        let tame = " ]0;title a  forged: line b c d";
        assert_eq!(printable(wild, 100), tame);
        assert_eq!(
            Failure::computation(wild),
            Failure::Computation(tame.to_owned())
        );
        assert_eq!(Failure::refused(wild), Failure::Refused(tame.to_owned()));
        let Failure::Crashed { end, last_words } = Failure::crashed(wild, wild) else {
            panic!("no crash")
        };
        assert_eq!((end.as_str(), last_words.as_str()), (tame, tame));
        let long = "x".repeat(10_000);
        assert_eq!(printable(&long, 7), "xxxxxxx");
        assert_eq!(
            Failure::refused(&long),
            Failure::Refused("x".repeat(MAX_REASON_CHARS))
        );
        assert_eq!(printable("0.3 is Müller’s 好", 100), "0.3 is Müller’s 好");
    }
}
