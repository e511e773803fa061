//! What can a worker hand back?

use std::fmt;

use misere_theory::solution::Solution;
use serde::{Deserialize, Serialize};

/// What became of a task on a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskOutcome {
    /// A claim, not yet checked. Its verdict is never `Interrupted`.
    Claimed(Box<Solution>),
    /// The computation failed.
    Failed(Failure),
    /// The computation was stopped from outside: no verdict.
    Interrupted(InterruptCause),
}

/// Who stopped a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum InterruptCause {
    /// The worker is shutting down; no fault of the task.
    Shutdown,
    /// The worker's time guard.
    TimeGuard,
    /// The worker's memory guard.
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

/// Why an attempt at a task failed; the evidence that a quarantine keeps.
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
    /// The worker fell silent while computing it.
    #[error("the worker fell silent")]
    Silence,
    /// Its process wanted more memory than it was allowed, or than the machine had.
    #[error("out of memory{}", within(*.limit))]
    OutOfMemory {
        /// What it was allowed, in bytes.
        limit: Option<u64>,
    },
    /// Its process died of it.
    #[error("the process of the computation died: {end}{}", quoted(.last_words))]
    Crashed {
        /// How it ended: a signal or an exit status.
        end: String,
        /// The last line it wrote to standard error.
        last_words: String,
    },
}

/// The longest text of a failure that is kept; workers may send more.
pub const MAX_REASON_CHARS: usize = 500;

impl Failure {
    /// Whether more memory might have helped.
    #[must_use]
    pub fn is_out_of_memory(&self) -> bool {
        matches!(
            self,
            Self::OutOfMemory { .. } | Self::Guard(InterruptCause::MemoryGuard)
        )
    }

    /// A failed computation, its reason cut to [`MAX_REASON_CHARS`].
    #[must_use]
    pub fn computation(reason: &str) -> Self {
        Self::Computation(cut(reason))
    }

    /// The death of a process, its texts cut to [`MAX_REASON_CHARS`].
    #[must_use]
    pub fn crashed(end: &str, last_words: &str) -> Self {
        Self::Crashed {
            end: cut(end),
            last_words: cut(last_words),
        }
    }
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_REASON_CHARS).collect()
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
