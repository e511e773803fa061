//! The parities that every value beside a 16 knows, and the values of sums with a large heap.

use std::collections::BTreeSet;

use super::Refused;
use super::claim::{Claim, LAST, Label, heaps_of_a, is_in_a, moves, need};

/// `(o, e)` of the page: whether the number of heaps of 1 is odd, and the parity that every move but
/// one changes.
pub(super) type Parities = (bool, bool);

pub(super) const ALPHA: Parities = (false, true);
pub(super) const BETA: Parities = (true, false);
pub(super) const GAMMA: Parities = (false, false);
pub(super) const DELTA: Parities = (true, true);

/// The parities of each value beside a 16, and the least ideal of these values.
pub(super) struct Beside {
    parities: Vec<Parities>,
    ideal: BTreeSet<usize>,
}

impl Beside {
    pub(super) fn new(claim: &Claim) -> Result<Self, Refused> {
        let with = |parities, heap| sum(parities, of_heap(heap));
        let parities = claim.by_value_beside(GAMMA, with)?;
        for (at, (&of_value, &label)) in parities.iter().zip(&claim.labels).enumerate() {
            let is_allowed = match of_value {
                GAMMA => label == Label::N,
                DELTA => matches!(label, Label::P | Label::N),
                ALPHA => label != Label::NotZ,
                _ => label != Label::Z,
            };
            need(is_allowed, "a label")?;
            let row = |heap: usize| claim.beside.row(heap);
            let neutral = row(5)[at] == at && row(1)[row(1)[at]] == at && row(2)[row(2)[at]] == at;
            need(neutral, "5, two 1s and two 2s change nothing")?;
        }
        let ideal = least_ideal(claim, &parities)?;
        check_moves()?;
        Ok(Self { parities, ideal })
    }

    pub(super) fn parities(&self, value: usize) -> Parities {
        self.parities[value]
    }

    pub(super) fn is_in_ideal(&self, value: usize) -> bool {
        self.ideal.contains(&value)
    }
}

fn sum((o, e): Parities, (p, f): Parities) -> Parities {
    (o ^ p, e ^ f)
}

fn of_heap(heap: usize) -> Parities {
    if heap == 1 {
        return (true, false);
    }
    // A heap 3j counts j + 1, and 3u + 2 counts u - 1, which is as odd; 2 counts 1.
    (false, (heap / 3).is_multiple_of(2))
}

/// Returns the values of 20, 41, 1 + 20 and 1 + 41: one for each pair of parities.
///
/// They are those of all sums with a heap from 47 on.
fn least_ideal(claim: &Claim, parities: &[Parities]) -> Result<BTreeSet<usize>, Refused> {
    let beside = &claim.beside;
    let sums: [&[usize]; 4] = [&[20], &[41], &[1, 20], &[1, 41]];
    let ideal: BTreeSet<usize> = sums.iter().map(|sum| beside.value(sum)).collect();
    need(ideal.len() == 4, "four values")?;
    for &x in &ideal {
        let stays = heaps_of_a().all(|heap| ideal.contains(&beside.row(heap)[x]));
        need(stays, "an ideal")?;
        let label = match parities[x] {
            ALPHA => Label::Z,
            BETA => Label::NotZ,
            _ => Label::N,
        };
        need(claim.labels[x] == label, "a label of the ideal")?;
    }
    let large = heaps_of_a().filter(|&heap| heap >= 47 || (41..=45).contains(&heap));
    for heap in large {
        need(
            ideal.contains(&beside.value(&[heap])),
            "a large heap is in the ideal",
        )?;
    }
    Ok(ideal)
}

/// Lemma 1 on heaps below 200; the page proves it for all.
fn check_moves() -> Result<(), Refused> {
    for heap in (1..200).filter(|&heap| is_in_a(heap)) {
        for left in moves(heap) {
            if !left.iter().all(|&heap| is_in_a(heap)) {
                continue;
            }
            let after = left
                .iter()
                .fold(GAMMA, |all, &heap| sum(all, of_heap(heap)));
            let shrinks = heap == 2 && left == [1] || heap >= 5 && left == [1, heap - 3];
            let change = match heap {
                1 => (true, false),
                _ if shrinks => (true, true),
                _ => (false, true),
            };
            need(sum(of_heap(heap), after) == change, "Lemma 1")?;
        }
    }
    need(LAST == 52, "the last heap of the tables")
}
