//! The outcomes of the positions in a box.
//!
//! The columns are the counts of the levels that cycle; each column holds a box of counts of the
//! digits. Where moves lead out of the table, the outcome is not known: it is [`OPEN`] if the
//! column is missing (nothing will be claimed for it), and [`BEYOND`] if the count of a digit is
//! too great (a larger table knows more). Everything else is computed by the rules of the system,
//! as if the cycles held.

mod fill;

use rustc_hash::FxHashMap;

use misere_game::control::{Control, Stop};

use self::fill::{Change, Filling, NOWHERE, Steps};
use super::reading::Reading;
use super::system::{Counts, System};

pub(super) const N: u8 = 0;
pub(super) const P: u8 = 1;
/// The outcome of a position that depends on a column outside the table.
pub(super) const OPEN: u8 = 2;
/// The outcome of a position that depends on counts of digits outside the table.
pub(super) const BEYOND: u8 = 3;

/// The greatest number of columns; if there are more, the table has those with few heaps.
pub(super) const MAX_COLUMNS: usize = 40_000;

/// The greatest number of heaps in a context with which words are tested.
const COMPANY: i32 = 3;

/// The greatest box of counts in which the columns are found by their places.
const MAX_DENSE: u64 = 4_000_000;

/// The greatest number of digits of a table.
pub(super) const MAX_DIGITS: usize = 4;

/// The end of a move: the column, or [`NOWHERE`], and the change of the counts of the digits.
#[derive(Clone, Copy)]
struct Move {
    column: u32,
    change: Change,
}

/// The outcomes of a box of positions.
pub(super) struct Table {
    pub(super) readings: Vec<Reading>,
    /// The levels that are digits.
    pub(super) digits: Vec<usize>,
    /// The number of counts of each digit in the table.
    sides: Vec<i32>,
    /// The counts of all levels, in lexicographic order with the greatest level first.
    ///
    /// The counts of digits are 0.
    pub(super) columns: Vec<Vec<i32>>,
    /// The columns by their place in the box of all counts that are distinguished.
    ///
    /// Columns outside the table are [`NOWHERE`].
    number: FxHashMap<u64, u32>,
    /// The columns by their place again, as a list without hashing, if the box is small.
    dense: Vec<u32>,
    cells: Vec<u8>,
    steps: Steps,
    /// The number of cells of a column.
    pub(super) area: usize,
}

impl Table {
    /// Computes the outcomes of the box; `None` if there would be more than `most_cells` cells.
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
            number: FxHashMap::default(),
            dense: Vec::new(),
            cells: Vec::new(),
            steps: Steps::default(),
            columns,
            area,
        };
        table.number_columns();
        let steps = Steps::new(&table, system, control)?;
        let (cells, steps) = Filling::of(&table, steps, control)?;
        (table.cells, table.steps) = (cells, steps);
        Ok(Some(table))
    }

    fn number_columns(&mut self) {
        let places: Vec<u64> = self
            .columns
            .iter()
            .map(|column| self.place(column))
            .collect();
        let greatest = places.iter().copied().max().unwrap_or(0);
        if greatest < MAX_DENSE {
            self.dense = vec![NOWHERE; greatest as usize + 1];
            for (number, &place) in (0..).zip(&places) {
                self.dense[place as usize] = number;
            }
        } else {
            self.number = places.into_iter().zip(0..).collect();
        }
    }

    /// Returns the place of a vector of counts in the box of those distinguished.
    fn place(&self, counts: &[i32]) -> u64 {
        let mut place = 0_u64;
        for (reading, &x) in self.readings.iter().zip(counts).rev() {
            if let Reading::Cycle { index, period } = *reading {
                place = place
                    .wrapping_mul((index + period) as u64)
                    .wrapping_add(reading.read(x) as u64);
            }
        }
        place
    }

    /// Returns the column of a vector of counts, or [`NOWHERE`].
    fn column_of(&self, counts: &[i32]) -> u32 {
        let place = self.place(counts);
        let number = if self.dense.is_empty() {
            self.number.get(&place)
        } else {
            self.dense.get(place as usize)
        };
        number.copied().unwrap_or(NOWHERE)
    }

    fn is_digit(&self, level: usize) -> bool {
        self.readings[level] == Reading::Digits
    }

    /// Returns the change of the counts of the digits in a vector of counts.
    fn change(&self, counts: &[i32]) -> Change {
        let mut change = Change::default();
        for (change, &digit) in change.iter_mut().zip(&self.digits) {
            *change = counts[digit];
        }
        change
    }

    /// Returns the move to a position with these counts.
    ///
    /// The counts of digits are relative to the start of the move.
    fn move_to(&self, counts: &[i32]) -> Move {
        Move {
            column: self.column_of(counts),
            change: self.change(counts),
        }
    }

    /// Passes on the columns that the moves in one level lead to.
    ///
    /// The moves start from a position with these counts of the levels that are not digits. With
    /// each column goes the number of the option of the level.
    fn columns_after(
        &self,
        level: usize,
        system: &System,
        counts: &[i32],
        control: &mut Control,
        mut column: impl FnMut(usize, u32),
    ) -> Result<(), Stop> {
        control.spend(60 * system.options[level].len() as u64)?;
        let mut after = counts.to_vec();
        for (number, option) in system.options[level].iter().enumerate() {
            for ((after, a), b) in after.iter_mut().zip(counts).zip(option) {
                *after = a + b;
            }
            after[level] -= 1;
            column(number, self.column_of(&after));
        }
        Ok(())
    }

    /// Returns the outcome of an option, if it exists.
    fn option(&self, digits: &[i32], to: Move) -> Option<u8> {
        let mut cell = 0;
        let mut beyond = false;
        for ((&x, &change), &side) in digits.iter().zip(&to.change).zip(&self.sides) {
            let after = x + change;
            if after < 0 {
                return None;
            }
            beyond |= after >= side;
            cell = cell * side as usize + after as usize;
        }
        Some(match to.column {
            NOWHERE => OPEN,
            _ if beyond => BEYOND,
            column => self.cells[column as usize * self.area + cell],
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

    /// Returns the number of columns that there would be without a limit.
    pub(super) fn columns_to_look_at(readings: &[Reading]) -> usize {
        let counts = readings.iter().map(|reading| match *reading {
            Reading::Digits => 1,
            Reading::Cycle { index, period } => (index + period) as usize,
        });
        counts.fold(1, usize::saturating_mul)
    }

    /// Returns the outcome of a position as far as known.
    pub(super) fn get(&self, column: usize, digits: &[i32]) -> u8 {
        self.at(column, digits).map_or(BEYOND, |at| self.cells[at])
    }

    /// Returns the outcome at a cell of a column as far as known.
    pub(super) fn get_cell(&self, column: usize, cell: usize) -> u8 {
        self.cells[column * self.area + cell]
    }

    /// Returns the least index with which the cycle of a level holds in the table.
    pub(super) fn least_index(&self, level: usize, control: &mut Control) -> Result<i32, Stop> {
        let Reading::Cycle { index, period } = self.readings[level] else {
            return Ok(0);
        };
        let mut least = 1;
        for (column, counts) in self.columns.iter().enumerate() {
            if counts[level] < least || counts[level] >= index {
                continue;
            }
            let mut again = counts.clone();
            again[level] += period;
            let again = self.column_of(&again);
            if again == NOWHERE {
                continue;
            }
            control.spend(30 + 3 * self.area as u64)?;
            let differ = |cell| {
                let pair = (
                    self.get_cell(column, cell),
                    self.get_cell(again as usize, cell),
                );
                matches!(pair, (N, P) | (P, N))
            };
            if (0..self.area).any(differ) {
                least = counts[level] + 1;
            }
        }
        Ok(least)
    }

    /// Returns the levels whose cycle is seen not to hold.
    ///
    /// A cycle fails if a position with one period more than the index has another outcome, by its
    /// own options, than the one it is read as.
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
            let mut later = Vec::new();
            self.columns_after(level, system, &again, control, |number, column| {
                let mut counts = system.options[level][number].clone();
                counts[level] -= 1;
                let change = self.change(&counts);
                later.push(Move { column, change });
            })?;
            let others = self.steps.of(column).iter();
            let others: Vec<Move> = others
                .filter(|step| step.level as usize != level)
                .map(|&step| Move {
                    column: step.column,
                    change: self.steps.change(step),
                })
                .collect();
            for cell in 0..self.area {
                let read_as = self.get_cell(column, cell);
                control.spend(5)?;
                if read_as > P {
                    continue;
                }
                self.counts_of(cell, &mut digits);
                control.spend(20 + 4 * later.len() as u64)?;
                let wins = later.iter().any(|&to| self.option(&digits, to) == Some(P));
                if read_as == P && wins {
                    return Ok(true);
                }
                if read_as == P || wins {
                    continue;
                }
                let mut looked_at = 0;
                let lost = others
                    .iter()
                    .chain(&later)
                    .inspect(|_| looked_at += 1)
                    .all(|&to| self.option(&digits, to).is_none_or(|x| x == N));
                control.spend(4 * looked_at)?;
                if lost {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Returns a heap that cannot be played as its word, if one is seen (T3 in `docs/infinite.md`).
    pub(super) fn unsound_word(
        &self,
        system: &System,
        control: &mut Control,
    ) -> Result<Option<u32>, Stop> {
        let plus =
            |x: &[i32], y: &[i32]| -> Counts { x.iter().zip(y).map(|(x, y)| x + y).collect() };
        let mut digits = vec![0; self.digits.len()];
        for other in &system.others {
            let few = |counts: &&Vec<i32>| counts.iter().sum::<i32>() <= COMPANY;
            for context in self.columns.iter().filter(few) {
                let with = |counts: &Counts| self.move_to(&plus(context, counts));
                let whole = with(&other.word);
                let options: Vec<Move> = other.options.iter().map(with).collect();
                let mut inside = Vec::new();
                for (level, _) in other.word.iter().enumerate().filter(|(_, x)| **x > 0) {
                    inside.extend(system.options[level].iter().map(|option| {
                        let mut after = plus(&other.word, option);
                        after[level] -= 1;
                        with(&after)
                    }));
                }
                let moves = (options.len() + inside.len()) as u64;
                control.spend(150 * moves + 5 * moves * self.area as u64)?;
                let is_p = |digits: &[i32], to: &Move| self.option(digits, *to) == Some(P);
                for cell in 0..self.area {
                    self.counts_of(cell, &mut digits);
                    let sound = match self.option(&digits, whole) {
                        Some(P) => !options.iter().any(|to| is_p(&digits, to)),
                        Some(N) => {
                            let open = |&to: &Move| self.option(&digits, to).is_some_and(|x| x > N);
                            options.iter().any(open) || !inside.iter().any(|to| is_p(&digits, to))
                        }
                        _ => true,
                    };
                    if !sound {
                        return Ok(Some(other.heap));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Writes the counts of the digits at a cell of a column to `digits`.
    pub(super) fn counts_of(&self, cell: usize, digits: &mut [i32]) {
        let mut rest = cell;
        for (digit, &side) in digits.iter_mut().zip(&self.sides).rev() {
            *digit = (rest % side as usize) as i32;
            rest /= side as usize;
        }
    }
}

/// Returns the greatest number of heaps in a column with at most [`MAX_COLUMNS`] columns.
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
        columns <= MAX_COLUMNS
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
