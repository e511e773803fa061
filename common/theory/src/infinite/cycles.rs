//! Which counts cycle, and which are digits?
//!
//! At first only the greatest level is a digit and all others are supposed to cycle as they did without it. The table shows
//! where a cycle fails with the greatest level there; its index is raised then, and a level whose index rises beyond
//! [`LATEST`] becomes a digit.

use super::system::System;
use super::table::{Reading, Table};
use crate::control::{Control, Stop};

/// The greatest index of a cycle.
const LATEST: i32 = 7;
/// The most digits.
const MOST_DIGITS: usize = 4;
/// The greatest count of the greatest digit that is looked at, by the number of digits.
const SIZES: [i32; MOST_DIGITS + 1] = [0, 24, 20, 16, 8];
/// The most cells of a table.
const MOST_CELLS: usize = 20_000_000;

/// How the count of each level is read; `None` if too many seem to be digits.
pub(super) fn choose(
    system: &System,
    control: &mut Control,
) -> Result<Option<Vec<Reading>>, Stop> {
    let Some(greatest) = system.levels.len().checked_sub(1) else {
        return Ok(None);
    };
    let at_first = |level: usize| {
        let cycle = system.cycles[level];
        Reading::Cycle {
            index: cycle.index.clamp(1, LATEST as u32) as i32,
            period: cycle.period.min(LATEST as u32) as i32,
        }
    };
    let mut readings: Vec<Reading> = (0..=greatest).map(at_first).collect();
    readings[greatest] = Reading::Digits;
    loop {
        let digits = readings.iter().filter(|&&r| r == Reading::Digits).count();
        let Some(&size) = SIZES.get(digits) else {
            return Ok(None);
        };
        let sides = system.sides(&readings, size);
        let Some(table) = Table::new(system, &readings, sides, MOST_CELLS, control)? else {
            return Ok(None);
        };
        let broken = table.broken_cycles(system, control)?;
        let mut grown = None;
        for &level in &broken {
            if let Reading::Cycle { index, .. } = &mut readings[level] {
                *index += 1;
                if *index > LATEST {
                    grown = Some(level);
                }
            }
        }
        if let Some(level) = grown {
            for (level, reading) in readings.iter_mut().enumerate() {
                if *reading != Reading::Digits {
                    *reading = at_first(level);
                }
            }
            readings[level] = Reading::Digits;
        } else if broken.is_empty() {
            return Ok(Some(readings));
        }
    }
}
