//! Levels of batches of schemes: the tasks of a level follow from the results of the level before.
//!
//! A level is a set of candidates, cut into batches. A batch reaches a set of candidates of the
//! next level. A liar leaves one of them out, or invents one, and the checker accepts both. A level
//! is closed when all its tasks are finished. The next one is then written, by the rules of
//! `store/levels.rs`.

use std::collections::BTreeSet;

use misere_census::TaskId;

use super::scenario::Nature;
use super::store::{State, Store};

/// A set of the candidates 0 to 7 of a level, as bits.
pub(super) type Candidates = u8;

/// The first byte of the tasks of the first level. Those of games are smaller.
const FIRST_LEVEL: u8 = 100;

/// The number of candidates in a batch.
const BATCH: u32 = 2;

/// Returns the level and the candidates of a task, if it is a batch of schemes.
pub(super) fn batch_of(task: TaskId) -> Option<(u8, Candidates)> {
    Some((task.0[0].checked_sub(FIRST_LEVEL)?, task.0[1]))
}

/// Returns the candidates of the next level that a batch reaches.
pub(super) fn reached(candidates: Candidates) -> Candidates {
    let bits = (0..8).filter(|bit| candidates & 1 << bit != 0);
    bits.fold(0, |reached, bit| {
        reached | 1 << bit | 1 << ((2 * bit + 1) % 7)
    })
}

/// Returns the candidates of the next level that a liar states for a batch.
pub(super) fn falsely_reached(candidates: Candidates, liar: u8) -> Candidates {
    let truth = reached(candidates);
    match liar.is_multiple_of(2) {
        true => truth | 1 << 7,
        false => truth & truth.wrapping_sub(1),
    }
}

/// Returns the nature of a batch.
pub(super) fn nature(level: u8, candidates: Candidates) -> Nature {
    match (u32::from(candidates) * 31 + u32::from(level) * 17) % 24 {
        0 | 1 => Nature::Hungry,
        2 => Nature::Poison,
        _ => Nature::Fine,
    }
}

/// Returns the tasks of a level with these candidates.
pub(super) fn batches(level: u8, candidates: Candidates) -> BTreeSet<TaskId> {
    let mut tasks = BTreeSet::new();
    let mut left = candidates;
    while left != 0 {
        let mut batch = 0_u8;
        while left != 0 && batch.count_ones() < BATCH {
            let least = left & left.wrapping_neg();
            batch |= least;
            left &= !least;
        }
        let mut name = [0; 32];
        (name[0], name[1]) = (FIRST_LEVEL + level, batch);
        tasks.insert(TaskId(name));
    }
    tasks
}

/// The levels written so far, in their order.
#[derive(Debug, Default)]
pub(super) struct Levels {
    /// The number of levels of the plan.
    pub(super) planned: u8,
    pub(super) laid_down: Vec<Level>,
}

#[derive(Debug)]
pub(super) struct Level {
    pub(super) tasks: BTreeSet<TaskId>,
    pub(super) is_closed: bool,
}

/// The tasks that were written, and the tasks that no longer exist.
#[derive(Debug, Default)]
pub(super) struct LevelChange {
    pub(super) added: Vec<TaskId>,
    pub(super) withdrawn: Vec<TaskId>,
}

impl Levels {
    /// Records that the result of a task was taken back: its level and all above are open again.
    pub(super) fn reopen(&mut self, task: TaskId) {
        if let Some((level, _)) = batch_of(task) {
            let above = self.laid_down.iter_mut().skip(level.into());
            above.for_each(|level| level.is_closed = false);
        }
    }

    fn open(&self) -> Option<usize> {
        self.laid_down.iter().position(|level| !level.is_closed)
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
