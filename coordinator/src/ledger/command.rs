//! What can be asked of the ledger, and what can follow?

use misere_census::{Epoch, Failure, InterruptCause, TaskId, WorkerId};

/// A time in milliseconds since some fixed instant of the coordinator's monotonic clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub u64);

impl Moment {
    /// So many milliseconds later.
    #[must_use]
    pub fn after(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Milliseconds from an earlier moment to this one (0 if it is not earlier).
    #[must_use]
    pub fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// The terms of leases.
#[derive(Clone, Copy, Debug)]
pub struct LeaseTerms {
    /// Silence after which a lease is gone, in milliseconds.
    pub duration_ms: u64,
    /// Failures after which a task is put into quarantine.
    pub max_failures: u32,
    /// The most tasks leased at once.
    pub max_batch: u32,
}

impl Default for LeaseTerms {
    fn default() -> Self {
        Self {
            duration_ms: 15_000,
            max_failures: 3,
            max_batch: 256,
        }
    }
}

/// An unfinished task that enters the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admitted {
    /// The task.
    pub task: TaskId,
    /// Its failures so far.
    pub failures: u32,
}

/// A lease that a worker says it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldLease {
    /// The task.
    pub task: TaskId,
    /// The epoch it is held under.
    pub epoch: Epoch,
    /// Whether it is being computed (or is queued behind others).
    pub running: bool,
}

/// How a lease ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// The certificate was checked.
    Finished(Finish),
    /// The attempt failed.
    Failed(Failure),
    /// It was stopped from outside.
    Interrupted(InterruptCause),
}

/// How a task is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Solved or found to diverge.
    Done,
    /// A limit of the plan was reached.
    Exhausted,
}

/// What is asked of the ledger.
#[derive(Clone, Debug)]
pub enum Command {
    /// Unfinished tasks enter the window. Tasks already there are left as they are.
    Admit(Vec<Admitted>),
    /// A worker introduces itself.
    Register,
    /// A worker asks for tasks: `idle` to start at once, `room` to wait behind them.
    Lease {
        /// The worker.
        worker: WorkerId,
        /// What it says it holds; renewed.
        held: Vec<HeldLease>,
        /// Tasks that could start at once.
        idle: u32,
        /// Tasks that could wait.
        room: u32,
    },
    /// A worker is alive.
    Renew {
        /// The worker.
        worker: WorkerId,
        /// What it says it holds; renewed.
        held: Vec<HeldLease>,
    },
    /// A worker hands in a certificate, which is now to be checked.
    Claim {
        /// The worker.
        worker: WorkerId,
        /// The task.
        task: TaskId,
        /// The epoch it was leased under.
        epoch: Epoch,
    },
    /// The certificate handed in was checked, with this result.
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
        /// Why.
        report: Report,
    },
    /// A worker goes away and gives back its leases.
    Leave {
        /// The worker.
        worker: WorkerId,
    },
    /// Time has passed.
    Tick,
}

/// What follows from a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A worker is known from now on under this number.
    Registered(WorkerId),
    /// The number is not known: nothing changed.
    UnknownWorker(WorkerId),
    /// A worker is gone and its leases are back.
    Left(WorkerId),
    /// The task is leased under this epoch.
    Granted {
        /// The task.
        task: TaskId,
        /// Its epoch.
        epoch: Epoch,
    },
    /// The worker does not hold this lease (any more).
    Lost {
        /// The task.
        task: TaskId,
        /// The epoch it was believed to be leased under.
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
    /// The task is finished: commit its record.
    Finished {
        /// The task.
        task: TaskId,
        /// How.
        finish: Finish,
    },
    /// The task is ready again after a failure: keep the count.
    Retry {
        /// The task.
        task: TaskId,
        /// Failures so far.
        failures: u32,
        /// The last one.
        failure: Failure,
    },
    /// The task failed too often: keep the evidence, hand it out no more.
    Quarantined {
        /// The task.
        task: TaskId,
        /// Failures.
        failures: u32,
        /// The last one.
        failure: Failure,
    },
}
