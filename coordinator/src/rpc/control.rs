//! The service of operators, and its client.

use misere_census::worker_name::is_called;
use misere_census::{TaskId, WorkerId};
use misere_game::ruleset::Code;
use misere_proto::CallError;
use misere_proto::v1::census_control_client::CensusControlClient;
use misere_proto::v1::{self, census_control_server::CensusControl};
use tokio::sync::watch;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status};

use super::REQUEST_TIMEOUT;
use super::caller::Caller;
use super::foreign;
use super::orders::Orders;
use crate::driver::{Ban, DriverHandle, Eviction, Pardon, RunningTask, Snapshot, WorkerNameError};
use crate::observer::{Observer, Roll};

/// The service of operators.
#[derive(Clone, Debug)]
pub struct ControlService {
    driver: DriverHandle,
    orders: Orders,
    snapshots: watch::Receiver<Snapshot>,
    observer: Observer,
}

impl ControlService {
    /// Creates the service that gives orders to a driver, and shows operators the observed state.
    #[must_use]
    pub fn new(orders: Orders, snapshots: watch::Receiver<Snapshot>, observer: Observer) -> Self {
        Self {
            driver: observer.driver().clone(),
            orders,
            snapshots,
            observer,
        }
    }

    /// Pauses the census or resumes it, now and for coordinators that start later.
    async fn pause_durably(&self, paused: bool) -> Result<(), Status> {
        self.orders.pause(paused);
        let recorded = self
            .observer
            .with_store(move |store| store.set_paused(paused));
        let recorded = recorded.await.map_err(|_| CallError::Stopping)?;
        recorded.map_err(|error| {
            Status::internal(format!(
                "the order holds until the coordinator ends: {error}"
            ))
        })
    }

    /// Returns the present workers that an operator calls so, with their names.
    fn called(&self, who: &str) -> Vec<(WorkerId, String)> {
        let snapshot = self.snapshots.borrow();
        let there = snapshot.workers.iter().filter(|worker| {
            worker.worker.to_string() == who
                || is_called(who, &worker.name, worker.fingerprint.as_deref())
        });
        there
            .map(|worker| (worker.worker, worker.name.clone()))
            .collect()
    }

    /// Returns the running task of this name, which is the code of a game or the hash of a task.
    fn running(&self, name: &str) -> Option<TaskId> {
        let id = name.parse::<TaskId>().ok();
        let name = name
            .parse::<Code>()
            .map_or_else(|_| name.to_owned(), |code| code.to_string());
        let meant = |task: &&RunningTask| task.name == name || Some(task.task) == id;
        let snapshot = self.snapshots.borrow();
        let mut running = snapshot.workers.iter().flat_map(|worker| &worker.running);
        running.find(meant).map(|task| task.task)
    }
}

#[tonic::async_trait]
impl CensusControl for ControlService {
    async fn pause(
        &self,
        request: Request<v1::PauseRequest>,
    ) -> Result<Response<v1::PauseReply>, Status> {
        tracing::info!(by = by(&request), "census paused");
        self.pause_durably(true).await?;
        Ok(Response::new(v1::PauseReply {}))
    }

    async fn resume(
        &self,
        request: Request<v1::ResumeRequest>,
    ) -> Result<Response<v1::ResumeReply>, Status> {
        tracing::info!(by = by(&request), "census resumed");
        self.pause_durably(false).await?;
        Ok(Response::new(v1::ResumeReply {}))
    }

    async fn drain(
        &self,
        request: Request<v1::DrainRequest>,
    ) -> Result<Response<v1::DrainReply>, Status> {
        let by = by(&request);
        let v1::DrainRequest { worker, who: text } = request.into_inner();
        // An operator of an earlier release gives a number alone.
        let who = match text.is_empty() {
            true => WorkerId(worker).to_string(),
            false => who(text),
        };
        let workers = self.called(&who);
        if workers.is_empty() {
            return Err(Status::not_found(WorkerNameError(who).to_string()));
        }
        for (worker, name) in &workers {
            tracing::info!(by, %worker, name, "worker drained");
            self.orders.drain(*worker);
        }
        let workers = workers.into_iter().map(present);
        Ok(Response::new(v1::DrainReply {
            workers: workers.collect(),
        }))
    }

    async fn cancel(
        &self,
        request: Request<v1::CancelRequest>,
    ) -> Result<Response<v1::CancelReply>, Status> {
        tracing::info!(by = by(&request), "census cancelled");
        self.orders.cancel();
        Ok(Response::new(v1::CancelReply {}))
    }

    async fn stop_task(
        &self,
        request: Request<v1::StopTaskRequest>,
    ) -> Result<Response<v1::StopTaskReply>, Status> {
        let by = by(&request);
        let name: String = request.into_inner().name.chars().take(MAX_NAME).collect();
        let idle = || {
            Status::not_found(format!(
                "no worker computes {name}; `misere census status` lists the running tasks"
            ))
        };
        let task = self.running(&name).ok_or_else(idle)?;
        let asked = self.driver.stop_task(task).await;
        if !asked.map_err(|_| CallError::Stopping)? {
            return Err(idle());
        }
        tracing::info!(by, %task, name, "task is to be stopped");
        Ok(Response::new(v1::StopTaskReply {}))
    }

    async fn workers(
        &self,
        _: Request<v1::WorkersRequest>,
    ) -> Result<Response<v1::WorkersReply>, Status> {
        let workers = Roll::from(self.observer.standing());
        let document = serde_json::to_string(&workers);
        let document = document.map_err(|error| Status::internal(error.to_string()))?;
        Ok(Response::new(v1::WorkersReply { document }))
    }

    async fn evict(
        &self,
        request: Request<v1::EvictRequest>,
    ) -> Result<Response<v1::EvictReply>, Status> {
        let by = by(&request);
        let who = who(request.into_inner().who);
        tracing::info!(by, who, "workers are to be sent away");
        let evicted = self.driver.evict(who).await;
        let evicted = evicted.map_err(|_| CallError::Stopping)?;
        let Eviction { workers, tasks } =
            evicted.map_err(|nobody| Status::not_found(nobody.to_string()))?;
        Ok(Response::new(v1::EvictReply {
            workers: workers.into_iter().map(present).collect(),
            tasks,
        }))
    }

    async fn ban(
        &self,
        request: Request<v1::BanRequest>,
    ) -> Result<Response<v1::BanReply>, Status> {
        let by = by(&request);
        let who = who(request.into_inner().who);
        tracing::info!(by, who, "a worker is to be refused");
        let ban = self.driver.ban(who).await;
        let ban = ban.map_err(|_| CallError::Stopping)?;
        let ban = ban.map_err(|why| Status::failed_precondition(why.to_string()))?;
        let Ban { names, workers } = ban;
        Ok(Response::new(v1::BanReply { names, workers }))
    }

    async fn pardon(
        &self,
        request: Request<v1::PardonRequest>,
    ) -> Result<Response<v1::PardonReply>, Status> {
        let by = by(&request);
        let who = who(request.into_inner().who);
        tracing::info!(by, who, "a worker is to be pardoned");
        let pardoned = self.driver.pardon(who).await;
        let pardoned = pardoned.map_err(|_| CallError::Stopping)?;
        let Pardon { names } = pardoned.map_err(|nobody| Status::not_found(nobody.to_string()))?;
        Ok(Response::new(v1::PardonReply { names }))
    }
}

fn present((worker, name): (WorkerId, String)) -> v1::PresentWorker {
    v1::PresentWorker {
        worker: worker.0,
        name,
    }
}

/// Returns the trimmed name that an operator gives.
fn who(text: String) -> String {
    text.chars().take(MAX_NAME).collect()
}

/// The greatest number of characters of a game's name that are read.
const MAX_NAME: usize = 10_000;

/// Returns the name of the operator who gives the order, for the log.
fn by<T>(request: &Request<T>) -> String {
    match request.extensions().get::<Caller>() {
        Some(caller) => format!("{} ({})", caller.name, caller.fingerprint),
        None => "a user of this machine".to_owned(),
    }
}

/// An order of an operator to a coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Stop leasing tasks.
    Pause,
    /// Lease tasks again.
    Resume,
    /// Stop the run.
    Cancel,
    /// Stop a task and put it back; it is named by the code of a game or the hash of a task.
    StopTask(String),
}

/// Gives an order to a coordinator.
///
/// # Errors
/// The status: the coordinator is away, or refuses.
pub async fn order(endpoint: &Endpoint, command: Command) -> Result<(), Status> {
    let mut client = client(endpoint);
    match command {
        Command::Pause => drop(client.pause(v1::PauseRequest {}).await?),
        Command::Resume => drop(client.resume(v1::ResumeRequest {}).await?),
        Command::Cancel => drop(client.cancel(v1::CancelRequest {}).await?),
        Command::StopTask(name) => drop(client.stop_task(v1::StopTaskRequest { name }).await?),
    }
    Ok(())
}

/// Asks a coordinator for its workers.
///
/// # Errors
/// The status: the coordinator is away, refuses, or lists workers in a form that this program
/// cannot read.
pub async fn workers(endpoint: &Endpoint) -> Result<Roll, Status> {
    let reply = client(endpoint).workers(v1::WorkersRequest {}).await?;
    foreign::document(&reply.into_inner().document)
}

/// Has a coordinator lease no more tasks to workers, and returns these workers.
///
/// # Errors
/// The status: the coordinator is away, or refuses.
pub async fn drain(endpoint: &Endpoint, who: String) -> Result<Vec<(WorkerId, String)>, Status> {
    let request = v1::DrainRequest { worker: 0, who };
    let reply = client(endpoint).drain(request).await?;
    Ok(reply.into_inner().workers.into_iter().map(named).collect())
}

/// Has a coordinator evict workers.
///
/// # Errors
/// The status: the coordinator is away, or refuses.
pub async fn evict(endpoint: &Endpoint, who: String) -> Result<Eviction, Status> {
    let reply = client(endpoint).evict(v1::EvictRequest { who }).await?;
    let v1::EvictReply { workers, tasks } = reply.into_inner();
    Ok(Eviction {
        workers: workers.into_iter().map(named).collect(),
        tasks,
    })
}

fn named(worker: v1::PresentWorker) -> (WorkerId, String) {
    (WorkerId(worker.worker), foreign::text(&worker.name))
}

/// Has a coordinator ban a worker.
///
/// # Errors
/// The status: the coordinator is away, or refuses.
pub async fn ban(endpoint: &Endpoint, who: String) -> Result<Ban, Status> {
    let reply = client(endpoint).ban(v1::BanRequest { who }).await?;
    let v1::BanReply { names, workers } = reply.into_inner();
    Ok(Ban {
        names: foreign::texts(names),
        workers,
    })
}

/// Has a coordinator trust a worker again.
///
/// # Errors
/// The status: the coordinator is away, or refuses.
pub async fn pardon(endpoint: &Endpoint, who: String) -> Result<Pardon, Status> {
    let reply = client(endpoint).pardon(v1::PardonRequest { who }).await?;
    let v1::PardonReply { names } = reply.into_inner();
    Ok(Pardon {
        names: foreign::texts(names),
    })
}

fn client(endpoint: &Endpoint) -> CensusControlClient<Channel> {
    let endpoint = endpoint
        .clone()
        .timeout(REQUEST_TIMEOUT)
        .connect_timeout(REQUEST_TIMEOUT);
    CensusControlClient::new(endpoint.connect_lazy())
}
