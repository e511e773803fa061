//! The explanation of an outcome: the values of the heaps, their product step by step, and every
//! move with the value that it reaches.
//!
//! Each way of deciding positions has values of its own: elements of a quotient, nim-values, sums
//! of letters, units with weights. A [`Judge`] names them, and the explanation is made alike from
//! all of them.

use misere_theory::bipartite::BipartiteMonoid;
use misere_theory::outcome::Outcome;
use misere_theory::ruleset::Code;
use serde::Serialize;

use super::moves::WinningMove;
use super::position::Position;
use super::values::Values;
use super::{MAX_OPTIONS, written};

/// The most elements of the P-portion that are listed.
const MAX_P_PORTION: usize = 40;

/// One way of deciding positions.
pub(super) struct Judge<'a> {
    /// The outcome of a position, as far as it is known.
    pub(super) outcome: &'a dyn Fn(&Position) -> Option<Outcome>,
    /// The value of equal heaps, a factor of the product.
    pub(super) factor: &'a dyn Fn(&Position) -> Option<String>,
    /// The product of the heaps so far.
    pub(super) product: &'a dyn Fn(&Position) -> Option<String>,
    /// The value of a whole position.
    pub(super) value: &'a dyn Fn(&Position) -> Option<String>,
}

/// Why a position has its outcome.
#[derive(Debug, Serialize)]
pub(super) struct Explanation {
    /// The elements of the P-portion, where they are few.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) p_portion: Option<Vec<String>>,
    pub(super) factors: Vec<Factor>,
    /// The number of moves that leave a P-position, an N-position, and a position that is not
    /// decided. Nothing where there are too many moves to look at.
    pub(super) moves: Option<Counts>,
    /// The moves, those to P-positions first, up to the number asked for.
    pub(super) options: Vec<Reached>,
}

/// The heaps of one size, as a factor of the product.
#[derive(Debug, Serialize)]
pub(super) struct Factor {
    pub(super) heap: u32,
    pub(super) copies: u64,
    /// The value of one of the heaps.
    pub(super) value: Option<String>,
    /// The value of all of them.
    pub(super) of_copies: Option<String>,
    /// The product of all factors so far.
    pub(super) product: Option<String>,
}

/// The numbers of moves that leave positions of each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Counts {
    pub(super) to_p: u64,
    pub(super) to_n: u64,
    pub(super) undecided: u64,
}

impl Counts {
    pub(super) fn all(self) -> u64 {
        self.to_p + self.to_n + self.undecided
    }
}

/// A move, and what is known of the position after it.
#[derive(Debug, Serialize)]
pub(super) struct Reached {
    /// `N` or `P`.
    pub(super) outcome: Option<char>,
    pub(super) value: Option<String>,
    pub(super) heap: u32,
    pub(super) leaves: Vec<u32>,
    position: Option<Vec<u32>>,
    /// The move, for the text.
    #[serde(skip)]
    pub(super) made: WinningMove,
}

impl Explanation {
    /// The explanation of a position with at most `most` moves listed.
    pub(super) fn new(code: &Code, position: &Position, judge: &Judge<'_>, most: usize) -> Self {
        let (moves, options) = moves(code, position, judge, most);
        Self {
            p_portion: None,
            factors: factors(position, judge),
            moves,
            options,
        }
    }

    /// The explanation with the elements of the P-portion of the quotient that decides.
    pub(super) fn with_p_portion(self, quotient: &BipartiteMonoid, values: &Values<'_>) -> Self {
        let p_portion: Vec<_> = (0..)
            .take(quotient.order())
            .filter(|&x| quotient.in_p(x))
            .take(MAX_P_PORTION + 1)
            .map(|x| values.word(x))
            .collect();
        Self {
            p_portion: Some(p_portion).filter(|it| it.len() <= MAX_P_PORTION),
            ..self
        }
    }
}

fn factors(position: &Position, judge: &Judge<'_>) -> Vec<Factor> {
    let mut so_far = Position::default();
    let heaps = position.heaps();
    let factors = heaps.map(|(heap, copies)| {
        so_far = so_far.with_copies(heap, copies);
        let alone = Position::default();
        Factor {
            heap,
            copies,
            value: (judge.factor)(&alone.with_copies(heap, 1)),
            of_copies: (judge.factor)(&alone.with_copies(heap, copies)),
            product: (judge.product)(&so_far),
        }
    });
    factors.collect()
}

/// The moves by the outcomes of the positions that they leave, and the first of them.
fn moves(
    code: &Code,
    position: &Position,
    judge: &Judge<'_>,
    most: usize,
) -> (Option<Counts>, Vec<Reached>) {
    let options = position.sizes().map(|heap| code.most_options(heap));
    if options.fold(0, u64::saturating_add) > MAX_OPTIONS {
        return (None, Vec::new());
    }
    let mut counts = Counts::default();
    let (mut to_p, mut others) = (Vec::new(), Vec::new());
    for heap in position.sizes() {
        let rest = position.without(heap);
        for option in code.options(heap) {
            let after = rest.with(option);
            let outcome = (judge.outcome)(&after);
            let (count, listed) = match outcome {
                Some(Outcome::P) => (&mut counts.to_p, &mut to_p),
                Some(Outcome::N) => (&mut counts.to_n, &mut others),
                None => (&mut counts.undecided, &mut others),
            };
            *count += 1;
            if listed.len() < most {
                listed.push(Reached {
                    outcome: outcome.map(letter),
                    value: (judge.value)(&after),
                    heap,
                    leaves: option.parts().collect(),
                    position: written(&after).0,
                    made: WinningMove::new(heap, option, &rest),
                });
            }
        }
    }
    to_p.append(&mut others);
    to_p.truncate(most);
    (Some(counts), to_p)
}

fn letter(outcome: Outcome) -> char {
    match outcome {
        Outcome::N => 'N',
        Outcome::P => 'P',
    }
}

/// The outcome, where it is known whether the position is a P-position.
pub(super) fn outcome_of(is_p: bool) -> Outcome {
    match is_p {
        true => Outcome::P,
        false => Outcome::N,
    }
}
