//! The quarantine: tasks that failed too often.
//!
//! They wait, with the evidence of every failure, until an operator lets them be tried again or
//! drops them. Both can be undone: a dropped task stays listed and can be tried again.

use std::collections::{BTreeMap, BTreeSet};

use misere_census::TaskId;
use rocksdb::WriteBatch;

use super::commit::{Commit, Draft};
use super::keys::{Kind, Meta, number_key, task_key};
use super::value::{Attempt, Event, EventKind, Quarantine, StoredTask, TaskState};
use super::{Store, StoreError, unix_ms};

impl Store {
    /// Puts the tasks of a commit that failed too often into quarantine.
    pub(super) fn quarantine(&self, draft: &mut Draft, commit: &Commit) -> Result<(), StoreError> {
        let mut noted = self.attempts_noted()?;
        for event in &commit.events {
            note(&mut noted, event.clone());
        }
        for quarantining in &commit.quarantined {
            let task = quarantining.task;
            let Some(stored) = self.unfinished(task)? else {
                continue;
            };
            draft.counters.quarantined += 1;
            let evidence = Quarantine {
                name: stored.task.to_string(),
                failures: quarantining.failures,
                failure: quarantining.failure.clone(),
                at_ms: quarantining.at_ms,
                earlier: noted.remove(&task).unwrap_or_default(),
                dropped: false,
            };
            let batch = &mut draft.batch;
            self.put(batch, Kind::Quarantine, &task_key(task), &evidence)?;
            self.delete(batch, Kind::Pending, &number_key(stored.position))?;
            let event = Event {
                at_ms: quarantining.at_ms,
                what: EventKind::Quarantined { task },
            };
            self.put(batch, Kind::Event, &number_key(draft.next_event), &event)?;
            draft.next_event += 1;
            let state = match quarantining.by.is_empty() {
                true => TaskState::Quarantined,
                false => TaskState::QuarantinedFor {
                    by: quarantining.by.clone(),
                },
            };
            self.put_task(&mut draft.batch, task, StoredTask { state, ..stored })?;
        }
        Ok(())
    }

    /// Releases every quarantined task that is not dropped, and returns the number of these tasks.
    ///
    /// The failures of the tasks are forgotten.
    ///
    /// Cost: one scan of the quarantine, and one batch.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails; nothing is changed then.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_census::Failure;
    /// use misere_store::{Commit, QuarantineWrite};
    ///
    /// let (task, _) = store.pending(0, 1)?.remove(0);
    /// let write = QuarantineWrite {
    ///     task,
    ///     failures: 3,
    ///     failure: Failure::Silence,
    ///     by: vec![],
    ///     at_ms: 0,
    /// };
    /// store.commit(&Commit {
    ///     quarantined: vec![write],
    ///     ..Commit::default()
    /// })?;
    /// assert_eq!(store.release_quarantined()?, 1);
    /// assert_eq!(store.counters().quarantined, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn release_quarantined(&mut self) -> Result<u64, StoreError> {
        let waiting = self.quarantined()?.into_iter();
        let waiting = waiting.filter(|(_, why)| !why.dropped);
        let tasks: Vec<TaskId> = waiting.map(|(task, _)| task).collect();
        self.release(&tasks)
    }

    /// Releases tasks from quarantine, and returns the number of tasks released.
    ///
    /// Their failures are forgotten.
    ///
    /// Cost: two seeks for each task, and one batch.
    ///
    /// # Errors
    /// [`StoreError`] if one of them is not in quarantine or the disk fails; nothing is changed
    /// then.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_census::Failure;
    /// use misere_store::{Commit, QuarantineWrite};
    ///
    /// let (task, _) = store.pending(0, 1)?.remove(0);
    /// let write = QuarantineWrite {
    ///     task,
    ///     failures: 3,
    ///     failure: Failure::Silence,
    ///     by: vec![],
    ///     at_ms: 0,
    /// };
    /// store.commit(&Commit {
    ///     quarantined: vec![write],
    ///     ..Commit::default()
    /// })?;
    /// assert_eq!(store.release(&[task])?, 1);
    /// assert!(store.release(&[task]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn release(&mut self, tasks: &[TaskId]) -> Result<u64, StoreError> {
        let mut released = self.released;
        let changed = self.change(tasks, |store, batch, task, why, stored| {
            let position = stored.position;
            released = Some(released.map_or(position, |least| least.min(position)));
            store.put(batch, Kind::Pending, &number_key(position), &task)?;
            let state = TaskState::Pending { failures: 0 };
            store.put_task(batch, task, StoredTask { state, ..stored })?;
            store.delete(batch, Kind::Quarantine, &task_key(task))?;
            Ok(Some(if why.dropped {
                (EventKind::Released { task }, 0, -1)
            } else {
                (EventKind::Released { task }, -1, 0)
            }))
        })?;
        self.released = released;
        Ok(changed)
    }

    /// Drops tasks in quarantine, so that the census can end without their records.
    ///
    /// Returns the number of tasks, without those dropped before.
    ///
    /// Cost: two seeks for each task, and one batch.
    ///
    /// # Errors
    /// [`StoreError`] if one of them is not in quarantine or the disk fails; nothing is changed
    /// then.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_census::Failure;
    /// use misere_store::{Commit, QuarantineWrite};
    ///
    /// let (task, _) = store.pending(0, 1)?.remove(0);
    /// let write = QuarantineWrite {
    ///     task,
    ///     failures: 3,
    ///     failure: Failure::Silence,
    ///     by: vec![],
    ///     at_ms: 0,
    /// };
    /// store.commit(&Commit {
    ///     quarantined: vec![write],
    ///     ..Commit::default()
    /// })?;
    /// assert_eq!(store.give_up(&[task])?, 1);
    /// assert_eq!(store.counters().dropped, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn give_up(&mut self, tasks: &[TaskId]) -> Result<u64, StoreError> {
        self.change(tasks, |store, batch, task, why, stored| {
            if why.dropped {
                return Ok(None);
            }
            let why = Quarantine {
                dropped: true,
                ..why
            };
            store.put(batch, Kind::Quarantine, &task_key(task), &why)?;
            let state = TaskState::Dropped;
            store.put_task(batch, task, StoredTask { state, ..stored })?;
            Ok(Some((EventKind::Dropped { task }, -1, 1)))
        })
    }

    /// Returns the least position of a task released from quarantine since the last call.
    ///
    /// Cost: none.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_census::Failure;
    /// use misere_store::{Commit, QuarantineWrite};
    ///
    /// let (task, _) = store.pending(0, 1)?.remove(0);
    /// let write = QuarantineWrite {
    ///     task,
    ///     failures: 3,
    ///     failure: Failure::Silence,
    ///     by: vec![],
    ///     at_ms: 0,
    /// };
    /// store.commit(&Commit {
    ///     quarantined: vec![write],
    ///     ..Commit::default()
    /// })?;
    /// assert_eq!(store.take_released(), None);
    /// store.release(&[task])?;
    /// assert!(store.take_released().is_some());
    /// assert_eq!(store.take_released(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_released(&mut self) -> Option<u64> {
        self.released.take()
    }

    /// Changes tasks in quarantine in one batch.
    ///
    /// The callback changes each task. It returns the event to record, and the changes in the
    /// numbers of quarantined and dropped tasks.
    fn change(
        &mut self,
        tasks: &[TaskId],
        mut change: impl FnMut(
            &Self,
            &mut WriteBatch,
            TaskId,
            Quarantine,
            StoredTask,
        ) -> Result<Option<(EventKind, i64, i64)>, StoreError>,
    ) -> Result<u64, StoreError> {
        let mut batch = WriteBatch::default();
        let (mut counters, mut next_event, mut changed) = (self.counters, self.next_event, 0);
        let tasks: BTreeSet<TaskId> = tasks.iter().copied().collect();
        for task in tasks {
            let why: Quarantine = self
                .get(Kind::Quarantine, &task_key(task))?
                .ok_or_else(|| StoreError::NotInQuarantine(format!("task {task}")))?;
            let stored = self
                .task(task)?
                .ok_or(StoreError::Absent(Kind::Task.family()))?;
            let Some((what, quarantined, dropped)) = change(self, &mut batch, task, why, stored)?
            else {
                continue;
            };
            counters.quarantined = counters.quarantined.saturating_add_signed(quarantined);
            counters.dropped = counters.dropped.saturating_add_signed(dropped);
            let event = Event {
                at_ms: unix_ms(),
                what,
            };
            self.put(&mut batch, Kind::Event, &number_key(next_event), &event)?;
            next_event += 1;
            changed += 1;
        }
        if changed > 0 {
            self.put(&mut batch, Kind::Meta, Meta::Counters.key(), &counters)?;
            self.write(batch)?;
            (self.counters, self.next_event) = (counters, next_event);
        }
        Ok(changed)
    }

    /// Returns the failures in the events, since each task last entered or left quarantine.
    fn attempts_noted(&self) -> Result<BTreeMap<TaskId, Vec<Attempt>>, StoreError> {
        let mut noted = BTreeMap::new();
        for event in self.events()? {
            note(&mut noted, event);
        }
        Ok(noted)
    }
}

fn note(noted: &mut BTreeMap<TaskId, Vec<Attempt>>, Event { at_ms, what }: Event) {
    match what {
        EventKind::AttemptFailed { task, failure, .. } => {
            let attempt = Attempt { failure, at_ms };
            noted.entry(task).or_default().push(attempt);
        }
        EventKind::Quarantined { task } | EventKind::Released { task } => {
            noted.remove(&task);
        }
        _ => {}
    }
}
