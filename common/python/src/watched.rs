//! Long computations, which run without the interpreter lock and which Ctrl-C ends.
//!
//! A computation has a thread of its own. The calling thread waits for it, and lets the interpreter
//! check for signals every thirty milliseconds; a signal handler that raises an exception (as
//! Python's own does for Ctrl-C) interrupts the computation through its [`Control`].

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use misere_census::quantity::write_bytes;
use misere_census::resident_memory::resident_bytes;
use misere_game::control::{Control, Interrupt, Stop};
use pyo3::exceptions::{PyNotImplementedError, PyRuntimeError};
use pyo3::prelude::*;

use crate::errors::PackageError;

/// The interval at which signals, time and memory are checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(30);

/// The limits of a computation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The fuel, which gives the same answer on every machine.
    pub(crate) fuel: u64,
    /// The time guard in seconds.
    pub(crate) seconds: Option<f64>,
    /// The memory guard in bytes, for the whole process.
    pub(crate) memory: Option<u64>,
}

impl Bounds {
    /// Returns limits of fuel without guards.
    pub(crate) fn fuel(fuel: u64) -> Self {
        Self {
            fuel,
            seconds: None,
            memory: None,
        }
    }
}

/// The guard that stopped a computation, in words.
pub(crate) type StoppedBy = Option<String>;

/// Runs a computation to its end, or until a guard or a signal interrupts it.
///
/// # Errors
/// The exception of the signal handler; `NotImplementedError` if memory cannot be measured.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    bounds: Bounds,
    work: impl FnOnce(&mut Control) -> T + Send,
) -> PyResult<(T, StoppedBy)> {
    if bounds.memory.is_some() && resident_bytes("self").is_none() {
        return Err(PyNotImplementedError::new_err(
            "this system does not report the memory of a process; leave out `memory`",
        ));
    }
    let interrupt = Interrupt::default();
    let mut control = Control::new(bounds.fuel, interrupt.clone()).with_idle_threads();
    let started = Instant::now();
    let (sender, receiver) = channel();
    let receiver = Mutex::new(receiver);
    let (finished, stopped_by, signal) = thread::scope(|scope| {
        let running = scope.spawn(move || {
            let result = work(&mut control);
            // Sending fails only if the whole call is over.
            let _ = sender.send(());
            result
        });
        let (mut stopped_by, mut signal) = (None, None);
        let mut look = Duration::from_millis(1);
        // The interpreter lock is released while the thread waits.
        while let Err(RecvTimeoutError::Timeout) = py.detach(|| wait(&receiver, look)) {
            look = CHECK_INTERVAL;
            if let Err(raised) = py.check_signals() {
                signal = Some(raised);
            }
            if stopped_by.is_none() {
                stopped_by = over(bounds, started);
            }
            if signal.is_some() || stopped_by.is_some() {
                interrupt.raise();
            }
        }
        (py.detach(|| running.join()), stopped_by, signal)
    });
    match (signal, finished) {
        (Some(signal), _) => Err(signal),
        (None, Ok(result)) => Ok((result, stopped_by)),
        (None, Err(_)) => Err(PyRuntimeError::new_err(
            "the computation failed; this is an error in misere itself",
        )),
    }
}

/// Runs a computation like [`run`], but fails if it is stopped.
///
/// # Errors
/// Like [`run`]; `Exhausted` or `Stopped` if the computation did not come to its end.
pub(crate) fn finish<T: Send>(
    py: Python<'_>,
    bounds: Bounds,
    work: impl FnOnce(&mut Control) -> Result<T, Stop> + Send,
) -> PyResult<T> {
    let (result, stopped_by) = run(py, bounds, work)?;
    result.map_err(|stop| fault(stop, bounds, stopped_by))
}

/// Returns the exception for a computation that was stopped.
pub(crate) fn fault(stop: Stop, bounds: Bounds, stopped_by: StoppedBy) -> PyErr {
    match (stop, stopped_by) {
        (Stop::FuelSpent, _) => PackageError::Exhausted.says(format!(
            "the fuel of {} units is spent; give more, such as fuel={}",
            bounds.fuel,
            bounds.fuel.saturating_mul(10)
        )),
        (Stop::Interrupted, Some(by)) => PackageError::Stopped.says(by),
        (Stop::Interrupted, None) => PackageError::Stopped.says("the computation was stopped"),
    }
}

/// Waits for the end of the computation.
///
/// (A receiver is for one thread, and the compiler cannot see that this one stays on its thread
/// while the lock of the interpreter is released.)
fn wait(receiver: &Mutex<Receiver<()>>, time: Duration) -> Result<(), RecvTimeoutError> {
    let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
    receiver.recv_timeout(time)
}

fn over(bounds: Bounds, started: Instant) -> StoppedBy {
    let elapsed = started.elapsed().as_secs_f64();
    if let Some(seconds) = bounds.seconds.filter(|&seconds| elapsed >= seconds) {
        return Some(format!("stopped after {seconds} s"));
    }
    let limit = bounds.memory?;
    let used = resident_bytes("self")?;
    (used > limit).then(|| format!("stopped at the memory limit of {}", write_bytes(limit)))
}
