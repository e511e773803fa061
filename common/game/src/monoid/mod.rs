//! Words, presentations and rewriting of finite commutative monoids.
//!
//! - [`word`]: names of generators and words in them
//! - [`presentation`]: the confluent presentation of a given monoid
//! - [`finitely_presented`]: the monoid of a given presentation
//! - [`rewriting`]: words modulo relations, and completion
//! - [`notation`]: the parser of words and relations, and its errors
//! - [`readable`]: a presentation with its P-portion, in the notation of the papers

pub mod finitely_presented;
pub mod notation;
mod notation_error;
pub mod presentation;
pub mod readable;
pub mod rewriting;
pub mod word;
