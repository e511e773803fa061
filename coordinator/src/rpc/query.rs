//! What is told to those who ask how the census stands?

use std::time::Duration;

use misere_census::{Lease, WorkerId};
use misere_proto::Running;
use misere_proto::v1;
use misere_proto::v1::census_query_client::CensusQueryClient;
use misere_proto::v1::census_query_server::CensusQuery;
use tokio::sync::watch;
use tonic::transport::Endpoint;
use tonic::{Request, Response, Status};

use super::answering::Replies;
use super::find::Finder;
use super::orders::Orders;
use crate::driver::{Snapshot, WorkerSnapshot};
use misere_store::Files;

/// The service of people and programs that only look.
#[derive(Clone, Debug)]
pub struct QueryService {
    snapshots: watch::Receiver<Snapshot>,
    orders: Orders,
    finder: Finder,
}

impl QueryService {
    /// The service in front of a driver's snapshots and the files of its census.
    #[must_use]
    pub fn new(snapshots: watch::Receiver<Snapshot>, orders: Orders, files: Files) -> Self {
        let finder = Finder::new(files);
        Self {
            snapshots,
            orders,
            finder,
        }
    }
}

#[tonic::async_trait]
impl CensusQuery for QueryService {
    type FindStream = Replies;

    async fn find(
        &self,
        request: Request<v1::FindRequest>,
    ) -> Result<Response<Self::FindStream>, Status> {
        let replies = self.finder.find(request.into_inner()).await?;
        Ok(Response::new(replies))
    }

    async fn status(
        &self,
        _: Request<v1::StatusRequest>,
    ) -> Result<Response<v1::StatusReply>, Status> {
        let snapshot = self.snapshots.borrow().clone();
        let counts = v1::Counts {
            ready: snapshot.ready,
            leased: snapshot.leased,
            checking: snapshot.checking,
            done: snapshot.counters.done,
            exhausted: snapshot.counters.exhausted,
            quarantined: snapshot.counters.quarantined,
        };
        let workers = snapshot.workers.into_iter().map(worker).collect();
        Ok(Response::new(v1::StatusReply {
            counts: Some(counts),
            workers,
            paused: self.orders.paused(),
        }))
    }
}

fn worker(worker: WorkerSnapshot) -> v1::WorkerStatus {
    let running = worker.running.into_iter().map(|task| {
        let lease = Lease {
            task: task.task,
            epoch: task.epoch,
        };
        v1::RunningStatus {
            running: Some(
                Running {
                    lease,
                    progress: task.progress,
                }
                .into(),
            ),
            code: task.name,
            running_ms: task.running_ms,
        }
    });
    v1::WorkerStatus {
        worker: worker.worker.0,
        name: worker.name,
        slots: worker.slots,
        running: running.collect(),
    }
}

/// How long somebody who asks waits for a coordinator that may not be there any more.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// Asks the coordinator at an endpoint how its census stands; `None` if its answer means nothing.
///
/// # Errors
/// The status: the coordinator is away, or refuses.
pub async fn ask_at(endpoint: &Endpoint) -> Result<Option<StatusView>, Status> {
    let endpoint = endpoint.clone().timeout(PATIENCE).connect_timeout(PATIENCE);
    let mut client = CensusQueryClient::new(endpoint.connect_lazy());
    let reply = client.status(v1::StatusRequest {}).await?.into_inner();
    Ok(status_view(reply))
}

fn status_view(reply: v1::StatusReply) -> Option<StatusView> {
    let counts = reply.counts?;
    Some(StatusView {
        paused: reply.paused,
        ready: counts.ready,
        leased: counts.leased,
        checking: counts.checking,
        done: counts.done,
        exhausted: counts.exhausted,
        quarantined: counts.quarantined,
        workers: reply
            .workers
            .into_iter()
            .map(worker_view)
            .collect::<Option<_>>()?,
    })
}

fn worker_view(worker: v1::WorkerStatus) -> Option<WorkerView> {
    let running = worker.running.into_iter().map(|task| {
        let running = task.running?;
        let name = task.code;
        let (heap, order) = (running.heap, running.order);
        Some(TaskView {
            name,
            heap,
            order,
            running_ms: task.running_ms,
        })
    });
    Some(WorkerView {
        worker: WorkerId(worker.worker),
        name: worker.name,
        slots: worker.slots,
        running: running.collect::<Option<_>>()?,
    })
}

/// How a census stands, as its coordinator tells.
#[derive(Clone, Debug)]
pub struct StatusView {
    /// Nothing is leased until the census is resumed.
    pub paused: bool,
    /// Tasks to be handed out.
    pub ready: u64,
    /// Tasks held by workers.
    pub leased: u64,
    /// Tasks whose certificate is being checked.
    pub checking: u64,
    /// Tasks solved, tame relative to a heap, diverging or growing.
    pub done: u64,
    /// Tasks at a limit of the plan.
    pub exhausted: u64,
    /// Tasks that failed too often.
    pub quarantined: u64,
    /// The workers.
    pub workers: Vec<WorkerView>,
}

/// A worker, as the coordinator tells.
#[derive(Clone, Debug)]
pub struct WorkerView {
    /// Its number.
    pub worker: WorkerId,
    /// Its name.
    pub name: String,
    /// How many tasks it computes at once.
    pub slots: u32,
    /// What it is at.
    pub running: Vec<TaskView>,
}

/// A task being computed, as the coordinator tells.
#[derive(Clone, Debug)]
pub struct TaskView {
    /// What people call it: the code of a game.
    pub name: String,
    /// The largest heap settled.
    pub heap: u32,
    /// The order of the partial quotient there.
    pub order: u32,
    /// For how long it has been running, in milliseconds.
    pub running_ms: u64,
}
