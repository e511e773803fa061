//! `misere census workers`, `drain`, `evict`, `ban` and `pardon`: the workers of a census, and the
//! trust in them.

use std::path::Path;

use misere_census::WorkerId;
use misere_census::quantity::{write_duration, write_time};
use misere_coordinator::control::{self, Answer, Request};
use misere_coordinator::driver::{Ban, Pardon};
use misere_coordinator::local::SocketError;
use misere_coordinator::observer::{Caught, Roll, Trust, Worker};
use misere_coordinator::rpc;
use misere_store::Store;
use misere_store::marks::MAX_NAME_BYTES;
use serde_json::{Value, json};
use tonic::Status;
use tonic::transport::Endpoint;

use super::order::{OrderArgs, directly};
use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::terminal::{self, counted};

/// The arguments of `misere census workers`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census workers --data census
  misere census workers --data census --json
  misere census workers --coordinator https://census.lab.example:7117
      from another machine, with MISERE_CA, MISERE_CERT and MISERE_KEY set

Each worker is listed with its number and name, the games that it holds, the
time since its last message, and the trust in it. The workers that were caught
or banned follow, connected or not; they are listed without a coordinator at
work, too.

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct WorkersArgs {
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    order: OrderArgs,
}

/// The workers that an order is about.
#[derive(Debug, clap::Args)]
pub struct WorkerNames {
    /// The number of each worker, its name or a pattern for it ('host-*', '*' for all; `?` is any
    /// character), or the fingerprint of its certificate, as `misere census workers` shows them
    #[arg(value_name = "WORKER", required = true, value_parser = name)]
    who: Vec<String>,
}

/// Parses the name of a worker, or a pattern for names.
fn name(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("the name of a worker is not empty".to_owned()),
        _ if text.len() > MAX_NAME_BYTES => Err(format!(
            "the name of a worker has at most {MAX_NAME_BYTES} bytes"
        )),
        _ => Ok(text.to_owned()),
    }
}

impl WorkerNames {
    /// Gives an order for each of the names, and returns the first failure beside what was done.
    fn each<T>(
        &self,
        mut order: impl FnMut(String) -> Result<T, Failure>,
    ) -> (Vec<T>, Result<(), Failure>) {
        let mut done = Vec::new();
        let mut failed = Ok(());
        for who in &self.who {
            match order(who.clone()) {
                Ok(one) => done.push(one),
                Err(failure) if failed.is_ok() => failed = Err(failure),
                Err(failure) => notice!("error: {failure}"),
            }
        }
        (done, failed)
    }
}

/// The arguments of `misere census drain`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census drain 3.7 --data census
      the number is that of `misere census status`
  misere census drain 'rack-2-*' --data census
      every worker whose name begins so
  misere census drain '*' --coordinator https://census.lab.example:7117
      all, from another machine, with MISERE_CA, MISERE_CERT and MISERE_KEY set

The workers get no more games. They finish the games that they hold, report the
results, and end. The other workers go on, and a worker that is started again
gets games.

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct DrainArgs {
    /// The number of each worker, its name or a pattern for it ('host-*', '*' for all; `?` is any
    /// character), or the fingerprint of its certificate, as `misere census workers` shows them
    #[arg(value_name = "WORKER", required_unless_present = "worker", value_parser = name)]
    who: Vec<String>,
    /// A worker, as version 1.0 has it
    #[arg(long, hide = true, value_name = "WORKER", value_parser = name)]
    worker: Vec<String>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    order: OrderArgs,
}

/// The arguments of `misere census evict`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census evict 3.7 --data census      this worker
  misere census evict host-a 'rack-2-*' --data census
      every worker with one of these names

The games that the workers hold go to others at once, without blame for the
games. The workers do not end, and may register again. `misere census ban`
keeps workers away, and `misere census drain` lets them finish the games that
they hold.

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct EvictArgs {
    #[command(flatten)]
    names: WorkerNames,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    order: OrderArgs,
}

/// The arguments of `misere census ban`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census ban host-a --data census
  misere census ban 5c0f94d1a27be638 --data census
      the fingerprint of its certificate
  misere census ban 'guest-*' --data census
      every worker known whose name begins so

The worker is sent away and may not come back, even after a restart of the
coordinator. Its results that no other worker confirmed are computed again, and
games that are in quarantine on its word alone are tried again. Without a
coordinator at work the ban is written to the directory, and the next
coordinator does this. `misere census pardon` takes the ban back.

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct BanArgs {
    #[command(flatten)]
    names: WorkerNames,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    order: OrderArgs,
}

/// The arguments of `misere census pardon`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census pardon host-a --data census
  misere census pardon '*' --data census
      every worker that was banned, caught or held back

A worker that was banned, caught or held back gets games again, and its
misconduct is forgotten. Games that were computed again stay as they are.

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct PardonArgs {
    #[command(flatten)]
    names: WorkerNames,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    order: OrderArgs,
}

/// Runs `misere census workers`.
///
/// # Errors
/// A [`Failure`] if the coordinator does not answer, or the census cannot be read.
pub fn workers(args: &WorkersArgs) -> Result<Exit, Failure> {
    let (roll, is_live) = match args.order.data() {
        None => (remotely(&args.order, rpc::workers)?, true),
        Some(data) => match asked(data, &Request::Status)? {
            Some(Answer::Status(standing)) => (Roll::from(*standing), true),
            _ => (on_disk(data)?, false),
        },
    };
    if args.json {
        terminal::print_json(&document(&roll, is_live))?;
    } else {
        terminal::print(&text(&roll, is_live))?;
    }
    Ok(Exit::Done)
}

/// Runs `misere census drain`.
///
/// # Errors
/// A [`Failure`] if no coordinator is running, or no worker is called so.
pub fn drain(args: &DrainArgs) -> Result<Exit, Failure> {
    let who = args.who.iter().chain(&args.worker).cloned().collect();
    let (drained, rest) = WorkerNames { who }.each(|who| {
        remotely(&args.order, async |endpoint: &Endpoint| {
            rpc::drain(endpoint, who).await
        })
    });
    let workers: Vec<(WorkerId, String)> = drained.concat();
    if args.json {
        terminal::print_json(&json!({ "schema": 1, "drained": numbered(&workers) }))?;
    } else {
        let rows = workers.iter().map(|(worker, name)| {
            let name = terminal::foreign(name);
            format!("worker {worker} `{name}` gets no more games; it ends what it holds\n")
        });
        terminal::print(&rows.collect::<String>())?;
    }
    rest.map(|()| Exit::Done)
}

/// Runs `misere census evict`.
///
/// # Errors
/// A [`Failure`] if no coordinator is running, or no worker is called so.
pub fn evict(args: &EvictArgs) -> Result<Exit, Failure> {
    let (evicted, rest) = args.names.each(|who| match args.order.data() {
        None => remotely(&args.order, async |endpoint: &Endpoint| {
            rpc::evict(endpoint, who).await
        }),
        Some(data) => match asked(data, &Request::Evict(who))? {
            Some(Answer::Evicted(evicted)) => Ok(evicted),
            _ => Err(CensusError::from(SocketError::NotRunning(data.to_owned())).into()),
        },
    });
    let tasks: u64 = evicted.iter().map(|eviction| eviction.tasks).sum();
    let workers = evicted.into_iter().flat_map(|eviction| eviction.workers);
    let workers: Vec<(WorkerId, String)> = workers.collect();
    if args.json {
        let document = json!({ "schema": 1, "evicted": numbered(&workers), "games": tasks });
        terminal::print_json(&document)?;
    } else if !workers.is_empty() {
        let mut text = String::new();
        for (worker, name) in &workers {
            let name = terminal::foreign(name);
            text.push_str(&format!("worker {worker} `{name}` was sent away\n"));
        }
        let games = counted(tasks, "game");
        text.push_str(&format!("{games} that they held can go to others\n"));
        terminal::print(&text)?;
    }
    rest.map(|()| Exit::Done)
}

/// Runs `misere census ban`.
///
/// # Errors
/// A [`Failure`] if the coordinator does not answer, or the census cannot be written.
pub fn ban(args: &BanArgs) -> Result<Exit, Failure> {
    let (bans, rest) = args.names.each(|who| {
        // Known workers have names sanitized on arrival, so the argument is sanitized too.
        let who = terminal::foreign(&who);
        match args.order.data() {
            None => remotely(&args.order, async |endpoint: &Endpoint| {
                rpc::ban(endpoint, who).await
            }),
            Some(data) => match asked(data, &Request::Ban(who.clone()))? {
                Some(Answer::Banned(ban)) => Ok(ban),
                _ => {
                    let names = directly(data, |store| store.ban(&who))?;
                    Ok(Ban { names, workers: 0 })
                }
            },
        }
    });
    let mut all = Ban::default();
    for ban in bans {
        all.names.extend(ban.names);
        all.workers += ban.workers;
    }
    let Ban { names, workers } = &all;
    if args.json {
        let document = json!({ "schema": 1, "banned": names, "evicted": workers });
        terminal::print_json(&document)?;
    } else if !names.is_empty() {
        let verb = if names.len() == 1 { "is" } else { "are" };
        terminal::print(&format!(
            "{} {verb} refused from now on; {} sent away; unconfirmed results are computed again\n",
            listed(names),
            counted(*workers, "worker"),
        ))?;
        if *workers == 0 {
            notice!(
                "note: no worker called so is connected now; `misere census workers` lists them"
            );
        }
    }
    rest.map(|()| Exit::Done)
}

/// Runs `misere census pardon`.
///
/// # Errors
/// A [`Failure`] if nothing is held against a worker of that name, or the census cannot be
/// written.
pub fn pardon(args: &PardonArgs) -> Result<Exit, Failure> {
    let (pardons, rest) = args.names.each(|who| {
        let Pardon { names } = match args.order.data() {
            None => remotely(&args.order, async |endpoint: &Endpoint| {
                rpc::pardon(endpoint, who.clone()).await
            })?,
            Some(data) => match asked(data, &Request::Pardon(who.clone()))? {
                Some(Answer::Pardoned(pardoned)) => pardoned,
                _ => Pardon {
                    names: directly(data, |store| store.pardon(&who))?,
                },
            },
        };
        match names.is_empty() {
            true => Err(CensusError::NothingAgainst(who).into()),
            false => Ok(names),
        }
    });
    let names: Vec<String> = pardons.concat();
    if args.json {
        terminal::print_json(&json!({ "schema": 1, "pardoned": names }))?;
    } else if !names.is_empty() {
        let verb = if names.len() == 1 { "is" } else { "are" };
        let names = listed(&names);
        terminal::print(&format!("{names} {verb} trusted again and may come back\n"))?;
    }
    rest.map(|()| Exit::Done)
}

fn numbered(workers: &[(WorkerId, String)]) -> Vec<Value> {
    let workers = workers.iter();
    let workers =
        workers.map(|(worker, name)| json!({ "worker": worker.to_string(), "name": name }));
    workers.collect()
}

fn asked(data: &Path, request: &Request) -> Result<Option<Answer>, CensusError> {
    Ok(control::ask(data, request)?)
}

fn on_disk(data: &Path) -> Result<Roll, CensusError> {
    let marked = Store::open_read_only(data)?.marked()?;
    Ok(Roll {
        caught: marked.iter().map(Caught::from).collect(),
        ..Roll::default()
    })
}

/// Sends a request to a coordinator on another machine.
fn remotely<T>(
    order: &OrderArgs,
    call: impl AsyncFnOnce(&Endpoint) -> Result<T, Status>,
) -> Result<T, Failure> {
    let endpoint = order.endpoint()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(CensusError::Start)?;
    let answer = runtime.block_on(call(&endpoint));
    Ok(answer.map_err(|status| CensusError::of_call(&status))?)
}

fn document(roll: &Roll, is_live: bool) -> Value {
    json!({
        "schema": 1,
        "running": is_live,
        "workers": roll.workers,
        "caught": roll.caught,
        "evicted": roll.evicted,
    })
}

fn text(roll: &Roll, is_live: bool) -> String {
    let mut text = String::new();
    match (is_live, roll.workers.is_empty()) {
        (false, _) => text.push_str("no coordinator is at work\n"),
        (true, true) => text.push_str("no worker is there\n"),
        (true, false) => {}
    }
    for worker in &roll.workers {
        text.push_str(&row(worker));
    }
    if roll.evicted > 0 {
        let evicted = counted(roll.evicted, "worker");
        text.push_str(&format!(
            "{evicted} sent away since the coordinator was started\n"
        ));
    }
    for caught in &roll.caught {
        text.push_str(&guilty_row(caught));
    }
    text
}

fn listed(names: &[String]) -> String {
    let quoted = |name: &String| format!("`{}`", terminal::foreign(name));
    let names: Vec<String> = names.iter().map(quoted).collect();
    names.join(", ")
}

fn row(worker: &Worker) -> String {
    let Worker {
        worker: number,
        name,
        threads,
        fingerprint,
        held,
        silent_ms,
        running,
        trust,
        draining,
        ..
    } = worker;
    let drained = match draining {
        true => "  it is drained: it ends when it has finished its games\n",
        false => "",
    };
    let shown = fingerprint
        .as_ref()
        .map_or_else(String::new, |fingerprint| format!(" ({fingerprint})"));
    let name = terminal::foreign(name);
    let threads = counted(*threads, "thread");
    let held = counted(*held, "game");
    format!(
        "worker {number} `{name}`{shown}: {threads}, {held} held, {} computed, heard of {} ago\n{drained}  {}\n",
        running.len(),
        write_duration(*silent_ms as f64 / 1000.0),
        belief(trust),
    )
}

/// Describes the trust in a worker.
pub fn belief(trust: &Trust) -> String {
    let Trust {
        state,
        why,
        finished,
        agreed,
        refused,
        failed_alone,
        ..
    } = trust;
    let why = why
        .as_ref()
        .map_or_else(String::new, |why| format!(": {why}"));
    let mut text = format!("{state}{why}; {finished} finished, {agreed} confirmed by others");
    if *refused > 0 {
        text.push_str(&format!(", {refused} refused that others finished"));
    }
    if *failed_alone > 0 {
        text.push_str(&format!(", {failed_alone} failed that others finished"));
    }
    text
}

fn guilty_row(caught: &Caught) -> String {
    let Caught {
        name,
        fingerprint,
        why,
        game,
        at_ms,
        banned,
        ..
    } = caught;
    let shown = fingerprint
        .as_ref()
        .map_or_else(String::new, |fingerprint| format!(" ({fingerprint})"));
    let name = terminal::foreign(name);
    let state = if *banned { "banned" } else { "not believed" };
    let game = game
        .as_ref()
        .map_or_else(String::new, |game| format!(" ({game})"));
    let since = match at_ms {
        0 => String::new(),
        at_ms => format!(" since {}", write_time(*at_ms)),
    };
    format!("`{name}`{shown} is {state}{since}: {why}{game}\n")
}
