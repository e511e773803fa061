//! What happens to a checkpoint that a worker hands in, or asks for?
//!
//! It is kept only if the lease is live, before it was received and after, and if it reads as a checkpoint of the leased task.
//! Whether it is any good is seen by whoever goes on from it, who believes nothing of it.

use std::sync::Arc;

use misere_census::{Task, checkpoint};
use misere_proto::v1;
use misere_proto::{CheckpointAssembler, CheckpointHeader, LeaseKey, Refusal, checkpoint_parts};
use misere_theory::quotient::Checkpoint;
use tokio_stream::{Iter, StreamExt};
use tonic::{Status, Streaming};

use super::access::Caller;
use super::service::{CensusService, NEXT_PART, stopping, unknown};
use crate::driver::KeptCheckpoint;

type Part = Result<v1::CheckpointPart, Status>;

/// The messages in which a checkpoint goes out.
pub(super) type CheckpointParts = Iter<Box<dyn Iterator<Item = Part> + Send>>;

impl CensusService {
    /// Takes a checkpoint in; `false` if it is not wanted: the lease is not live, a later one is there, or it is not one of this
    /// task.
    pub(super) async fn take_checkpoint(
        &self,
        mut parts: Streaming<v1::CheckpointPart>,
        caller: Option<&Caller>,
    ) -> Result<bool, Status> {
        let mut assembler = CheckpointAssembler::default();
        let mut work = None;
        let mut room = None;
        loop {
            let part = tokio::time::timeout(NEXT_PART, parts.next()).await;
            let part = part.map_err(|_| Status::deadline_exceeded("the checkpoint ends early"))?;
            let Some(part) = part.transpose()? else { break };
            let first = assembler.header().is_none();
            assembler.take(part).map_err(Refusal::from)?;
            let Some(&header) = assembler.header().filter(|_| first) else {
                continue;
            };
            let CheckpointHeader { worker, lease, .. } = header;
            self.check_owner(worker, caller)?;
            let LeaseKey { task, epoch } = lease;
            let held = self.driver.held(worker, task, epoch).await;
            work = held.map_err(stopping)?;
            if work.is_none() {
                return Ok(false);
            }
            let kib = u32::try_from(header.bytes.div_ceil(1024)).unwrap_or(u32::MAX);
            let permit = Arc::clone(&self.receiving).try_acquire_many_owned(kib);
            room = Some(permit.map_err(|_| Refusal::Busy)?);
        }
        let (header, bytes) = assembler.finish().map_err(Refusal::from)?;
        let CheckpointHeader { worker, lease, .. } = header;
        let LeaseKey { task, epoch } = lease;
        let Some(work) = work else { return Ok(false) };
        // Reading it takes a while if it is long.
        let reading = tokio::task::spawn_blocking(move || (read(&work, &bytes), bytes));
        let (read, bytes) = reading.await.map_err(|_| Refusal::Stopping)?;
        let at = match read {
            Ok(at) => at,
            Err(why) => {
                tracing::warn!(%worker, %task, %epoch, why, "checkpoint refused");
                return Ok(false);
            }
        };
        let kept = KeptCheckpoint {
            heap: at.heap(),
            fuel: at.fuel(),
            checkpoint: bytes,
        };
        let kept = self.driver.keep(worker, task, epoch, kept).await;
        drop(room);
        Ok(kept.map_err(stopping)?.map_err(unknown)?)
    }

    /// Gives a checkpoint out, to whoever holds its task.
    pub(super) async fn give_checkpoint(
        &self,
        request: v1::FetchCheckpointRequest,
        caller: Option<&Caller>,
    ) -> Result<CheckpointParts, Status> {
        let worker = misere_census::WorkerId(request.worker);
        self.check_owner(worker, caller)?;
        let lease = LeaseKey::try_from(request.lease).map_err(Refusal::from)?;
        let LeaseKey { task, epoch } = lease;
        let found = self.driver.fetch(worker, task, epoch).await;
        let found = found.map_err(stopping)?.map_err(|error| {
            tracing::error!(%worker, %task, %epoch, %error, "checkpoint cannot be read");
            Status::internal("the checkpoint cannot be read")
        })?;
        // Whoever lost its lease meanwhile gets nothing, which is no checkpoint.
        let parts = found.map(|bytes| checkpoint_parts(worker, lease, bytes));
        let parts: Box<dyn Iterator<Item = Part> + Send> =
            Box::new(parts.into_iter().flatten().map(Ok));
        Ok(tokio_stream::iter(parts))
    }
}

/// The checkpoint, if it is one of this task and within its budget.
fn read(task: &Task, bytes: &[u8]) -> Result<Checkpoint, String> {
    let Task::Game(task) = task else {
        return Err("construction schemes have no checkpoints".to_owned());
    };
    let budget = &task.budget;
    let at = checkpoint::decode(bytes, &task.code, &budget.limits);
    let at = at.map_err(|error| error.to_string())?;
    if at.fuel() > budget.fuel {
        let (fuel, most) = (at.fuel(), budget.fuel);
        return Err(format!("it has spent {fuel} units of fuel of {most}"));
    }
    Ok(at)
}
