//! How is a task replaced by smaller ones?
//!
//! In one batch: the parent leaves the pending tasks and says by which it was replaced; the
//! children enter them behind everything that is there. A child that the census has already, from
//! another parent, is not added again.

use std::collections::BTreeSet;

use misere_census::{Task, TaskId};

use super::commit::Draft;
use super::keys::{Kind, Meta, number_key, task_key};
use super::value::{StoredTask, TaskState};
use super::{Store, StoreError};

/// A task that is replaced by its children.
#[derive(Debug)]
pub struct Splitting {
    /// The task.
    pub task: TaskId,
    /// The tasks that replace it.
    pub children: Vec<Task>,
}

impl Store {
    pub(super) fn split(&self, draft: &mut Draft, splitting: &Splitting) -> Result<(), StoreError> {
        let task = splitting.task;
        let Some(stored) = self.unfinished(task)? else {
            return Ok(());
        };
        let mut added = BTreeSet::new();
        for child in &splitting.children {
            let id = child.id();
            if added.contains(&id) || draft.children.contains(&id) || self.task(id)?.is_some() {
                continue;
            }
            let position = self.next_position(draft)?;
            let state = TaskState::Pending { failures: 0 };
            let child = StoredTask {
                task: child.clone(),
                position,
                state,
            };
            self.put(&mut draft.batch, Kind::Task, &task_key(id), &child)?;
            self.put(&mut draft.batch, Kind::Pending, &number_key(position), &id)?;
            added.insert(id);
        }
        draft.counters.tasks = (draft.counters.tasks + added.len() as u64).saturating_sub(1);
        draft.children.append(&mut added);
        self.delete(
            &mut draft.batch,
            Kind::Pending,
            &number_key(stored.position),
        )?;
        let children = splitting.children.iter().map(Task::id).collect();
        let state = TaskState::Split { children };
        self.put_task(&mut draft.batch, task, StoredTask { state, ..stored })
    }

    /// A position behind all that were ever given.
    fn next_position(&self, draft: &mut Draft) -> Result<u64, StoreError> {
        let position = match draft.positions {
            Some(next) => next,
            // Before the first split there are as many as tasks.
            None => self.meta(Meta::Positions)?.unwrap_or(self.counters().tasks),
        };
        draft.positions = Some(position + 1);
        Ok(position)
    }
}
