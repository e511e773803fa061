//! The picture of the P-positions as linear conditions.

use misere_game::solution::SemilinearDocument;
use misere_game::solution::semilinear::{Cell, Region};
use misere_pictures::{COUNTS, PositionGrid, p_position_grids};

use super::regions_text::example;

/// Draws the P-positions of each region, by the counts of the first two digits.
///
/// The counts of the other digits are 0.
pub(super) fn picture(document: &SemilinearDocument) -> String {
    let digits: Vec<u32> = document.digits.iter().map(|digit| digit.heap).collect();
    let context = document.diagram.least_contexts();
    let grids: Vec<PositionGrid> = document
        .regions
        .iter()
        .map(|region| PositionGrid {
            with: example(region, &context).unwrap_or_else(|| "other letters".to_owned()),
            is_p: fields(region, digits.len()),
        })
        .collect();
    let axes = &digits[..digits.len().min(2)];
    p_position_grids(&document.code.to_string(), axes, &grids)
}

fn fields(region: &Region, digits: usize) -> Vec<Vec<bool>> {
    let is_p = |x: usize, y: usize| {
        let mut counts = vec![0_i64; digits];
        let first_two = counts.iter_mut().zip([x, y]);
        first_two.for_each(|(count, of_axis)| *count = of_axis as i64);
        let holds = |cell: &Cell| cell.iter().all(|condition| condition.holds(&counts));
        region.cells.iter().any(holds)
    };
    let rows = if digits < 2 { 1 } else { COUNTS };
    let row = |y| (0..COUNTS).map(|x| is_p(x, y)).collect();
    (0..rows).map(row).collect()
}

#[cfg(test)]
mod tests {
    use misere_game::solution::semilinear::Condition;

    use super::*;

    #[test]
    fn fields_satisfy_the_conditions() {
        let region = Region {
            states: vec![0],
            cells: vec![vec![Condition::AtLeast {
                form: vec![1, -1, -1],
                at_least: 3,
            }]],
        };
        let fields = fields(&region, 3);
        assert_eq!((fields.len(), fields[0].len()), (COUNTS, COUNTS));
        assert!(fields[0][3] && !fields[0][2] && fields[4][7] && !fields[4][6]);
    }
}
