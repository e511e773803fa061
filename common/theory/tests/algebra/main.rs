//! Bipartite monoids, their classification and structure, forms and genera, against definitions.
//!
//! One binary for all of these tests; a group is run by the name of its module:
//! `cargo test --release -p misere-theory --test algebra genus::`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod canonical_form;
mod classify;
mod counter_examples;
mod double_covers;
mod finite_games;
mod forms;
mod genus;
mod scheme_batches;
mod structure;
