//! What does the driver answer?

use misere_census::{Epoch, MemoryClass, Task, TaskId};
use misere_theory::control::Progress;

use crate::judge::Refused;
use crate::ledger::HeldLease;

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
    /// Whether there is a checkpoint from which it is to go on.
    pub resumed: bool,
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
