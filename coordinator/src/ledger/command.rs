//! What can be asked of the ledger, and what can follow?

use misere_census::{
    CertificateDigest, Epoch, Failure, InterruptCause, MemoryClass, TaskId, WorkerId,
    WorkerIdentity,
};
use serde::{Deserialize, Serialize};

use super::attempts::Attempts;
use super::trust::TrustTerms;

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
    /// A worker is to hold so much work for each of its slots, in milliseconds.
    pub work_ahead_ms: u64,
    /// How much of the workers' work is done again by others.
    pub trust: TrustTerms,
}

impl LeaseTerms {
    /// The usual terms, with leases that last so many milliseconds. Whoever is silent for two of them is gone, and not waited for to
    /// confirm the work of others.
    #[must_use]
    pub fn lasting(duration_ms: u64) -> Self {
        Self {
            duration_ms,
            trust: TrustTerms {
                wait_for_others_ms: duration_ms.saturating_mul(2),
                ..TrustTerms::default()
            },
            ..Self::default()
        }
    }
}

impl Default for LeaseTerms {
    fn default() -> Self {
        Self {
            duration_ms: 15_000,
            max_failures: 3,
            max_batch: 4_096,
            work_ahead_ms: 2_000,
            trust: TrustTerms::default(),
        }
    }
}

/// What somebody said of a task that is not finished yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Who.
    pub by: WorkerIdentity,
    /// What.
    pub said: Said,
}

/// What can be said of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Said {
    /// A certificate that the checker accepts.
    Certificate(CertificateDigest),
    /// A certificate that the checker refused.
    Refused,
    /// A certificate that the checker accepts, reached from a checkpoint that others had a part in.
    Resumed(CertificateDigest),
    /// The certificate with this digest was reached from a checkpoint that this worker had a part in.
    Helped(CertificateDigest),
}

/// The checkpoint of a task, as far as the ledger is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Who had a part in it: whoever handed it in, and those from whose checkpoints they went on.
    pub makers: Vec<WorkerIdentity>,
    /// The fuel spent until then.
    pub fuel: u64,
}

/// An unfinished task that enters the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admitted {
    /// The task.
    pub task: TaskId,
    /// What became of it so far.
    pub attempts: Attempts,
    /// What was said of it so far.
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

/// How a lease ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// The certificate with this digest was checked.
    Finished(Finish, CertificateDigest),
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
    Register {
        /// Who it is.
        identity: WorkerIdentity,
        /// How many tasks it computes at once.
        slots: u32,
        /// The greatest memory class it offers.
        class: MemoryClass,
    },
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
    /// A worker hands in where a task stands that it computes.
    Keep {
        /// The worker.
        worker: WorkerId,
        /// The task.
        task: TaskId,
        /// The epoch it was leased under.
        epoch: Epoch,
        /// The fuel spent until then.
        fuel: u64,
    },
    /// A worker hands back what is left of a task, as smaller ones that replace it.
    Split {
        /// The worker.
        worker: WorkerId,
        /// The task.
        task: TaskId,
        /// The epoch it was leased under.
        epoch: Epoch,
        /// The tasks that replace it.
        children: Vec<TaskId>,
    },
    /// These tasks are no longer any: leave them, whoever holds them.
    Withdraw(Vec<TaskId>),
    /// Whoever computes this task is to stop (and may split it).
    Stop(TaskId),
    /// Nothing that this worker says is believed from now on.
    Distrust(WorkerIdentity),
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
        /// The memory it may use.
        class: MemoryClass,
        /// Whether it goes on from the checkpoint.
        resumed: bool,
    },
    /// The worker does not hold this lease (any more).
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
    /// The task is finished: commit its record.
    Finished {
        /// The task.
        task: TaskId,
        /// How.
        finish: Finish,
    },
    /// The checkpoint handed in is the latest: keep it, and who had a part in it.
    Kept {
        /// The task.
        task: TaskId,
        /// Who had a part in it.
        makers: Vec<WorkerIdentity>,
    },
    /// The checkpoint of this task is good for nobody any more.
    Dropped(TaskId),
    /// The task is replaced by its children: commit both as one.
    Split {
        /// The task.
        task: TaskId,
        /// The tasks that replace it.
        children: Vec<TaskId>,
    },
    /// What is said of the task has changed, and it is not finished: keep it.
    Doubted {
        /// The task.
        task: TaskId,
        /// What is said of it.
        claims: Vec<Claim>,
    },
    /// The workers do not agree and there is nobody else to ask: the coordinator is to compute the task itself, and to settle it
    /// under this epoch.
    Arbitrate {
        /// The task.
        task: TaskId,
        /// Its epoch.
        epoch: Epoch,
    },
    /// A worker was caught: it gets no more tasks.
    Distrusted {
        /// Who.
        identity: WorkerIdentity,
        /// For what.
        why: Misdeed,
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
    },
}

/// Why a worker is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Misdeed {
    /// It made another certificate of this task than those who are believed.
    OtherCertificate(TaskId),
    /// Its certificates of too many tasks were refused which others could finish.
    RefusedTooOften,
    /// An operator, or the coordinator before this one, said so.
    Told,
}
