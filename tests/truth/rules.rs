//! The rules of a game, executed literally.

use std::collections::{BTreeMap, BTreeSet};

use misere_game::control::{Control, Interrupt};
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::ruleset::Code;

/// The numbers of live heaps for the outcomes of sums of one, two and three heaps.
const SUMMED: [usize; 3] = [14, 9, 6];

/// Ranks to which options are compared.
const RANKS: usize = 12;

/// The fuel of one outcome.
const FUEL: u64 = 200_000;

/// Returns the live heaps of a game, ascending, among its first heaps: those that have an option.
pub(crate) fn live_heaps(code: &Code, limit: usize, to: u32) -> Vec<u32> {
    (1..=to)
        .filter(|&heap| !code.options(heap).is_empty())
        .take(limit)
        .collect()
}

/// Returns the nim-values of the heaps `0..=last`, each the least number that no option has.
pub(crate) fn nim_values(code: &Code, last: u32) -> Vec<u32> {
    let mut values: Vec<u32> = vec![0];
    for heap in 1..=last {
        let mut seen = BTreeSet::new();
        for option in code.options(heap) {
            let value = |part: u32| values.get(part as usize).copied().unwrap_or(0);
            seen.insert(option.parts().map(value).fold(0, |x, y| x ^ y));
        }
        values.push((0..).find(|value| !seen.contains(value)).unwrap());
    }
    values
}

/// Returns the first of the heaps `0..=last` that is not tame, by the definitions.
///
/// All smaller heaps are tame; its nim-value and its misère nim-value are not equal, nor both below
/// 2.
pub(crate) fn first_not_tame(code: &Code, last: u32) -> Option<u32> {
    let nim_values = nim_values(code, last);
    let mut known: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
    (0..=last).find(|&heap| {
        let (g, g0) = (
            nim_values[heap as usize],
            misere_nim_value(code, vec![heap], &mut known),
        );
        g != g0 && g.max(g0) >= 2
    })
}

/// Returns the misère nim-value of a position.
///
/// It is 1 if there is no move, else the least number that no option has.
fn misere_nim_value(code: &Code, position: Vec<u32>, known: &mut BTreeMap<Vec<u32>, u32>) -> u32 {
    if let Some(&value) = known.get(&position) {
        return value;
    }
    let mut seen = BTreeSet::new();
    for (at, &heap) in position.iter().enumerate() {
        for option in code.options(heap) {
            let mut next = position.clone();
            next.remove(at);
            next.extend(option.parts().filter(|&part| part > 0));
            next.sort_unstable();
            seen.insert(misere_nim_value(code, next, known));
        }
    }
    let value = match seen.is_empty() {
        true => 1,
        false => (0..).find(|value| !seen.contains(value)).unwrap(),
    };
    known.insert(position, value);
    value
}

/// Returns small positions, each with whether it is a P-position of misère play.
pub(crate) fn outcomes(code: &Code) -> Vec<(Vec<u32>, bool)> {
    let live = live_heaps(code, SUMMED[0], 40);
    let first = |count: usize| &live[..count.min(live.len())];
    let mut positions: Vec<Vec<u32>> = vec![Vec::new()];
    // A dead heap changes nothing.
    positions.extend((1..12).map(|heap| vec![heap]));
    positions.extend(live.iter().map(|&heap| vec![heap]));
    for (at, &x) in first(SUMMED[1]).iter().enumerate() {
        positions.extend(live[..=at].iter().map(|&y| vec![x, y]));
    }
    for (at, &x) in first(SUMMED[2]).iter().enumerate() {
        for (next, &y) in live[..=at].iter().enumerate() {
            positions.extend(live[..=next].iter().map(|&z| vec![x, y, z]));
        }
    }
    let mut oracle = Oracle::new(code, Convention::Misere);
    let outcome = |position: Vec<u32>| {
        let mut control = Control::new(FUEL, Interrupt::default());
        let outcome = oracle.outcome(&position, &mut control).ok()?;
        Some((position, outcome == Outcome::P))
    };
    positions.into_iter().filter_map(outcome).collect()
}

/// Returns the heap of the second code for each live heap of the first, if they are the same game.
///
/// Only the options of the first live heaps are compared.
pub(crate) fn same_heaps(one: &Code, other: &Code) -> Option<Vec<(u32, u32)>> {
    let (ones, others) = (live_heaps(one, RANKS, 40), live_heaps(other, RANKS, 40));
    let options = |code: &Code, live: &[u32], heap: u32| -> BTreeSet<Vec<usize>> {
        let of_option = |parts: Vec<u32>| {
            let ranks = parts
                .iter()
                .filter_map(|part| live.iter().position(|heap| heap == part));
            let mut ranks: Vec<usize> = ranks.collect();
            ranks.sort_unstable();
            ranks
        };
        let all = code.options(heap).into_iter();
        all.map(|option| of_option(option.parts().collect()))
            .collect()
    };
    let alike = ones.len() == others.len()
        && ones
            .iter()
            .zip(&others)
            .all(|(&heap, &same)| options(one, &ones, heap) == options(other, &others, same));
    alike.then(|| ones.into_iter().zip(others).collect())
}

/// Returns the numbers by which heaps change from one code to another.
pub(crate) fn shifts(heaps: &[(u32, u32)]) -> BTreeSet<i64> {
    let shifts = heaps.iter();
    shifts
        .map(|&(from, to)| i64::from(to) - i64::from(from))
        .collect()
}

/// Reports whether these numbers, as far as they go, have a period from an index on.
///
/// Both have to be as small as can be.
pub(crate) fn has_period(values: &[u32], period: usize, preperiod: usize) -> bool {
    let repeats = |p: usize, from: usize| {
        values.len() >= from + 2 * p && (from..values.len() - p).all(|n| values[n] == values[n + p])
    };
    period > 0
        && repeats(period, preperiod)
        && (preperiod == 0 || values[preperiod - 1] != values[preperiod - 1 + period])
        && (1..period)
            .all(|smaller| !period.is_multiple_of(smaller) || !repeats(smaller, preperiod))
}
