//! The outcomes of positions, derived from a proved solution.
//!
//! Five grounds decide a position: the values of its heaps in the quotient; the law of the game;
//! its automaton; the evidence that the quotient is infinite; nim-values, where misère play is
//! normal play.

use std::collections::BTreeMap;

use misere_theory::bipartite::Element;
use misere_theory::control::{Control, Stop};
use misere_theory::infinite::extend;
use misere_theory::normal::NimValues;
use misere_theory::outcome::Outcome;
use misere_theory::ruleset::Code;
use misere_theory::solution::{Evidence, Told, Verdict};
use pyo3::PyResult;

use crate::claim::Claim;
use crate::rules::{Rules, WinningMove};

/// The number of heaps beyond those of the evidence for which words are sought.
const FURTHEST: u32 = 100;
/// Fuel for such words.
const WORDS_FUEL: u64 = 20_000_000;

/// A sum of heaps, with the number of each.
pub(crate) type Position = BTreeMap<u32, u64>;

/// Returns the position of heaps that are given with their numbers.
///
/// # Errors
/// `BadHeap` if the game has no such heap.
pub(crate) fn position(claim: &Claim, heaps: &[(u32, u64)]) -> PyResult<Position> {
    let rules = Rules {
        code: claim.solution.code.clone(),
    };
    let mut position = Position::new();
    for &(heap, copies) in heaps.iter().filter(|&&(_, copies)| copies > 0) {
        rules.check(heap)?;
        let count = position.entry(heap).or_default();
        *count = u64::saturating_add(*count, copies);
    }
    Ok(position)
}

/// Returns the value of a heap, as far as Φ is known.
fn value(claim: &Claim, heap: u32) -> Option<Element> {
    let known = claim.solution.heaps();
    let heap = match claim.solution.verdict {
        Verdict::Solved { period, .. } if heap > known => {
            // The checker has verified that a full period from the preperiod on is listed.
            heap - (heap - known).div_ceil(period) * period
        }
        _ => heap,
    };
    claim.solution.phi.get(heap as usize).copied()
}

/// Returns the element of a position, where Φ of its heaps is known.
pub(crate) fn element(claim: &Claim, position: &Position) -> Option<Element> {
    position.iter().try_fold(0, |sum, (&heap, &copies)| {
        let value = value(claim, heap)?;
        Some(times(claim, sum, power(claim, value, copies)))
    })
}

fn times(claim: &Claim, x: Element, y: Element) -> Element {
    let word = claim.words().get(y as usize);
    let exponents = word.map(|word| word.0.as_slice()).unwrap_or_default();
    let exponents = exponents.iter().copied().enumerate();
    claim.solution.quotient.product_from(x, exponents)
}

/// Returns a power, by repeated squaring.
fn power(claim: &Claim, x: Element, mut exponent: u64) -> Element {
    let (mut power, mut square) = (0, x);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = times(claim, power, square);
        }
        exponent >>= 1;
        square = times(claim, square, square);
    }
    power
}

/// The grounds on which positions with heaps up to a greatest one are decided.
pub(crate) struct Decider<'a> {
    claim: &'a Claim,
    /// The nim-values, and the heap from which misère play is normal play.
    normal_play: Option<(u32, Vec<u32>)>,
    evidence: Option<Evidence>,
}

impl<'a> Decider<'a> {
    /// Creates a decider for a position and its options.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub(crate) fn new(
        claim: &'a Claim,
        position: &Position,
        control: &mut Control,
    ) -> Result<Self, Stop> {
        let solution = &claim.solution;
        let code = &solution.code;
        let largest = position.keys().next_back().copied().unwrap_or(0);
        let is_known = value(claim, largest).is_some();
        let normal_play = match solution.verdict {
            Verdict::TameRelative { heap } if !is_known => {
                let mut nim_values = NimValues::new(code);
                for _ in 0..largest {
                    nim_values.next(control)?;
                }
                Some((heap, nim_values.into_values()))
            }
            _ => None,
        };
        let evidence = match &solution.evidence {
            Some(evidence) if !is_known => {
                let to = largest.min(solution.heaps().saturating_add(FURTHEST));
                Some(extended(code, evidence, to, control)?)
            }
            _ => None,
        };
        Ok(Self {
            claim,
            normal_play,
            evidence,
        })
    }

    /// Returns a reader of the evidence, if that decides positions here.
    pub(crate) fn told(&self) -> Option<Told<'_>> {
        self.evidence.as_ref().map(Told::new)
    }

    /// Reports whether a position is a P-position, if that is known.
    ///
    /// The second argument is the result of [`told`](Self::told), which is made once.
    pub(crate) fn is_p(&self, position: &Position, told: Option<&Told<'_>>) -> Option<bool> {
        if let Some(element) = element(self.claim, position) {
            return Some(self.claim.solution.quotient.in_p(element));
        }
        let is_p = |outcome| outcome == Outcome::P;
        if let Some(law) = self.claim.solution.law() {
            let heaps = position.iter();
            return law
                .outcome(heaps.map(|(&heap, &copies)| (heap.into(), copies)))
                .map(is_p);
        }
        if let Some(automaton) = self.claim.solution.automaton() {
            let heaps = position.iter();
            return automaton
                .outcome(heaps.map(|(&heap, &copies)| (heap.into(), copies)))
                .map(is_p);
        }
        if let Some((from, nim_values)) = &self.normal_play {
            let largest = position.keys().next_back()?;
            let odd = position.iter().filter(|&(_, copies)| copies % 2 == 1);
            let mut sums = odd.map(|(&heap, _)| nim_values.get(heap as usize).copied());
            let sum = sums.try_fold(0, |sum, value| Some(sum ^ value?))?;
            return (largest >= from).then_some(sum == 0);
        }
        let code = &self.claim.solution.code;
        let live = position.iter().filter(|&(&heap, _)| code.is_live(heap));
        told?
            .outcome(live.map(|(&heap, &copies)| (heap, copies)))
            .map(is_p)
    }

    /// Returns the name of the method that decides a position.
    pub(crate) fn method(&self, position: &Position) -> &'static str {
        if element(self.claim, position).is_some() {
            "quotient"
        } else if self.claim.solution.law().is_some() {
            "law"
        } else if self.claim.solution.automaton().is_some() {
            "automaton"
        } else if self.normal_play.is_some() {
            "normal-play"
        } else {
            "evidence"
        }
    }

    /// Returns all moves to P-positions, if all options are decided.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub(crate) fn winning_moves(
        &self,
        position: &Position,
        control: &mut Control,
    ) -> Result<Option<Vec<WinningMove>>, Stop> {
        let code = &self.claim.solution.code;
        let told = self.told();
        let mut winning = Vec::new();
        for &heap in position.keys() {
            control.spend(code.most_options(heap).saturating_mul(200))?;
            let mut rest = position.clone();
            match rest.get_mut(&heap) {
                Some(copies) if *copies > 1 => *copies -= 1,
                _ => {
                    rest.remove(&heap);
                }
            }
            for option in code.options(heap) {
                control.spend(1_000)?;
                let mut after = rest.clone();
                for part in option.parts() {
                    let count = after.entry(part).or_default();
                    *count = u64::saturating_add(*count, 1);
                }
                match self.is_p(&after, told.as_ref()) {
                    None => return Ok(None),
                    Some(true) => winning.push((heap, option.parts().collect())),
                    Some(false) => {}
                }
            }
        }
        Ok(Some(winning))
    }
}

/// Extends the evidence to all heaps up to `to`, as far as words are found.
///
/// The checker must accept them.
fn extended(
    code: &Code,
    evidence: &Evidence,
    to: u32,
    control: &mut Control,
) -> Result<Evidence, Stop> {
    let told = Told::new(evidence);
    let is_silent = |heap: u32| code.is_live(heap) && !told.speaks_of(heap);
    if !(0..=to).any(is_silent) {
        return Ok(evidence.clone());
    }
    match control.within(WORDS_FUEL, |part| extend(code, evidence, to, part)) {
        Ok(extended) => Ok(extended),
        Err(Stop::Interrupted) => Err(Stop::Interrupted),
        Err(Stop::FuelSpent) => Ok(evidence.clone()),
    }
}
