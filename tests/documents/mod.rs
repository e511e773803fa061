//! Does the program do what README.md and docs/ say?
//!
//! Every command on a page is run, and what it prints is compared with what the page shows;
//! `session.rs` says how a page is written for that. `make documents` writes into the pages what
//! the program prints now.

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
