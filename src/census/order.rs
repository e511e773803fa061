//! `misere census pause`, `resume`, `drain`, `stop-task` and `cancel`: orders to a running
//! coordinator.

use std::path::Path;

use misere_census::WorkerId;
use misere_coordinator::local;
use misere_coordinator::rpc::{self, Command};
use misere_proto::{Security, endpoint};
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

No more games are handed out. The workers finish the games that they hold, and
the results are kept. `misere census resume` hands games out again, and so does
a coordinator that is started again, since a pause is not kept on disk.

Exit codes: 0 done, 1 failed, 2 usage.";

/// The text after the options of `misere census resume`.
pub const RESUME: &str = "\
Examples:
  misere census resume --data census   on the coordinator's machine
  misere census resume --coordinator https://census.lab.example:7117
      from another machine, with MISERE_CA, MISERE_CERT and MISERE_KEY set

Games are handed out again after `misere census pause`. A census that was
cancelled or interrupted is resumed by starting its coordinator again: `misere
coordinator --data DIR`, or `misere census run --data DIR`.

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

/// The arguments of `misere census drain`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census drain --worker 3.7 --data census
      the number is that of `misere census status`
  misere census drain --worker 3.7 --coordinator https://census.lab:7117
      from another machine, with MISERE_CA, MISERE_CERT and MISERE_KEY set

The worker gets no more games. It finishes the games that it holds, hands in
their results, and ends. The other workers go on.

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct DrainArgs {
    /// The worker's number, as `misere census status` shows it
    #[arg(long, value_name = "N", value_parser = number)]
    worker: WorkerId,
    #[command(flatten)]
    order: OrderArgs,
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

/// Parses the number of a worker in its printed form, `3.7`.
fn number(text: &str) -> Result<WorkerId, String> {
    let parts = text
        .split_once('.')
        .and_then(|(generation, serial)| Some((generation.parse().ok()?, serial.parse().ok()?)));
    let (generation, serial) =
        parts.ok_or_else(|| format!("`{text}` is not the number of a worker, such as 3.7"))?;
    Ok(WorkerId::issued(generation, serial))
}

/// Runs `misere census drain`.
///
/// # Errors
/// See [`run`].
pub fn drain(args: &DrainArgs) -> Result<Exit, Failure> {
    let confirmation = format!(
        "worker {} gets no more games; it ends what it holds",
        args.worker
    );
    give(&args.order, Command::Drain(args.worker), &confirmation)
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
/// A [`Failure`] if no coordinator is running, or if it refuses.
pub fn run(args: &OrderArgs, command: Command) -> Result<Exit, Failure> {
    let confirmation = match command {
        Command::Pause => "paused: no more games are handed out; `misere census resume` goes on",
        Command::Resume => "resumed",
        Command::Cancel => "cancelled: workers and coordinator end; what is finished is kept",
        Command::Drain(_) => "drained",
        Command::StopTask(_) => "stopped",
    };
    give(args, command, confirmation)
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
