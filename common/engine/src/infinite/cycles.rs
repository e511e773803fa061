//! The choice of the levels whose counts cycle; the others are digits.
//!
//! At first only the greatest level is a digit and all others are assumed to cycle as they did
//! without it. The table shows where a cycle fails in the presence of the greatest level. Then its
//! index is raised, and a level whose index rises beyond [`LATEST`] becomes a digit.

use misere_game::control::{Control, Stop};

use super::reading::Reading;
use super::system::System;
use super::table::{MAX_COLUMNS, MAX_DIGITS, Table};

/// The greatest index of a cycle.
const LATEST: i32 = 4;
/// The greatest count of the greatest digit that is examined, by the number of digits.
const SIZES: [i32; MAX_DIGITS + 1] = [0, 14, 18, 12, 8];
/// The greatest number of cells of a table.
const MAX_CELLS: usize = 20_000_000;

/// The result of the choice: readings that fit the table, or the reason why there are none.
pub(super) enum Choice {
    /// The readings of the counts of all levels, in the order of the levels.
    Readings(Vec<Reading>),
    /// A heap that may not be played as its word.
    NotItsWord(u32),
    /// Too many levels seem to be digits.
    TooManyDigits,
}

/// Chooses for each level whether its count cycles or is a digit.
pub(super) fn choose(system: &System, control: &mut Control) -> Result<Choice, Stop> {
    let Some(greatest) = system.levels.len().checked_sub(1) else {
        return Ok(Choice::TooManyDigits);
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
        let Some((mut table, mut broken)) = look(system, &readings, control)? else {
            return Ok(Choice::TooManyDigits);
        };
        if broken.is_empty() {
            return Ok(match table.unsound_word(system, control)? {
                Some(heap) => Choice::NotItsWord(heap),
                None => Choice::Readings(readings),
            });
        }
        // Let the cycles begin as late as possible, all at once or, if that is too much, the
        // greatest alone, and test again.
        let before = readings.clone();
        let late = broken.clone();
        begin_at(&mut readings, &late, LATEST);
        let late = if Table::columns_to_look_at(&readings) > MAX_COLUMNS {
            readings = before.clone();
            let greatest = late[late.len() - 1..].to_vec();
            begin_at(&mut readings, &greatest, LATEST);
            greatest
        } else {
            late
        };
        let Some(again) = look(system, &readings, control)? else {
            return Ok(Choice::TooManyDigits);
        };
        (table, broken) = again;
        broken.retain(|level| late.contains(level));
        if let Some(&grown) = broken.last() {
            readings = before;
            readings[grown] = Reading::Digits;
            continue;
        }
        for &level in &late {
            let least = table.least_index(level, control)?;
            begin_at(&mut readings, &[level], least);
        }
        if readings == before {
            // The cycles were broken by outcomes that the greater table does not know.
            begin_later(&mut readings, &late);
        }
    }
}

/// Returns the table to judge cycles by, with the levels whose cycles do not hold.
fn look(
    system: &System,
    readings: &[Reading],
    control: &mut Control,
) -> Result<Option<(Table, Vec<usize>)>, Stop> {
    let digits = readings.iter().filter(|&&r| r == Reading::Digits).count();
    let Some(&size) = SIZES.get(digits) else {
        return Ok(None);
    };
    let sides = system.sides(readings, size);
    let Some(table) = Table::new(system, readings, sides, MAX_CELLS, control)? else {
        return Ok(None);
    };
    let broken = table.broken_cycles(system, control)?;
    Ok(Some((table, broken)))
}

fn begin_at(readings: &mut [Reading], levels: &[usize], at: i32) {
    for &level in levels {
        if let Reading::Cycle { index, .. } = &mut readings[level] {
            *index = at;
        }
    }
}

/// Lets the cycles of `broken` begin one later, and returns the levels for which that is too late.
pub(super) fn begin_later(readings: &mut [Reading], broken: &[usize]) -> Vec<usize> {
    let mut grown = Vec::new();
    for &level in broken {
        if let Reading::Cycle { index, .. } = &mut readings[level] {
            *index += 1;
            if *index > LATEST {
                grown.push(level);
            }
        }
    }
    grown
}
