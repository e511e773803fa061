//! The exit codes of the command, and how a failure is reported.
//!
//! Exit codes and the form of an error (one lowercase line, `error: …`, with what to do) are part
//! of the contract with scripts; `docs/reference.md` lists them. Each command owns its errors, and
//! says by [`CommandError`] with which code they end.

use crate::notice;

/// The exit codes of a command that did not fail.
///
/// The numbers are part of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything requested was answered.
    Done = 0,
    /// A part of the input could not be read, which was reported; the rest was done.
    Failed = 1,
    /// The command line was not understood, which was reported.
    Usage = 2,
    /// A budget of the plan (fuel, greatest heap, greatest order) was exhausted first.
    Exhausted = 3,
    /// Ctrl-C, SIGTERM or a guard stopped the computation.
    Interrupted = 4,
    /// A claim is wrong.
    Refuted = 5,
    /// No coordinator could be reached in the time that a worker was to wait, or the coordinator has
    /// another engine or protocol, or refuses the worker.
    Away = 6,
}

/// The reason why a command could not do what it was asked to.
///
/// The text is one lowercase line and says what to do.
pub trait CommandError: std::error::Error + Send + Sync + 'static {
    /// Returns the exit code of the process.
    fn exit(&self) -> Exit {
        Exit::Failed
    }

    /// Reports whether nothing is printed, because no one reads it.
    fn is_silent(&self) -> bool {
        false
    }
}

/// The failure of a command, of any type.
pub type Failure = Box<dyn CommandError>;

impl<E: CommandError> From<E> for Failure {
    fn from(error: E) -> Self {
        Box::new(error)
    }
}

impl Exit {
    /// Returns the line for standard error of an end that printed nothing else.
    ///
    /// Only success is silent. `stopped_by` is the cause of an interruption, if it is known.
    fn explained(self, stopped_by: Option<String>) -> String {
        match self {
            Self::Done => String::new(),
            Self::Failed => "failed: a part of what was asked for could not be done".to_owned(),
            Self::Usage => "the command line was not understood; try --help".to_owned(),
            Self::Exhausted => {
                "exhausted: a budget (fuel, greatest heap, greatest order) was spent first; what \
                 is printed says how far it came"
                    .to_owned()
            }
            Self::Interrupted => {
                let by = stopped_by.unwrap_or_else(|| "before the end".to_owned());
                format!("interrupted: stopped {by}")
            }
            Self::Refuted => "refuted: a claim is wrong; what is printed says which".to_owned(),
            Self::Away => "no coordinator could be reached".to_owned(),
        }
    }
}

/// Prints the failure, if any, and returns how the process ends.
///
/// `stopped_by` describes what stopped the last computation, if one was stopped.
pub fn report(ended: Result<Exit, Failure>, stopped_by: Option<String>) -> Exit {
    match ended {
        Ok(exit) => {
            if exit != Exit::Done && !notice::is_any() {
                notice!("{}", exit.explained(stopped_by));
            }
            exit
        }
        Err(failure) => {
            if !failure.is_silent() {
                notice!("error: {failure}");
            }
            failure.exit()
        }
    }
}
