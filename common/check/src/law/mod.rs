//! The check that a threshold law decides every position of a game.
//!
//! Theorem (docs/laws.md). Let a law satisfy the hypotheses A1 to A6. Then a position of the game
//! is a P-position in misère play exactly if the law says so.
//!
//! *Proof.* Exactly one set of positions has no terminal position in it, does not contain both a
//! position and an option of it, and contains an option of every position that is neither terminal
//! nor in the set. By A3 heaps without options do not count, so by A4 the law says N of every
//! terminal position. A5 says the second, A6 the third. ∎
//!
//! Let `w(x)` be the weight and `θ(x)` the threshold of a heap. Two facts carry the checks. *At
//! most one heap of a position is free*: if `x` and `y` are, then
//! `w(y) < θ(x) ≤ w(x) < θ(y) ≤ w(y)` by A2. And *the heap with the greatest sum of weight and
//! threshold is free if any is*, since `x` is free in a position of weight `T` exactly if
//! `T < w(x) + θ(x)`.
//!
//! - [`moves`] (A5): no position that the law calls P has an option that it calls P
//! - [`replies`] (A6): every other position with a move has one that it calls P
//! - [`infinity`] (A7): the quotient is infinite, which is not part of the claim
//! - [`signatures`]: the tuples of numbers that represent all

pub(super) mod infinity;
mod moves;
mod replies;
mod signatures;

use misere_game::control::Control;
use misere_game::ruleset::Code;
use misere_game::solution::{HeapLaw, ThresholdLaw};

use super::CheckError;

/// The greatest number of bits of a unit, so that a set of units has 16 bits.
const MAX_BITS: u32 = 4;
/// The greatest modulus, number of first totals, and slope.
const MAX_MODULUS: u32 = 16;
/// The most heaps that a law may list.
const MAX_HEAPS: usize = 200;
/// The greatest weight of a listed heap.
const MAX_WEIGHT: u32 = 1_000;
/// The most parts that a move leaves.
const MAX_PARTS: u32 = 2;

/// Proves the law for all heaps.
///
/// # Errors
/// The [`CheckError`] by which the law fails, or [`CheckError::Unchecked`] if `control` ends the
/// check.
pub(super) fn check(
    code: &Code,
    law: &ThresholdLaw,
    control: &mut Control,
) -> Result<(), CheckError> {
    check_form(code, law)?;
    let law = Law::of(code, law);
    for heap in 1..=law.listed() {
        let facts = law.heap(heap);
        // A2. Periods add the same to both, or nothing to the threshold.
        if facts.weight < facts.threshold {
            return Err(CheckError::LawWeight { heap });
        }
        // A3. By the form of the law all heaps beyond the list have options. A listed heap without
        // options represents only itself, since heaps that repeat it would have options.
        let is_dead = code.options(heap as u32).is_empty();
        let counts = (facts.unit, facts.weight, facts.threshold) != (0, 0, 0);
        if is_dead && (counts || law.repeats(heap)) {
            return Err(CheckError::LawOfDeadHeap { heap });
        }
    }
    // A4.
    if law.is_p([0; 3], 0, 0) {
        return Err(CheckError::IdentityInP);
    }
    moves::check(&law, control)?;
    replies::check(&law, control)
}

/// Checks A1: numbers are within bounds, sets are of units, and periods change only weights.
fn check_form(code: &Code, law: &ThresholdLaw) -> Result<(), CheckError> {
    let units = |set: &u32| law.bits <= MAX_BITS && u64::from(*set) < 1 << (1 << law.bits);
    let listed = law.heaps.len();
    let heap_in_form = |heap: &HeapLaw| {
        let residues = if heap.threshold == 0 { 0 } else { law.modulus };
        heap.unit < 1 << law.bits
            && heap.weight <= MAX_WEIGHT
            && heap.alone.len() == residues as usize
            && heap.alone.iter().all(units)
    };
    let goes_on = code.is_take_and_break()
        && code.max_parts() <= MAX_PARTS
        && (0..=code.length()).any(|taken| code.digit(taken) & 6 != 0)
        // A move with these digits in a heap beyond the list leaves a bean in each part.
        && listed >= code.length() + 2;
    let in_form = law.bits <= MAX_BITS
        && (1..=MAX_MODULUS).contains(&law.modulus)
        && law.totals.len() == law.modulus as usize
        && law.first_totals.len() <= MAX_MODULUS as usize
        && law.first_totals.iter().chain(&law.totals).all(units)
        && listed <= MAX_HEAPS
        && law.period >= 1
        && law.period as usize <= listed
        && (1..=MAX_MODULUS).contains(&law.slope)
        && law.slope.is_multiple_of(law.modulus)
        && law.heaps.iter().all(heap_in_form);
    if in_form && goes_on {
        Ok(())
    } else {
        Err(CheckError::LawForm)
    }
}

/// A law in form, with its game.
struct Law<'a> {
    code: &'a Code,
    claim: &'a ThresholdLaw,
    /// The first heap that repeats.
    first: u64,
    period: u64,
    slope: i64,
    modulus: i64,
    /// The number of first totals.
    first_totals: i64,
    /// The number of units.
    units: u32,
}

/// The part of one heap in a law, or of no heap.
#[derive(Clone, Copy)]
struct Heap<'a> {
    unit: u32,
    weight: i64,
    threshold: i64,
    alone: &'a [u32],
}

impl<'a> Law<'a> {
    fn of(code: &'a Code, claim: &'a ThresholdLaw) -> Self {
        Self {
            code,
            claim,
            first: claim.heaps.len() as u64 + 1 - u64::from(claim.period),
            period: u64::from(claim.period),
            slope: i64::from(claim.slope),
            modulus: i64::from(claim.modulus),
            first_totals: claim.first_totals.len() as i64,
            units: 1 << claim.bits,
        }
    }

    fn listed(&self) -> u64 {
        self.claim.heaps.len() as u64
    }

    /// Returns the facts of a heap; heap 0 is the empty sum.
    fn heap(&self, heap: u64) -> Heap<'a> {
        if heap == 0 {
            return Heap {
                unit: 0,
                weight: 0,
                threshold: 0,
                alone: &[],
            };
        }
        let periods = heap.saturating_sub(self.first) / self.period;
        let law = &self.claim.heaps[(heap - periods * self.period - 1) as usize];
        let more = periods as i64 * self.slope;
        Heap {
            unit: law.unit,
            weight: i64::from(law.weight) + more,
            threshold: match law.threshold {
                0 => 0,
                threshold => i64::from(threshold) + more,
            },
            alone: &law.alone,
        }
    }

    /// Reports whether the law says P of at most three heaps in a context.
    ///
    /// No heap of the context is free; `unit` and `weight` are its unit and weight.
    fn is_p(&self, heaps: [u64; 3], unit: u32, weight: i64) -> bool {
        let heaps = heaps.map(|heap| self.heap(heap));
        let unit = heaps.iter().fold(unit, |unit, heap| unit ^ heap.unit);
        let total = heaps.iter().fold(weight, |sum, heap| sum + heap.weight);
        for heap in heaps {
            let lacking = heap.threshold - (total - heap.weight);
            if heap.threshold > 0 && lacking > 0 {
                let units = heap.alone[(lacking % self.modulus) as usize];
                return units >> (unit ^ heap.unit) & 1 == 1;
            }
        }
        let units = if total < self.first_totals {
            self.claim.first_totals[total as usize]
        } else {
            self.claim.totals[((total - self.first_totals) % self.modulus) as usize]
        };
        units >> unit & 1 == 1
    }

    /// Returns the heaps before the first that repeats, and those of the first period.
    fn slots(&self) -> std::ops::RangeInclusive<u64> {
        1..=self.listed()
    }

    /// Reports whether a listed heap represents itself and the heaps that repeat it.
    fn repeats(&self, listed: u64) -> bool {
        listed >= self.first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A move in a heap beyond the list leaves a heap if two heaps beyond the digits are listed.
    #[test]
    fn two_heaps_beyond_the_digits_are_listed() {
        for (code, least) in [("0.3", 3), ("0.303", 5)] {
            let code: Code = code.parse().unwrap();
            let heap = HeapLaw {
                unit: 0,
                weight: 0,
                threshold: 0,
                alone: Vec::new(),
            };
            for listed in 1..=least + 1 {
                let law = ThresholdLaw {
                    bits: 0,
                    modulus: 1,
                    first_totals: Vec::new(),
                    totals: vec![0],
                    heaps: vec![heap.clone(); listed],
                    period: 1,
                    slope: 1,
                };
                assert_eq!(check_form(&code, &law).is_ok(), listed >= least, "{listed}");
            }
        }
    }

    /// A false law of 0.2, which a referee found: heap 1 has no options, but the heaps 5, 9, …,
    /// which repeat it, have some. A check of heap 1 alone for a move examines none of them, and
    /// misses that 2 + 5 is called N without a reply.
    #[test]
    fn a_dead_heap_does_not_represent_live_ones() {
        let heap = |unit, weight, threshold, alone: &[u32]| HeapLaw {
            unit,
            weight,
            threshold,
            alone: alone.to_vec(),
        };
        let mut first_totals = vec![2; 11];
        first_totals.push(0);
        let law = ThresholdLaw {
            bits: 1,
            modulus: 1,
            first_totals,
            totals: vec![2],
            heaps: vec![
                heap(0, 0, 0, &[]),
                heap(1, 10, 1, &[1]),
                heap(0, 10, 0, &[]),
                heap(1, 10, 1, &[1]),
            ],
            period: 4,
            slope: 1,
        };
        let check = |code: &str, law: &ThresholdLaw| {
            let code: Code = code.parse().unwrap();
            super::check(&code, law, &mut Control::unlimited())
        };
        assert_eq!(
            check("0.2", &law),
            Err(CheckError::LawOfDeadHeap { heap: 1 })
        );
        // With heap 1 separate from the heaps that repeat, its true law is proved: the parity of
        // moves.
        let alternating = ThresholdLaw {
            bits: 1,
            modulus: 1,
            first_totals: Vec::new(),
            totals: vec![2],
            heaps: (1..=3).map(|n| heap(1 - n % 2, 0, 0, &[])).collect(),
            period: 2,
            slope: 1,
        };
        assert_eq!(check("0.2", &alternating), Ok(()));
    }

    /// In 0.3 odd numbers of moves are left in P-positions, whatever the heaps weigh.
    ///
    /// A law that is wrong about a single total, however late that total comes, is refused.
    #[test]
    fn every_first_total_counts() {
        let code: Code = "0.3".parse().unwrap();
        let heap = |heap: u32| HeapLaw {
            unit: heap % 2,
            weight: heap / 2,
            threshold: 0,
            alone: Vec::new(),
        };
        let with = |total: usize, set: u32| {
            let mut first_totals = vec![2; total + 1];
            first_totals[total] = set;
            let law = ThresholdLaw {
                bits: 1,
                modulus: 1,
                first_totals,
                totals: vec![2],
                heaps: (1..=3).map(heap).collect(),
                period: 2,
                slope: 1,
            };
            super::check(&code, &law, &mut Control::unlimited())
        };
        for total in [1, 7, 13] {
            assert_eq!(with(total, 2), Ok(()), "{total}");
            let both = with(total, 3);
            assert!(matches!(both, Err(CheckError::LawPToP { .. })), "{both:?}");
            let none = with(total, 0);
            assert!(
                matches!(none, Err(CheckError::LawNWithoutP { .. })),
                "{none:?}"
            );
        }
    }

    /// The flaws of these two laws show only beside a rest that weighs at least the slope.
    ///
    /// For the first law no such rest exists, and the checker does not require one; the second is
    /// false.
    #[test]
    fn rests_of_every_weight_count() {
        let heap = |unit, weight, threshold, alone: &[u32]| HeapLaw {
            unit,
            weight,
            threshold,
            alone: alone.to_vec(),
        };
        let check = |code: &str, law: &ThresholdLaw| {
            let code: Code = code.parse().unwrap();
            super::check(&code, law, &mut Control::unlimited())
        };
        let both = ThresholdLaw {
            bits: 1,
            modulus: 2,
            first_totals: vec![2, 2, 1],
            totals: vec![2, 2],
            heaps: vec![
                heap(0, 0, 0, &[]),
                heap(1, 3, 0, &[]),
                heap(0, 2, 1, &[2, 2]),
                heap(1, 4, 1, &[1, 1]),
                heap(0, 2, 2, &[2, 2]),
            ],
            period: 2,
            slope: 2,
        };
        let flaw = check("0.2", &both);
        assert!(matches!(flaw, Err(CheckError::LawPToP { .. })), "{flaw:?}");
        // The position 4 + 1 is called N without a reply.
        let none = ThresholdLaw {
            bits: 1,
            modulus: 1,
            first_totals: vec![2; 6],
            totals: vec![0],
            heaps: vec![
                heap(1, 5, 0, &[]),
                heap(0, 0, 0, &[]),
                heap(1, 4, 4, &[1]),
                heap(0, 2, 1, &[2]),
            ],
            period: 2,
            slope: 2,
        };
        let flaw = check("0.3", &none);
        assert!(
            matches!(flaw, Err(CheckError::LawNWithoutP { .. })),
            "{flaw:?}"
        );
    }

    /// The sets that repeat begin with the first of them behind the first totals.
    #[test]
    fn totals_repeat_from_the_end_of_the_first() {
        let code: Code = "0.3".parse().unwrap();
        let claim = ThresholdLaw {
            bits: 0,
            modulus: 3,
            first_totals: vec![0],
            totals: vec![1, 0, 0],
            heaps: Vec::new(),
            period: 1,
            slope: 3,
        };
        let law = Law::of(&code, &claim);
        let outcomes = (0..8).map(|total| law.is_p([0; 3], 0, total));
        let expected = [false, true, false, false, true, false, false, true];
        assert!(outcomes.eq(expected));
    }
}
