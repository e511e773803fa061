//! Queries: conditions on the games of a census, an order, and the form of the answers.
//!
//! A [`Query`] is a [`Filter`], an order and a limit: "the solved games of period 6, by preperiod".
//! This crate defines the meaning of such a query. It reads no census; the store answers
//! (`misere_store::answers`).
//!
//! A game with several codes is shown under the least code that fits the pattern, if there is one,
//! and that meets all conditions: `0.07` diverges at heap 34, `0.4` does not.
//!
//! - [`pattern`]: the patterns of codes
//! - [`field`]: the table of the fields by which a census is searched
//! - [`filter`]: the conditions on a record
//! - [`genus`]: the classes of heaps by their genera
//! - `tameness`: the first wild partial quotient
//! - [`index`]: the values by which records are found
//! - [`document`]: a record as JSON
//! - [`naming`]: the games, quotients and classes that a text may name
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod document;
pub mod field;
pub mod filter;
pub mod genus;
pub mod index;
mod known_game;
pub mod naming;
pub mod pattern;
mod ranges;
#[cfg(any(test, feature = "samples"))]
pub mod samples;
mod tameness;

use std::str::FromStr;

pub use document::{RecordDocument, RenumberingDocument};
pub use field::{Field, FieldColumn, Kind, Unit};
pub use filter::{ClassPattern, ClassPatternError, Filter, Tameness};
pub use genus::GenusClass;
pub use known_game::KnownGame;
pub use pattern::{CodePattern, PatternError};
pub use ranges::{RangeError, Ranges, Span};

/// A query to a census.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The conditions on the games.
    pub filter: Filter,
    /// The property by which the answers are sorted.
    pub sort: Sort,
    /// Whether the greatest answers come first.
    pub descending: bool,
    /// The number of answers that are skipped.
    pub offset: u64,
    /// The greatest number of answers; all are given if there is no limit.
    pub limit: Option<u64>,
}

/// The property by which answers are sorted.
///
/// Equal ones are sorted by code; games without such a number come last.
///
/// The default is the code under which the game is shown.
///
/// ```
/// use misere_query::{Field, Sort};
/// assert_eq!("p-size".parse(), Ok(Sort::by(Field::PSize).unwrap()));
/// assert_eq!(Sort::by(Field::Class), None);
/// assert_eq!(Sort::default().name(), "code");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sort(Option<Field>);

impl Sort {
    /// The order of codes.
    pub const CODE: Self = Self(None);

    /// Returns the order of a field's numbers; `None` if answers cannot be sorted by the field.
    #[must_use]
    pub fn by(field: Field) -> Option<Self> {
        field.is_sortable().then_some(Self(Some(field)))
    }

    /// Returns all orders, with the order of codes first.
    ///
    /// ```
    /// use misere_query::Sort;
    /// assert_eq!(Sort::all().next(), Some(Sort::CODE));
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        let fields = Field::ALL.into_iter();
        std::iter::once(Self::CODE).chain(fields.filter_map(Self::by))
    }

    /// Returns the names of all orders, with commas between them.
    ///
    /// ```
    /// use misere_query::Sort;
    /// assert!(Sort::names().starts_with("code, order, p-size, "));
    /// ```
    #[must_use]
    pub fn names() -> String {
        let names: Vec<&str> = Self::all().map(Self::name).collect();
        names.join(", ")
    }

    /// Returns the field by whose numbers answers are sorted; `None` for codes.
    #[must_use]
    pub const fn field(self) -> Option<Field> {
        self.0
    }

    /// Reports whether this names the order: its name in messages, or the option of its field.
    ///
    /// ```
    /// use misere_query::Sort;
    /// assert_eq!("spent".parse::<Sort>(), "fuel".parse());
    /// ```
    #[must_use]
    pub fn is_called(self, text: &str) -> bool {
        self.0.map_or(text == "code", |field| field.is_called(text))
    }

    /// Returns the name of the order in messages and addresses.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.map_or("code", Field::name)
    }
}

/// The error of a text that does not name an order of answers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot sort by `{0}` (there are {names})", names = Sort::names())]
pub struct SortError(String);

impl FromStr for Sort {
    type Err = SortError;
    fn from_str(text: &str) -> Result<Self, SortError> {
        let found = Self::all().find(|sort| sort.is_called(text));
        found.ok_or_else(|| SortError(text.to_owned()))
    }
}
