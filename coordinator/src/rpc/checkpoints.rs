//! The calls by which workers submit and fetch checkpoints.
//!
//! A checkpoint is kept only if the lease is live, before it was received and after, and if it
//! parses as a checkpoint of the leased task. The worker that resumes from it checks all of
//! it.

use std::sync::Arc;

use misere_census::{Lease, Task, checkpoint};
use misere_engine::quotient::Checkpoint;
use misere_proto::v1;
use misere_proto::{CallError, CheckpointAssembler, CheckpointHeader, checkpoint_parts};
use tokio::sync::mpsc;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, Streaming};

use super::caller::Caller;
use super::message_budget::{BudgetReservation, NEXT_PART, Pace};
use super::service::{CensusService, CheckpointParts, sender, stopping, unknown};
use crate::driver::VerifiedCheckpoint;

impl CensusService {
    /// Receives a checkpoint; `false` if it is not wanted.
    ///
    /// The lease may not be live, a later checkpoint may be there, or it belongs to another task.
    pub(super) async fn take_checkpoint(
        &self,
        mut parts: Streaming<v1::CheckpointPart>,
        caller: Option<&Caller>,
    ) -> Result<bool, Status> {
        let mut assembler = CheckpointAssembler::default();
        let mut work = None;
        let mut reserved: Option<BudgetReservation> = None;
        let pace = Pace::start();
        loop {
            let part = pace.next(assembler.received(), parts.next()).await?;
            let Some(part) = part.transpose()? else { break };
            assembler.take(part).map_err(CallError::from)?;
            let Some(&header) = assembler.header() else {
                continue;
            };
            if let Some(reserved) = &mut reserved {
                reserved.grow(assembler.kept())?;
                continue;
            }
            let CheckpointHeader { worker, lease, .. } = header;
            self.check_owner(worker, caller)?;
            let Lease { task, epoch } = lease;
            let held = self.driver.held(worker, task, epoch).await;
            work = held.map_err(stopping)?;
            if work.is_none() {
                return Ok(false);
            }
            reserved = Some(self.room.reserve(sender(worker, caller)));
        }
        let (header, bytes) = assembler.finish().map_err(CallError::from)?;
        let CheckpointHeader { worker, lease, .. } = header;
        let Lease { task, epoch } = lease;
        let Some(work) = work else { return Ok(false) };
        // Reading a long one takes a while. The permit is held until the work ends, whether or not
        // the caller still waits for it.
        let turn = Arc::clone(&self.reading).acquire_owned().await;
        let turn = turn.map_err(|_| CallError::Stopping)?;
        let reading = tokio::task::spawn_blocking(move || {
            let read = read(&work, &bytes);
            drop(turn);
            (read, bytes, reserved)
        });
        let (read, bytes, reserved) = reading.await.map_err(|_| CallError::Stopping)?;
        let at = match read {
            Ok(at) => at,
            Err(why) => {
                tracing::warn!(%worker, %task, %epoch, why, "checkpoint refused");
                return Ok(false);
            }
        };
        let kept = VerifiedCheckpoint {
            heap: at.heap(),
            fuel: at.fuel(),
            checkpoint: bytes,
        };
        let kept = self.driver.keep(worker, task, epoch, kept).await;
        drop(reserved);
        Ok(kept.map_err(stopping)?.map_err(unknown)?)
    }

    /// Sends a checkpoint to the worker that holds its task.
    pub(super) async fn give_checkpoint(
        &self,
        request: v1::FetchCheckpointRequest,
        caller: Option<&Caller>,
    ) -> Result<CheckpointParts, Status> {
        let worker = misere_census::WorkerId(request.worker);
        self.check_owner(worker, caller)?;
        let lease = misere_proto::lease(request.lease).map_err(CallError::from)?;
        let Lease { task, epoch } = lease;
        let found = self.driver.fetch(worker, task, epoch).await;
        let found = found.map_err(stopping)?.map_err(|error| {
            tracing::error!(%worker, %task, %epoch, %error, "checkpoint cannot be read");
            Status::internal("the checkpoint cannot be read")
        })?;
        let mut reserved = self.room.reserve(sender(worker, caller));
        reserved.grow(found.as_ref().map_or(0, Vec::len))?;
        // A worker that has lost its lease meanwhile gets nothing, which is not a checkpoint.
        let parts = found.map(|bytes| checkpoint_parts(worker, lease, bytes));
        let (sender, receiver) = mpsc::channel(1);
        tokio::spawn(async move {
            for part in parts.into_iter().flatten() {
                // A caller that does not read on loses the rest.
                match tokio::time::timeout(NEXT_PART, sender.send(Ok(part))).await {
                    Ok(Ok(())) => {}
                    Ok(Err(_)) | Err(_) => break,
                }
            }
            drop(reserved);
        });
        Ok(ReceiverStream::new(receiver))
    }
}

/// Returns the checkpoint in `bytes`, if it belongs to the task and is within its budget.
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
