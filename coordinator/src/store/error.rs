//! What can go wrong with a store?

use std::path::PathBuf;

use misere_census::digest::OutOfOrder;
use misere_census::{EncodingError, Plan};

use super::keys::FORMAT;

/// Why a census could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The directory or its lock could not be used.
    #[error("cannot use {}: {source}", path.display())]
    Directory {
        /// The path.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Another process writes this census.
    #[error("the census in {} is in use by another process; wait for it or stop it", .0.display())]
    InUse(PathBuf),
    /// The directory has other things in it.
    #[error("{} holds something else than a census; choose an empty or new directory", .0.display())]
    NotACensus(PathBuf),
    /// There is no census here.
    #[error("there is no census in {}; `misere census run --digits 3 --data {}` makes one", .0.display(), .0.display())]
    Missing(PathBuf),
    /// The census was written by another version of this program.
    #[error("the census in {} has format {found}, this program reads format {FORMAT}", path.display())]
    Format {
        /// The directory.
        path: PathBuf,
        /// The format found.
        found: u32,
    },
    /// The census follows another plan.
    #[error("the census in {} was made by another plan; there: {stored}; asked for: {given}; use another directory", path.display())]
    OtherPlan {
        /// The directory.
        path: PathBuf,
        /// The plan of the census.
        stored: Box<Plan>,
        /// The plan asked for.
        given: Box<Plan>,
    },
    /// The database failed: disk full, no permission, damaged files. What was committed before is safe.
    #[error("the database failed: {0}")]
    Database(#[from] rocksdb::Error),
    /// A value does not read.
    #[error("a damaged entry among the {family}s: {source}")]
    Damaged {
        /// The column family.
        family: &'static str,
        /// What is wrong with it.
        source: EncodingError,
    },
    /// An entry that must be there is not.
    #[error("an entry is missing among the {0}s: the census is damaged")]
    Absent(&'static str),
    /// Records stand in another order than that of their codes.
    #[error(transparent)]
    Order(#[from] OutOfOrder),
}
