//! Queries: which games of a census are asked for, in which order, and how an answer is written.
//!
//! A [`Query`] is a [`Filter`], an order and a limit: "the solved games of period 6, by preperiod".
//! This crate says what such a question means. It reads no census; the store answers
//! (`misere_store::answers`).
//!
//! Of the codes that are the same game a game is told under the least that fits the pattern, if
//! there is one, and of which everything that is asked for is true: `0.07` diverges at heap 34,
//! `0.4` does not.
//!
//! - [`pattern`]: the codes that look alike
//! - [`filter`]: the conditions on a record
//! - [`index`]: the values by which records are found
//! - [`document`]: a record as JSON
//! - [`naming`]: what a text of a person may name: a game, a quotient, a class
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod document;
pub mod filter;
pub mod index;
mod known_game;
pub mod naming;
pub mod pattern;
#[cfg(any(test, feature = "samples"))]
pub mod samples;

use std::str::FromStr;

pub use document::{RecordDocument, RenumberingDocument};
pub use filter::{ClassPattern, Filter, Happening, NoClass, NoSpan, Span, Tameness};
pub use known_game::KnownGame;
pub use pattern::{CodePattern, PatternError};

use index::Index;

/// What is asked of a census.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The conditions.
    pub filter: Filter,
    /// What the answers are sorted by.
    pub sort: Sort,
    /// Whether the greatest come first.
    pub descending: bool,
    /// So many answers are passed over.
    pub offset: u64,
    /// At most so many are given; all, if there is no limit.
    pub limit: Option<u64>,
}

/// What answers are sorted by. Equal ones are sorted by code; those that have no such number come
/// last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// The code under which the game is told.
    #[default]
    Code,
    /// The order of the quotient.
    Order,
    /// The size of its P-portion.
    PSize,
    /// The period.
    Period,
    /// The preperiod.
    Preperiod,
    /// The greatest heap proved.
    Heaps,
    /// Fuel spent.
    Fuel,
    /// The heap from which on partial quotients are wild.
    WildFrom,
    /// The heap at which the partial quotient diverges.
    DivergesAt,
}

impl Sort {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Code,
        Self::Order,
        Self::PSize,
        Self::Period,
        Self::Preperiod,
        Self::Heaps,
        Self::Fuel,
        Self::WildFrom,
        Self::DivergesAt,
    ];

    /// The index in whose order the answers come; none for codes.
    #[must_use]
    pub fn index(self) -> Option<Index> {
        Some(match self {
            Self::Code => return None,
            Self::Order => Index::Order,
            Self::PSize => Index::PSize,
            Self::Period => Index::Period,
            Self::Preperiod => Index::Preperiod,
            Self::Heaps => Index::Heaps,
            Self::Fuel => Index::Fuel,
            Self::WildFrom => Index::WildFrom,
            Self::DivergesAt => Index::DivergesAt,
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.index().map_or("code", Index::name)
    }
}

/// Nothing that can be sorted by.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "cannot sort by `{0}` (there are code, order, p-size, period, preperiod, heaps, fuel, wild-from, diverges-at)"
)]
pub struct NoSort(String);

impl FromStr for Sort {
    type Err = NoSort;
    fn from_str(text: &str) -> Result<Self, NoSort> {
        let found = Self::ALL.into_iter().find(|sort| sort.name() == text);
        found.ok_or_else(|| NoSort(text.to_owned()))
    }
}
