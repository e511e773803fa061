//! The program `misere`, which runs the command of the library.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let given: Vec<OsString> = std::env::args_os().collect();
    ExitCode::from(misere::run(&given))
}
