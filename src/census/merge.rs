//! `misere census merge`: parts of a census, and whole censuses, that were computed elsewhere,
//! checked and merged.

use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use misere_census::chunk::{Form, Reader};
use misere_census::input_file;
use misere_census::{Plan, Space, plan};
use misere_coordinator::CoordinatorError;
use misere_coordinator::check_threads::CertificateVerifier;
use misere_coordinator::merge::{MergeCounts, Terms, merge, merge_census};
use misere_coordinator::seal::{Sealer, hash_of, sealer};
use misere_proto::CredentialError;
use misere_proto::credentials::authorities;
use misere_store::{Store, StoreError};
use serde_json::json;

use super::plan::PlanArgs;
use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::serving;
use crate::terminal::{self, counted};

/// The interval of the lines of progress.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// The arguments of `misere census merge`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census merge --data census part-*   every part that is there, in any
                                             order, any number of times
  misere census run --data census            compute here what is still missing
  misere census digest --data census         the digest of a whole census is
                                             that of one computed in one piece
  misere census merge --data census --ca ca.pem *.checked
      parts that `misere census chunk` with --check has sealed
  misere census merge --data census lab-1 lab-2
      the censuses in two directories, of one plan or of two lists of codes
  misere census merge --data census --digits 4 lab-1 lab-2
      censuses of codes of four digits each

Every certificate is checked, and refused results stay out. Of a part that a
checker has sealed one in 32 is, if --ca has signed the checker's certificate;
a checker that errs is distrusted, and all that it sealed is checked. Some
results carry no proof: a game is said to diverge, to grow, or to take more
than its budget. A share of these is computed again by this command, and so is
every task of which a part and the census have different results. A part that
is caught with a false result is distrusted. If there is no census in the
directory, one is begun with the plan of the plan options, or else with that of
the first part, or with all the codes that the censuses list.

Exit codes: 0 done, 1 failed, 2 usage, 5 something was refused, in dispute or
damaged.")]
pub struct MergeArgs {
    /// The directory of the census; made if it does not exist
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA")]
    data: PathBuf,
    /// Files of `misere census chunk`, and directories of censuses
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Compute one in N results without proof again, fewer as they are confirmed; 1: all; 0: none
    #[arg(long, value_name = "N", default_value_t = Terms::default().first_one_in)]
    confirm_one_in: u32,
    /// Take the word of checkers with a certificate of this authority, in PEM
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    plan: PlanArgs,
}

/// Runs `misere census merge`.
///
/// # Errors
/// A [`Failure`] if a file or the census cannot be read, or do not belong together. Files
/// before that one are merged.
pub fn run(args: &MergeArgs) -> Result<Exit, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let verifier = CertificateVerifier::new(cores).map_err(CoordinatorError::from);
    let verifier = verifier.map_err(CensusError::from)?;
    let runtime = serving::runtime().map_err(CensusError::Start)?;
    let mut store = match begun_with(args)? {
        Some(plan) => {
            Some(Store::open(&args.data, &plan, || plan::tasks(&plan)).map_err(CensusError::from)?)
        }
        None => None,
    };
    let mut files = Vec::new();
    let terms = Terms {
        first_one_in: args.confirm_one_in,
    };
    let authority = args
        .ca
        .as_ref()
        .map(|file| read_authority(file))
        .transpose()?;
    let authority = authority.as_deref();
    for file in &args.files {
        let merged = match (&mut store, file.is_dir()) {
            (Some(store), true) => runtime.block_on(fold_in_census(store, &verifier, file, terms)),
            _ => runtime.block_on(fold_in(
                &args.data,
                &mut store,
                &verifier,
                file,
                (terms, authority),
            )),
        }?;
        print_merged(file, &merged);
        files.push((file, merged));
    }
    let sum =
        |part: fn(&MergeCounts) -> u64| files.iter().map(|(_, merged)| part(merged)).sum::<u64>();
    let (new, known) = (sum(|merged| merged.new), sum(|merged| merged.known));
    let refused = sum(|merged| merged.refused.len() as u64);
    let confirmed = sum(|merged| merged.confirmed);
    let disagreements = sum(|merged| merged.disagreements.len() as u64);
    let (reopened, damaged) = (sum(|merged| merged.reopened), sum(|merged| merged.damaged));
    let is_clean = files.iter().all(|(_, merged)| merged.is_clean());
    let counters = store.map(|store| store.counters()).unwrap_or_default();
    if args.json {
        let files = files.iter().map(|(file, merged)| {
            let mut document = json!({
                "file": file.display().to_string(),
                "new": merged.new,
                "known": merged.known,
                "refused": merged.refused.len(),
                "confirmed": merged.confirmed,
                "disagreements": merged.disagreements.len(),
                "reopened": merged.reopened,
                "damaged": merged.damaged,
                "believed": merged.believed,
                "erred": merged.erred.map(|task| task.to_string()),
            });
            if file.is_dir() {
                document["left_out"] = json!(merged.left_out);
            }
            document
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

/// Returns the plan of the census if the options or the directories among the files determine it.
///
/// Otherwise, `None`, the first file determines it.
fn begun_with(args: &MergeArgs) -> Result<Option<Plan>, CensusError> {
    if args.plan.is_given() {
        return Ok(Some(args.plan.resolve(Some(&args.data))?));
    }
    let censuses: Vec<&PathBuf> = args.files.iter().filter(|file| file.is_dir()).collect();
    if let Ok(data) = args.data.canonicalize()
        && let Some(same) = censuses
            .iter()
            .find(|census| census.canonicalize().is_ok_and(|census| census == data))
    {
        return Err(CensusError::MergedIntoItself(same.to_path_buf()));
    }
    let mut all: Option<Plan> = None;
    if !censuses.is_empty() {
        match misere_store::plan_of(&args.data) {
            Ok(plan) => return Ok(Some(plan)),
            Err(StoreError::Missing(_)) => {}
            Err(StoreError::NoCensus(other, name)) => {
                return Err(StoreError::NotACensus(other, name).into());
            }
            Err(error) => return Err(error.into()),
        }
    }
    for census in censuses {
        let plan = misere_store::plan_of(census)?;
        all = Some(match all {
            Some(before) => together(before, plan, census)?,
            None => plan,
        });
    }
    Ok(all)
}

/// Returns the plan that includes both plans.
fn together(one: Plan, other: Plan, census: &Path) -> Result<Plan, CensusError> {
    if one == other {
        return Ok(one);
    }
    match (one.space(), other.space()) {
        (Space::Codes(some), Space::Codes(more)) if one.budget() == other.budget() => {
            let codes = some.iter().chain(more).cloned().collect();
            Ok(Plan::new(Space::Codes(codes), one.budget())?)
        }
        _ => Err(CensusError::PlansApart {
            census: census.to_owned(),
            plan: other.to_string(),
            before: one.to_string(),
        }),
    }
}

/// Prints what was refused, damaged or in dispute.
pub(super) fn print_merged(file: &Path, merged: &MergeCounts) {
    let file = file.display();
    for (task, reason) in &merged.refused {
        notice!("refused: {file}: task {task}: {reason}");
    }
    for disagreement in &merged.disagreements {
        notice!("in dispute: {file}: {disagreement}");
    }
    if let Some(task) = merged.erred {
        notice!(
            "the checker of {file} erred at task {task}: it is not trusted, and what it alone had \
             checked was checked again"
        );
    }
    if merged.damaged > 0 {
        let places = counted(merged.damaged, "place");
        notice!("damaged: {file}: at {places}; what stood there is lost, and is to be done again");
    }
    if merged.reopened > 0 {
        let records = counted(merged.reopened, "record");
        notice!(
            "note: {file}: {records} taken out of the census; `misere census run` does them again"
        );
    }
    if merged.left_out > 0 {
        let results = counted(merged.left_out, "result");
        notice!("note: {file}: {results} left out, of codes for which the census has no task");
    }
}

/// Merges another census into the census.
async fn fold_in_census(
    store: &mut Store,
    verifier: &CertificateVerifier,
    path: &Path,
    terms: Terms,
) -> Result<MergeCounts, CensusError> {
    let other = Store::open_read_only(path)?;
    let records = other.counters().records();
    let mut last_line = Instant::now();
    let seen = |found| {
        if last_line.elapsed() >= LINE_INTERVAL {
            last_line = Instant::now();
            let all = counted(records, "result");
            notice!("{}: {found} of {all} seen", path.display());
        }
    };
    let merged = merge_census(store, verifier, &other, terms, seen).await;
    merged.map_err(|cause| CensusError::Merge {
        file: path.to_owned(),
        cause: Box::new(cause),
    })
}

/// Reads the certificates of an authority.
pub(super) fn read_authority(file: &Path) -> Result<Vec<u8>, CensusError> {
    let pem = input_file::read(file, input_file::SMALL).map_err(|cause| CredentialError::Read {
        file: file.to_owned(),
        cause,
    })?;
    authorities(&pem).map_err(|error| CensusError::Seal(Box::new(error.into())))?;
    Ok(pem)
}

/// Returns the checker whose word about a sealed file is taken; `None`, with a remark, for none.
fn sealer_of(path: &Path, authority: &[u8], store: &Store) -> Result<Option<Sealer>, CensusError> {
    let cannot = |cause| CensusError::part(path, cause);
    let open = || input_file::open(path).map_err(|error| cannot(error.into()));
    let Some(mut reader) = Reader::open(BufReader::new(open()?)).map_err(cannot)? else {
        return Ok(None);
    };
    while reader.next_found().map_err(cannot)?.is_some() {}
    let path = path.display();
    let Some((seal, bytes)) = reader.seal() else {
        notice!("note: {path}: the seal is missing, so all of it is checked here");
        return Ok(None);
    };
    let hash = hash_of(open()?, bytes).map_err(|error| cannot(error.into()))?;
    match sealer(seal, &hash, authority) {
        Ok(Sealer { name, identity }) if store.distrusted()?.contains(&identity) => {
            notice!(
                "note: {path}: the checker `{name}` is not trusted, so all of it is checked here"
            );
            Ok(None)
        }
        Ok(sealer) => Ok(Some(sealer)),
        Err(error) => {
            notice!("note: {path}: {error}; all of it is checked here");
            Ok(None)
        }
    }
}

/// Merges a file into the census, which is opened or begun with the first.
pub(super) async fn fold_in(
    data: &Path,
    store: &mut Option<Store>,
    verifier: &CertificateVerifier,
    path: &Path,
    (terms, authority): (Terms, Option<&[u8]>),
) -> Result<MergeCounts, CensusError> {
    let cannot = |cause| CensusError::part(path, cause);
    let file = input_file::open(path).map_err(|error| cannot(error.into()))?;
    let size = file.metadata().map_or(0, |data| data.len());
    let reader = Reader::open(BufReader::new(file)).map_err(cannot)?;
    let Some(mut reader) = reader else {
        notice!("note: {}: nothing is in it yet", path.display());
        return Ok(MergeCounts::default());
    };
    if reader.form() == Form::WithoutChecksums {
        notice!(
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
    let sealer = match authority {
        Some(authority) if reader.form() == Form::Sealed => sealer_of(path, authority, store)?,
        _ => None,
    };
    let merged = merge(store, verifier, &mut reader, terms, sealer).await;
    if merged.is_ok() && reader.whole() < size {
        notice!("note: {}: its end is cut short", path.display());
    }
    merged.map_err(|cause| CensusError::Merge {
        file: path.to_owned(),
        cause: Box::new(cause),
    })
}
