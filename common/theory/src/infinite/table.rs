//! What are the outcomes of the positions in a box?
//!
//! The columns are the counts of the levels that cycle, each column holds a box of counts of the digits. Where moves lead out of
//! what is looked at, the outcome is not known: [`OPEN`] if it is a column that is not looked at (of which nothing will be
//! claimed), [`BEYOND`] if it is a count of a digit (of which a larger table knows more). Everything else is computed by the
//! rules of the system, as if the cycles held.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::system::System;
use crate::control::{Control, Stop};

pub(super) const N: u8 = 0;
pub(super) const P: u8 = 1;
/// Depends on a column that is not looked at.
pub(super) const OPEN: u8 = 2;
/// Depends on counts of digits that are not looked at.
pub(super) const BEYOND: u8 = 3;

/// The most columns; if there are more, those with few heaps are looked at.
const MOST_COLUMNS: usize = 6_000;

/// How the count of a level is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// In binary.
    Digits,
    /// Counts `x ≥ index + period` as `x - period`.
    Cycle { index: i32, period: i32 },
}

impl Reading {
    fn read(self, x: i32) -> i32 {
        match self {
            Self::Digits => 0,
            Self::Cycle { index, period } if x < index + period => x,
            Self::Cycle { index, period } => index + (x - index) % period,
        }
    }
}

/// A move from a column: where it leads, and how the counts of the digits change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    column: Option<u32>,
    change: Vec<i32>,
}

/// The outcomes of a box of positions.
pub(super) struct Table {
    pub(super) readings: Vec<Reading>,
    /// The levels that are digits.
    pub(super) digits: Vec<usize>,
    /// For each digit how many counts are looked at.
    sides: Vec<i32>,
    /// The counts of all levels, those of digits being 0, in lexicographic order, the greatest level first.
    pub(super) columns: Vec<Vec<i32>>,
    number: FxHashMap<Vec<i32>, u32>,
    cells: Vec<u8>,
    /// Cells of a column.
    area: usize,
}

impl Table {
    /// `None` if there would be more than `most_cells`.
    pub(super) fn new(
        system: &System,
        readings: &[Reading],
        sides: Vec<i32>,
        most_cells: usize,
        control: &mut Control,
    ) -> Result<Option<Self>, Stop> {
        let digits = (0..readings.len()).filter(|&level| readings[level] == Reading::Digits);
        let mut columns = Vec::new();
        let nothing = &mut vec![0; readings.len()];
        let most_heaps = most_heaps(readings);
        list_columns(readings, readings.len(), nothing, most_heaps, &mut columns);
        control.spend(200 * columns.len() as u64)?;
        let area = sides.iter().map(|&side| side as usize).product();
        if columns.len().saturating_mul(area) > most_cells {
            return Ok(None);
        }
        let mut table = Self {
            readings: readings.to_vec(),
            digits: digits.collect(),
            sides,
            number: columns.iter().cloned().zip(0..).collect(),
            cells: vec![BEYOND; columns.len() * area],
            columns,
            area,
        };
        let mut steps = Vec::new();
        for column in &table.columns {
            steps.push(table.steps(system, column, control)?);
        }
        let all = 0..table.columns.len();
        let nothing = &mut vec![0; table.digits.len()];
        table.fill(table.readings.len(), all, nothing, &mut steps, control)?;
        Ok(Some(table))
    }

    fn column_of(&self, counts: &[i32]) -> Option<u32> {
        let readings = self.readings.iter().zip(counts);
        let read: Vec<i32> = readings.map(|(reading, &x)| reading.read(x)).collect();
        self.number.get(&read).copied()
    }

    /// The moves from a position with these counts of the levels that are not digits.
    fn steps(
        &self,
        system: &System,
        counts: &[i32],
        control: &mut Control,
    ) -> Result<Vec<Step>, Stop> {
        let mut steps = Vec::new();
        for level in 0..counts.len() {
            if self.readings[level] != Reading::Digits && counts[level] == 0 {
                continue;
            }
            control.spend(200 * system.options[level].len() as u64)?;
            for option in &system.options[level] {
                let mut after: Vec<i32> = counts.iter().zip(option).map(|(a, b)| a + b).collect();
                after[level] -= 1;
                let change = self.digits.iter().map(|&digit| after[digit]).collect();
                steps.push(Step {
                    column: self.column_of(&after),
                    change,
                });
            }
        }
        steps.sort();
        steps.dedup();
        Ok(steps)
    }

    /// Fills the columns in `range` for all counts of the digits below `level`, in an order in which options come first.
    fn fill(
        &mut self,
        level: usize,
        range: Range<usize>,
        digits: &mut [i32],
        steps: &mut [Vec<Step>],
        control: &mut Control,
    ) -> Result<(), Stop> {
        let Some(level) = level.checked_sub(1) else {
            for column in range {
                let (value, looked_at) = self.value(column, digits, &steps[column]);
                control.spend(10 + 4 * looked_at as u64)?;
                // What has won once is likely to win again.
                if value == N && looked_at > 1 {
                    steps[column].swap(0, looked_at - 1);
                }
                if let Some(at) = self.at(column, digits) {
                    self.cells[at] = value;
                }
            }
            return Ok(());
        };
        if let Some(digit) = self.digits.iter().position(|&digit| digit == level) {
            for count in 0..self.sides[digit] {
                digits[digit] = count;
                self.fill(level, range.clone(), digits, steps, control)?;
            }
            digits[digit] = 0;
            return Ok(());
        }
        let mut from = range.start;
        while from < range.end {
            let count = self.columns[from][level];
            let same = self.columns[from..range.end].partition_point(|c| c[level] == count);
            self.fill(level, from..from + same, digits, steps, control)?;
            from += same;
        }
        Ok(())
    }

    /// The outcome of a position with the moves given, and how many were looked at.
    fn value(&self, column: usize, digits: &[i32], steps: &[Step]) -> (u8, usize) {
        let mut value = P;
        for (number, step) in steps.iter().enumerate() {
            let option = self.option(digits, step);
            match option {
                Some(P) => return (N, number + 1),
                Some(BEYOND) => value = BEYOND,
                Some(OPEN) if value == P => value = OPEN,
                _ => {}
            }
        }
        let end = value == P && self.is_end(column, digits);
        (if end { N } else { value }, steps.len())
    }

    fn is_end(&self, column: usize, digits: &[i32]) -> bool {
        digits.iter().all(|&x| x == 0) && self.columns[column].iter().all(|&x| x == 0)
    }

    /// The outcome of an option, if it exists.
    fn option(&self, digits: &[i32], step: &Step) -> Option<u8> {
        let mut cell = 0;
        let mut beyond = false;
        for ((&x, &change), &side) in digits.iter().zip(&step.change).zip(&self.sides) {
            let after = x + change;
            if after < 0 {
                return None;
            }
            beyond |= after >= side;
            cell = cell * side as usize + after as usize;
        }
        Some(match step.column {
            None => OPEN,
            Some(_) if beyond => BEYOND,
            Some(column) => self.cells[column as usize * self.area + cell],
        })
    }

    fn at(&self, column: usize, digits: &[i32]) -> Option<usize> {
        let mut at = column;
        for (&x, &side) in digits.iter().zip(&self.sides) {
            if x >= side {
                return None;
            }
            at = at * side as usize + x as usize;
        }
        Some(at)
    }

    /// What is known of a position.
    pub(super) fn get(&self, column: usize, digits: &[i32]) -> u8 {
        self.at(column, digits).map_or(BEYOND, |at| self.cells[at])
    }

    /// The levels whose cycle is seen not to hold: a position with one period more than the index has another outcome, by
    /// its own options, than the one it is read as.
    pub(super) fn broken_cycles(
        &self,
        system: &System,
        control: &mut Control,
    ) -> Result<Vec<usize>, Stop> {
        let mut broken = Vec::new();
        for level in 0..self.readings.len() {
            if let Reading::Cycle { index, period } = self.readings[level]
                && self.is_broken(system, level, index, period, control)?
            {
                broken.push(level);
            }
        }
        Ok(broken)
    }

    fn is_broken(
        &self,
        system: &System,
        level: usize,
        index: i32,
        period: i32,
        control: &mut Control,
    ) -> Result<bool, Stop> {
        let mut digits = vec![0; self.digits.len()];
        for (column, counts) in self.columns.iter().enumerate() {
            if counts[level] != index {
                continue;
            }
            let mut again = counts.clone();
            again[level] += period;
            let mut steps = self.steps(system, &again, control)?;
            for cell in 0..self.area {
                self.counts_of(cell, &mut digits);
                let read_as = self.get(column, &digits);
                let (value, looked_at) = self.value(column, &digits, &steps);
                control.spend(30 + 4 * looked_at as u64)?;
                if value == N && looked_at > 1 {
                    steps.swap(0, looked_at - 1);
                }
                if read_as <= P && value <= P && read_as != value {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The counts of the digits at a cell of a column.
    fn counts_of(&self, cell: usize, digits: &mut [i32]) {
        let mut rest = cell;
        for (digit, &side) in digits.iter_mut().zip(&self.sides).rev() {
            *digit = (rest % side as usize) as i32;
            rest /= side as usize;
        }
    }
}

/// The most heaps in a column such that there are no more than [`MOST_COLUMNS`].
fn most_heaps(readings: &[Reading]) -> i32 {
    // ways[k]: columns with k heaps.
    let mut ways = vec![1_usize];
    for reading in readings {
        if let Reading::Cycle { index, period } = *reading {
            let counts = (index + period) as usize;
            let mut more = vec![0_usize; ways.len() + counts - 1];
            for (heaps, &columns) in ways.iter().enumerate() {
                for total in &mut more[heaps..heaps + counts] {
                    *total = total.saturating_add(columns);
                }
            }
            ways = more;
        }
    }
    let mut columns = 0_usize;
    let fitting = ways.iter().take_while(|&&more| {
        columns = columns.saturating_add(more);
        columns <= MOST_COLUMNS
    });
    fitting.count() as i32 - 1
}

fn list_columns(
    readings: &[Reading],
    level: usize,
    counts: &mut Vec<i32>,
    most_heaps: i32,
    columns: &mut Vec<Vec<i32>>,
) {
    let Some(level) = level.checked_sub(1) else {
        columns.push(counts.clone());
        return;
    };
    let greatest = match readings[level] {
        Reading::Digits => 0,
        Reading::Cycle { index, period } => (index + period - 1).min(most_heaps),
    };
    for x in 0..=greatest {
        counts[level] = x;
        list_columns(readings, level, counts, most_heaps - x, columns);
    }
    counts[level] = 0;
}
