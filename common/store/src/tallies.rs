//! Tallies: the number of rulesets with each ending.
//!
//! They are counted as records enter and leave, in the batch of each commit, so that a summary of a
//! census need not read every record. A census of an earlier release has no such counts: they are
//! made when it is opened for writing.

use misere_census::{Ending, Record};
use serde::{Deserialize, Serialize};

use super::keys::Meta;
use super::{Store, StoreError, meta_of};

/// The number of rulesets, and of their codes, with each ending, in the order of [`Ending::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tallies([(u64, u64); Ending::ALL.len()]);

impl Tallies {
    /// Counts a record.
    pub fn add(&mut self, record: &Record) {
        self.count(record, |sum, number| sum.wrapping_add(number));
    }

    /// Subtracts a record.
    pub(super) fn remove(&mut self, record: &Record) {
        self.count(record, u64::saturating_sub);
    }

    fn count(&mut self, record: &Record, by: impl Fn(u64, u64) -> u64) {
        let finding = record.conclusion().ending();
        let places = Ending::ALL.iter().zip(&mut self.0);
        for (_, (rulesets, codes)) in places.filter(|(of, _)| **of == finding) {
            *rulesets = by(*rulesets, 1);
            *codes = by(*codes, 1 + record.aliases.len() as u64);
        }
    }

    /// Returns each ending with its numbers of rulesets and codes.
    ///
    /// Cost: none.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let tallies = store.tallies()?;
    /// let rulesets: u64 = tallies.each().map(|(_, rulesets, _)| rulesets).sum();
    /// assert_eq!(rulesets, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn each(&self) -> impl Iterator<Item = (Ending, u64, u64)> {
        let sums = Ending::ALL.into_iter().zip(self.0);
        sums.map(|(finding, (rulesets, codes))| (finding, rulesets, codes))
    }

    /// Returns the number of all rulesets.
    fn rulesets(&self) -> u64 {
        self.each().map(|(_, rulesets, _)| rulesets).sum()
    }
}

impl Store {
    /// Returns the number of rulesets with each ending.
    ///
    /// Cost: none; one read of every record, if an earlier release wrote the census last.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    pub fn tallies(&self) -> Result<Tallies, StoreError> {
        match self.tallies_kept()? {
            Some(tallies) => Ok(tallies),
            None => self.tallies_counted(),
        }
    }

    /// Returns the stored tallies, if they count the records of this census.
    pub(super) fn tallies_kept(&self) -> Result<Option<Tallies>, StoreError> {
        let kept: Option<Tallies> = meta_of(&self.db, Meta::Tallies)?;
        // An earlier release that continued this census has not counted.
        let has_batches = self.plan.space().max_quotient_order().is_some();
        let records = self.counters.records();
        Ok(kept.filter(|kept| has_batches || kept.rulesets() == records))
    }

    /// Returns the tallies of the records, counted again.
    pub(super) fn tallies_counted(&self) -> Result<Tallies, StoreError> {
        let mut tallies = Tallies::default();
        for record in self.records()? {
            tallies.add(&record?);
        }
        Ok(tallies)
    }
}
