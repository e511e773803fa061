//! The workers that join, and those that are evicted, banned or pardoned.

use std::collections::BTreeMap;

use misere_census::worker_name::{certified, is_called};
use misere_census::{
    MAX_REASON_CHARS, MemoryClass, Misconduct, TaskId, WorkerId, WorkerIdentity, printable,
};

use misere_ledger::{Reservation, WorkerNumbersError};
use misere_store::marks::{MAX_MARKS, short};
use misere_store::{EventKind, Marked, StoreError};

use super::answer::{Ban, BanError, Eviction, Pardon, RegistrationError, WorkerNameError};
use super::{Driver, Stamp};

/// The introduction of a worker: its own name, and what its certificate says.
#[derive(Clone, Debug)]
pub struct Introduction {
    /// The identity of the worker over all its connections.
    pub identity: WorkerIdentity,
    /// The name for people: of its certificate, and behind a slash the worker's own.
    pub name: String,
    /// The fingerprint of its certificate, if it showed one.
    pub fingerprint: Option<String>,
    /// The number of tasks that the worker computes at once.
    pub slots: u32,
    /// The greatest memory class it offers.
    pub class: MemoryClass,
}

impl Introduction {
    /// Returns a worker that is known by the first part of its name, up to a slash.
    #[must_use]
    pub fn named(name: String, slots: u32, class: MemoryClass) -> Self {
        let identity = WorkerIdentity::named(certified(&name));
        Self {
            identity,
            name,
            fingerprint: None,
            slots,
            class,
        }
    }

    fn is_called(&self, who: &str) -> bool {
        is_called(who, &self.name, self.fingerprint.as_deref())
    }
}

/// The knowledge of workers beyond the ledger's.
#[derive(Debug, Default)]
pub(super) struct Workers {
    /// The workers that are present.
    pub(super) there: BTreeMap<WorkerId, Introduction>,
    /// The workers that are not trusted, or banned.
    pub(super) marked: BTreeMap<WorkerIdentity, Marked>,
    /// The last name and certificate that each identity showed.
    pub(super) known: BTreeMap<WorkerIdentity, (String, Option<String>)>,
    /// The number of workers that were evicted.
    pub(super) evicted: u64,
}

impl Workers {
    pub(super) fn new(marked: Vec<Marked>) -> Self {
        let marked = marked.into_iter().map(|mark| (mark.identity, mark));
        Self {
            marked: marked.collect(),
            ..Self::default()
        }
    }

    /// Returns the name of an identity.
    pub(super) fn name(&self, identity: WorkerIdentity) -> String {
        let known = self.known.get(&identity).map(|(name, _)| name);
        let marked = || self.marked.get(&identity).map(|mark| &mark.name);
        let name = known.or_else(marked).cloned();
        name.unwrap_or_else(|| short(identity))
    }

    fn mark(&self, identity: WorkerIdentity, why: Misconduct, at_ms: u64) -> Marked {
        let fingerprint = self.known.get(&identity).and_then(|known| known.1.clone());
        Marked {
            name: self.name(identity),
            fingerprint,
            why,
            at_ms,
            ..Marked::unnamed(identity)
        }
    }

    /// Reports whether an operator has banned the worker of this introduction.
    pub(super) fn is_banned(&self, introduction: &Introduction) -> bool {
        self.marked.values().filter(|mark| mark.banned).any(|mark| {
            mark.identity == introduction.identity
                || (mark.fingerprint.is_some() && mark.fingerprint == introduction.fingerprint)
        })
    }

    /// Returns the present workers with this number, name or fingerprint.
    fn called(&self, who: &str) -> Vec<WorkerId> {
        let there = self.there.iter();
        let meant = there.filter(|(id, known)| id.to_string() == who || known.is_called(who));
        meant.map(|(&id, _)| id).collect()
    }

    /// Returns the identities that an operator means, present or not.
    fn identities(&self, who: &str) -> Vec<WorkerIdentity> {
        let there = self.called(who).into_iter();
        let there = there.filter_map(|id| Some(self.there.get(&id)?.identity));
        let known = self.known.iter().filter(|(identity, (name, fingerprint))| {
            is_called(who, name, fingerprint.as_deref()) || short(**identity) == who
        });
        let marked = self.marked.values().filter(|mark| mark.is_called(who));
        let mut all: Vec<WorkerIdentity> = there
            .chain(known.map(|(&identity, _)| identity))
            .chain(marked.map(|mark| mark.identity))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Driver {
    /// Admits a worker.
    pub(super) fn register(
        &mut self,
        stamp: Stamp,
        introduction: Introduction,
    ) -> Result<WorkerId, RegistrationError> {
        let name = &introduction.name;
        if self.workers.is_banned(&introduction) {
            let fingerprint = introduction.fingerprint.as_deref();
            tracing::warn!(name, fingerprint, "worker refused: an operator banned it");
            return Err(RegistrationError::Banned);
        }
        self.published = None;
        let Introduction {
            identity,
            slots,
            class,
            ..
        } = introduction;
        let registered = self.apply(stamp, |ledger, now| {
            ledger.register(identity, slots, class, now)
        });
        let worker = registered.map_err(|WorkerNumbersError| RegistrationError::Spent)?;
        let name = name.clone();
        self.note(stamp, EventKind::WorkerJoined { worker, name });
        let vouched = certified(&introduction.name).to_owned();
        let shown = (vouched, introduction.fingerprint.clone());
        self.workers.known.insert(introduction.identity, shown);
        self.workers.there.insert(worker, introduction);
        self.name_mark(identity);
        Ok(worker)
    }

    /// Names the mark of a worker that was caught by an earlier claim, before it came back.
    fn name_mark(&mut self, identity: WorkerIdentity) {
        let (Some(mark), Some((name, fingerprint))) = (
            self.workers.marked.get(&identity),
            self.workers.known.get(&identity),
        ) else {
            return;
        };
        if mark.name == short(identity) {
            let named = Marked {
                name: name.clone(),
                fingerprint: fingerprint.clone(),
                ..mark.clone()
            };
            self.set_mark(named);
        }
    }

    /// Keeps a mark in place of an earlier one of the same worker.
    fn set_mark(&mut self, mark: Marked) {
        let identity = mark.identity;
        let marked = &mut self.commit.marked;
        marked.retain(|other| other.identity != identity);
        marked.push(mark.clone());
        self.workers.marked.insert(identity, mark);
    }

    /// Records that a worker was caught.
    pub(super) fn distrusted(&mut self, stamp: Stamp, identity: WorkerIdentity, why: Misconduct) {
        let game = match why {
            Misconduct::OtherCertificate(task) | Misconduct::OtherVerdict(task) => {
                Some(self.called(task))
            }
            _ => None,
        };
        let mark = Marked {
            game,
            ..self.workers.mark(identity, why, stamp.unix_ms)
        };
        let (name, game) = (&mark.name, &mark.game);
        tracing::error!(name, %why, game, "a worker is no longer trusted: it gets no tasks, and its unconfirmed work is done again");
        self.commit.distrusted.push(identity);
        self.rechecks.push(identity);
        self.set_mark(mark);
        self.note(stamp, EventKind::WorkerDistrusted { identity, why });
    }

    /// Returns the name of a task for people.
    fn called(&self, task: TaskId) -> String {
        let known = self.tasks.get(&task).map(ToString::to_string);
        let stored = || Some(self.store.task(task).ok()??.task.to_string());
        known.or_else(stored).unwrap_or_else(|| task.to_string())
    }

    /// Takes back the leases of workers, and forgets them; they may come back.
    pub(super) fn evict(&mut self, stamp: Stamp, who: &str) -> Result<Eviction, WorkerNameError> {
        let workers = self.workers.called(who);
        if workers.is_empty() {
            return Err(WorkerNameError(who.to_owned()));
        }
        let mut evicted = Eviction::default();
        for worker in workers {
            let held = self.ledger.held_by(worker).count() as u64;
            let known = self.workers.there.get(&worker);
            let name = known.map(|known| known.name.clone()).unwrap_or_default();
            // It is present, so the ledger knows it, unless it has just been silent for too long.
            let _ = self.apply(stamp, |ledger, now| ledger.leave(worker, now));
            tracing::info!(%worker, name, held, "worker sent away");
            evicted.tasks += held;
            evicted.workers.push((worker, name.clone()));
            self.workers.evicted += 1;
            self.note(stamp, EventKind::WorkerEvicted { worker, name });
        }
        Ok(evicted)
    }

    /// Bans a worker, also after a restart, and discards its unconfirmed results.
    pub(super) fn ban(&mut self, stamp: Stamp, who: &str) -> Result<Ban, BanError> {
        let identities = self.workers.identities(who);
        let mut ban = Ban::default();
        let marked = &self.workers.marked;
        let new = identities
            .iter()
            .filter(|identity| !marked.contains_key(identity));
        let marks = marked.len() + new.count();
        if marks > MAX_MARKS {
            return Err(BanError(StoreError::TooManyMarks(marks).to_string()));
        }
        if identities.is_empty() {
            // No worker of this name has been seen yet. The name is written as it would be known
            // here.
            let who = printable(who, MAX_REASON_CHARS);
            let mark = Marked::new_ban(&who, self.workers.marked.len());
            let mark = mark.map_err(|error| BanError(error.to_string()))?;
            self.refuse(stamp, mark, &mut ban);
        }
        for identity in identities {
            let mark = match self.workers.marked.get(&identity) {
                Some(known) => known.clone(),
                None => self
                    .workers
                    .mark(identity, Misconduct::Banned, stamp.unix_ms),
            };
            self.refuse(stamp, mark, &mut ban);
        }
        self.published = None;
        Ok(ban)
    }

    fn refuse(&mut self, stamp: Stamp, mark: Marked, ban: &mut Ban) {
        let identity = mark.identity;
        self.apply(stamp, |ledger, now| {
            ledger.distrust(identity, Misconduct::Banned, now);
        });
        let mark = Marked {
            banned: true,
            why: Misconduct::Banned,
            at_ms: stamp.unix_ms,
            ..mark
        };
        let name = mark.name.clone();
        tracing::warn!(name, fingerprint = mark.fingerprint, "worker banned");
        let theirs = self.workers.there.iter();
        let theirs = theirs.filter(|(_, known)| known.identity == identity);
        let theirs: Vec<WorkerId> = theirs.map(|(&worker, _)| worker).collect();
        for worker in theirs {
            // As above.
            let _ = self.apply(stamp, |ledger, now| ledger.leave(worker, now));
            ban.workers += 1;
        }
        ban.names.push(name.clone());
        self.commit.pardoned.retain(|&other| other != identity);
        self.set_mark(mark);
        self.note(stamp, EventKind::WorkerBanned { identity, name });
    }

    /// Trusts workers again, regardless of their misconduct, and admits them.
    pub(super) fn pardon(&mut self, stamp: Stamp, who: &str) -> Result<Pardon, WorkerNameError> {
        let identities = self.workers.identities(who).into_iter();
        let identities: Vec<WorkerIdentity> = identities
            .filter(|&identity| {
                self.workers.marked.contains_key(&identity)
                    || self.ledger.reservation(identity).is_some()
            })
            .collect();
        if identities.is_empty() {
            return Err(WorkerNameError(who.to_owned()));
        }
        let mut pardoned = Pardon::default();
        for identity in identities {
            let name = self.workers.name(identity);
            tracing::warn!(name, "worker pardoned");
            self.apply(stamp, |ledger, _| ledger.pardon(identity));
            self.workers.marked.remove(&identity);
            self.commit.distrusted.retain(|&other| other != identity);
            self.commit
                .marked
                .retain(|other| other.identity != identity);
            self.commit.pardoned.push(identity);
            pardoned.names.push(name.clone());
            self.note(stamp, EventKind::WorkerPardoned { identity, name });
        }
        self.published = None;
        Ok(pardoned)
    }

    /// Returns the reason why a worker gets no tasks, in words.
    pub(super) fn reserved(&self, worker: WorkerId) -> Option<String> {
        let identity = self.ledger.identity(worker)?;
        let reservation = self.ledger.reservation(identity)?;
        let marked = self.workers.marked.get(&identity);
        Some(in_words(&reservation, marked))
    }
}

/// Returns the reason why a worker gets no tasks, in words.
pub(super) fn in_words(reservation: &Reservation, marked: Option<&Marked>) -> String {
    match reservation {
        Reservation::Distrusted(why) => {
            let why = marked.map_or(*why, |mark| mark.why);
            let game = marked.and_then(|mark| mark.game.as_deref());
            let game = game.map_or_else(String::new, |game| format!(" ({game})"));
            format!("it is not trusted: {why}{game}")
        }
        Reservation::HeldBack { ms, why } => {
            format!("it is held back for {} s: {why}", ms.div_ceil(1000))
        }
    }
}
