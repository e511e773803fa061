//! The tasks of a session: their computation, their checkpoints, their reports.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use misere_census::{InterruptCause, Lease, Task, WorkerId};
use misere_game::control::{Interrupt, Progress};
use misere_proto::span::record_stage;
use misere_session::{ComputationEnd, Input};
use opentelemetry::trace::SpanContext;
use tracing::{Instrument, Span};

use super::Worker;
use crate::checkpoint_io::{CheckpointData, CheckpointIo};
use crate::checkpoint_transfer::CheckpointTransfer;
use crate::delivery::{Report, ReportAnswers};
use crate::link::{LeasedTask, Link, ReportReply};
use crate::pool::{ComputationResult, Place};

/// An event about a lease, outside the main loop.
pub(super) enum Event {
    /// A thread has begun to compute the task.
    Begun(Lease, Instant),
    /// The computation has written a checkpoint.
    Checkpoint(Lease, CheckpointData),
    /// The computation has ended.
    Ended(Lease, ComputationResult, Instant),
    /// The checkpoint from which a task is resumed has arrived, if it is available.
    Fetched(Lease, Option<Vec<u8>>),
    /// The checkpoint of this much fuel was submitted, or is not wanted.
    HandedIn(Lease, u64),
    /// Reports were answered, or need not be sent any more.
    Delivered(ReportAnswers),
}

/// The data of a lease that the session does not need.
pub(super) struct Job {
    /// The number under which the worker got the lease.
    worker: WorkerId,
    /// The task, until it is started.
    task: Option<Task>,
    /// The number of earlier attempts at the task that failed.
    failures: u32,
    interrupt: Interrupt,
    /// The flag by which reports and checkpoints learn that they need not be sent again.
    abandoned: Arc<AtomicBool>,
    /// The checkpoint from which the task is resumed, until it is started.
    from: Option<Vec<u8>>,
    /// The latest checkpoint of the computation.
    latest: Option<Arc<CheckpointData>>,
    /// The result, until it is reported; none if the task was not begun.
    computed: Option<ComputationResult>,
    /// The span of the lease, if it is traced.
    span: Option<SpanContext>,
    /// The beginning of the current stage: the computation, or the report.
    stage_began: Option<Instant>,
}

impl Job {
    pub(super) fn new(worker: WorkerId, leased: LeasedTask) -> Self {
        Self {
            worker,
            task: Some(leased.task),
            failures: leased.failures,
            interrupt: Interrupt::default(),
            abandoned: Arc::default(),
            from: None,
            latest: None,
            computed: None,
            span: leased.span,
            stage_began: None,
        }
    }

    /// Returns the progress of the computation.
    pub(super) fn progress(&self) -> Progress {
        self.interrupt.progress()
    }

    /// Stops all work on a lost lease.
    pub(super) fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
        self.interrupt.raise();
    }

    /// Records the end of a stage of the lease, if it is traced.
    fn end_stage(&mut self, stage: &'static str) {
        if let (Some(span), Some(began)) = (&self.span, self.stage_began.take()) {
            record_stage(span, stage, began, Vec::new());
        }
    }

    fn transfer(&self, link: &Link, lease: Lease) -> CheckpointTransfer {
        CheckpointTransfer {
            link: link.clone(),
            worker: self.worker,
            lease,
            abandoned: Arc::clone(&self.abandoned),
        }
    }
}

impl Worker {
    /// Informs the session of an event.
    pub(super) fn on_event(&mut self, event: Event) {
        match event {
            Event::Begun(lease, at) => {
                if let Some(job) = self.jobs.get_mut(&lease) {
                    job.stage_began = Some(at);
                }
                let at = self.timestamp(at);
                self.session.input(Input::Begun(lease), at);
            }
            Event::Checkpoint(lease, written) => {
                let fuel = written.fuel;
                if let Some(job) = self.jobs.get_mut(&lease) {
                    job.latest = Some(Arc::new(written));
                }
                self.input(Input::Checkpoint { lease, fuel });
            }
            Event::Ended(lease, computed, at) => {
                let ended = match computed {
                    ComputationResult::Certificate(_) => ComputationEnd::Certificate,
                    ComputationResult::Failed(_) | ComputationResult::Stopped => {
                        ComputationEnd::NoCertificate
                    }
                };
                if let Some(job) = self.jobs.get_mut(&lease) {
                    job.end_stage("solve");
                    job.computed = Some(computed);
                }
                let at = self.timestamp(at);
                self.session.input(Input::Ended(lease, ended), at);
            }
            Event::Fetched(lease, from) => {
                if let Some(job) = self.jobs.get_mut(&lease) {
                    job.from = from;
                }
                self.input(Input::Fetched(lease));
            }
            Event::HandedIn(lease, fuel) => self.input(Input::HandedIn { lease, fuel }),
            Event::Delivered(delivered) => {
                for (lease, reported) in &delivered {
                    if let Some(job) = self.jobs.get_mut(lease) {
                        job.end_stage("report");
                    }
                    if let Some(ReportReply::Refused(reason)) = reported {
                        tracing::error!(task = %lease.task, epoch = %lease.epoch, reason, "our certificate was refused");
                    }
                }
                let leases = delivered.into_iter().map(|(lease, _)| lease);
                self.input(Input::Delivered(leases.collect()));
            }
        }
    }

    /// Fetches the checkpoint of a task.
    pub(super) fn fetch(&self, lease: Lease) {
        let Some(job) = self.jobs.get(&lease) else {
            return;
        };
        let fetched = job.transfer(&self.link, lease).fetch();
        let events = self.events.clone();
        let fetch = async move {
            let from = fetched.await;
            // Sending fails only if the worker is gone.
            let _ = events.send(Event::Fetched(lease, from));
        };
        tokio::spawn(fetch.instrument(task_span(lease)));
    }

    /// Has a task computed, from its checkpoint if there is one.
    pub(super) fn start(&mut self, lease: Lease) {
        let Some(job) = self.jobs.get_mut(&lease) else {
            return;
        };
        let Some(task) = job.task.take() else {
            return;
        };
        let place = match self.settings.isolation.applies(job.failures) {
            true => Place::Child,
            false => Place::Here,
        };
        // Sending these events fails only if the worker is gone.
        let events = self.events.clone();
        let begun = move || {
            let _ = events.send(Event::Begun(lease, Instant::now()));
        };
        let events = self.events.clone();
        let keep = move |written: CheckpointData| {
            let (heap, fuel) = (written.heap, written.fuel);
            tracing::info!(heap, fuel, "checkpoint reached");
            let _ = events.send(Event::Checkpoint(lease, written));
        };
        let events = self.events.clone();
        let ended = move |computed| {
            let _ = events.send(Event::Ended(lease, computed, Instant::now()));
        };
        let checkpoints = CheckpointIo::new(job.from.take(), Arc::new(keep));
        let interrupt = job.interrupt.clone();
        let _within = task_span(lease).entered();
        self.pool
            .spawn_resumable(task, place, interrupt, begun, checkpoints, ended);
    }

    /// Interrupts a computation.
    pub(super) fn interrupt(&self, lease: Lease, cause: InterruptCause) {
        if cause == InterruptCause::Shutdown && !self.is_draining {
            tracing::info!(task = %lease.task, epoch = %lease.epoch, "asked to stop this task");
        }
        if let Some(job) = self.jobs.get(&lease) {
            job.interrupt.raise();
        }
    }

    /// Sends the latest checkpoint of a task.
    pub(super) fn submit(&self, lease: Lease) {
        let Some(job) = self.jobs.get(&lease) else {
            return;
        };
        let Some(written) = job.latest.clone() else {
            return;
        };
        let transfer = job.transfer(&self.link, lease);
        let events = self.events.clone();
        let hand_in = async move {
            transfer.submit(&written).await;
            // Sending fails only if the worker is gone.
            let _ = events.send(Event::HandedIn(lease, written.fuel));
        };
        tokio::spawn(hand_in.instrument(task_span(lease)));
    }

    /// Sends a result.
    pub(super) fn report(&mut self, lease: Lease, cause: InterruptCause) {
        let Some(job) = self.jobs.get_mut(&lease) else {
            return;
        };
        job.stage_began = Some(Instant::now());
        // The delivery ends only after this worker.
        let _ = self.deliveries.send(Report {
            worker: job.worker,
            lease,
            computed: job.computed.take().unwrap_or(ComputationResult::Stopped),
            cause,
            abandoned: Arc::clone(&job.abandoned),
        });
    }
}

/// Returns the span of log messages about a lease.
fn task_span(lease: Lease) -> Span {
    tracing::error_span!("task", task = %lease.task, epoch = %lease.epoch)
}
