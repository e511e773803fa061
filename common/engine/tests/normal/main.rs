//! Nim-values of normal play, their periods, and the marks of rare heaps, against the definition.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod arithmetic;
mod constraints;
mod marks;
mod one_answer;
mod values;
