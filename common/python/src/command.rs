//! The command `misere`, for the console script that the package installs.

use std::ffi::OsString;
use std::panic::catch_unwind;

use pyo3::prelude::*;

/// The exit code of a program that panicked, as Rust's own programs have it.
const PANICKED: u8 = 101;

/// Runs a command line, whose first word is the name of the program, and returns the exit code.
///
/// It takes over the signals and the standard streams of the process, so it is called once, and
/// nothing comes after it.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, given: Vec<OsString>) -> u8 {
    // A panic has been reported on standard error; Python would add a traceback.
    py.detach(|| catch_unwind(|| misere::run(&given)).unwrap_or(PANICKED))
}
