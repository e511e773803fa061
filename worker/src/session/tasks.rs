//! The life of a lease in a worker: start of the task, checkpoints, report.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use misere_census::{InterruptCause, Lease, Task};
use misere_theory::control::Interrupt;
use tracing::{Instrument, Span};

use super::{TaskMessage, Worker};
use crate::carriage::Carriage;
use crate::course::{Course, Written};
use crate::delivery::Report;
use crate::held::{Job, Queued};
use crate::link::Reported;
use crate::pool::{Computed, Place, StopReason};

impl Worker {
    /// Starts queued tasks on idle threads.
    pub(super) fn start_queued(&mut self) {
        for _ in 0..self.held.startable(self.settings.slots) {
            let Some(Queued {
                lease,
                task,
                failures,
                resumed,
                renewed,
            }) = self.held.queue.pop_front()
            else {
                return;
            };
            let place = match self.settings.isolation.applies(failures) {
                true => Place::Child,
                false => Place::Here,
            };
            let interrupt = Interrupt::default();
            let job = Job::given(interrupt, renewed);
            if resumed {
                let fetched = self.carriage(lease, Arc::clone(&job.abandoned)).fetch();
                let messages = self.messages.clone();
                let fetch = async move {
                    let from = fetched.await;
                    // Nobody hears it only if the worker is gone.
                    let _ = messages.send(TaskMessage::Fetched(lease, Box::new(task), place, from));
                };
                tokio::spawn(fetch.instrument(task_span(lease)));
            } else {
                self.start(lease, &job, task, place, None);
            }
            self.held.begin(lease, job);
        }
    }

    /// Has a task computed, from a checkpoint if there is one.
    fn start(&self, lease: Lease, job: &Job, task: Task, place: Place, from: Option<Vec<u8>>) {
        let (begun, messages) = (Arc::clone(&job.begun), self.messages.clone());
        let ended = move |computed| {
            let took = begun.get().map(Instant::elapsed);
            // Nobody hears it only if the worker is gone.
            let _ = messages.send(TaskMessage::Ended(lease, computed, took));
        };
        let latest = job.latest.clone();
        let keep = move |written: Written| {
            let (heap, fuel) = (written.heap, written.fuel);
            tracing::info!(heap, fuel, "checkpoint reached");
            latest.set(written);
        };
        let course = Course::new(from, Arc::new(keep));
        let _within = task_span(lease).entered();
        let (interrupt, begun) = (job.interrupt.clone(), Arc::clone(&job.begun));
        self.pool
            .spawn_resumable(task, place, interrupt, begun, course, ended);
    }

    fn carriage(&self, lease: Lease, abandoned: Arc<AtomicBool>) -> Carriage {
        Carriage {
            link: self.link.clone(),
            worker: self.welcome.worker,
            lease,
            abandoned,
        }
    }

    /// Hands in the checkpoints that are due.
    pub(super) fn hand_in_due(&mut self) {
        let every = self.settings.checkpoint_every;
        for (lease, written) in self.held.due(Instant::now(), every) {
            self.hand_in(lease, written);
        }
    }

    /// Sends a checkpoint on its way; the loop hears when it has arrived.
    fn hand_in(&mut self, lease: Lease, written: Arc<Written>) {
        let Some(job) = self.held.jobs.get_mut(&lease) else {
            return;
        };
        job.handing_in = true;
        let abandoned = Arc::clone(&job.abandoned);
        let carriage = self.carriage(lease, abandoned);
        let messages = self.messages.clone();
        let hand_in = async move {
            carriage.hand_in(&written).await;
            // Nobody hears it only if the worker is gone.
            let _ = messages.send(TaskMessage::HandedIn(lease, written.fuel));
        };
        tokio::spawn(hand_in.instrument(task_span(lease)));
    }

    /// Reports what came of a task, unless a checkpoint of it has to arrive first: after the report
    /// it would be stale.
    fn conclude(&mut self, lease: Lease) {
        let Some(job) = self.held.jobs.get_mut(&lease) else {
            return;
        };
        let is_certificate =
            |ended: &(Computed, InterruptCause)| matches!(ended.0, Computed::Certificate(_));
        if !job.ended.as_ref().is_some_and(is_certificate) {
            if job.handing_in {
                return;
            }
            if let Some(written) = job.unseen() {
                return self.hand_in(lease, written);
            }
        }
        let Some((computed, cause)) = job.ended.take() else {
            return;
        };
        let abandoned = Arc::clone(&job.abandoned);
        self.report(lease, computed, cause, abandoned);
    }

    pub(super) fn on_message(&mut self, message: TaskMessage) {
        match message {
            TaskMessage::Ended(lease, computed, took) => {
                let Some(job) = self.held.ended(lease, took) else {
                    return;
                };
                let cause = match job.stop {
                    StopReason::LeaseLost => return self.held.forget(lease),
                    StopReason::Ordered(cause) => cause,
                    StopReason::None => InterruptCause::Shutdown,
                };
                job.ended = Some((computed, cause));
                self.conclude(lease);
            }
            TaskMessage::Fetched(lease, task, place, from) => {
                let Some(job) = self.held.jobs.get(&lease) else {
                    return;
                };
                if job.stop == StopReason::LeaseLost {
                    return self.held.forget(lease);
                }
                self.start(lease, job, *task, place, from);
            }
            TaskMessage::HandedIn(lease, fuel) => {
                let Some(job) = self.held.jobs.get_mut(&lease) else {
                    return;
                };
                job.handing_in = false;
                job.handed_in = job.handed_in.max(fuel);
                job.handed_in_at = Instant::now();
                if job.stop == StopReason::LeaseLost && job.ended.is_some() {
                    self.held.forget(lease);
                } else if job.ended.is_some() {
                    self.conclude(lease);
                }
            }
            TaskMessage::Delivered(delivered) => {
                self.asks_again = true;
                for (lease, reported) in delivered {
                    self.held.forget(lease);
                    if let Some(Reported::Refused(reason)) = reported {
                        tracing::error!(task = %lease.task, epoch = %lease.epoch, reason, "our certificate was refused");
                    }
                }
            }
        }
    }

    /// Sends a result on its way; the loop hears what became of it.
    pub(super) fn report(
        &self,
        lease: Lease,
        computed: Computed,
        cause: InterruptCause,
        abandoned: Arc<AtomicBool>,
    ) {
        // Whoever delivers ends only after this worker.
        let _ = self.deliveries.send(Report {
            worker: self.welcome.worker,
            lease,
            computed,
            cause,
            abandoned,
        });
    }
}

/// The span of log messages about a lease.
fn task_span(lease: Lease) -> Span {
    tracing::error_span!("task", task = %lease.task, epoch = %lease.epoch)
}
