//! What happens to a worker's call?

use misere_census::{Failure, WorkerId};
use misere_proto::report::ReportedOutcome;
use misere_proto::translate::list;
use misere_proto::v1::{self, census_server::Census};
use misere_proto::{LeaseKey, PROTOCOL, Refusal, ReportAssembler, ReportHeader, Running};
use misere_theory::control::Progress;
use tonic::{Request, Response, Status, Streaming};

use crate::driver::{DriverHandle, Gone, Held, LeaseAnswer, ReportAnswer, UnknownWorker};
use crate::judge::{Judge, Refused};
use crate::ledger::{HeldLease, LeaseTerms, Report};

/// When a worker that got nothing should ask again, in milliseconds.
const RETRY_MS: u64 = 200;

/// The most characters kept of a worker's name.
const MAX_NAME_CHARS: usize = 100;

/// The service of workers.
#[derive(Clone, Debug)]
pub struct CensusService {
    driver: DriverHandle,
    judge: Judge,
    terms: LeaseTerms,
}

impl CensusService {
    /// The service in front of a driver and a judge.
    #[must_use]
    pub fn new(driver: DriverHandle, judge: Judge, terms: LeaseTerms) -> Self {
        Self {
            driver,
            judge,
            terms,
        }
    }

    /// Takes a report from whoever sent it to its end, even if the sender does not wait for it.
    async fn receive(
        self,
        header: ReportHeader,
        certificate: Vec<u8>,
    ) -> Result<ReportAnswer, Refusal> {
        let ReportHeader {
            worker,
            lease: LeaseKey { task, epoch },
            outcome,
        } = header;
        let report = match outcome {
            ReportedOutcome::Certificate(_) => {
                let claimed = self
                    .driver
                    .claim(worker, task, epoch)
                    .await
                    .map_err(stopping)?;
                let Some(work) = claimed.map_err(unknown)? else {
                    return Ok(ReportAnswer::Stale);
                };
                let (judged, certificate) = self.judge.judge(work, certificate).await;
                let settled = self
                    .driver
                    .settle(worker, task, epoch, judged, certificate)
                    .await;
                return settled.map_err(stopping);
            }
            ReportedOutcome::Failed(reason) => Report::Failed(Failure::computation(&reason)),
            ReportedOutcome::Interrupted(cause) => Report::Interrupted(cause),
        };
        let given_up = self
            .driver
            .give_up(worker, task, epoch, report)
            .await
            .map_err(stopping)?;
        given_up.map_err(unknown)
    }
}

#[tonic::async_trait]
impl Census for CensusService {
    async fn register(
        &self,
        request: Request<v1::RegisterRequest>,
    ) -> Result<Response<v1::RegisterReply>, Status> {
        let v1::RegisterRequest {
            protocol,
            name,
            slots,
        } = request.into_inner();
        if protocol != PROTOCOL {
            return Err(Refusal::Protocol { found: protocol }.into());
        }
        let name = name
            .chars()
            .filter(|c| !c.is_control())
            .take(MAX_NAME_CHARS)
            .collect();
        let worker = self.driver.register(name, slots).await.map_err(stopping)?;
        Ok(Response::new(v1::RegisterReply {
            worker: worker.0,
            lease_ms: self.terms.duration_ms,
        }))
    }

    async fn lease(
        &self,
        request: Request<v1::LeaseRequest>,
    ) -> Result<Response<v1::LeaseReply>, Status> {
        let v1::LeaseRequest {
            worker,
            idle,
            room,
            running,
            queued,
        } = request.into_inner();
        let held = held(running, queued)?;
        let answer = self
            .driver
            .lease(WorkerId(worker), held, idle, room)
            .await
            .map_err(stopping)?;
        let LeaseAnswer {
            granted,
            lost,
            finished,
        } = answer.map_err(unknown)?;
        let leased = granted
            .iter()
            .map(|granted| v1::Leased {
                epoch: granted.epoch.0,
                task: Some((&granted.task).into()),
            })
            .collect();
        let lost = lost
            .into_iter()
            .map(|(task, epoch)| LeaseKey { task, epoch }.into())
            .collect();
        Ok(Response::new(v1::LeaseReply {
            leased,
            lost,
            finished,
            retry_ms: RETRY_MS,
        }))
    }

    async fn heartbeat(
        &self,
        request: Request<v1::HeartbeatRequest>,
    ) -> Result<Response<v1::HeartbeatReply>, Status> {
        let v1::HeartbeatRequest {
            worker,
            running,
            queued,
        } = request.into_inner();
        let held = held(running, queued)?;
        let answer = self
            .driver
            .renew(WorkerId(worker), held)
            .await
            .map_err(stopping)?;
        let lost = answer.map_err(unknown)?.lost;
        let lost = lost
            .into_iter()
            .map(|(task, epoch)| LeaseKey { task, epoch }.into())
            .collect();
        Ok(Response::new(v1::HeartbeatReply { lost }))
    }

    async fn report(
        &self,
        request: Request<Streaming<v1::ReportPart>>,
    ) -> Result<Response<v1::ReportReply>, Status> {
        let mut parts = request.into_inner();
        let mut assembler = ReportAssembler::default();
        while let Some(part) = parts.message().await? {
            assembler.take(part).map_err(Refusal::from)?;
        }
        let (header, certificate) = assembler.finish().map_err(Refusal::from)?;
        // On a task of its own: a certificate claimed must be settled even if the worker hangs up.
        let receiving = tokio::spawn(self.clone().receive(header, certificate));
        let answer = receiving.await.map_err(|_| Refusal::Stopping)??;
        let (verdict, reason) = match answer {
            ReportAnswer::Accepted => (v1::ReportVerdict::Accepted, String::new()),
            ReportAnswer::Stale => (v1::ReportVerdict::Stale, String::new()),
            ReportAnswer::Refused(Refused::Stopped) => return Err(Refusal::Stopping.into()),
            ReportAnswer::Refused(refused) => (v1::ReportVerdict::Refused, refused.to_string()),
        };
        Ok(Response::new(v1::ReportReply {
            verdict: verdict.into(),
            reason,
        }))
    }

    async fn leave(
        &self,
        request: Request<v1::LeaveRequest>,
    ) -> Result<Response<v1::LeaveReply>, Status> {
        let worker = WorkerId(request.into_inner().worker);
        self.driver.leave(worker).await.map_err(stopping)?;
        Ok(Response::new(v1::LeaveReply {}))
    }
}

fn held(running: Vec<v1::Running>, queued: Vec<v1::LeaseKey>) -> Result<Vec<Held>, Refusal> {
    let lease = |LeaseKey { task, epoch }, running| HeldLease {
        task,
        epoch,
        running,
    };
    let running = list::<_, Running>(running)?
        .into_iter()
        .map(|running| Held {
            lease: lease(running.lease, true),
            progress: running.progress,
        });
    let queued = list::<_, LeaseKey>(queued)?.into_iter().map(|queued| Held {
        lease: lease(queued, false),
        progress: Progress::default(),
    });
    Ok(running.chain(queued).collect())
}

fn stopping(_: Gone) -> Refusal {
    Refusal::Stopping
}

fn unknown(_: UnknownWorker) -> Refusal {
    Refusal::UnknownWorker
}
