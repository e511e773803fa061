//! The consequences of the effects of the ledger, on disk and in the driver.

use misere_census::{Attempts, Claim, TaskId};

use misere_ledger::{Effect, Ledger, Millis};
use misere_store::{Event, EventKind, QuarantineWrite, TaskRetry};

use super::{Dispute, Driver, Stamp};

impl Driver {
    /// Calls the ledger, and applies its effects to the store and the driver.
    pub(super) fn apply<T>(
        &mut self,
        stamp: Stamp,
        call: impl FnOnce(&mut Ledger, Millis) -> T,
    ) -> T {
        let reply = call(&mut self.ledger, stamp.now);
        for effect in self.ledger.take_effects() {
            match effect {
                Effect::Finished {
                    task,
                    finish: _,
                    backers,
                } => {
                    self.traces.end(task, Ok("finished"));
                    let backed = backers.into_iter().map(|backer| (task, backer));
                    self.commit.backed.extend(backed);
                    self.forget(task);
                    self.drop_checkpoint(task);
                }
                Effect::Dropped(task) => {
                    tracing::info!(%task, "checkpoint dropped: no worker resumes from it");
                    self.drop_checkpoint(task);
                }
                Effect::Retry {
                    task,
                    attempts,
                    failure,
                } => {
                    let failures = attempts.failures;
                    tracing::warn!(%task, failures, class = %attempts.class, %failure, "attempt failed");
                    self.progress.remove(&task);
                    self.traces.end(task, Err(failure.to_string()));
                    self.note(
                        stamp,
                        EventKind::AttemptFailed {
                            task,
                            failures,
                            failure,
                        },
                    );
                    let entry = self.ledger.entry(task);
                    let claims = entry.map(|entry| entry.claims.clone());
                    self.keep(task, attempts, claims.unwrap_or_default());
                }
                Effect::ClaimsChanged { task, claims } => {
                    self.progress.remove(&task);
                    let entry = self.ledger.entry(task);
                    let attempts = entry.map(|entry| entry.attempts).unwrap_or_default();
                    self.keep(task, attempts, claims);
                }
                Effect::Quarantined {
                    task,
                    attempts,
                    failure,
                    by,
                } => {
                    let failures = attempts.failures;
                    tracing::error!(%task, failures, %failure, "task put into quarantine");
                    self.traces
                        .end(task, Err(format!("{failure}; in quarantine")));
                    self.forget(task);
                    let at_ms = stamp.unix_ms;
                    self.commit.quarantined.push(QuarantineWrite {
                        task,
                        failures,
                        failure,
                        by,
                        at_ms,
                    });
                }
                Effect::Undone {
                    task,
                    attempts,
                    claims,
                } => {
                    self.progress.remove(&task);
                    self.keep(task, attempts, claims);
                }
                Effect::Advanced { task, attempts } => {
                    let entry = self.ledger.entry(task);
                    let claims = entry.map(|entry| entry.claims.clone());
                    self.keep(task, attempts, claims.unwrap_or_default());
                }
                Effect::Arbitrate {
                    task,
                    epoch,
                    within,
                } => {
                    let Some(task) = self.tasks.get(&task).cloned() else {
                        continue;
                    };
                    let name = &task;
                    match within {
                        None => {
                            tracing::error!(%name, %epoch, "workers do not agree; the coordinator computes the task itself");
                        }
                        Some(fuel) => {
                            tracing::debug!(%name, %epoch, fuel, "the coordinator computes a claim again");
                        }
                    }
                    let dispute = Dispute {
                        task,
                        epoch,
                        within,
                    };
                    // The receiver is gone only if the coordinator stops.
                    let _ = self.disputes.send(dispute);
                }
                Effect::Distrusted { identity, why } => self.distrusted(stamp, identity, why),
                Effect::HeldBack { identity, ms, why } => {
                    let name = self.workers.name(identity);
                    let why = why.to_string();
                    let seconds = ms.div_ceil(1000);
                    tracing::warn!(name, why, seconds, "a worker is held back");
                    self.published = None;
                    let held_back = EventKind::WorkerHeldBack {
                        identity,
                        name,
                        why,
                    };
                    self.note(stamp, held_back);
                }
                Effect::Left(worker) => {
                    self.published = None;
                    let known = self.workers.there.remove(&worker);
                    let name = known.map(|known| known.name).unwrap_or_default();
                    tracing::info!(%worker, name, "worker left");
                    self.traces.leave(worker);
                    self.note(stamp, EventKind::WorkerLeft { worker });
                }
            }
        }
        reply
    }

    /// Keeps the attempts at an unfinished task and the claims about it.
    ///
    /// The last write of a group counts.
    fn keep(&mut self, task: TaskId, attempts: Attempts, claims: Vec<Claim>) {
        let retried = TaskRetry {
            task,
            attempts,
            claims,
        };
        self.commit.retried.retain(|other| other.task != task);
        self.commit.retried.push(retried);
    }

    /// Takes back a record.
    ///
    /// It is removed from the disk, or from the current group before it gets there.
    pub(super) fn reopen(&mut self, task: TaskId) {
        self.commit
            .finished
            .retain(|finished| finished.task != task);
        self.commit.backed.retain(|(other, _)| *other != task);
        self.commit.reopened.push(task);
    }

    /// Forgets a task that has become final.
    ///
    /// What the current group recorded about it before is obsolete.
    fn forget(&mut self, task: TaskId) {
        self.commit.retried.retain(|other| other.task != task);
        self.tasks.remove(&task);
        self.progress.remove(&task);
    }

    pub(super) fn note(&mut self, stamp: Stamp, what: EventKind) {
        self.commit.events.push(Event {
            at_ms: stamp.unix_ms,
            what,
        });
    }

    fn drop_checkpoint(&mut self, task: TaskId) {
        if self.checkpoints.remove(&task).is_some() {
            self.commit.kept.retain(|other| other.task != task);
            self.commit.dropped.push(task);
        }
    }
}
