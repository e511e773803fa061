//! Tables 1 to 3 and the facts: the misère quotients of small order, beside what was published.

mod counts;
mod facts;
mod order;
mod source;

use misere_theory::classify::comparison::ComparisonError;
use misere_theory::classify::published::{TABLE_2, TABLE_3};
use misere_theory::control::Control;
use serde_json::Value;

use crate::report::Report;
pub use source::Source;

/// Which report is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Counts by order (Table 1).
    Counts,
    /// The quotients of order 12 (Table 2).
    Order12,
    /// The quotients of order 14 (Table 3).
    Order14,
    /// What all have in common.
    Facts,
}

/// One of the reports on quotients that were checked.
///
/// # Errors
/// [`ComparisonError`] if a published quotient cannot be rebuilt, or `control` stops the work.
pub fn report(
    which: Which,
    source: Source,
    control: &mut Control,
) -> Result<Report, ComparisonError> {
    let (name, (sheet, mut says)) = match which {
        Which::Counts => ("table1", counts::report(&source, control)?),
        Which::Order12 => ("table2", order::report(&source, &TABLE_2, control)?),
        Which::Order14 => ("table3", order::report(&source, &TABLE_3, control)?),
        Which::Facts => ("facts", facts::report(&source)),
    };
    if let Value::Object(says) = &mut says {
        says.insert("quotients".to_owned(), source.list.len().into());
        says.insert("digest".to_owned(), source.digest.to_string().into());
    }
    Ok(Report {
        name: name.to_owned(),
        title: sheet.title,
        parts: sheet.parts,
        data: sheet.data,
        says,
        provenance: source.provenance,
    })
}
