//! How is a coordinator started and stopped?

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use misere_census::Plan;
use misere_proto::MAX_MESSAGE_BYTES;
use misere_proto::v1::census_query_server::CensusQueryServer;
use misere_proto::v1::census_server::CensusServer;
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;

use crate::driver::{self, Clock, DriverHandle, Snapshot};
use crate::judge::{Judge, NoThreads};
use crate::ledger::{LeaseTerms, Ledger};
use crate::plan;
use crate::rpc::{CensusService, QueryService};
use crate::store::{ENDPOINT, Store, StoreError};

/// How often the driver is told that time passes.
const TICK: Duration = Duration::from_millis(250);

/// How long a coordinator that is to stop waits for checks under way.
const LAST_CHECKS: Duration = Duration::from_secs(5);

/// What a coordinator is to do.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The directory of the census.
    pub data: PathBuf,
    /// Its plan.
    pub plan: Plan,
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The terms of leases.
    pub terms: LeaseTerms,
    /// Threads that check certificates.
    pub check_threads: usize,
    /// Whether tasks in quarantine are to be tried again.
    pub retry_quarantined: bool,
}

/// Why a coordinator cannot start or go on.
#[derive(Debug, thiserror::Error)]
pub enum CoordinatorError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The address.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: std::io::Error,
    },
    /// The checkers' threads.
    #[error(transparent)]
    Threads(#[from] NoThreads),
    /// The service.
    #[error("the service failed: {0}")]
    Service(#[from] tonic::transport::Error),
    /// A part of the coordinator panicked.
    #[error(
        "a part of the coordinator failed; what was committed is safe, run the same command again"
    )]
    Panicked,
}

/// A coordinator at work.
#[derive(Debug)]
pub struct Coordinator {
    address: SocketAddr,
    data: PathBuf,
    driver: DriverHandle,
    judge: Judge,
    snapshots: watch::Receiver<Snapshot>,
    thread: driver::Thread,
    shutdown: oneshot::Sender<()>,
    server: JoinHandle<Result<(), tonic::transport::Error>>,
}

impl Coordinator {
    /// Opens (or begins) the census and serves it.
    ///
    /// # Errors
    /// [`CoordinatorError`] if the directory, the address or threads cannot be had.
    pub async fn start(settings: Settings) -> Result<Self, CoordinatorError> {
        let Settings {
            data,
            plan,
            listen,
            terms,
            check_threads,
            retry_quarantined,
        } = settings;
        let judge = Judge::new(check_threads)?;
        let dir = data.clone();
        let opening = tokio::task::spawn_blocking(move || {
            let mut store = Store::open(&dir, &plan, || plan::tasks(&plan))?;
            if retry_quarantined {
                store.release_quarantined()?;
            }
            let ledger = Ledger::new(terms, store.generation());
            driver::start(store, ledger, Clock::default())
        });
        let (driver, snapshots, thread) =
            opening.await.map_err(|_| CoordinatorError::Panicked)??;
        let cannot = |source| CoordinatorError::Listen {
            address: listen,
            source,
        };
        let listener = TcpListener::bind(listen).await.map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        let (shutdown, stopped) = oneshot::channel::<()>();
        let census = CensusServer::new(CensusService::new(driver.clone(), judge.clone(), terms))
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES);
        let query = CensusQueryServer::new(QueryService::new(snapshots.clone()));
        let serving = Server::builder()
            .tcp_nodelay(true)
            .add_service(census)
            .add_service(query)
            .serve_with_incoming_shutdown(TcpListenerStream::new(listener), async {
                // Told to stop, or nobody left who could tell.
                let _ = stopped.await;
            });
        let server = tokio::spawn(serving);
        tokio::spawn(tick(driver.clone()));
        if let Err(error) = std::fs::write(data.join(ENDPOINT), address.to_string()) {
            tracing::warn!(%error, "cannot note the coordinator's address; `census status` will read the disk");
        }
        Ok(Self {
            address,
            data,
            driver,
            judge,
            snapshots,
            thread,
            shutdown,
            server,
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How the census stands, again and again. The sender is gone when the store has failed.
    #[must_use]
    pub fn snapshots(&self) -> watch::Receiver<Snapshot> {
        self.snapshots.clone()
    }

    /// Stops: gives checks under way a moment to end, closes the service, then the store.
    ///
    /// # Errors
    /// [`CoordinatorError`] if the store had failed.
    pub async fn stop(mut self) -> Result<(), CoordinatorError> {
        let checked = self.snapshots.wait_for(|snapshot| snapshot.checking == 0);
        // Late checks are repeated when the census is resumed.
        let _ = tokio::time::timeout(LAST_CHECKS, checked).await;
        self.judge.stop();
        let _ = self.shutdown.send(());
        // A connection that does not close must not keep the census open.
        let _ = tokio::time::timeout(LAST_CHECKS, self.server).await;
        let _ = self.driver.stop().await;
        let _ = std::fs::remove_file(self.data.join(ENDPOINT));
        let ended = tokio::task::spawn_blocking(move || self.thread.join());
        match ended.await {
            Ok(Ok(result)) => Ok(result?),
            Ok(Err(_)) | Err(_) => Err(CoordinatorError::Panicked),
        }
    }
}

/// Lets the driver see that time passes, as long as it is there.
async fn tick(driver: DriverHandle) {
    let mut interval = tokio::time::interval(TICK);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        interval.tick().await;
        if driver.tick().await.is_err() {
            return;
        }
    }
}
