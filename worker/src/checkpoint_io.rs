//! The checkpoint from which a computation starts, and the checkpoints that it writes.
//!
//! A computation resumed from one of its checkpoints finds and spends the same as one that was
//! never interrupted. A [`CheckpointIo`] goes with every task into the thread or the process
//! that computes it.

use std::sync::Arc;

use misere_census::{GameTask, MAX_CHECKPOINT_BYTES, checkpoint};
use misere_engine::quotient::Checkpoint;

/// A checkpoint that a computation has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointData {
    /// The greatest heap known.
    pub heap: u32,
    /// The fuel spent until then.
    pub fuel: u64,
    /// The checkpoint itself.
    pub bytes: Vec<u8>,
}

/// The function that receives every checkpoint of a computation.
type CheckpointSink = Arc<dyn Fn(CheckpointData) + Send + Sync>;

/// The checkpoint to resume from, and the function that receives further checkpoints.
#[derive(Clone)]
pub struct CheckpointIo {
    from: Option<Arc<[u8]>>,
    keep: CheckpointSink,
}

impl Default for CheckpointIo {
    fn default() -> Self {
        Self::new(None, Arc::new(|_| ()))
    }
}

impl std::fmt::Debug for CheckpointIo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bytes = self.from.as_ref().map(|from| from.len());
        f.debug_struct("CheckpointIo")
            .field("from", &bytes)
            .finish()
    }
}

impl CheckpointIo {
    /// Resumes from a checkpoint, or begins at the start; `keep` receives every further checkpoint.
    #[must_use]
    pub fn new(from: Option<Vec<u8>>, keep: CheckpointSink) -> Self {
        let from = from.map(Arc::from);
        Self { from, keep }
    }

    /// Returns the checkpoint to resume from, as it was written.
    pub(crate) fn written(&self) -> Option<&[u8]> {
        self.from.as_deref()
    }

    /// Returns the checkpoint to resume from.
    ///
    /// A checkpoint that cannot be read, or that belongs to another game, is ignored: the task is
    /// computed from the start.
    pub(crate) fn start(&self, task: &GameTask) -> Option<Checkpoint> {
        let limits = &task.budget.limits;
        match checkpoint::decode(self.written()?, &task.code, limits) {
            Ok(at) => {
                let (heap, fuel) = (at.heap(), at.fuel());
                tracing::info!(code = %task.code, heap, fuel, "task resumed from its checkpoint");
                Some(at)
            }
            Err(error) => {
                tracing::warn!(code = %task.code, %error, "checkpoint dropped; the task is computed from the start");
                None
            }
        }
    }

    /// Drops the checkpoint to resume from, but keeps the function for further ones.
    pub(crate) fn without_checkpoint(self) -> Self {
        Self { from: None, ..self }
    }

    /// Passes on a checkpoint that the computation has reached.
    pub(crate) fn offer(&self, task: &GameTask, at: &Checkpoint) {
        match checkpoint::encode(&task.code, &task.budget.limits, at) {
            Ok(bytes) if bytes.len() <= MAX_CHECKPOINT_BYTES => self.keep(CheckpointData {
                heap: at.heap(),
                fuel: at.fuel(),
                bytes,
            }),
            Ok(bytes) => {
                let (heap, bytes) = (at.heap(), bytes.len());
                tracing::warn!(code = %task.code, heap, bytes, "a checkpoint is too long to be kept");
            }
            Err(error) => {
                tracing::warn!(code = %task.code, %error, "a checkpoint cannot be written");
            }
        }
    }

    pub(crate) fn keep(&self, written: CheckpointData) {
        (self.keep)(written);
    }
}
