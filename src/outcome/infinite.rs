//! The decision of a position by the proof that the quotient is infinite.
//!
//! The evidence states outcomes, and the checker has accepted it. Some heaps it does not need, and
//! says nothing of them; for these, and for greater heaps, words can be looked for, and evidence in
//! which greater heaps are letters, which the checker judges too. That takes seconds.

use misere_theory::control::{Control, Interrupt};
use misere_theory::infinite::extend_by_letters;
use misere_theory::outcome::Outcome;
use misere_theory::ruleset::Code;
use misere_theory::solution::{Evidence, Told};

use super::explain::{Explanation, Judge, outcome_of};
use super::moves::decided;
use super::position::Position;
use super::values::Values;
use super::{Answer, Method};

/// Fuel for words and letters of the heaps of which the evidence does not speak.
const WORDS_FUEL: u64 = 30_000_000;
/// The number of heaps beyond those of the evidence for which words and letters are looked for.
const FURTHEST: u32 = 100;

/// Decides a position by the evidence as it is, if it says enough.
pub(super) fn decide(
    code: &Code,
    position: &Position,
    evidence: &Evidence,
    values: &Values<'_>,
    explained: Option<usize>,
) -> Option<Answer> {
    decide_by(code, position, &Told::new(evidence), values, explained)
}

/// Decides a position by the evidence with further words and letters, if there are such.
pub(super) fn decide_by_more(
    code: &Code,
    position: &Position,
    evidence: &Evidence,
    values: &Values<'_>,
    explained: Option<usize>,
) -> Option<Answer> {
    let control = &mut Control::new(WORDS_FUEL, Interrupt::default());
    let known = values.solution.heaps();
    let to = position.largest().min(known.saturating_add(FURTHEST));
    let silent = |heap: u32| code.is_live(heap) && !Told::new(evidence).speaks_of(heap);
    if !(0..=to).any(silent) {
        return None;
    }
    let extended = extend_by_letters(code, evidence, to, control).ok()?;
    decide_by(code, position, &Told::new(&extended), values, explained)
}

fn decide_by(
    code: &Code,
    position: &Position,
    told: &Told<'_>,
    values: &Values<'_>,
    explained: Option<usize>,
) -> Option<Answer> {
    let known = values.solution.heaps();
    let is_p = |position: &Position| {
        if position.largest() <= known {
            let element = values.of_sum(position.heaps())?;
            return Some(values.solution.quotient.in_p(element));
        }
        let live = position.heaps().filter(|&(heap, _)| code.is_live(heap));
        told.outcome(live).map(|outcome| outcome == Outcome::P)
    };
    let value = |position: &Position| {
        let live = position.heaps().filter(|&(heap, _)| code.is_live(heap));
        match told.letters_of(live) {
            Some(letters) => Some(in_words(&letters)),
            None => values.of_sum(position.heaps()).map(|x| values.word(x)),
        }
    };
    let judge = Judge {
        outcome: &|position| is_p(position).map(outcome_of),
        factor: &value,
        product: &value,
        value: &value,
    };
    let decided = decided(code, position, Method::Evidence, is_p)?;
    Some(Answer {
        explanation: explained.map(|most| Explanation::new(code, position, &judge, most)),
        ..decided
    })
}

/// A sum of letters, each a heap of which the proof counts the copies: `2·3 + 18`.
fn in_words(letters: &[(u32, u128)]) -> String {
    let summands = letters.iter().map(|&(heap, count)| match count {
        1 => heap.to_string(),
        _ => format!("{count}·{heap}"),
    });
    match letters {
        [] => "0".to_owned(),
        _ => summands.collect::<Vec<_>>().join(" + "),
    }
}
