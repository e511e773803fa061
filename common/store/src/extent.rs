//! The extent of the files of a database: its list of tables, and the logs before the newest.
//!
//! RocksDB reads its list of tables, the MANIFEST, up to the first damage, and deletes every table
//! that the list does not name. To RocksDB a MANIFEST that lost its end is a shorter list, and the
//! contents of the other tables are gone for good. The same holds for a log that is not the newest:
//! the number of the last write is found in a later log, which is complete.
//!
//! So the note of a census ([`commit_watermark`](super::commit_watermark)) also records the length of the
//! MANIFEST, and of those logs before the newest that were still needed. A MANIFEST only grows,
//! until another of a greater number replaces it. Logs before the newest do not change, and are
//! deleted only after the MANIFEST has grown.

use std::ffi::OsStr;
use std::os::unix::fs::FileExt;
use std::path::Path;

use misere_census::input_file;
use rocksdb::DB;
use rocksdb::properties::MIN_LOG_NUMBER_TO_KEEP;

use super::directory::CURRENT;

/// The prefix of the name of a list of tables.
const MANIFEST: &str = "MANIFEST-";

/// The extent of the files of a database. Zero is a file that did not exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// The number of the list of tables.
    pub(super) manifest: u64,
    /// The length of the list of tables.
    pub(super) manifest_bytes: u64,
    /// The number of the oldest log that is needed.
    pub(super) oldest_log: u64,
    /// The number of the newest log.
    pub(super) newest_log: u64,
    /// The length of the logs that are needed, without the newest.
    pub(super) logs_bytes: u64,
}

impl Extent {
    /// Returns the extent of the list of tables of a database on disk.
    pub(super) fn on_disk(database: &Path) -> Self {
        let mut extent = Self::default();
        let Ok(current) = input_file::read_text(&database.join(CURRENT), input_file::SMALL) else {
            return extent;
        };
        let name = current.trim_end();
        let number = name.strip_prefix(MANIFEST).map(str::parse);
        if let (Some(Ok(number)), Ok(about)) = (number, std::fs::metadata(database.join(name))) {
            (extent.manifest, extent.manifest_bytes) = (number, about.len());
        }
        extent
    }

    /// Returns the extent of the files of an open database.
    ///
    /// `before` is an extent seen earlier: the logs are read only if something has changed.
    pub(super) fn of(db: &DB, before: Self) -> Self {
        let database = db.path();
        // Read the list first: a file that is no longer needed later was needed by it.
        let mut extent = Self::on_disk(database);
        let oldest = db.property_int_value(MIN_LOG_NUMBER_TO_KEEP);
        extent.oldest_log = oldest.ok().flatten().unwrap_or(0);
        let list = |it: Self| (it.manifest, it.manifest_bytes, it.oldest_log);
        if list(extent) == list(before) {
            return before;
        }
        let logs = logs(database);
        let needed = logs.range(extent.oldest_log..);
        extent.newest_log = logs.keys().next_back().copied().unwrap_or(0);
        let closed = needed.filter(|&(&number, _)| number < extent.newest_log);
        extent.logs_bytes = closed.map(|(_, bytes)| bytes).sum();
        extent
    }

    /// Returns the part that a database on disk has lost since it had this extent.
    ///
    /// Returns `None` if nothing is missing.
    pub(super) fn lost(self, database: &Path) -> Option<String> {
        if self.manifest == 0 {
            return None;
        }
        let now = Self::on_disk(database);
        // RocksDB itself reports a list that cannot be found.
        if now.manifest == 0 || now.manifest > self.manifest {
            return None;
        }
        let name = format!("{MANIFEST}{:06}", now.manifest);
        if now.manifest < self.manifest {
            let noted = format!("{MANIFEST}{:06}", self.manifest);
            return Some(format!(
                "its list of tables is the older {name}, and not {noted}"
            ));
        }
        if now.manifest_bytes < self.manifest_bytes {
            let missing = self.manifest_bytes - now.manifest_bytes;
            return Some(format!(
                "its list of tables, {name}, lost the last {missing} of {} bytes",
                self.manifest_bytes
            ));
        }
        if now.manifest_bytes > self.manifest_bytes {
            return None;
        }
        let logs = logs(database);
        let closed = logs.range(self.oldest_log..self.newest_log.max(self.oldest_log));
        let bytes: u64 = closed.map(|(_, bytes)| bytes).sum();
        (bytes < self.logs_bytes).then(|| {
            let missing = self.logs_bytes - bytes;
            format!(
                "its earlier logs lost {missing} of {} bytes",
                self.logs_bytes
            )
        })
    }
}

/// The last eight bytes of a table that is complete.
const END_OF_TABLE: [u8; 8] = 0x88e2_41b7_85f4_cff7_u64.to_le_bytes();

/// Returns a complete table that an open database does not name.
///
/// Such a table shows that the list of tables lost its end, if the length of the list is unknown.
///
/// A process that is killed leaves incomplete tables. It leaves complete ones only while it merges
/// tables into others, or between the end of a table and its entry in the list.
pub(super) fn unnamed_table(db: &DB) -> Option<String> {
    let named = db.live_files().ok()?;
    let is_named = |name: &str| {
        let mut named = named.iter();
        named.any(|table| table.name.trim_start_matches('/') == name)
    };
    let entries = std::fs::read_dir(db.path()).ok()?.flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut others = names.filter(|name| name.ends_with(".sst") && !is_named(name));
    others.find(|name| is_complete_table(&db.path().join(name)))
}

/// Reports whether a file ends as tables do.
fn is_complete_table(path: &Path) -> bool {
    let end = || -> std::io::Result<[u8; 8]> {
        let file = std::fs::File::open(path)?;
        let mut end = [0; 8];
        let at = file.metadata()?.len().saturating_sub(8);
        file.read_exact_at(&mut end, at)?;
        Ok(end)
    };
    end().is_ok_and(|end| end == END_OF_TABLE)
}

/// Returns the lengths of the logs of a database, by their numbers.
fn logs(database: &Path) -> std::collections::BTreeMap<u64, u64> {
    let entries = std::fs::read_dir(database).into_iter().flatten().flatten();
    let logs = entries.filter_map(|entry| {
        let path = entry.path();
        let number = path.file_stem()?.to_str()?.parse().ok()?;
        let is_log = path.extension() == Some(OsStr::new("log"));
        is_log.then_some((number, entry.metadata().ok()?.len()))
    });
    logs.collect()
}
