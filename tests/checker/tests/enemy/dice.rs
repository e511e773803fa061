//! The random numbers from which lies are made, and bytes that take their place.

use std::cell::RefCell;
use std::collections::VecDeque;

thread_local! {
    /// Bytes to be thrown before any random number is made.
    static THROWN: RefCell<VecDeque<u8>> = const { RefCell::new(VecDeque::new()) };
}

/// Makes all dice of this thread read their numbers from these bytes until the bytes are spent.
///
/// Each number takes two bytes.
pub(crate) fn throw(bytes: &[u8]) {
    THROWN.with_borrow_mut(|thrown| *thrown = bytes.iter().copied().collect());
}

/// Returns the next number of the bytes.
fn thrown() -> Option<u64> {
    THROWN.with_borrow_mut(|thrown| {
        let low = thrown.pop_front()?;
        let high = thrown.pop_front().unwrap_or(0);
        Some(u64::from(u16::from_le_bytes([low, high])))
    })
}

/// Pseudo-random numbers (splitmix64), so that every lie can be repeated from its seed.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self) -> u64 {
        if let Some(number) = thrown() {
            return number;
        }
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 to `bound - 1`; 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.roll() % bound.max(1) as u64) as usize
    }

    /// Returns one entry of a list that is not empty.
    pub(crate) fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}
