//! A lease that a worker holds: its phase, its checkpoints, and its reactions to events.

use misere_census::{InterruptCause, Lease};

use crate::clock::Timestamp;
use crate::message::Output;

/// The phase of a lease that has left the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The checkpoint from which the task is resumed is being fetched.
    Fetching,
    /// A thread has been given the task and has not begun.
    AtThread,
    /// A thread computes the task.
    Running { since: Timestamp },
    /// The computation was interrupted and has not ended yet.
    Stopping {
        cause: InterruptCause,
        /// The time at which the computation began, if it had begun.
        since: Option<Timestamp>,
        /// Whether a thread has the task.
        at_thread: bool,
    },
    /// The computation has ended without a certificate, and its last checkpoint is on its way.
    LastCheckpoint { cause: InterruptCause },
    /// The result is on its way.
    Reporting { begun: bool },
    /// The lease is gone. It is remembered until this pending work has ended.
    Lost(Pending),
}

/// The pending work of a lost lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pending {
    /// The checkpoint to resume from.
    Fetch,
    /// The computation.
    Computation { since: Option<Timestamp> },
    /// The last checkpoint.
    LastCheckpoint,
    /// The report.
    Report,
}

impl Phase {
    /// Reports whether a thread has the task or will get it.
    pub(super) fn is_computing(self) -> bool {
        match self {
            Self::Fetching
            | Self::AtThread
            | Self::Running { .. }
            | Self::Stopping { .. }
            | Self::Lost(Pending::Fetch | Pending::Computation { .. }) => true,
            Self::LastCheckpoint { .. }
            | Self::Reporting { .. }
            | Self::Lost(Pending::LastCheckpoint | Pending::Report) => false,
        }
    }

    /// Returns the time at which the unfinished computation began.
    pub(super) fn since(self) -> Option<Timestamp> {
        match self {
            Self::Running { since } => Some(since),
            Self::Stopping { since, .. } | Self::Lost(Pending::Computation { since }) => since,
            _ => None,
        }
    }

    /// Returns whether the coordinator learns that the task runs.
    ///
    /// Returns `None` if the lease is not reported at all.
    pub(super) fn runs(self) -> Option<bool> {
        match self {
            Self::Lost(_) => None,
            Self::Fetching | Self::AtThread => Some(false),
            Self::Running { .. } | Self::LastCheckpoint { .. } => Some(true),
            Self::Stopping { since, .. } => Some(since.is_some()),
            Self::Reporting { begun } => Some(begun),
        }
    }
}

/// The checkpoints of one computation, as far as the coordinator has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checkpoints {
    /// The fuel of the latest one; 0 before the first.
    pub(super) latest: u64,
    /// The fuel of the last one that the coordinator has or has refused.
    pub(super) handed_in: u64,
    /// The time of that, or of the start of the task.
    pub(super) handed_in_at: Timestamp,
    /// Whether one is on its way.
    pub(super) is_sending: bool,
}

impl Checkpoints {
    /// Reports whether the coordinator lacks the latest one, and none is on its way.
    pub(super) fn are_unseen(&self) -> bool {
        !self.is_sending && self.latest > self.handed_in
    }
}

/// A lease that has left the queue.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) phase: Phase,
    pub(super) checkpoints: Checkpoints,
    /// The last moment, by this worker's clock, at which the lease was certainly renewed.
    pub(super) renewed: Timestamp,
}

/// A lease whose task waits for a thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queued {
    pub(super) lease: Lease,
    /// Whether the computation is resumed from a checkpoint, which must be fetched.
    pub(super) resumed: bool,
    pub(super) renewed: Timestamp,
}

impl Job {
    pub(super) fn new(phase: Phase, renewed: Timestamp, now: Timestamp) -> Self {
        let checkpoints = Checkpoints {
            latest: 0,
            handed_in: 0,
            handed_in_at: now,
            is_sending: false,
        };
        Self {
            phase,
            checkpoints,
            renewed,
        }
    }

    /// Interrupts the computation with a cause, unless it was interrupted before.
    pub(super) fn interrupt(&mut self, lease: Lease, cause: InterruptCause) -> Option<Output> {
        let (since, at_thread) = match self.phase {
            Phase::Fetching => (None, false),
            Phase::AtThread => (None, true),
            Phase::Running { since } => (Some(since), true),
            _ => return None,
        };
        self.phase = Phase::Stopping {
            cause,
            since,
            at_thread,
        };
        Some(Output::Interrupt(lease, cause))
    }

    /// Marks the lease as gone: no more reports follow.
    pub(super) fn lose(&mut self, lease: Lease) -> Option<Output> {
        let pending = match self.phase {
            Phase::Fetching
            | Phase::Stopping {
                at_thread: false, ..
            } => Pending::Fetch,
            Phase::AtThread => Pending::Computation { since: None },
            Phase::Running { since } => Pending::Computation { since: Some(since) },
            Phase::Stopping { since, .. } => Pending::Computation { since },
            Phase::LastCheckpoint { .. } => Pending::LastCheckpoint,
            Phase::Reporting { .. } => Pending::Report,
            Phase::Lost(_) => return None,
        };
        self.phase = Phase::Lost(pending);
        Some(Output::Abandon(lease))
    }
}

/// A consequence of an event for a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follows {
    Nothing,
    Forget,
    Start,
    HandIn,
    Report(InterruptCause),
}

impl Job {
    /// Reports a task without a certificate, unless its last checkpoint must arrive first.
    pub(super) fn conclude(&mut self, cause: InterruptCause, begun: bool) -> Follows {
        if self.checkpoints.is_sending || self.checkpoints.are_unseen() {
            self.phase = Phase::LastCheckpoint { cause };
            let is_first = !std::mem::replace(&mut self.checkpoints.is_sending, true);
            return match is_first {
                true => Follows::HandIn,
                false => Follows::Nothing,
            };
        }
        self.phase = Phase::Reporting { begun };
        Follows::Report(cause)
    }
}
