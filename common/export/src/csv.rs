//! CSV: each table in a file of its own, in the form of RFC 4180, in UTF-8 with a heading.
//!
//! An empty cell is nothing between two commas.

use misere_report::completeness::Completeness;
use misere_report::csv_line;

use super::data_package;
use super::filling::{Rows, fill};
use super::staging::{Output, Staging};
use super::table::{Cell, TABLES, Table, Tables};
use super::{Counts, ExportError, Source};

/// Writes the tables.
pub(super) fn write(
    source: &Source<'_>,
    statement: &Completeness,
    which: Tables,
    staging: &mut Staging,
) -> Result<Counts, ExportError> {
    let mut files = Files(Vec::new());
    for table in TABLES {
        let mut file = staging.create(&format!("{}.csv", table.name))?;
        let names = table.columns.iter().map(|column| column.name);
        file.text(&csv_line(names, "\r\n"))?;
        files.0.push((table.name, file));
    }
    let mut description = staging.create(data_package::FILE)?;
    let package = data_package::document(&statement.plan.space);
    description.text(&format!("{package:#}\n"))?;
    description.close()?;
    let counts = fill(source, statement, which, &mut files)?;
    files.0.into_iter().try_for_each(|(_, file)| file.close())?;
    Ok(counts)
}

struct Files(Vec<(&'static str, Output)>);

impl Rows for Files {
    fn row(&mut self, table: &Table, cells: &[Cell]) -> Result<(), ExportError> {
        let fields = cells.iter().map(|cell| match cell {
            Cell::Empty => String::new(),
            Cell::Integer(number) => number.to_string(),
            Cell::Text(text) => text.clone(),
        });
        let line = csv_line(fields, "\r\n");
        let mut files = self.0.iter_mut();
        match files.find(|(name, _)| *name == table.name) {
            Some((_, file)) => file.text(&line),
            None => Ok(()),
        }
    }
}
