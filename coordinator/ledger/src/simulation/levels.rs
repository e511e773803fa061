//! Levels of batches of schemes: the tasks of a level follow from the results of the level before.
//!
//! A level is a set of candidates, cut into batches. A batch reaches a set of candidates of the
//! next level. A liar leaves one of them out, or invents one, and the checker accepts both.

use std::collections::BTreeSet;

use misere_census::TaskId;

use super::scenario::Nature;

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

    /// Returns the first level that is not closed.
    pub(super) fn open(&self) -> Option<usize> {
        self.laid_down.iter().position(|level| !level.is_closed)
    }
}
