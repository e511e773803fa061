//! Reading of a census, in the same process, while another part of the process writes it.

use std::ops::Deref;
use std::path::Path;

use super::{Files, Store, StoreError, read_only};

/// A census that another part of the process has open, only for reading.
///
/// It keeps the census open, so it should not be held for long.
#[derive(Debug)]
pub struct Reading(Store);

impl Deref for Reading {
    type Target = Store;
    fn deref(&self) -> &Store {
        &self.0
    }
}

impl Files {
    /// Returns the open census, for reading.
    ///
    /// Its counters are those of this moment; all other entries are read on demand.
    ///
    /// Cost: a copy of the counters and the levels.
    ///
    /// # Errors
    /// [`StoreError`] if the census is closed or the disk fails.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let files = store.files();
    /// assert_eq!(files.read()?.counters().records(), 2);
    /// drop(store);
    /// assert!(files.read().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(&self) -> Result<Reading, StoreError> {
        Ok(Reading(read_only(self.database()?, Path::new(""))?))
    }
}
