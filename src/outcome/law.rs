//! The outcome of a position of a game whose law is proved.
//!
//! The law decides every position, however large its heaps, and the checker has accepted it.

use misere_theory::outcome::Outcome;
use misere_theory::ruleset::Code;
use misere_theory::solution::ThresholdLaw;

use super::moves::{AfterMoves, all_winning, some_winning};
use super::position::Position;
use super::{Answer, Method};

/// Decides a position by the law of its game. `None` if its numbers are too large for the law.
pub(super) fn decide(code: &Code, position: &Position, law: &ThresholdLaw) -> Option<Answer> {
    let is_p = |position: &Position| {
        let heaps = position.heaps().map(|(heap, copies)| (heap.into(), copies));
        law.outcome(heaps).map(|outcome| outcome == Outcome::P)
    };
    let is_p_position = is_p(position)?;
    let beside =
        |rest: Position| -> AfterMoves<'_> { Box::new(move |option| is_p(&rest.with(option))) };
    let all = match is_p_position {
        true => Some(Vec::new()),
        false => all_winning(code, position, beside),
    };
    let one = match &all {
        Some(_) => None,
        None => some_winning(code, position, beside),
    };
    Some(Answer {
        outcome: if is_p_position { 'P' } else { 'N' },
        method: Method::Law,
        winning_moves: all,
        winning_move: one,
        ..Answer::undecided(code, position)
    })
}
