//! The checker against damaged, invented and hostile certificates, and those of published games.
//!
//! One binary for all of these tests; a group is run by the name of its module:
//! `cargo test -p misere-checker-tests enemy::`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod beyond_the_period;
mod enemy;
mod forged;
mod greater_letters;
mod hostile_input;
mod hypotheses;
mod infinite_quotients;
mod nim_values;
mod published_games;
mod tampered_certificates;
mod well_formed;
