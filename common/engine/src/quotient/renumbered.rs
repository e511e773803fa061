//! The solution of a game under another code of the same game.
//!
//! All heap numbers change: `0.4` seems infinite at heap 35, so Dawson's Kayles `0.07`, which is
//! `0.4` with every heap one smaller, at heap 34. Quotient and values are transferred heap by heap
//! ([`Renumbering`]). Least values (a preperiod, the heap to which a game is tame relative) are
//! computed again, since heaps that are dead in one code only may make them smaller or larger. The
//! result is a claim like any other, for [`misere_check`] to judge.

mod automaton;

use std::collections::HashMap;

use misere_game::bipartite::{BipartiteMonoid, Element, ElementSet};
use misere_game::control::Control;
use misere_game::ruleset::{Code, Renumbering};
use misere_game::solution::diagram::{DiagramFamily, Node};
use misere_game::solution::evidence::{Evidence, InfiniteFamily, Letter, Word};
use misere_game::solution::{
    AllHeaps, GrowingWord, Growth, HeapLaw, NimPeriod, Partial, Polynomial, Solution, SolvedBy,
    Tail, ThresholdLaw, Verdict,
};

use crate::infinite::Repetition;
use crate::normal::NimValues;

/// Returns a solution under another code of the same game.
///
/// Returns `None` if the codes' signatures do not show that they are the same game.
///
/// Cost: linear in the heaps listed. For a game that is tame relative to a small heap, the
/// nim-values of the same number of heaps as well.
///
/// ```
/// use misere_game::control::Control;
/// use misere_engine::quotient::{Limits, Strategy, renumbered, solve};
/// use misere_game::solution::Verdict;
/// let kayles = solve(
///     &"0.77".parse()?,
///     &Limits::default(),
///     Strategy::Exact,
///     &mut Control::unlimited(),
/// );
/// let other = renumbered(&kayles, &"4.4".parse()?).ok_or("they are the same game")?;
/// assert_eq!(kayles.verdict, Verdict::Solved { period: 12, preperiod: 71 });
/// assert_eq!(other.verdict, Verdict::Solved { period: 12, preperiod: 72 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn renumbered(solution: &Solution, code: &Code) -> Option<Solution> {
    let renumbering = Renumbering::between(&solution.code, code)?;
    Some(renumbered_by(solution, code, renumbering))
}

/// Returns a solution under another code of the same game, by a given renumbering.
///
/// Cost: as for [`renumbered`].
///
/// ```
/// use misere_game::control::Control;
/// use misere_engine::quotient::{Limits, Strategy, renumbered, renumbered_by, solve};
/// use misere_game::ruleset::Renumbering;
/// let limits = Limits { max_heap: 20, ..Limits::default() };
/// let dawson = solve(&"0.4".parse()?, &limits, Strategy::Exact, &mut Control::unlimited());
/// let other = "0.07".parse()?;
/// let renumbering = Renumbering::by_rank(&dawson.code, &other);
/// assert_eq!(renumbered(&dawson, &other), Some(renumbered_by(&dawson, &other, renumbering)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn renumbered_by(solution: &Solution, code: &Code, renumbering: Renumbering) -> Solution {
    let same = Same {
        solution,
        code,
        back: renumbering.inverse(),
        renumbering,
    };
    same.solution()
}

/// A solution in transfer to another code of the same game.
struct Same<'a> {
    solution: &'a Solution,
    code: &'a Code,
    renumbering: Renumbering,
    back: Renumbering,
}

impl Same<'_> {
    fn solution(&self) -> Solution {
        let old = self.solution;
        let (verdict, last) = self.verdict();
        let mut phi: Vec<Element> = (0..=last).map_while(|heap| self.value(heap)).collect();
        let tail = match verdict {
            Verdict::TameRelative { heap } => {
                self.continue_in_kernel(&mut phi, heap);
                old.tail.map(|tail| self.tail(tail))
            }
            _ => None,
        };
        let heaps = phi.len().saturating_sub(1) as u32;
        let growth = old.growth.as_ref().map(|growth| self.growth(growth));
        let verdict = match (verdict, &growth) {
            (Verdict::Diverges { copies, .. }, _) => Verdict::Diverges {
                heap: heaps.saturating_add(1),
                copies,
            },
            (Verdict::Grows { period, .. }, Some(growth)) => Verdict::Grows {
                start: growth.start,
                period,
            },
            _ => verdict,
        };
        let partial = |partial: &Partial| {
            let heap = self.renumbering.heap(partial.heap)?;
            Some(Partial { heap, ..*partial })
        };
        Solution {
            code: self.code.clone(),
            verdict,
            quotient: old.quotient.clone(),
            generator_heaps: self.heaps(&old.generator_heaps),
            phi,
            partials: old.partials.iter().filter_map(partial).collect(),
            tail,
            growth,
            evidence: old
                .evidence
                .as_ref()
                .map(|evidence| self.evidence(evidence)),
            reason: old.reason,
            fuel: old.fuel,
        }
    }

    /// Returns the verdict and the last heap to be listed.
    ///
    /// The parts of the verdict that depend on further claims are left out.
    fn verdict(&self) -> (Verdict, u32) {
        let old = self.solution;
        let known = self.renumbering.reach(old.heaps()).unwrap_or_else(|| {
            // No heap beyond the listed ones is live.
            old.heaps().max(self.renumbering.to().settled_from())
        });
        match old.verdict {
            Verdict::Solved { period, preperiod } => {
                let repeats = |heap: u32| self.value(heap) == self.value(heap + period);
                let preperiod = least_from(self.renumbering.settled(preperiod), repeats);
                let last = self.code.heaps_to_prove(preperiod, period);
                let verdict = Verdict::Solved { period, preperiod };
                (verdict, u32::try_from(last).unwrap_or(known))
            }
            Verdict::TameRelative { heap } => {
                let kernel = kernel(&old.quotient);
                let inside = |heap: u32| self.value(heap).is_some_and(|x| kernel.contains(x));
                let heap = least_from(
                    self.renumbering.settled(heap).min(known.saturating_add(1)),
                    inside,
                );
                (Verdict::TameRelative { heap }, known)
            }
            verdict => (verdict, known),
        }
    }

    /// Returns the value of a heap of the new code, if it is known.
    ///
    /// In a solved game it always is.
    fn value(&self, heap: u32) -> Option<Element> {
        let Some(old) = self.back.heap(heap) else {
            return Some(0);
        };
        let phi = &self.solution.phi;
        match self.solution.verdict {
            Verdict::Solved { period, preperiod } if old as usize >= phi.len() => {
                let since = old.checked_sub(preperiod)?.checked_rem(period)?;
                phi.get((preperiod + since) as usize).copied()
            }
            _ => phi.get(old as usize).copied(),
        }
    }

    fn heaps(&self, heaps: &[u32]) -> Vec<u32> {
        let heap = |&heap: &u32| self.renumbering.heap(heap);
        heaps.iter().filter_map(heap).collect()
    }

    /// Lists the few further heaps that the theorem needs for a longer code, by their nim-values.
    fn continue_in_kernel(&self, phi: &mut Vec<Element>, heap: u32) {
        let parts = self.code.max_parts().max(2);
        let needed = (parts.saturating_mul(heap) + self.code.length() as u32).saturating_sub(1);
        if (needed as usize) < phi.len() {
            return;
        }
        let Some(nim_values) = nim_values(self.code, needed) else {
            return;
        };
        let inside = phi.iter().zip(&nim_values).skip(heap as usize);
        let value_of: HashMap<u32, Element> = inside.map(|(&x, &nim)| (nim, x)).collect();
        let more = nim_values.iter().skip(phi.len());
        phi.extend(more.map_while(|nim| value_of.get(nim).copied()));
    }

    fn tail(&self, tail: Tail) -> Tail {
        let reach = self.renumbering.reach(tail.nim_heaps);
        let known = reach.unwrap_or(tail.nim_heaps);
        let Some(NimPeriod { period, preperiod }) = tail.nim_period else {
            return Tail {
                nim_heaps: known,
                ..tail
            };
        };
        let NimPeriod { preperiod, .. } = renumbered_period(
            NimPeriod { period, preperiod },
            &self.renumbering,
            self.code,
        );
        let needed = self.code.heaps_to_prove(preperiod, period);
        Tail {
            nim_heaps: known.max(u32::try_from(needed).unwrap_or(known)),
            nim_period: Some(NimPeriod { period, preperiod }),
            ..tail
        }
    }

    /// Returns the pattern, from its first period on that involves only large heaps.
    fn growth(&self, growth: &Growth) -> Growth {
        let Some(shift) = self.renumbering.shift() else {
            return growth.clone();
        };
        let uniform = self.renumbering.uniform_from();
        let least = (0..).zip(&growth.words).flat_map(|(residue, word)| {
            let moving = word.moving.iter();
            moving.map(move |&(back, _)| {
                i64::from(growth.start) + i64::from(residue) - i64::from(back)
            })
        });
        let least = least
            .min()
            .unwrap_or(i64::MAX)
            .min(i64::from(growth.start) - 1);
        let lacking = u32::try_from(i64::from(uniform) - least).unwrap_or(0);
        let later = lacking.div_ceil(growth.period.max(1));
        let growth = counted_from_later(growth, later).unwrap_or_else(|| growth.clone());
        let word = |word: &GrowingWord| GrowingWord {
            fixed: word
                .fixed
                .iter()
                .filter_map(|&(heap, count, more)| {
                    Some((self.renumbering.heap(heap)?, count, more))
                })
                .collect(),
            moving: word.moving.clone(),
        };
        Growth {
            solved_by: self.solved_by(&growth, shift),
            start: growth.start.saturating_add_signed(shift),
            words: growth.words.iter().map(word).collect(),
            words_to: growth.words_to.saturating_add_signed(shift),
            ..growth
        }
    }

    fn solved_by(&self, growth: &Growth, shift: i32) -> Option<SolvedBy> {
        Some(match growth.solved_by.as_ref()? {
            SolvedBy::Law(law) => SolvedBy::Law(self.law(law, shift)?),
            SolvedBy::Automaton(old) => {
                SolvedBy::Automaton(automaton::renumbered(old, &self.back)?)
            }
        })
    }

    /// Returns the law for the new code.
    ///
    /// It lists heaps until only the shift changes them, and enough for the checker.
    fn law(&self, law: &ThresholdLaw, shift: i32) -> Option<ThresholdLaw> {
        let repeats_from = u32::try_from(law.repeats_from()).ok()?;
        let settled = self.renumbering.uniform_from().max(repeats_from);
        let least = (self.code.length() as u32 + 3).saturating_sub(law.period);
        let repeats_from = settled.checked_add_signed(shift)?.max(least).max(1);
        let heap_law = |heap: u32| match self.back.heap(heap) {
            Some(same) => law.of_heap(same.into()),
            None => Some(HeapLaw {
                unit: 0,
                weight: 0,
                threshold: 0,
                alone: Vec::new(),
            }),
        };
        let heaps = (1..repeats_from.checked_add(law.period)?).map(heap_law);
        Some(ThresholdLaw {
            heaps: heaps.collect::<Option<_>>()?,
            ..law.clone()
        })
    }

    fn evidence(&self, evidence: &Evidence) -> Evidence {
        let renumbered = match evidence {
            Evidence::Columns(family) => Evidence::Columns(self.columns(family)),
            Evidence::Diagram(family) => Evidence::Diagram(self.diagram(family)),
        };
        let all = evidence
            .all_heaps()
            .and_then(|all| self.all_heaps(evidence, all, &renumbered));
        renumbered.with_all_heaps(all)
    }

    /// Returns the words of all heaps, listed as far as the theorem requires for the new code.
    fn all_heaps(&self, old: &Evidence, all: &AllHeaps, new: &Evidence) -> Option<AllHeaps> {
        let listed = old.with_listed_words();
        let known = listed.heaps().last().copied()?;
        let last = new.heaps().last().copied()?;
        let mut repetition = Repetition::default();
        let mut words = Vec::new();
        for heap in 1..=known.checked_mul(2)?.max(last) {
            let word = self.back.heap(heap).and_then(|old| {
                let word = listed.word_of(all.listed_like(known, old))?;
                Some(self.word(&Word { heap: old, word })?.word)
            });
            let spoken_of = new.word_of(heap).is_some();
            if let (Some(word), false) = (&word, spoken_of) {
                let word = word.clone();
                words.push(Word { heap, word });
            }
            let proved = repetition.next(word, self.code);
            if let (true, Some(NimPeriod { period, preperiod })) = (heap >= last, proved) {
                return Some(AllHeaps {
                    preperiod,
                    period,
                    words,
                });
            }
        }
        None
    }

    fn columns(&self, family: &InfiniteFamily) -> InfiniteFamily {
        let letter = |letter: &Letter| {
            let heap = self.renumbering.heap(letter.heap)?;
            Some(Letter { heap, ..*letter })
        };
        InfiniteFamily {
            distinct_multiples: self.heaps(&family.distinct_multiples),
            letters: family.letters.iter().filter_map(letter).collect(),
            words: self.words(&family.words),
            columns: family.columns.clone(),
            states: family.states.clone(),
            all_heaps: None,
        }
    }

    fn diagram(&self, family: &DiagramFamily) -> DiagramFamily {
        let node = |node: &Node| {
            let letter = self.renumbering.heap(node.letter)?;
            Some(Node {
                letter,
                ..node.clone()
            })
        };
        DiagramFamily {
            distinct_multiples: self.heaps(&family.distinct_multiples),
            letters: self.heaps(&family.letters),
            digits: self.heaps(&family.digits),
            words: self.words(&family.words),
            states: family.states.clone(),
            nodes: family.nodes.iter().filter_map(node).collect(),
            root: family.root,
            order: self.heaps(&family.order),
            all_heaps: None,
        }
    }

    fn words(&self, words: &[Word]) -> Vec<Word> {
        words.iter().filter_map(|word| self.word(word)).collect()
    }

    fn word(&self, word: &Word) -> Option<Word> {
        let heap = |heap: u32| self.renumbering.heap(heap);
        let letters = word.word.iter();
        let word_of = letters.filter_map(|&(part, count)| Some((heap(part)?, count)));
        Some(Word {
            heap: heap(word.heap)?,
            word: word_of.collect(),
        })
    }
}

/// Returns the period of the nim-values of the same game under another code.
///
/// The renumbering leads to the heaps of that code.
///
/// Cost: none if the nim-values begin to repeat after all heaps that are dead in one of the codes;
/// otherwise the nim-values of the heaps up to there and one more period.
///
/// ```
/// use misere_engine::quotient::renumbered_period;
/// use misere_game::ruleset::{Code, Renumbering};
/// use misere_game::solution::NimPeriod;
/// // Dawson's Kayles 0.07 is 0.4 with every heap one smaller.
/// let (from, to): (Code, Code) = ("0.4".parse()?, "0.07".parse()?);
/// let renumbering = Renumbering::between(&from, &to).ok_or("they are the same game")?;
/// let period = NimPeriod { period: 34, preperiod: 54 };
/// let same = NimPeriod { period: 34, preperiod: 53 };
/// assert_eq!(renumbered_period(period, &renumbering, &to), same);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn renumbered_period(period: NimPeriod, renumbering: &Renumbering, code: &Code) -> NimPeriod {
    let NimPeriod { period, preperiod } = period;
    let settled = renumbering.settled(preperiod);
    if preperiod > renumbering.uniform_from() {
        return NimPeriod {
            period,
            preperiod: settled,
        };
    }
    let values = nim_values(code, settled.saturating_add(period)).unwrap_or_default();
    let at = |heap: u32| values.get(heap as usize);
    let repeats = |heap: u32| at(heap).is_some() && at(heap) == at(heap + period);
    NimPeriod {
        period,
        preperiod: least_from(settled, repeats),
    }
}

/// Returns the pattern, starting `periods` periods later.
fn counted_from_later(growth: &Growth, periods: u32) -> Option<Growth> {
    let polynomials = |polynomials: &[Polynomial]| {
        let later = |polynomial: &Polynomial| {
            let times = (0..4).map(|t| polynomial.at(i64::from(periods) + t));
            Polynomial::through(times.collect::<Option<Vec<i64>>>()?.iter())
        };
        polynomials.iter().map(later).collect::<Option<Vec<_>>>()
    };
    let word = |word: &GrowingWord| {
        let fixed = word.fixed.iter().map(|&(heap, count, more)| {
            Some((heap, count.checked_add(more.checked_mul(periods)?)?, more))
        });
        Some(GrowingWord {
            fixed: fixed.collect::<Option<_>>()?,
            moving: word.moving.clone(),
        })
    };
    Some(Growth {
        start: growth
            .start
            .checked_add(periods.checked_mul(growth.period)?)?,
        period: growth.period,
        orders: polynomials(&growth.orders)?,
        p_sizes: polynomials(&growth.p_sizes)?,
        words: growth.words.iter().map(word).collect::<Option<_>>()?,
        words_to: growth.words_to,
        solved_by: growth.solved_by.clone(),
    })
}

/// Returns the least heap from which on `holds` is true up to `from`, where it is known to be true.
fn least_from(from: u32, holds: impl Fn(u32) -> bool) -> u32 {
    let before = (0..from).rev().take_while(|&heap| holds(heap));
    before.last().unwrap_or(from)
}

/// Returns the nim-values of the heaps `0..=last`.
fn nim_values(code: &Code, last: u32) -> Option<Vec<u32>> {
    let mut values = NimValues::new(code);
    for _ in 0..last {
        values.next(&mut Control::unlimited()).ok()?;
    }
    Some(values.into_values())
}

/// Returns the least ideal: what a product with enough copies of every generator can reach.
fn kernel(monoid: &BipartiteMonoid) -> ElementSet {
    let often = monoid.order() as u32;
    let deep = monoid.product((0..monoid.generators()).map(|generator| (generator, often)));
    let mut kernel = ElementSet::empty(monoid.order());
    kernel.insert(deep);
    let mut open = vec![deep];
    while let Some(x) = open.pop() {
        for generator in 0..monoid.generators() {
            let y = monoid.act(x, generator);
            if kernel.insert(y) {
                open.push(y);
            }
        }
    }
    kernel
}
