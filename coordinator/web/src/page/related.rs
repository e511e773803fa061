//! The games that resemble a game: by their partial quotients, and by their codes.

use std::ops::ControlFlow;

use misere_census::Record;
use misere_game::ruleset::Code;
use misere_query::Query;
use misere_store::Store;

use super::links::Link;
use crate::view::error::RequestError;
use crate::view::game::MAX_COMPARED;

/// The number of games that are listed by their partial quotients.
const LISTED: usize = 6;

/// The least heap to which the partial quotients of a listed game are the same.
const MIN_COMMON: u32 = 4;

/// The greatest number of digits of a code whose neighbours are listed.
const MAX_DIGITS: usize = 8;

/// The games that resemble a game.
pub(super) struct Related {
    /// Games with the same partial quotients, and to which heap; `None` if to all heaps.
    pub(super) by_quotients: Vec<(Link, Option<u32>)>,
    /// Games whose codes differ in one digit.
    pub(super) by_digit: Vec<Link>,
}

impl Related {
    /// Finds the games that resemble a record of the census.
    ///
    /// The partial quotients are compared with those of at most 5,000 records.
    pub(super) fn of(store: &Store, record: &Record) -> Result<Self, RequestError> {
        Ok(Self {
            by_quotients: by_quotients(store, record)?,
            by_digit: by_digit(store, &record.code)?,
        })
    }
}

fn by_quotients(store: &Store, record: &Record) -> Result<Vec<(Link, Option<u32>)>, RequestError> {
    if store.counters().records() > MAX_COMPARED {
        return Ok(Vec::new());
    }
    let mut found: Vec<(u32, Code)> = Vec::new();
    misere_store::answers::visit(store, &Query::default(), &mut |other| {
        let is_same_game = other.record.codes().any(|code| *code == record.code);
        let common = common_heaps(record, &other.record);
        if !is_same_game && common >= MIN_COMMON {
            found.push((common, other.record.code));
        }
        ControlFlow::Continue(())
    })?;
    found.sort_by(|(a, one), (b, other)| b.cmp(a).then_with(|| one.cmp(other)));
    let listed = found.into_iter().take(LISTED);
    let listed = listed.map(|(common, code)| {
        let to = (common < u32::MAX).then_some(common);
        (Link::to_game(&code), to)
    });
    Ok(listed.collect())
}

/// Returns the greatest heap to which two games are known to have the same partial quotients;
/// `u32::MAX` if they have them at all heaps.
fn common_heaps(one: &Record, other: &Record) -> u32 {
    let changes = one.partials.iter().zip(&other.partials);
    let common = changes
        .take_while(|(a, b)| (a.heap, a.class) == (b.heap, b.class))
        .count();
    let until = |record: &Record| {
        let next = record.partials.get(common);
        let known = match record.verdict.period() {
            Some(_) => u32::MAX,
            None => record.heaps,
        };
        next.map_or(known, |change| change.heap.saturating_sub(1).min(known))
    };
    until(one).min(until(other))
}

/// Returns the games of the census whose codes differ from a code in one digit.
fn by_digit(store: &Store, code: &Code) -> Result<Vec<Link>, RequestError> {
    let text = code.to_string();
    let is_plain = text.bytes().all(|c| c == b'.' || matches!(c, b'0'..=b'7'));
    if !is_plain || text.len() > MAX_DIGITS {
        return Ok(Vec::new());
    }
    let mut links = Vec::new();
    for (at, written) in text.char_indices().filter(|&(_, c)| c != '.') {
        for digit in ('0'..='7').filter(|&digit| digit != written) {
            let mut other = text.clone();
            other.replace_range(at..=at, digit.encode_utf8(&mut [0; 4]));
            // A digit before the point may be one that no code has.
            let Ok(other) = other.parse::<Code>() else {
                continue;
            };
            if store.game(&other)?.is_some() {
                links.push(Link::to_game(&other));
            }
        }
    }
    // 0.71 is 0.710, so 0.714 is one digit apart, too.
    for digit in '1'..='7' {
        if let Ok(other) = format!("{text}{digit}").parse::<Code>()
            && store.game(&other)?.is_some()
        {
            links.push(Link::to_game(&other));
        }
    }
    Ok(links)
}

#[cfg(test)]
mod tests {
    use super::*;
    use misere_game::solution::Partial;
    use misere_query::samples::record;

    fn with(changes: &[(u32, u32)], heaps: u32) -> Record {
        let partial = |&(heap, order): &(u32, u32)| Partial {
            heap,
            order,
            p_size: 1,
            class: misere_game::bipartite::ClassKey([order as u8; 32]),
        };
        Record {
            partials: changes.iter().map(partial).collect(),
            heaps,
            ..record("0.77")
        }
    }

    #[test]
    fn partial_quotients_are_common_to_the_first_change_that_differs() {
        let one = with(&[(1, 2), (2, 6), (9, 12)], 100);
        // The sample is solved, so nothing changes behind its last partial quotient.
        assert_eq!(common_heaps(&one, &one), u32::MAX);
        assert_eq!(
            common_heaps(&one, &with(&[(1, 2), (2, 6), (7, 12)], 100)),
            6
        );
        assert_eq!(
            common_heaps(&one, &with(&[(1, 2), (2, 6), (9, 20)], 100)),
            8
        );
        assert_eq!(common_heaps(&one, &with(&[(1, 2), (2, 6)], 100)), 8);
        assert_eq!(common_heaps(&one, &with(&[(3, 2)], 100)), 0);
    }
}
