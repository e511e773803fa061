//! `misere census run`: begin or resume a census on this machine.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use misere_coordinator::Settings;
use misere_coordinator::ledger::LeaseTerms;
use misere_coordinator::report::Summary;
use misere_coordinator::store::Store;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tracing_subscriber::EnvFilter;

use super::CensusFailure;
use super::embedded::{self, Ended, Means};
use super::plan::PlanArgs;
use crate::exit::{Exit, Failure};
use crate::report;
use crate::terminal;
use crate::watch::Guards;

/// The arguments of `misere census run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census run --digits 3 --data census     every octal game of at most three digits
  misere census run --data census                resume it; the same command as above does too
  misere census run --codes 0.77,0.07 --fuel 60M --data two

Ctrl-C stops cleanly; what is finished is kept, however the run ends. The result depends on the plan alone.

Exit codes: 0 done, 1 failed, 2 usage, 4 interrupted.")]
pub struct RunArgs {
    /// The directory of the census; made if it is not there
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    #[command(flatten)]
    plan: PlanArgs,
    /// Games computed at once [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Running")]
    workers: Option<u16>,
    /// Try the games in quarantine again
    #[arg(long, help_heading = "Running")]
    retry_quarantined: bool,
    /// Print the summary as one JSON document instead of text
    #[arg(long, help_heading = "Running")]
    json: bool,
    #[command(flatten)]
    guards: Guards,
}

/// Runs `misere census run`.
///
/// # Errors
/// A [`Failure`] that says what to do.
pub fn run(args: &RunArgs) -> Result<Exit, Failure> {
    log_to_stderr();
    let plan = args.plan.resolve(Some(&args.data))?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.workers.map_or(cores, usize::from);
    let settings = Settings {
        data: args.data.clone(),
        plan,
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        terms: LeaseTerms::default(),
        check_threads: threads.min(cores),
        retry_quarantined: args.retry_quarantined,
    };
    let guards = misere_worker::Guards {
        time: args.guards.time_limit,
        memory: args.guards.memory_limit,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(CensusFailure::Start)?;
    let ended = runtime.block_on(async {
        let (stop, stops) = watch::channel(false);
        listen_for_signals(stop).map_err(CensusFailure::Start)?;
        embedded::run(settings, Means { threads, guards }, stops).await
    })?;
    runtime.shutdown_background();
    let store = Store::open_read_only(&args.data).map_err(CensusFailure::from)?;
    let counters = store.counters();
    if ended == Ended::Signalled {
        eprintln!(
            "interrupted: {} of {} rulesets are done and kept; resume with `misere census run --data {}`",
            counters.tasks - counters.pending(),
            counters.tasks,
            args.data.display(),
        );
        return Ok(Exit::Interrupted);
    }
    let summary = Summary::of(&store).map_err(CensusFailure::from)?;
    if args.json {
        terminal::print_json(&report::document(&summary))?;
    } else {
        terminal::print(&report::text(&summary))?;
    }
    match counters.quarantined {
        0 => Ok(Exit::Done),
        quarantined => Err(CensusFailure::Quarantine(quarantined).into()),
    }
}

/// Turns `stop` true at Ctrl-C, SIGTERM or SIGHUP; a second one ends the process at once, which loses no more than kill -9.
fn listen_for_signals(stop: watch::Sender<bool>) -> std::io::Result<()> {
    let mut signals = [
        signal(SignalKind::interrupt())?,
        signal(SignalKind::terminate())?,
        signal(SignalKind::hangup())?,
    ];
    tokio::spawn(async move {
        loop {
            let [interrupt, terminate, hangup] = &mut signals;
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
            if stop.send_replace(true) {
                std::process::exit(Exit::Interrupted as i32);
            }
        }
    });
    Ok(())
}

/// Warnings and errors go to standard error; `RUST_LOG=info` shows more.
fn log_to_stderr() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    // A second subscriber is refused; then there is one already.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(console::colors_enabled_stderr())
        .try_init();
}
