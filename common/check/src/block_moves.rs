//! The check that the moves of a code without end decide the elements outside the kernel (K12).
//!
//! In Nim a move may leave heap 1, whose value lies outside the kernel, of a heap of any size. So
//! the proof that Nim is tame relative to heap 2 needs more than the values of large heaps. The
//! theorem is in docs/rules.md: let the digits repeat with period `q` after `d_e`, and let `E(n)`
//! be the values of what moves that take more than `e` beans leave of heap `n`. Then
//! `E(n) ⊆ E(n + q)`, so what holds of `E(n)` for `q` heaps in a row holds from there on.

use misere_game::bipartite::{Element, ElementSet};
use misere_game::control::Control;
use misere_game::ruleset::General;
use misere_game::solution::Solution;

use super::{CheckError, general_moves};
use crate::nim_values::nim_sum;
use crate::table::Table;

/// Checks the moves in the last heaps listed, one heap for each digit of the block.
pub(super) fn check(
    solution: &Solution,
    digits: &General,
    in_kernel: impl Fn(Element) -> bool,
    nim_values: &[u32],
    control: &mut Control,
) -> Result<(), CheckError> {
    let monoid = &solution.quotient;
    let table = Table::new(monoid, control)?;
    let nim_of = nim_of_elements(solution, nim_values, control)?;
    let heaps = solution.heaps();
    let first = (heaps + 1).saturating_sub(digits.block_length().unwrap_or(0));
    for heap in first..=heaps {
        control.spend(20 + 20 * solution.code.most_options(heap))?;
        let mut image = ElementSet::empty(monoid.order());
        let mut nims = Vec::new();
        let from = digits.last_before_block() + 1;
        general_moves::for_each(digits, heap, from, control, &mut |left| {
            let times = |x, &part: &u32| table.times(solution.phi[part as usize], x);
            image.insert(left.iter().fold(0, times));
            nims.push(nim_sum(left.iter().copied(), nim_values));
        })?;
        nims.sort_unstable();
        let outside = (0..monoid.order() as Element).filter(|&x| !in_kernel(x));
        for element in outside {
            control.spend(50 + 50 * image.len() as u64)?;
            let wins = image.iter().any(|y| monoid.in_p(table.times(element, y)));
            let nim = nim_of.get(element as usize).copied().flatten();
            if !wins || nim.is_none_or(|nim| nims.binary_search(&nim).is_err()) {
                return Err(CheckError::Undecided { heap, element });
            }
        }
    }
    Ok(())
}

/// Returns the nim-value of each element of a faithful quotient.
///
/// It is the nim-value of any product of generators that equals the element.
fn nim_of_elements(
    solution: &Solution,
    nim_values: &[u32],
    control: &mut Control,
) -> Result<Vec<Option<u32>>, CheckError> {
    let monoid = &solution.quotient;
    control.spend((monoid.order() * (1 + monoid.generators())) as u64)?;
    let mut known = vec![None; monoid.order()];
    known[0] = Some(0);
    let mut open = vec![(0, 0)];
    while let Some((x, nim)) = open.pop() {
        for (g, &heap) in solution.generator_heaps.iter().enumerate() {
            let (next, sum) = (monoid.act(x, g), nim ^ nim_values[heap as usize]);
            if known[next as usize].is_none() {
                known[next as usize] = Some(sum);
                open.push((next, sum));
            }
        }
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nim_values::nim_values;
    use crate::samples::{CERTIFICATES, certificate};

    /// One more heap changes the nim-value of an element by its own nim-value, whatever the
    /// element.
    #[test]
    fn nim_values_of_elements_are_sums() {
        let control = &mut Control::unlimited();
        for text in CERTIFICATES {
            let solution = certificate(text);
            let of_heaps = nim_values(&solution.code, solution.heaps(), control).unwrap();
            let of_elements = nim_of_elements(&solution, &of_heaps, control).unwrap();
            for element in 0..solution.quotient.order() as Element {
                let nim = of_elements[element as usize].unwrap();
                for (g, &heap) in solution.generator_heaps.iter().enumerate() {
                    let next = solution.quotient.act(element, g);
                    let sum = nim ^ of_heaps[heap as usize];
                    assert_eq!(
                        of_elements[next as usize],
                        Some(sum),
                        "{} {element}",
                        solution.code
                    );
                }
            }
        }
    }
}
