//! `misere report`: tables and figures from a census.

mod figure1;
mod markup;
pub mod summary;

use crate::exit::{Exit, Failure};

/// The arguments of `misere report`.
#[derive(Debug, clap::Args)]
pub struct ReportArgs {
    #[command(subcommand)]
    report: Report,
}

#[derive(Debug, clap::Subcommand)]
enum Report {
    /// What came out: counts, and the table of wild solved games
    Summary(summary::SummaryArgs),
    /// The chart of all octal games with at most three digits, beside that of 2007
    Figure1(figure1::Figure1Args),
}

/// Runs `misere report`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read.
pub fn run(args: &ReportArgs) -> Result<Exit, Failure> {
    match &args.report {
        Report::Summary(args) => summary::run(args),
        Report::Figure1(args) => figure1::run(args),
    }
}
