//! The certificates that a checker alone has checked.
//!
//! A checker that errs is out, and the coordinator checks these certificates again. The entry of a
//! task that was computed again since may be left; it costs one more check.

use misere_census::{Task, TaskId, WorkerIdentity};

use super::backers::FIRST;
use super::keys::Kind;
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
        let words = self.words_of(Kind::Vouched, (checker, FIRST), most)?;
        Ok(words.into_iter().map(|(task, _)| task).collect())
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
