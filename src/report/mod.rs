//! `misere report`: tables and figures from a census.

mod born;
mod figure1;
mod figures;
mod pictures;
mod printed;
mod summary;
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
    /// Wild games with quotient R_8, S_12 or R_14: presentations and pretending functions, beside
    /// those of 2007
    Figure2(figures::FigureArgs),
    /// Wild quaternary games of four digits: likewise
    Figure3(figures::FigureArgs),
    /// Further wild games of two and three digits: likewise
    Figure4(figures::FigureArgs),
    /// 0.115 and games with its quotient: likewise
    Figure5(figures::FigureArgs),
    /// 0.152 and games with its quotient: likewise
    Figure6(figures::FigureArgs),
    /// Kayles and games with its quotient: likewise
    Figure7(figures::FigureArgs),
    /// The misère quotients born by day 4, beside those printed
    Figure10(born::BornArgs),
    /// The 22 misère games born by day 4 and their quotients, beside those printed
    Figure11(born::BornArgs),
    /// Order and period of the games 0.(3310)^n, beside those printed
    Table3310(born::BornArgs),
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
        Report::Figure2(args) => figures::run(2, args),
        Report::Figure3(args) => figures::run(3, args),
        Report::Figure4(args) => figures::run(4, args),
        Report::Figure5(args) => figures::run(5, args),
        Report::Figure6(args) => figures::run(6, args),
        Report::Figure7(args) => figures::run(7, args),
        Report::Figure10(args) => born::figure10(args),
        Report::Figure11(args) => born::figure11(args),
        Report::Table3310(args) => born::table3310(args),
        Report::Cayley(args) => pictures::cayley(args),
        Report::Idempotents(args) => pictures::idempotents(args),
        Report::Growth(args) => pictures::growth_of(args),
        Report::Table1(args) => tables::run(tables::Which::Counts, args),
        Report::Table2(args) => tables::run(tables::Which::Order12, args),
        Report::Table3(args) => tables::run(tables::Which::Order14, args),
        Report::Facts(args) => tables::run(tables::Which::Facts, args),
    }
}
