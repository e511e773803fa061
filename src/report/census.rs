//! The reports that follow from a census alone, such as `misere report summary`.

use std::path::{Path, PathBuf};

use misere_game::control::{Control, Interrupt};
use misere_report::{Census, Censuses, registry};
use misere_store::Store;

use super::printed::PrintOptions;
use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::watch::{Guards, Watch};

/// A kind of report on a census.
pub type Entry = registry::Entry<Census>;

/// The arguments of a report on a census.
#[derive(Debug, clap::Args)]
pub struct CensusArgs {
    /// The directory of the census
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA")]
    data: PathBuf,
    #[command(flatten)]
    printed: PrintOptions,
}

/// Runs a report on a census.
///
/// # Errors
/// A [`Failure`] if the census cannot be read.
pub fn run(entry: &Entry, args: &CensusArgs) -> Result<Exit, Failure> {
    args.printed.check_writable()?;
    let census = opened(&args.data)?;
    let mut control = Control::new(u64::MAX, Interrupt::default());
    args.printed.print(&entry.make(&census, &mut control)?)
}

/// A kind of report on one census or several together.
pub type EntryOfSeveral = registry::Entry<Censuses>;

/// The arguments of a report on one census or several.
#[derive(Debug, clap::Args)]
pub struct CensusesArgs {
    /// The census; if several are given, what any of them proves counts
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA", required = true)]
    data: Vec<PathBuf>,
    #[command(flatten)]
    printed: PrintOptions,
}

/// Runs a report on several censuses.
///
/// # Errors
/// A [`Failure`] if a census cannot be read, or the report is interrupted.
pub fn run_together(entry: &EntryOfSeveral, args: &CensusesArgs) -> Result<Exit, Failure> {
    args.printed.check_writable()?;
    let mut censuses = Vec::new();
    for data in &args.data {
        censuses.push(opened(data)?);
    }
    let mut censuses = censuses.into_iter();
    let first = censuses.next().ok_or(CensusError::NoSpace(None))?;
    let others = censuses.collect();
    let censuses = Censuses { first, others };
    let interrupt = Interrupt::default();
    let watch = Watch::start(
        "reading the censuses".to_owned(),
        &interrupt,
        Guards::default(),
    )?;
    let mut control = Control::new(u64::MAX, interrupt.clone());
    let report = entry.make(&censuses, &mut control);
    watch.finish();
    args.printed.print(&report?)
}

fn opened(data: &Path) -> Result<Census, Failure> {
    Ok(Census {
        store: Store::open_read_only(data).map_err(CensusError::from)?,
        directory: data.display().to_string(),
    })
}
