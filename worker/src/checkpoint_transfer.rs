//! The transfer of checkpoints between worker and coordinator.
//!
//! Like results, checkpoints are sent until the coordinator answers, unless the lease is lost
//! meanwhile. A checkpoint that is refused, or not available, is not a failure: some worker then
//! repeats the work that it would have saved.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use misere_census::{Lease, WorkerId};
use misere_proto::RefusalKind;

use crate::backoff::Backoff;
use crate::checkpoint_io::CheckpointData;
use crate::link::{Link, LinkError};

/// The transfer of the checkpoint of a lease.
pub(crate) struct CheckpointTransfer {
    pub(crate) link: Link,
    pub(crate) worker: WorkerId,
    pub(crate) lease: Lease,
    pub(crate) abandoned: Arc<AtomicBool>,
}

impl CheckpointTransfer {
    /// Submits a checkpoint.
    pub(crate) async fn submit(mut self, written: &CheckpointData) {
        let &CheckpointData { heap, fuel, .. } = written;
        let mut backoff = Backoff::default();
        while !self.abandoned.load(Ordering::Relaxed) {
            match self
                .link
                .keep_checkpoint(self.worker, self.lease, &written.bytes)
                .await
            {
                Ok(true) => tracing::info!(heap, fuel, "checkpoint handed in"),
                Ok(false) => tracing::debug!(heap, fuel, "checkpoint not wanted"),
                Err(error) if is_passing(&error) => {
                    tokio::time::sleep(backoff.next_pause()).await;
                    continue;
                }
                Err(error) => tracing::warn!(heap, fuel, %error, "checkpoint not taken"),
            }
            return;
        }
    }

    /// Fetches the checkpoint to resume from; `None` if none is available.
    pub(crate) async fn fetch(mut self) -> Option<Vec<u8>> {
        let mut backoff = Backoff::default();
        while !self.abandoned.load(Ordering::Relaxed) {
            match self.link.fetch_checkpoint(self.worker, self.lease).await {
                Ok(fetched) => return fetched,
                Err(error) if is_passing(&error) => {
                    tokio::time::sleep(backoff.next_pause()).await;
                }
                Err(error) => {
                    tracing::warn!(%error, "no checkpoint to be had; the task is computed from the start");
                    return None;
                }
            }
        }
        None
    }
}

fn is_passing(error: &LinkError) -> bool {
    error.kind() == RefusalKind::Retry
}
