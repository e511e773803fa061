//! The state machine of a session: calls, drain, end.

use std::time::Duration;

use misere_census::{Lease, WorkerId};

use crate::clock::Timestamp;
use crate::leases::Leases;
use crate::message::{Call, GrantedLease, Input, Output, Renewal};

/// The interval at which leases and guards are checked. A session is stepped at least that often.
pub const CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// The time for which a worker that ends waits for its computations to notice.
const END_WINDOW: Duration = Duration::from_secs(3);

/// The additional time if last checkpoints are being sent.
const LAST_CHECKPOINT_WINDOW: Duration = Duration::from_secs(7);

/// The settings of a session.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// The number of tasks that the worker computes at once.
    pub slots: usize,
    /// The time that a task may take.
    pub time_limit: Option<Duration>,
    /// The time for which running tasks may go on after the worker was asked to stop.
    pub grace: Duration,
    /// The least time between two checkpoints of a task that are submitted.
    ///
    /// The last one is submitted whenever the task is stopped.
    pub checkpoint_every: Duration,
    /// The time for which the worker waits for a coordinator that is away; forever if `None`.
    pub give_up_after: Option<Duration>,
}

/// The connection of a worker to the coordinator.
#[derive(Debug)]
enum Connection {
    /// The worker has no number, and introduces itself at this time.
    Unregistered { due: Timestamp },
    /// The worker has a number.
    Registered(Registration),
}

/// The state of a worker that has a number.
#[derive(Debug)]
struct Registration {
    worker: WorkerId,
    /// The duration of a lease that is not renewed.
    lease: Duration,
    /// The time at which to request tasks, if there is room for them.
    lease_due: Timestamp,
    /// The time at which to renew leases at the latest.
    heartbeat_due: Timestamp,
    /// Whether the census is finished.
    finished: bool,
    /// The number of tasks that were waiting after the last answer.
    waiting_at_most: usize,
}

/// The progress of a worker towards its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The worker is at work.
    Working,
    /// The worker takes no tasks, and running ones may go on until this time.
    Draining { until: Timestamp },
    /// Everything is interrupted. Reports may arrive until this time.
    Closing {
        until: Timestamp,
        /// Whether the time was extended for last checkpoints.
        is_extended: bool,
    },
    /// The worker has ended.
    Ended,
}

/// The session of a worker with the coordinator.
#[derive(Debug)]
pub struct Session {
    config: Config,
    connection: Connection,
    stage: Stage,
    leases: Leases,
    /// The time at which the current call was sent, if there is one.
    call: Option<Timestamp>,
    /// The time at which the coordinator last answered, or the worker began to look for it.
    answered: Timestamp,
    /// Whether the coordinator may have more tasks than at the last request.
    ///
    /// That is the case once something has arrived there since.
    asks_again: bool,
    /// The time at which leases and guards were last checked.
    checked: Option<Timestamp>,
    outputs: Vec<Output>,
}

impl Session {
    /// Creates the session of a worker that has no number yet.
    #[must_use]
    pub fn new(config: Config, now: Timestamp) -> Self {
        Self {
            config,
            connection: Connection::Unregistered { due: now },
            stage: Stage::Working,
            leases: Leases::default(),
            call: None,
            answered: now,
            asks_again: false,
            checked: None,
            outputs: Vec::new(),
        }
    }

    /// Reports whether the session has ended: nothing follows any more.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.stage == Stage::Ended
    }

    /// Reports whether the threads are busy for a while, so that results can be handled in batches.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.leases.is_busy(self.config.slots)
    }

    /// Returns the leases that the shell has to remember.
    pub fn leases(&self) -> impl Iterator<Item = Lease> {
        self.leases.all()
    }

    /// Returns the leases of tasks that are being computed and were not interrupted.
    pub fn running(&self) -> impl Iterator<Item = Lease> {
        self.leases.running()
    }

    /// Returns the time at which the session must be stepped even if nothing happens.
    #[must_use]
    pub fn wake(&self, now: Timestamp) -> Timestamp {
        let soon = now.after(CHECK_INTERVAL);
        if self.call.is_some() {
            return soon;
        }
        let due = match (&self.stage, &self.connection) {
            (Stage::Closing { until, .. }, _) => *until,
            (_, Connection::Unregistered { due }) => *due,
            (_, Connection::Registered(registered)) => match self.wants_more(registered) {
                true => registered.lease_due,
                false => registered.heartbeat_due,
            },
        };
        due.min(soon)
    }

    /// Takes an event at this time into account; [`step`](Self::step) returns the consequences.
    pub fn input(&mut self, input: Input, at: Timestamp) {
        let outputs = &mut self.outputs;
        match input {
            Input::Registered { worker, lease } => self.registered(worker, lease, at),
            Input::Leased {
                granted,
                renewed,
                finished,
                retry,
            } => self.leased(granted, &renewed, finished, retry, at),
            Input::Renewed(renewed) => {
                if let Some(sent) = self.call.take() {
                    self.renewed(&renewed, sent, at);
                }
            }
            Input::Unanswered { pause } => self.unanswered(pause, at),
            Input::UnknownWorker => {
                self.call = None;
                self.leases.lose_all(outputs);
                self.answered = at;
                self.connection = Connection::Unregistered { due: at };
            }
            Input::Fetched(lease) => self.leases.fetched(lease, outputs),
            Input::Begun(lease) => self.leases.begun(lease, at),
            Input::Checkpoint { lease, fuel } => self.leases.checkpoint(lease, fuel),
            Input::Ended(lease, ended) => self.leases.ended(lease, ended, at, outputs),
            Input::HandedIn { lease, fuel } => self.leases.submitted(lease, fuel, at, outputs),
            Input::Delivered(leases) => {
                for lease in leases {
                    self.leases.forget(lease, outputs);
                }
                self.asks_again = true;
            }
            Input::Guarded(lease, cause) => self.leases.interrupt(lease, cause, outputs),
            Input::Drain => self.drain(at),
        }
    }

    /// Returns the actions to carry out now, in this order.
    pub fn step(&mut self, now: Timestamp) -> Vec<Output> {
        if matches!(self.stage, Stage::Working | Stage::Draining { .. }) {
            match self.is_through(now) {
                true => self.close(now),
                false => self.work(now),
            }
        }
        if let Stage::Closing { until, is_extended } = self.stage {
            self.end_if_due(until, is_extended, now);
        }
        std::mem::take(&mut self.outputs)
    }

    /// Reports whether nothing is left to do, or no time is left to do it.
    fn is_through(&self, now: Timestamp) -> bool {
        if self.call.is_some() {
            return false;
        }
        match (&self.connection, self.stage) {
            (Connection::Unregistered { .. }, Stage::Draining { .. }) => true,
            (_, Stage::Draining { until }) => self.leases.is_idle() || now >= until,
            (Connection::Unregistered { .. }, _) => false,
            (Connection::Registered(registered), _) => registered.finished && self.leases.is_idle(),
        }
    }

    /// Does one round of a worker that has not ended.
    fn work(&mut self, now: Timestamp) {
        self.check_limits(now);
        self.call_if_due(now);
        let Connection::Registered(_) = self.connection else {
            return;
        };
        let outputs = &mut self.outputs;
        self.leases.start_queued(self.config.slots, now, outputs);
        self.leases
            .submit_due(now, self.config.checkpoint_every, outputs);
    }

    /// Gives up leases that could not be renewed, and interrupts tasks that take too long.
    fn check_limits(&mut self, now: Timestamp) {
        let is_due = |last: Timestamp| now >= last.after(CHECK_INTERVAL);
        if !self.checked.is_none_or(is_due) {
            return;
        }
        self.checked = Some(now);
        if let Connection::Registered(registered) = &self.connection {
            self.leases.expire(now, registered.lease, &mut self.outputs);
        }
        if let Some(limit) = self.config.time_limit {
            self.leases.interrupt_overdue(now, limit, &mut self.outputs);
        }
    }

    /// Makes the call that is due, unless another is in flight.
    fn call_if_due(&mut self, now: Timestamp) {
        if self.call.is_some() {
            return;
        }
        let asks_again = std::mem::take(&mut self.asks_again);
        if let Connection::Registered(registered) = &mut self.connection
            && asks_again
        {
            registered.lease_due = registered.lease_due.min(now);
        }
        let call = match &self.connection {
            Connection::Unregistered { due } if now >= *due => Call::Register,
            Connection::Registered(registered)
                if now >= registered.lease_due && self.wants_more(registered) =>
            {
                let (idle, room) = self.leases.wants(self.config.slots);
                Call::Lease {
                    worker: registered.worker,
                    holdings: self.leases.holdings(),
                    idle,
                    room,
                }
            }
            Connection::Registered(registered) if now >= registered.heartbeat_due => {
                Call::Heartbeat {
                    worker: registered.worker,
                    holdings: self.leases.holdings(),
                }
            }
            Connection::Unregistered { .. } | Connection::Registered(_) => return,
        };
        self.call = Some(now);
        self.outputs.push(Output::Call(call));
    }

    /// Reports whether to request tasks.
    fn wants_more(&self, registered: &Registration) -> bool {
        let slots = self.config.slots;
        self.stage == Stage::Working
            && !registered.finished
            && self.leases.wants_more(slots, registered.waiting_at_most)
    }

    fn registered(&mut self, worker: WorkerId, lease: Duration, at: Timestamp) {
        self.call = None;
        self.answered = at;
        self.connection = Connection::Registered(Registration {
            worker,
            lease,
            lease_due: at,
            heartbeat_due: at.after(lease / 3),
            finished: false,
            waiting_at_most: 0,
        });
    }

    fn leased(
        &mut self,
        granted: Vec<GrantedLease>,
        renewed: &Renewal,
        finished: bool,
        retry: Duration,
        at: Timestamp,
    ) {
        let Some(sent) = self.call.take() else {
            return;
        };
        self.renewed(renewed, sent, at);
        let pause = match granted.is_empty() {
            true => retry,
            false => Duration::ZERO,
        };
        for granted in granted {
            self.leases.enqueue(granted, sent);
        }
        // The worker was asked to stop while the coordinator answered.
        if self.stage != Stage::Working {
            self.leases.return_unstarted(at, &mut self.outputs);
        }
        if let Connection::Registered(registered) = &mut self.connection {
            registered.finished = finished;
            registered.lease_due = at.after(pause);
            registered.waiting_at_most = self.leases.waiting(self.config.slots);
        }
    }

    /// Applies the state of the leases that were held when a call was sent.
    fn renewed(&mut self, renewed: &Renewal, sent: Timestamp, at: Timestamp) {
        let outputs = &mut self.outputs;
        self.leases.renew(sent);
        self.leases.lose(&renewed.lost, outputs);
        self.leases.stop(&renewed.stop, at, outputs);
        self.answered = sent;
        if let Connection::Registered(registered) = &mut self.connection {
            registered.heartbeat_due = sent.after(registered.lease / 3);
        }
    }

    /// Waits before the next call, or ends if the worker has waited long enough.
    fn unanswered(&mut self, pause: Duration, at: Timestamp) {
        self.call = None;
        let pause = match self.config.give_up_after {
            None => pause,
            Some(after) => {
                let left = after.saturating_sub(at.since(self.answered));
                if left.is_zero() {
                    self.stage = Stage::Ended;
                    self.outputs.push(Output::GiveUp { after });
                    return;
                }
                pause.min(left)
            }
        };
        let next = at.after(pause);
        match &mut self.connection {
            Connection::Unregistered { due } => *due = next,
            Connection::Registered(registered) => {
                (registered.lease_due, registered.heartbeat_due) = (next, next);
            }
        }
    }

    /// Takes no more tasks, and gives back the waiting ones.
    ///
    /// Other workers need not wait for this worker's grace period.
    fn drain(&mut self, at: Timestamp) {
        if self.stage != Stage::Working {
            return;
        }
        self.stage = Stage::Draining {
            until: at.after(self.config.grace),
        };
        let (running, queued) = self.leases.counts();
        self.outputs.push(Output::Draining { running, queued });
        self.leases.return_unstarted(at, &mut self.outputs);
    }

    /// Interrupts everything; reports in flight may still arrive.
    fn close(&mut self, now: Timestamp) {
        self.leases.interrupt_all(&mut self.outputs);
        self.stage = Stage::Closing {
            until: now.after(END_WINDOW),
            is_extended: false,
        };
    }

    /// Ends as soon as nothing is left, or the time is over.
    fn end_if_due(&mut self, until: Timestamp, is_extended: bool, now: Timestamp) {
        if !self.leases.is_idle() {
            if now < until {
                return;
            }
            if !is_extended && self.leases.is_sending_last() {
                self.stage = Stage::Closing {
                    until: now.after(LAST_CHECKPOINT_WINDOW),
                    is_extended: true,
                };
                return;
            }
        }
        self.stage = Stage::Ended;
        let worker = match &self.connection {
            Connection::Unregistered { .. } => None,
            Connection::Registered(registered) => Some(registered.worker),
        };
        self.outputs.push(Output::End { worker });
    }
}

#[cfg(test)]
mod tests;
