//! The outcome of a position from a proved solution of its game.
//!
//! The first [`Ground`] that knows the position decides it. Cheap grounds come first, and all of
//! them are proved, so their order changes no outcome.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;

use misere_engine::infinite::{extend, extend_by_letters};
use misere_engine::normal::NimValues;
use misere_engine::quotient::position_automaton;
use misere_game::bipartite::multiplication::Multiplication;
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::{Control, Stop, TICKS_PER_FUEL};
use misere_game::monoid::word::{Word, lex_least_words};
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::position::Position;
use misere_game::ruleset::{Code, HeapOption};
use misere_game::solution::{
    Evidence, EvidenceOutcomes, PositionAutomaton, Solution, ThresholdLaw,
};

use crate::effort::{Effort, attempt};
use crate::ground::{Decision, Ground};
use crate::moves::{MAX_OPTIONS, most_options};

/// The most heaps of a position that the rules alone decide.
const MAX_BY_RULES: u64 = 1_000;

/// A reader of a solution that decides positions, and keeps what it computed for the next one.
///
/// The solution has to be one that the checker accepted.
#[derive(Debug)]
pub struct Decider<'a> {
    solution: &'a Solution,
    effort: Effort,
    products: Multiplication<'a>,
    words: OnceCell<Vec<Word>>,
    nim_values: NimValues<'a>,
    /// Whether nim-values that far cost more than the fuel there is.
    nim_values_end: bool,
    evidence: Option<EvidenceOutcomes<'a>>,
    automaton: Option<Option<Cow<'a, PositionAutomaton>>>,
    oracle: Oracle,
    fuel_for_rules: u64,
}

/// Returns the evidence of a solution, extended to heaps up to `largest` that it does not cover, as
/// far as the checker accepts that.
///
/// `None` if it has no evidence, covers these heaps already, or cannot be extended.
///
/// # Errors
/// [`Stop`] if `control` is interrupted or has nothing left.
pub fn extended_evidence(
    solution: &Solution,
    largest: u32,
    effort: Effort,
    control: &mut Control,
) -> Result<Option<Evidence>, Stop> {
    let Some(evidence) = &solution.evidence else {
        return Ok(None);
    };
    let to = largest.min(solution.heaps().saturating_add(effort.further_heaps));
    let outcomes = EvidenceOutcomes::new(evidence);
    let is_open = |heap: u32| solution.code.is_live(heap) && !outcomes.covers(heap);
    if !(0..=to).any(is_open) {
        return Ok(None);
    }
    let extend = match effort.letters {
        true => extend_by_letters,
        false => extend,
    };
    attempt(effort.evidence, control, |part| {
        extend(&solution.code, evidence, to, part)
    })
}

impl<'a> Decider<'a> {
    /// Returns a decider of the positions of a game by its solution, and by evidence: that of the
    /// solution, or what [`extended_evidence`] made of it.
    #[must_use]
    pub fn new(solution: &'a Solution, evidence: Option<&'a Evidence>, effort: Effort) -> Self {
        Self {
            products: Multiplication::new(&solution.quotient),
            words: OnceCell::new(),
            nim_values: NimValues::new(&solution.code),
            nim_values_end: false,
            evidence: evidence.map(EvidenceOutcomes::new),
            automaton: None,
            oracle: Oracle::new(&solution.code, Convention::Misere),
            fuel_for_rules: effort.rules,
            effort,
            solution,
        }
    }

    /// Returns the game.
    #[must_use]
    pub fn code(&self) -> &'a Code {
        &self.solution.code
    }

    /// Returns the quotient of the heaps to the last one listed.
    #[must_use]
    pub fn quotient(&self) -> &'a BipartiteMonoid {
        &self.solution.quotient
    }

    /// Returns the solution.
    #[must_use]
    pub fn solution(&self) -> &'a Solution {
        self.solution
    }

    /// Returns the element of a position in the quotient, if the value of each heap is known.
    ///
    /// Cost: the logarithm of the number of copies, for each size of heaps.
    #[must_use]
    pub fn element(&self, position: &Position) -> Option<Element> {
        position.heaps().try_fold(0, |sum, (heap, copies)| {
            let value = self.solution.value(heap)?;
            Some(self.products.times(sum, self.products.power(value, copies)))
        })
    }

    /// Returns the lex-least word of an element of the quotient.
    #[must_use]
    pub fn word(&self, element: Element) -> String {
        let words = self.words.get_or_init(|| lex_least_words(self.quotient()));
        words
            .get(element as usize)
            .map_or_else(String::new, ToString::to_string)
    }

    /// Decides a position; `None` if nothing here knows it.
    ///
    /// # Errors
    /// [`Stop`] if `control` is interrupted or has nothing left.
    pub fn decide(
        &mut self,
        position: &Position,
        control: &mut Control,
    ) -> Result<Option<Decision>, Stop> {
        if let Some(element) = self.element(position) {
            return Ok(Some(self.by_element(element)));
        }
        let live = position.live(self.code());
        if let Some(element) = self.element(&live) {
            return Ok(Some(self.by_element(element)));
        }
        for ground in &Ground::ALL[1..] {
            let decision = match ground {
                Ground::Definition => self.by_rules(&live, control)?,
                Ground::Automaton => {
                    self.learn_automaton(control)?;
                    self.by_ground(Ground::Automaton, &live)
                }
                Ground::NormalPlay if self.is_kernel(&live) => {
                    self.extend_nim_values(live.largest(), control)?;
                    self.by_ground(Ground::NormalPlay, &live)
                }
                ground => self.by_ground(*ground, &live),
            };
            if decision.is_some() {
                return Ok(decision);
            }
        }
        Ok(None)
    }

    /// Decides the position after a move that leaves `option` beside `rest`, whose element is given
    /// if it is known.
    ///
    /// # Errors
    /// As [`decide`](Self::decide).
    pub(crate) fn decide_after(
        &mut self,
        (rest, element): (&Position, Option<Element>),
        option: HeapOption,
        control: &mut Control,
    ) -> Result<Option<Decision>, Stop> {
        let after = option.parts().try_fold(element, |sum, part| {
            let value = self.solution.value(part)?;
            Some(sum.map(|sum| self.products.times(sum, value)))
        });
        match after.flatten() {
            Some(element) => Ok(Some(self.by_element(element))),
            None => self.decide(&rest.with(option), control),
        }
    }

    fn by_element(&self, element: Element) -> Decision {
        Decision {
            element: Some(element),
            ..Decision::new(outcome_if(self.quotient().in_p(element)), Ground::Quotient)
        }
    }

    /// Decides a position of live heaps by one ground, with what is computed already.
    fn by_ground(&self, ground: Ground, live: &Position) -> Option<Decision> {
        let outcome = match ground {
            Ground::Quotient => return Some(self.by_element(self.element(live)?)),
            Ground::NormalPlay => {
                let nim_value = self.is_kernel(live).then(|| self.nim_value(live))??;
                return Some(Decision {
                    nim_value: Some(nim_value),
                    ..Decision::new(outcome_if(nim_value == 0), ground)
                });
            }
            Ground::Evidence => self.evidence.as_ref()?.outcome(live.heaps())?,
            Ground::Law => self.solution.law()?.outcome(wide(live))?,
            Ground::Automaton => self.automaton()?.outcome(wide(live))?,
            Ground::Definition => return None,
        };
        Some(Decision::new(outcome, ground))
    }

    /// Reports whether the game is tame relative to a heap no larger than the largest one here, so
    /// that the position is an element of the kernel.
    fn is_kernel(&self, position: &Position) -> bool {
        let tame_from = self.solution.verdict.tame_from();
        tame_from.is_some_and(|heap| position.largest() >= heap)
    }

    fn nim_value(&self, position: &Position) -> Option<u32> {
        let odd = position.heaps().filter(|(_, copies)| copies % 2 == 1);
        let mut values = odd.map(|(heap, _)| self.nim_values.values().get(heap as usize).copied());
        values.try_fold(0, |sum, value| Some(sum ^ value?))
    }

    /// Computes the nim-values to a heap, unless that takes more fuel than there is.
    fn extend_nim_values(&mut self, largest: u32, control: &mut Control) -> Result<(), Stop> {
        if self.nim_values_end {
            return Ok(());
        }
        let values = &mut self.nim_values;
        let done = attempt(self.effort.nim_values, control, |part| {
            while values.values().len() <= largest as usize {
                values.next(part)?;
            }
            Ok(())
        })?;
        self.nim_values_end = done.is_none();
        Ok(())
    }

    fn automaton(&self) -> Option<&PositionAutomaton> {
        self.automaton.as_ref()?.as_deref()
    }

    /// Finds the automaton of the game: that of the solution, or of a game that grows one that is
    /// learnt from its quotient, and that the checker accepted.
    fn learn_automaton(&mut self, control: &mut Control) -> Result<(), Stop> {
        if self.automaton.is_some() {
            return Ok(());
        }
        let solution = self.solution;
        let found = match solution.automaton() {
            Some(automaton) => Some(Cow::Borrowed(automaton)),
            None if solution.growth.is_some() && self.effort.automaton > 0 => {
                let learn = |part: &mut Control| match position_automaton(solution, part) {
                    Err(_) if part.is_interrupted() => Err(Stop::Interrupted),
                    found => Ok(found.ok()),
                };
                attempt(self.effort.automaton, control, learn)?
                    .flatten()
                    .map(Cow::Owned)
            }
            None => None,
        };
        self.automaton = Some(found);
        Ok(())
    }

    /// Decides a position by the definition of outcomes, with the fuel that is left for it.
    fn by_rules(
        &mut self,
        live: &Position,
        control: &mut Control,
    ) -> Result<Option<Decision>, Stop> {
        if self.fuel_for_rules == 0 || most_options(self.code(), live) > MAX_OPTIONS {
            return Ok(None);
        }
        let Some(heaps) = live.one_by_one(MAX_BY_RULES) else {
            return Ok(None);
        };
        let before = control.ticks_spent();
        let decided = attempt(self.fuel_for_rules, control, |part| {
            self.oracle.outcome(&heaps, part)
        })?;
        let spent = (control.ticks_spent() - before).div_ceil(TICKS_PER_FUEL);
        self.fuel_for_rules = match decided {
            Some(_) => self.fuel_for_rules.saturating_sub(spent),
            None => 0,
        };
        Ok(decided.map(|outcome| Decision::new(outcome, Ground::Definition)))
    }

    /// Returns the value of equal heaps alone, as the ground writes it.
    pub(crate) fn factor(&self, ground: Ground, heap: u32, copies: u64) -> Option<String> {
        let alone = Position::default().with_copies(heap, copies);
        let threshold =
            |law: &ThresholdLaw| law.heap(heap.into()).map(|(_, _, threshold)| threshold);
        match (ground, self.solution.law().and_then(threshold)) {
            (Ground::Law, Some(threshold)) => Some(format!(
                "{}, threshold {threshold}",
                self.product(ground, &alone)?
            )),
            _ => self.product(ground, &alone),
        }
    }

    /// Returns the sum of the values of the heaps, as the ground writes it.
    pub(crate) fn product(&self, ground: Ground, position: &Position) -> Option<String> {
        let word = || self.element(position).map(|element| self.word(element));
        match ground {
            Ground::Quotient => word(),
            Ground::NormalPlay => self.nim_value(position).map(|value| value.to_string()),
            Ground::Evidence => {
                let live = position.live(self.code());
                match self.evidence.as_ref()?.letters_of(live.heaps()) {
                    Some(letters) => Some(letters_in_words(&letters)),
                    None => word(),
                }
            }
            Ground::Law => unit_and_weight(self.solution.law()?, position),
            Ground::Automaton => {
                let state = self.automaton()?.state(wide(position))?;
                Some(format!("state {state}"))
            }
            Ground::Definition => None,
        }
    }

    /// Returns the value of a whole position, as the ground writes it.
    pub(crate) fn value(&self, ground: Ground, position: &Position) -> Option<String> {
        match ground {
            Ground::NormalPlay if !self.is_kernel(position) => {
                self.product(Ground::Quotient, position)
            }
            _ => self.product(ground, position),
        }
    }

    /// Returns the elements of the kernel by their nim-values, of a game that is tame relative to a
    /// heap: all that the values of the heaps from that one on reach.
    ///
    /// `None` if a nim-value that is known is not among them, so that the quotient to the largest
    /// heap is a tame extension of the one listed.
    pub(crate) fn kernel(&self) -> Option<HashMap<u32, Element>> {
        let heap = self.solution.verdict.tame_from()?;
        let (nim_values, phi) = (self.nim_values.values(), &self.solution.phi);
        let start = heap as usize;
        let values = nim_values.get(start..)?.iter().copied();
        let mut queue: Vec<(u32, Element)> =
            values.zip(phi.get(start..)?.iter().copied()).collect();
        let mut kernel = HashMap::new();
        while let Some((nim, x)) = queue.pop() {
            if kernel.insert(nim, x).is_none() {
                let generators = self.solution.generator_heaps.iter().enumerate();
                queue.extend(generators.filter_map(|(g, &heap)| {
                    Some((
                        nim ^ nim_values.get(heap as usize)?,
                        self.quotient().act(x, g),
                    ))
                }));
            }
        }
        let largest = nim_values.iter().copied().max().unwrap_or(0);
        ((largest as usize) < kernel.len()).then_some(kernel)
    }

    /// Returns the element of a position, by [`kernel`](Self::kernel) if it lies there.
    pub(crate) fn kernel_element(
        &self,
        kernel: &HashMap<u32, Element>,
        position: &Position,
    ) -> Option<Element> {
        match self.is_kernel(position) {
            true => kernel.get(&self.nim_value(position)?).copied(),
            false => self.element(position),
        }
    }
}

fn outcome_if(is_p: bool) -> Outcome {
    match is_p {
        true => Outcome::P,
        false => Outcome::N,
    }
}

/// Returns the heaps with the widest integers, as laws and automata take them.
fn wide(position: &Position) -> Vec<(u64, u64)> {
    let heaps = position.heaps();
    heaps.map(|(heap, copies)| (heap.into(), copies)).collect()
}

/// Writes a sum of letters, each a heap whose copies the evidence counts: `2·3 + 18`.
fn letters_in_words(letters: &[(u32, u128)]) -> String {
    let summands = letters.iter().map(|&(heap, count)| match count {
        1 => heap.to_string(),
        _ => format!("{count}·{heap}"),
    });
    match letters {
        [] => "0".to_owned(),
        _ => summands.collect::<Vec<_>>().join(" + "),
    }
}

/// Writes the unit and the weight of a sum.
fn unit_and_weight(law: &ThresholdLaw, position: &Position) -> Option<String> {
    let (mut unit, mut total) = (0, 0_u128);
    for (heap, copies) in position.heaps().filter(|&(heap, _)| heap > 0) {
        let (of_one, weight, _) = law.heap(heap.into())?;
        unit ^= if copies % 2 == 1 { of_one } else { 0 };
        total = total.checked_add(weight.checked_mul(copies.into())?)?;
    }
    Some(format!("unit {unit}, weight {total}"))
}
