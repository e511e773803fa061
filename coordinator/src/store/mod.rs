//! What is on disk, and how does it get there?
//!
//! The only room that names RocksDB. A census directory holds `db/` (the database) and `lock`; one process writes at a
//! time. Every change is one write batch, synced; replaying a commit changes nothing. Readers of a census that is
//! not running open it read-only.
//!
//! - [`keys`]: what is stored under which key
//! - [`value`]: what the values say
//! - [`commit`]: how finished tasks enter
//! - [`query`]: how they are read

pub mod commit;
pub mod error;
pub mod keys;
pub mod query;
pub mod value;

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use misere_census::{Plan, Task, TaskId, encoding};
use rocksdb::{
    BlockBasedOptions, Cache, ColumnFamily, ColumnFamilyDescriptor, DB, DBCompressionType,
    LogLevel, Options, WriteBatch, WriteOptions,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use commit::{Commit, Finished, Quarantining, Retried};
pub use error::StoreError;
pub use value::{
    Class, Counters, Event, Happening, Membership, Quarantine, Ruleset, StoredTask, TaskState,
};

use keys::{FORMAT, Kind, Meta, number_key, task_key};

/// Names in a census directory; anything else in it makes it something else than a census.
const DATABASE: &str = "db";
const LOCK: &str = "lock";
/// Where the address of the coordinator at work stands (written by the coordinator).
pub const ENDPOINT: &str = "endpoint";

/// Tasks written per batch while a plan is laid down.
const PLAN_BATCH: usize = 4096;

/// Write buffer of each column family, and the cache of blocks read. Small: many a census shares a machine with solvers.
const WRITE_BUFFER_BYTES: usize = 8 << 20;
const BLOCK_CACHE_BYTES: usize = 16 << 20;

/// A census on disk.
#[derive(Debug)]
pub struct Store {
    db: DB,
    plan: Plan,
    counters: Counters,
    generation: u32,
    next_event: u64,
    /// Held as long as the store is open for writing; the system frees it however the process ends.
    _lock: Option<File>,
}

impl Store {
    /// Opens the census of a plan in a directory, or begins it there. `tasks` is asked for only if it must be begun.
    ///
    /// Each opening has a greater [`generation`](Self::generation).
    ///
    /// # Errors
    /// [`StoreError`] if the directory is in use, holds something else or another plan, or the disk fails.
    pub fn open(
        dir: &Path,
        plan: &Plan,
        tasks: impl FnOnce() -> Vec<Task>,
    ) -> Result<Self, StoreError> {
        let lock = take_directory(dir)?;
        let db = open_database(dir)?;
        let mut store = Self {
            db,
            plan: plan.clone(),
            counters: Counters::default(),
            generation: 0,
            next_event: 0,
            _lock: Some(lock),
        };
        if let Some(found) = store.meta::<u32>(Meta::Format)?
            && found != FORMAT
        {
            return Err(StoreError::Format {
                path: dir.to_owned(),
                found,
            });
        }
        if let Some(stored) = store.meta::<Plan>(Meta::Plan)?
            && stored != *plan
        {
            let (stored, given) = (Box::new(stored), Box::new(plan.clone()));
            return Err(StoreError::OtherPlan {
                path: dir.to_owned(),
                stored,
                given,
            });
        }
        store.counters = match store.meta(Meta::Counters)? {
            Some(counters) => counters,
            None => store.lay_down(&tasks())?,
        };
        store.generation = store
            .meta::<u32>(Meta::Generation)?
            .unwrap_or(0)
            .saturating_add(1);
        store.next_event = store.last_event()?.map_or(0, |last| last + 1);
        let mut batch = WriteBatch::default();
        store.put(
            &mut batch,
            Kind::Meta,
            Meta::Generation.key(),
            &store.generation,
        )?;
        store.write(batch)?;
        Ok(store)
    }

    /// Opens a census for reading. What a process at work commits afterwards is not seen.
    ///
    /// # Errors
    /// [`StoreError`] if there is none, it is of another format, or cannot be read.
    pub fn open_read_only(dir: &Path) -> Result<Self, StoreError> {
        if !dir.join(DATABASE).join("CURRENT").exists() {
            let other = dir.exists() && !is_census_or_empty(dir)?;
            return Err(if other {
                StoreError::NotACensus(dir.to_owned())
            } else {
                StoreError::Missing(dir.to_owned())
            });
        }
        let path = dir.join(DATABASE);
        let families =
            Kind::ALL.map(|kind| ColumnFamilyDescriptor::new(kind.family(), family_options()));
        let mut options = database_options();
        options.create_if_missing(false);
        options.create_missing_column_families(false);
        let db = DB::open_cf_descriptors_read_only(&options, path, families, false)?;
        read_only(db, dir)
    }

    /// The plan of the census.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How many tasks are in each durable state.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// How often the census was opened for writing, this time included.
    #[must_use]
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Writes the tasks of a plan in their order. Breaking off anywhere and starting again ends with the same store; the
    /// counters, written last, say that it is complete.
    fn lay_down(&self, tasks: &[Task]) -> Result<Counters, StoreError> {
        let mut batch = WriteBatch::default();
        self.put(&mut batch, Kind::Meta, Meta::Format.key(), &FORMAT)?;
        self.put(&mut batch, Kind::Meta, Meta::Plan.key(), &self.plan)?;
        self.write(batch)?;
        for (chunk, start) in tasks.chunks(PLAN_BATCH).zip((0_u64..).step_by(PLAN_BATCH)) {
            let mut batch = WriteBatch::default();
            for (task, position) in chunk.iter().zip(start..) {
                let (task, id) = (task.clone(), task.id());
                let stored = StoredTask {
                    task,
                    position,
                    state: TaskState::Pending { failures: 0 },
                };
                self.put(&mut batch, Kind::Task, &task_key(id), &stored)?;
                self.put(&mut batch, Kind::Pending, &number_key(position), &id)?;
            }
            self.write(batch)?;
        }
        let codes = tasks.iter().map(|task| 1 + task.aliases.len() as u64).sum();
        let counters = Counters {
            tasks: tasks.len() as u64,
            codes,
            ..Counters::default()
        };
        let mut batch = WriteBatch::default();
        self.put(&mut batch, Kind::Meta, Meta::Counters.key(), &counters)?;
        self.write(batch)?;
        Ok(counters)
    }

    /// Writes a batch durably.
    fn write(&self, batch: WriteBatch) -> Result<(), StoreError> {
        let mut options = WriteOptions::default();
        options.set_sync(true);
        Ok(self.db.write_opt(batch, &options)?)
    }

    fn put<T: Serialize>(
        &self,
        batch: &mut WriteBatch,
        kind: Kind,
        key: &[u8],
        value: &T,
    ) -> Result<(), StoreError> {
        let value = encoding::encode(kind.version(), value).map_err(damaged(kind))?;
        batch.put_cf(self.family(kind)?, key, value);
        Ok(())
    }

    fn delete(&self, batch: &mut WriteBatch, kind: Kind, key: &[u8]) -> Result<(), StoreError> {
        batch.delete_cf(self.family(kind)?, key);
        Ok(())
    }

    fn get<T: DeserializeOwned>(&self, kind: Kind, key: &[u8]) -> Result<Option<T>, StoreError> {
        let bytes = self.db.get_pinned_cf(self.family(kind)?, key)?;
        let value = bytes.map(|bytes| encoding::decode(kind.version(), &bytes));
        value.transpose().map_err(damaged(kind))
    }

    fn meta<T: DeserializeOwned>(&self, meta: Meta) -> Result<Option<T>, StoreError> {
        self.get(Kind::Meta, meta.key())
    }

    fn family(&self, kind: Kind) -> Result<&ColumnFamily, StoreError> {
        self.db
            .cf_handle(kind.family())
            .ok_or(StoreError::Absent(kind.family()))
    }

    /// A task and where it stands.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or the entry is damaged.
    pub fn task(&self, task: TaskId) -> Result<Option<StoredTask>, StoreError> {
        self.get(Kind::Task, &task_key(task))
    }
}

fn damaged(kind: Kind) -> impl Fn(misere_census::EncodingError) -> StoreError {
    move |source| StoreError::Damaged {
        family: kind.family(),
        source,
    }
}

/// Makes the directory if need be, and takes its lock.
fn take_directory(dir: &Path) -> Result<File, StoreError> {
    let cannot = |path: PathBuf| move |source| StoreError::Directory { path, source };
    std::fs::create_dir_all(dir).map_err(cannot(dir.to_owned()))?;
    if !is_census_or_empty(dir)? {
        return Err(StoreError::NotACensus(dir.to_owned()));
    }
    let path = dir.join(LOCK);
    let lock = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(cannot(path.clone()))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(dir.to_owned())),
        Err(TryLockError::Error(source)) => Err(cannot(path)(source)),
    }
}

fn is_census_or_empty(dir: &Path) -> Result<bool, StoreError> {
    let cannot = |source| StoreError::Directory {
        path: dir.to_owned(),
        source,
    };
    for entry in std::fs::read_dir(dir).map_err(cannot)? {
        let name = entry.map_err(cannot)?.file_name();
        if ![DATABASE, LOCK, ENDPOINT]
            .iter()
            .any(|&known| name == known)
        {
            return Ok(false);
        }
    }
    Ok(true)
}

fn open_database(dir: &Path) -> Result<DB, StoreError> {
    let families =
        Kind::ALL.map(|kind| ColumnFamilyDescriptor::new(kind.family(), family_options()));
    Ok(DB::open_cf_descriptors(
        &database_options(),
        dir.join(DATABASE),
        families,
    )?)
}

fn read_only(db: DB, dir: &Path) -> Result<Store, StoreError> {
    let missing = || StoreError::Missing(dir.to_owned());
    let kind = Kind::Meta;
    let get = |meta: Meta| -> Result<Option<Vec<u8>>, StoreError> {
        let family = db.cf_handle(kind.family()).ok_or_else(missing)?;
        Ok(db.get_cf(family, meta.key())?)
    };
    fn value<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StoreError> {
        encoding::decode(Kind::Meta.version(), bytes).map_err(damaged(Kind::Meta))
    }
    let found: u32 = value(&get(Meta::Format)?.ok_or_else(missing)?)?;
    if found != FORMAT {
        return Err(StoreError::Format {
            path: dir.to_owned(),
            found,
        });
    }
    let plan = value(&get(Meta::Plan)?.ok_or_else(missing)?)?;
    let counters = value(&get(Meta::Counters)?.ok_or_else(missing)?)?;
    let generation = get(Meta::Generation)?.map_or(Ok(0), |bytes| value(&bytes))?;
    Ok(Store {
        db,
        plan,
        counters,
        generation,
        next_event: 0,
        _lock: None,
    })
}

fn database_options() -> Options {
    let mut options = Options::default();
    options.create_if_missing(true);
    options.create_missing_column_families(true);
    options.set_max_open_files(256);
    options.set_keep_log_file_num(2);
    options.set_log_level(LogLevel::Warn);
    options.set_db_write_buffer_size(8 * WRITE_BUFFER_BYTES);
    options
}

fn family_options() -> Options {
    let mut table = BlockBasedOptions::default();
    table.set_block_cache(&Cache::new_lru_cache(BLOCK_CACHE_BYTES / Kind::ALL.len()));
    let mut options = Options::default();
    options.set_compression_type(DBCompressionType::Lz4);
    options.set_write_buffer_size(WRITE_BUFFER_BYTES);
    options.set_block_based_table_factory(&table);
    options
}

#[cfg(test)]
mod tests;
