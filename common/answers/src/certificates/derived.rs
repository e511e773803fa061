//! The comparison of redundant fields for readers with the claim.

use serde_json::Value;

use super::ClaimError;

/// Compares a document with the one that follows from its claim.
pub(super) fn as_it_follows(written: &Value, right: &Value) -> Result<(), ClaimError> {
    let mut fields = right.as_object().into_iter().flatten();
    // The code was parsed, so another spelling of it is the same code.
    let fault = fields.find_map(|(field, right)| {
        if field == "code" {
            return None;
        }
        let found = written.get(field).unwrap_or(&Value::Null);
        deepest(field, found, right)
    });
    fault.map_or(Ok(()), Err)
}

/// Finds the first redundant field that does not follow from the claim. Absent fields are ignored.
pub(super) fn first_difference(written: &Value, derived: &Value) -> Option<ClaimError> {
    const FIELDS: [&str; 17] = [
        "/period",
        "/preperiod",
        "/diverges_at",
        "/infinite_to",
        "/copies",
        "/limit",
        "/tame",
        "/tame_relative",
        "/growth",
        "/law",
        "/automaton",
        "/quotient/p_size",
        "/quotient/class",
        "/quotient/generators",
        "/quotient/words",
        "/quotient/presentation",
        "/partials",
    ];
    // The cause of an interruption does not follow from the claim, and claims nothing.
    let is_stopped = derived.get("status").and_then(Value::as_str) == Some("interrupted");
    let mut fields = FIELDS.into_iter();
    fields.find_map(|field| {
        if is_stopped && field == "/limit" {
            return None;
        }
        let (found, right) = (
            written.pointer(field)?,
            derived.pointer(field).unwrap_or(&Value::Null),
        );
        deepest(field, found, right)
    })
}

/// Finds the first place within `found` that differs from `right`.
fn deepest(field: &str, found: &Value, right: &Value) -> Option<ClaimError> {
    if found == right {
        return None;
    }
    if let (Value::Array(found), Value::Array(right)) = (found, right)
        && found.len() == right.len()
    {
        return (0..)
            .zip(found.iter().zip(right))
            .find_map(|(at, (f, r))| deepest(&format!("{field}/{at}"), f, r));
    }
    let field = field.trim_start_matches('/').replace('/', ".");
    Some(ClaimError::Derived {
        field,
        found: found.clone(),
        right: right.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_difference_is_named() {
        let right = json!({ "tame": false, "quotient": { "words": ["1", "a"], "p_size": 1 } });
        assert!(first_difference(&json!({}), &right).is_none());
        assert!(first_difference(&right, &right).is_none());
        let written = json!({ "tame": false, "quotient": { "words": ["1", "b"] } });
        let fault = first_difference(&written, &right).unwrap();
        assert_eq!(
            fault.to_string(),
            "`quotient.words.1` is not what the rest of the document says: \"b\" instead of \"a\""
        );
    }

    #[test]
    fn the_heap_of_an_infinite_quotient_follows_from_the_evidence() {
        let right = json!({ "diverges_at": 17, "infinite_to": 28 });
        assert!(first_difference(&json!({ "diverges_at": 17 }), &right).is_none());
        for written in [
            json!({ "diverges_at": 17, "infinite_to": 17 }),
            json!({ "diverges_at": 17, "infinite_to": null }),
        ] {
            let fault = first_difference(&written, &right).unwrap().to_string();
            assert!(fault.starts_with("`infinite_to` is not"), "{fault}");
        }
    }
}
