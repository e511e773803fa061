//! The data of a sheet as CSV (RFC 4180): a heading, and a line for each item.

use super::{Cell, Grid};
use crate::csv_line;

/// Formats the lines.
pub(crate) fn lines(grid: &Grid) -> String {
    let mut csv = csv_line(&grid.head, "\n");
    for row in &grid.rows {
        csv.push_str(&csv_line(row.iter().map(Cell::whole), "\n"));
    }
    csv
}
