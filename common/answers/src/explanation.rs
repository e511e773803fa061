//! The explanation of an outcome: the values of the heaps, their product step by step, and every
//! move with the value that it reaches.
//!
//! Each ground has values of its own: elements of a quotient, nim-values, sums of letters, units
//! with weights, states. The explanation is made alike from all of them.

use misere_game::control::{Control, Stop};
use misere_game::outcome::Outcome;
use misere_game::position::Position;
use serde::Serialize;

use crate::decider::Decider;
use crate::ground::Ground;
use crate::moves::{MAX_OPTIONS, WinningMove, listed, most_options};

/// The most elements of the P-portion that are listed.
const MAX_P_PORTION: usize = 40;

/// Why a position has its outcome.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// The elements of the P-portion of the quotient that decides, where they are few.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_portion: Option<Vec<String>>,
    /// The heaps with their values.
    pub factors: Vec<Factor>,
    /// The number of moves that leave a P-position, an N-position, and a position that is not
    /// decided. `None` where there are too many moves to look at.
    pub moves: Option<Counts>,
    /// The moves, those to P-positions first, up to the number asked for.
    pub options: Vec<Reached>,
}

/// The heaps of one size, as a factor of the product.
#[derive(Clone, Debug, Serialize)]
pub struct Factor {
    /// The size.
    pub heap: u32,
    /// The number of heaps of this size.
    pub copies: u64,
    /// The value of one of the heaps.
    pub value: Option<String>,
    /// The value of all of them.
    pub of_copies: Option<String>,
    /// The product of all factors so far.
    pub product: Option<String>,
}

/// The numbers of moves that leave positions of each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Moves to P-positions.
    pub to_p: u64,
    /// Moves to N-positions.
    pub to_n: u64,
    /// Moves to positions that are not decided.
    pub undecided: u64,
}

impl Counts {
    /// Returns the number of all moves.
    #[must_use]
    pub fn all(self) -> u64 {
        self.to_p + self.to_n + self.undecided
    }
}

/// A move, and what is known of the position after it.
#[derive(Clone, Debug, Serialize)]
pub struct Reached {
    /// `N` or `P`.
    pub outcome: Option<char>,
    /// The value of the position after the move.
    pub value: Option<String>,
    /// The heap moved in.
    pub heap: u32,
    /// The heaps that the move leaves of it.
    pub leaves: Vec<u32>,
    position: Option<Vec<u32>>,
    /// The move, for the text.
    #[serde(skip)]
    pub made: WinningMove,
}

impl Decider<'_> {
    /// Explains the outcome of a position that `ground` decides, with at most `limit` moves listed.
    ///
    /// # Errors
    /// [`Stop`] if `control` is interrupted or has nothing left.
    pub fn explain(
        &mut self,
        position: &Position,
        ground: Ground,
        limit: usize,
        control: &mut Control,
    ) -> Result<Explanation, Stop> {
        let (moves, options) = self.reached(position, ground, limit, control)?;
        Ok(Explanation {
            p_portion: match ground {
                Ground::Quotient => self.p_portion(),
                _ => None,
            },
            factors: self.factors(position, ground),
            moves,
            options,
        })
    }

    /// Returns the words of the P-portion, unless they are too many.
    fn p_portion(&self) -> Option<Vec<String>> {
        let quotient = self.quotient();
        let elements = (0..).take(quotient.order()).filter(|&x| quotient.in_p(x));
        let words: Vec<_> = elements
            .take(MAX_P_PORTION + 1)
            .map(|x| self.word(x))
            .collect();
        Some(words).filter(|words| words.len() <= MAX_P_PORTION)
    }

    fn factors(&self, position: &Position, ground: Ground) -> Vec<Factor> {
        let mut so_far = Position::default();
        let factors = position.heaps().map(|(heap, copies)| {
            so_far = so_far.with_copies(heap, copies);
            Factor {
                heap,
                copies,
                value: self.factor(ground, heap, 1),
                of_copies: self.factor(ground, heap, copies),
                product: self.product(ground, &so_far),
            }
        });
        factors.collect()
    }

    /// Returns the moves by the outcomes of the positions that they leave, and the first of them.
    fn reached(
        &mut self,
        position: &Position,
        ground: Ground,
        limit: usize,
        control: &mut Control,
    ) -> Result<(Option<Counts>, Vec<Reached>), Stop> {
        let code = self.code();
        if most_options(code, position) > MAX_OPTIONS {
            return Ok((None, Vec::new()));
        }
        let mut counts = Counts::default();
        let (mut to_p, mut others) = (Vec::new(), Vec::new());
        for heap in position.sizes() {
            let rest = position.without(heap);
            let element = self.element(&rest);
            for option in code.options(heap) {
                control.spend(1_000)?;
                let decision = self.decide_after((&rest, element), option, control)?;
                let outcome = decision.map(|decision| decision.outcome);
                let (count, list) = match outcome {
                    Some(Outcome::P) => (&mut counts.to_p, &mut to_p),
                    Some(Outcome::N) => (&mut counts.to_n, &mut others),
                    None => (&mut counts.undecided, &mut others),
                };
                *count += 1;
                if list.len() < limit {
                    let after = rest.with(option);
                    list.push(Reached {
                        outcome: outcome.map(letter),
                        value: self.value(ground, &after),
                        heap,
                        leaves: option.parts().collect(),
                        position: listed(&after).0,
                        made: WinningMove::new(heap, option, &rest),
                    });
                }
            }
        }
        to_p.append(&mut others);
        to_p.truncate(limit);
        Ok((Some(counts), to_p))
    }
}

/// Returns the letter of an outcome.
pub(crate) fn letter(outcome: Outcome) -> char {
    match outcome {
        Outcome::N => 'N',
        Outcome::P => 'P',
    }
}
