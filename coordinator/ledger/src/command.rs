//! The arguments, answers and effects of the calls of the ledger.

use misere_census::{
    Attempts, CertificateDigest, Claim, Epoch, Failure, Finish, InterruptCause, MemoryClass,
    Misconduct, TaskId, WorkerId, WorkerIdentity,
};

use super::trust::TrustConfig;

/// A time in milliseconds since some fixed instant of the coordinator's monotonic clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Millis(pub u64);

impl Millis {
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

/// The most tasks that a worker can be taken to compute at once, whatever it says.
pub const MAX_SLOTS: u32 = 1024;

/// The settings of leases.
#[derive(Clone, Copy, Debug)]
pub struct LeaseConfig {
    /// Silence after which a lease is gone, in milliseconds.
    pub duration_ms: u64,
    /// Failures after which a task is put into quarantine.
    pub max_failures: u32,
    /// The most tasks leased at once.
    pub max_batch: u32,
    /// A worker is to hold so much work for each of its slots, in milliseconds.
    pub work_ahead_ms: u64,
    /// A task that has waited at a worker for so many milliseconds goes back if somebody else has
    /// nothing to do.
    pub max_queued_ms: u64,
    /// The share of the workers' tasks that others confirm.
    pub trust: TrustConfig,
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
    };

    /// The usual settings, with leases that last so many milliseconds. Whoever is silent for two of
    /// them is gone, and not waited for to confirm the work of others.
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
pub struct Kept {
    /// The workers that had a part in it: the one that handed it in, and the contributors of the
    /// checkpoint from which that one had resumed.
    pub contributors: Vec<WorkerIdentity>,
    /// The fuel spent until then.
    pub fuel: u64,
}

/// An unfinished task that enters the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admitted {
    /// The task.
    pub task: TaskId,
    /// The failures of the task so far.
    pub attempts: Attempts,
    /// The claims about the task so far.
    pub claims: Vec<Claim>,
    /// Its checkpoint, if there is one.
    pub kept: Option<Kept>,
    /// Whether others wait for it: it goes before those that do not.
    pub is_awaited: bool,
}

impl Admitted {
    /// A task never tried.
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

/// The end of a lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// The certificate with this digest was checked.
    Finished(Finish, CertificateDigest),
    /// Like `Finished`, but the certificate cannot be proved, and took this much fuel: the
    /// coordinator may compute it again.
    Unproved(Finish, CertificateDigest, u64),
    /// The coordinator has computed the task itself, and what was said of it is not so.
    Contradicted,
    /// The attempt failed.
    Failed(Failure),
    /// The computation was stopped from outside.
    Interrupted(InterruptCause),
}

/// A task handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The task.
    pub task: TaskId,
    /// The epoch that it is leased under.
    pub epoch: Epoch,
    /// The memory it may use.
    pub class: MemoryClass,
    /// Whether it goes on from the checkpoint.
    pub resumed: bool,
}

/// The answer to a worker that tells what it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renewed {
    /// Leases that the worker does not hold (any more).
    pub lost: Vec<(TaskId, Epoch)>,
    /// Leases that the worker is to stop.
    pub stop: Vec<(TaskId, Epoch)>,
}

/// The answer to a worker that asks for tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leases {
    /// The state of the leases that the worker listed.
    pub renewed: Renewed,
    /// Tasks handed out.
    pub granted: Vec<Grant>,
}

/// The state of a task after a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// The task is finished with this certificate.
    Finished,
    /// The task is not finished: it failed, or somebody is to confirm the certificate first.
    Open,
}

/// The number of a worker is not known: nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the worker is not known")]
pub struct UnknownWorker;

/// The epoch is not live: nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nobody holds the task under this epoch")]
pub struct Stale;

/// Why something that is said of a lease changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotHeld {
    /// The number of the worker is not known.
    #[error(transparent)]
    UnknownWorker(#[from] UnknownWorker),
    /// The worker does not hold the task under this epoch.
    #[error(transparent)]
    Stale(#[from] Stale),
}

/// There are no numbers left in this generation: nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are no numbers left in this generation")]
pub struct Spent;

/// A consequence of a call for the store and for others. No reply is among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A worker is gone and its leases are back.
    Left(WorkerId),
    /// The task is finished: commit its record.
    Finished {
        /// The task.
        task: TaskId,
        /// How.
        finish: Finish,
    },
    /// The checkpoint of this task is good for nobody any more.
    Dropped(TaskId),
    /// The claims about an unfinished task have changed: keep them.
    ClaimsChanged {
        /// The task.
        task: TaskId,
        /// The claims about the task.
        claims: Vec<Claim>,
    },
    /// The coordinator is to compute the task itself, and to settle it under this epoch: the
    /// workers do not agree and there is nobody else to ask, or what was said of it is put to the
    /// test.
    Arbitrate {
        /// The task.
        task: TaskId,
        /// Its epoch.
        epoch: Epoch,
        /// The fuel that was said to be enough, if that is to be put to the test.
        within: Option<u64>,
    },
    /// A worker that said that the task fails is distrusted: keep what is left of its failures.
    Undone {
        /// The task.
        task: TaskId,
        /// The failures of which others told.
        attempts: Attempts,
        /// The claims of others about the task.
        claims: Vec<Claim>,
    },
    /// The task was seen to advance: keep the count of its failures.
    Advanced {
        /// The task.
        task: TaskId,
        /// The failures of the task so far.
        attempts: Attempts,
    },
    /// A worker gets nothing for a while: it fails at tasks that differ, or lets tasks lie.
    HeldBack {
        /// Who.
        identity: WorkerIdentity,
        /// For how many milliseconds.
        ms: u64,
        /// Why.
        why: Trouble,
    },
    /// A worker was caught: it gets no more tasks.
    Distrusted {
        /// Who.
        identity: WorkerIdentity,
        /// For what.
        why: Misconduct,
    },
    /// The record of this task came from a worker that was caught: it is to be computed again.
    Reopened(TaskId),
    /// The task is ready again after a failure: keep the count.
    Retry {
        /// The task.
        task: TaskId,
        /// Failures so far.
        attempts: Attempts,
        /// The last one.
        failure: Failure,
    },
    /// The task failed too often: keep the evidence, hand it out no more.
    Quarantined {
        /// The task.
        task: TaskId,
        /// Failures.
        attempts: Attempts,
        /// The last one.
        failure: Failure,
        /// Those who say that it fails.
        by: Vec<WorkerIdentity>,
    },
}

/// Why a worker gets nothing for a while.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The worker fails at one task after the other.
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
    /// The worker let games go back again and again, by silence or because they waited too long.
    #[error("it let games lie {times} times and finished none since")]
    Lapsing {
        /// The number of times since the worker last finished a task.
        times: u32,
    },
}
