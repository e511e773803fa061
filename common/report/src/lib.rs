//! Reports of a census: the facts, and the tables, charts and pictures that show them.
//!
//! - [`facts`]: the results of a census, beside published ones (in `data/`)
//! - [`citation`]: how the program, a census, a game, a class and a query are cited
//! - [`completeness`]: what is complete about a census, and how sure it is
//! - [`identify`]: which class a quotient belongs to, and where a census has it
//! - [`realized`]: whether games have a given quotient
//! - [`registry`]: the list of all kinds of reports
//! - [`sheets`]: one module for every report: its title, its tables and its sentences
//! - [`sheet`]: how a report becomes text, a page, LaTeX, CSV or JSON
//!
//! Nothing here depends on the command line: everything a report needs is passed in.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod citation;
pub mod completeness;
mod csv_line;
pub mod facts;
pub mod identify;
pub mod realized;
pub mod registry;
mod report;
pub mod sheet;
pub mod sheets;

pub use csv_line::csv_line;
pub use facts::{PublishedError, ReportError, Summary};
pub use report::{Census, Censuses, Input, ReportSheet};
