//! The outcome of a position on the board, from the knowledge of the census.
//!
//! A position is decided by the first of these that covers it: the misère quotient, nim-values
//! where the game is tame relative to a heap, the proof that the quotient is infinite, the law or
//! the automaton, and last the rules alone, within a small budget.

use misere_theory::bipartite::Element;
use misere_theory::control::{Control, Interrupt};
use misere_theory::infinite::extend;
use misere_theory::monoid::word::{Word, lex_least_words};
use misere_theory::normal::NimValues;
use misere_theory::outcome::{Convention, FUEL_BY_RULES, Oracle, Outcome};
use misere_theory::ruleset::Code;
use misere_theory::solution::{Evidence, PositionAutomaton, Solution, Told, Verdict};

use super::position::Position;

/// Fuel for words of heaps that a proof of infinity does not cover.
const WORDS_FUEL: u64 = 500_000;

/// The number of heaps beyond the known ones for which words are sought.
const FURTHEST: u32 = 30;

/// The ground of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    /// The value of the position in the misère quotient.
    Quotient(Element),
    /// The nim-value of the position, where misère play is no harder than normal play.
    NimValue(u32),
    /// The proof that the quotient is infinite, which states outcomes.
    Evidence,
    /// The law of a game that grows.
    Law,
    /// The automaton of a game that grows.
    Automaton,
    /// The definition of outcomes.
    Rules,
}

/// An outcome with its ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decision {
    /// The outcome.
    pub(super) outcome: Outcome,
    /// The ground on which it is known.
    pub(super) ground: Ground,
}

/// The facts that decide the positions of a game to some heap.
pub(super) struct Knowledge {
    solution: Solution,
    evidence: Option<Evidence>,
    nim_values: Vec<u32>,
}

impl Knowledge {
    /// Returns the facts for positions whose heaps have at most `largest` beans.
    pub(super) fn new(solution: Solution, largest: u32) -> Self {
        let code = &solution.code;
        let known = Values::knows(&solution, largest);
        let evidence = solution.evidence.as_ref().filter(|_| !known);
        let evidence = evidence.map(|evidence| {
            let to = largest.min(solution.heaps().saturating_add(FURTHEST));
            let silent = |heap: u32| code.is_live(heap) && !Told::new(evidence).speaks_of(heap);
            let control = &mut Control::new(WORDS_FUEL, Interrupt::default());
            let extended = match (0..=to).any(silent) {
                true => extend(code, evidence, to, control).ok(),
                false => None,
            };
            extended.unwrap_or_else(|| evidence.clone())
        });
        let is_tame_relative = matches!(solution.verdict, Verdict::TameRelative { .. });
        let nim_values = match is_tame_relative && !known {
            true => nim_values(code, largest),
            false => Vec::new(),
        };
        Self {
            evidence,
            nim_values,
            solution,
        }
    }
}

fn nim_values(code: &Code, largest: u32) -> Vec<u32> {
    let mut values = NimValues::new(code);
    let mut control = Control::new(FUEL_BY_RULES, Interrupt::default());
    for _ in 0..largest {
        if values.next(&mut control).is_err() {
            break;
        }
    }
    values.into_values()
}

/// Decides positions, and caches the outcomes found by the rules alone.
pub(super) struct Judge<'a> {
    knowledge: &'a Knowledge,
    values: Values<'a>,
    told: Option<Told<'a>>,
    oracle: Oracle,
    control: Control,
    /// Whether the fuel for the rules is spent.
    is_tired: bool,
}

impl<'a> Judge<'a> {
    /// Returns a judge with this knowledge.
    pub(super) fn new(knowledge: &'a Knowledge) -> Self {
        Self {
            values: Values::new(&knowledge.solution),
            told: knowledge.evidence.as_ref().map(Told::new),
            oracle: Oracle::new(&knowledge.solution.code, Convention::Misere),
            control: Control::new(FUEL_BY_RULES, Interrupt::default()),
            is_tired: false,
            knowledge,
        }
    }

    /// Returns the outcome of a position; nothing if it is not known here.
    pub(super) fn decide(&mut self, position: &Position) -> Option<Decision> {
        let Knowledge {
            solution,
            nim_values,
            ..
        } = self.knowledge;
        let code = &solution.code;
        let live = position.heaps().iter().copied();
        let live: Vec<u32> = live.filter(|&heap| code.is_live(heap)).collect();
        let largest = live.last().copied().unwrap_or(0);
        let said = |outcome, ground| Some(Decision { outcome, ground });
        if let Some(element) = self.values.of_sum(&live) {
            let outcome = outcome_if(solution.quotient.in_p(element));
            return said(outcome, Ground::Quotient(element));
        }
        if let Verdict::TameRelative { heap } = solution.verdict
            && largest >= heap
        {
            let values = live
                .iter()
                .map(|&heap| nim_values.get(heap as usize).copied());
            if let Some(sum) = values
                .into_iter()
                .try_fold(0, |sum, value| Some(sum ^ value?))
            {
                return said(outcome_if(sum == 0), Ground::NimValue(sum));
            }
        }
        let told = self.told.as_ref();
        if let Some(outcome) =
            told.and_then(|told| told.outcome(live.iter().map(|&heap| (heap, 1))))
        {
            return said(outcome, Ground::Evidence);
        }
        let heaps = live.iter().map(|&heap| (u64::from(heap), 1));
        if let Some(outcome) = solution.law().and_then(|law| law.outcome(heaps)) {
            return said(outcome, Ground::Law);
        }
        let heaps = live.iter().map(|&heap| (u64::from(heap), 1));
        let by_automaton = |automaton: &PositionAutomaton| automaton.outcome(heaps);
        if let Some(outcome) = solution.automaton().and_then(by_automaton) {
            return said(outcome, Ground::Automaton);
        }
        if self.is_tired {
            return None;
        }
        let outcome = self.oracle.outcome(&live, &mut self.control);
        self.is_tired = outcome.is_err();
        said(outcome.ok()?, Ground::Rules)
    }

    /// Returns the word of an element of the quotient.
    pub(super) fn word(&self, element: Element) -> String {
        let word = self.values.words.get(element as usize);
        word.map_or_else(String::new, ToString::to_string)
    }
}

fn outcome_if(is_p: bool) -> Outcome {
    match is_p {
        true => Outcome::P,
        false => Outcome::N,
    }
}

/// The pretending function, as far as it is known.
///
/// It is known to the heaps listed, or for all heaps if it is periodic.
struct Values<'a> {
    solution: &'a Solution,
    words: Vec<Word>,
}

impl<'a> Values<'a> {
    fn new(solution: &'a Solution) -> Self {
        Self {
            words: lex_least_words(&solution.quotient),
            solution,
        }
    }

    /// Reports whether the values of all heaps to this one are known.
    fn knows(solution: &Solution, largest: u32) -> bool {
        matches!(solution.verdict, Verdict::Solved { .. }) || largest <= solution.heaps()
    }

    fn of_heap(&self, heap: u32) -> Option<Element> {
        let known = self.solution.heaps();
        let like = match self.solution.verdict {
            // A full period from the preperiod on is listed, and this heap is in one of its
            // repetitions.
            Verdict::Solved { period, .. } if heap > known => {
                let periods = (heap - known).div_ceil(period.max(1));
                heap.checked_sub(periods.checked_mul(period)?)?
            }
            _ => heap,
        };
        self.solution.phi.get(like as usize).copied()
    }

    fn of_sum(&self, heaps: &[u32]) -> Option<Element> {
        heaps.iter().try_fold(0, |sum, &heap| {
            let value = self.of_heap(heap)?;
            let word = self.words.get(value as usize)?;
            let letters = word.0.iter().enumerate();
            Some(letters.fold(sum, |x, (g, &count)| {
                (0..count).fold(x, |x, _| self.solution.quotient.act(x, g))
            }))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use misere_theory::quotient::{Limits, Strategy, solve};

    /// Returns all positions of at most three heaps to this one, ascending.
    fn positions(largest: u32) -> impl Iterator<Item = Position> {
        let to = move |from: u32| from..=largest;
        to(0).flat_map(move |a| {
            to(a).flat_map(move |b| to(b).map(move |c| Position::new([a, b, c])))
        })
    }

    /// Compares every ground with the definition.
    ///
    /// (In games with a law, and in games that are tame relative to a heap, the quotient knows
    /// heaps as small as these.)
    #[test]
    fn every_ground_agrees_with_the_definition() {
        let mut grounds = std::collections::BTreeMap::new();
        for (code, fuel, largest) in [
            ("0.77", 1_000_000, 14),
            ("0.123", 1_000_000, 12),
            ("0.005", 3_000_000, 20),
            ("0.26", 2_000_000, 14),
            ("0.07", 20_000, 12),
            ("0.114", 1_000_000, 14),
            ("4.7", 1_000_000, 10),
            ("0.54", 1_000_000, 14),
            ("grundy", 20_000, 12),
            ("{*2,{*2,0}}", 1_000_000, 4),
        ] {
            let code: Code = code.parse().unwrap();
            let mut control = Control::new(fuel, Interrupt::default());
            let limits = Limits::default();
            let solution = solve(&code, &limits, Strategy::Exact, &mut control);
            let knowledge = Knowledge::new(solution, largest);
            let mut judge = Judge::new(&knowledge);
            let mut oracle = Oracle::new(&code, Convention::Misere);
            for position in positions(largest) {
                let Some(decision) = judge.decide(&position) else {
                    continue;
                };
                let right = oracle.outcome(position.heaps(), &mut Control::unlimited());
                assert_eq!(Ok(decision.outcome), right, "{code} {position:?}");
                let ground = match decision.ground {
                    Ground::Quotient(_) => "quotient",
                    Ground::NimValue(_) => "nim-value",
                    Ground::Evidence => "evidence",
                    Ground::Law => "law",
                    Ground::Automaton => "automaton",
                    Ground::Rules => "rules",
                };
                *grounds.entry(ground).or_insert(0) += 1;
            }
        }
        for ground in ["quotient", "evidence", "rules"] {
            assert!(
                grounds.get(ground).is_some_and(|&met| met > 20),
                "{grounds:?}"
            );
        }
    }
}
