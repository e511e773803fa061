//! `misere worker-child`: the process in which a worker computes a dangerous task.
//!
//! It is not meant to be called by hand.

use misere_worker::{Solver, child};

use crate::exit::{CommandError, Exit, Failure};

/// Serves the worker that started this process.
///
/// # Errors
/// [`ServeError`](child::ServeError) if there is no worker, or if the system refuses the limits.
pub fn run() -> Result<Exit, Failure> {
    child::serve(&Solver::Engine)?;
    Ok(Exit::Done)
}

impl CommandError for child::ServeError {}
