//! Can somebody stop, kill or falsify a census?
//!
//! Real coordinators and workers, and enemies made for them: strangers who open connections,
//! workers that lie, hoard or fail, certificates made to be dear, stores with a flipped bit.
//! docs/faults.md lists each attack with its test.
#![cfg(feature = "census")]
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod access;
mod audit;
mod checking;
mod connections;
#[path = "../process/mod.rs"]
#[allow(dead_code, reason = "shared by all tests of the command")]
mod process;
mod trust;
