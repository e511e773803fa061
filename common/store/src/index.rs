//! Secondary indexes: for each queryable field, the records in ascending order of its value.
//!
//! An entry of the family [`Kind::Index`] has the key *index, value, code* and no value of its own,
//! so that all codes with one value stand together, in their order, and values in theirs. Entries
//! are written and deleted in the batch of their record; they can always be made again from
//! the records, and are when the [`LAYOUT`] has changed.
//!
//! A record that does not say (a game that is not solved has no period) stands under
//! [`NOTHING`](misere_query::index::NOTHING), behind all others. A record stands under several
//! values where partial quotients change several times ([`Field::ChangesAt`]), and where an alias
//! of the game has other heap numbers: `0.4` seems infinite at heap 35 and its alias `0.07` at heap
//! 34, so both are values of the one record of both.

use std::collections::BTreeSet;

use misere_census::Record;
use misere_theory::ruleset::Code;
use rocksdb::WriteBatch;

use misere_census::frozen::{code_key, code_of};
use misere_query::Field;

use super::keys::{Kind, Meta};
use super::{Store, StoreError};

/// The version of the entries of the indexes. Indexes of another version are made anew when a
/// census is opened for writing.
pub const LAYOUT: u32 = 4;

/// Whether indexes of a layout have the entries of a field. A store of an earlier release that is
/// only read lacks those of later fields, and what is computed of the code has none in any store.
pub(super) fn is_in(field: Field, layout: u32) -> bool {
    match field {
        _ if field.is_computed() => false,
        Field::PastInfinite => layout >= 4,
        Field::Law | Field::Reason => layout >= 3,
        _ => true,
    }
}

/// The family with the entries of an index.
pub(super) fn kind(field: Field) -> Kind {
    match field {
        Field::AnyClass => Kind::Membership,
        _ => Kind::Index,
    }
}

/// The keys of a record's entries, each once: one for every value that the record has under any of
/// its codes.
pub(super) fn keys(record: &Record) -> BTreeSet<Vec<u8>> {
    let code = code_key(&record.code);
    let mut keys = BTreeSet::new();
    for named in record.under_each() {
        for field in Field::indexed() {
            let values = field.values(&named).into_iter();
            keys.extend(values.map(|value| [field.head(), value.as_slice(), &code].concat()));
        }
    }
    keys
}

/// The code in the key of an entry.
pub(super) fn code_in(key: &[u8]) -> Option<Code> {
    let (&number, rest) = key.split_first()?;
    let field = Field::indexed().find(|field| field.head() == [number])?;
    code_of(rest.get(field.width()..)?)
}

impl Store {
    /// The layout of the indexes.
    pub(super) fn layout(&self) -> Result<u32, StoreError> {
        Ok(self.meta(Meta::Indexes)?.unwrap_or(LAYOUT))
    }

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
