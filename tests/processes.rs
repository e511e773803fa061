//! Censuses of real processes, and what happens to them: kills, full disks, cut networks, attacks.
//!
//! One binary for all of these tests, so that RocksDB is linked once. The other one is
//! `tests/surfaces.rs`: output of the program. A group of tests is run by the name of its module:
//! `cargo test --test processes hostile::`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod census_chunk;
mod census_merge;
mod census_quotients;
mod census_resume;
mod census_sealed;
mod census_store;
mod census_submit;
mod drain;
mod faults;
mod hostile;
mod isolation;
mod live;
mod long_games;
mod no_silent_end;
mod standard_error;
mod support;
mod traces;
mod traps;
