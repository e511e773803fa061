//! `misere report figure10|figure11|table3310`: the quotients of the games born by day 4, and of
//! 0.(3310)^n.

use std::path::PathBuf;

use misere_report::{Report, ReportError, sheets};
use misere_store::Store;

use super::printed::Printed;
use crate::census::CensusFailure;
use crate::exit::{Exit, Failure};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census run --born-by 4 --data day-4
  misere report figure10 --data day-4
  misere report figure11 --data day-4 --format html > figure11.html
  misere census run --codes '0.(3310)^1,0.(3310)^2,0.(3310)^3,0.(3310)^4,0.(3310)^5,0.(3310)^6' --data 3310
  misere report table3310 --data 3310

Figures 10 and 11 of the supplement of Plambeck and Siegel (2007), and its table of 0.(3310)^n, from a census, compared with the print. What
the census does not hold is said, and how to compute it.

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct BornArgs {
    /// The directory of a census that holds the games
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    #[command(flatten)]
    printed: Printed,
}

impl BornArgs {
    fn print(
        &self,
        of: impl FnOnce(&Store) -> Result<Report, ReportError>,
    ) -> Result<Exit, Failure> {
        let store = Store::open_read_only(&self.data).map_err(CensusFailure::from)?;
        self.printed.print(of(&store).map_err(CensusFailure::from)?)
    }
}

/// Runs `misere report figure10`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read.
pub fn figure10(args: &BornArgs) -> Result<Exit, Failure> {
    args.print(sheets::born::figure10)
}

/// Runs `misere report figure11`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read.
pub fn figure11(args: &BornArgs) -> Result<Exit, Failure> {
    args.print(sheets::born::figure11)
}

/// Runs `misere report table3310`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read.
pub fn table3310(args: &BornArgs) -> Result<Exit, Failure> {
    args.print(sheets::born::table3310)
}
