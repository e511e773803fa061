//! The store of a census: the entries on disk, and the writing of them.
//!
//! This is the only crate that names RocksDB. A census directory holds `db/` (the database) and
//! `lock`; one process writes at a time. Every change is one write batch, synced (A-4); replaying a
//! commit changes nothing. Readers of a census that is not running open it read-only.
//!
//! - [`keys`], [`value`]: the entries on disk, with their keys and values
//! - [`commit`]: the changes that become durable as one
//! - [`checkpoints`]: checkpoints of long tasks that are not finished
//! - [`marks`]: workers that are distrusted or refused
//! - `backers`, `vouched`: the workers and checkers on whose word results rest
//! - `quarantine`: tasks that failed too often
//! - [`levels`]: the succession of the levels of the misère quotients
//! - [`schemes`]: settled construction schemes, and the quotients found by them
//! - [`query`]: point reads and scans
//! - [`view`]: consistent snapshots
//! - `reading`: reading while another part of the process writes
//! - [`index`]: the secondary indexes
//! - [`answers`]: the answers to a query, with the choice of the index
//! - [`class_names`]: the names of classes
//! - [`tallies`], `digest`: counts and digest of the records
//! - [`migrate`]: the migration from earlier formats
//! - [`backup`]: copies of a census that is being written
//! - [`audit`], [`repair`]: the check of a whole census, and its repair
//! - [`statistics`]: the amount of writes, and their duration
//! - [`descriptors`], `preflight`: the file descriptors, threads and memory of the process
//! - `salvage`: the readable parts of a damaged database
//! - `place`: whether the directory is still the one that was opened
//! - `plan_file`: the copy of the plan beside the database
//! - `extent`: the lengths of the list of tables and of the logs
//! - `directory`: the names of the files of a census
//! - `disk`: the opening of the database, and the lock
//! - `checked_opening`: the opening after the check that no commit is missing
//! - `format`: the format of a database
//! - `commit_watermark`: the note of the progress of writing, stored apart from the log
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod answers;
pub mod audit;
mod backers;
pub mod backup;
mod checked_opening;
pub mod checkpoints;
pub mod class_names;
pub mod commit;
mod commit_watermark;
pub mod descriptors;
mod digest;
mod directory;
mod disk;
pub mod error;
mod extent;
mod format;
mod game;
pub mod index;
pub mod keys;
pub mod levels;
pub mod marks;
pub mod migrate;
mod pause;
mod place;
mod plan_file;
mod preflight;
mod quarantine;
pub mod query;
mod reading;
pub mod repair;
mod salvage;
pub mod schemes;
pub mod statistics;
pub mod tallies;
pub mod value;
pub mod view;
mod vouched;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use misere_census::{Plan, Task, TaskId, encoding};
use rocksdb::{ColumnFamily, DB, WriteBatch, WriteOptions};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use backup::Files;
pub use class_names::ClassNames;
pub use commit::{CheckpointWrite, Commit, Finished, QuarantineWrite, TaskRetry};
pub use directory::{CONTROL, DATABASE, ENDPOINT, RPC, SUBMIT};
pub use disk::{is_in_use, keep_at_rest};
pub use error::StoreError;
pub use marks::Marked;
pub use migrate::plan_of;
pub use reading::Reading;
pub use schemes::StoredQuotient;
pub use statistics::WriteStatistics;
pub use value::{
    Attempt, CheckpointHead, Class, Counters, Event, EventKind, Level, Membership, Quarantine,
    Ruleset, StoredConstruction, StoredTask, TaskState,
};
pub use vouched::VouchedTask;

use checked_opening::{check_before_writing, open_checked};
use commit_watermark::Note;
use disk::{open_database, take_directory};
use format::format_of;
use keys::{FORMAT, Kind, Meta, number_key, task_key};
use place::{Database, Place};
use tallies::Tallies;

/// The number of tasks written per batch while the tasks of a plan are written.
const PLAN_BATCH: u64 = 4096;

/// The number of entries in the log that costs a reader no noticeable time.
const SHORT_LOG_ENTRIES: u64 = 20_000;

/// A census on disk.
#[derive(Debug)]
pub struct Store {
    db: Arc<Database>,
    plan: Plan,
    counters: Counters,
    tallies: Tallies,
    generation: u32,
    /// The levels of the misère quotients, by order.
    levels: BTreeMap<u8, Level>,
    next_event: u64,
    statistics: Arc<WriteStatistics>,
    /// The least position of a task released from quarantine and not yet reported.
    ///
    /// [`take_released`](Store::take_released) reports it.
    released: Option<u64>,
    /// The note of how far the store was written, while the store is open for writing.
    note: Option<Note>,
    /// The place of the census, while the store is open for writing.
    place: Option<Place>,
    /// The lock of the directory while the store is open for writing.
    ///
    /// The system frees it when the process ends in any way.
    _lock: Option<File>,
}

impl Store {
    /// Opens the census of a plan in a directory, or begins it there.
    ///
    /// `tasks` is called only if the census must be begun.
    ///
    /// Each opening has a greater [`generation`](Self::generation).
    ///
    /// Cost: the opening of the database; for a new census, one durable write for every 4,096
    /// tasks.
    ///
    /// # Errors
    /// [`StoreError`] if the directory is in use, holds other files or another plan, its format is
    /// not opened, or the disk fails.
    ///
    /// ```
    /// use misere_census::{Budget, Plan, Space, plan};
    /// use misere_store::Store;
    ///
    /// let dir = tempfile::tempdir()?;
    /// let plan = Plan::new(Space::Codes(vec!["0.77".parse()?]), Budget::default())?;
    /// let store = Store::open(dir.path(), &plan, || plan::tasks(&plan))?;
    /// assert_eq!(store.counters().pending(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open<T: IntoIterator<Item = Task>>(
        dir: &Path,
        plan: &Plan,
        tasks: impl FnOnce() -> T,
    ) -> Result<Self, StoreError> {
        preflight::check_resources()?;
        let lock = take_directory(dir)?;
        check_before_writing(dir, plan)?;
        let note = Note::open(dir)?;
        let db = Arc::new(open_database(dir)?);
        let place = Place::of(dir, &lock)?;
        let mut store = Self {
            db,
            plan: plan.clone(),
            counters: Counters::default(),
            tallies: Tallies::default(),
            generation: 0,
            levels: BTreeMap::new(),
            next_event: 0,
            statistics: Arc::default(),
            released: None,
            note: Some(note),
            place: Some(place),
            _lock: Some(lock),
        };
        plan_file::keep(dir, plan)?;
        store.migrate(dir)?;
        store.counters = match store.meta(Meta::Counters)? {
            Some(counters) => counters,
            None => store.write_tasks(tasks())?,
        };
        store.generation = store
            .meta::<u32>(Meta::Generation)?
            .unwrap_or(0)
            .saturating_add(1);
        store.next_event = store.last_event()?.map_or(0, |last| last + 1);
        store.levels = store.read_levels()?;
        store.advance()?;
        let mut batch = WriteBatch::default();
        store.tallies = match store.tallies_kept()? {
            Some(tallies) => tallies,
            None => {
                let tallies = store.tallies_counted()?;
                let key = Meta::Tallies.key();
                store.put(&mut batch, Kind::Meta, key, &tallies)?;
                tallies
            }
        };
        store.put(
            &mut batch,
            Kind::Meta,
            Meta::Generation.key(),
            &store.generation,
        )?;
        store.write(batch)?;
        store.note.iter().for_each(Note::sync);
        Ok(store)
    }

    /// Opens a census for reading, without the later commits of a running process.
    ///
    /// Cost: reading the log, half a second of processor time for a full one (32 MiB).
    ///
    /// # Errors
    /// [`StoreError`] if there is no census, its format is not opened, its migration is not
    /// finished, or it cannot be read.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_store::Store;
    ///
    /// let census = Store::open_read_only(dir.path())?;
    /// assert_eq!(census.plan(), store.plan());
    /// for record in census.records()? {
    ///     println!("{}", record?.code);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_read_only(dir: &Path) -> Result<Self, StoreError> {
        open_checked(
            dir,
            || is_in_use(dir),
            |db| read_only(Arc::new(db.into()), dir),
        )
    }

    /// Returns the plan of the census.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the number of tasks in each durable state.
    ///
    /// Cost: none; the counters are in memory.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let counters = store.counters();
    /// assert_eq!((counters.tasks, counters.codes, counters.records()), (3, 4, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Returns the number of times that the census was opened for writing, this time included.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_census::plan;
    /// use misere_store::Store;
    ///
    /// assert_eq!(store.generation(), 1);
    /// let plan = store.plan().clone();
    /// drop(store);
    /// let store = Store::open(dir.path(), &plan, || plan::tasks(&plan))?;
    /// assert_eq!(store.generation(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Begins a new generation while the census is open, since the numbers of this one are used up.
    ///
    /// Cost: one durable write.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails, or if no generation is left.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// assert_eq!(store.begin_generation()?, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin_generation(&mut self) -> Result<u32, StoreError> {
        let next = self.generation.checked_add(1);
        let next = next.ok_or(StoreError::Generations)?;
        let mut batch = WriteBatch::default();
        self.put(&mut batch, Kind::Meta, Meta::Generation.key(), &next)?;
        self.write(batch)?;
        self.generation = next;
        Ok(next)
    }

    /// Returns the statistics of writes since the census was opened.
    ///
    /// They may be read while the store works.
    #[must_use]
    pub fn statistics(&self) -> Arc<WriteStatistics> {
        Arc::clone(&self.statistics)
    }

    /// Writes the entries that are only in the log into tables, for later readers.
    ///
    /// A short log is left as it is.
    ///
    /// Correctness does not depend on it: the log holds all entries. A reader of a census with a
    /// full log (32 MiB) spends half a second of processor time on it, each time.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails.
    ///
    /// Cost: one write of the contents of the log.
    pub fn write_tables(&self) -> Result<(), StoreError> {
        let mut in_the_log = 0;
        for kind in Kind::ALL {
            let entries = rocksdb::properties::NUM_ENTRIES_ACTIVE_MEM_TABLE;
            let entries = self.db.property_int_value_cf(self.family(kind)?, entries)?;
            in_the_log += entries.unwrap_or(0);
        }
        if in_the_log < SHORT_LOG_ENTRIES {
            return Ok(());
        }
        for kind in Kind::ALL {
            self.db.flush_cf(self.family(kind)?)?;
        }
        Ok(())
    }

    /// Writes the tasks of a plan in their order, as they come.
    ///
    /// Interrupting this anywhere and starting again ends with the same store; the counters,
    /// written last, mark it as complete.
    fn write_tasks(&self, tasks: impl IntoIterator<Item = Task>) -> Result<Counters, StoreError> {
        let mut batch = WriteBatch::default();
        self.put(&mut batch, Kind::Meta, Meta::Format.key(), &FORMAT)?;
        self.put(&mut batch, Kind::Meta, Meta::Plan.key(), &self.plan)?;
        self.put(&mut batch, Kind::Meta, Meta::Indexes.key(), &index::LAYOUT)?;
        self.write(batch)?;
        let mut counters = Counters::default();
        // The tasks of the batch, in ascending order of their names.
        let mut together: BTreeMap<TaskId, StoredTask> = BTreeMap::new();
        let mut batch = WriteBatch::default();
        for (task, position) in tasks.into_iter().zip(0_u64..) {
            let id = task.id();
            counters.tasks += 1;
            if let Some(game) = task.as_game() {
                counters.codes += 1 + game.aliases.len() as u64;
            }
            let stored = StoredTask {
                task,
                position,
                state: TaskState::Pending { failures: 0 },
            };
            self.put(&mut batch, Kind::Pending, &number_key(position), &id)?;
            together.insert(id, stored);
            if counters.tasks.is_multiple_of(PLAN_BATCH) {
                self.put_tasks(&mut batch, std::mem::take(&mut together))?;
                self.write(std::mem::take(&mut batch))?;
            }
        }
        self.put_tasks(&mut batch, together)?;
        self.put(&mut batch, Kind::Meta, Meta::Counters.key(), &counters)?;
        self.write(batch)?;
        Ok(counters)
    }

    /// Puts tasks into a batch. In ascending order each task finds its place beside the one before.
    fn put_tasks(
        &self,
        batch: &mut WriteBatch,
        tasks: BTreeMap<TaskId, StoredTask>,
    ) -> Result<(), StoreError> {
        let mut tasks = tasks.into_iter();
        tasks.try_for_each(|(id, stored)| self.put(batch, Kind::Task, &task_key(id), &stored))
    }

    /// Writes a batch durably (A-4).
    fn write(&self, batch: WriteBatch) -> Result<(), StoreError> {
        if let Some(place) = &self.place {
            place.check()?;
        }
        let mut options = WriteOptions::default();
        options.set_sync(true);
        let (bytes, start) = (batch.size_in_bytes(), Instant::now());
        self.db.write_opt(batch, &options)?;
        self.statistics.wrote(bytes as u64, start.elapsed());
        self.note_reached();
        Ok(())
    }

    /// Records the extent of the store, all of it durable.
    fn note_reached(&self) {
        if let Some(note) = &self.note {
            note.write(&self.db, self.counters.records());
        }
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

    /// Returns a task with its position and state.
    ///
    /// Cost: one seek.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or the entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let (task, _) = store.pending(0, 1)?.remove(0);
    /// let stored = store.task(task)?.ok_or("no task")?;
    /// assert!(stored.state.is_pending());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn task(&self, task: TaskId) -> Result<Option<StoredTask>, StoreError> {
        self.get(Kind::Task, &task_key(task))
    }

    /// Returns the tasks of a group with their positions and states, by their identifiers.
    ///
    /// Tasks that do not belong to this census are left out.
    ///
    /// Cost: less than a seek for each task, since neighbours are read together.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let (task, _) = store.pending(0, 1)?.remove(0);
    /// let stored = store.tasks([task])?;
    /// assert_eq!(stored.get(&task), store.task(task)?.as_ref());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tasks(
        &self,
        tasks: impl IntoIterator<Item = TaskId>,
    ) -> Result<BTreeMap<TaskId, StoredTask>, StoreError> {
        let kind = Kind::Task;
        let tasks: BTreeSet<TaskId> = tasks.into_iter().collect();
        let keys: Vec<_> = tasks.iter().map(|&task| task_key(task)).collect();
        let sorted = true;
        let family = self.family(kind)?;
        let values = self.db.batched_multi_get_cf(family, &keys, sorted);
        let mut stored = BTreeMap::new();
        for (task, value) in tasks.into_iter().zip(values) {
            if let Some(bytes) = value? {
                let value = encoding::decode(kind.version(), &bytes).map_err(damaged(kind))?;
                stored.insert(task, value);
            }
        }
        Ok(stored)
    }
}

/// Returns the present time, for people who read the events.
fn unix_ms() -> u64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    u64::try_from(time.unwrap_or_default().as_millis()).unwrap_or(u64::MAX)
}

fn damaged(kind: Kind) -> impl Fn(misere_census::EncodingError) -> StoreError {
    move |source| StoreError::Damaged {
        family: kind.family(),
        source,
    }
}

/// Returns an entry of [`Kind::Meta`] of an open database.
fn meta_of<T: DeserializeOwned>(db: &DB, meta: Meta) -> Result<Option<T>, StoreError> {
    let kind = Kind::Meta;
    let family = db.cf_handle(kind.family());
    let family = family.ok_or(StoreError::Absent(kind.family()))?;
    let bytes = db.get_cf(family, meta.key())?;
    let value = bytes.map(|bytes| encoding::decode(kind.version(), &bytes));
    value.transpose().map_err(damaged(kind))
}

/// Returns a complete census of a format whose entries are known, opened for reading.
fn read_only(db: Arc<Database>, dir: &Path) -> Result<Store, StoreError> {
    let missing = || commit_watermark::missing(dir);
    format_of(&db, dir)?.ok_or_else(missing)?;
    if let Some(from) = meta_of(&db, Meta::Migrating)? {
        let path = dir.to_owned();
        return Err(StoreError::Unmigrated { path, from });
    }
    let mut store = Store {
        plan: meta_of(&db, Meta::Plan)?.ok_or_else(missing)?,
        counters: meta_of(&db, Meta::Counters)?.ok_or_else(missing)?,
        tallies: Tallies::default(),
        generation: meta_of(&db, Meta::Generation)?.unwrap_or(0),
        db,
        levels: BTreeMap::new(),
        next_event: 0,
        statistics: Arc::default(),
        released: None,
        note: None,
        place: None,
        _lock: None,
    };
    store.levels = store.read_levels()?;
    Ok(store)
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_levels;
