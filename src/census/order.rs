//! `misere census pause`, `resume`, `stop-task` and `cancel`: orders to a coordinator.

use std::path::Path;

use misere_census::plan;
use misere_coordinator::local::{self, SocketError};
use misere_coordinator::rpc::{self, Command};
use misere_proto::{Security, endpoint};
use misere_store::Store;
use tonic::transport::Endpoint;

use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::place::PlaceArgs;
use crate::security::SecurityArgs;
use crate::terminal;

/// The text after the options of `misere census pause`.
pub const PAUSE: &str = "\
Examples:
  misere census pause --data census   on the coordinator's machine
  misere census pause --coordinator https://census.lab.example:7117
      from another machine, with MISERE_CA, MISERE_CERT and MISERE_KEY set

No more games are leased. The workers finish the games that they hold, and the
results are kept. The pause is recorded in the directory: a coordinator that is
started again leases nothing, either, until `misere census resume` goes on.
Without a coordinator at work the pause is written to the directory.

Exit codes: 0 done, 1 failed, 2 usage.";

/// The text after the options of `misere census resume`.
pub const RESUME: &str = "\
Examples:
  misere census resume --data census   on the coordinator's machine
  misere census resume --coordinator https://census.lab.example:7117
      from another machine, with MISERE_CA, MISERE_CERT and MISERE_KEY set

Games are leased again after `misere census pause`; `misere census run` does
that by itself. A census that was cancelled or interrupted is resumed by
starting its coordinator again: `misere coordinator --data DIR`, or `misere
census run --data DIR`.

Exit codes: 0 done, 1 failed, 2 usage.";

/// The text after the options of `misere census cancel`.
pub const CANCEL: &str = "\
Examples:
  misere census cancel --data census   on the coordinator's machine
  misere census cancel --coordinator https://census.lab.example:7117
      from another machine, with MISERE_CA, MISERE_CERT and MISERE_KEY set

The run is stopped: the workers drop the games that they hold and end, and then
the coordinator ends with exit code 4. Finished results are kept; the same
`misere coordinator` or `misere census run` goes on later.

Exit codes: 0 done, 1 failed, 2 usage.";

/// The options that name a coordinator.
#[derive(Debug, clap::Args)]
pub struct OrderArgs {
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    security: SecurityArgs,
}

/// The arguments of `misere census stop-task`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census stop-task 0.142 --data census
  misere census stop-task 0.142 --coordinator https://census.lab.example:7117
      from another machine, with MISERE_CA, MISERE_CERT and MISERE_KEY set

The worker that computes the game stops it, hands in its last checkpoint, and
takes up another game. The stopped game goes to the end of the queue; the next
worker that gets the game goes on from the checkpoint. Only the work since the
checkpoint is lost, at most some ten million units of fuel, and the result is
the same.

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct StopTaskArgs {
    /// The game, as `misere census status` shows it, or the name of its task
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    order: OrderArgs,
}

/// Runs `misere census stop-task`.
///
/// # Errors
/// See [`run`].
pub fn stop_task(args: &StopTaskArgs) -> Result<Exit, Failure> {
    let game = &args.game;
    let confirmation =
        format!("{game} is to be stopped; the next worker that gets it resumes at its checkpoint");
    give(&args.order, Command::StopTask(game.clone()), &confirmation)
}

/// Runs `misere census pause`, `resume` or `cancel`.
///
/// # Errors
/// A [`Failure`] if no coordinator is running that could be cancelled, if it refuses, or if the
/// census cannot be written.
pub fn run(args: &OrderArgs, command: Command) -> Result<Exit, Failure> {
    let confirmation = match command {
        Command::Pause => "paused: no more games are leased; `misere census resume` goes on",
        Command::Resume => "resumed",
        Command::Cancel => "cancelled: workers and coordinator end; what is finished is kept",
        Command::StopTask(_) => "stopped",
    };
    let paused = match command {
        Command::Pause => Some(true),
        Command::Resume => Some(false),
        Command::Cancel | Command::StopTask(_) => None,
    };
    // Without a coordinator at work the directory itself is changed.
    if let (Some(paused), Some(data)) = (paused, args.data())
        && matches!(local::url(data), Err(SocketError::NotRunning(_)))
    {
        directly(data, |store| store.set_paused(paused))?;
        let state = if paused { "paused" } else { "resumed" };
        terminal::print(&format!(
            "{state}, for the next coordinator: none is at work\n"
        ))?;
        return Ok(Exit::Done);
    }
    give(args, command, confirmation)
}

/// Calls a function with the store of a census that has no running coordinator.
pub(super) fn directly<T>(
    data: &Path,
    change: impl FnOnce(&mut Store) -> Result<T, misere_store::StoreError>,
) -> Result<T, CensusError> {
    let stored = misere_store::plan_of(data)?;
    let mut store = Store::open(data, &stored, || plan::tasks(&stored))?;
    Ok(change(&mut store)?)
}

fn give(args: &OrderArgs, command: Command, confirmation: &str) -> Result<Exit, Failure> {
    let endpoint = resolve(args)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(CensusError::Start)?;
    let given = runtime.block_on(rpc::order(&endpoint, command));
    given.map_err(|status| CensusError::of_call(&status))?;
    terminal::print(&format!("{confirmation}\n"))?;
    Ok(Exit::Done)
}

impl OrderArgs {
    /// Returns the directory of the census, if it was given.
    pub(super) fn data(&self) -> Option<&Path> {
        self.place.data.as_deref()
    }

    /// Returns the endpoint of the coordinator.
    ///
    /// # Errors
    /// A [`Failure`] if no coordinator is running, or the address or the certificates are
    /// invalid.
    pub(super) fn endpoint(&self) -> Result<Endpoint, Failure> {
        resolve(self)
    }
}

fn resolve(args: &OrderArgs) -> Result<Endpoint, Failure> {
    if let Some(url) = &args.place.coordinator {
        let security = args.security.resolve()?;
        return Ok(endpoint(url, &security).map_err(CensusError::from)?);
    }
    let data = args.place.data.clone().unwrap_or_default();
    let url = local::url(&data).map_err(CensusError::from)?;
    Ok(endpoint(&url, &Security::Loopback).map_err(CensusError::from)?)
}
