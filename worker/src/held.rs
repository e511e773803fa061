//! What does a worker hold, and what does it let go?

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use misere_census::{InterruptCause, Task};
use misere_proto::{LeaseKey, Running};
use misere_theory::control::Interrupt;

use crate::course::{Latest, Written};
use crate::link::Holdings;
use crate::pool::{Computed, StopReason};

/// The most tasks that may wait here; how many do is up to the coordinator, which knows how long they take.
const MOST_WAITING: usize = 2_048;

/// Everything leased to this worker.
#[derive(Debug, Default)]
pub(crate) struct Held {
    /// Being computed or reported.
    pub(crate) jobs: BTreeMap<LeaseKey, Job>,
    /// Waiting for a thread.
    pub(crate) queue: VecDeque<Queued>,
}

/// A lease in hand.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) interrupt: Interrupt,
    pub(crate) stop: StopReason,
    /// When its computation began; one that is given back unbegun never did, and one that waits for its checkpoint not yet.
    pub(crate) started: Option<Instant>,
    /// By this worker's clock, the last moment at which the lease was surely renewed.
    pub(crate) renewed: Instant,
    /// Its computation has ended and is being reported.
    pub(crate) reporting: bool,
    /// Seen by the report: do not try again.
    pub(crate) abandoned: Arc<AtomicBool>,
    /// The last checkpoint of its computation.
    pub(crate) latest: Latest,
    /// The fuel of the last checkpoint that the coordinator has seen.
    pub(crate) handed_in: u64,
    /// Whether a checkpoint is on its way.
    pub(crate) handing_in: bool,
    /// When the last one was.
    pub(crate) handed_in_at: Instant,
    /// What came of it, and who stopped it, while its last checkpoint is on its way.
    pub(crate) ended: Option<(Computed, InterruptCause)>,
}

/// A lease whose task waits for a thread.
#[derive(Debug)]
pub(crate) struct Queued {
    pub(crate) lease: LeaseKey,
    pub(crate) task: Task,
    pub(crate) failures: u32,
    /// Whether it goes on from a checkpoint, which is to be fetched.
    pub(crate) resumed: bool,
    pub(crate) renewed: Instant,
}

impl Held {
    /// How many tasks are being computed.
    pub(crate) fn computing(&self) -> usize {
        self.jobs.values().filter(|job| !job.reporting).count()
    }

    /// How many tasks could start at once, and how many could wait.
    pub(crate) fn wants(&self, slots: usize) -> (u32, u32) {
        let computing = self.computing();
        let idle = slots.saturating_sub(computing + self.queue.len());
        let waiting = (computing + self.queue.len()).saturating_sub(slots);
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        (count(idle), count(MOST_WAITING.saturating_sub(waiting)))
    }

    /// As the coordinator is told.
    pub(crate) fn holdings(&self) -> Holdings {
        let ours = || {
            let jobs = self.jobs.iter();
            jobs.filter(|(_, job)| job.stop != StopReason::LeaseLost)
        };
        let is_begun = |job: &Job| job.started.is_some();
        let begun = ours().filter(|(_, job)| is_begun(job));
        let running = begun.map(|(&lease, job)| Running {
            lease,
            progress: job.interrupt.progress(),
        });
        let unbegun = ours().filter(|(_, job)| !is_begun(job));
        let waiting = self.queue.iter().map(|queued| queued.lease);
        Holdings {
            running: running.collect(),
            queued: waiting.chain(unbegun.map(|(&lease, _)| lease)).collect(),
        }
    }

    /// Everything held was surely renewed at this moment or later.
    pub(crate) fn renewed(&mut self, now: Instant) {
        self.jobs.values_mut().for_each(|job| job.renewed = now);
        self.queue
            .iter_mut()
            .for_each(|queued| queued.renewed = now);
    }

    /// Gives up leases that are gone.
    pub(crate) fn lose(&mut self, lost: &[LeaseKey]) {
        for lease in lost {
            self.queue.retain(|queued| queued.lease != *lease);
            if let Some(job) = self.jobs.get_mut(lease) {
                job.abandon();
            }
        }
    }

    /// Stops what is being computed of these leases, and takes out what waits.
    pub(crate) fn stop(&mut self, leases: &[LeaseKey]) -> Vec<Queued> {
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

    /// Jobs of which a checkpoint is due: one that the coordinator has not seen, so long after the last.
    pub(crate) fn due(&self, now: Instant, every: Duration) -> Vec<(LeaseKey, Arc<Written>)> {
        let due = self
            .jobs
            .iter()
            .filter(|(_, job)| !job.reporting && now.duration_since(job.handed_in_at) >= every);
        due.filter_map(|(&lease, job)| Some((lease, job.unseen()?)))
            .collect()
    }

    /// Whether a checkpoint of something that has ended is on its way.
    pub(crate) fn hands_in_last(&self) -> bool {
        self.jobs.values().any(|job| job.ended.is_some())
    }

    /// None of it is ours any more.
    pub(crate) fn drop_everything(&mut self) {
        self.queue.clear();
        self.jobs.values_mut().for_each(Job::abandon);
    }

    /// Lets go what could not be renewed for the whole duration of a lease: others may have it by now.
    pub(crate) fn let_go(&mut self, now: Instant, lease: Duration) {
        self.queue
            .retain(|queued| now.duration_since(queued.renewed) < lease);
        for job in self.jobs.values_mut() {
            if now.duration_since(job.renewed) >= lease {
                job.abandon();
            }
        }
    }

    /// Stops what takes longer than it may.
    pub(crate) fn stop_overdue(&mut self, now: Instant, limit: Duration) {
        for job in self.jobs.values_mut() {
            let overdue = |started| now.duration_since(started) >= limit;
            if !job.reporting && job.started.is_some_and(overdue) {
                job.interrupt_by(InterruptCause::TimeGuard);
            }
        }
    }

    /// Stops the task with the largest quotient.
    pub(crate) fn stop_largest(&mut self) {
        let computing = self
            .jobs
            .values_mut()
            .filter(|job| !job.reporting && job.stop == StopReason::None);
        if let Some(job) = computing.max_by_key(|job| job.interrupt.progress().order) {
            job.interrupt_by(InterruptCause::MemoryGuard);
        }
    }
}

impl Job {
    /// A task whose computation begins now.
    pub(crate) fn begun(interrupt: Interrupt, renewed: Instant) -> Self {
        Self {
            interrupt,
            stop: StopReason::None,
            started: Some(Instant::now()),
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

    /// A task that waits for the checkpoint from which it is to go on.
    pub(crate) fn fetching(interrupt: Interrupt, renewed: Instant) -> Self {
        Self {
            started: None,
            ..Self::begun(interrupt, renewed)
        }
    }

    /// The last checkpoint, if the coordinator has not seen it and none is on its way.
    pub(crate) fn unseen(&self) -> Option<Arc<Written>> {
        let latest = self.latest.get()?;
        (!self.handing_in && self.stop != StopReason::LeaseLost && latest.fuel > self.handed_in)
            .then_some(latest)
    }

    /// A task that is given back before it has begun.
    pub(crate) fn given_back(renewed: Instant) -> Self {
        Self {
            started: None,
            reporting: true,
            ..Self::begun(Interrupt::default(), renewed)
        }
    }

    /// The lease is gone: stop, and tell nobody.
    pub(crate) fn abandon(&mut self) {
        self.stop = StopReason::LeaseLost;
        self.abandoned.store(true, Ordering::Relaxed);
        self.interrupt.raise();
    }

    pub(crate) fn interrupt_by(&mut self, cause: InterruptCause) {
        if self.stop == StopReason::None {
            self.stop = StopReason::Told(cause);
            self.interrupt.raise();
        }
    }
}
