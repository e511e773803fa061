//! CSV: each table in a file of its own, in the form of RFC 4180, in UTF-8 with a heading.
//!
//! An empty cell is nothing between two commas.

use misere_report::completeness::Completeness;

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
        let names: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
        file.text(&format!("{}\r\n", names.join(",")))?;
        files.0.push((table.name, file));
    }
    let counts = fill(source, statement, which, &mut files)?;
    files.0.into_iter().try_for_each(|(_, file)| file.close())?;
    Ok(counts)
}

struct Files(Vec<(&'static str, Output)>);

impl Rows for Files {
    fn row(&mut self, table: &Table, cells: &[Cell]) -> Result<(), ExportError> {
        let mut line = String::new();
        for (at, cell) in cells.iter().enumerate() {
            if at > 0 {
                line.push(',');
            }
            match cell {
                Cell::Empty => {}
                Cell::Integer(number) => line.push_str(&number.to_string()),
                Cell::Text(text) => line.push_str(&field(text)),
            }
        }
        line.push_str("\r\n");
        let mut files = self.0.iter_mut();
        match files.find(|(name, _)| *name == table.name) {
            Some((_, file)) => file.text(&line),
            None => Ok(()),
        }
    }
}

/// Writes a field, quoted where it would otherwise be misread.
fn field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) || text.is_empty() {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("0.77"), "0.77");
        assert_eq!(field("{*2,0}"), "\"{*2,0}\"");
        assert_eq!(field("say \"a\""), "\"say \"\"a\"\"\"");
        assert_eq!(field(""), "\"\"");
    }
}
