//! Does the command line keep its contract? Every test runs the real command.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod classify;
mod command;
mod figure1;
mod files;
mod identify;
mod outcome;
mod paper;
#[path = "../process/mod.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod process;
mod query;
mod reports;
mod solve;
mod tables;
mod verify;
