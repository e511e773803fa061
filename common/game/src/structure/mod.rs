//! The structure of a misère quotient in terms of semigroup theory.
//!
//! Example: the quotient of 0.123 has 20 elements in five classes of mutual divisibility, a chain.
//! Three of the classes are groups, each isomorphic to the Klein four-group, as the normal-play
//! quotient of 0.123 is; in the two others all products fall into smaller classes (Plambeck 2005,
//! sections 7 and 8).
//!
//! All functions take a bipartite monoid as it is; none requires that games have it.
//! [`Control`](crate::control::Control) limits those that may take long.
//!
//! - [`principal_series`]: mutual divisibility, the principal series and its Rees factors
//! - [`powers`]: the index and the period of every element
//! - [`components`]: archimedean components and the nilradical
//! - [`kernel`]: the kernel; regular and normal quotients
//! - [`normal_play`]: nim-values of elements; faithful quotients, and the normal-play quotient
//! - [`tame_extension`]: tame extensions, and the number of times that a quotient is one
//! - [`product`]: the decomposition as a direct product
//! - [`automorphisms`]: the group of the automorphisms
//! - [`least_sums`]: the least sum with a given value, and the least context that tells two
//!   elements apart
//! - `table`: all products, where many are needed

pub mod automorphisms;
pub mod components;
pub mod kernel;
pub mod least_sums;
pub mod normal_play;
pub mod powers;
pub mod principal_series;
pub mod product;
pub mod table;
pub mod tame_extension;

/// The greatest order of a monoid whose products are all stored.
///
/// They are needed for automorphisms and direct factors.
pub const MAX_TABLE: usize = 2_048;
