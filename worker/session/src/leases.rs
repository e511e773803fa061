//! The leases that a worker holds, and the phase of each.
//!
//! ```text
//! queued ─▶ Fetching ─▶ AtThread ─▶ Running ─▶ Reporting ─▶ forgotten
//!    │          └──────────┴───┬───────┘          ▲
//!    │                      Stopping ─▶ LastCheckpoint
//!    └── given back ──────────────────────────────┘
//! ```
//!
//! A lost lease goes from any phase into `Lost`, until its pending work has ended.

mod job;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use misere_census::{InterruptCause, Lease};

use crate::clock::Timestamp;
use crate::message::{ComputationEnd, GrantedLease, Holdings, Output};
use job::{Follows, Job, Pending, Phase, Queued};

/// The greatest number of tasks that may wait here, or be on their way back.
///
/// The coordinator decides how many wait, since it knows how long they take.
const MAX_WAITING: usize = 2_048;

/// The time for which threads get tasks in advance, so that tiny ones need not wait.
///
/// Otherwise they would wait for the session.
const PREFETCH: Duration = Duration::from_millis(100);

/// The divisor of the decayed mean: each task renews this fraction of the mean time.
const DECAY: u32 = 16;

/// Everything leased to this worker.
#[derive(Debug, Default)]
pub(crate) struct Leases {
    /// The jobs that are being computed or reported.
    jobs: BTreeMap<Lease, Job>,
    /// The tasks that wait for a thread.
    queue: VecDeque<Queued>,
    /// The number of jobs that a thread has or will get.
    computing: usize,
    /// The decayed mean of the time that a task takes; none before the first task has ended.
    mean: Option<Duration>,
}

impl Leases {
    /// Reports whether nothing is being computed or reported.
    pub(crate) fn is_idle(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Returns the number of tasks that are being computed or reported, and of those that wait.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.jobs.len(), self.queue.len())
    }

    /// Returns the leases held, lost ones included.
    pub(crate) fn all(&self) -> impl Iterator<Item = Lease> {
        let queued = self.queue.iter().map(|queued| queued.lease);
        self.jobs.keys().copied().chain(queued)
    }

    /// Returns the number of tasks that the threads may get although they cannot begin at once.
    ///
    /// It is zero if tasks take long, since a task at a thread cannot easily be given to another
    /// worker.
    fn ahead(&self, slots: usize) -> usize {
        let mean = self.mean.unwrap_or(PREFETCH).max(Duration::from_micros(1));
        let each = (PREFETCH.as_nanos() / mean.as_nanos()).saturating_sub(1);
        slots.saturating_mul(usize::try_from(each).unwrap_or(usize::MAX))
    }

    /// Returns the number of further tasks that the threads may get.
    fn startable(&self, slots: usize) -> usize {
        (slots + self.ahead(slots)).saturating_sub(self.computing)
    }

    /// Reports whether the threads are busy for a while, so that results can be handled in batches.
    pub(crate) fn is_busy(&self, slots: usize) -> bool {
        self.computing > 2 * slots
    }

    /// Returns the number of tasks that wait for a thread.
    pub(crate) fn waiting(&self, slots: usize) -> usize {
        (self.computing + self.queue.len()).saturating_sub(slots)
    }

    /// Returns the number of tasks that could start at once, and of those that could wait.
    ///
    /// Both are smaller while many tasks are yet to be reported.
    pub(crate) fn wants(&self, slots: usize) -> (u32, u32) {
        let idle = slots.saturating_sub(self.computing + self.queue.len());
        let here = (self.jobs.len() + self.queue.len()).saturating_sub(slots);
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        (count(idle), count(MAX_WAITING.saturating_sub(here)))
    }

    /// Reports whether to request tasks.
    ///
    /// That is when some thread is idle or half of the queue is gone, unless too much is yet to be
    /// reported.
    pub(crate) fn wants_more(&self, slots: usize, waiting_at_most: usize) -> bool {
        let (idle, room) = self.wants(slots);
        let fewer = self.waiting(slots) * 2 < waiting_at_most;
        room as usize * 4 > MAX_WAITING && (idle > 0 || fewer)
    }

    /// Returns the list of the leases held in the form for the coordinator.
    pub(crate) fn holdings(&self) -> Holdings {
        let told = |runs: bool| {
            let jobs = self.jobs.iter();
            let told = jobs.filter(move |(_, job)| job.phase.runs() == Some(runs));
            told.map(|(&lease, _)| lease)
        };
        let waiting = self.queue.iter().map(|queued| queued.lease);
        Holdings {
            running: told(true).collect(),
            queued: waiting.chain(told(false)).collect(),
        }
    }

    /// Returns the leases of tasks that are being computed and were not interrupted.
    pub(crate) fn running(&self) -> impl Iterator<Item = Lease> {
        let running = |job: &Job| matches!(job.phase, Phase::Running { .. });
        let jobs = self.jobs.iter();
        jobs.filter(move |(_, job)| running(job))
            .map(|(&lease, _)| lease)
    }

    /// Reports whether the last checkpoint of a computation that has ended is being sent.
    pub(crate) fn is_sending_last(&self) -> bool {
        self.jobs.values().any(|job| {
            matches!(
                job.phase,
                Phase::LastCheckpoint { .. } | Phase::Lost(Pending::LastCheckpoint)
            )
        })
    }

    /// Puts a task into the queue.
    pub(crate) fn enqueue(&mut self, granted: GrantedLease, renewed: Timestamp) {
        let GrantedLease { lease, resumed } = granted;
        self.queue.push_back(Queued {
            lease,
            resumed,
            renewed,
        });
    }

    /// Starts tasks of the queue on idle threads.
    pub(crate) fn start_queued(&mut self, slots: usize, now: Timestamp, outputs: &mut Vec<Output>) {
        for _ in 0..self.startable(slots) {
            let Some(queued) = self.queue.pop_front() else {
                return;
            };
            let Queued { lease, renewed, .. } = queued;
            let (phase, output) = match queued.resumed {
                true => (Phase::Fetching, Output::Fetch(lease)),
                false => (Phase::AtThread, Output::Start(lease)),
            };
            self.jobs.insert(lease, Job::new(phase, renewed, now));
            self.computing += 1;
            outputs.push(output);
        }
    }

    /// Gives back all tasks that have not begun.
    pub(crate) fn return_unstarted(&mut self, now: Timestamp, outputs: &mut Vec<Output>) {
        for queued in std::mem::take(&mut self.queue) {
            self.give_back(queued, now, outputs);
        }
        // A thread itself gives back what it has not begun.
        for (&lease, job) in &mut self.jobs {
            if matches!(job.phase, Phase::Fetching | Phase::AtThread) {
                outputs.extend(job.interrupt(lease, InterruptCause::Shutdown));
            }
        }
    }

    fn give_back(&mut self, queued: Queued, now: Timestamp, outputs: &mut Vec<Output>) {
        let Queued { lease, renewed, .. } = queued;
        let phase = Phase::Reporting { begun: false };
        self.jobs.insert(lease, Job::new(phase, renewed, now));
        outputs.push(Output::Report(lease, InterruptCause::Shutdown));
    }

    /// Interrupts the computations of these leases, and gives back those that wait.
    pub(crate) fn stop(&mut self, leases: &[Lease], now: Timestamp, outputs: &mut Vec<Output>) {
        if leases.is_empty() {
            return;
        }
        for &lease in leases {
            self.interrupt(lease, InterruptCause::Shutdown, outputs);
        }
        let (meant, others): (Vec<Queued>, Vec<Queued>) = std::mem::take(&mut self.queue)
            .into_iter()
            .partition(|queued| leases.contains(&queued.lease));
        self.queue = others.into();
        for queued in meant {
            self.give_back(queued, now, outputs);
        }
    }

    /// Interrupts the computation of a lease, unless it was interrupted before.
    pub(crate) fn interrupt(
        &mut self,
        lease: Lease,
        cause: InterruptCause,
        outputs: &mut Vec<Output>,
    ) {
        let job = self.jobs.get_mut(&lease);
        outputs.extend(job.and_then(|job| job.interrupt(lease, cause)));
    }

    /// Interrupts every computation, and forgets the waiting tasks.
    pub(crate) fn interrupt_all(&mut self, outputs: &mut Vec<Output>) {
        let queued = std::mem::take(&mut self.queue);
        outputs.extend(queued.iter().map(|queued| Output::Forget(queued.lease)));
        for (&lease, job) in &mut self.jobs {
            outputs.extend(job.interrupt(lease, InterruptCause::Shutdown));
        }
    }

    /// Interrupts the computations that exceed the time limit.
    pub(crate) fn interrupt_overdue(
        &mut self,
        now: Timestamp,
        limit: Duration,
        outputs: &mut Vec<Output>,
    ) {
        for (&lease, job) in &mut self.jobs {
            let since = job.phase.since();
            if since.is_some_and(|since| now.since(since) >= limit) {
                outputs.extend(job.interrupt(lease, InterruptCause::TimeGuard));
            }
        }
    }

    /// Records that every lease held was renewed at this moment or later.
    pub(crate) fn renew(&mut self, at: Timestamp) {
        let jobs = self.jobs.values_mut().map(|job| &mut job.renewed);
        let queued = self.queue.iter_mut().map(|queued| &mut queued.renewed);
        jobs.chain(queued).for_each(|renewed| *renewed = at);
    }

    /// Gives up leases that are gone.
    pub(crate) fn lose(&mut self, lost: &[Lease], outputs: &mut Vec<Output>) {
        if lost.is_empty() {
            return;
        }
        self.give_up(|lease, _| lost.contains(&lease), outputs);
    }

    /// Gives up every lease, because the worker has lost all of them.
    pub(crate) fn lose_all(&mut self, outputs: &mut Vec<Output>) {
        self.give_up(|_, _| true, outputs);
    }

    /// Gives up the leases that could not be renewed for the whole duration of a lease.
    ///
    /// Other workers may have them by now (A-3).
    pub(crate) fn expire(&mut self, now: Timestamp, duration: Duration, outputs: &mut Vec<Output>) {
        self.give_up(|_, renewed| now.since(renewed) >= duration, outputs);
    }

    fn give_up(&mut self, is_gone: impl Fn(Lease, Timestamp) -> bool, outputs: &mut Vec<Output>) {
        self.queue.retain(|queued| {
            let gone = is_gone(queued.lease, queued.renewed);
            if gone {
                outputs.push(Output::Forget(queued.lease));
            }
            !gone
        });
        for (&lease, job) in &mut self.jobs {
            if is_gone(lease, job.renewed) {
                outputs.extend(job.lose(lease));
            }
        }
    }

    /// Records that the checkpoint to resume from has arrived.
    pub(crate) fn fetched(&mut self, lease: Lease, outputs: &mut Vec<Output>) {
        let follows = self.jobs.get_mut(&lease).map(|job| match job.phase {
            Phase::Fetching => {
                job.phase = Phase::AtThread;
                Follows::Start
            }
            Phase::Stopping {
                cause,
                at_thread: false,
                ..
            } => {
                job.phase = Phase::Reporting { begun: false };
                self.computing -= 1;
                Follows::Report(cause)
            }
            Phase::Lost(Pending::Fetch) => Follows::Forget,
            _ => Follows::Nothing,
        });
        self.follow(lease, follows, outputs);
    }

    /// Records that a thread has begun to compute a task.
    pub(crate) fn begun(&mut self, lease: Lease, at: Timestamp) {
        if let Some(job) = self.jobs.get_mut(&lease) {
            match &mut job.phase {
                Phase::AtThread => job.phase = Phase::Running { since: at },
                Phase::Stopping { since, .. } | Phase::Lost(Pending::Computation { since }) => {
                    *since = Some(at);
                }
                _ => {}
            }
        }
    }

    /// Records that a computation has written a checkpoint.
    pub(crate) fn checkpoint(&mut self, lease: Lease, fuel: u64) {
        if let Some(job) = self.jobs.get_mut(&lease) {
            job.checkpoints.latest = job.checkpoints.latest.max(fuel);
        }
    }

    /// Records that a computation has ended.
    ///
    /// Its report waits for a checkpoint that the coordinator has not seen: after the report the
    /// checkpoint would be stale.
    pub(crate) fn ended(
        &mut self,
        lease: Lease,
        ended: ComputationEnd,
        at: Timestamp,
        outputs: &mut Vec<Output>,
    ) {
        let Some(job) = self.jobs.get_mut(&lease) else {
            return;
        };
        let since = job.phase.since();
        let follows = match job.phase {
            Phase::Lost(Pending::Computation { .. }) => Follows::Forget,
            Phase::AtThread | Phase::Running { .. } | Phase::Stopping { .. } => {
                let cause = match job.phase {
                    Phase::Stopping { cause, .. } => cause,
                    _ => InterruptCause::Shutdown,
                };
                self.computing -= 1;
                match ended {
                    ComputationEnd::Certificate => {
                        job.phase = Phase::Reporting { begun: true };
                        Follows::Report(cause)
                    }
                    ComputationEnd::NoCertificate => job.conclude(cause, since.is_some()),
                }
            }
            _ => return,
        };
        if let Some(since) = since {
            let took = at.since(since);
            let mean = self.mean.unwrap_or(took);
            self.mean = Some(mean - mean / DECAY + took / DECAY);
        }
        self.follow(lease, Some(follows), outputs);
    }

    /// Records that a checkpoint has arrived, or is not wanted.
    pub(crate) fn submitted(
        &mut self,
        lease: Lease,
        fuel: u64,
        at: Timestamp,
        outputs: &mut Vec<Output>,
    ) {
        let follows = self.jobs.get_mut(&lease).map(|job| {
            let checkpoints = &mut job.checkpoints;
            checkpoints.is_sending = false;
            checkpoints.handed_in = checkpoints.handed_in.max(fuel);
            checkpoints.handed_in_at = at;
            match job.phase {
                Phase::LastCheckpoint { cause } => job.conclude(cause, true),
                Phase::Lost(Pending::LastCheckpoint) => Follows::Forget,
                _ => Follows::Nothing,
            }
        });
        self.follow(lease, follows, outputs);
    }

    /// Submits the checkpoints that the coordinator has not seen, once the interval has passed.
    pub(crate) fn submit_due(
        &mut self,
        now: Timestamp,
        every: Duration,
        outputs: &mut Vec<Output>,
    ) {
        for (&lease, job) in &mut self.jobs {
            let checkpoints = &mut job.checkpoints;
            let is_due = matches!(job.phase, Phase::Running { .. } | Phase::Stopping { .. })
                && now.since(checkpoints.handed_in_at) >= every;
            if is_due && checkpoints.are_unseen() {
                checkpoints.is_sending = true;
                outputs.push(Output::HandIn(lease));
            }
        }
    }

    /// Forgets a task that needs no further work.
    pub(crate) fn forget(&mut self, lease: Lease, outputs: &mut Vec<Output>) {
        if let Some(job) = self.jobs.remove(&lease) {
            self.computing -= usize::from(job.phase.is_computing());
            outputs.push(Output::Forget(lease));
        }
    }

    fn follow(&mut self, lease: Lease, follows: Option<Follows>, outputs: &mut Vec<Output>) {
        match follows {
            None | Some(Follows::Nothing) => {}
            Some(Follows::Forget) => self.forget(lease, outputs),
            Some(Follows::Start) => outputs.push(Output::Start(lease)),
            Some(Follows::HandIn) => outputs.push(Output::HandIn(lease)),
            Some(Follows::Report(cause)) => outputs.push(Output::Report(lease, cause)),
        }
    }
}

#[cfg(test)]
mod tests;
