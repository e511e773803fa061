//! Answers of another coordinator, whose texts are sanitized for a terminal.
//!
//! A client shows texts of a coordinator, and the coordinator shows texts of workers: control
//! characters would move the cursor, and line ends would forge lines.

use misere_census::printable;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tonic::Status;

/// Returns a text of the other side on one line and without control characters.
pub(super) fn text(text: &str) -> String {
    printable(text, usize::MAX)
}

/// Returns texts of the other side, sanitized like [`text`].
pub(super) fn texts(texts: Vec<String>) -> Vec<String> {
    texts.iter().map(|each| text(each)).collect()
}

/// Reads a JSON document of the other side.
///
/// # Errors
/// The status: this program cannot read the document.
pub(super) fn document<T: DeserializeOwned>(document: &str) -> Result<T, Status> {
    let read = || serde_json::from_value(tamed(serde_json::from_str(document)?));
    read().map_err(|error: serde_json::Error| {
        Status::internal(format!("its answer does not read: {error}"))
    })
}

/// Returns a document with printable texts only; the readers limit its depth.
fn tamed(value: Value) -> Value {
    match value {
        Value::String(string) => Value::String(text(&string)),
        Value::Array(values) => values.into_iter().map(tamed).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter();
            let fields: Map<_, _> = fields
                .map(|(key, value)| (text(&key), tamed(value)))
                .collect();
            Value::Object(fields)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_of_a_document_steers_a_terminal() {
        let wild = r#"{"a\u001b": ["\u001b[2J", {"b": "one\ntwo"}, 7, null]}"#;
        let read: Value = document(wild).unwrap();
        assert_eq!(
            read,
            serde_json::json!({"a ": [" [2J", {"b": "one two"}, 7, null]})
        );
        assert!(document::<u64>("{").is_err());
        let deep = "[".repeat(100_000);
        assert!(document::<Value>(&deep).is_err());
    }
}
