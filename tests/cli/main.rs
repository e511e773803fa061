//! Does the command line keep its contract? Every test runs the real command.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod classify;
mod command;
mod figure1;
mod outcome;
mod reports;
mod solve;
mod tables;
mod verify;
