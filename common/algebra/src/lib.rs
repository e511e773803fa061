//! Games and quotients beside heap games: classification, simplest forms, genera.
//!
//! | module | contents |
//! |---|---|
//! | [`classify`] | all misère quotients of small order |
//! | [`forms`] | simplest forms of games: sums, equality, the forms of heaps |
//! | [`genus`] | genera of games, and the classes of Conway's theory |
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod classify;
pub mod forms;
pub mod genus;

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
