//! The outcome of a position of a game whose law is proved.
//!
//! The law decides every position, however large its heaps, and the checker has accepted it.

use misere_theory::outcome::Outcome;
use misere_theory::ruleset::Code;
use misere_theory::solution::ThresholdLaw;

use super::explain::{Explanation, Judge, outcome_of};
use super::moves::decided;
use super::position::Position;
use super::{Answer, Method};

/// Decides a position by the law of its game. `None` if its numbers are too large for the law.
pub(super) fn decide(
    code: &Code,
    position: &Position,
    law: &ThresholdLaw,
    explained: Option<usize>,
) -> Option<Answer> {
    let is_p = |position: &Position| {
        let heaps = position.heaps().map(|(heap, copies)| (heap.into(), copies));
        law.outcome(heaps).map(|outcome| outcome == Outcome::P)
    };
    let sum = |position: &Position| in_words(law, position);
    let alone = |position: &Position| {
        let (heap, _) = position.heaps().next()?;
        match law.heap(heap.into()) {
            Some((_, _, threshold)) => Some(format!("{}, threshold {threshold}", sum(position)?)),
            None => sum(position),
        }
    };
    let judge = Judge {
        outcome: &|position| is_p(position).map(outcome_of),
        factor: &alone,
        product: &sum,
        value: &sum,
    };
    let decided = decided(code, position, Method::Law, is_p)?;
    Some(Answer {
        explanation: explained.map(|most| Explanation::new(code, position, &judge, most)),
        ..decided
    })
}

/// The unit and the weight of a sum.
fn in_words(law: &ThresholdLaw, position: &Position) -> Option<String> {
    let (mut unit, mut total) = (0, 0_u128);
    for (heap, copies) in position.heaps().filter(|&(heap, _)| heap > 0) {
        let (of_one, weight, _) = law.heap(heap.into())?;
        unit ^= if copies % 2 == 1 { of_one } else { 0 };
        total = total.checked_add(weight.checked_mul(copies.into())?)?;
    }
    Some(format!("unit {unit}, weight {total}"))
}
