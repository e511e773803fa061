//! Faults of a JSON text, in words for people.
//!
//! The JSON parser names types of the program ("expected u32", "expected struct Document"), which
//! the author of the file does not know.

/// Describes a fault of a JSON text with its place, without the names of the program's types.
pub(super) fn in_words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let what = text.strip_suffix(&place).unwrap_or(&text);
    let said = mismatch(what)
        .or_else(|| length(what))
        .or_else(|| missing(what))
        .unwrap_or_else(|| what.to_owned());
    match error.line() {
        0 => said,
        line => format!("line {line}, column {}: {said}", error.column()),
    }
}

/// Returns the kind of a JSON value, with its article.
pub(super) fn kind(value: &serde_json::Value) -> &'static str {
    match value {
        serde_json::Value::Null => "null",
        serde_json::Value::Bool(_) => "a truth value",
        serde_json::Value::Number(_) => "a number",
        serde_json::Value::String(_) => "a text",
        serde_json::Value::Array(_) => "a list",
        serde_json::Value::Object(_) => "an object",
    }
}

/// Describes a value of the wrong type: `invalid type: null, expected u32`.
fn mismatch(what: &str) -> Option<String> {
    let rest = what
        .strip_prefix("invalid type: ")
        .or_else(|| what.strip_prefix("invalid value: "))?;
    let (found, expected) = rest.rsplit_once(", expected ")?;
    Some(format!(
        "found {} where {} is expected",
        value(found),
        form(expected)
    ))
}

/// Describes a list of the wrong length: `invalid length 2, expected a tuple of size 3`.
fn length(what: &str) -> Option<String> {
    let (found, expected) = what
        .strip_prefix("invalid length ")?
        .split_once(", expected ")?;
    Some(format!(
        "found a list with {found} entries where {} is expected",
        form(expected)
    ))
}

fn missing(what: &str) -> Option<String> {
    let field = what.strip_prefix("missing field ")?;
    Some(format!("the field {field} is missing"))
}

fn value(found: &str) -> String {
    let quoted = |start: &str| Some(found.strip_prefix(start)?.trim_matches('`').to_owned());
    let number = quoted("integer ").or_else(|| quoted("floating point "));
    match found {
        "sequence" => "a list".to_owned(),
        "map" => "an object".to_owned(),
        _ => number
            .map(|number| format!("the number {number}"))
            .or_else(|| Some(format!("the text {}", found.strip_prefix("string ")?)))
            .or_else(|| quoted("boolean "))
            .unwrap_or_else(|| found.to_owned()),
    }
}

fn form(expected: &str) -> String {
    match expected {
        "u8" => "a whole number from 0 to 255".to_owned(),
        "u32" => format!("a whole number from 0 to {}", u32::MAX),
        "u64" | "usize" => "a whole number that is not negative".to_owned(),
        "i32" | "i64" => "a whole number".to_owned(),
        "f64" => "a number".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        "a string" => "a text".to_owned(),
        "a boolean" => "true or false".to_owned(),
        _ if expected.starts_with("struct ") => "an object".to_owned(),
        _ => match expected.strip_prefix("a tuple of size ") {
            Some(entries) => format!("a list with {entries} entries"),
            None => expected.to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use misere_game::solution::Document;
    use misere_game::solution::evidence::InfiniteFamily;
    use serde::de::DeserializeOwned;

    fn said<T: DeserializeOwned>(text: &str) -> String {
        match serde_json::from_str::<T>(text) {
            Ok(_) => panic!("read: {text}"),
            Err(error) => in_words(&error),
        }
    }

    #[test]
    fn messages_name_no_type_of_the_program() {
        for (fault, expected) in [
            (
                said::<Document>("null"),
                "line 1, column 4: found null where an object is expected",
            ),
            (
                said::<Document>("{\"schema\": -1}"),
                "line 1, column 13: found the number -1 where a whole number from 0 to 4294967295 is expected",
            ),
            (
                said::<Document>("{\"schema\": 1, \"code\": [7]}"),
                "line 1, column 22: found a list where a text is expected",
            ),
            (
                said::<Document>("{\"schema\": \"x, expected u8\"}"),
                "line 1, column 27: found the text \"x, expected u8\" where a whole number from 0 to 4294967295 is expected",
            ),
            (
                said::<Document>("{}"),
                "line 1, column 2: the field `schema` is missing",
            ),
            (
                said::<Vec<(u32, u32)>>("[[1]]"),
                "line 1, column 4: found a list with 1 entries where a list with 2 entries is expected",
            ),
            (
                said::<Vec<bool>>("[1.5]"),
                "line 1, column 4: found the number 1.5 where true or false is expected",
            ),
            (
                said::<Vec<f64>>("[true]"),
                "line 1, column 5: found true where a number is expected",
            ),
            (
                said::<InfiniteFamily>("{\"letters\": {}}"),
                "line 1, column 12: found an object where a list is expected",
            ),
        ] {
            assert_eq!(fault, expected);
        }
    }
}
