//! How is a coordinator started and stopped?

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use misere_census::Plan;
use misere_proto::connection::chain;
use misere_proto::{Credentials, Security};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_stream::Stream;
use tonic::transport::server::{Connected, TcpIncoming};
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

use crate::control;
use crate::driver::{self, Clock, DriverHandle, Snapshot};
use crate::judge::{Judge, NoThreads};
use crate::ledger::{LeaseTerms, Ledger};
use crate::observer::Observer;
use crate::plan;
use crate::rpc::{
    CensusService, ControlService, Orders, QueryService, Services, Serving, report_health,
};
use crate::store::{CONTROL, ENDPOINT, Store, StoreError};

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
    /// Plaintext for other machines.
    #[error(
        "{0} can be reached from other machines: give --ca, --cert and --key (`misere coordinator certs` makes them), or say --insecure"
    )]
    Plaintext(SocketAddr),
    /// The checkers' threads.
    #[error(transparent)]
    Threads(#[from] NoThreads),
    /// The service.
    #[error("cannot serve with these certificates: {}", chain(.0))]
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
    local: SocketAddr,
    orders: Orders,
    health: HealthReporter,
    data: PathBuf,
    driver: DriverHandle,
    judge: Judge,
    snapshots: watch::Receiver<Snapshot>,
    observer: Observer,
    control: Option<JoinHandle<()>>,
    thread: driver::Thread,
    shutdown: watch::Sender<bool>,
    servers: Vec<Serving>,
}

impl Coordinator {
    /// Opens (or begins) the census and serves it on a loopback address.
    ///
    /// # Errors
    /// [`CoordinatorError`] if the directory, the address or threads cannot be had.
    pub async fn start(settings: Settings) -> Result<Self, CoordinatorError> {
        Self::start_secured(settings, &Security::Loopback).await
    }

    /// Opens (or begins) the census and serves it. Behind mutual TLS it also listens on a free loopback port, for those on this
    /// machine: its address stands in the directory of the census.
    ///
    /// # Errors
    /// [`CoordinatorError`] if the directory, the address or threads cannot be had, or the address is not protected.
    pub async fn start_secured(
        settings: Settings,
        security: &Security,
    ) -> Result<Self, CoordinatorError> {
        let listen = settings.listen;
        if !security.allows(listen) {
            return Err(CoordinatorError::Plaintext(listen));
        }
        let (mut coordinator, services) = Self::open(settings).await?;
        let (listener, address) = listen_on(listen).await?;
        (coordinator.address, coordinator.local) = (address, reachable(address));
        match security {
            Security::Loopback | Security::Insecure => {
                coordinator.serve(services, listener, None)?;
            }
            Security::Mutual(credentials) => {
                coordinator.serve(services.clone(), listener, Some(credentials))?;
                let (listener, local) = listen_on((Ipv4Addr::LOCALHOST, 0).into()).await?;
                coordinator.local = local;
                coordinator.serve(services, listener, None)?;
            }
        }
        coordinator.show().await;
        Ok(coordinator)
    }

    /// Opens (or begins) the census and serves, in plaintext, the connections that come in, whatever they are made of.
    ///
    /// # Errors
    /// [`CoordinatorError`] if the directory or threads cannot be had.
    pub async fn start_on<C: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static>(
        settings: Settings,
        connections: impl Stream<Item = std::io::Result<C>> + Send + 'static,
    ) -> Result<Self, CoordinatorError> {
        let (mut coordinator, services) = Self::open(settings).await?;
        coordinator.serve(services, connections, None)?;
        coordinator.show().await;
        Ok(coordinator)
    }

    /// A coordinator that nobody can reach yet.
    async fn open(settings: Settings) -> Result<(Self, Services), CoordinatorError> {
        let Settings {
            data,
            plan,
            listen,
            terms,
            check_threads,
            retry_quarantined,
        } = settings;
        let judge = Judge::new(check_threads)?;
        let plan_id = plan.id();
        let dir = data.clone();
        let opening = tokio::task::spawn_blocking(move || {
            let mut store = Store::open(&dir, &plan, || plan::tasks(&plan))?;
            if retry_quarantined {
                store.release_quarantined()?;
            }
            let ledger = Ledger::new(terms, store.generation());
            let watched = (store.figures(), store.files());
            let generation = store.generation();
            let driver = driver::start(store, ledger, Clock::default())?;
            Ok::<_, StoreError>((driver, watched, generation))
        });
        let ((driver, snapshots, thread), watched, generation) =
            opening.await.map_err(|_| CoordinatorError::Panicked)??;
        let orders = Orders::default();
        let files = watched.1.clone();
        let observer = Observer::start(driver.clone(), snapshots.clone(), orders.clone(), watched);
        let control = control::serve(&data, observer.clone())
            .inspect_err(|error| {
                tracing::warn!(%error, "cannot make the control socket: no backup, no change of the quarantine while this runs");
            })
            .ok();
        let health = HealthReporter::new();
        let services = Services {
            census: CensusService::new(
                driver.clone(),
                judge.clone(),
                terms,
                orders.clone(),
                snapshots.clone(),
                (plan_id, generation),
            ),
            query: QueryService::new(snapshots.clone(), orders.clone(), files),
            control: ControlService::new(orders.clone(), snapshots.clone(), observer.clone()),
            health: health.clone(),
        };
        let coordinator = Self {
            address: listen,
            local: listen,
            orders,
            health,
            data,
            driver,
            judge,
            snapshots,
            observer,
            control,
            thread,
            shutdown: watch::Sender::default(),
            servers: Vec::new(),
        };
        Ok((coordinator, services))
    }

    /// Serves the connections that come in.
    fn serve<C: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static>(
        &mut self,
        services: Services,
        connections: impl Stream<Item = std::io::Result<C>> + Send + 'static,
        credentials: Option<&Credentials>,
    ) -> Result<(), CoordinatorError> {
        let mut stopped = self.shutdown.subscribe();
        // Told to stop, or nobody left who could tell.
        let stopped = async move { drop(stopped.wait_for(|&stopped| stopped).await) };
        let server = services.spawn(connections, credentials, stopped)?;
        self.servers.push(server);
        Ok(())
    }

    /// Lets everybody know that it is there, and its driver that time passes.
    async fn show(&self) {
        report_health(&self.health, ServingStatus::Serving).await;
        tokio::spawn(tick(self.driver.clone()));
        let endpoint = self.data.join(ENDPOINT);
        if let Err(error) = std::fs::write(endpoint, self.local.to_string()) {
            tracing::warn!(%error, "cannot note the coordinator's address; `census status` will read the disk");
        }
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it listens in plaintext for those on this machine.
    #[must_use]
    pub fn local_address(&self) -> SocketAddr {
        self.local
    }

    /// What operators have told it.
    #[must_use]
    pub fn orders(&self) -> &Orders {
        &self.orders
    }

    /// How the census stands, again and again. The sender is gone when the store has failed.
    #[must_use]
    pub fn snapshots(&self) -> watch::Receiver<Snapshot> {
        self.snapshots.clone()
    }

    /// Looks at it: for health checks, metrics and people.
    #[must_use]
    pub fn observer(&self) -> Observer {
        self.observer.clone()
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
        report_health(&self.health, ServingStatus::NotServing).await;
        self.shutdown.send_replace(true);
        // A connection that does not close must not keep the census open.
        let closed = async {
            for server in self.servers {
                let _ = server.await;
            }
        };
        let _ = tokio::time::timeout(LAST_CHECKS, closed).await;
        let _ = self.driver.stop().await;
        if let Some(control) = self.control {
            control.abort();
            let _ = std::fs::remove_file(self.data.join(CONTROL));
        }
        let _ = std::fs::remove_file(self.data.join(ENDPOINT));
        let ended = tokio::task::spawn_blocking(move || self.thread.join());
        match ended.await {
            Ok(Ok(result)) => Ok(result?),
            Ok(Err(_)) | Err(_) => Err(CoordinatorError::Panicked),
        }
    }
}

async fn listen_on(address: SocketAddr) -> Result<(TcpIncoming, SocketAddr), CoordinatorError> {
    let cannot = |source| CoordinatorError::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(cannot)?;
    let address = listener.local_addr().map_err(cannot)?;
    // Without it every answer of more than a packet waits for the delayed acknowledgement of its first: 40 ms.
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    Ok((incoming, address))
}

/// An address under which whoever listens on this one is reached from this machine.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
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
