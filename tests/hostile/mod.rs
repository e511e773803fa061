//! Can somebody stop, kill or falsify a census?
//!
//! Real coordinators and workers, and enemies made for them: strangers who open connections,
//! workers that lie, hoard or fail, certificates made to be dear, stores with a flipped bit.
//! docs/faults.md lists each attack with its test.
#![cfg(target_os = "linux")]

mod access;
mod audit;
mod checking;
mod connections;
mod trust;
