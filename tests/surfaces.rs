//! The output of the program: on the command line, in documents, exports and pages.
//!
//! One binary for all of these tests, so that RocksDB is linked once. The other one is
//! `tests/processes.rs`: censuses over several processes, and faults. A group of tests is run by
//! the name of its module: `cargo test --test surfaces truth::`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod architecture;
mod browser;
mod cli;
mod documents;
mod export;
mod page;
mod prose;
mod support;
mod truth;
