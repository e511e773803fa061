//! The threads of a computation, tried before it begins.
//!
//! Libraries start threads in the middle of their work, and if the system refuses one they end the
//! process, or wait for a thread that never comes. So the number of threads needed is tried first.

use std::io;
use std::sync::OnceLock;
#[cfg(feature = "census")]
use std::sync::mpsc;
#[cfg(feature = "census")]
use std::thread::Builder;
use std::thread::available_parallelism;

use rayon::ThreadPoolBuilder;

use crate::exit::CommandError;

/// The number of threads besides those for each core: for communication, the disk and the database.
#[cfg(feature = "census")]
const BESIDE: usize = 24;

/// The number of threads for each core: one to compute, one to check, one to query the census.
#[cfg(feature = "census")]
const FOR_EACH_CORE: usize = 3;

/// The limit on the threads of one computation.
const MAX_THREADS: usize = 1024;

/// The variable that sets the number of threads of a computation.
const VARIABLE: &str = "RAYON_NUM_THREADS";

/// The refusal of threads by the system.
#[derive(Clone, Debug, thiserror::Error)]
#[error(
    "the system refuses this process the threads that it takes: {0}; raise its limits: `ulimit -u`, \
     TasksMax of a service, pids of a container"
)]
pub struct ThreadsError(String);

impl ThreadsError {
    /// Makes the refusal of a thread, with the system's message.
    pub fn of(cause: &io::Error) -> Self {
        Self(cause.to_string())
    }
}

impl CommandError for ThreadsError {}

impl From<ThreadsError> for io::Error {
    fn from(error: ThreadsError) -> Self {
        Self::new(io::ErrorKind::WouldBlock, error)
    }
}

/// Returns the number of threads of a computation: RAYON_NUM_THREADS, or else one for each core.
fn number(said: Option<&str>) -> usize {
    let said = said.and_then(|text| text.parse::<usize>().ok());
    let number = said.filter(|&number| number > 0);
    let number = number.unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
    number.min(MAX_THREADS)
}

/// Starts the threads that share computations, once for the process.
///
/// # Errors
/// [`ThreadsError`] if the system refuses them.
pub fn start() -> Result<(), ThreadsError> {
    static STARTED: OnceLock<Result<(), ThreadsError>> = OnceLock::new();
    let started = STARTED.get_or_init(|| {
        let said = std::env::var(VARIABLE).ok();
        let pool = ThreadPoolBuilder::new().num_threads(number(said.as_deref()));
        match pool.build_global() {
            Ok(()) => Ok(()),
            Err(error) => match std::error::Error::source(&error) {
                Some(cause) => Err(ThreadsError(cause.to_string())),
                // The threads were started already.
                None => Ok(()),
            },
        }
    });
    started.clone()
}

/// Starts the threads that share computations, and checks that a server's threads are possible.
///
/// # Errors
/// [`ThreadsError`] if the system refuses them.
#[cfg(feature = "census")]
pub fn start_for_server() -> Result<(), ThreadsError> {
    let cores = available_parallelism().map_or(1, usize::from);
    try_threads(BESIDE + FOR_EACH_CORE * cores.min(MAX_THREADS))?;
    start()
}

/// Checks that this number of threads is possible at once.
#[cfg(feature = "census")]
fn try_threads(number: usize) -> Result<(), ThreadsError> {
    /// The stack of a thread that does nothing.
    const STACK_BYTES: usize = 64 << 10;

    let mut held = Vec::with_capacity(number);
    for _ in 0..number {
        // A thread waits until its sender is dropped.
        let (hold, held_up) = mpsc::channel::<()>();
        let thread = Builder::new()
            .stack_size(STACK_BYTES)
            .spawn(move || held_up.recv().is_ok());
        let thread = thread.map_err(|error| ThreadsError::of(&error))?;
        held.push((hold, thread));
    }
    for (hold, thread) in held {
        drop(hold);
        // The thread does nothing that could fail.
        let _ = thread.join();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_threads_is_bounded() {
        assert_eq!(number(Some("3")), 3);
        assert_eq!(number(Some("1000000000")), MAX_THREADS);
        let usual = number(None);
        assert!((1..=MAX_THREADS).contains(&usual));
        for unclear in ["0", "", "many", "-1"] {
            assert_eq!(number(Some(unclear)), usual);
        }
    }
}
