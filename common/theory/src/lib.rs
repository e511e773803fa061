//! The mathematics of misère quotients: games, the engine, and the checker.
//!
//! The engine finds the misère quotient of a heap game. The checker proves the engine's claims; it
//! imports nothing from the engine.
//!
//! This crate knows nothing of processes, clocks, networks or disks (invariant A-1). Long
//! computations are watched and stopped through [`control::Control`]; what they may spend is
//! counted in fuel, so results do not depend on the machine.
//!
//! | module | contents |
//! |---|---|
//! | [`ruleset`] | the moves of a game, such as `0.123` |
//! | [`outcome`] | outcomes of positions by the definition alone |
//! | [`genus`] | genera of games, and the classes of Conway's theory |
//! | [`forms`] | simplest forms of games: sums, equality, the forms of heaps |
//! | [`bipartite`] | bipartite monoids and their isomorphism classes |
//! | [`monoid`] | words for elements, and presentations |
//! | [`quotient`] | the engine: the misère quotient of a game |
//! | [`normal`] | normal play of a game |
//! | [`structure`] | kernel, idempotents, Rees factors, automorphisms of a quotient |
//! | [`infinite`] | the search for evidence that a quotient is infinite |
//! | [`classify`] | all misère quotients of small order |
//! | [`solution`] | claims about games, and their forms |
//! | [`verify`] | the checker, which proves claims |
//! | [`control`] | fuel, progress and interruption of long computations |
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod bipartite;
pub mod classify;
pub mod control;
pub mod forms;
pub mod genus;
pub mod infinite;
mod lists;
pub mod monoid;
pub mod normal;
pub mod outcome;
pub mod quotient;
pub mod ruleset;
pub mod solution;
pub mod structure;
pub mod verify;
