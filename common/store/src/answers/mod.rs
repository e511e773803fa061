//! The answers of a census to a query.
//!
//! [`visit`] hands out what it finds one by one, as the census stood when it was asked; nothing is
//! gathered that need not be, so that a large answer can be sent while it is found.

mod plan;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::ControlFlow;

use misere_query::index::Index;
use misere_query::{Filter, KnownGame, Query};

use crate::view::{Reads, View};
use crate::{Store, StoreError};

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
