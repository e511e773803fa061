//! The work that is done for each request.

use misere_census::admission::{VerificationError, VerifiedResult};
use misere_census::{
    CertificateDigest, Epoch, Failure, MAX_REASON_CHARS, Task, TaskId, WorkerId, printable,
};

use misere_ledger::{Grant, HeldLease, LeaseError, Renewal, Report, SettleResult};
use misere_store::{CheckpointHead, CheckpointWrite, EventKind, Finished, StoreError};

use super::answer::GrantedTask;
use super::handle::{Settlement, Stamp, VerifiedCheckpoint};
use super::{Driver, LeaseAnswer, ReportAnswer, ReportedLease, UnknownWorkerError};

impl Driver {
    /// Grants up to `idle` tasks to start at once, and `room` more to wait behind them.
    pub(super) fn lease(
        &mut self,
        stamp: Stamp,
        worker: WorkerId,
        held: &[ReportedLease],
        (idle, room): (u32, u32),
    ) -> Result<LeaseAnswer, UnknownWorkerError> {
        let held = self.note_progress(held);
        let leases = self.apply(stamp, |ledger, now| {
            ledger.lease(worker, &held, idle, room, now)
        })?;
        let granted = leases.granted.into_iter();
        let granted = granted.filter_map(|grant| self.granted(worker, grant));
        let granted = granted.collect();
        Ok(LeaseAnswer {
            granted,
            ..self.renewed(worker, leases.renewed)
        })
    }

    /// Renews leases.
    pub(super) fn renew(
        &mut self,
        stamp: Stamp,
        worker: WorkerId,
        held: &[ReportedLease],
    ) -> Result<LeaseAnswer, UnknownWorkerError> {
        let held = self.note_progress(held);
        let renewed = self.apply(stamp, |ledger, now| ledger.renew(worker, &held, now))?;
        Ok(self.renewed(worker, renewed))
    }

    fn renewed(&self, worker: WorkerId, Renewal { lost, stop }: Renewal) -> LeaseAnswer {
        LeaseAnswer {
            granted: Vec::new(),
            lost,
            stop,
            finished: self.store.counters().pending() == 0 && self.rechecking.is_empty(),
            retry_ms: self.ledger.retry_ms(worker),
            reserved: self.reserved(worker),
        }
    }

    fn granted(&mut self, worker: WorkerId, grant: Grant) -> Option<GrantedTask> {
        let Grant {
            task: id,
            epoch,
            class,
            resumed,
        } = grant;
        let entry = self.ledger.entry(id);
        let failures = entry.map_or(0, |entry| entry.attempts.failures);
        if let Some(head) = self.checkpoints.get(&id).filter(|_| resumed) {
            let (heap, fuel) = (head.heap, head.fuel);
            tracing::info!(task = %id, %epoch, heap, fuel, "task handed out to go on from its checkpoint");
        }
        let task = self.tasks.get(&id).cloned()?;
        let holder = self.workers.there.get(&worker);
        let holder = (worker, holder.map_or("", |holder| &holder.name));
        let span = self.traces.begin((id, &task), epoch, holder);
        Some(GrantedTask {
            task,
            span,
            epoch,
            failures,
            class,
            resumed,
        })
    }

    /// Returns the task of a lease, if it is live.
    pub(super) fn held(&self, worker: WorkerId, task: TaskId, epoch: Epoch) -> Option<Task> {
        let held = self.ledger.is_held(worker, task, epoch);
        held.then(|| self.tasks.get(&task).cloned()).flatten()
    }

    /// Returns the checkpoint of a task to the worker that holds it.
    pub(super) fn fetch(
        &self,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        match self.ledger.is_held(worker, task, epoch) {
            true => self.store.checkpoint(task),
            false => Ok(None),
        }
    }

    /// Returns the task of a submitted certificate, if the lease is live.
    pub(super) fn claim(
        &mut self,
        stamp: Stamp,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
    ) -> Result<Option<Task>, UnknownWorkerError> {
        let claimed = self.apply(stamp, |ledger, now| ledger.claim(worker, task, epoch, now));
        match claimed {
            Ok(()) => {
                self.traces.submitted(task, epoch);
                Ok(self.tasks.get(&task).cloned())
            }
            Err(LeaseError::UnknownWorker(unknown)) => Err(unknown),
            Err(LeaseError::Stale(_)) => Ok(None),
        }
    }

    /// Records that there is no certificate.
    pub(super) fn give_up(
        &mut self,
        stamp: Stamp,
        worker: WorkerId,
        (task, epoch): (TaskId, Epoch),
        report: Report,
    ) -> Result<ReportAnswer, UnknownWorkerError> {
        let given_up = self.apply(stamp, |ledger, now| {
            ledger.give_up(worker, task, epoch, report, now)
        });
        match given_up {
            Ok(()) => {
                // Unless it has ended as failed.
                self.traces.end(task, Ok("given back"));
                Ok(ReportAnswer::Accepted)
            }
            Err(LeaseError::UnknownWorker(unknown)) => Err(unknown),
            Err(LeaseError::Stale(_)) => Ok(ReportAnswer::Stale),
        }
    }

    /// Applies a verdict.
    pub(super) fn settle(
        &mut self,
        stamp: Stamp,
        by: Option<WorkerId>,
        settlement: Settlement,
    ) -> ReportAnswer {
        let Settlement {
            task,
            epoch,
            verified,
            certificate,
            checked_by,
        } = settlement;
        let _within = tracing::error_span!("settle", %task, %epoch).entered();
        let report = match &verified {
            Ok(verified) => {
                let digest = CertificateDigest::of(&certificate);
                match verified.unproved_fuel() {
                    None => Report::Finished(verified.finish, digest),
                    Some(fuel) => Report::Unproved(verified.finish, digest, fuel),
                }
            }
            Err(VerificationError::Contradicted) => Report::Contradicted,
            Err(VerificationError::Stopped) => {
                Report::Interrupted(misere_census::InterruptCause::Shutdown)
            }
            Err(refused) => Report::Failed(Failure::refused(&refused.to_string())),
        };
        let refused = verified.as_ref().err().map(ToString::to_string);
        self.traces.checked(task, epoch, refused);
        let settled = self.apply(stamp, |ledger, now| ledger.settle(task, epoch, report, now));
        let Ok(settled) = settled else {
            return ReportAnswer::Stale;
        };
        // Unless it has ended as finished or failed.
        self.traces.end(task, Ok("to be confirmed"));
        match verified {
            Ok(VerifiedResult {
                finish, finding, ..
            }) => {
                // Otherwise another worker must confirm it first.
                if settled == SettleResult::Finished {
                    self.commit.finished.push(Finished {
                        task,
                        finish,
                        certificate,
                        finding,
                        checked_by,
                    });
                    // It may have been found out since it gave its verdict.
                    if let Some(checker) = checked_by.filter(|&it| self.ledger.is_distrusted(it)) {
                        self.rechecks.push(checker);
                    }
                }
                ReportAnswer::Accepted
            }
            Err(refused) => {
                if !matches!(
                    refused,
                    VerificationError::Stopped | VerificationError::Contradicted
                ) {
                    let reason = printable(&refused.to_string(), MAX_REASON_CHARS);
                    match by {
                        Some(worker) => {
                            tracing::warn!(%worker, %task, %epoch, %reason, "certificate refused");
                            self.note(
                                stamp,
                                EventKind::CertificateRefused {
                                    worker,
                                    task,
                                    epoch,
                                    reason,
                                },
                            );
                        }
                        // The failed attempt is recorded like any other.
                        None => {
                            tracing::error!(%task, %epoch, %reason, "the coordinator cannot compute the task itself");
                        }
                    }
                }
                ReportAnswer::Refused(refused)
            }
        }
    }

    /// Records the progress of computations, and returns their leases.
    fn note_progress(&mut self, held: &[ReportedLease]) -> Vec<HeldLease> {
        for held in held.iter().filter(|held| held.lease.running) {
            if self.tasks.contains_key(&held.lease.task) {
                self.progress.insert(held.lease.task, held.progress);
            }
        }
        held.iter().map(|held| held.lease).collect()
    }

    /// Keeps a checkpoint; `false` if the lease is not live or a later one is there.
    pub(super) fn keep_checkpoint(
        &mut self,
        stamp: Stamp,
        worker: WorkerId,
        (task, epoch): (TaskId, Epoch),
        kept: VerifiedCheckpoint,
    ) -> Result<bool, UnknownWorkerError> {
        let VerifiedCheckpoint {
            heap,
            fuel,
            checkpoint,
        } = kept;
        let kept = self.apply(stamp, |ledger, now| {
            ledger.keep(worker, task, epoch, fuel, now)
        });
        let contributors = match kept {
            Ok(Some(contributors)) => contributors,
            Ok(None) | Err(LeaseError::Stale(_)) => return Ok(false),
            Err(LeaseError::UnknownWorker(unknown)) => return Err(unknown),
        };
        let head = CheckpointHead {
            engine: misere_census::engine_fingerprint(),
            makers: contributors,
            heap,
            fuel,
            bytes: checkpoint.len() as u64,
        };
        let bytes = head.bytes;
        tracing::info!(heap, fuel, bytes, "checkpoint kept");
        self.commit.dropped.retain(|&other| other != task);
        self.commit.kept.retain(|other| other.task != task);
        self.checkpoints.insert(task, head.clone());
        self.commit.kept.push(CheckpointWrite {
            task,
            head,
            checkpoint,
        });
        Ok(true)
    }
}
