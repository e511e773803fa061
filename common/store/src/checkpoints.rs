//! Checkpoints of long tasks that are not finished.
//!
//! The latest checkpoint of each task is stored until the task is finished, in two entries side by
//! side: its description, which is small and read when a census is opened, and the checkpoint
//! itself, which is read when a worker resumes from it.

use misere_census::TaskId;

use super::commit::{CheckpointWrite, Draft};
use super::keys::{BODY, Kind, body_key, task_key};
use super::value::CheckpointHead;
use super::{Store, StoreError};

impl Store {
    /// Returns the descriptions of all checkpoints. Cost: one seek for each.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_store::{CheckpointHead, CheckpointWrite, Commit};
    ///
    /// let (task, _) = store.pending(0, 1)?.remove(0);
    /// let head = CheckpointHead {
    ///     engine: misere_census::engine_fingerprint(),
    ///     makers: vec![],
    ///     heap: 7,
    ///     fuel: 1_000,
    ///     bytes: 3,
    /// };
    /// let write = CheckpointWrite {
    ///     task,
    ///     head: head.clone(),
    ///     checkpoint: vec![1, 2, 3],
    /// };
    /// store.commit(&Commit {
    ///     kept: vec![write],
    ///     ..Commit::default()
    /// })?;
    /// assert_eq!(store.checkpoints()?, [(task, head)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn checkpoints(&self) -> Result<Vec<(TaskId, CheckpointHead)>, StoreError> {
        let mut found = Vec::new();
        let mut from = Vec::new();
        loop {
            let next = self.scan::<CheckpointHead>(Kind::Checkpoint, &from)?.next();
            let Some((key, head)) = next.transpose()? else {
                return Ok(found);
            };
            let absent = |_| StoreError::Absent(Kind::Checkpoint.family());
            let task = TaskId::try_from(&*key).map_err(absent)?;
            found.push((task, head));
            // Skip the checkpoint itself, which may be long.
            from = body_key(task).to_vec();
            from.push(BODY);
        }
    }

    /// Returns the checkpoint of a task.
    ///
    /// Cost: one seek, and the memory of the checkpoint.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_store::{CheckpointHead, CheckpointWrite, Commit};
    ///
    /// let (task, _) = store.pending(0, 1)?.remove(0);
    /// let head = CheckpointHead {
    ///     engine: misere_census::engine_fingerprint(),
    ///     makers: vec![],
    ///     heap: 7,
    ///     fuel: 1_000,
    ///     bytes: 3,
    /// };
    /// let write = CheckpointWrite {
    ///     task,
    ///     head: head.clone(),
    ///     checkpoint: vec![1, 2, 3],
    /// };
    /// store.commit(&Commit {
    ///     kept: vec![write],
    ///     ..Commit::default()
    /// })?;
    /// assert_eq!(store.checkpoint(task)?, Some(vec![1, 2, 3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn checkpoint(&self, task: TaskId) -> Result<Option<Vec<u8>>, StoreError> {
        let family = self.family(Kind::Checkpoint)?;
        Ok(self.db.get_cf(family, body_key(task))?)
    }

    pub(super) fn keep(
        &self,
        draft: &mut Draft,
        write: &CheckpointWrite,
    ) -> Result<(), StoreError> {
        let CheckpointWrite {
            task,
            head,
            checkpoint,
        } = write;
        if self.unfinished(*task)?.is_none() {
            return Ok(());
        }
        let kind = Kind::Checkpoint;
        self.put(&mut draft.batch, kind, &task_key(*task), head)?;
        let family = self.family(kind)?;
        draft.batch.put_cf(family, body_key(*task), checkpoint);
        Ok(())
    }

    pub(super) fn drop_checkpoint(
        &self,
        draft: &mut Draft,
        task: TaskId,
    ) -> Result<(), StoreError> {
        self.delete(&mut draft.batch, Kind::Checkpoint, &task_key(task))?;
        self.delete(&mut draft.batch, Kind::Checkpoint, &body_key(task))
    }
}
