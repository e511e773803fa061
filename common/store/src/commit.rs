//! Commits: the groups in which finished tasks enter the census.
//!
//! All consequences of a group of reports are one [`Commit`], one write batch, one sync (A-4):
//! records, certificates, classes, memberships, task states, counters, events. A task that is
//! already final is skipped, so that replaying a commit changes nothing.

use std::collections::BTreeMap;

use misere_census::frozen::code_key;
use misere_census::{
    Attempts, Backer, Claim, Failure, Finding, Finish, GameTask, Record, Task, TaskId,
    WorkerIdentity, encoding,
};
use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::solution::{Stages, Tail};
use rocksdb::WriteBatch;
use serde::Serialize;

use super::keys::{Kind, Meta, class_key, membership_key, number_key, task_key, word_key};
use super::tallies::Tallies;
use super::value::{
    CheckpointHead, Class, Counters, Event, EventKind, Level, Membership, Ruleset, StoredTask,
    TaskState,
};
use super::{Marked, Store, StoreError, damaged, index};

/// The number of events stored; an older event is deleted when a new one is written.
const MAX_EVENTS: u64 = 10_000;

/// A group of changes that becomes durable as one.
#[derive(Debug, Default)]
pub struct Commit {
    /// The finished tasks.
    pub finished: Vec<Finished>,
    /// The tasks that failed, or that a worker made a claim about, and that will be tried again.
    pub retried: Vec<TaskRetry>,
    /// The tasks that failed too often.
    pub quarantined: Vec<QuarantineWrite>,
    /// The checkpoints of tasks that are not finished.
    pub kept: Vec<CheckpointWrite>,
    /// The tasks whose checkpoint no worker can use any more.
    pub dropped: Vec<TaskId>,
    /// The tasks whose record is taken back, so that they are computed again.
    pub reopened: Vec<TaskId>,
    /// The tasks whose certificate the coordinator checked after a checker, with that checker.
    pub confirmed: Vec<(WorkerIdentity, TaskId)>,
    /// The finished tasks with a worker on whose word each rests.
    pub backed: Vec<(TaskId, Backer)>,
    /// The tasks that no longer rest on the word of this worker.
    pub unbacked: Vec<(WorkerIdentity, TaskId)>,
    /// The workers that are distrusted from now on.
    pub distrusted: Vec<WorkerIdentity>,
    /// The marks of distrusted workers, and of workers that an operator refuses.
    pub marked: Vec<Marked>,
    /// The workers that are trusted again.
    pub pardoned: Vec<WorkerIdentity>,
    /// The events to be recorded.
    pub events: Vec<Event>,
}

/// A task whose certificate was checked.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The task.
    pub task: TaskId,
    /// The way in which the task is finished.
    pub finish: Finish,
    /// The certificate.
    pub certificate: Vec<u8>,
    /// The finding that the census keeps.
    pub finding: Finding,
    /// The checker that checked the certificate; `None` if the coordinator did.
    pub checked_by: Option<WorkerIdentity>,
}

/// A task that failed, or that a worker made a claim about, and that will be tried again.
#[derive(Debug)]
pub struct TaskRetry {
    /// The task.
    pub task: TaskId,
    /// The attempts so far.
    pub attempts: Attempts,
    /// The claims of workers so far.
    pub claims: Vec<Claim>,
}

/// A task that failed too often.
#[derive(Debug)]
pub struct QuarantineWrite {
    /// The task.
    pub task: TaskId,
    /// The number of failures.
    pub failures: u32,
    /// The last failure.
    pub failure: Failure,
    /// The workers that reported a failure.
    pub by: Vec<WorkerIdentity>,
    /// The time of the last failure, in milliseconds of Unix time.
    pub at_ms: u64,
}

/// The checkpoint of a task, as a part of a commit.
#[derive(Debug)]
pub struct CheckpointWrite {
    /// The task.
    pub task: TaskId,
    /// The description of the checkpoint.
    pub head: CheckpointHead,
    /// The checkpoint itself.
    pub checkpoint: Vec<u8>,
}

impl Commit {
    /// Reports whether nothing would change.
    ///
    /// Cost: none.
    ///
    /// ```
    /// use misere_store::Commit;
    ///
    /// assert!(Commit::default().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.finished.is_empty()
            && self.retried.is_empty()
            && self.quarantined.is_empty()
            && self.kept.is_empty()
            && self.dropped.is_empty()
            && self.reopened.is_empty()
            && self.confirmed.is_empty()
            && self.backed.is_empty()
            && self.unbacked.is_empty()
            && self.distrusted.is_empty()
            && self.marked.is_empty()
            && self.pardoned.is_empty()
            && self.events.is_empty()
    }

    /// Returns the failures of attempts that the commit records.
    fn failures(&self) -> impl Iterator<Item = &Failure> {
        let retried = self.events.iter().filter_map(|event| match &event.what {
            EventKind::AttemptFailed { failure, .. } => Some(failure),
            _ => None,
        });
        retried.chain(self.quarantined.iter().map(|task| &task.failure))
    }
}

/// A write batch under construction, with the values that it has changed so far.
pub(super) struct Draft {
    pub(super) batch: WriteBatch,
    /// The entries of finished tasks that do not come in the order of their keys.
    unsorted: Vec<(Kind, Vec<u8>, Vec<u8>)>,
    pub(super) counters: Counters,
    pub(super) tallies: Tallies,
    pub(super) classes: BTreeMap<ClassKey, Class>,
    /// The changed levels of the quotients.
    pub(super) levels: BTreeMap<u8, Level>,
    pub(super) next_event: u64,
}

impl Draft {
    /// Adds an entry, to be written with the others in the order of their keys.
    fn add<T: Serialize>(&mut self, kind: Kind, key: Vec<u8>, value: &T) -> Result<(), StoreError> {
        let value = encoding::encode(kind.version(), value).map_err(damaged(kind))?;
        self.unsorted.push((kind, key, value));
        Ok(())
    }
}

impl Store {
    /// Makes a group of changes durable.
    ///
    /// Cost: one durable write, and a seek for each task and class that the commit changes.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails; no change of the group is then in the census.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_store::{Commit, Event, EventKind};
    ///
    /// let (task, _) = store.pending(0, 1)?.remove(0);
    /// let event = Event {
    ///     at_ms: 0,
    ///     what: EventKind::Released { task },
    /// };
    /// store.commit(&Commit {
    ///     events: vec![event.clone()],
    ///     ..Commit::default()
    /// })?;
    /// assert_eq!(store.events()?.last(), Some(&event));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn commit(&mut self, commit: &Commit) -> Result<(), StoreError> {
        if commit.is_empty() {
            return Ok(());
        }
        let mut draft = Draft {
            batch: WriteBatch::default(),
            unsorted: Vec::new(),
            counters: self.counters,
            tallies: self.tallies,
            classes: BTreeMap::new(),
            levels: BTreeMap::new(),
            next_event: self.next_event,
        };
        for write in &commit.kept {
            self.keep(&mut draft, write)?;
        }
        for &task in &commit.dropped {
            self.drop_checkpoint(&mut draft, task)?;
        }
        let mut unfinished = self.tasks(commit.finished.iter().map(|finished| finished.task))?;
        unfinished.retain(|_, stored| stored.state.is_pending());
        for finished in &commit.finished {
            // A task that the commit lists twice is finished by the first entry.
            if let Some(stored) = unfinished.remove(&finished.task) {
                self.finish(&mut draft, finished, stored)?;
            }
        }
        // In ascending order each entry finds its place beside the one before, in memory and later
        // in the tables; in any other order each costs a search.
        draft.unsorted.sort_unstable();
        for entries in draft.unsorted.chunk_by(|(one, ..), (next, ..)| one == next) {
            let Some(&(kind, ..)) = entries.first() else {
                continue;
            };
            let family = self.family(kind)?;
            for (_, key, value) in entries {
                draft.batch.put_cf(family, key, value);
            }
        }
        for (class, value) in &draft.classes {
            self.put(&mut draft.batch, Kind::Class, &class_key(class), value)?;
        }
        for retried in &commit.retried {
            let task = retried.task;
            if let Some(stored) = self.unfinished(task)? {
                let state = TaskState::pending(retried.attempts, retried.claims.clone());
                self.put_task(&mut draft.batch, task, StoredTask { state, ..stored })?;
            }
        }
        for &task in &commit.reopened {
            self.reopen(&mut draft, task)?;
        }
        for &(checker, task) in &commit.confirmed {
            self.delete(&mut draft.batch, Kind::Vouched, &word_key(checker, task))?;
        }
        for &(worker, task) in &commit.unbacked {
            self.delete(&mut draft.batch, Kind::Backer, &word_key(worker, task))?;
        }
        for (task, backer) in &commit.backed {
            let key = word_key(backer.worker, *task);
            self.put(&mut draft.batch, Kind::Backer, &key, &backer.confirmed_by)?;
        }
        for (order, level) in &draft.levels {
            self.put(&mut draft.batch, Kind::Level, &[*order], level)?;
        }
        self.mark(&mut draft.batch, commit)?;
        if !commit.quarantined.is_empty() {
            self.quarantine(&mut draft, commit)?;
        }
        for event in &commit.events {
            self.put(
                &mut draft.batch,
                Kind::Event,
                &number_key(draft.next_event),
                event,
            )?;
            if let Some(old) = draft.next_event.checked_sub(MAX_EVENTS) {
                self.delete(&mut draft.batch, Kind::Event, &number_key(old))?;
            }
            draft.next_event += 1;
        }
        self.put(
            &mut draft.batch,
            Kind::Meta,
            Meta::Counters.key(),
            &draft.counters,
        )?;
        if draft.tallies != self.tallies {
            let key = Meta::Tallies.key();
            self.put(&mut draft.batch, Kind::Meta, key, &draft.tallies)?;
        }
        self.write(draft.batch)?;
        self.statistics.committed(
            // There are fewer than before, if records were taken back.
            draft
                .counters
                .records()
                .saturating_sub(self.counters.records()),
            draft
                .counters
                .quarantined
                .saturating_sub(self.counters.quarantined),
        );
        for failure in commit.failures() {
            self.statistics.failed(failure);
        }
        (self.counters, self.tallies) = (draft.counters, draft.tallies);
        self.levels.append(&mut draft.levels);
        self.next_event = draft.next_event;
        self.note_reached();
        Ok(())
    }

    fn finish(
        &self,
        draft: &mut Draft,
        finished: &Finished,
        stored: StoredTask,
    ) -> Result<(), StoreError> {
        match finished.finish {
            Finish::Done => draft.counters.done += 1,
            Finish::Exhausted => draft.counters.exhausted += 1,
        }
        let position = number_key(stored.position);
        self.delete(&mut draft.batch, Kind::Pending, &position)?;
        match (&finished.finding, &stored.task) {
            (Finding::Game { record, quotient }, Task::Game(game)) => {
                self.finish_game(draft, finished, (record, quotient), game)?;
            }
            (Finding::Schemes(finding), Task::Schemes(task)) => {
                self.finish_schemes(draft, finished, finding, (task, &stored))?;
            }
            // The admission makes a finding of the kind of its task.
            _ => return Err(StoreError::Absent(Kind::Task.family())),
        }
        if let Some(checker) = finished.checked_by {
            let family = self.family(Kind::Vouched)?;
            let key = word_key(checker, finished.task);
            draft.batch.put_cf(family, key, []);
        }
        let state = finished.finish.into();
        let key = task_key(finished.task).to_vec();
        draft.add(Kind::Task, key, &StoredTask { state, ..stored })
    }

    fn finish_game(
        &self,
        draft: &mut Draft,
        finished: &Finished,
        (record, quotient): (&Record, &BipartiteMonoid),
        GameTask { code, aliases, .. }: &GameTask,
    ) -> Result<(), StoreError> {
        let batch = &mut draft.batch;
        let key = code_key(code);
        batch.put_cf(self.family(Kind::Certificate)?, &key, &finished.certificate);
        self.put(
            batch,
            Kind::Ruleset,
            &key,
            &Ruleset::Record(Box::new(record.clone())),
        )?;
        for alias in aliases {
            self.put(
                batch,
                Kind::Ruleset,
                &code_key(alias),
                &Ruleset::AliasOf(code.clone()),
            )?;
        }
        for (class, membership) in memberships(record) {
            draft.add(Kind::Membership, membership_key(&class, code), &membership)?;
        }
        let entries = index::keys(record).into_iter();
        let entries = entries.map(|key| (Kind::Index, key, Vec::new()));
        draft.unsorted.extend(entries);
        draft.tallies.add(record);
        self.note_classes(draft, record, quotient)
    }

    /// Records every class that the partial quotients of a record have.
    ///
    /// The entry of a class does not depend on the order in which its members come: the least code
    /// is the witness (A-5, A-6).
    fn note_classes(
        &self,
        draft: &mut Draft,
        record: &Record,
        quotient: &BipartiteMonoid,
    ) -> Result<(), StoreError> {
        for partial in &record.partials {
            let seen = Class {
                order: partial.order,
                p_size: partial.p_size,
                witness: Some(record.code.clone()),
                heap: partial.heap,
                quotient: (partial.class == record.class).then(|| Box::new(quotient.clone())),
                construction: None,
            };
            self.note_class(draft, partial.class, seen)?;
        }
        Ok(())
    }

    /// Takes the result of a task back.
    ///
    /// The facts about classes stay: they were proved, no matter which worker found them.
    fn reopen(&self, draft: &mut Draft, task: TaskId) -> Result<(), StoreError> {
        let Some(stored) = self.task(task)? else {
            return Ok(());
        };
        match stored.state {
            TaskState::Done => draft.counters.done = draft.counters.done.saturating_sub(1),
            TaskState::Exhausted => {
                draft.counters.exhausted = draft.counters.exhausted.saturating_sub(1);
            }
            _ => return Ok(()),
        }
        match &stored.task {
            Task::Game(game) => self.reopen_game(draft, game)?,
            Task::Schemes(_) => self.reopen_schemes(draft, task, &stored)?,
        }
        let position = number_key(stored.position);
        self.put(&mut draft.batch, Kind::Pending, &position, &task)?;
        let state = TaskState::Pending { failures: 0 };
        self.put_task(&mut draft.batch, task, StoredTask { state, ..stored })
    }

    fn reopen_game(
        &self,
        draft: &mut Draft,
        GameTask { code, aliases, .. }: &GameTask,
    ) -> Result<(), StoreError> {
        let Draft { batch, tallies, .. } = draft;
        if let Some(Ruleset::Record(record)) = self.ruleset(code)? {
            self.unindex(batch, &record)?;
            tallies.remove(&record);
            for class in memberships(&record).into_keys() {
                let key = membership_key(&class, code);
                self.delete(batch, Kind::Membership, &key)?;
            }
        }
        for code in std::iter::once(code).chain(aliases) {
            self.delete(batch, Kind::Ruleset, &code_key(code))?;
        }
        self.delete(batch, Kind::Certificate, &code_key(code))
    }

    /// Returns the task, or `None` if it is final or not a task of this census.
    pub(super) fn unfinished(&self, task: TaskId) -> Result<Option<StoredTask>, StoreError> {
        let stored = self.task(task)?;
        Ok(stored.filter(|stored| stored.state.is_pending()))
    }

    pub(super) fn put_task(
        &self,
        batch: &mut WriteBatch,
        id: TaskId,
        stored: StoredTask,
    ) -> Result<(), StoreError> {
        self.put(batch, Kind::Task, &task_key(id), &stored)
    }
}

/// Returns the entry of a class after the class was found once more.
pub(super) fn merged(known: Class, seen: Class) -> Class {
    let witness = |class: &Class| Some((class.witness.clone()?, class.heap));
    let first = witness(&known).into_iter().chain(witness(&seen)).min();
    let constructions = known.construction.into_iter().chain(seen.construction);
    Class {
        heap: first.as_ref().map_or(0, |&(_, heap)| heap),
        witness: first.map(|(code, _)| code),
        quotient: known.quotient.or(seen.quotient),
        construction: constructions.min(),
        ..known
    }
}

/// Returns the heaps at which a record has each of its classes.
///
/// Cost: time and memory in the number of partial quotients.
///
/// ```
/// # let (dir, mut store) =
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
/// use misere_store::commit::memberships;
/// use misere_store::view::View;
///
/// let kayles = View::of(&store).record(&"0.77".parse()?)?.ok_or("no record")?;
/// let memberships = memberships(&kayles);
/// // The whole game keeps its last quotient for ever.
/// assert!(memberships[&kayles.class].forever);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn memberships(record: &Record) -> BTreeMap<ClassKey, Membership> {
    let mut memberships: BTreeMap<ClassKey, Membership> = BTreeMap::new();
    for (at, partial) in record.partials.iter().enumerate() {
        let next = record.partials.get(at + 1);
        let last = next.map_or(record.heaps, |next| next.heap.saturating_sub(1));
        let membership = memberships.entry(partial.class).or_insert(Membership {
            ranges: Vec::new(),
            forever: false,
        });
        membership.ranges.push((partial.heap, last));
        membership.forever |= next.is_none() && is_of_whole_game(record);
    }
    memberships
}

/// Reports whether the last partial quotient is the quotient of the whole game.
fn is_of_whole_game(record: &Record) -> bool {
    let no_stages = |tail: &Tail| tail.stages == Stages::Known(0);
    let tail = record.verdict.tame_from().and(record.tail.as_ref());
    record.verdict.is_periodic() || tail.is_some_and(no_stages)
}
