//! Exports of a census in the formats of other programs.
//!
//! An export is a directory: the files of one format and a [`Manifest`] with the hash of each. It
//! is written under another name beside its place and renamed when all of it is there and on disk,
//! so that no reader ever sees half of one. Its bytes are a function of the records, the selection
//! and this program, not of a clock or a path.
//!
//! | question | module |
//! |---|---|
//! | which form does a selection of rulesets have? | [`selection`] |
//! | how does a directory appear all at once? | [`staging`] |
//! | what does a manifest say, and do the files still match it? | [`manifest`] |
//! | which tables are there, and what are their columns? | [`table`] |
//! | JSON Lines | [`jsonl`] |
//! | the list of the quotients of small order | [`quotients`] |
//! | CSV | [`csv`] |
//! | SQLite | [`sqlite`] |
//! | which monoids and games go into GAP and Sage source? | `monoid` |
//! | GAP source | `gap` |
//! | Python source for Sage | `sage` |
//! | which sequences of numbers does a game have? | [`sequence`] |
//! | OEIS b-files | [`bfile`] |
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod bfile;
pub mod csv;
mod data_package;
mod filling;
mod gap;
pub mod jsonl;
pub mod manifest;
mod monoid;
pub mod quotients;
mod sage;
pub mod selection;
pub mod sequence;
pub mod sqlite;
pub mod staging;
pub mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use misere_census::Record;
use misere_game::control::Interrupt;
use misere_game::ruleset::Code;
use misere_game::solution::Solution;

use misere_query::{Filter, KnownGame};
use misere_report::completeness::Completeness;
use misere_store::{Store, StoreError};

pub use manifest::{Manifest, ManifestError};
pub use sequence::Sequence;
pub use table::Tables;

use staging::Staging;

/// The version of the form of exports.
///
/// It covers the tables, the fields of each line, and the functions of GAP and Sage source. It is
/// raised when an existing part is removed or changes its meaning, not when a part is added.
pub const SCHEMA: u32 = 2;

/// The forms in which a census is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON document a line for each ruleset, and one for each class.
    JsonLines,
    /// The tables, one file for each.
    Csv(Tables),
    /// The tables in one database.
    Sqlite(Tables),
    /// Source that rebuilds the monoids and the games in GAP.
    Gap,
    /// Source that rebuilds the monoids and the games in Python, and so in Sage.
    Sage,
    /// One sequence of one game.
    BFile {
        /// The sequence.
        sequence: Sequence,
        /// The greatest number of terms.
        terms: u32,
    },
}

impl Format {
    /// Returns the name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::JsonLines => "jsonl",
            Self::Csv(_) => "csv",
            Self::Sqlite(_) => "sqlite",
            Self::Gap => "gap",
            Self::Sage => "sage",
            Self::BFile { .. } => "bfile",
        }
    }
}

/// The reason why there is no export.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The census cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A certificate that a record lacks or that cannot be read.
    #[error("the certificate of {0} is missing or damaged")]
    Certificate(Code),
    /// The export cannot be written.
    #[error("cannot write `{}`: {cause}", .path.display())]
    Write {
        /// The file or directory that was being written.
        path: PathBuf,
        /// The error of the system.
        cause: std::io::Error,
    },
    /// A place where a file or directory exists already.
    #[error("`{}` exists; give another name, or remove it first", .0.display())]
    Exists(PathBuf),
    /// A place without a name, such as `/`.
    #[error("`{}` is not a name for a directory", .0.display())]
    NoName(PathBuf),
    /// The database cannot be written.
    #[error("cannot write the database: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A document has no JSON form.
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A selection without a record.
    #[error("no record of this census is selected")]
    Nothing,
    /// The census has quotients of small order, and no game that could be selected.
    #[error(
        "this census has no games; its quotients are exported by --format jsonl, without conditions"
    )]
    QuotientsOnly,
    /// A sequence for a selection that is not one code.
    #[error("a sequence belongs to one game: give --code one code, and no other condition")]
    NotOneCode,
    /// A game without a record.
    #[error("{0} has no record in this census")]
    NoRecord(Code),
    /// A sequence too long for the quotient.
    #[error(
        "{terms} terms of a game with a quotient of order {order} need too much memory; give --terms at most {at_most}"
    )]
    TooLong {
        /// The number of requested terms.
        terms: u32,
        /// The order of the quotient.
        order: usize,
        /// The number of terms that fit.
        at_most: u64,
    },
    /// The export was stopped.
    #[error("interrupted; nothing was written")]
    Interrupted,
}

/// Writes an export of a census to `out`, which must not exist yet, and returns its manifest.
///
/// Cost: one read of every record, one certificate at a time for the selected ones. Only classes
/// and the codes that have them are kept in memory.
///
/// # Errors
/// [`ExportError`]; nothing is then left at `out` or beside it.
pub fn export(
    store: &Store,
    filter: &Filter,
    format: Format,
    out: &Path,
    interrupt: &Interrupt,
) -> Result<Manifest, ExportError> {
    let mut staging = Staging::begin(out)?;
    let source = Source {
        store,
        filter,
        interrupt,
    };
    let statement = Completeness::of(store)?;
    let counts = match format {
        Format::JsonLines => jsonl::write(&source, &mut staging)?,
        Format::Csv(tables) => csv::write(&source, &statement, tables, &mut staging)?,
        Format::Sqlite(tables) => sqlite::write(&source, &statement, tables, &mut staging)?,
        Format::Gap => monoid::write::<gap::Gap>(&source, &statement, &mut staging)?,
        Format::Sage => monoid::write::<sage::Sage>(&source, &statement, &mut staging)?,
        Format::BFile { sequence, terms } => {
            bfile::write(&source, &statement, sequence, terms, &mut staging)?
        }
    };
    let manifest = Manifest::new(format, filter, statement, counts, staging.files()?);
    staging.write(manifest::FILE, &manifest.text()?)?;
    if interrupt.is_raised() {
        return Err(ExportError::Interrupted);
    }
    staging.finish()?;
    Ok(manifest)
}

/// The number of things of each name that were written.
pub type Counts = BTreeMap<&'static str, u64>;

/// The source of an export.
pub(crate) struct Source<'a> {
    pub(crate) store: &'a Store,
    pub(crate) filter: &'a Filter,
    pub(crate) interrupt: &'a Interrupt,
}

/// A selected game.
pub(crate) struct SelectedGame {
    /// The record as the census keeps it.
    pub(crate) kept: Record,
    /// The record under the least of its requested codes, with the heap numbers of that code.
    pub(crate) named: Record,
}

impl SelectedGame {
    /// Returns the game under the requested code.
    pub(crate) fn into_named(self) -> KnownGame {
        KnownGame {
            record: self.named,
            representative: self.kept.code,
        }
    }
}

impl Source<'_> {
    /// Visits the selected games, in ascending order of their representative codes.
    ///
    /// # Errors
    /// [`ExportError`] if the store cannot be read, none is selected, or the export is interrupted.
    pub(crate) fn for_each(
        &self,
        mut visit: impl FnMut(SelectedGame) -> Result<(), ExportError>,
    ) -> Result<u64, ExportError> {
        let mut selected = 0;
        for kept in self.store.records()? {
            let kept = kept?;
            self.listen()?;
            if let Some(named) = self.filter.named(kept.clone()) {
                selected += 1;
                visit(SelectedGame { kept, named })?;
            }
        }
        match selected {
            0 if !self.store.plan().space().has_games() => Err(ExportError::QuotientsOnly),
            0 => Err(ExportError::Nothing),
            _ => Ok(selected),
        }
    }

    /// Returns the solution that the certificate of a game states.
    ///
    /// It has the heap numbers of the code under which the game is exported.
    ///
    /// # Errors
    /// [`ExportError`] if the store cannot be read or the certificate is damaged.
    pub(crate) fn solution(&self, game: &KnownGame) -> Result<Solution, ExportError> {
        self.store.solution(game).map_err(|error| match error {
            StoreError::Absent(_) | StoreError::Certificate(_) => {
                ExportError::Certificate(game.representative.clone())
            }
            other => other.into(),
        })
    }

    /// Checks for an interrupt.
    ///
    /// # Errors
    /// [`ExportError::Interrupted`] if the export was interrupted.
    pub(crate) fn listen(&self) -> Result<(), ExportError> {
        match self.interrupt.is_raised() {
            true => Err(ExportError::Interrupted),
            false => Ok(()),
        }
    }
}
