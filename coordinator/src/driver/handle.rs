//! The handle for requests to the driver.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use misere_census::admission::{VerificationError, VerifiedResult};
use misere_census::{Epoch, Task, TaskId, WorkerId, WorkerIdentity};
use tokio::sync::{mpsc, oneshot};
use tracing::Span;

use misere_ledger::{Ledger, Millis, Report};
use misere_store::{Store, StoreError, VouchedTask};

use super::{
    Answer, Ban, BanError, Driver, Eviction, Introduction, LeaseAnswer, Pardon, RegistrationError,
    ReportAnswer, ReportedLease, UnknownWorkerError, WorkerNameError,
};

/// The only place in the coordinator where clocks are read.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
}

/// A time by both clocks; the monotonic one decides, the other is shown to people.
#[derive(Clone, Copy, Debug)]
pub struct Stamp {
    /// The time of the monotonic clock.
    pub now: Millis,
    /// The time in milliseconds of Unix time.
    pub unix_ms: u64,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            start: Instant::now(),
        }
    }
}

impl Clock {
    /// Returns the time now.
    #[must_use]
    pub fn stamp(&self) -> Stamp {
        let ms =
            |duration: std::time::Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let unix = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Stamp {
            now: Millis(ms(self.start.elapsed())),
            unix_ms: ms(unix),
        }
    }
}

/// The error that the driver has ended: the coordinator is stopping or its store failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the coordinator is stopping")]
pub struct DriverClosedError;

pub(super) struct Message {
    pub(super) stamp: Stamp,
    pub(super) work: Work,
}

/// A submitted certificate with its verdict, ready to be settled.
#[derive(Debug)]
pub(crate) struct Settlement {
    /// The task.
    pub(crate) task: TaskId,
    /// The epoch under which it was claimed.
    pub(crate) epoch: Epoch,
    /// The result of the check.
    pub(crate) verified: Result<VerifiedResult, VerificationError>,
    /// The certificate.
    pub(crate) certificate: Vec<u8>,
    /// The checker on whose word it is accepted; `None` if the coordinator checked it.
    pub(crate) checked_by: Option<WorkerIdentity>,
}

/// A checkpoint that was found to belong to its task.
#[derive(Debug)]
pub struct VerifiedCheckpoint {
    /// The greatest heap known.
    pub heap: u32,
    /// The fuel spent until then.
    pub fuel: u64,
    /// The checkpoint itself.
    pub checkpoint: Vec<u8>,
}

/// Work for the driver, which returns the answer to it.
pub(super) type Work = Box<dyn FnOnce(&mut Driver, Stamp) -> Answer + Send>;

/// The handle for requests; every answer is given after what it says has become durable.
#[derive(Clone, Debug)]
pub struct DriverHandle {
    sender: mpsc::Sender<Message>,
    clock: Clock,
}

/// A handle that does not keep the driver alive; it ends when only such handles are left.
#[derive(Clone, Debug)]
pub(crate) struct WeakDriver {
    sender: mpsc::WeakSender<Message>,
    clock: Clock,
}

impl WeakDriver {
    /// Returns the handle, if the driver is still there.
    pub(crate) fn upgrade(&self) -> Option<DriverHandle> {
        let sender = self.sender.upgrade()?;
        Some(DriverHandle::new(sender, self.clock))
    }
}

impl std::fmt::Debug for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Message")
            .field("stamp", &self.stamp)
            .finish_non_exhaustive()
    }
}

/// All requests fail with [`DriverClosedError`] when the driver has ended.
#[allow(clippy::missing_errors_doc, reason = "said once for all methods above")]
impl DriverHandle {
    pub(super) fn new(sender: mpsc::Sender<Message>, clock: Clock) -> Self {
        Self { sender, clock }
    }

    /// Returns a handle that does not keep the driver at work.
    pub(crate) fn downgrade(&self) -> WeakDriver {
        WeakDriver {
            sender: self.sender.downgrade(),
            clock: self.clock,
        }
    }

    /// Has the driver do something, and waits for the answer.
    ///
    /// What is logged meanwhile is in the span.
    async fn ask<T: Send + 'static>(
        &self,
        span: impl FnOnce() -> Span + Send + 'static,
        work: impl FnOnce(&mut Driver, Stamp) -> T + Send + 'static,
    ) -> Result<T, DriverClosedError> {
        self.begin(span, work)
            .await?
            .await
            .map_err(|_| DriverClosedError)
    }

    /// Has the driver do something; the answer comes later.
    async fn begin<T: Send + 'static>(
        &self,
        span: impl FnOnce() -> Span + Send + 'static,
        work: impl FnOnce(&mut Driver, Stamp) -> T + Send + 'static,
    ) -> Result<oneshot::Receiver<T>, DriverClosedError> {
        let (reply, answer) = oneshot::channel();
        self.send(move |driver, stamp| {
            let value = {
                let _within = span().entered();
                work(driver, stamp)
            };
            Box::new(move || {
                // The caller may have gone; what was done stays done.
                let _ = reply.send(value);
            })
        })
        .await?;
        Ok(answer)
    }

    async fn send(
        &self,
        work: impl FnOnce(&mut Driver, Stamp) -> Answer + Send + 'static,
    ) -> Result<(), DriverClosedError> {
        let message = Message {
            stamp: self.clock.stamp(),
            work: Box::new(work),
        };
        self.sender
            .send(message)
            .await
            .map_err(|_| DriverClosedError)
    }

    /// Informs the driver that time has passed.
    pub async fn tick(&self) -> Result<(), DriverClosedError> {
        self.send(|driver, stamp| {
            driver.apply(stamp, Ledger::tick);
            Box::new(|| ())
        })
        .await
    }

    /// Introduces a worker.
    pub async fn introduce(
        &self,
        introduction: Introduction,
    ) -> Result<Result<WorkerId, RegistrationError>, DriverClosedError> {
        let work = |driver: &mut Driver, stamp| driver.register(stamp, introduction);
        self.ask(Span::none, work).await
    }

    /// Admits a checker, unless an operator or its conduct keeps it out.
    pub(crate) async fn admit_checker(
        &self,
        introduction: Introduction,
    ) -> Result<Result<(), RegistrationError>, DriverClosedError> {
        let work = move |driver: &mut Driver, _| driver.admit_checker(&introduction);
        self.ask(Span::none, work).await
    }

    /// Distrusts a checker that erred at a task.
    pub(crate) async fn distrust_checker(
        &self,
        identity: WorkerIdentity,
        task: TaskId,
    ) -> Result<(), DriverClosedError> {
        let work = move |driver: &mut Driver, stamp| driver.distrust_checker(stamp, identity, task);
        self.ask(Span::none, work).await
    }

    /// Returns up to `most` tasks whose certificates this checker alone has checked.
    ///
    /// Each comes with its certificate, if there is one.
    pub(crate) async fn vouched(
        &self,
        checker: WorkerIdentity,
        most: usize,
    ) -> Result<Result<Vec<VouchedTask>, StoreError>, DriverClosedError> {
        let work = move |driver: &mut Driver, _| driver.vouched(checker, most);
        self.ask(Span::none, work).await
    }

    /// Records which certificates of a checker are proved here, and takes back the others.
    pub(crate) async fn rechecked(
        &self,
        checker: WorkerIdentity,
        proved: Vec<TaskId>,
        refused: Vec<TaskId>,
    ) -> Result<(), DriverClosedError> {
        let work =
            move |driver: &mut Driver, stamp| driver.rechecked(stamp, checker, proved, refused);
        self.ask(Span::none, work).await
    }

    /// Takes back up to `most` results that rest on the word of a distrusted worker alone, from the
    /// task `from` on.
    ///
    /// Returns the tasks in their order, none if none are left.
    pub(crate) async fn take_back(
        &self,
        worker: WorkerIdentity,
        from: TaskId,
        most: usize,
    ) -> Result<Result<Vec<TaskId>, StoreError>, DriverClosedError> {
        let work = move |driver: &mut Driver, _| driver.take_back(worker, from, most);
        self.ask(Span::none, work).await
    }

    /// Records that nothing rests on the word of a distrusted checker or worker any more.
    pub(crate) async fn recheck_done(
        &self,
        checker: WorkerIdentity,
    ) -> Result<Result<(), StoreError>, DriverClosedError> {
        let work = move |driver: &mut Driver, _| driver.recheck_done(checker);
        self.ask(Span::none, work).await
    }

    /// Takes back the leases of the workers of this number or name, and forgets them.
    ///
    /// They may come back.
    pub async fn evict(
        &self,
        who: String,
    ) -> Result<Result<Eviction, WorkerNameError>, DriverClosedError> {
        let work = move |driver: &mut Driver, stamp| driver.evict(stamp, &who);
        self.ask(Span::none, work).await
    }

    /// Bans the workers of this name, or with a certificate of this fingerprint.
    ///
    /// Their unconfirmed results are discarded.
    pub async fn ban(&self, who: String) -> Result<Result<Ban, BanError>, DriverClosedError> {
        let work = move |driver: &mut Driver, stamp| driver.ban(stamp, &who);
        self.ask(Span::none, work).await
    }

    /// Trusts the workers of this name or fingerprint again, and admits them.
    pub async fn pardon(
        &self,
        who: String,
    ) -> Result<Result<Pardon, WorkerNameError>, DriverClosedError> {
        let work = move |driver: &mut Driver, stamp| driver.pardon(stamp, &who);
        self.ask(Span::none, work).await
    }

    /// Requests that the worker computing a task stop it; `false` if no worker computes it.
    pub async fn stop_task(&self, task: TaskId) -> Result<bool, DriverClosedError> {
        let span = move || tracing::error_span!("stop", %task);
        let work = move |driver: &mut Driver, stamp| {
            let stopped = driver.apply(stamp, |ledger, _| ledger.stop(task));
            stopped.is_ok()
        };
        self.ask(span, work).await
    }

    /// Returns the task of a lease, if it is live.
    pub async fn held(
        &self,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
    ) -> Result<Option<Task>, DriverClosedError> {
        let work = move |driver: &mut Driver, _| driver.held(worker, task, epoch);
        self.ask(checkpoint(worker, task, epoch), work).await
    }

    /// Reports which of these leases are live.
    ///
    /// All are queried at once, so that one group of requests answers them.
    pub async fn live(
        &self,
        worker: WorkerId,
        leases: &[(TaskId, Epoch)],
    ) -> Result<Vec<bool>, DriverClosedError> {
        let mut answers = Vec::with_capacity(leases.len());
        for &(task, epoch) in leases {
            let work = move |driver: &mut Driver, _| driver.held(worker, task, epoch).is_some();
            let span = checkpoint(worker, task, epoch);
            answers.push(self.begin(span, work).await?);
        }
        let mut live = Vec::with_capacity(leases.len());
        for answer in answers {
            live.push(answer.await.map_err(|_| DriverClosedError)?);
        }
        Ok(live)
    }

    /// Keeps a checkpoint of a task; `false` if the lease is not live or a later one is there.
    pub async fn keep(
        &self,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
        kept: VerifiedCheckpoint,
    ) -> Result<Result<bool, UnknownWorkerError>, DriverClosedError> {
        let work = move |driver: &mut Driver, stamp| {
            driver.keep_checkpoint(stamp, worker, (task, epoch), kept)
        };
        self.ask(checkpoint(worker, task, epoch), work).await
    }

    /// Returns the checkpoint of a task to the worker that holds it.
    pub async fn fetch(
        &self,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
    ) -> Result<Result<Option<Vec<u8>>, StoreError>, DriverClosedError> {
        let work = move |driver: &mut Driver, _| driver.fetch(worker, task, epoch);
        self.ask(checkpoint(worker, task, epoch), work).await
    }

    /// Requests tasks: `idle` to start at once, `room` to wait behind them. Renews the leases held.
    pub async fn lease(
        &self,
        worker: WorkerId,
        held: Vec<ReportedLease>,
        idle: u32,
        room: u32,
    ) -> Result<Result<LeaseAnswer, UnknownWorkerError>, DriverClosedError> {
        let span = move || tracing::error_span!("lease", %worker);
        let work =
            move |driver: &mut Driver, stamp| driver.lease(stamp, worker, &held, (idle, room));
        self.ask(span, work).await
    }

    /// Renews the leases held.
    pub async fn renew(
        &self,
        worker: WorkerId,
        held: Vec<ReportedLease>,
    ) -> Result<Result<LeaseAnswer, UnknownWorkerError>, DriverClosedError> {
        let span = move || tracing::error_span!("renew", %worker);
        let work = move |driver: &mut Driver, stamp| driver.renew(stamp, worker, &held);
        self.ask(span, work).await
    }

    /// Submits certificates; for each returns its task, if the lease is live.
    ///
    /// It must then be settled.
    pub(crate) async fn claim(
        &self,
        worker: WorkerId,
        leases: Vec<(TaskId, Epoch)>,
    ) -> Result<Result<Vec<Option<Task>>, UnknownWorkerError>, DriverClosedError> {
        // The report is about many tasks; each has its own span in its log lines.
        let span = move || tracing::error_span!("report", %worker);
        let work = move |driver: &mut Driver, stamp| {
            let leases = leases.into_iter();
            let claimed = leases.map(|(task, epoch)| driver.claim(stamp, worker, task, epoch));
            claimed.collect()
        };
        self.ask(span, work).await
    }

    /// Settles certificates that a worker claimed or the coordinator computed.
    pub(crate) async fn settle(
        &self,
        by: Option<WorkerId>,
        settlements: Vec<Settlement>,
    ) -> Result<Vec<ReportAnswer>, DriverClosedError> {
        let span = move || match by {
            Some(worker) => tracing::error_span!("report", %worker),
            None => tracing::error_span!("arbitration"),
        };
        let work = move |driver: &mut Driver, stamp| {
            let settlements = settlements.into_iter();
            let settled = settlements.map(|settlement| driver.settle(stamp, by, settlement));
            settled.collect()
        };
        self.ask(span, work).await
    }

    /// Reports that there is no certificate.
    pub async fn give_up(
        &self,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
        report: Report,
    ) -> Result<Result<ReportAnswer, UnknownWorkerError>, DriverClosedError> {
        let span = move || tracing::error_span!("report", %worker, %task, %epoch);
        let work =
            move |driver: &mut Driver, stamp| driver.give_up(stamp, worker, (task, epoch), report);
        self.ask(span, work).await
    }

    /// Removes a worker that goes away.
    pub async fn leave(&self, worker: WorkerId) -> Result<(), DriverClosedError> {
        let span = move || tracing::error_span!("leave", %worker);
        let work = move |driver: &mut Driver, stamp| {
            // A worker that is not known is gone already.
            let _ = driver.apply(stamp, |ledger, now| ledger.leave(worker, now));
        };
        self.ask(span, work).await
    }

    /// Does something with the store between two commits.
    ///
    /// Tasks it takes out of quarantine are granted again.
    pub async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Store) -> T + Send + 'static,
    ) -> Result<T, DriverClosedError> {
        let work = |driver: &mut Driver, _| {
            let done = work(&mut driver.store);
            driver.look_at_released();
            // So that the caller sees the change in the next snapshot.
            driver.published = None;
            done
        };
        self.ask(Span::none, work).await
    }

    /// Ends the driver once all requests before this one are answered.
    pub async fn stop(&self) -> Result<(), DriverClosedError> {
        let work = |driver: &mut Driver, _| driver.is_stopping = true;
        self.ask(Span::none, work).await
    }
}

/// Returns the span for what is logged about a checkpoint.
fn checkpoint(
    worker: WorkerId,
    task: TaskId,
    epoch: Epoch,
) -> impl FnOnce() -> Span + Send + 'static {
    move || tracing::error_span!("checkpoint", %worker, %task, %epoch)
}
