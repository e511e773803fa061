//! The nim-values of a game to a heap, computed for the check of a claim about them.
//!
//! The options of heap `n` have numbers of two kinds. A common number belongs to an option with one
//! rare heap, so all of these pairs are examined. A rare number below the least common one left out
//! is searched for among all pairs. [`Sequence`] does this heap by heap; [`levels`] does most of it
//! for hundreds of heaps at once.
//!
//! Only the work depends on the mask, provided that the list of rare heaps is exact; the
//! computation verifies that it is.
//!
//! A constraint on two heaps forbids pairs of equal heaps, or all others. Two equal heaps have the
//! number 0, so no other number is affected. A common number never belongs to two equal heaps,
//! since exactly one heap of the pair is rare. If 0 is rare, it is searched for heap by heap.

mod levels;
mod order;
mod planes;

use std::iter::Peekable;
use std::slice::Iter;

use super::normal_period_error::NormalPeriodCheckError;
use super::two_heaps::{Leaves, Split, leaves};
use levels::Levels;
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::normal_period::MAX_RARE;

/// The exclusive bound of nim-values, which are kept in two bytes.
pub(super) const MAX_NUMBER: usize = 1 << 16;
/// The number of pairs of heaps examined in one tick.
const PAIRS_PER_TICK: usize = 1;
/// The number of pairs of heaps examined together in the search for one number.
const TOGETHER: usize = 32;
/// The last heap whose nim-value is also kept backwards.
const BACKWARDS: usize = 1 << 15;

/// The part of a claim that determines which heaps are rare.
pub(super) struct RareClaim<'a> {
    pub(super) code: &'a Code,
    pub(super) heaps: u32,
    pub(super) mask: u32,
    pub(super) parity: bool,
    pub(super) rare: Option<&'a [u32]>,
}

/// The rule that determines which numbers are rare for which heaps.
#[derive(Clone, Copy)]
pub(super) struct Rarity {
    mask: u32,
    parity: bool,
    /// The parity of the beans that splitting moves take.
    taken: usize,
    /// A bit for each number below 64 that has an even count of ones under the mask.
    even: u64,
}

impl Rarity {
    pub(super) fn new(claim: &RareClaim<'_>) -> Self {
        Self {
            mask: claim.mask,
            parity: claim.parity,
            taken: leaves(claim.code)
                .and_then(|moves| splits(&moves).next())
                .map_or(0, |split| split.taken % 2),
            even: (0..64)
                .filter(|number| (number & claim.mask).count_ones().is_multiple_of(2))
                .fold(0, |even, number| even | 1 << number),
        }
    }

    pub(super) fn is_rare(self, number: usize, heap: usize) -> bool {
        let ones = (number as u32 & self.mask).count_ones() as usize;
        let heap = if self.parity { heap + self.taken } else { 0 };
        (ones + heap).is_multiple_of(2)
    }

    /// Returns a bit for each of the 64 numbers from `64 · at` on that is rare for the heap.
    fn rare_word(self, at: usize, heap: usize) -> u64 {
        match self.is_rare(64 * at, heap) {
            true => self.even,
            false => !self.even,
        }
    }
}

/// Returns the moves that leave two heaps, not only equal ones.
pub(super) fn splits(moves: &[Leaves]) -> impl Iterator<Item = Split> + '_ {
    moves.iter().filter_map(|leaves| leaves.split)
}

/// Returns the nim-values of heaps 0 to the last one claimed (N2).
pub(super) fn nim_values(
    claim: &RareClaim<'_>,
    control: &mut Control,
) -> Result<Vec<u16>, NormalPeriodCheckError> {
    let mut sequence = Sequence::new(claim)?;
    let mut levels = Levels::default();
    let last = claim.heaps as usize;
    let bytes = (last + 1).saturating_mul(size_of::<u16>());
    let reserved = sequence.values.try_reserve_exact(last);
    reserved.map_err(|_| NormalPeriodCheckError::NoMemory(bytes))?;
    while sequence.values.len() <= last {
        if !levels.append(&mut sequence, last, control)? {
            sequence.append(control)?;
        }
    }
    Ok(sequence.values)
}

/// The nim-values of the heaps from 0 on.
struct Sequence<'a> {
    moves: Vec<Leaves>,
    splits: Vec<Split>,
    rarity: Rarity,
    values: Vec<u16>,
    /// The rare heaps so far, and their values, at most [`MAX_RARE`].
    ///
    /// It is empty for a game without splits, which does not need them.
    rare: Vec<(usize, u16)>,
    /// The claimed rare heaps that are still to come, if a list is claimed.
    listed: Option<Peekable<Iter<'a, u32>>>,
    /// The values of the heaps from 1 on, in reversed groups of [`TOGETHER`].
    backwards: Vec<[u16; TOGETHER]>,
    /// For each number the latest heap with an option of this number.
    seen: Vec<u32>,
    /// The latest totals of beans, each at its remainder, and a bit for each number that a rare heap
    /// and another one have with this total.
    rows: Vec<(usize, Vec<u64>)>,
    /// A bit for each number that is met by the heap examined.
    met: Vec<u64>,
}

impl<'a> Sequence<'a> {
    fn new(claim: &RareClaim<'a>) -> Result<Self, NormalPeriodCheckError> {
        let moves = leaves(claim.code).ok_or(NormalPeriodCheckError::NotOctal)?;
        Ok(Self {
            splits: splits(&moves).collect(),
            rows: vec![(usize::MAX, Vec::new()); moves.len()],
            met: Vec::new(),
            moves,
            rarity: Rarity::new(claim),
            values: vec![0],
            rare: Vec::new(),
            listed: claim.rare.map(|rare| rare.iter().peekable()),
            backwards: Vec::new(),
            seen: vec![0; 64],
        })
    }

    /// Appends the value of the next heap, by the pairs of heaps that matter.
    fn append(&mut self, control: &mut Control) -> Result<(), NormalPeriodCheckError> {
        let n = self.values.len();
        let heap = n as u32;
        let pairs = self.splits.len() * self.rare.len();
        control.spend((20 + 2 * self.moves.len() + pairs / PAIRS_PER_TICK) as u64)?;
        for number in single(&self.moves, &self.values, n) {
            self.seen[usize::from(number)] = heap;
        }
        for (total, split) in totals(&self.splits, n) {
            control.spend(0)?;
            let before = self.rare.partition_point(|&(one, _)| one < total);
            for &(one, value) in &self.rare[..before] {
                if split.equal_too || 2 * one != total {
                    self.seen[usize::from(value ^ self.values[total - one])] = heap;
                }
            }
        }
        let is_seen = |seen: &[u32], number: usize| seen.get(number) == Some(&heap);
        let mut ceiling = 0;
        while self.rarity.is_rare(ceiling, n) || is_seen(&self.seen, ceiling) {
            ceiling += 1;
        }
        let mut least = (0..ceiling).find(|&number| !is_seen(&self.seen, number));
        if let Some(first) = least {
            least = self.search(n, first, ceiling, control)?;
        }
        self.push(least.unwrap_or(ceiling))
    }

    /// Goes through pairs of heaps until every number from `first` to below `ceiling` is seen.
    ///
    /// Otherwise returns the least number that no pair has.
    fn search(
        &mut self,
        n: usize,
        first: usize,
        ceiling: usize,
        control: &mut Control,
    ) -> Result<Option<usize>, Stop> {
        let heap = n as u32;
        let mut wanted = first;
        for (total, split) in totals(&self.splits, n) {
            for one in 1..=greatest_first(total, split) {
                let number = usize::from(self.values[one] ^ self.values[total - one]);
                self.seen[number] = heap;
                if one % 64 == 0 {
                    control.spend((64 / PAIRS_PER_TICK) as u64)?;
                }
                while self.seen.get(wanted) == Some(&heap) {
                    wanted += 1;
                }
                if wanted >= ceiling {
                    return Ok(None);
                }
            }
        }
        Ok(Some(wanted))
    }

    /// Returns the least number that is common for the heap and is not that of an option.
    ///
    /// The pairs of a total are gone through once for all heaps from which a split leaves it.
    fn least_common(&mut self, n: usize, control: &mut Control) -> Result<usize, Stop> {
        let words = self.seen.len() / 64;
        self.met.clear();
        self.met.resize(words, 0);
        let met = &mut self.met;
        single(&self.moves, &self.values, n)
            .for_each(|number| met[usize::from(number) / 64] |= 1 << (number % 64));
        for (total, _) in totals(&self.splits, n) {
            let at = total % self.rows.len();
            let (of, row) = &mut self.rows[at];
            if *of != total {
                *of = total;
                row.clear();
                row.resize(words, 0);
                let before = self.rare.iter().take_while(|&&(one, _)| one < total);
                let numbers = before.map(|&(one, value)| value ^ self.values[total - one]);
                match row.as_mut_slice() {
                    [word] => *word = numbers.fold(0, |word, number| word | 1 << (number % 64)),
                    row => numbers.for_each(|number| {
                        row[usize::from(number) / 64] |= 1 << (number % 64);
                    }),
                }
                control.spend((self.rare.len() / PAIRS_PER_TICK) as u64)?;
            }
            let both = self.met.iter_mut().zip(row);
            both.for_each(|(met, row)| *met |= *row);
        }
        let mut words = (0..).map(|at| {
            let met = self.met.get(at).copied().unwrap_or(0);
            (at, met | self.rarity.rare_word(at, n))
        });
        let found = words.find(|&(_, word)| word != u64::MAX);
        Ok(found.map_or(0, |(at, word)| 64 * at + word.trailing_ones() as usize))
    }

    /// Reports whether an option of the heap that is not a split has the number.
    fn is_single(&self, n: usize, number: u16) -> bool {
        single(&self.moves, &self.values, n).any(|other| other == number)
    }

    /// Reports whether the heap can be split into two heaps with a number that is common for it.
    fn is_common_split(&self, n: usize, number: u16, control: &mut Control) -> Result<bool, Stop> {
        for (total, _) in totals(&self.splits, n) {
            let before = &self.rare[..self.rare.partition_point(|&(one, _)| one < total)];
            control.spend((before.len() / PAIRS_PER_TICK) as u64)?;
            let mut pairs = before
                .iter()
                .map(|&(one, value)| value ^ self.values[total - one]);
            if pairs.any(|other| other == number) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reports whether the heap can be split into any two heaps with the number.
    fn is_split(&self, n: usize, number: u16, control: &mut Control) -> Result<bool, Stop> {
        for (total, split) in totals(&self.splits, n) {
            let last = greatest_first(total, split);
            let others = self.values[total - last..total].rchunks_exact(TOGETHER);
            let before = self.backwards.iter().zip(others);
            let mut looked_at = 0;
            for (ones, others) in before {
                control.spend((TOGETHER / PAIRS_PER_TICK) as u64)?;
                looked_at += TOGETHER;
                let found = ones.iter().zip(others).fold(0, |found: u16, (one, other)| {
                    found | if one ^ other == number { u16::MAX } else { 0 }
                });
                if found != 0 {
                    return Ok(true);
                }
            }
            let ones = self.values[looked_at + 1..=last].iter();
            let others = self.values[total - last..total - looked_at].iter().rev();
            control.spend(((last - looked_at) / PAIRS_PER_TICK) as u64)?;
            if ones.zip(others).any(|(one, other)| one ^ other == number) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Appends a value. Fails unless the heap is rare exactly if it is listed.
    fn push(&mut self, value: usize) -> Result<(), NormalPeriodCheckError> {
        let n = self.values.len();
        let heap = n as u32;
        if value >= MAX_NUMBER {
            return Err(NormalPeriodCheckError::TooGreat(heap));
        }
        if value >= self.seen.len() {
            self.seen.resize((value + 1).next_power_of_two(), 0);
        }
        self.values.push(value as u16);
        if n.is_multiple_of(TOGETHER)
            && n <= BACKWARDS
            && let Some(mut latest) = self.values.last_chunk().copied()
        {
            latest.reverse();
            self.backwards.push(latest);
        }
        let rare = self.rarity.is_rare(value, n);
        let listed = self.listed.as_mut();
        let listed = listed.map(|listed| listed.next_if(|&&next| next == heap));
        if listed.is_some_and(|listed| rare != listed.is_some()) {
            let value = value as u32;
            return Err(NormalPeriodCheckError::Rare { heap, value, rare });
        }
        if rare && !self.splits.is_empty() {
            if self.rare.len() >= MAX_RARE {
                return Err(NormalPeriodCheckError::TooManyRare(heap));
            }
            let bytes = (self.rare.len() + 1).saturating_mul(size_of::<(usize, u16)>());
            let reserved = self.rare.try_reserve(1);
            reserved.map_err(|_| NormalPeriodCheckError::NoMemory(bytes))?;
            self.rare.push((n, value as u16));
        }
        Ok(())
    }
}

/// Returns the numbers of the options of a heap other than splits into any two heaps.
fn single<'a>(
    moves: &'a [Leaves],
    values: &'a [u16],
    n: usize,
) -> impl Iterator<Item = u16> + use<'a> {
    let moves = moves.iter().enumerate().take(n + 1);
    moves.flat_map(move |(taken, leaves)| {
        let rest = n - taken;
        let nothing =
            leaves.nothing && rest == 0 || leaves.equal && rest > 0 && rest.is_multiple_of(2);
        let one = leaves.one && rest > 0 && taken > 0;
        let zero = nothing.then_some(0);
        zero.into_iter().chain(one.then(|| values[rest]))
    })
}

/// Returns the beans that each split leaves of a heap.
fn totals(splits: &[Split], n: usize) -> impl Iterator<Item = (usize, Split)> + '_ {
    let total = move |split: &Split| Some((n.checked_sub(split.taken)?, *split));
    splits.iter().filter_map(total)
}

/// Returns the greatest heap that is the smaller one of a pair with this total.
fn greatest_first(total: usize, split: Split) -> usize {
    match split.equal_too {
        true => total / 2,
        false => total.saturating_sub(1) / 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns numbers that depend on a seed.
    pub(super) fn numbers(seed: u64) -> impl Iterator<Item = usize> {
        let next = |&state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005) + 1_442_695);
        std::iter::successors(Some(seed), next).map(|state| (state >> 33) as usize)
    }

    /// Returns the claim that determines which heaps are rare, without a list of them.
    pub(super) fn claimed(code: &Code, mask: u32, parity: bool) -> RareClaim<'_> {
        RareClaim {
            code,
            heaps: 1_000,
            mask,
            parity,
            rare: None,
        }
    }

    /// Returns which numbers the options of the next heap have: first all that are not splits.
    pub(super) fn numbers_met(moves: &[Leaves], values: &[u16]) -> [Vec<bool>; 2] {
        let [mut single, mut split] = [(); 2].map(|()| vec![false; 1 << 13]);
        for (taken, leaves) in moves.iter().enumerate().take(values.len() + 1) {
            let rest = values.len() - taken;
            single[0] |= leaves.nothing && rest == 0;
            single[0] |= leaves.equal && rest > 0 && rest.is_multiple_of(2);
            if leaves.one && rest > 0 && taken > 0 {
                single[usize::from(values[rest])] = true;
            }
            for one in 1..=rest / 2 {
                if leaves
                    .split
                    .is_some_and(|it| it.equal_too || 2 * one < rest)
                {
                    split[usize::from(values[one] ^ values[rest - one])] = true;
                }
            }
        }
        [single, split]
    }

    /// Returns the least number that no option of the next heap has.
    pub(super) fn by_the_rules(moves: &[Leaves], values: &[u16]) -> u16 {
        let [single, split] = numbers_met(moves, values);
        let left_out = single
            .iter()
            .zip(split)
            .position(|met| met == (&false, false));
        left_out.unwrap() as u16
    }

    /// Games with moves that leave one heap, any two, two that differ, or two equal ones.
    const GAMES: [&str; 9] = [
        "0.4", "0.07", "4.", "0.644", "0.26", "0.4!", "0.4!4", "0.36!06", "0.5=4",
    ];

    /// Reports whether all splits take even numbers of beans, or all odd ones.
    fn has_one_parity(code: &Code) -> bool {
        let moves = leaves(code).unwrap();
        let taken: Vec<usize> = splits(&moves).map(|split| split.taken % 2).collect();
        taken.iter().min() == taken.iter().max()
    }

    #[test]
    fn words_have_the_rare_numbers() {
        let code: Code = "0.4".parse().unwrap();
        for (mask, parity) in [(1, false), (u32::MAX, false), (0b101_0110, true)] {
            let rarity = Rarity::new(&claimed(&code, mask, parity));
            for (number, heap) in (0..1 << 12).flat_map(|number| [(number, 8), (number, 9)]) {
                let bit = rarity.rare_word(number / 64, heap) >> (number % 64) & 1;
                assert_eq!(bit == 1, rarity.is_rare(number, heap), "{mask} {number}");
            }
        }
    }

    /// Values are those of the rules whatever the mask, which matters for the work only.
    #[test]
    fn heaps_have_the_values_of_the_rules() {
        for code in GAMES {
            let code: Code = code.parse().unwrap();
            let claim = claimed(&code, 1, false);
            let moves = Sequence::new(&claim).unwrap().moves;
            let mut right = vec![0];
            while right.len() < 200 {
                right.push(by_the_rules(&moves, &right));
            }
            let same_parity = has_one_parity(&code);
            for (mask, parity) in [(1, false), (0b110, false), (u32::MAX, true)] {
                let claim = claimed(&code, mask, parity && same_parity);
                let mut sequence = Sequence::new(&claim).unwrap();
                while sequence.values.len() < right.len() {
                    sequence.append(&mut Control::unlimited()).unwrap();
                }
                assert_eq!(sequence.values, right, "{code} {mask}");
            }
        }
    }

    /// Options are those of the rules, for any earlier values.
    #[test]
    fn options_are_those_of_the_rules() {
        let control = &mut Control::unlimited();
        for code in GAMES {
            let code: Code = code.parse().unwrap();
            for (bound, parity, last) in [
                (1 << 9, true, 140),
                (64, true, 60),
                (64, false, 200),
                (1 << 8, true, 420),
            ] {
                let same_parity = has_one_parity(&code);
                let claim = claimed(&code, u32::MAX, parity && same_parity);
                let mut sequence = Sequence::new(&claim).unwrap();
                let mut numbers = numbers(bound as u64);
                while sequence.values.len() < last {
                    let n = sequence.values.len();
                    let [single, split] = numbers_met(&sequence.moves, &sequence.values);
                    let is_common = |&number: &usize| !sequence.rarity.is_rare(number, n);
                    let is_met = |number: usize| single[number] || split[number];
                    let right = (0..).filter(is_common).find(|&number| !is_met(number));
                    let at = format!("{code} {bound} {n}");
                    for number in (0..2 * bound).filter(|it| n < 140 || it % 9 == 0) {
                        let it = number as u16;
                        assert_eq!(sequence.is_single(n, it), single[number], "{at} {it}");
                        let is_split = sequence.is_split(n, it, control).unwrap();
                        assert_eq!(is_split, split[number], "{at} {it}");
                        if is_common(&number) {
                            let is_split = sequence.is_common_split(n, it, control).unwrap();
                            assert_eq!(is_split, split[number], "{at} {it}");
                        }
                    }
                    let found = sequence.least_common(n, control).unwrap();
                    assert_eq!(Some(found), right, "{at}");
                    sequence.push(numbers.next().unwrap() % bound).unwrap();
                }
            }
        }
    }

    /// Values and rare heaps have bounds.
    #[test]
    fn more_than_two_bytes_or_too_many_rare_heaps_are_refused() {
        let code: Code = "0.4".parse().unwrap();
        let mut sequence = Sequence::new(&claimed(&code, 1, false)).unwrap();
        sequence.push(MAX_NUMBER - 1).unwrap();
        let refused = sequence.push(MAX_NUMBER);
        assert_eq!(refused, Err(NormalPeriodCheckError::TooGreat(2)));
        sequence.rare = vec![(0, 0); MAX_RARE];
        sequence.rare.pop();
        sequence.push(2).unwrap();
        sequence.push(3).unwrap();
        let refused = sequence.push(2);
        assert_eq!(refused, Err(NormalPeriodCheckError::TooManyRare(4)));
    }
}
