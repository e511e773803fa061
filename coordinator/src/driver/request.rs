//! What is done for each request?

use misere_census::{
    CertificateDigest, Epoch, Failure, MAX_REASON_CHARS, Task, TaskId, WorkerId, printable,
};

use super::answer::Granted;
use super::handle::{KeptCheckpoint, Request, Settlement, Stamp};
use super::{Answer, Driver, Held, LeaseAnswer, ReportAnswer, UnknownWorker};
use crate::judge::{Judged, Refused};
use crate::ledger::{Command, Effect, Moment, Report};
use crate::store::{CheckpointHead, Finished, Happening, Keeping};

impl Driver {
    /// Does what is asked; the answer is given once it is durable.
    pub(super) fn handle(&mut self, stamp: Stamp, request: Request) -> Answer {
        let _within = request.span().entered();
        let now = stamp.now;
        match request {
            Request::Tick => {
                self.apply(stamp, Command::Tick);
                Box::new(|| ())
            }
            Request::Register {
                introduction,
                reply,
            } => {
                let registered = self.register(stamp, introduction);
                answer(reply, registered)
            }
            Request::Evict { who, reply } => {
                let evicted = self.evict(stamp, &who);
                answer(reply, evicted)
            }
            Request::Ban { who, reply } => {
                let ban = self.ban(stamp, &who);
                answer(reply, ban)
            }
            Request::Pardon { who, reply } => {
                let pardoned = self.pardon(stamp, &who);
                answer(reply, pardoned)
            }
            Request::StopTask { task, reply } => {
                let effects = self.apply(stamp, Command::Stop(task));
                answer(reply, effects.is_empty())
            }
            Request::Held {
                worker,
                task,
                epoch,
                reply,
            } => {
                let held = self.ledger.is_held(worker, task, epoch);
                let held = held.then(|| self.tasks.get(&task).cloned());
                answer(reply, held.flatten())
            }
            Request::Keep {
                worker,
                task,
                epoch,
                kept,
                reply,
            } => {
                let keeping = self.keep_checkpoint(stamp, worker, (task, epoch), kept);
                answer(reply, keeping)
            }
            Request::Fetch {
                worker,
                task,
                epoch,
                reply,
            } => {
                let held = self.ledger.is_held(worker, task, epoch);
                let found = held.then(|| self.store.checkpoint(task)).transpose();
                answer(reply, found.map(Option::flatten))
            }
            Request::Lease {
                worker,
                held,
                idle,
                room,
                reply,
            } => {
                self.note_progress(&held);
                let held = held.into_iter().map(|held| held.lease).collect();
                let effects = self.apply(
                    stamp,
                    Command::Lease {
                        worker,
                        held,
                        idle,
                        room,
                    },
                );
                answer(reply, self.lease_answer(worker, &effects))
            }
            Request::Renew {
                worker,
                held,
                reply,
            } => {
                self.note_progress(&held);
                let held = held.into_iter().map(|held| held.lease).collect();
                let effects = self.apply(stamp, Command::Renew { worker, held });
                answer(reply, self.lease_answer(worker, &effects))
            }
            Request::Claim {
                worker,
                leases,
                reply,
            } => {
                let leases = leases.into_iter();
                let claimed = leases.map(|(task, epoch)| self.claim(now, worker, task, epoch));
                let claimed: Result<Vec<_>, _> = claimed.collect();
                answer(reply, claimed)
            }
            Request::Settle {
                by,
                settlements,
                reply,
            } => {
                let settlements = settlements.into_iter();
                let settled = settlements.map(|settlement| self.settle(stamp, by, settlement));
                let settled: Vec<_> = settled.collect();
                answer(reply, settled)
            }
            Request::GiveUp {
                worker,
                task,
                epoch,
                report,
                reply,
            } => {
                let effects = self.apply(
                    stamp,
                    Command::GiveUp {
                        worker,
                        task,
                        epoch,
                        report,
                    },
                );
                let given_up = match effects[..] {
                    [Effect::UnknownWorker(_)] => Err(UnknownWorker),
                    [Effect::Stale(_)] => Ok(ReportAnswer::Stale),
                    _ => Ok(ReportAnswer::Accepted),
                };
                answer(reply, given_up)
            }
            Request::Leave { worker, reply } => {
                self.apply(stamp, Command::Leave { worker });
                answer(reply, ())
            }
            Request::Store(work) => {
                let done = work(&mut self.store);
                self.look_at_released();
                // Whoever is told that it is done sees it when looking next.
                self.published = None;
                done
            }
            Request::Stop { reply } => answer(reply, ()),
        }
    }

    fn lease_answer(
        &self,
        worker: WorkerId,
        effects: &[Effect],
    ) -> Result<LeaseAnswer, UnknownWorker> {
        let mut answer = LeaseAnswer {
            finished: self.store.counters().pending() == 0,
            retry_ms: self.ledger.retry_ms(worker),
            reserved: self.reserved(worker),
            ..LeaseAnswer::default()
        };
        for effect in effects {
            match *effect {
                Effect::UnknownWorker(_) => return Err(UnknownWorker),
                Effect::Lost { task, epoch } => answer.lost.push((task, epoch)),
                Effect::StopAsked { task, epoch } => answer.stop.push((task, epoch)),
                Effect::Granted {
                    task,
                    epoch,
                    class,
                    resumed,
                } => {
                    let entry = self.ledger.entry(task);
                    let failures = entry.map_or(0, |entry| entry.attempts.failures);
                    if let Some(head) = self.checkpoints.get(&task).filter(|_| resumed) {
                        let (heap, fuel) = (head.heap, head.fuel);
                        tracing::info!(%task, %epoch, heap, fuel, "task handed out to go on from its checkpoint");
                    }
                    if let Some(task) = self.tasks.get(&task).cloned() {
                        answer.granted.push(Granted {
                            task,
                            epoch,
                            failures,
                            class,
                            resumed,
                        });
                    }
                }
                _ => {}
            }
        }
        Ok(answer)
    }

    /// The task of a certificate handed in, if the lease is live.
    fn claim(
        &mut self,
        now: Moment,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
    ) -> Result<Option<Task>, UnknownWorker> {
        let claim = Command::Claim {
            worker,
            task,
            epoch,
        };
        match self.ledger.apply(claim, now)[..] {
            [Effect::Claimed { .. }] => Ok(self.tasks.get(&task).cloned()),
            [Effect::UnknownWorker(_)] => Err(UnknownWorker),
            _ => Ok(None),
        }
    }

    fn settle(
        &mut self,
        stamp: Stamp,
        by: Option<WorkerId>,
        settlement: Settlement,
    ) -> ReportAnswer {
        let Settlement {
            task,
            epoch,
            judged,
            certificate,
        } = settlement;
        let _within = tracing::error_span!("settle", %task, %epoch).entered();
        let report = match &judged {
            Ok(judged) => {
                let digest = CertificateDigest::of(&certificate);
                match judged.unproved_fuel() {
                    None => Report::Finished(judged.finish, digest),
                    Some(fuel) => Report::Unproved(judged.finish, digest, fuel),
                }
            }
            Err(Refused::Contradicted) => Report::Contradicted,
            Err(Refused::Stopped) => Report::Interrupted(misere_census::InterruptCause::Shutdown),
            Err(refused) => Report::Failed(Failure::refused(&refused.to_string())),
        };
        let effects = self.apply(
            stamp,
            Command::Settle {
                task,
                epoch,
                report,
            },
        );
        if matches!(effects[..], [Effect::Stale(_)]) {
            return ReportAnswer::Stale;
        }
        match judged {
            Ok(Judged {
                finish, finding, ..
            }) => {
                // Else another worker is to confirm it first.
                if effects.first() == Some(&Effect::Finished { task, finish }) {
                    self.commit.finished.push(Finished {
                        task,
                        finish,
                        certificate,
                        finding,
                    });
                }
                ReportAnswer::Accepted
            }
            Err(refused) => {
                if !matches!(refused, Refused::Stopped | Refused::Contradicted) {
                    let reason = printable(&refused.to_string(), MAX_REASON_CHARS);
                    match by {
                        Some(worker) => {
                            tracing::warn!(%worker, %task, %epoch, %reason, "certificate refused");
                            self.note(
                                stamp,
                                Happening::CertificateRefused {
                                    worker,
                                    task,
                                    epoch,
                                    reason,
                                },
                            );
                        }
                        // That the attempt failed is noted as of any other.
                        None => {
                            tracing::error!(%task, %epoch, %reason, "the coordinator cannot compute the task itself");
                        }
                    }
                }
                ReportAnswer::Refused(refused)
            }
        }
    }

    fn note_progress(&mut self, held: &[Held]) {
        for held in held.iter().filter(|held| held.lease.running) {
            if self.tasks.contains_key(&held.lease.task) {
                self.progress.insert(held.lease.task, held.progress);
            }
        }
    }

    /// Keeps a checkpoint; `false` if the lease is not live or a later one is there.
    fn keep_checkpoint(
        &mut self,
        stamp: Stamp,
        worker: WorkerId,
        (task, epoch): (TaskId, Epoch),
        kept: KeptCheckpoint,
    ) -> Result<bool, UnknownWorker> {
        let KeptCheckpoint {
            heap,
            fuel,
            checkpoint,
        } = kept;
        let keep = Command::Keep {
            worker,
            task,
            epoch,
            fuel,
        };
        let mut effects = self.apply(stamp, keep);
        effects.truncate(1);
        match effects.pop() {
            Some(Effect::UnknownWorker(_)) => Err(UnknownWorker),
            Some(Effect::Kept { task, makers }) => {
                let head = CheckpointHead {
                    engine: misere_census::engine(),
                    makers,
                    heap,
                    fuel,
                    bytes: checkpoint.len() as u64,
                };
                let bytes = head.bytes;
                tracing::info!(heap, fuel, bytes, "checkpoint kept");
                self.commit.dropped.retain(|&other| other != task);
                self.commit.kept.retain(|other| other.task != task);
                self.checkpoints.insert(task, head.clone());
                self.commit.kept.push(Keeping {
                    task,
                    head,
                    checkpoint,
                });
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

pub(super) fn answer<T: Send + 'static>(
    reply: tokio::sync::oneshot::Sender<T>,
    value: T,
) -> Answer {
    Box::new(move || {
        // Whoever asked may have gone; what was done stays done.
        let _ = reply.send(value);
    })
}
