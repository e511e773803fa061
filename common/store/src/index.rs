//! Secondary indexes: for each queryable field, the records in ascending order of its value.
//!
//! An entry of the family [`Kind::Index`] has the key *index, value, code* and no value of its own,
//! so that all codes with one value are together, in their order, and values in theirs. Entries are
//! written and deleted in the batch of their record. They can always be made again from the
//! records, which happens when the [`LAYOUT`] has changed.
//!
//! A record without a number (a game that is not solved has no period) is under [`NOTHING`], after
//! all others, if the field has such entries ([`Field::is_uninformative`]). A record is under
//! several values if partial quotients change several times ([`Field::ChangesAt`]), or if an alias
//! of the game has other heap numbers: `0.4` seems infinite at heap 35 and its alias `0.07` at heap
//! 34, so both are values of their one record.

use misere_census::{Alias, Record};
use misere_game::ruleset::Code;
use rocksdb::WriteBatch;

use misere_census::frozen::{code_key, code_of};
use misere_query::Field;
use misere_query::index::{NOTHING, value};

use super::keys::{Kind, Meta};
use super::{Store, StoreError};

/// The version of the entries of the indexes.
///
/// Indexes of another version are rebuilt when a census is opened for writing.
pub const LAYOUT: u32 = 5;

/// Reports whether indexes of a layout have the entries of a field.
///
/// A store of an earlier release that is only read lacks the entries of later fields, and fields
/// computed from the code have none in any store.
pub(super) fn is_in(field: Field, layout: u32) -> bool {
    match field {
        _ if field.is_computed() => false,
        Field::Automaton => layout >= 5,
        Field::PastInfinite => layout >= 4,
        Field::Law | Field::Reason => layout >= 3,
        _ => true,
    }
}

/// Returns the family with the entries of an index.
pub(super) fn kind(field: Field) -> Kind {
    match field {
        Field::AnyClass => Kind::Membership,
        _ => Kind::Index,
    }
}

/// Returns the keys of a record's entries, ascending and each once.
///
/// There is one for every value that the record has under any of its codes.
///
/// Cost: the values of all fields; and for each alias with other heap numbers the values of the
/// fields that depend on them.
pub(super) fn keys(record: &Record) -> Vec<Vec<u8>> {
    let code = code_key(&record.code);
    let nothing = value(NOTHING);
    let mut keys = Vec::with_capacity(32);
    let mut add = |field: Field, named: &Record| {
        let is_uninformative = field.is_uninformative();
        field.for_each_value(named, |value| {
            if is_uninformative || value != nothing {
                keys.push([field.head(), value, &code].concat());
            }
        });
    };
    Field::indexed().for_each(|field| add(field, record));
    let others = record
        .aliases
        .iter()
        .filter(|alias| has_other_numbers(record, alias));
    for named in record.under_some(others) {
        let fields = Field::indexed().filter(|field| field.depends_on_code());
        fields.for_each(|field| add(field, &named));
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Reports whether the numbers of an alias may differ from those of the record.
fn has_other_numbers(record: &Record, alias: &Alias) -> bool {
    !alias.renumbering.is_identity()
        || (alias.verdict, alias.heaps) != (record.verdict, record.heaps)
        || (alias.tail, alias.all_heaps) != (record.tail, record.all_heaps)
}

/// Returns the code in the key of an entry.
pub(super) fn code_in(key: &[u8]) -> Option<Code> {
    let (&number, rest) = key.split_first()?;
    let field = Field::indexed().find(|field| field.head() == [number])?;
    code_of(rest.get(field.width()..)?)
}

impl Store {
    /// Returns the layout of the indexes.
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
