//! The census that the pages are read from: a directory, or the coordinator of this process.
//!
//! It is read from a directory, in which another process may be at work, or from the coordinator of
//! this process. Either way every answer comes from the state of the census at one recent moment,
//! and nothing is ever written.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use misere_coordinator::control;
use misere_coordinator::control::{Answer, Request};
use misere_coordinator::observer::{LiveStatus, Observer};
use misere_store::{Reading, Store, StoreError};

/// The greatest delay with which the commits of another process are seen.
const FRESH: Duration = Duration::from_secs(2);

/// A census to be shown.
#[derive(Clone, Debug)]
pub struct Census(Source);

#[derive(Clone, Debug)]
enum Source {
    /// A directory, into which another process or no process writes.
    Directory(Arc<Directory>),
    /// The coordinator of this process.
    Running(Box<Observer>),
    /// A census as it was at one moment.
    Still(Arc<Store>),
}

#[derive(Debug)]
struct Directory {
    path: PathBuf,
    opened: Mutex<OpenCensus>,
}

/// A census held open for one answer.
#[derive(Debug)]
pub(crate) enum Glance {
    /// The census as it was when the directory was opened.
    Opened(Arc<Store>),
    /// The census of the running coordinator.
    Running(Box<Reading>),
}

impl Deref for Glance {
    type Target = Store;
    fn deref(&self) -> &Store {
        match self {
            Self::Opened(store) => store,
            Self::Running(reading) => reading,
        }
    }
}

/// An opened directory, with the time at which it was opened.
#[derive(Debug)]
struct OpenCensus {
    store: Arc<Store>,
    at: Instant,
    in_use: bool,
    written: Option<SystemTime>,
}

impl OpenCensus {
    fn open(path: &Path) -> Result<Self, StoreError> {
        // Read before the database is opened, so that a process that begins to write in between is
        // noticed.
        let in_use = misere_store::is_in_use(path);
        let store = Arc::new(Store::open_read_only(path)?);
        Ok(Self {
            store,
            at: Instant::now(),
            in_use,
            written: written(path),
        })
    }

    fn is_stale(&self, path: &Path) -> bool {
        self.at.elapsed() >= FRESH
            && (self.in_use || misere_store::is_in_use(path) || written(path) != self.written)
    }
}

/// Returns the time at which files of the database last came or went.
fn written(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path.join(misere_store::DATABASE))
        .and_then(|about| about.modified())
        .ok()
}

impl Census {
    /// Opens the census in a directory.
    ///
    /// # Errors
    /// [`StoreError`] if there is none that can be read.
    pub fn in_directory(path: &Path) -> Result<Self, StoreError> {
        let directory = Directory {
            path: path.to_owned(),
            opened: Mutex::new(OpenCensus::open(path)?),
        };
        Ok(Self(Source::Directory(Arc::new(directory))))
    }

    /// Returns the census as it is now, without later writes.
    pub(crate) fn still(store: Arc<Store>) -> Self {
        Self(Source::Still(store))
    }

    /// Returns the census of the coordinator of this process.
    #[must_use]
    pub fn running(observer: Observer) -> Self {
        Self(Source::Running(Box::new(observer)))
    }

    /// Returns the census as it was at most [`FRESH`] ago. May block.
    pub(crate) fn store(&self) -> Result<Glance, StoreError> {
        match &self.0 {
            Source::Still(store) => Ok(Glance::Opened(Arc::clone(store))),
            Source::Running(observer) => Ok(Glance::Running(Box::new(observer.files().read()?))),
            Source::Directory(directory) => {
                let opened = directory.opened.lock();
                let mut opened = opened.unwrap_or_else(PoisonError::into_inner);
                if opened.is_stale(&directory.path) {
                    match OpenCensus::open(&directory.path) {
                        Ok(anew) => *opened = anew,
                        // Tables came and went while it was opened; the last state read is still
                        // true.
                        Err(error) => {
                            tracing::debug!(%error, "cannot open the census again");
                            opened.at = Instant::now();
                        }
                    }
                }
                Ok(Glance::Opened(Arc::clone(&opened.store)))
            }
        }
    }

    /// Returns the state that the coordinator at work reports, if there is one. May block.
    pub(super) fn standing(&self) -> Option<LiveStatus> {
        match &self.0 {
            Source::Still(_) => None,
            Source::Running(observer) => Some(observer.standing()),
            Source::Directory(directory) => match control::ask(&directory.path, &Request::Status) {
                Ok(Some(Answer::Status(standing))) => Some(*standing),
                // The coordinator may just have ended.
                _ => None,
            },
        }
    }

    /// Reports whether a process has the census open for writing.
    pub(super) fn is_in_use(&self) -> bool {
        match &self.0 {
            Source::Still(_) => false,
            Source::Running(_) => true,
            Source::Directory(directory) => misere_store::is_in_use(&directory.path),
        }
    }
}
