//! Does the command line keep its contract? Every test runs the real command.
#![cfg(feature = "census")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod census;
mod classify;
mod command;
mod figure1;
mod files;
mod help;
mod identify;
mod numbers;
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
