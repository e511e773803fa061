//! `misere coordinator`: serve a census to workers on any number of machines.

mod certs;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use misere_coordinator::driver::Snapshot;
use misere_coordinator::rpc::Tls;
use misere_coordinator::{Coordinator, Settings};
use misere_proto::Security;
use misere_store::ENDPOINT;
use misere_web::page::ExtraData;
use misere_worker::backoff::MAX_PAUSE;
use tokio::sync::watch;
use tokio::time::Instant;

use misere_census::quantity::duration;

use crate::census::{PlanArgs, Progress, StopReason, TermsArgs, conclude};
use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::logging::LogArgs;
use crate::security::SecurityArgs;
use crate::serving::{self, Door, Hangups, PageFileArgs};
use crate::traces::TraceArgs;

/// The interval at which the progress is read.
const CHECK_INTERVAL: Duration = Duration::from_millis(250);

/// The arguments of `misere coordinator`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  misere coordinator --data census --digits 3   begin a census, for workers on
                                                this machine
  misere coordinator --data census              go on with it
  misere coordinator --data census --listen 0.0.0.0:7117
      for other machines, with MISERE_CA, MISERE_CERT and MISERE_KEY set

The coordinator computes no games itself: `misere worker --coordinator URL`
does, on any number of machines, which may join and leave at any time. The
coordinator ends when the census is finished and the workers know it. Ctrl-C
stops it cleanly; finished results are kept, however it ends. With certificates,
SIGHUP reads the certificates and the list of --revoked again, unless standard
error is a terminal, which has then hung up.

Exit codes: 0 the census is finished, 1 failed, 2 usage, 4 interrupted."
)]
pub struct CoordinatorArgs {
    #[command(subcommand)]
    command: Option<CoordinatorCommand>,
    /// The directory of the census; made if it does not exist
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA", required = true)]
    data: Option<PathBuf>,
    /// The address to listen on for workers; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7117")]
    listen: SocketAddr,
    #[command(flatten)]
    plan: PlanArgs,
    /// The time that a worker may be silent before its games go to others
    #[arg(long, value_name = "TIME", value_parser = lease, default_value = "15s", help_heading = "Running")]
    lease: Duration,
    /// The number of threads that check certificates [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Running")]
    check_threads: Option<u16>,
    /// Try the games in quarantine again
    #[arg(long, help_heading = "Running")]
    retry_quarantined: bool,
    #[command(flatten)]
    terms: TermsArgs,
    /// Go on answering when the census is finished, until stopped
    #[arg(long, help_heading = "Running")]
    keep_serving: bool,
    /// Print the summary as JSON
    #[arg(long, help_heading = "Running")]
    json: bool,
    /// Serve web pages, /healthz, /readyz and /metrics at this address, in plaintext; best a
    /// loopback address [default: none]
    #[arg(long, value_name = "ADDR", help_heading = "Running")]
    http: Option<SocketAddr>,
    #[command(flatten)]
    files: PageFileArgs,
    #[command(flatten)]
    log: LogArgs,
    #[command(flatten)]
    traces: TraceArgs,
    #[command(flatten)]
    security: SecurityArgs,
    /// Refused certificates, by name or fingerprint, one a line; read again on change and at SIGHUP
    #[arg(long, value_name = "FILE")]
    revoked: Option<PathBuf>,
}

#[derive(Debug, clap::Subcommand)]
enum CoordinatorCommand {
    /// Make certificates for coordinator, workers and people
    Certs(certs::CertsArgs),
}

/// Parses the time of a lease; with less than a second, a busy worker would seem dead.
fn lease(text: &str) -> Result<Duration, String> {
    match duration(text) {
        Ok(lease) if lease < Duration::from_secs(1) => Err("a lease lasts at least 1s".to_owned()),
        Ok(lease) => Ok(lease),
        Err(error) => Err(error.to_string()),
    }
}

/// Runs `misere coordinator`.
///
/// # Errors
/// A [`Failure`] that says what to do.
pub fn run(args: &CoordinatorArgs) -> Result<Exit, Failure> {
    if let Some(CoordinatorCommand::Certs(args)) = &args.command {
        return certs::run(args);
    }
    // Clap requires the option, unless the environment or the settings have it.
    let data = args.data.clone().unwrap_or_default();
    args.log.start(serving::LIVE_LOG);
    let beside = args.files.read_for(args.http)?;
    let security = args.security.resolve_with(args.revoked.as_ref())?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let lease_ms = u64::try_from(args.lease.as_millis()).unwrap_or(u64::MAX);
    let settings = Settings {
        plan: args.plan.resolve(Some(&data))?,
        data: data.clone(),
        listen: args.listen,
        terms: args.terms.of_a_coordinator(lease_ms),
        check_threads: args.check_threads.map_or(cores, usize::from),
        retry_quarantined: args.retry_quarantined,
    };
    let runtime = serving::runtime().map_err(CensusError::Start)?;
    let traces = args.traces.start(&runtime)?;
    let ended = runtime.block_on(async {
        // With certificates a hang-up is the request to read them again.
        let signals = match security.is_mutual() {
            true => serving::stop_and_reload_signals(),
            false => serving::stop_signals().map(|stops| (stops, None)),
        };
        let signals = signals.map_err(CensusError::Start)?;
        let http = args.http.map(|address| (address, beside));
        serve(settings, &security, (args.keep_serving, http), signals).await
    })?;
    drop(traces);
    runtime.shutdown_background();
    let resume = format!("misere coordinator --data {}", data.display());
    conclude(&data, ended, &resume, args.json)
}

/// Reads the certificates again at each hang-up.
async fn reload(tls: Tls, mut hangups: Hangups) {
    while hangups.recv().await.is_some() {
        tls.reload_or_log();
    }
}

/// Returns a warning if other machines can reach a coordinator that requires no certificates.
///
/// A settings file may have said `insecure` long ago.
fn warning_of_plaintext(address: SocketAddr, security: &Security) -> Option<String> {
    let is_open = matches!(security, Security::Insecure) && !address.ip().is_loopback();
    is_open.then(|| {
        format!(
            "warning: --insecure: anyone who reaches {address} may do everything with this census, \
             and everything is sent in plaintext; use certificates (--ca, --cert, --key), or listen \
             on a loopback address"
        )
    })
}

/// The time in which workers that lost the coordinator come back to a new one.
///
/// Otherwise a worker that is between two attempts when the census ends would look for a
/// coordinator until it gives up, after a day.
const RETURN_TIMEOUT: Duration = MAX_PAUSE.saturating_add(Duration::from_secs(2));

/// Serves a census to its end, or until `stop` turns true.
async fn serve(
    settings: Settings,
    security: &Security,
    (keep_serving, http): (bool, Option<(SocketAddr, ExtraData)>),
    (mut stop, reloads): (watch::Receiver<bool>, Option<Hangups>),
) -> Result<StopReason, CensusError> {
    let farewell = Duration::from_millis(settings.terms.duration_ms);
    // A coordinator that stops removes the file. One that was killed has workers that look for it.
    let was_killed = settings.data.join(ENDPOINT).exists();
    let returned = Instant::now()
        + if was_killed {
            RETURN_TIMEOUT
        } else {
            Duration::ZERO
        };
    let door = match http {
        Some((address, beside)) => Some((Door::at(address).await?, beside)),
        None => None,
    };
    let coordinator = Coordinator::start_secured(settings, security).await?;
    notice!("listening on {}", coordinator.address());
    if let Some(warning) = warning_of_plaintext(coordinator.address(), security) {
        notice!("{warning}");
    }
    if let (Some(tls), Some(reloads)) = (coordinator.tls(), reloads) {
        tokio::spawn(reload(tls.clone(), reloads));
    }
    let http = door.map(|(door, beside)| door.serve(&coordinator, beside));
    let orders = coordinator.orders().clone();
    let mut snapshots = coordinator.snapshots();
    let mut progress = Progress::start(&snapshots.borrow());
    let mut beat = tokio::time::interval(CHECK_INTERVAL);
    let ended = loop {
        if !keep_serving && snapshots.borrow().is_finished() {
            break StopReason::Finished;
        }
        tokio::select! {
            _ = stop.wait_for(|&stop| stop) => break StopReason::Signalled,
            changed = snapshots.changed() => {
                // The driver is gone because its store failed; stopping the coordinator reports
                // how.
                if changed.is_err() {
                    break StopReason::Signalled;
                }
            }
            () = orders.cancelled() => break StopReason::Signalled,
            _ = beat.tick() => progress.show(&snapshots.borrow()),
        }
    };
    progress.finish();
    let finished = snapshots.borrow().is_finished();
    if !*stop.borrow() {
        // Workers ask again within moments, learn that there is no more work, and leave. A dead
        // worker does not.
        if finished && Instant::now() < returned {
            notice!("waiting some seconds for workers that lost a coordinator that was killed");
        }
        let left = async {
            tokio::time::sleep_until(returned).await;
            let left = snapshots.wait_for(|snapshot: &Snapshot| snapshot.workers.is_empty());
            let _ = tokio::time::timeout(farewell, left).await;
        };
        tokio::select! {
            () = left => {}
            _ = stop.wait_for(|&stop| stop) => {}
        }
    }
    coordinator.stop().await?;
    if let Some(http) = http {
        http.abort();
    }
    // A finished census that was still being served counts as finished even if a signal stopped it.
    Ok(if finished {
        StopReason::Finished
    } else {
        ended
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plaintext_that_other_machines_reach_is_warned_of() {
        let warned = |address: &str, security| {
            warning_of_plaintext(address.parse().unwrap(), &security).is_some()
        };
        for (address, is_wide) in [
            ("0.0.0.0:7000", true),
            ("[::]:7000", true),
            ("10.0.0.1:7000", true),
            ("127.0.0.1:7000", false),
            ("[::1]:7000", false),
        ] {
            assert_eq!(warned(address, Security::Insecure), is_wide, "{address}");
            assert!(!warned(address, Security::Loopback), "{address}");
        }
    }
}
