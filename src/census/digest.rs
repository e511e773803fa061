//! `misere census digest`: the hash of a census, which is the same for equal censuses.

use std::path::PathBuf;

use misere_store::Store;
use serde_json::json;

use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::terminal;

/// The arguments of `misere census digest`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census digest --data census   the hash of its plan and of all its
                                       records
  misere census digest --data census --json

The digest of a finished census depends on its plan alone: not on machines,
numbers of threads or workers, order of work or interruptions. The digest of an
unfinished census covers the records that it has.

With --certificates a second line has the hash of all certificates, bit for bit,
which also covers the proofs and the fuel spent. This hash is the same for any
workers of one engine; another engine may prove the same claims in another
way.

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct DigestArgs {
    /// The directory of the census
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA")]
    data: PathBuf,
    /// Print the hash of all certificates on a second line
    #[arg(long)]
    certificates: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Runs `misere census digest`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read.
pub fn run(args: &DigestArgs) -> Result<Exit, Failure> {
    let store = Store::open_read_only(&args.data).map_err(CensusError::from)?;
    let digest = store.digest().map_err(CensusError::from)?;
    let certificates = match args.certificates || args.json {
        true => Some(store.certificates_digest().map_err(CensusError::from)?),
        false => None,
    };
    let counters = store.counters();
    let complete = store.is_complete();
    if args.json {
        terminal::print_json(&json!({
            "schema": 1,
            "digest": digest.to_string(),
            "certificates": certificates.map(|it| it.to_string()),
            "complete": complete,
            "tasks": counters.tasks,
            "records": counters.records(),
        }))?;
    } else {
        terminal::print(&format!("{digest}\n"))?;
        if let Some(certificates) = certificates {
            terminal::print(&format!("{certificates}\n"))?;
        }
        if !complete {
            let records = counters.records();
            notice!(
                "note: the census is not finished: {records} of {} tasks have their record",
                counters.tasks
            );
        }
    }
    Ok(Exit::Done)
}
