//! How is a census read as it stands at one moment, while others write it?
//!
//! A [`View`] sees what was committed when it was made, and nothing of what is committed later. It
//! counts what it reads.

use std::cell::Cell;

use misere_census::Record;
use misere_census::frozen::code_key;
use rocksdb::{DB, DBRawIteratorWithThreadMode, ReadOptions, Snapshot};

use super::keys::Kind;
use super::value::Ruleset;
use super::{Store, StoreError, damaged};
use misere_census::encoding;
use misere_query::Field;
use misere_theory::ruleset::Code;

/// What was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Keys of indexes and of codes looked at.
    pub keys: u64,
    /// Records read.
    pub records: u64,
}

/// A census at one moment.
pub struct View<'a> {
    store: &'a Store,
    snapshot: Snapshot<'a>,
    keys: Cell<u64>,
    records: Cell<u64>,
}

impl<'a> View<'a> {
    /// The census as it stands now.
    #[must_use]
    pub fn of(store: &'a Store) -> Self {
        Self {
            store,
            snapshot: store.db.snapshot(),
            keys: Cell::new(0),
            records: Cell::new(0),
        }
    }

    /// The census that is looked at.
    #[must_use]
    pub fn store(&self) -> &'a Store {
        self.store
    }

    /// What was read so far.
    #[must_use]
    pub fn reads(&self) -> Reads {
        Reads {
            keys: self.keys.get(),
            records: self.records.get(),
        }
    }

    /// What stands under the key of a code.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or the entry is damaged.
    pub fn ruleset(&self, code_key: &[u8]) -> Result<Option<Ruleset>, StoreError> {
        self.records.set(self.records.get() + 1);
        let kind = Kind::Ruleset;
        let bytes = self.snapshot.get_cf(self.store.family(kind)?, code_key)?;
        let value = bytes.map(|bytes| encoding::decode(kind.version(), &bytes));
        value.transpose().map_err(damaged(kind))
    }

    /// The record of a game, under whichever of its codes.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    pub fn record(&self, code: &Code) -> Result<Option<Record>, StoreError> {
        self.record_at(&code_key(code))
    }

    /// As [`record`](Self::record), by the code's key.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    pub fn record_at(&self, code_key_of: &[u8]) -> Result<Option<Record>, StoreError> {
        Ok(match self.ruleset(code_key_of)? {
            Some(Ruleset::Record(record)) => Some(*record),
            Some(Ruleset::AliasOf(code)) => match self.ruleset(&code_key(&code))? {
                Some(Ruleset::Record(record)) => Some(*record),
                _ => None,
            },
            None => None,
        })
    }

    /// The entries of an index with values from `low` to `high`.
    ///
    /// # Errors
    /// [`StoreError`] if the index is not there.
    pub fn entries(
        &self,
        field: Field,
        low: &[u8],
        high: &[u8],
        direction: Direction,
    ) -> Result<Cursor<'_>, StoreError> {
        let head = field.head();
        let low = [head, low].concat();
        // Behind all codes: no key of a code begins so.
        let high = [head, high, &[u8::MAX; 8]].concat();
        self.cursor(super::index::kind(field), low, high, direction)
    }

    /// All codes, those of records and their aliases, with keys from `low` on that begin with
    /// `head`.
    ///
    /// # Errors
    /// [`StoreError`] if the family is not there.
    pub fn codes(&self, head: &[u8]) -> Result<Cursor<'_>, StoreError> {
        let high = [head, &[u8::MAX; 300]].concat();
        self.cursor(Kind::Ruleset, head.to_vec(), high, Direction::Ascending)
    }

    fn cursor(
        &self,
        kind: Kind,
        low: Vec<u8>,
        high: Vec<u8>,
        direction: Direction,
    ) -> Result<Cursor<'_>, StoreError> {
        let mut options = ReadOptions::default();
        options.set_snapshot(&self.snapshot);
        let family = self.store.family(kind)?;
        let mut cursor = Cursor {
            raw: self.store.db.raw_iterator_cf_opt(family, options),
            low,
            high,
            direction,
            keys: &self.keys,
        };
        cursor.keys.set(cursor.keys.get() + 1);
        match direction {
            Direction::Ascending => cursor.raw.seek(&cursor.low),
            Direction::Descending => cursor.raw.seek_for_prev(&cursor.high),
        }
        Ok(cursor)
    }
}

/// The value of an index, and the key of a code.
pub type Entry<'k> = (&'k [u8], &'k [u8]);

/// Which way entries are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// The least first.
    #[default]
    Ascending,
    /// The greatest first.
    Descending,
}

/// A place among the keys of a range.
pub struct Cursor<'a> {
    raw: DBRawIteratorWithThreadMode<'a, DB>,
    low: Vec<u8>,
    high: Vec<u8>,
    direction: Direction,
    keys: &'a Cell<u64>,
}

impl Cursor<'_> {
    /// The key here; `None` behind the last.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails.
    pub fn key(&self) -> Result<Option<&[u8]>, StoreError> {
        match self.raw.key() {
            Some(key) if key >= self.low.as_slice() && key <= self.high.as_slice() => Ok(Some(key)),
            Some(_) => Ok(None),
            None => {
                self.raw.status()?;
                Ok(None)
            }
        }
    }

    /// The value of an index and the code's key here; `None` behind the last.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails.
    pub fn entry(&self, field: Field) -> Result<Option<Entry<'_>>, StoreError> {
        let head = field.head().len();
        Ok(self
            .key()?
            .and_then(|key| key.get(head..)?.split_at_checked(field.width())))
    }

    /// Goes on to the next key.
    pub fn advance(&mut self) {
        self.keys.set(self.keys.get() + 1);
        match self.direction {
            Direction::Ascending => self.raw.next(),
            Direction::Descending => self.raw.prev(),
        }
    }

    /// Goes on to the first key from this one on, which must not lie behind. Only where the least
    /// come first.
    pub fn seek(&mut self, key: &[u8]) {
        self.keys.set(self.keys.get() + 1);
        self.raw.seek(key);
    }
}

impl std::fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("View")
            .field("reads", &self.reads())
            .finish_non_exhaustive()
    }
}
