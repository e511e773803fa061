//! The mathematics of misère quotients: rulesets, the definition of outcomes, bipartite monoids,
//! the engine that finds the misère quotient of a heap game, and an independent checker of what the
//! engine claims.
//!
//! This crate knows nothing of processes, clocks, networks or disks (invariant A-1). Long
//! computations are watched and stopped through [`control::Control`]; what they may spend is
//! counted in fuel, so results do not depend on the machine.
//!
//! | question | module |
//! |---|---|
//! | what are the moves of `0.123`? | [`ruleset`] |
//! | who wins this position, by the rules alone? | [`outcome`] |
//! | what is a bipartite monoid, when are two the same? | [`bipartite`] |
//! | how are elements written as words, and what presents a monoid? | [`monoid`] |
//! | what is the misère quotient of this game? | [`quotient`] |
//! | what is the normal play of this game? | [`normal`] |
//! | which misère quotients of small order are there? | [`classify`] |
//! | which infinite family can be told apart, where it seems infinite? | [`infinite`] |
//! | what exactly is claimed about a game? | [`solution`] |
//! | is the claim true? | [`verify`] |
//! | how is a long computation bounded, watched and stopped? | [`control`] |
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod bipartite;
pub mod classify;
pub mod control;
pub mod infinite;
mod lists;
pub mod monoid;
pub mod normal;
pub mod outcome;
pub mod quotient;
pub mod ruleset;
pub mod solution;
pub mod verify;
