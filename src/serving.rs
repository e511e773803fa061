//! The runtime, signals, log and pages of the commands that serve a census or compute for one.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::PathBuf;

use misere_census::atlas::Atlas;
use misere_coordinator::{Coordinator, CoordinatorError};
use misere_web::http;
use misere_web::page::{BrowserSolver, BrowserSolverError, ExtraData};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::census_error::CensusError;
use crate::exit::{CommandError, Exit, Failure};
use crate::watch::WatchGuard;
use crate::{signals, threads};

/// The log filter of a process that is one of many in a census.
pub const LIVE_LOG: &str = "warn,misere=info,misere_coordinator=info,misere_worker=info";

/// The channel of hang-ups.
pub type Hangups = mpsc::UnboundedReceiver<()>;

/// Starts the runtime with the threads for communication, which compute nothing.
///
/// # Errors
/// An error if the system refuses them.
pub fn runtime() -> std::io::Result<Runtime> {
    // If a thread is refused the runtime would panic, or wait for it without end.
    threads::start_for_server()?;
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
}

/// Returns a channel that turns true at Ctrl-C, SIGTERM or SIGHUP.
///
/// A second signal ends the process at once, which loses no more than kill -9.
///
/// # Errors
/// An error if the system refuses the handlers.
pub fn stop_signals() -> std::io::Result<watch::Receiver<bool>> {
    signals(None)
}

/// Returns the channel of [`stop_signals`] without SIGHUP, and a channel of hang-ups.
///
/// A hang-up asks to read something again, unless standard error is a terminal, which then is gone.
/// Since it ends nothing, it is received under `nohup`, too.
///
/// # Errors
/// An error if the system refuses the handlers.
pub fn stop_and_reload_signals() -> std::io::Result<(watch::Receiver<bool>, Option<Hangups>)> {
    if std::io::stderr().is_terminal() {
        return Ok((signals(None)?, None));
    }
    signals::take_hangups_for_orders();
    let (tell, hangups) = mpsc::unbounded_channel();
    Ok((signals(Some(tell))?, Some(hangups)))
}

fn signals(hangups: Option<mpsc::UnboundedSender<()>>) -> std::io::Result<watch::Receiver<bool>> {
    let mut signals = [
        unless_ignored(SignalKind::interrupt())?,
        unless_ignored(SignalKind::terminate())?,
        match hangups {
            Some(_) => Some(signal(SignalKind::hangup())?),
            None => unless_ignored(SignalKind::hangup())?,
        },
    ];
    let (stop, stops) = watch::channel(false);
    let counted = WatchGuard::one();
    tokio::spawn(async move {
        let _counted = counted;
        loop {
            let [interrupt, terminate, hangup] = &mut signals;
            tokio::select! {
                () = next(interrupt) => {}
                () = next(terminate) => {}
                () = next(hangup) => {
                    if let Some(hangups) = &hangups {
                        // The receiver is gone only if nothing is served any more.
                        let _ = hangups.send(());
                        continue;
                    }
                }
            }
            WatchGuard::for_good();
            if stop.send_replace(true) {
                signals::end_at_once();
            }
        }
    });
    Ok(stops)
}

/// Returns the stream of a signal; `None` if it was ignored at the start, and so stays ignored.
fn unless_ignored(kind: SignalKind) -> std::io::Result<Option<Signal>> {
    match signals::is_ignored(kind.as_raw_value()) {
        true => Ok(None),
        false => signal(kind).map(Some),
    }
}

/// Waits for a signal; for ever if it is ignored.
async fn next(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

/// The options with files that pages show besides a census.
#[derive(Clone, Debug, clap::Args)]
pub struct PageFileArgs {
    /// Show the results in this directory of `misere normal run` instead of computing them
    #[arg(long, value_name = "DIR", help_heading = "Pages")]
    normal: Option<PathBuf>,
    /// An atlas (`misere report atlas --json`), which gets a page of its own
    #[arg(long, value_name = "FILE", help_heading = "Pages")]
    atlas: Option<PathBuf>,
    /// The directory that `make browser-solver` makes, for solving and verifying in browsers
    /// [default: that of the installed release]
    #[arg(long, value_name = "DIR", help_heading = "Pages")]
    browser_solver: Option<PathBuf>,
}

impl PageFileArgs {
    /// Reads the files.
    ///
    /// # Errors
    /// A [`Failure`] if one of them cannot be read.
    pub fn read(&self) -> Result<ExtraData, Failure> {
        let solver = self.browser_solver.clone().or_else(installed_solver);
        Ok(ExtraData {
            normal: crate::normal::results(self.normal.as_deref())?,
            atlas: self.atlas.as_deref().map(Atlas::read).transpose()?,
            browser_solver: solver.as_deref().map(BrowserSolver::read).transpose()?,
        })
    }

    /// Reads the files of pages that are served at an address, if there is one.
    ///
    /// # Errors
    /// As [`PageFileArgs::read`], or [`NoPagesError`] if there are files but no pages.
    pub fn read_for(&self, http: Option<SocketAddr>) -> Result<ExtraData, Failure> {
        let files = [&self.normal, &self.atlas, &self.browser_solver];
        match http.is_none() && files.into_iter().any(Option::is_some) {
            true => Err(NoPagesError.into()),
            false => self.read(),
        }
    }
}

/// Returns the directory of the solver for browsers that a release installs with the command.
fn installed_solver() -> Option<PathBuf> {
    let command = std::env::current_exe().ok()?;
    let installed = command.parent()?.parent()?.join("share/misere/browser");
    installed.is_dir().then_some(installed)
}

/// Files for the pages are given, and no pages are served.
#[derive(Debug, thiserror::Error)]
#[error(
    "--normal, --atlas and --browser-solver are shown on the pages; give the address of the pages \
     by --http ADDR"
)]
pub struct NoPagesError;

impl CommandError for NoPagesError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}

/// The listener of the pages, which is bound before a census is opened.
#[derive(Debug)]
pub struct Door {
    listener: TcpListener,
    address: SocketAddr,
}

impl Door {
    /// Listens at an address; port 0 takes a free one.
    ///
    /// # Errors
    /// [`CensusError`] if the address is not available.
    pub async fn at(address: SocketAddr) -> Result<Self, CensusError> {
        let cannot = |source| CoordinatorError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        Ok(Self { listener, address })
    }

    /// Serves the pages, health and metrics of a coordinator until the handle is aborted.
    ///
    /// The pages show `beside`, too.
    pub fn serve(
        self,
        coordinator: &Coordinator,
        beside: ExtraData,
    ) -> JoinHandle<std::io::Result<()>> {
        let Self { listener, address } = self;
        notice!("pages, health and metrics on http://{address}");
        note_open_pages(address);
        http::serve(listener, coordinator.observer(), beside)
    }
}

/// Prints a note if other machines can reach the pages.
pub fn note_open_pages(address: SocketAddr) {
    if !address.ip().is_loopback() {
        notice!(
            "note: other machines can reach this address; the pages are in plaintext and \
             require no identification"
        );
    }
}

impl CommandError for BrowserSolverError {}
