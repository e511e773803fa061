//! Consistent snapshots: a census at one moment, read while another thread writes it.
//!
//! A [`View`] sees everything that was committed when it was made, and nothing that is committed
//! later. It counts its reads.

use std::cell::Cell;

use misere_census::Record;
use misere_census::frozen::code_key;
use rocksdb::{DB, DBRawIteratorWithThreadMode, ReadOptions, Snapshot};

use misere_census::encoding;
use misere_game::ruleset::Code;
use misere_query::Field;

use super::keys::Kind;
use super::value::Ruleset;
use super::{Store, StoreError, damaged};

/// The number of entries that were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadCounts {
    /// The number of keys of indexes and of codes that were examined.
    pub keys: u64,
    /// The number of records that were read.
    pub records: u64,
}

/// A census at one moment.
pub struct View<'a> {
    store: &'a Store,
    snapshot: Snapshot<'a>,
    keys: Cell<u64>,
    records: Cell<u64>,
    /// The most records that may be read.
    most_records: u64,
}

impl<'a> View<'a> {
    /// Returns the census in its present state.
    ///
    /// Cost: none: RocksDB keeps the entries that the view sees as long as the view lives.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_store::view::View;
    ///
    /// let view = View::of(&store);
    /// assert_eq!(view.store().counters().records(), 2);
    /// assert!(view.record(&"0.77".parse()?)?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(store: &'a Store) -> Self {
        Self {
            store,
            snapshot: store.db.snapshot(),
            keys: Cell::new(0),
            records: Cell::new(0),
            most_records: u64::MAX,
        }
    }

    /// Returns the view with a limit to the records that may be read.
    ///
    /// A reader checks [`is_spent`](Self::is_spent) now and then.
    #[must_use]
    pub(super) fn within(self, most_records: u64) -> Self {
        Self {
            most_records,
            ..self
        }
    }

    /// Reports whether the limit of records was reached.
    pub(super) fn is_spent(&self) -> bool {
        self.records.get() >= self.most_records
    }

    /// Returns the census of the view.
    #[must_use]
    pub fn store(&self) -> &'a Store {
        self.store
    }

    /// Returns the number of entries read so far.
    ///
    /// Cost: none.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_store::view::View;
    ///
    /// let view = View::of(&store);
    /// view.record(&"0.77".parse()?)?;
    /// assert_eq!(view.reads().records, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reads(&self) -> ReadCounts {
        ReadCounts {
            keys: self.keys.get(),
            records: self.records.get(),
        }
    }

    /// Returns the record or alias under the key of a code.
    ///
    /// Cost: one seek.
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

    /// Returns the record of a game, under any of its codes.
    ///
    /// Cost: one seek, and a second for an alias.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_store::view::View;
    ///
    /// let record = View::of(&store).record(&"4.6".parse()?)?.ok_or("no record")?;
    /// assert_eq!((record.code.to_string(), record.order), ("0.77".to_owned(), 40));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn record(&self, code: &Code) -> Result<Option<Record>, StoreError> {
        self.record_at(&code_key(code))
    }

    /// Returns the record of a game, by the key of one of its codes.
    ///
    /// Cost: one seek, and a second for an alias.
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

    /// Returns the entries of an index with values from `low` to `high`.
    ///
    /// Cost: one seek, and one step for each entry that is read.
    ///
    /// # Errors
    /// [`StoreError`] if the index does not exist.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_query::Field;
    /// use misere_store::view::{Direction, View};
    ///
    /// let view = View::of(&store);
    /// let (low, high) = (vec![0; Field::Order.width()], vec![0xff; Field::Order.width()]);
    /// let mut cursor = view.entries(Field::Order, &low, &high, Direction::Ascending)?;
    /// let mut count = 0;
    /// while cursor.entry(Field::Order)?.is_some() {
    ///     count += 1;
    ///     cursor.advance();
    /// }
    /// assert_eq!(count, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn entries(
        &self,
        field: Field,
        low: &[u8],
        high: &[u8],
        direction: Direction,
    ) -> Result<Cursor<'_>, StoreError> {
        let head = field.head();
        let low = [head, low].concat();
        // This is after all codes: no key of a code begins with these bytes.
        let high = [head, high, &[u8::MAX; 8]].concat();
        self.cursor(super::index::kind(field), low, high, direction)
    }

    /// Returns the codes of records and aliases with keys from `low` on that begin with `head`.
    ///
    /// Cost: one seek, and one step for each code that is read.
    ///
    /// # Errors
    /// [`StoreError`] if the family does not exist.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_store::view::View;
    ///
    /// let view = View::of(&store);
    /// let mut cursor = view.codes(&[])?;
    /// let mut count = 0;
    /// while cursor.key()?.is_some() {
    ///     count += 1;
    ///     cursor.advance();
    /// }
    /// // 0.3, 0.77, and its alias 4.6.
    /// assert_eq!(count, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

/// The direction in which entries are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From the least to the greatest.
    #[default]
    Ascending,
    /// From the greatest to the least.
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
    /// Returns the key at the cursor; `None` after the last.
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

    /// Returns the value of an index and the key of a code at the cursor; `None` after the last.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails.
    pub fn entry(&self, field: Field) -> Result<Option<Entry<'_>>, StoreError> {
        let head = field.head().len();
        Ok(self
            .key()?
            .and_then(|key| key.get(head..)?.split_at_checked(field.width())))
    }

    /// Moves the cursor to the next key.
    pub fn advance(&mut self) {
        self.keys.set(self.keys.get() + 1);
        match self.direction {
            Direction::Ascending => self.raw.next(),
            Direction::Descending => self.raw.prev(),
        }
    }

    /// Moves the cursor to the first key that is not less than `key`.
    ///
    /// `key` must not be behind the cursor, which must be ascending.
    ///
    /// Cost: one seek.
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
