//! The computation of a block of neighbouring heaps.
//!
//! For every total of beans a *row* of bytes says of each number whether two heaps with so many
//! beans are known to have it as their nim-value. A rare heap `a` enters a row of total `t` with
//! every value `G(a) ⊕ G(t − a)`. As long as `t − a` lies before the block this needs nothing of
//! the block: so all rows of a block are filled first with the rare heaps that are at least as great
//! as the block is long, by several cores if there is much to do. The others are entered before
//! every few heaps, and the smallest of them heap by heap. A row serves all heaps from which a move
//! leaves its total.
//!
//! The nim-value is then the least number that is not met. The common numbers are known from the
//! rows. The rare ones are nearly all known to be met before the block begins (`planes`). For those
//! in doubt below the least common number not met, pairs of common heaps are gone through until
//! all are met, or there are no more pairs: a *window* of neighbouring heaps against the others,
//! read backwards, at a time.

use rayon::prelude::*;

use super::planes::{Doubts, Planes, STRETCH};
use super::space::{Space, splits};
use super::value::Value;
use crate::control::{Control, Stop};
use crate::ruleset::Code;

/// The length of a block, from so many heaps on.
pub(super) const BLOCK: usize = STRETCH;
/// The length of a block whose rows are long.
const SHORT_BLOCK: usize = 64;
/// Heaps before which the rare heaps that are not much smaller than a block are entered at a time.
const STEP: usize = 32;
/// The bytes of rows that one core fills at a time: they stay in the nearest cache.
const NEAR_BYTES: usize = 1 << 14;
/// Entries of a block from which on it is worth while to ask other cores.
const MUCH: usize = 150_000;
/// Pairs of common heaps that are gone through at a time.
const WINDOW: usize = 64;
/// The heaps whose values are also kept backwards, window by window.
const BACKWARDS: usize = 1 << 14;
/// Missing numbers from which on all sums of a window are entered.
const MANY_MISSING: usize = 12;
/// Entries made in one tick.
const ENTRIES_PER_TICK: u64 = 2;
/// Eight bytes that all say yes.
const ALL_MET: u64 = 0x0101_0101_0101_0101;

/// The state that stays from block to block, beside the values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub space: Space,
    /// The rare heaps, ascending.
    pub rare: Vec<u32>,
}

/// The reasons for which a block is not finished; the values are then those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfinished {
    Stopped(Stop),
    /// A nim-value has no byte in a row.
    TooGreat,
}

impl From<Stop> for Unfinished {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// The rows of a block and of the totals before it that are still asked for.
///
/// A row says yes of every rare number, too; those of which this is not certain are in doubt.
pub(super) struct Rows<V, const N: usize> {
    /// The first total after those of the latest block; 0 if there was none.
    next_total: usize,
    met: Vec<[u8; N]>,
    /// For each row the rare numbers in doubt, a bit each.
    doubts: Doubts,
    planes: Planes<N>,
    /// The values of the heaps from 1 on, those of each window backwards.
    backwards: Vec<V>,
    /// Rare numbers that are missing.
    missing: Vec<V>,
}

impl<V: Value, const N: usize> Rows<V, N> {
    /// The words of a row that has a bit for each number.
    const WORDS: usize = N.div_ceil(64);

    pub(super) fn new() -> Self {
        Self {
            next_total: 0,
            met: Vec::new(),
            doubts: Vec::new(),
            planes: Planes::new(),
            backwards: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// Appends the values of up to [`BLOCK`] heaps.
    pub(super) fn extend(
        &mut self,
        code: &Code,
        values: &mut Vec<V>,
        standing: &mut Standing,
        last: usize,
        control: &mut Control,
    ) -> Result<(), Unfinished> {
        let (first, rare) = (values.len(), standing.rare.len());
        let done = self.try_extend(code, values, standing, last, control);
        if done.is_err() {
            values.truncate(first);
            standing.rare.truncate(rare);
            self.next_total = 0;
        }
        done
    }

    fn try_extend(
        &mut self,
        code: &Code,
        values: &mut Vec<V>,
        standing: &mut Standing,
        last: usize,
        control: &mut Control,
    ) -> Result<(), Unfinished> {
        let first = values.len();
        let block = if N > 1024 { SHORT_BLOCK } else { BLOCK };
        let length = (block - first % block).min(first).min(last + 1 - first);
        let splits: Vec<usize> = splits(code).collect();
        let back = splits.last().copied().unwrap_or(0);
        let entered = standing.rare.len() as u64;
        if !splits.is_empty() {
            control.spend(length as u64 * (entered / ENTRIES_PER_TICK + N as u64 / 64))?;
            let ticks = self.fill(values, standing, &splits, length);
            control.spend(ticks)?;
        }
        let rare = standing.rare.iter();
        let rare = rare.map(|&heap| (heap as usize, values[heap as usize]));
        let rare: Vec<(usize, V)> = rare.take_while(|&(heap, _)| heap < length).collect();
        let (small, middle) = rare.split_at(rare.partition_point(|&(heap, _)| heap < STEP));
        let next = self.backwards.len();
        if next < BACKWARDS && next + WINDOW < first {
            let window = values[next + 1..=next + WINDOW].iter().rev();
            self.backwards.extend(window);
        }
        for heap in first..first + length {
            if !splits.is_empty() {
                let rows = &mut self.met[heap - first + back..];
                if (heap - first).is_multiple_of(STEP) {
                    let near = rows.len().min(STEP);
                    for &(one, value) in middle {
                        enter(&mut rows[..near], heap, one, value, values);
                    }
                }
                for &(one, value) in small.iter().take_while(|&&(one, _)| one < heap) {
                    rows[0][(value.number() ^ values[heap - one].number()) % N] = 1;
                }
            }
            let mut met = self.row(&splits, heap, first);
            for taken in 1..=code.length().min(heap) {
                let (digit, rest) = (code.digit(taken), heap - taken);
                if digit & 1 != 0 && rest == 0 {
                    met[0] = 1;
                }
                if digit & 2 != 0 && rest > 0 {
                    met[values[rest].number() % N] = 1;
                }
            }
            let ceiling = first_zero(&met).ok_or(Unfinished::TooGreat)?;
            control.spend(20 + 4 * code.length() as u64)?;
            self.find_missing(code, values, standing.space, &splits, first, ceiling);
            if !self.missing.is_empty() {
                self.missing
                    .iter()
                    .for_each(|number| met[number.number() % N] = 0);
                for &taken in splits.iter().filter(|&&taken| taken + 2 <= heap) {
                    let total = heap - taken;
                    self.go_through_pairs(values, total, ceiling, &mut met, control)?;
                }
            }
            let missing = self.missing.first();
            let missing = missing.map_or(ceiling, |number| number.number());
            let value = V::of(missing);
            values.push(value);
            if standing.space.is_rare(missing, heap) {
                standing.rare.push(heap as u32);
                // With the heaps of the block it enters what is not filled yet.
                let rows = self.met.iter_mut().skip(heap + 1 + back - first);
                for (row, other) in rows.zip(&values[1..]).take(first + length - 1 - heap) {
                    row[(value.number() ^ other.number()) % N] = 1;
                }
            }
        }
        self.next_total = first + length;
        Ok(())
    }

    /// What splits of a heap are known to meet, rare numbers in doubt among it.
    fn row(&self, splits: &[usize], heap: usize, first: usize) -> [u8; N] {
        let mut rows = rows_of(splits, heap, first);
        let Some(mut met) = rows.next().map(|row| self.met[row]) else {
            return [0; N];
        };
        for row in rows {
            let row = &self.met[row];
            met.iter_mut().zip(row).for_each(|(met, row)| *met |= row);
        }
        met
    }

    /// Finds the rare numbers less than `ceiling` that the next heap is not known to meet.
    fn find_missing(
        &mut self,
        code: &Code,
        values: &[V],
        space: Space,
        splits: &[usize],
        first: usize,
        ceiling: usize,
    ) {
        let heap = values.len();
        let rows = rows_of(splits, heap, first);
        self.missing.clear();
        if rows.clone().next().is_none() {
            return;
        }
        for word in 0..ceiling.div_ceil(64) {
            let doubts = rows
                .clone()
                .map(|row| self.doubts[row * Self::WORDS + word]);
            let mut left = doubts.fold(u64::MAX, |left, doubts| left & doubts);
            while left != 0 {
                let number = 64 * word + left.trailing_zeros() as usize;
                left &= left - 1;
                let single = |taken: usize| {
                    let (digit, rest) = (code.digit(taken), heap - taken);
                    digit & 1 != 0 && rest == 0 && number == 0
                        || digit & 2 != 0 && rest > 0 && values[rest].number() == number
                };
                if number < ceiling
                    && space.is_rare(number, heap)
                    && !(1..=code.length().min(heap)).any(single)
                {
                    self.missing.push(V::of(number));
                }
            }
        }
    }

    /// Goes through the pairs of heaps with a total until no number below `ceiling` is missing.
    fn go_through_pairs(
        &mut self,
        values: &[V],
        total: usize,
        ceiling: usize,
        met: &mut [u8; N],
        control: &mut Control,
    ) -> Result<(), Stop> {
        let mut one = 1;
        while !self.missing.is_empty() && one <= total / 2 {
            if self.missing.len() < MANY_MISSING {
                control.spend(4 + self.missing.len() as u64)?;
                let sums = self.sums(values, total, one);
                self.missing
                    .retain(|&number| !sums.iter().fold(false, |any, &sum| any | (sum == number)));
                one += WINDOW;
                continue;
            }
            for _ in 0..self.missing.len() / MANY_MISSING {
                if one <= total / 2 {
                    control.spend(WINDOW as u64)?;
                    for sum in self.sums(values, total, one) {
                        met[sum.number() % N] = 1;
                    }
                    one += WINDOW;
                }
            }
            self.missing.clear();
            collect(&met[..ceiling], &mut self.missing);
        }
        Ok(())
    }

    /// The sums of the values of the heaps of a window, the first of which is `one`, with those of
    /// the heaps that make up the total.
    fn sums(&self, values: &[V], total: usize, one: usize) -> [V; WINDOW] {
        let others = &values[1..=total - one];
        let mut sums = [values[one] ^ others[others.len() - 1]; WINDOW];
        let window = self.backwards.get(one - 1..one - 1 + WINDOW);
        if let (Some(window), Some(others)) = (window, others.last_chunk::<WINDOW>()) {
            for (sum, (one, other)) in sums.iter_mut().zip(window.iter().zip(others)) {
                *sum = *one ^ *other;
            }
        } else {
            let others = others.iter().rev();
            for (sum, (one, other)) in sums.iter_mut().zip(values[one..].iter().zip(others)) {
                *sum = *one ^ *other;
            }
        }
        sums
    }

    /// Fills the rows of a block with all values that do not depend on it, and finds out what is in
    /// doubt. This took so many ticks beside the entries.
    fn fill(&mut self, values: &[V], standing: &Standing, splits: &[usize], length: usize) -> u64 {
        let first = values.len();
        let back = splits.last().copied().unwrap_or(0);
        let rare = standing.rare.iter();
        let rare: Vec<(usize, V)> = rare
            .map(|&heap| (heap as usize, values[heap as usize]))
            .collect();
        let sign = |total: usize| standing.space.sign(total + splits[0]);
        let rare_numbers = [0, 1].map(|sign| rare_numbers::<N>(standing.space.mask, sign));
        let earlier = (first - back.min(first)..first).rev().take(back);
        if self.next_total == first && self.met.len() >= back {
            let rest = self.met.len() - back;
            self.met.copy_within(rest.., 0);
            self.met.truncate(back);
            self.doubts.copy_within(rest * Self::WORDS.., 0);
            self.doubts.truncate(back * Self::WORDS);
        } else {
            self.met.clear();
            self.met.resize(back, [0; N]);
            for (row, total) in self.met.iter_mut().rev().zip(earlier) {
                *row = rare_numbers[sign(total) as usize];
                for &(one, value) in &rare {
                    enter(std::slice::from_mut(row), total, one, value, values);
                }
            }
            self.doubts.clear();
            self.doubts.resize(back * Self::WORDS, u64::MAX);
        }
        let rows = (first..first + length).map(|total| rare_numbers[sign(total) as usize]);
        self.met.extend(rows);
        self.planes.enter(values);
        let greatest = values
            .iter()
            .rev()
            .take(BLOCK)
            .map(|value| value.number())
            .max();
        let bound = greatest.map_or(0, |number| number + 1);
        let rare = &rare[rare.partition_point(|&(heap, _)| heap < length)..];
        let near = (NEAR_BYTES / N).max(16);
        let part = |(at, rows): (usize, &mut [[u8; N]])| {
            for &(one, value) in rare {
                enter(rows, first + at * near, one, value, values);
            }
        };
        let signs = [sign(first), sign(first + 1)];
        let (rows, planes) = (&mut self.met[back..], &self.planes);
        let doubts = || planes.doubts(values, standing.space.mask, signs, length, bound);
        let (doubts, ticks) = if (rare.len() + 8 * bound) * length >= MUCH {
            let fill = || rows.par_chunks_mut(near).enumerate().for_each(part);
            rayon::join(fill, doubts).1
        } else {
            rows.chunks_mut(near).enumerate().for_each(part);
            doubts()
        };
        self.doubts.extend(doubts);
        ticks
    }
}

/// The places of the rows of the totals that splits of a heap leave.
fn rows_of(
    splits: &[usize],
    heap: usize,
    first: usize,
) -> impl Iterator<Item = usize> + Clone + '_ {
    let back = splits.last().copied().unwrap_or(0);
    let splits = splits.iter().filter(move |&&taken| taken + 2 <= heap);
    splits.map(move |taken| heap + back - first - taken)
}

/// Enters a rare heap, with every heap that makes up a total, into the rows of the totals from
/// `total` on.
#[inline]
fn enter<V: Value, const N: usize>(
    rows: &mut [[u8; N]],
    total: usize,
    one: usize,
    value: V,
    values: &[V],
) {
    let from = total.max(one + 1);
    let to = (total + rows.len()).min(one + values.len());
    if from < to {
        let others = &values[from - one..to - one];
        for (row, &other) in rows[from - total..to - total].iter_mut().zip(others) {
            row[(value ^ other).number() % N] = 1;
        }
    }
}

/// For each number whether it has as many ones under the mask, modulo 2, as the sign says.
fn rare_numbers<const N: usize>(mask: u32, sign: u32) -> [u8; N] {
    std::array::from_fn(|number| u8::from((number as u32 & mask).count_ones() % 2 == sign))
}

/// The first place of 0.
fn first_zero<const N: usize>(met: &[u8; N]) -> Option<usize> {
    let mut words = met.as_chunks::<8>().0.iter().enumerate();
    let (at, word) = words.find(|&(_, word)| u64::from_le_bytes(*word) != ALL_MET)?;
    let word = u64::from_le_bytes(*word) ^ ALL_MET;
    Some(8 * at + word.trailing_zeros() as usize / 8)
}

/// Appends the places of 0.
fn collect<V: Value>(met: &[u8], missing: &mut Vec<V>) {
    let (words, rest) = met.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let mut left = u64::from_le_bytes(*word) ^ ALL_MET;
        while left != 0 {
            missing.push(V::of(8 * at + left.trailing_zeros() as usize / 8));
            left &= left - 1;
        }
    }
    let before = met.len() - rest.len();
    let rest = (before..).zip(rest).filter(|&(_, &met)| met == 0);
    missing.extend(rest.map(|(number, _)| V::of(number)));
}
