//! `misere census quarantine`: the games that failed too often.

use std::path::{Path, PathBuf};

use misere_census::quantity::write_time;
use misere_census::{TaskId, plan};
use misere_coordinator::control::{self, Answer, Request};
use misere_game::ruleset::Code;
use misere_store::{Attempt, Quarantine, Store, StoreError};
use serde_json::{Value, json};

use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::terminal::{self, counted};

/// The arguments of `misere census quarantine`.
#[derive(Debug, clap::Args)]
pub struct QuarantineArgs {
    #[command(subcommand)]
    command: QuarantineCommand,
}

#[derive(Debug, clap::Subcommand)]
enum QuarantineCommand {
    /// List the games in quarantine, and those that were dropped
    List(ListArgs),
    /// Show every failure of some games in quarantine
    #[command(after_help = SHOW)]
    Show(SomeArgs),
    /// Try some games in quarantine again, and forget their failures
    #[command(after_help = RETRY)]
    Retry(SomeArgs),
    /// Drop some games in quarantine, so that the census can end without them
    #[command(after_help = DROP)]
    Drop(SomeArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census quarantine list --data census
  misere census quarantine list --data census --json

Exit codes: 0 done, 1 failed, 2 usage.")]
struct ListArgs {
    /// The directory of the census
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA")]
    data: PathBuf,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The text after the options of `misere census quarantine show`.
const SHOW: &str = "\
Examples:
  misere census quarantine show --data census 0.6
  misere census quarantine show --data census --all --json

Every failure is listed with its time (UTC) and its reason.

Exit codes: 0 done, 1 failed, 2 usage.";

/// The text after the options of `misere census quarantine retry`.
const RETRY: &str = "\
Examples:
  misere census quarantine retry --data census 0.6 0.45
      these two
  misere census quarantine retry --data census --all
      every one that is not given up

If a coordinator is at work on the census, it takes the games up at once.
Otherwise the next run takes them up.

Exit codes: 0 done, 1 failed, 2 usage.";

/// The text after the options of `misere census quarantine drop`.
const DROP: &str = "\
Examples:
  misere census quarantine drop --data census 0.6
  misere census quarantine drop --data census --all

A dropped game has no record, so the digest is that of an unfinished census. The
game stays listed, and `misere census quarantine retry` takes it up again.

Exit codes: 0 done, 1 failed, 2 usage.";

#[derive(Debug, clap::Args)]
struct SomeArgs {
    /// The directory of the census
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA")]
    data: PathBuf,
    /// The games, each by its code or the name of its task
    #[arg(
        value_name = "GAME",
        required_unless_present = "all",
        conflicts_with = "all"
    )]
    games: Vec<String>,
    /// All games in quarantine that were not dropped
    #[arg(long)]
    all: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Runs `misere census quarantine`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read or written, or a game named is not in
/// quarantine.
pub fn run(args: &QuarantineArgs) -> Result<Exit, Failure> {
    match &args.command {
        QuarantineCommand::List(args) => list(args),
        QuarantineCommand::Show(args) => show(args),
        QuarantineCommand::Retry(args) => change(args, "retried", Request::Retry, Store::release),
        QuarantineCommand::Drop(args) => change(args, "dropped", Request::Drop, Store::give_up),
    }
}

type Entry = (TaskId, Quarantine);

fn list(args: &ListArgs) -> Result<Exit, Failure> {
    let entries = entries(&args.data)?;
    if args.json {
        let entries: Vec<Value> = entries.iter().map(document).collect();
        terminal::print_json(&json!({ "schema": 1, "quarantine": entries }))?;
    } else if entries.is_empty() {
        terminal::print("nothing is in quarantine\n")?;
    } else {
        let lines = entries.iter().map(|(_, why)| {
            let given_up = if why.dropped { " (given up)" } else { "" };
            let (code, failures) = (&why.name, why.failures);
            let last = terminal::foreign(&why.failure.to_string());
            let failures = counted(failures, "failure");
            format!("{code:<12} {failures}, the last: {last}{given_up}\n")
        });
        terminal::print(&lines.collect::<String>())?;
    }
    Ok(Exit::Done)
}

fn show(args: &SomeArgs) -> Result<Exit, Failure> {
    let chosen = chosen(args)?;
    if args.json {
        let entries: Vec<Value> = chosen.iter().map(document).collect();
        terminal::print_json(&json!({ "schema": 1, "quarantine": entries }))?;
        return Ok(Exit::Done);
    }
    let mut text = String::new();
    for (task, why) in &chosen {
        let given_up = if why.dropped { ", given up" } else { "" };
        text.push_str(&format!("{}{given_up}\ntask {task}\n", why.name));
        let attempts = attempts(why);
        let unknown = (why.failures as usize).saturating_sub(attempts.len());
        if unknown > 0 {
            let unknown = counted(unknown as u64, "earlier failure");
            text.push_str(&format!("  not kept: {unknown}\n"));
        }
        for Attempt { failure, at_ms } in attempts {
            let failure = terminal::foreign(&failure.to_string());
            text.push_str(&format!("  {}  {failure}\n", write_time(at_ms)));
        }
    }
    terminal::print(&text)?;
    Ok(Exit::Done)
}

/// Returns all known failures, oldest first.
fn attempts(why: &Quarantine) -> Vec<Attempt> {
    let last = Attempt {
        failure: why.failure.clone(),
        at_ms: why.at_ms,
    };
    why.earlier.iter().cloned().chain([last]).collect()
}

fn document((task, why): &Entry) -> Value {
    let attempts = attempts(why).into_iter().map(
        |Attempt { failure, at_ms }| json!({ "failure": failure.to_string(), "at_ms": at_ms }),
    );
    json!({
        "code": why.name,
        "task": task.to_string(),
        "failures": why.failures,
        "dropped": why.dropped,
        "attempts": attempts.collect::<Vec<_>>(),
    })
}

/// Changes tasks, or asks the running coordinator to change them.
fn change(
    args: &SomeArgs,
    done: &str,
    request: impl FnOnce(Vec<TaskId>) -> Request,
    change: impl FnOnce(&mut Store, &[TaskId]) -> Result<u64, StoreError>,
) -> Result<Exit, Failure> {
    let tasks: Vec<TaskId> = chosen(args)?.into_iter().map(|(task, _)| task).collect();
    let asked = control::ask(&args.data, &request(tasks.clone()));
    let changed = match asked.map_err(CensusError::from)? {
        Some(Answer::Changed(changed)) => changed,
        _ => directly(&args.data, |store| change(store, &tasks))?,
    };
    if args.json {
        let names: Vec<String> = tasks.iter().map(TaskId::to_string).collect();
        terminal::print_json(&json!({ "schema": 1, "changed": changed, "tasks": names }))?;
    } else {
        terminal::print(&format!("{changed} {done}\n"))?;
    }
    Ok(Exit::Done)
}

fn directly(
    data: &Path,
    change: impl FnOnce(&mut Store) -> Result<u64, StoreError>,
) -> Result<u64, CensusError> {
    let stored = misere_store::plan_of(data)?;
    let mut store = Store::open(data, &stored, || plan::tasks(&stored))?;
    Ok(change(&mut store)?)
}

fn entries(data: &Path) -> Result<Vec<Entry>, CensusError> {
    let mut entries = Store::open_read_only(data)?.quarantined()?;
    entries.sort_by_cached_key(|(_, why)| (why.name.parse::<Code>().ok(), why.name.clone()));
    Ok(entries)
}

fn chosen(args: &SomeArgs) -> Result<Vec<Entry>, CensusError> {
    let entries = entries(&args.data)?;
    if args.all {
        return Ok(entries
            .into_iter()
            .filter(|(_, why)| !why.dropped)
            .collect());
    }
    let one = |game: &String| -> Result<Entry, CensusError> {
        let code = game.parse::<Code>();
        let name = code.map_or_else(|_| game.clone(), |code| code.to_string());
        let named = entries
            .iter()
            .find(|(task, why)| why.name == name || game.parse() == Ok(*task));
        let missing = || StoreError::NotInQuarantine(game.clone());
        Ok(named.cloned().ok_or_else(missing)?)
    };
    args.games.iter().map(one).collect()
}
