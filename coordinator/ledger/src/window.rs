//! The unfinished tasks in memory, and the state of each.

use std::collections::{BTreeMap, BTreeSet, VecDeque, btree_map};

use misere_census::{Attempts, Claim, Epoch, MemoryClass, TaskId, WorkerId, WorkerIdentity};

use super::{CheckpointInfo, HeldLease, Millis, WindowTask};

/// The most workers that are remembered as having failed at one task.
const MAX_TRIED: usize = 16;

/// A task of the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The failures of the task so far.
    pub attempts: Attempts,
    /// The claims about the task so far.
    ///
    /// A task with claims is for another worker to compute, if there is one.
    pub claims: Vec<Claim>,
    /// The workers that failed at it lately.
    ///
    /// Several may show one certificate: one of them may be broken, or lie, and the others do what
    /// it could not.
    pub tried: Vec<WorkerId>,
    /// Its checkpoint, if there is one.
    pub kept: Option<CheckpointInfo>,
    /// The contributors of the checkpoint from which its holder resumed.
    pub contributors: Vec<WorkerIdentity>,
    /// Whether its holder is to stop.
    pub stop: bool,
    /// Whether other tasks wait for it, so that it is granted first.
    pub is_awaited: bool,
    /// Its state.
    pub state: State,
}

/// The states of an unfinished task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Ready to be granted.
    Ready,
    /// Held by a worker until the deadline.
    Leased {
        /// The holder.
        worker: WorkerId,
        /// The live epoch.
        epoch: Epoch,
        /// The time at which the task was granted.
        since: Millis,
        /// The time at which the lease ends unless renewed.
        deadline: Millis,
        /// The time at which the worker first reported that it is computing the task.
        running_since: Option<Millis>,
    },
    /// Its certificate is being checked.
    Checking {
        /// The epoch under which it was submitted.
        epoch: Epoch,
        /// The worker that submitted it; `None` if the coordinator itself computes it.
        holder: Option<(WorkerId, WorkerIdentity)>,
    },
}

impl Entry {
    /// Reports whether a worker reported that it is computing the task.
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

    /// Reports whether the next holder resumes from its checkpoint.
    ///
    /// It does unless a contributor of the checkpoint made a claim that is now to be checked.
    #[must_use]
    pub fn is_resumable(&self) -> bool {
        let spoke = |contributor: &WorkerIdentity| {
            let mut said = self.claims.iter().filter(|claim| claim.is_doubt());
            said.any(|claim| claim.by == *contributor)
        };
        let kept = self.kept.as_ref();
        kept.is_some_and(|kept| !kept.contributors.iter().any(spoke))
    }

    /// Reports whether it has certificates, good or bad, and none is trusted yet.
    #[must_use]
    pub fn awaits_confirmation(&self) -> bool {
        self.claims.iter().any(Claim::is_doubt)
    }

    /// Returns the workers that tried and have no certificate that the checker accepts.
    pub fn failed_by(&self) -> impl Iterator<Item = WorkerIdentity> {
        let failed = self.claims.iter().filter(|claim| claim.is_failure());
        failed.map(|claim| claim.by)
    }

    /// Returns the live epoch.
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
    /// The tasks ready to be granted.
    pub ready: u64,
    /// The tasks held by workers.
    pub leased: u64,
    /// The tasks whose certificate is being checked.
    pub checking: u64,
}

/// The tasks by name, the ready ones in the order of granting, and the leased ones by holder.
#[derive(Debug, Default)]
pub(super) struct Window {
    pub(super) entries: BTreeMap<TaskId, Entry>,
    pub(super) places: Places,
}

/// The places of tasks by state: the queues of ready tasks, and the holders of leased tasks.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// The ready tasks without a certificate, by memory class.
    pub(super) queues: [VecDeque<TaskId>; MemoryClass::ALL.len()],
    /// The ready tasks with certificates that are not trusted yet.
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

    /// Returns the tasks that a worker holds.
    pub(super) fn held_by(&self, worker: WorkerId) -> impl Iterator<Item = TaskId> {
        self.places.held.get(&worker).into_iter().flatten().copied()
    }

    /// Returns the number of tasks that a worker computes.
    pub(super) fn running_at(&self, worker: WorkerId) -> usize {
        let held = self.held_by(worker).filter_map(|task| self.get(task));
        held.filter(|entry| entry.is_running()).count()
    }

    /// Returns the number of tasks that a worker holds.
    pub(super) fn held_count(&self, worker: WorkerId) -> u32 {
        let held = self.places.held.get(&worker).map_or(0, BTreeSet::len);
        u32::try_from(held).unwrap_or(u32::MAX)
    }

    /// Adds a ready task unless it is already here.
    pub(super) fn admit(&mut self, admitted: WindowTask) {
        let WindowTask {
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

    /// Returns the next ready task that fits a worker of a memory class, the most demanding first.
    ///
    /// Most tasks fit.
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

    /// Returns the next ready task that has certificates and that fits.
    pub(super) fn next_awaiting_confirmation(
        &self,
        fits: impl Fn(&Entry) -> bool,
    ) -> Option<TaskId> {
        let fits = |task: &&TaskId| self.entries.get(task).is_some_and(&fits);
        let awaiting = &self.places.awaiting_confirmation;
        awaiting.iter().find(fits).copied()
    }

    /// Leases a ready task, from its checkpoint if there is one that the worker may use.
    ///
    /// Returns `false` if the task is not ready.
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

    /// Changes the failure counts of a task, and the memory it may have.
    pub(super) fn undo(&mut self, task: TaskId, attempts: Attempts) {
        self.turn(task, |entry| entry.attempts = attempts);
    }

    /// Changes the failure counts of a task; its memory class stays.
    pub(super) fn set_attempts(&mut self, task: TaskId, attempts: Attempts) {
        if let Some(entry) = self.entries.get_mut(&task) {
            entry.attempts = attempts;
        }
    }

    /// Records that a worker failed at a task.
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

    /// Changes the recorded checkpoint of a task.
    pub(super) fn keep(&mut self, task: TaskId, kept: Option<CheckpointInfo>) {
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
            // The coordinator is checking the certificate; the worker keeps waiting for the answer.
            Some(State::Checking { epoch: live, .. }) => *live == held.epoch,
            _ => false,
        }
    }

    /// Moves a task to `Checking`.
    pub(super) fn check(
        &mut self,
        task: TaskId,
        epoch: Epoch,
        holder: Option<(WorkerId, WorkerIdentity)>,
    ) {
        let state = State::Checking { epoch, holder };
        self.turn(task, |entry| entry.state = state);
    }

    /// Moves a task back to `Ready`, at the end of its queue, after changing its entry.
    pub(super) fn make_ready(&mut self, task: TaskId, change: impl FnOnce(&mut Entry)) {
        self.turn(task, |entry| {
            change(entry);
            entry.state = State::Ready;
            entry.stop = false;
            entry.contributors = Vec::new();
        });
    }

    /// Forgets claims about a task that is leased or being checked.
    pub(super) fn retain_claims(&mut self, task: TaskId, keep: impl Fn(&Claim) -> bool) {
        self.turn(task, |entry| entry.claims.retain(keep));
    }

    /// Asks for a task to be stopped; `false` if no worker computes it.
    pub(super) fn ask_to_stop(&mut self, task: TaskId) -> bool {
        match self.entries.get_mut(&task) {
            Some(entry) if matches!(entry.state, State::Leased { .. }) => {
                entry.stop = true;
                true
            }
            _ => false,
        }
    }

    /// Removes a task for good.
    pub(super) fn remove(&mut self, task: TaskId) {
        if let Some(entry) = self.entries.remove(&task) {
            self.places.leave(task, &entry);
        }
    }

    /// Changes the entry of a task, and moves the task to the place that fits its new state.
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
                // Ready tasks leave from the front, except the few that await confirmation.
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
