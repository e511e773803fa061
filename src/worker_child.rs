//! `misere worker-child`: the process in which a worker computes a dangerous task.
//!
//! It is not meant to be called by hand.

use misere_worker::{Solver, child};

use crate::exit::{CommandError, Exit};

/// Serves the worker that started this process.
///
/// # Errors
/// [`CommandError::Child`] if there is no worker, or if the system refuses the limits.
pub fn run() -> Result<Exit, CommandError> {
    child::serve(&Solver::Engine)?;
    Ok(Exit::Done)
}
