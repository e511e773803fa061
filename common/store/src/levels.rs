//! The succession of the levels of the misère quotients.
//!
//! All candidates of one order are a **level**, cut into batches that are ordinary tasks. The
//! candidates that a task has reached are stored with that task. When the last task of a level is
//! settled (and confirmed, if it was drawn for that: until then it is not finished), the level is
//! **closed**: the candidates that all tasks below the next order have reached there are merged
//! under the canonical codes, the least of several hints is kept, and the next level is written. So
//! the next level is a function of the levels before alone, for any workers and any order of work
//! (A-5).
//!
//! - No part of a level is merged before it is closed. A task taken back, since its worker was
//!   caught, takes along the candidates that it reached.
//! - If the level was closed already, it and all above are open again. They are not discarded: a
//!   task is named by its content, so when the level is written again, tasks that are unchanged
//!   keep their state, and only those that have changed are withdrawn or added.
//! - Writing a level may be interrupted anywhere (A-9). The entry of the level, the names of its
//!   tasks and the counters come last, in one batch; until then no worker gets any of its tasks,
//!   and repeating the step writes the same.
//!
//! Cost: one sequential read of the candidates reached there. At most one batch of tasks is in
//! memory (A-8), and the names of the level's tasks.

use std::collections::{BTreeMap, BTreeSet};

use misere_algebra::classify::batch::{Batch, Scheme};
use misere_census::{Task, TaskId};
use misere_game::bipartite::ClassKey;
use rocksdb::WriteBatch;

use super::commit::Draft;
use super::keys::{Kind, Meta, candidate_of, number_key, part_key, task_key};
use super::schemes::TaskCounts;
use super::value::{Counters, Level, StoredTask, TaskState};
use super::{Store, StoreError};

/// The size of the batches in which a level is written.
const TOGETHER: usize = 8 << 20;

/// Returns the number of candidates that make one task, as a function of the level alone (A-5).
///
/// The fewer orders remain, the less each candidate costs: from some 20 ms six orders below the
/// greatest to 20 µs at it.
///
/// Cost: none.
///
/// ```
/// use misere_store::levels::batch_size;
///
/// assert_eq!(batch_size(8, 8), 512);
/// assert_eq!(batch_size(2, 16), 1);
/// ```
#[must_use]
pub fn batch_size(order: u8, max_order: u8) -> usize {
    match max_order.saturating_sub(order) / 2 {
        0 | 1 => 512,
        2 => 256,
        3 => 64,
        4 => 16,
        5 => 8,
        6 => 2,
        _ => 1,
    }
}

/// The tasks of a level while they are written.
#[derive(Default)]
struct LevelWrite {
    batch: WriteBatch,
    level: Level,
    tasks: Vec<TaskId>,
    /// The number of tasks in each state.
    counters: Counters,
    next_position: u64,
}

impl Store {
    /// Returns the levels of the census, in ascending order.
    ///
    /// Cost: none; the levels are in memory.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// // The plan has only games.
    /// assert_eq!(store.levels().count(), 0);
    /// assert!(store.open_level().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn levels(&self) -> impl Iterator<Item = &Level> {
        self.levels.values()
    }

    pub(super) fn read_levels(&self) -> Result<BTreeMap<u8, Level>, StoreError> {
        let levels = self.scan::<Level>(Kind::Level, &[])?;
        levels
            .map(|entry| entry.map(|(_, level)| (level.order, level)))
            .collect()
    }

    /// Returns the lowest level that is not closed.
    ///
    /// Returns `None` if there are no quotients in the plan, or all levels are closed.
    #[must_use]
    pub fn open_level(&self) -> Option<&Level> {
        self.levels().find(|level| !level.closed)
    }

    /// Reports whether every task has its record, and every level of the plan is closed.
    ///
    /// Cost: none.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// // One task of three is not finished.
    /// assert!(!store.is_complete());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let top = self.plan.space().max_quotient_order();
        let closed = |order: u8| self.levels.get(&order).is_some_and(|level| level.closed);
        let levels = top.is_none_or(|top| closed(top) && self.open_level().is_none());
        self.counters.is_complete() && levels
    }

    /// Closes the levels whose tasks are all settled, and writes the tasks of the next levels.
    ///
    /// Returns the tasks that were withdrawn, which every worker is to forget.
    ///
    /// Cost: one batch for each level closed or begun; none if there are no quotients in the plan.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// assert!(store.advance()?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advance(&mut self) -> Result<Vec<TaskId>, StoreError> {
        let mut withdrawn = Vec::new();
        let Some(most) = self.plan.space().max_quotient_order() else {
            return Ok(withdrawn);
        };
        if self.levels.is_empty() {
            self.write_level(2, most, None)?;
        }
        while let Some(&level) = self.open_level() {
            if level.settled < level.tasks {
                break;
            }
            let closed = Level {
                closed: true,
                classes: self.classes_of(level.order)?,
                ..level
            };
            if level.order < most {
                withdrawn.extend(self.write_level(level.order + 2, most, Some(closed))?);
            } else {
                let mut batch = WriteBatch::default();
                self.put(&mut batch, Kind::Level, &[level.order], &closed)?;
                self.write(batch)?;
                self.levels.insert(level.order, closed);
            }
            tracing::info!(
                order = level.order,
                candidates = level.candidates,
                quotients = closed.classes,
                "level complete"
            );
        }
        Ok(withdrawn)
    }

    pub(super) fn classes_of(&self, order: u8) -> Result<u64, StoreError> {
        let mut classes: BTreeSet<ClassKey> = BTreeSet::new();
        for construction in self.constructions(order)? {
            classes.insert(construction?.1.class);
        }
        Ok(classes.len() as u64)
    }

    /// Writes the tasks of a level, and records that the level before it is closed.
    fn write_level(
        &mut self,
        order: u8,
        max_order: u8,
        closed: Option<Level>,
    ) -> Result<Vec<TaskId>, StoreError> {
        let before = self.levels.get(&order).copied();
        let laying = self.tasks_of_level(order, max_order)?;
        self.conclude_level(laying, before, closed)
    }

    /// Writes the tasks of a level that do not exist yet, except the last few.
    fn tasks_of_level(&self, order: u8, max_order: u8) -> Result<LevelWrite, StoreError> {
        let mut laying = LevelWrite {
            level: Level {
                order,
                ..Level::default()
            },
            next_position: self.meta(Meta::Positions)?.unwrap_or(self.counters.tasks),
            ..LevelWrite::default()
        };
        let size = batch_size(order, max_order);
        let mut schemes: Vec<Scheme> = Vec::with_capacity(size);
        if order == 2 {
            schemes.push(Scheme::first());
        }
        for entry in self.scan::<Vec<u8>>(Kind::Candidate, &[order])? {
            let (key, hint) = entry?;
            if key.first() != Some(&order) {
                break;
            }
            let code = candidate_of(&key).ok_or(StoreError::Absent(Kind::Candidate.family()))?;
            match schemes.last_mut() {
                Some(last) if *last.code == *code => {
                    if hint < last.hint {
                        last.hint = hint;
                    }
                    continue;
                }
                _ => {}
            }
            if schemes.len() == size {
                let schemes = std::mem::replace(&mut schemes, Vec::with_capacity(size));
                self.write_task(&mut laying, max_order, schemes)?;
            }
            let code = code.into();
            schemes.push(Scheme { code, hint });
        }
        if !schemes.is_empty() {
            self.write_task(&mut laying, max_order, schemes)?;
        }
        Ok(laying)
    }

    /// Writes a part of a level, like a process that is killed before the last batch.
    #[cfg(test)]
    pub(super) fn lay_down_half(&self, order: u8) -> Result<(), StoreError> {
        let most = self.plan.space().max_quotient_order().unwrap_or(order);
        self.write(self.tasks_of_level(order, most)?.batch)
    }

    fn write_task(
        &self,
        laying: &mut LevelWrite,
        most: u8,
        schemes: Vec<Scheme>,
    ) -> Result<(), StoreError> {
        let order = laying.level.order;
        laying.level.candidates += schemes.len() as u64;
        let batch = Batch {
            most,
            order,
            schemes,
        };
        let task = Task::schemes(batch, self.plan.budget());
        let id = task.id();
        laying.tasks.push(id);
        laying.level.tasks += 1;
        laying.counters.tasks += 1;
        // The task was written before: in a level that was reopened, or by a process that was
        // stopped in the middle.
        if let Some(stored) = self.task(id)? {
            laying.next_position = laying.next_position.max(stored.position + 1);
            count(&mut laying.counters, &stored.state, 1);
            if stored.state == TaskState::Done {
                self.count_settled(&mut laying.level, id, 1)?;
            }
            return Ok(());
        }
        let position = laying.next_position;
        laying.next_position += 1;
        let stored = StoredTask {
            task,
            position,
            state: TaskState::Pending { failures: 0 },
        };
        let batch = &mut laying.batch;
        self.put(batch, Kind::Task, &task_key(id), &stored)?;
        self.put(batch, Kind::Pending, &number_key(position), &id)?;
        if laying.batch.size_in_bytes() > TOGETHER {
            self.write(std::mem::take(&mut laying.batch))?;
        }
        Ok(())
    }

    /// Writes the entry that makes a level complete.
    fn conclude_level(
        &mut self,
        laying: LevelWrite,
        before: Option<Level>,
        closed: Option<Level>,
    ) -> Result<Vec<TaskId>, StoreError> {
        let LevelWrite {
            mut batch,
            level,
            tasks,
            counters: now,
            next_position,
        } = laying;
        let order = level.order;
        let (mut was, mut withdrawn) = (Counters::default(), Vec::new());
        if before.is_some() {
            let kept: BTreeSet<TaskId> = tasks.iter().copied().collect();
            for (number, id) in (0..).zip(self.parts(order)?) {
                self.delete(&mut batch, Kind::Part, &part_key(order, number))?;
                let Some(stored) = self.task(id)? else {
                    continue;
                };
                was.tasks += 1;
                count(&mut was, &stored.state, 1);
                if !kept.contains(&id) {
                    self.remove_task(&mut batch, id, &stored)?;
                    withdrawn.push(id);
                }
            }
        }
        for (number, id) in (0..).zip(&tasks) {
            self.put(&mut batch, Kind::Part, &part_key(order, number), id)?;
        }
        let counters = self.counters.with(&now).without(&was);
        let meta = Kind::Meta;
        self.put(&mut batch, meta, Meta::Counters.key(), &counters)?;
        self.put(&mut batch, meta, Meta::Positions.key(), &next_position)?;
        for level in closed.iter().chain([&level]) {
            self.put(&mut batch, Kind::Level, &[level.order], level)?;
        }
        self.write(batch)?;
        self.counters = counters;
        for level in closed.into_iter().chain([level]) {
            self.levels.insert(level.order, level);
        }
        Ok(withdrawn)
    }

    /// Returns the tasks of a level.
    pub(super) fn parts(&self, order: u8) -> Result<Vec<TaskId>, StoreError> {
        let parts = self.scan::<TaskId>(Kind::Part, &part_key(order, 0))?;
        parts
            .take_while(|entry| {
                entry
                    .as_ref()
                    .map_or(true, |(key, _)| key.first() == Some(&order))
            })
            .map(|entry| entry.map(|(_, task)| task))
            .collect()
    }

    /// Returns the tasks of a level that are not finished, at most `limit` of them.
    ///
    /// Cost: one step for each task of the level up to the last that is returned.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    pub fn pending_of_level(
        &self,
        order: u8,
        limit: usize,
    ) -> Result<Vec<(TaskId, StoredTask)>, StoreError> {
        let mut pending = Vec::new();
        for id in self.parts(order)? {
            if pending.len() == limit {
                break;
            }
            pending.extend(self.unfinished(id)?.map(|stored| (id, stored)));
        }
        Ok(pending)
    }

    /// Takes a task out of the census, with all its results.
    fn remove_task(
        &self,
        batch: &mut WriteBatch,
        id: TaskId,
        stored: &StoredTask,
    ) -> Result<(), StoreError> {
        if matches!(stored.state, TaskState::Done | TaskState::Exhausted) {
            self.undo_schemes(batch, id, stored)?;
        }
        self.delete(batch, Kind::Pending, &number_key(stored.position))?;
        self.delete(batch, Kind::Quarantine, &task_key(id))?;
        self.delete(batch, Kind::Task, &task_key(id))
    }

    /// Adds the counts of a settled task to its level, or subtracts them.
    fn count_settled(&self, level: &mut Level, task: TaskId, times: i64) -> Result<(), StoreError> {
        let settled = self.settled(task)?;
        TaskCounts::of(settled.as_ref()).count(level, times);
        Ok(())
    }

    /// Returns the level of a task in a batch under construction.
    pub(super) fn level_in<'a>(&self, draft: &'a mut Draft, order: u8) -> &'a mut Level {
        let known = self.levels.get(&order).copied().unwrap_or_default();
        draft.levels.entry(order).or_insert(known)
    }
}

/// Counts a task in a state.
fn count(counters: &mut Counters, state: &TaskState, number: u64) {
    match state {
        TaskState::Done => counters.done += number,
        TaskState::Exhausted => counters.exhausted += number,
        TaskState::Quarantined | TaskState::QuarantinedFor { .. } => counters.quarantined += number,
        TaskState::Dropped => counters.dropped += number,
        TaskState::Pending { .. }
        | TaskState::Retried { .. }
        | TaskState::Silenced { .. }
        | TaskState::Split { .. } => {}
    }
}
