//! `misere census merge`: parts of a census that were computed elsewhere, checked and merged.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use misere_census::chunk::{Form, Reader};
use misere_census::plan;
use misere_coordinator::CoordinatorError;
use misere_coordinator::merge::{Merged, Terms, merge};
use misere_coordinator::verifier::CertificateVerifier;
use misere_store::Store;
use serde_json::json;

use super::CensusFailure;
use crate::exit::{Exit, Failure};
use crate::serving;
use crate::terminal::{self, counted};

/// The arguments of `misere census merge`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census merge --data census part-*       every part that is there, in any order, any number of times
  misere census run --data census                compute here what is still missing
  misere census digest --data census             the digest of a whole census is that of one computed in one piece

Every certificate is checked, and refused results stay out. Some results carry no proof: a game
is said to diverge, to grow, or to take more than its budget. A share of these is computed again
by this command, and so is every task of which a part and the census have different results. A
part that is caught with a false result is distrusted. If there is no census in the directory,
one is begun with the plan of the first part.

Exit codes: 0 done, 1 failed, 2 usage, 5 something was refused, in dispute or damaged.")]
pub struct MergeArgs {
    /// The directory of the census; made if it does not exist
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Files of `misere census chunk`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Compute one in N of the results without proof again, and fewer as they are confirmed; 1: all
    /// of them; 0: none
    #[arg(long, value_name = "N", default_value_t = Terms::default().first_one_in)]
    confirm_one_in: u32,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

/// Runs `misere census merge`.
///
/// # Errors
/// A [`Failure`] if a file or the census cannot be read, or do not belong together. Files before
/// that one are merged.
pub fn run(args: &MergeArgs) -> Result<Exit, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let verifier = CertificateVerifier::new(cores).map_err(CoordinatorError::from);
    let verifier = verifier.map_err(CensusFailure::from)?;
    let runtime = serving::runtime().map_err(CensusFailure::Start)?;
    let mut store = None;
    let mut files = Vec::new();
    let terms = Terms {
        first_one_in: args.confirm_one_in,
    };
    for file in &args.files {
        let merged = runtime.block_on(fold_in(&args.data, &mut store, &verifier, file, terms))?;
        print_merged(file, &merged);
        files.push((file, merged));
    }
    let sum = |part: fn(&Merged) -> u64| files.iter().map(|(_, merged)| part(merged)).sum::<u64>();
    let (new, known) = (sum(|merged| merged.new), sum(|merged| merged.known));
    let refused = sum(|merged| merged.refused.len() as u64);
    let confirmed = sum(|merged| merged.confirmed);
    let disagreements = sum(|merged| merged.disagreements.len() as u64);
    let (reopened, damaged) = (sum(|merged| merged.reopened), sum(|merged| merged.damaged));
    let is_clean = files.iter().all(|(_, merged)| merged.is_clean());
    let counters = store.map(|store| store.counters()).unwrap_or_default();
    if args.json {
        let files = files.iter().map(|(file, merged)| {
            json!({
                "file": file,
                "new": merged.new,
                "known": merged.known,
                "refused": merged.refused.len(),
                "confirmed": merged.confirmed,
                "disagreements": merged.disagreements.len(),
                "reopened": merged.reopened,
                "damaged": merged.damaged,
            })
        });
        terminal::print_json(&json!({
            "schema": 1,
            "files": files.collect::<Vec<_>>(),
            "new": new,
            "known": known,
            "refused": refused,
            "confirmed": confirmed,
            "disagreements": disagreements,
            "reopened": reopened,
            "damaged": damaged,
            "records": counters.records(),
            "tasks": counters.tasks,
        }))?;
    } else {
        let dispute = match disagreements {
            0 => String::new(),
            some => format!(", {some} in dispute"),
        };
        terminal::print(&format!(
            "{new} new, {known} known, {refused} refused{dispute}; the census has {} of {} \
             records\n",
            counters.records(),
            counters.tasks
        ))?;
    }
    Ok(match is_clean {
        true => Exit::Done,
        false => Exit::Refuted,
    })
}

/// Prints what was refused, damaged or in dispute.
pub(super) fn print_merged(file: &Path, merged: &Merged) {
    let file = file.display();
    for (task, reason) in &merged.refused {
        eprintln!("refused: {file}: task {task}: {reason}");
    }
    for disagreement in &merged.disagreements {
        eprintln!("in dispute: {file}: {disagreement}");
    }
    if merged.damaged > 0 {
        let places = counted(merged.damaged, "place");
        eprintln!(
            "damaged: {file}: at {places}; what stood there is lost, and is to be done again"
        );
    }
    if merged.reopened > 0 {
        let records = counted(merged.reopened, "record");
        eprintln!(
            "note: {file}: {records} taken out of the census; `misere census run` does them again"
        );
    }
}

/// Merges a file into the census, which is opened or begun with the first.
pub(super) async fn fold_in(
    data: &Path,
    store: &mut Option<Store>,
    verifier: &CertificateVerifier,
    path: &Path,
    terms: Terms,
) -> Result<Merged, CensusFailure> {
    let cannot = |cause| CensusFailure::part(path, cause);
    let file = File::open(path).map_err(|error| cannot(error.into()))?;
    let size = file.metadata().map_or(0, |data| data.len());
    let reader = Reader::open(BufReader::new(file)).map_err(cannot)?;
    let Some(mut reader) = reader else {
        eprintln!("note: {}: nothing is in it yet", path.display());
        return Ok(Merged::default());
    };
    if reader.form() == Form::WithoutChecksums {
        eprintln!(
            "note: {}: an older release wrote it, without checksums",
            path.display()
        );
    }
    let store = match store {
        Some(store) => store,
        None => {
            let found = reader.header().plan.clone();
            store.insert(Store::open(data, &found, || plan::tasks(&found))?)
        }
    };
    let merged = merge(store, verifier, &mut reader, terms).await;
    if merged.is_ok() && reader.whole() < size {
        eprintln!("note: {}: its end is cut short", path.display());
    }
    merged.map_err(|cause| CensusFailure::Merge {
        file: path.to_owned(),
        cause: Box::new(cause),
    })
}
