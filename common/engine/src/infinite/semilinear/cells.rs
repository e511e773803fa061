//! Cells that are as general as the examined outcomes allow.

use std::collections::HashMap;

use misere_game::solution::semilinear::{Cell, Condition};

/// Drops conditions of cells, and then superfluous cells.
///
/// A condition is dropped if the cell still holds for P-positions only. A cell is dropped if other
/// cells have all its P-positions.
///
/// Cost: counts times conditions times conditions of a cell.
pub(super) fn general(cells: &[Cell], counts: &[Vec<i64>], is_p: &[bool]) -> Vec<Cell> {
    let (p, other): (Vec<_>, Vec<_>) = counts.iter().zip(is_p).partition(|(_, is_p)| **is_p);
    let other: Vec<&[i64]> = other.iter().map(|(counts, _)| counts.as_slice()).collect();
    let mut general: Vec<Cell> = Vec::new();
    for cell in cells {
        let cell = with_fewer(tightened(with_fewer(cell.clone(), &other)), &other);
        if !general.contains(&cell) {
            general.push(cell);
        }
    }
    // The number of cells that hold of each examined P-position.
    let holding = |counts: &[i64]| general.iter().filter(|cell| all_hold(cell, counts)).count();
    let mut covered: Vec<usize> = p.iter().map(|(counts, _)| holding(counts)).collect();
    let mut at = general.len();
    while at > 0 {
        at -= 1;
        let of_cell: Vec<usize> = (0..p.len())
            .filter(|&number| all_hold(&general[at], p[number].0))
            .collect();
        if of_cell.iter().all(|&number| covered[number] > 1) {
            of_cell.iter().for_each(|&number| covered[number] -= 1);
            general.remove(at);
        }
    }
    general
}

/// Returns a cell without the conditions that are not needed to shut out some counts.
///
/// The last conditions are tried first.
fn with_fewer(mut cell: Cell, shut_out: &[&[i64]]) -> Cell {
    let mut at = cell.len();
    while at > 0 {
        at -= 1;
        let mut fewer = cell.clone();
        fewer.remove(at);
        if !shut_out.iter().any(|counts| all_hold(&fewer, counts)) {
            cell = fewer;
        }
    }
    cell
}

/// Returns an equivalent cell with bounds that are attained, and with its remainders at the end.
///
/// For example, `x_0 ≤ 2` and `x_0` odd become `x_0 = 1` and `x_0` odd.
fn tightened(mut cell: Cell) -> Cell {
    let parities: HashMap<usize, i64> = cell.iter().filter_map(parity).collect();
    let mut least = Vec::new();
    for condition in &mut cell {
        let Condition::AtLeast { form, at_least } = condition else {
            continue;
        };
        let odd = (0..form.len()).filter(|&digit| form[digit] % 2 != 0);
        let parity: Option<i64> = odd.map(|digit| parities.get(&digit)).sum();
        if parity.is_some_and(|parity| (*at_least - parity) % 2 != 0) {
            *at_least += 1;
        }
        // The count of one digit, at most 1 and odd.
        if *at_least == -1 && form.iter().filter(|&&x| x != 0).eq([&-1]) && parity == Some(1) {
            least.push(Condition::AtLeast {
                form: form.iter().map(|x| -x).collect(),
                at_least: 1,
            });
        }
    }
    cell.extend(least);
    cell.sort_by_key(|condition| matches!(condition, Condition::Remainder { .. }));
    cell
}

/// Returns the parity of a count, if the condition is about one.
fn parity(condition: &Condition) -> Option<(usize, i64)> {
    match condition {
        &Condition::Remainder {
            digit,
            remainder,
            modulus: 2,
        } => Some((digit as usize, i64::from(remainder))),
        _ => None,
    }
}

fn all_hold(cell: &[Condition], counts: &[i64]) -> bool {
    cell.iter().all(|condition| condition.holds(counts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_attained() {
        let at_least = |form: [i64; 2], at_least| Condition::AtLeast {
            form: form.to_vec(),
            at_least,
        };
        let remainder = |digit, remainder| Condition::Remainder {
            digit,
            remainder,
            modulus: 2,
        };
        let cells = [
            // x ≤ 1 and x even: x ≤ 0.
            (
                vec![remainder(0, 0), at_least([-1, 0], -1)],
                vec![at_least([-1, 0], 0), remainder(0, 0)],
            ),
            // x ≤ 2 and x odd: x = 1.
            (
                vec![at_least([-1, 0], -2), remainder(0, 1)],
                vec![at_least([-1, 0], -1), at_least([1, 0], 1), remainder(0, 1)],
            ),
            // x - y ≥ 2, x even and y odd: x - y ≥ 3.
            (
                vec![at_least([1, -1], 2), remainder(0, 0), remainder(1, 1)],
                vec![at_least([1, -1], 3), remainder(0, 0), remainder(1, 1)],
            ),
            // The parity of y is unknown.
            (
                vec![at_least([1, -1], 2), remainder(0, 0)],
                vec![at_least([1, -1], 2), remainder(0, 0)],
            ),
            // Only the parity of y matters for 2x + y.
            (
                vec![at_least([2, 1], 4), remainder(1, 1)],
                vec![at_least([2, 1], 5), remainder(1, 1)],
            ),
        ];
        for (cell, right) in cells {
            assert_eq!(tightened(cell.clone()), right);
            for counts in (0..64).map(|n| [n % 8, n / 8]) {
                assert_eq!(all_hold(&cell, &counts), all_hold(&right, &counts));
            }
        }
    }

    #[test]
    fn needless_conditions_and_cells_are_dropped() {
        let at_least = |form: [i64; 2], at_least| Condition::AtLeast {
            form: form.to_vec(),
            at_least,
        };
        let odd = Condition::Remainder {
            digit: 0,
            remainder: 1,
            modulus: 2,
        };
        let counts: Vec<Vec<i64>> = (0..40).map(|n| vec![n % 8, n / 8]).collect();
        let is_p: Vec<bool> = counts.iter().map(|xy| xy[0] % 2 == 1).collect();
        let cells = [
            vec![at_least([1, -1], 2), odd.clone()],
            vec![at_least([-1, 1], -1), odd.clone()],
        ];
        assert_eq!(general(&cells, &counts, &is_p), [vec![odd]]);
    }
}
