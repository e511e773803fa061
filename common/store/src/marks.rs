//! The marks of workers that are distrusted, or refused by an operator.
//!
//! They are stored over restarts, with the name that people know the worker by, until an operator
//! removes them.

use misere_census::worker_name::{is_called, is_pattern};
use misere_census::{Misconduct, TaskId, WorkerIdentity};
use rocksdb::WriteBatch;
use serde::{Deserialize, Serialize};

use super::commit::Commit;
use super::keys::{Kind, Meta};
use super::value::{Event, EventKind, TaskState};
use super::{Store, StoreError, unix_ms};

/// The most workers refused by a name or a fingerprint that no worker has shown.
///
/// Each mark is rewritten with every other one.
pub const MAX_MARKS: usize = 1_000;

/// The most bytes of a name by which a worker is refused. No worker has a longer one.
pub const MAX_NAME_BYTES: usize = 256;

/// The mark of a worker that is distrusted, or refused by an operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marked {
    /// The identity of the worker over all its connections.
    pub identity: WorkerIdentity,
    /// The name that the worker gave.
    pub name: String,
    /// The fingerprint of the certificate that the worker showed last, if it showed one.
    pub fingerprint: Option<String>,
    /// The reason.
    pub why: Misconduct,
    /// The game at which the worker was caught, if there is one.
    pub game: Option<String>,
    /// The time of the mark, in milliseconds of Unix time.
    pub at_ms: u64,
    /// Whether an operator refuses the worker, so that it may not even register.
    pub banned: bool,
}

impl Marked {
    /// Returns the mark of a worker with nothing known but its identity.
    ///
    /// Cost: none.
    ///
    /// ```
    /// use misere_census::WorkerIdentity;
    /// use misere_store::Marked;
    ///
    /// let mark = Marked::unnamed(WorkerIdentity::named("host-a"));
    /// assert!(!mark.banned);
    /// ```
    #[must_use]
    pub fn unnamed(identity: WorkerIdentity) -> Self {
        Self {
            identity,
            name: short(identity),
            fingerprint: None,
            why: Misconduct::CaughtBefore,
            game: None,
            at_ms: 0,
            banned: false,
        }
    }

    /// Returns the mark of a refused name, or of a fingerprint that no worker has shown yet.
    ///
    /// Cost: none.
    ///
    /// ```
    /// use misere_store::Marked;
    ///
    /// let mark = Marked::banned("host-a");
    /// assert!(mark.banned && mark.is_called("host-a"));
    /// ```
    #[must_use]
    pub fn banned(who: &str) -> Self {
        let fingerprint = is_fingerprint(who).then(|| who.to_owned());
        Self {
            identity: WorkerIdentity::named(who),
            name: who.to_owned(),
            fingerprint,
            why: Misconduct::Banned,
            game: None,
            at_ms: unix_ms(),
            banned: true,
        }
    }

    /// Returns the mark of a refused name or fingerprint that no worker has shown yet.
    ///
    /// `marked` is the number of existing marks.
    ///
    /// Cost: none.
    ///
    /// # Errors
    /// [`StoreError`] if there are [too many](MAX_MARKS) marks, if the name is [too
    /// long](MAX_NAME_BYTES), or if it is a pattern, which names known workers only.
    ///
    /// ```
    /// use misere_store::Marked;
    /// use misere_store::marks::MAX_MARKS;
    ///
    /// assert!(Marked::new_ban("host-a", 7)?.banned);
    /// assert!(Marked::new_ban("host-a", MAX_MARKS).is_err());
    /// assert!(Marked::new_ban(&"a".repeat(1000), 7).is_err());
    /// assert!(Marked::new_ban("host-*", 7).is_err());
    /// # Ok::<(), misere_store::StoreError>(())
    /// ```
    pub fn new_ban(who: &str, marked: usize) -> Result<Self, StoreError> {
        if is_pattern(who) {
            return Err(StoreError::NoSuchWorker(who.to_owned()));
        }
        if who.len() > MAX_NAME_BYTES {
            return Err(StoreError::LongName(MAX_NAME_BYTES));
        }
        if marked >= MAX_MARKS {
            return Err(StoreError::TooManyMarks(marked));
        }
        Ok(Self::banned(who))
    }

    /// Reports whether the mark is of the worker that an operator calls `who`.
    ///
    /// `who` may be the beginning of its identity, or what [`is_called`] describes.
    ///
    /// Cost: none.
    ///
    /// ```
    /// use misere_store::Marked;
    ///
    /// let mark = Marked::banned("host-a");
    /// assert!(mark.is_called("host-a") && !mark.is_called("host-b"));
    /// assert!(Marked::banned("host\t").is_called("host<U+0009>"));
    /// ```
    #[must_use]
    pub fn is_called(&self, who: &str) -> bool {
        is_called(who, &self.name, self.fingerprint.as_deref())
            || short(self.identity) == who
            || self.identity.to_string() == who
    }
}

/// Returns the first digits of an identity, enough to distinguish workers.
///
/// Cost: none.
///
/// ```
/// use misere_census::WorkerIdentity;
/// use misere_store::marks::short;
///
/// let identity = WorkerIdentity::named("host-a");
/// assert!(identity.to_string().starts_with(&short(identity)));
/// ```
#[must_use]
pub fn short(identity: WorkerIdentity) -> String {
    identity.to_string().chars().take(16).collect()
}

/// Reports whether a text looks like the fingerprint of a certificate.
fn is_fingerprint(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl Store {
    /// Returns the marks of all workers that are distrusted or refused.
    ///
    /// Cost: one seek.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or the entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// store.ban("host-a")?;
    /// assert_eq!(store.marked()?[0].name, "host-a");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn marked(&self) -> Result<Vec<Marked>, StoreError> {
        let mut marked: Vec<Marked> = self.meta(Meta::Marked)?.unwrap_or_default();
        // A worker caught by an earlier release has no name here.
        for identity in self.distrusted()? {
            if marked.iter().all(|known| known.identity != identity) {
                marked.push(Marked::unnamed(identity));
            }
        }
        Ok(marked)
    }

    /// Writes into a batch which workers a commit distrusts or pardons.
    pub(super) fn mark(&self, batch: &mut WriteBatch, commit: &Commit) -> Result<(), StoreError> {
        if commit.distrusted.is_empty() && commit.marked.is_empty() && commit.pardoned.is_empty() {
            return Ok(());
        }
        let (mut marked, mut distrusted) = (self.marked()?, self.distrusted()?);
        for mark in &commit.marked {
            marked.retain(|known| known.identity != mark.identity);
            marked.push(mark.clone());
        }
        let named = commit.marked.iter().map(|mark| mark.identity);
        for identity in named.chain(commit.distrusted.iter().copied()) {
            if !distrusted.contains(&identity) {
                distrusted.push(identity);
            }
        }
        marked.retain(|known| !commit.pardoned.contains(&known.identity));
        distrusted.retain(|identity| !commit.pardoned.contains(identity));
        self.put(batch, Kind::Meta, Meta::Marked.key(), &marked)?;
        self.put(batch, Kind::Meta, Meta::Distrusted.key(), &distrusted)
    }

    /// Refuses workers, by their name, a pattern for it, or the fingerprint of their certificate.
    ///
    /// No coordinator may be running. Returns the names. Quarantined tasks whose failures only
    /// refused workers reported are tried again; results that rest on their word alone are taken
    /// back by the next coordinator.
    ///
    /// Cost: one batch, and a scan of the quarantine.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails, if [too many](MAX_MARKS) workers are refused, or if no
    /// known worker matches a pattern; nothing is changed then.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// assert_eq!(store.ban("host-a")?, ["host-a"]);
    /// assert_eq!(store.ban("host-?")?, ["host-a"]);
    /// assert!(store.ban("rack-*").is_err());
    /// assert!(store.marked()?[0].banned);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ban(&mut self, who: &str) -> Result<Vec<String>, StoreError> {
        let marked = self.marked()?;
        let marks = marked.len();
        let known = marked.into_iter().filter(|mark| mark.is_called(who));
        let mut banned: Vec<Marked> = known
            .map(|known| Marked {
                banned: true,
                why: Misconduct::Banned,
                at_ms: unix_ms(),
                ..known
            })
            .collect();
        if banned.is_empty() {
            banned.push(Marked::new_ban(who, marks)?);
        }
        let names = banned.iter().map(|mark| mark.name.clone()).collect();
        let events = banned.iter().flat_map(|mark| {
            let (identity, name) = (mark.identity, mark.name.clone());
            event(EventKind::WorkerBanned { identity, name })
        });
        let commit = Commit {
            events: events.collect(),
            marked: banned,
            ..Commit::default()
        };
        self.commit(&commit)?;
        self.release_blamed()?;
        Ok(names)
    }

    /// Trusts workers again and no longer refuses them, and returns their names.
    ///
    /// No coordinator may be running.
    ///
    /// Cost: one batch.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails; nothing is changed then.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// store.ban("host-a")?;
    /// assert_eq!(store.pardon("host-a")?, ["host-a"]);
    /// assert!(store.marked()?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pardon(&mut self, who: &str) -> Result<Vec<String>, StoreError> {
        let marked = self.marked()?.into_iter();
        let pardoned: Vec<Marked> = marked.filter(|mark| mark.is_called(who)).collect();
        let events = pardoned.iter().flat_map(|mark| {
            let (identity, name) = (mark.identity, mark.name.clone());
            event(EventKind::WorkerPardoned { identity, name })
        });
        let commit = Commit {
            pardoned: pardoned.iter().map(|mark| mark.identity).collect(),
            events: events.collect(),
            ..Commit::default()
        };
        self.commit(&commit)?;
        Ok(pardoned.into_iter().map(|mark| mark.name).collect())
    }

    /// Releases the quarantined tasks whose failures only distrusted workers reported.
    ///
    /// Returns the number of these tasks.
    ///
    /// Cost: a scan of the quarantine, and one batch.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails; nothing is changed then.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// assert_eq!(store.release_blamed()?, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn release_blamed(&mut self) -> Result<u64, StoreError> {
        let distrusted = self.distrusted()?;
        if distrusted.is_empty() || self.counters.quarantined == 0 {
            return Ok(0);
        }
        let mut blamed: Vec<TaskId> = Vec::new();
        for (task, why) in self.quarantined()? {
            let state = self.task(task)?.map(|stored| stored.state);
            if let Some(TaskState::QuarantinedFor { by }) = state
                && !why.dropped
                && by.iter().all(|who| distrusted.contains(who))
            {
                blamed.push(task);
            }
        }
        self.release(&blamed)
    }
}

fn event(what: EventKind) -> Vec<Event> {
    let at_ms = unix_ms();
    vec![Event { at_ms, what }]
}
