//! The search for a finite automaton that reads the counts of the digits as the table does.
//!
//! A state is a **residual**: the function `z ↦ outcome at (column, 2^j·z + r)` of the counts `z`
//! still to be read, after `j` binary digits with the value `r`. Two residuals are taken for one
//! state if they agree on all of a box of tests that the table reaches. The result is a guess.

use misere_game::control::{Control, Stop};

use super::table::{BEYOND, MAX_DIGITS, Table};

/// The greatest number of states of a useful automaton.
const MAX_STATES: usize = 3_000;

/// The greatest number of digits of a count that are read before states repeat.
const MAX_DEPTH: u32 = 12;

/// The greatest number of times that tests are added.
const MAX_ROUNDS: usize = 40;

/// The first tests are all counts of the digits below this, by the number of digits.
const TESTS: [i32; MAX_DIGITS + 1] = [2, 40, 24, 10, 6];

/// An automaton: the outcome seen at the end of each state, and the next state for each letter.
pub(super) struct Automaton {
    pub(super) outcomes: Vec<u8>,
    pub(super) next: Vec<Vec<u32>>,
    /// For each column of the table the state at which it begins.
    pub(super) starts: Vec<u32>,
}

/// The reason why no automaton was learnt.
#[derive(Debug)]
pub(super) enum LearnError {
    /// The table is too small to learn from.
    TableTooSmall,
    TooManyStates,
    Stopped(Stop),
}

impl From<Stop> for LearnError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

struct Residual {
    column: usize,
    depth: u32,
    read: Vec<i32>,
}

struct Learner<'a> {
    table: &'a Table,
    tests: &'a [Vec<i32>],
    residuals: Vec<Residual>,
    seen: Vec<Vec<u8>>,
}

/// Learns until the automaton reads every cell of the table correctly.
///
/// The rest of the counts of a misread cell becomes another test (after Rivest and Schapire 1993).
pub(super) fn learn(table: &Table, control: &mut Control) -> Result<Automaton, LearnError> {
    let digits = table.digits.len();
    let mut tests = boxes(digits, TESTS[digits.min(MAX_DIGITS)]);
    for _ in 0..MAX_ROUNDS {
        let mut learner = Learner {
            table,
            tests: &tests,
            residuals: Vec::new(),
            seen: Vec::new(),
        };
        let automaton = learner.automaton(control)?;
        match automaton.misread(table, &learner.residuals, control)? {
            None => return Ok(automaton),
            Some(more) => {
                let known = tests.len();
                tests.extend(more);
                if tests[..known].contains(&tests[known]) {
                    break;
                }
            }
        }
    }
    Err(LearnError::TableTooSmall)
}

impl Automaton {
    /// Returns a new test from a misread cell, if there is one.
    ///
    /// It is the rest of the counts at some digit, such that the two residuals taken for one differ
    /// there.
    fn misread(
        &self,
        table: &Table,
        residuals: &[Residual],
        control: &mut Control,
    ) -> Result<Option<Vec<Vec<i32>>>, Stop> {
        let mut digits = vec![0; table.digits.len()];
        for column in 0..table.columns.len() {
            control.spend(15 * table.area as u64)?;
            for cell in 0..table.area {
                let value = table.get_cell(column, cell);
                if value == BEYOND {
                    continue;
                }
                table.counts_of(cell, &mut digits);
                if self.reads(column, &digits) != value {
                    let tests = self.difference(table, residuals, column, &digits);
                    if !tests.is_empty() {
                        return Ok(Some(tests));
                    }
                }
            }
        }
        Ok(None)
    }

    fn reads(&self, column: usize, digits: &[i32]) -> u8 {
        let mut state = self.starts[column];
        let most = digits.iter().fold(0, |all, &x| all | x);
        let mut place = 0;
        while most >> place > 0 {
            state = self.next[state as usize][bits(digits, place)];
            place += 1;
        }
        self.outcomes[state as usize]
    }

    /// Finds the first place of a misread cell where the residual and its state's residual differ.
    fn difference(
        &self,
        table: &Table,
        residuals: &[Residual],
        column: usize,
        digits: &[i32],
    ) -> Vec<Vec<i32>> {
        let mut reached = Residual {
            column,
            depth: 0,
            read: vec![0; digits.len()],
        };
        let mut state = self.starts[column];
        for place in 0..31 {
            let rest: Vec<i32> = digits.iter().map(|&x| x >> place).collect();
            let (here, there) = (
                reached.at(table, &rest),
                residuals[state as usize].at(table, &rest),
            );
            if here != BEYOND && there != BEYOND && here != there {
                return vec![rest];
            }
            if rest.iter().all(|&x| x == 0) {
                break;
            }
            let next = bits(digits, place);
            reached = residuals[state as usize].after(next);
            state = self.next[state as usize][next];
        }
        Vec::new()
    }
}

/// Returns one binary digit of each count.
fn bits(digits: &[i32], place: u32) -> usize {
    let bits = digits.iter().enumerate();
    bits.map(|(digit, &x)| ((x >> place & 1) as usize) << digit)
        .sum()
}

impl Residual {
    fn at(&self, table: &Table, rest: &[i32]) -> u8 {
        let mut counts = [0; MAX_DIGITS];
        for ((count, &z), &r) in counts.iter_mut().zip(rest).zip(&self.read) {
            *count = (z << self.depth) + r;
        }
        table.get(self.column, &counts[..rest.len()])
    }

    fn after(&self, bits: usize) -> Self {
        let read = self.read.iter().enumerate();
        Self {
            column: self.column,
            depth: self.depth + 1,
            read: read
                .map(|(digit, &r)| r + (((bits >> digit & 1) as i32) << self.depth))
                .collect(),
        }
    }
}

impl Learner<'_> {
    fn automaton(&mut self, control: &mut Control) -> Result<Automaton, LearnError> {
        let digits = self.table.digits.len();
        let mut starts = Vec::new();
        for column in 0..self.table.columns.len() {
            let residual = Residual {
                column,
                depth: 0,
                read: vec![0; digits],
            };
            starts.push(self.state(residual, control)?);
        }
        let mut next: Vec<Vec<u32>> = Vec::new();
        while next.len() < self.residuals.len() {
            if self.residuals.len() > MAX_STATES {
                return Err(LearnError::TooManyStates);
            }
            let mut row = Vec::new();
            for bits in 0..1_usize << digits {
                let residual = self.residuals[next.len()].after(bits);
                row.push(self.state(residual, control)?);
            }
            next.push(row);
        }
        Ok(Automaton {
            outcomes: self.seen.iter().map(|seen| seen[0]).collect(),
            next,
            starts,
        })
    }

    fn state(&mut self, residual: Residual, control: &mut Control) -> Result<u32, LearnError> {
        control.spend(10 * self.tests.len() as u64)?;
        if residual.depth > MAX_DEPTH {
            return Err(LearnError::TableTooSmall);
        }
        let seen: Vec<u8> = self
            .tests
            .iter()
            .map(|test| residual.at(self.table, test))
            .collect();
        // The tests begin with the counts below 2: without their outcomes the state is unknown.
        if seen[..1 << residual.read.len()].contains(&BEYOND) {
            return Err(LearnError::TableTooSmall);
        }
        for (state, known) in (0..).zip(&self.seen) {
            let common = known
                .iter()
                .zip(&seen)
                .take_while(|&(&a, &b)| a == b || a == BEYOND || b == BEYOND)
                .count();
            control.spend(5 + common as u64)?;
            if common == seen.len() {
                return Ok(state);
            }
        }
        self.residuals.push(residual);
        self.seen.push(seen);
        Ok(self.seen.len() as u32 - 1)
    }
}

/// Returns all vectors with entries below `side`, vectors of smaller greatest entry first.
fn boxes(digits: usize, side: i32) -> Vec<Vec<i32>> {
    let mut vectors = vec![Vec::new()];
    for _ in 0..digits {
        vectors = vectors
            .iter()
            .flat_map(|v: &Vec<i32>| {
                (0..side).map(|x| v.iter().copied().chain([x]).collect::<Vec<i32>>())
            })
            .collect();
    }
    vectors.sort_by_key(|v| v.iter().copied().max());
    vectors
}
