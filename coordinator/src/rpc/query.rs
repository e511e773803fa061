//! What is told to those who ask how the census stands?

use misere_proto::v1::{self, census_query_server::CensusQuery};
use misere_proto::{LeaseKey, Running};
use tokio::sync::watch;
use tonic::{Request, Response, Status};

use crate::driver::{Snapshot, WorkerSnapshot};

/// The service of people and programs that only look.
#[derive(Clone, Debug)]
pub struct QueryService {
    snapshots: watch::Receiver<Snapshot>,
}

impl QueryService {
    /// The service in front of a driver's snapshots.
    #[must_use]
    pub fn new(snapshots: watch::Receiver<Snapshot>) -> Self {
        Self { snapshots }
    }
}

#[tonic::async_trait]
impl CensusQuery for QueryService {
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
        Ok(Response::new(v1::StatusReply { counts: Some(counts), workers }))
    }
}

fn worker(worker: WorkerSnapshot) -> v1::WorkerStatus {
    let running = worker.running.into_iter().map(|task| {
        let lease = LeaseKey { task: task.task, epoch: task.epoch };
        v1::RunningStatus {
            running: Some(Running { lease, progress: task.progress }.into()),
            code: task.code.to_string(),
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
