//! `misere census run`: begin or resume a census on this machine.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use misere_coordinator::Settings;
use misere_report::facts::Summary;
use misere_store::{Level, Store};

use misere_census::quantity::duration;
use misere_report::sheets;

use super::embedded::{self, RunOptions, StopReason};
use super::plan::PlanArgs;
use super::terms::TermsArgs;
use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::isolation::{IsolationArgs, TaskGuards};
use crate::logging::{LogArgs, RUN_LOG};
use crate::serving::{self, PageFileArgs};
use crate::terminal;
use crate::traces::TraceArgs;

/// The arguments of `misere census run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census run --digits 3 --data census   every octal game of at most three
                                               digits
  misere census run --data census              resume it; the same command as
                                               above does too
  misere census run --codes 0.77,0.07 --fuel 60M --data two
  misere census run --digits 3 --data census --http 127.0.0.1:8117
      and watch it at http://127.0.0.1:8117/live
  misere census run --space quotients --order 18 --data quotients
      all misère quotients of order at most 18, level by level
  misere census run --digits 3 --space quotients --order 14 --data both
      both: which of the quotients do the games have?

Ctrl-C stops the run cleanly. Finished results are kept, however the run ends.
The result of the census depends on the plan alone.

Exit codes: 0 done, 1 failed, 2 usage, 3 a level of quotients is exhausted,
4 interrupted.")]
pub struct RunArgs {
    /// The directory of the census; made if it does not exist
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA")]
    data: PathBuf,
    #[command(flatten)]
    plan: PlanArgs,
    /// The number of games computed at once [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Running")]
    workers: Option<u16>,
    /// Try the games in quarantine again
    #[arg(long, help_heading = "Running")]
    retry_quarantined: bool,
    /// The least time between checkpoints of a long game; a stop keeps one more
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s", help_heading = "Running")]
    checkpoint_every: Duration,
    /// Serve web pages at this address during the run, in plaintext; best a loopback address
    /// [default: none]
    #[arg(long, value_name = "ADDR", help_heading = "Running")]
    http: Option<SocketAddr>,
    #[command(flatten)]
    files: PageFileArgs,
    /// Print the summary as JSON
    #[arg(long, help_heading = "Running")]
    json: bool,
    #[command(flatten)]
    terms: TermsArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
    #[command(flatten)]
    guards: TaskGuards,
    #[command(flatten)]
    log: LogArgs,
    #[command(flatten)]
    traces: TraceArgs,
}

/// Runs `misere census run`.
///
/// # Errors
/// A [`Failure`] that says what to do.
pub fn run(args: &RunArgs) -> Result<Exit, Failure> {
    args.log.start_of_run(&args.data);
    let log = args.data.join(RUN_LOG);
    let logged = || std::fs::metadata(&log).map_or(0, |log| log.len());
    let before = logged();
    let plan = args.plan.resolve(Some(&args.data))?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.workers.map_or(cores, usize::from);
    let settings = Settings {
        data: args.data.clone(),
        plan,
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        terms: args.terms.of_a_run(),
        check_threads: threads.min(cores),
        retry_quarantined: args.retry_quarantined,
    };
    let guards = misere_worker::Guards::from(args.guards);
    let beside = args.files.read_for(args.http)?;
    let isolation = args.isolation.resolve(threads, guards.time);
    let means = RunOptions {
        threads,
        guards,
        isolation: isolation.map_err(CensusError::Start)?,
        checkpoint_every: args.checkpoint_every,
        http: args.http.map(|address| (address, beside)),
    };
    let runtime = serving::runtime().map_err(CensusError::Start)?;
    let traces = args.traces.start(&runtime)?;
    let ended = runtime.block_on(async {
        let stops = serving::stop_signals().map_err(CensusError::Start)?;
        embedded::run(settings, means, stops).await
    })?;
    drop(traces);
    runtime.shutdown_background();
    if logged() > before {
        notice!("note: the log of this run is in {}", log.display());
    }
    let resume = format!("misere census run --data {}", args.data.display());
    conclude(&args.data, ended, &resume, args.json)
}

/// Prints the status of the census in `data` after a run.
///
/// `resume` is the command that continues the run.
///
/// # Errors
/// A [`Failure`] if the census cannot be read, or if tasks are in quarantine.
pub fn conclude(data: &Path, ended: StopReason, resume: &str, json: bool) -> Result<Exit, Failure> {
    let store = Store::open_read_only(data).map_err(CensusError::from)?;
    let counters = store.counters();
    if ended == StopReason::Signalled {
        let tasks = match store.plan().space().max_quotient_order() {
            None => "rulesets",
            Some(_) => "tasks",
        };
        notice!(
            "interrupted: {} of {} {tasks} are done and kept; resume with `{resume}`",
            counters.tasks - counters.pending(),
            counters.tasks,
        );
        return Ok(Exit::Interrupted);
    }
    let summary = Summary::of(&store).map_err(CensusError::from)?;
    if json {
        terminal::print_json(&sheets::summary::document(&summary))?;
    } else {
        terminal::print(&sheets::summary::text(
            &summary,
            terminal::Page::of_stdout().width,
        ))?;
    }
    match counters.quarantined {
        0 => Ok(match store.open_level() {
            None => Exit::Done,
            Some(level) => blocked(level),
        }),
        quarantined => Err(CensusError::Quarantine(quarantined).into()),
    }
}

/// Reports that a level is incomplete though no task is left.
///
/// Games may be exhausted one by one, but the levels after a level depend on each of its batches.
fn blocked(level: &Level) -> Exit {
    let (order, left) = (level.order, level.tasks - level.settled);
    notice!(
        "note: order {order} is not complete, and the orders above were not begun: {left} of its \
         {} batches take more than the fuel of the plan, or were given up; the orders below \
         {order} are complete; choose more --fuel (and another directory)",
        level.tasks
    );
    Exit::Exhausted
}
