//! How do ledger and store move together?
//!
//! One thread owns both. Requests come through a channel, each stamped with the time; everything that has come while the
//! last batch was being synced is handled as a group and becomes durable as one commit, and only then are the
//! answers sent: whatever a worker is told is already on disk.

mod arbiter;
mod handle;
mod snapshot;

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

use misere_census::{
    CertificateDigest, Epoch, MemoryClass, Task, TaskId, WorkerId, WorkerIdentity,
};
use misere_theory::control::Progress;
use tokio::sync::{mpsc, watch};

use crate::judge::{Judged, Refused};
use crate::ledger::{
    Admitted, Attempts, Claim, Command, Effect, Entry, HeldLease, Ledger, Moment, Report, State,
};
use crate::store::{Commit, Event, Finished, Happening, Quarantining, Retried, Store, StoreError};
use misere_census::Failure;

use arbiter::Arbiter;

pub use handle::{Clock, DriverHandle, Gone, Settlement, Stamp};
use handle::{Message, Request};
pub use snapshot::{RunningTask, Snapshot, WorkerSnapshot};

/// The window is filled up to so many ready tasks when it has fallen below half of them.
const WINDOW: u64 = 16_384;

/// Requests waiting for the driver, and the most in one group.
const QUEUE: usize = 1024;

/// With so many tasks finished a group is large enough: a larger one would not be faster, but its answers would come later.
const FINISHED_TOGETHER: usize = 4096;

/// What an operator sees is at most so many milliseconds old, and not gathered more often.
const PUBLISHED_EVERY_MS: u64 = 50;

/// A task handed out.
#[derive(Clone, Debug)]
pub struct Granted {
    /// The task.
    pub task: Task,
    /// Its epoch.
    pub epoch: Epoch,
    /// Attempts at it that failed before.
    pub failures: u32,
    /// The memory it may use.
    pub class: MemoryClass,
}

/// The answer to a worker that asks for tasks.
#[derive(Clone, Debug, Default)]
pub struct LeaseAnswer {
    /// Tasks handed out.
    pub granted: Vec<Granted>,
    /// Leases that the worker does not hold (any more).
    pub lost: Vec<(TaskId, Epoch)>,
    /// Leases that the worker is to stop.
    pub stop: Vec<(TaskId, Epoch)>,
    /// Whether every task is finished.
    pub finished: bool,
    /// When to ask again if nothing was handed out, in milliseconds.
    pub retry_ms: u64,
}

/// The answer to a worker that reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportAnswer {
    /// Checked, and durable (or noted, until another worker has confirmed it).
    Accepted,
    /// The lease is not live: nothing changed.
    Stale,
    /// The checker refused the certificate.
    Refused(Refused),
}

/// A lease as a worker tells of it.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// The lease.
    pub lease: HeldLease,
    /// How far its computation has come.
    pub progress: Progress,
}

/// A worker's number is not known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownWorker;

/// Starts the driver on a thread of its own.
///
/// Returns the handle, a view of its state, and the thread, which ends after [`DriverHandle::stop`] or with the error that
/// made it impossible to go on.
///
/// # Errors
/// [`StoreError`] if the first tasks cannot be read.
pub fn start(
    store: Store,
    ledger: Ledger,
    clock: Clock,
) -> Result<(DriverHandle, watch::Receiver<Snapshot>, Thread), StoreError> {
    let (sender, requests) = mpsc::channel(QUEUE);
    let mut ledger = ledger.with_key(secret());
    for identity in store.distrusted()? {
        ledger.apply(Command::Distrust(identity), Moment::default());
    }
    let mut driver = Driver {
        arbiter: Arbiter::new(sender.downgrade(), clock),
        published: None,
        store,
        ledger,
        tasks: BTreeMap::new(),
        progress: BTreeMap::new(),
        workers: BTreeMap::new(),
        cursor: 0,
        commit: Commit::default(),
        snapshots: watch::Sender::default(),
    };
    let generation = driver.store.generation();
    driver.note(clock.stamp(), Happening::Opened { generation });
    driver.store.commit(&std::mem::take(&mut driver.commit))?;
    driver.refill()?;
    driver.publish(clock.stamp().now, true);
    let snapshots = driver.snapshots.subscribe();
    let census = tracing::error_span!("census", plan = %driver.store.plan().id(), generation);
    let thread = std::thread::spawn(move || census.in_scope(|| driver.run(requests)));
    Ok((DriverHandle::new(sender, clock), snapshots, thread))
}

/// A key that nobody else knows: it decides whose work is done again.
fn secret() -> [u8; 32] {
    let mut key = [0; 32];
    for part in key.chunks_mut(8) {
        // Each of them is keyed by the system's own randomness.
        part.copy_from_slice(&RandomState::new().hash_one(part.len()).to_be_bytes());
    }
    key
}

/// The driver's thread.
pub type Thread = std::thread::JoinHandle<Result<(), StoreError>>;

/// What a worker said of itself.
#[derive(Clone, Debug)]
struct Introduction {
    name: String,
    slots: u32,
}

struct Driver {
    arbiter: Arbiter,
    /// When what an operator sees was last gathered.
    published: Option<Moment>,
    store: Store,
    ledger: Ledger,
    /// The tasks of the ledger's window.
    tasks: BTreeMap<TaskId, Task>,
    progress: BTreeMap<TaskId, Progress>,
    workers: BTreeMap<WorkerId, Introduction>,
    /// Position in the plan from which on tasks are yet to be admitted.
    cursor: u64,
    /// What the group at hand changes.
    commit: Commit,
    snapshots: watch::Sender<Snapshot>,
}

/// Sent once the group is durable.
type Answer = Box<dyn FnOnce() + Send>;

impl Driver {
    fn run(mut self, mut requests: mpsc::Receiver<Message>) -> Result<(), StoreError> {
        let mut stopping = false;
        while !stopping {
            let Some(first) = requests.blocking_recv() else {
                break;
            };
            let now = first.stamp.now;
            let mut answers = Vec::new();
            let mut next = Some(first);
            while let Some(Message { stamp, request }) = next {
                stopping |= matches!(request, Request::Stop { .. });
                answers.push(self.handle(stamp, request));
                let goes_on =
                    answers.len() < QUEUE && self.commit.finished.len() < FINISHED_TOGETHER;
                next = goes_on.then(|| requests.try_recv().ok()).flatten();
            }
            let commit = std::mem::take(&mut self.commit);
            self.store.commit(&commit)?;
            for &task in &commit.reopened {
                self.look_again_at(task)?;
            }
            self.refill()?;
            self.publish(now, stopping);
            for answer in answers {
                answer();
            }
        }
        Ok(())
    }

    fn handle(&mut self, stamp: Stamp, request: Request) -> Answer {
        let now = stamp.now;
        match request {
            Request::Tick => {
                self.apply(stamp, Command::Tick);
                Box::new(|| ())
            }
            Request::Register {
                identity,
                name,
                slots,
                class,
                reply,
            } => {
                let worker = self.register(stamp, identity, class, Introduction { name, slots });
                answer(reply, worker)
            }
            Request::StopTask { task, reply } => {
                let effects = self.apply(stamp, Command::Stop(task));
                answer(reply, effects.is_empty())
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
                worker,
                settlements,
                reply,
            } => {
                let settlements = settlements.into_iter();
                let settled = settlements.map(|settlement| self.settle(stamp, worker, settlement));
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
                work(&mut self.store);
                if let Some(position) = self.store.take_released() {
                    self.cursor = self.cursor.min(position);
                }
                Box::new(|| ())
            }
            Request::Stop { reply } => answer(reply, ()),
        }
    }

    fn register(
        &mut self,
        stamp: Stamp,
        identity: WorkerIdentity,
        class: MemoryClass,
        introduction: Introduction,
    ) -> WorkerId {
        self.published = None;
        let register = Command::Register {
            identity,
            slots: introduction.slots,
            class,
        };
        let effects = self.ledger.apply(register, stamp.now);
        // The ledger registers whoever asks.
        let worker = effects.iter().find_map(|effect| match effect {
            Effect::Registered(worker) => Some(*worker),
            _ => None,
        });
        let worker = worker.unwrap_or(WorkerId(0));
        self.note(
            stamp,
            Happening::WorkerJoined {
                worker,
                name: introduction.name.clone(),
            },
        );
        self.workers.insert(worker, introduction);
        worker
    }

    fn lease_answer(
        &self,
        worker: WorkerId,
        effects: &[Effect],
    ) -> Result<LeaseAnswer, UnknownWorker> {
        let mut answer = LeaseAnswer {
            finished: self.store.counters().pending() == 0,
            retry_ms: self.ledger.retry_ms(worker),
            ..LeaseAnswer::default()
        };
        for effect in effects {
            match *effect {
                Effect::UnknownWorker(_) => return Err(UnknownWorker),
                Effect::Lost { task, epoch } => answer.lost.push((task, epoch)),
                Effect::StopAsked { task, epoch } => answer.stop.push((task, epoch)),
                Effect::Granted { task, epoch, class } => {
                    let entry = self.ledger.entry(task);
                    let failures = entry.map_or(0, |entry| entry.attempts.failures);
                    if let Some(task) = self.tasks.get(&task).cloned() {
                        answer.granted.push(Granted {
                            task,
                            epoch,
                            failures,
                            class,
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

    fn settle(&mut self, stamp: Stamp, worker: WorkerId, settlement: Settlement) -> ReportAnswer {
        let Settlement {
            task,
            epoch,
            judged,
            certificate,
        } = settlement;
        let report = match &judged {
            Ok(judged) => Report::Finished(judged.finish, CertificateDigest::of(&certificate)),
            Err(Refused::Stopped) => Report::Interrupted(misere_census::InterruptCause::Shutdown),
            Err(refused) => Report::Failed(Failure::Refused(refused.to_string())),
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
                finish,
                record,
                quotient,
            }) => {
                // Else another worker is to confirm it first.
                if effects.first() == Some(&Effect::Finished { task, finish }) {
                    self.commit.finished.push(Finished {
                        task,
                        finish,
                        record,
                        certificate,
                        quotient,
                    });
                }
                ReportAnswer::Accepted
            }
            Err(refused) => {
                if refused != Refused::Stopped {
                    let reason = refused.to_string();
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
                ReportAnswer::Refused(refused)
            }
        }
    }

    /// Applies a command and takes up what it changes in the store and here.
    fn apply(&mut self, stamp: Stamp, command: Command) -> Vec<Effect> {
        let effects = self.ledger.apply(command, stamp.now);
        for effect in &effects {
            match effect.clone() {
                Effect::Finished { task, .. } => self.forget(task),
                Effect::Retry {
                    task,
                    attempts,
                    failure,
                } => {
                    let failures = attempts.failures;
                    tracing::warn!(%task, failures, class = %attempts.class, %failure, "attempt failed");
                    self.progress.remove(&task);
                    self.note(
                        stamp,
                        Happening::AttemptFailed {
                            task,
                            failures,
                            failure,
                        },
                    );
                    let entry = self.ledger.entry(task);
                    let claims = entry.map(|entry| entry.claims.clone());
                    self.keep(task, attempts, claims.unwrap_or_default());
                }
                Effect::Doubted { task, claims } => {
                    self.progress.remove(&task);
                    let entry = self.ledger.entry(task);
                    let attempts = entry.map(|entry| entry.attempts).unwrap_or_default();
                    self.keep(task, attempts, claims);
                }
                Effect::Quarantined {
                    task,
                    attempts,
                    failure,
                } => {
                    let failures = attempts.failures;
                    tracing::error!(%task, failures, %failure, "task put into quarantine");
                    self.forget(task);
                    let at_ms = stamp.unix_ms;
                    self.commit.quarantined.push(Quarantining {
                        task,
                        failures,
                        failure,
                        at_ms,
                    });
                }
                Effect::Arbitrate { task, epoch } => {
                    tracing::error!(%task, %epoch, "workers do not agree; the coordinator computes the task itself");
                    if let Some(task) = self.tasks.get(&task).cloned() {
                        self.arbiter.decide(task, epoch);
                    }
                }
                Effect::Distrusted { identity, why } => {
                    tracing::error!(%identity, ?why, "a worker was caught and gets no more tasks");
                    self.commit.distrusted.push(identity);
                    self.note(stamp, Happening::WorkerDistrusted { identity, why });
                }
                Effect::Reopened(task) => self.reopen(task),
                Effect::Left(worker) => {
                    self.published = None;
                    self.workers.remove(&worker);
                    self.note(stamp, Happening::WorkerLeft { worker });
                }
                Effect::Registered(_)
                | Effect::UnknownWorker(_)
                | Effect::Granted { .. }
                | Effect::Lost { .. }
                | Effect::StopAsked { .. }
                | Effect::Claimed { .. }
                | Effect::Stale(_)
                | Effect::Split { .. } => {}
            }
        }
        effects
    }

    /// What is known of an unfinished task; the last word of a group counts.
    fn keep(&mut self, task: TaskId, attempts: Attempts, claims: Vec<Claim>) {
        let retried = Retried {
            task,
            attempts,
            claims,
        };
        self.commit.retried.retain(|other| other.task != task);
        self.commit.retried.push(retried);
    }

    /// Takes back a record: from the disk, or, if it came with the group at hand, before it gets there.
    fn reopen(&mut self, task: TaskId) {
        self.commit
            .finished
            .retain(|finished| finished.task != task);
        self.commit.reopened.push(task);
    }

    /// A task that had left the window is to enter it again.
    fn look_again_at(&mut self, task: TaskId) -> Result<(), StoreError> {
        if let Some(stored) = self.store.task(task)? {
            self.cursor = self.cursor.min(stored.position);
        }
        Ok(())
    }

    /// A task has become final. What the group at hand had to say of it before is of no interest any more.
    fn forget(&mut self, task: TaskId) {
        self.commit.retried.retain(|other| other.task != task);
        self.tasks.remove(&task);
        self.progress.remove(&task);
    }

    fn note(&mut self, stamp: Stamp, what: Happening) {
        self.commit.events.push(Event {
            at_ms: stamp.unix_ms,
            what,
        });
    }

    fn note_progress(&mut self, held: &[Held]) {
        for held in held.iter().filter(|held| held.lease.running) {
            if self.tasks.contains_key(&held.lease.task) {
                self.progress.insert(held.lease.task, held.progress);
            }
        }
    }

    /// Admits further tasks of the store to the ledger's window when it runs low.
    fn refill(&mut self) -> Result<(), StoreError> {
        let ready = self.ledger.counts().ready;
        if ready > WINDOW / 2 {
            return Ok(());
        }
        let tasks = self.store.pending(self.cursor, (WINDOW - ready) as usize)?;
        let mut admitted = Vec::with_capacity(tasks.len());
        for (id, stored) in tasks {
            self.cursor = stored.position + 1;
            if let Some((attempts, claims)) = stored.state.attempts() {
                let claims = claims.to_vec();
                admitted.push(Admitted {
                    task: id,
                    attempts,
                    claims,
                });
                self.tasks.insert(id, stored.task);
            }
        }
        self.ledger.apply(Command::Admit(admitted), Moment(0));
        Ok(())
    }

    /// Shows how the census stands, unless that was shown just now and nothing much has happened.
    fn publish(&mut self, now: Moment, urgent: bool) {
        let counters = self.store.counters();
        let lately = |at: Moment| now.since(at) < PUBLISHED_EVERY_MS;
        if !urgent && counters.pending() > 0 && self.published.is_some_and(lately) {
            return;
        }
        self.published = Some(now);
        let counts = self.ledger.counts();
        let workers = self.workers.iter().map(|(&worker, introduction)| {
            let running = self.ledger.held_by(worker);
            WorkerSnapshot {
                worker,
                name: introduction.name.clone(),
                slots: introduction.slots,
                running: running
                    .filter_map(|(task, entry)| self.running(task, entry, now))
                    .collect(),
            }
        });
        self.snapshots.send_replace(Snapshot {
            counters,
            ready: counters
                .pending()
                .saturating_sub(counts.leased + counts.checking),
            leased: counts.leased,
            checking: counts.checking,
            waiting: if counters.pending() == 0 {
                Vec::new()
            } else {
                self.ledger.waiting()
            },
            workers: workers.collect(),
        });
    }

    fn running(&self, task: TaskId, entry: &Entry, now: Moment) -> Option<RunningTask> {
        let State::Leased {
            epoch,
            running_since: Some(since),
            ..
        } = entry.state
        else {
            return None;
        };
        Some(RunningTask {
            task,
            epoch,
            code: self.tasks.get(&task)?.code.clone(),
            progress: self.progress.get(&task).copied().unwrap_or_default(),
            running_ms: now.since(since),
        })
    }
}

fn answer<T: Send + 'static>(reply: tokio::sync::oneshot::Sender<T>, value: T) -> Answer {
    Box::new(move || {
        // Whoever asked may have gone; what was done stays done.
        let _ = reply.send(value);
    })
}
