//! The moves that win.

use misere_theory::bipartite::Element;
use misere_theory::ruleset::{Code, HeapOption};
use serde::Serialize;

use super::position::Position;
use super::{Answer, MAX_OPTIONS, Method, written};

/// The greatest small parts, in beans, where a move leaves two heaps, and three. Where not all
/// moves are listed, a winning one is looked for among those that leave such parts and one large.
const SMALL_PARTS: [u32; 2] = [20_000, 200];

/// A move to a P-position.
#[derive(Debug, Serialize)]
pub struct WinningMove {
    /// The heap moved in.
    pub heap: u32,
    /// The heaps that the move leaves of it.
    pub leaves: Vec<u32>,
    pub(super) position: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) copies: Option<Vec<(u32, u64)>>,
    pub(super) element: Option<Element>,
    pub(super) word: Option<String>,
    /// The position after the move.
    #[serde(skip)]
    pub sum: Position,
}

impl WinningMove {
    /// A move in a heap beside the rest of the position.
    pub fn new(heap: u32, option: HeapOption, rest: &Position) -> Self {
        let sum = rest.with(option);
        let (position, copies) = written(&sum);
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
}

/// The knowledge about the positions after the moves in one heap: whether it is a P-position that
/// an option leaves, or nothing.
pub(super) type AfterMoves<'a> = Box<dyn Fn(HeapOption) -> Option<bool> + 'a>;

/// All moves to P-positions; nothing if there are too many moves, or too little is known of one.
/// `beside` tells, for the heaps beside the one moved in, what is known.
pub(super) fn all_winning<'a>(
    code: &Code,
    position: &Position,
    beside: impl Fn(Position) -> AfterMoves<'a>,
) -> Option<Vec<WinningMove>> {
    let options = position.sizes().map(|heap| code.most_options(heap));
    if options.fold(0, u64::saturating_add) > MAX_OPTIONS {
        return None;
    }
    let mut winning = Vec::new();
    for heap in position.sizes() {
        let rest = position.without(heap);
        let is_p = beside(rest.clone());
        for option in code.options(heap) {
            if is_p(option)? {
                winning.push(WinningMove::new(heap, option, &rest));
            }
        }
    }
    Some(winning)
}

/// A move to a P-position from among those that leave at most one large heap.
pub(super) fn some_winning<'a>(
    code: &Code,
    position: &Position,
    beside: impl Fn(Position) -> AfterMoves<'a>,
) -> Option<WinningMove> {
    let small = SMALL_PARTS[usize::from(code.max_parts() > 2)];
    position.sizes().rev().find_map(|heap| {
        let rest = position.without(heap);
        let is_p = beside(rest.clone());
        let options = code.options_with_small_parts(heap, small);
        // The simplest ones first: those that leave small heaps the smallest.
        let mut options = options.into_iter().rev();
        let winning = options.find(|&option| is_p(option) == Some(true));
        winning.map(|option| WinningMove::new(heap, option, &rest))
    })
}

/// The answer about a position from what is known of positions: whether one is a P-position, or
/// nothing. `None` if nothing is known of this position.
pub(super) fn decided(
    code: &Code,
    position: &Position,
    method: Method,
    is_p: impl Fn(&Position) -> Option<bool> + Copy,
) -> Option<Answer> {
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
        method,
        winning_moves: all,
        winning_move: one,
        ..Answer::undecided(code, position)
    })
}
