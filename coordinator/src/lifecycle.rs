//! The start and the end of a coordinator.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use misere_census::Plan;
use misere_proto::Security;
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio_stream::Stream;
use tokio_stream::wrappers::{ReceiverStream, UnixListenerStream};
use tonic::transport::server::Connected;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

use misere_census::plan;
use misere_ledger::{LeaseConfig, Ledger};
use misere_store::{CONTROL, ENDPOINT, RPC, Store, StoreError, descriptors};

use crate::check_threads::{CertificateVerifier, VerifierThreadsError};
use crate::connections::{Bounds, ConnectionLimiter};
use crate::control;
use crate::driver::{
    self, Clock, DriverHandle, RandomnessError, RunningDriver, Snapshot, StartError,
};
use crate::intake::{arbiter, recheck};
use crate::local::{self, SocketError};
use crate::observer::Observer;
use crate::rpc::{
    CensusService, CheckerService, ControlService, Orders, QueryService, RevocationList,
    ServerHandle, Services, Tls, TlsError, report_health,
};

/// The interval at which the driver is notified of the time.
const TICK: Duration = Duration::from_millis(250);

/// The time for which a coordinator that stops waits for running checks.
const LAST_CHECKS: Duration = Duration::from_secs(5);

/// The interval at which the readiness is checked.
const HEALTH: Duration = Duration::from_secs(1);

/// The time in which the first call of a connection has to arrive: handshake, preface, headers.
const FIRST_CALL: Duration = Duration::from_secs(10);

/// The greatest number of connections of a port that have not made a call yet.
const NEWCOMERS: usize = 256;

/// The greatest number of places of a port that are reserved for operators.
const MAX_RESERVED: usize = 16;

/// The settings of a coordinator.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The directory of the census.
    pub data: PathBuf,
    /// The plan of the census.
    pub plan: Plan,
    /// The address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The terms of leases.
    pub terms: LeaseConfig,
    /// The number of threads that check certificates.
    pub check_threads: usize,
    /// Whether tasks in quarantine are to be tried again.
    pub retry_quarantined: bool,
}

/// The reason why a coordinator cannot start or go on.
#[derive(Debug, thiserror::Error)]
pub enum CoordinatorError {
    /// The error of opening or writing the store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The error of an address that cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        source: std::io::Error,
    },
    /// An address that other machines can reach, and that would be served in plaintext.
    #[error(
        "{0} can be reached from other machines: give --ca, --cert and --key \
         (`misere coordinator certs` makes them), or say --insecure"
    )]
    Plaintext(SocketAddr),
    /// The error of starting the checker threads.
    #[error(transparent)]
    Threads(#[from] VerifierThreadsError),
    /// The lack of a key by which tasks are drawn.
    #[error(transparent)]
    NoRandomness(#[from] RandomnessError),
    /// The error of TLS that cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The error of making the owner's socket, where there is no other access.
    #[error("cannot make a socket in {}, nor in a private directory: {source}", data.display())]
    Socket {
        /// The directory of the census.
        data: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The error of the owner's socket, which was made and cannot be reached.
    #[error(transparent)]
    Unreachable(#[from] SocketError),
    /// A panic in a part of the coordinator.
    #[error(
        "a part of the coordinator failed; what was committed is safe, run the same command again"
    )]
    Panicked,
}

impl From<StartError> for CoordinatorError {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Store(error) => Self::Store(error),
            StartError::NoRandomness(error) => Self::NoRandomness(error),
        }
    }
}

/// A coordinator at work.
#[derive(Debug)]
pub struct Coordinator {
    address: SocketAddr,
    /// Whether the coordinator listens at the address.
    listens: bool,
    /// The directory of the owner's socket, if it is not the directory of the census.
    elsewhere: Option<TempDir>,
    tls: Option<Tls>,
    /// The task that watches for changed certificates.
    follows: Option<JoinHandle<()>>,
    orders: Orders,
    health: HealthReporter,
    data: PathBuf,
    driver: DriverHandle,
    verifier: CertificateVerifier,
    snapshots: watch::Receiver<Snapshot>,
    observer: Observer,
    control: Option<JoinHandle<()>>,
    watching: Option<JoinHandle<()>>,
    thread: driver::Thread,
    shutdown: watch::Sender<bool>,
    servers: Vec<ServerHandle>,
}

impl Coordinator {
    /// Opens or begins the census and serves it on a loopback address.
    ///
    /// # Errors
    /// [`CoordinatorError`] if the directory, the address or threads are not available.
    pub async fn start(settings: Settings) -> Result<Self, CoordinatorError> {
        Self::start_secured(settings, &Security::Loopback).await
    }

    /// Opens or begins the census and serves it at an address and on the owner's socket.
    ///
    /// # Errors
    /// [`CoordinatorError`] if the directory, the address or threads are not available, or the
    /// address is not protected.
    pub async fn start_secured(
        settings: Settings,
        security: &Security,
    ) -> Result<Self, CoordinatorError> {
        let listen = settings.listen;
        if !security.allows(listen) {
            return Err(CoordinatorError::Plaintext(listen));
        }
        let tls = Tls::of(security)?;
        let places = descriptors::raise().calls;
        // Before the store is opened, so that an address in use does not open and close it.
        let (listener, address) = listen_on(listen).await?;
        let (mut coordinator, services) = Self::open(settings).await?;
        (coordinator.address, coordinator.listens) = (address, true);
        coordinator.serve_at(
            services.clone(),
            listener,
            gate("calls", places),
            tls.as_ref(),
        );
        if let Some(tls) = &tls {
            coordinator.follows = Some(tokio::spawn(tls.clone().follow()));
            coordinator.observer.watch_tls(tls.clone());
        }
        coordinator.tls = tls;
        if let Err(error) = coordinator.serve_owner(services) {
            tracing::warn!(%error, "commands with --data cannot reach this coordinator; give them \
                                    --coordinator");
        }
        coordinator.show().await;
        Ok(coordinator)
    }

    /// Opens or begins the census and serves it to the owner of its directory alone, by a socket.
    ///
    /// Returns the address of the socket too.
    ///
    /// # Errors
    /// [`CoordinatorError`] if the directory, the socket or threads are not available.
    pub async fn start_locally(settings: Settings) -> Result<(Self, String), CoordinatorError> {
        descriptors::raise();
        let (mut coordinator, services) = Self::open(settings).await?;
        if let Err(error) = coordinator.serve_owner(services) {
            return Err(coordinator.stopped_by(error).await);
        }
        coordinator.show().await;
        match local::url(&coordinator.data) {
            Ok(url) => Ok((coordinator, url)),
            Err(error) => Err(coordinator.stopped_by(error.into()).await),
        }
    }

    /// Serves the owner of the directory.
    fn serve_owner(&mut self, services: Services) -> Result<(), CoordinatorError> {
        let (listener, elsewhere) =
            local::listen_for_owner(&self.data).map_err(|source| CoordinatorError::Socket {
                data: self.data.clone(),
                source,
            })?;
        self.elsewhere = elsewhere;
        // The owner needs no gate: no other user can open the socket.
        self.serve(services, UnixListenerStream::new(listener), None, None);
        Ok(())
    }

    /// Opens or begins the census and serves incoming connections in plaintext.
    ///
    /// # Errors
    /// [`CoordinatorError`] if the directory or threads are not available.
    pub async fn start_on<C: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static>(
        settings: Settings,
        connections: impl Stream<Item = std::io::Result<C>> + Send + 'static,
    ) -> Result<Self, CoordinatorError> {
        let (mut coordinator, services) = Self::open(settings).await?;
        coordinator.serve(services, connections, None, None);
        coordinator.show().await;
        Ok(coordinator)
    }

    /// Opens a coordinator that cannot be reached yet.
    async fn open(settings: Settings) -> Result<(Self, Services), CoordinatorError> {
        let Settings {
            data,
            plan,
            listen,
            terms,
            check_threads,
            retry_quarantined,
        } = settings;
        let verifier = CertificateVerifier::new(check_threads)?;
        let (verifier, checker_errors) = verifier.with_checkers(terms.checks, driver::secret()?);
        let plan_id = plan.id();
        let dir = data.clone();
        let opening = tokio::task::spawn_blocking(move || {
            let mut store = Store::open(&dir, &plan, || plan::tasks(&plan))?;
            if retry_quarantined {
                store.release_quarantined()?;
            }
            let ledger = Ledger::new(terms, store.generation());
            let watched = (store.statistics(), store.files());
            let (generation, is_paused) = (store.generation(), store.is_paused()?);
            let started = driver::start(store, ledger, Clock::default())?;
            Ok::<_, CoordinatorError>((started, watched, generation, is_paused))
        });
        let (started, watched, generation, is_paused) =
            opening.await.map_err(|_| CoordinatorError::Panicked)??;
        let RunningDriver {
            driver,
            snapshots,
            disputes,
            rechecks,
            thread,
        } = started;
        arbiter::run_arbiter(disputes, driver.downgrade(), verifier.clone());
        recheck::run_distrust(checker_errors, driver.downgrade());
        recheck::run_rechecks(rechecks, driver.downgrade(), verifier.clone());
        let orders = Orders::default();
        if is_paused {
            tracing::warn!("the census is paused; `misere census resume` goes on");
            orders.pause(true);
        }
        let census = CensusService::new(
            driver.clone(),
            verifier.clone(),
            terms,
            orders.clone(),
            snapshots.clone(),
            (plan_id, generation),
        );
        let observer = Observer::start(driver.clone(), snapshots.clone(), orders.clone(), watched)
            .with_identities(census.identities())
            .with_checks(verifier.clone());
        let control = control::serve(&data, observer.clone())
            .inspect_err(|error| {
                tracing::warn!(%error, "cannot make the control socket: no backup, no change of \
                                        the quarantine while this runs");
            })
            .ok();
        let health = HealthReporter::new();
        let services = Services {
            census,
            checker: CheckerService::new(driver.clone(), verifier.clone(), snapshots.clone()),
            query: QueryService::new(snapshots.clone(), orders.clone(), observer.clone()),
            control: ControlService::new(orders.clone(), snapshots.clone(), observer.clone()),
            health: health.clone(),
            calls: observer.calls().clone(),
        };
        let coordinator = Self {
            address: listen,
            listens: false,
            elsewhere: None,
            tls: None,
            follows: None,
            orders,
            health,
            data,
            driver,
            verifier,
            snapshots,
            observer,
            control,
            watching: None,
            thread,
            shutdown: watch::Sender::default(),
            servers: Vec::new(),
        };
        Ok((coordinator, services))
    }

    /// Serves the callers at a port, through its gate.
    fn serve_at(
        &mut self,
        services: Services,
        listener: TcpListener,
        gate: ConnectionLimiter,
        tls: Option<&Tls>,
    ) {
        self.observer.watch(gate.clone());
        let (sender, connections) = mpsc::channel(1);
        let taking = gate.clone();
        tokio::spawn(async move {
            loop {
                let connection = tokio::select! {
                    connection = taking.accept(&listener) => connection,
                    () = sender.closed() => break,
                };
                if sender.send(Ok(connection)).await.is_err() {
                    break;
                }
            }
        });
        let connections = ReceiverStream::new(connections);
        match tls {
            None => self.serve(services, connections, Some(&gate), None),
            Some(tls) => {
                tls.revoked().register_limiter(gate.clone());
                let accepted = tls.accept(connections);
                self.serve(services, accepted, Some(&gate), Some(tls.revoked()));
            }
        }
    }

    /// Serves incoming connections.
    fn serve<C: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static>(
        &mut self,
        services: Services,
        connections: impl Stream<Item = std::io::Result<C>> + Send + 'static,
        gate: Option<&ConnectionLimiter>,
        revoked: Option<&RevocationList>,
    ) {
        let mut stopped = self.shutdown.subscribe();
        // An error means that the sender is gone, which ends the server too.
        let stopped = async move { drop(stopped.wait_for(|&stopped| stopped).await) };
        self.servers
            .push(services.spawn(connections, gate, revoked, stopped));
    }

    /// Reports the services as up, and starts the ticks of the driver.
    async fn show(&mut self) {
        report_health(&self.health, ServingStatus::Serving).await;
        let watching = watch_health(self.observer.clone(), self.health.clone());
        self.watching = Some(tokio::spawn(watching));
        tokio::spawn(tick(self.driver.clone(), self.verifier.clone()));
        let reached = self.listens.then(|| reachable(self.address).to_string());
        let noted: Vec<String> = reached
            .into_iter()
            .chain(self.elsewhere.as_ref().map(local::note))
            .collect();
        let endpoint = self.data.join(ENDPOINT);
        let written = match noted.is_empty() {
            // A file that a killed process left is out of date.
            true => std::fs::remove_file(endpoint).or_else(|error| match error.kind() {
                std::io::ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            }),
            false => std::fs::write(endpoint, noted.join("\n")),
        };
        if let Err(error) = written {
            tracing::warn!(%error, "cannot note the coordinator's address");
        }
    }

    /// Returns the address on which the coordinator listens.
    ///
    /// If it serves the owner of the directory alone, it is the configured address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the directory of the census.
    #[must_use]
    pub fn data(&self) -> &std::path::Path {
        &self.data
    }

    /// Returns the TLS of the coordinator; `None` for plaintext.
    #[must_use]
    pub fn tls(&self) -> Option<&Tls> {
        self.tls.as_ref()
    }

    /// Returns the orders of operators.
    #[must_use]
    pub fn orders(&self) -> &Orders {
        &self.orders
    }

    /// Returns the snapshots of the census, one after the other.
    ///
    /// The sender is gone when the store has failed.
    #[must_use]
    pub fn snapshots(&self) -> watch::Receiver<Snapshot> {
        self.snapshots.clone()
    }

    /// Returns the observer of the coordinator, for health checks, metrics and people.
    #[must_use]
    pub fn observer(&self) -> Observer {
        self.observer.clone()
    }

    /// Stops a coordinator that cannot go on, and returns the reason.
    ///
    /// The store has to be closed before the process ends.
    async fn stopped_by(self, reason: CoordinatorError) -> CoordinatorError {
        // The first reason is the one to fix.
        let _ = self.stop().await;
        reason
    }

    /// Stops the coordinator: waits briefly for running checks, closes the service, then the store.
    ///
    /// # Errors
    /// [`CoordinatorError`] if the store had failed.
    pub async fn stop(mut self) -> Result<(), CoordinatorError> {
        let checked = self.snapshots.wait_for(|snapshot| snapshot.checking == 0);
        // Late checks are repeated when the census is resumed.
        let _ = tokio::time::timeout(LAST_CHECKS, checked).await;
        self.verifier.stop();
        let checks = self.verifier.check_counts();
        if checks.believed > 0 {
            let (accepted, checked_again) = (checks.believed, checks.sampled);
            tracing::info!(
                accepted,
                checked_again,
                "certificates that checkers have checked"
            );
        }
        if let Some(watching) = self.watching {
            watching.abort();
        }
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
        self.follows.inspect(JoinHandle::abort);
        if let Some(control) = &self.control {
            control.abort();
        }
        // If the directory was renamed meanwhile, these are the sockets of another census.
        if self.observer.files().are_in_place() {
            if self.control.is_some() {
                let _ = std::fs::remove_file(self.data.join(CONTROL));
            }
            let _ = std::fs::remove_file(self.data.join(RPC));
            let _ = std::fs::remove_file(self.data.join(ENDPOINT));
        }
        let ended = tokio::task::spawn_blocking(move || self.thread.join());
        match ended.await {
            Ok(Ok(result)) => Ok(result?),
            Ok(Err(_)) | Err(_) => Err(CoordinatorError::Panicked),
        }
    }
}

/// Returns the gate of a port for calls, with a number of places.
fn gate(port: &'static str, places: usize) -> ConnectionLimiter {
    let waiting = (places / 4).clamp(2, NEWCOMERS);
    ConnectionLimiter::new(
        port,
        Bounds {
            waiting,
            busy: places.saturating_sub(waiting).max(1),
            patience: FIRST_CALL,
            kept: (places / 16).clamp(1, MAX_RESERVED),
        },
    )
}

async fn listen_on(address: SocketAddr) -> Result<(TcpListener, SocketAddr), CoordinatorError> {
    let cannot = |source| CoordinatorError::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(cannot)?;
    let address = listener.local_addr().map_err(cannot)?;
    Ok((listener, address))
}

/// Returns an address under which this machine reaches the listener of an address.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// Reports to programs that watch over processes whether work moves.
///
/// It does so as often as that may have changed.
async fn watch_health(observer: Observer, health: HealthReporter) {
    let mut was_ready = true;
    let mut interval = tokio::time::interval(HEALTH);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        interval.tick().await;
        let ready = observer.ready().await;
        if ready.is_ok() == was_ready {
            continue;
        }
        was_ready = ready.is_ok();
        let status = match ready {
            Ok(()) => {
                tracing::info!("ready again");
                ServingStatus::Serving
            }
            Err(unready) => {
                tracing::warn!(%unready, "not ready");
                ServingStatus::NotServing
            }
        };
        report_health(&health, status).await;
    }
}

/// Notifies the driver and the verifier of the time at each tick, as long as the driver exists.
async fn tick(driver: DriverHandle, verifier: CertificateVerifier) {
    let mut interval = tokio::time::interval(TICK);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        interval.tick().await;
        verifier.take_overdue();
        if driver.tick().await.is_err() {
            return;
        }
    }
}
