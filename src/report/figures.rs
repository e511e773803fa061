//! `misere report figure2` to `figure7`: the solutions of wild games, beside those that were
//! printed.

use std::path::PathBuf;

use misere_report::sheets::figures;
use misere_store::Store;

use super::printed::Printed;
use crate::census::CensusFailure;
use crate::exit::{Exit, Failure};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census run --codes 0.123,0.1023,0.1032,0.1033,0.1331,0.3103,0.3112,0.1232,0.1323 --data quaternary
  misere report figure3 --data quaternary
  misere report figure4 --data census-3 --format latex > figure4.tex
  misere report figure7 --data census-3 --json

Figures 2 to 7 of the supplement of Plambeck and Siegel (2007) from a census: for each wild game the quotient, its P-portion and the
pretending function, whose first period is marked. Every game that the figure lists is compared with the print, up to an isomorphism that
takes our pretending function to theirs; every difference is listed with its reason. Games of the same kind that the census solved and
the figure does not list come after. What the census does not hold is said, and how to compute it.

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct FigureArgs {
    /// The directory of a census that holds games of the figure
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    #[command(flatten)]
    printed: Printed,
}

/// Runs `misere report figure2` to `figure7`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read.
pub fn run(number: u8, args: &FigureArgs) -> Result<Exit, Failure> {
    let store = Store::open_read_only(&args.data).map_err(CensusFailure::from)?;
    let directory = args.data.display().to_string();
    let report = figures::report(&store, number, &directory).map_err(CensusFailure::from)?;
    args.printed.print(report)
}
