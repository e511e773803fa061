//! The checkpoints of tasks, and which worker may resume from which of them.
//!
//! A checkpoint is not proved: its outcomes are verified on resuming, but not that its fuel was
//! spent. So a checkpoint never supports the worker whose work is being checked, and its
//! contributors are remembered. If the final certificate differs from the trusted one, it is
//! unknown which of them lied, and all of them come under suspicion.
//!
//! - The holder of the task submits a later checkpoint: it is replaced, and silence over the task
//!   is forgotten.
//! - The task is ready again after silence, a stop, or lack of memory or time: it stays, and the
//!   next holder resumes from it.
//! - A certificate was refused, or is to be confirmed by another worker: it is dropped.
//! - The computation that resumed from it crashed: it is dropped.
//! - One of its contributors was caught: it is dropped.

use misere_census::{Claim, Epoch, Failure, TaskId, WorkerId, WorkerIdentity};

use super::{CheckpointInfo, Effect, Ledger, StaleLeaseError, WindowTask};

impl Ledger {
    /// Admits a task without the checkpoint and failures that distrusted workers contributed.
    pub(super) fn admit_one(&mut self, mut admitted: WindowTask) -> Option<Effect> {
        let task = admitted.task;
        let contributors = admitted.kept.iter().flat_map(|kept| &kept.contributors);
        let suspect = contributors
            .copied()
            .any(|contributor| self.is_distrusted(contributor));
        if suspect {
            admitted.kept = None;
        }
        let claims = admitted.claims.len();
        let is_void = |claim: &Claim| claim.is_failure() && self.is_distrusted(claim.by);
        admitted.claims.retain(|claim| !is_void(claim));
        if admitted.claims.len() < claims {
            let failed = admitted.claims.iter().filter(|claim| claim.is_failure());
            admitted.attempts = admitted.attempts.of(failed.map(|claim| claim.by));
        }
        self.window.admit(admitted);
        suspect.then_some(Effect::Dropped(task))
    }

    /// Takes a checkpoint from the holder of a task.
    ///
    /// Returns `None` if a later one of the same computation is already there.
    pub(super) fn keep_checkpoint(
        &mut self,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
        fuel: u64,
    ) -> Result<Option<Vec<WorkerIdentity>>, StaleLeaseError> {
        let holder = self.workers.get(&worker).map(|worker| worker.identity);
        let (Some(entry), Some(holder), true) = (
            self.window.get(task),
            holder,
            self.is_held(worker, task, epoch),
        ) else {
            return Err(StaleLeaseError);
        };
        let mut contributors = entry.contributors.clone();
        if !contributors.contains(&holder) {
            contributors.push(holder);
        }
        let is_later =
            |kept: &CheckpointInfo| kept.contributors == contributors && kept.fuel >= fuel;
        if entry.kept.as_ref().is_some_and(is_later) {
            return Ok(None);
        }
        let advances = entry.kept.as_ref().is_none_or(|kept| kept.fuel < fuel);
        let (attempts, advanced) = (entry.attempts, entry.attempts.advanced());
        let kept = CheckpointInfo {
            contributors: contributors.clone(),
            fuel,
        };
        self.window.keep(task, Some(kept));
        if advances {
            self.standings.entry(holder).or_default().lapses = 0;
            if advanced != attempts {
                self.window.set_attempts(task, advanced);
                let attempts = advanced;
                self.effects.push(Effect::Advanced { task, attempts });
            }
        }
        Ok(Some(contributors))
    }

    /// Drops the checkpoint of a task, if there is one.
    pub(super) fn drop_checkpoint(&mut self, task: TaskId) -> Option<Effect> {
        self.window.get(task)?.kept.as_ref()?;
        self.window.keep(task, None);
        Some(Effect::Dropped(task))
    }

    /// Drops the checkpoint of a task if it may have caused the failure.
    pub(super) fn drop_if_suspect(&mut self, task: TaskId, failure: &Failure) -> Option<Effect> {
        let entry = self.window.get(task)?;
        let suspect = match failure {
            Failure::Refused(_) => true,
            Failure::Computation(_) | Failure::Crashed { .. } => !entry.contributors.is_empty(),
            Failure::Guard(_) | Failure::Silence | Failure::OutOfMemory { .. } => false,
        };
        suspect.then(|| self.drop_checkpoint(task)).flatten()
    }

    /// Drops every checkpoint to which a distrusted worker contributed.
    pub(super) fn drop_checkpoints_of(&mut self, identity: WorkerIdentity) -> Vec<Effect> {
        let its = |kept: &CheckpointInfo| kept.contributors.contains(&identity);
        let tasks: Vec<TaskId> = self
            .window
            .iter()
            .filter(|(_, entry)| entry.kept.as_ref().is_some_and(its))
            .map(|(task, _)| task)
            .collect();
        tasks
            .into_iter()
            .filter_map(|task| self.drop_checkpoint(task))
            .collect()
    }
}
