//! Which finite automaton reads the counts of the digits as the table does?
//!
//! A state is a **residual**: what `z ↦ outcome at (column, 2^j·z + r)` is for the counts `z` still to be read, after `j` binary digits
//! that were `r`. Two residuals are taken for one state if they agree on all of a box of tests that the table reaches. The
//! result is a guess.

use super::table::{BEYOND, Table};
use crate::control::{Control, Stop};

/// The most states of an automaton that is worth the trouble.
const MOST_STATES: usize = 3_000;

/// An automaton: at each state what was seen at its end, and the next state for each letter.
pub(super) struct Automaton {
    pub(super) outcomes: Vec<u8>,
    pub(super) next: Vec<Vec<u32>>,
    /// For each column of the table the state at which it begins.
    pub(super) starts: Vec<u32>,
}

/// Why no automaton was learnt.
#[derive(Debug)]
pub(super) enum NotLearnt {
    /// The table would have to be larger.
    TableTooSmall,
    TooManyStates,
    Stopped(Stop),
}

impl From<Stop> for NotLearnt {
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
    tests: Vec<Vec<i32>>,
    residuals: Vec<Residual>,
    seen: Vec<Vec<u8>>,
}

pub(super) fn learn(table: &Table, control: &mut Control) -> Result<Automaton, NotLearnt> {
    let digits = table.digits.len();
    let side = [40, 40, 14, 7, 5][digits.min(4)];
    let mut learner = Learner {
        table,
        tests: boxes(digits, side),
        residuals: Vec::new(),
        seen: Vec::new(),
    };
    let mut starts = Vec::new();
    for column in 0..table.columns.len() {
        let residual = Residual {
            column,
            depth: 0,
            read: vec![0; digits],
        };
        starts.push(learner.state(residual, control)?);
    }
    let mut next: Vec<Vec<u32>> = Vec::new();
    while next.len() < learner.residuals.len() {
        if learner.residuals.len() > MOST_STATES {
            return Err(NotLearnt::TooManyStates);
        }
        let from = &learner.residuals[next.len()];
        let (column, depth, read) = (from.column, from.depth, from.read.clone());
        let mut row = Vec::new();
        for bits in 0..1_usize << digits {
            let read = read
                .iter()
                .enumerate()
                .map(|(digit, &r)| r + (((bits >> digit & 1) as i32) << depth))
                .collect();
            let residual = Residual {
                column,
                depth: depth + 1,
                read,
            };
            row.push(learner.state(residual, control)?);
        }
        next.push(row);
    }
    Ok(Automaton {
        outcomes: learner.seen.iter().map(|seen| seen[0]).collect(),
        next,
        starts,
    })
}

impl Learner<'_> {
    fn state(&mut self, residual: Residual, control: &mut Control) -> Result<u32, NotLearnt> {
        control.spend(10 * self.tests.len() as u64)?;
        let seen: Vec<u8> = self
            .tests
            .iter()
            .map(|test| {
                let at: Vec<i32> = test
                    .iter()
                    .zip(&residual.read)
                    .map(|(&z, &r)| (z << residual.depth) + r)
                    .collect();
                self.table.get(residual.column, &at)
            })
            .collect();
        // The tests begin with those of side 2: without them nothing is known.
        if seen[..1 << residual.read.len()].contains(&BEYOND) {
            return Err(NotLearnt::TableTooSmall);
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

/// All vectors with entries below `side`, those of smaller greatest entry first.
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
