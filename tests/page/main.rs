//! Do the pages of a census and its API say what is there, in a form that browsers and programs
//! understand?
#![cfg(feature = "census")]
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod answers;
mod examples;
mod html;
#[path = "../process/mod.rs"]
mod process;
mod served;
mod while_it_runs;
mod whole_site;
