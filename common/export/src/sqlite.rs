//! SQLite: the tables in one database, with views for frequent queries.
//!
//! The content is a function of the census. So are the bytes, except for those that SQLite itself
//! writes: the version of the library is in the header (bytes 96 to 99). `user_version` is the
//! schema, `application_id` marks the file as ours.
//!
//! Each table is a tree in the order of its key. A row that comes in another order lands in another
//! page of a tree that does not fit in a cache. Octal codes come in the order of the keys except
//! for a few runs, one for each number of digits, so their rows are written side by side. Codes of
//! other kinds come in the order of their lengths, and aliases in the order of their rulesets.
//! These tables are filled last, sorted, from unsorted rows in a file of their own, which is then
//! deleted.

use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, ToSql, params_from_iter};

use misere_census::Listing;
use misere_report::completeness::Completeness;

use super::filling::{Rows, fill};
use super::staging::Staging;
use super::table::{
    ALIAS_PARTIALS, ALIAS_PHI, ALIASES, CLASSES, Cell, Kind, META, TABLES, Table, Tables,
};
use super::{Counts, ExportError, SCHEMA, Source};

/// The database among the files of the export.
pub const FILE: &str = "census.sqlite";

/// The application id `MisQ` in the header of the database.
pub const APPLICATION: u32 = u32::from_be_bytes(*b"MisQ");

/// The file of the rows that are to be sorted, while the database is written.
const UNSORTED: &str = "unsorted.sqlite";

/// The tables whose rows never come in the order of their keys.
const OF_ALIASES: [&str; 3] = [ALIASES.name, ALIAS_PARTIALS.name, ALIAS_PHI.name];

/// The tables whose rows always come in the order of their keys.
const IN_ORDER: [&str; 2] = [META.name, CLASSES.name];

/// The views for frequent queries.
const VIEWS: &str = include_str!("views.sql");

/// Writes the database.
pub(super) fn write(
    source: &Source<'_>,
    statement: &Completeness,
    which: Tables,
    staging: &mut Staging,
) -> Result<Counts, ExportError> {
    let connection = Connection::open(staging.path(FILE))?;
    // No other process sees the file before it is finished, and an unfinished one is deleted.
    connection.execute_batch(&format!(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA encoding = 'UTF-8'; PRAGMA page_size = 4096;
         PRAGMA cache_size = -{CACHE_KIB}; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA};"
    ))?;
    let unsorted = staging.path(UNSORTED);
    connection.execute("ATTACH ? AS unsorted", [unsorted.to_string_lossy()])?;
    connection.execute_batch(
        "PRAGMA unsorted.journal_mode = OFF; PRAGMA unsorted.synchronous = OFF; BEGIN;",
    )?;
    for table in TABLES {
        connection.execute_batch(&definition(table))?;
    }
    let is_family = is_family(source);
    let is_sorted_last = |table: &Table| match is_family {
        true => OF_ALIASES.contains(&table.name),
        false => !IN_ORDER.contains(&table.name),
    };
    let sorted_last = || TABLES.iter().filter(|table| is_sorted_last(table));
    for table in sorted_last() {
        connection.execute_batch(&heap(table))?;
    }
    let mut tables = Database(Vec::new());
    for table in TABLES {
        let database = if is_sorted_last(table) {
            "unsorted"
        } else {
            "main"
        };
        let insertion = connection.prepare(&insertion(table, database))?;
        tables.0.push((table.name, insertion));
    }
    let counts = fill(source, statement, which, &mut tables)?;
    drop(tables);
    for table in sorted_last() {
        source.listen()?;
        connection.execute_batch(&sorting(table))?;
    }
    connection.execute_batch(VIEWS)?;
    connection.execute_batch("COMMIT; DETACH unsorted;")?;
    connection.close().map_err(|(_, error)| error)?;
    staging.remove(UNSORTED)?;
    Ok(counts)
}

/// The memory for pages of the database, in KiB.
const CACHE_KIB: u32 = 32 << 10;

/// Reports whether the census has all codes of one kind with a given number of digits.
fn is_family(source: &Source<'_>) -> bool {
    let listing = source.store.plan().space().listing();
    !matches!(listing, Listing::Codes(_) | Listing::BornByFive(_))
}

/// Returns the columns that make the key of a table.
fn key(table: &Table) -> String {
    let key = table.columns[..table.key].iter();
    key.map(|column| column.name).collect::<Vec<_>>().join(", ")
}

/// Returns the definition of the unsorted rows of a table that is sorted last.
fn heap(table: &Table) -> String {
    let columns = table.columns.iter();
    let columns: Vec<&str> = columns.map(|column| column.name).collect();
    format!(
        "CREATE TABLE unsorted.{} ({});",
        table.name,
        columns.join(", ")
    )
}

/// Returns the statement that fills a table from its unsorted rows.
fn sorting(table: &Table) -> String {
    let name = table.name;
    format!(
        "INSERT INTO main.{name} SELECT * FROM unsorted.{name} ORDER BY {};",
        key(table)
    )
}

/// Returns the definition of a table in SQL.
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
    parts.push(format!("PRIMARY KEY ({})", key(table)));
    if let Some((column, other, there)) = table.refers {
        parts.push(format!(
            "FOREIGN KEY ({column}) REFERENCES {other} ({there}) DEFERRABLE INITIALLY DEFERRED"
        ));
    }
    format!(
        "CREATE TABLE main.{} (\n  {}\n) STRICT, WITHOUT ROWID;",
        table.name,
        parts.join(",\n  ")
    )
}

/// Returns the statement that puts a row into a table of a database.
fn insertion(table: &Table, database: &str) -> String {
    let places = vec!["?"; table.columns.len()];
    format!(
        "INSERT INTO {database}.{} VALUES ({})",
        table.name,
        places.join(", ")
    )
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
