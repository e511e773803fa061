//! The opening of a database after the check that no commit is missing.
//!
//! The files are compared with the note of the progress of writing
//! ([`commit_watermark`](super::commit_watermark)).

use std::path::Path;
use std::time::Duration;

use misere_census::{Plan, input_file};
use rocksdb::{DB, DBRecoveryMode};

use super::commit_watermark::{Survey, had_data, noted, survey};
use super::directory::{CURRENT, DATABASE};
use super::disk::open_database_read_only;
use super::extent::unnamed_table;
use super::keys::Meta;
use super::migrate::read_plan;
use super::value::Counters;
use super::{StoreError, meta_of};

/// The most times that a database is read before it is reported as damaged.
///
/// `READ_INTERVAL` is the time between two attempts.
const MAX_READS: u32 = 50;
const READ_INTERVAL: Duration = Duration::from_millis(20);

/// Refuses a database with a FIFO, a device or a socket in place of a file.
///
/// RocksDB would wait for a writer of the FIFO, or read a device without end.
fn refuse_special_files(dir: &Path) -> Result<(), StoreError> {
    let Ok(entries) = std::fs::read_dir(dir.join(DATABASE)) else {
        return Ok(());
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_special = |about: std::fs::Metadata| !about.is_file() && !about.is_dir();
        if std::fs::metadata(&path).is_ok_and(is_special)
            && let Err(error) = input_file::open(&path)
        {
            let name = entry.file_name();
            return Err(StoreError::Broken {
                path: dir.to_owned(),
                what: format!("its file db/{}: {error}", name.to_string_lossy()),
            });
        }
    }
    Ok(())
}

/// Checks, before a census is opened for writing, its format, its plan, and that no commit is
/// missing.
///
/// It changes nothing; opening for writing makes the families that an earlier format lacks.
///
/// Cost: the log is read once more.
pub(super) fn check_before_writing(dir: &Path, plan: &Plan) -> Result<(), StoreError> {
    refuse_special_files(dir)?;
    if survey(dir) == Survey::default() && !had_data(dir) {
        return Ok(());
    }
    // The lock of the census is held already.
    let stored = open_checked(dir, || false, |db| read_plan(&db, dir))?;
    match stored.filter(|stored| stored != plan) {
        None => Ok(()),
        Some(stored) => Err(StoreError::OtherPlan {
            path: dir.to_owned(),
            stored: Box::new(stored),
            given: Box::new(plan.clone()),
        }),
    }
}

/// Opens the database for reading, checks that no commit is missing, and reads the requested value.
///
/// A process that opens the census for writing moves the entries of a log into a table, and deletes
/// the log, between two reads of the files. A reader then sees an end before the note, or cannot
/// read the files. So a database that looks damaged is read again after some milliseconds: once,
/// and as long as the census is in use or was opened for writing meanwhile, but for a second at
/// most.
pub(super) fn open_checked<T>(
    dir: &Path,
    is_in_use: impl Fn() -> bool,
    read: impl Fn(DB) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    refuse_special_files(dir)?;
    let current = dir.join(DATABASE).join(CURRENT);
    let opening = || input_file::read(&current, input_file::SMALL).ok();
    let (mut seen, mut looks) = (None, 0);
    loop {
        looks += 1;
        let now = Some(opening());
        let may_change = seen != now || is_in_use();
        let is_last = looks >= MAX_READS || !may_change;
        let found = try_open(dir, &is_in_use, is_last).and_then(&read);
        if found.is_ok() || is_last {
            return found;
        }
        seen = now;
        std::thread::sleep(READ_INTERVAL);
    }
}

/// Opens the database for reading once.
///
/// An end before the note is accepted if this is the last attempt and a process is writing.
fn try_open(dir: &Path, is_in_use: impl Fn() -> bool, is_last: bool) -> Result<DB, StoreError> {
    let broken = |what: &str| StoreError::Broken {
        path: dir.to_owned(),
        what: what.to_owned(),
    };
    // Read these before the database: later commits only add to it.
    let (noted, files) = (noted(dir), survey(dir));
    if (files.has_data || had_data(dir)) && !files.has_current {
        return Err(broken("its file CURRENT is missing"));
    }
    if let Some(lost) = noted.and_then(|noted| noted.extent.lost(&dir.join(DATABASE))) {
        return Err(broken(&lost));
    }
    let mode = match noted {
        None if !is_in_use() => DBRecoveryMode::TolerateCorruptedTailRecords,
        _ => DBRecoveryMode::PointInTime,
    };
    let db = open_database_read_only(dir, mode).map_err(|error| match error {
        StoreError::Corrupt(error) => broken(error.as_ref()),
        StoreError::Database(error) if error.to_string().contains("No such file") => {
            broken(error.as_ref())
        }
        error => error,
    })?;
    let says_how_long = noted.is_some_and(|noted| noted.extent.manifest > 0);
    if !says_how_long
        && !is_in_use()
        && let Some(table) = unnamed_table(&db)
    {
        return Err(broken(&format!("its list of tables does not name {table}")));
    }
    let Some(noted) = noted else {
        let has_format = matches!(meta_of::<u32>(&db, Meta::Format), Ok(Some(_)));
        return match has_format || !files.has_data || is_in_use() {
            true => Ok(db),
            false => Err(broken("not even its format can be read")),
        };
    };
    let sequence = db.latest_sequence_number();
    if sequence >= noted.sequence || is_last && is_in_use() {
        return Ok(db);
    }
    // A census without all its tasks written has no counters.
    let counters = meta_of::<Counters>(&db, Meta::Counters).ok().flatten();
    Err(StoreError::CommitsLost {
        path: dir.to_owned(),
        written: noted.records,
        readable: counters.map_or(0, |counters| counters.records()),
        changes: noted.sequence - sequence,
    })
}
