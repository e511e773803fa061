//! `misere worker-child`: what a worker starts to compute a dangerous task in; nobody calls it by hand.

use std::sync::Arc;

use misere_worker::{Compute, child, solve_task};

use crate::exit::{Exit, Failure};

/// Serves the worker that started this process.
///
/// # Errors
/// [`Failure::Child`] if there is none, or if the system refuses the limits.
pub fn run() -> Result<Exit, Failure> {
    let compute: Compute = Arc::new(solve_task);
    child::serve(&compute)?;
    Ok(Exit::Done)
}
