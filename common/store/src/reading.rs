//! Reading of a census, in the same process, while another part of the process writes it.

use std::ops::Deref;
use std::path::Path;

use super::{Files, Store, StoreError, read_only};

/// A census that another part of the process has open, to be read only. It keeps the census open,
/// so it should not be held for long.
#[derive(Debug)]
pub struct Reading(Store);

impl Deref for Reading {
    type Target = Store;
    fn deref(&self) -> &Store {
        &self.0
    }
}

impl Files {
    /// The open census, for reading. Its counters are those of this moment; everything else is read
    /// when it is asked for.
    ///
    /// # Errors
    /// [`StoreError`] if the census is closed or the disk fails.
    pub fn read(&self) -> Result<Reading, StoreError> {
        Ok(Reading(read_only(self.database()?, Path::new(""))?))
    }
}
