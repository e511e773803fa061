//! The moves of a position: those that win, and any move in words.

use misere_game::bipartite::Element;
use misere_game::control::{Control, Stop};
use misere_game::outcome::Outcome;
use misere_game::position::Position;
use misere_game::ruleset::{Code, HeapOption};
use serde::Serialize;

use crate::decider::Decider;
use crate::ground::Ground;

/// The most heaps of a position that a document lists one by one.
const MAX_LISTED: u64 = 1_000;

/// The most options of a position whose moves are listed. A position with more is decided, but its
/// moves are not enumerated.
pub const MAX_OPTIONS: u64 = 5_000_000;

/// The greatest small parts, in beans, where a move leaves two heaps, and three. Where not all
/// moves are listed, a winning one is looked for among those that leave such parts and one large.
const MAX_SMALL_PARTS: [u32; 2] = [20_000, 200];

/// Ticks for each option that is listed.
const OPTION_TICKS: u64 = 200;

/// Sizes of heaps, ascending, with the number of each.
pub(crate) type Copies = Vec<(u32, u64)>;

/// A move to a P-position.
#[derive(Clone, Debug, Serialize)]
pub struct WinningMove {
    /// The heap moved in.
    pub heap: u32,
    /// The heaps that the move leaves of it.
    pub leaves: Vec<u32>,
    position: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    copies: Option<Copies>,
    /// The element of the position after the move, if it is known.
    pub element: Option<Element>,
    /// The word of this element.
    pub word: Option<String>,
    /// The position after the move.
    #[serde(skip)]
    pub sum: Position,
}

impl WinningMove {
    /// Returns the move that leaves `option` of a heap beside the rest of the position.
    #[must_use]
    pub fn new(heap: u32, option: HeapOption, rest: &Position) -> Self {
        let sum = rest.with(option);
        let (position, copies) = listed(&sum);
        Self {
            heap,
            leaves: option.parts().collect(),
            position,
            copies,
            element: None,
            word: None,
            sum,
        }
    }

    /// Returns the move in words: "take 2 from the heap of 7, leaving 5".
    #[must_use]
    pub fn in_words(&self, code: &Code) -> String {
        move_in_words(code, self.heap, &self.leaves)
    }

    fn with_element(self, element: Option<Element>, decider: &Decider<'_>) -> Self {
        Self {
            element,
            word: element.map(|x| decider.word(x)),
            ..self
        }
    }
}

/// The winning moves of a position.
#[derive(Clone, Debug)]
pub enum WinningMoves {
    /// All of them.
    All(Vec<WinningMove>),
    /// One of them, or none that was found: there are too many moves to list, or some lead to
    /// positions that are not decided.
    One(Option<WinningMove>),
}

impl Decider<'_> {
    /// Returns the winning moves of a position with this outcome.
    ///
    /// # Errors
    /// [`Stop`] if `control` is interrupted or has nothing left.
    pub fn winning_moves(
        &mut self,
        position: &Position,
        outcome: Outcome,
        ground: Ground,
        control: &mut Control,
    ) -> Result<WinningMoves, Stop> {
        // No move from a P-position wins.
        if outcome == Outcome::P {
            return Ok(WinningMoves::All(Vec::new()));
        }
        let kernel = match ground {
            Ground::NormalPlay => self.kernel(),
            _ => None,
        };
        let named = |decider: &Self, found: WinningMove| {
            let element = match ground {
                Ground::Quotient => decider.element(&found.sum),
                Ground::NormalPlay => {
                    let in_kernel = |kernel| decider.kernel_element(kernel, &found.sum);
                    kernel.as_ref().and_then(in_kernel)
                }
                _ => None,
            };
            found.with_element(element, decider)
        };
        Ok(match self.all_winning_moves(position, control)? {
            Some(all) => {
                WinningMoves::All(all.into_iter().map(|found| named(self, found)).collect())
            }
            None => {
                let one = self.some_winning_move(position, control)?;
                WinningMoves::One(one.map(|found| named(self, found)))
            }
        })
    }

    /// Returns all winning moves; `None` if there are too many moves to list, or one leads to a
    /// position that is not decided.
    fn all_winning_moves(
        &mut self,
        position: &Position,
        control: &mut Control,
    ) -> Result<Option<Vec<WinningMove>>, Stop> {
        let code = self.code();
        if most_options(code, position) > MAX_OPTIONS {
            return Ok(None);
        }
        let mut winning = Vec::new();
        for heap in position.sizes() {
            control.spend(code.most_options(heap).saturating_mul(OPTION_TICKS))?;
            let rest = position.without(heap);
            let element = self.element(&rest);
            for option in code.options(heap) {
                control.spend(OPTION_TICKS)?;
                match self.decide_after((&rest, element), option, control)? {
                    None => return Ok(None),
                    Some(after) if after.outcome == Outcome::P => {
                        winning.push(WinningMove::new(heap, option, &rest));
                    }
                    Some(_) => {}
                }
            }
        }
        Ok(Some(winning))
    }

    /// Returns a winning move from among those that leave at most one large heap.
    fn some_winning_move(
        &mut self,
        position: &Position,
        control: &mut Control,
    ) -> Result<Option<WinningMove>, Stop> {
        let code = self.code();
        let small = MAX_SMALL_PARTS[usize::from(code.max_parts() > 2)];
        for heap in position.sizes().rev() {
            let rest = position.without(heap);
            let element = self.element(&rest);
            // The simplest ones first: those that leave small heaps the smallest.
            for option in code.options_with_small_parts(heap, small).into_iter().rev() {
                control.spend(OPTION_TICKS)?;
                let decision = self.decide_after((&rest, element), option, control)?;
                if decision.is_some_and(|decision| decision.outcome == Outcome::P) {
                    return Ok(Some(WinningMove::new(heap, option, &rest)));
                }
            }
        }
        Ok(None)
    }
}

/// Returns the heaps of a position as documents have them: one by one, or, where there are too many,
/// each size with the number of copies.
pub(crate) fn listed(position: &Position) -> (Option<Vec<u32>>, Option<Copies>) {
    match position.one_by_one(MAX_LISTED) {
        Some(heaps) => (Some(heaps), None),
        None => (None, Some(position.heaps().collect())),
    }
}

/// Returns a bound of the number of moves of a position.
#[must_use]
pub fn most_options(code: &Code, position: &Position) -> u64 {
    let options = position.sizes().map(|heap| code.most_options(heap));
    options.fold(0, u64::saturating_add)
}

/// Returns the name of a heap: its size, or of a finite game the follower.
#[must_use]
pub fn heap_name(code: &Code, heap: u32) -> String {
    match code.finite_game() {
        Some(game) => game.follower(heap).to_string(),
        None => heap.to_string(),
    }
}

/// Returns a move in words: the heap, and the heaps that it leaves.
///
/// ```
/// use misere_answers::moves::move_in_words;
/// let kayles = "0.77".parse()?;
/// assert_eq!(move_in_words(&kayles, 7, &[5]), "take 2 from the heap of 7, leaving 5");
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn move_in_words(code: &Code, heap: u32, leaves: &[u32]) -> String {
    let of = heap_name(code, heap);
    let names: Vec<String> = leaves.iter().map(|&part| heap_name(code, part)).collect();
    let left = names.join(" + ");
    if code.finite_game().is_some() {
        let to = if leaves.is_empty() { "0" } else { &left };
        return format!("move from {of} to {to}");
    }
    // The heaps of a list are named by numbers, which count no beans.
    if code.heap_list().is_some() {
        return match leaves.len() {
            0 => format!("take the whole heap {of}"),
            1 => format!("change heap {of} to heap {left}"),
            _ => format!("change heap {of} to heaps {left}"),
        };
    }
    let beans: u64 = leaves.iter().copied().map(u64::from).sum();
    match (u64::from(heap).checked_sub(beans), leaves.len()) {
        (_, 0) => format!("take the whole heap of {of}"),
        (None, _) => format!("change the heap of {of} to {left}"),
        (Some(0), _) => format!("split the heap of {of} into {left}"),
        (Some(taken), 1) => format!("take {taken} from the heap of {of}, leaving {left}"),
        (Some(taken), _) => format!("take {taken} from the heap of {of}, splitting it into {left}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_in_words() {
        for (code, heap, leaves, words) in [
            ("0.77", 3, vec![], "take the whole heap of 3"),
            ("0.77", 8, vec![5], "take 3 from the heap of 8, leaving 5"),
            (
                "0.77",
                4,
                vec![2, 1],
                "take 1 from the heap of 4, splitting it into 2 + 1",
            ),
            ("0.77", 4, vec![2, 2], "split the heap of 4 into 2 + 2"),
            ("0.77", 2, vec![2, 2], "change the heap of 2 to 2 + 2"),
            ("heaps(0;1;2,1+1;0,1)", 1, vec![], "take the whole heap 1"),
            (
                "heaps(0;1;2,1+1;0,1)",
                4,
                vec![1],
                "change heap 4 to heap 1",
            ),
            (
                "heaps(0;1;2,1+1;0,1)",
                3,
                vec![1, 1],
                "change heap 3 to heaps 1 + 1",
            ),
            ("{*2,0}", 3, vec![2], "move from {*2,0} to *2"),
            ("{*2,0}", 1, vec![], "move from * to 0"),
        ] {
            assert_eq!(move_in_words(&code.parse().unwrap(), heap, &leaves), words);
        }
    }
}
