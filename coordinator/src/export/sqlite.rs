//! SQLite: the tables in one database, with views for what is asked often.
//!
//! The content is a function of the census. So are the bytes, but for what SQLite itself writes: the version of the library stands in the
//! header (bytes 96 to 99). `user_version` is the schema, `application_id` marks the file as ours.

use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, ToSql, params_from_iter};

use super::filling::{Rows, fill};
use super::staging::Staging;
use super::table::{Cell, Kind, TABLES, Table, Tables};
use super::{Counts, ExportError, SCHEMA, Source};
use crate::completeness::Completeness;

/// The database among the files of the export.
pub const FILE: &str = "census.sqlite";

/// `MisQ`, in the header of the database.
pub const APPLICATION: u32 = u32::from_be_bytes(*b"MisQ");

/// What is asked often.
const VIEWS: &str = include_str!("views.sql");

/// Writes the database.
pub(super) fn write(
    source: &Source<'_>,
    statement: &Completeness,
    which: Tables,
    staging: &mut Staging,
) -> Result<Counts, ExportError> {
    let connection = Connection::open(staging.path(FILE))?;
    // Nobody else sees the file before it is finished, and what is not finished is thrown away.
    connection.execute_batch(&format!(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA encoding = 'UTF-8'; PRAGMA page_size = 4096;
         PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA}; BEGIN;"
    ))?;
    for table in TABLES {
        connection.execute_batch(&definition(table))?;
    }
    let inserts = TABLES.map(|table| (table.name, connection.prepare(&insertion(table))));
    let mut tables = Database(Vec::new());
    for (name, insert) in inserts {
        tables.0.push((name, insert?));
    }
    let counts = fill(source, statement, which, &mut tables)?;
    drop(tables);
    connection.execute_batch(VIEWS)?;
    connection.execute_batch("COMMIT;")?;
    connection.close().map_err(|(_, error)| error)?;
    Ok(counts)
}

/// The table in SQL.
fn definition(table: &Table) -> String {
    let mut parts: Vec<String> = Vec::new();
    for column in table.columns {
        let name = column.name;
        let not_null = if column.optional { "" } else { " NOT NULL" };
        parts.push(match column.kind {
            Kind::Integer => format!("{name} INTEGER{not_null}"),
            Kind::Text => format!("{name} TEXT{not_null}"),
            Kind::Truth => format!("{name} INTEGER{not_null} CHECK ({name} IN (0, 1))"),
        });
    }
    let key: Vec<&str> = table.columns[..table.key]
        .iter()
        .map(|column| column.name)
        .collect();
    parts.push(format!("PRIMARY KEY ({})", key.join(", ")));
    if let Some((column, other, there)) = table.refers {
        parts.push(format!(
            "FOREIGN KEY ({column}) REFERENCES {other} ({there}) DEFERRABLE INITIALLY DEFERRED"
        ));
    }
    format!(
        "CREATE TABLE {} (\n  {}\n) STRICT, WITHOUT ROWID;",
        table.name,
        parts.join(",\n  ")
    )
}

fn insertion(table: &Table) -> String {
    let places = vec!["?"; table.columns.len()];
    format!("INSERT INTO {} VALUES ({})", table.name, places.join(", "))
}

struct Database<'a>(Vec<(&'static str, rusqlite::Statement<'a>)>);

impl Rows for Database<'_> {
    fn row(&mut self, table: &Table, cells: &[Cell]) -> Result<(), ExportError> {
        let mut inserts = self.0.iter_mut();
        if let Some((_, insert)) = inserts.find(|(name, _)| *name == table.name) {
            insert.execute(params_from_iter(cells))?;
        }
        Ok(())
    }
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Empty => Ok(ToSqlOutput::Owned(rusqlite::types::Value::Null)),
            Self::Integer(number) => number.to_sql(),
            Self::Text(text) => text.to_sql(),
        }
    }
}
