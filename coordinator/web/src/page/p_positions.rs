//! The picture of the P-positions of an infinite quotient, for the page of its game.

use misere_game::outcome::Outcome;
use misere_game::ruleset::Code;
use misere_game::solution::{DiagramFamily, Evidence};
use misere_pictures::{COUNTS, PositionGrid, p_position_grids};

/// The greatest number of sums of letters whose grids are compared.
const MAX_SUMS: usize = 2_000;
/// The greatest number of different grids that are compared.
const MAX_GRIDS_COMPARED: usize = 400;
/// The side of the square, far from the axes, in which the repetition of a grid is tested.
const FAR: std::ops::Range<usize> = 14..22;
/// A multiple of the periods that occur along the axes.
const STEP: usize = 6;

/// Returns the heaps whose numbers the evidence of an infinite quotient reads exactly.
///
/// Returns them only if the evidence decides every position that it reads.
pub(super) fn digits(evidence: &Evidence) -> Option<Vec<u32>> {
    let diagram = evidence.as_diagram();
    let is_told = diagram.states.iter().all(|state| state.outcome.is_some());
    (is_told && !diagram.digits.is_empty()).then_some(diagram.digits)
}

/// Draws the P-positions by the numbers of the first two digits, for sums of other letters.
///
/// Only sums with different P-positions are drawn. Those for which the two numbers matter together
/// come first, then those of few letters. Returns `None` if [`digits`] does.
///
/// Cost: nodes of the evidence, and fields of the grids times bits of their counts.
pub(super) fn picture(code: &Code, evidence: &Evidence) -> Option<String> {
    let digits = digits(evidence)?;
    let diagram = evidence.as_diagram();
    let mut sums: Vec<_> = diagram.least_contexts().into_iter().collect();
    sums.sort_by_cached_key(|(state, sum)| {
        let heaps: u64 = sum.iter().map(|(_, count)| count).sum();
        (heaps, sum.clone(), *state)
    });
    let mut grids: Vec<PositionGrid> = Vec::new();
    for (state, sum) in sums.into_iter().take(MAX_SUMS) {
        let is_p = fields(&diagram, state);
        if grids.iter().all(|grid| grid.is_p != is_p) {
            let with = named(&sum);
            grids.push(PositionGrid { with, is_p });
        }
        if grids.len() == MAX_GRIDS_COMPARED {
            break;
        }
    }
    grids.sort_by_key(|grid| !matter_together(&grid.is_p));
    let axes = &digits[..digits.len().min(2)];
    Some(p_position_grids(&code.to_string(), axes, &grids))
}

/// Reports whether a grid fails to repeat along the axes far from them.
///
/// If few numbers of heaps could be told apart, it would repeat forever.
fn matter_together(is_p: &[Vec<bool>]) -> bool {
    let repeats = |x: usize, y: usize| {
        let of = |x: usize, y: usize| is_p.get(y).and_then(|row| row.get(x));
        let at = of(x, y);
        at == of(x + STEP, y) && (is_p.len() < 2 || at == of(x, y + STEP))
    };
    !FAR.into_iter()
        .all(|x| FAR.into_iter().all(|y| repeats(x, y)))
}

fn named(sum: &[(u32, u64)]) -> String {
    let terms = sum.iter().map(|(heap, count)| match count {
        1 => heap.to_string(),
        _ => format!("{count}·{heap}"),
    });
    let terms: Vec<String> = terms.collect();
    match terms.is_empty() {
        true => "no other letters".to_owned(),
        false => terms.join(" + "),
    }
}

/// Returns whether the numbers of the first two digits, read from a state, make a P-position.
fn fields(diagram: &DiagramFamily, state: u32) -> Vec<Vec<bool>> {
    let rows = if diagram.digits.len() < 2 { 1 } else { COUNTS };
    let row = |y| (0..COUNTS).map(|x| is_p(diagram, state, x, y)).collect();
    (0..rows).map(row).collect()
}

/// Reads the numbers of the first two digits, with 0 for the others.
///
/// Further zeros change nothing (H5 of `docs/infinite.md`).
fn is_p(diagram: &DiagramFamily, mut state: u32, mut x: usize, mut y: usize) -> bool {
    while x > 0 || y > 0 {
        let bits = (x & 1) | (y & 1) << 1;
        let of_state = &diagram.states[state as usize];
        state = of_state.next[bits];
        (x, y) = (x >> 1, y >> 1);
    }
    diagram.states[state as usize].outcome == Some(Outcome::P)
}

#[cfg(test)]
mod tests {
    use misere_engine::quotient::{Limits, Strategy, solve};
    use misere_game::control::Control;
    use misere_game::outcome::{Convention, Oracle};

    use misere_pictures::MAX_GRIDS;

    use super::*;

    /// Compares every field of the grid of a sum of letters with the definition of outcomes.
    #[test]
    fn fields_are_outcomes() {
        let code: Code = "0.31011".parse().unwrap();
        let control = &mut Control::unlimited();
        let solution = solve(&code, &Limits::default(), Strategy::Exact, control);
        let evidence = solution.evidence.unwrap();
        assert_eq!(digits(&evidence), Some(vec![4, 5]));
        let diagram = evidence.as_diagram();
        let mut oracle = Oracle::new(&code, Convention::Misere);
        for (state, sum) in diagram.least_contexts().into_iter().take(8) {
            let fields = fields(&diagram, state);
            for (x, y) in (0..49).map(|n| (n % 7, n / 7)) {
                let others = sum.iter().flat_map(|&(heap, n)| vec![heap; n as usize]);
                let mut position: Vec<u32> = others.collect();
                position.extend(vec![4; x]);
                position.extend(vec![5; y]);
                let outcome = oracle.outcome(&position, &mut Control::unlimited());
                let is_p = outcome.unwrap() == Outcome::P;
                assert_eq!(fields[y][x], is_p, "{position:?}");
            }
        }
        let picture = picture(&code, &evidence).unwrap();
        assert_eq!(picture.matches(">with ").count(), MAX_GRIDS);
        assert!(picture.contains("Only the first 12 grids"));
    }

    #[test]
    fn diagonals_come_first() {
        let grid = |rule: fn(usize, usize) -> bool| -> Vec<Vec<bool>> {
            let row = |y| (0..COUNTS).map(|x| rule(x, y)).collect();
            (0..COUNTS).map(row).collect()
        };
        assert!(matter_together(&grid(|x, y| x == y)));
        assert!(matter_together(&grid(|x, y| x > y + 3 && x % 2 == 0)));
        assert!(!matter_together(&grid(|x, y| x > 8 && y % 6 == 5)));
        assert!(!matter_together(&[vec![true; COUNTS]]));
    }
}
