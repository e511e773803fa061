//! The certificates that a checker alone has checked.
//!
//! A checker that errs is out, and the coordinator checks these certificates again. The entry of a
//! task that was computed again since may be left; it costs one more check.

use misere_census::frozen::code_key;
use misere_census::{Task, TaskId, WorkerIdentity};
use rocksdb::{Direction, IteratorMode};

use super::keys::{Kind, task_key, vouched_key, vouched_of};
use super::{Store, StoreError};

impl Store {
    /// Returns up to `most` tasks whose certificate this checker alone has checked, in their order.
    ///
    /// Cost: one seek, and a step for each task.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_census::WorkerIdentity;
    ///
    /// assert!(store.vouched(WorkerIdentity::named("host-a"), 10)?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn vouched(&self, checker: WorkerIdentity, most: usize) -> Result<Vec<TaskId>, StoreError> {
        let Some(family) = self.db.cf_handle(Kind::Vouched.family()) else {
            // A census of an earlier format, opened for reading.
            return Ok(Vec::new());
        };
        let from = vouched_key(checker, TaskId([0; 32]));
        let entries = self
            .db
            .iterator_cf(family, IteratorMode::From(&from, Direction::Forward));
        let mut tasks = Vec::new();
        for entry in entries.take(most) {
            let (key, _) = entry?;
            match vouched_of(&key) {
                Some((by, task)) if by == checker => tasks.push(task),
                _ => break,
            }
        }
        Ok(tasks)
    }

    /// Reports whether a distrusted identity alone has checked a certificate that is in the census.
    ///
    /// The next coordinator checks these certificates again; until then the census is not finished.
    ///
    /// Cost: one seek for each distrusted identity.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// assert!(!store.is_doubted()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_doubted(&self) -> Result<bool, StoreError> {
        for identity in self.distrusted()? {
            if !self.vouched(identity, 1)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the certificate of a finished task, or the settled result of its schemes.
    ///
    /// `None` if the task is not finished, or left no result.
    ///
    /// Cost: one seek.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let (task, stored) = store.pending(0, 1)?.remove(0);
    /// assert_eq!(store.certificate_of(task, &stored.task)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn certificate_of(&self, id: TaskId, task: &Task) -> Result<Option<Vec<u8>>, StoreError> {
        match task {
            Task::Game(game) => {
                Ok((self.db).get_cf(self.family(Kind::Certificate)?, code_key(&game.code))?)
            }
            Task::Schemes(_) => Ok(self.db.get_cf(self.family(Kind::Settled)?, task_key(id))?),
        }
    }
}
