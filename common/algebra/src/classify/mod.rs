//! The classification of the misère quotients of small order.
//!
//! The module lists them up to isomorphism, order by order (Siegel, *The structure and
//! classification of misère quotients*, sections 7 and 8). A reduced bipartite monoid with `1 ∉ P`
//! is a misère quotient iff it carries a valid minimex algebra (Theorem 8.4). For each order `m` up to
//! a greatest order `n` there are
//!
//! - `B(m)`: bipartite monoids of order `m`, reduced or not, that carry one, up to isomorphisms
//!   that fix `a = Φ(*)`; only those are found that may lie in a quotient of order at most `n`;
//! - `Q(m)`: the reduced ones of `B(m)`, up to any isomorphism: the misère quotients of order `m`,
//!   which are listed.
//!
//! `docs/classification.md` has the algorithm with the proofs that nothing is missing. The
//! quotients found need not be trusted: each of them has games, and [`misere_check::construction`]
//! checks the games without importing this module.
//!
//! - `small_monoid`: bipartite monoids of small order as tables of machine words
//! - `extension`: all extensions by one generator
//! - `validity`: construction sequences and minimex algebras
//! - `canonical`: canonical codes, up to isomorphisms that fix `a`
//! - `enumeration`: the classification order by order
//! - `games`: the games of a quotient, with as few options as can be found
//! - `state`: the state from which a classification is resumed
//! - [`batch`]: a part of an order, which can be computed on another machine
//! - [`facts`]: common properties of the quotients
//! - [`smallest`]: small finite games that have these quotients
//! - [`one_stage_extensions`]: the quotients of explicitly given games
//! - [`published_tables`]: the published numbers and tables
//! - [`siegel_notation`]: the notation of games in the published tables
//! - [`comparison`]: the comparison of a list with a published table
//! - [`digest`]: the digest of a list
//! - [`decision`]: the decision whether a bipartite monoid is a misère quotient
//! - [`faithful`]: the decision whether a quotient is the quotient of faithful games
//! - [`p_portions`]: the P-portions that make a monoid a misère quotient

pub mod batch;
mod canonical;
pub mod comparison;
pub mod decision;
pub mod digest;
mod enumeration;
mod extension;
pub mod facts;
pub mod faithful;
mod games;
pub mod one_stage_extensions;
#[cfg(test)]
mod oracle;
pub mod p_portions;
pub mod published_tables;
#[cfg(test)]
mod restricted_searches;
pub mod siegel_notation;
mod small_monoid;
pub mod smallest;
mod state;
mod validity;

pub use enumeration::{Classifier, Level, Quotient};
pub use small_monoid::MAX_ORDER;
pub use state::StateError;
