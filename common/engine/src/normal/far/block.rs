//! The computation of a block of neighbouring heaps.
//!
//! A number is *met* for a heap if it is the nim-value of an option. For every total of beans a
//! *row* of bytes says of each number whether two heaps with this total are known to have it as
//! their nim-value. A rare heap `a` enters a row of total `t` with every value `G(a) ⊕ G(t − a)`.
//! As long as `t − a` lies before the block, this does not depend on the block. So all rows of a
//! block are filled first with the rare heaps that are at least as great as the block is long, by
//! several cores if there is much to do. Smaller rare heaps are entered before every few heaps, and
//! the smallest of them heap by heap. A row serves all heaps from which a move leaves its total.
//!
//! The nim-value is then the least number that is not met. The rows decide the common numbers.
//! Nearly all rare numbers are known to be met before the block begins (`planes`). For the doubtful
//! ones below the least common number not met, pairs of common heaps are tried until all are met,
//! or there are no more pairs: one *window* of neighbouring heaps against the others, read
//! backwards, at a time, and after some windows many of them at a time.

use std::ops::BitOr;

use rayon::prelude::*;

use misere_game::control::{Control, Stop};

use super::moves::Moves;
use super::planes::{Planes, STRETCH};
use super::space::Space;
use super::value::Value;

/// The length of a block, once there are enough heaps.
pub(super) const BLOCK: usize = STRETCH;
/// The length of a block whose rows are long.
const SHORT_BLOCK: usize = 64;
/// The number of heaps after which the next rows are filled with rare heaps of middle size.
///
/// These are not much smaller than a block.
const STEP: usize = 32;
/// The bytes of rows that one core fills at a time: they stay in the nearest cache.
const NEAR_BYTES: usize = 1 << 14;
/// Rows that are filled at the same time.
const ROWS_AT_ONCE: usize = 16;
/// The number of entries of a block from which on other cores are worthwhile.
const MIN_PARALLEL_ENTRIES: usize = 150_000;
/// The number of pairs of common heaps that are tried at a time.
const WINDOW: usize = 64;
/// The number of heaps whose values are also stored backwards, window by window.
const BACKWARDS: usize = 1 << 18;
/// The number of windows that are tried at once for one missing number.
///
/// This begins after as many windows without success.
const LONG: usize = 16;
/// The number of missing numbers from which on all sums of a window are entered.
const MIN_MISSING_FOR_ALL_SUMS: usize = 8;
/// The number of entries made in one tick.
const ENTRIES_PER_TICK: u64 = 2;

/// The state that persists from block to block, besides the values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BlockState {
    pub space: Space,
    /// The rare heaps, ascending.
    pub rare: Vec<u32>,
}

/// The reasons why a block is not finished; the values are then the values before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockError {
    Stopped(Stop),
    /// A nim-value has no byte in a row.
    TooGreat,
}

impl From<Stop> for BlockError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// The rows of a block and of the earlier totals that are still needed.
///
/// `N` is the length of a row, and `W` the length in words of a row that has a bit for each number.
pub(super) struct Rows<V, const N: usize, const W: usize> {
    /// The first total after the latest block; 0 if there was none.
    next_total: usize,
    /// For each number of each total of the block whether a rare heap is known to meet it.
    entries: Vec<[u8; N]>,
    /// The rows, a bit for each number.
    met: Vec<[u64; W]>,
    /// The numbers met by the current heap.
    heap: [u64; W],
    /// For each number whether it is a sum of pairs that were tried.
    sums_met: Vec<u8>,
    /// The numbers that are rare for the totals of either sign.
    rare_numbers: [[u64; W]; 2],
    planes: Planes<N>,
    /// The values of the heaps from 1 on, those of each window backwards.
    backwards: Vec<V>,
    /// Rare numbers that are missing.
    missing: Vec<V>,
}

/// Returns the totals of beans that moves from a heap leave in two heaps.
fn totals(moves: &Moves, heap: usize) -> impl Iterator<Item = usize> + '_ {
    let taken = moves.splits().iter();
    let taken = taken.filter(move |&&taken| taken + 2 <= heap);
    taken.map(move |taken| heap - taken)
}

/// Returns the greatest number of beans taken by a move that leaves two heaps.
fn back(moves: &Moves) -> usize {
    moves.splits().last().copied().unwrap_or(0)
}

impl<V: Value, const N: usize, const W: usize> Rows<V, N, W> {
    pub(super) fn new(space: Space) -> Self {
        Self {
            next_total: 0,
            entries: Vec::new(),
            met: Vec::new(),
            heap: [0; W],
            sums_met: vec![0; N],
            rare_numbers: [0, 1].map(|sign| rare_numbers(space.mask, sign)),
            planes: Planes::new(),
            backwards: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// Appends the values of up to [`BLOCK`] heaps. Space and moves must not change between calls.
    pub(super) fn extend(
        &mut self,
        moves: &Moves,
        values: &mut Vec<V>,
        standing: &mut BlockState,
        last: usize,
        control: &mut Control,
    ) -> Result<(), BlockError> {
        let (first, rare) = (values.len(), standing.rare.len());
        let done = self.try_extend(moves, values, standing, last, control);
        if done.is_err() {
            values.truncate(first);
            standing.rare.truncate(rare);
            self.next_total = 0;
        }
        done
    }

    fn try_extend(
        &mut self,
        moves: &Moves,
        values: &mut Vec<V>,
        standing: &mut BlockState,
        last: usize,
        control: &mut Control,
    ) -> Result<(), BlockError> {
        let (first, back) = (values.len(), back(moves));
        let block = if N > 1024 { SHORT_BLOCK } else { BLOCK };
        let length = (block - first % block).min(first).min(last + 1 - first);
        let entered = standing.rare.len() as u64;
        let per_heap =
            20 + 4 * moves.most_taken() as u64 + entered / ENTRIES_PER_TICK + N as u64 / 64;
        control.spend(length as u64 * per_heap)?;
        if !moves.splits().is_empty() {
            let ticks = self.fill(values, standing, moves, length);
            control.spend(ticks)?;
        }
        let rare = standing.rare.iter();
        let rare = rare.map(|&heap| (heap, values[heap as usize]));
        let rare: Vec<(u32, V)> = rare
            .take_while(|&(heap, _)| (heap as usize) < length)
            .collect();
        let (small, middle) =
            rare.split_at(rare.partition_point(|&(heap, _)| (heap as usize) < STEP));
        let known = self.backwards.len();
        let windows = values[known + 1..].as_chunks::<WINDOW>().0.iter();
        for window in windows.take((BACKWARDS - known) / WINDOW) {
            self.backwards.extend(window.iter().rev());
        }
        for heap in first..first + length {
            if !moves.splits().is_empty() {
                if (heap - first).is_multiple_of(STEP) {
                    self.pack(values, first, back, middle);
                }
                let row = &mut self.met[heap - first + back];
                let others = &values[..heap];
                for &(one, value) in small.iter().take_while(|&&(one, _)| (one as usize) < heap) {
                    set(row, (value ^ others[heap - one as usize]).number() % N);
                }
            }
            self.heap = [0; W];
            for total in totals(moves, heap) {
                let row = &self.met[total + back - first];
                let words = self.heap.iter_mut().zip(row);
                words.for_each(|(met, row)| *met |= row);
            }
            for rest in moves.single(heap) {
                set(
                    &mut self.heap,
                    rest.map_or(0, |rest| values[rest].number() % N),
                );
            }
            // The rows have all pairs of heaps, including the pairs that a constraint forbids.
            let mut zero_is_met = true;
            if moves.has_constraint() {
                let (met, pairs) = moves.meet_zero(heap, values, |value| value.number() == 0);
                control.spend(pairs / ENTRIES_PER_TICK)?;
                zero_is_met = met;
                self.heap[0] = self.heap[0] & !1 | u64::from(met);
            }
            let sign = standing.space.sign(heap) as usize;
            let splits_any = totals(moves, heap).next().is_some();
            let ceiling = self
                .least_common(sign, splits_any)
                .ok_or(BlockError::TooGreat)?;
            self.find_missing(sign, ceiling);
            // If 0 is not met, it is the value, and no pair matters.
            for total in totals(moves, heap).filter(|_| zero_is_met) {
                self.go_through_pairs(values, total, control)?;
            }
            let missing = self.missing.first();
            let missing = match zero_is_met {
                true => missing.map_or(ceiling, |number| number.number()),
                false => 0,
            };
            let value = V::of(missing);
            values.push(value);
            if standing.space.is_rare(missing, heap) {
                standing.rare.push(heap as u32);
                // With the heaps of the block it fills entries that are still open.
                let rows = self.met.iter_mut().skip(heap + 1 + back - first);
                for (row, other) in rows.zip(&values[1..]).take(first + length - 1 - heap) {
                    set(row, (value ^ *other).number() % N);
                }
            }
        }
        self.next_total = first + length;
        Ok(())
    }

    /// Returns the least common number that is not met.
    ///
    /// For a heap that is not split it returns the least number that is not met.
    fn least_common(&self, sign: usize, is_split: bool) -> Option<usize> {
        let rare = &self.rare_numbers[sign];
        let rare = rare.iter().map(|&rare| if is_split { rare } else { 0 });
        let mut words = self
            .heap
            .iter()
            .zip(rare)
            .map(|(met, rare)| met | rare)
            .enumerate();
        let (at, word) = words.find(|&(_, word)| word != u64::MAX)?;
        Some(64 * at + word.trailing_ones() as usize)
    }

    /// Finds the rare numbers less than `ceiling` that are not known to be met.
    fn find_missing(&mut self, sign: usize, ceiling: usize) {
        self.missing.clear();
        let words = self.heap.iter().zip(&self.rare_numbers[sign]);
        for (at, (met, rare)) in words.enumerate().take(ceiling.div_ceil(64)) {
            let below = match ceiling - 64 * at {
                64.. => u64::MAX,
                bits => (1 << bits) - 1,
            };
            let mut left = rare & !met & below;
            while left != 0 {
                self.missing
                    .push(V::of(64 * at + left.trailing_zeros() as usize));
                left &= left - 1;
            }
        }
    }

    /// Enters the rare heaps of middle size into the rows of the next heaps, and packs these rows.
    fn pack(&mut self, values: &[V], first: usize, back: usize, middle: &[(u32, V)]) {
        let total = values.len();
        let entries = &mut self.entries[total - first..];
        let near = entries.len().min(STEP);
        let entries = &mut entries[..near];
        enter(entries, total, middle, values);
        let rows = self.met.iter_mut().skip(total - first + back);
        for (row, entries) in rows.zip(entries) {
            for (word, entries) in row.iter_mut().zip(entries.as_chunks::<64>().0) {
                for (at, eight) in entries.as_chunks::<8>().0.iter().enumerate() {
                    // This moves the lowest bits of eight bytes together into the highest byte.
                    let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
                    *word |= bits << (8 * at);
                }
            }
        }
    }

    /// Tries the pairs of heaps with a total until no number is missing.
    fn go_through_pairs(
        &mut self,
        values: &[V],
        total: usize,
        control: &mut Control,
    ) -> Result<(), Stop> {
        let mut one = 1;
        while !self.missing.is_empty() && one <= total / 2 {
            if self.missing.len() < MIN_MISSING_FOR_ALL_SUMS {
                let is_late = one > LONG * WINDOW;
                if let Some((ones, others)) = self.long(values, total, one).filter(|_| is_late) {
                    control.spend(LONG as u64 * (4 + self.missing.len() as u64))?;
                    let is_met = self
                        .missing
                        .iter()
                        .map(|&number| is_sum(number, ones, others));
                    let mut is_met = is_met.collect::<Vec<bool>>().into_iter();
                    self.missing.retain(|_| !is_met.next().unwrap_or(false));
                    one += LONG * WINDOW;
                    continue;
                }
                control.spend(4 + self.missing.len() as u64)?;
                let sums = self.sums(values, total, one);
                self.missing.retain(|number| !number.is_among(&sums));
                one += WINDOW;
                continue;
            }
            if one == 1 {
                self.sums_met.fill(0);
            }
            for _ in 0..self.missing.len() / MIN_MISSING_FOR_ALL_SUMS {
                if one <= total / 2 {
                    control.spend(WINDOW as u64)?;
                    let sums = self.sums(values, total, one);
                    enter_sums::<V, N>(&mut self.sums_met, &sums);
                    one += WINDOW;
                }
            }
            let met = &self.sums_met;
            self.missing
                .retain(|number| met.get(number.number()) != Some(&1));
        }
        Ok(())
    }

    /// Returns the values of the heaps of [`LONG`] windows, and of their partners in the total.
    ///
    /// The values of each window are backwards; the first window begins with the heap `one`. The
    /// partners are in order, so that their last window belongs to the first window here.
    ///
    /// The result is `None` if they are not available.
    fn long<'a>(&'a self, values: &'a [V], total: usize, one: usize) -> Option<(&'a [V], &'a [V])> {
        let last = total.checked_sub(one)?;
        let ones = self.backwards.get(one - 1..one - 1 + LONG * WINDOW)?;
        let first = (last + 1)
            .checked_sub(LONG * WINDOW)
            .filter(|&first| first > 0)?;
        Some((ones, values.get(first..=last)?))
    }

    /// Returns the sums of the values of a window of heaps with the values of their partners.
    ///
    /// The window begins with the heap `one`; partners make up the total. Whole windows have
    /// lengths that the compiler knows.
    fn sums(&self, values: &[V], total: usize, one: usize) -> [V; WINDOW] {
        let others = &values[1..=total - one];
        let backwards = self.backwards.get(one - 1..);
        let backwards = backwards.and_then(<[V]>::first_chunk::<WINDOW>);
        let mut sums = [values[one] ^ others[others.len() - 1]; WINDOW];
        if let (Some(ones), Some(others)) = (backwards, others.last_chunk::<WINDOW>()) {
            add(&mut sums, ones.iter(), others.iter());
        } else if let (Some(ones), Some(others)) = (
            values[one..].first_chunk::<WINDOW>(),
            others.last_chunk::<WINDOW>(),
        ) {
            add(&mut sums, ones.iter(), others.iter().rev());
        } else {
            add(&mut sums, values[one..].iter(), others.iter().rev());
        }
        sums
    }

    /// Fills the rows of a block with all values that do not depend on it.
    ///
    /// It returns the ticks that this took besides the entries.
    fn fill(&mut self, values: &[V], standing: &BlockState, moves: &Moves, length: usize) -> u64 {
        let (first, back) = (values.len(), back(moves));
        let rare = standing.rare.iter();
        let rare: Vec<(u32, V)> = rare.map(|&heap| (heap, values[heap as usize])).collect();
        if self.next_total == first && self.met.len() >= back {
            let rest = self.met.len() - back;
            self.met.copy_within(rest.., 0);
            self.met.truncate(back);
        } else {
            self.met.clear();
            self.met.resize(back, [0; W]);
            let rows = self.met.iter_mut().rev();
            for (row, total) in rows.zip((0..first).rev()) {
                for &(one, value) in rare.iter().take_while(|&&(one, _)| (one as usize) < total) {
                    set(row, (value ^ values[total - one as usize]).number() % N);
                }
            }
        }
        self.met.resize(back + length, [0; W]);
        self.entries.clear();
        self.entries.resize(length, [0; N]);
        self.planes.enter(values);
        let rare = &rare[rare.partition_point(|&(heap, _)| (heap as usize) < length)..];
        let near = (NEAR_BYTES / N).max(16);
        let part = |(at, rows): (usize, &mut [[u8; N]])| {
            enter(rows, first + at * near, rare, values);
        };
        let sign = |total: usize| standing.space.sign(total + moves.splits()[0]) as usize;
        let rare_numbers = [first, first + 1].map(|total| &self.rare_numbers[sign(total)]);
        let (rows, planes) = (&mut self.met[back..], &self.planes);
        let mut meet = || planes.meet(values, rare_numbers, rows);
        let entries = &mut self.entries;
        if (rare.len() + N / 2) * length >= MIN_PARALLEL_ENTRIES && rayon::current_num_threads() > 1
        {
            let fill = || entries.par_chunks_mut(near).enumerate().for_each(part);
            rayon::join(fill, meet).1
        } else {
            entries.chunks_mut(near).enumerate().for_each(part);
            meet()
        }
    }
}

/// Records the sums; four of them are read at a time.
fn enter_sums<V: Value, const N: usize>(met: &mut [u8], sums: &[V; WINDOW]) {
    let Some(met) = met.first_chunk_mut::<N>() else {
        return;
    };
    for &four in sums.as_chunks::<4>().0 {
        let mut four = V::packed(four);
        for _ in 0..4 {
            met[four as usize % N] = 1;
            four >>= V::BITS;
        }
    }
}

/// Reports whether a number is the sum of two values at the same place of two windows.
///
/// One value is in a window, the other in its partner window. The partner windows come in the
/// reverse order.
fn is_sum<V: Value>(number: V, ones: &[V], others: &[V]) -> bool {
    let windows = ones.as_chunks::<WINDOW>().0.iter();
    let others = others.as_chunks::<WINDOW>().0.iter().rev();
    let mut found = V::default();
    for (ones, others) in windows.zip(others) {
        let same = ones.iter().zip(others).map(|(&one, &other)| {
            if one ^ other == number {
                V::ONES
            } else {
                V::default()
            }
        });
        found = found | same.fold(V::default(), BitOr::bitor);
    }
    found != V::default()
}

/// Writes the sums of pairs of values to `sums`, as far as there are pairs.
#[inline]
fn add<'a, V: Value + 'a>(
    sums: &mut [V],
    ones: impl Iterator<Item = &'a V>,
    others: impl Iterator<Item = &'a V>,
) {
    for (sum, (one, other)) in sums.iter_mut().zip(ones.zip(others)) {
        *sum = *one ^ *other;
    }
}

/// Sets the bit of a number.
#[inline]
fn set(row: &mut [u64], number: usize) {
    if let Some(word) = row.get_mut(number / 64) {
        *word |= 1 << (number % 64);
    }
}

/// Enters rare heaps into the rows of the totals from `total` on.
///
/// A rare heap is entered with every heap that makes up a total.
fn enter<V: Value, const N: usize>(
    rows: &mut [[u8; N]],
    total: usize,
    rare: &[(u32, V)],
    values: &[V],
) {
    let (groups, last) = rows.as_chunks_mut::<ROWS_AT_ONCE>();
    for (at, rows) in groups.iter_mut().enumerate() {
        let total = total + at * ROWS_AT_ONCE;
        for &(one, value) in rare {
            let others = total.checked_sub(one as usize).filter(|&other| other > 0);
            let others = others.and_then(|other| values.get(other..)?.first_chunk());
            match others {
                Some(others) => enter_in_all(rows, value, others),
                None => enter_in_some(rows, total, one, value, values),
            }
        }
    }
    let total = total + groups.len() * ROWS_AT_ONCE;
    for &(one, value) in rare {
        enter_in_some(last, total, one, value, values);
    }
}

/// Enters the sums of a value with others, each into a row. Four are added at a time.
#[inline]
fn enter_in_all<V: Value, const N: usize>(
    rows: &mut [[u8; N]; ROWS_AT_ONCE],
    value: V,
    others: &[V; ROWS_AT_ONCE],
) {
    let value = V::packed([value; 4]);
    let (rows, others) = (rows.as_chunks_mut::<4>().0, others.as_chunks::<4>().0);
    for (rows, &others) in rows.iter_mut().zip(others) {
        let mut sums = value ^ V::packed(others);
        for row in rows {
            row[sums as usize % N] = 1;
            sums >>= V::BITS;
        }
    }
}

/// Enters a rare heap into the rows for which another heap with a known value is left.
fn enter_in_some<V: Value, const N: usize>(
    rows: &mut [[u8; N]],
    total: usize,
    one: u32,
    value: V,
    values: &[V],
) {
    for (row, total) in rows.iter_mut().zip(total..) {
        let other = total.checked_sub(one as usize).filter(|&other| other > 0);
        if let Some(&other) = other.and_then(|other| values.get(other)) {
            row[(value ^ other).number() % N] = 1;
        }
    }
}

/// Returns the numbers whose count of ones under the mask has the parity `sign`.
fn rare_numbers<const W: usize>(mask: u32, sign: u32) -> [u64; W] {
    let mut rare = [0; W];
    let numbers = (0..64 * W).filter(|&n| (n as u32 & mask).count_ones() % 2 == sign);
    numbers.for_each(|number| set(&mut rare, number));
    rare
}
