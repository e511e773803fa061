//! The tasks of the store that are in memory.

use misere_census::TaskId;

use misere_ledger::{CheckpointInfo, WindowTask};
use misere_store::{StoreError, StoredTask};

use super::{Driver, Stamp};

/// The number of ready tasks up to which the window is filled when below half of it.
const WINDOW: u64 = 16_384;

impl Driver {
    /// Reads the heads of the checkpoints in the store.
    ///
    /// Checkpoints of another engine are useless, since it would take another course; they are
    /// dropped.
    pub(super) fn recall_checkpoints(&mut self) -> Result<(), StoreError> {
        let here = misere_census::engine_fingerprint();
        for (task, head) in self.store.checkpoints()? {
            if head.engine == here {
                self.checkpoints.insert(task, head);
            } else {
                let found = head.engine;
                tracing::warn!(%task, found, here, "a checkpoint of another engine is dropped; its task is computed from the start");
                self.commit.dropped.push(task);
            }
        }
        Ok(())
    }

    /// Admits further tasks of the store to the ledger's window when it runs low.
    pub(super) fn refill(&mut self, stamp: Stamp) -> Result<(), StoreError> {
        let ready = self.ledger.counts().ready;
        if ready > WINDOW / 2 {
            return Ok(());
        }
        let tasks = self.store.pending(self.cursor, (WINDOW - ready) as usize)?;
        if let Some((_, last)) = tasks.last() {
            self.cursor = last.position + 1;
        }
        self.admit(stamp, tasks);
        Ok(())
    }

    /// Admits tasks to the ledger's window.
    ///
    /// Tasks of the quotients go first: a whole level waits for each of them, and while it does the
    /// games keep all workers busy.
    fn admit(&mut self, stamp: Stamp, tasks: Vec<(TaskId, StoredTask)>) {
        let mut admitted = Vec::with_capacity(tasks.len());
        for (id, stored) in tasks {
            if let Some((attempts, claims)) = stored.state.attempts() {
                let claims = claims.to_vec();
                let kept = self.checkpoints.get(&id).map(|head| CheckpointInfo {
                    contributors: head.makers.clone(),
                    fuel: head.fuel,
                });
                admitted.push(WindowTask {
                    task: id,
                    attempts,
                    claims,
                    kept,
                    is_awaited: stored.task.as_schemes().is_some(),
                });
                self.tasks.insert(id, stored.task);
            }
        }
        self.apply(stamp, |ledger, now| ledger.admit(admitted, now));
    }

    /// Opens the next level of the quotients if the one before is complete.
    ///
    /// A level is made again if a worker with a part in the one before was caught. Tasks of the old
    /// level that are not in the new one are withdrawn.
    pub(super) fn advance(&mut self, stamp: Stamp) -> Result<(), StoreError> {
        let before = self.store.open_level().map(|level| level.order);
        let withdrawn = self.store.advance()?;
        let now = self.store.open_level().map(|level| level.order);
        if let Some(order) = now.filter(|_| now != before) {
            let tasks = self.store.pending_of_level(order, (WINDOW / 2) as usize)?;
            self.admit(stamp, tasks);
        }
        if !withdrawn.is_empty() {
            let tasks = withdrawn.len();
            tracing::warn!(tasks, "tasks withdrawn that rested on distrusted results");
            for task in &withdrawn {
                self.tasks.remove(task);
                self.progress.remove(task);
            }
            self.apply(stamp, |ledger, _| ledger.withdraw(&withdrawn));
        }
        Ok(())
    }

    /// Lets tasks that were taken out of quarantine enter the window again.
    pub(super) fn look_at_released(&mut self) {
        if let Some(position) = self.store.take_released() {
            self.cursor = self.cursor.min(position);
        }
    }

    /// Lets a task that had left the window enter it again.
    pub(super) fn look_again_at(&mut self, task: TaskId) -> Result<(), StoreError> {
        if let Some(stored) = self.store.task(task)? {
            self.cursor = self.cursor.min(stored.position);
        }
        Ok(())
    }
}
