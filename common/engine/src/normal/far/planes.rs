//! The rare numbers that are known to be met by many heaps at once.
//!
//! For every number a *plane* of bits shows the latest heaps that have it as their nim-value. Two
//! heaps `a` and `b` have the number `u` if and only if `b` lies in the plane of `u ⊕ G(a)`. So for
//! one heap `a` the totals `a + b` of a whole stretch that are known to meet `u` are a piece of
//! that plane, bit for bit. The union of pieces for some hundreds of heaps `a` leaves few totals
//! *in doubt*, which may or may not meet `u`. Pairs of heaps are tried only for these.

use super::value::Value;

/// The number of totals of a stretch.
pub(super) const STRETCH: usize = 512;
/// The number of heaps from which on planes are worth their memory.
const MIN_HEAPS: usize = 2 * STRETCH;
/// The bytes of a stretch in a plane.
const BYTES: usize = STRETCH / 8;
/// The number of heaps `a` between two tests whether enough totals are decided.
const GROUP: usize = 16;
/// The number of bytes of totals in doubt that is small enough.
const MAX_OPEN_BYTES: usize = 6;
/// The number of pieces of a stretch that are united in one tick.
const PIECES_PER_TICK: u64 = 4;

/// The planes of the numbers less than `N`.
pub(super) struct Planes<const N: usize> {
    bits: Vec<u8>,
    /// The heap of the first bit, a multiple of 8.
    base: usize,
    /// The heap after the last one entered.
    next: usize,
}

/// A number, and the totals that are known to meet it.
struct NumberTotals {
    number: usize,
    totals: [u8; BYTES],
}

impl<const N: usize> Planes<N> {
    /// Whether the numbers are few enough for planes.
    const USED: bool = N <= 1024;
    /// The number of heaps that stay in a plane when it is full.
    const RETAINED_HEAPS: usize = if N <= 256 { 1 << 14 } else { 1 << 15 };
    /// The bytes of a plane: a cache line more than a power of two.
    ///
    /// Otherwise all planes would fall on the same cache sets.
    const PLANE: usize = 2 * Self::RETAINED_HEAPS / 8 + 64;
    /// The greatest number of heaps `a` that are used.
    const MAX_HEAPS: usize = Self::RETAINED_HEAPS / 10;

    pub(super) fn new() -> Self {
        Self {
            bits: Vec::new(),
            base: 0,
            next: 0,
        }
    }

    /// Enters the new heaps, except heap 0, if there are enough for planes.
    pub(super) fn enter<V: Value>(&mut self, values: &[V]) {
        if !Self::USED || values.len() < MIN_HEAPS {
            return;
        }
        if self.bits.is_empty() {
            self.bits = vec![0; N * Self::PLANE];
            self.base = values.len().saturating_sub(Self::RETAINED_HEAPS) / 8 * 8;
            self.next = self.base.max(1);
        }
        while self.next < values.len() {
            if self.next + STRETCH > self.base + 2 * Self::RETAINED_HEAPS {
                for plane in self.bits.chunks_mut(Self::PLANE) {
                    plane.copy_within(Self::RETAINED_HEAPS / 8..2 * Self::RETAINED_HEAPS / 8, 0);
                    plane[Self::RETAINED_HEAPS / 8..].fill(0);
                }
                self.base += Self::RETAINED_HEAPS;
            }
            let to = values.len().min(self.next + STRETCH);
            for (heap, value) in (self.next..to).zip(&values[self.next..to]) {
                let bit = heap - self.base;
                self.bits[value.number() % N * Self::PLANE + bit / 8] |= 1 << (bit % 8);
            }
            self.next = to;
        }
    }

    /// Marks in the rows the rare numbers that are known to be met.
    ///
    /// The rows are of the totals from the first heap on that is not entered. Numbers greater than
    /// all values of the latest heaps are not examined.
    ///
    /// `rare` has the rare numbers of the first two totals. The result is the number of ticks that
    /// this took.
    pub(super) fn meet<V: Value, const W: usize>(
        &self,
        values: &[V],
        rare: [&[u64; W]; 2],
        rows: &mut [[u64; W]],
    ) -> u64 {
        let first = values.len();
        if !Self::USED || first < MIN_HEAPS {
            return 0;
        }
        let greater = how_many_are_greater::<V, N>(&values[first - STRETCH..]);
        let bound = greater.iter().take_while(|&&greater| greater > 0).count() + 1;
        let bound = bound.min(N);
        let is_rare = |at: usize, number: usize| rare[at][number / 64] >> (number % 64) & 1 == 1;
        // Totals for which a number is common count as met, since only rare numbers matter here.
        let of = |at, number| if is_rare(at, number) { 0 } else { 0x55 << at };
        let mut left: Vec<NumberTotals> = (0..bound)
            .map(|number| NumberTotals {
                number,
                totals: [of(0, number) | of(1, number); BYTES],
            })
            .filter(|met| met.totals[0] != u8::MAX)
            .collect();
        for (row, rare) in rows.iter_mut().zip(rare.into_iter().cycle()) {
            for (at, (row, rare)) in row.iter_mut().zip(rare).enumerate() {
                let below = match bound.saturating_sub(64 * at) {
                    64.. => u64::MAX,
                    bits => (1 << bits) - 1,
                };
                *row |= rare & below;
            }
        }
        let lowest = self.base.max(1);
        let heaps: Vec<(usize, usize)> = (STRETCH..first)
            .skip(first % 8)
            .step_by(8)
            .take_while(|heap| heap + lowest <= first)
            .take(Self::MAX_HEAPS)
            .map(|heap| (values[heap].number() % N, (first - heap - self.base) / 8))
            .collect();
        let mut pieces = 0;
        for group in heaps.chunks(GROUP) {
            if left.is_empty() {
                break;
            }
            pieces += (left.len() * GROUP) as u64;
            left.retain_mut(|met| {
                let mut totals = met.totals;
                for &(value, from) in group {
                    let from = (met.number ^ value) * Self::PLANE + from;
                    let piece = self.bits.get(from..).and_then(<[u8]>::first_chunk::<BYTES>);
                    if let Some(piece) = piece {
                        totals
                            .iter_mut()
                            .zip(piece)
                            .for_each(|(totals, piece)| *totals |= piece);
                    }
                }
                met.totals = totals;
                let full = totals
                    .iter()
                    .fold(0_u8, |full, &byte| full + u8::from(byte == u8::MAX));
                // A number matters only to heaps whose value is greater.
                let open = (BYTES - usize::from(full)) * greater[met.number];
                let leave = open <= MAX_OPEN_BYTES * STRETCH;
                if leave {
                    doubt(met, rows);
                }
                !leave
            });
        }
        left.iter().for_each(|met| doubt(met, rows));
        pieces / PIECES_PER_TICK
    }
}

/// Returns for each number less than `N` how many values are greater.
fn how_many_are_greater<V: Value, const N: usize>(values: &[V]) -> [usize; N] {
    let mut greater = [0; N];
    values
        .iter()
        .for_each(|value| greater[value.number() % N] += 1);
    let mut above = 0;
    for times in greater.iter_mut().rev() {
        (*times, above) = (above, above + *times);
    }
    greater
}

/// Clears the marks of totals that are not known to meet a number.
fn doubt<const W: usize>(met: &NumberTotals, rows: &mut [[u64; W]]) {
    for (at, word) in met.totals.as_chunks::<8>().0.iter().enumerate() {
        let mut word = !u64::from_le_bytes(*word);
        while word != 0 {
            let total = 64 * at + word.trailing_zeros() as usize;
            if let Some(row) = rows.get_mut(total) {
                row[met.number / 64 % W] &= !(1 << (met.number % 64));
            }
            word &= word - 1;
        }
    }
}
