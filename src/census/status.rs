//! `misere census status`: how does a census stand?
//!
//! A running census is asked through its coordinator; one that is not running is read from disk.

use std::path::{Path, PathBuf};

use misere_census::Plan;
use misere_coordinator::rpc::{self, StatusView};
use misere_coordinator::store::{Counters, ENDPOINT, Store};
use serde_json::{Value, json};

use super::{CensusFailure, plan};
use crate::exit::{Exit, Failure};
use crate::terminal;

/// The arguments of `misere census status`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census status --data census
  misere census status --data census --json

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct StatusArgs {
    /// The directory of the census
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

/// Runs `misere census status`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read.
pub fn run(args: &StatusArgs) -> Result<Exit, Failure> {
    let store = Store::open_read_only(&args.data).map_err(CensusFailure::from)?;
    let live = ask_coordinator(&args.data)?;
    let counters = live.as_ref().map_or(store.counters(), |live| Counters {
        done: live.done,
        exhausted: live.exhausted,
        quarantined: live.quarantined,
        ..store.counters()
    });
    if args.json {
        terminal::print_json(&document(store.plan(), counters, live.as_ref()))?;
    } else {
        terminal::print(&text(store.plan(), counters, live.as_ref()))?;
    }
    Ok(Exit::Done)
}

/// Asks the coordinator whose address stands in the directory; `None` if there is none at work.
fn ask_coordinator(data: &Path) -> Result<Option<StatusView>, CensusFailure> {
    let address = std::fs::read_to_string(data.join(ENDPOINT)).ok();
    let Some(address) = address.and_then(|text| text.trim().parse().ok()) else {
        return Ok(None);
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(CensusFailure::Start)?;
    Ok(runtime.block_on(rpc::ask(address)))
}

fn text(census: &Plan, counters: Counters, live: Option<&StatusView>) -> String {
    let Counters {
        tasks,
        codes,
        done,
        exhausted,
        quarantined,
    } = counters;
    let state = match (live, counters.pending()) {
        (_, 0) => "finished",
        (Some(live), _) if live.paused => "paused; `misere census resume` goes on",
        (Some(live), _) if live.workers.is_empty() => "waiting for workers",
        (Some(_), _) => "running",
        (None, _) => "not running; `misere census run` resumes it",
    };
    let mut text = format!(
        "{}\n{}{tasks} rulesets ({codes} codes): {done} done, {exhausted} exhausted, {quarantined} in quarantine, {} to do\n{state}\n",
        census.space(),
        plan::describe_budget(census),
        counters.pending(),
    );
    for worker in live.iter().flat_map(|live| &live.workers) {
        text.push_str(&format!(
            "worker {} `{}`, {} threads\n",
            worker.worker, worker.name, worker.slots
        ));
        for task in &worker.running {
            let seconds = task.running_ms / 1000;
            let line = format!(
                "  {}: heap {}, order {}, {seconds} s\n",
                task.code, task.heap, task.order
            );
            text.push_str(&line);
        }
    }
    text
}

fn document(census: &Plan, counters: Counters, live: Option<&StatusView>) -> Value {
    let Counters {
        tasks,
        codes,
        done,
        exhausted,
        quarantined,
    } = counters;
    let workers = live.iter().flat_map(|live| &live.workers).map(|worker| {
        let running = worker.running.iter().map(|task| {
            json!({ "code": task.code, "heap": task.heap, "order": task.order, "running_ms": task.running_ms })
        });
        json!({
            "worker": worker.worker.to_string(),
            "name": worker.name,
            "threads": worker.slots,
            "running": running.collect::<Vec<_>>(),
        })
    });
    json!({
        "schema": 1,
        "plan": plan::document(census),
        "running": live.is_some(),
        "paused": live.is_some_and(|live| live.paused),
        "tasks": tasks,
        "codes": codes,
        "done": done,
        "exhausted": exhausted,
        "quarantined": quarantined,
        "pending": counters.pending(),
        "leased": live.map(|live| live.leased),
        "checking": live.map(|live| live.checking),
        "workers": workers.collect::<Vec<_>>(),
    })
}
