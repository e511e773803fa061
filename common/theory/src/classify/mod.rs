//! The classification of the misère quotients of small order.
//!
//! All of them, up to isomorphism, order by order (Siegel, *The structure and classification of
//! misère quotients*, sections 7 and 8). A reduced bipartite monoid with `1 ∉ P` is a misère
//! quotient iff it carries a valid minimex algebra (Theorem 8.4). So what is listed is, for each
//! order `m` up to a greatest order `n`,
//!
//! - `B(m)`: bipartite monoids of order `m`, reduced or not, that carry one, up to isomorphisms
//!   that fix `a = Φ(*)`;
//! - `Q(m)`: the reduced ones of `B(m)`, up to any isomorphism: the misère quotients of order `m`.
//!
//! `docs/classification.md` has the algorithm with the proofs that nothing is missing. Nothing here
//! has to be believed of what is there: each quotient has games, and
//! [`crate::verify::construction`] judges them without knowing this module.
//!
//! - [`paired`]: bipartite monoids of small order as tables of machine words
//! - [`extension`]: all extensions by one generator
//! - [`validity`]: construction sequences and minimex algebras
//! - [`canonical`]: when two are the same
//! - [`levels`]: order by order
//! - [`games`]: the games of a quotient, as few and as simple as can be had
//! - [`state`]: going on after a stop
//! - [`batch`]: a part of an order, for whoever has the parts done elsewhere
//! - [`facts`]: what they have in common
//! - [`smallest`]: small finite games that have these quotients
//! - [`stages`]: the other way round: from explicit games to quotients
//! - [`published`]: what was published
//! - [`abbreviated`]: how published tables write games
//! - [`comparison`]: a list beside a published table
//! - [`digest`]: which quotients a list has, in 32 bytes
//! - [`decision`]: is a given bipartite monoid a misère quotient at all

pub mod abbreviated;
pub mod batch;
mod canonical;
pub mod comparison;
pub mod decision;
pub mod digest;
mod extension;
pub mod facts;
mod games;
mod levels;
#[cfg(test)]
mod oracle;
mod paired;
pub mod published;
pub mod smallest;
pub mod stages;
mod state;
mod validity;
#[cfg(test)]
mod variants;

pub use levels::{BadState, Classifier, Level, Quotient};
pub use paired::MAX_ORDER;
