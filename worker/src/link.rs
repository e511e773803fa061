//! The calls of a worker to the coordinator.

use std::time::Duration;

use misere_census::{
    Epoch, Failure, InterruptCause, Lease, MAX_REASON_CHARS, MemoryClass, Task, WorkerId, printable,
};
use misere_proto::report::ReportedOutcome;
use misere_proto::status::status_text;
use misere_proto::translate::list;
use misere_proto::v1::{self, census_client::CensusClient};
use misere_proto::{
    CheckpointAssembler, DialError, LastDialError, MAX_MESSAGE_BYTES, PROTOCOL, RefusalKind,
    ReportHeader, Running, WireError, checkpoint_parts, report_parts,
};
use opentelemetry::trace::SpanContext;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};

use crate::pool::ComputationResult;

/// The limits of the time after which a worker asks again.
///
/// Without them a coordinator could keep a core busy, or a worker away forever.
const MIN_PAUSE: Duration = Duration::from_millis(50);
const MAX_PAUSE: Duration = Duration::from_secs(10 * 60);

/// The limits of the duration of a lease; a third of it passes between two renewals.
const MIN_LEASE: Duration = Duration::from_millis(150);
const MAX_LEASE: Duration = Duration::from_secs(24 * 60 * 60);

fn pause(ms: u64) -> Duration {
    Duration::from_millis(ms).clamp(MIN_PAUSE, MAX_PAUSE)
}

fn lease(ms: u64) -> Duration {
    Duration::from_millis(ms).clamp(MIN_LEASE, MAX_LEASE)
}

/// The time after which a call has failed; reports have more, since checks may take a while.
const CALL_TIMEOUT: Duration = Duration::from_secs(10);
const REPORT_TIMEOUT: Duration = Duration::from_secs(600);

/// The reason why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// The coordinator refused the call, or is away.
    #[error("{}", status_text(.0))]
    Refused(Box<Status>),
    /// The answer cannot be understood.
    #[error("malformed answer: {0}")]
    Malformed(#[from] WireError),
}

impl LinkError {
    /// Returns the reaction that the refusal calls for.
    #[must_use]
    pub fn kind(&self) -> RefusalKind {
        match self {
            Self::Refused(status) => RefusalKind::from(&**status),
            Self::Malformed(_) => RefusalKind::GiveUp,
        }
    }
}

impl LinkError {
    /// Reports whether no later call will succeed.
    ///
    /// The coordinator has another engine or protocol, or it refuses this worker: an operator
    /// banned it, or its certificate lacks the role.
    #[must_use]
    pub fn is_lasting(&self) -> bool {
        let Self::Refused(status) = self else {
            return false;
        };
        let code = status.code();
        matches!(
            code,
            Code::FailedPrecondition | Code::Unimplemented | Code::PermissionDenied
        )
    }

    /// Reports whether a coordinator that knows the worker would refuse the same message again.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self.kind(), RefusalKind::GiveUp | RefusalKind::Oversize)
    }
}

impl From<Status> for LinkError {
    fn from(status: Status) -> Self {
        Self::Refused(Box::new(status))
    }
}

/// The leases that a worker holds, as it reports them to the coordinator.
#[derive(Clone, Debug, Default)]
pub struct Holdings {
    /// The leases that are being computed or reported.
    pub running: Vec<Running>,
    /// The leases that wait behind those.
    pub queued: Vec<Lease>,
}

/// A task that the coordinator has leased.
#[derive(Clone, Debug)]
pub struct LeasedTask {
    /// The task.
    pub task: Task,
    /// The epoch of its lease.
    pub epoch: Epoch,
    /// The number of earlier attempts at the task that failed, on any worker.
    pub failures: u32,
    /// Whether there is a checkpoint from which the task is resumed.
    pub resumed: bool,
    /// The span of the lease, if the coordinator traces it.
    pub span: Option<SpanContext>,
}

/// The introduction of a worker.
#[derive(Clone, Copy, Debug)]
pub struct Introduction<'a> {
    /// Its name, for people.
    pub name: &'a str,
    /// The number of tasks that the worker computes at once.
    pub slots: u32,
    /// The greatest memory class of tasks it takes.
    pub class: MemoryClass,
}

/// The coordinator's answer when a worker introduces itself.
#[derive(Clone, Debug)]
pub struct Welcome {
    /// The number of the worker.
    pub worker: WorkerId,
    /// The duration of a lease that is not renewed.
    pub lease: Duration,
    /// The name of the plan that the census follows, for the log.
    pub census: String,
}

/// The state of the leases that a worker holds, after a renewal.
#[derive(Debug, Default)]
pub struct Renewal {
    /// Leases that are gone.
    pub lost: Vec<Lease>,
    /// Leases that are to be stopped and given back.
    pub stop: Vec<Lease>,
}

/// The tasks that the coordinator has leased.
#[derive(Debug)]
pub struct Leases {
    /// New tasks.
    pub leased: Vec<LeasedTask>,
    /// The state of the leases held before.
    pub renewed: Renewal,
    /// Whether the census is finished.
    pub finished: bool,
    /// The time after which to ask again.
    pub retry: Duration,
    /// The reason why the worker gets no tasks; empty if that is not deliberate.
    pub reserved: String,
}

/// The coordinator's answer to a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportReply {
    /// The result is durable.
    Accepted,
    /// The lease was gone.
    Stale,
    /// The checker refused the certificate.
    Refused(String),
}

/// A connection that is made again whenever it is lost.
#[derive(Clone, Debug)]
pub struct Link {
    client: CensusClient<Channel>,
    last_fault: LastDialError,
}

impl Link {
    /// Returns a link to an address; nothing is sent yet.
    #[must_use]
    pub fn new(endpoint: Endpoint) -> Self {
        Self::over(endpoint.connect_lazy())
    }

    /// Returns a link over a channel.
    #[must_use]
    pub fn over(channel: Channel) -> Self {
        let client = CensusClient::new(channel)
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES);
        Self {
            client,
            last_fault: LastDialError::default(),
        }
    }

    /// Returns a link with a connection that remembers its last fault.
    #[must_use]
    pub fn explained_by(mut self, last_fault: LastDialError) -> Self {
        self.last_fault = last_fault;
        self
    }

    /// Returns the reason why the last connection could not be made, if it is known.
    #[must_use]
    pub fn last_fault(&self) -> Option<DialError> {
        self.last_fault.get()
    }

    /// Introduces a worker that takes tasks of every memory class.
    ///
    /// Returns its number and the duration of leases.
    ///
    /// # Errors
    /// [`LinkError`]
    pub async fn register(
        &mut self,
        name: &str,
        slots: u32,
    ) -> Result<(WorkerId, Duration), LinkError> {
        let class = MemoryClass::TOP;
        let introduction = Introduction { name, slots, class };
        let welcome = self.introduce(introduction).await?;
        Ok((welcome.worker, welcome.lease))
    }

    /// Introduces the worker.
    ///
    /// # Errors
    /// [`LinkError`]
    pub async fn introduce(
        &mut self,
        introduction: Introduction<'_>,
    ) -> Result<Welcome, LinkError> {
        let request = v1::RegisterRequest {
            protocol: PROTOCOL,
            name: introduction.name.to_owned(),
            slots: introduction.slots,
            engine: misere_census::engine_fingerprint(),
            memory_class: introduction.class.number().into(),
        };
        let reply = self
            .client
            .register(timed(request, CALL_TIMEOUT))
            .await?
            .into_inner();
        Ok(Welcome {
            worker: WorkerId(reply.worker),
            lease: lease(reply.lease_ms),
            census: printable(&reply.census, MAX_REASON_CHARS),
        })
    }

    /// Requests tasks.
    ///
    /// # Errors
    /// [`LinkError`]
    pub async fn lease(
        &mut self,
        worker: WorkerId,
        holdings: Holdings,
        idle: u32,
        room: u32,
    ) -> Result<Leases, LinkError> {
        let (running, queued) = wire(holdings);
        let request = v1::LeaseRequest {
            worker: worker.0,
            idle,
            room,
            running,
            queued,
        };
        let reply = self
            .client
            .lease(timed(request, CALL_TIMEOUT))
            .await?
            .into_inner();
        let leased = reply.leased.into_iter().map(|leased| {
            let task = leased.task.ok_or(WireError::Missing("task"))?;
            Ok(LeasedTask {
                task: Task::try_from(task)?,
                epoch: Epoch(leased.epoch),
                failures: leased.failures,
                resumed: leased.resumed,
                span: leased.span.map(SpanContext::try_from).transpose()?,
            })
        });
        Ok(Leases {
            leased: leased.collect::<Result<_, WireError>>()?,
            renewed: Renewal {
                lost: list(reply.lost)?,
                stop: list(reply.stop)?,
            },
            finished: reply.finished,
            retry: pause(reply.retry_ms),
            reserved: printable(&reply.reserved, MAX_REASON_CHARS),
        })
    }

    /// Renews leases.
    ///
    /// # Errors
    /// [`LinkError`]
    pub async fn heartbeat(
        &mut self,
        worker: WorkerId,
        holdings: Holdings,
    ) -> Result<Renewal, LinkError> {
        let (running, queued) = wire(holdings);
        let request = v1::HeartbeatRequest {
            worker: worker.0,
            running,
            queued,
        };
        let reply = self
            .client
            .heartbeat(timed(request, CALL_TIMEOUT))
            .await?
            .into_inner();
        Ok(Renewal {
            lost: list(reply.lost)?,
            stop: list(reply.stop)?,
        })
    }

    /// Submits a checkpoint; `false` if the coordinator does not want it.
    ///
    /// # Errors
    /// [`LinkError`]
    pub async fn keep_checkpoint(
        &mut self,
        worker: WorkerId,
        lease: Lease,
        checkpoint: &[u8],
    ) -> Result<bool, LinkError> {
        let parts = checkpoint_parts(worker, lease, checkpoint.to_vec());
        let request = timed(tokio_stream::iter(parts), REPORT_TIMEOUT);
        let reply = self.client.keep_checkpoint(request).await?.into_inner();
        Ok(reply.kept)
    }

    /// Fetches the checkpoint of a leased task; `None` if there is none, or the lease is gone.
    ///
    /// # Errors
    /// [`LinkError`]
    pub async fn fetch_checkpoint(
        &mut self,
        worker: WorkerId,
        lease: Lease,
    ) -> Result<Option<Vec<u8>>, LinkError> {
        let request = v1::FetchCheckpointRequest {
            worker: worker.0,
            lease: Some(lease.into()),
        };
        let reply = self
            .client
            .fetch_checkpoint(timed(request, REPORT_TIMEOUT))
            .await?;
        let mut parts = reply.into_inner();
        let mut assembler = CheckpointAssembler::default();
        while let Some(part) = parts.message().await? {
            assembler.take(part)?;
        }
        if assembler.header().is_none() {
            return Ok(None);
        }
        let (header, checkpoint) = assembler.finish()?;
        Ok((header.lease == lease).then_some(checkpoint))
    }

    /// Submits the result of one task; `cause` says why it was stopped, if it was stopped.
    ///
    /// # Errors
    /// [`LinkError`]
    pub async fn report(
        &mut self,
        worker: WorkerId,
        lease: Lease,
        computed: &ComputationResult,
        cause: InterruptCause,
    ) -> Result<ReportReply, LinkError> {
        let parts = parts(worker, lease, computed, cause);
        let answers = self.report_all(parts, 1).await?;
        let answer = answers.into_iter().next();
        Ok(answer.ok_or(WireError::Missing("answers"))?)
    }

    /// Submits the results of several tasks, whose messages follow one another.
    ///
    /// Returns one answer per task, in order.
    ///
    /// # Errors
    /// [`LinkError`]
    pub(crate) async fn report_all(
        &mut self,
        parts: Vec<v1::ReportPart>,
        tasks: usize,
    ) -> Result<Vec<ReportReply>, LinkError> {
        let mut request = tonic::Request::new(tokio_stream::iter(parts));
        request.set_timeout(REPORT_TIMEOUT);
        let reply = self.client.report(request).await?.into_inner();
        if reply.answers.len() != tasks {
            return Err(WireError::Missing("answers").into());
        }
        let answers = reply.answers.into_iter().map(ReportReply::try_from);
        Ok(answers.collect::<Result<_, _>>()?)
    }

    /// Gives everything back.
    ///
    /// # Errors
    /// [`LinkError`]
    pub async fn leave(&mut self, worker: WorkerId) -> Result<(), LinkError> {
        self.client
            .leave(timed(v1::LeaveRequest { worker: worker.0 }, CALL_TIMEOUT))
            .await?;
        Ok(())
    }
}

impl TryFrom<v1::ReportAnswer> for ReportReply {
    type Error = WireError;
    fn try_from(wire: v1::ReportAnswer) -> Result<Self, WireError> {
        match v1::ReportVerdict::try_from(wire.verdict) {
            Ok(v1::ReportVerdict::Accepted) => Ok(Self::Accepted),
            Ok(v1::ReportVerdict::Stale) => Ok(Self::Stale),
            Ok(v1::ReportVerdict::Refused) => {
                Ok(Self::Refused(printable(&wire.reason, MAX_REASON_CHARS)))
            }
            Ok(v1::ReportVerdict::Unspecified) | Err(_) => Err(WireError::Unknown {
                field: "verdict",
                value: wire.verdict,
            }),
        }
    }
}

/// Returns the messages that state the result of a task.
///
/// `cause` says why it was stopped, if it was stopped.
pub(crate) fn parts(
    worker: WorkerId,
    lease: Lease,
    computed: &ComputationResult,
    cause: InterruptCause,
) -> Vec<v1::ReportPart> {
    let (outcome, certificate) = match computed {
        ComputationResult::Certificate(bytes) => {
            (ReportedOutcome::Certificate(bytes.len()), bytes.as_slice())
        }
        ComputationResult::Failed(Failure::Guard(cause)) => {
            (ReportedOutcome::Interrupted(*cause), &[][..])
        }
        ComputationResult::Failed(failure) => (ReportedOutcome::Failed(failure.clone()), &[][..]),
        ComputationResult::Stopped => (ReportedOutcome::Interrupted(cause), &[][..]),
    };
    report_parts(
        &ReportHeader {
            worker,
            lease,
            outcome,
        },
        certificate,
    )
}

fn timed<T>(message: T, timeout: Duration) -> tonic::Request<T> {
    let mut request = tonic::Request::new(message);
    request.set_timeout(timeout);
    request
}

fn wire(holdings: Holdings) -> (Vec<v1::Running>, Vec<v1::LeaseKey>) {
    let running = holdings.running.into_iter().map(Into::into).collect();
    (
        running,
        holdings.queued.into_iter().map(Into::into).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_coordinator_keeps_a_worker_busy_or_away() {
        assert_eq!(
            [0, 80, u64::MAX].map(pause).map(|pause| pause.as_millis()),
            [50, 80, 600_000]
        );
        assert_eq!(lease(0), MIN_LEASE);
        assert_eq!(lease(u64::MAX), MAX_LEASE);
    }

    #[test]
    fn lasting_refusals_are_distinguished_from_others() {
        let refused = |status: Status| LinkError::from(status).is_lasting();
        assert!(refused(Status::failed_precondition("protocol 9")));
        assert!(refused(Status::unimplemented("no such call")));
        assert!(refused(Status::permission_denied("banned")));
        assert!(!refused(Status::unavailable("away")));
    }
}
