//! `misere report atlas`: the least games of every misère quotient of small order.

use std::path::{Path, PathBuf};

use misere_game::control::{Control, Interrupt};
use misere_report::sheets::tables::atlas::AtlasInput;
use misere_report::{Census, ReportSheet, registry};
use misere_store::Store;

use super::printed::PrintOptions;
use super::tables::source;
use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::watch::{Guards, Watch};

/// A kind of report on quotients and censuses.
pub type Entry = registry::Entry<AtlasInput>;

/// The arguments of a report on quotients and censuses.
#[derive(Debug, clap::Args)]
pub struct AtlasArgs {
    /// A list of quotients (`misere classify --json`); `-` is standard input
    #[arg(long, value_name = "FILE")]
    list: PathBuf,
    /// The directory of a census; may be given several times
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA", required = true)]
    data: Vec<PathBuf>,
    #[command(flatten)]
    printed: PrintOptions,
}

/// Runs the report.
///
/// # Errors
/// A [`Failure`] if the list or a census cannot be read, the list is false, or nothing can be
/// printed.
pub fn run(entry: &Entry, args: &AtlasArgs) -> Result<Exit, Failure> {
    args.printed.check_writable()?;
    let interrupt = Interrupt::default();
    let name = "checking the list and reading the censuses".to_owned();
    let watch = Watch::start(name, &interrupt, Guards::default())?;
    let report = made(entry, args, &interrupt);
    watch.finish();
    args.printed.print(&report?)
}

fn made(entry: &Entry, args: &AtlasArgs, interrupt: &Interrupt) -> Result<ReportSheet, Failure> {
    // The censuses are opened first, so that a wrong name is reported before the list is checked.
    let mut censuses = Vec::new();
    for data in &args.data {
        censuses.push(Census {
            store: Store::open_read_only(data).map_err(CensusError::from)?,
            directory: named(data, &args.data),
        });
    }
    let source = source::of_list(&args.list, interrupt)?;
    let input = AtlasInput { source, censuses };
    let mut control = Control::new(u64::MAX, interrupt.clone());
    Ok(entry.make(&input, &mut control)?)
}

/// Returns the name of the directory of a census.
///
/// The path is private, so it is omitted unless two directories have the same name.
fn named(data: &Path, all: &[PathBuf]) -> String {
    let same = |other: &&PathBuf| other.file_name() == data.file_name();
    match (data.file_name(), all.iter().filter(same).count()) {
        (Some(name), 1) => name.to_string_lossy().into_owned(),
        _ => data.display().to_string(),
    }
}
