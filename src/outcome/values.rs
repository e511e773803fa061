//! The decision of a position by the quotient.

use misere_theory::bipartite::Element;
use misere_theory::monoid::word::{Word, lex_least_words};
use misere_theory::ruleset::Code;
use misere_theory::solution::{Solution, Verdict};

use super::explain::{Explanation, Judge, outcome_of};
use super::moves::{AfterMoves, WinningMove, all_winning, some_winning};
use super::position::Position;
use super::{Answer, Method};

/// The pretending function of a solution, as far as it is known: to the heaps listed, or everywhere
/// if it is periodic.
pub(super) struct Values<'a> {
    pub(super) solution: &'a Solution,
    words: Vec<Word>,
}

impl<'a> Values<'a> {
    pub(super) fn new(solution: &'a Solution) -> Self {
        Self {
            solution,
            words: lex_least_words(&solution.quotient),
        }
    }

    pub(super) fn of_heap(&self, heap: u32) -> Option<Element> {
        let known = self.solution.heaps();
        let heap = match self.solution.verdict {
            Verdict::Solved { period, .. } if heap > known => {
                // The checker has seen that a full period from the preperiod on is listed, so this
                // stays periodic.
                heap - (heap - known).div_ceil(period) * period
            }
            _ => heap,
        };
        self.solution.phi.get(heap as usize).copied()
    }

    /// The value of a sum of heaps, given with how many there are of each.
    pub(super) fn of_sum(&self, heaps: impl IntoIterator<Item = (u32, u64)>) -> Option<Element> {
        heaps.into_iter().try_fold(0, |sum, (heap, copies)| {
            let value = self.of_heap(heap)?;
            Some(self.times(sum, self.power(value, copies)))
        })
    }

    pub(super) fn times(&self, x: Element, y: Element) -> Element {
        let quotient = &self.solution.quotient;
        let word = &self.words[y as usize].0;
        word.iter().enumerate().fold(x, |x, (g, &count)| {
            (0..count).fold(x, |x, _| quotient.act(x, g))
        })
    }

    /// A power, by repeated squaring.
    fn power(&self, x: Element, mut exponent: u64) -> Element {
        let (mut power, mut square) = (0, x);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = self.times(power, square);
            }
            exponent >>= 1;
            if exponent > 0 {
                square = self.times(square, square);
            }
        }
        power
    }

    pub(super) fn word(&self, x: Element) -> String {
        self.words[x as usize].to_string()
    }

    /// A winning move with the element of the position after it.
    pub(super) fn named(&self, found: WinningMove, element: Option<Element>) -> WinningMove {
        WinningMove {
            element,
            word: element.map(|x| self.word(x)),
            ..found
        }
    }
}

/// Decides a position whose largest heap has a known value.
pub(super) fn decide(
    code: &Code,
    position: &Position,
    values: &Values<'_>,
    explained: Option<usize>,
) -> Answer {
    // The largest heap is known, so every smaller heap is.
    let element = values.of_sum(position.heaps()).unwrap_or(0);
    let quotient = &values.solution.quotient;
    let is_p = quotient.in_p(element);
    let beside = |rest: Position| -> AfterMoves<'_> {
        let rest = values.of_sum(rest.heaps());
        Box::new(move |option| {
            let after = option.parts().try_fold(rest?, |sum, part| {
                values.of_heap(part).map(|value| values.times(sum, value))
            });
            Some(quotient.in_p(after?))
        })
    };
    // No move from a P-position wins.
    let all = match is_p {
        true => Some(Vec::new()),
        false => all_winning(code, position, beside),
    };
    let one = match &all {
        Some(_) => None,
        None => some_winning(code, position, beside),
    };
    let named = |found: WinningMove| {
        let element = values.of_sum(found.sum.heaps());
        values.named(found, element)
    };
    let in_p = |position: &Position| {
        let element = values.of_sum(position.heaps())?;
        Some(outcome_of(quotient.in_p(element)))
    };
    let word = |position: &Position| values.of_sum(position.heaps()).map(|x| values.word(x));
    let judge = Judge {
        outcome: &in_p,
        factor: &word,
        product: &word,
        value: &word,
    };
    let explain =
        |most| Explanation::new(code, position, &judge, most).with_p_portion(quotient, values);
    Answer {
        explanation: explained.map(explain),
        outcome: if is_p { 'P' } else { 'N' },
        method: Method::Quotient,
        order: Some(quotient.order()),
        element: Some(element),
        word: Some(values.word(element)),
        winning_moves: all.map(|moves| moves.into_iter().map(named).collect()),
        winning_move: one.map(named),
        ..Answer::undecided(code, position)
    }
}
