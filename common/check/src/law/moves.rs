//! The check that no position called P has an option called P (A5).
//!
//! A position `G` with an option `G'`: a heap `h` becomes the parts `a`, `b` (or one, or none). Let
//! `g` be the heap with the greatest sum of weight and threshold among the other heaps, if there
//! are any, and let the rest have the unit `v` and the weight `i`. No heap of the rest is free in
//! `G` or in `G'`, since then `g` would be free too. So the law's verdicts on `G` and `G'` depend
//! on `h`, `a`, `b`, `g`, `v`, `i` only, and it suffices that for no such numbers both are P;
//! whether there is a rest with that unit and that weight does not matter.
//!
//! *Finitely many suffice.* Let `a` be a listed heap and `A` periods, likewise `b` and `g`, and let
//! `i = i₀ + slope · I`. Whether a heap is free depends on a comparison of two weights, which is
//! one of the forms `I+G-A-B`, `I+A+B-G`, `I+B+G-A`, `I+A+G-B`, times the slope, plus a number that
//! depends on the listed heaps and `i₀` only. The total whose set decides depends likewise on
//! `I+A+B+G`. All else depends on residues, which periods do not change (A1). So tuples with the
//! same values of these forms, cut off where the sign of each comparison is settled, are alike, and
//! one of them is examined.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use misere_game::control::Control;

use super::signatures::{Form, representatives};
use super::{CheckError, Law};

/// The forms that decide, in the numbers of periods `A`, `B`, `G` and in `I`.
const FORMS: [Form<4>; 5] = [
    [-1, -1, 1, 1],
    [1, 1, -1, 1],
    [-1, 1, 1, 1],
    [1, -1, 1, 1],
    [1, 1, 1, 1],
];

/// The ticks for the law's verdicts on two positions.
const PAIR: u64 = 4;

/// The tuples that represent all, by the numbers that are not 0 and by the bound.
type Representatives = HashMap<([bool; 4], i64), Vec<[u64; 4]>>;

pub(super) fn check(law: &Law<'_>, control: &mut Control) -> Result<(), CheckError> {
    let mut known = Representatives::new();
    for taken in 0..=law.code.length() {
        let digit = law.code.digit(taken);
        let taken = taken as u64;
        if digit & 1 != 0 && taken > 0 {
            check_move(law, taken, [0, 0], &mut known, control)?;
        }
        for a in law.slots() {
            if digit & 2 != 0 {
                check_move(law, taken, [a, 0], &mut known, control)?;
            }
            if digit & 4 != 0 {
                for b in law.slots() {
                    check_move(law, taken, [a, b], &mut known, control)?;
                }
            }
        }
    }
    Ok(())
}

/// Checks all moves that take `taken` beans and leave these heaps, or heaps that repeat them.
fn check_move(
    law: &Law<'_>,
    taken: u64,
    [a, b]: [u64; 2],
    known: &mut Representatives,
    control: &mut Control,
) -> Result<(), CheckError> {
    for g in 0..=law.listed() {
        for first in 0..law.slope {
            let active = [law.repeats(a), law.repeats(b), law.repeats(g), true];
            let bound = bound(law, taken, [a, b, g], first);
            let tuples = match known.entry((active, bound)) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    entry.insert(representatives(&FORMS, active, [false; 4], bound, control)?)
                }
            };
            control.spend(PAIR * u64::from(law.units) * tuples.len() as u64)?;
            for &[periods_a, periods_b, periods_g, more] in &*tuples {
                let a = a + law.period * periods_a;
                let b = b + law.period * periods_b;
                let g = g + law.period * periods_g;
                let h = taken + a + b;
                let weight = first + law.slope * more as i64;
                let both = (0..law.units).find(|&unit| {
                    law.is_p([h, g, 0], unit, weight) && law.is_p([a, b, g], unit, weight)
                });
                if let Some(unit) = both {
                    return Err(CheckError::LawPToP {
                        heap: h,
                        parts: [a, b],
                        beside: g,
                        unit,
                        weight: weight as u64,
                    });
                }
            }
        }
    }
    Ok(())
}

/// Returns a bound at which all comparisons are settled, and the total is not a first total.
fn bound(law: &Law<'_>, taken: u64, [a, b, g]: [u64; 3], first: i64) -> i64 {
    let h = law.heap(taken + a + b);
    let [a, b, g] = [a, b, g].map(|heap| law.heap(heap));
    let comparisons = [
        first + g.weight - h.threshold,
        first + h.weight - g.threshold,
        first + b.weight + g.weight - a.threshold,
        first + a.weight + g.weight - b.threshold,
        first + a.weight + b.weight - g.threshold,
        law.first_totals,
    ];
    let greatest = comparisons.iter().map(|c| c.abs()).max().unwrap_or(0);
    greatest / law.slope + 1
}

#[cfg(test)]
mod tests {
    use misere_game::ruleset::Code;
    use misere_game::solution::{HeapLaw, ThresholdLaw};
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Returns laws of the parity of beans, with arbitrary weights and thresholds.
    ///
    /// They are true where every move changes the parity, and A5 holds.
    fn parity_laws() -> impl Strategy<Value = ThresholdLaw> {
        (1..=3_u32, 1..=2_u32, 0..=12_usize, 4..=6_usize, 1..=3_u32).prop_flat_map(
            |(modulus, times, first, listed, period)| {
                let numbers = vec((0..7_u32, 0..9_u32), listed);
                numbers.prop_map(move |numbers| {
                    let heaps = (1..).zip(&numbers);
                    let heaps = heaps.map(|(heap, &(weight, threshold)): (u32, _)| {
                        // The period may be odd, so a heap that repeats has the unit of its place.
                        let unit = heap % 2;
                        let odd = if unit == 0 { 0b10 } else { 0b01 };
                        let residues = if threshold == 0 { 0 } else { modulus as usize };
                        HeapLaw {
                            unit,
                            weight,
                            threshold,
                            alone: vec![odd; residues],
                        }
                    });
                    ThresholdLaw {
                        bits: 1,
                        modulus,
                        first_totals: vec![0b10; first],
                        totals: vec![0b10; modulus as usize],
                        heaps: heaps.collect(),
                        period: 2 * period.min(listed as u32 / 2),
                        slope: times * modulus,
                    }
                })
            },
        )
    }

    fn sets(law: &mut ThresholdLaw) -> Vec<&mut u32> {
        let alone = law.heaps.iter_mut().flat_map(|heap| &mut heap.alone);
        let totals = law.first_totals.iter_mut().chain(&mut law.totals);
        totals.chain(alone).collect()
    }

    /// Flips units in one of the sets of a law, counted through all of them.
    fn flip(law: &mut ThresholdLaw, at: usize, units: u32) {
        let mut sets = sets(law);
        let count = sets.len();
        *sets[at % count] ^= units;
    }

    /// Removes all P-positions.
    fn empty(law: &mut ThresholdLaw) {
        for set in sets(law) {
            *set = 0;
        }
    }

    /// Returns whether a move leads from P to P, by all positions up to some heap and weight.
    fn has_move_from_p_to_p(law: &Law<'_>) -> bool {
        let greatest = law.listed() + 4 * law.period;
        (1..=greatest).any(|h| {
            law.code.options(h as u32).iter().any(|option| {
                let mut parts = option.parts().map(u64::from);
                let [a, b] = [parts.next().unwrap_or(0), parts.next().unwrap_or(0)];
                (0..=greatest).any(|g| {
                    (0..law.units).any(|unit| {
                        (0..30).any(|weight| {
                            law.is_p([h, g, 0], unit, weight) && law.is_p([a, b, g], unit, weight)
                        })
                    })
                })
            })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(250))]

        /// From the bound on, further periods and totals change no outcome.
        #[test]
        fn beyond_the_bound_outcomes_repeat(
            mut law in parity_laws(),
            flips in vec((0..100_usize, 1..4_u32), 0..12),
            taken in 1..5_u64,
        ) {
            for (at, units) in flips {
                flip(&mut law, at, units);
            }
            let code: Code = "0.7".parse().unwrap();
            let law = Law::of(&code, &law);
            let listed = 0..=law.listed();
            let heaps = listed.clone().flat_map(|a| listed.clone().map(move |b| (a, b)));
            for ((a, b), g) in heaps.flat_map(|two| listed.clone().map(move |g| (two, g))) {
                for first in 0..law.slope {
                    let bound = bound(&law, taken, [a, b, g], first);
                    // Whether `counts` more periods of `a`, `b` and `g`, and slopes, are P.
                    let outcomes = |counts: [i64; 4]| {
                        let [a, b, g] = [(a, counts[0]), (b, counts[1]), (g, counts[2])]
                            .map(|(heap, periods)| heap + law.period * periods as u64);
                        let weight = first + law.slope * counts[3];
                        [0, 1].map(|unit| {
                            let before = law.is_p([taken + a + b, g, 0], unit, weight);
                            (before, law.is_p([a, b, g], unit, weight))
                        })
                    };
                    for (at, grows) in [a, b, g].map(|heap| law.repeats(heap)).into_iter()
                        .chain([true])
                        .enumerate()
                    {
                        let mut counts = [0; 4];
                        counts[at] = bound;
                        let at_bound = outcomes(counts);
                        counts[at] += 1;
                        prop_assert!(!grows || outcomes(counts) == at_bound);
                    }
                }
            }
        }

        /// What A5 finds is a move from P to P, and where there is one it finds one.
        #[test]
        fn a5_finds_the_moves_from_p_to_p(
            mut law in parity_laws(),
            code in prop::sample::select(vec!["0.3", "0.303", "0.7", "0.503"]),
            is_empty: bool,
            flips in vec((0..100_usize, 1..4_u32), 0..4),
        ) {
            // With few P-positions some move leads from P to P only beside another heap.
            if is_empty {
                empty(&mut law);
            }
            for &(at, units) in &flips {
                flip(&mut law, at, units);
            }
            let code: Code = code.parse().unwrap();
            let law = Law::of(&code, &law);
            match check(&law, &mut Control::unlimited()) {
                Ok(()) => prop_assert!(!has_move_from_p_to_p(&law)),
                Err(CheckError::LawPToP { heap, parts: [a, b], beside, unit, weight }) => {
                    prop_assert!(!flips.is_empty());
                    let weight = weight as i64;
                    prop_assert!(law.is_p([heap, beside, 0], unit, weight));
                    prop_assert!(law.is_p([a, b, beside], unit, weight));
                }
                Err(other) => prop_assert!(false, "{other}"),
            }
        }
    }

    /// The only P-positions have a certain heap, so every move between them leaves it.
    #[test]
    fn moves_are_tried_beside_every_heap() {
        let code: Code = "0.3".parse().unwrap();
        for certain in 1..=4 {
            let heap = |heap| HeapLaw {
                unit: 0,
                weight: 0,
                threshold: u32::from(heap == certain),
                alone: vec![1; usize::from(heap == certain)],
            };
            let law = ThresholdLaw {
                bits: 0,
                modulus: 1,
                first_totals: Vec::new(),
                totals: vec![0],
                heaps: (1..=4).map(heap).collect(),
                period: 2,
                slope: 1,
            };
            let judged = check(&Law::of(&code, &law), &mut Control::unlimited());
            let Err(CheckError::LawPToP { beside, .. }) = judged else {
                panic!("beside {certain}: {judged:?}")
            };
            assert_eq!(beside, certain);
        }
    }
}
