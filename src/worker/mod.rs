//! `misere worker`: the command that computes for a coordinator, on this machine or another.

use std::path::PathBuf;
use std::time::Duration;

use misere_census::MemoryClass;
use misere_census::quantity::duration;
use misere_proto::Security;
use misere_worker::{CheckerSettings, Settings, Solver, WorkerError};
use tokio::sync::watch;

use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::isolation::{IsolationArgs, TaskGuards};
use crate::logging::LogArgs;
use crate::security::SecurityArgs;
use crate::serving;
use crate::traces::TraceArgs;

/// The arguments of `misere worker`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere worker --coordinator http://127.0.0.1:7117
  misere worker --coordinator http://127.0.0.1:7117 --slots 2
  misere worker --coordinator https://census.lab.example:7117
      with MISERE_CA, MISERE_CERT and MISERE_KEY set
  misere worker --check --coordinator https://census.lab.example:7117
      with a certificate made by `certs --role checker`

A worker joins and leaves at any time. If the coordinator is away, the worker
waits, and registers again when the coordinator is back. A worker that reaches
no coordinator for --give-up-after ends with 6: the census may be over, or the
certificate of the worker is refused. A worker with another engine than the
coordinator ends with 6 at once, and so does one that is banned. A worker ends
with 0 when the census is finished or it was drained. Ctrl-C or SIGTERM gives
back the games that wait, lets running games end within the grace, and gives
back the rest, with which other workers go on.

With --check it computes no games, and takes checks off the coordinator: that
believes what it accepts, checks a share of it again, and trusts a checker that
errs no more.

Exit codes: 0 the census is finished, 1 failed, 2 usage, 4 interrupted, 6 no
coordinator reached within --give-up-after, or one with another engine or that
refuses the worker.")]
pub struct WorkerArgs {
    /// The address of the coordinator
    #[arg(long, value_name = "URL", env = "MISERE_COORDINATOR")]
    coordinator: String,
    /// The worker's name in `misere census status` [default: this machine's name]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The number of games computed at once [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    slots: Option<u16>,
    /// Check the certificates of other workers, and compute no games; the certificate needs the role
    /// checker
    #[arg(long, conflicts_with_all = ["grace", "memory_class", "checkpoint_every", "IsolationArgs", "TaskGuards"])]
    check: bool,
    /// How long games may go on after Ctrl-C or SIGTERM; a second signal ends the worker at once
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10s")]
    grace: Duration,
    /// Touch this file every two seconds while the worker is alive; `misere health FILE` looks at
    /// its age
    #[arg(long, value_name = "FILE")]
    sign_of_life: Option<PathBuf>,
    /// The greatest memory class of the worker's games, 0 to 2; a game that runs out of memory goes
    /// to the next [default: by the memory of each game, 1 from 4GiB, 2 from 16GiB]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=2))]
    memory_class: Option<u8>,
    /// The least time between checkpoints of a long game; a stop sends one more
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s")]
    checkpoint_every: Duration,
    /// How long to wait for a coordinator that is away or refuses this certificate; `never`: for
    /// ever
    #[arg(long, value_name = "TIME", value_parser = patience, default_value = "1d")]
    give_up_after: Patience,
    #[command(flatten)]
    isolation: IsolationArgs,
    #[command(flatten)]
    guards: TaskGuards,
    #[command(flatten)]
    log: LogArgs,
    #[command(flatten)]
    traces: TraceArgs,
    #[command(flatten)]
    security: SecurityArgs,
}

/// The time that a worker waits; `None` waits for ever.
#[derive(Clone, Copy, Debug)]
struct Patience(Option<Duration>);

fn patience(text: &str) -> Result<Patience, String> {
    if text == "never" {
        return Ok(Patience(None));
    }
    match duration(text) {
        Ok(Duration::ZERO) => Ok(Patience(None)),
        Ok(time) => Ok(Patience(Some(time))),
        Err(error) => Err(format!("{error}; or write `never`")),
    }
}

/// Runs `misere worker`.
///
/// # Errors
/// A [`Failure`] that says what to do.
pub fn run(args: &WorkerArgs) -> Result<Exit, Failure> {
    args.log.start(serving::LIVE_LOG);
    let security = args.security.resolve()?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let slots = args.slots.map_or(cores, usize::from);
    if args.check {
        return check(args, slots, &security);
    }
    let guards = misere_worker::Guards::from(args.guards);
    let isolation = args.isolation.resolve(slots, guards.time);
    let settings = Settings {
        coordinator: args.coordinator.clone(),
        name: name(args),
        slots,
        guards,
        isolation: isolation.map_err(CensusError::Start)?,
        grace: args.grace,
        sign_of_life: args.sign_of_life.clone(),
        memory_class: args.memory_class.map_or_else(
            || args.isolation.memory_class(slots, guards.memory),
            MemoryClass::new,
        ),
        checkpoint_every: args.checkpoint_every,
        give_up_after: args.give_up_after.0,
    };
    until_stopped(&args.traces, async |stops| {
        misere_worker::run_secured(settings, &security, Solver::Engine, stops).await
    })
}

/// Checks certificates of other workers.
fn check(args: &WorkerArgs, slots: usize, security: &Security) -> Result<Exit, Failure> {
    let settings = CheckerSettings {
        coordinator: args.coordinator.clone(),
        name: name(args),
        slots,
        sign_of_life: args.sign_of_life.clone(),
        give_up_after: args.give_up_after.0,
    };
    until_stopped(&args.traces, async |stops| {
        misere_worker::check_secured(settings, security, stops).await
    })
}

/// Works until the census is finished or a signal stops it.
fn until_stopped(
    traces: &TraceArgs,
    work: impl AsyncFnOnce(watch::Receiver<bool>) -> Result<(), WorkerError>,
) -> Result<Exit, Failure> {
    let runtime = serving::runtime().map_err(CensusError::Start)?;
    let traces = traces.start(&runtime)?;
    let signalled = runtime.block_on(async {
        let stops = serving::stop_signals().map_err(CensusError::Start)?;
        work(stops.clone()).await?;
        let signalled = *stops.borrow();
        Ok::<_, CensusError>(signalled)
    })?;
    drop(traces);
    runtime.shutdown_background();
    if signalled {
        notice!("interrupted: what this worker held is given back; others go on with it");
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Done)
}

fn name(args: &WorkerArgs) -> String {
    args.name.clone().unwrap_or_else(machine)
}

/// Returns the name of this machine, if the system provides it (Linux).
fn machine() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match name.trim() {
        "" => "worker".to_owned(),
        name => name.to_owned(),
    }
}
