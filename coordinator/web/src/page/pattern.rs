//! The pattern that the partial quotients of a growing game follow.

use misere_game::solution::Solution;

/// The pattern of the heaps of one residue of the period.
pub(super) struct PatternLine {
    /// The heaps, as `11 + 4t`.
    pub(super) heaps: String,
    /// The order of the partial quotient, as a polynomial in t.
    pub(super) order: String,
    /// The size of its P-portion.
    pub(super) p_size: String,
    /// The value of the heap.
    pub(super) value: String,
}

/// Returns the pattern of a game that grows, as far as it was seen; empty for any other game.
pub(super) fn pattern(solution: &Solution) -> Vec<PatternLine> {
    let Some(growth) = &solution.growth else {
        return Vec::new();
    };
    let sizes = growth.orders.iter().zip(&growth.p_sizes);
    let lines = (0_u32..).zip(sizes.zip(&growth.words));
    let lines = lines.map(|(residue, ((order, p_size), word))| PatternLine {
        heaps: format!("{} + {}t", growth.start + residue, growth.period),
        order: order.to_string(),
        p_size: p_size.to_string(),
        value: word.written(&solution.generator_heaps),
    });
    lines.collect()
}
