//! `misere census`: every game of a range, each solved, checked and kept.

mod backup;
mod check;
mod check_part;
mod chunk;
mod digest;
mod embedded;
mod merge;
mod order;
mod part_checkpoints;
mod plan;
mod progress;
mod quarantine;
mod run;
mod status;
mod submit;
mod terms;
mod workers;

pub use embedded::StopReason;
pub use plan::PlanArgs;
pub use progress::Progress;
pub use run::conclude;
pub use terms::TermsArgs;

use misere_coordinator::rpc::Command;

use crate::exit::{Exit, Failure};

/// The arguments of `misere census`.
#[derive(Debug, clap::Args)]
pub struct CensusArgs {
    #[command(subcommand)]
    command: CensusCommand,
}

#[derive(Debug, clap::Subcommand)]
enum CensusCommand {
    /// Show what a census would do, without doing it
    Plan(plan::PlanCommand),
    /// Begin or resume a census on this machine's cores
    Run(run::RunArgs),
    /// Show the standing of a census, running or not
    Status(status::StatusArgs),
    /// Lease no more games until resumed
    #[command(after_help = order::PAUSE)]
    Pause(order::OrderArgs),
    /// Lease games again
    #[command(after_help = order::RESUME)]
    Resume(order::OrderArgs),
    /// Lease no more games to workers, which then end
    Drain(workers::DrainArgs),
    /// List the workers of a running census, with the trust in each
    Workers(workers::WorkersArgs),
    /// Send workers away, and give their games to others at once
    Evict(workers::EvictArgs),
    /// Refuse workers from now on, and do their unconfirmed work again
    Ban(workers::BanArgs),
    /// Trust workers again that were caught, held back or banned
    Pardon(workers::PardonArgs),
    /// Stop a long game and put it back; its checkpoint is kept
    StopTask(order::StopTaskArgs),
    /// Stop the run of coordinator and workers
    #[command(after_help = order::CANCEL)]
    Cancel(order::OrderArgs),
    /// Print the hash of a census, which is equal for equal results
    Digest(digest::DigestArgs),
    /// Check that a census on disk is sound, and repair it if wanted
    Check(check::CheckArgs),
    /// Compute a part of a census into a file, as a job of a queue system
    Chunk(chunk::ChunkArgs),
    /// Have a census computed by a queue system, by other machines, or in processes here
    Submit(submit::SubmitArgs),
    /// Check parts of a census and merge them into one
    Merge(merge::MergeArgs),
    /// Copy a census, running or not
    Backup(backup::BackupArgs),
    /// List the games that failed too often, try them again, or drop them
    Quarantine(quarantine::QuarantineArgs),
}

/// Runs `misere census`.
///
/// # Errors
/// A [`Failure`] that says what to do.
pub fn run(args: &CensusArgs) -> Result<Exit, Failure> {
    match &args.command {
        CensusCommand::Plan(args) => plan::run(args),
        CensusCommand::Run(args) => run::run(args),
        CensusCommand::Status(args) => status::run(args),
        CensusCommand::Pause(args) => order::run(args, Command::Pause),
        CensusCommand::Resume(args) => order::run(args, Command::Resume),
        CensusCommand::Drain(args) => workers::drain(args),
        CensusCommand::Workers(args) => workers::workers(args),
        CensusCommand::Evict(args) => workers::evict(args),
        CensusCommand::Ban(args) => workers::ban(args),
        CensusCommand::Pardon(args) => workers::pardon(args),
        CensusCommand::StopTask(args) => order::stop_task(args),
        CensusCommand::Cancel(args) => order::run(args, Command::Cancel),
        CensusCommand::Digest(args) => digest::run(args),
        CensusCommand::Check(args) => check::run(args),
        CensusCommand::Chunk(args) => chunk::run(args),
        CensusCommand::Submit(args) => submit::run(args),
        CensusCommand::Merge(args) => merge::run(args),
        CensusCommand::Backup(args) => backup::run(args),
        CensusCommand::Quarantine(args) => quarantine::run(args),
    }
}
