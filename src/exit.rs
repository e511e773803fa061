//! With which code does the command end, and what does it say when it fails?
//!
//! Exit codes and the form of an error (one lowercase line, `error: …`, with what to do) are part
//! of the contract with scripts; `docs/reference.md` lists them.

use std::io::ErrorKind;
use std::process::{ExitCode, Termination};

use misere_census::output_file::OutputError;
#[cfg(feature = "census")]
use misere_export::ExportError;
#[cfg(feature = "census")]
use misere_proto::CredentialError;
#[cfg(feature = "census")]
use misere_store::repair::RepairError;
use misere_theory::classify::comparison::ComparisonError;
use misere_theory::verify::Flaw;
#[cfg(feature = "census")]
use misere_worker::WorkerError;

#[cfg(feature = "census")]
use crate::census::CensusFailure;
use crate::verify_list::ListFault;

/// How a command ended when it did not fail. The numbers are the contract's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done: everything asked for was answered.
    Done = 0,
    /// Something asked for could not be read; it was said which, and the rest was done.
    Failed = 1,
    /// The command line was not understood; it was said why.
    Usage = 2,
    /// A budget of the plan (fuel, greatest heap, greatest order) was exhausted first.
    Exhausted = 3,
    /// Ctrl-C, SIGTERM or a guard stopped the computation.
    Interrupted = 4,
    /// A claim was found to be wrong.
    Refuted = 5,
    /// No coordinator could be reached for as long as a worker was to wait.
    Away = 6,
}

/// Why a command could not do what was asked. The text is one lowercase line and says what to do.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file could not be read.
    #[error("cannot read `{file}`: {cause}")]
    File {
        /// The file as the person named it.
        file: String,
        /// The system's word for it.
        cause: std::io::Error,
    },
    /// A file could not be written.
    #[error(transparent)]
    Writing(OutputError),
    /// A file of checkpoints holds something else, or cannot be read.
    #[error("cannot go on from {file}: {cause}; give another file, or move it away to start anew")]
    Checkpoint {
        /// The file.
        file: String,
        /// What is wrong with it.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Certificates or a key cannot be had from their files.
    #[cfg(feature = "census")]
    #[error(transparent)]
    Credentials(#[from] CredentialError),
    /// A document could not be written as JSON.
    #[error("cannot write the result as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The memory guard cannot see how much memory is in use.
    #[error(
        "--memory-limit needs /proc/self/statm, which this system lacks; limit the memory with `ulimit -v` instead"
    )]
    NoMemoryGuard,
    /// A signal handler or a thread could not be set up.
    #[error("cannot watch the computation: {0}")]
    Watch(String),
    /// The game has no such heap.
    #[error("{0}")]
    NoHeap(String),
    /// The position lies outside what is known of the game.
    #[error("{0}")]
    Unknown(String),
    /// As [`Unknown`](Self::Unknown), because a budget ran out.
    #[error("{0}")]
    OutOfBudget(String),
    /// As [`Unknown`](Self::Unknown), because the computation was stopped.
    #[error("{0}")]
    Stopped(String),
    /// The independent checker does not accept what the engine found. This is a bug of ours, never
    /// to be printed over.
    #[error(
        "the independent checker refutes the engine's result for {code}: {flaw}; nothing is printed, please report this"
    )]
    Refuted {
        /// The game.
        code: String,
        /// The first thing wrong.
        flaw: Flaw,
    },
    /// A certificate that was to be used cannot be read, or is not true.
    #[error("`{file}` {reason}; nothing is printed")]
    Certificate {
        /// The file as the person named it.
        file: String,
        /// With which code the command ends.
        exit: Exit,
        /// The first thing wrong.
        reason: String,
    },
    /// A quotient that the classification lists is not accepted by the checker or by the kernels: a
    /// bug of ours as well.
    #[error(
        "a quotient of order {order} that was found is refuted: {reason}; nothing is printed, please report this"
    )]
    RefutedQuotient {
        /// Its order.
        order: usize,
        /// The first thing wrong.
        reason: String,
    },
    /// A list of quotients that a report is asked for is none, or is not true.
    #[error("`{file}` {fault}; nothing is printed")]
    List {
        /// The file.
        file: String,
        /// The first thing wrong.
        fault: ListFault,
    },
    /// A published table could not be compared: a bug of ours, as what was published is part of the
    /// program.
    #[error("what was published cannot be read: {0}")]
    Published(#[from] ComparisonError),
    /// A census could not be planned, run or read.
    #[cfg(feature = "census")]
    #[error(transparent)]
    Census(#[from] CensusFailure),
    /// A census could not be exported.
    #[cfg(feature = "census")]
    #[error(transparent)]
    Export(ExportError),
    /// An export could not be checked.
    #[cfg(feature = "census")]
    #[error(transparent)]
    ExportCheck(misere_export::CheckError),
    /// What was given is no bipartite monoid, or names none.
    #[error("{0}")]
    NotAQuotient(String),
    /// A health check found something wrong.
    #[error("{0}")]
    Unhealthy(String),
    /// A process that a worker starts for itself could not serve it.
    #[cfg(feature = "census")]
    #[error(transparent)]
    Child(#[from] misere_worker::child::ServeError),
    /// A manual page was asked for that does not exist.
    #[error("there is no command `{0}`; `misere --help` lists them")]
    NoCommand(String),
    /// Standard output could not be written to.
    #[error("cannot write to standard output: {0}")]
    Output(std::io::Error),
    /// The reader of standard output went away (`misere … | head`): not worth a word.
    #[error("standard output is closed")]
    OutputClosed,
}

impl Failure {
    fn code(&self) -> u8 {
        match self {
            Self::OutputClosed => Exit::Done as u8,
            Self::NoCommand(_) | Self::NoHeap(_) => Exit::Usage as u8,
            #[cfg(feature = "census")]
            Self::Census(failure) if failure.is_usage() => Exit::Usage as u8,
            #[cfg(feature = "census")]
            Self::Census(CensusFailure::Worker(WorkerError::Away { .. })) => Exit::Away as u8,
            #[cfg(feature = "census")]
            Self::Export(ExportError::NotOneCode) => Exit::Usage as u8,
            #[cfg(feature = "census")]
            Self::Census(CensusFailure::Repair(RepairError::Stopped)) => Exit::Interrupted as u8,
            Self::Certificate { exit, .. } => *exit as u8,
            Self::OutOfBudget(_) => Exit::Exhausted as u8,
            Self::Stopped(_) => Exit::Interrupted as u8,
            Self::List { fault, .. } if fault.is_stop() => Exit::Interrupted as u8,
            Self::List { fault, .. } if !fault.is_unreadable() => Exit::Refuted as u8,
            Self::Published(ComparisonError::Stopped(_)) => Exit::Interrupted as u8,
            Self::Refuted { .. } | Self::RefutedQuotient { .. } => Exit::Refuted as u8,
            _ => Exit::Failed as u8,
        }
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        match error {
            OutputError::StandardOutput(cause) if cause.kind() == ErrorKind::BrokenPipe => {
                Self::OutputClosed
            }
            other => Self::Writing(other),
        }
    }
}

/// The end of the process: prints what failed, if anything, and carries the exit code.
pub struct Ended(pub Result<Exit, Failure>);

impl Termination for Ended {
    fn report(self) -> ExitCode {
        match self.0 {
            Ok(exit) => ExitCode::from(exit as u8),
            Err(failure) => {
                if !matches!(failure, Failure::OutputClosed) {
                    eprintln!("error: {failure}");
                }
                ExitCode::from(failure.code())
            }
        }
    }
}
