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
//! through until all are met, or there are no more pairs. Some common heaps, as many as were needed
//! lately, are entered together with the rare ones.

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
/// Pairs of common heaps that are gone through before asking again what is missing.
const PAIRS: usize = 32;
/// Entries made in one tick.
const ENTRIES_PER_TICK: u64 = 2;
/// Common heaps that are entered with the rare ones at most.
const MOST_COMPANIONS: usize = 1024;

/// Eight bytes that all say yes.
const ALL_MET: u64 = 0x0101_0101_0101_0101;

/// What stays from block to block beside the values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub space: Space,
    /// The rare heaps, ascending.
    pub rare: Vec<u32>,
    /// The number of common heaps entered with the rare ones.
    pub companions: usize,
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
pub(super) struct Rows<const N: usize> {
    /// The first total after those of the latest block; 0 if there was none.
    next_total: usize,
    met: Vec<[u8; N]>,
    /// For every row the pairs of common heaps not gone through yet.
    left: Vec<Left>,
}

/// The pairs of heaps that are left to go through: smaller ones from `next` on, then those before
/// `start`.
#[derive(Clone, Copy, Default)]
struct Left {
    next: usize,
    start: usize,
    again: bool,
}

impl Left {
    /// The next few of the smaller heaps, and the first not among them.
    fn take(&mut self, total: usize) -> Option<(usize, usize)> {
        if !self.again && self.next > total / 2 {
            (self.again, self.next) = (true, 1);
        }
        let end = if self.again {
            self.start.min(total / 2 + 1)
        } else {
            total / 2 + 1
        };
        let from = self.next;
        self.next = (from + PAIRS).min(end).max(from);
        (from < end).then_some((from, self.next))
    }
}

impl<const N: usize> Rows<N> {
    pub(super) fn new() -> Self {
        Self {
            next_total: 0,
            met: Vec::new(),
            left: Vec::new(),
        }
    }

    /// Appends the values of up to [`BLOCK`] heaps.
    pub(super) fn extend<V: Value>(
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

    fn try_extend<V: Value>(
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
        let entered = (standing.rare.len() + standing.companions) as u64;
        if !splits.is_empty() {
            control.spend(length as u64 * (entered / ENTRIES_PER_TICK + N as u64 / 64))?;
            self.fill(values, standing, back, length);
        }
        let small: Vec<(usize, V)> = (standing.rare.iter())
            .map(|&heap| (heap as usize, values[heap as usize]))
            .take_while(|&(heap, _)| heap < length)
            .collect();
        let hidden = [0, 1].map(|sign| rare_numbers::<N>(standing.space.mask, sign));
        let mut looked_at = 0;
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
            let mut missing = first_zero_of(&met[..ceiling]);
            for &taken in splits.iter().filter(|&&taken| taken + 2 <= heap) {
                let (total, at) = (heap - taken, heap - taken + back - first);
                while missing < ceiling {
                    let Some((from, to)) = self.left[at].take(total) else {
                        break;
                    };
                    let others = values[total + 1 - to..=total - from].iter().rev();
                    for (one, other) in values[from..to].iter().zip(others) {
                        let number = (one.number() ^ other.number()) % N;
                        self.met[at][number] = 1;
                        met[number] = 1;
                    }
                    control.spend(PAIRS as u64)?;
                    looked_at += to - from;
                    missing = first_zero_of(&met[..ceiling]);
                }
            }
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
        let often = looked_at / length;
        if often > PAIRS {
            standing.companions = (standing.companions + PAIRS / 2).min(MOST_COMPANIONS);
        } else if often < PAIRS / 4 {
            standing.companions = standing.companions.saturating_sub(PAIRS / 2);
        }
        Ok(())
    }

    /// Fills the rows of a block with all values that do not depend on it.
    fn fill<V: Value>(&mut self, values: &[V], standing: &Standing, back: usize, length: usize) {
        let first = values.len();
        let entered = entered(values, standing);
        let start = BLOCK + standing.companions + 1;
        let fresh = Left {
            next: start,
            start,
            again: false,
        };
        let kept = if self.next_total == first && self.met.len() >= back {
            let rest = self.met.len() - back;
            self.met.copy_within(rest.., 0);
            self.left.copy_within(rest.., 0);
            back
        } else {
            0
        };
        self.met.truncate(kept);
        self.left.truncate(kept);
        self.met.resize(back + length, [0; N]);
        self.left.resize(back + length, fresh);
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

/// The heaps that are entered into every row, with their values.
fn entered<V: Value>(values: &[V], standing: &Standing) -> Vec<(usize, V)> {
    let end = (BLOCK + 1 + standing.companions).min(values.len());
    let companions = values.get(BLOCK + 1..end).unwrap_or_default();
    let companions = (BLOCK + 1..).zip(companions.iter().copied());
    let rare = standing.rare.iter().map(|&heap| heap as usize);
    rare.map(|heap| (heap, values[heap]))
        .chain(companions)
        .collect()
}

/// Enters heaps into rows; row 0 of the block is that of total `values.len() - back`.
fn enter<V: Value, const N: usize>(
    rows: &mut [[u8; N]],
    first_row: usize,
    back: usize,
    entered: &[(usize, V)],
    values: &[V],
) {
    // The totals are those of the rows, `back` greater.
    let (low, high) = (
        first_row + values.len(),
        first_row + values.len() + rows.len(),
    );
    for &(one, value) in entered {
        let from = low.max(one + 1 + back);
        let to = high.min(one + values.len() + back);
        if from < to {
            let others = &values[from - one - back..to - one - back];
            for (row, other) in rows[from - low..to - low].iter_mut().zip(others) {
                row[(value.number() ^ other.number()) % N] = 1;
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

/// The first place of a 0, or the length.
fn first_zero_of(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word) ^ ALL_MET;
        if word != 0 {
            return 8 * at + word.trailing_zeros() as usize / 8;
        }
    }
    let before = bytes.len() - rest.len();
    before
        + rest
            .iter()
            .position(|&byte| byte == 0)
            .unwrap_or(rest.len())
}
