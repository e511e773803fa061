//! Results of the engine, against the rules of the games and the published results.
//!
//! One binary for all of these tests; a group is run by the name of its module:
//! `cargo test -p misere-engine --test engine laws::`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod all_heaps;
mod automata;
mod diagrams;
mod engine_against_the_rules;
mod evidence_outcomes;
mod game_035;
mod general_codes;
mod idle_threads;
mod laws;
mod long_codes;
mod new_letters;
mod presentations;
mod published_quotients;
mod reasons;
mod renumbered;
mod repeated_3310;
mod scarce_heaps;
mod semilinear;
mod typed_presentations;
