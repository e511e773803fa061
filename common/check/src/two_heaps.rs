//! The moves of a game that leave at most two heaps, read from its digits.
//!
//! The solver obtains them elsewhere (`normal/far/moves.rs`).

use misere_game::ruleset::{Code, Constraint};

/// A move that leaves two heaps, not only equal ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Split {
    /// The beans that it takes.
    pub(super) taken: usize,
    /// Whether the heaps may be equal.
    pub(super) equal_too: bool,
}

/// The heaps that may be left by the moves that take one number of beans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaves {
    /// Whether a move may leave no heap.
    pub(super) nothing: bool,
    /// Whether a move may leave one heap.
    pub(super) one: bool,
    /// The moves that leave two heaps.
    pub(super) split: Option<Split>,
    /// Whether a move may leave two equal heaps and no other two.
    pub(super) equal: bool,
}

/// Returns the moves of a game by the beans that they take, from 0 on.
///
/// Returns `None` if the code has no end, if a move leaves more than two heaps, or if the game is
/// given in another way.
pub(super) fn leaves(code: &Code) -> Option<Vec<Leaves>> {
    if *code == Code::grundy() {
        let taken = 0;
        let equal_too = false;
        return Some(vec![Leaves {
            nothing: false,
            one: false,
            split: Some(Split { taken, equal_too }),
            equal: false,
        }]);
    }
    if let Some(digits) = code.general() {
        let last = match digits.block_length() {
            None => digits.last_before_block(),
            Some(_) => return None,
        };
        return (0..=last)
            .map(|taken| {
                let digit = digits.digit(taken);
                let more = digit.allowed().any(|(heaps, _)| heaps > 2);
                let two = digit.constraint(2);
                let split = |equal_too| {
                    let taken = taken as usize;
                    Split { taken, equal_too }
                };
                (!more).then_some(Leaves {
                    nothing: digit.constraint(0).is_some(),
                    one: digit.constraint(1).is_some(),
                    split: match two {
                        Some(Constraint::None) => Some(split(true)),
                        // For two heaps both constraints mean that they differ.
                        Some(Constraint::Unequal | Constraint::NotAllEqual) => Some(split(false)),
                        Some(Constraint::Equal) | None => None,
                    },
                    equal: two == Some(Constraint::Equal),
                })
            })
            .collect();
    }
    if !code.is_take_and_break() {
        return None;
    }
    (0..=code.length())
        .map(|taken| {
            let digit = code.digit(taken);
            let equal_too = true;
            (digit < 8).then_some(Leaves {
                nothing: digit & 1 == 1,
                one: digit >> 1 & 1 == 1,
                split: (digit >> 2 & 1 == 1).then_some(Split { taken, equal_too }),
                equal: false,
            })
        })
        .collect()
}
