//! The failures of the commands for a census.

use std::path::{Path, PathBuf};

use misere_census::PlanError;
use misere_census::chunk::ChunkError;
use misere_census::output_file::OutputError;
use misere_coordinator::CoordinatorError;
use misere_coordinator::authority::CertificateFileError;
use misere_coordinator::control::ControlError;
use misere_coordinator::local::SocketError;
use misere_coordinator::merge::MergeError;
use misere_coordinator::seal::SealError;
use misere_game::ruleset::Code;
use misere_proto::{AddressError, CredentialError};
use misere_store::StoreError;
use misere_store::repair::RepairError;
use misere_worker::WorkerError;

use crate::exit::{CommandError, Exit};

/// The reason why a census could not be planned, run or read.
#[derive(Debug, thiserror::Error)]
pub enum CensusError {
    /// The options do not describe a plan.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// No option names the games.
    #[error(
        "say which games: --digits N, --codes LIST or --born-by DAY, or which quotients: --space \
         quotients --order N{}", to_resume(.0.as_deref())
    )]
    NoSpace(Option<PathBuf>),
    /// A family of codes needs the number of digits.
    #[error("--space hexadecimal, --space quaternary and --space subtraction need --digits N")]
    NoDigits,
    /// The greatest number of late options was given for a day whose games have none.
    #[error("--late belongs to --born-by 5; all games born by an earlier day are listed")]
    Late,
    /// The store of the census failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The published data to compare with cannot be read.
    #[error(transparent)]
    Published(#[from] misere_report::PublishedError),
    /// The running coordinator did not answer a question.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// The coordinator cannot start or continue.
    #[error(transparent)]
    Coordinator(#[from] CoordinatorError),
    /// The worker cannot continue.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// The address of a coordinator cannot be read.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// A certificate cannot be made.
    #[error(transparent)]
    Certificates(#[from] CertificateFileError),
    /// The coordinator cannot be reached, or does not answer this user.
    #[error("{}", unreachable(.0))]
    Unreachable(#[from] SocketError),
    /// No worker of that name is refused, caught or held back.
    #[error(
        "nothing is held against a worker `{0}`; `misere census workers` lists those who were \
         caught"
    )]
    NothingAgainst(String),
    /// The coordinator rejects an order.
    #[error("the coordinator refuses the order: {0}")]
    Order(String),
    /// No coordinator answers at the address.
    #[error(
        "no coordinator answers: {0}; see that it is at work, and that the address and the \
         certificates are its own"
    )]
    NoAnswer(String),
    /// A game names the class of its quotient, and the census does not have it.
    #[error(
        "{0} is not a game of this census, so its class is not known here; `misere identify {0}` \
         prints the key of the class"
    )]
    NotInCensus(Code),
    /// The number of the part is out of range.
    #[error("--res {residue} is out of range (0 to {}, since --mod is {modulus})", .modulus - 1)]
    Part {
        /// The number of the part.
        residue: u64,
        /// The number of parts.
        modulus: u64,
    },
    /// Plan options were given without the number of the part.
    #[error(
        "plan options need --res and --mod; without all of them the file says which part it is"
    )]
    PartWithoutNumber,
    /// A file does not name its part.
    #[error(
        "`{}` does not say which part it is; give plan options, --res and --mod",
        .0.display()
    )]
    PartWithoutPlan(PathBuf),
    /// Levels of quotients cannot be computed in parts.
    #[error(
        "quotients are classified level by level, and which tasks a level has is known only when \
         the one before is complete; `misere census run` or `misere coordinator` do it"
    )]
    PartOfLevels,
    /// `--space` and `--order` belong together.
    #[error("--space quotients needs --order N, and --order N needs --space quotients")]
    Quotients,
    /// The file of a part cannot be read or written.
    #[error("cannot use `{}` as a part of a census: {cause}", .file.display())]
    PartFile {
        /// The file.
        file: PathBuf,
        /// The fault.
        cause: Box<ChunkError>,
    },
    /// The file of a part cannot be opened or begun.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Another process writes the file.
    #[error("another process writes `{}`", .0.display())]
    PartInUse(PathBuf),
    /// The file belongs to another part, plan or release.
    #[error(
        "the file `{}` is another part, or a part of another plan or release; give another file, or \
         move this one away",
        .0.display()
    )]
    OtherPart(PathBuf),
    /// Some games of a part could not be computed.
    #[error("games that could not be computed: {0}; the same command tries them again")]
    PartMissing(usize),
    /// A census is to be merged into itself.
    #[error("`{}` is the census itself; name the directories of other censuses", .0.display())]
    MergedIntoItself(PathBuf),
    /// The plans of two censuses differ, and no option names the plan that includes both.
    #[error(
        "`{}` has another plan ({plan}) than the census before ({before}); give the plan options of \
         a census that includes both",
        .census.display()
    )]
    PlansApart {
        /// The directory.
        census: PathBuf,
        /// The plan of the census in it.
        plan: String,
        /// The plan of the earlier censuses.
        before: String,
    },
    /// The file of a part is sealed, and nothing can be added to it.
    #[error(
        "`{}` is sealed by a checker, so nothing can be added to it; go on with the file that was \
         checked, or name another one", .0.display()
    )]
    SealedPart(PathBuf),
    /// A part is to be checked without the certificate of a checker.
    #[error("--check seals the part: give --ca, --cert and --key of a checker, too")]
    NoSeal,
    /// A part cannot be sealed.
    #[error("cannot seal the part: {0}")]
    Seal(Box<SealError>),
    /// The files of a checker's certificate cannot be read.
    #[error(transparent)]
    Credentials(#[from] CredentialError),
    /// A part could not be merged.
    #[error("cannot merge `{}`: {cause}", .file.display())]
    Merge {
        /// The file.
        file: PathBuf,
        /// The fault.
        cause: Box<MergeError>,
    },
    /// A damaged census could not be rebuilt.
    #[error(transparent)]
    Repair(RepairError),
    /// A part of the program panicked.
    #[error("a worker thread failed; what was committed is safe, run the same command again")]
    Panicked,
    /// The system refuses a resource that a run needs.
    #[error("cannot start: {0}")]
    Start(std::io::Error),
    /// Some tasks failed too often.
    #[error(
        "tasks in quarantine, since they failed too often: {0}; `misere census quarantine list` \
         shows them, `misere census run --retry-quarantined` tries them again"
    )]
    Quarantine(u64),
}

impl CommandError for CensusError {
    fn exit(&self) -> Exit {
        match self {
            failure if failure.is_usage() => Exit::Usage,
            Self::Worker(WorkerError::Away { .. }) => Exit::Away,
            Self::Worker(WorkerError::Refused(error)) if error.is_lasting() => Exit::Away,
            Self::Repair(RepairError::Stopped) => Exit::Interrupted,
            _ => Exit::Failed,
        }
    }
}

/// Says why the coordinator cannot be reached, with advice.
fn unreachable(why: &SocketError) -> String {
    match why {
        SocketError::NotRunning(data) => {
            format!(
                "{why}; `misere coordinator --data {}` starts one",
                data.display()
            )
        }
        SocketError::Refused { .. } => why.to_string(),
    }
}

/// Returns the remark on a directory in which a census could have been resumed.
fn to_resume(data: Option<&Path>) -> String {
    data.map_or_else(String::new, |data| {
        format!(" (there is no census in {} to resume)", data.display())
    })
}

impl CensusError {
    /// Returns the failure of a call to a coordinator, which refused it or could not be reached.
    pub fn of_call(status: &tonic::Status) -> Self {
        let text = misere_proto::status::status_text(status);
        // An answer of the coordinator itself has no cause on this machine.
        match std::error::Error::source(status) {
            Some(_) => Self::NoAnswer(text),
            None => Self::Order(text),
        }
    }

    /// Returns the failure of the file of a part.
    pub fn part(file: &Path, cause: ChunkError) -> Self {
        Self::PartFile {
            file: file.to_owned(),
            cause: Box::new(cause),
        }
    }

    /// Reports whether the command line is at fault.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::Plan(_)
                | Self::NoSpace(_)
                | Self::NoDigits
                | Self::Late
                | Self::PartOfLevels
                | Self::PartWithoutNumber
                | Self::NoSeal
                | Self::PartWithoutPlan(_)
                | Self::MergedIntoItself(_)
                | Self::PlansApart { .. }
                | Self::Quotients
                | Self::Part { .. }
                | Self::Address(_)
                | Self::Worker(WorkerError::Address(_))
                | Self::Coordinator(CoordinatorError::Plaintext(_))
        )
    }
}
