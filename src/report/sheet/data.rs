//! A report for programs: CSV and JSON.

use serde_json::{Value, json};

use super::{Provenance, Sheet};
use crate::report::markup::csv_field;

/// A heading and one line for each record; each ends with the digest, the plan, its budget and whether it was finished.
pub(super) fn csv(sheet: &Sheet) -> String {
    let heads = sheet.records.columns.iter().chain(&Provenance::COLUMNS);
    let heads: Vec<&str> = heads.copied().collect();
    let mut csv = format!("{}\n", heads.join(","));
    let last = sheet.provenance.fields();
    for row in &sheet.records.rows {
        let fields: Vec<String> = row
            .iter()
            .chain(&last)
            .map(|field| csv_field(field))
            .collect();
        csv.push_str(&fields.join(","));
        csv.push('\n');
    }
    csv
}

/// The report's document with its name, the version of its form and its provenance.
pub(super) fn document(sheet: &Sheet) -> Value {
    let mut document = json!({
        "schema": 1,
        "report": sheet.name,
        "title": sheet.title,
        "provenance": sheet.provenance.document(),
    });
    if let (Value::Object(all), Value::Object(own)) = (&mut document, &sheet.document) {
        all.extend(own.clone());
    }
    document
}
