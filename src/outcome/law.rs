//! The outcome of a position of a game whose law is proved.
//!
//! The law decides every position, however large its heaps, and the checker has accepted it.

use misere_theory::outcome::Outcome;
use misere_theory::ruleset::Code;
use misere_theory::solution::ThresholdLaw;

use super::moves::decided;
use super::position::Position;
use super::{Answer, Method};

/// Decides a position by the law of its game. `None` if its numbers are too large for the law.
pub(super) fn decide(code: &Code, position: &Position, law: &ThresholdLaw) -> Option<Answer> {
    let is_p = |position: &Position| {
        let heaps = position.heaps().map(|(heap, copies)| (heap.into(), copies));
        law.outcome(heaps).map(|outcome| outcome == Outcome::P)
    };
    decided(code, position, Method::Law, is_p)
}
