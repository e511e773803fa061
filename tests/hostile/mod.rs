//! Attacks that try to stop, kill or falsify a census.
//!
//! Real coordinators and workers, and enemies made for them: clients that open connections, workers
//! that lie, hoard or fail, certificates that are expensive to check, stores with a flipped bit.
//! docs/faults.md lists each attack with its test.
#![cfg(target_os = "linux")]

mod access;
mod audit;
mod checking;
mod connections;
#[path = "../../worker/tests/bin/lies.rs"]
mod lies;
mod trust;
