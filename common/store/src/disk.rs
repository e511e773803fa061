//! The opening of the database, and the lock that restricts a directory to one writer.
//!
//! The options here bound the memory, for any number of tasks (A-8): write buffers, one cache of
//! blocks, a limited number of open files. They also bound the log that is read again after a
//! crash, and with it the time to the first lease.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use misere_census::input_file;
use rocksdb::{
    BlockBasedOptions, Cache, ColumnFamilyDescriptor, DB, DBCompressionType, DBRecoveryMode,
    LogLevel, Options,
};

use super::directory::{
    CURRENT, DATABASE, LEFT, LEFT_BEGINNINGS, LOCK, NAMES, REPAIR, is_between_renames,
};
use super::keys::Kind;
use super::place::Database;
use super::{StoreError, commit_watermark};
use crate::descriptors::Shares;

/// The size of the write buffer of each column family, and of the shared cache of blocks.
///
/// Both are small, since many censuses share a machine with solvers.
const WRITE_BUFFER_BYTES: usize = 8 << 20;
const BLOCK_CACHE_BYTES: usize = 16 << 20;

/// The size of all write buffers together.
const WRITE_BUFFERS_BYTES: usize = 32 << 20;

/// The size of the log of entries that are not in tables yet.
///
/// Without a limit the families that hardly change (plan, counters, events) would keep hundreds of
/// megabytes of it alive, all to be read again after a crash.
const LOG_BYTES: u64 = 32 << 20;

/// The window of entries, and the number of deleted ones in it, at which a table is rewritten.
///
/// The pending tasks are deleted one after the other, and a search for the first one left would
/// visit all the others.
const DELETED_IN_A_ROW: (usize, usize) = (1024, 512);

/// The number of tables of new entries at which those of a family are merged into the older ones.
///
/// The keys of a family are spread over its whole range, so that each merge rewrites all of it:
/// with four tables, RocksDB's own choice, a quarter of the processor time of a million commits was
/// spent there.
const NEW_TABLES_MERGED: i32 = 12;

/// The bits that a table keeps of each key; they let a read of one entry skip most new tables.
const FILTER_BITS: f64 = 10.0;

/// The number of threads that open tables when the database is opened: the caller's alone.
///
/// RocksDB's own choice is 16, and it aborts if the system refuses it one of them.
const OPENING_THREADS: i32 = 1;

/// The time to wait for a census that is in use, and the time between two attempts.
///
/// A process that was killed has the lock until the system has taken its memory back, and a process
/// that [checks](is_in_use) whether a census is in use has it for a moment.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);
const LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// Makes the directory if it is missing, and takes its lock.
pub(super) fn take_directory(dir: &Path) -> Result<File, StoreError> {
    let cannot = |path: PathBuf| move |source| StoreError::directory(path, source);
    std::fs::create_dir_all(dir).map_err(cannot(dir.to_owned()))?;
    if let Some(name) = foreign_file(dir)? {
        return Err(StoreError::NotACensus(dir.to_owned(), name));
    }
    let path = dir.join(LOCK);
    let lock = input_file::open_or_make(&path).map_err(cannot(path.clone()))?;
    let begun = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if begun.elapsed() < LOCK_TIMEOUT => {
                std::thread::sleep(LOCK_RETRY_INTERVAL);
            }
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse(dir.to_owned())),
            Err(TryLockError::Error(source)) => return Err(cannot(path)(source)),
        }
    }
    if is_between_renames(dir) {
        let (new, place) = (dir.join(REPAIR).join(DATABASE), dir.join(DATABASE));
        std::fs::rename(new, &place).map_err(cannot(place))?;
    }
    Ok(lock)
}

/// Keeps every process from writing the census in a directory while the lock is held.
///
/// Returns `None` if no process has ever written a census there.
///
/// Cost: one lock of a file.
///
/// # Errors
/// [`StoreError::AtWork`] if a process is writing it.
///
/// ```
/// # let (dir, mut store) =
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
/// use misere_store::{StoreError, keep_at_rest};
///
/// assert!(matches!(keep_at_rest(dir.path()), Err(StoreError::AtWork(_))));
/// drop(store);
/// assert!(keep_at_rest(dir.path())?.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn keep_at_rest(dir: &Path) -> Result<Option<File>, StoreError> {
    let Ok(lock) = input_file::open(&dir.join(LOCK)) else {
        return Ok(None);
    };
    match lock.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Err(StoreError::AtWork(dir.to_owned())),
        // If files cannot be locked, no process can be kept from writing.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(lock)),
    }
}

/// Reports whether a process has the census in a directory open for writing.
///
/// Cost: one lock of a file.
///
/// ```
/// # let (dir, mut store) =
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
/// use misere_store::is_in_use;
///
/// assert!(is_in_use(dir.path()));
/// drop(store);
/// assert!(!is_in_use(dir.path()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn is_in_use(dir: &Path) -> bool {
    let lock = input_file::open(&dir.join(LOCK));
    lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Returns a foreign file in a directory without a census.
///
/// Returns `None` if there is a census, or if one can be begun there.
///
/// A census stays one even if foreign files come into its directory. None is begun among foreign
/// files, except those that systems leave in any directory.
fn foreign_file(dir: &Path) -> Result<Option<String>, StoreError> {
    if dir.join(LOCK).exists() && commit_watermark::has_files(dir) || is_between_renames(dir) {
        return Ok(None);
    }
    let cannot = |source| StoreError::directory(dir.to_owned(), source);
    let mut strangers = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(cannot)? {
        let name = entry.map_err(cannot)?.file_name();
        let text = name.to_string_lossy();
        let is_left =
            LEFT.contains(&&*text) || LEFT_BEGINNINGS.iter().any(|it| text.starts_with(it));
        if !is_left && !NAMES.iter().any(|&known| name == known) {
            strangers.push(text.into_owned());
        }
    }
    // The least name makes the result repeatable.
    Ok(strangers.into_iter().min())
}

/// Opens the database for writing, or begins a new one.
pub(super) fn open_database(dir: &Path) -> Result<Database, StoreError> {
    let cache = Cache::new_lru_cache(BLOCK_CACHE_BYTES);
    let families =
        Kind::ALL.map(|kind| ColumnFamilyDescriptor::new(kind.family(), family_options(&cache)));
    Database::open(&dir.join(DATABASE), |path| {
        DB::open_cf_descriptors(&database_options(), path, families)
    })
}

/// Begins a new database in a directory, with families in the given order; missing ones follow.
pub(super) fn open_database_of(path: &Path, mut families: Vec<String>) -> Result<DB, StoreError> {
    std::fs::create_dir_all(path).map_err(|error| StoreError::directory(path.to_owned(), error))?;
    for kind in Kind::ALL {
        if families.iter().all(|known| known != kind.family()) {
            families.push(kind.family().to_owned());
        }
    }
    let cache = Cache::new_lru_cache(BLOCK_CACHE_BYTES);
    let families = families
        .into_iter()
        .map(|family| ColumnFamilyDescriptor::new(family, family_options(&cache)));
    Ok(DB::open_cf_descriptors(
        &database_options(),
        path,
        families,
    )?)
}

/// Opens the database for reading; `log` is the way of reading its log.
pub(super) fn open_database_read_only(dir: &Path, log: DBRecoveryMode) -> Result<DB, StoreError> {
    if !dir.join(DATABASE).join(CURRENT).exists() {
        let other = match dir.exists() {
            true => foreign_file(dir)?,
            false => None,
        };
        return Err(match other {
            Some(name) => StoreError::NoCensus(dir.to_owned(), name),
            None => commit_watermark::missing(dir),
        });
    }
    let mut options = database_options();
    options.create_if_missing(false);
    options.create_missing_column_families(false);
    options.set_wal_recovery_mode(log);
    let path = dir.join(DATABASE);
    // A census of format 1 to 4 lacks some families, and must be opened to read its format.
    let there = DB::list_cf(&options, &path)?;
    let cache = Cache::new_lru_cache(BLOCK_CACHE_BYTES);
    let families = Kind::ALL
        .iter()
        .map(|kind| kind.family())
        .filter(|&family| there.iter().any(|name| name == family))
        .map(|family| ColumnFamilyDescriptor::new(family, family_options(&cache)));
    Ok(DB::open_cf_descriptors_read_only(
        &options, path, families, false,
    )?)
}

fn database_options() -> Options {
    let mut options = Options::default();
    options.create_if_missing(true);
    options.create_missing_column_families(true);
    let tables = Shares::now().store;
    options.set_max_open_files(i32::try_from(tables).unwrap_or(i32::MAX));
    options.set_max_file_opening_threads(OPENING_THREADS);
    options.set_keep_log_file_num(2);
    options.set_log_level(LogLevel::Warn);
    options.set_db_write_buffer_size(WRITE_BUFFERS_BYTES);
    options.set_max_total_wal_size(LOG_BYTES);
    // Read up to the first incomplete entry, and nothing after it.
    // [`commit_watermark`](super::commit_watermark) checks whether anything is missing.
    options.set_wal_recovery_mode(DBRecoveryMode::PointInTime);
    options
}

/// Returns the options of a column family.
///
/// All families have one cache: the tasks of a group are read when their results are claimed and
/// again when they are committed, and in a share of the cache they would not stay until then.
fn family_options(cache: &Cache) -> Options {
    let mut table = BlockBasedOptions::default();
    table.set_block_cache(cache);
    table.set_bloom_filter(FILTER_BITS, false);
    let mut options = Options::default();
    options.set_compression_type(DBCompressionType::Lz4);
    options.set_write_buffer_size(WRITE_BUFFER_BYTES);
    options.set_block_based_table_factory(&table);
    options.set_level_zero_file_num_compaction_trigger(NEW_TABLES_MERGED);
    // Most keys read exist: the last level, which has nearly all entries, needs no filter.
    options.set_optimize_filters_for_hits(true);
    let (window, deleted) = DELETED_IN_A_ROW;
    options.add_compact_on_deletion_collector_factory(window, deleted, 0.0);
    options
}
