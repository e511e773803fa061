//! Whether an operator has paused the census.

use rocksdb::WriteBatch;

use super::keys::{Kind, Meta};
use super::{Store, StoreError};

impl Store {
    /// Reports whether an operator has paused the census.
    ///
    /// Cost: one seek.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or the entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// assert!(!store.is_paused()?);
    /// store.set_paused(true)?;
    /// assert!(store.is_paused()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_paused(&self) -> Result<bool, StoreError> {
        Ok(self.meta(Meta::Paused)?.unwrap_or(false))
    }

    /// Records that the census is paused, or resumed; a coordinator that starts follows it.
    ///
    /// Cost: one batch.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails; nothing is changed then.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// store.set_paused(true)?;
    /// store.set_paused(false)?;
    /// assert!(!store.is_paused()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_paused(&mut self, paused: bool) -> Result<(), StoreError> {
        let mut batch = WriteBatch::default();
        self.put(&mut batch, Kind::Meta, Meta::Paused.key(), &paused)?;
        self.write(batch)
    }
}
