//! How do ledger and store move together?
//!
//! One thread owns both. Requests come through a channel, each stamped with the time; everything that has come while the
//! last batch was being synced is handled as a group and becomes durable as one commit, and only then are the
//! answers sent: whatever a worker is told is already on disk.

mod handle;
mod snapshot;

use std::collections::BTreeMap;

use misere_census::{Epoch, Task, TaskId, WorkerId};
use misere_theory::control::Progress;
use tokio::sync::{mpsc, watch};

use crate::judge::{Judged, Refused};
use crate::ledger::{Admitted, Command, Effect, HeldLease, Ledger, Moment, Report, State};
use crate::store::{
    Commit, Event, Finished, Happening, Quarantining, Retried, Store, StoreError, TaskState,
};
use misere_census::Failure;

pub use handle::{Clock, DriverHandle, Gone, Stamp};
use handle::{Message, Request};
pub use snapshot::{RunningTask, Snapshot, WorkerSnapshot};

/// The window is filled up to so many ready tasks when it has fallen below half of them.
const WINDOW: u64 = 1024;

/// Requests waiting for the driver, and the most in one group.
const QUEUE: usize = 1024;

/// A task handed out.
#[derive(Clone, Debug)]
pub struct Granted {
    /// The task.
    pub task: Task,
    /// Its epoch.
    pub epoch: Epoch,
    /// Attempts at it that failed before.
    pub failures: u32,
}

/// The answer to a worker that asks for tasks.
#[derive(Clone, Debug, Default)]
pub struct LeaseAnswer {
    /// Tasks handed out.
    pub granted: Vec<Granted>,
    /// Leases that the worker does not hold (any more).
    pub lost: Vec<(TaskId, Epoch)>,
    /// Whether every task is finished.
    pub finished: bool,
}

/// The answer to a worker that reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportAnswer {
    /// Durable.
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
    let mut driver = Driver {
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
    driver.publish(clock.stamp().now);
    let snapshots = driver.snapshots.subscribe();
    let census = tracing::error_span!("census", plan = %driver.store.plan().id(), generation);
    let thread = std::thread::spawn(move || census.in_scope(|| driver.run(requests)));
    Ok((DriverHandle::new(sender, clock), snapshots, thread))
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
            let mut group = vec![first];
            while group.len() < QUEUE
                && let Ok(next) = requests.try_recv()
            {
                group.push(next);
            }
            let mut answers = Vec::new();
            for Message { stamp, request } in group {
                stopping |= matches!(request, Request::Stop { .. });
                answers.push(self.handle(stamp, request));
            }
            self.store.commit(&std::mem::take(&mut self.commit))?;
            self.refill()?;
            self.publish(now);
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
            Request::Register { name, slots, reply } => {
                let worker = self.register(stamp, Introduction { name, slots });
                answer(reply, worker)
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
                answer(reply, self.lease_answer(&effects))
            }
            Request::Renew {
                worker,
                held,
                reply,
            } => {
                self.note_progress(&held);
                let held = held.into_iter().map(|held| held.lease).collect();
                let effects = self.apply(stamp, Command::Renew { worker, held });
                answer(reply, self.lease_answer(&effects))
            }
            Request::Claim {
                worker,
                task,
                epoch,
                reply,
            } => {
                let effects = self.ledger.apply(
                    Command::Claim {
                        worker,
                        task,
                        epoch,
                    },
                    now,
                );
                let claimed = match effects[..] {
                    [Effect::Claimed { .. }] => Ok(self.tasks.get(&task).cloned()),
                    [Effect::UnknownWorker(_)] => Err(UnknownWorker),
                    _ => Ok(None),
                };
                answer(reply, claimed)
            }
            Request::Settle {
                worker,
                task,
                epoch,
                judged,
                certificate,
                reply,
            } => {
                let settled = self.settle(stamp, worker, (task, epoch), *judged, certificate);
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

    fn register(&mut self, stamp: Stamp, introduction: Introduction) -> WorkerId {
        let effects = self.ledger.apply(Command::Register, stamp.now);
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

    fn lease_answer(&self, effects: &[Effect]) -> Result<LeaseAnswer, UnknownWorker> {
        let mut answer = LeaseAnswer {
            finished: self.store.counters().pending() == 0,
            ..LeaseAnswer::default()
        };
        for effect in effects {
            match *effect {
                Effect::UnknownWorker(_) => return Err(UnknownWorker),
                Effect::Lost { task, epoch } => answer.lost.push((task, epoch)),
                Effect::Granted { task, epoch } => {
                    let failures = self.ledger.entry(task).map_or(0, |entry| entry.failures);
                    if let Some(task) = self.tasks.get(&task).cloned() {
                        answer.granted.push(Granted {
                            task,
                            epoch,
                            failures,
                        });
                    }
                }
                _ => {}
            }
        }
        Ok(answer)
    }

    fn settle(
        &mut self,
        stamp: Stamp,
        worker: WorkerId,
        (task, epoch): (TaskId, Epoch),
        judged: Result<Judged, Refused>,
        certificate: Vec<u8>,
    ) -> ReportAnswer {
        let report = match &judged {
            Ok(judged) => Report::Finished(judged.finish),
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
                debug_assert_eq!(effects, [Effect::Finished { task, finish }]);
                self.commit.finished.push(Finished {
                    task,
                    finish,
                    record,
                    certificate,
                    quotient,
                });
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
                    failures,
                    failure,
                } => {
                    tracing::warn!(%task, failures, %failure, "attempt failed");
                    self.progress.remove(&task);
                    self.note(
                        stamp,
                        Happening::AttemptFailed {
                            task,
                            failures,
                            failure,
                        },
                    );
                    self.commit.retried.push(Retried { task, failures });
                }
                Effect::Quarantined {
                    task,
                    failures,
                    failure,
                } => {
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
                Effect::Left(worker) => {
                    self.workers.remove(&worker);
                    self.note(stamp, Happening::WorkerLeft { worker });
                }
                _ => {}
            }
        }
        effects
    }

    fn forget(&mut self, task: TaskId) {
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
            if let TaskState::Pending { failures } = stored.state {
                admitted.push(Admitted { task: id, failures });
                self.tasks.insert(id, stored.task);
            }
        }
        self.ledger.apply(Command::Admit(admitted), Moment(0));
        Ok(())
    }

    fn publish(&self, now: Moment) {
        let counters = self.store.counters();
        let counts = self.ledger.counts();
        let mut workers: BTreeMap<WorkerId, WorkerSnapshot> = self
            .workers
            .iter()
            .map(|(&worker, Introduction { name, slots })| {
                (
                    worker,
                    WorkerSnapshot {
                        worker,
                        name: name.clone(),
                        slots: *slots,
                        running: Vec::new(),
                    },
                )
            })
            .collect();
        for (task, entry) in self.ledger.entries() {
            if let State::Leased {
                worker,
                epoch,
                running_since: Some(since),
                ..
            } = entry.state
                && let (Some(at), Some(stored)) = (workers.get_mut(&worker), self.tasks.get(&task))
            {
                at.running.push(RunningTask {
                    task,
                    epoch,
                    code: stored.code.clone(),
                    progress: self.progress.get(&task).copied().unwrap_or_default(),
                    running_ms: now.since(since),
                });
            }
        }
        self.snapshots.send_replace(Snapshot {
            counters,
            ready: counters
                .pending()
                .saturating_sub(counts.leased + counts.checking),
            leased: counts.leased,
            checking: counts.checking,
            workers: workers.into_values().collect(),
        });
    }
}

fn answer<T: Send + 'static>(reply: tokio::sync::oneshot::Sender<T>, value: T) -> Answer {
    Box::new(move || {
        // Whoever asked may have gone; what was done stays done.
        let _ = reply.send(value);
    })
}
