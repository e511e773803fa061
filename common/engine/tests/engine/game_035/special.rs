//! The sums of one 16, one or two heaps `3j`, and others, that lie near sums outside of the ideal.

use std::collections::BTreeSet;

use super::Refused;
use super::claim::{Claim, Label, SCARCE, is_in_a, need};
use super::parities::Beside;

/// Compares all special sums, and all with two heaps of at most 21 and weights of at most 3, with all
/// their options.
pub(super) fn check(claim: &Claim, beside: &Beside) -> Result<(), Refused> {
    let special = special(claim, beside)?;
    // Section 6.1 takes these to be special.
    let taken = (1..=5)
        .map(|j| vec![3 * j])
        .chain((1..=4).map(|j| vec![3 * j, 23]));
    for core in taken {
        need(
            special.contains(&core),
            "a sum that the page takes to be special",
        )?;
    }
    let last = special.iter().flatten().max();
    need(
        last.is_some_and(|&last| last <= 49),
        "the heaps of special sums",
    )?;
    let pairs = super::multisets(1, 7, 2)
        .into_iter()
        .filter(|threes| threes.len() == 2);
    let with_weights = pairs.flat_map(|threes| {
        let few = super::multisets(2, 5, 3).into_iter();
        let light = few.filter(|others| others.iter().sum::<usize>() <= 3 + others.len());
        light.map(move |others| {
            let threes = threes.iter().map(|j| 3 * j);
            threes
                .chain(others.iter().map(|u| 3 * u + 2))
                .collect::<Vec<usize>>()
        })
    });
    special
        .iter()
        .cloned()
        .chain(with_weights)
        .try_for_each(|core| check_all(claim, &core))
}

/// Returns the heaps, other than 1, 2 and 5, of the special sums.
fn special(claim: &Claim, beside: &Beside) -> Result<BTreeSet<Vec<usize>>, Refused> {
    let is_outside = |core: &[usize]| !beside.is_in_ideal(claim.beside.value(core));
    let threes = super::multisets(1, 17, 2)
        .into_iter()
        .filter(|threes| !threes.is_empty());
    let threes = threes.map(|threes| threes.iter().map(|j| 3 * j).collect::<Vec<usize>>());
    let mut todo: Vec<Vec<usize>> = threes.filter(|core| is_outside(core)).collect();
    let mut special = BTreeSet::new();
    while let Some(core) = todo.pop() {
        let is_bounded = core.len() < 14 && core.iter().all(|&heap| heap < 47);
        need(is_bounded, "the special sums end")?;
        let last = core.last().copied().filter(|heap| heap % 3 == 2);
        let others = (last.unwrap_or(8)..53).filter(|&heap| is_in_a(heap) && heap % 3 == 2);
        let longer = others.map(|heap| [&core[..], &[heap]].concat());
        todo.extend(longer.filter(|core| is_outside(core)));
        // A move that shrinks a heap, or makes 5 of 8, leads to this sum.
        for at in 0..=core.len() {
            let mut grown = core.clone();
            match grown.get_mut(at) {
                Some(heap) => *heap += 3,
                None => grown.push(8),
            }
            grown.sort_unstable();
            special.insert(grown);
        }
        special.insert({
            let mut core = core;
            core.sort_unstable();
            core
        });
    }
    Ok(special)
}

/// Tests (P) and (N) for 16 with some heaps and any number of 1s, 2s and 5s.
fn check_all(claim: &Claim, core: &[usize]) -> Result<(), Refused> {
    for (ones, twos) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let mut sum = [&[SCARCE], core].concat();
        sum.extend(std::iter::repeat_n(1, ones));
        sum.extend(std::iter::repeat_n(2, twos));
        let label = claim.labels[claim.beside.value(&sum[1..])];
        if claim.is_p(&sum) {
            // With more light heaps, so that every move in one of them is there.
            sum.extend([1, 1, 2, 2, 5]);
            sum.sort_unstable();
            need(claim.is_p(&sum), "light heaps change nothing")?;
            need(!claim.has_p_option(&sum, false), "P to P")?;
        } else if matches!(label, Label::Z | Label::NotZ) {
            need(claim.has_p_option(&sum, true), "N without P")?;
        }
    }
    Ok(())
}
