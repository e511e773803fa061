//! The computation of a block of neighbouring heaps.
//!
//! For every total of beans a *row* of bytes says of each number whether two heaps with so many
//! beans are known to have it as their nim-value. A rare heap `a` enters a row of total `t` with
//! every value `G(a) ⊕ G(t − a)`. As long as `t − a` lies before the block this needs nothing of
//! the block: so all rows of a block are filled first, by several cores if there is much to do, and
//! heap by heap only what is left is entered, that is, the rare heaps smaller than the block is
//! long. A row serves all heaps from which a move leaves its total.
//!
//! The nim-value is then the least number that is not met. The common numbers are known from the
//! rows. For the rare ones below the least common number not met, pairs of common heaps are gone
//! through until all are met, or there are no more pairs: a *window* of neighbouring heaps against
//! the others, read backwards, at a time.

use rayon::prelude::*;

use super::space::{Space, splits};
use super::value::Value;
use crate::control::{Control, Stop};
use crate::ruleset::Code;

/// The length of a block, from so many heaps on.
pub(super) const BLOCK: usize = 256;
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
pub(super) struct Rows<V, const N: usize> {
    /// The first total after those of the latest block; 0 if there was none.
    next_total: usize,
    met: Vec<[u8; N]>,
    /// The values of the heaps from 1 on, those of each window backwards.
    backwards: Vec<V>,
    /// Rare numbers that are missing.
    missing: Vec<V>,
}

impl<V: Value, const N: usize> Rows<V, N> {
    pub(super) fn new() -> Self {
        Self {
            next_total: 0,
            met: Vec::new(),
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
        let length = BLOCK.min(first).min(last + 1 - first);
        let splits: Vec<usize> = splits(code).collect();
        let back = splits.last().copied().unwrap_or(0);
        let entered = standing.rare.len() as u64;
        if !splits.is_empty() {
            control.spend(length as u64 * (entered / ENTRIES_PER_TICK + N as u64 / 64))?;
            self.fill(values, standing, back, length);
        }
        let small: Vec<(usize, V)> = (standing.rare.iter())
            .map(|&heap| (heap as usize, values[heap as usize]))
            .take_while(|&(heap, _)| heap < length)
            .collect();
        let next = self.backwards.len();
        if next < BACKWARDS && next + WINDOW < first {
            let window = values[next + 1..=next + WINDOW].iter().rev();
            self.backwards.extend(window);
        }
        let hidden = [0, 1].map(|sign| rare_numbers::<N>(standing.space.mask, sign));
        for heap in first..first + length {
            if !splits.is_empty() {
                let row = &mut self.met[heap - first + back];
                for &(one, value) in small.iter().take_while(|&&(one, _)| one <= heap - first) {
                    row[(value.number() ^ values[heap - one].number()) % N] = 1;
                }
            }
            let mut met = [0; N];
            for taken in 1..=code.length().min(heap) {
                let (digit, rest) = (code.digit(taken), heap - taken);
                if digit & 1 != 0 && rest == 0 {
                    met[0] = 1;
                }
                if digit & 2 != 0 && rest > 0 {
                    met[values[rest].number() % N] = 1;
                }
            }
            for &taken in splits.iter().filter(|&&taken| taken + 2 <= heap) {
                let row = &self.met[heap - taken + back - first];
                met.iter_mut().zip(row).for_each(|(met, row)| *met |= row);
            }
            let hidden = &hidden[standing.space.sign(heap) as usize];
            let ceiling = first_zero(&met, hidden).ok_or(Unfinished::TooGreat)?;
            control.spend(20 + 4 * code.length() as u64)?;
            self.missing.clear();
            collect(&met[..ceiling], &mut self.missing);
            for &taken in splits.iter().filter(|&&taken| taken + 2 <= heap) {
                let total = heap - taken;
                self.go_through_pairs(values, total, ceiling, &mut met, control)?;
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

    /// Fills the rows of a block with all values that do not depend on it.
    fn fill(&mut self, values: &[V], standing: &Standing, back: usize, length: usize) {
        let first = values.len();
        let rare = standing.rare.iter();
        let entered: Vec<(u32, V)> = rare.map(|&heap| (heap, values[heap as usize])).collect();
        let kept = if self.next_total == first && self.met.len() >= back {
            let rest = self.met.len() - back;
            self.met.copy_within(rest.., 0);
            back
        } else {
            0
        };
        self.met.truncate(kept);
        self.met.resize(back + length, [0; N]);
        let rows = &mut self.met[kept..];
        let from = kept;
        let near = (NEAR_BYTES / N).max(8);
        let part = |(at, rows): (usize, &mut [[u8; N]])| {
            enter(rows, from + at * near, back, &entered, values);
        };
        if entered.len() * rows.len() >= MUCH {
            rows.par_chunks_mut(near).enumerate().for_each(part);
        } else {
            rows.chunks_mut(near).enumerate().for_each(part);
        }
    }
}

/// Enters heaps into rows; row 0 of the block is that of total `values.len() - back`.
fn enter<V: Value, const N: usize>(
    rows: &mut [[u8; N]],
    first_row: usize,
    back: usize,
    entered: &[(u32, V)],
    values: &[V],
) {
    let first = values.len();
    for (row, total) in rows.iter_mut().zip(first + first_row..) {
        // The totals are `back` less.
        let Some(total) = total.checked_sub(back) else {
            continue;
        };
        let from = entered.partition_point(|&(one, _)| one as usize + first <= total);
        let to = entered.partition_point(|&(one, _)| (one as usize) < total);
        let known = &values[..first.min(total)];
        for &(one, value) in entered.get(from..to).unwrap_or_default() {
            if let Some(&other) = known.get(total - one as usize) {
                row[(value ^ other).number() % N] = 1;
            }
        }
    }
}

/// For each number whether it has as many ones under the mask, modulo 2, as the sign says.
fn rare_numbers<const N: usize>(mask: u32, sign: u32) -> [u8; N] {
    std::array::from_fn(|number| u8::from((number as u32 & mask).count_ones() % 2 == sign))
}

/// The first place where both are 0.
fn first_zero<const N: usize>(one: &[u8; N], other: &[u8; N]) -> Option<usize> {
    let words = one.as_chunks::<8>().0.iter().zip(other.as_chunks::<8>().0);
    for (at, (one, other)) in words.enumerate() {
        let word = u64::from_le_bytes(*one) | u64::from_le_bytes(*other);
        if word != ALL_MET {
            return Some(8 * at + (word ^ ALL_MET).trailing_zeros() as usize / 8);
        }
    }
    None
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
