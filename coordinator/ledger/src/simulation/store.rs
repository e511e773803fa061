//! The simulated store: a map that the effects of the ledger change.
//!
//! It follows the rules of `store/commit.rs`.

use std::collections::BTreeMap;

use misere_census::{Attempts, Claim, TaskId, WorkerIdentity};

use super::super::{CheckpointInfo, WindowTask};
use super::levels::{Candidates, Levels, batch_of};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    Pending(Attempts, Vec<Claim>),
    Done,
    /// Put aside because of the failures of these workers.
    Quarantined(Vec<WorkerIdentity>),
}

/// The result of a task, the worker that submitted it, and the generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) is_true: bool,
    /// The candidates of the next level, if the task is a batch of schemes.
    pub(super) reached: Candidates,
    pub(super) by: Option<WorkerIdentity>,
    pub(super) generation: u32,
    /// Whether each honest worker had reported that it was unable to do the task, or lacks memory.
    ///
    /// Then no honest worker opposes a liar.
    pub(super) is_unopposed: bool,
}

/// The checkpoint of a task, and the liar that spoilt it.
#[derive(Clone, Debug)]
pub(super) struct Checkpoint {
    pub(super) kept: CheckpointInfo,
    pub(super) spoilt: Option<u8>,
}

#[derive(Clone, Debug)]
pub(super) enum Change {
    Finish(TaskId, Record),
    Note(TaskId, Attempts, Vec<Claim>),
    Quarantine(TaskId, Vec<WorkerIdentity>),
    Reopen(TaskId),
    Distrust(WorkerIdentity),
    Pardon(WorkerIdentity),
    Keep(TaskId, Checkpoint),
    Drop(TaskId),
}

#[derive(Debug, Default)]
pub(super) struct Store {
    pub(super) generation: u32,
    pub(super) positions: Vec<TaskId>,
    pub(super) tasks: BTreeMap<TaskId, State>,
    pub(super) records: BTreeMap<TaskId, Record>,
    pub(super) levels: Levels,
    pub(super) checkpoints: BTreeMap<TaskId, Checkpoint>,
    /// Whether tasks were taken out of quarantine that the coordinator does not know about yet.
    pub(super) released: bool,
    /// The generation in which each worker was caught.
    pub(super) distrusted: BTreeMap<WorkerIdentity, u32>,
}

impl Store {
    pub(super) fn add(&mut self, task: TaskId) {
        let fresh = State::Pending(Attempts::default(), Vec::new());
        self.positions.push(task);
        self.tasks.insert(task, fresh);
    }

    pub(super) fn state(&self, task: TaskId) -> Option<&State> {
        self.tasks.get(&task)
    }

    /// Returns the task as it enters a window, unless it is final.
    pub(super) fn pending(&self, task: TaskId) -> Option<WindowTask> {
        match self.state(task)? {
            State::Pending(attempts, claims) => Some(WindowTask {
                task,
                attempts: *attempts,
                claims: claims.clone(),
                kept: self.checkpoints.get(&task).map(|at| at.kept.clone()),
                is_awaited: batch_of(task).is_some(),
            }),
            _ => None,
        }
    }

    /// Reports whether no work is left; quarantined tasks may keep a level open.
    pub(super) fn is_finished(&self) -> bool {
        let pending = |state: &State| matches!(state, State::Pending(..));
        !self.tasks.values().any(pending) && !self.can_advance()
    }

    /// Makes a change; an error is a change that must never be requested from a store.
    pub(super) fn commit(&mut self, change: Change) -> Result<(), String> {
        let must_be_pending = match &change {
            Change::Finish(task, _)
            | Change::Note(task, ..)
            | Change::Quarantine(task, _)
            | Change::Keep(task, _) => Some(*task),
            Change::Reopen(_) | Change::Distrust(_) | Change::Pardon(_) | Change::Drop(_) => None,
        };
        if let Some(task) = must_be_pending
            && !matches!(self.state(task), Some(State::Pending(..)))
        {
            return Err(format!("{change:?}, but it is {:?}", self.state(task)));
        }
        match change {
            Change::Finish(task, record) => {
                if self.records.insert(task, record).is_some() {
                    return Err(format!("{task} is done twice"));
                }
                self.checkpoints.remove(&task);
                self.set(task, State::Done);
            }
            Change::Note(task, attempts, claims) => {
                self.set(task, State::Pending(attempts, claims));
            }
            Change::Quarantine(task, by) => self.set(task, State::Quarantined(by)),
            Change::Reopen(task) => {
                if self.state(task) != Some(&State::Done) {
                    return Err(format!("reopened, but it is {:?}", self.state(task)));
                }
                self.records.remove(&task);
                self.levels.reopen(task);
                self.set(task, State::Pending(Attempts::default(), Vec::new()));
            }
            Change::Keep(task, checkpoint) => {
                self.checkpoints.insert(task, checkpoint);
            }
            Change::Drop(task) => {
                self.checkpoints.remove(&task);
            }
            Change::Distrust(identity) => {
                self.distrusted.entry(identity).or_insert(self.generation);
                self.release_blamed();
            }
            Change::Pardon(identity) => {
                self.distrusted.remove(&identity);
            }
        }
        Ok(())
    }

    /// Retries the quarantined tasks whose failures were reported by distrusted workers alone.
    fn release_blamed(&mut self) {
        for state in self.tasks.values_mut() {
            if let State::Quarantined(by) = state
                && by.iter().all(|who| self.distrusted.contains_key(who))
            {
                *state = State::Pending(Attempts::default(), Vec::new());
                self.released = true;
            }
        }
    }

    /// Takes all tasks out of quarantine, as an operator does.
    pub(super) fn release(&mut self) {
        for state in self.tasks.values_mut() {
            if matches!(state, State::Quarantined(_)) {
                *state = State::Pending(Attempts::default(), Vec::new());
            }
        }
    }

    fn set(&mut self, task: TaskId, to: State) {
        if let Some(state) = self.tasks.get_mut(&task) {
            *state = to;
        }
    }
}
