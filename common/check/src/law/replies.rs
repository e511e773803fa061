//! The check that every position called N has an option called P, if it has a move (A6).
//!
//! Let `G` be such a position. Heaps without options do not count (A3). Among the others let `z`
//! have the greatest sum of weight and threshold, and let the rest have the unit `v` and the weight
//! `i`. Then the law's verdict on `G` depends on `z`, `v` and `i` only.
//!
//! - *A reply in `z`*: an option of `z` that the law, with the rest, calls P. It counts only if no
//!   heap `y` of the rest becomes free. Now `w(y) ≤ i`, and the new position weighs `i` and the
//!   parts; so `y` stays bound if these are at least `w(z) + θ(z) ≥ w(y) + θ(y)`, or at least a
//!   bound on `w(y) + θ(y)` for all heaps with `w(y) ≤ i`.
//! - *A reply in the rest*: if a heap `y` of it becomes some parts, then `z` or one of these parts
//!   is free, or nothing is; so the law's verdict depends on `z`, the parts, and the unit and the
//!   weight of the others. Call `y` *idle* in the context of `z`, `v`, `i` if none of its options
//!   is called P. If `G` has no reply, then all heaps of the rest are idle, and `(v, i)` is a sum
//!   of units and weights of idle heaps. The check demands that it is not, with weights taken as
//!   elements of a finite monoid.
//!
//! Only moves that leave at most one large part are examined, which makes the check stricter.
//!
//! *Finitely many suffice.* Let `z` be a listed heap and `K` periods, likewise `y` and `Y`, and let
//! `i = i₀ + slope · I`. All comparisons are forms in `K`, `Y`, `I` times the slope, plus numbers
//! that depend on the listed heaps and `i₀`, and on `K` and `Y` as long as these are small, since
//! then a move may leave a heap that does not repeat. One form, `I+K`, is not in the list: `I` and
//! `K` are not negative, so its sign is settled where one of them is cut off. The idle heaps are
//! collected for all `K` and `I` that agree in `K`, `I` and `I-K`, cut off; a coarser distinction
//! would only be stricter.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use misere_game::control::Control;

use super::signatures::{Form, representatives};
use super::{CheckError, Law};

/// The forms that decide, in `K`, `Y` and `I`.
const FORMS: [Form<3>; 9] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [-1, 0, 1],
    [1, -2, 1],
    [0, -1, 1],
    [1, -1, 0],
    [2, -1, 0],
    [1, -2, 0],
];

/// The ticks for the law's verdict on a position.
const WORD: u64 = 3;

/// The unit and the weight of a heap, the weight as an element of a finite monoid.
type Kind = (u32, i64);

/// `K`, `I`, `I - K`, cut off, and the parity of `I + K`.
type Context = ([i64; 3], bool);

pub(super) fn check(law: &Law<'_>, control: &mut Control) -> Result<(), CheckError> {
    let mut search = Search::of(law);
    for z in law.slots() {
        if search.moves(z).is_empty() {
            continue;
        }
        for first in 0..law.slope {
            search.check(z, first, control)?;
        }
    }
    Ok(())
}

struct Search<'a> {
    law: &'a Law<'a>,
    /// Options by heap: those with at most one large part.
    options: HashMap<u64, Vec<[u64; 2]>>,
    tuples: HashMap<([bool; 3], i64), Vec<[u64; 3]>>,
    /// The number of periods after which a move leaves a heap that repeats.
    regular: u64,
    /// The least difference of weight and threshold, if the threshold is not 0.
    gap: i64,
    /// The greatest weight listed.
    heaviest: i64,
    /// The weight from which on only residues distinguish weights.
    cyclic_from: i64,
}

impl<'a> Search<'a> {
    fn of(law: &'a Law<'a>) -> Self {
        let listed = || law.slots().map(|heap| law.heap(heap));
        let gaps = listed().filter(|heap| heap.threshold > 0);
        Self {
            law,
            options: HashMap::new(),
            tuples: HashMap::new(),
            regular: (law.code.length() as u64 + law.first) / law.period + 1,
            gap: gaps
                .map(|heap| heap.weight - heap.threshold)
                .min()
                .unwrap_or(0),
            heaviest: listed().map(|heap| heap.weight).max().unwrap_or(0),
            cyclic_from: law.first_totals.max(1),
        }
    }

    /// Returns the options of a heap with at most one large part.
    ///
    /// All parts except the largest are at most as large as the first heap that repeats.
    fn moves(&mut self, heap: u64) -> &[[u64; 2]] {
        let law = self.law;
        self.options.entry(heap).or_insert_with(|| {
            let options = law
                .code
                .options_with_small_parts(heap as u32, law.first as u32);
            // An option of a game with a law has at most two parts.
            let parts = options.iter().map(|option| option.0);
            parts.map(|[a, b, ..]| [a.into(), b.into()]).collect()
        })
    }

    /// Checks all positions whose `z` repeats this heap and whose rest weighs `first` modulo the
    /// slope.
    fn check(&mut self, z: u64, first: i64, control: &mut Control) -> Result<(), CheckError> {
        let law = self.law;
        let mut bound = self.heaviest / law.slope + 2;
        for y in law.slots() {
            bound = bound.max(self.bound(z, y, first, control)?);
        }
        let contexts = self.tuples(z, 0, bound, control)?;
        // The contexts without a reply in `z`.
        let mut stuck: HashMap<([u64; 2], u32), bool> = HashMap::new();
        let mut idle: HashMap<(Context, u32), BTreeSet<Kind>> = HashMap::new();
        for y in law.slots() {
            if self.moves(y).is_empty() {
                continue;
            }
            for [k, periods, more] in self.tuples(z, y, bound, control)? {
                let (z, y) = (z + law.period * k, y + law.period * periods);
                let weight = first + law.slope * more as i64;
                if !self.may_accompany(y, z, weight) {
                    continue;
                }
                let facts = law.heap(y);
                let kind = (facts.unit, self.cyclic(facts.weight));
                let context = context(k, more, bound);
                for unit in 0..law.units {
                    if idle
                        .get(&(context, unit))
                        .is_some_and(|kinds| kinds.contains(&kind))
                    {
                        continue;
                    }
                    let is_stuck = match stuck.get(&([k, more], unit)) {
                        Some(&known) => known,
                        None => {
                            let is_stuck = self.is_stuck(z, unit, weight, control)?;
                            stuck.insert(([k, more], unit), is_stuck);
                            is_stuck
                        }
                    };
                    if is_stuck
                        && self.is_idle(y, z, unit ^ facts.unit, weight - facts.weight, control)?
                    {
                        idle.entry((context, unit)).or_default().insert(kind);
                    }
                }
            }
        }
        for [k, _, more] in contexts {
            let z = z + law.period * k;
            let weight = first + law.slope * more as i64;
            for unit in 0..law.units {
                if !self.is_stuck(z, unit, weight, control)? {
                    continue;
                }
                let kinds = idle.get(&(context(k, more, bound), unit));
                control.spend(u64::from(law.units) * 100)?;
                if self.is_sum((unit, self.cyclic(weight)), kinds) {
                    return Err(CheckError::LawNWithoutP {
                        heap: z,
                        unit,
                        weight: weight as u64,
                    });
                }
            }
        }
        Ok(())
    }

    /// Returns the tuples `K`, `Y`, `I` that represent all.
    fn tuples(
        &mut self,
        z: u64,
        y: u64,
        bound: i64,
        control: &mut Control,
    ) -> Result<Vec<[u64; 3]>, CheckError> {
        let active = [self.law.repeats(z), self.law.repeats(y), true];
        let tuples = match self.tuples.entry((active, bound)) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let parity_of = [true, false, true];
                entry.insert(representatives(&FORMS, active, parity_of, bound, control)?)
            }
        };
        control.spend(tuples.len() as u64)?;
        Ok(tuples.clone())
    }

    /// Reports whether heap `y` may be in a rest of this weight beside `z`.
    fn may_accompany(&self, y: u64, z: u64, weight: i64) -> bool {
        let (y, z) = (self.law.heap(y), self.law.heap(z));
        y.weight <= weight && y.weight + y.threshold <= z.weight + z.threshold
    }

    /// Reports whether the law calls `z` with a rest an N-position and no option of `z` is a reply.
    fn is_stuck(
        &mut self,
        z: u64,
        unit: u32,
        weight: i64,
        control: &mut Control,
    ) -> Result<bool, CheckError> {
        let law = self.law;
        control.spend(WORD)?;
        if law.is_p([z, 0, 0], unit, weight) {
            return Ok(false);
        }
        let facts = law.heap(z);
        let enough = (facts.weight + facts.threshold).min(self.greatest_beside(weight));
        let mut ticks = 0;
        let has_reply = self.moves(z).iter().any(|&[a, b]| {
            ticks += WORD;
            weight + law.heap(a).weight + law.heap(b).weight >= enough
                && law.is_p([a, b, 0], unit, weight)
        });
        control.spend(ticks)?;
        Ok(!has_reply)
    }

    /// Returns a bound on the sum of weight and threshold of the heaps that weigh at most `weight`.
    fn greatest_beside(&self, weight: i64) -> i64 {
        let law = self.law;
        if weight > self.heaviest {
            return 2 * weight - self.gap;
        }
        // A heap this many periods beyond the list weighs more than every heap listed.
        let heaps = 1..=law.listed() + law.period * (self.heaviest / law.slope + 1) as u64;
        heaps
            .map(|heap| law.heap(heap))
            .filter(|heap| heap.weight <= weight)
            .map(|heap| heap.weight + heap.threshold)
            .max()
            .unwrap_or(0)
    }

    /// Reports whether no option of a heap is called P beside `z` and such others.
    ///
    /// The others have the given unit and weight.
    fn is_idle(
        &mut self,
        y: u64,
        z: u64,
        unit: u32,
        weight: i64,
        control: &mut Control,
    ) -> Result<bool, CheckError> {
        let law = self.law;
        let mut ticks = 0;
        let is_idle = !self.moves(y).iter().any(|&[a, b]| {
            ticks += WORD;
            law.is_p([a, b, z], unit, weight)
        });
        control.spend(ticks)?;
        Ok(is_idle)
    }

    /// Returns a bound at which the sign of every comparison about `z` and `y` is settled.
    fn bound(
        &mut self,
        z: u64,
        y: u64,
        first: i64,
        control: &mut Control,
    ) -> Result<i64, CheckError> {
        let law = self.law;
        let steps = |heap: u64| if law.repeats(heap) { self.regular } else { 0 };
        let (steps_z, steps_y) = (steps(z), steps(y));
        let mut greatest = self.gap.max(self.cyclic_from);
        for k in 0..=steps_z {
            for periods in 0..=steps_y {
                let (z, y) = (z + law.period * k, y + law.period * periods);
                let (k, periods) = (k as i64 * law.slope, periods as i64 * law.slope);
                let (of_z, of_y) = (law.heap(z), law.heap(y));
                let moves = [self.moves(z).to_vec(), self.moves(y).to_vec()];
                control.spend(WORD * (moves[0].len() + moves[1].len()) as u64)?;
                // Settles a comparison, given at `I = 0` without the multiple of the slope that its
                // form counts.
                let mut settle = |threshold: i64, comparison: i64| {
                    if threshold > 0 {
                        greatest = greatest.max(comparison.abs());
                    }
                };
                let twice = |heap: super::Heap<'_>, periods: i64| match heap.threshold {
                    0 => heap.weight - periods,
                    threshold => heap.weight + threshold - 2 * periods,
                };
                settle(1, first - (of_y.weight - periods));
                settle(1, twice(of_z, k) - twice(of_y, periods));
                settle(of_z.threshold, first - (of_z.threshold - k));
                settle(1, first + of_z.weight - k - law.first_totals);
                for &[a, b] in &moves[0] {
                    let (a, b) = (law.heap(a), law.heap(b));
                    let parts = a.weight + b.weight - k;
                    settle(a.threshold, first + b.weight - (a.threshold - k));
                    settle(b.threshold, first + a.weight - k - b.threshold);
                    settle(1, first + parts - law.first_totals);
                    settle(1, first + parts - twice(of_z, k));
                    settle(1, parts + self.gap - first);
                    // For a light rest, the bound on the heaps beside `z` is at most this.
                    settle(1, parts - 2 * self.heaviest);
                    settle(1, parts + 2 * self.heaviest);
                }
                for &[a, b] in &moves[1] {
                    let (a, b) = (law.heap(a), law.heap(b));
                    let parts = first - of_y.weight + a.weight + b.weight;
                    settle(of_z.threshold, parts - (of_z.threshold - k));
                    settle(1, parts + of_z.weight - k - law.first_totals);
                    let others = first - (of_y.weight - periods) + (of_z.weight - k);
                    settle(a.threshold, others + b.weight - (a.threshold - periods));
                    settle(b.threshold, others + a.weight - periods - b.threshold);
                }
            }
        }
        Ok(greatest / law.slope + self.regular as i64 + 1)
    }

    fn cyclic(&self, weight: i64) -> i64 {
        match weight.checked_sub(self.cyclic_from) {
            Some(beyond) if beyond >= 0 => self.cyclic_from + beyond % self.law.modulus,
            _ => weight,
        }
    }

    /// Reports whether a kind belongs to a sum of heaps of other kinds, any number of each.
    fn is_sum(&self, kind: Kind, of: Option<&BTreeSet<Kind>>) -> bool {
        let mut sums = BTreeSet::from([(0, 0)]);
        let mut waiting = vec![(0, 0)];
        while let Some((unit, weight)) = waiting.pop() {
            for &(more_unit, more_weight) in of.into_iter().flatten() {
                let sum = (unit ^ more_unit, self.cyclic(weight + more_weight));
                if sums.insert(sum) {
                    waiting.push(sum);
                }
            }
        }
        sums.contains(&kind)
    }
}

fn context(k: u64, more: u64, bound: i64) -> Context {
    let (k, more) = (k as i64, more as i64);
    let cut = [k, more, more - k].map(|value| value.clamp(-bound, bound));
    (cut, (k + more) % 2 == 1)
}

#[cfg(test)]
mod tests {
    use misere_game::outcome::Outcome;
    use misere_game::solution::{HeapLaw, ThresholdLaw};

    use super::*;

    /// A set of a law.
    #[derive(Clone, Copy, Debug)]
    enum Set {
        /// The set of a total before the sets repeat.
        First(usize),
        /// The set of a residue of totals.
        Total(usize),
        /// The set of a heap and a residue.
        Alone(usize, usize),
    }

    /// A law of a game in which every move changes a parity, and a set of it, or two.
    #[derive(Debug)]
    struct Case {
        code: &'static str,
        first_totals: usize,
        modulus: usize,
        slope: u32,
        period: u32,
        /// The weight and the threshold of each heap.
        heaps: &'static [(u32, u32)],
        emptied: &'static [Set],
        /// Heaps about whose sum the law is wrong without the sets.
        wrong: &'static [u64],
    }

    impl Case {
        /// Returns the parity of the moves in a heap, which take one bean, or take one or three
        /// beans; or leave one heap more, or one bean at the end.
        fn unit(&self, heap: u64) -> u32 {
            match self.code {
                "0.2" | "4." => (heap as u32 + 1) % 2,
                _ => heap as u32 % 2,
            }
        }

        /// Returns the law, by which odd numbers of moves are left in P-positions.
        fn law(&self) -> ThresholdLaw {
            let heap = |(&(weight, threshold), heap): (&(u32, u32), u64)| {
                let residues = if threshold > 0 { self.modulus } else { 0 };
                HeapLaw {
                    unit: self.unit(heap),
                    weight,
                    threshold,
                    alone: vec![2 >> self.unit(heap); residues],
                }
            };
            ThresholdLaw {
                bits: 1,
                modulus: self.modulus as u32,
                first_totals: vec![2; self.first_totals],
                totals: vec![2; self.modulus],
                heaps: self.heaps.iter().zip(1..).map(heap).collect(),
                period: self.period,
                slope: self.slope,
            }
        }
    }

    fn check(code: &str, law: &ThresholdLaw) -> Result<(), CheckError> {
        let code = code.parse().unwrap();
        crate::check_law(&code, law, &mut Control::unlimited())
    }

    /// The weights and thresholds of these laws are invented, and change nothing as long as all
    /// sets say the same. Without these sets the law says N of a sum from which every move leads to
    /// an N-position.
    #[test]
    fn a_law_that_lacks_a_set_is_refused() {
        let cases = [
            // The first total without a P-position is that of three heaps.
            Case {
                code: "0.7",
                first_totals: 12,
                modulus: 3,
                slope: 3,
                period: 4,
                heaps: &[(2, 2), (0, 0), (2, 0), (0, 0), (0, 0)],
                emptied: &[Set::First(7)],
                wrong: &[1, 1, 9],
            },
            // A free heap one period beyond the list, beside a heap that weighs less.
            Case {
                code: "0.2",
                first_totals: 5,
                modulus: 2,
                slope: 2,
                period: 2,
                heaps: &[(0, 0), (1, 0), (1, 1), (1, 0)],
                emptied: &[Set::Alone(3, 0)],
                wrong: &[2, 5],
            },
            // One heap some periods beyond the list, beside nothing.
            Case {
                code: "4.",
                first_totals: 5,
                modulus: 1,
                slope: 1,
                period: 2,
                heaps: &[(0, 0), (0, 0), (4, 0)],
                emptied: &[Set::First(3)],
                wrong: &[8],
            },
            // One listed heap, which is free.
            Case {
                code: "0.2",
                first_totals: 1,
                modulus: 1,
                slope: 1,
                period: 4,
                heaps: &[(0, 0), (1, 1), (0, 0), (1, 1), (1, 0)],
                emptied: &[Set::Alone(2, 0)],
                wrong: &[2],
            },
            Case {
                code: "0.2",
                first_totals: 0,
                modulus: 1,
                slope: 2,
                period: 2,
                heaps: &[(0, 0), (8, 6), (19, 0), (1, 1)],
                emptied: &[Set::Alone(2, 0)],
                wrong: &[2],
            },
            Case {
                code: "0.307",
                first_totals: 5,
                modulus: 1,
                slope: 2,
                period: 2,
                heaps: &[(2, 2), (3, 0), (7, 2), (3, 0), (3, 3), (2, 1)],
                emptied: &[Set::Alone(3, 0)],
                wrong: &[3],
            },
            // The heaviest first total, of two heaps.
            Case {
                code: "0.3",
                first_totals: 12,
                modulus: 2,
                slope: 2,
                period: 2,
                heaps: &[(3, 1), (3, 0), (0, 0)],
                emptied: &[Set::First(11)],
                wrong: &[2, 11],
            },
            // All totals but the first ones, which are many.
            Case {
                code: "0.303",
                first_totals: 16,
                modulus: 1,
                slope: 1,
                period: 2,
                heaps: &[(0, 0), (0, 0), (1, 0), (0, 0), (0, 0)],
                emptied: &[Set::Total(0)],
                wrong: &[17, 24],
            },
            Case {
                code: "0.303",
                first_totals: 0,
                modulus: 1,
                slope: 1,
                period: 4,
                heaps: &[(3, 0), (2, 0), (0, 0), (1, 0), (1, 0)],
                emptied: &[Set::Total(0)],
                wrong: &[1],
            },
            // A free heap beside a heap whose unit is 1.
            Case {
                code: "4.",
                first_totals: 0,
                modulus: 1,
                slope: 2,
                period: 4,
                heaps: &[(0, 0), (1, 1), (1, 1), (0, 0), (2, 0)],
                emptied: &[Set::Alone(3, 0)],
                wrong: &[2, 7],
            },
            // A free heap beside a heap one period beyond the list, which weighs more.
            Case {
                code: "0.703",
                first_totals: 2,
                modulus: 3,
                slope: 3,
                period: 4,
                heaps: &[(1, 0), (2, 2), (1, 0), (0, 0), (1, 1), (0, 0)],
                emptied: &[Set::Total(1), Set::Alone(5, 0)],
                wrong: &[2, 7],
            },
        ];
        for case in cases {
            let mut law = case.law();
            assert_eq!(check(case.code, &law), Ok(()), "{case:?}");
            for &set in case.emptied {
                match set {
                    Set::First(total) => law.first_totals[total] = 0,
                    Set::Total(residue) => law.totals[residue] = 0,
                    Set::Alone(heap, residue) => law.heaps[heap - 1].alone[residue] = 0,
                }
            }
            let odd = case
                .wrong
                .iter()
                .fold(0, |odd, &heap| odd ^ case.unit(heap));
            let copies = |heap: u64| case.wrong.iter().filter(|&&it| it == heap).count() as u64;
            let mut heaps = case.wrong.to_vec();
            heaps.dedup();
            let said = law.outcome(heaps.into_iter().map(|heap| (heap, copies(heap))));
            assert_eq!((said, odd), (Some(Outcome::N), 1), "{case:?}");
            let flaw = check(case.code, &law);
            assert!(
                matches!(flaw, Err(CheckError::LawNWithoutP { .. })),
                "{case:?}: {flaw:?}"
            );
        }
    }
}
