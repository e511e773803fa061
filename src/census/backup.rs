//! `misere census backup`: a copy of a census, running or not.

use std::path::{Path, PathBuf};

use misere_census::plan;
use misere_coordinator::control::{self, Request};
use misere_store::Store;
use serde_json::json;

use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::terminal::{self, counted};

/// The arguments of `misere census backup`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census backup --data census --to /backup/census-monday
  misere census digest --data /backup/census-monday
      what is in the copy
  misere census run --data /backup/census-monday
      restore: go on from the copy

The copy is the census as it was between two commits, and is a census of its
own. A running census goes on while it is copied. On the same disk the copy
takes hardly any room at first, since it shares the tables of the original.

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct BackupArgs {
    /// The directory of the census
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA")]
    data: PathBuf,
    /// The directory of the copy, new or empty
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Runs `misere census backup`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read or the copy cannot be written.
pub fn run(args: &BackupArgs) -> Result<Exit, Failure> {
    let running = copy(&args.data, &args.to)?;
    let copied = Store::open_read_only(&args.to).map_err(CensusError::from)?;
    let digest = copied.digest().map_err(CensusError::from)?;
    let counters = copied.counters();
    if args.json {
        terminal::print_json(&json!({
            "schema": 1,
            "to": args.to.display().to_string(),
            "running": running,
            "digest": digest.to_string(),
            "complete": counters.is_complete(),
            "tasks": counters.tasks,
            "records": counters.records(),
        }))?;
    } else {
        terminal::print(&format!(
            "{} of {} copied to {}\ndigest {digest}\n",
            counters.records(),
            counted(counters.tasks, "record"),
            args.to.display(),
        ))?;
    }
    Ok(Exit::Done)
}

/// Makes the copy, or asks the running coordinator to; returns whether a coordinator was running.
fn copy(data: &Path, to: &Path) -> Result<bool, CensusError> {
    let absolute = std::path::absolute(to).map_err(CensusError::Start)?;
    if control::ask(data, &Request::Backup(absolute))?.is_some() {
        return Ok(true);
    }
    let stored = misere_store::plan_of(data)?;
    let store = Store::open(data, &stored, || plan::tasks(&stored))?;
    store.files().copy(to)?;
    Ok(false)
}
