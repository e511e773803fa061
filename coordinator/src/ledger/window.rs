//! Which unfinished tasks are in memory, and in which state is each?

use std::collections::{BTreeMap, VecDeque};

use misere_census::{Epoch, TaskId, WorkerId};

use super::Moment;

/// A task of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Failures so far.
    pub failures: u32,
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
        /// When the lease ends unless renewed.
        deadline: Moment,
        /// Since when the worker says that it is computing it.
        running_since: Option<Moment>,
    },
    /// Its certificate is being checked.
    Checking {
        /// The epoch under which it was handed in.
        epoch: Epoch,
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
}

/// How many tasks of the window are in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// To be handed out.
    pub ready: u64,
    /// Held by workers.
    pub leased: u64,
    /// Certificate being checked.
    pub checking: u64,
}

/// The tasks by name, and the ready ones in the order in which they are to be handed out.
#[derive(Debug, Default)]
pub(super) struct Window {
    entries: BTreeMap<TaskId, Entry>,
    queue: VecDeque<TaskId>,
    counts: Counts,
}

impl Window {
    pub(super) fn counts(&self) -> Counts {
        debug_assert_eq!(
            self.counts.ready + self.counts.leased + self.counts.checking,
            self.entries.len() as u64
        );
        debug_assert_eq!(self.counts.ready, self.queue.len() as u64);
        self.counts
    }

    pub(super) fn get(&self, task: TaskId) -> Option<&Entry> {
        self.entries.get(&task)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (TaskId, &Entry)> {
        self.entries.iter().map(|(&task, entry)| (task, entry))
    }

    /// Adds a ready task unless it is already here.
    pub(super) fn admit(&mut self, task: TaskId, failures: u32) {
        if !self.entries.contains_key(&task) {
            self.enter(
                task,
                Entry {
                    failures,
                    state: State::Ready,
                },
            );
        }
    }

    /// Leases the next ready task.
    pub(super) fn lease_next(
        &mut self,
        worker: WorkerId,
        epoch: Epoch,
        deadline: Moment,
    ) -> Option<TaskId> {
        let task = self.queue.front().copied()?;
        let entry = self.leave(task)?;
        // only a task that nobody holds is ever leased.
        assert_eq!(
            entry.state,
            State::Ready,
            "the queue holds ready tasks only"
        );
        let state = State::Leased {
            worker,
            epoch,
            deadline,
            running_since: None,
        };
        self.enter(task, Entry { state, ..entry });
        Some(task)
    }

    /// Renews a lease; `false` if the worker does not hold it. A task once seen running stays so.
    pub(super) fn renew(
        &mut self,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
        deadline: Moment,
        running: bool,
        now: Moment,
    ) -> bool {
        match self.entries.get_mut(&task).map(|entry| &mut entry.state) {
            Some(State::Leased {
                worker: holder,
                epoch: live,
                deadline: old,
                running_since,
            }) if *holder == worker && *live == epoch => {
                *old = deadline.max(*old);
                if running && running_since.is_none() {
                    *running_since = Some(now);
                }
                true
            }
            // The coordinator is at work on the certificate; the worker keeps waiting for the answer.
            Some(State::Checking { epoch: live }) => *live == epoch,
            _ => false,
        }
    }

    /// From `Leased` to `Checking`, under the same epoch.
    pub(super) fn check(&mut self, task: TaskId, epoch: Epoch) {
        if let Some(entry) = self.leave(task) {
            self.enter(
                task,
                Entry {
                    state: State::Checking { epoch },
                    ..entry
                },
            );
        }
    }

    /// Back to `Ready`, at the end of the queue, with so many failures more.
    pub(super) fn make_ready(&mut self, task: TaskId, more_failures: u32) {
        if let Some(entry) = self.leave(task) {
            let failures = entry.failures + more_failures;
            self.enter(
                task,
                Entry {
                    failures,
                    state: State::Ready,
                },
            );
        }
    }

    /// Takes a task out for good.
    pub(super) fn remove(&mut self, task: TaskId) {
        self.leave(task);
    }

    /// The leased tasks whose deadline, holder and epoch fit.
    pub(super) fn leased_by(&self, fits: impl Fn(Moment, WorkerId, Epoch) -> bool) -> Vec<TaskId> {
        let fits = |entry: &Entry| match entry.state {
            State::Leased {
                worker,
                epoch,
                deadline,
                ..
            } => fits(deadline, worker, epoch),
            State::Ready | State::Checking { .. } => false,
        };
        self.iter()
            .filter(|(_, entry)| fits(entry))
            .map(|(task, _)| task)
            .collect()
    }

    fn enter(&mut self, task: TaskId, entry: Entry) {
        *self.count(entry.state) += 1;
        if entry.state == State::Ready {
            self.queue.push_back(task);
        }
        self.entries.insert(task, entry);
    }

    fn leave(&mut self, task: TaskId) -> Option<Entry> {
        let entry = self.entries.remove(&task)?;
        *self.count(entry.state) -= 1;
        if entry.state == State::Ready {
            // Ready tasks leave from the front; the search is for the rest, of which there are none today.
            if let Some(at) = self.queue.iter().position(|&queued| queued == task) {
                self.queue.remove(at);
            }
        }
        Some(entry)
    }

    fn count(&mut self, state: State) -> &mut u64 {
        match state {
            State::Ready => &mut self.counts.ready,
            State::Leased { .. } => &mut self.counts.leased,
            State::Checking { .. } => &mut self.counts.checking,
        }
    }
}
