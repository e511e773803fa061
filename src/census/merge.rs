//! `misere census merge`: parts of a census that were computed elsewhere, checked and folded in.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use misere_census::chunk::Reader;
use misere_coordinator::judge::Judge;
use misere_coordinator::merge::{Merged, merge};
use misere_coordinator::store::Store;
use misere_coordinator::{CoordinatorError, plan};
use serde_json::json;

use super::CensusFailure;
use crate::exit::{Exit, Failure};
use crate::serving;
use crate::terminal;

/// The arguments of `misere census merge`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census merge --data census part-*       every part that is there, in any order, any number of times
  misere census run --data census                compute here what is still missing
  misere census digest --data census             the digest of a whole census is that of one computed in one piece

Every certificate is checked; what is refused stays out. A census that is not there yet is begun with the plan of the first part.

Exit codes: 0 done, 1 failed, 2 usage, 5 something was refused.")]
pub struct MergeArgs {
    /// The directory of the census; made if it is not there
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Files of `misere census chunk`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

/// Runs `misere census merge`.
///
/// # Errors
/// A [`Failure`] if a file or the census cannot be read, or do not belong together. Files before that one are folded in.
pub fn run(args: &MergeArgs) -> Result<Exit, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let judge = Judge::new(cores).map_err(CoordinatorError::from);
    let judge = judge.map_err(CensusFailure::from)?;
    let runtime = serving::runtime().map_err(CensusFailure::Start)?;
    let mut store = None;
    let mut files = Vec::new();
    for file in &args.files {
        let merged = runtime.block_on(fold_in(&args.data, &mut store, &judge, file))?;
        for (task, reason) in &merged.refused {
            eprintln!("refused: {}: task {task}: {reason}", file.display());
        }
        files.push((file, merged));
    }
    let sum = |part: fn(&Merged) -> u64| files.iter().map(|(_, merged)| part(merged)).sum::<u64>();
    let (new, known) = (sum(|merged| merged.new), sum(|merged| merged.known));
    let refused = sum(|merged| merged.refused.len() as u64);
    let counters = store.map(|store| store.counters()).unwrap_or_default();
    if args.json {
        let files = files.iter().map(|(file, merged)| {
            let refused = merged.refused.len();
            json!({ "file": file, "new": merged.new, "known": merged.known, "refused": refused })
        });
        terminal::print_json(&json!({
            "schema": 1,
            "files": files.collect::<Vec<_>>(),
            "new": new,
            "known": known,
            "refused": refused,
            "records": counters.records(),
            "tasks": counters.tasks,
        }))?;
    } else {
        terminal::print(&format!(
            "{new} new, {known} known, {refused} refused; the census has {} of {} records\n",
            counters.records(),
            counters.tasks
        ))?;
    }
    Ok(if refused > 0 {
        Exit::Refuted
    } else {
        Exit::Done
    })
}

/// Folds a file into the census, which is opened, or begun, with the first.
async fn fold_in(
    data: &Path,
    store: &mut Option<Store>,
    judge: &Judge,
    path: &Path,
) -> Result<Merged, CensusFailure> {
    let cannot = |cause| CensusFailure::part(path, cause);
    let file = File::open(path).map_err(|error| cannot(error.into()))?;
    let size = file.metadata().map_or(0, |data| data.len());
    let reader = Reader::open(BufReader::new(file)).map_err(cannot)?;
    let Some(mut reader) = reader else {
        eprintln!("note: {}: nothing is in it yet", path.display());
        return Ok(Merged::default());
    };
    let store = match store {
        Some(store) => store,
        None => {
            let found = reader.header().plan.clone();
            store.insert(Store::open(data, &found, || plan::tasks(&found))?)
        }
    };
    let merged = merge(store, judge, &mut reader).await;
    if merged.is_ok() && reader.whole() < size {
        eprintln!("note: {}: its end is cut short", path.display());
    }
    merged.map_err(|cause| CensusFailure::Merge {
        file: path.to_owned(),
        cause: Box::new(cause),
    })
}
