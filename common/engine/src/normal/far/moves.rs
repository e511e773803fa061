//! The moves of a game whose nim-values are computed far, which leave at most two heaps.
//!
//! The nim-values of two equal heaps add up to 0. So a constraint on two heaps concerns only the
//! number 0: if all pairs of heaps are allowed, or only unequal ones, every other number is met by
//! the same pairs. So the numbers met by a rare and a common heap are the same with the constraint
//! `!` and without it, and 0 is checked separately for every heap. Moves that leave only equal
//! heaps are not splits here: they meet only 0.

use misere_game::ruleset::{Code, Constraint};

/// The pairs of heaps that a move may leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Pairs {
    #[default]
    None,
    All,
    Unequal,
    Equal,
}

/// The heaps that a move may leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Leaves {
    nothing: bool,
    one: bool,
    two: Pairs,
}

/// The moves of a game, by the beans that they take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Moves {
    by_taken: Vec<Leaves>,
    /// The beans taken by the moves that leave one heap, ascending.
    ones: Vec<usize>,
    /// The beans taken by the moves that leave two heaps, with some pair unequal.
    splits: Vec<usize>,
    /// Whether some pairs of heaps are not allowed.
    has_constraint: bool,
}

impl Moves {
    /// Returns the moves of a code, if it is suitable.
    ///
    /// Either it has an end and its moves leave at most two heaps, or it is Grundy's game.
    pub(super) fn of(code: &Code) -> Option<Self> {
        let by_taken: Vec<Leaves> = if let Some(general) = code.general() {
            if general.block_length().is_some() || code.max_parts() > 2 {
                return None;
            }
            let digits = (0..=general.last_before_block()).map(|taken| general.digit(taken));
            let leaves = digits.map(|digit| Leaves {
                nothing: digit.constraint(0).is_some(),
                one: digit.constraint(1).is_some(),
                two: match digit.constraint(2) {
                    None => Pairs::None,
                    Some(Constraint::None) => Pairs::All,
                    Some(Constraint::Unequal | Constraint::NotAllEqual) => Pairs::Unequal,
                    Some(Constraint::Equal) => Pairs::Equal,
                },
            });
            leaves.collect()
        } else if *code == Code::grundy() {
            let two = Pairs::Unequal;
            vec![Leaves {
                two,
                ..Leaves::default()
            }]
        } else if code.is_take_and_break() && code.max_parts() <= 2 {
            let digits = (0..=code.length()).map(|taken| code.digit(taken));
            let leaves = digits.map(|digit| Leaves {
                nothing: digit & 1 != 0,
                one: digit & 2 != 0,
                two: match digit & 4 {
                    0 => Pairs::None,
                    _ => Pairs::All,
                },
            });
            leaves.collect()
        } else {
            return None;
        };
        let taken = (0..).zip(&by_taken);
        let ones = taken.clone().skip(1).filter(|(_, leaves)| leaves.one);
        let splits = taken.filter(|(_, leaves)| matches!(leaves.two, Pairs::All | Pairs::Unequal));
        let is_constrained = |leaves: &Leaves| matches!(leaves.two, Pairs::Unequal | Pairs::Equal);
        Some(Self {
            ones: ones.map(|(taken, _)| taken).collect(),
            splits: splits.map(|(taken, _)| taken).collect(),
            has_constraint: by_taken.iter().any(is_constrained),
            by_taken,
        })
    }

    /// Returns the greatest number of beans that a move takes.
    pub(super) fn most_taken(&self) -> usize {
        self.by_taken.len() - 1
    }

    /// Returns the beans taken by moves that leave two heaps, with some pair unequal, ascending.
    pub(super) fn splits(&self) -> &[usize] {
        &self.splits
    }

    /// Reports whether the beans taken by the splits are all odd or all even.
    pub(super) fn splits_have_one_parity(&self) -> bool {
        self.splits
            .iter()
            .all(|taken| taken % 2 == self.splits[0] % 2)
    }

    /// Reports whether some pairs of heaps are not allowed.
    pub(super) fn has_constraint(&self) -> bool {
        self.has_constraint
    }

    /// Returns the heaps that moves from a heap leave as the only one; `None` means no heap.
    pub(super) fn single(&self, heap: usize) -> impl Iterator<Item = Option<usize>> + '_ {
        let all = self.by_taken.get(heap);
        let nothing = all.is_some_and(|leaves| heap > 0 && leaves.nothing);
        let ones = self.ones.iter().filter(move |&&taken| taken < heap);
        let ones = ones.map(move |taken| Some(heap - taken));
        nothing.then_some(None).into_iter().chain(ones)
    }

    /// Reports whether 0 is the value of an option of a heap, and the number of pairs examined.
    pub(super) fn meet_zero<V: Copy + PartialEq>(
        &self,
        heap: usize,
        values: &[V],
        is_zero: impl Fn(V) -> bool,
    ) -> (bool, u64) {
        let mut looked_at = 0;
        let mut single = self.single(heap);
        if single.any(|rest| rest.is_none_or(|rest| is_zero(values[rest]))) {
            return (true, looked_at);
        }
        for (taken, leaves) in self.by_taken.iter().enumerate() {
            let Some(total @ 2..) = heap.checked_sub(taken) else {
                break;
            };
            let has_equal = total.is_multiple_of(2);
            let equal_do = matches!(leaves.two, Pairs::All | Pairs::Equal);
            if has_equal && equal_do {
                return (true, looked_at);
            }
            if matches!(leaves.two, Pairs::All | Pairs::Unequal) {
                let mut pairs = 1..total.div_ceil(2);
                let found = pairs.any(|one| {
                    looked_at += 1;
                    values[one] == values[total - one]
                });
                if found {
                    return (true, looked_at);
                }
            }
        }
        (false, looked_at)
    }
}
