//! `misere normal`: the normal play of many games to many heaps, as files of a directory.

mod list;
mod run;

use std::path::Path;

use misere_census::normal_results::NormalResults;

use crate::exit::{Exit, Failure};
use crate::normal_play::NormalPlayError;

/// The arguments of `misere normal`.
#[derive(Debug, clap::Args)]
pub struct NormalArgs {
    #[command(subcommand)]
    command: NormalCommand,
}

#[derive(Debug, clap::Subcommand)]
enum NormalCommand {
    /// Compute the nim-values of many games to a heap, or go on with that
    Run(run::RunArgs),
    /// List what is known of the nim-values of the games of a directory
    List(list::ListArgs),
}

/// Runs `misere normal`.
///
/// # Errors
/// A [`Failure`] that says what to do.
pub fn run(args: &NormalArgs) -> Result<Exit, Failure> {
    match &args.command {
        NormalCommand::Run(args) => run::run(args),
        NormalCommand::List(args) => list::run(args),
    }
}

/// Reads the results in a directory given by the user; without a directory there are none.
///
/// # Errors
/// [`NormalPlayError`] if they cannot be read.
pub fn results(directory: Option<&Path>) -> Result<NormalResults, NormalPlayError> {
    let results = directory.map(NormalResults::of_directory).transpose();
    let results = results.map_err(|error| NormalPlayError::Refused(error.to_string()))?;
    Ok(results.unwrap_or_default())
}
