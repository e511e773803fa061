//! The choice of the entries that have to be read to answer a query.
//!
//! The condition with the fewest entries, among those that have an index, is found by counting them
//! side by side, until one comes to its end or enough are counted. This reads no more than a small
//! multiple of the entries of the best one.
//!
//! - **Conditions on one value** (a status, a class, a period) list codes in ascending order.
//!   Several are followed together: each skips to the position of the others, so that only common
//!   codes are read.
//! - **Conditions on a range** list codes by value. They are followed alone, and their codes are
//!   gathered and sorted.
//! - **Sorting** by a number either gathers all candidates with their numbers, or follows the index
//!   of that number until the limit is reached. The choice is the one likely to read fewer records
//!   if the answers were spread evenly. A number that is computed from the code has no index, so
//!   all candidates are gathered.
//! - Every candidate is checked against the full filter, so correctness does not depend on the
//!   choice made here.
//!
//! A game has one record and may have several codes, each with its own heap numbers. An index lists
//! the record under the values of all its codes; [`Filter::named`] decides under which code, if
//! any, the game is an answer.

use std::collections::HashSet;
use std::ops::ControlFlow;

use misere_census::Record;
use misere_census::frozen::code_key;

use misere_query::filter::Condition;
use misere_query::index::{NOTHING, value};
use misere_query::{CodePattern, Field, Filter, KnownGame, Query};

use super::counting::{entries, fewest, most_counted};
use super::{AccessPath, RecordCount};
use crate::StoreError;
use crate::index;
use crate::value::Ruleset;
use crate::view::{Cursor, Direction, View};

/// The callback that takes the answers.
pub(super) type Take<'t> = &'t mut dyn FnMut(KnownGame) -> ControlFlow<()>;

/// Finds the answers of a query and returns the access path.
pub(super) fn answer(
    view: &View<'_>,
    query: &Query,
    take: Take<'_>,
) -> Result<AccessPath, StoreError> {
    let mut search = Search {
        view,
        query,
        take,
        to_skip: query.offset,
        left: query.limit,
    };
    if query.limit == Some(0) {
        return Ok(AccessPath::All);
    }
    if let Some(CodePattern::Exactly(code)) = &query.filter.code {
        if let Some(record) = view.record(code)? {
            let _ = search.offer(record);
        }
        return Ok(AccessPath::Code);
    }
    let mut conditions = query.filter.conditions();
    let store = view.store();
    let layout = store.layout()?;
    conditions.retain(|condition| index::is_in(condition.field, layout));
    // The entries of one value are in the order of the codes. They are followed to the limit, so
    // their number does not matter.
    let is_in_order = query.sort.field().is_none()
        && !query.descending
        && !query.filter.depends_on_name()
        && conditions.iter().all(Condition::is_one_value);
    let best = match is_in_order {
        true => None,
        false => fewest(view, &conditions, most_counted(query, store))?,
    };
    match query.sort.field() {
        None => search.by_code(&conditions, best),
        Some(field) => search.by_number(field, &conditions, best),
    }
}

/// Returns the number of records under one value in each of some indexes, counted to `limit`.
///
/// It reads no record. Returns `None` if the census lacks one of these indexes.
pub(super) fn entries_under(
    view: &View<'_>,
    conditions: &[Condition],
    limit: u64,
) -> Result<Option<RecordCount>, StoreError> {
    let layout = view.store().layout()?;
    let is_in = |condition: &Condition| index::is_in(condition.field, layout);
    if !conditions.iter().all(is_in) {
        return Ok(None);
    }
    let mut search = Search {
        view,
        query: &Query::default(),
        take: &mut |_| ControlFlow::Continue(()),
        to_skip: 0,
        left: None,
    };
    let conditions: Vec<&Condition> = conditions.iter().collect();
    let mut counted = 0;
    search.common(&conditions, &mut |_, _| {
        counted += 1;
        Ok(match counted > limit {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    })?;
    Ok(Some(match counted > limit {
        true => RecordCount::AtLeast(limit),
        false => RecordCount::All(counted),
    }))
}

/// Returns the number of records under the values of a range in an index, counted to `limit`.
///
/// It reads no record. Returns `None` if the census does not have the index.
///
/// A record is in the index once for each different value of its codes.
pub(super) fn entries_in(
    view: &View<'_>,
    range: &Condition,
    limit: u64,
) -> Result<Option<RecordCount>, StoreError> {
    if !index::is_in(range.field, view.store().layout()?) {
        return Ok(None);
    }
    let mut cursor = entries(view, range, Direction::Ascending)?;
    let mut keys: HashSet<Key> = HashSet::new();
    while let Some((_, key)) = cursor.entry(range.field)? {
        keys.insert(key.to_vec());
        if keys.len() as u64 > limit {
            return Ok(Some(RecordCount::AtLeast(limit)));
        }
        cursor.advance();
    }
    Ok(Some(RecordCount::All(keys.len() as u64)))
}

/// The key of a code.
type Key = Vec<u8>;

/// The callback that is called with each key, until it breaks off.
type Visit<'v, S> = &'v mut dyn FnMut(&mut S, Key) -> Result<ControlFlow<()>, StoreError>;

struct Search<'s, 'a, 't> {
    view: &'s View<'a>,
    query: &'s Query,
    take: Take<'t>,
    to_skip: u64,
    left: Option<u64>,
}

impl Search<'_, '_, '_> {
    fn filter(&self) -> &Filter {
        &self.query.filter
    }

    fn direction(&self) -> Direction {
        if self.query.descending {
            Direction::Descending
        } else {
            Direction::Ascending
        }
    }

    /// Gives a record to the caller if it fulfils the filter; breaks off if no more are wanted.
    fn offer(&mut self, record: Record) -> ControlFlow<()> {
        match self.hit(record) {
            Some(hit) => self.give(hit),
            None => self.continues(),
        }
    }

    /// Breaks off if no more records are to be read.
    fn continues(&self) -> ControlFlow<()> {
        match self.view.is_spent() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Returns the record under the code that the query selects, if it fulfils the filter.
    fn hit(&self, record: Record) -> Option<KnownGame> {
        let representative = record.code.clone();
        let record = self.filter().named(record)?;
        Some(KnownGame {
            record,
            representative,
        })
    }

    /// Gives an answer to the caller, unless it is to be skipped; breaks off if no more are wanted.
    fn give(&mut self, hit: KnownGame) -> ControlFlow<()> {
        if self.to_skip > 0 {
            self.to_skip -= 1;
            return ControlFlow::Continue(());
        }
        if (self.take)(hit).is_break() {
            return ControlFlow::Break(());
        }
        if let Some(left) = &mut self.left {
            *left -= 1;
            if *left == 0 {
                return ControlFlow::Break(());
            }
        }
        self.continues()
    }

    /// Answers in the order of codes.
    fn by_code(
        &mut self,
        conditions: &[Condition],
        best: Option<(usize, u64)>,
    ) -> Result<AccessPath, StoreError> {
        let one_value: Vec<&Condition> = conditions
            .iter()
            .filter(|condition| condition.is_one_value())
            .collect();
        let best = best.map(|(at, count)| (&conditions[at], count));
        let depends_on_name = self.filter().depends_on_name();
        let ascending = !self.query.descending;
        match best {
            // Answers are sorted by the code under which they are shown, which can differ from the
            // code of the entry.
            Some((condition, _)) if !condition.is_one_value() || depends_on_name || !ascending => {
                let keys = self.candidates(condition, &one_value)?;
                self.by_shown_code(keys)?;
                Ok(path_of(condition, &one_value))
            }
            _ if !one_value.is_empty() && !depends_on_name && ascending => {
                self.common(&one_value, &mut |search, key| search.offer_at(&key))?;
                Ok(AccessPath::Indexes(
                    one_value.iter().map(|it| it.field).collect(),
                ))
            }
            _ => self.all_codes(),
        }
    }

    /// Visits every code that may fit the pattern, or every record, in the order of codes.
    fn all_codes(&mut self) -> Result<AccessPath, StoreError> {
        let pattern = self.filter().code.clone();
        let heads: Vec<Vec<u8>> = match &pattern {
            Some(pattern) => pattern.heads().into_iter().map(|d0| vec![d0]).collect(),
            None => vec![Vec::new()],
        };
        let path = match &pattern {
            Some(_) => AccessPath::Pattern,
            None => AccessPath::All,
        };
        if self.query.descending {
            // Descending order is rare: the codes are gathered and read from the end.
            let mut keys = Vec::new();
            self.every_code(&heads, pattern.as_ref(), &mut |_, key| {
                keys.push(key);
                Ok(ControlFlow::Continue(()))
            })?;
            for key in keys.into_iter().rev() {
                if self.offer_under(&key)?.is_break() {
                    break;
                }
            }
        } else {
            self.every_code(&heads, pattern.as_ref(), &mut |search, key| {
                search.offer_under(&key)
            })?;
        }
        Ok(path)
    }

    /// Visits the keys of codes that begin with a head and may fit a pattern, ascending.
    fn every_code(
        &mut self,
        heads: &[Vec<u8>],
        pattern: Option<&CodePattern>,
        visit: Visit<'_, Self>,
    ) -> Result<(), StoreError> {
        let view = self.view;
        for head in heads {
            let mut cursor = view.codes(head)?;
            while let Some(key) = cursor.key()? {
                if let Some(next) = pattern.and_then(|pattern| pattern.next_key(key)) {
                    cursor.seek(&next);
                    continue;
                }
                let key = key.to_vec();
                if visit(self, key)?.is_break() {
                    return Ok(());
                }
                cursor.advance();
            }
        }
        Ok(())
    }

    /// Offers the record or alias under a code, if the game is shown under this code.
    fn offer_under(&mut self, key: &[u8]) -> Result<ControlFlow<()>, StoreError> {
        let record = match self.view.ruleset(key)? {
            Some(Ruleset::Record(record)) => Some(*record),
            Some(Ruleset::AliasOf(code)) if self.filter().depends_on_name() => {
                self.view.record(&code)?
            }
            // Every record is shown under its own code.
            Some(Ruleset::AliasOf(_)) | None => None,
        };
        Ok(match record.and_then(|record| self.hit(record)) {
            Some(hit) if code_key(&hit.record.code) == key => self.give(hit),
            _ => self.continues(),
        })
    }

    fn offer_at(&mut self, key: &[u8]) -> Result<ControlFlow<()>, StoreError> {
        Ok(match self.view.record_at(key)? {
            Some(record) => self.offer(record),
            None => self.continues(),
        })
    }

    /// Answers in the order of an index.
    fn by_number(
        &mut self,
        sort: Field,
        conditions: &[Condition],
        best: Option<(usize, u64)>,
    ) -> Result<AccessPath, StoreError> {
        let one_value: Vec<&Condition> = conditions
            .iter()
            .filter(|condition| condition.is_one_value())
            .collect();
        if sort.is_computed() {
            return self.by_computed_number(sort, &one_value, best.map(|(at, _)| &conditions[at]));
        }
        if let Some((at, count)) = best {
            let all = self.view.store().counters().records();
            let wanted = self
                .query
                .limit
                .map(|limit| limit.saturating_add(self.query.offset));
            let on_the_way = wanted.map_or(all, |wanted| {
                wanted
                    .saturating_mul(all)
                    .checked_div(count)
                    .unwrap_or(all)
                    .min(all)
            });
            let condition = &conditions[at];
            if count <= on_the_way {
                let keys = self.candidates(condition, &one_value)?;
                self.by_shown_number(sort, keys)?;
                return Ok(path_of(condition, &one_value));
            }
        }
        self.along(sort, conditions)?;
        Ok(AccessPath::Sorted(sort))
    }

    /// Answers in the order of a number that has no index.
    ///
    /// All candidates are read, or all records if no condition has an index.
    fn by_computed_number(
        &mut self,
        sort: Field,
        one_value: &[&Condition],
        best: Option<&Condition>,
    ) -> Result<AccessPath, StoreError> {
        let (keys, path) = match best {
            Some(best) => (self.candidates(best, one_value)?, path_of(best, one_value)),
            None => {
                let mut keys: Vec<Key> = Vec::new();
                self.every_code(&[Key::new()], None, &mut |search, key| {
                    // Other codes of a game are found with its record.
                    if let Some(Ruleset::Record(_)) = search.view.ruleset(&key)? {
                        keys.push(key);
                    }
                    Ok(ControlFlow::Continue(()))
                })?;
                (keys, AccessPath::All)
            }
        };
        self.by_shown_number(sort, keys)?;
        Ok(path)
    }

    /// Follows the index of the sort field, as far as there are conditions on it.
    ///
    /// Records without a number come last, in both directions.
    fn along(&mut self, sort: Field, conditions: &[Condition]) -> Result<(), StoreError> {
        let own = conditions.iter().find(|condition| condition.field == sort);
        let says = Condition {
            field: sort,
            low: value(0_u64).to_vec(),
            high: value(NOTHING - 1).to_vec(),
        };
        let nothing = Condition {
            low: value(NOTHING).to_vec(),
            high: value(NOTHING).to_vec(),
            ..says.clone()
        };
        let direction = self.direction();
        let ways = match own {
            Some(own) => vec![(own.clone(), direction)],
            None => vec![(says, direction), (nothing, direction)],
        };
        for (condition, direction) in ways {
            let mut cursor = entries(self.view, &condition, direction)?;
            while let Some((value_here, key)) = cursor.entry(sort)? {
                let record = self.view.record_at(key)?;
                // A record with aliases is under the values of all its codes.
                let hit = record.and_then(|record| self.hit(record)).filter(|hit| {
                    let values = sort.values(&hit.record);
                    values.iter().any(|value| value == value_here)
                });
                let goes_on = match hit {
                    Some(hit) => self.give(hit),
                    None => self.continues(),
                };
                if goes_on.is_break() {
                    return Ok(());
                }
                cursor.advance();
            }
        }
        Ok(())
    }

    /// Returns the codes that may fulfil the filter, each once.
    ///
    /// They are the codes common to all conditions on one value, or those of the condition on a
    /// range.
    fn candidates(
        &mut self,
        best: &Condition,
        one_value: &[&Condition],
    ) -> Result<Vec<Key>, StoreError> {
        let mut keys: Vec<Key> = Vec::new();
        if best.is_one_value() {
            self.common(one_value, &mut |_, key| {
                keys.push(key);
                Ok(ControlFlow::Continue(()))
            })?;
            return Ok(keys);
        }
        let mut cursor = entries(self.view, best, Direction::Ascending)?;
        while let Some((_, key)) = cursor.entry(best.field)? {
            keys.push(key.to_vec());
            cursor.advance();
        }
        keys.sort_unstable();
        keys.dedup();
        Ok(keys)
    }

    /// Visits the codes under each of these conditions on one value, ascending.
    fn common(
        &mut self,
        conditions: &[&Condition],
        visit: Visit<'_, Self>,
    ) -> Result<(), StoreError> {
        let view = self.view;
        let mut cursors = Vec::new();
        for condition in conditions {
            let cursor = entries(view, condition, Direction::Ascending)?;
            let head = [condition.field.head(), condition.low.as_slice()].concat();
            cursors.push((cursor, head));
        }
        // The greatest code at which a cursor is, and the number of cursors in a row at it.
        let mut target: Key = Vec::new();
        let mut agree = 0;
        let mut turn = 0;
        loop {
            let Some((cursor, head)) = cursors.get_mut(turn) else {
                return Ok(());
            };
            let stands = |cursor: &Cursor<'_>| -> Result<Option<Key>, StoreError> {
                Ok(cursor
                    .key()?
                    .and_then(|key| Some(key.get(head.len()..)?.to_vec())))
            };
            let Some(mut key) = stands(cursor)? else {
                return Ok(());
            };
            // If most codes are common the next one is the right one, and reaching it is faster
            // than a search.
            for is_next in [true, false] {
                if key >= target {
                    break;
                }
                match is_next {
                    true => cursor.advance(),
                    false => cursor.seek(&[head.as_slice(), &target].concat()),
                }
                match stands(cursor)? {
                    Some(next) => key = next,
                    None => return Ok(()),
                }
            }
            if key == target && agree > 0 {
                agree += 1;
            } else {
                (target, agree) = (key, 1);
            }
            if agree == cursors.len() {
                if visit(self, target.clone())?.is_break() {
                    return Ok(());
                }
                if let Some((cursor, _)) = cursors.get_mut(turn) {
                    cursor.advance();
                }
                agree = 0;
            } else {
                turn = (turn + 1) % cursors.len();
            }
        }
    }

    /// Reads the records under these codes and offers them in the order of the codes shown.
    fn by_shown_code(&mut self, keys: Vec<Key>) -> Result<(), StoreError> {
        let depends_on_name = self.filter().depends_on_name();
        let mut sorted: Vec<(Key, Key)> = Vec::with_capacity(keys.len());
        for key in keys {
            if !depends_on_name {
                sorted.push((key.clone(), key));
                continue;
            }
            let record = self.view.record_at(&key)?;
            if let Some(hit) = record.and_then(|record| self.hit(record)) {
                sorted.push((code_key(&hit.record.code), key));
            }
            if self.view.is_spent() {
                break;
            }
        }
        sorted.sort_unstable();
        if self.query.descending {
            sorted.reverse();
        }
        self.offer_all(sorted.into_iter().map(|(_, key)| key))
    }

    /// Reads the records under these codes and offers them in the order of their numbers.
    fn by_shown_number(&mut self, sort: Field, keys: Vec<Key>) -> Result<(), StoreError> {
        let mut sorted: Vec<(u64, Key)> = Vec::with_capacity(keys.len());
        let mut silent: Vec<Key> = Vec::new();
        for key in keys {
            let record = self.view.record_at(&key)?;
            let Some(hit) = record.and_then(|record| self.hit(record)) else {
                continue;
            };
            match sort.number(&hit.record) {
                Some(number) => sorted.push((number, key)),
                None => silent.push(key),
            }
        }
        sorted.sort_unstable();
        silent.sort_unstable();
        if self.query.descending {
            sorted.reverse();
            silent.reverse();
        }
        let keys = sorted.into_iter().map(|(_, key)| key).chain(silent);
        self.offer_all(keys)
    }

    fn offer_all(&mut self, keys: impl Iterator<Item = Key>) -> Result<(), StoreError> {
        for key in keys {
            if self.offer_at(&key)?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// Returns the access path of [`Search::candidates`].
fn path_of(best: &Condition, one_value: &[&Condition]) -> AccessPath {
    if best.is_one_value() {
        AccessPath::Indexes(one_value.iter().map(|condition| condition.field).collect())
    } else {
        AccessPath::Index(best.field)
    }
}
