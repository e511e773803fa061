//! The answers of a query as tab-separated columns, for spreadsheets and scripts.
//!
//! The columns are a selection from the exported table of games: the code, and each field that has
//! a column there. Their names do not depend on the answers, and a value that a game does not have
//! is empty.

use misere_query::{Field, FieldColumn, RecordDocument};
use serde_json::Value;

use crate::exit::Failure;

/// The columns before the fields: the JSON fields of the same names.
const FIRST: [&str; 5] = ["code", "game_name", "representative", "label", "name"];

/// Iterates over the fields that have a column, with the column.
fn fields() -> impl Iterator<Item = (Field, FieldColumn)> {
    let all = Field::ALL.into_iter();
    all.filter_map(|field| Some((field, field.column()?)))
}

/// Returns the line with the names of the columns.
pub(super) fn head() -> String {
    let names = FIRST
        .into_iter()
        .chain(fields().map(|(_, column)| column.name));
    joined(names.map(str::to_owned))
}

/// Returns the line of a game.
///
/// # Errors
/// A [`Failure`] if the record has no JSON form.
pub(super) fn line(record: &RecordDocument) -> Result<String, Failure> {
    let document = serde_json::to_value(record)?;
    let places = FIRST
        .into_iter()
        .chain(fields().map(|(field, _)| field.document()));
    Ok(joined(places.map(|place| {
        let pointer = format!("/{}", place.replace('.', "/"));
        document.pointer(&pointer).map_or_else(String::new, cell)
    })))
}

/// Formats a value as a cell. No value of a record holds a tab or a line break.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(cell).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

fn joined(cells: impl Iterator<Item = String>) -> String {
    let mut line = cells.collect::<Vec<_>>().join("\t");
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that every column is a place in the JSON form of a record.
    #[test]
    fn every_column_is_in_the_document() {
        let columns: Vec<_> = fields().collect();
        assert!(columns.len() > 12, "{}", columns.len());
        for (field, column) in columns {
            assert!(!field.document().contains("[]"), "{}", column.name);
        }
        assert_eq!(
            cell(&serde_json::json!(["wild", "restive"])),
            "wild restive"
        );
        assert_eq!(cell(&Value::Null), "");
    }
}
