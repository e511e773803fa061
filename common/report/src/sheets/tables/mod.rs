//! Tables 1 to 3, the facts and the atlas.
//!
//! They show the misère quotients of small order beside the published ones; the atlas shows the
//! least games that have them.

pub mod atlas;
mod counts;
mod facts;
mod order;
mod source;

use serde_json::Value;

use crate::report::Content;
use crate::sheet::{Grid, Part};

pub(crate) use counts::Table1;
pub(crate) use facts::CommonFacts;
pub(crate) use order::{Table2, Table3};
pub use source::Source;

/// Returns the content of a report on quotients, whose document says how many there are.
fn content(
    source: &Source,
    title: String,
    parts: Vec<Part>,
    data: Grid,
    mut document: Value,
) -> Content {
    if let Value::Object(fields) = &mut document {
        fields.insert("quotients".to_owned(), source.list.len().into());
        fields.insert("digest".to_owned(), source.digest.to_string().into());
    }
    Content {
        title,
        parts,
        data,
        document,
        notes: Vec::new(),
    }
}
