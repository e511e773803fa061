//! Is a small census the same in every form that other programs read, read back?
//!
//! Every test runs the real command.
#![cfg(feature = "census")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod complete;
mod documents;
mod made;
mod programs;
mod sequences;
mod source;
mod tables;
mod whole;
