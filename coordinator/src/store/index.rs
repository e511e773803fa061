//! Which records say so?
//!
//! An entry of the family [`Kind::Index`] has the key *index, value, code* and no value of its own,
//! so that all codes with one value stand together, in their order, and values in theirs. Entries
//! are written and deleted in the batch of their record; they can always be made again from
//! the records, and are when the [`LAYOUT`] has changed.
//!
//! A record that does not say (a game that is not solved has no period) stands under [`NOTHING`],
//! behind all others. A record stands under several values where partial quotients change several
//! times ([`Index::Change`]), and where an alias of the game has other heap numbers: `0.4` seems
//! infinite at heap 35 and its alias `0.07` at heap 34, so both are values of the one record of
//! both.

use std::collections::BTreeSet;

use misere_census::Record;
use misere_theory::bipartite::ClassKey;
use misere_theory::ruleset::Code;
use misere_theory::solution::{Partial, Verdict};
use rocksdb::WriteBatch;

use super::keys::{Kind, code_key, code_of};
use super::{Store, StoreError};

/// The version of the entries. Indexes of another one are made anew when a census is opened for
/// writing.
pub const LAYOUT: u32 = 2;

/// The value of records that do not say.
pub const NOTHING: u64 = u64::MAX;

/// The indexes. Their numbers are on disks: a change here is a change of [`LAYOUT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Index {
    /// How the computation ended, by the number of the status in
    /// [`Status::ALL`](misere_census::Status::ALL).
    Status = 1,
    /// 0 wild, 1 tame; nothing where that is open.
    Tame = 2,
    /// The order of the quotient.
    Order = 3,
    /// The size of its P-portion.
    PSize = 4,
    /// The period, of a game that is solved.
    Period = 5,
    /// The preperiod, of a game that is solved.
    Preperiod = 6,
    /// The greatest heap proved.
    Heaps = 7,
    /// Fuel spent.
    Fuel = 8,
    /// The class of the quotient: the only index whose values have 32 bytes.
    Class = 9,
    /// Each heap at which the partial quotient changed: the only one with several entries for a
    /// record.
    Change = 10,
    /// The heap from which on partial quotients are wild.
    WildFrom = 11,
    /// The heap at which the partial quotient diverges, proved infinite or not.
    DivergesAt = 12,
    /// The heap from which on misère play is normal play.
    TameRelativeFrom = 13,
    /// The heap from which on partial quotients grow in a pattern.
    GrowsFrom = 14,
    /// The class of any partial quotient. These are the entries of [`Kind::Membership`], whose keys
    /// begin with the class.
    AnyClass = 0,
}

impl Index {
    /// All that have entries of their own.
    const OWN: [Self; 14] = [
        Self::Status,
        Self::Tame,
        Self::Order,
        Self::PSize,
        Self::Period,
        Self::Preperiod,
        Self::Heaps,
        Self::Fuel,
        Self::Class,
        Self::Change,
        Self::WildFrom,
        Self::DivergesAt,
        Self::TameRelativeFrom,
        Self::GrowsFrom,
    ];

    /// Its name, for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Tame => "tame",
            Self::Order => "order",
            Self::PSize => "p-size",
            Self::Period => "period",
            Self::Preperiod => "preperiod",
            Self::Heaps => "heaps",
            Self::Fuel => "fuel",
            Self::Class => "class",
            Self::Change => "changes-at",
            Self::WildFrom => "wild-from",
            Self::DivergesAt => "diverges-at",
            Self::TameRelativeFrom => "tame-relative-from",
            Self::GrowsFrom => "grows-from",
            Self::AnyClass => "any-class",
        }
    }

    /// The family with its entries.
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::AnyClass => Kind::Membership,
            _ => Kind::Index,
        }
    }

    /// What stands before the value in the keys.
    pub(crate) fn head(self) -> &'static [u8] {
        static NUMBERS: [u8; 15] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];
        match self {
            Self::AnyClass => &[],
            _ => &NUMBERS[self as usize..=self as usize],
        }
    }

    /// How many bytes the values have.
    #[must_use]
    pub fn width(self) -> usize {
        match self {
            Self::Class | Self::AnyClass => 32,
            _ => 8,
        }
    }

    /// The values that a record says in its own heap numbers, ascending.
    #[must_use]
    pub fn values(self, record: &Record) -> Vec<Vec<u8>> {
        let number = match self {
            Self::Class => return vec![record.class.0.to_vec()],
            Self::AnyClass => {
                let mut classes: Vec<Vec<u8>> = (record.partials.iter())
                    .map(|partial| partial.class.0.to_vec())
                    .collect();
                classes.sort_unstable();
                classes.dedup();
                return classes;
            }
            Self::Change => {
                let heaps = record.partials.iter().map(|partial| partial.heap);
                return heaps.map(|heap| value(heap).to_vec()).collect();
            }
            _ => self.number(record),
        };
        vec![value(number.unwrap_or(NOTHING)).to_vec()]
    }

    /// The number that a record says in its own heap numbers; `None` if it does not say, or the
    /// index has no numbers or several.
    #[must_use]
    pub fn number(self, record: &Record) -> Option<u64> {
        let verdict = record.verdict;
        Some(match (self, verdict) {
            (Self::Status, _) => record.status()? as u64,
            (Self::Tame, _) => u64::from(record.tame?),
            (Self::Order, _) => record.order.into(),
            (Self::PSize, _) => record.p_size.into(),
            (Self::Heaps, _) => record.heaps.into(),
            (Self::Fuel, _) => record.fuel,
            (Self::WildFrom, _) => wild_from(record)?.into(),
            (Self::Period, Verdict::Solved { period, .. }) => period.into(),
            (Self::Preperiod, Verdict::Solved { preperiod, .. }) => preperiod.into(),
            (Self::DivergesAt, Verdict::Diverges { heap, .. })
            | (Self::TameRelativeFrom, Verdict::TameRelative { heap }) => heap.into(),
            (Self::GrowsFrom, Verdict::Grows { start, .. }) => start.into(),
            _ => return None,
        })
    }
}

/// A number as a value; ascending as the number does.
#[must_use]
pub fn value(number: impl Into<u64>) -> [u8; 8] {
    number.into().to_be_bytes()
}

/// A class as a value.
#[must_use]
pub fn class_value(class: &ClassKey) -> Vec<u8> {
    class.0.to_vec()
}

/// The first heap at which the partial quotient is wild, if one is.
///
/// Tame quotients are `T_0`, `T_1` and, for `n ≥ 2`, `T_n` of order `2^n + 2` with two elements in
/// P; and a misère quotient with two elements in P is one of these or some `R_(2^n+4)` (Siegel,
/// *The structure and classification of misère quotients*). No number is `2^n + 2` and `2^m + 4`
/// with `n, m ≥ 2`, so order and size of P tell.
#[must_use]
pub fn wild_from(record: &Record) -> Option<u32> {
    let is_tame = |partial: &&Partial| match partial.order {
        0..=2 => true,
        order => partial.p_size == 2 && order >= 6 && (order - 2).is_power_of_two(),
    };
    let wild = record.partials.iter().find(|partial| !is_tame(partial));
    wild.map(|partial| partial.heap)
}

/// The keys of a record's entries, each once: those of the values that it says under any of its
/// codes.
pub(super) fn keys(record: &Record) -> BTreeSet<Vec<u8>> {
    let code = code_key(&record.code);
    let mut keys = BTreeSet::new();
    for named in record.codes().filter_map(|name| record.under(name)) {
        for index in Index::OWN {
            let values = index.values(&named).into_iter();
            keys.extend(values.map(|value| [index.head(), value.as_slice(), &code].concat()));
        }
    }
    keys
}

/// The code in the key of an entry.
pub(super) fn code_in(key: &[u8]) -> Option<Code> {
    let (&number, rest) = key.split_first()?;
    let mut indexes = Index::OWN.into_iter();
    let index = indexes.find(|index| index.head() == [number])?;
    code_of(rest.get(index.width()..)?)
}

impl Store {
    /// Adds a record to all indexes.
    pub(super) fn index(&self, batch: &mut WriteBatch, record: &Record) -> Result<(), StoreError> {
        let family = self.family(Kind::Index)?;
        (keys(record).into_iter()).for_each(|key| batch.put_cf(family, key, []));
        Ok(())
    }

    /// Takes a record out of all indexes.
    pub(super) fn unindex(
        &self,
        batch: &mut WriteBatch,
        record: &Record,
    ) -> Result<(), StoreError> {
        let family = self.family(Kind::Index)?;
        (keys(record).into_iter()).for_each(|key| batch.delete_cf(family, key));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use misere_theory::bipartite::families::{restive, tame};

    /// Order and size of P of tame and of restive quotients are never the same.
    #[test]
    fn order_and_size_of_p_tell_tame_from_wild() {
        let partial = |heap, monoid: &misere_theory::bipartite::BipartiteMonoid| Partial {
            heap,
            order: monoid.order() as u32,
            p_size: monoid.p_size() as u32,
            class: ClassKey([0; 32]),
        };
        let mut record = crate::query::tests::record("0.77");
        for n in 0..9 {
            record.partials = vec![partial(1, &tame(n))];
            assert_eq!(wild_from(&record), None, "T_{n}");
            let Some(restive) = restive(n) else { continue };
            record.partials.push(partial(2, &restive));
            assert_eq!(wild_from(&record), Some(2), "R of {n}");
        }
    }

    #[test]
    fn the_numbers_are_those_on_disks() {
        for index in Index::OWN {
            assert_eq!(index.head(), [index as u8]);
        }
    }
}
