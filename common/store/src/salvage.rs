//! The readable parts of a damaged database.
//!
//! The damaged database is not changed: RocksDB writes only into copies in `salvage/`, which share
//! the tables.
//!
//! - A database that opens, and names all tables that it must have, is read as it is; its log is
//!   read past any damage.
//! - If only the name of the list of tables is lost, the database is read by the newest list.
//! - Otherwise tables and logs are read apart. RocksDB's own repair makes a list of the tables. It
//!   drops the log entries of families that have no table, so the logs are read by the empty list
//!   of a new database with the same families. An entry in a log is newer than one in a table.

use std::path::{Path, PathBuf};

use misere_census::encoding;
use rocksdb::{DB, DBRecoveryMode, Options};
use serde::de::DeserializeOwned;

use super::StoreError;
use super::commit_watermark::noted;
use super::directory::{CURRENT, DATABASE, SALVAGE};
use super::disk::{open_database_of, open_database_read_only};
use super::extent::unnamed_table;
use super::keys::Kind;

/// The way of reading the log of a damaged database: past any damage, since the result is checked.
const SALVAGED: DBRecoveryMode = DBRecoveryMode::SkipAnyCorruptedRecord;

/// The directories of the copies, in the directory of the salvage.
const TABLES: &str = "tables";
const LOGS: &str = "logs";

/// The number that is added to the numbers of the logs.
///
/// A database reads no log that is older than its list of tables.
const LATER: u64 = 1_000_000;

/// The readable parts of a database, the newest first.
pub(super) struct SalvagedDatabase(Vec<DB>);

impl SalvagedDatabase {
    /// Opens the readable parts of the database of a census in a directory.
    ///
    /// Cost: unless the database opens, a copy of its logs, and one read of its tables.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails.
    pub(super) fn open(dir: &Path) -> Result<Self, StoreError> {
        match opened(dir, dir) {
            Ok(db) => return Ok(Self(vec![db])),
            Err(error) => tracing::warn!(
                %error,
                "the database is not whole; its tables and logs are put together again, in a copy"
            ),
        }
        let (from, salvage) = (dir.join(DATABASE), dir.join(SALVAGE));
        let cannot = |source| StoreError::directory(salvage.clone(), source);
        match std::fs::remove_dir_all(&salvage) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(cannot(error));
            }
            Ok(()) | Err(_) => {}
        }
        let whole = salvage.join(DATABASE);
        copy(&from, &whole, |_| true).map_err(cannot)?;
        let mut families: Vec<String> = Vec::new();
        if let Some(manifest) = newest_manifest(&whole) {
            std::fs::write(whole.join(CURRENT), format!("{manifest}\n")).map_err(cannot)?;
            if let Ok(db) = opened(&salvage, dir) {
                return Ok(Self(vec![db]));
            }
            families = DB::list_cf(&Options::default(), &whole).unwrap_or_default();
        }
        let mut parts = Vec::new();
        for part in [logs(&from, &salvage, families), tables(&from, &salvage)] {
            match part {
                Ok(db) => parts.extend(db),
                Err(error) => tracing::warn!(%error, "a part of the database cannot be read"),
            }
        }
        Ok(Self(parts))
    }

    /// Returns the parts, the newest first.
    pub(super) fn parts(&self) -> &[DB] {
        &self.0
    }

    /// Returns the newest bytes under a key.
    pub(super) fn bytes(&self, kind: Kind, key: &[u8]) -> Option<Vec<u8>> {
        self.0.iter().find_map(|db| bytes_of(db, kind, key))
    }

    /// Returns the newest value under a key that can be read.
    pub(super) fn value<T: DeserializeOwned>(&self, kind: Kind, key: &[u8]) -> Option<T> {
        let decode = |db| encoding::decode(kind.version(), &bytes_of(db, kind, key)?).ok();
        self.0.iter().find_map(decode)
    }
}

fn bytes_of(db: &DB, kind: Kind, key: &[u8]) -> Option<Vec<u8>> {
    let family = db.cf_handle(kind.family())?;
    db.get_cf(family, key).ok().flatten()
}

/// Returns the database in a directory, if it opens and names all of its tables.
///
/// The note of the census in `of` and the tables themselves show whether tables are missing.
fn opened(dir: &Path, of: &Path) -> Result<DB, StoreError> {
    let broken = |what: String| StoreError::Broken {
        path: of.to_owned(),
        what,
    };
    let noted = noted(of).map(|noted| noted.extent);
    if let Some(lost) = noted.and_then(|extent| extent.lost(&dir.join(DATABASE))) {
        return Err(broken(lost));
    }
    let db = open_database_read_only(dir, SALVAGED)?;
    let says_how_long = noted.is_some_and(|extent| extent.manifest > 0);
    match unnamed_table(&db).filter(|_| !says_how_long) {
        None => Ok(db),
        Some(table) => Err(broken(format!("its list of tables does not name {table}"))),
    }
}

/// Returns the tables of a database, by a list that RocksDB makes; `None` if there are none.
fn tables(from: &Path, salvage: &Path) -> Result<Option<DB>, StoreError> {
    let apart = salvage.join(TABLES);
    let to = apart.join(DATABASE);
    let cannot = |source| StoreError::directory(to.clone(), source);
    if copy(from, &to, |name| name.ends_with(".sst")).map_err(cannot)? == 0 {
        return Ok(None);
    }
    DB::repair(&Options::default(), &to)?;
    open_database_read_only(&apart, SALVAGED).map(Some)
}

/// Returns the entries in the logs of a database.
///
/// `families` are the families in the order in which they were made, as far as it is known.
fn logs(from: &Path, salvage: &Path, families: Vec<String>) -> Result<Option<DB>, StoreError> {
    let apart = salvage.join(LOGS);
    let to = apart.join(DATABASE);
    let cannot = |source| StoreError::directory(to.clone(), source);
    drop(open_database_of(&to, families)?);
    let mut are_there = false;
    for entry in std::fs::read_dir(from).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        if let Some(number) = number_of_log(&path) {
            let later = format!("{:06}.log", number.saturating_add(LATER));
            std::fs::copy(path, to.join(later)).map_err(cannot)?;
            are_there = true;
        }
    }
    match are_there {
        true => open_database_read_only(&apart, SALVAGED).map(Some),
        false => Ok(None),
    }
}

fn number_of_log(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    name.strip_suffix(".log")?.parse().ok()
}

/// Copies files of a database and returns their number. Tables, which never change, are shared.
fn copy(from: &Path, to: &Path, is_wanted: impl Fn(&str) -> bool) -> std::io::Result<u64> {
    std::fs::create_dir_all(to)?;
    let mut copied = 0;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !entry.file_type()?.is_file() || !is_wanted(&name) {
            continue;
        }
        let (path, place): (PathBuf, PathBuf) = (entry.path(), to.join(&*name));
        if !name.ends_with(".sst") || std::fs::hard_link(&path, &place).is_err() {
            std::fs::copy(path, place)?;
        }
        copied += 1;
    }
    Ok(copied)
}

/// Returns the name of the newest manifest: the file that lists the tables.
fn newest_manifest(database: &Path) -> Option<String> {
    let entries = std::fs::read_dir(database).ok()?.flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    // Their numbers have leading zeros.
    names.filter(|name| name.starts_with("MANIFEST-")).max()
}
