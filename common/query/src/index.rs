//! The values by which records are found, in the form of the keys of the indexes.
//!
//! Kayles, `0.77`, has the period 12: its record is under the value 12 of the index of
//! [`Field::Period`]. A record without such a number (a game that is not solved has no period) is
//! under [`NOTHING`], after all others.

use misere_census::Record;

use crate::field::{Field, Kind, Reading};

/// The value of records that have no such number.
pub const NOTHING: u64 = u64::MAX;

impl Field {
    /// Returns the fields that have entries of their own in the family of indexes.
    ///
    /// These are all but the fields computed on demand, and [`Field::AnyClass`], whose entries are
    /// those of the memberships.
    ///
    /// ```
    /// # use misere_query::Field;
    /// assert!(Field::indexed().any(|field| field == Field::Order));
    /// assert!(Field::indexed().all(|field| field != Field::FirstWild));
    /// ```
    pub fn indexed() -> impl Iterator<Item = Self> {
        let all = Self::ALL.into_iter();
        all.filter(|field| *field != Self::AnyClass && !field.is_computed())
    }

    /// Reports whether records without such a number have an entry, under [`NOTHING`].
    ///
    /// Answers sorted by the field end with them, and a query may ask for games whose tameness is
    /// open.
    ///
    /// ```
    /// # use misere_query::Field;
    /// assert!(Field::Period.is_uninformative() && Field::Tame.is_uninformative());
    /// assert!(!Field::Law.is_uninformative());
    /// ```
    #[must_use]
    pub fn is_uninformative(self) -> bool {
        self.is_sortable() || matches!(self.kind(), Kind::Tameness)
    }

    /// Returns the bytes before the value in the keys of the entries.
    ///
    /// ```
    /// # use misere_query::Field;
    /// assert_eq!(Field::Period.head(), [5]);
    /// assert!(Field::AnyClass.head().is_empty());
    /// ```
    #[must_use]
    pub fn head(self) -> &'static [u8] {
        match self {
            Self::AnyClass => &[],
            _ => self.byte(),
        }
    }

    /// Returns the number of bytes of a value: 32 for a class, 8 for a number.
    ///
    /// ```
    /// # use misere_query::Field;
    /// assert_eq!((Field::Class.width(), Field::Order.width()), (32, 8));
    /// ```
    #[must_use]
    pub fn width(self) -> usize {
        match self.reading() {
            Reading::Classes(_) => 32,
            Reading::Number(_) | Reading::Numbers(_) => 8,
        }
    }

    /// Returns the values of a record in its own heap numbers, as bytes, ascending and each once.
    ///
    /// A record without such a number has the value [`NOTHING`].
    ///
    /// ```
    /// # use misere_query::{Field, index::value, samples::synthetic};
    /// let record = synthetic(0);
    /// assert_eq!(Field::Order.values(&record), [value(record.order)]);
    /// ```
    ///
    /// Cost: linear in the number of partial quotients.
    #[must_use]
    pub fn values(self, record: &Record) -> Vec<Vec<u8>> {
        let mut values = Vec::new();
        self.for_each_value(record, |value| values.push(value.to_vec()));
        values
    }

    /// Calls `found` with each of [the values](Self::values) of a record, in their order.
    ///
    /// ```
    /// # use misere_query::{Field, index::value, samples::synthetic};
    /// let (record, mut found) = (synthetic(0), 0);
    /// Field::Order.for_each_value(&record, |order| {
    ///     assert_eq!(order, value(record.order));
    ///     found += 1;
    /// });
    /// assert_eq!(found, 1);
    /// ```
    ///
    /// Cost: linear in the number of partial quotients.
    pub fn for_each_value(self, record: &Record, mut found: impl FnMut(&[u8])) {
        match self.reading() {
            Reading::Number(number) => found(&value(number(record).unwrap_or(NOTHING))),
            Reading::Numbers(numbers) => {
                let numbers = numbers(record).into_iter();
                numbers.for_each(|number| found(&value(number)));
            }
            Reading::Classes(classes) => {
                let mut classes = classes(record);
                classes.sort_unstable();
                classes.dedup();
                classes.iter().for_each(|class| found(&class.0));
            }
        }
    }

    /// Returns the number of a record in its own heap numbers.
    ///
    /// Returns `None` if the record has no such number, or the field has classes or several
    /// numbers.
    ///
    /// ```
    /// # use misere_query::{Field, samples::record};
    /// let record = record("0.77");
    /// assert_eq!(Field::Period.number(&record), Some(1));
    /// assert_eq!(Field::DivergesAt.number(&record), None);
    /// ```
    #[must_use]
    pub fn number(self, record: &Record) -> Option<u64> {
        match self.reading() {
            Reading::Number(number) => number(record),
            Reading::Numbers(_) | Reading::Classes(_) => None,
        }
    }

    /// Returns all numbers of a record in its own heap numbers, ascending.
    ///
    /// There are none if the field has classes.
    ///
    /// ```
    /// # use misere_query::{Field, samples::synthetic};
    /// let record = synthetic(3);
    /// assert_eq!(Field::ChangesAt.numbers(&record).len(), record.partials.len());
    /// ```
    #[must_use]
    pub fn numbers(self, record: &Record) -> Vec<u64> {
        match self.reading() {
            Reading::Number(number) => number(record).into_iter().collect(),
            Reading::Numbers(numbers) => numbers(record),
            Reading::Classes(_) => Vec::new(),
        }
    }
}

/// Returns the bytes of a number as a value of an index; greater numbers have greater bytes.
///
/// ```
/// # use misere_query::index::value;
/// assert!(value(255_u64) < value(256_u64));
/// ```
#[must_use]
pub fn value(number: impl Into<u64>) -> [u8; 8] {
    number.into().to_be_bytes()
}
