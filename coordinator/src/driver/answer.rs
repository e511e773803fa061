//! The answers of the driver.

use misere_census::{Epoch, MemoryClass, Task, TaskId, WorkerId, admission::Rejection};
use misere_theory::control::Progress;
use serde::{Deserialize, Serialize};

use misere_ledger::HeldLease;

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
    /// The time in milliseconds after which to ask again if nothing was handed out.
    pub retry_ms: u64,
    /// Why the worker gets no tasks, if that is on purpose.
    pub reserved: Option<String>,
}

/// The answer to a worker that reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportAnswer {
    /// Checked, and durable (or noted, until another worker has confirmed it).
    Accepted,
    /// The lease is not live: nothing changed.
    Stale,
    /// The checker refused the certificate.
    Refused(Rejection),
}

/// A lease as a worker tells of it.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// The lease.
    pub lease: HeldLease,
    /// The progress of its computation.
    pub progress: Progress,
}

/// Why a worker is not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwelcome {
    /// An operator refuses it.
    #[error("an operator banned this worker")]
    Banned,
    /// There is no number left for it; a moment later there will be.
    #[error("the coordinator has no number left for a worker")]
    Spent,
}

/// Nobody is called so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no worker `{0}` of which that could be said; `misere census workers` lists them")]
pub struct NoSuchWorker(pub String);

/// A ban that the census does not keep.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotBanned(pub String);

/// Workers that were sent away.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evicted {
    /// Their numbers and names.
    pub workers: Vec<(WorkerId, String)>,
    /// The tasks that they held, which others get now.
    pub tasks: u64,
}

/// The consequences of a ban.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ban {
    /// The names of those who are refused.
    pub names: Vec<String>,
    /// The number of their workers that were sent away.
    pub workers: u64,
    /// The tasks of theirs that nobody had confirmed, and that are done again.
    pub again: u64,
}

/// Workers that are believed again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pardoned {
    /// Their names.
    pub names: Vec<String>,
}
