//! The quotients of a report, read from a census or a list, and checked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use misere_answers::certificates::quotient_list::{self, QuotientListError};
use misere_census::input_file;
use misere_game::control::{Control, Interrupt};
use misere_report::sheets::provenance::Provenance;
use misere_report::sheets::tables::Source;
use misere_store::Store;
use serde_json::{Value, json};

use crate::census_error::CensusError;
use crate::exit::{CommandError, Exit, Failure};
use crate::read_error::ReadError;

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub struct SourceArgs {
    /// A census with quotients (`--space quotients`)
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA")]
    data: Option<PathBuf>,
    /// A list of quotients (`misere classify --json`); `-` is standard input
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
}

/// The limit on the games of the census that are named for a class.
const MAX_GAMES: usize = 8;

/// The file that a report needs does not hold a list of quotients, or holds a false one.
#[derive(Debug, thiserror::Error)]
#[error("`{file}` {fault}; nothing is printed")]
struct ListError {
    file: String,
    fault: QuotientListError,
}

impl CommandError for ListError {
    fn exit(&self) -> Exit {
        match &self.fault {
            fault if fault.is_stop() => Exit::Interrupted,
            fault if fault.is_unreadable() => Exit::Failed,
            _ => Exit::Refuted,
        }
    }
}

/// Reads and checks the quotients.
///
/// # Errors
/// A [`Failure`] if they cannot be read, or one is refuted.
pub fn read(args: &SourceArgs, interrupt: &Interrupt) -> Result<Source, Failure> {
    match (&args.data, &args.list) {
        (Some(data), _) => of_census(data, interrupt),
        (None, file) => of_list(file.as_deref().unwrap_or(Path::new("-")), interrupt),
    }
}

/// Reads and checks the quotients of a list; `-` is standard input.
///
/// # Errors
/// A [`Failure`] if they cannot be read, or one is refuted.
pub fn of_list(file: &Path, interrupt: &Interrupt) -> Result<Source, Failure> {
    let name = match file.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => file.display().to_string(),
    };
    let text = text(file).map_err(|cause| ReadError::new(&name, cause))?;
    let fault = |fault: QuotientListError| ListError {
        file: name.clone(),
        fault,
    };
    let written: Value = serde_json::from_str(&text).map_err(|cause| fault(cause.into()))?;
    let control = &mut Control::new(u64::MAX, interrupt.clone());
    let list = quotient_list::check(written, control).map_err(fault)?;
    // The path is omitted: it is private and differs between machines.
    let name = file
        .file_name()
        .map_or(name.clone(), |file| file.to_string_lossy().into_owned());
    let name = if name == "-" {
        "standard input".to_owned()
    } else {
        name
    };
    let first = format!(
        "Quotients: the list in {name}, of misere classify --order {} ({}), with {} quotients.",
        list.max_order,
        list.status,
        list.constructions.len()
    );
    let document = json!({
        "list": name,
        "max_order": list.max_order,
        "status": list.status,
    });
    let provenance = Provenance::of_list(first, document);
    Ok(Source::of_list(list.constructions, list.counts, provenance))
}

fn of_census(data: &Path, interrupt: &Interrupt) -> Result<Source, Failure> {
    let store = Store::open_read_only(data).map_err(CensusError::from)?;
    let name = data.display().to_string();
    let fault = |fault: QuotientListError| ListError {
        file: name.clone(),
        fault,
    };
    let mut control = Control::new(u64::MAX, interrupt.clone());
    let (mut list, mut games, mut counts) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    for level in store.levels().filter(|level| level.closed) {
        let quotients = store.quotients(level.order).map_err(CensusError::from)?;
        counts.insert(usize::from(level.order), quotients.len());
        for quotient in quotients {
            let number = list.len() + 1;
            let construction = quotient.construction;
            quotient_list::check_construction(number, &construction, &mut control)
                .map_err(fault)?;
            if construction.quotient.class_key() != quotient.class {
                return Err(fault(QuotientListError::Derived(number, "class".to_owned())).into());
            }
            let met = quotient.games.iter().take(MAX_GAMES);
            let met: Vec<String> = met
                .map(|(code, at)| {
                    let heap = at.ranges.first().map_or(0, |range| range.0);
                    format!("{code} from heap {heap}")
                })
                .collect();
            if !met.is_empty() {
                games.insert(quotient.class, met);
            }
            list.push(construction);
        }
    }
    let provenance = Provenance::of_census(&store).map_err(CensusError::from)?;
    Ok(Source::of_census(list, counts, games, provenance))
}

fn text(file: &Path) -> std::io::Result<String> {
    if file == Path::new("-") {
        input_file::text_of(std::io::stdin().lock(), input_file::LARGE)
    } else {
        input_file::read_text(file, input_file::LARGE)
    }
}
