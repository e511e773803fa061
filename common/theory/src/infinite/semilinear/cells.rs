//! Cells that are as general as the outcomes that were looked at allow.

use crate::solution::semilinear::{Cell, Condition};

/// Drops conditions of cells as long as no cell holds of counts that are no P-position, and then
/// cells whose P-positions are all those of others.
///
/// Cost: counts times conditions times conditions of a cell.
pub(super) fn general(cells: &[Cell], counts: &[Vec<i64>], is_p: &[bool]) -> Vec<Cell> {
    let (p, other): (Vec<_>, Vec<_>) = counts.iter().zip(is_p).partition(|(_, is_p)| **is_p);
    let mut general: Vec<Cell> = Vec::new();
    for cell in cells {
        let mut cell = cell.clone();
        let mut at = cell.len();
        while at > 0 {
            at -= 1;
            let mut fewer = cell.clone();
            fewer.remove(at);
            if !other.iter().any(|(counts, _)| all_hold(&fewer, counts)) {
                cell = fewer;
            }
        }
        if !general.contains(&cell) {
            general.push(cell);
        }
    }
    // How many cells hold of each P-position that was looked at.
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

fn all_hold(cell: &[Condition], counts: &[i64]) -> bool {
    cell.iter().all(|condition| condition.holds(counts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needless_conditions_and_cells_go() {
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
