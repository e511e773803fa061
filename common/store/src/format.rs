//! The format of a database, and whether it can be opened.

use std::path::Path;

use rocksdb::DB;

use super::keys::{FORMAT, Kind, Meta, OLDEST_FORMAT};
use super::{StoreError, meta_of};

/// Returns the format of a database, from 6 to the present one; `None` before it is written.
///
/// # Errors
/// [`StoreError::EarlierFormat`] or [`StoreError::Format`] for any other format; for the first one
/// also if the migration from it is not finished. [`StoreError`] if the disk fails.
pub(super) fn format_of(db: &DB, dir: &Path) -> Result<Option<u32>, StoreError> {
    // Without this family, the first command was interrupted while it made the database.
    if db.cf_handle(Kind::Meta.family()).is_none() {
        return Ok(None);
    }
    let Some(format) = meta_of::<u32>(db, Meta::Format)? else {
        return Ok(None);
    };
    let path = dir.to_owned();
    if format > FORMAT {
        let found = format;
        return Err(StoreError::Format { path, found });
    }
    // An earlier release may have left some entries in the format that it migrated.
    let found = meta_of(db, Meta::Migrating)?.unwrap_or(format).min(format);
    if found < OLDEST_FORMAT {
        return Err(StoreError::EarlierFormat { path, found });
    }
    Ok(Some(format))
}
