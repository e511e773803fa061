//! The proof that the quotient of a game with a law is infinite.
//!
//! Theorem (docs/laws.md). Let a law satisfy A1 to A6, and let there be a heap `x` that repeats and
//! a sum `c` of heaps with the unit `v` and the weight `e` such that
//!
//! - A7: `v` is in `A_x(θ(x) - e)`, or `v ⊕ unit(x)` is in the set that repeats for the weight
//!   `w(x) + e`, but not both. Weights are meant modulo the modulus.
//!
//! Then no two multiples of a heap with a weight that is not 0 are indistinguishable.
//!
//! *Proof.* Let `y` be such a heap and `Y` the sum of `2 · slope` copies of `y`, which has the unit
//! 0 and a weight `W` that is a multiple of the slope. Let `i` be large and `j > i`. Among the
//! heaps that repeat `x` let `X` be the first whose threshold is greater than `iW + e`. Beside
//! `iY + c` the heap `X` is free, and the position is a P-position exactly if `v` is in
//! `A_x(θ(x) - e)`. The threshold of `X` is at most `iW + e + slope`, so at most `jW + e`. So
//! beside `jY + c` it is not free, no other heap is free beside `X`, which is heavier than their
//! thresholds, and the position is a P-position exactly if `v ⊕ unit(x)` is in the set of the
//! weight `w(x) + e`. By A7 the two outcomes differ. So `i₀Y, (i₀ + 1)Y, …` are pairwise
//! distinguishable for some `i₀`. If two multiples of `y` were indistinguishable, there would be
//! only finitely many up to indistinguishability. ∎

use std::collections::BTreeSet;

use misere_game::solution::{HeapLaw, ThresholdLaw};

use super::{MAX_BITS, MAX_MODULUS};

/// Reports whether a proved law shows that the quotient of its game is infinite.
///
/// `false` means unknown. The answer is meaningless for a law that is not proved.
///
/// Cost: units times residues times listed heaps, at most 51,200 for a proved law.
///
/// ```
/// use misere_game::solution::{HeapLaw, ThresholdLaw};
/// use misere_check::law_shows_infinite;
/// // 0.3: odd numbers of moves are left in P-positions, and the quotient has two elements.
/// let heap = |n: u32| HeapLaw { unit: n % 2, weight: n, threshold: 0, alone: vec![] };
/// let law = ThresholdLaw {
///     bits: 1, modulus: 1, first_totals: vec![], totals: vec![0b10],
///     heaps: vec![heap(1), heap(2), heap(3)], period: 2, slope: 2,
/// };
/// assert!(!law_shows_infinite(&law));
/// ```
#[must_use]
pub fn law_shows_infinite(law: &ThresholdLaw) -> bool {
    let in_form = law.bits <= MAX_BITS
        && (1..=MAX_MODULUS).contains(&law.modulus)
        && law.heaps.iter().all(|heap| heap.unit < 1 << law.bits);
    if !in_form {
        return false;
    }
    let repeats_from = usize::try_from(law.repeats_from().saturating_sub(1)).unwrap_or(usize::MAX);
    let sums = sums(law);
    let differs = |x: &HeapLaw| {
        sums.iter()
            .any(|&sum| distinguishes(law, x, sum) == Some(true))
    };
    law.heaps.iter().skip(repeats_from).any(differs)
}

/// Reports whether A7 holds for a heap and the unit and the weight of a sum.
///
/// `None` if the heap is never free, or the law is not in form.
fn distinguishes(law: &ThresholdLaw, x: &HeapLaw, (unit, weight): (u32, u32)) -> Option<bool> {
    let modulus = i64::from(law.modulus);
    let residue = |weight: i64| usize::try_from(weight.checked_rem_euclid(modulus)?).ok();
    let weight = i64::from(weight);
    let free = x.alone.get(residue(i64::from(x.threshold) - weight)?)?;
    let total = i64::from(x.weight) + weight - law.first_totals.len() as i64;
    let not_free = law.totals.get(residue(total)?)?;
    let is_in = |set: u32, unit: u32| Some(set.checked_shr(unit)? & 1 == 1);
    Some(is_in(*free, unit)? != is_in(*not_free, unit ^ x.unit)?)
}

/// Returns the units and residues of weights of all sums of heaps.
fn sums(law: &ThresholdLaw) -> BTreeSet<(u32, u32)> {
    let mut sums = BTreeSet::from([(0, 0)]);
    let mut new = vec![(0, 0)];
    while let Some((unit, weight)) = new.pop() {
        for heap in &law.heaps {
            let weight = (weight + heap.weight % law.modulus) % law.modulus;
            let with = (unit ^ heap.unit, weight);
            if sums.insert(with) {
                new.push(with);
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use misere_game::control::Control;
    use misere_game::ruleset::Code;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Returns laws that are in form, whether or not a game has them.
    fn laws() -> impl Strategy<Value = ThresholdLaw> {
        (0..=2_u32, 1..=3_u32, 1..=2_u32, 0..=2_usize, 1..=3_u32).prop_flat_map(
            |(bits, modulus, times, first, period)| {
                let set = 0..1_u32 << (1 << bits);
                let heap = (
                    0..1_u32 << bits,
                    0..7_u32,
                    0..5_u32,
                    vec(set.clone(), modulus as usize),
                );
                let heap = heap.prop_map(|(unit, weight, threshold, alone)| HeapLaw {
                    unit,
                    weight,
                    threshold,
                    alone,
                });
                let heaps = vec(heap, period as usize..=4);
                (vec(set.clone(), first), vec(set, modulus as usize), heaps).prop_map(
                    move |(first_totals, totals, heaps)| ThresholdLaw {
                        bits,
                        modulus,
                        first_totals,
                        totals,
                        heaps,
                        period,
                        slope: times * modulus,
                    },
                )
            },
        )
    }

    /// Returns whether the positions `iY + c + X` and `jY + c + X` of the proof have different
    /// outcomes by the law itself.
    ///
    /// `Y` is a sum of the listed heap `y`, and `X` the first heap like the listed heap `x` whose
    /// threshold is greater than the weight of `iY + c`.
    fn differ(law: &ThresholdLaw, (x, y): (u64, u64), c: &[u64]) -> bool {
        let weight_of = |heap: u64| law.heap(heap).unwrap().1;
        let each = 2 * u64::from(law.slope);
        let of_y = weight_of(y) * u128::from(each);
        let of_c: u128 = c.iter().map(|&heap| weight_of(heap)).sum();
        let (i, j) = (50, 53);
        let mut free = (x..).step_by(law.period as usize);
        let is_greater = |&heap: &u64| law.heap(heap).unwrap().2 > of_y * i + of_c;
        let free = free.find(is_greater).unwrap();
        let outcome = |copies: u128| {
            let mut position: Vec<(u64, u64)> = vec![(y, copies as u64 * each), (free, 1)];
            position.extend(c.iter().map(|&heap| (heap, 1)));
            // The same heap twice is one entry with two copies.
            position.sort_unstable();
            position.dedup_by(|next, kept| {
                let is_same = next.0 == kept.0;
                kept.1 += if is_same { next.1 } else { 0 };
                is_same
            });
            law.outcome(position).unwrap()
        };
        outcome(i) != outcome(j)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// A7 holds exactly if the law gives the two positions of the proof different outcomes.
        #[test]
        fn a7_is_what_the_law_says_of_large_positions(law in laws(), c in vec(1..=4_u64, 0..=3)) {
            let listed = law.heaps.len() as u64;
            let c: Vec<u64> = c.into_iter().filter(|&heap| heap <= listed).collect();
            let mut unit = 0;
            let mut weight = 0;
            for &heap in &c {
                let of_heap = law.of_heap(heap).unwrap();
                unit ^= of_heap.unit;
                weight = (weight + of_heap.weight) % law.modulus;
            }
            let Some(y) = (1..=listed).find(|&heap| law.of_heap(heap).unwrap().weight > 0) else {
                return Ok(());
            };
            for x in law.repeats_from()..=listed {
                let of_x = law.of_heap(x).unwrap();
                let by_a7 = distinguishes(&law, &of_x, (unit, weight)) == Some(true);
                if of_x.threshold > 0 {
                    prop_assert_eq!(by_a7, differ(&law, (x, y), &c), "{} {:?}", x, c);
                    prop_assert!(!by_a7 || law_shows_infinite(&law));
                }
            }
        }

        /// The sums are those of the elements that multisets of listed heaps have, and no others.
        #[test]
        fn the_sums_are_those_of_multisets(law in laws()) {
            let mut all = BTreeSet::from([(0, 0)]);
            // There are at most twelve elements, so twelve rounds reach each.
            for _ in 0..12 {
                let more: Vec<(u32, u32)> = all
                    .iter()
                    .flat_map(|&(unit, weight)| {
                        let heaps = law.heaps.iter();
                        heaps.map(move |heap| (unit ^ heap.unit, weight + heap.weight))
                    })
                    .map(|(unit, weight)| (unit, weight % law.modulus))
                    .collect();
                all.extend(more);
            }
            prop_assert_eq!(sums(&law), all);
        }
    }

    /// A law whose period is two of three listed heaps: the first does not repeat.
    #[test]
    fn a_heap_that_does_not_repeat_proves_nothing() {
        let heap = |threshold, alone: &[u32]| HeapLaw {
            unit: 0,
            weight: 1,
            threshold,
            alone: alone.to_vec(),
        };
        let mut law = ThresholdLaw {
            bits: 0,
            modulus: 1,
            first_totals: Vec::new(),
            totals: vec![0],
            heaps: vec![heap(1, &[1]), heap(0, &[]), heap(0, &[])],
            period: 2,
            slope: 1,
        };
        assert!(!law_shows_infinite(&law));
        law.period = 3;
        assert!(law_shows_infinite(&law));
    }

    /// Returns a law of 0.3, in which every move changes the parity of the beans.
    ///
    /// A position is a P-position if that parity is odd. The quotient has two elements, whatever a
    /// law claims about weights.
    fn parity_law(bits: u32, modulus: u32, heaps: [HeapLaw; 3]) -> ThresholdLaw {
        ThresholdLaw {
            bits,
            modulus,
            first_totals: Vec::new(),
            totals: vec![0b10; modulus as usize],
            heaps: heaps.into(),
            period: 2,
            slope: 2,
        }
    }

    /// A7: the heap repeats, the sum of heaps exists, and the two outcomes differ.
    ///
    /// Each law is true and belongs to a game with a finite quotient.
    #[test]
    fn a_law_of_a_finite_quotient_does_not_show_it_infinite() {
        let heap = |unit, weight, threshold, alone: &[u32]| HeapLaw {
            unit,
            weight,
            threshold,
            alone: alone.to_vec(),
        };
        let laws = [
            // The sets of a free heap are those of the totals.
            parity_law(
                1,
                1,
                [
                    heap(1, 1, 0, &[]),
                    heap(0, 1, 1, &[0b10]),
                    heap(1, 2, 2, &[0b01]),
                ],
            ),
            // The heap of 1 is free only if the others weigh nothing, so one of its sets is never
            // used; but it does not repeat.
            parity_law(
                1,
                2,
                [
                    heap(1, 1, 1, &[0b10, 0b01]),
                    heap(0, 1, 0, &[]),
                    heap(1, 2, 0, &[]),
                ],
            ),
            // No sum has the unit 2 or 3, with which the sets of a free heap differ from the
            // totals.
            parity_law(
                2,
                1,
                [
                    heap(1, 1, 0, &[]),
                    heap(0, 1, 1, &[0b1010]),
                    heap(1, 2, 2, &[0b0101]),
                ],
            ),
            // No sum has an odd weight.
            parity_law(
                1,
                2,
                [
                    heap(1, 2, 0, &[]),
                    heap(0, 2, 2, &[0b10, 0]),
                    heap(1, 2, 2, &[0b01, 0]),
                ],
            ),
        ];
        let code: Code = "0.3".parse().unwrap();
        for law in laws {
            let proved = super::super::check(&code, &law, &mut Control::unlimited());
            assert_eq!(proved, Ok(()), "{law:?}");
            assert!(!law_shows_infinite(&law), "{law:?}");
        }
    }
}
