//! The form of a result of normal play: the faults that are found without computing a nim-value.
//!
//! A result in form may still be false. `misere verify` computes the nim-values again, and `misere
//! normal run` has every period checked before it writes the file. This file is about files that
//! were cut off, damaged or made up so that pages would show nonsense.

use misere_engine::normal::far::Far;
use misere_game::ruleset::{Code, Renumbering};
use misere_game::solution::Mark;
use misere_game::solution::normal_period::CONVENTION;
use misere_game::solution::normal_values::marked;

use super::{BOUNDED, NormalResult, SOLVED};

/// A result that contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NormalResultFormError {
    /// The document is of another version.
    #[error("it has version {0}, and this program reads version 1")]
    Schema(u32),
    /// The document is about misère play.
    #[error("it is about `{0}` play, and not about normal play")]
    Convention(String),
    /// The nim-values of the game are not computed by `misere normal run`.
    #[error("{0} is not a code with an end whose moves leave at most two heaps")]
    NotOctal(Code),
    /// The status is not one that a result can have.
    #[error("its status is `{0}`, and not `{SOLVED}` or `{BOUNDED}`")]
    Status(String),
    /// A period without the status, or the status without a period.
    #[error("a period and a preperiod are stated exactly of a game that is solved")]
    Period,
    /// The heaps do not suffice for the proof of the period.
    #[error("the nim-values to heap {0} cannot prove its period")]
    TooFewHeaps(u32),
    /// Under the mask every number would be rare.
    #[error("its mask is 0")]
    Mask,
    /// The marks are not at the heaps where they belong.
    #[error("its marks do not stand at the powers of two from 1024 on and at the last heap")]
    Marks,
    /// A mark contradicts itself or the one before.
    #[error("what it says of the heaps to {0} contradicts itself")]
    Mark(u32),
    /// The list of rare heaps does not ascend from 1 to the last heap, or is missing.
    #[error("its list of rare heaps does not ascend from 1 to the last heap")]
    Rare,
    /// An alias is not a code of the same game.
    #[error("{0} is not a code of the same game")]
    Alias(Code),
}

/// Checks whether a result is in form.
///
/// # Errors
/// The first [`NormalResultFormError`].
pub(super) fn check(result: &NormalResult) -> Result<(), NormalResultFormError> {
    let values = &result.values;
    if values.schema != 1 {
        return Err(NormalResultFormError::Schema(values.schema));
    }
    if values.convention != CONVENTION {
        return Err(NormalResultFormError::Convention(values.convention.clone()));
    }
    let code = &values.code;
    if Far::new(code).is_err() {
        return Err(NormalResultFormError::NotOctal(code.clone()));
    }
    if values.mask == 0 {
        return Err(NormalResultFormError::Mask);
    }
    check_rare(result)?;
    check_marks(result)?;
    check_period(result)?;
    let is_other = |alias: &&Code| Renumbering::between(code, alias).is_none();
    match result.aliases.iter().find(is_other) {
        Some(alias) => Err(NormalResultFormError::Alias(alias.clone())),
        None => Ok(()),
    }
}

fn check_rare(result: &NormalResult) -> Result<(), NormalResultFormError> {
    let Some(rare) = &result.values.rare_heaps else {
        // The proof of a period needs the list.
        return match result.is_solved() {
            true => Err(NormalResultFormError::Rare),
            false => Ok(()),
        };
    };
    let ascend = rare.0.windows(2).all(|pair| pair[0] < pair[1]);
    let within = |&heap: &u32| (1..=result.values.heaps).contains(&heap);
    match ascend && rare.0.first().is_none_or(within) && rare.0.last().is_none_or(within) {
        true => Ok(()),
        false => Err(NormalResultFormError::Rare),
    }
}

fn check_marks(result: &NormalResult) -> Result<(), NormalResultFormError> {
    let (values, marks) = (&result.values, &result.values.marks);
    if !marks.iter().map(|mark| mark.heaps).eq(marked(values.heaps)) {
        return Err(NormalResultFormError::Marks);
    }
    let mut before: Option<&Mark> = None;
    for mark in marks {
        let rare = values.rare_heaps.as_ref().map(|rare| {
            let rare = &rare.0[..rare.0.partition_point(|&heap| heap <= mark.heaps)];
            (rare.len(), rare.last().copied().unwrap_or(0))
        });
        let listed = (mark.rare as usize, mark.last_rare);
        let in_itself = mark.rare <= mark.last_rare
            && (mark.rare == 0) == (mark.last_rare == 0)
            && mark.last_rare <= mark.heaps
            && mark.max_nim_value_heap <= mark.heaps
            && mark.most_frequent <= mark.max_nim_value
            && mark.frequency <= mark.heaps
            && rare.is_none_or(|rare| rare == listed);
        let goes_on = before.is_none_or(|before| {
            let (new_rare, new_heaps) = (
                mark.rare.checked_sub(before.rare),
                mark.heaps - before.heaps,
            );
            let same_rare = mark.last_rare == before.last_rare;
            let same_greatest = mark.max_nim_value == before.max_nim_value;
            let at_the_same = mark.max_nim_value_heap == before.max_nim_value_heap;
            new_rare.is_some_and(|new| new <= new_heaps && (new == 0) == same_rare)
                && (same_rare || mark.last_rare > before.heaps)
                && mark.max_nim_value >= before.max_nim_value
                && same_greatest == at_the_same
                && (same_greatest || mark.max_nim_value_heap > before.heaps)
        });
        if !(in_itself && goes_on) {
            return Err(NormalResultFormError::Mark(mark.heaps));
        }
        before = Some(mark);
    }
    Ok(())
}

fn check_period(result: &NormalResult) -> Result<(), NormalResultFormError> {
    let (values, code) = (&result.values, result.code());
    let is_solved = match values.status.as_str() {
        SOLVED => true,
        BOUNDED => false,
        other => return Err(NormalResultFormError::Status(other.to_owned())),
    };
    let (period, preperiod) = match (result.period, result.preperiod) {
        (Some(period), Some(preperiod)) if is_solved && period > 0 => (period, preperiod),
        (None, None) if !is_solved => return Ok(()),
        _ => return Err(NormalResultFormError::Period),
    };
    let last_rare = result.last_mark().map_or(0, |mark| mark.last_rare);
    let addends = [preperiod.max(1), period, code.length() as u32, last_rare];
    let sparse = addends.map(u64::from).iter().sum::<u64>() - 1;
    let plain = code.heaps_to_prove(preperiod, period);
    // The theorem on the sparse space is about octal games.
    let needed = match code.is_take_and_break() {
        true => plain.min(sparse),
        false => plain,
    };
    match u64::from(values.heaps) >= needed {
        true => Ok(()),
        false => Err(NormalResultFormError::TooFewHeaps(values.heaps)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// Returns the document of 0.156 with a period, as `misere normal run` writes it.
    ///
    /// The tests of `tests/untrusted` make the file of this game again, and the one of 0.06 without
    /// a period.
    fn solved() -> Value {
        let text = include_str!("../../../../tests/fuzz/regressions/normal_result/solved");
        serde_json::from_str(text).unwrap()
    }

    fn bounded() -> Value {
        let text = include_str!("../../../../tests/fuzz/regressions/normal_result/bounded");
        serde_json::from_str(text).unwrap()
    }

    fn read(document: Value) -> Result<(), NormalResultFormError> {
        check(&serde_json::from_value(document).unwrap())
    }

    #[test]
    fn results_of_a_run_are_in_form() {
        assert_eq!(read(solved()), Ok(()));
        assert_eq!(read(bounded()), Ok(()));
    }

    /// Each change of a true result is refused for its own reason.
    #[test]
    fn made_up_results_are_refused() {
        let changed = |mut document: Value, pointer: &str, to: Value| {
            *document.pointer_mut(pointer).unwrap() = to;
            read(document).unwrap_err()
        };
        let last = bounded()["marks"].as_array().unwrap().len() - 1;
        let at = |field: &str| format!("/marks/{last}/{field}");
        let heaps = bounded()["heaps"].as_u64().unwrap() as u32;
        for (document, pointer, to, fault) in [
            (
                bounded(),
                "/schema",
                json!(2),
                NormalResultFormError::Schema(2),
            ),
            (
                bounded(),
                "/convention",
                json!("misere"),
                NormalResultFormError::Convention("misere".to_owned()),
            ),
            (
                bounded(),
                "/code",
                json!("0.8"),
                NormalResultFormError::NotOctal("0.8".parse().unwrap()),
            ),
            (
                bounded(),
                "/code",
                json!("*2"),
                NormalResultFormError::NotOctal("*2".parse().unwrap()),
            ),
            (
                bounded(),
                "/status",
                json!("open"),
                NormalResultFormError::Status("open".to_owned()),
            ),
            (
                bounded(),
                "/status",
                json!("solved"),
                NormalResultFormError::Period,
            ),
            (
                bounded(),
                "/period",
                json!(4),
                NormalResultFormError::Period,
            ),
            (
                solved(),
                "/status",
                json!("bounded"),
                NormalResultFormError::Period,
            ),
            (solved(), "/period", json!(0), NormalResultFormError::Period),
            (
                solved(),
                "/preperiod",
                json!(null),
                NormalResultFormError::Period,
            ),
            (
                solved(),
                "/period",
                json!(1 << 30),
                NormalResultFormError::TooFewHeaps(4187),
            ),
            (
                solved(),
                "/preperiod",
                json!(3480),
                NormalResultFormError::TooFewHeaps(4187),
            ),
            (
                solved(),
                "/rare_heaps",
                json!(null),
                NormalResultFormError::Rare,
            ),
            (
                solved(),
                "/rare_heaps/0",
                json!(0),
                NormalResultFormError::Rare,
            ),
            (solved(), "/mask", json!(0), NormalResultFormError::Mask),
            (
                bounded(),
                "/heaps",
                json!(heaps - 1),
                NormalResultFormError::Marks,
            ),
            (bounded(), "/marks", json!([]), NormalResultFormError::Marks),
            (
                bounded(),
                &at("rare"),
                json!(heaps + 1),
                NormalResultFormError::Mark(heaps),
            ),
            (
                bounded(),
                &at("last_rare"),
                json!(0),
                NormalResultFormError::Mark(heaps),
            ),
            (
                bounded(),
                &at("max_nim_value"),
                json!(1),
                NormalResultFormError::Mark(heaps),
            ),
            (
                bounded(),
                &at("max_nim_value_heap"),
                json!(heaps + 1),
                NormalResultFormError::Mark(heaps),
            ),
            (
                bounded(),
                &at("frequency"),
                json!(heaps + 1),
                NormalResultFormError::Mark(heaps),
            ),
            (
                bounded(),
                "/aliases",
                json!(["0.77"]),
                NormalResultFormError::Alias("0.77".parse().unwrap()),
            ),
        ] {
            assert_eq!(
                changed(document, pointer, to.clone()),
                fault,
                "{pointer} {to}"
            );
        }
    }
}
