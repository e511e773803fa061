//! The reports that follow from a census alone, such as `misere report summary`.

use std::path::PathBuf;

use misere_report::{Census, registry};
use misere_store::Store;
use misere_theory::control::{Control, Interrupt};

use super::printed::Printed;
use crate::census::CensusFailure;
use crate::exit::{Exit, Failure};

/// A kind of report on a census.
pub type Entry = registry::Entry<Census>;

/// The arguments of a report on a census.
#[derive(Debug, clap::Args)]
pub struct CensusArgs {
    /// The directory of the census
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    #[command(flatten)]
    printed: Printed,
}

/// Runs a report on a census.
///
/// # Errors
/// A [`Failure`] if the census cannot be read.
pub fn run(entry: &Entry, args: &CensusArgs) -> Result<Exit, Failure> {
    args.printed.foresee()?;
    let census = Census {
        store: Store::open_read_only(&args.data).map_err(CensusFailure::from)?,
        directory: args.data.display().to_string(),
    };
    let mut control = Control::new(u64::MAX, Interrupt::default());
    args.printed.print(&entry.make(&census, &mut control)?)
}
