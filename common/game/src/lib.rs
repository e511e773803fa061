//! The ground that solver and checker share: games, outcomes, monoids, and claims about them.
//!
//! This crate knows nothing of processes, clocks, networks or disks (invariant A-1). Long
//! computations are watched and stopped through [`control::Control`]; what they may spend is
//! counted in fuel, so results do not depend on the machine.
//!
//! | module | contents |
//! |---|---|
//! | [`ruleset`] | the moves of a game, such as `0.123` |
//! | [`outcome`] | outcomes of positions by the definition alone |
//! | [`position`] | sums of heaps, and the one notation in which they are read |
//! | [`bipartite`] | bipartite monoids and their isomorphism classes |
//! | [`monoid`] | words for elements, and presentations |
//! | [`structure`] | kernel, idempotents, Rees factors, automorphisms of a quotient |
//! | [`solution`] | claims about games, and their forms |
//! | [`control`] | fuel, progress and interruption of long computations |
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod bipartite;
pub mod control;
pub mod lists;
pub mod monoid;
pub mod outcome;
pub mod position;
pub mod ruleset;
pub mod solution;
pub mod structure;

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
