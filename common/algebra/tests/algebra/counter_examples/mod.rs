//! Games whose quotients have properties that most quotients do not have.
//!
//! Independent methods show each property: exact kernels, the checker of constructions, and the
//! definition of outcomes on many sums.

mod games;
mod kernels;
mod unfaithful;
