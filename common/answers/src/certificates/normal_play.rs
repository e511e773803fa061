//! The check of a document of normal play: a period with its proof, or nim-values to a heap.

use misere_check::normal_period;
use misere_game::control::Control;
use misere_game::ruleset::{Code, Renumbering};
use misere_game::solution::{NormalDocument, NormalValuesDocument};
use serde_json::Value;

use super::{ClaimError, ClaimSummary};

/// The statuses of documents that claim nim-values to a heap, and no period.
pub const WITHOUT_PERIOD: [&str; 3] = ["exhausted", "interrupted", "bounded"];

/// Checks a document of normal play and its redundant fields, except the cause of the end.
pub(super) fn check(
    text: &str,
    written: &Value,
    checked: &mut ClaimSummary,
    control: &mut Control,
) -> Result<(), ClaimError> {
    if written.get("nim_values").is_some() {
        return Err(ClaimError::NimValues);
    }
    let document: NormalValuesDocument = serde_json::from_str(text)?;
    let max_nim_value = document.max_nim_value;
    checked.code = Some(document.code.to_string());
    checked.status = Some(document.status.clone());
    checked.heaps = Some(document.heaps);
    aliases(&document.code, written)?;
    let is_absent = |field: &str| written.get(field).is_none_or(Value::is_null);
    let last = if is_absent("period") && WITHOUT_PERIOD.contains(&document.status.as_str()) {
        if !is_absent("preperiod") {
            return Err(ClaimError::Derived {
                field: "preperiod".to_owned(),
                found: written["preperiod"].clone(),
                right: Value::Null,
            });
        }
        let claim = document.into_claim().map_err(ClaimError::Version)?;
        normal_period::check_values(&claim, control)?
    } else {
        let period: NormalDocument = serde_json::from_str(text)?;
        let claim = period.into_claim().map_err(ClaimError::Version)?;
        normal_period::check_with(&claim, &document.marks, control)?
    };
    match max_nim_value {
        Some(found) if found != last.max_nim_value => Err(ClaimError::Derived {
            field: "max_nim_value".to_owned(),
            found: found.into(),
            right: last.max_nim_value.into(),
        }),
        _ => Ok(()),
    }
}

/// Checks that the other codes named by a file of a run are codes of the same game.
fn aliases(code: &Code, written: &Value) -> Result<(), ClaimError> {
    let Some(named) = written.get("aliases") else {
        return Ok(());
    };
    let aliases: Vec<Code> = serde_json::from_value(named.clone())?;
    let is_other = |alias: &Code| Renumbering::between(code, alias).is_none();
    match aliases.into_iter().find(is_other) {
        Some(alias) => Err(ClaimError::Alias(alias)),
        None => Ok(()),
    }
}
