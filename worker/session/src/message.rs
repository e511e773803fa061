//! The inputs and outputs of a session.

use std::time::Duration;

use misere_census::{InterruptCause, Lease, WorkerId};

/// An event that the session takes into account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The coordinator gave the worker a number; the answer to [`Call::Register`].
    Registered {
        /// The number of the worker.
        worker: WorkerId,
        /// The duration of a lease that is not renewed.
        lease: Duration,
    },
    /// The answer to [`Call::Lease`].
    Leased {
        /// The tasks that the coordinator has leased.
        granted: Vec<GrantedLease>,
        /// The state of the leases held before.
        renewed: Renewal,
        /// Whether the census is finished.
        finished: bool,
        /// The time after which to ask again, if no task was leased.
        retry: Duration,
    },
    /// The answer to [`Call::Heartbeat`].
    Renewed(Renewal),
    /// The current call has failed, and may be made again after this pause.
    Unanswered {
        /// The pause.
        pause: Duration,
    },
    /// The coordinator does not know the number of the worker; an answer to any call.
    UnknownWorker,
    /// The checkpoint from which a task is resumed has arrived, or is not available.
    Fetched(Lease),
    /// A thread has begun to compute a task.
    Begun(Lease),
    /// A computation has written a checkpoint.
    Checkpoint {
        /// The lease of the task.
        lease: Lease,
        /// The fuel spent until then.
        fuel: u64,
    },
    /// A computation has ended.
    Ended(Lease, ComputationEnd),
    /// The checkpoint of this much fuel has arrived at the coordinator, or is not wanted.
    HandedIn {
        /// The lease of the task.
        lease: Lease,
        /// The fuel spent until the checkpoint.
        fuel: u64,
    },
    /// Reports have arrived, or need not be sent any more.
    Delivered(Vec<Lease>),
    /// A guard of this machine stops a task.
    Guarded(Lease, InterruptCause),
    /// The worker is asked to stop.
    Drain,
}

/// The result of a computation, as far as it matters to the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComputationEnd {
    /// There is a certificate.
    Certificate,
    /// The computation failed or was stopped.
    NoCertificate,
}

/// A task that the coordinator has leased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrantedLease {
    /// The lease.
    pub lease: Lease,
    /// Whether there is a checkpoint from which the task is resumed.
    pub resumed: bool,
}

/// The state of the leases that a worker holds, after a renewal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renewal {
    /// Leases that are gone.
    pub lost: Vec<Lease>,
    /// Leases that are to be stopped and given back.
    pub stop: Vec<Lease>,
}

/// The leases that a worker holds, as it reports them to the coordinator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    /// The leases of tasks that were begun, until their reports have arrived.
    pub running: Vec<Lease>,
    /// The leases of tasks that were not begun.
    pub queued: Vec<Lease>,
}

/// A call to the coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// Introduces the worker.
    Register,
    /// Requests tasks, and renews leases.
    Lease {
        /// The number of the worker.
        worker: WorkerId,
        /// The leases held.
        holdings: Holdings,
        /// The number of tasks that could start at once.
        idle: u32,
        /// The number of tasks that could wait behind them.
        room: u32,
    },
    /// Renews leases.
    Heartbeat {
        /// The number of the worker.
        worker: WorkerId,
        /// The leases held.
        holdings: Holdings,
    },
}

/// An action for the shell of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// To make a call.
    ///
    /// The next [`Input::Registered`], [`Input::Leased`], [`Input::Renewed`], [`Input::Unanswered`]
    /// or [`Input::UnknownWorker`] is its result.
    Call(Call),
    /// To fetch the checkpoint of a task; followed by [`Input::Fetched`].
    Fetch(Lease),
    /// To compute a task, from its checkpoint if it was fetched; followed by [`Input::Ended`].
    Start(Lease),
    /// To interrupt the computation of a task.
    Interrupt(Lease, InterruptCause),
    /// To submit the latest checkpoint of a task; followed by [`Input::HandedIn`].
    HandIn(Lease),
    /// To report the result of a task; a task without a result was stopped for this cause.
    ///
    /// Followed by [`Input::Delivered`].
    Report(Lease, InterruptCause),
    /// To stop all work on a lost lease.
    ///
    /// That is its computation, its reports and the transfer of its checkpoints. Each of them still
    /// comes to its end.
    Abandon(Lease),
    /// To forget a lease, which needs no further work.
    Forget(Lease),
    /// To inform people that the worker is asked to stop, and takes no more tasks.
    Draining {
        /// The number of tasks that are being computed or reported.
        running: usize,
        /// The number of tasks that are given back at once.
        queued: usize,
    },
    /// To say goodbye to the coordinator, and to end. Leases still held are granted to others.
    End {
        /// The number of the worker, if it has one.
        worker: Option<WorkerId>,
    },
    /// To end with an error: no coordinator answered within the worker's limit.
    GiveUp {
        /// The limit.
        after: Duration,
    },
}
