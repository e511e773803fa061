//! The unfinished tasks in memory, and the state of each.

use std::collections::{BTreeMap, BTreeSet, VecDeque, btree_map};

use misere_census::{Attempts, Claim, Epoch, MemoryClass, TaskId, WorkerId, WorkerIdentity};

use super::{Admitted, HeldLease, Kept, Millis};

/// The most workers that are remembered to have failed at one task.
const MAX_TRIED: usize = 16;

/// A task of the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The failures of the task so far.
    pub attempts: Attempts,
    /// The claims about the task so far. A task with claims is for another worker to compute,
    /// if there is somebody.
    pub claims: Vec<Claim>,
    /// The workers that failed at it lately. Several may show one certificate: one of them may be
    /// broken, or lie, and the others do what it could not.
    pub tried: Vec<WorkerId>,
    /// Its checkpoint, if there is one.
    pub kept: Option<Kept>,
    /// Those who had a part in the checkpoint from which whoever holds it went on.
    pub contributors: Vec<WorkerIdentity>,
    /// Whether whoever computes it is to stop.
    pub stop: bool,
    /// Whether others wait for it, so that it goes before those that do not.
    pub is_awaited: bool,
    /// Its state.
    pub state: State,
}

/// The states of an unfinished task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// To be handed out.
    Ready,
    /// Held by a worker until the deadline.
    Leased {
        /// The holder.
        worker: WorkerId,
        /// The live epoch.
        epoch: Epoch,
        /// The time at which the task was handed out.
        since: Millis,
        /// The time at which the lease ends unless renewed.
        deadline: Millis,
        /// Since when the worker says that it is computing it.
        running_since: Option<Millis>,
    },
    /// Its certificate is being checked.
    Checking {
        /// The epoch under which it was handed in.
        epoch: Epoch,
        /// By whom; `None` if the coordinator itself computes it.
        holder: Option<(WorkerId, WorkerIdentity)>,
    },
}

impl Entry {
    /// Whether a worker said that it is computing the task.
    #[must_use]
    pub fn is_running(&self) -> bool {
        matches!(
            self.state,
            State::Leased {
                running_since: Some(_),
                ..
            }
        )
    }

    /// Whether who gets it next goes on from its checkpoint. Somebody of whose work this is the
    /// check had no part in it.
    #[must_use]
    pub fn is_resumable(&self) -> bool {
        let spoke = |contributor: &WorkerIdentity| {
            let mut said = self.claims.iter().filter(|claim| claim.is_doubt());
            said.any(|claim| claim.by == *contributor)
        };
        let kept = self.kept.as_ref();
        kept.is_some_and(|kept| !kept.contributors.iter().any(spoke))
    }

    /// Whether certificates of it were made, good or bad, none of which is believed yet.
    #[must_use]
    pub fn awaits_confirmation(&self) -> bool {
        self.claims.iter().any(Claim::is_doubt)
    }

    /// Those who tried and have no certificate that the checker accepts.
    pub fn failed_by(&self) -> impl Iterator<Item = WorkerIdentity> {
        let failed = self.claims.iter().filter(|claim| claim.is_failure());
        failed.map(|claim| claim.by)
    }

    /// The live epoch.
    #[must_use]
    pub fn epoch(&self) -> Option<Epoch> {
        match self.state {
            State::Ready => None,
            State::Leased { epoch, .. } | State::Checking { epoch, .. } => Some(epoch),
        }
    }
}

/// The number of tasks of the window in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// To be handed out.
    pub ready: u64,
    /// Held by workers.
    pub leased: u64,
    /// Certificate being checked.
    pub checking: u64,
}

/// The tasks by name, the ready ones in the order in which they are to be handed out, and the
/// leased ones by holder.
#[derive(Debug, Default)]
pub(super) struct Window {
    pub(super) entries: BTreeMap<TaskId, Entry>,
    pub(super) places: Places,
}

/// The places of tasks by their states: the queues of those that are ready, and the holders of
/// those that are leased.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Ready tasks of which no certificate was made, by memory class.
    pub(super) queues: [VecDeque<TaskId>; MemoryClass::ALL.len()],
    /// Ready tasks of which certificates were made that are not believed yet.
    pub(super) awaiting_confirmation: VecDeque<TaskId>,
    pub(super) held: BTreeMap<WorkerId, BTreeSet<TaskId>>,
    pub(super) counts: Counts,
}

impl Window {
    pub(super) fn counts(&self) -> Counts {
        let counts = self.places.counts;
        debug_assert_eq!(
            counts.ready + counts.leased + counts.checking,
            self.entries.len() as u64
        );
        counts
    }

    pub(super) fn get(&self, task: TaskId) -> Option<&Entry> {
        self.entries.get(&task)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (TaskId, &Entry)> {
        self.entries.iter().map(|(&task, entry)| (task, entry))
    }

    /// The tasks that a worker holds.
    pub(super) fn held_by(&self, worker: WorkerId) -> impl Iterator<Item = TaskId> {
        self.places.held.get(&worker).into_iter().flatten().copied()
    }

    /// The number of tasks that a worker computes.
    pub(super) fn running_at(&self, worker: WorkerId) -> usize {
        let held = self.held_by(worker).filter_map(|task| self.get(task));
        held.filter(|entry| entry.is_running()).count()
    }

    /// The number of tasks that a worker holds.
    pub(super) fn held_count(&self, worker: WorkerId) -> u32 {
        let held = self.places.held.get(&worker).map_or(0, BTreeSet::len);
        u32::try_from(held).unwrap_or(u32::MAX)
    }

    /// Adds a ready task unless it is already here.
    pub(super) fn admit(&mut self, admitted: Admitted) {
        let Admitted {
            task,
            attempts,
            claims,
            kept,
            is_awaited,
        } = admitted;
        if let btree_map::Entry::Vacant(vacant) = self.entries.entry(task) {
            let entry = vacant.insert(Entry {
                attempts,
                claims,
                tried: Vec::new(),
                kept,
                contributors: Vec::new(),
                stop: false,
                is_awaited,
                state: State::Ready,
            });
            self.places.enter(task, entry);
        }
    }

    /// The next ready task that fits, for a worker that offers a memory class: the most demanding
    /// first. Few do not fit.
    pub(super) fn next_ready(
        &self,
        class: MemoryClass,
        fits: impl Fn(&Entry) -> bool,
    ) -> Option<TaskId> {
        let fits = |task: &&TaskId| self.entries.get(task).is_some_and(&fits);
        let offered = &self.places.queues[..=usize::from(class.number())];
        let next = offered
            .iter()
            .rev()
            .find_map(|queue| queue.iter().find(fits));
        next.copied()
    }

    /// The next ready task of which certificates were made and that fits.
    pub(super) fn next_awaiting_confirmation(
        &self,
        fits: impl Fn(&Entry) -> bool,
    ) -> Option<TaskId> {
        let fits = |task: &&TaskId| self.entries.get(task).is_some_and(&fits);
        let awaiting = &self.places.awaiting_confirmation;
        awaiting.iter().find(fits).copied()
    }

    /// Leases a ready task, from its checkpoint if it has one that is good for it; `false` if it is
    /// not ready.
    pub(super) fn lease(
        &mut self,
        task: TaskId,
        worker: WorkerId,
        epoch: Epoch,
        (since, deadline): (Millis, Millis),
    ) -> bool {
        let is_ready = |entry: &Entry| entry.state == State::Ready;
        if !self.get(task).is_some_and(is_ready) {
            return false;
        }
        let state = State::Leased {
            worker,
            epoch,
            since,
            deadline,
            running_since: None,
        };
        self.turn(task, |entry| {
            let contributors = entry.kept.iter().flat_map(|kept| &kept.contributors);
            entry.contributors = match entry.is_resumable() {
                true => contributors.copied().collect(),
                false => Vec::new(),
            };
            entry.state = state;
        });
        true
    }

    /// Changes how often a task has failed, and the memory it may have.
    pub(super) fn undo(&mut self, task: TaskId, attempts: Attempts) {
        self.turn(task, |entry| entry.attempts = attempts);
    }

    /// Changes how often a task has failed; its memory class stays.
    pub(super) fn set_attempts(&mut self, task: TaskId, attempts: Attempts) {
        if let Some(entry) = self.entries.get_mut(&task) {
            entry.attempts = attempts;
        }
    }

    /// Notes that a worker failed at a task.
    pub(super) fn note_failure(&mut self, task: TaskId, worker: WorkerId) {
        if let Some(entry) = self.entries.get_mut(&task)
            && !entry.tried.contains(&worker)
        {
            if entry.tried.len() == MAX_TRIED {
                entry.tried.remove(0);
            }
            entry.tried.push(worker);
        }
    }

    /// Changes what is known of the checkpoint of a task.
    pub(super) fn keep(&mut self, task: TaskId, kept: Option<Kept>) {
        if let Some(entry) = self.entries.get_mut(&task) {
            entry.kept = kept;
        }
    }

    /// Renews a lease; `false` if the worker does not hold it. A task once seen running stays so.
    pub(super) fn renew(
        &mut self,
        worker: WorkerId,
        held: HeldLease,
        deadline: Millis,
        now: Millis,
    ) -> bool {
        let entry = self.entries.get_mut(&held.task);
        match entry.map(|entry| &mut entry.state) {
            Some(State::Leased {
                worker: holder,
                epoch: live,
                deadline: old,
                running_since,
                ..
            }) if *holder == worker && *live == held.epoch => {
                *old = deadline.max(*old);
                if held.running && running_since.is_none() {
                    *running_since = Some(now);
                }
                true
            }
            // The coordinator is at work on the certificate; the worker keeps waiting for the
            // answer.
            Some(State::Checking { epoch: live, .. }) => *live == held.epoch,
            _ => false,
        }
    }

    /// To `Checking`.
    pub(super) fn check(
        &mut self,
        task: TaskId,
        epoch: Epoch,
        holder: Option<(WorkerId, WorkerIdentity)>,
    ) {
        let state = State::Checking { epoch, holder };
        self.turn(task, |entry| entry.state = state);
    }

    /// Back to `Ready`, at the end of its queue, after changing what is known of it.
    pub(super) fn make_ready(&mut self, task: TaskId, change: impl FnOnce(&mut Entry)) {
        self.turn(task, |entry| {
            change(entry);
            entry.state = State::Ready;
            entry.stop = false;
            entry.contributors = Vec::new();
        });
    }

    /// Forgets claims about a task that is being done.
    pub(super) fn retain_claims(&mut self, task: TaskId, keep: impl Fn(&Claim) -> bool) {
        self.turn(task, |entry| entry.claims.retain(keep));
    }

    /// Asks for a task to be stopped; `false` if nobody computes it.
    pub(super) fn ask_to_stop(&mut self, task: TaskId) -> bool {
        match self.entries.get_mut(&task) {
            Some(entry) if matches!(entry.state, State::Leased { .. }) => {
                entry.stop = true;
                true
            }
            _ => false,
        }
    }

    /// Takes a task out for good.
    pub(super) fn remove(&mut self, task: TaskId) {
        if let Some(entry) = self.entries.remove(&task) {
            self.places.leave(task, &entry);
        }
    }

    /// Changes what is known of a task, and puts the task where it belongs then.
    fn turn(&mut self, task: TaskId, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = self.entries.get_mut(&task) {
            self.places.leave(task, entry);
            change(entry);
            self.places.enter(task, entry);
        }
    }
}

impl Places {
    fn enter(&mut self, task: TaskId, entry: &Entry) {
        *self.count(entry.state) += 1;
        match entry.state {
            State::Ready if entry.is_awaited => self.queue_of(entry).push_front(task),
            State::Ready => self.queue_of(entry).push_back(task),
            State::Leased { worker, .. } => {
                self.held.entry(worker).or_default().insert(task);
            }
            State::Checking { .. } => {}
        }
    }

    fn leave(&mut self, task: TaskId, entry: &Entry) {
        *self.count(entry.state) -= 1;
        match entry.state {
            State::Ready => {
                // Ready tasks leave from the front, except those that await confirmation, of which
                // there are few.
                let queue = self.queue_of(entry);
                if let Some(at) = queue.iter().position(|&queued| queued == task) {
                    queue.remove(at);
                }
            }
            State::Leased { worker, .. } => {
                if let Some(held) = self.held.get_mut(&worker) {
                    held.remove(&task);
                    if held.is_empty() {
                        self.held.remove(&worker);
                    }
                }
            }
            State::Checking { .. } => {}
        }
    }

    fn queue_of(&mut self, entry: &Entry) -> &mut VecDeque<TaskId> {
        if !entry.awaits_confirmation() {
            &mut self.queues[usize::from(entry.attempts.class.number())]
        } else {
            &mut self.awaiting_confirmation
        }
    }

    fn count(&mut self, state: State) -> &mut u64 {
        match state {
            State::Ready => &mut self.counts.ready,
            State::Leased { .. } => &mut self.counts.leased,
            State::Checking { .. } => &mut self.counts.checking,
        }
    }
}
