//! The arguments, answers and effects of the calls of the ledger.

use misere_census::{
    Attempts, Backer, CertificateDigest, Claim, Epoch, Failure, Finish, InterruptCause,
    MemoryClass, Misconduct, TaskId, WorkerId, WorkerIdentity,
};

use super::checks::CheckConfig;
use super::trust::TrustConfig;

/// A time in milliseconds since some fixed instant of the coordinator's monotonic clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Millis(pub u64);

impl Millis {
    /// Returns the time `ms` milliseconds later.
    #[must_use]
    pub fn after(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Returns the milliseconds from an earlier time to this one (0 if it is not earlier).
    #[must_use]
    pub fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// The most tasks that a worker is assumed to compute at once, whatever it reports.
pub const MAX_SLOTS: u32 = 1024;

/// The settings of leases.
#[derive(Clone, Copy, Debug)]
pub struct LeaseConfig {
    /// The silence in milliseconds after which a lease expires.
    pub duration_ms: u64,
    /// The number of failures after which a task is put into quarantine.
    pub max_failures: u32,
    /// The most tasks leased at once.
    pub max_batch: u32,
    /// The work in milliseconds that a worker is to hold for each of its slots.
    pub work_ahead_ms: u64,
    /// The time in milliseconds after which a queued task goes back if another worker is idle.
    pub max_queued_ms: u64,
    /// The share of the workers' tasks that others confirm.
    pub trust: TrustConfig,
    /// The settings of checks by others.
    pub checks: CheckConfig,
}

impl LeaseConfig {
    /// The usual settings.
    pub const USUAL: Self = Self {
        duration_ms: 15_000,
        max_failures: 3,
        max_batch: 4_096,
        work_ahead_ms: 2_000,
        max_queued_ms: 15_000,
        trust: TrustConfig::USUAL,
        checks: CheckConfig::USUAL,
    };

    /// Returns the usual settings, with leases that last `duration_ms` milliseconds.
    ///
    /// A worker that is silent for two leases is gone; no one waits for it to confirm other work.
    #[must_use]
    pub fn lasting(duration_ms: u64) -> Self {
        Self {
            duration_ms,
            max_queued_ms: duration_ms,
            trust: TrustConfig {
                wait_for_others_ms: duration_ms.saturating_mul(2),
                ..TrustConfig::default()
            },
            ..Self::default()
        }
    }
}

impl Default for LeaseConfig {
    fn default() -> Self {
        Self::USUAL
    }
}

/// The checkpoint of a task, as far as the ledger is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointInfo {
    /// The workers that contributed to it.
    ///
    /// These are the one that submitted it, and the contributors of the checkpoint from which that
    /// one had resumed.
    pub contributors: Vec<WorkerIdentity>,
    /// The fuel spent so far.
    pub fuel: u64,
}

/// An unfinished task that enters the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowTask {
    /// The task.
    pub task: TaskId,
    /// The failures of the task so far.
    pub attempts: Attempts,
    /// The claims about the task so far.
    pub claims: Vec<Claim>,
    /// Its checkpoint, if there is one.
    pub kept: Option<CheckpointInfo>,
    /// Whether other tasks wait for it; it is granted before those that none wait for.
    pub is_awaited: bool,
}

impl WindowTask {
    /// Returns a task that was never tried.
    #[must_use]
    pub fn fresh(task: TaskId) -> Self {
        Self {
            task,
            attempts: Attempts::default(),
            claims: Vec::new(),
            kept: None,
            is_awaited: false,
        }
    }
}

/// A lease that a worker reports as held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldLease {
    /// The task.
    pub task: TaskId,
    /// The epoch it is held under.
    pub epoch: Epoch,
    /// Whether the task is being computed (otherwise it is queued behind others).
    pub running: bool,
}

/// The end of a lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// The certificate with this digest was checked.
    Finished(Finish, CertificateDigest),
    /// Like `Finished`, but the certificate cannot be proved, and took this much fuel.
    ///
    /// The coordinator may compute it again.
    Unproved(Finish, CertificateDigest, u64),
    /// The coordinator has computed the task itself, and the claims about it are wrong.
    Contradicted,
    /// The attempt failed.
    Failed(Failure),
    /// The computation was stopped from outside.
    Interrupted(InterruptCause),
}

/// A task granted to a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The task.
    pub task: TaskId,
    /// The epoch that it is leased under.
    pub epoch: Epoch,
    /// The memory it may use.
    pub class: MemoryClass,
    /// Whether the worker resumes from the checkpoint.
    pub resumed: bool,
}

/// The answer to a worker that reports its leases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renewal {
    /// Leases that the worker does not hold, or no longer holds.
    pub lost: Vec<(TaskId, Epoch)>,
    /// Leases that the worker is to stop.
    pub stop: Vec<(TaskId, Epoch)>,
}

/// The answer to a worker that asks for tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leases {
    /// The state of the leases that the worker listed.
    pub renewed: Renewal,
    /// The tasks granted.
    pub granted: Vec<Grant>,
}

/// The state of a task after a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettleResult {
    /// The task is finished with this certificate.
    Finished,
    /// The task is not finished: it failed, or another worker is to confirm the certificate first.
    Open,
}

/// The worker number is unknown: nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the worker is not known")]
pub struct UnknownWorkerError;

/// The epoch is not live: nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no worker holds the task under this epoch")]
pub struct StaleLeaseError;

/// A reason why a message about a lease changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeaseError {
    /// The worker number is unknown.
    #[error(transparent)]
    UnknownWorker(#[from] UnknownWorkerError),
    /// The worker does not hold the task under this epoch.
    #[error(transparent)]
    Stale(#[from] StaleLeaseError),
}

/// No numbers are left in this generation: nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are no numbers left in this generation")]
pub struct WorkerNumbersError;

/// A consequence of a call for the store and for other workers, apart from the reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A worker is gone, and its leases were taken back.
    Left(WorkerId),
    /// The task is finished: commit its record.
    Finished {
        /// The task.
        task: TaskId,
        /// The kind of finish.
        finish: Finish,
        /// The workers on whose word its result rests; none if the coordinator computed it.
        backers: Vec<Backer>,
    },
    /// The checkpoint of this task is no longer useful to any worker.
    Dropped(TaskId),
    /// The claims about an unfinished task have changed: store them.
    ClaimsChanged {
        /// The task.
        task: TaskId,
        /// The claims about the task.
        claims: Vec<Claim>,
    },
    /// The coordinator is to compute the task itself and settle it under this epoch.
    ///
    /// Either workers disagree and no other worker can be asked, or a claim is tested.
    Arbitrate {
        /// The task.
        task: TaskId,
        /// Its epoch.
        epoch: Epoch,
        /// The fuel claimed to be enough, if that claim is tested.
        within: Option<u64>,
    },
    /// A worker that claimed that the task fails is distrusted: store what is left of its failures.
    Undone {
        /// The task.
        task: TaskId,
        /// The failures reported by other workers.
        attempts: Attempts,
        /// The claims of other workers about the task.
        claims: Vec<Claim>,
    },
    /// The task was seen to advance: store the count of its failures.
    Advanced {
        /// The task.
        task: TaskId,
        /// The failures of the task so far.
        attempts: Attempts,
    },
    /// A worker gets no tasks for a while: it fails at different tasks, or leaves tasks unattended.
    HeldBack {
        /// The worker.
        identity: WorkerIdentity,
        /// The time in milliseconds.
        ms: u64,
        /// The reason.
        why: Trouble,
    },
    /// A worker was caught in misconduct and gets no more tasks.
    ///
    /// The results that rest on its word are to be taken back.
    Distrusted {
        /// The worker.
        identity: WorkerIdentity,
        /// The misconduct.
        why: Misconduct,
    },
    /// The task is ready again after a failure: store the count.
    Retry {
        /// The task.
        task: TaskId,
        /// Failures so far.
        attempts: Attempts,
        /// The last one.
        failure: Failure,
    },
    /// The task failed too often: keep the evidence and grant it no more.
    Quarantined {
        /// The task.
        task: TaskId,
        /// Failures.
        attempts: Attempts,
        /// The last one.
        failure: Failure,
        /// The workers that reported a failure.
        by: Vec<WorkerIdentity>,
    },
}

/// A reason why a worker gets no tasks for a while.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The worker fails at one task after another.
    #[error(
        "it failed at {tasks} different games and finished none since; the last failure: {last}"
    )]
    Failing {
        /// The number of tasks since the worker last finished one.
        tasks: u32,
        /// The last failure.
        last: Failure,
    },
    /// More tasks are in quarantine for its failures alone than it has finished.
    #[error("{tasks} games are in quarantine on its word alone, and it finished {finished}")]
    Blaming {
        /// The number of these tasks.
        tasks: u32,
        /// The number of tasks that the worker finished.
        finished: u64,
    },
    /// The worker lost games again and again, by silence or because they waited too long.
    #[error("it left games unattended {times} times and finished none since")]
    Lapsing {
        /// The number of times since the worker last finished a task.
        times: u32,
    },
}
