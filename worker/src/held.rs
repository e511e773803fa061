//! The leases that a worker holds, and when they expire by its own clock.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use misere_census::{InterruptCause, Lease, Task};
use misere_proto::Running;
use misere_theory::control::Interrupt;

use crate::course::{Latest, Written};
use crate::link::Holdings;
use crate::pool::{Computed, StopReason};

/// The most tasks that may wait here, or be on their way back; how many wait is up to the
/// coordinator, which knows how long they take.
const MAX_WAITING: usize = 2_048;

/// The time for which threads are given tasks in advance, so that tiny ones need not wait for the
/// loop to come round.
const PREFETCH_TIME: Duration = Duration::from_millis(100);

/// The divisor of the decayed mean: each task renews one part in this many of the mean time of a
/// task.
const DECAY: u32 = 16;

/// Everything leased to this worker.
#[derive(Debug, Default)]
pub(crate) struct Held {
    /// The jobs that are being computed or reported.
    pub(crate) jobs: BTreeMap<Lease, Job>,
    /// The tasks that wait for a thread.
    pub(crate) queue: VecDeque<Queued>,
    /// The number of jobs that are not being reported.
    computing: usize,
    /// The decayed mean of the time that a task takes; none before the first.
    mean: Option<Duration>,
}

/// A lease that is being computed or reported.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) interrupt: Interrupt,
    pub(crate) stop: StopReason,
    /// The time at which the computation began, if it has. Before that the job may wait for a
    /// thread or for its checkpoint, or be given back.
    pub(crate) begun: Arc<OnceLock<Instant>>,
    /// By this worker's clock, the last moment at which the lease was surely renewed.
    pub(crate) renewed: Instant,
    /// Whether the computation has ended and is being reported.
    pub(crate) reporting: bool,
    /// The flag by which the report learns that it need not try again.
    pub(crate) abandoned: Arc<AtomicBool>,
    /// The last checkpoint of its computation.
    pub(crate) latest: Latest,
    /// The fuel of the last checkpoint that the coordinator has seen.
    pub(crate) handed_in: u64,
    /// Whether a checkpoint is on its way.
    pub(crate) handing_in: bool,
    /// The time at which the last checkpoint was handed in.
    pub(crate) handed_in_at: Instant,
    /// The result of the computation, and the cause of its stop, while its last checkpoint is being
    /// sent.
    pub(crate) ended: Option<(Computed, InterruptCause)>,
}

/// A lease whose task waits for a thread.
#[derive(Debug)]
pub(crate) struct Queued {
    pub(crate) lease: Lease,
    pub(crate) task: Task,
    pub(crate) failures: u32,
    /// Whether the computation is resumed from a checkpoint, which has to be fetched.
    pub(crate) resumed: bool,
    pub(crate) renewed: Instant,
}

impl Held {
    /// Takes up a task.
    pub(crate) fn begin(&mut self, lease: Lease, job: Job) {
        self.computing += usize::from(!job.reporting);
        self.jobs.insert(lease, job);
    }

    /// Marks the computation of a task as ended: it is now to be reported. `None` if the lease is
    /// gone.
    pub(crate) fn ended(&mut self, lease: Lease, took: Option<Duration>) -> Option<&mut Job> {
        let job = self.jobs.get_mut(&lease).filter(|job| !job.reporting)?;
        job.reporting = true;
        self.computing -= 1;
        if let Some(took) = took {
            let mean = self.mean.unwrap_or(took);
            self.mean = Some(mean - mean / DECAY + took / DECAY);
        }
        Some(job)
    }

    /// Forgets a task, about which nothing more is to be done.
    pub(crate) fn forget(&mut self, lease: Lease) {
        let job = self.jobs.remove(&lease);
        self.computing -= usize::from(job.is_some_and(|job| !job.reporting));
    }

    /// The number of tasks that the threads may be given although they cannot begin at once: none
    /// if tasks take long, since what waits at a thread cannot be given to another worker so
    /// easily.
    fn ahead(&self, slots: usize) -> usize {
        let mean = self
            .mean
            .unwrap_or(PREFETCH_TIME)
            .max(Duration::from_micros(1));
        let each = (PREFETCH_TIME.as_nanos() / mean.as_nanos()).saturating_sub(1);
        slots.saturating_mul(usize::try_from(each).unwrap_or(usize::MAX))
    }

    /// The number of further tasks that the threads may be given.
    pub(crate) fn startable(&self, slots: usize) -> usize {
        (slots + self.ahead(slots)).saturating_sub(self.computing)
    }

    /// Whether the threads are busy for a while, so that results need not be handled one by one.
    pub(crate) fn is_busy(&self, slots: usize) -> bool {
        self.computing > 2 * slots
    }

    /// The number of tasks that wait for a thread.
    pub(crate) fn waiting(&self, slots: usize) -> usize {
        (self.computing + self.queue.len()).saturating_sub(slots)
    }

    /// The number of tasks that could start at once, and of those that could wait: fewer while many
    /// are yet to be reported.
    pub(crate) fn wants(&self, slots: usize) -> (u32, u32) {
        let idle = slots.saturating_sub(self.computing + self.queue.len());
        let here = (self.jobs.len() + self.queue.len()).saturating_sub(slots);
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        (count(idle), count(MAX_WAITING.saturating_sub(here)))
    }

    /// Whether to ask for tasks: some thread is idle, or half of the queue is gone; unless too much
    /// is yet to be reported.
    pub(crate) fn wants_more(&self, slots: usize, waiting_at_most: usize) -> bool {
        let (idle, room) = self.wants(slots);
        let fewer = self.waiting(slots) * 2 < waiting_at_most;
        room as usize * 4 > MAX_WAITING && (idle > 0 || fewer)
    }

    /// The list of the leases held, as it is sent to the coordinator.
    pub(crate) fn holdings(&self) -> Holdings {
        let ours = || {
            let jobs = self.jobs.iter();
            jobs.filter(|(_, job)| job.stop != StopReason::LeaseLost)
        };
        let begun = ours().filter(|(_, job)| job.begun.get().is_some());
        let running = begun.map(|(&lease, job)| Running {
            lease,
            progress: job.interrupt.progress(),
        });
        let unbegun = ours().filter(|(_, job)| job.begun.get().is_none());
        let waiting = self.queue.iter().map(|queued| queued.lease);
        Holdings {
            running: running.collect(),
            queued: waiting.chain(unbegun.map(|(&lease, _)| lease)).collect(),
        }
    }

    /// Notes that every lease held was renewed at this moment or later.
    pub(crate) fn renewed(&mut self, now: Instant) {
        self.jobs.values_mut().for_each(|job| job.renewed = now);
        self.queue
            .iter_mut()
            .for_each(|queued| queued.renewed = now);
    }

    /// Drops leases that are gone.
    pub(crate) fn lose(&mut self, lost: &[Lease]) {
        for lease in lost {
            self.queue.retain(|queued| queued.lease != *lease);
            if let Some(job) = self.jobs.get_mut(lease) {
                job.abandon();
            }
        }
    }

    /// Stops the computations of these leases, and removes those that wait.
    pub(crate) fn stop(&mut self, leases: &[Lease]) -> Vec<Queued> {
        for lease in leases {
            if let Some(job) = self.jobs.get_mut(lease).filter(|job| !job.reporting) {
                if job.stop == StopReason::None {
                    tracing::info!(task = %lease.task, epoch = %lease.epoch, "told to stop this task");
                }
                job.interrupt_by(InterruptCause::Shutdown);
            }
        }
        let is_meant = |queued: &Queued| leases.contains(&queued.lease);
        let queue = std::mem::take(&mut self.queue).into_iter();
        let (meant, others): (Vec<_>, VecDeque<_>) = {
            let (meant, others): (Vec<_>, Vec<_>) = queue.partition(is_meant);
            (meant, others.into())
        };
        self.queue = others;
        meant
    }

    /// The jobs of which a checkpoint is due: one that the coordinator has not seen, so long after
    /// the last.
    pub(crate) fn due(&self, now: Instant, every: Duration) -> Vec<(Lease, Arc<Written>)> {
        let due = self
            .jobs
            .iter()
            .filter(|(_, job)| !job.reporting && now.duration_since(job.handed_in_at) >= every);
        due.filter_map(|(&lease, job)| Some((lease, job.unseen()?)))
            .collect()
    }

    /// Whether a checkpoint of a computation that has ended is being sent.
    pub(crate) fn hands_in_last(&self) -> bool {
        self.jobs.values().any(|job| job.ended.is_some())
    }

    /// Drops every lease, because none of them is ours any more.
    pub(crate) fn drop_everything(&mut self) {
        self.queue.clear();
        self.jobs.values_mut().for_each(Job::abandon);
    }

    /// Drops the leases that could not be renewed for the whole duration of a lease: others may
    /// have them by now.
    pub(crate) fn let_go(&mut self, now: Instant, lease: Duration) {
        self.queue
            .retain(|queued| now.duration_since(queued.renewed) < lease);
        for job in self.jobs.values_mut() {
            if now.duration_since(job.renewed) >= lease {
                job.abandon();
            }
        }
    }

    /// Stops the tasks that exceed the time limit.
    pub(crate) fn stop_overdue(&mut self, now: Instant, limit: Duration) {
        for job in self.jobs.values_mut() {
            let overdue = |&begun| now.duration_since(begun) >= limit;
            if !job.reporting && job.begun.get().is_some_and(overdue) {
                job.interrupt_by(InterruptCause::TimeGuard);
            }
        }
    }

    /// Stops the task with the largest quotient.
    pub(crate) fn stop_largest(&mut self) {
        let computing = self
            .jobs
            .values_mut()
            .filter(|job| !job.reporting && job.stop == StopReason::None)
            .filter(|job| job.begun.get().is_some());
        if let Some(job) = computing.max_by_key(|job| job.interrupt.progress().order) {
            job.interrupt_by(InterruptCause::MemoryGuard);
        }
    }
}

impl Job {
    /// A task that a thread is to compute.
    pub(crate) fn given(interrupt: Interrupt, renewed: Instant) -> Self {
        Self {
            interrupt,
            stop: StopReason::None,
            begun: Arc::default(),
            renewed,
            reporting: false,
            abandoned: Arc::default(),
            latest: Latest::default(),
            handed_in: 0,
            handing_in: false,
            handed_in_at: Instant::now(),
            ended: None,
        }
    }

    /// The last checkpoint, if the coordinator has not seen it and none is being sent.
    pub(crate) fn unseen(&self) -> Option<Arc<Written>> {
        let latest = self.latest.get()?;
        (!self.handing_in && self.stop != StopReason::LeaseLost && latest.fuel > self.handed_in)
            .then_some(latest)
    }

    /// A task that is given back before its computation has begun.
    pub(crate) fn given_back(renewed: Instant) -> Self {
        Self {
            reporting: true,
            ..Self::given(Interrupt::default(), renewed)
        }
    }

    /// Marks the lease as gone: its computation is stopped, and nothing is reported.
    pub(crate) fn abandon(&mut self) {
        self.stop = StopReason::LeaseLost;
        self.abandoned.store(true, Ordering::Relaxed);
        self.interrupt.raise();
    }

    pub(crate) fn interrupt_by(&mut self, cause: InterruptCause) {
        if self.stop == StopReason::None {
            self.stop = StopReason::Ordered(cause);
            self.interrupt.raise();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use misere_census::{Epoch, TaskId};

    fn lease(n: u64) -> Lease {
        Lease {
            task: TaskId([0; 32]),
            epoch: Epoch(n),
        }
    }

    fn given(tasks: std::ops::Range<u64>) -> Held {
        let mut held = Held::default();
        for n in tasks {
            held.begin(lease(n), Job::given(Interrupt::default(), Instant::now()));
        }
        held
    }

    #[test]
    fn threads_are_given_tiny_tasks_ahead_and_long_ones_not() {
        assert_eq!(Held::default().startable(2), 2);
        let mut held = given(0..2);
        assert_eq!(held.startable(2), 0);
        held.ended(lease(0), Some(Duration::from_micros(100)));
        assert_eq!(held.startable(2), 2 * 1_000 - 1);
        let mut held = given(0..2);
        held.ended(lease(0), Some(Duration::from_secs(60)));
        assert_eq!(held.startable(2), 1);
        // What was never begun says nothing.
        let mut held = given(0..2);
        held.ended(lease(0), None);
        assert_eq!(held.startable(2), 1);
    }

    #[test]
    fn what_waits_at_a_thread_is_not_running() {
        let held = given(0..3);
        let _ = held.jobs[&lease(1)].begun.set(Instant::now());
        let holdings = held.holdings();
        let running: Vec<_> = holdings.running.iter().map(|at| at.lease).collect();
        assert_eq!(running, [lease(1)]);
        assert_eq!(holdings.queued, [lease(0), lease(2)]);
        assert_eq!(held.waiting(1), 2);
    }

    #[test]
    fn who_has_much_to_report_asks_for_nothing() {
        let most = MAX_WAITING as u64;
        let mut held = given(0..most);
        for n in 0..most {
            held.ended(lease(n), None);
        }
        assert_eq!(held.wants(2), (2, 2));
        assert!(!held.wants_more(2, 0));
        (0..most).for_each(|n| held.forget(lease(n)));
        assert!(held.wants_more(2, 0));
        assert_eq!(held.startable(2), 2);
    }
}
