//! What finds: misère quotients of games, evidence of infinity, laws, automata, nim-values.
//!
//! Nothing here has to be trusted: `misere-check` proves every result, and knows nothing of this
//! crate. Results depend on fuel alone, not on clocks or the number of cores (invariant A-1).
//!
//! | module | contents |
//! |---|---|
//! | [`quotient`] | the misère quotient of a game |
//! | [`infinite`] | the search for evidence that a quotient is infinite |
//! | [`normal`] | normal play of a game |
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod ahead;
pub mod infinite;
pub mod normal;
pub mod quotient;

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
