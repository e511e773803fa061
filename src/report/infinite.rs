//! `misere report infinite`: the games of a census whose quotients are proved infinite.

use std::path::PathBuf;

use misere_census::quantity::fuel;
use misere_game::control::{Control, Interrupt};
use misere_report::sheets::infinite::InfiniteInput;
use misere_report::{Census, registry};
use misere_store::Store;

use super::printed::PrintOptions;
use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::watch::{Guards, Watch};

/// A kind of report on the infinite quotients of a census.
pub type Entry = registry::Entry<InfiniteInput>;

/// The arguments of the report.
#[derive(Debug, clap::Args)]
pub struct InfiniteArgs {
    /// The directory of the census
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA")]
    data: PathBuf,
    /// Also look for the relations of each quotient, and for linear conditions that say which
    /// positions are P-positions
    #[arg(long)]
    describe: bool,
    /// Fuel for each search of --describe: 20M, or 20s
    #[arg(long, value_name = "N", default_value = "20M", value_parser = fuel, requires = "describe")]
    fuel: u64,
    #[command(flatten)]
    printed: PrintOptions,
}

/// Runs the report.
///
/// # Errors
/// A [`Failure`] if the census cannot be read, or the report is interrupted or cannot be
/// printed.
pub fn run(entry: &Entry, args: &InfiniteArgs) -> Result<Exit, Failure> {
    args.printed.check_writable()?;
    let input = InfiniteInput {
        census: Census {
            store: Store::open_read_only(&args.data).map_err(CensusError::from)?,
            directory: args.data.display().to_string(),
        },
        describe: args.describe.then_some(args.fuel),
    };
    let interrupt = Interrupt::default();
    let name = "reading the infinite quotients".to_owned();
    let watch = Watch::start(name, &interrupt, Guards::default())?;
    let mut control = Control::new(u64::MAX, interrupt.clone());
    let report = entry.make(&input, &mut control);
    watch.finish();
    args.printed.print(&report?)
}
