//! `misere report`: tables and figures from a census.

mod figure1;
mod markup;
mod pictures;
mod provenance;
mod sheet;
pub mod summary;
mod tables;

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
    /// How many misère quotients of each order, beside the published numbers
    Table1(tables::TablesArgs),
    /// The misère quotients of order 12 with games, beside the published ones
    Table2(tables::TablesArgs),
    /// The misère quotients of order 14 with games, beside the published ones
    Table3(tables::TablesArgs),
    /// What the misère quotients of small order have in common
    Facts(tables::TablesArgs),
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
        Report::Table1(args) => tables::run(tables::Which::Counts, args),
        Report::Table2(args) => tables::run(tables::Which::Order12, args),
        Report::Table3(args) => tables::run(tables::Which::Order14, args),
        Report::Facts(args) => tables::run(tables::Which::Facts, args),
    }
}
