//! The situations of a reader of a position, which are the states of the search for replies.
//!
//! [`super::replies`] explains them.

/// The most situations that are examined.
pub(super) const MAX_SITUATIONS: usize = 300_000;

/// The facts about the heaps below one size on which later outcomes depend.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Situation {
    /// The state of the automaton.
    pub(super) state: u16,
    /// Whether there is a heap with a move.
    pub(super) has_move: bool,
    /// The size, as long as it matters.
    pub(super) size: u16,
    /// The states with one heap more, by small part.
    pub(super) with_part: Vec<u16>,
    /// For each kind of move the states of options whose heap comes after 0, 1, … steps.
    pub(super) pending: Vec<u16>,
    /// The states of options, in ascending order.
    pub(super) options: Vec<u16>,
}

/// The consequence of a number of heaps of the present size, followed by a step.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) heaps: usize,
    /// The next situation. `None` if every position that follows has a reply, or is P.
    pub(super) to: Option<usize>,
    /// Whether positions that end here are open.
    pub(super) is_open: bool,
}
