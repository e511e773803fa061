//! The certificates that a checker alone has checked.
//!
//! A checker that errs is out, and the coordinator checks these certificates again. The entry of a
//! task that was computed again since may be left; it costs one more check.

use misere_census::{Task, TaskId, WorkerIdentity};
use rocksdb::{Direction, IteratorMode};

use super::keys::{Kind, vouched_key, vouched_of};
use super::{Store, StoreError, TaskState};

/// A task whose certificate a checker alone has checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VouchedTask {
    /// The name of the task.
    pub id: TaskId,
    /// The task and its certificate, or the settled result of its schemes, if the census has both.
    pub certified: Option<(Task, Vec<u8>)>,
}

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

    /// Returns up to `most` of these tasks with their certificates.
    ///
    /// Cost: one seek, and two for each task.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_census::WorkerIdentity;
    ///
    /// assert!(store.vouched_tasks(WorkerIdentity::named("host-a"), 10)?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn vouched_tasks(
        &self,
        checker: WorkerIdentity,
        most: usize,
    ) -> Result<Vec<VouchedTask>, StoreError> {
        let tasks = self.vouched(checker, most)?.into_iter();
        let with_certificates = tasks.map(|id| {
            let stored = self.task(id)?;
            let finished = stored
                .filter(|stored| matches!(stored.state, TaskState::Done | TaskState::Exhausted));
            let certified = match finished {
                Some(stored) => {
                    let certificate = match &stored.task {
                        Task::Game(game) => self.certificate(&game.code)?,
                        Task::Schemes(_) => self.settled_bytes(id)?,
                    };
                    certificate.map(|certificate| (stored.task, certificate))
                }
                None => None,
            };
            Ok(VouchedTask { id, certified })
        });
        with_certificates.collect()
    }
}
