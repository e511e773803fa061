//! The rare numbers that are seen to be met by many heaps at once.
//!
//! For every number a *plane* of bits says which of the latest heaps have it as their nim-value. Two
//! heaps `a` and `b` have the number `u` exactly if `b` lies in the plane of `u ⊕ G(a)`. So for one
//! heap `a` the totals `a + b` of a whole stretch that are known to meet `u` are a piece of that
//! plane, bit for bit. Pieces for some hundreds of heaps `a`, put together, leave few totals of
//! which it is *in doubt* whether they meet `u`; only for these are pairs of heaps gone through.

use super::value::Value;

/// The totals of a stretch.
pub(super) const STRETCH: usize = 512;
/// The bytes of a stretch in a plane.
const BYTES: usize = STRETCH / 8;
/// The heaps in a plane that stay when it is full.
const KEPT: usize = 1 << 14;
/// The bytes of a plane; a cache line more than a power of two, lest all lie on one another.
const PLANE: usize = 2 * KEPT / 8 + 64;
/// Heaps `a` that are taken before it is asked whether there is still much in doubt.
const GROUP: usize = 16;
/// Totals of a stretch in doubt that are few enough.
const FEW: u32 = 6;
/// Heaps `a` that are taken at most.
const MANY: usize = 1536;
/// Units of work, a piece of a stretch each, in one tick.
const PIECES_PER_TICK: u64 = 4;

/// The planes of the numbers less than `N`.
pub(super) struct Planes<const N: usize> {
    bits: Vec<u8>,
    /// The heap of the first bit, a multiple of 8.
    base: usize,
    /// The heap after the last one entered.
    next: usize,
}

/// For each total of a stretch the numbers in doubt, a bit each.
pub(super) type Doubts = Vec<u64>;

/// A number, and the totals that are known to meet it.
struct Met {
    number: usize,
    totals: [u8; BYTES],
}

impl<const N: usize> Planes<N> {
    /// Whether there are few enough numbers for planes.
    const USED: bool = N <= 1024;

    pub(super) fn new() -> Self {
        Self {
            bits: Vec::new(),
            base: 0,
            next: 0,
        }
    }

    /// Enters the heaps that are new, heap 0 excepted.
    pub(super) fn enter<V: Value>(&mut self, values: &[V]) {
        if !Self::USED {
            return;
        }
        if self.bits.is_empty() {
            self.bits = vec![0; N * PLANE];
            self.base = values.len().saturating_sub(KEPT) / 8 * 8;
            self.next = self.base.max(1);
        }
        while self.next < values.len() {
            if self.next + STRETCH > self.base + 2 * KEPT {
                for plane in self.bits.chunks_exact_mut(PLANE) {
                    plane.copy_within(KEPT / 8..2 * KEPT / 8, 0);
                    plane[KEPT / 8..].fill(0);
                }
                self.base += KEPT;
            }
            let to = values.len().min(self.next + STRETCH);
            for heap in self.next..to {
                let bit = heap - self.base;
                self.bits[values[heap].number() % N * PLANE + bit / 8] |= 1 << (bit % 8);
            }
            self.next = to;
        }
    }

    /// The numbers in doubt of `length` totals from the first heap on that is not entered, and the
    /// ticks that it took to find them. Numbers of `bound` and more are all in doubt. The signs are
    /// those of the first two totals.
    pub(super) fn doubts<V: Value>(
        &self,
        values: &[V],
        mask: u32,
        signs: [u32; 2],
        length: usize,
        bound: usize,
    ) -> (Doubts, u64) {
        let first = values.len();
        let words = N.div_ceil(64);
        let is_rare = |number: usize, sign| (number as u32 & mask).count_ones() % 2 == sign;
        let bound = if Self::USED && first > STRETCH + 64 {
            bound.min(N)
        } else {
            0
        };
        let mut doubts = vec![0; length * words];
        for (number, total) in (bound..N).flat_map(|number| [(number, 0), (number, 1)]) {
            if is_rare(number, signs[total]) {
                for total in (total..length).step_by(2) {
                    doubts[total * words + number / 64] |= 1 << (number % 64);
                }
            }
        }
        // The totals for which a number is common are met as far as it matters here.
        let common = |number| {
            let of = |at: usize| {
                if is_rare(number, signs[at]) {
                    0
                } else {
                    0x55 << at
                }
            };
            of(0) | of(1)
        };
        let mut left: Vec<Met> = (0..bound)
            .map(|number| Met {
                number,
                totals: [common(number); BYTES],
            })
            .filter(|met| met.totals[0] != u8::MAX)
            .collect();
        let lowest = self.base.max(1);
        let heaps: Vec<(usize, usize)> = (STRETCH..first)
            .skip(first % 8)
            .step_by(8)
            .take_while(|heap| heap + lowest <= first)
            .take(MANY)
            .map(|heap| (values[heap].number() % N, (first - heap - self.base) / 8))
            .collect();
        let (mut pieces, mut at) = (0, 0);
        while at < heaps.len() && !left.is_empty() {
            let group = &heaps[at..heaps.len().min(at + GROUP)];
            at += GROUP;
            pieces += (left.len() * GROUP) as u64;
            for met in &mut left {
                let mut totals = met.totals;
                for &(value, from) in group {
                    let from = (met.number ^ value) * PLANE + from;
                    if let Some(piece) =
                        self.bits.get(from..).and_then(<[u8]>::first_chunk::<BYTES>)
                    {
                        totals
                            .iter_mut()
                            .zip(piece)
                            .for_each(|(totals, piece)| *totals |= piece);
                    }
                }
                met.totals = totals;
            }
            left.retain(|met| {
                let zeros = unmet(met).map(|(_, word)| word.count_ones()).sum::<u32>();
                if zeros > FEW {
                    return true;
                }
                put(met, &mut doubts, words);
                false
            });
        }
        left.iter().for_each(|met| put(met, &mut doubts, words));
        (doubts, pieces / PIECES_PER_TICK)
    }
}

/// The totals that are not known to meet a number, 64 at a time.
fn unmet(met: &Met) -> impl Iterator<Item = (usize, u64)> {
    let words = met.totals.as_chunks::<8>().0.iter();
    words.map(|word| !u64::from_le_bytes(*word)).enumerate()
}

fn put(met: &Met, doubts: &mut Doubts, words: usize) {
    for (at, mut word) in unmet(met) {
        while word != 0 {
            let total = 64 * at + word.trailing_zeros() as usize;
            if let Some(doubts) = doubts.get_mut(total * words + met.number / 64) {
                *doubts |= 1 << (met.number % 64);
            }
            word &= word - 1;
        }
    }
}
