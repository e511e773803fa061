//! (P): what the claim calls P has no option that it calls P.

use std::collections::{BTreeMap, BTreeSet};

use super::Refused;
use super::claim::{Claim, Sort, heaps_of_a, moves, need, sort};
use super::parities::{ALPHA, BETA, Beside};
use super::sums::{Outcome, Sums, Value};

/// A heap, and the value of the heaps beside it.
type Pair = (usize, usize);

/// Compares all pairs of a value that is P, or open, with the values of its options.
///
/// What is left is in B and special (see `special.rs`), or open with an open option, or one of a few
/// sums that are listed.
pub(super) fn check(claim: &Claim, beside: &Beside, sums: &Sums) -> Result<(), Refused> {
    let mut listed: BTreeSet<Pair> = BTreeSet::new();
    for heap in sums.heaps() {
        for &option in sums.moves(heap) {
            let after = sums.products(option);
            for (rest, (&before, &after)) in sums.row(heap).iter().zip(after).enumerate() {
                let value = sums.values[before];
                match (sums.outcomes[before], sums.outcomes[after]) {
                    (Outcome::P, Outcome::P) => return Err(Refused("P to P".to_owned())),
                    (Outcome::P, Outcome::Open) if value.sort() == Sort::B => {
                        need(is_special(beside, value), "P to open")?;
                    }
                    (Outcome::P, Outcome::Open) => {
                        listed.insert((heap, rest));
                    }
                    (Outcome::Open, Outcome::P) => {
                        need(shrinks(beside, value, sums.values[after]), "open to P")?;
                    }
                    _ => {}
                }
            }
        }
    }
    for (heap, rest) in listed {
        need(
            sums.is_alone(heap) && sums.values[rest].sort() == Sort::A,
            "listed",
        )?;
        let found = sums_of_value(sums, rest)?;
        need(!found.is_empty(), "the sums of a value")?;
        for sum in found {
            let left = |left: Vec<usize>| [&sum[..], &left].concat();
            let mut options = moves(heap).into_iter().map(left);
            let is_n = options.all(|option| sort(&option) != Sort::B || !claim.is_p(&option));
            need(is_n, "P to P in B")?;
        }
    }
    Ok(())
}

fn is_special(beside: &Beside, value: Value) -> bool {
    matches!(value, Value::B { beside: at, threes: 1 | 2 } if !beside.is_in_ideal(at))
}

/// Reports whether a move from an open sum to a P-position is one of a special sum.
fn shrinks(beside: &Beside, before: Value, after: Value) -> bool {
    let (Value::B { beside: x, .. }, Value::B { beside: y, .. }) = (before, after) else {
        return false;
    };
    let kinds = [beside.parities(x), beside.parities(y)];
    !beside.is_in_ideal(x)
        || !beside.is_in_ideal(y) && (kinds == [ALPHA, BETA] || kinds == [BETA, ALPHA])
}

/// Returns the sums of A with a value, up to pairs of 1s, pairs of 2s, and 5s.
///
/// # Errors
/// [`Refused`] if they have heaps of any size, or any number of other heaps.
fn sums_of_value(sums: &Sums, value: usize) -> Result<Vec<Vec<usize>>, Refused> {
    let mut before: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for x in (0..sums.len()).filter(|&x| sums.values[x].sort() == Sort::A) {
        for heap in heaps_of_a() {
            before.entry(sums.plus(x, heap)).or_default().push(x);
        }
    }
    let mut parts = BTreeSet::from([value]);
    let mut todo = vec![value];
    while let Some(x) = todo.pop() {
        todo.extend(
            before
                .get(&x)
                .into_iter()
                .flatten()
                .filter(|&&y| parts.insert(y)),
        );
    }
    let mut found = Vec::new();
    let mut cores: Vec<(usize, Vec<usize>)> = vec![(0, Vec::new())];
    while let Some((x, core)) = cores.pop() {
        need(core.len() < 12, "the sums of a value end")?;
        let step = |&x: &usize, heap: usize| Some(sums.plus(x, heap)).filter(|y| parts.contains(y));
        for (y, light) in with_light_heaps(&x, step) {
            if y == value {
                found.push([&core[..], &light].concat());
            }
        }
        let least = core.last().copied().unwrap_or(3);
        for heap in heaps_of_a().filter(|&heap| heap >= least && heap != 5) {
            let y = sums.plus(x, heap);
            if parts.contains(&y) {
                need(heap < 47, "the heaps of a value end")?;
                cores.push((y, [&core[..], &[heap]].concat()));
            }
        }
    }
    Ok(found)
}

/// Returns what light heaps (1, 2 and 5) make of a state, with those of them whose number is odd.
pub(super) fn with_light_heaps<T: Clone + Ord>(
    start: &T,
    step: impl Fn(&T, usize) -> Option<T>,
) -> Vec<(T, Vec<usize>)> {
    let mut found = BTreeSet::from([(start.clone(), false, false)]);
    let mut todo = vec![(start.clone(), false, false)];
    while let Some((x, one, two)) = todo.pop() {
        for heap in [1, 2, 5] {
            if let Some(y) = step(&x, heap) {
                let next = (y, one ^ (heap == 1), two ^ (heap == 2));
                if found.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
    }
    let light = |one, two| {
        [(1, one), (2, two)]
            .into_iter()
            .filter(|&(_, is_odd)| is_odd)
    };
    let heaps = |(x, one, two)| (x, light(one, two).map(|(heap, _)| heap).collect());
    found.into_iter().map(heaps).collect()
}
