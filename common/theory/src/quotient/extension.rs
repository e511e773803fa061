//! How does the misère quotient of `n - 1` heaps become that of `n`?
//!
//! If the new heap has a value in the quotient so far, nothing changes ([`Candidate::take_in`]). Otherwise the quotient is
//! computed anew by exact kernels, but not with every heap as a level: only the heaps that generate, and the new one.
//! Every other heap **stands in** as the lex-least word of its value over the smaller levels. The kernel of that smaller
//! game gives a candidate, which is verified over *all* heaps. If it fails at `X`, some heap of `X` is not a level
//! (positions of levels only are right: their options are, since everything below `X` is); it becomes one, together with it
//! as a stand-in for the later heaps that had the same value, and the kernel is computed again. As every round makes
//! one more heap a level, this ends.
//!
//! If the levels seem to have no finite quotient, that may be the stand-ins' fault: their outcome function, truncated, is
//! verified in the same way before "diverges" is believed ([`Extension::failure_of_truncation`]).

use super::Limits;
use super::candidate::Candidate;
use super::deficit::Failure;
use super::kernel::{Kernels, LevelGame, NoQuotient};
use crate::bipartite::{BipartiteMonoid, Element};
use crate::control::Control;
use crate::ruleset::Code;

/// Copies allowed before stand-ins are suspected. Finite quotients of the games known so far repeat after ten or fewer,
/// but for those that grow for ever.
const FEW_COPIES: u32 = 16;
/// Copies to which outcome functions are truncated to test the stand-ins.
const TRUNCATIONS: [u32; 3] = [2, 4, 8];
/// The most elements of a truncated quotient that is tested.
const MOST_TRUNCATED: usize = 20_000;

/// A word over heaps: heaps with their counts, ascending.
type HeapWord = Vec<(u32, u32)>;

/// The state of a game that is solved heap by heap.
pub(super) struct Extension<'a> {
    code: &'a Code,
    max_order: usize,
    max_copies: u32,
    kernels: Kernels,
    /// The heaps whose values generate, ascending; the monoid's generators in this order.
    levels: Vec<u32>,
    /// The distinct words that stand for heaps; the first is the empty word.
    words: Vec<HeapWord>,
    /// For each heap the word that stands for it.
    stand_in: Vec<usize>,
    candidate: Candidate,
}

impl<'a> Extension<'a> {
    pub(super) fn new(code: &'a Code, limits: &Limits) -> Self {
        Self {
            code,
            max_order: limits.max_order as usize,
            max_copies: limits.max_copies.max(1),
            kernels: Kernels::new(),
            levels: Vec::new(),
            words: vec![Vec::new()],
            stand_in: vec![0],
            candidate: Candidate::trivial(),
        }
    }

    /// The verified quotient and values so far.
    pub(super) fn candidate(&self) -> &Candidate {
        &self.candidate
    }

    /// The heaps whose values are the generators of the quotient.
    pub(super) fn levels(&self) -> &[u32] {
        &self.levels
    }

    /// Extends the quotient by the next heap; whether it changed. On failure all is as before.
    pub(super) fn next_heap(&mut self, control: &mut Control) -> Result<bool, NoQuotient> {
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
                        (self.levels, self.words, self.stand_in) = (levels, words, stand_in);
                        return Err(none);
                    }
                }
                Ok(self.candidate.monoid.order() != before)
            }
        }
    }

    /// The newest heap has a value in the quotient: its lex-least word stands for it.
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

    fn recompute(&mut self, control: &mut Control) -> Result<Candidate, NoQuotient> {
        let newest = self.stand_in.len() as u32;
        self.stand_in.push(0);
        self.make_level(newest);
        loop {
            let game = self.level_game();
            // A sequence that repeats does so early. If one does not, look first whether a stand-in is to blame.
            let few = FEW_COPIES.min(self.max_copies);
            let monoid = match self.kernels.quotient(&game, few, self.max_order, control) {
                Ok(monoid) => monoid,
                Err(NoQuotient::Stopped(stop)) => return Err(stop.into()),
                Err(NoQuotient::Diverges { .. } | NoQuotient::TooLarge) => {
                    if let Some(failure) = self.failure_of_truncation(&game, control)? {
                        self.promote(&failure);
                        continue;
                    }
                    self.kernels
                        .quotient(&game, self.max_copies, self.max_order, control)?
                }
            };
            let values = self.values_in(&monoid);
            let mut candidate = Candidate::unverified(monoid, None, values);
            match candidate.verify(self.code, &self.levels, control)? {
                None => return Ok(candidate),
                Some(failure) => self.promote(&failure),
            }
        }
    }

    /// A position that the stand-ins get wrong although the levels seem to have no finite quotient.
    ///
    /// A stand-in is right in the quotient before the newest heap came; with the newest heap the two may differ, and the
    /// levels may even have an infinite quotient where the game has a finite one. So before the levels' word is taken,
    /// their truncated outcome function is verified over all heaps, for a few copies and then for more.
    fn failure_of_truncation(
        &self,
        game: &LevelGame,
        control: &mut Control,
    ) -> Result<Option<Failure>, NoQuotient> {
        for copies in TRUNCATIONS {
            let truncated = match Kernels::truncated_quotient(game, copies, MOST_TRUNCATED, control)
            {
                Err(NoQuotient::TooLarge) => break,
                other => other?,
            };
            let values = self.values_in(&truncated.monoid);
            let mut candidate =
                Candidate::unverified(truncated.monoid, Some(&truncated.unknown), values);
            if let Some(failure) = candidate.verify(self.code, &self.levels, control)? {
                return Ok(Some(failure));
            }
        }
        Ok(None)
    }

    /// The values of all heaps by the words that stand for them.
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

    /// Makes one more heap a level: the largest of the failure that is none.
    fn promote(&mut self, failure: &Failure) {
        let is_level = |heap: u32| self.levels.binary_search(&heap).is_ok();
        let found = failure
            .iter()
            .rev()
            .map(|&(heap, _)| heap)
            .find(|&heap| !is_level(heap));
        // The least failure always has one. Were it otherwise any heap would do: with all as levels the kernel is exact.
        let any = || {
            (1..self.stand_in.len() as u32).find(|&heap| self.code.is_live(heap) && !is_level(heap))
        };
        if let Some(heap) = found.or_else(any) {
            self.make_level(heap);
        }
    }

    /// `heap` becomes a level and stands, from now on, for itself and for the later heaps that had the same word.
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

    /// The index of the level of a heap that is one.
    fn level_of(&self, heap: u32) -> usize {
        self.levels.binary_search(&heap).unwrap_or(0)
    }

    /// The options of the levels, as words over lower levels.
    fn level_game(&self) -> LevelGame {
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
