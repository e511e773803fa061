//! GAP: source that rebuilds the monoids and checks them.
//!
//! Each monoid is a record with the rows of the action as images of transformations, and with the relations of its presentation; the functions
//! before them make a transformation monoid or a finitely presented one of it, and check all that the record says.

use super::monoid::{Entry, list, quoted, write_source};
use super::staging::Staging;
use super::{Counts, ExportError, Source};
use crate::completeness::Completeness;

/// The source among the files of the export.
pub const FILE: &str = "monoids.g";

/// The functions.
const LIBRARY: &str = include_str!("monoids.g");

/// Writes the source.
pub(super) fn write(
    source: &Source<'_>,
    statement: &Completeness,
    staging: &mut Staging,
) -> Result<Counts, ExportError> {
    let what = "Misere quotients for GAP (https://www.gap-system.org).";
    let file = staging.create(FILE)?;
    write_source(source, statement, file, (what, LIBRARY), record)
}

/// GAP counts from 1.
fn from_one(numbers: impl IntoIterator<Item = u32>) -> String {
    list(numbers.into_iter().map(|number| number + 1))
}

fn record(entry: &Entry) -> String {
    let quotient = entry.quotient();
    let record = &entry.record;
    let action = quotient.action().iter();
    let action: Vec<String> = action.map(|row| from_one(row.iter().copied())).collect();
    let relations = entry.relations.iter().map(|relation| {
        let word = |exponents: &[u32]| list(exponents.iter().copied());
        format!("[{}, {}]", word(&relation.left.0), word(&relation.right.0))
    });
    let relations: Vec<String> = relations.collect();
    let name = entry.name.as_deref().unwrap_or("");
    format!(
        "\nAdd(MisereMonoids, rec(\n  code := \"{}\",\n  codes := {},\n  class := \"{}\",\n  name := \"{name}\",\n  status := \"{}\",\n  whole := {},\n  heaps := {},\n  order := {},\n  generators := {},\n  generatorHeaps := {},\n  action := [{}],\n  pPortion := {},\n  relations := [{}],\n  phi := {}\n));\n",
        record.code,
        quoted(entry.codes.iter().map(ToString::to_string)),
        record.class,
        entry.finding.status().name(),
        entry.finding.is_whole(),
        record.heaps,
        record.order,
        quoted(entry.generator_names()),
        list(entry.solution.generator_heaps.iter().copied()),
        action.join(",\n    "),
        from_one(quotient.p_portion().iter()),
        relations.join(",\n    "),
        from_one(entry.solution.phi.iter().copied()),
    )
}
