//! Planes of bits: for each number the heaps that have it as their nim-value.
//!
//! Two heaps `a` and `b` have the number `u` exactly if `b` lies in the plane of `u ⊕ G(a)`. So the
//! plane of `u ⊕ G(a)`, read from the right place on, shows for each of hundreds of totals whether
//! heap `a` and one other heap have that total and the number `u`.

/// The totals of a stretch.
pub(super) const LANES: usize = 512;
/// The bytes of a plane that cover a stretch.
pub(super) const PIECE: usize = LANES / 8;
/// A bit for each total, or each heap, of a stretch.
pub(super) type Lanes = [u64; LANES / 64];
/// The number of bits of a plane before its first heap. They stay empty.
const BEFORE: usize = 1 << 10;
/// The most beans that a split takes.
pub(super) const MAX_TAKEN: usize = 64;
/// The fewest heaps before the next one that a plane keeps, if there are that many.
const MIN_RETAINED_HEAPS: usize = 1 << 14;
/// The most bytes of all planes.
const MAX_PLANE_BYTES: usize = 1 << 28;

/// The planes of the numbers less than a power of two, for the latest heaps.
#[derive(Default)]
pub(super) struct Planes {
    bits: Vec<u8>,
    numbers: usize,
    /// The bytes of a plane.
    length: usize,
    /// The first heap of the planes, a multiple of eight.
    base: usize,
    /// The heap after the last one entered.
    next: usize,
    /// The least number of heaps before the next one that are kept, if there are that many.
    kept: usize,
    /// For each number how many heaps are in its plane.
    times: Vec<u32>,
}

impl Planes {
    /// Enters all new heaps.
    ///
    /// Returns `false` if that would take too much memory, or more than is available.
    ///
    /// Afterwards every heap that makes up a total of the next stretch with a heap up to `reach` is
    /// entered.
    pub(super) fn enter(&mut self, values: &[u16], numbers: usize, reach: usize) -> bool {
        let next = values.len();
        let far = reach + 2 * MAX_TAKEN + 8;
        let full = BEFORE + next + LANES > self.base + 8 * self.length;
        if numbers > self.numbers || far > self.kept || full {
            let kept = if far > self.kept { 2 * far } else { self.kept };
            let kept = kept.max(MIN_RETAINED_HEAPS);
            // A cache line more than a power of two, so that the planes do not collide in the
            // cache.
            let length = (BEFORE + 2 * kept + 2 * LANES) / 8 + 64;
            if numbers * length > MAX_PLANE_BYTES {
                return false;
            }
            self.bits.clear();
            if self.bits.try_reserve_exact(numbers * length).is_err() {
                // The planes before are already cleared.
                *self = Self::default();
                return false;
            }
            (self.numbers, self.length, self.kept) = (numbers, length, kept);
            self.bits.resize(numbers * length, 0);
            self.times.clear();
            self.times.resize(numbers, 0);
            self.base = next.saturating_sub(kept) / 8 * 8;
            self.next = self.base.max(1);
        }
        for (heap, value) in (self.next..next).zip(&values[self.next..]) {
            let number = usize::from(*value);
            let bit = BEFORE + heap - self.base;
            self.bits[number * self.length + bit / 8] |= 1 << (bit % 8);
            self.times[number] += 1;
        }
        self.next = next;
        true
    }

    /// Returns the number of planes, and the bytes of each; places belong to these.
    pub(super) fn shape(&self) -> (usize, usize) {
        (self.numbers, self.length)
    }

    /// Returns for each number how many heaps are in its plane.
    pub(super) fn times(&self) -> &[u32] {
        &self.times
    }

    /// Returns the place in each plane of a total that is a multiple of eight.
    pub(super) fn place(&self, total: usize) -> usize {
        (BEFORE + total - self.base) / 8
    }

    /// Reports whether every heap needed for the totals of a stretch has its place.
    ///
    /// These heaps make up a total of the stretch with a heap up to `reach`.
    pub(super) fn cover(&self, start: usize, reach: usize) -> bool {
        let first = (BEFORE + start).checked_sub(reach + 8);
        let first = first.and_then(|first| first.checked_sub(self.base));
        // Heaps before the base that are not entered would be missing.
        let none_missing = self.base == 0 || start >= self.base + reach + 8;
        let last = (BEFORE + start + LANES) / 8;
        first.is_some() && none_missing && last <= self.base / 8 + self.length
    }

    /// Returns the place of the piece for a number and a heap, relative to a stretch.
    pub(super) fn ask(&self, number: usize, heap: HeapQuery) -> Place {
        let plane = (heap.number() ^ number) * self.length;
        Place((plane as u32).wrapping_sub(heap.back()))
    }

    /// Adds the pieces at these places to `met`. `place` is the place of the stretch.
    #[inline]
    pub(super) fn meet(&self, place: usize, asked: &[Place], met: &mut [u8; PIECE]) {
        let mut sum = *met;
        for Place(before) in asked {
            let from = before.wrapping_add(place as u32) as usize;
            if let Some(piece) = self.bits.get(from..).and_then(<[u8]>::first_chunk::<PIECE>) {
                let bytes = sum.iter_mut().zip(piece);
                bytes.for_each(|(sum, piece)| *sum |= piece);
            }
        }
        *met = sum;
    }
}

/// The place of a piece, as its distance before a stretch, modulo 2^32.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place(u32);

/// A heap prepared for queries.
///
/// It has its nim-value, and the number of bytes by which its piece begins before the place of a
/// stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HeapQuery(u32);

impl HeapQuery {
    /// The exclusive bound of the nim-values.
    pub(super) const NUMBERS: usize = 1 << 12;
    /// The exclusive bound of the heaps.
    pub(super) const HEAPS: usize = 1 << 22;

    /// Returns the heap, and the number of bits by which its piece begins too early.
    ///
    /// `phase` is the remainder modulo eight of the first total of every stretch.
    pub(super) fn new(heap: usize, value: u16, phase: usize) -> (Self, usize) {
        let early = (8 + phase - heap % 8) % 8;
        let back = (heap + early - phase) / 8;
        let number = u32::from(value) % Self::NUMBERS as u32;
        (Self((back as u32) << 12 | number), early)
    }

    fn number(self) -> usize {
        self.0 as usize % Self::NUMBERS
    }

    fn back(self) -> u32 {
        self.0 / Self::NUMBERS as u32
    }
}

/// Returns the bits of a piece that begins `early` bits too early.
pub(super) fn late(piece: &[u8; PIECE], early: usize) -> Lanes {
    let mut words = [0; LANES / 64];
    for (word, bytes) in words.iter_mut().zip(piece.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    skipped(&words, early)
}

/// Returns the bits after the first `few`, which must be less than 64.
pub(super) fn skipped(lanes: &Lanes, few: usize) -> Lanes {
    if few == 0 {
        return *lanes;
    }
    std::array::from_fn(|at| {
        let next = lanes.get(at + 1).copied().unwrap_or(0);
        lanes[at] >> few | next << (64 - few)
    })
}

/// Returns the bits that are in both.
pub(super) fn both(one: &Lanes, other: &Lanes) -> Lanes {
    std::array::from_fn(|at| one[at] & other[at])
}

/// Returns the bits that are in `one` and not in `other`.
pub(super) fn without(one: &Lanes, other: &Lanes) -> Lanes {
    std::array::from_fn(|at| one[at] & !other[at])
}

/// Returns the number of bits.
pub(super) fn count(lanes: &Lanes) -> usize {
    lanes.iter().map(|word| word.count_ones() as usize).sum()
}

/// Returns the places of the bits.
pub(super) fn places(lanes: &Lanes) -> impl Iterator<Item = usize> + '_ {
    lanes.iter().enumerate().flat_map(|(at, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let place = 64 * at + left.trailing_zeros() as usize;
            let some = left != 0;
            left &= left.wrapping_sub(1);
            some.then_some(place)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of heaps; the planes keep less than a third of them.
    const HEAPS: usize = 52_000;

    /// Returns values that follow no simple rule: up to heap 4,600 below 64, then below 128.
    fn values() -> Vec<u16> {
        let next = |state: &u64| {
            state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1)
        };
        let states = std::iter::successors(Some(1_u64), |state| Some(next(state))).enumerate();
        let value = |(heap, state): (usize, u64)| match heap {
            0 => 0,
            1..=4_600 => (state >> 33) as u16 % 64,
            _ => (state >> 33) as u16 % 128,
        };
        states.take(HEAPS).map(value).collect()
    }

    /// Asserts that the planes hold every pair of a heap up to `reach` for a stretch.
    fn assert_pairs(planes: &Planes, values: &[u16], start: usize, reach: usize) {
        let within = 0..LANES - 8;
        let heaps = (1..=9)
            .chain([999, 1_000, reach / 2])
            .chain(reach - 8..=reach);
        for heap in heaps.filter(|&heap| heap <= reach) {
            let (query, early) = HeapQuery::new(heap, values[heap], start % 8);
            // The first and the last total, those at the ends of a word, and others.
            for total in [0, 1, 63, 64, 300, 447, 503].map(|at| start + at) {
                let other = total.saturating_sub(heap).min(values.len() - 1);
                let number = values[heap] ^ values[other];
                // What two heaps meet is met.
                let asked = [planes.ask(number.into(), query); 2];
                let mut piece = [0; PIECE];
                planes.meet(planes.place(start / 8 * 8), &asked, &mut piece);
                let met: Vec<usize> = places(&late(&piece, early)).collect();
                let met: Vec<usize> = met.into_iter().filter(|at| within.contains(at)).collect();
                let is_met = |at: &usize| {
                    let other = (start + at).checked_sub(heap).filter(|&other| other > 0);
                    let other = other.and_then(|other| values.get(other));
                    other.is_some_and(|other| other ^ values[heap] == number)
                };
                let right: Vec<usize> = within.clone().filter(is_met).collect();
                assert_eq!(met, right, "{} {start} {heap} {number}", values.len());
            }
        }
    }

    /// Every pair of two heaps is found, however the planes grow, move on, and are rebuilt.
    #[test]
    fn pieces_have_the_pairs_of_their_totals() {
        let values = values();
        let mut planes = Planes::default();
        for (next, numbers, reach) in [
            (4_096, 64, 1_000),
            (4_603, 64, 4_602),
            // More numbers.
            (5_107, 128, 5_000),
            // The last heaps for which these planes have places. Then the first ones beyond, with
            // the earliest heap that the planes keep.
            (33_792, 128, 1_000),
            (33_800, 128, 16_248),
            // Far beyond. Then an earlier heap than these planes keep.
            (51_800, 128, 16_248),
            (51_808, 128, 16_370),
            (52_000, 128, 51_999),
        ] {
            let values = &values[..next];
            assert!(planes.enter(values, numbers, reach), "{next}");
            for start in [next - MAX_TAKEN + 1, next - 2, next] {
                assert!(planes.cover(start, reach), "{next} {start}");
                assert_pairs(&planes, values, start, reach);
            }
            for (number, &times) in planes.times().iter().enumerate() {
                let kept = &values[planes.base.max(1)..];
                let right = kept.iter().filter(|&&value| usize::from(value) == number);
                assert_eq!(times as usize, right.count(), "{next} {number}");
            }
        }
    }

    /// Planes cover a stretch if all of its heaps that exist have been entered, and have places.
    #[test]
    fn planes_cover_what_they_hold() {
        let values = values();
        for next in [5_000, 16_384, 16_392, HEAPS] {
            let mut planes = Planes::default();
            assert!(planes.enter(&values[..next], 128, 1_000));
            assert_eq!(planes.base > 0, next > MIN_RETAINED_HEAPS);
            // A heap below 0 is none, and its bit is empty.
            let is_held = |heap: i64| {
                let is_kept = heap < 1 || heap >= planes.base as i64;
                let bit = BEFORE as i64 + heap - planes.base as i64;
                is_kept && (0..8 * planes.length as i64).contains(&bit)
            };
            for reach in [1, 500, 1_000, 1_500, 20_000] {
                for start in (0..2 * HEAPS).step_by(8) {
                    let first = start as i64 - reach as i64 - 8;
                    let last = start as i64 + LANES as i64 - 1;
                    let right = [first, first.max(1), last].into_iter().all(is_held);
                    assert_eq!(planes.cover(start, reach), right, "{next} {start} {reach}");
                }
            }
        }
    }

    /// Planes that are too great are refused before they take any memory.
    #[test]
    fn the_planes_have_a_bound() {
        let mut planes = Planes::default();
        assert!(!planes.enter(&[0; 8], HeapQuery::NUMBERS, 1 << 17));
        assert_eq!(planes.bits.capacity(), 0);
    }

    #[test]
    fn bits_are_those_of_sets() {
        let one: Lanes = std::array::from_fn(|at| 0x9249_2492_4924_9249 << at);
        let other: Lanes = std::array::from_fn(|at| 0x8421_0842_1084_2109 << at);
        let of = |lanes: &Lanes| places(lanes).collect::<Vec<_>>();
        let is_in = |lanes: &Lanes, place: &usize| of(lanes).contains(place);
        assert_eq!(of(&one)[..3], [0, 3, 6]);
        let (ones, others) = (of(&one), of(&other));
        let among = ones.iter().copied().filter(|it| is_in(&other, it));
        assert_eq!(of(&both(&one, &other)), among.collect::<Vec<_>>());
        let beyond = ones.iter().copied().filter(|it| !is_in(&other, it));
        assert_eq!(of(&without(&one, &other)), beyond.collect::<Vec<_>>());
        assert_eq!(count(&one), ones.len());
        for few in 0..64 {
            let after = others.iter().filter(|&&it| it >= few).map(|it| it - few);
            assert_eq!(of(&skipped(&other, few)), after.collect::<Vec<_>>());
        }
    }
}
