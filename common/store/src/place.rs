//! The place of a census that is open for writing, for checks that its directory is still the same.
//!
//! A lock belongs to a file and not to a name. A directory that is renamed takes its lock along,
//! and another census can be begun under the old name. RocksDB finds its files by name, so it would
//! continue in the files of the other census. Two measures prevent that:
//!
//! - The database is opened through a descriptor of its directory, if the system has names for
//!   descriptors (Linux). The background writes, merges and deletions of RocksDB then follow the
//!   directory to its new name.
//! - Before each durable write the names are compared with the files that were opened. A census
//!   whose directory was renamed, replaced or deleted writes nothing more ([`StoreError::Moved`]).

use std::fs::{File, Metadata};
use std::io;
use std::ops::Deref;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rocksdb::DB;

use super::StoreError;
use super::directory::{DATABASE, LOCK};

/// The device and the number of a file.
type Identity = (u64, u64);

/// The directory of the descriptors of this process, in which their files have names.
const DESCRIPTORS: &str = "/proc/self/fd";

/// The place of a census: its directory, with the identities of the lock and of the database.
#[derive(Clone, Debug)]
pub(super) struct Place {
    dir: PathBuf,
    lock: Identity,
    database: Identity,
}

impl Place {
    /// Returns the place of a census whose lock is held, and whose database has a directory.
    pub(super) fn of(dir: &Path, lock: &File) -> Result<Self, StoreError> {
        let identities = || -> io::Result<(Identity, Identity)> {
            let database = std::fs::metadata(dir.join(DATABASE))?;
            Ok((identity(&lock.metadata()?), identity(&database)))
        };
        let cannot = |source| StoreError::directory(dir.to_owned(), source);
        let (lock, database) = identities().map_err(cannot)?;
        Ok(Self {
            // A process may change its directory.
            dir: std::path::absolute(dir).map_err(cannot)?,
            lock,
            database,
        })
    }

    /// Checks that the census is still where it was opened.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        match self.is_there() {
            true => Ok(()),
            false => Err(StoreError::Moved(self.dir.clone())),
        }
    }

    /// Reports whether the names of the census still refer to the files that were opened.
    pub(super) fn is_there(&self) -> bool {
        let is = |name: &str, known: Identity| {
            let found = std::fs::metadata(self.dir.join(name));
            found.is_ok_and(|found| identity(&found) == known)
        };
        is(LOCK, self.lock) && is(DATABASE, self.database)
    }

    /// Returns the directory of the census.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }
}

fn identity(about: &Metadata) -> Identity {
    (about.dev(), about.ino())
}

/// An open database, with the descriptor by which it finds its files.
#[derive(Debug)]
pub(super) struct Database {
    // Dropped before the descriptor.
    db: DB,
    _directory: Option<File>,
}

impl Deref for Database {
    type Target = DB;
    fn deref(&self) -> &DB {
        &self.db
    }
}

impl From<DB> for Database {
    fn from(db: DB) -> Self {
        Self {
            db,
            _directory: None,
        }
    }
}

impl Database {
    /// Opens a database by a name of its directory that follows the directory when it is moved.
    ///
    /// It uses the path if the system has no such names.
    pub(super) fn open(
        path: &Path,
        open: impl FnOnce(&Path) -> Result<DB, rocksdb::Error>,
    ) -> Result<Self, StoreError> {
        let cannot = |source| StoreError::directory(path.to_owned(), source);
        std::fs::create_dir_all(path).map_err(cannot)?;
        let directory = File::open(path).map_err(cannot)?;
        let followed = Path::new(DESCRIPTORS).join(directory.as_raw_fd().to_string());
        let is_followed = || -> io::Result<bool> {
            let (one, other) = (std::fs::metadata(&followed)?, directory.metadata()?);
            Ok(identity(&one) == identity(&other))
        };
        match is_followed() {
            Ok(true) => Ok(Self {
                db: open(&followed)?,
                _directory: Some(directory),
            }),
            Ok(false) | Err(_) => Ok(open(path)?.into()),
        }
    }
}

/// Returns a text of RocksDB with the paths of directories instead of their descriptors' names.
pub(super) fn with_paths(text: &str) -> String {
    let before = format!("{DESCRIPTORS}/");
    let mut pieces = text.split(before.as_str());
    let mut named = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = piece.split_at(digits);
        let name = Path::new(DESCRIPTORS).join(number);
        let path = std::fs::read_link(&name).unwrap_or(name);
        named.push_str(&path.display().to_string());
        named.push_str(rest);
    }
    named
}
