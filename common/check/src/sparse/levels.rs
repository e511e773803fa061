//! The nim-values of a stretch of heaps, number by number.
//!
//! All heaps of the stretch are open at first. For each number from 0 on the search determines
//! which of the open heaps have an option with this number, that is, *meet* it. A heap that does
//! not meet a common number is no longer open: the number is the least common one that is left out.
//!
//! For a rare number, arbitrary heaps are tried. After some hundreds of them only a few heaps
//! remain in doubt.
//!
//! Where few heaps are rare, the common numbers are left to the end, and the rare numbers are
//! examined for all heaps.
//!
//! So far only pairs of heaps before the stretch were examined. Pairs with a heap of the stretch,
//! and doubts, are settled heap by heap.

use misere_game::control::{Control, Stop};

use super::order::{Heaps, Order};
use super::planes::{
    HeapQuery, LANES, Lanes, MAX_TAKEN, PIECE, Planes, both, count, late, places, skipped, without,
};
use super::{Sequence, single, totals};
use crate::normal_period_error::NormalPeriodCheckError::{self, TooGreat};

/// The least first heap of a stretch.
const FIRST: usize = 1 << 12;
/// The most rare heaps all of whose pairs are gone through for every total.
const FEW_RARE: usize = 512;
/// The most rare heaps.
const MAX_RARE: usize = 1 << 15;
/// The divisor of the bound on rare heaps: more than this fraction of all heaps is too many.
const RARE_PART: usize = 8;
/// The exclusive bound of the arbitrary heaps that are queried about rare numbers.
const ANY_HEAPS: usize = 1 << 13;
/// The number of heaps in doubt at which the search for a rare number ends.
const MAX_OPEN_HEAPS: usize = 12;
/// The number of new rare heaps after which the orders are rebuilt.
const MAX_NEW_RARE: usize = 64;
/// The number of stretches after which the orders are rebuilt.
const AGAIN: usize = 256;
/// The number of pieces that are added in one tick.
const PIECES_PER_TICK: usize = 4;

/// The facts about the next stretch, and everything that is kept between stretches.
#[derive(Default)]
pub(super) struct Levels {
    planes: Planes,
    /// The greatest nim-value of the heaps examined, and their number.
    greatest: (u16, usize),
    /// The rare heaps that are in the orders, and arbitrary heaps.
    rare: Heaps,
    any: Heaps,
    /// The number of rare heaps in the orders, and the others.
    ordered: usize,
    new: Vec<(HeapQuery, usize)>,
    /// For each number the order of the rare heaps, and of arbitrary heaps, once it is needed.
    rare_orders: Vec<Option<Order>>,
    any_orders: Vec<Option<Order>>,
    /// The number of stretches until the orders are rebuilt.
    left: usize,
    /// Whether few heaps before the stretch are rare.
    ///
    /// Common numbers are then examined heap by heap, and rare ones for all heaps of the stretch.
    few_rare: bool,
    /// For each heap of the stretch, the least common number left out.
    ///
    /// If few heaps are rare, it is instead the bound below which rare numbers were examined. The
    /// rare numbers below it that are in doubt follow, ascending.
    least: Vec<Option<u16>>,
    doubts: Vec<Vec<u16>>,
}

impl Levels {
    /// Appends the values of the next stretch.
    ///
    /// Returns `false` if the heaps are better handled one by one.
    pub(super) fn append(
        &mut self,
        sequence: &mut Sequence<'_>,
        last: usize,
        control: &mut Control,
    ) -> Result<bool, NormalPeriodCheckError> {
        let first = sequence.values.len();
        let taken = sequence.splits.iter().map(|split| split.taken);
        let (Some(least_taken), Some(most_taken)) = (taken.clone().min(), taken.max()) else {
            return Ok(false);
        };
        let rare = sequence.rare.len();
        if first < FIRST
            || !first.is_multiple_of(8)
            || most_taken >= MAX_TAKEN
            || rare > MAX_RARE.min(first / RARE_PART)
        {
            return Ok(false);
        }
        let length = (LANES - 8 - (most_taken - least_taken)) / 8 * 8;
        let length = length.min(last + 1 - first);
        let start = first - most_taken;
        if !self.prepare(sequence, start) {
            return Ok(false);
        }
        let pieces = self.find(sequence, start, length, control)?;
        control.spend((20 * length + pieces / PIECES_PER_TICK) as u64)?;
        for at in 0..length {
            self.settle(sequence, first, at, control)?;
        }
        Ok(true)
    }

    /// Enters the new heaps. Returns `false` if there is no room.
    fn prepare(&mut self, sequence: &Sequence<'_>, start: usize) -> bool {
        let phase = start % 8;
        let values = &sequence.values;
        let (greatest, seen) = self.greatest;
        let greatest = values[seen..].iter().copied().fold(greatest, u16::max);
        self.greatest = (greatest, values.len());
        let numbers = (usize::from(greatest) + 1).next_power_of_two().max(64);
        let reach = sequence.rare.last().map_or(0, |&(heap, _)| heap);
        let any = (values.len() / 4).min(ANY_HEAPS);
        if numbers > HeapQuery::NUMBERS || reach >= HeapQuery::HEAPS {
            return false;
        }
        let before = self.planes.shape();
        let reach = reach.max(any);
        if !self.planes.enter(values, numbers, reach) || !self.planes.cover(start, reach) {
            return false;
        }
        let new = sequence.rare.len() - self.ordered.min(sequence.rare.len());
        if self.left == 0 || new > MAX_NEW_RARE || self.planes.shape() != before {
            self.left = AGAIN;
            self.rare = Heaps::new(sequence.rare.iter().copied(), phase);
            self.ordered = sequence.rare.len();
            self.any = Heaps::new((1..any).map(|heap| (heap, values[heap])), phase);
            for orders in [&mut self.rare_orders, &mut self.any_orders] {
                orders.clear();
                orders.resize_with(numbers, || None);
            }
        }
        self.left -= 1;
        let new = sequence.rare.iter().skip(self.ordered);
        self.new.clear();
        self.new
            .extend(new.map(|&(heap, value)| HeapQuery::new(heap, value, phase)));
        true
    }

    /// Finds the least common numbers left out, and the doubts. Returns the number of pieces used.
    fn find(
        &mut self,
        sequence: &Sequence<'_>,
        start: usize,
        length: usize,
        control: &mut Control,
    ) -> Result<usize, Stop> {
        let first = sequence.values.len();
        let place = self.planes.place(start / 8 * 8);
        let most = first - start;
        let shifts: Vec<usize> = sequence
            .splits
            .iter()
            .map(|split| most - split.taken)
            .collect();
        let mut open: Lanes = std::array::from_fn(|at| match length.saturating_sub(64 * at) {
            64.. => u64::MAX,
            bits => (1 << bits) - 1,
        });
        self.least.clear();
        self.least.resize(length, None);
        self.doubts.resize_with(LANES, Vec::new);
        self.doubts.iter_mut().for_each(Vec::clear);
        let mut pieces = 0;
        // The planes also have pairs of equal heaps, whose number is 0; the heaps with such pairs
        // have 0 as a rare number.
        let leaves_out_equal = sequence.splits.iter().any(|split| !split.equal_too);
        self.few_rare = sequence.rare.len() <= FEW_RARE;
        let mut numbers = self.planes.shape().0;
        if self.few_rare {
            let latest = &sequence.values[first.saturating_sub(LANES)..];
            let bound = latest.iter().copied().fold(0, u16::max);
            numbers = usize::from(bound);
            self.least.fill(Some(bound));
        }
        for number in 0..numbers {
            if open == [0; LANES / 64] {
                break;
            }
            // The cost is known only at the end; this checks for a stop at each number.
            control.spend(0)?;
            let rare = rare_lanes(sequence, number, first);
            let is_in_doubt = number == 0 && leaves_out_equal;
            if is_in_doubt {
                for at in places(&both(&open, &rare)) {
                    self.doubts[at].push(0);
                }
            }
            let wanted = without(&open, &rare);
            let mut met = [0; LANES / 64];
            if !self.few_rare {
                if wanted != met {
                    met = self.meet_by_rare(number, place, &shifts, &wanted, &mut pieces);
                }
                let left_out = without(&wanted, &met);
                open = without(&open, &left_out);
                for at in places(&left_out) {
                    self.least[at] = Some(number as u16);
                }
            }
            let wanted = without(&both(&open, &rare), &met);
            if wanted != [0; LANES / 64] && !is_in_doubt {
                let met = self.meet_by_any(number, place, &shifts, &wanted, &mut pieces);
                for at in places(&without(&wanted, &met)) {
                    self.doubts[at].push(number as u16);
                }
            }
        }
        Ok(pieces)
    }

    /// Returns the heaps with an option of this number: two heaps before the stretch, one rare.
    ///
    /// It may stop early once it has found all that are wanted.
    fn meet_by_rare(
        &mut self,
        number: usize,
        place: usize,
        shifts: &[usize],
        wanted: &Lanes,
        pieces: &mut usize,
    ) -> Lanes {
        let planes = &self.planes;
        let order = &mut self.rare_orders[number];
        if order.as_ref().is_none_or(|order| order.is_old(planes)) {
            *order = Some(Order::new(number, &self.rare, planes));
        }
        let mut met = CollectedPieces::nothing();
        for part in order.iter().flat_map(Order::parts) {
            for (asked, early) in part {
                *pieces += asked.len();
                planes.meet(place, asked, &mut met.early[early]);
            }
            let lanes = met.lanes(shifts);
            if without(wanted, &lanes) == [0; LANES / 64] {
                return lanes;
            }
        }
        *pieces += self.new.len();
        for &(heap, early) in &self.new {
            let asked = [planes.ask(number, heap)];
            planes.meet(place, &asked, &mut met.early[early]);
        }
        met.lanes(shifts)
    }

    /// Returns heaps that have an option of two heaps before the stretch with this number.
    ///
    /// The result contains nearly all of the wanted heaps that do.
    fn meet_by_any(
        &mut self,
        number: usize,
        place: usize,
        shifts: &[usize],
        wanted: &Lanes,
        pieces: &mut usize,
    ) -> Lanes {
        let planes = &self.planes;
        let order = &mut self.any_orders[number];
        let order = order.get_or_insert_with(|| Order::new(number, &self.any, planes));
        let mut met = CollectedPieces::nothing();
        for part in order.parts() {
            for (asked, early) in part {
                *pieces += asked.len();
                planes.meet(place, asked, &mut met.early[early]);
            }
            let lanes = met.lanes(shifts);
            if count(&without(wanted, &lanes)) <= MAX_OPEN_HEAPS {
                return lanes;
            }
        }
        met.lanes(shifts)
    }

    /// Appends the value of a heap of the stretch.
    fn settle(
        &self,
        sequence: &mut Sequence<'_>,
        first: usize,
        at: usize,
        control: &mut Control,
    ) -> Result<(), NormalPeriodCheckError> {
        let n = first + at;
        let Some(least) = self.least[at] else {
            return sequence.append(control);
        };
        let mut ceiling = least;
        if self.few_rare {
            let found = sequence.least_common(n, control)?;
            ceiling = u16::try_from(found).map_err(|_| TooGreat(n as u32))?;
        } else if is_met_within(sequence, first, n, least) {
            loop {
                ceiling += 1;
                let is_met = sequence.rarity.is_rare(ceiling.into(), n)
                    || sequence.is_single(n, ceiling)
                    || sequence.is_common_split(n, ceiling, control)?;
                if !is_met {
                    break;
                }
            }
        }
        let beyond = (least..ceiling).filter(|&it| sequence.rarity.is_rare(it.into(), n));
        let beyond: Vec<u16> = beyond.collect();
        let doubts = self.doubts[at].iter().filter(|&&it| it < ceiling);
        for &number in doubts.chain(&beyond) {
            if !sequence.is_single(n, number) && !sequence.is_split(n, number, control)? {
                return sequence.push(number.into());
            }
        }
        sequence.push(ceiling.into())
    }
}

/// The pieces collected so far, by the number of bits by which they begin too early.
struct CollectedPieces {
    early: [[u8; PIECE]; 8],
}

impl CollectedPieces {
    fn nothing() -> Self {
        Self {
            early: [[0; PIECE]; 8],
        }
    }

    fn lanes(&self, shifts: &[usize]) -> Lanes {
        let mut totals = [0; LANES / 64];
        for (early, piece) in self.early.iter().enumerate() {
            let words = totals.iter_mut().zip(late(piece, early));
            words.for_each(|(word, more)| *word |= more);
        }
        to_heaps(&totals, shifts)
    }
}

/// Returns the heaps from which a split leaves one of these totals.
fn to_heaps(totals: &Lanes, shifts: &[usize]) -> Lanes {
    let mut heaps = [0; LANES / 64];
    for &shift in shifts {
        let words = heaps.iter_mut().zip(skipped(totals, shift));
        words.for_each(|(word, more)| *word |= more);
    }
    heaps
}

/// Returns the heaps of the stretch for which a number is rare.
fn rare_lanes(sequence: &Sequence<'_>, number: usize, first: usize) -> Lanes {
    let of = |heap: usize| match sequence.rarity.is_rare(number, heap) {
        true => 0x5555_5555_5555_5555,
        false => 0,
    };
    [of(first) | of(first + 1) << 1; LANES / 64]
}

/// Reports whether an option of the heap meets a number that is common for it.
///
/// Covers options that are not splits, and splits with a heap of the stretch.
fn is_met_within(sequence: &Sequence<'_>, first: usize, n: usize, number: u16) -> bool {
    let values = &sequence.values;
    if single(&sequence.moves, values, n).any(|other| other == number) {
        return true;
    }
    let rare = &sequence.rare;
    let within = &rare[rare.partition_point(|&(heap, _)| heap < first)..];
    totals(&sequence.splits, n).any(|(total, _)| {
        let small = rare.iter().take_while(|&&(heap, _)| heap + first <= total);
        let within = within.iter().take_while(|&&(heap, _)| heap < total);
        let mut pairs = small.chain(within);
        pairs.any(|&(heap, value)| value ^ values[total - heap] == number)
    })
}

#[cfg(test)]
mod tests {
    use misere_game::ruleset::Code;

    use super::*;
    use crate::sparse::RareClaim;
    use crate::sparse::tests::{by_the_rules, claimed, numbers};

    /// Heaps enough for a stretch with more than [`FEW_RARE`] rare heaps before it.
    const INVENTED: usize = 2 * FIRST;

    /// Returns a sequence of [`INVENTED`] heaps, `rare` of them rare.
    fn invented<'a>(listed: &RareClaim<'a>, rare: usize, seed: u64) -> Sequence<'a> {
        let mut sequence = Sequence::new(listed).unwrap();
        invent(&mut sequence, INVENTED, rare, EVEN, &mut numbers(seed));
        sequence
    }

    /// How a nim-value is invented from an arbitrary number.
    type Invented = fn(usize) -> usize;
    /// All values less than a bound are equally frequent.
    const EVEN: Invented = |number| number % 2048;
    const FEW_VALUES: Invented = |number| number % 64;
    /// Small values are more frequent than great ones, so that a heap rarely meets a great number.
    const UNEVEN: Invented = |number| number % (2 << ((number >> 12) % 9));

    /// Appends invented values up to this number of heaps, and of rare heaps.
    fn invent(
        sequence: &mut Sequence<'_>,
        heaps: usize,
        rare: usize,
        invented: Invented,
        numbers: &mut impl Iterator<Item = usize>,
    ) {
        while sequence.values.len() < heaps {
            let (number, heap) = (invented(numbers.next().unwrap()), sequence.values.len());
            let missing = rare.saturating_sub(sequence.rare.len());
            let is_rare = numbers.next().unwrap() % (heaps - heap) < missing;
            let turned = sequence.rarity.is_rare(number, heap) != is_rare;
            sequence.push(number ^ usize::from(turned)).unwrap();
        }
    }

    /// Appends a stretch. Its values must be those of the rules.
    fn assert_stretch(levels: &mut Levels, sequence: &mut Sequence<'_>, last: usize, at: &str) {
        let first = sequence.values.len();
        let control = &mut Control::unlimited();
        assert!(levels.append(sequence, last, control).unwrap(), "{at}");
        assert!(sequence.values.len() > first && sequence.values.len() <= last + 1);
        for heap in first..sequence.values.len() {
            let right = by_the_rules(&sequence.moves, &sequence.values[..heap]);
            assert_eq!(sequence.values[heap], right, "{at} {heap}");
        }
    }

    /// The values of stretches are those of the rules, where the planes no longer keep all heaps.
    ///
    /// The rare heaps come early at first, so that planes keep the latest heaps only, and move on
    /// once these are beyond their end. At last rare heaps are late, and planes hold all heaps again.
    #[test]
    fn late_stretches_have_the_values_of_the_rules() {
        for (code, parity, seed) in [("0.407", true, 1), ("0.44", false, 2)] {
            let code: Code = code.parse().unwrap();
            let mut sequence = Sequence::new(&claimed(&code, u32::MAX, parity)).unwrap();
            let (mut numbers, mut levels) = (numbers(seed), Levels::default());
            invent(&mut sequence, 8_000, FEW_RARE + 100, EVEN, &mut numbers);
            let mut moved = 0;
            for (first, rare) in [(17_008, 0), (18_000, 0), (34_800, 0), (35_600, 700)] {
                invent(&mut sequence, first, rare, EVEN, &mut numbers);
                assert_stretch(&mut levels, &mut sequence, 1 << 20, &code.to_string());
                moved += usize::from(levels.planes.place(first) < first / 8);
            }
            assert_eq!(moved, 1, "{code}");
        }
    }

    /// The values of stretches in turn are those of the rules, for any earlier values.
    ///
    /// Rare heaps become many, or are many. Between the stretches so few are new that the orders are
    /// kept, until a value needs more planes.
    #[test]
    fn stretches_in_turn_have_the_values_of_the_rules() {
        let far_apart = format!("0.{}4{}4", "0".repeat(30), "0".repeat(29));
        for (code, parity) in [
            ("0.4!", true),
            ("0.4!4", false),
            ("0.26", true),
            ("4.2", false),
            (&far_apart, true),
        ] {
            let code: Code = code.parse().unwrap();
            for (invented, rare, more, seed) in [
                (UNEVEN, 600, 10, 2),
                (EVEN, 600, 40, 5),
                (FEW_VALUES, 500, 20, 6),
            ] {
                let at = format!("{code} {seed}");
                let mut sequence = Sequence::new(&claimed(&code, u32::MAX, parity)).unwrap();
                let (mut numbers, mut levels) = (numbers(seed), Levels::default());
                invent(&mut sequence, 7_000, rare, invented, &mut numbers);
                assert_stretch(&mut levels, &mut sequence, 1 << 20, &at);
                let rare = sequence.rare.len() + more;
                invent(&mut sequence, 7_600, rare, invented, &mut numbers);
                assert_stretch(&mut levels, &mut sequence, 7_600 + 191, &at);
                // The first value beyond the planes, which are more for the next stretch.
                sequence
                    .push(
                        sequence
                            .values
                            .iter()
                            .max()
                            .map_or(0, |&it| usize::from(it + 1).next_power_of_two()),
                    )
                    .unwrap();
                let rare = sequence.rare.len() + more;
                invent(&mut sequence, 8_000, rare, invented, &mut numbers);
                assert_stretch(&mut levels, &mut sequence, 1 << 20, &at);
            }
        }
    }

    /// The same where rare numbers are often left out, and the latest values are small.
    ///
    /// Rare numbers from the greatest of these values on are examined heap by heap.
    #[test]
    fn stretches_after_small_values_have_the_values_of_the_rules() {
        for (code, parity) in [
            ("0.4", true),
            ("0.6", true),
            ("0.4!", true),
            ("0.4!4", false),
        ] {
            let code: Code = code.parse().unwrap();
            for bound in 1..=6 {
                let mut sequence = Sequence::new(&claimed(&code, u32::MAX, parity)).unwrap();
                let (mut numbers, mut levels) = (numbers(bound), Levels::default());
                invent(&mut sequence, 4_000, 80, EVEN, &mut numbers);
                while sequence.values.len() < 4_000 + LANES {
                    let number = numbers.next().unwrap() % (bound as usize + 1);
                    sequence.push(number).unwrap();
                }
                let at = format!("{code} {bound}");
                assert_stretch(&mut levels, &mut sequence, 1 << 20, &at);
                assert_stretch(&mut levels, &mut sequence, 1 << 20, &at);
            }
        }
    }

    /// The least number may be greater than all values before, after a stretch where it was not.
    #[test]
    fn heaps_that_meet_all_numbers_have_the_values_of_the_rules() {
        let code: Code = "0.4".parse().unwrap();
        let mut sequence = Sequence::new(&claimed(&code, u32::MAX, true)).unwrap();
        let (mut numbers, mut levels) = (numbers(1), Levels::default());
        for (heaps, rare, invented) in [
            (5_000, 600, (|number| number % 32) as Invented),
            (9_000, 700, |number| 32 + number % 32),
        ] {
            invent(&mut sequence, heaps, rare, invented, &mut numbers);
            let planes = levels.planes.shape().0;
            assert_stretch(&mut levels, &mut sequence, heaps + 63, &heaps.to_string());
            let met_all = sequence.values[heaps..].iter().filter(|&&it| it >= 64);
            assert_eq!(met_all.count() > 32, planes == 64);
        }
    }

    /// A number is met within a stretch by a move that leaves one heap, or a heap of the stretch.
    #[test]
    fn numbers_are_met_within_a_stretch_by_the_rules() {
        const BOUND: usize = 512;
        const BEFORE: usize = 60;
        for (code, parity) in [("0.4", true), ("0.26", true), ("4.06!", false)] {
            let code: Code = code.parse().unwrap();
            let mut sequence = Sequence::new(&claimed(&code, u32::MAX, parity)).unwrap();
            for number in numbers(1).take(150) {
                let n = sequence.values.len();
                let values = &sequence.values;
                for number in (0..BOUND).filter(|&it| !sequence.rarity.is_rare(it, n)) {
                    let number = number as u16;
                    let right = single(&sequence.moves, values, n).any(|it| it == number)
                        || totals(&sequence.splits, n).any(|(total, _)| {
                            let mut ones = 1..total.min(n);
                            ones.any(|one| {
                                let other = total - one;
                                one.max(other) >= BEFORE && values[one] ^ values[other] == number
                            })
                        });
                    let is_met = is_met_within(&sequence, BEFORE, n, number);
                    assert_eq!(is_met, right, "{code} {n} {number}");
                }
                sequence.push(number % BOUND).unwrap();
            }
        }
    }

    /// Stretches that the planes cannot hold, or for which they are not meant, are left alone.
    #[test]
    fn not_every_stretch_is_accepted() {
        let control = &mut Control::unlimited();
        let most = format!("4.{}4", "0".repeat(MAX_TAKEN - 1));
        for (code, heaps, rare, greatest, accepted) in [
            ("0.4", FIRST, 100, 0, true),
            ("0.4", FIRST - 8, 100, 0, false),
            ("0.4", FIRST + 1, 100, 0, false),
            ("0.4", INVENTED, INVENTED / RARE_PART, 0, true),
            ("0.4", INVENTED, INVENTED / RARE_PART + 1, 0, false),
            ("0.4", INVENTED, 100, HeapQuery::NUMBERS - 1, true),
            ("0.4", INVENTED, 100, HeapQuery::NUMBERS, false),
            (&most, INVENTED, 100, 0, false),
            ("0.3", INVENTED, 0, 0, false),
        ] {
            let code: Code = code.parse().unwrap();
            let mut sequence = Sequence::new(&claimed(&code, u32::MAX, false)).unwrap();
            let mut levels = Levels::default();
            sequence.push(greatest).unwrap();
            invent(&mut sequence, heaps, rare, EVEN, &mut numbers(1));
            let is_accepted = levels.append(&mut sequence, 1 << 20, control).unwrap();
            assert_eq!(is_accepted, accepted, "{code} {heaps} {rare} {greatest}");
            assert_eq!(sequence.values.len() > heaps, accepted);
        }
    }

    /// The same where few heaps are rare: 16 in 0.454, 45 in 0.56, and 15 with the parity in 0.106.
    #[test]
    fn stretches_with_few_rare_heaps_agree_with_single_heaps() {
        for (code, mask, parity) in [
            ("0.454", 0b11_1101, false),
            ("0.56", 0b101_1011, false),
            ("0.106", 0b1101, true),
        ] {
            let code = code.parse().unwrap();
            let claim = RareClaim {
                code: &code,
                heaps: 9_000,
                mask,
                parity,
                rare: None,
            };
            let control = &mut Control::unlimited();
            let mut single = Sequence::new(&claim).unwrap();
            while single.values.len() <= 9_000 {
                single.append(control).unwrap();
            }
            assert!(single.rare.len() <= FEW_RARE, "{code}");
            let stretches = crate::sparse::nim_values(&claim, control).unwrap();
            assert_eq!(stretches, single.values, "{code}");
        }
    }

    /// The values of a stretch are those that are found heap by heap, for any earlier values.
    ///
    /// With `!` two equal heaps, both rare, are not an option; nearly no other two of these heaps
    /// have the same value.
    #[test]
    fn stretches_agree_with_single_heaps() {
        let (mut zeros, mut became_many) = (0, 0);
        for (code, parity) in [
            ("0.4!", true),
            ("0.4!", false),
            ("0.04", true),
            ("0.34?", true),
        ] {
            let code = code.parse().unwrap();
            let listed = RareClaim {
                code: &code,
                heaps: u32::MAX,
                mask: u32::MAX,
                parity,
                rare: None,
            };
            for (rare, seed) in [(1000, 1), (1000, 2), (20, 3), (FEW_RARE, 4), (FEW_RARE, 5)] {
                let mut stretch = invented(&listed, rare, seed);
                let mut single = invented(&listed, rare, seed);
                let (mut levels, control) = (Levels::default(), &mut Control::unlimited());
                assert!(levels.append(&mut stretch, 1 << 20, control).unwrap());
                while single.values.len() < stretch.values.len() {
                    single.append(control).unwrap();
                }
                assert_eq!(stretch.values, single.values, "{code} {parity} {seed}");
                became_many += usize::from(rare == FEW_RARE && stretch.rare.len() > FEW_RARE);
                zeros += single.values[INVENTED..]
                    .iter()
                    .filter(|&&it| it == 0)
                    .count();
            }
        }
        assert!(zeros > 0 && became_many > 0);
    }
}
