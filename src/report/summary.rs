//! `misere report summary`: what came out of a census.

use std::path::PathBuf;

use misere_report::sheets::summary;
use misere_store::Store;

use super::printed::Printed;
use crate::census::CensusFailure;
use crate::exit::{Exit, Failure};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere report summary --data census
  misere report summary --data census --format html > summary.html
  misere report summary --data census --json

How many games have which status, the orders of the quotients of solved games, how far smaller budgets would have come, and the
tables of wild solved games, of games that are tame relative to a heap and of those that grow in a pattern.

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct SummaryArgs {
    /// The directory of the census
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    #[command(flatten)]
    printed: Printed,
}

/// Runs `misere report summary`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read.
pub fn run(args: &SummaryArgs) -> Result<Exit, Failure> {
    let store = Store::open_read_only(&args.data).map_err(CensusFailure::from)?;
    let report = summary::report(&store).map_err(CensusFailure::from)?;
    args.printed.print(report)
}
