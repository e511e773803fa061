//! `misere report`: tables and figures from a census.
//!
//! The subcommands are the kinds of [`REPORTS`], which also describes each.

mod atlas;
mod census;
mod figure1;
mod infinite;
mod pictures;
mod printed;
mod tables;

use clap::error::{Error, ErrorKind};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use misere_algebra::classify::comparison::ComparisonError;
use misere_report::ReportError;
use misere_report::registry::{Kind, REPORTS};

use crate::census_error::CensusError;
use crate::exit::{CommandError, Exit, Failure};
use crate::watch::StoppedError;
use atlas::AtlasArgs;
use census::{CensusArgs, CensusesArgs};
use figure1::Figure1Args;
use infinite::InfiniteArgs;
use pictures::{GrowthArgs, QuotientArgs};
use tables::TablesArgs;

/// The arguments of `misere report`.
#[derive(Debug)]
pub struct ReportArgs {
    asked: SelectedReport,
}

/// A kind of report with the arguments that its input takes.
#[derive(Debug)]
enum SelectedReport {
    OfCensus(&'static census::Entry, CensusArgs),
    OfCensuses(&'static census::EntryOfSeveral, CensusesArgs),
    OfInfinite(&'static infinite::Entry, InfiniteArgs),
    Chart(Figure1Args),
    OfQuotients(&'static tables::Entry, TablesArgs),
    OfQuotientsAndCensuses(&'static atlas::Entry, AtlasArgs),
    OfQuotient(&'static pictures::QuotientEntry, QuotientArgs),
    OfGame(&'static pictures::GameEntry, GrowthArgs),
}

/// Makes the subcommand of a kind of report.
fn subcommand((at, kind): (usize, &Kind)) -> Command {
    let command = Command::new(kind.name());
    let command = match kind {
        Kind::OfCensus(entry) => CensusArgs::augment_args(command).after_help(entry.help),
        Kind::OfCensuses(entry) => CensusesArgs::augment_args(command).after_help(entry.help),
        Kind::OfInfinite(entry) => InfiniteArgs::augment_args(command).after_help(entry.help),
        Kind::Chart { .. } => Figure1Args::augment_args(command),
        Kind::OfQuotients(_) => TablesArgs::augment_args(command),
        Kind::OfQuotientsAndCensuses(entry) => {
            AtlasArgs::augment_args(command).after_help(entry.help)
        }
        Kind::OfQuotient(_) => QuotientArgs::augment_args(command),
        Kind::OfGame(_) => GrowthArgs::augment_args(command),
    };
    let order = place(kind) * REPORTS.len() + at;
    command.about(kind.about()).display_order(order)
}

/// Returns the position in the list of reports.
///
/// Reports on a census or a game come first, then the figures and tables of the papers.
fn place(kind: &Kind) -> usize {
    let is_printed = ["figure", "table"]
        .iter()
        .any(|of| kind.name().starts_with(of));
    match kind {
        Kind::Chart { .. } | Kind::OfGame(_) | Kind::OfQuotient(_) => 0,
        Kind::OfCensus(_) | Kind::OfCensuses(_) | Kind::OfInfinite(_) if !is_printed => 0,
        _ if is_printed => 2,
        _ => 1,
    }
}

impl Args for ReportArgs {
    fn augment_args(command: Command) -> Command {
        command
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommands(REPORTS.iter().enumerate().map(subcommand))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ReportArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let (name, matches) = matches
            .subcommand()
            .ok_or_else(|| Error::new(ErrorKind::MissingSubcommand))?;
        let kind = REPORTS.iter().find(|kind| kind.name() == name);
        let kind = kind.ok_or_else(|| Error::new(ErrorKind::InvalidSubcommand))?;
        let asked = match kind {
            Kind::OfCensus(entry) => {
                SelectedReport::OfCensus(entry, CensusArgs::from_arg_matches(matches)?)
            }
            Kind::OfCensuses(entry) => {
                SelectedReport::OfCensuses(entry, CensusesArgs::from_arg_matches(matches)?)
            }
            Kind::OfInfinite(entry) => {
                SelectedReport::OfInfinite(entry, InfiniteArgs::from_arg_matches(matches)?)
            }
            Kind::Chart { .. } => SelectedReport::Chart(Figure1Args::from_arg_matches(matches)?),
            Kind::OfQuotients(entry) => {
                SelectedReport::OfQuotients(entry, TablesArgs::from_arg_matches(matches)?)
            }
            Kind::OfQuotientsAndCensuses(entry) => {
                SelectedReport::OfQuotientsAndCensuses(entry, AtlasArgs::from_arg_matches(matches)?)
            }
            Kind::OfQuotient(entry) => {
                SelectedReport::OfQuotient(entry, QuotientArgs::from_arg_matches(matches)?)
            }
            Kind::OfGame(entry) => {
                SelectedReport::OfGame(entry, GrowthArgs::from_arg_matches(matches)?)
            }
        };
        Ok(Self { asked })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A published table could not be compared.
///
/// This is a bug of the program, since the tables are part of it.
#[derive(Debug, thiserror::Error)]
#[error("the published data cannot be read: {0}")]
struct TableError(ComparisonError);

impl CommandError for TableError {
    fn exit(&self) -> Exit {
        match self.0 {
            ComparisonError::Stopped(_) => Exit::Interrupted,
            _ => Exit::Failed,
        }
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Store(error) => CensusError::from(error).into(),
            ReportError::Published(error) => CensusError::from(error).into(),
            ReportError::Comparison(error) => TableError(error).into(),
            ReportError::Stopped(_) => StoppedError("the report was interrupted".to_owned()).into(),
        }
    }
}

/// Runs `misere report`.
///
/// # Errors
/// A [`Failure`] if the input of the report cannot be read, or the report cannot be printed.
pub fn run(args: &ReportArgs) -> Result<Exit, Failure> {
    match &args.asked {
        SelectedReport::OfCensus(entry, args) => census::run(entry, args),
        SelectedReport::OfCensuses(entry, args) => census::run_together(entry, args),
        SelectedReport::OfInfinite(entry, args) => infinite::run(entry, args),
        SelectedReport::Chart(args) => figure1::run(args),
        SelectedReport::OfQuotients(entry, args) => tables::run(entry, args),
        SelectedReport::OfQuotientsAndCensuses(entry, args) => atlas::run(entry, args),
        SelectedReport::OfQuotient(entry, args) => pictures::run_of_quotient(entry, args),
        SelectedReport::OfGame(entry, args) => pictures::run_of_game(entry, args),
    }
}
