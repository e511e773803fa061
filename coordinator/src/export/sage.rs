//! Sage: Python source that rebuilds the monoids and checks them. It asks for nothing beyond Python, so it runs without Sage as well.

use super::monoid::{Entry, list, quoted, write_source};
use super::staging::Staging;
use super::{Counts, ExportError, Source};
use crate::completeness::Completeness;

/// The source among the files of the export.
pub const FILE: &str = "monoids.py";

/// The class and its functions.
const LIBRARY: &str = include_str!("monoids.py");

/// Writes the source.
pub(super) fn write(
    source: &Source<'_>,
    statement: &Completeness,
    staging: &mut Staging,
) -> Result<Counts, ExportError> {
    let what = "Misere quotients for Sage (https://www.sagemath.org) and Python 3.";
    let file = staging.create(FILE)?;
    write_source(source, statement, file, (what, LIBRARY), record)
}

fn record(entry: &Entry) -> String {
    let quotient = entry.quotient();
    let record = &entry.record;
    let action = quotient.action().iter();
    let action: Vec<String> = action.map(|row| list(row.iter().copied())).collect();
    let relations = entry.relations.iter().map(|relation| {
        let word = |exponents: &[u32]| list(exponents.iter().copied());
        format!("({}, {})", word(&relation.left.0), word(&relation.right.0))
    });
    let relations: Vec<String> = relations.collect();
    let name = entry
        .name
        .as_deref()
        .map_or("None".to_owned(), |name| format!("\"{name}\""));
    let whole = if entry.finding.is_whole() {
        "True"
    } else {
        "False"
    };
    format!(
        "\nMONOIDS.append(MisereQuotient(\n    code=\"{}\",\n    codes={},\n    class_key=\"{}\",\n    name={name},\n    status=\"{}\",\n    whole={whole},\n    heaps={},\n    order={},\n    generators={},\n    generator_heaps={},\n    action=[{}],\n    p_portion={},\n    relations=[{}],\n    phi={},\n))\n",
        record.code,
        quoted(entry.codes.iter().map(ToString::to_string)),
        record.class,
        entry.finding.status().name(),
        record.heaps,
        record.order,
        quoted(entry.generator_names()),
        list(entry.solution.generator_heaps.iter().copied()),
        action.join(",\n    "),
        list(quotient.p_portion().iter()),
        relations.join(",\n    "),
        list(entry.solution.phi.iter().copied()),
    )
}
