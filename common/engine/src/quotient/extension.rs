//! The step from the misère quotient of the heaps below `n` to that of the heaps to `n`.
//!
//! If the new heap has a value in the quotient so far, nothing changes ([`Candidate::take_in`]).
//! Otherwise the quotient is recomputed by exact kernels, but not with every heap as a level: only
//! the heaps that generate, and the new one. Every other heap **stands in** as the lex-least word
//! of its value over the smaller levels. The kernel of that smaller game gives a candidate, which
//! is verified over *all* heaps. If it fails at `X`, some heap of `X` is not a level (positions of
//! levels only are right: their options are, since everything below `X` is). That heap becomes a
//! level, represents the later heaps that had the same value as well, and the kernel is computed
//! again. Every round makes one more heap a level, so this ends.
//!
//! If the levels seem to have no finite quotient, the stand-ins may be the cause: their outcome
//! function, truncated, is verified in the same way before "diverges" is accepted
//! ([`Extension::suspect`]).

use super::Limits;
use super::candidate::Candidate;
use super::checkpoint::Checkpoint;
use super::deficit::Counterexample;
use super::divergent::{Divergent, HeapWord};
use super::kernel::{KernelBuilder, LevelGame, QuotientError, TruncatedQuotient, copies_expected};
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::Partial;

/// The multiples of the expected copies, in thirds, tried before a sequence is called divergent.
///
/// They are tried in turn while all of it costs less than [`LAST_ATTEMPT_SHARE`] times the cost of
/// the expected copies, and less than [`LAST_ATTEMPT_FUEL`].
const LAST_ATTEMPT_THIRDS: [u32; 4] = [4, 5, 6, 9];
const LAST_ATTEMPT_SHARE: u64 = 1;
const LAST_ATTEMPT_FUEL: u64 = 50_000;
/// The numbers of copies to which a cheap test truncates all sequences that do not repeat.
///
/// The test is one of the stand-ins.
const QUICK_TEST_COPIES: [u32; 3] = [2, 3, 4];
/// The numbers of copies to which sequences that do not repeat as far as tried are truncated.
///
/// Far more is known then.
const FULL_TEST_COPIES: [u32; 2] = [1, 3];
/// The number of copies for which stand-ins that pass the test are trusted.
const MIN_TRUSTED_PASSES: u32 = 3;
/// The divisor of the cost of an attempt that bounds the cost of a harsh test.
///
/// [`TEST_FUEL`] is added to the quotient.
const QUICK_TEST_DIVISOR: u64 = 4;
const FULL_TEST_DIVISOR: u64 = 2;
const TEST_FUEL: u64 = 4_000;

/// Reports whether the engine can call a game divergent after this many copies and this much fuel.
///
/// It does so only at the end of a last attempt (`with_many_copies`). That attempt begins after the
/// expected copies, twice the most that were needed so far plus 14, were tried without success. It
/// continues with 4, 5, 6 and 9 thirds of them, within the copies allowed. It ends before the last
/// only if its share of the fuel is spent, which is at least 50,000 units (less one, since fuel is
/// counted in whole units).
///
/// ```
/// use misere_engine::quotient::{Limits, tries_copies};
/// let limits = Limits::default();
/// assert!(!tries_copies(1, u64::MAX, &limits));
/// assert!(tries_copies(14, 60_000, &limits) && !tries_copies(14, 1_000, &limits));
/// assert!(tries_copies(42, 1_000, &limits));
/// ```
#[must_use]
pub fn tries_copies(copies: u32, fuel: u64, limits: &Limits) -> bool {
    let most = limits.max_copies.max(1);
    let broken_off = fuel.saturating_add(1) >= LAST_ATTEMPT_FUEL;
    (0..=most).any(|longest| {
        let expected = copies_expected(longest).min(most);
        let tried = |thirds: u32| (expected.saturating_mul(thirds) / 3).min(most);
        let last = LAST_ATTEMPT_THIRDS
            .iter()
            .copied()
            .max()
            .map_or(expected, tried);
        last == copies
            || broken_off
                && (expected == copies
                    || LAST_ATTEMPT_THIRDS.into_iter().any(|t| tried(t) == copies))
    })
}

/// The suspicion that a stand-in is wrong if the levels seem to have no finite quotient.
enum Suspicion {
    /// No stand-in is suspected: no level depends on any, or they pass the test.
    None,
    /// A stand-in that does not pass the test.
    Proved(u32),
    /// The test costs too much.
    Open,
}

/// The state of a game that is solved heap by heap.
#[derive(Clone)]
pub(super) struct Extension<'a> {
    code: &'a Code,
    max_order: usize,
    max_copies: u32,
    kernels: KernelBuilder,
    /// The heaps whose values generate, ascending; the monoid's generators in this order.
    levels: Vec<u32>,
    /// The distinct words that represent heaps; the first is the empty word.
    words: Vec<HeapWord>,
    /// For each heap the word that represents it.
    stand_in: Vec<usize>,
    candidate: Candidate,
    /// The levels and stand-ins with which the next heap's quotient did not seem finite.
    ///
    /// They are those before any stand-in was doubted, and those after, if they differ.
    divergent: Vec<Divergent>,
}

/// Returns the price of a new candidate: a copy of its Cayley graph, and a tree of words in it.
fn ticks_for_candidate(monoid: &BipartiteMonoid) -> u64 {
    20 + 4 * (monoid.order() * (monoid.generators() + 1)) as u64
}

impl<'a> Extension<'a> {
    pub(super) fn new(code: &'a Code, limits: &Limits) -> Self {
        Self {
            code,
            max_order: limits.max_order as usize,
            max_copies: limits.max_copies.max(1),
            kernels: KernelBuilder::new(),
            levels: Vec::new(),
            words: vec![Vec::new()],
            stand_in: vec![0],
            candidate: Candidate::trivial(),
            divergent: Vec::new(),
        }
    }

    /// Returns the state that a checkpoint describes, its quotient not verified yet.
    pub(super) fn restored(code: &'a Code, limits: &Limits, checkpoint: &Checkpoint) -> Self {
        let mut extension = Self {
            kernels: KernelBuilder::after(checkpoint.longest),
            divergent: (checkpoint.diverged.iter())
                .flat_map(|diverged| diverged.attempts.clone())
                .collect(),
            levels: checkpoint.levels.clone(),
            words: checkpoint.words.clone(),
            stand_in: checkpoint.stand_in.iter().map(|&at| at as usize).collect(),
            ..Self::new(code, limits)
        };
        let values = extension.values_in(&checkpoint.quotient);
        extension.candidate = Candidate::unverified(checkpoint.quotient.clone(), None, values);
        extension
    }

    /// Verifies the quotient of a restored state over all its heaps; returns whether it is right.
    pub(super) fn verify_restored(&mut self, control: &mut Control) -> Result<bool, Stop> {
        control.spend(ticks_for_candidate(&self.candidate.monoid))?;
        let failure = self
            .candidate
            .verify(self.code, &self.levels, None, control)?;
        Ok(failure.is_none())
    }

    /// Returns the checkpoint of the computation after `ticks` ticks.
    pub(super) fn checkpoint(
        &self,
        ticks: u64,
        partials: Vec<Partial>,
        next_look: u32,
    ) -> Checkpoint {
        Checkpoint {
            ticks,
            levels: self.levels.clone(),
            words: self.words.clone(),
            stand_in: self.stand_in.iter().map(|&at| at as u32).collect(),
            quotient: self.candidate.monoid.clone(),
            longest: self.kernels.longest(),
            partials,
            next_look,
            diverged: None,
        }
    }

    /// Returns the attempts to find a finite quotient of the next heap, fewest levels first.
    ///
    /// All of them failed.
    pub(super) fn divergent(&self) -> &[Divergent] {
        &self.divergent
    }

    /// Returns the verified quotient and values so far.
    pub(super) fn candidate(&self) -> &Candidate {
        &self.candidate
    }

    /// Returns the heaps whose values are the generators of the quotient.
    pub(super) fn levels(&self) -> &[u32] {
        &self.levels
    }

    /// Extends the quotient by the next heap; returns whether it changed.
    ///
    /// On failure nothing changes.
    pub(super) fn next_heap(&mut self, control: &mut Control) -> Result<bool, QuotientError> {
        match self.candidate.take_in(self.code, control)? {
            Some(value) => {
                self.stand_in_for_value(value);
                Ok(false)
            }
            None => {
                let before = self.candidate.monoid.order();
                let (levels, words, stand_in) = (
                    self.levels.clone(),
                    self.words.clone(),
                    self.stand_in.clone(),
                );
                match self.recompute(control) {
                    Ok(candidate) => self.candidate = candidate,
                    Err(none) => {
                        let last = self.levels_and_words();
                        if last.levels.len() > self.divergent.iter().map(|at| at.levels.len()).sum()
                        {
                            self.divergent.push(last);
                        }
                        (self.levels, self.words, self.stand_in) = (levels, words, stand_in);
                        return Err(none);
                    }
                }
                Ok(self.candidate.monoid.order() != before)
            }
        }
    }

    /// Represents the newest heap by the lex-least word of its value in the quotient.
    fn stand_in_for_value(&mut self, value: Element) {
        let word: HeapWord = self
            .levels
            .iter()
            .copied()
            .zip(self.candidate.products.word(value).0)
            .filter(|&(_, count)| count > 0)
            .collect();
        let at = self
            .words
            .iter()
            .position(|known| *known == word)
            .unwrap_or_else(|| {
                self.words.push(word);
                self.words.len() - 1
            });
        self.stand_in.push(at);
    }

    fn levels_and_words(&self) -> Divergent {
        let words = self.stand_in.iter().map(|&word| self.words[word].clone());
        Divergent {
            levels: self.levels.clone(),
            words: words.collect(),
        }
    }

    fn recompute(&mut self, control: &mut Control) -> Result<Candidate, QuotientError> {
        let newest = self.stand_in.len() as u32;
        self.stand_in.push(0);
        self.make_level(newest);
        self.divergent = vec![self.levels_and_words()];
        // With the levels so far and the newest heap, positions without it are right: the kernel of
        // those levels alone was verified before, with the same stand-ins. This no longer holds
        // once a stand-in is replaced.
        let mut proved = true;
        // The number of stand-ins replaced at once while it is open which one is to blame. That
        // test has then cost enough and is not repeated.
        let mut suspects = None;
        // A sequence that repeats does so early. If one does not within a few copies, first test
        // whether a stand-in is to blame, since each further copy costs more than the one before.
        // If none seems to be, try the expected copies.
        let mut cleared = false;
        loop {
            let game = self.level_game();
            let copies = match cleared {
                false => self.kernels.copies_usual(),
                true => self.kernels.copies_expected(),
            };
            let copies = copies.min(self.max_copies);
            let spent_before = control.fuel_spent();
            let attempt = self
                .kernels
                .quotient(&game, copies, self.max_order, control);
            let monoid = match attempt {
                Ok(monoid) => monoid,
                Err(QuotientError::Stopped(stop)) => return Err(stop.into()),
                Err(QuotientError::Diverges { .. } | QuotientError::TooLarge) => {
                    let cost = control.fuel_spent() - spent_before;
                    let suspicion = match suspects {
                        _ if cleared => Suspicion::None,
                        None => self.suspect(&game, copies, proved, cost, control)?,
                        Some(_) if self.stand_in_needed().is_some() => Suspicion::Open,
                        Some(_) => Suspicion::None,
                    };
                    match suspicion {
                        Suspicion::None if !cleared => {
                            cleared = true;
                            continue;
                        }
                        Suspicion::None => self.with_many_copies(&game, copies, cost, control)?,
                        Suspicion::Proved(heap) => {
                            self.make_level(heap);
                            (proved, cleared) = (false, false);
                            continue;
                        }
                        Suspicion::Open => {
                            // More at once each time: usually all or none have to be replaced.
                            let more = suspects.map_or(1, |before: u32| 8 * before);
                            for _ in 0..more {
                                if let Some(heap) = self.stand_in_needed() {
                                    self.make_level(heap);
                                }
                            }
                            suspects = Some(more);
                            (proved, cleared) = (false, false);
                            continue;
                        }
                    }
                }
            };
            control.spend(ticks_for_candidate(&monoid))?;
            let values = self.values_in(&monoid);
            let mut candidate = Candidate::unverified(monoid, None, values);
            let before = proved.then_some(&self.candidate);
            match candidate.verify(self.code, &self.levels, before, control)? {
                None => return Ok(candidate),
                Some(failure) => self.promote(&failure),
            }
            proved = false;
        }
    }

    /// Returns the quotient of levels that have none within the expected copies.
    ///
    /// This is a last attempt with more copies.
    ///
    /// `cost` is the fuel of the attempt before.
    fn with_many_copies(
        &mut self,
        game: &LevelGame,
        expected: u32,
        cost: u64,
        control: &mut Control,
    ) -> Result<BipartiteMonoid, QuotientError> {
        let before = control.fuel_spent();
        let mut tried = QuotientError::Diverges { copies: expected };
        for thirds in LAST_ATTEMPT_THIRDS {
            let copies = (expected.saturating_mul(thirds) / 3).min(self.max_copies);
            let left = (LAST_ATTEMPT_SHARE * cost + LAST_ATTEMPT_FUEL)
                .saturating_sub(control.fuel_spent() - before);
            let attempt =
                |part: &mut Control| self.kernels.quotient(game, copies, self.max_order, part);
            match control.within(left, attempt) {
                // Not all fuel, only this attempt's share of it.
                Err(QuotientError::Stopped(Stop::FuelSpent)) if control.spend(1).is_ok() => break,
                Err(none @ QuotientError::Diverges { .. }) => tried = none,
                outcome => return outcome,
            }
        }
        Err(tried)
    }

    /// Decides whether a stand-in may be to blame when the levels seem to have no finite quotient.
    ///
    /// A stand-in is right in the quotient before the newest heap came; with the newest heap the
    /// two may differ, and the levels may have an infinite quotient although the game has a finite
    /// one. So the truncated outcome function of the levels is verified over all heaps, for one
    /// copy and then for more; a failure names the heap. If that costs too much, the question stays
    /// open. Stand-ins are then replaced without proof until no level depends on one: then the
    /// levels are a game of their own, a part of the whole, and no stand-in can be to blame.
    ///
    /// `attempt` is the fuel that the levels' own quotient has cost in vain, with `copies` copies.
    /// `proved` says whether positions without the newest heap are known to be right, as in
    /// [`Candidate::verify`].
    fn suspect(
        &mut self,
        game: &LevelGame,
        copies: u32,
        proved: bool,
        attempt: u64,
        control: &mut Control,
    ) -> Result<Suspicion, QuotientError> {
        if self.stand_in_needed().is_none() {
            return Ok(Suspicion::None);
        }
        let mut passed = 0;
        for harsh in [true, false] {
            // Harsh truncations may find a failure; passing them proves little.
            passed = 0;
            for &kept in if harsh {
                &QUICK_TEST_COPIES[..]
            } else {
                &FULL_TEST_COPIES[..]
            } {
                let part = if harsh {
                    QUICK_TEST_DIVISOR
                } else {
                    FULL_TEST_DIVISOR
                };
                let affordable = attempt / part + TEST_FUEL;
                let test = |part: &mut Control| {
                    // Known kernels would make a harsh truncation less harsh, and less cheap.
                    let truncated = match harsh {
                        true => KernelBuilder::new().truncated_quotient(game, kept, kept, part),
                        false => self.kernels.truncated_quotient(game, kept, copies, part),
                    }?;
                    self.failure_of(truncated, proved, part)
                };
                match control.within(affordable, test) {
                    Ok(None) => passed = passed.max(kept),
                    Ok(Some(failure)) => {
                        return Ok(self
                            .not_a_level(&failure)
                            .map_or(Suspicion::Open, Suspicion::Proved));
                    }
                    Err(QuotientError::Stopped(Stop::Interrupted)) => {
                        return Err(Stop::Interrupted.into());
                    }
                    Err(_) => break,
                }
            }
        }
        Ok(if passed < MIN_TRUSTED_PASSES {
            Suspicion::Open
        } else {
            Suspicion::None
        })
    }

    /// Returns the least position that the stand-ins get wrong.
    ///
    /// Only positions whose outcome the truncated levels know are searched.
    fn failure_of(
        &self,
        truncated: TruncatedQuotient,
        proved: bool,
        control: &mut Control,
    ) -> Result<Option<Counterexample>, QuotientError> {
        control.spend(ticks_for_candidate(&truncated.monoid))?;
        let values = self.values_in(&truncated.monoid);
        let mut candidate =
            Candidate::unverified(truncated.monoid, Some(&truncated.unknown), values);
        let before = proved.then_some(&self.candidate);
        Ok(candidate.verify(self.code, &self.levels, before, control)?)
    }

    /// Returns a heap that an option of some level leaves and that is not a level itself.
    ///
    /// It is the largest such heap of the largest such level.
    fn stand_in_needed(&self) -> Option<u32> {
        self.levels.iter().rev().find_map(|&level| {
            let mut largest = 0;
            self.code.for_each_option(level, |option| {
                let parts = option
                    .parts()
                    .filter(|&part| self.code.is_live(part) && !self.is_level(part));
                largest = parts.fold(largest, u32::max);
            });
            (largest > 0).then_some(largest)
        })
    }

    /// Returns the values of all heaps, from the words that represent them.
    fn values_in(&self, monoid: &BipartiteMonoid) -> Vec<Element> {
        let value_of_word: Vec<Element> = self
            .words
            .iter()
            .map(|word| {
                monoid.product(
                    word.iter()
                        .map(|&(heap, count)| (self.level_of(heap), count)),
                )
            })
            .collect();
        self.stand_in
            .iter()
            .map(|&word| value_of_word[word])
            .collect()
    }

    /// Makes one more heap a level, after a failure of the candidate.
    fn promote(&mut self, failure: &Counterexample) {
        // The least failure always has a heap that is not a level. If it had none, any heap would
        // do: with all heaps as levels the kernel is exact.
        let any = || {
            let mut heaps = 1..self.stand_in.len() as u32;
            heaps.find(|&heap| self.code.is_live(heap) && !self.is_level(heap))
        };
        if let Some(heap) = self.not_a_level(failure).or_else(any) {
            self.make_level(heap);
        }
    }

    /// Returns the largest heap of a failure that is not a level.
    fn not_a_level(&self, failure: &Counterexample) -> Option<u32> {
        failure
            .iter()
            .rev()
            .map(|&(heap, _)| heap)
            .find(|&heap| !self.is_level(heap))
    }

    fn is_level(&self, heap: u32) -> bool {
        self.levels.binary_search(&heap).is_ok()
    }

    /// Makes `heap` a level.
    ///
    /// From now on it represents itself and the later heaps that had the same word.
    fn make_level(&mut self, heap: u32) {
        if let Err(at) = self.levels.binary_search(&heap) {
            self.levels.insert(at, heap);
        }
        let before = self.stand_in[heap as usize];
        self.words.push(vec![(heap, 1)]);
        for later in heap as usize..self.stand_in.len() {
            if self.stand_in[later] == before && self.code.is_live(later as u32) {
                self.stand_in[later] = self.words.len() - 1;
            }
        }
    }

    /// Returns the index of the level of a heap that is a level.
    fn level_of(&self, heap: u32) -> usize {
        self.levels.binary_search(&heap).unwrap_or(0)
    }

    /// Returns the options of the levels, as words over lower levels.
    pub(super) fn level_game(&self) -> LevelGame {
        let words: Vec<Vec<u32>> = self
            .words
            .iter()
            .map(|word| {
                let letters = |&(heap, count)| {
                    std::iter::repeat_n(self.level_of(heap) as u32 + 1, count as usize)
                };
                word.iter().flat_map(letters).collect()
            })
            .collect();
        let options = self
            .levels
            .iter()
            .map(|&heap| {
                let mut options = Vec::new();
                self.code.for_each_option(heap, |option| {
                    let mut word: Vec<u32> = option
                        .parts()
                        .flat_map(|part| words[self.stand_in[part as usize]].iter().copied())
                        .collect();
                    word.sort_unstable();
                    options.push(word);
                });
                options.sort_unstable();
                options.dedup();
                options
            })
            .collect();
        LevelGame { options }
    }
}
