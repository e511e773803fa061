//! The exit codes of the command, and the texts of its failures.
//!
//! Exit codes and the form of an error (one lowercase line, `error: …`, with what to do) are part
//! of the contract with scripts; `docs/reference.md` lists them.

use std::io::ErrorKind;
use std::process::{ExitCode, Termination};

use misere_algebra::classify::comparison::ComparisonError;
use misere_census::atlas::AtlasError;
use misere_census::output_file::OutputError;
use misere_check::CheckError;
use misere_check::infinite::whole::PresentationCheckError;
use misere_check::normal_period::NormalPeriodCheckError;
#[cfg(feature = "census")]
use misere_export::ExportError;
#[cfg(feature = "census")]
use misere_proto::CredentialError;
#[cfg(feature = "census")]
use misere_store::repair::RepairError;
#[cfg(feature = "census")]
use misere_worker::WorkerError;

#[cfg(feature = "census")]
use crate::census::CensusError;
use crate::notice;
use crate::threads::ThreadsError;
use crate::verify_list::QuotientListError;
use crate::watch;

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
    /// No coordinator could be reached in the time that a worker was to wait, or the coordinator is
    /// of another release.
    Away = 6,
}

/// The reason why a command could not do what it was asked to.
///
/// The text is one lowercase line and says what to do.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// A file could not be read.
    #[error("cannot read `{file}`: {cause}")]
    File {
        /// The file as the user named it.
        file: String,
        /// The error of the system.
        cause: std::io::Error,
    },
    /// A file could not be written.
    #[error(transparent)]
    Writing(OutputError),
    /// The file of checkpoints holds something else, or cannot be read.
    #[error(
        "cannot go on from {file}: {cause}; give another file, or move this one away to start over"
    )]
    Checkpoint {
        /// The file.
        file: String,
        /// The fault of the file.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Normal play cannot be computed in the way requested.
    #[error(
        "--normal keeps no checkpoint and no certificate of this game, so leave --checkpoint and --certificate out: {0}"
    )]
    NormalPlay(String),
    /// The normal play of many games cannot be computed or listed as requested.
    #[error("{0}")]
    NormalRun(String),
    /// The file of an atlas cannot be read.
    #[error(transparent)]
    Atlas(#[from] AtlasError),
    /// The checker refuted the period of normal play.
    ///
    /// Either the period or the checker is wrong.
    #[error("the checker refutes the period of {code}: {flaw}; please report this as a bug")]
    RefutedPeriod {
        /// The game.
        code: String,
        /// The first thing wrong.
        flaw: NormalPeriodCheckError,
    },
    /// Certificates or a key cannot be read from their files.
    #[cfg(feature = "census")]
    #[error(transparent)]
    Credentials(#[from] CredentialError),
    /// A document could not be written as JSON.
    #[error("cannot write the result as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The memory guard cannot read how much memory is in use.
    #[error(
        "--memory-limit needs /proc/self/statm, which this system lacks; limit the memory with \
         `ulimit -v` instead"
    )]
    NoMemoryGuard,
    /// Standard input cannot be read.
    #[error("standard input cannot be read: {0}")]
    Input(std::io::Error),
    /// The system refuses threads to this process.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// A signal handler or a thread could not be set up.
    #[error("cannot watch the computation: {0}")]
    Watch(String),
    /// The game has no such heap.
    #[error("{0}")]
    NoHeap(String),
    /// An option does not fit the format of the export.
    #[cfg(feature = "census")]
    #[error("{0}")]
    ExportOption(&'static str),
    /// The position is outside the known part of the game.
    #[error("{0}")]
    Unknown(String),
    /// The position is outside the known part of the game, because a budget ran out.
    #[error("{0}")]
    OutOfBudget(String),
    /// The position is outside the known part of the game, because the computation was stopped.
    #[error("{0}")]
    Stopped(String),
    /// The independent checker refutes the result of the engine.
    ///
    /// This is a bug of the program, and nothing is printed instead.
    #[error(
        "the independent checker refutes the engine's result for {code}: {flaw}; nothing is \
         printed, please report this"
    )]
    Refuted {
        /// The game.
        code: String,
        /// The first flaw.
        flaw: CheckError,
    },
    /// A certificate that was to be used cannot be read, or is false.
    #[error("`{file}` {reason}; nothing is printed")]
    Certificate {
        /// The file as the user named it.
        file: String,
        /// The exit code of the command.
        exit: Exit,
        /// The first thing wrong.
        reason: String,
    },
    /// The checker or the kernels refute a quotient of the classification.
    ///
    /// This is a bug of the program.
    #[error(
        "a quotient of order {order} that was found is refuted: {reason}; nothing is printed, \
         please report this"
    )]
    RefutedQuotient {
        /// The order of the quotient.
        order: usize,
        /// The first flaw.
        reason: String,
    },
    /// The checker refutes a presentation that was found, which is a bug of the program.
    #[error(
        "the presentation found for {code} is refuted: {flaw}; nothing is printed, please report \
         this"
    )]
    RefutedPresentation {
        /// The game.
        code: String,
        /// The first flaw.
        flaw: PresentationCheckError,
    },
    /// The file that a report needs does not hold a list of quotients, or holds a false one.
    #[error("`{file}` {fault}; nothing is printed")]
    List {
        /// The file.
        file: String,
        /// The first fault.
        fault: QuotientListError,
    },
    /// A published table could not be compared.
    ///
    /// This is a bug of the program, since the tables are part of it.
    #[error("the published data cannot be read: {0}")]
    Published(#[from] ComparisonError),
    /// A census could not be planned, run or read.
    #[cfg(feature = "census")]
    #[error(transparent)]
    Census(#[from] CensusError),
    /// A census could not be exported.
    #[cfg(feature = "census")]
    #[error(transparent)]
    Export(ExportError),
    /// The pages of a census could not be written.
    #[cfg(feature = "census")]
    #[error(transparent)]
    Page(misere_web::copy::CopyError),
    /// An export could not be checked.
    #[cfg(feature = "census")]
    #[error(transparent)]
    ExportCheck(misere_export::ManifestError),
    /// The text given does not describe or name a bipartite monoid.
    #[error("{0}")]
    NotAQuotient(String),
    /// A health check found a problem.
    #[error("{0}")]
    Unhealthy(String),
    /// A child process of a worker could not serve it.
    #[cfg(feature = "census")]
    #[error(transparent)]
    Child(#[from] misere_worker::child::ServeError),
    /// The manual has no page of this name.
    #[error("there is no command `{0}`; `misere --help` lists the commands")]
    NoCommand(String),
    /// Standard output could not be written to.
    #[error("cannot write to standard output: {0}")]
    Output(std::io::Error),
    /// The reader of standard output went away (`misere … | head`), which is not reported.
    #[error("standard output is closed")]
    OutputClosed,
}

impl Exit {
    /// Returns the line for standard error of an end that printed nothing else.
    ///
    /// Only success is silent.
    fn explained(self) -> String {
        let stopped = || match watch::last_stop() {
            Some(by) => format!("{by}{}", by.advice()),
            None => "before the end".to_owned(),
        };
        match self {
            Self::Done => String::new(),
            Self::Failed => "failed: a part of what was asked for could not be done".to_owned(),
            Self::Usage => "the command line was not understood; try --help".to_owned(),
            Self::Exhausted => {
                "exhausted: a budget (fuel, greatest heap, greatest order) was spent first; what \
                 is printed says how far it came"
                    .to_owned()
            }
            Self::Interrupted => format!("interrupted: stopped {}", stopped()),
            Self::Refuted => "refuted: a claim is wrong; what is printed says which".to_owned(),
            Self::Away => "no coordinator could be reached".to_owned(),
        }
    }
}

impl CommandError {
    fn code(&self) -> u8 {
        match self {
            Self::OutputClosed => Exit::Done as u8,
            Self::NoCommand(_) | Self::NoHeap(_) | Self::NormalPlay(_) => Exit::Usage as u8,
            #[cfg(feature = "census")]
            Self::Census(failure) if failure.is_usage() => Exit::Usage as u8,
            #[cfg(feature = "census")]
            Self::Census(CensusError::Worker(WorkerError::Away { .. })) => Exit::Away as u8,
            #[cfg(feature = "census")]
            Self::Census(CensusError::Worker(WorkerError::Refused(error)))
                if error.is_of_another_release() =>
            {
                Exit::Away as u8
            }
            #[cfg(feature = "census")]
            Self::Export(ExportError::NotOneCode) | Self::ExportOption(_) => Exit::Usage as u8,
            #[cfg(feature = "census")]
            Self::Census(CensusError::Repair(RepairError::Stopped)) => Exit::Interrupted as u8,
            Self::Certificate { exit, .. } => *exit as u8,
            Self::OutOfBudget(_) => Exit::Exhausted as u8,
            Self::Stopped(_) => Exit::Interrupted as u8,
            Self::List { fault, .. } if fault.is_stop() => Exit::Interrupted as u8,
            Self::List { fault, .. } if !fault.is_unreadable() => Exit::Refuted as u8,
            Self::Published(ComparisonError::Stopped(_)) => Exit::Interrupted as u8,
            Self::Refuted { .. }
            | Self::RefutedPeriod { .. }
            | Self::RefutedQuotient { .. }
            | Self::RefutedPresentation { .. } => Exit::Refuted as u8,
            _ => Exit::Failed as u8,
        }
    }
}

impl From<OutputError> for CommandError {
    fn from(error: OutputError) -> Self {
        match error {
            OutputError::StandardOutput(cause) if cause.kind() == ErrorKind::BrokenPipe => {
                Self::OutputClosed
            }
            other => Self::Writing(other),
        }
    }
}

/// The end of the process, which prints the failure, if any, and sets the exit code.
pub struct ExitStatus(pub Result<Exit, CommandError>);

impl Termination for ExitStatus {
    fn report(self) -> ExitCode {
        match self.0 {
            Ok(exit) => {
                if exit != Exit::Done && !notice::is_any() {
                    notice!("{}", exit.explained());
                }
                ExitCode::from(exit as u8)
            }
            Err(failure) => {
                if !matches!(failure, CommandError::OutputClosed) {
                    notice!("error: {failure}");
                }
                ExitCode::from(failure.code())
            }
        }
    }
}
