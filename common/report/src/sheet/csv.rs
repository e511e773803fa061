//! The data of a sheet as CSV (RFC 4180): a heading, and a line for each item.

use super::{Cell, Grid};
use crate::sheets::csv_field::csv_field;

/// Formats the lines.
pub(crate) fn lines(grid: &Grid) -> String {
    let line = |fields: Vec<String>| format!("{}\n", fields.join(","));
    let mut csv = line(grid.head.iter().map(|name| csv_field(name)).collect());
    for row in &grid.rows {
        csv.push_str(&line(
            row.iter()
                .map(|cell| csv_field(Cell::whole(cell)))
                .collect(),
        ));
    }
    csv
}
