//! Which games satisfy given conditions, and in which order?
//!
//! A [`Query`] is a [`Filter`], an order and a limit. [`visit`] hands out what it finds one by one,
//! as the census stood when it was asked; nothing is gathered that need not be, so that a large
//! answer can be sent while it is found.
//!
//! Of the codes that are the same game a game is told under the least that fits the pattern, if
//! there is one, and of which everything that is asked for is true: `0.07` diverges at heap 34,
//! `0.4` does not.
//!
//! | question | module |
//! |---|---|
//! | which codes look like this? | [`pattern`] |
//! | which records are asked for? | [`filter`] |
//! | which entries have to be read for that? | `plan` |
//! | how is a record written as JSON? | [`document`] |

pub mod document;
pub mod filter;
pub mod pattern;
mod plan;
#[cfg(test)]
pub(crate) mod tests;

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

pub use document::{RecordDocument, RenumberingDocument};
pub use filter::{ClassPattern, Filter, Happening, NoClass, NoSpan, Span, Tameness};
pub use pattern::{CodePattern, PatternError};

use crate::store::index::Index;
use crate::store::view::{Reads, View};
use crate::store::{KnownGame, Store, StoreError};

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

/// How an answer was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// By which way.
    pub way: Way,
    /// What was read.
    pub reads: Reads,
    /// Answers handed out.
    pub found: u64,
}

/// A way to the records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// One code, looked up.
    Code,
    /// The codes that fit a pattern, others being skipped.
    Pattern,
    /// The entries of an index with values of a range.
    Index(Index),
    /// The codes that stand under one value in each of some indexes.
    Indexes(Vec<Index>),
    /// All entries of the index that is sorted by, until the limit is reached.
    Sorted(Index),
    /// All records, until the limit is reached.
    All,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code => f.write_str("the code, looked up"),
            Self::Pattern => f.write_str("the codes that fit, others being skipped"),
            Self::Index(index) => write!(f, "a range of the index `{}`", index.name()),
            Self::Indexes(indexes) => {
                let names: Vec<_> = indexes.iter().map(|index| index.name()).collect();
                write!(
                    f,
                    "one value in each of the indexes `{}`",
                    names.join("`, `")
                )
            }
            Self::Sorted(index) => write!(f, "the index `{}`, in its order", index.name()),
            Self::All => f.write_str("all records, in the order of their codes"),
        }
    }
}

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { way, reads, found } = self;
        write!(
            f,
            "by {way}: {} keys and {} records read for {found} answers",
            reads.keys, reads.records
        )
    }
}

/// Hands out what is asked for, in its order, until `take` breaks it off.
///
/// Cost: a few keys and one record for each answer, where an index tells; see `docs/query.md`.
///
/// # Errors
/// [`StoreError`] if the store cannot be read.
pub fn visit(
    store: &Store,
    query: &Query,
    take: &mut dyn FnMut(KnownGame) -> ControlFlow<()>,
) -> Result<Explained, StoreError> {
    let view = View::of(store);
    let mut found = 0;
    let way = plan::answer(&view, query, &mut |hit| {
        found += 1;
        take(hit)
    })?;
    Ok(Explained {
        way,
        reads: view.reads(),
        found,
    })
}

/// All that is asked for, gathered. Meant for queries with a limit.
///
/// # Errors
/// [`StoreError`] if the store cannot be read.
pub fn collect(store: &Store, query: &Query) -> Result<(Vec<KnownGame>, Explained), StoreError> {
    let mut hits = Vec::new();
    let explained = visit(store, query, &mut |hit| {
        hits.push(hit);
        ControlFlow::Continue(())
    })?;
    Ok((hits, explained))
}

/// How many records are asked for, whatever the limit.
///
/// # Errors
/// [`StoreError`] if the store cannot be read.
pub fn count(store: &Store, filter: &Filter) -> Result<u64, StoreError> {
    let query = Query {
        filter: filter.clone(),
        ..Query::default()
    };
    Ok(visit(store, &query, &mut |_| ControlFlow::Continue(()))?.found)
}
