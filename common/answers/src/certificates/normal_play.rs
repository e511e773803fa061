//! The check of a document of normal play: a period with its proof, or nim-values to a heap.
//!
//! A document with a mask is about the sparse space of a game, and may list the nim-values, too. A
//! document without a mask lists them, and a period follows from the list.

use misere_check::nim_values::{nim_values, proved_period};
use misere_check::{arithmetic_period, normal_period};
use misere_game::control::Control;
use misere_game::ruleset::{Code, Renumbering};
use misere_game::solution::{ListedValuesDocument, NormalDocument, NormalValuesDocument};
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
    match written.get("mask") {
        Some(_) => sparse_space(text, written, checked, control),
        None => list(text, written, checked, control),
    }
}

/// Checks a document about the sparse space of a game.
fn sparse_space(
    text: &str,
    written: &Value,
    checked: &mut ClaimSummary,
    control: &mut Control,
) -> Result<(), ClaimError> {
    let document: NormalValuesDocument = serde_json::from_str(text)?;
    let max_nim_value = document.max_nim_value;
    note(checked, &document.code, &document.status, document.heaps);
    aliases(&document.code, written)?;
    if !is_absent(written, "arithmetic_period") {
        return Err(ClaimError::Derived {
            field: "arithmetic_period".to_owned(),
            found: written["arithmetic_period"].clone(),
            right: Value::Null,
        });
    }
    let right = if claims_no_period(written, &document.status)? {
        let claim = document.into_claim().map_err(ClaimError::Version)?;
        normal_period::check_values(&claim, control)?
    } else {
        let period: NormalDocument = serde_json::from_str(text)?;
        let claim = period.into_claim().map_err(ClaimError::Version)?;
        normal_period::check_with(&claim, &document.marks, control)?
    };
    if !is_absent(written, "nim_values") {
        let listed: ListedValuesDocument = serde_json::from_str(text)?;
        let values = right.values.iter().copied().map(u32::from);
        compare(&listed.nim_values, values)?;
    }
    greatest(max_nim_value, right.last.max_nim_value)
}

/// Checks a list of nim-values, and what is claimed to follow from it.
fn list(
    text: &str,
    written: &Value,
    checked: &mut ClaimSummary,
    control: &mut Control,
) -> Result<(), ClaimError> {
    let document: ListedValuesDocument = serde_json::from_str(text)?;
    note(checked, &document.code, &document.status, document.heaps);
    document.check_version().map_err(ClaimError::Version)?;
    aliases(&document.code, written)?;
    let code = &document.code;
    // The list is as long as the text, so that this takes memory in proportion to the text.
    let known = document.nim_values.len() as u64;
    if known != u64::from(document.heaps) + 1 {
        return Err(ClaimError::Derived {
            field: "heaps".to_owned(),
            found: document.heaps.into(),
            right: known.saturating_sub(1).into(),
        });
    }
    let values = nim_values(code, document.heaps, control)?;
    compare(&document.nim_values, values.iter().copied())?;
    if !claims_no_period(written, &document.status)? {
        document.check_solved().map_err(ClaimError::Version)?;
        let period = document.period.zip(document.preperiod);
        match &document.arithmetic_period {
            Some(claim) if is_absent(written, "period") && is_absent(written, "preperiod") => {
                arithmetic_period::check(code, claim, control)?;
            }
            Some(_) => return Err(ClaimError::TwoClaims("period", "arithmetic_period")),
            None => {
                let proved = proved_period(&values, code, control)?;
                if period.is_none() || period != proved {
                    return Err(ClaimError::Period(proved));
                }
            }
        }
    }
    let right = values.iter().copied().max().unwrap_or(0);
    greatest(document.max_nim_value, right)
}

/// Notes what a document is about.
fn note(checked: &mut ClaimSummary, code: &Code, status: &str, heaps: u32) {
    checked.code = Some(code.to_string());
    checked.status = Some(status.to_owned());
    checked.heaps = Some(heaps);
}

/// Reports whether a document claims nim-values to a heap only.
///
/// # Errors
/// [`ClaimError::Derived`] if its status says so, and it has half a period.
fn claims_no_period(written: &Value, status: &str) -> Result<bool, ClaimError> {
    if !is_absent(written, "period") || !WITHOUT_PERIOD.contains(&status) {
        return Ok(false);
    }
    let half = ["preperiod", "arithmetic_period"];
    match half.into_iter().find(|field| !is_absent(written, field)) {
        None => Ok(true),
        Some(field) => Err(ClaimError::Derived {
            field: field.to_owned(),
            found: written[field].clone(),
            right: Value::Null,
        }),
    }
}

fn is_absent(written: &Value, field: &str) -> bool {
    written.get(field).is_none_or(Value::is_null)
}

/// Compares listed nim-values with the right ones; further ones are refused.
fn compare(listed: &[u32], right: impl ExactSizeIterator<Item = u32>) -> Result<(), ClaimError> {
    if listed.len() != right.len() {
        return Err(ClaimError::Derived {
            field: "heaps".to_owned(),
            found: (right.len() - 1).into(),
            right: (listed.len() as u64).saturating_sub(1).into(),
        });
    }
    let mut pairs = (0_u32..).zip(listed.iter().copied().zip(right));
    match pairs.find(|(_, (found, right))| found != right) {
        None => Ok(()),
        Some((heap, (found, right))) => Err(ClaimError::NimValue { heap, found, right }),
    }
}

fn greatest(claimed: Option<u32>, right: u32) -> Result<(), ClaimError> {
    match claimed {
        Some(found) if found != right => Err(ClaimError::Derived {
            field: "max_nim_value".to_owned(),
            found: found.into(),
            right: right.into(),
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
