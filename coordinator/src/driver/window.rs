//! The tasks of the store that are in memory.

use misere_census::TaskId;

use super::{Driver, Stamp};
use misere_ledger::{Admitted, Kept};
use misere_store::{StoreError, StoredTask};

/// The window is filled up to so many ready tasks when it has fallen below half of them.
const WINDOW: u64 = 16_384;

impl Driver {
    /// Takes note of the checkpoints there are. Those of another engine are good for nothing: it
    /// would go another way.
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

    /// Lets tasks enter the ledger's window. Those of the quotients go first: a whole level waits
    /// for each of them, and while it does the games keep everybody busy.
    fn admit(&mut self, stamp: Stamp, tasks: Vec<(TaskId, StoredTask)>) {
        let mut admitted = Vec::with_capacity(tasks.len());
        for (id, stored) in tasks {
            if let Some((attempts, claims)) = stored.state.attempts() {
                let claims = claims.to_vec();
                let kept = self.checkpoints.get(&id).map(|head| Kept {
                    contributors: head.makers.clone(),
                    fuel: head.fuel,
                });
                admitted.push(Admitted {
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

    /// Opens the next level of the quotients if the one before is complete. Tasks of a level that
    /// was made anew, since a worker was caught that had a part in the one before, and that are no
    /// longer among it, are withdrawn.
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
            tracing::warn!(tasks, "tasks withdrawn that rested on what is not believed");
            for task in &withdrawn {
                self.tasks.remove(task);
                self.progress.remove(task);
            }
            self.apply(stamp, |ledger, _| ledger.withdraw(&withdrawn));
        }
        Ok(())
    }

    /// Tasks that were taken out of quarantine are to enter the window again.
    pub(super) fn look_at_released(&mut self) {
        if let Some(position) = self.store.take_released() {
            self.cursor = self.cursor.min(position);
        }
    }

    /// A task that had left the window is to enter it again.
    pub(super) fn look_again_at(&mut self, task: TaskId) -> Result<(), StoreError> {
        if let Some(stored) = self.store.task(task)? {
            self.cursor = self.cursor.min(stored.position);
        }
        Ok(())
    }
}
