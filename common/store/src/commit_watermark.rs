//! The note of the progress of writing a census, stored apart from the log of the database.
//!
//! RocksDB reads its log up to the first damage. A log that a killed process left unfinished and a
//! log that was damaged later look the same from within: both end early, and the entries after the
//! end are silently lost. So the store records, in the file `db/commits` beside the log, the
//! sequence number that each durable write has reached.
//!
//! - The note is written after the log was synced, so it never names a commit that the disk does
//!   not have. A census whose log ends before the note has lost commits for certain
//!   ([`StoreError::CommitsLost`]).
//! - A process that is killed between the two leaves a note that is one write behind. An unfinished
//!   end of the log is never in the note, and is harmless as before.
//! - The note itself is not synced with every commit, which would double the cost of one. After a
//!   loss of power the note may be some seconds old. A log that lost its very last commits just
//!   then cannot be distinguished from one that never had them. The note is synced when a census is
//!   opened and when it is closed.
//! - Beside the sequence number the note has the [extent](super::extent) of the list of tables and
//!   of the earlier logs, since RocksDB does not notice the loss of their ends either.
//! - A copy of the directory may share its files (`cp -al`). Once a census is opened, RocksDB
//!   writes only into new files, and so does the note: it is overwritten in place only while no
//!   other directory has it.
//!
//! A census of an earlier release, and a copy that was interrupted, have no note. Their log may end
//! unfinished, but must not be damaged before its end. From the first opening for writing on there
//! is a note.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use misere_census::input_file;
use rocksdb::DB;

use super::StoreError;
use super::directory::{CURRENT, DATABASE, is_between_renames};
use super::extent::Extent;

/// The name of the note in the directory of the database.
///
/// RocksDB ignores files that are not its own.
const NAME: &str = "commits";
/// The name of a note that will replace another.
const UNFINISHED: &str = "commits.part";

/// The first words of the note.
const TITLE: &str = "misere commits 2";
/// The first words of the note of earlier releases, which does not state the lengths of the files.
const TITLE_OF_1: &str = "misere commits 1";

/// The last durable write of a census.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CommitWatermark {
    /// The sequence number of the last durable write.
    pub(super) sequence: u64,
    /// The number of records at that time.
    pub(super) records: u64,
    /// The extent of the files at that time.
    pub(super) extent: Extent,
}

impl CommitWatermark {
    /// Returns the text of the note.
    ///
    /// Its length does not depend on the numbers, so that the note is overwritten in place.
    fn text(self) -> String {
        let Extent {
            manifest,
            manifest_bytes,
            oldest_log,
            newest_log,
            logs_bytes,
        } = self.extent;
        let mut facts = TITLE.to_owned();
        for number in [
            self.sequence,
            self.records,
            manifest,
            manifest_bytes,
            oldest_log,
            newest_log,
            logs_bytes,
        ] {
            facts.push_str(&format!(" {number:020}"));
        }
        sealed(&facts)
    }

    fn read(text: &str) -> Option<Self> {
        let (is_of_1, numbers) = match text.strip_prefix(TITLE) {
            Some(numbers) => (false, numbers),
            None => (true, text.strip_prefix(TITLE_OF_1)?),
        };
        let mut numbers = numbers.split_ascii_whitespace();
        let mut number = || -> Option<u64> { numbers.next()?.parse().ok() };
        let mut reached = Self {
            sequence: number()?,
            records: number()?,
            extent: Extent::default(),
        };
        if is_of_1 {
            let facts = format!(
                "{TITLE_OF_1} {:020} {:020}",
                reached.sequence, reached.records
            );
            return (sealed(&facts) == text).then_some(reached);
        }
        reached.extent = Extent {
            manifest: number()?,
            manifest_bytes: number()?,
            oldest_log: number()?,
            newest_log: number()?,
            logs_bytes: number()?,
        };
        (reached.text() == text).then_some(reached)
    }
}

/// Returns a line of facts with their checksum.
fn sealed(facts: &str) -> String {
    let hash = blake3::hash(facts.as_bytes()).to_hex();
    format!("{facts} {}\n", &hash[..16])
}

/// The note of a census that is open for writing.
#[derive(Debug)]
pub(super) struct Note {
    database: PathBuf,
    /// The file, and the extent of the files at the last write.
    written: Mutex<(File, Extent)>,
}

impl Note {
    /// Opens the note of a census in a directory, or begins a new one.
    ///
    /// It is always a new file, so a copy that shared the old one keeps its content.
    ///
    /// The census is checked already, and the database not yet open. So the list of tables is
    /// complete, and a note without its length gets the length now: a process that is killed while
    /// it opens the database leaves tables that the list does not name.
    pub(super) fn open(dir: &Path) -> Result<Self, StoreError> {
        let database = dir.join(DATABASE);
        let path = database.join(NAME);
        let open = || -> io::Result<File> {
            std::fs::create_dir_all(&database)?;
            let mut reached = noted(dir).unwrap_or_default();
            if reached.extent.manifest == 0 {
                reached.extent = Extent::on_disk(&database);
            }
            fresh(&database, reached)
        };
        let file = open().map_err(|source| StoreError::directory(path, source))?;
        Ok(Self {
            database,
            written: Mutex::new((file, Extent::default())),
        })
    }

    /// Records how far the database is durable.
    pub(super) fn write(&self, db: &DB, records: u64) {
        let mut written = self.lock();
        let extent = Extent::of(db, written.1);
        let reached = CommitWatermark {
            sequence: db.latest_sequence_number(),
            records,
            extent,
        };
        written.1 = extent;
        // The commit is durable anyway; an older note only states less.
        if let Err(error) = replace(&mut written.0, db.path(), reached) {
            tracing::debug!(%error, "cannot note how far the census was written");
        }
    }

    /// Records how far the database of a copy is durable.
    pub(super) fn write_of_copy(&self, reached: CommitWatermark) {
        let reached = CommitWatermark {
            extent: Extent::on_disk(&self.database),
            ..reached
        };
        // As above.
        let _ = replace(&mut self.lock().0, &self.database, reached);
    }

    /// Makes the note durable.
    pub(super) fn sync(&self) {
        // As above.
        let _ = self.lock().0.sync_data();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, (File, Extent)> {
        let written = self.written.lock();
        // A panic leaves an older note.
        written.unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Makes a new file with the note, and replaces the old one.
fn fresh(database: &Path, reached: CommitWatermark) -> io::Result<File> {
    let unfinished = database.join(UNFINISHED);
    let mut options = File::options();
    // A killed process left the file, and a copy may share it.
    match std::fs::remove_file(&unfinished) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let file = options.create_new(true).write(true).open(&unfinished)?;
    file.write_all_at(reached.text().as_bytes(), 0)?;
    file.sync_all()?;
    std::fs::rename(&unfinished, database.join(NAME))?;
    // If directories cannot be synced, the system takes care of it.
    let _ = File::open(database).and_then(|dir| dir.sync_all());
    Ok(file)
}

/// Overwrites the note, or makes a new one if another directory shares the file.
fn replace(file: &mut File, database: &Path, reached: CommitWatermark) -> io::Result<()> {
    if file.metadata()?.nlink() == 1 {
        return file.write_all_at(reached.text().as_bytes(), 0);
    }
    *file = fresh(database, reached)?;
    Ok(())
}

impl Drop for Note {
    fn drop(&mut self) {
        self.sync();
    }
}

/// Returns the contents of the note of a census; `None` if no note can be read.
pub(super) fn noted(dir: &Path) -> Option<CommitWatermark> {
    let text = input_file::read_text(&dir.join(DATABASE).join(NAME), input_file::SMALL).ok()?;
    CommitWatermark::read(&text)
}

/// The files of a database that show whether there was a census.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Survey {
    /// Whether the file that RocksDB begins with exists.
    pub(super) has_current: bool,
    /// Whether there are tables, or a log that is not empty.
    pub(super) has_data: bool,
}

/// Surveys the files of a database.
pub(super) fn survey(dir: &Path) -> Survey {
    let mut survey = Survey::default();
    let Ok(entries) = std::fs::read_dir(dir.join(DATABASE)) else {
        return survey;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_kind = |kind: &str| path.extension() == Some(OsStr::new(kind));
        let has_bytes = || entry.metadata().is_ok_and(|about| about.len() > 0);
        survey.has_current |= entry.file_name() == CURRENT;
        survey.has_data |= is_kind("sst") || is_kind("log") && has_bytes();
    }
    survey
}

/// Reports whether the database of a census has any file.
pub(super) fn has_files(dir: &Path) -> bool {
    survey(dir) != Survey::default() || noted(dir).is_some()
}

/// Reports whether the note states that entries were written.
pub(super) fn had_data(dir: &Path) -> bool {
    noted(dir).is_some_and(|noted| noted.sequence > 0)
}

/// Returns the reason why a database has no readable census, although no commit was lost.
pub(super) fn missing(dir: &Path) -> StoreError {
    if is_between_renames(dir) {
        return StoreError::Broken {
            path: dir.to_owned(),
            what: "a repair of it was broken off at its end; `misere census run` goes on"
                .to_owned(),
        };
    }
    if let Some(noted) = noted(dir).filter(|noted| noted.records > 0) {
        return StoreError::Broken {
            path: dir.to_owned(),
            what: format!(
                "{} records were there, and not even its plan can be read",
                noted.records
            ),
        };
    }
    match survey(dir).has_data {
        true => StoreError::BrokenOff(dir.to_owned()),
        false => StoreError::Missing(dir.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read_as_they_were_written_or_not_at_all() {
        let reached = CommitWatermark {
            sequence: 123_456,
            records: 55,
            extent: Extent {
                manifest: 5,
                manifest_bytes: 1_234,
                oldest_log: 4,
                newest_log: 9,
                logs_bytes: 77,
            },
        };
        let text = reached.text();
        assert_eq!(CommitWatermark::read(&text), Some(reached));
        assert_eq!(text.len(), CommitWatermark::default().text().len());
        for at in 0..text.len() {
            let mut other = text.clone().into_bytes();
            other[at] ^= 1;
            let other = String::from_utf8(other).unwrap();
            assert_eq!(CommitWatermark::read(&other), None, "{other}");
            assert_eq!(CommitWatermark::read(&text[..at]), None);
        }
        let earlier = "misere commits 1 00000000000000000042 00000000000000000007 ";
        let hash = blake3::hash(earlier.trim_end().as_bytes()).to_hex();
        let read = CommitWatermark::read(&format!("{earlier}{}\n", &hash[..16])).unwrap();
        assert_eq!((read.sequence, read.records), (42, 7));
        assert_eq!(read.extent, Extent::default());
    }
}
