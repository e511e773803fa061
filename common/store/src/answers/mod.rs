//! The answers of a census to a query.
//!
//! [`visit`] returns answers one by one, from the state of the census at the time of the call. It
//! gathers as little as possible, so that a large answer can be sent while it is found.

mod counting;
mod plan;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::ControlFlow;

use misere_census::Ending;
use misere_query::{Field, Filter, KnownGame, Query};

use crate::view::{ReadCounts, View};
use crate::{Store, StoreError};

/// The access path of an answer, and the numbers of entries and records read for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryStats {
    /// The entries that led to the records.
    pub path: AccessPath,
    /// The numbers of entries and records that were read.
    pub reads: ReadCounts,
    /// The number of answers returned.
    pub found: u64,
}

/// The entries by which the records of an answer are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccessPath {
    /// One code, looked up.
    Code,
    /// The scan of the codes that fit a pattern; other codes are skipped.
    Pattern,
    /// The entries of an index with values of a range.
    Index(Field),
    /// The codes under one value in each of some indexes.
    Indexes(Vec<Field>),
    /// All entries of the index of the sort field, until the limit is reached.
    Sorted(Field),
    /// All records, until the limit is reached.
    All,
    /// The counts of the records by their status, without reading any record.
    Tallies,
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
            Self::Tallies => f.write_str("the counts that the census keeps"),
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

/// Calls `take` with the answers of a query in its order, until `take` breaks off.
///
/// Cost: a few keys and one record for each answer if an index applies; see `docs/query.md`.
///
/// # Errors
/// [`StoreError`] if the store cannot be read.
///
/// ```
/// # let (dir, mut store) =
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
/// use misere_query::Query;
/// use misere_store::answers::visit;
/// use std::ops::ControlFlow;
///
/// // The first game of the census, in the order of the codes.
/// let mut first = None;
/// let explained = visit(&store, &Query::default(), &mut |game| {
///     first = Some(game.record.code.to_string());
///     ControlFlow::Break(())
/// })?;
/// assert_eq!(first.as_deref(), Some("0.3"));
/// assert_eq!(explained.found, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

/// Returns all answers of a query, which should have a limit.
///
/// Cost: the cost of [`visit`], and the memory of all answers.
///
/// # Errors
/// [`StoreError`] if the store cannot be read.
///
/// ```
/// # let (dir, mut store) =
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
/// use misere_query::Query;
/// use misere_store::answers::collect;
///
/// let (games, stats) = collect(&store, &Query::default())?;
/// assert_eq!((games.len(), stats.found), (2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collect(store: &Store, query: &Query) -> Result<(Vec<KnownGame>, QueryStats), StoreError> {
    let mut hits = Vec::new();
    let stats = visit(store, query, &mut |hit| {
        hits.push(hit);
        ControlFlow::Continue(())
    })?;
    Ok((hits, stats))
}

/// Returns the number of records that fulfil a filter, as the `found` of the statistics.
///
/// Cost: the cost of [`known_count`] if it knows the number, otherwise of [`visit`] for all
/// answers.
///
/// # Errors
/// [`StoreError`] if the store cannot be read.
///
/// ```
/// # let (dir, mut store) =
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
/// use misere_query::{Filter, Tameness};
/// use misere_store::answers::count;
///
/// let wild = Filter { tame: Some(Tameness::Wild), ..Filter::default() };
/// assert_eq!(count(&store, &wild)?.found, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn count(store: &Store, filter: &Filter) -> Result<QueryStats, StoreError> {
    if let Some(found) = known_count(store, filter)? {
        return Ok(QueryStats {
            path: AccessPath::Tallies,
            reads: ReadCounts::default(),
            found,
        });
    }
    let query = Query {
        filter: filter.clone(),
        ..Query::default()
    };
    visit(store, &query, &mut |_| ControlFlow::Continue(()))
}

/// The number of records that fulfil a filter, as far as it was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordCount {
    /// All of the records.
    All(u64),
    /// At least this many records, and perhaps more.
    AtLeast(u64),
}

/// Returns the number of records that fulfil a filter, if it is at most `limit`.
///
/// Returns a lower bound if there are more, or if too many records have to be read.
///
/// Cost: the cost of [`known_count`], if it knows the number. Otherwise some keys of indexes for
/// each of `limit` records, if the filter has only conditions on single values, or only one on a
/// range. Otherwise the cost of [`visit`], but at most `most_read` records.
///
/// # Errors
/// [`StoreError`] if the store cannot be read.
///
/// ```
/// # let (dir, mut store) =
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
/// use misere_query::Filter;
/// use misere_store::answers::{RecordCount, count_within};
///
/// let kayles = Filter { code: Some("0.7?".parse()?), ..Filter::default() };
/// assert_eq!(count_within(&store, &kayles, 100, 100)?, RecordCount::All(1));
/// assert_eq!(count_within(&store, &kayles, 100, 1)?, RecordCount::AtLeast(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn count_within(
    store: &Store,
    filter: &Filter,
    limit: u64,
    most_read: u64,
) -> Result<RecordCount, StoreError> {
    if let Some(found) = known_count(store, filter)? {
        return Ok(RecordCount::All(found));
    }
    let view = View::of(store).within(most_read);
    if let Some(conditions) = filter.only_values()
        && let Some(counted) = plan::entries_under(&view, &conditions, limit)?
    {
        return Ok(counted);
    }
    if let Some(range) = filter.only_range()
        && let Some(counted) = plan::entries_in(&view, &range, limit)?
    {
        return Ok(counted);
    }
    let query = Query {
        filter: filter.clone(),
        limit: Some(limit.saturating_add(1)),
        ..Query::default()
    };
    let mut found = 0;
    plan::answer(&view, &query, &mut |_| {
        found += 1;
        ControlFlow::Continue(())
    })?;
    Ok(match found > limit || view.is_spent() {
        true => RecordCount::AtLeast(found.min(limit)),
        false => RecordCount::All(found),
    })
}

/// Returns the number of records that fulfil a filter, if the census has counted them already.
///
/// This is so if the filter has only conditions on the status, and the census counted its records
/// by status as they came. A census that an earlier release wrote last has not counted them.
///
/// Cost: none.
///
/// # Errors
/// [`StoreError`] if the store cannot be read.
///
/// ```
/// # let (dir, mut store) =
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
/// use misere_census::Status;
/// use misere_query::{Filter, Tameness};
/// use misere_store::answers::known_count;
///
/// let solved = Filter { status: [Status::Solved].into(), ..Filter::default() };
/// assert_eq!(known_count(&store, &solved)?, Some(2));
/// let wild = Filter { tame: Some(Tameness::Wild), ..Filter::default() };
/// assert_eq!(known_count(&store, &wild)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn known_count(store: &Store, filter: &Filter) -> Result<Option<u64>, StoreError> {
    let asks_for_statuses = Filter {
        status: filter.status.clone(),
        ..Filter::default()
    };
    if *filter != asks_for_statuses {
        return Ok(None);
    }
    let is_asked_for =
        |ending: Ending| filter.status.is_empty() || filter.status.contains(&ending.status());
    let Some(tallies) = store.tallies_kept()? else {
        return Ok(None);
    };
    let asked_for = tallies.each().filter(|&(ending, ..)| is_asked_for(ending));
    Ok(Some(asked_for.map(|(_, rulesets, _)| rulesets).sum()))
}
