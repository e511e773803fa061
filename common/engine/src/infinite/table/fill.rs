//! The order in which the cells of a table are filled, and the moves that decide them.
//!
//! A cell is decided by cells of smaller positions. While the counts of the digits stay the same,
//! all columns are filled one after the other. So the cells of all columns with the same counts of
//! the digits, a **plane**, are stored side by side here. A move has the number of its change of
//! the counts of the digits, which takes it from one plane to another. (With the cells of a column
//! side by side, as they are wanted later, nearly every option would be a cache miss.)

use std::ops::Range;

use misere_game::control::{Control, Stop};

use super::{BEYOND, MAX_DIGITS, N, OPEN, P, Table};
use crate::infinite::system::System;

/// The value for a column that is not examined.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A change of the counts of the digits.
pub(super) type Change = [i32; MAX_DIGITS];

/// A move from a column.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The column that it leads to, or [`NOWHERE`].
    pub(super) column: u32,
    /// The number of the change of the counts of the digits.
    change: u32,
    /// The level that the move is made in.
    pub(super) level: u32,
}

/// The moves from all columns.
#[derive(Default)]
pub(super) struct Steps {
    /// The first move from each column, and the end.
    starts: Vec<usize>,
    list: Vec<Step>,
    changes: Vec<Change>,
}

impl Steps {
    /// Lists the moves from the columns of a table.
    pub(super) fn new(table: &Table, system: &System, control: &mut Control) -> Result<Self, Stop> {
        let mut steps = Self::default();
        let mut numbers = Vec::new();
        for (level, options) in system.options.iter().enumerate() {
            let number = |option: &Vec<i32>| {
                let mut counts = option.clone();
                counts[level] -= 1;
                steps.number_of(table.change(&counts))
            };
            numbers.push(options.iter().map(number).collect::<Vec<u32>>());
        }
        steps.starts.push(0);
        for counts in &table.columns {
            for (level, numbers) in numbers.iter().enumerate() {
                if counts[level] == 0 && !table.is_digit(level) {
                    continue;
                }
                let to = |column, &change| Step {
                    column,
                    change,
                    level: level as u32,
                };
                table.columns_after(level, system, counts, control, |at, column| {
                    steps.list.push(to(column, &numbers[at]));
                })?;
            }
            steps.starts.push(steps.list.len());
        }
        Ok(steps)
    }

    fn number_of(&mut self, change: Change) -> u32 {
        let known = self.changes.iter().position(|&known| known == change);
        let number = known.unwrap_or(self.changes.len());
        if known.is_none() {
            self.changes.push(change);
        }
        number as u32
    }

    /// Returns the moves from a column, starting with moves that won before.
    pub(super) fn of(&self, column: usize) -> &[Step] {
        &self.list[self.starts[column]..self.starts[column + 1]]
    }

    /// Returns the change of the counts of the digits with a move.
    pub(super) fn change(&self, step: Step) -> Change {
        self.changes[step.change as usize]
    }
}

/// The mark of a plane that does not exist.
///
/// A plane that a change leads to is the number of its first cell, or one of these marks.
const NEGATIVE: usize = usize::MAX;
const TOO_FAR: usize = usize::MAX - 1;

/// The cells of a table while they are filled.
pub(super) struct Filling<'a> {
    table: &'a Table,
    steps: Steps,
    cells: Vec<u8>,
    /// The plane that each change leads to from the present counts of the digits.
    planes: Vec<usize>,
}

impl<'a> Filling<'a> {
    /// Returns the outcomes of all cells, the cells of a column side by side, and the moves.
    ///
    /// There are moves from all columns.
    pub(super) fn of(
        table: &'a Table,
        steps: Steps,
        control: &mut Control,
    ) -> Result<(Vec<u8>, Steps), Stop> {
        let columns = table.columns.len();
        let mut filling = Self {
            table,
            planes: vec![NEGATIVE; steps.changes.len()],
            steps,
            cells: vec![BEYOND; columns * table.area],
        };
        let digits = &mut vec![0; table.digits.len()];
        filling.fill(table.readings.len(), 0..columns, digits, control)?;
        let Self { steps, cells, .. } = filling;
        Ok((transposed(&cells, columns, table.area), steps))
    }

    /// Fills the columns in `range` for all counts of the digits below `level`.
    ///
    /// The order is such that options come first.
    fn fill(
        &mut self,
        level: usize,
        range: Range<usize>,
        digits: &mut [i32],
        control: &mut Control,
    ) -> Result<(), Stop> {
        let Some(level) = level.checked_sub(1) else {
            return self.fill_columns(range, digits, control);
        };
        if let Some(digit) = self.table.digits.iter().position(|&digit| digit == level) {
            for count in 0..self.table.sides[digit] {
                digits[digit] = count;
                self.fill(level, range.clone(), digits, control)?;
            }
            digits[digit] = 0;
            return Ok(());
        }
        let columns = &self.table.columns;
        // Without digits below, the columns are already in the right order.
        if self.table.digits.iter().all(|&digit| digit > level) {
            return self.fill_columns(range, digits, control);
        }
        let mut from = range.start;
        while from < range.end {
            let count = columns[from][level];
            let same = columns[from..range.end].partition_point(|c| c[level] == count);
            self.fill(level, from..from + same, digits, control)?;
            from += same;
        }
        Ok(())
    }

    /// Fills the columns in `range` for these counts of the digits.
    fn fill_columns(
        &mut self,
        range: Range<usize>,
        digits: &[i32],
        control: &mut Control,
    ) -> Result<(), Stop> {
        for (plane, change) in self.planes.iter_mut().zip(&self.steps.changes) {
            *plane = self.table.plane(digits, change);
        }
        let here = self.table.plane(digits, &Change::default());
        let at_zero = digits.iter().all(|&x| x == 0);
        for column in range {
            let (value, looked_at) = self.value(column, at_zero);
            control.spend(10 + 4 * looked_at as u64)?;
            // A move that has won once is likely to win again.
            if value == N && looked_at > 1 {
                let first = self.steps.starts[column];
                self.steps.list.swap(first, first + looked_at - 1);
            }
            self.cells[here + column] = value;
        }
        Ok(())
    }

    /// Returns the outcome of a position of a column, and the number of moves examined.
    fn value(&self, column: usize, at_zero: bool) -> (u8, usize) {
        let mut value = P;
        let steps = self.steps.of(column);
        for (number, step) in steps.iter().enumerate() {
            let option = match self.planes[step.change as usize] {
                NEGATIVE => continue,
                _ if step.column == NOWHERE => OPEN,
                TOO_FAR => BEYOND,
                plane => self.cells[plane + step.column as usize],
            };
            match option {
                P => return (N, number + 1),
                BEYOND => value = BEYOND,
                OPEN if value == P => value = OPEN,
                _ => {}
            }
        }
        let is_end = || at_zero && self.table.columns[column].iter().all(|&x| x == 0);
        let end = value == P && is_end();
        (if end { N } else { value }, steps.len())
    }
}

impl Table {
    /// Returns the first cell of the plane that a change of the counts of the digits leads to.
    fn plane(&self, digits: &[i32], change: &Change) -> usize {
        let mut cell = 0;
        let mut too_far = false;
        for ((&x, &change), &side) in digits.iter().zip(change).zip(&self.sides) {
            let after = x + change;
            if after < 0 {
                return NEGATIVE;
            }
            too_far |= after >= side;
            cell = cell * side as usize + after as usize;
        }
        if too_far {
            return TOO_FAR;
        }
        cell * self.columns.len()
    }
}

/// Converts cells stored by planes to cells stored by columns.
fn transposed(cells: &[u8], columns: usize, area: usize) -> Vec<u8> {
    /// The number of columns and of planes that are moved together; such a block fits in the cache.
    const BLOCK: usize = 64;
    let mut turned = vec![0; cells.len()];
    for first in (0..columns).step_by(BLOCK) {
        for plane in (0..area).step_by(BLOCK) {
            for column in first..columns.min(first + BLOCK) {
                for cell in plane..area.min(plane + BLOCK) {
                    turned[column * area + cell] = cells[cell * columns + column];
                }
            }
        }
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_transposed() {
        let (columns, area) = (130, 70);
        let cells: Vec<u8> = (0..columns * area).map(|at| (at % 251) as u8).collect();
        let turned = transposed(&cells, columns, area);
        for column in 0..columns {
            for cell in 0..area {
                assert_eq!(turned[column * area + cell], cells[cell * columns + column]);
            }
        }
    }
}
