//! The few heaps that represent all heaps, and the moves in them.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;

use super::reading::Reading;
use crate::quotient::capped::MAX_SCARCE_CHOICES;

/// A vector of counts, one for each level.
pub(super) type Counts = Vec<i32>;

/// A cycle of a heap `h`: `x·h` and `(x + period)·h` have equal values for `x ≥ index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The count at which the cycle begins.
    pub index: u32,
    /// The length of the cycle.
    pub period: u32,
}

/// The heaps that are levels, their options as words over lower levels, and the words of all heaps.
#[derive(Clone, Debug)]
pub(super) struct System {
    /// The heaps that are levels, ascending.
    pub(super) levels: Vec<u32>,
    /// The options of each level, as words over lower levels.
    pub(super) options: Vec<Vec<Counts>>,
    /// A guess of the cycle of each level, from the game without the greatest level.
    pub(super) cycles: Vec<Cycle>,
    /// The heaps that are not levels and to which moves in the levels lead.
    ///
    /// If the great heaps are scarce, these include all other heaps that are not levels and may
    /// have any number of copies.
    pub(super) others: Vec<Other>,
    /// The scarce heaps, if there are any.
    scarce: Option<Scarce>,
    /// The word of each heap from 0 on: heaps with counts.
    words: Vec<Vec<(u32, u32)>>,
}

/// The choice of the scarce heaps.
#[derive(Clone, Debug)]
struct Scarce {
    /// The greatest heap that may have any number of copies.
    free: u32,
    /// Scarce heaps, with repetitions. Moves lead from them to all positions of scarce heaps.
    start: Vec<u32>,
}

/// A heap that is not a level.
#[derive(Clone, Debug)]
pub(super) struct Other {
    pub(super) heap: u32,
    pub(super) word: Counts,
    pub(super) options: Vec<Counts>,
}

/// The cycle that is assumed for a level if nothing is known.
const DEFAULT_CYCLE: Cycle = Cycle {
    index: 1,
    period: 2,
};

impl System {
    pub(super) fn new(
        code: &Code,
        levels: &[u32],
        words: &[Vec<(u32, u32)>],
        cycles: &[Cycle],
    ) -> Self {
        Self::with(code, levels, words, cycles, None)
    }

    fn with(
        code: &Code,
        levels: &[u32],
        words: &[Vec<(u32, u32)>],
        cycles: &[Cycle],
        scarce: Option<Scarce>,
    ) -> Self {
        let mut system = Self {
            levels: levels.to_vec(),
            options: Vec::new(),
            others: Vec::new(),
            cycles: levels
                .iter()
                .enumerate()
                .map(|(level, _)| cycles.get(level).copied().unwrap_or(DEFAULT_CYCLE))
                .collect(),
            scarce,
            words: words.to_vec(),
        };
        system.list_options(code);
        system
    }

    /// Returns a system with scarce heaps above `free`.
    ///
    /// The heaps to `free` may have any number of copies. Together with them there are the heaps of
    /// `start`, or a position that moves lead to from there. These may be greater than the heaps
    /// that have words, as all heaps above `free` are levels, which need no words.
    pub(super) fn with_scarce_heaps(
        code: &Code,
        levels: &[u32],
        words: &[Vec<(u32, u32)>],
        (free, start): (u32, &[u32]),
    ) -> Self {
        let mut words = words.to_vec();
        let greatest = start.iter().copied().max().unwrap_or(0) as usize;
        words.resize(words.len().max(greatest + 1), Vec::new());
        let mut great = BTreeSet::new();
        let mut open = start.to_vec();
        while let Some(heap) = open.pop() {
            if heap > free && great.insert(heap) {
                words[heap as usize] = vec![(heap, 1)];
                code.for_each_option(heap, |option| {
                    open.extend(option.parts().filter(|&part| code.is_live(part)));
                });
            }
        }
        let of_many = levels.iter().copied().filter(|&level| level <= free);
        let levels: Vec<u32> = of_many.chain(great).collect();
        let start = start.to_vec();
        Self::with(code, &levels, &words, &[], Some(Scarce { free, start }))
    }

    /// Returns the number of levels that are not scarce, and the copies of each of the others.
    ///
    /// All examined positions can be reached from these copies. The result is `None` if the great
    /// heaps are not scarce.
    pub(super) fn scarce_heaps(&self) -> Option<(usize, Vec<u32>)> {
        let scarce = self.scarce.as_ref()?;
        let before = self.levels.partition_point(|&level| level <= scarce.free);
        let mut copies = vec![0; self.levels.len() - before];
        for heap in &scarce.start {
            let level = self.levels.binary_search(heap).ok()?;
            *copies.get_mut(level.checked_sub(before)?)? += 1;
        }
        Some((before, copies))
    }

    /// Reports whether there are few enough choices of scarce heaps for outcomes to be found.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub(super) fn has_few_scarce_positions(&self, control: &mut Control) -> Result<bool, Stop> {
        let Some((before, scarce)) = self.scarce_heaps() else {
            return Ok(true);
        };
        let mut reached = FxHashSet::from_iter([scarce.clone()]);
        let mut open = vec![scarce];
        while let Some(position) = open.pop() {
            for at in (0..position.len()).filter(|&at| position[at] > 0) {
                for option in &self.options[before + at] {
                    control.spend(1)?;
                    let mut left = position.clone();
                    left[at] -= 1;
                    for (count, &more) in left.iter_mut().zip(&option[before..]) {
                        *count += more.unsigned_abs();
                    }
                    if reached.insert(left.clone()) {
                        open.push(left);
                    }
                }
            }
            if reached.len() > MAX_SCARCE_CHOICES {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the greatest level that may have any number of copies.
    pub(super) fn greatest_of_many(&self) -> Option<usize> {
        let of_many = match &self.scarce {
            Some(scarce) => self.levels.partition_point(|&level| level <= scarce.free),
            None => self.levels.len(),
        };
        of_many.checked_sub(1)
    }

    /// Makes one more heap a level.
    ///
    /// From now on the heap represents itself, and greater heaps that had its word.
    pub(super) fn promote(&mut self, code: &Code, heap: u32) {
        let Err(at) = self.levels.binary_search(&heap) else {
            return;
        };
        self.levels.insert(at, heap);
        self.cycles.insert(at, DEFAULT_CYCLE);
        let before = self.words[heap as usize].clone();
        for later in heap as usize..self.words.len() {
            if self.words[later] == before && code.is_live(later as u32) {
                self.words[later] = vec![(heap, 1)];
            }
        }
        self.list_options(code);
    }

    /// Gives a heap that is not a level another word.
    pub(super) fn reword(&mut self, code: &Code, heap: u32, word: Vec<(u32, u32)>) {
        self.words[heap as usize] = word;
        self.list_options(code);
    }

    /// Returns the word of a heap: heaps that are levels, with counts.
    pub(super) fn word(&self, heap: u32) -> Vec<(u32, u32)> {
        self.words[heap as usize].clone()
    }

    fn list_options(&mut self, code: &Code) {
        self.options = self
            .levels
            .iter()
            .map(|&heap| self.options_of(code, heap))
            .collect();
        let mut reached: BTreeSet<u32> = self.levels.iter().copied().collect();
        if let Some(Scarce { free, .. }) = self.scarce {
            // Such a heap may separate positions even though no move in a level leaves it.
            reached.extend((0..=free).filter(|&heap| code.is_live(heap)));
        }
        let mut open: Vec<u32> = reached.iter().copied().collect();
        while let Some(heap) = open.pop() {
            code.for_each_option(heap, |option| {
                let live = option.parts().filter(|&part| code.is_live(part));
                open.extend(live.filter(|&part| reached.insert(part)));
            });
        }
        let others = reached
            .iter()
            .filter(|heap| self.levels.binary_search(heap).is_err());
        self.others = others
            .map(|&heap| Other {
                heap,
                word: self.counts(&[heap]),
                options: self.options_of(code, heap),
            })
            .collect();
    }

    /// Returns the options of a heap, as words.
    fn options_of(&self, code: &Code, heap: u32) -> Vec<Counts> {
        let mut options = BTreeSet::new();
        code.for_each_option(heap, |option| {
            let parts: Vec<u32> = option.parts().collect();
            options.insert(self.counts(&parts));
        });
        options.into_iter().collect()
    }

    /// Returns the counts of the levels in the words of some heaps.
    fn counts(&self, heaps: &[u32]) -> Counts {
        let mut counts = vec![0; self.levels.len()];
        for &heap in heaps {
            for (level, count) in &self.words[heap as usize] {
                if let Ok(level) = self.levels.binary_search(level) {
                    counts[level] += *count as i32;
                }
            }
        }
        counts
    }

    /// Returns the sides of a box of counts of the digits.
    ///
    /// The side is about `size` for the greatest digit. A move in it can make several copies of a
    /// lower digit, whose side is longer by that factor.
    pub(super) fn sides(&self, readings: &[Reading], size: i32) -> Vec<i32> {
        /// The greatest factor by which the side of a lower digit is longer.
        const MAX_FACTOR: i32 = 4;
        let mut weights: Vec<i32> = Vec::new();
        for (options, reading) in self.options.iter().zip(readings) {
            let weigh = |option: &Counts| {
                let parts = option.iter().zip(&weights);
                parts.fold(0_i32, |sum, (&x, &weight)| {
                    sum.saturating_add(x.saturating_mul(weight))
                })
            };
            let greatest = options.iter().map(weigh).max().unwrap_or(0);
            weights.push(greatest.max(i32::from(*reading == Reading::Digits)));
        }
        let greatest = weights.last().copied().unwrap_or(1);
        let digits = (0..readings.len()).filter(|&level| readings[level] == Reading::Digits);
        digits
            .map(|level| size.saturating_mul((greatest / weights[level]).clamp(1, MAX_FACTOR)))
            .collect()
    }
}
