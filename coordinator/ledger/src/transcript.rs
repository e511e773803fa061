//! Calls of the ledger as values, and their results as one list.
//!
//! So a schedule can be recorded, compared with an oracle, and shrunk to the shortest that fails.
//!
//! Each command is a call of the method that the driver calls too.

use misere_census::{Epoch, MemoryClass, Misconduct, TaskId, WorkerId, WorkerIdentity};

use super::{
    Effect, Grant, HeldLease, LeaseError, Leases, Ledger, Millis, Renewal, Report, WindowTask,
};

/// A call of the ledger, as a value.
#[derive(Clone, Debug)]
pub(super) enum Command {
    /// Unfinished tasks enter the window. Tasks already there are left as they are.
    Admit(Vec<WindowTask>),
    /// A worker introduces itself.
    Register {
        /// The identity of the worker.
        identity: WorkerIdentity,
        /// The number of tasks that the worker computes at once.
        slots: u32,
        /// The greatest memory class it offers.
        class: MemoryClass,
    },
    /// A worker asks for up to `idle` tasks to start now and up to `room` more to queue.
    Lease {
        /// The worker.
        worker: WorkerId,
        /// The leases that it reports; they are renewed.
        held: Vec<HeldLease>,
        /// The number of tasks that could start at once.
        idle: u32,
        /// The number of tasks that could be queued.
        room: u32,
    },
    /// A worker is alive.
    Renew {
        /// The worker.
        worker: WorkerId,
        /// The leases that it reports; they are renewed.
        held: Vec<HeldLease>,
    },
    /// A worker submits a certificate, which is now to be checked.
    Claim {
        /// The worker.
        worker: WorkerId,
        /// The task.
        task: TaskId,
        /// The epoch it was leased under.
        epoch: Epoch,
    },
    /// The submitted certificate was checked, with this result.
    Settle {
        /// The task.
        task: TaskId,
        /// The epoch it was claimed under.
        epoch: Epoch,
        /// The result.
        report: Report,
    },
    /// A worker reports that it has no certificate.
    GiveUp {
        /// The worker.
        worker: WorkerId,
        /// The task.
        task: TaskId,
        /// The epoch it was leased under.
        epoch: Epoch,
        /// The reason.
        report: Report,
    },
    /// A worker submits a checkpoint of a task that it computes.
    Keep {
        /// The worker.
        worker: WorkerId,
        /// The task.
        task: TaskId,
        /// The epoch it was leased under.
        epoch: Epoch,
        /// The fuel spent so far.
        fuel: u64,
    },
    /// These tasks no longer exist: remove them even if a worker holds them.
    Withdraw(Vec<TaskId>),
    /// The holder of this task is to stop.
    Stop(TaskId),
    /// This worker is distrusted from now on.
    Distrust(WorkerIdentity, Misconduct),
    /// A worker is trusted again, despite any misconduct, and no longer held back.
    Pardon(WorkerIdentity),
    /// Numbers are issued under this generation from now on; it is greater than any before.
    Begin(u32),
    /// A worker leaves and gives back its leases.
    Leave {
        /// The worker.
        worker: WorkerId,
    },
    /// Time has passed.
    Tick,
}

/// A result of a command: a part of the answer, or an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A worker is registered under this number.
    Registered(WorkerId),
    /// The number is unknown: nothing changed.
    UnknownWorker(WorkerId),
    /// No numbers are left in this generation: nothing changed.
    Spent,
    /// The task is leased under this epoch.
    Granted {
        /// The task.
        task: TaskId,
        /// Its epoch.
        epoch: Epoch,
        /// The memory it may use.
        class: MemoryClass,
        /// Whether the worker resumes from the checkpoint.
        resumed: bool,
    },
    /// The worker does not hold this lease, or no longer holds it.
    Lost {
        /// The task.
        task: TaskId,
        /// The epoch it was believed to be leased under.
        epoch: Epoch,
    },
    /// The holder of this lease is to stop.
    StopAsked {
        /// The task.
        task: TaskId,
        /// Its epoch.
        epoch: Epoch,
    },
    /// The certificate may be checked.
    Claimed {
        /// The task.
        task: TaskId,
        /// Its epoch.
        epoch: Epoch,
    },
    /// The epoch is not live: nothing changed.
    Stale(TaskId),
    /// The submitted checkpoint is the latest: store it with its contributors.
    Kept {
        /// The task.
        task: TaskId,
        /// The contributors of the checkpoint.
        contributors: Vec<WorkerIdentity>,
    },
    /// A worker is trusted again.
    Pardoned(WorkerIdentity),
    /// An effect of the ledger, for the store and for other workers.
    Follows(Effect),
}

impl Ledger {
    /// Makes the call, and checks the invariants.
    pub(super) fn apply(&mut self, command: Command, now: Millis) -> Vec<Event> {
        let mut events = self.call(command, now);
        events.extend(self.take_effects().into_iter().map(Event::Follows));
        if let Err(broken) = self.check_invariants() {
            panic!("{broken}");
        }
        events
    }

    /// Makes the call and returns the answer.
    fn call(&mut self, command: Command, now: Millis) -> Vec<Event> {
        match command {
            Command::Admit(tasks) => self.admit(tasks, now),
            Command::Register {
                identity,
                slots,
                class,
            } => {
                let registered = self.register(identity, slots, class, now);
                return vec![registered.map_or(Event::Spent, Event::Registered)];
            }
            Command::Lease {
                worker,
                held,
                idle,
                room,
            } => {
                let leases = self.lease(worker, &held, idle, room, now);
                let unknown = |_| vec![Event::UnknownWorker(worker)];
                return leases.map_or_else(unknown, |Leases { renewed, granted }| {
                    let granted = granted.into_iter().map(Event::from);
                    renewals(renewed).into_iter().chain(granted).collect()
                });
            }
            Command::Renew { worker, held } => {
                let renewed = self.renew(worker, &held, now);
                return renewed.map_or_else(|_| vec![Event::UnknownWorker(worker)], renewals);
            }
            Command::Claim {
                worker,
                task,
                epoch,
            } => {
                let claimed = self.claim(worker, task, epoch, now);
                let claimed = claimed.map(|()| Event::Claimed { task, epoch });
                return vec![claimed.unwrap_or_else(|why| not_held(why, worker, task))];
            }
            Command::Settle {
                task,
                epoch,
                report,
            } => {
                if self.settle(task, epoch, report, now).is_err() {
                    return vec![Event::Stale(task)];
                }
            }
            Command::GiveUp {
                worker,
                task,
                epoch,
                report,
            } => {
                let given_up = self.give_up(worker, task, epoch, report, now);
                let refused = given_up.err().map(|why| not_held(why, worker, task));
                return refused.into_iter().collect();
            }
            Command::Keep {
                worker,
                task,
                epoch,
                fuel,
            } => {
                let kept = self.keep(worker, task, epoch, fuel, now);
                let kept = kept.map(|contributors| {
                    contributors.map(|contributors| Event::Kept { task, contributors })
                });
                let kept = kept.unwrap_or_else(|why| Some(not_held(why, worker, task)));
                return vec![kept.unwrap_or(Event::Stale(task))];
            }
            Command::Withdraw(tasks) => self.withdraw(&tasks),
            Command::Stop(task) => {
                if self.stop(task).is_err() {
                    return vec![Event::Stale(task)];
                }
            }
            Command::Distrust(identity, why) => self.distrust(identity, why, now),
            Command::Pardon(identity) => {
                self.pardon(identity);
                return vec![Event::Pardoned(identity)];
            }
            Command::Begin(generation) => self.begin(generation),
            Command::Leave { worker } => {
                if self.leave(worker, now).is_err() {
                    return vec![Event::UnknownWorker(worker)];
                }
            }
            Command::Tick => self.tick(now),
        }
        Vec::new()
    }
}

fn not_held(why: LeaseError, worker: WorkerId, task: TaskId) -> Event {
    match why {
        LeaseError::UnknownWorker(_) => Event::UnknownWorker(worker),
        LeaseError::Stale(_) => Event::Stale(task),
    }
}

fn renewals(Renewal { lost, stop }: Renewal) -> Vec<Event> {
    let lost = lost.into_iter();
    let lost = lost.map(|(task, epoch)| Event::Lost { task, epoch });
    let stop = stop.into_iter();
    let stop = stop.map(|(task, epoch)| Event::StopAsked { task, epoch });
    lost.chain(stop).collect()
}

impl From<Grant> for Event {
    fn from(grant: Grant) -> Self {
        let Grant {
            task,
            epoch,
            class,
            resumed,
        } = grant;
        Self::Granted {
            task,
            epoch,
            class,
            resumed,
        }
    }
}
