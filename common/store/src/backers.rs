//! The workers on whose word the results of finished tasks rest.
//!
//! A certificate that is accepted proves much, but not that its fuel was spent and that no more
//! could be found. The results of a worker that is caught are therefore taken back, also if it was
//! caught long after, unless another worker confirmed them. The entry of a task that was taken back
//! since may be left; it costs one more computation.

use misere_census::{Backer, TaskId, WorkerIdentity, encoding};
use rocksdb::{Direction, IteratorMode};

use super::keys::{Kind, word_key, word_of};
use super::{Store, StoreError, damaged};

/// The name before those of all tasks.
pub(super) const FIRST: TaskId = TaskId([0; 32]);

/// A task that rests on a word, and the value of the entry.
type Word = (TaskId, Box<[u8]>);

impl Store {
    /// Returns up to `most` tasks whose results rest on the word of this worker, in their order,
    /// from the task `from` on.
    ///
    /// Cost: one seek, and a step for each task.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_census::{Backer, WorkerIdentity};
    /// use misere_store::Commit;
    ///
    /// let (task, _) = store.pending(0, 1)?.remove(0);
    /// let [worker, other] = ["host-a", "host-b"].map(WorkerIdentity::named);
    /// let backer = Backer {
    ///     worker,
    ///     confirmed_by: Some(other),
    /// };
    /// store.commit(&Commit {
    ///     backed: vec![(task, backer)],
    ///     ..Commit::default()
    /// })?;
    /// assert_eq!(store.backed_by(worker, task, 10)?, [(task, backer)]);
    /// assert!(store.backed_by(other, task, 10)?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn backed_by(
        &self,
        worker: WorkerIdentity,
        from: TaskId,
        most: usize,
    ) -> Result<Vec<(TaskId, Backer)>, StoreError> {
        let kind = Kind::Backer;
        let words = self.words_of(kind, (worker, from), most)?.into_iter();
        let backed = words.map(|(task, value)| {
            let confirmed_by = encoding::decode(kind.version(), &value).map_err(damaged(kind))?;
            let backer = Backer {
                worker,
                confirmed_by,
            };
            Ok((task, backer))
        });
        backed.collect()
    }

    /// Reports whether a result in the census rests on the word of this checker or worker.
    ///
    /// Cost: two seeks.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_census::WorkerIdentity;
    ///
    /// assert!(!store.rests_on(WorkerIdentity::named("host-a"))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rests_on(&self, who: WorkerIdentity) -> Result<bool, StoreError> {
        let mut rests = false;
        for kind in [Kind::Vouched, Kind::Backer] {
            rests |= !self.words_of(kind, (who, FIRST), 1)?.is_empty();
        }
        Ok(rests)
    }

    /// Reports whether a result in the census rests on the word of a distrusted checker or worker.
    ///
    /// The next coordinator checks these results again or takes them back; until then the census is
    /// not finished.
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
            if self.rests_on(identity)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns up to `most` tasks in a family of [words](word_key), with the values, from one on.
    pub(super) fn words_of(
        &self,
        kind: Kind,
        (who, from): (WorkerIdentity, TaskId),
        most: usize,
    ) -> Result<Vec<Word>, StoreError> {
        let Some(family) = self.db.cf_handle(kind.family()) else {
            // A census of an earlier format, opened for reading.
            return Ok(Vec::new());
        };
        let from = word_key(who, from);
        let entries = self
            .db
            .iterator_cf(family, IteratorMode::From(&from, Direction::Forward));
        let mut words = Vec::new();
        for entry in entries.take(most) {
            let (key, value) = entry?;
            match word_of(&key) {
                Some((by, task)) if by == who => words.push((task, value)),
                _ => break,
            }
        }
        Ok(words)
    }
}
