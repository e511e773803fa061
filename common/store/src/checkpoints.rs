//! Where do long tasks stand that are not finished?
//!
//! The latest checkpoint of each is kept until the task is, in two entries side by side: what is
//! known about it, which is small and read when a census is opened, and the checkpoint itself,
//! which is read when somebody goes on from it.

use misere_census::TaskId;

use super::commit::Draft;
use super::keys::{BODY, Kind, body_key, task_key};
use super::value::CheckpointHead;
use super::{Store, StoreError};

/// A checkpoint to be kept.
#[derive(Debug)]
pub struct CheckpointWrite {
    /// The task.
    pub task: TaskId,
    /// What is known about it.
    pub head: CheckpointHead,
    /// The checkpoint itself.
    pub checkpoint: Vec<u8>,
}

impl Store {
    /// What is known of all checkpoints. Cost: one seek for each.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
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
            // Past the checkpoint itself, which may be long.
            from = body_key(task).to_vec();
            from.push(BODY);
        }
    }

    /// The checkpoint of a task.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails.
    pub fn checkpoint(&self, task: TaskId) -> Result<Option<Vec<u8>>, StoreError> {
        let family = self.family(Kind::Checkpoint)?;
        Ok(self.db.get_cf(family, body_key(task))?)
    }

    pub(super) fn keep(
        &self,
        draft: &mut Draft,
        keeping: &CheckpointWrite,
    ) -> Result<(), StoreError> {
        let CheckpointWrite {
            task,
            head,
            checkpoint,
        } = keeping;
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
