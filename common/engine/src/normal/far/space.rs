//! The sparse space of a game, found from the known nim-values.
//!
//! A number is *rare* for a heap `n` if `|u & mask| + parity·(n + D)` is even, where `|x|` counts
//! the ones of `x`; otherwise it is *common*. A heap is rare if its nim-value is rare for itself.
//! Consider the moves that leave two heaps. `D` is the parity of the number of beans that they
//! take, and 0 if there are none; if both parities occur, `parity` is 0. The mask is not 0, since
//! under mask 0 all numbers would be rare for every other heap. Then a move from `n` that leaves
//! `a` and `b` has a common value for `n` if and only if one of `a` and `b` is rare and the other
//! is not: the numbers of ones add up modulo 2, and `(a + D) + (b + D) + (n + D)` is even.

use super::moves::Moves;
use super::value::Value;

/// The mask and the parity that distinguish rare numbers from common ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// The bits of a number that count.
    pub mask: u32,
    /// Whether the number of the heap counts, too.
    pub parity: bool,
    /// Whether moves that leave two heaps take an odd number of beans.
    odd: bool,
}

impl Space {
    /// Returns the space before anything is known of the nim-values of a game.
    pub(super) fn first(moves: &Moves) -> Self {
        Self {
            mask: 1,
            parity: false,
            odd: moves.splits().first().is_some_and(|taken| taken % 2 == 1),
        }
    }

    /// Reports whether a number is rare for a heap.
    pub fn is_rare(self, number: usize, heap: usize) -> bool {
        (number as u32 & self.mask).count_ones() % 2 == self.sign(heap)
    }

    /// Returns the parity of the ones of a rare number under the mask.
    pub(super) fn sign(self, heap: usize) -> u32 {
        u32::from(self.parity && (heap % 2 == 1) != self.odd)
    }

    /// Returns the heaps with rare values, from 1 on.
    pub(super) fn rare_heaps<V: Value>(self, values: &[V]) -> Vec<u32> {
        let heaps = (0..).zip(values).skip(1);
        heaps
            .filter(|&(heap, value)| self.is_rare(value.number(), heap as usize))
            .map(|(heap, _)| heap)
            .collect()
    }

    /// Returns the space that leaves the fewest heaps rare.
    ///
    /// It applies the Walsh–Hadamard transform to the numbers of even and of odd heaps that have
    /// each value.
    pub(super) fn choose<V: Value>(moves: &Moves, values: &[V]) -> Self {
        let first = Self::first(moves);
        let largest = values.iter().map(|value| value.number()).max();
        let size = (largest.unwrap_or(0) + 1).next_power_of_two();
        let mut times = [vec![0_i64; size], vec![0_i64; size]];
        for (heap, value) in values.iter().enumerate().skip(1) {
            times[heap % 2][value.number()] += 1;
        }
        let [even, odd] = &mut times;
        transform(even);
        transform(odd);
        let both = !moves.splits_have_one_parity();
        let plain = (1..size).map(|mask| (even[mask] + odd[mask], mask, false));
        // The heaps `n` with odd `n + D` count with the opposite sign.
        let signed = (1..size).map(|mask| {
            let excess = even[mask] - odd[mask];
            (if first.odd { -excess } else { excess }, mask, true)
        });
        let best = plain.chain(signed.filter(|_| !both)).min();
        best.map_or(first, |(_, mask, parity)| Self {
            mask: mask as u32,
            parity,
            ..first
        })
    }
}

fn transform(excess: &mut [i64]) {
    let mut half = 1;
    while half < excess.len() {
        for block in excess.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (x, y) in low.iter_mut().zip(high) {
                (*x, *y) = (*x + *y, *x - *y);
            }
        }
        half *= 2;
    }
}
