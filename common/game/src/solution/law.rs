//! A law that decides every position of a game, however large its heaps.
//!
//! In 0.26 the outcome of a position depends on its largest heap and on two sums over the other
//! heaps (Allemang; Plambeck–Siegel, supplement, Facts B.1 and B.4). All but a few of the games
//! that grow obey a law of this kind. `misere_check` proves it for all heaps.

use serde::{Deserialize, Serialize};

use super::repeated_heap;
use crate::lists::at_most;
use crate::outcome::Outcome;

/// The most heaps that a law lists.
const MAX_LISTED: usize = 1 << 10;
/// The most residues that a list of sets has.
const MAX_RESIDUES: usize = 1 << 8;

/// A threshold law, which decides which positions are P-positions, for all heaps.
///
/// Every heap has a *unit*, a *weight* and a *threshold*. Units are numbers below `2^bits`, added
/// by exclusive or, and the threshold is at most the weight. A heap of a position is *free* if all
/// other heaps together weigh less than its threshold; at most one heap is free. If a heap is free,
/// then the position is a P-position exactly if the unit of the others is in one of the sets
/// [`alone`](HeapLaw::alone) of the free heap. If no heap is free, it is a P-position exactly if
/// the unit of all heaps is in the set of the total weight.
///
/// A set of units is a number: bit `u` shows whether `u` is in it.
///
/// ```
/// use misere_game::outcome::Outcome;
/// use misere_game::solution::{HeapLaw, ThresholdLaw};
/// // Nim with heaps of one bean: odd numbers of heaps are P-positions.
/// let one = HeapLaw { unit: 1, weight: 0, threshold: 0, alone: vec![] };
/// let law = ThresholdLaw {
///     bits: 1, modulus: 1, first_totals: vec![], totals: vec![0b10],
///     heaps: vec![one], period: 1, slope: 1,
/// };
/// assert_eq!(law.outcome([(1, 7)]), Some(Outcome::P));
/// assert_eq!(law.outcome([(1, 1_000_000)]), Some(Outcome::N));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThresholdLaw {
    /// The number of bits of a unit.
    pub bits: u32,
    /// The modulus of weights: greater weights are distinguished by their residues only.
    pub modulus: u32,
    /// The sets of units of P-positions without a free heap, for the total weights 0, 1, …
    #[serde(deserialize_with = "at_most::<MAX_RESIDUES, _, _>")]
    pub first_totals: Vec<u32>,
    /// The sets of units for greater total weights, which repeat; one for each residue.
    #[serde(deserialize_with = "at_most::<MAX_RESIDUES, _, _>")]
    pub totals: Vec<u32>,
    /// The heaps 1, 2, …; the last [`period`](Self::period) of them repeat for ever.
    #[serde(deserialize_with = "at_most::<MAX_LISTED, _, _>")]
    pub heaps: Vec<HeapLaw>,
    /// The number of heaps after which units repeat, and weights and thresholds grow.
    pub period: u32,
    /// The growth of weights, and of thresholds that are not 0, in a period.
    pub slope: u32,
}

/// The part that one heap has in a [`ThresholdLaw`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeapLaw {
    /// The unit of the heap.
    pub unit: u32,
    /// The weight of the heap.
    pub weight: u32,
    /// The weight of the other heaps from which on the heap is not free.
    pub threshold: u32,
    /// The sets of units of the others that make a P-position while the heap is free.
    ///
    /// There is one for each residue of `threshold - weight of the others`, and none if the
    /// threshold is 0.
    #[serde(deserialize_with = "at_most::<MAX_RESIDUES, _, _>")]
    pub alone: Vec<u32>,
}

impl ThresholdLaw {
    /// Returns the first of the heaps that repeat.
    #[must_use]
    pub fn repeats_from(&self) -> u64 {
        (self.heaps.len() as u64 + 1).saturating_sub(u64::from(self.period))
    }

    /// Returns the listed heap that a heap repeats, and the number of periods between the two.
    ///
    /// Returns `None` for heap 0, and if the law lists no heaps.
    fn place(&self, heap: u64) -> Option<(&HeapLaw, u64)> {
        let (listed, period) = (self.heaps.len() as u64, u64::from(self.period));
        let (like, beyond) = repeated_heap(heap, listed, period)?;
        let at = usize::try_from(like.checked_sub(1)?).ok()?;
        Some((self.heaps.get(at)?, beyond))
    }

    /// Returns the part of a heap in the law, as if the heap were listed.
    ///
    /// Returns `None` for heap 0, and if numbers become too large.
    #[must_use]
    pub fn of_heap(&self, heap: u64) -> Option<HeapLaw> {
        let (law, _) = self.place(heap)?;
        let (unit, weight, threshold) = self.heap(heap)?;
        Some(HeapLaw {
            unit,
            weight: weight.try_into().ok()?,
            threshold: threshold.try_into().ok()?,
            alone: law.alone.clone(),
        })
    }

    /// Returns the unit, the weight and the threshold of a heap; `None` for heap 0.
    #[must_use]
    pub fn heap(&self, heap: u64) -> Option<(u32, u128, u128)> {
        let (law, periods) = self.place(heap)?;
        let more = u128::from(periods) * u128::from(self.slope);
        let threshold = match law.threshold {
            0 => 0,
            threshold => u128::from(threshold) + more,
        };
        Some((law.unit, u128::from(law.weight) + more, threshold))
    }

    /// Returns the outcome of a sum of heaps, each with its number of copies.
    ///
    /// The heap 0 is the empty sum. Returns `None` if the law is malformed or numbers become too
    /// large. A law that has not been verified may give any outcome.
    ///
    /// Cost: the number of different heaps.
    #[must_use]
    pub fn outcome(&self, position: impl IntoIterator<Item = (u64, u64)>) -> Option<Outcome> {
        let position: Vec<(u64, u64)> = position
            .into_iter()
            .filter(|&(heap, copies)| heap > 0 && copies > 0)
            .collect();
        let (mut unit, mut total) = (0, 0_u128);
        for &(heap, copies) in &position {
            let (of_one, weight, _) = self.heap(heap)?;
            unit ^= if copies % 2 == 1 { of_one } else { 0 };
            total = total.checked_add(weight.checked_mul(u128::from(copies))?)?;
        }
        let modulus = u128::from(self.modulus).max(1);
        for &(heap, _) in &position {
            let (of_one, weight, threshold) = self.heap(heap)?;
            let others = total - weight;
            if let Some(lacking) = threshold.checked_sub(others)
                && lacking > 0
            {
                let (law, _) = self.place(heap)?;
                let units = law.alone.get((lacking % modulus) as usize)?;
                return outcome_of(*units, unit ^ of_one);
            }
        }
        let first = self.first_totals.len() as u128;
        let units = match total.checked_sub(first) {
            None => self.first_totals.get(total as usize)?,
            Some(beyond) => self.totals.get((beyond % modulus) as usize)?,
        };
        outcome_of(*units, unit)
    }
}

/// Returns the outcome of a unit by the set of the units of P-positions; `None` if it is too large.
fn outcome_of(units: u32, unit: u32) -> Option<Outcome> {
    let is_p = units.checked_shr(unit)? & 1 == 1;
    Some(if is_p { Outcome::P } else { Outcome::N })
}

/// The binary form of growth, in which its absence has a number, too.
///
/// It is 0 for none, 1 for a pattern alone, 2 for a pattern and a law, 3 for a pattern and an
/// automaton.
pub(super) mod numbered {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::ThresholdLaw;
    use crate::solution::{Growth, PositionAutomaton, SolvedBy};

    #[derive(Serialize)]
    enum LawForm<'a> {
        Nothing,
        Pattern(&'a Growth),
        Law(&'a Growth, &'a ThresholdLaw),
        Automaton(&'a Growth, &'a PositionAutomaton),
    }

    #[derive(Deserialize)]
    enum LawSource {
        Nothing,
        Pattern(Growth),
        Law(Growth, ThresholdLaw),
        Automaton(Growth, PositionAutomaton),
    }

    pub(in super::super) fn serialize<S: Serializer>(
        growth: &Option<Growth>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let written = match growth {
            None => LawForm::Nothing,
            Some(growth) => match &growth.solved_by {
                None => LawForm::Pattern(growth),
                Some(SolvedBy::Law(law)) => LawForm::Law(growth, law),
                Some(SolvedBy::Automaton(automaton)) => LawForm::Automaton(growth, automaton),
            },
        };
        written.serialize(to)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Growth>, D::Error> {
        let (growth, solved_by) = match LawSource::deserialize(from)? {
            LawSource::Nothing => return Ok(None),
            LawSource::Pattern(growth) => (growth, None),
            LawSource::Law(growth, law) => (growth, Some(SolvedBy::Law(law))),
            LawSource::Automaton(growth, automaton) => {
                (growth, Some(SolvedBy::Automaton(automaton)))
            }
        };
        Ok(Some(Growth {
            solved_by,
            ..growth
        }))
    }
}
