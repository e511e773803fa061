//! The share of the fuel that is spent on proving that a quotient is infinite.

use rustc_hash::FxHashMap;

use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::{Control, Stop};
use misere_game::monoid::word::{Word, lex_least_words};
use misere_game::ruleset::Code;
use misere_game::solution::{DiagramFamily, Evidence, Reason};

use super::Limits;
use super::divergent::{Divergent, HeapWord};
use crate::ahead::{self, Fuel};
use crate::infinite::diagram::DiagramSearchError;
use crate::infinite::{self, Cycle};

/// The multiple of the game's cost so far that the search may cost.
///
/// [`Limits::max_evidence`] is added to it.
const EVIDENCE_SHARE: u64 = 1;

/// The part of that fuel which columns may use, beyond the game's cost so far.
///
/// A part of [`Limits::max_evidence`] is added. The rest is for a diagram.
const COLUMNS_FUEL: u64 = 3_000_000;
const COLUMNS_PART: u64 = 60;

/// The fuel for columns and for a diagram in a first round, beyond the game's cost so far.
///
/// Many games have a small diagram and many columns, and a few are the reverse.
const FIRST_FUEL: u64 = 1_000_000;

/// The multiple of [`Limits::max_evidence`] that the search with scarce heaps may cost.
///
/// Before that, a search with all heaps as letters may cost half of [`Limits::max_evidence`], and
/// at most [`SCARCE_LETTERS_FUEL`]. That search is seldom the best, but then by far.
const SCARCE_SHARE: u64 = 2;
const SCARCE_LETTERS_FUEL: u64 = 3_000_000;

/// The multiple of [`Limits::max_evidence`] that the search with a greater scarce heap may cost.
const GREATER_SHARE: u64 = 2;

/// The most fuel for words of all heaps after evidence was found.
const ALL_HEAPS_FUEL: u64 = 1_000_000;

/// The quotient of the heaps before.
pub(super) struct PreviousQuotient<'a> {
    pub(super) quotient: &'a BipartiteMonoid,
    pub(super) phi: &'a [Element],
    /// The heaps of its generators.
    pub(super) generator_heaps: &'a [u32],
}

impl PreviousQuotient<'_> {
    /// Returns the next heap and the generators as levels, with words for all other heaps.
    ///
    /// The words are the lex-least ones.
    ///
    /// A heap whose word has a heap that is not smaller is a level too. The engine began with more
    /// levels, where some are products of others.
    fn by_generators(&self, code: &Code, words: &[Word]) -> Divergent {
        let mut levels = self.generator_heaps.to_vec();
        let mut of_heaps = Vec::new();
        for (heap, &value) in (0..).zip(self.phi) {
            let generators = self.generator_heaps.iter().copied();
            let mut word: HeapWord = generators
                .zip(words[value as usize].0.iter().copied())
                .filter(|&(_, count)| count > 0)
                .collect();
            if code.is_live(heap) && word.iter().any(|&(letter, _)| letter >= heap) {
                word = vec![(heap, 1)];
                levels.push(heap);
            }
            of_heaps.push(word);
        }
        let next = self.phi.len() as u32;
        levels.push(next);
        levels.sort_unstable();
        levels.dedup();
        for &level in &levels {
            if let Some(word) = of_heaps.get_mut(level as usize) {
                *word = vec![(level, 1)];
            }
        }
        of_heaps.push(vec![(next, 1)]);
        Divergent {
            levels,
            words: of_heaps,
        }
    }
}

/// The result of a search that was not interrupted: evidence, or the reason why there is none.
pub(super) type EvidenceResult = Result<Evidence, Reason>;

/// Searches for evidence that the next partial quotient is infinite, within its share of the fuel.
///
/// Without evidence the verdict does not change.
///
/// # Errors
/// [`Interrupted`] if a stop was requested: a partial result decides nothing.
pub(super) fn search(
    code: &Code,
    known: &PreviousQuotient<'_>,
    divergent: &[Divergent],
    limits: &Limits,
    control: &mut Control,
) -> Result<EvidenceResult, Interrupted> {
    if limits.max_evidence == 0 {
        return Ok(Err(Reason::NotSought));
    }
    let words = lex_least_words(known.quotient);
    let cycle = |heap: &u32| {
        let value = known.phi.get(*heap as usize)?;
        Some(cycle(known.quotient, &words[*value as usize]))
    };
    let cost = EVIDENCE_SHARE * control.fuel_spent();
    let share = cost.saturating_add(limits.max_evidence);
    let for_columns = cost
        .saturating_add(COLUMNS_FUEL)
        .saturating_add(limits.max_evidence / COLUMNS_PART);
    let few = known.by_generators(code, &words);
    let attempts = Attempts {
        code,
        next: known.phi.len() as u32,
        cycles: divergent
            .iter()
            .map(|with| with.levels.iter().map_while(cycle).collect())
            .collect(),
        columns: divergent,
        diagrams: std::iter::once(&few).chain(divergent).collect(),
    };
    let first = cost.saturating_add(FIRST_FUEL);
    let found = ahead::search(&attempts, control, |ahead, control| {
        // The searches with scarce heaps are the last ones, and have their own fuel.
        let last = [
            Attempt::ScarceLetters(SCARCE_LETTERS_FUEL.min(limits.max_evidence / 2)),
            Attempt::ScarceHeaps(limits.max_evidence.saturating_mul(SCARCE_SHARE)),
            Attempt::GreaterScarceHeap(limits.max_evidence.saturating_mul(GREATER_SHARE)),
        ];
        for attempt in last {
            ahead.suggest(attempt, control);
        }
        let mut rounds = Rounds {
            attempts: &attempts,
            columns_ended: false,
            ended: vec![None; attempts.diagrams.len()],
        };
        let found = control.within(share, |part| {
            for (for_columns, for_diagrams) in [(first, first), (for_columns, share)] {
                if let Some(found) = rounds.round(for_columns, for_diagrams, part)? {
                    return Ok(Ok(found));
                }
            }
            Ok::<_, Stop>(Err(rounds.furthest().unwrap_or(Reason::Fuel)))
        });
        found.unwrap_or(Err(Reason::Fuel)).or_else(|reason| {
            let mut found = last.iter().map(|attempt| ahead.take(attempt, control));
            let found = found.find_map(|found| found.ok().flatten());
            found.ok_or(reason)
        })
    });
    let found = found.map(|evidence| {
        let all = control.within(ALL_HEAPS_FUEL.min(limits.max_evidence), |part| {
            infinite::for_all_heaps(code, &evidence, part)
        });
        evidence.with_all_heaps(all.ok().flatten())
    });
    // The search may have distinguished fewer multiples, so evidence does not count either.
    if control.is_interrupted() {
        return Err(Interrupted);
    }
    Ok(found)
}

/// A search with scarce heaps, and its fuel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Attempt {
    ScarceLetters(u64),
    ScarceHeaps(u64),
    GreaterScarceHeap(u64),
}

/// The attempts of a search, each with its own letters.
struct Attempts<'a> {
    code: &'a Code,
    /// The heap whose quotient seems to be infinite.
    next: u32,
    columns: &'a [Divergent],
    /// The cycles of the levels of each attempt by columns.
    cycles: Vec<Vec<Cycle>>,
    diagrams: Vec<&'a Divergent>,
}

impl ahead::Attempts for Attempts<'_> {
    type Name = Attempt;
    type Made = Result<Option<Evidence>, Stop>;

    fn make(&self, name: &Attempt, control: &mut Control) -> Self::Made {
        match name {
            Attempt::ScarceLetters(_) => self.with_scarce_letters(control),
            Attempt::ScarceHeaps(_) => self.with_scarce_heaps(control),
            Attempt::GreaterScarceHeap(_) => self.with_greater_scarce_heap(control),
        }
    }

    fn fuel(&self, name: &Attempt) -> Fuel {
        let (Attempt::ScarceLetters(fuel)
        | Attempt::ScarceHeaps(fuel)
        | Attempt::GreaterScarceHeap(fuel)) = name;
        Fuel::AtMost(*fuel)
    }

    fn is_last(&self, made: &Self::Made) -> bool {
        matches!(made, Ok(Some(_)))
    }
}

/// The rounds of attempts with all positions.
///
/// An attempt whose fuel was spent is repeated with more; one that has ended is not.
struct Rounds<'a> {
    attempts: &'a Attempts<'a>,
    columns_ended: bool,
    /// The reason why each attempt by a diagram ended without one.
    ended: Vec<Option<Reason>>,
}

impl Rounds<'_> {
    /// Makes all attempts that have not ended, with `for_columns` and `for_diagrams` as their fuel.
    fn round(
        &mut self,
        for_columns: u64,
        for_diagrams: u64,
        control: &mut Control,
    ) -> Result<Option<Evidence>, Stop> {
        let attempts = self.attempts;
        if !self.columns_ended {
            match control.within(for_columns, |part| attempts.by_columns(part)) {
                Ok(None) => self.columns_ended = true,
                Err(Stop::FuelSpent) => {}
                found => return found,
            }
        }
        let ended = &mut self.ended;
        match control.within(for_diagrams, |part| attempts.by_diagrams(ended, part)) {
            Err(Stop::FuelSpent) => Ok(None),
            found => found,
        }
    }

    /// Returns the reason of the attempt by a diagram that came furthest, if all have ended.
    fn furthest(&self) -> Option<Reason> {
        let mut furthest: Option<Reason> = None;
        for &ended in &self.ended {
            let reason = ended?;
            furthest = Some(furthest.map_or(reason, |before| before.further(reason)));
        }
        furthest
    }
}

impl Attempts<'_> {
    fn by_columns(&self, control: &mut Control) -> Result<Option<Evidence>, Stop> {
        for (Divergent { levels, words }, cycles) in self.columns.iter().zip(&self.cycles) {
            if let Some(family) = infinite::find(self.code, levels, words, cycles, control)? {
                return Ok(Some(Evidence::Columns(family)));
            }
        }
        Ok(None)
    }

    fn by_diagrams(
        &self,
        ended: &mut [Option<Reason>],
        control: &mut Control,
    ) -> Result<Option<Evidence>, Stop> {
        for (Divergent { levels, words }, ended) in self.diagrams.iter().zip(ended) {
            if ended.is_some() {
                continue;
            }
            match infinite::diagram::find(self.code, levels, words, control) {
                Ok(family) => return Ok(Some(Evidence::Diagram(family))),
                Err(DiagramSearchError::Ended(reason)) => *ended = Some(reason),
                Err(DiagramSearchError::Stopped(stop)) => return Err(stop),
            }
        }
        Ok(None)
    }

    /// Returns evidence in which great heaps are scarce, with all heaps to the next one as letters.
    fn with_scarce_letters(&self, control: &mut Control) -> Result<Option<Evidence>, Stop> {
        let levels: Vec<u32> = (0..=self.next)
            .filter(|&heap| self.code.is_live(heap))
            .collect();
        let word = |heap| match self.code.is_live(heap) {
            true => vec![(heap, 1)],
            false => HeapWord::new(),
        };
        let words: Vec<HeapWord> = (0..=self.next).map(word).collect();
        self.with_scarce(&levels, &words, control)
    }

    /// Returns evidence in which great heaps are scarce, with each of the sets of letters.
    fn with_scarce_heaps(&self, control: &mut Control) -> Result<Option<Evidence>, Stop> {
        for Divergent { levels, words } in &self.diagrams {
            if let Some(evidence) = self.with_scarce(levels, words, control)? {
                return Ok(Some(evidence));
            }
        }
        Ok(None)
    }

    /// Returns evidence with one scarce heap that may be greater than the next one.
    ///
    /// The letters are the generators: these outcomes take the fewest nodes.
    fn with_greater_scarce_heap(&self, control: &mut Control) -> Result<Option<Evidence>, Stop> {
        let Some(Divergent { levels, words }) = self.diagrams.first() else {
            return Ok(None);
        };
        evidence_of(infinite::diagram::find_with_greater_scarce_heap(
            self.code, levels, words, control,
        ))
    }

    fn with_scarce(
        &self,
        levels: &[u32],
        words: &[HeapWord],
        control: &mut Control,
    ) -> Result<Option<Evidence>, Stop> {
        evidence_of(infinite::diagram::find_with_scarce_heaps(
            self.code, levels, words, control,
        ))
    }
}

/// Returns the diagram that was found as evidence; the reason why none was found is left out.
fn evidence_of(found: Result<DiagramFamily, DiagramSearchError>) -> Result<Option<Evidence>, Stop> {
    match found {
        Ok(family) => Ok(Some(Evidence::Diagram(family))),
        Err(DiagramSearchError::Ended(_)) => Ok(None),
        Err(DiagramSearchError::Stopped(stop)) => Err(stop),
    }
}

/// The result of a search that a stop request ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interrupted;

/// Returns the index and the period of the powers of the element that `word` is.
fn cycle(monoid: &BipartiteMonoid, word: &Word) -> Cycle {
    let mut exponents = FxHashMap::default();
    let mut power: Element = 0;
    let mut exponent = 0;
    loop {
        if let Some(index) = exponents.insert(power, exponent) {
            let period = exponent - index;
            return Cycle { index, period };
        }
        for (generator, &count) in word.0.iter().enumerate() {
            power = (0..count).fold(power, |x, _| monoid.act(x, generator));
        }
        exponent += 1;
    }
}
