//! Copies of a census that is being written.
//!
//! A copy is a checkpoint of RocksDB: the log is flushed first, and tables, which never change, are
//! linked (or copied, if the copy is on another disk). The copy is the census between two commits,
//! and a census of its own: it is restored by running it. Commits continue while the copy is made.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use rocksdb::checkpoint::Checkpoint;

use super::commit_watermark::{CommitWatermark, Note};
use super::directory::DATABASE;
use super::keys::Meta;
use super::place::{Database, Place};
use super::plan_file;
use super::value::Counters;
use super::{Store, StoreError, meta_of};

/// The directory in which RocksDB makes a copy before it has its name.
const UNFINISHED: &str = "db.tmp";

/// A handle to the files of an open census.
///
/// They can be queried and copied while the store works; the handle does not keep the store open.
#[derive(Clone, Debug, Default)]
pub struct Files {
    database: Weak<Database>,
    place: Option<Place>,
}

/// The size of the tables and the buffers of a store, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// The tables on disk.
    pub tables: u64,
    /// The write buffers in memory; the log on disk holds about as many bytes.
    pub buffers: u64,
}

impl Store {
    /// Returns a handle to the files of this census, for copies and sizes.
    ///
    /// Cost: none.
    #[must_use]
    pub fn files(&self) -> Files {
        Files {
            database: Arc::downgrade(&self.db),
            place: self.place.clone(),
        }
    }
}

impl Files {
    /// Copies the census into a directory, which must be empty or not exist yet.
    ///
    /// Cost: a link for each table on the same disk, a copy of it on another, and one write of the
    /// log.
    ///
    /// # Errors
    /// [`StoreError`] if the directory cannot be made, is not empty or is inside the census, the
    /// census is closed, or the disk fails. Nothing is left then. The remains of a copy whose
    /// process was killed are not a census, are not taken for one, and are replaced by the next
    /// copy.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_store::Store;
    ///
    /// let copy = tempfile::tempdir()?;
    /// store.files().copy(copy.path())?;
    /// assert_eq!(Store::open_read_only(copy.path())?.counters(), store.counters());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn copy(&self, to: &Path) -> Result<(), StoreError> {
        let db = self.database()?;
        let cannot = |source| StoreError::directory(to.to_owned(), source);
        if let Some(place) = &self.place {
            let census = place.dir().canonicalize().map_err(cannot)?;
            if resolved(to).map_err(cannot)?.starts_with(&census) {
                let to = to.to_owned();
                return Err(StoreError::CopyInside { to, census });
            }
        }
        let is_new = !to.exists();
        std::fs::create_dir_all(to).map_err(cannot)?;
        for entry in std::fs::read_dir(to).map_err(cannot)? {
            if entry.map_err(cannot)?.file_name() != UNFINISHED {
                return Err(StoreError::NotEmpty(to.to_owned()));
            }
        }
        // Later commits may be in the copy or not.
        let reached = CommitWatermark {
            sequence: db.latest_sequence_number(),
            records: meta_of::<Counters>(&db, Meta::Counters)?.map_or(0, |it| it.records()),
            ..CommitWatermark::default()
        };
        let copy = Checkpoint::new(&db)?;
        if let Err(error) = copy.create_checkpoint(to.join(DATABASE)) {
            if is_new {
                // The directory is empty: RocksDB removes its own files. The original error matters
                // more than a failure here.
                let _ = std::fs::remove_dir(to);
            }
            return Err(error.into());
        }
        Note::open(to)?.write_of_copy(reached);
        if let Some(plan) = meta_of(&db, Meta::Plan)? {
            plan_file::keep(to, &plan)?;
        }
        // The new names become durable, too.
        for dir in [Some(to), to.parent()].into_iter().flatten() {
            if let Ok(dir) = std::fs::File::open(dir) {
                // If directories cannot be synced, the system takes care of them.
                let _ = dir.sync_all();
            }
        }
        Ok(())
    }

    /// Reports whether the directory of the census is still the one that was opened.
    ///
    /// It is if it was not renamed, replaced or deleted.
    ///
    /// Cost: two queries to the file system.
    /// Cost: two questions to the file system.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let files = store.files();
    /// assert!(files.are_in_place());
    /// std::fs::rename(dir.path(), dir.path().with_extension("old"))?;
    /// assert!(!files.are_in_place());
    /// # std::fs::remove_dir_all(dir.path().with_extension("old"))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn are_in_place(&self) -> bool {
        self.place.as_ref().is_none_or(Place::is_there)
    }

    pub(super) fn database(&self) -> Result<Arc<Database>, StoreError> {
        self.database.upgrade().ok_or(StoreError::Closed)
    }

    /// Returns the size of the store; zero after the store was closed.
    ///
    /// Cost: none: RocksDB keeps these numbers.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let files = store.files();
    /// assert!(files.size().buffers > 0);
    /// drop(store);
    /// assert_eq!(files.size().buffers, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn size(&self) -> Size {
        let Some(db) = self.database.upgrade() else {
            return Size::default();
        };
        let mut size = Size::default();
        for kind in super::keys::Kind::ALL {
            if let Some(family) = db.cf_handle(kind.family()) {
                let property = |name: &str| {
                    let value = db.property_int_value_cf(family, name);
                    value.ok().flatten().unwrap_or(0)
                };
                size.tables += property("rocksdb.total-sst-files-size");
                size.buffers += property("rocksdb.cur-size-all-mem-tables");
            }
        }
        size
    }
}

/// Returns a path without links, also if its last parts do not exist yet.
fn resolved(path: &Path) -> std::io::Result<PathBuf> {
    let absolute = std::path::absolute(path)?;
    let mut there = absolute.as_path();
    loop {
        match (there.canonicalize(), there.parent()) {
            (Ok(found), _) => {
                let rest = absolute.strip_prefix(there).unwrap_or(Path::new(""));
                return Ok(found.join(rest));
            }
            (Err(error), Some(parent)) if error.kind() == std::io::ErrorKind::NotFound => {
                there = parent;
            }
            (Err(error), _) => return Err(error),
        }
    }
}
