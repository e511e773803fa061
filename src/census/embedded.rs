//! A coordinator and a worker in one process.
//!
//! They communicate as on two machines: over gRPC, on the socket in the directory of the census.
//! There is no port that others on this machine could reach.

use std::net::SocketAddr;
use std::time::Duration;

use misere_census::MemoryClass;
use misere_coordinator::{Coordinator, Settings};
use misere_web::page::ExtraData;
use misere_worker::{Guards, Isolation, Solver, WorkerError};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::progress::Progress;
use crate::census_error::CensusError;
use crate::serving::Door;

/// The reason why an embedded run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Every task is finished.
    Finished,
    /// A signal stopped it.
    Signalled,
}

/// The settings of the embedded worker.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The number of tasks computed at once.
    pub threads: usize,
    /// The guards of each computation.
    pub guards: Guards,
    /// The choice of the tasks that are computed in a separate process.
    pub isolation: Isolation,
    /// The least time between checkpoints of a long task.
    pub checkpoint_every: Duration,
    /// The address to serve the pages on, and what they show besides the census.
    pub http: Option<(SocketAddr, ExtraData)>,
}

/// Runs a census to its end, or until `stop` turns true.
///
/// # Errors
/// [`CensusError`] if coordinator or worker cannot start or continue.
pub async fn run(
    settings: Settings,
    mut means: RunOptions,
    mut stop: watch::Receiver<bool>,
) -> Result<StopReason, CensusError> {
    let door = match means.http.take() {
        Some((address, beside)) => Some((Door::at(address).await?, beside)),
        None => None,
    };
    let (coordinator, url) = Coordinator::start_locally(settings).await?;
    resume(&coordinator).await?;
    let http = door.map(|(door, beside)| door.serve(&coordinator, beside));
    let mut snapshots = coordinator.snapshots();
    let mut progress = Progress::start(&snapshots.borrow());
    let (stop_worker, worker_stops) = watch::channel(false);
    let mut worker = spawn_worker(url, means, worker_stops);
    let mut beat = tokio::time::interval(Duration::from_millis(250));
    let ended = loop {
        if snapshots.borrow().is_finished() {
            break Ok(StopReason::Finished);
        }
        tokio::select! {
            _ = stop.wait_for(|&stop| stop) => break Ok(StopReason::Signalled),
            changed = snapshots.changed() => {
                // The driver is gone because its store failed; stopping the coordinator reports
                // how.
                if changed.is_err() {
                    break Ok(StopReason::Signalled);
                }
            }
            worked = &mut worker => match worked {
                // The worker ends by itself only after the coordinator reports that all is
                // finished.
                Ok(Ok(())) => break Ok(StopReason::Finished),
                Ok(Err(error)) => break Err(error.into()),
                Err(_) => break Err(CensusError::Panicked),
            },
            _ = beat.tick() => progress.show(&snapshots.borrow()),
        }
    };
    progress.finish();
    stop_worker.send_replace(true);
    if !worker.is_finished() {
        // Its result was already reported or is no longer needed.
        let _ = worker.await;
    }
    coordinator.stop().await?;
    if let Some(http) = http {
        http.abort();
    }
    ended
}

/// Resumes a census that an operator paused, since a person who runs it wants it to go on.
async fn resume(coordinator: &Coordinator) -> Result<(), CensusError> {
    if !coordinator.orders().paused() {
        return Ok(());
    }
    tracing::info!("the census was paused, and goes on");
    coordinator.orders().pause(false);
    let observer = coordinator.observer();
    let recorded = observer.with_store(|store| store.set_paused(false));
    // A driver that has ended is reported by the run.
    Ok(recorded.await.unwrap_or(Ok(()))?)
}

fn spawn_worker(
    coordinator: String,
    means: RunOptions,
    stop: watch::Receiver<bool>,
) -> JoinHandle<Result<(), WorkerError>> {
    let settings = misere_worker::Settings {
        coordinator,
        name: "embedded".to_owned(),
        slots: means.threads,
        guards: means.guards,
        isolation: means.isolation,
        // No other worker exists to continue the running tasks.
        grace: Duration::ZERO,
        sign_of_life: None,
        // A task that is too large for this worker has no other worker.
        memory_class: MemoryClass::TOP,
        checkpoint_every: means.checkpoint_every,
        // The coordinator is in this process: if it does not answer, another error is reported.
        give_up_after: None,
    };
    tokio::spawn(misere_worker::run(settings, Solver::Engine, stop))
}
