//! The answers of a census to a query.
//!
//! [`visit`] hands out what it finds one by one, as the census stood when it was asked; nothing is
//! gathered that need not be, so that a large answer can be sent while it is found.

mod plan;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::ControlFlow;

use misere_query::{Field, Filter, KnownGame, Query};

use crate::view::{Reads, View};
use crate::{Store, StoreError};

/// The way in which an answer was found, and what was read for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryStats {
    /// The entries that led to the records.
    pub path: AccessPath,
    /// What was read.
    pub reads: Reads,
    /// Answers handed out.
    pub found: u64,
}

/// The entries by which the records of an answer are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccessPath {
    /// One code, looked up.
    Code,
    /// The codes that fit a pattern, others being skipped.
    Pattern,
    /// The entries of an index with values of a range.
    Index(Field),
    /// The codes that stand under one value in each of some indexes.
    Indexes(Vec<Field>),
    /// All entries of the index that is sorted by, until the limit is reached.
    Sorted(Field),
    /// All records, until the limit is reached.
    All,
}

impl fmt::Display for AccessPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code => f.write_str("the code, looked up"),
            Self::Pattern => f.write_str("the codes that fit, others being skipped"),
            Self::Index(field) => write!(f, "a range of the index `{}`", field.name()),
            Self::Indexes(fields) => {
                let names: Vec<_> = fields.iter().map(|field| field.name()).collect();
                write!(
                    f,
                    "one value in each of the indexes `{}`",
                    names.join("`, `")
                )
            }
            Self::Sorted(field) => write!(f, "the index `{}`, in its order", field.name()),
            Self::All => f.write_str("all records, in the order of their codes"),
        }
    }
}

impl fmt::Display for QueryStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, reads, found } = self;
        write!(
            f,
            "by {path}: {} keys and {} records read for {found} answers",
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
) -> Result<QueryStats, StoreError> {
    let view = View::of(store);
    let mut found = 0;
    let path = plan::answer(&view, query, &mut |hit| {
        found += 1;
        take(hit)
    })?;
    Ok(QueryStats {
        path,
        reads: view.reads(),
        found,
    })
}

/// All that is asked for, gathered. Meant for queries with a limit.
///
/// # Errors
/// [`StoreError`] if the store cannot be read.
pub fn collect(store: &Store, query: &Query) -> Result<(Vec<KnownGame>, QueryStats), StoreError> {
    let mut hits = Vec::new();
    let stats = visit(store, query, &mut |hit| {
        hits.push(hit);
        ControlFlow::Continue(())
    })?;
    Ok((hits, stats))
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
