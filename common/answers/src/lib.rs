//! What a proved solution says of a game: who wins a position, by which ground and which move, and
//! in one enum how the game ended.
//!
//! The theory proves; this crate answers. The command, the pages, the Python package and the exports
//! ask it, so that all of them give the same answer. Effort is a parameter ([`Effort`]): a page
//! spends less on a position than a command does, and decides by the same rules.
//!
//! - [`decider`]: the outcome of a position, with the [`Ground`] that decides it
//! - [`effort`]: what an answer may cost, and what a command spends without options
//! - [`moves`]: the moves that win, and moves in words
//! - [`explanation`]: the values of the heaps, their product, and what every move reaches
//! - [`answer`]: the whole answer about a position, as one document
//! - [`argument`]: the argument that a certificate makes, for a reader
//! - [`conclusion`]: how the computation of a game ended; [`Ending`], [`Status`] and [`Knowledge`]
//!   follow from it
//! - [`certificates`]: certificates as JSON documents, and whether they are true
//! - [`classification`]: all quotients of small order, as one document
//! - [`comparison`]: whether two games are equal, as one document
//! - [`identity`]: the class of a bipartite monoid, and [`realized`]: whether games have it
//! - [`genera`]: genera as one document
//! - [`nim_values`]: nim-values as one document
//! - [`normal_comparison`]: the normal play of a game beside its misère quotient
//! - [`product`]: a product of generators as one document
//! - [`rules`]: the rules of a game in words
//! - [`search`]: games by the beginnings of their sequences
//! - [`simplest_form`]: the simplest form of a game as one document
//! - [`structure`]: idempotents, kernel, factors, automorphisms, tame extensions of a quotient
//!
//! ```
//! use misere_answers::{Decider, Effort, Ground};
//! use misere_game::position::Position;
//! use misere_game::control::Control;
//! use misere_game::outcome::Outcome;
//! use misere_engine::quotient::{Limits, Strategy, solve};
//! let (code, control) = ("0.77".parse()?, &mut Control::unlimited());
//! let solution = solve(&code, &Limits::default(), Strategy::Exact, control);
//! let position = Position::parse(&code, "3 + 5 + 1000000")?;
//! let mut decider = Decider::new(&solution, solution.evidence.as_ref(), Effort::THOROUGH);
//! let decision = decider.decide(&position, control)?.ok_or("undecided")?;
//! assert_eq!((decision.outcome, decision.ground), (Outcome::N, Ground::Quotient));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod answer;
pub mod argument;
pub mod certificates;
pub mod classification;
pub mod comparison;
pub mod conclusion;
pub mod decider;
pub mod effort;
mod ending;
pub mod explanation;
pub mod genera;
mod ground;
pub mod identity;
pub mod moves;
pub mod nim_values;
pub mod normal_comparison;
pub mod product;
pub mod realized;
mod refuted;
pub mod rules;
pub mod search;
pub mod simplest_form;
mod status;
pub mod structure;
mod undecided;

pub use answer::{Answer, decided};
pub use conclusion::{Conclusion, InfiniteHeap};
pub use decider::Decider;
pub use effort::Effort;
pub use ending::{Ending, Knowledge};
pub use explanation::Explanation;
pub use ground::{Decision, Ground};
pub use moves::{WinningMove, WinningMoves};
pub use normal_comparison::{HeapValues, NormalComparison};
pub use refuted::RefutedError;
pub use status::{Status, StatusError};
pub use structure::{Structure, StructureEffort};
pub use undecided::UndecidedError;

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
