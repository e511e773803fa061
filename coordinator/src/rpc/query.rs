//! The service of readers, and its client.

use std::sync::Arc;
use std::time::Duration;

use misere_census::Lease;
use misere_proto::Running;
use misere_proto::v1::census_query_client::CensusQueryClient;
use misere_proto::v1::{self, census_query_server::CensusQuery};
use serde_json::Value;
use tokio::sync::{Semaphore, watch};
use tonic::transport::Endpoint;
use tonic::{Request, Response, Status};

use misere_report::completeness::Completeness;
use misere_store::StoreError;

use super::REQUEST_TIMEOUT;
use super::answering::Replies;
use super::find::Finder;
use super::foreign;
use super::orders::Orders;
use crate::driver::{Snapshot, WorkerSnapshot};
use crate::observer::{CensusStatus, Observer};

/// The number of callers whose status is read at once; others wait.
const READING: usize = 2;

/// The service of people and programs that only read.
#[derive(Clone, Debug)]
pub struct QueryService {
    snapshots: watch::Receiver<Snapshot>,
    orders: Orders,
    finder: Finder,
    observer: Observer,
    /// The permits to read the census for a status, which takes a thread that may block.
    reading: Arc<Semaphore>,
}

/// A statement on completeness: one JSON document, and sentences for people.
type Statement = (String, Vec<String>);

impl QueryService {
    /// Creates the service over the snapshots of a driver and the observer of its census.
    #[must_use]
    pub fn new(snapshots: watch::Receiver<Snapshot>, orders: Orders, observer: Observer) -> Self {
        let finder = Finder::new(observer.files().clone());
        Self {
            snapshots,
            orders,
            finder,
            observer,
            reading: Arc::new(Semaphore::new(READING)),
        }
    }

    /// Returns the status of the census as one JSON document, and the statement on completeness.
    async fn documents(
        &self,
        with_completeness: bool,
    ) -> Result<(String, Option<Statement>), Status> {
        let turn = Arc::clone(&self.reading).acquire_owned().await;
        let turn = turn.map_err(|closed| Status::unavailable(closed.to_string()))?;
        let observer = self.observer.clone();
        let reading = tokio::task::spawn_blocking(move || {
            let documents = documents(&observer, with_completeness);
            drop(turn);
            documents
        });
        let read = reading
            .await
            .map_err(|error| Status::internal(error.to_string()))?;
        read.map_err(|error| {
            tracing::error!(%error, "the census cannot be read for its status");
            Status::internal("the census cannot be read")
        })
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
        request: Request<v1::StatusRequest>,
    ) -> Result<Response<v1::StatusReply>, Status> {
        let with_completeness = request.into_inner().with_completeness;
        let (document, completeness) = self.documents(with_completeness).await?;
        let (completeness, sentences) = match completeness {
            Some((completeness, sentences)) => (Some(completeness), sentences),
            None => (None, Vec::new()),
        };
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
            document,
            completeness,
            sentences,
        }))
    }
}

fn documents(
    observer: &Observer,
    with_completeness: bool,
) -> Result<(String, Option<Statement>), StatusError> {
    let status = serde_json::to_string(&observer.status()?)?;
    if !with_completeness {
        return Ok((status, None));
    }
    let completeness = Completeness::quick(&*observer.files().read()?)?;
    let document = serde_json::to_string(&completeness)?;
    Ok((status, Some((document, completeness.sentences()))))
}

/// The reason why a status cannot be made.
#[derive(Debug, thiserror::Error)]
enum StatusError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Written(#[from] serde_json::Error),
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

/// The time for which a client waits for a statement on completeness, for which the census is read.
const READING_TIMEOUT: Duration = Duration::from_secs(60);

/// The status of a census, as its coordinator reports it.
#[derive(Clone, Debug)]
pub struct RemoteStatus {
    /// The status.
    pub status: CensusStatus,
    /// The statement on completeness, if it was requested.
    pub completeness: Option<RemoteCompleteness>,
}

/// The statement on completeness, as the coordinator reports it.
#[derive(Clone, Debug)]
pub struct RemoteCompleteness {
    /// The statement as JSON.
    pub document: Value,
    /// The statement in sentences for people.
    pub sentences: Vec<String>,
}

/// Queries the coordinator at an endpoint for the status of its census.
///
/// If `with_completeness` is true, also for the statement on what is complete.
///
/// # Errors
/// The status: the coordinator is away, refuses, or answers in a form that this program cannot
/// read.
pub async fn status(endpoint: &Endpoint, with_completeness: bool) -> Result<RemoteStatus, Status> {
    let patience = match with_completeness {
        true => READING_TIMEOUT,
        false => REQUEST_TIMEOUT,
    };
    let endpoint = endpoint
        .clone()
        .timeout(patience)
        .connect_timeout(REQUEST_TIMEOUT);
    let mut client = CensusQueryClient::new(endpoint.connect_lazy());
    let request = v1::StatusRequest { with_completeness };
    let reply = client.status(request).await?.into_inner();
    let completeness = reply.completeness.map(|document| {
        Ok::<_, Status>(RemoteCompleteness {
            document: foreign::document(&document)?,
            sentences: foreign::texts(reply.sentences),
        })
    });
    Ok(RemoteStatus {
        status: foreign::document(&reply.document)?,
        completeness: completeness.transpose()?,
    })
}
