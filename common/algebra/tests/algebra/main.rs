//! Bipartite monoids, their classification and structure, forms and genera, against definitions.
//!
//! One binary for all of these tests; a group is run by the name of its module:
//! `cargo test -p misere-algebra --test algebra genus::`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod classify;
mod counter_examples;
mod double_covers;
mod finite_games;
mod forms;
mod genus;
mod scheme_batches;
mod structure;
