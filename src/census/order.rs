//! `misere census pause`, `resume`, `drain`, `stop-task` and `cancel`: what an operator tells a
//! running coordinator.

use std::path::{Path, PathBuf};

use misere_census::WorkerId;
use misere_coordinator::local;
use misere_coordinator::rpc::{self, Command};
use misere_proto::{Security, endpoint};
use tonic::transport::Endpoint;

use super::CensusFailure;
use crate::exit::{Exit, Failure};
use crate::security::SecurityArgs;
use crate::terminal;

/// The text after the options of `misere census pause`.
pub const PAUSE: &str = "\
Examples:
  misere census pause --data census      on the coordinator's machine
  misere census pause --coordinator https://census.lab.example:7117 --ca ca.pem --cert ada.pem --key ada.key      from another

No more games are handed out; those at workers go on, and what is finished is kept.
`misere census resume` hands games out again, and so does a coordinator that is started again: a
pause is not kept on disk.

Exit codes: 0 done, 1 failed, 2 usage.";

/// The text after the options of `misere census resume`.
pub const RESUME: &str = "\
Examples:
  misere census resume --data census      on the coordinator's machine
  misere census resume --coordinator https://census.lab.example:7117 --ca ca.pem --cert ada.pem --key ada.key      from another

Games are handed out again after `misere census pause`. A census that was cancelled or interrupted
is resumed by starting its coordinator again: `misere coordinator --data DIR`, or
`misere census run --data DIR`.

Exit codes: 0 done, 1 failed, 2 usage.";

/// The text after the options of `misere census cancel`.
pub const CANCEL: &str = "\
Examples:
  misere census cancel --data census      on the coordinator's machine
  misere census cancel --coordinator https://census.lab.example:7117 --ca ca.pem --cert ada.pem --key ada.key      from another

The run is stopped: the workers drop what they hold and end, then the coordinator does, with exit
code 4. What is finished is kept; the same `misere coordinator` or `misere census run` goes on with
it later.

Exit codes: 0 done, 1 failed, 2 usage.";

/// Which coordinator is meant.
#[derive(Debug, clap::Args)]
pub struct OrderArgs {
    /// The directory of the census, on the coordinator's machine
    #[arg(long, value_name = "DIR", required_unless_present = "coordinator")]
    data: Option<PathBuf>,
    /// Where the coordinator listens, from another machine
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    coordinator: Option<String>,
    #[command(flatten)]
    security: SecurityArgs,
}

/// The arguments of `misere census drain`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census drain --worker 3.7 --data census      the number is that of `misere census status`
  misere census drain --worker 3.7 --coordinator https://census.lab.example:7117 --ca ca.pem --cert ada.pem --key ada.key

The worker gets no more games. It ends those that it holds, hands them in, and ends; the other
workers go on.

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
  misere census stop-task 0.142 --coordinator https://census.lab.example:7117 --ca ca.pem --cert ada.pem --key ada.key

The worker that computes the game stops it, hands in its last checkpoint, and takes up something
else. The game goes to the end of the queue; whoever gets it next goes on from the checkpoint.
Nothing is lost but what was done since, at most some ten million units of fuel, and the result is
the same.

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct StopTaskArgs {
    /// The game, as `misere census status` shows it, or the name of its task
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    order: OrderArgs,
}

/// A worker's number as it is printed, `3.7`.
fn number(text: &str) -> Result<WorkerId, String> {
    let parts = text
        .split_once('.')
        .and_then(|(generation, serial)| Some((generation.parse().ok()?, serial.parse().ok()?)));
    let (generation, serial) =
        parts.ok_or_else(|| format!("`{text}` is no worker's number, as 3.7 is one"))?;
    Ok(WorkerId::issued(generation, serial))
}

/// Runs `misere census drain`.
///
/// # Errors
/// As [`run`].
pub fn drain(args: &DrainArgs) -> Result<Exit, Failure> {
    let said = format!(
        "worker {} gets no more games; it ends what it holds",
        args.worker
    );
    give(&args.order, Command::Drain(args.worker), &said)
}

/// Runs `misere census stop-task`.
///
/// # Errors
/// As [`run`].
pub fn stop_task(args: &StopTaskArgs) -> Result<Exit, Failure> {
    let game = &args.game;
    let said = format!("{game} is to be stopped; whoever gets it next goes on from its checkpoint");
    give(&args.order, Command::StopTask(game.clone()), &said)
}

/// Runs `misere census pause`, `resume` or `cancel`.
///
/// # Errors
/// A [`Failure`] if no coordinator is at work, or if it refuses.
pub fn run(args: &OrderArgs, command: Command) -> Result<Exit, Failure> {
    let said = match command {
        Command::Pause => "paused: no more games are handed out; `misere census resume` goes on",
        Command::Resume => "resumed",
        Command::Cancel => "cancelled: workers and coordinator end; what is finished is kept",
        Command::Drain(_) => "drained",
        Command::StopTask(_) => "stopped",
    };
    give(args, command, said)
}

fn give(args: &OrderArgs, command: Command, said: &str) -> Result<Exit, Failure> {
    let endpoint = resolve(args)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(CensusFailure::Start)?;
    let given = runtime.block_on(rpc::order(&endpoint, command));
    given.map_err(|status| CensusFailure::Order(misere_worker::link::status_text(&status)))?;
    terminal::print(&format!("{said}\n"))?;
    Ok(Exit::Done)
}

impl OrderArgs {
    /// The directory of the census, if it was named.
    pub(super) fn data(&self) -> Option<&Path> {
        self.data.as_deref()
    }

    /// How the coordinator is reached.
    ///
    /// # Errors
    /// A [`Failure`] if none is at work, or the address or the certificates are none.
    pub(super) fn endpoint(&self) -> Result<Endpoint, Failure> {
        resolve(self)
    }
}

fn resolve(args: &OrderArgs) -> Result<Endpoint, Failure> {
    if let Some(url) = &args.coordinator {
        let security = args.security.resolve()?;
        return Ok(endpoint(url, &security).map_err(CensusFailure::from)?);
    }
    let data = args.data.clone().unwrap_or_default();
    let url = local::url(&data).map_err(CensusFailure::from)?;
    Ok(endpoint(&url, &Security::Loopback).map_err(CensusFailure::from)?)
}
