//! The simulated store: a map that the effects of the ledger change.
//!
//! It follows the rules of `store/commit.rs`. A level is closed when all its tasks are finished. The
//! next one is then written, by the rules of `store/levels.rs`.

use std::collections::{BTreeMap, BTreeSet};

use misere_census::{Attempts, Backer, Claim, TaskId, WorkerIdentity};

use super::super::{CheckpointInfo, WindowTask};
use super::levels::{Candidates, Level, LevelChange, Levels, batch_of, batches};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    Pending(Attempts, Vec<Claim>),
    Done,
    /// Put aside because of the failures of these workers.
    Quarantined(Vec<WorkerIdentity>),
}

/// The result of a task, and the liars that stand behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) is_true: bool,
    /// The candidates of the next level, if the task is a batch of schemes.
    pub(super) reached: Candidates,
    /// The liars that claimed the result, or spoilt a checkpoint from which it was reached.
    pub(super) liars: Vec<WorkerIdentity>,
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
    Finish(TaskId, Record, Vec<Backer>),
    Note(TaskId, Attempts, Vec<Claim>),
    Quarantine(TaskId, Vec<WorkerIdentity>),
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
    /// The workers that were caught or banned.
    pub(super) distrusted: BTreeSet<WorkerIdentity>,
    /// The workers on whose word each result rests, and a worker that confirmed each word.
    pub(super) backers: BTreeMap<(WorkerIdentity, TaskId), Option<WorkerIdentity>>,
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
        !self.tasks.values().any(pending) && !self.can_advance() && !self.is_doubted()
    }

    fn is_doubted(&self) -> bool {
        let mut backers = self.backers.keys();
        backers.any(|(worker, _)| self.distrusted.contains(worker))
    }

    /// Takes back up to `most` results that rest on the word of distrusted workers alone.
    ///
    /// A result that another worker confirmed rests on the word of that one from now on. Returns the
    /// tasks that are to be done again.
    pub(super) fn take_back(&mut self, most: usize) -> Vec<TaskId> {
        let doubted = self.backers.iter();
        let doubted = doubted.filter(|((worker, _), _)| self.distrusted.contains(worker));
        let doubted: Vec<_> = doubted.take(most).map(|(&key, &by)| (key, by)).collect();
        let mut again = Vec::new();
        for ((worker, task), confirmed_by) in doubted {
            self.backers.remove(&(worker, task));
            match confirmed_by {
                Some(other) if !self.distrusted.contains(&other) => {
                    self.backers.insert((other, task), None);
                }
                _ if self.reopen(task) => again.push(task),
                _ => {}
            }
        }
        again
    }

    /// Takes the result of a task back; `false` if it has none.
    fn reopen(&mut self, task: TaskId) -> bool {
        let is_done = self.state(task) == Some(&State::Done);
        if is_done {
            self.records.remove(&task);
            self.levels.reopen(task);
            self.set(task, State::Pending(Attempts::default(), Vec::new()));
        }
        is_done
    }

    /// Makes a change; an error is a change that must never be requested from a store.
    pub(super) fn commit(&mut self, change: Change) -> Result<(), String> {
        let must_be_pending = match &change {
            Change::Finish(task, ..)
            | Change::Note(task, ..)
            | Change::Quarantine(task, _)
            | Change::Keep(task, _) => Some(*task),
            Change::Distrust(_) | Change::Pardon(_) | Change::Drop(_) => None,
        };
        if let Some(task) = must_be_pending
            && !matches!(self.state(task), Some(State::Pending(..)))
        {
            return Err(format!("{change:?}, but it is {:?}", self.state(task)));
        }
        match change {
            Change::Finish(task, record, backers) => {
                for Backer {
                    worker,
                    confirmed_by,
                } in backers
                {
                    self.backers.insert((worker, task), confirmed_by);
                }
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
            Change::Keep(task, checkpoint) => {
                self.checkpoints.insert(task, checkpoint);
            }
            Change::Drop(task) => {
                self.checkpoints.remove(&task);
            }
            Change::Distrust(identity) => {
                self.distrusted.insert(identity);
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
                && by.iter().all(|who| self.distrusted.contains(who))
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

impl Store {
    /// Reports whether a level is to be closed or written.
    pub(super) fn can_advance(&self) -> bool {
        let Levels { planned, laid_down } = &self.levels;
        let is_settled = |level: usize| {
            let tasks = &laid_down[level].tasks;
            tasks
                .iter()
                .all(|&task| self.state(task) == Some(&State::Done))
        };
        match self.levels.open() {
            Some(open) => is_settled(open),
            None => laid_down.is_empty() && *planned > 0,
        }
    }

    /// Closes the levels whose tasks are all finished, and writes those that follow.
    pub(super) fn advance(&mut self) -> LevelChange {
        let mut advanced = LevelChange::default();
        while self.can_advance() {
            let Some(open) = self.levels.open() else {
                self.write_tasks(0, 1, &mut advanced);
                continue;
            };
            let reached = self.reached_by(open);
            self.levels.laid_down[open].is_closed = true;
            let next = open as u8 + 1;
            if next < self.levels.planned {
                self.write_tasks(next, reached, &mut advanced);
            }
        }
        advanced
    }

    /// Returns the candidates that the tasks of a level have reached.
    pub(super) fn reached_by(&self, level: usize) -> Candidates {
        let tasks = self.levels.laid_down[level].tasks.iter();
        let records = tasks.filter_map(|task| self.records.get(task));
        records.fold(0, |all, record| all | record.reached)
    }

    /// Writes a level, perhaps again: tasks that are unchanged keep their state.
    fn write_tasks(&mut self, level: u8, candidates: Candidates, advanced: &mut LevelChange) {
        let tasks = batches(level, candidates);
        let place = usize::from(level);
        let before = match self.levels.laid_down.get(place) {
            Some(level) => level.tasks.clone(),
            None => BTreeSet::new(),
        };
        for &task in before.difference(&tasks) {
            self.tasks.remove(&task);
            self.records.remove(&task);
            advanced.withdrawn.push(task);
        }
        for &task in tasks.difference(&before) {
            self.add(task);
            advanced.added.push(task);
        }
        let level = Level {
            tasks,
            is_closed: false,
        };
        match self.levels.laid_down.get_mut(place) {
            Some(old) => *old = level,
            None => self.levels.laid_down.push(level),
        }
    }
}
