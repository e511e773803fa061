//! The answers of the driver.

use misere_census::{Epoch, MemoryClass, Task, TaskId, WorkerId, admission::VerificationError};
use misere_game::control::Progress;
use opentelemetry::trace::SpanContext;
use serde::{Deserialize, Serialize};

use misere_ledger::HeldLease;

/// A granted task.
#[derive(Clone, Debug)]
pub struct GrantedTask {
    /// The task.
    pub task: Task,
    /// The epoch of its lease.
    pub epoch: Epoch,
    /// The number of failed attempts before.
    pub failures: u32,
    /// The memory it may use.
    pub class: MemoryClass,
    /// Whether there is a checkpoint from which it is to go on.
    pub resumed: bool,
    /// The span of the lease, if it is traced.
    pub span: Option<SpanContext>,
}

/// The answer to a worker that requests tasks.
#[derive(Clone, Debug, Default)]
pub struct LeaseAnswer {
    /// The tasks granted.
    pub granted: Vec<GrantedTask>,
    /// Leases that the worker does not hold, or no longer holds.
    pub lost: Vec<(TaskId, Epoch)>,
    /// Leases that the worker is to stop.
    pub stop: Vec<(TaskId, Epoch)>,
    /// Whether every task is finished.
    pub finished: bool,
    /// The time in milliseconds after which to ask again if nothing was granted.
    pub retry_ms: u64,
    /// The reason why the worker gets no tasks, if that is on purpose.
    pub reserved: Option<String>,
}

/// The answer to a worker that reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportAnswer {
    /// The certificate is checked and durable, or recorded until another worker has confirmed it.
    Accepted,
    /// The lease is not live: nothing changed.
    Stale,
    /// The checker refused the certificate.
    Refused(VerificationError),
}

/// A lease as a worker reports it.
#[derive(Clone, Copy, Debug)]
pub struct ReportedLease {
    /// The lease.
    pub lease: HeldLease,
    /// The progress of its computation.
    pub progress: Progress,
}

/// The reason why a worker is not admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistrationError {
    /// An operator's ban.
    #[error("an operator banned this worker")]
    Banned,
    /// A verdict or result that was wrong, for which it is not trusted.
    #[error("it is not trusted")]
    Distrusted,
    /// The lack of a worker number; one will be free a moment later.
    #[error("the coordinator has no number left for a worker")]
    Spent,
}

/// The error of a name that no worker has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no worker `{0}` to which this applies; `misere census workers` lists them")]
pub struct WorkerNameError(pub String);

/// The error of a ban that the census does not record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BanError(pub String);

/// The workers that were evicted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Eviction {
    /// Their numbers and names.
    pub workers: Vec<(WorkerId, String)>,
    /// The number of tasks that they held, which others get now.
    pub tasks: u64,
}

/// The consequences of a ban.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ban {
    /// The names of the banned.
    pub names: Vec<String>,
    /// The number of their workers that were evicted.
    pub workers: u64,
}

/// The workers that are trusted again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pardon {
    /// Their names.
    pub names: Vec<String>,
}
