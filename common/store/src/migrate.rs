//! The migration of a census from an earlier format to the present one.
//!
//! A census is migrated when it is opened for writing. The first write batch changes the format
//! and marks the migration as not finished; the records follow in batches of their own, and the
//! last batch deletes the mark. After a kill -9 at any moment (A-4) the next opening for writing
//! continues, and until the end no other process can read the census.
//!
//! - **Formats 1 to 5** are not opened ([`StoreError::EarlierFormat`]).
//! - **Format 6** has no reasons why a quotient is not proved infinite, and its records get none.
//!   Whether a law of a game that grows is proved is read from the certificates.
//! - **Format 7** does not say whether a game is solved past an infinite quotient: this is read
//!   from the certificates. The words of all heaps become a part of the claim, so the digest of a
//!   census with such a game changes; any other digest stays.
//! - **Format 8** has no games that are solved by an automaton. The engine of that time searched
//!   for none, so no certificate has one, and a game that grows stays one. Only the endings are
//!   counted again.
//! - **Format 9** has no games whose quotient is proved infinite to a heap after the divergence.
//!   The checker of that time refused such evidence. Nothing changes.
//! - **Format 10** does not say which checker has checked a certificate: the coordinator checked
//!   all of them. Nothing changes.
//! - **Format 11** does not say on which worker's word a result rests. Nothing changes: a worker
//!   that is caught later keeps the results that it had by then.
//!
//! All entries of these formats are entries of the present one, so a census of format 6 to 11 can
//! be read as it is.

use std::path::Path;

use misere_census::frozen::code_key;
use misere_census::{
    AllHeapsFacts, CertificateError, GameTask, LawFacts, Plan, Record, certificate,
};
use misere_game::solution::Solution;
use rocksdb::{DB, WriteBatch};

use super::checked_opening::open_checked;
use super::disk::is_in_use;
use super::format::format_of;
use super::index::LAYOUT;
use super::keys::{FORMAT, Kind, Meta, number_key};
use super::value::{Event, EventKind, Ruleset};
use super::{Store, StoreError, commit_watermark, meta_of, unix_ms};

/// A key that is greater than every key in use.
const END: [u8; 512] = [u8::MAX; 512];

/// The number of entries written per batch while records are written again.
const RECORD_BATCH: usize = 16_384;

/// Returns the plan of the census in a directory, of the present format or an earlier one.
///
/// The census need not be complete, and its migration need not be finished.
///
/// Cost: one opening of the database.
///
/// # Errors
/// [`StoreError`] if there is no census, its format is not opened, or it cannot be read.
///
/// ```
/// # let (dir, mut store) =
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
/// use misere_store::plan_of;
///
/// let plan = store.plan().clone();
/// drop(store);
/// assert_eq!(plan_of(dir.path())?, plan);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan_of(dir: &Path) -> Result<Plan, StoreError> {
    let read = |db| read_plan(&db, dir)?.ok_or_else(|| commit_watermark::missing(dir));
    open_checked(dir, || is_in_use(dir), read)
}

/// Returns the plan in a database; `None` before it is written.
pub(super) fn read_plan(db: &DB, dir: &Path) -> Result<Option<Plan>, StoreError> {
    match format_of(db, dir)? {
        Some(_) => meta_of(db, Meta::Plan),
        None => Ok(None),
    }
}

impl Store {
    /// Migrates a census of an earlier format to the present one, or finishes its migration.
    ///
    /// The caller has compared the plans already.
    pub(super) fn migrate(&self, dir: &Path) -> Result<(), StoreError> {
        let Some(found) = format_of(&self.db, dir)? else {
            return Ok(());
        };
        if found < FORMAT {
            self.begin_migration(found, dir)?;
        }
        self.complete_records()
    }

    /// Writes the present format and an event, and marks the migration as not finished.
    pub(super) fn begin_migration(&self, found: u32, dir: &Path) -> Result<(), StoreError> {
        let mut batch = WriteBatch::default();
        self.put(&mut batch, Kind::Meta, Meta::Migrating.key(), &found)?;
        let event = Event {
            at_ms: unix_ms(),
            what: EventKind::Migrated { from: found },
        };
        let next = self.last_event()?.map_or(0, |last| last + 1);
        self.put(&mut batch, Kind::Event, &number_key(next), &event)?;
        self.put(&mut batch, Kind::Meta, Meta::Format.key(), &FORMAT)?;
        // The message comes before the write: if the process is killed in between, the operator
        // gets it twice rather than never.
        tracing::warn!(
            "the census in {} is brought from format {found} to format {FORMAT}: everything in it \
             is kept",
            dir.display()
        );
        self.write(batch)
    }

    /// Brings the records to the present format, and makes missing or older indexes.
    ///
    /// It writes several batches. After a kill between two of them, the next call does the rest.
    fn complete_records(&self) -> Result<(), StoreError> {
        let is_migrating = self.meta::<u32>(Meta::Migrating)?.is_some();
        let is_indexed = self.meta(Meta::Indexes)? == Some(LAYOUT);
        if is_migrating {
            self.recall_whole_games()?;
        }
        if !is_indexed {
            self.make_indexes()?;
        }
        if is_indexed && !is_migrating {
            return Ok(());
        }
        let mut batch = WriteBatch::default();
        self.delete(&mut batch, Kind::Meta, Meta::Migrating.key())?;
        self.put(&mut batch, Kind::Meta, Meta::Indexes.key(), &LAYOUT)?;
        self.write(batch)
    }

    /// Writes into records the laws and words of all heaps that their certificates prove.
    ///
    /// Records of formats 6 and 7 lack the words, those of format 6 the laws, too. The words are a
    /// part of the claim from format 8 on.
    fn recall_whole_games(&self) -> Result<(), StoreError> {
        let mut batch = WriteBatch::default();
        for record in self.records()? {
            let mut record = record?;
            if record.verdict.growth().is_none() && !record.is_proved_infinite() {
                continue;
            }
            let key = code_key(&record.code);
            // A certificate of an earlier form has neither.
            let Ok(solution) = self.solution_at(&key)? else {
                continue;
            };
            record.law = solution.law().map(LawFacts::of);
            if AllHeapsFacts::of(&solution).is_some() {
                let aliases = record.aliases.into_iter().map(|alias| alias.code);
                let game = GameTask {
                    code: record.code,
                    aliases: aliases.collect(),
                    budget: self.plan.budget(),
                };
                record = Record::new(&game, &solution)?;
            }
            if record.law.is_some() || record.all_heaps.is_some() {
                let record = Ruleset::Record(Box::new(record));
                self.put(&mut batch, Kind::Ruleset, &key, &record)?;
            }
            if batch.len() >= RECORD_BATCH {
                self.write(std::mem::take(&mut batch))?;
            }
        }
        self.write(batch)
    }

    /// Decodes the certificate under a key.
    fn solution_at(&self, key: &[u8]) -> Result<Result<Solution, CertificateError>, StoreError> {
        let kind = Kind::Certificate;
        let bytes = self.db.get_cf(self.family(kind)?, key)?;
        let bytes = bytes.ok_or(StoreError::Absent(kind.family()))?;
        Ok(certificate::decode(&bytes))
    }

    /// Replaces all indexes with those of the records.
    fn make_indexes(&self) -> Result<(), StoreError> {
        let mut batch = WriteBatch::default();
        batch.delete_range_cf(self.family(Kind::Index)?, &[][..], &END[..]);
        for record in self.records()? {
            self.index(&mut batch, &record?)?;
            if batch.len() >= RECORD_BATCH {
                self.write(std::mem::take(&mut batch))?;
            }
        }
        self.write(batch)
    }
}
