//! How are the elements of a monoid written, and what presents it?
//!
//! - [`word`]: names of generators and words in them

pub mod word;
pub mod presentation;
