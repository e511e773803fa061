//! `misere report`: tables and figures from a census.

mod figure1;
mod markup;
mod pictures;
pub mod sheet;
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
    /// The Cayley graph of a quotient: where each generator leads
    Cayley(pictures::QuotientArgs),
    /// The idempotents of a quotient, their order and their groups
    Idempotents(pictures::QuotientArgs),
    /// The orders of the partial quotients of a game, heap by heap
    Growth(pictures::GrowthArgs),
}

/// Runs `misere report`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read.
pub fn run(args: &ReportArgs) -> Result<Exit, Failure> {
    match &args.report {
        Report::Summary(args) => summary::run(args),
        Report::Figure1(args) => figure1::run(args),
        Report::Cayley(args) => pictures::cayley(args),
        Report::Idempotents(args) => pictures::idempotents(args),
        Report::Growth(args) => pictures::growth_of(args),
    }
}
