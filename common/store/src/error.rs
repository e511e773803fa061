//! The errors of the store.

use std::io::{self, ErrorKind};
use std::path::PathBuf;

use misere_census::digest::RecordOrderError;
use misere_census::{AliasError, CertificateError, EncodingError, Plan};

use super::keys::{FORMAT, OLDEST_FORMAT};
use super::place::with_paths;

/// The reason why a census could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No generation is left: the census was opened too often.
    #[error(
        "the census was opened so often that its numbers are used up; copy it with \
         `misere census merge`"
    )]
    Generations,
    /// The directory or its lock could not be used.
    #[error("cannot use {}: {source}", path.display())]
    Directory {
        /// The path.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// Another process writes this census.
    #[error("the census in {} is in use by another process; wait for it or stop it", .0.display())]
    InUse(PathBuf),
    /// A process writes a census that must be at rest.
    #[error(
        "a coordinator is at work on the census in {}; stop it, or make a copy with \
         `misere census backup` and check that", .0.display()
    )]
    AtWork(PathBuf),
    /// The directory contains other files.
    #[error(
        "the directory {} holds something else than a census (`{}`); choose an empty or new directory",
        .0.display(), .1.escape_debug()
    )]
    NotACensus(PathBuf, String),
    /// A directory that is only read contains other files.
    #[error(
        "there is no census in {}, but something else (`{}`); name the directory of a census",
        .0.display(), .1.escape_debug()
    )]
    NoCensus(PathBuf, String),
    /// The directory for a copy is not empty.
    #[error("the directory {} is not empty; choose an empty or new directory for the copy", .0.display())]
    NotEmpty(PathBuf),
    /// The directory for a copy is in the directory of the census.
    #[error(
        "the copy would be inside the census, in {}; choose a directory outside of {}",
        to.display(), census.display()
    )]
    CopyInside {
        /// The directory for the copy.
        to: PathBuf,
        /// The directory of the census.
        census: PathBuf,
    },
    /// The directory of a census that is being written was renamed, replaced or deleted.
    #[error(
        "the directory {} is not the census any more that was opened there: it was renamed, replaced or deleted; this process writes nothing more; what was committed is where the directory is now: go on with the same command and its new name", .0.display()
    )]
    Moved(PathBuf),
    /// More workers are refused than a census can list.
    #[error(
        "{0} workers are refused or caught, and a census keeps no more; take some back with `misere census pardon`, or do not give out certificates to strangers"
    )]
    TooManyMarks(usize),
    /// A pattern names no worker that the census knows.
    #[error("no worker here is called `{0}`; `misere census workers` lists them")]
    NoSuchWorker(String),
    /// The name of a worker is longer than any worker's name.
    #[error("the name of a worker has at most {0} bytes; name it as `misere census workers` does")]
    LongName(usize),
    /// The census is closed.
    #[error("the census is closed")]
    Closed,
    /// The directory does not hold a census.
    #[error(
        "there is no census in {}; `misere census run --digits 3 --data {}` makes one",
        .0.display(), .0.display()
    )]
    Missing(PathBuf),
    /// The first command on the census was interrupted before anything was stored.
    #[error(
        "the census in {} was broken off before it had a record; run the command that began the \
         census again", .0.display()
    )]
    BrokenOff(PathBuf),
    /// Commits that were durable are missing.
    #[error(
        "the database of the census in {} is damaged: its log ends {changes} changes before what \
         was committed last ({written} records were there, {readable} can be read); nothing was \
         changed; restore the last copy that `misere census backup` made, or see with \
         `misere census check --data {}` what is left", path.display(), path.display()
    )]
    CommitsLost {
        /// The directory.
        path: PathBuf,
        /// The number of records that were written.
        written: u64,
        /// The records that can be read.
        readable: u64,
        /// The number of missing changes of entries.
        changes: u64,
    },
    /// The database exists, but cannot be opened.
    #[error(
        "the database of the census in {} is damaged: {what}; nothing was changed; restore the last \
         copy that `misere census backup` made, or see with `misere census check --data {}` what is \
         left", path.display(), path.display()
    )]
    Broken {
        /// The directory.
        path: PathBuf,
        /// The error.
        what: String,
    },
    /// A file of the database was changed after it was written.
    #[error(
        "the database of the census is damaged: {0}; restore the last copy that \
         `misere census backup` made, or see with `misere census check` what is left"
    )]
    Corrupt(rocksdb::Error),
    /// The census has an earlier format, which this release does not open.
    #[error(
        "the census in {} has store format {found}; this release opens formats {OLDEST_FORMAT} to \
         {FORMAT}. Open it once with `misere census run` of a build of an earlier commit, which \
         migrates it, or begin the census again in another directory", path.display()
    )]
    EarlierFormat {
        /// The directory.
        path: PathBuf,
        /// The format found.
        found: u32,
    },
    /// The migration of the census to the present format is not finished.
    #[error(
        "the census in {} is not brought from format {from} to format {FORMAT} yet; \
         `misere census run --data {}` finishes it", path.display(), path.display()
    )]
    Unmigrated {
        /// The directory.
        path: PathBuf,
        /// The format before the migration.
        from: u32,
    },
    /// The census was written by a later version of this program.
    #[error(
        "the census in {} has format {found}, this program reads format {FORMAT}; use the newer \
         program that wrote it", path.display()
    )]
    Format {
        /// The directory.
        path: PathBuf,
        /// The format found.
        found: u32,
    },
    /// The census follows another plan.
    #[error(
        "the census in {} was made by another plan; there: {stored}; asked for: {given}; use \
         another directory", path.display()
    )]
    OtherPlan {
        /// The directory.
        path: PathBuf,
        /// The plan of the census.
        stored: Box<Plan>,
        /// The plan requested.
        given: Box<Plan>,
    },
    /// The disk or the quota is full.
    #[error(
        "no room is left for the census: {0}; what was committed is safe; make room and run the \
         same command again"
    )]
    Full(String),
    /// The system does not let this process write in the directory.
    #[error(
        "the census cannot be written: {0}; what was committed is safe; make the directory \
         writable for this user, or choose another with --data"
    )]
    NotWritable(String),
    /// The system refuses this process the threads or the memory that the database needs.
    #[error(
        "the system refuses this process the threads and the memory that the database takes: {0}; \
         raise its limits: `ulimit -d`, `-v` and `-u`, LimitDATA, MemoryMax and TasksMax of a \
         service, memory and pids of a container"
    )]
    NoMeans(String),
    /// The database failed in another way: a broken disk, damaged files.
    ///
    /// Everything committed before is safe.
    #[error("the database failed: {0}")]
    Database(rocksdb::Error),
    /// A value cannot be decoded.
    #[error(
        "a damaged entry among the {family}s: {source}; `misere census check` tells what else is \
         damaged"
    )]
    Damaged {
        /// The column family.
        family: &'static str,
        /// The error.
        source: EncodingError,
    },
    /// The task is not in quarantine.
    #[error("{0} is not in quarantine; `misere census quarantine list` lists the games that are")]
    NotInQuarantine(String),
    /// An entry that must exist is missing.
    #[error(
        "an entry is missing among the {0}s: the census is damaged; `misere census check` tells \
         what else is"
    )]
    Absent(&'static str),
    /// A certificate that was checked when it was committed cannot be read.
    #[error("a damaged certificate: {0}")]
    Certificate(#[source] CertificateError),
    /// A code is stored as an alias of another game.
    #[error(transparent)]
    Alias(#[from] AliasError),
    /// Records are stored in another order than the order of their codes.
    #[error(transparent)]
    Order(#[from] RecordOrderError),
}

impl StoreError {
    /// Reports whether the error means that written data is missing or was changed.
    pub(super) fn is_damage(&self) -> bool {
        matches!(
            self,
            Self::CommitsLost { .. }
                | Self::Broken { .. }
                | Self::Corrupt(_)
                | Self::Database(_)
                | Self::Damaged { .. }
                | Self::Absent(_)
                | Self::Certificate(_)
                | Self::Alias(_)
                | Self::Order(_)
        )
    }

    /// Returns the error for a system error about a path.
    pub(super) fn directory(path: PathBuf, source: io::Error) -> Self {
        let text = || format!("{}: {source}", path.display());
        match source.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                Self::Full(text())
            }
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                Self::NotWritable(text())
            }
            _ => Self::Directory { path, source },
        }
    }
}

/// The error of RocksDB, which names the system's reason in its text only.
impl From<rocksdb::Error> for StoreError {
    fn from(error: rocksdb::Error) -> Self {
        const FULL: [&str; 3] = [
            "No space left on device",
            "Disk quota exceeded",
            "File too large",
        ];
        const NOT_WRITABLE: [&str; 2] = ["Permission denied", "Read-only file system"];
        let text = with_paths(error.as_ref());
        let says = |words: &[&str]| words.iter().any(|&word| text.contains(word));
        if says(&FULL) {
            Self::Full(text)
        } else if says(&NOT_WRITABLE) {
            Self::NotWritable(text)
        } else if error.kind() == rocksdb::ErrorKind::Corruption {
            Self::Corrupt(error)
        } else {
            Self::Database(error)
        }
    }
}
