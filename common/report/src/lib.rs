//! Reports of a census: the facts, and the tables, charts and pictures that show them.
//!
//! - [`facts`]: the results of a census, beside published ones (in `data/`)
//! - [`citation`]: how the program, a census, a game, a class and a query are cited
//! - [`completeness`]: what is complete about a census, and how sure it is
//! - [`registry`]: the list of all kinds of reports
//! - [`solved_game`]: a solution in words
//! - [`whereabouts`]: where a census has a class
//! - [`sheets`]: one module for every report: its title, its tables and its sentences
//! - [`sheet`]: how a report becomes text, a page, LaTeX, CSV or JSON
//!
//! Nothing here depends on the command line: everything a report needs is passed in. Without the
//! feature `census` there are only the sheets of one game, which need no store.
#![cfg_attr(
    not(feature = "census"),
    allow(
        dead_code,
        unused_imports,
        reason = "the sheet of one game has no grids and pictures"
    )
)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod citation;
#[cfg(feature = "census")]
pub mod completeness;
mod csv_line;
#[cfg(feature = "census")]
pub mod facts;
#[cfg(feature = "census")]
pub mod registry;
#[cfg(feature = "census")]
mod report;
pub mod sheet;
pub mod sheets;
pub mod solved_game;
#[cfg(feature = "census")]
pub mod whereabouts;

pub use csv_line::csv_line;
#[cfg(feature = "census")]
pub use facts::{PublishedError, ReportError, Summary};
#[cfg(feature = "census")]
pub use report::{Census, Censuses, Input, ReportSheet};
