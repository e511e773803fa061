//! The memory of results of operations on diagrams.

use prefetch_index::prefetch_index;

/// A lossy cache of results, with one place for each pair of arguments.
///
/// A later result overwrites an earlier one at its place.
///
/// It grows with the number of results up to [`Memory::MAX_ENTRIES`] places, so that it is small
/// for small games and bounded for great ones. Forgotten results are computed again; results and
/// fuel stay deterministic.
#[derive(Clone)]
pub(super) struct Memory {
    places: Vec<[u32; 3]>,
    /// The results kept since the memory last grew.
    kept: usize,
}

impl Memory {
    const MIN_ENTRIES: usize = 1 << 10;
    const MAX_ENTRIES: usize = 1 << 24;

    pub(super) fn new() -> Self {
        Self {
            places: vec![[u32::MAX; 3]; Self::MIN_ENTRIES],
            kept: 0,
        }
    }

    #[inline]
    fn place(&self, a: u32, b: u32) -> usize {
        let mixed = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 32) as usize & (self.places.len() - 1)
    }

    /// Prefetches the place of a pair of arguments that will soon be recalled.
    #[inline]
    pub(super) fn expect(&self, a: u32, b: u32) {
        prefetch_index(&self.places, self.place(a, b));
    }

    /// Returns the result for a pair of arguments, if it is not forgotten.
    #[inline]
    pub(super) fn recall(&self, a: u32, b: u32) -> Option<u32> {
        let [x, y, result] = self.places[self.place(a, b)];
        (x == a && y == b).then_some(result)
    }

    /// Remembers the result for a pair of arguments.
    #[inline]
    pub(super) fn keep(&mut self, a: u32, b: u32, result: u32) {
        self.kept += 1;
        if self.kept > self.places.len() && self.places.len() < Self::MAX_ENTRIES {
            self.kept = 0;
            let grown = vec![[u32::MAX; 3]; self.places.len() * 4];
            for entry in std::mem::replace(&mut self.places, grown) {
                let place = self.place(entry[0], entry[1]);
                self.places[place] = entry;
            }
        }
        let place = self.place(a, b);
        self.places[place] = [a, b, result];
    }
}
