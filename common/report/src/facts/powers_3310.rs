//! The quotients of the games 0.(3310)^n, beside those that the papers print.
//!
//! The table is in the supplement of Plambeck and Siegel (2007), beside Figure 10. The order and
//! the period of each game of a census are compared with it.

use std::collections::BTreeMap;

use misere_census::Record;
use misere_game::ruleset::Code;
use misere_store::Store;
use serde::Deserialize;

use super::{PublishedError, ReportError};

/// The greatest n for which 0.(3310)^n has at most 255 digits.
pub const MAX_POWER: u32 = 63;

/// The part of the published tables that this report reads.
#[derive(Deserialize)]
struct Tables {
    table_3310: Table3310,
}

#[derive(Deserialize)]
struct Table3310 {
    rows: Vec<Power>,
}

#[derive(Deserialize)]
struct Power {
    code: Code,
    order: u32,
    pd: u32,
}

/// A row of the table: the game 0.(3310)^n.
#[derive(Clone, Debug)]
pub struct PowerRow {
    /// The number of repetitions.
    pub n: u32,
    /// The game.
    pub code: Code,
    /// The order and the period printed.
    pub printed: Option<(u32, u32)>,
    /// The record of the census, if it has one.
    pub record: Option<Record>,
}

impl PowerRow {
    /// Returns order, period and preperiod, if the game is solved.
    #[must_use]
    pub fn solved(&self) -> Option<(u32, u32, u32)> {
        let record = self.record.as_ref()?;
        let (period, preperiod) = record.verdict.period()?;
        Some((record.order, period, preperiod))
    }

    /// Reports whether order and period are as printed.
    ///
    /// Returns `None` if the print or the solution is missing.
    #[must_use]
    pub fn agrees(&self) -> Option<bool> {
        let (order, period, _) = self.solved()?;
        Some((order, period) == self.printed?)
    }
}

/// Returns the rows of the table of 0.(3310)^n that are printed or in the census.
///
/// The rows end at [`MAX_POWER`].
///
/// # Errors
/// [`ReportError`] if the store or the published data cannot be read.
pub fn powers(store: &Store) -> Result<Vec<PowerRow>, ReportError> {
    let tables: Tables = PublishedError::tables()?;
    let rows = tables.table_3310.rows.into_iter();
    let printed: BTreeMap<Code, (u32, u32)> =
        rows.map(|row| (row.code, (row.order, row.pd))).collect();
    let mut rows = Vec::new();
    for n in 1..=MAX_POWER {
        let Ok(code) = format!("0.(3310)^{n}").parse::<Code>() else {
            continue;
        };
        let record = store.game(&code)?.map(|game| game.record);
        let printed = printed.get(&code).copied();
        if record.is_some() || printed.is_some() {
            rows.push(PowerRow {
                n,
                code,
                printed,
                record,
            });
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_rows_are_read() {
        let tables: Tables = PublishedError::tables().unwrap();
        assert_eq!(tables.table_3310.rows.len(), 5);
    }
}
