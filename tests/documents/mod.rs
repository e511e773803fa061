//! The program does what README.md and docs/ say.
//!
//! Every command on a page is run, and its output is compared with the page; `session.rs` says how
//! a page is written for that. `make documents` writes the present output of the program into the
//! pages.

mod book;
mod census;
mod comparison;
mod fields;
mod json;
mod markdown;
mod metrics;
mod running;
mod session;
mod sessions;
