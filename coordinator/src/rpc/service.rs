//! The service of workers.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use misere_census::{
    Epoch, Failure, InterruptCause, Lease, MemoryClass, PlanId, TaskId, WorkerId, WorkerIdentity,
    admission::VerificationError, printable,
};
use misere_game::control::Progress;
use misere_proto::report::ReportedOutcome;
use misere_proto::translate::list;
use misere_proto::v1::{self, census_server::Census, report_part::Part};
use misere_proto::{
    CallError, MAX_MESSAGE_BYTES, PROTOCOL, RefusalKind, ReportAssembler, ReportHeader, Running,
};
use prost::Message;
use tokio::sync::{Semaphore, watch};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status, Streaming};
use tracing::{Instrument, Span};

use misere_ledger::{HeldLease, LeaseConfig, Report};

use super::caller::Caller;
use super::identities::Identities;
use super::message_budget::{BudgetReservation, MessageBudget, Pace, Sender};
use super::orders::{Order, Orders};
use crate::check_threads::CertificateVerifier;
use crate::driver::{
    DriverClosedError, DriverHandle, GrantedTask, Introduction, LeaseAnswer, RegistrationError,
    ReportAnswer, ReportedLease, Snapshot, UnknownWorkerError,
};
use crate::intake::{IntakeError, Submission, WorkerSource, submit};

/// The time after which a worker whose work is cancelled should ask again, in milliseconds.
const RETRY_MS: u64 = 200;

/// The time after which a worker should ask again while the census is paused, in milliseconds.
const PAUSED_RETRY_MS: u64 = 2_000;

/// The longest time that any call may take; checks of large certificates take a while.
pub(super) const CALL: Duration = Duration::from_secs(600);

/// The number of checkpoints that are read at once.
const READING: usize = 2;

/// The memory of a header, in bytes.
const HEADER_BYTES: usize = 256;

/// The share of a lease reply that is for tasks.
///
/// The rest is for lost leases, at most [`MAX_LISTED`](misere_proto::MAX_LISTED) of them.
const TASKS_BYTES: usize = MAX_MESSAGE_BYTES / 2;

/// The greatest number of characters kept of a worker's name.
pub(super) const MAX_NAME_CHARS: usize = 100;

/// The greatest number of characters that are read of the fingerprint of a worker's engine.
pub(super) const MAX_ENGINE_CHARS: usize = 200;

/// The messages in which a checkpoint is sent out.
pub(super) type CheckpointParts = ReceiverStream<Result<v1::CheckpointPart, Status>>;

/// The service of workers.
#[derive(Clone, Debug)]
pub struct CensusService {
    pub(super) driver: DriverHandle,
    verifier: CertificateVerifier,
    terms: LeaseConfig,
    orders: Orders,
    snapshots: watch::Receiver<Snapshot>,
    plan: PlanId,
    span: Span,
    /// The memory for certificates and checkpoints in transit.
    pub(super) room: MessageBudget,
    /// The permits to read a checkpoint, which takes a thread that may block.
    pub(super) reading: Arc<Semaphore>,
    /// The certificates behind the numbers of workers.
    identities: Identities,
}

impl CensusService {
    /// Creates the service over a driver and a verifier.
    #[must_use]
    pub fn new(
        driver: DriverHandle,
        verifier: CertificateVerifier,
        terms: LeaseConfig,
        orders: Orders,
        snapshots: watch::Receiver<Snapshot>,
        (plan, generation): (PlanId, u32),
    ) -> Self {
        Self {
            driver,
            verifier,
            terms,
            orders,
            snapshots,
            plan,
            span: tracing::error_span!("census", %plan, generation),
            room: MessageBudget::default(),
            reading: Arc::new(Semaphore::new(READING)),
            identities: Identities::default(),
        }
    }

    /// Returns the log span of calls about the census.
    pub(super) fn span(&self) -> Span {
        self.span.clone()
    }

    /// Returns the certificates that the workers show.
    pub(crate) fn identities(&self) -> Identities {
        self.identities.clone()
    }

    /// Checks that a worker's number belongs to the caller.
    ///
    /// Where no certificates are shown, numbers are taken on trust.
    pub(super) fn check_owner(
        &self,
        worker: WorkerId,
        caller: Option<&Caller>,
    ) -> Result<(), CallError> {
        self.identities.check(worker, caller)
    }

    fn own(&self, worker: WorkerId, caller: &Caller, host: Option<IpAddr>) {
        let living = || {
            let there = self.snapshots.borrow();
            there.workers.iter().map(|at| at.worker).collect()
        };
        self.identities.joined(worker, caller, host, living);
    }

    /// Returns the driver's answer to a request for tasks, within the operator's orders.
    async fn leases(
        &self,
        worker: WorkerId,
        held: Vec<ReportedLease>,
        idle: u32,
        room: u32,
    ) -> Result<LeaseAnswer, CallError> {
        let order = self.orders.for_worker(worker);
        let answer = match order {
            Order::Lease => self.driver.lease(worker, held, idle, room).await,
            Order::Pause | Order::Drain | Order::Cancel => self.driver.renew(worker, held).await,
        };
        let mut answer = answer.map_err(stopping)?.map_err(unknown)?;
        answer.finished |= matches!(order, Order::Drain | Order::Cancel);
        self.keep_to_message_size(worker, &mut answer).await?;
        Ok(answer)
    }

    /// Takes back tasks that make the reply larger than a message.
    ///
    /// A single task that is too large fails.
    async fn keep_to_message_size(
        &self,
        worker: WorkerId,
        answer: &mut LeaseAnswer,
    ) -> Result<(), CallError> {
        let sizes = answer.granted.iter();
        let sizes = sizes.map(|granted| leased(granted).encoded_len() + FRAME);
        let fitting = fitting(sizes, TASKS_BYTES);
        for surplus in answer.granted.split_off(fitting) {
            let id = surplus.task.id();
            let report = if fitting == 0 {
                tracing::error!(task = %id, "the task is larger than a message");
                Report::Failed(Failure::computation("the task is larger than a message"))
            } else {
                Report::Interrupted(InterruptCause::Shutdown)
            };
            let taken = self.driver.give_up(worker, id, surplus.epoch, report).await;
            taken.map_err(stopping)?.map_err(unknown)?;
            if fitting == 0 {
                tracing::warn!(task = %id, "counted as a failure");
            }
        }
        Ok(())
    }

    /// Assembles the parts of a report.
    ///
    /// A part that is too large is a failure of the task, since an honest worker knows the limit.
    /// The leases of a small report are looked up once it is whole. Of any other report, only parts
    /// for leases of the caller are kept.
    /// nothing is kept that is not for a lease of the caller's.
    async fn assemble(
        &self,
        mut parts: Streaming<v1::ReportPart>,
        caller: Option<&Caller>,
    ) -> Result<(Vec<(ReportHeader, Vec<u8>)>, BudgetReservation), Status> {
        let mut assembler = ReportAssembler::default();
        let mut reserved = self.room.enter();
        let pace = Pace::start();
        let mut received = 0;
        // The number of headers whose leases have been looked up.
        let mut looked_at = 0;
        loop {
            let part = pace.next(received, parts.message()).await?;
            let part = match part {
                Ok(Some(part)) => part,
                Ok(None) => break,
                Err(status) => {
                    if let Some(header) = assembler.header()
                        && RefusalKind::from(&status) == RefusalKind::Oversize
                    {
                        self.note_oversize(header, &status).await?;
                    }
                    return Err(status);
                }
            };
            received += match &part.part {
                Some(Part::Chunk(chunk)) => chunk.len(),
                _ => HEADER_BYTES,
            };
            let is_header = assembler.take(part).map_err(CallError::from)?;
            let Some(header) = assembler.header() else {
                continue;
            };
            let worker = header.worker;
            if is_header {
                self.check_owner(worker, caller)?;
            }
            let kept = |assembler: &ReportAssembler| {
                assembler.kept() + HEADER_BYTES * assembler.headers().len()
            };
            if reserved.is_of_small_messages() {
                if reserved.grow(kept(&assembler)).is_ok() {
                    continue;
                }
                reserved = self.room.reserve(sender(worker, caller));
            }
            if looked_at < assembler.headers().len() {
                self.skip_stale(&mut assembler, &mut looked_at).await?;
            }
            reserved.grow(kept(&assembler))?;
        }
        Ok((assembler.finish().map_err(CallError::from)?, reserved))
    }

    /// Skips certificates for leases that are not live, from a header on.
    async fn skip_stale(
        &self,
        assembler: &mut ReportAssembler,
        from: &mut usize,
    ) -> Result<(), CallError> {
        let headers = assembler.headers().skip(*from);
        let leases: Vec<_> = headers
            .map(|header| (header.lease.task, header.lease.epoch))
            .collect();
        let Some(worker) = assembler.header().map(|header| header.worker) else {
            return Ok(());
        };
        let live = self.driver.live(worker, &leases).await.map_err(stopping)?;
        for (place, is_live) in (*from..).zip(live) {
            if !is_live {
                assembler.skip(place);
            }
        }
        *from += leases.len();
        Ok(())
    }

    async fn note_oversize(&self, header: &ReportHeader, status: &Status) -> Result<(), CallError> {
        let &ReportHeader { worker, lease, .. } = header;
        let Lease { task, epoch } = lease;
        let reason = status.message();
        tracing::warn!(%worker, %task, %epoch, reason, "report refused: a message is too large");
        let report = Report::Failed(Failure::computation(reason));
        let noted = self
            .driver
            .give_up(worker, lease.task, lease.epoch, report)
            .await;
        noted.map_err(stopping)?.map(drop).map_err(unknown)
    }

    /// Settles outcomes, even if the sender hangs up; returns one answer for each outcome.
    async fn receive(
        self,
        reports: Vec<(ReportHeader, Vec<u8>)>,
    ) -> Result<Vec<ReportAnswer>, CallError> {
        // All are of one worker.
        let Some(worker) = reports.first().map(|(header, _)| header.worker) else {
            return Ok(Vec::new());
        };
        let mut leased = WorkerSource::to(worker, self.driver.clone());
        let submissions = reports.into_iter().map(|(header, certificate)| {
            let outcome = match header.outcome {
                ReportedOutcome::Certificate(_) => Ok(certificate),
                ReportedOutcome::Failed(failure) => Err(Report::Failed(failure)),
                ReportedOutcome::Interrupted(cause) => Err(Report::Interrupted(cause)),
            };
            Submission {
                right: header.lease,
                outcome,
            }
        });
        let submitted = submit(&mut leased, &self.verifier, submissions.collect());
        submitted.await.map_err(|why| match why {
            IntakeError::Gone(gone) => stopping(gone),
            IntakeError::UnknownWorker => CallError::UnknownWorker,
        })
    }
}

#[tonic::async_trait]
impl Census for CensusService {
    async fn register(
        &self,
        request: Request<v1::RegisterRequest>,
    ) -> Result<Response<v1::RegisterReply>, Status> {
        let caller = caller(&request);
        let host = request.remote_addr().map(|peer| peer.ip());
        let v1::RegisterRequest {
            protocol,
            name: claimed,
            slots,
            engine: found,
            memory_class,
        } = request.into_inner();
        let claimed = printable(&claimed, MAX_NAME_CHARS);
        let found = printable(&found, MAX_ENGINE_CHARS);
        let class = MemoryClass::new(u8::try_from(memory_class).unwrap_or(u8::MAX));
        if protocol != PROTOCOL {
            tracing::warn!(name = claimed, protocol, "worker refused: another protocol");
            return Err(CallError::Protocol { found: protocol }.into());
        }
        let here = misere_census::engine_fingerprint();
        if found != here {
            tracing::warn!(
                name = claimed,
                found,
                here,
                "worker refused: another engine"
            );
            return Err(CallError::Engine { found, here }.into());
        }
        let name = shown_name(&claimed, caller.as_ref());
        // The identity over all its connections: the name of its certificate, or its own name, up
        // to a slash.
        let identity = WorkerIdentity::named(name.split('/').next().unwrap_or_default());
        let fingerprint = caller.as_ref().map(|caller| caller.fingerprint.to_string());
        let introduction = Introduction {
            identity,
            name: name.clone(),
            fingerprint: fingerprint.clone(),
            slots,
            class,
        };
        let introduced = self.driver.introduce(introduction).await;
        let worker = introduced.map_err(stopping)?.map_err(|why| match why {
            RegistrationError::Banned => CallError::Banned,
            RegistrationError::Distrusted => CallError::Distrusted(why.to_string()),
            RegistrationError::Spent => CallError::Stopping,
        })?;
        if let Some(caller) = &caller {
            self.own(worker, caller, host);
        }
        tracing::info!(%worker, name, slots, memory_class = %class, fingerprint, "worker joined");
        Ok(Response::new(v1::RegisterReply {
            worker: worker.0,
            lease_ms: self.terms.duration_ms,
            census: self.plan.to_string(),
        }))
    }

    async fn lease(
        &self,
        request: Request<v1::LeaseRequest>,
    ) -> Result<Response<v1::LeaseReply>, Status> {
        let caller = caller(&request);
        let v1::LeaseRequest {
            worker,
            idle,
            room,
            running,
            queued,
        } = request.into_inner();
        let worker = WorkerId(worker);
        self.check_owner(worker, caller.as_ref())?;
        let held = held(running, queued)?;
        let all = keys(&held);
        let LeaseAnswer {
            granted,
            lost,
            stop,
            finished,
            retry_ms,
            reserved,
        } = self.leases(worker, held, idle, room).await?;
        let (lost, retry_ms) = match self.orders.for_worker(worker) {
            Order::Cancel => (all, RETRY_MS),
            Order::Pause => (lost, PAUSED_RETRY_MS),
            Order::Lease | Order::Drain => (lost, retry_ms),
        };
        Ok(Response::new(v1::LeaseReply {
            leased: granted.iter().map(leased).collect(),
            lost: wire(lost),
            finished,
            retry_ms,
            stop: wire(stop),
            reserved: reserved.unwrap_or_default(),
        }))
    }

    async fn heartbeat(
        &self,
        request: Request<v1::HeartbeatRequest>,
    ) -> Result<Response<v1::HeartbeatReply>, Status> {
        let caller = caller(&request);
        let v1::HeartbeatRequest {
            worker,
            running,
            queued,
        } = request.into_inner();
        let worker = WorkerId(worker);
        self.check_owner(worker, caller.as_ref())?;
        let held = held(running, queued)?;
        let all = keys(&held);
        let answer = self.driver.renew(worker, held).await.map_err(stopping)?;
        let (lost, stop) = match self.orders.for_worker(worker) {
            Order::Cancel => (all, Vec::new()),
            _ => {
                let LeaseAnswer { lost, stop, .. } = answer.map_err(unknown)?;
                (lost, stop)
            }
        };
        let (lost, stop) = (wire(lost), wire(stop));
        Ok(Response::new(v1::HeartbeatReply { lost, stop }))
    }

    async fn report(
        &self,
        request: Request<Streaming<v1::ReportPart>>,
    ) -> Result<Response<v1::ReportReply>, Status> {
        let caller = caller(&request);
        let parts = request.into_inner();
        let (reports, reserved) = self.assemble(parts, caller.as_ref()).await?;
        // On a task of its own: a claimed certificate must be settled even if the worker hangs up.
        let service = self.clone();
        let receiving = async move {
            let received = service.receive(reports).await;
            drop(reserved);
            received
        };
        let receiving = tokio::spawn(receiving.instrument(Span::current()));
        let answers = receiving.await.map_err(|_| CallError::Stopping)??;
        if answers.contains(&ReportAnswer::Refused(VerificationError::Stopped)) {
            return Err(CallError::Stopping.into());
        }
        let answers = answers.into_iter().map(Into::into).collect();
        Ok(Response::new(v1::ReportReply { answers }))
    }

    async fn keep_checkpoint(
        &self,
        request: Request<Streaming<v1::CheckpointPart>>,
    ) -> Result<Response<v1::KeepCheckpointReply>, Status> {
        let caller = caller(&request);
        let kept = self
            .take_checkpoint(request.into_inner(), caller.as_ref())
            .await?;
        Ok(Response::new(v1::KeepCheckpointReply { kept }))
    }

    type FetchCheckpointStream = CheckpointParts;

    async fn fetch_checkpoint(
        &self,
        request: Request<v1::FetchCheckpointRequest>,
    ) -> Result<Response<CheckpointParts>, Status> {
        let caller = caller(&request);
        let parts = self
            .give_checkpoint(request.into_inner(), caller.as_ref())
            .await?;
        Ok(Response::new(parts))
    }

    async fn leave(
        &self,
        request: Request<v1::LeaveRequest>,
    ) -> Result<Response<v1::LeaveReply>, Status> {
        let worker = WorkerId(request.get_ref().worker);
        self.check_owner(worker, caller(&request).as_ref())?;
        self.identities.left(worker);
        self.orders.forget(worker);
        self.driver.leave(worker).await.map_err(stopping)?;
        Ok(Response::new(v1::LeaveReply {}))
    }
}

impl From<ReportAnswer> for v1::ReportAnswer {
    fn from(answer: ReportAnswer) -> Self {
        let (verdict, reason) = match answer {
            ReportAnswer::Accepted => (v1::ReportVerdict::Accepted, String::new()),
            ReportAnswer::Stale => (v1::ReportVerdict::Stale, String::new()),
            ReportAnswer::Refused(refused) => (v1::ReportVerdict::Refused, refused.to_string()),
        };
        Self {
            verdict: verdict.into(),
            reason,
        }
    }
}

/// Returns the caller; `None` where no certificates are shown.
fn caller<T>(request: &Request<T>) -> Option<Caller> {
    request.extensions().get::<Caller>().cloned()
}

/// Returns the sender to whose share of the room a message counts.
pub(super) fn sender(worker: WorkerId, caller: Option<&Caller>) -> Sender {
    match caller {
        Some(caller) => Sender::Certificate(caller.fingerprint),
        None => Sender::Worker(worker),
    }
}

/// Returns the name of a worker for people.
///
/// It is the name in its certificate, followed by the name that it claims, if that differs.
pub(super) fn shown_name(claimed: &str, caller: Option<&Caller>) -> String {
    let claimed = printable(claimed, MAX_NAME_CHARS);
    match caller.map(|caller| caller.name.to_string()) {
        None => claimed,
        Some(name) if claimed.is_empty() || claimed == name => name,
        Some(name) => format!("{name}/{claimed}"),
    }
}

/// The greatest number of bytes of the tag and the length before an entry of a list.
const FRAME: usize = 8;

/// Returns the number of entries that fit into a number of bytes.
fn fitting(sizes: impl Iterator<Item = usize>, bytes: usize) -> usize {
    let ends = sizes.scan(0_usize, |end, size| {
        *end = end.saturating_add(size);
        Some(*end)
    });
    ends.take_while(|&end| end <= bytes).count()
}

/// Returns a granted task as it is sent.
fn leased(granted: &GrantedTask) -> v1::Leased {
    v1::Leased {
        epoch: granted.epoch.0,
        task: Some((&granted.task).into()),
        failures: granted.failures,
        resumed: granted.resumed,
        span: granted.span.as_ref().map(v1::LeaseSpan::from),
    }
}

fn wire(leases: Vec<(TaskId, Epoch)>) -> Vec<v1::LeaseKey> {
    leases
        .into_iter()
        .map(|(task, epoch)| Lease { task, epoch }.into())
        .collect()
}

fn keys(held: &[ReportedLease]) -> Vec<(TaskId, Epoch)> {
    held.iter()
        .map(|held| (held.lease.task, held.lease.epoch))
        .collect()
}

fn held(
    running: Vec<v1::Running>,
    queued: Vec<v1::LeaseKey>,
) -> Result<Vec<ReportedLease>, CallError> {
    let lease = |Lease { task, epoch }, running| HeldLease {
        task,
        epoch,
        running,
    };
    let running = list::<_, Running>(running)?
        .into_iter()
        .map(|running| ReportedLease {
            lease: lease(running.lease, true),
            progress: running.progress,
        });
    let queued = list::<_, Lease>(queued)?
        .into_iter()
        .map(|queued| ReportedLease {
            lease: lease(queued, false),
            progress: Progress::default(),
        });
    Ok(running.chain(queued).collect())
}

pub(super) fn stopping(_: DriverClosedError) -> CallError {
    CallError::Stopping
}

pub(super) fn unknown(_: UnknownWorkerError) -> CallError {
    CallError::UnknownWorker
}

#[cfg(test)]
mod tests;
