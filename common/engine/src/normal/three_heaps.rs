//! The nim-values of three heaps with a given total.
//!
//! There are `n²/12` ways to leave them. They are not enumerated: for every total the nim-values of
//! two heaps are stored as a set of bits. The least of three heaps has at most a third of the
//! beans. So three heaps have the value `v` if for such a heap `a` the set of the other beans has
//! `v ⊕ G(h_a)`, which takes at most `n/3` queries. Most values of three heaps occur with a small
//! least heap. So the sets of the first [`SMALL`] heaps `a`, with `G(h_a)` added to every member,
//! are united once for every total, and only numbers not found there are queried.
//!
//! Adding a number to all members of a set moves them: its high bits move words, its six low bits
//! move bits within words. The sets are first united for each of the 64 combinations of low bits,
//! and then, a bit at a time, with each other.

use misere_game::control::{Control, Stop};

/// The number of small heaps whose sets are united for all numbers at once.
const SMALL: usize = 1024;
/// The price of one pair, of one query of a set, and of a word united with another.
const PAIR_TICKS: u64 = 2;
const QUESTION_TICKS: u64 = 3;
const WORD_TICKS: usize = 1;
/// The greatest number of words that the sets take: 256 MiB. Beyond that pairs are tried.
const MAX_WORDS: usize = 1 << 25;

/// The bits of a word whose place has bit `i` unset.
const UNSET: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// The nim-values of two heaps, and some of three, by the total number of beans.
#[derive(Clone, Debug)]
pub(super) struct ThreeHeaps {
    of_two: Vec<Vec<u64>>,
    words: usize,
    /// The latest totals, by remainder, with nim-values of three heaps, one of them small.
    with_small: Vec<(usize, Vec<u64>)>,
    united: Vec<u64>,
}

impl ThreeHeaps {
    /// Makes tables for `totals` neighbouring totals at a time.
    pub(super) fn new(totals: usize) -> Self {
        Self {
            of_two: Vec::new(),
            words: 0,
            with_small: vec![(0, Vec::new()); totals],
            united: Vec::new(),
        }
    }

    /// Prepares for queries about `total`.
    ///
    /// `values` are the nim-values of the heaps from 0 on, at least as many as beans.
    ///
    /// Cost: the first time `n` ticks, and for each 64 nim-values one per small heap and 128 more.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub(super) fn prepare(
        &mut self,
        total: usize,
        values: &[u32],
        control: &mut Control,
    ) -> Result<(), Stop> {
        while self.of_two.len() < total && self.words < MAX_WORDS {
            let total = self.of_two.len();
            let mut set = Vec::new();
            control.spend(PAIR_TICKS * total as u64 / 2)?;
            for one in 1..=total / 2 {
                let value = values[one] ^ values[total - one];
                let word = value as usize / 64;
                if word >= set.len() {
                    set.resize(word + 1, 0);
                }
                set[word] |= 1 << (value % 64);
            }
            self.words += set.len();
            self.of_two.push(set);
        }
        let at = total % self.with_small.len();
        if self.with_small[at].0 != total {
            self.unite_small(total, values, control)?;
            self.with_small[at] = (total, self.united.clone());
        }
        Ok(())
    }

    /// Computes the nim-values of three heaps, one of them small, in `united`.
    fn unite_small(
        &mut self,
        total: usize,
        values: &[u32],
        control: &mut Control,
    ) -> Result<(), Stop> {
        let small = SMALL.min(total / 3);
        let sets = || (1..=small).filter_map(|one| Some((one, self.of_two.get(total - one)?)));
        let most = sets().map(|(one, two)| two.len().max(values[one] as usize / 64 + 1));
        let words = most.max().unwrap_or(1).next_power_of_two();
        control.spend((WORD_TICKS * words * (small + 128)) as u64)?;
        let mut united = std::mem::take(&mut self.united);
        united.clear();
        united.resize(64 * words, 0);
        for (one, two) in sets() {
            let (low, high) = (values[one] as usize % 64, values[one] as usize / 64);
            let to = &mut united[words * low..][..words];
            for (at, &word) in two.iter().enumerate() {
                to[at ^ high] |= word;
            }
        }
        for (bit, unset) in UNSET.into_iter().enumerate() {
            let step = 1 << bit;
            for low in (0..64).step_by(2 * step) {
                for at in 0..words {
                    let word = united[words * (low + step) + at];
                    united[words * low + at] |= (word & unset) << step | word >> step & unset;
                }
            }
        }
        united.truncate(words);
        self.united = united;
        Ok(())
    }

    /// Reports whether three heaps with `total` beans have this value.
    ///
    /// [`prepare`](Self::prepare) must have been called for the total.
    ///
    /// Cost: three ticks per query; where sets are not stored two per pair.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub(super) fn have(
        &self,
        total: usize,
        value: u32,
        values: &[u32],
        control: &mut Control,
    ) -> Result<bool, Stop> {
        if has(&self.with_small[total % self.with_small.len()].1, value) {
            return Ok(true);
        }
        // The sets of some of the last totals may not be stored.
        let kept = (total + 1).saturating_sub(self.of_two.len()).max(1);
        let mut questions = 0;
        let found = (kept.max(SMALL + 1)..=total / 3).any(|one| {
            questions += 1;
            has(&self.of_two[total - one], value ^ values[one])
        });
        control.spend(QUESTION_TICKS * questions)?;
        if found {
            return Ok(true);
        }
        for one in (1..kept).take_while(|&one| one <= total / 3) {
            let (rest, wanted) = (total - one, value ^ values[one]);
            control.spend(PAIR_TICKS * rest as u64 / 2)?;
            if (1..=rest / 2).any(|two| values[two] ^ values[rest - two] == wanted) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn has(set: &[u64], value: u32) -> bool {
    set.get(value as usize / 64)
        .is_some_and(|word| word >> (value % 64) & 1 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn have_what_they_have(values: &[u32], total: usize, kept: usize) {
        let mut three_heaps = ThreeHeaps::new(3);
        let control = &mut Control::unlimited();
        three_heaps.prepare(total, values, control).unwrap();
        // Some of the last sets exceeded the limit.
        three_heaps.of_two.truncate(kept);
        three_heaps.with_small[total % 3].0 = usize::MAX;
        three_heaps.words = MAX_WORDS;
        three_heaps.prepare(total, values, control).unwrap();
        let mut expected = vec![false; 256];
        for one in 1..total {
            for two in 1..total - one {
                expected[(values[one] ^ values[two] ^ values[total - one - two]) as usize] = true;
            }
        }
        for value in 0..256 {
            let have = three_heaps.have(total, value, values, control).unwrap();
            assert_eq!(have, expected[value as usize], "{total} {value}");
        }
    }

    proptest! {
        #[test]
        fn by_the_definition(values in prop::collection::vec(0_u32..200, 3..40), kept in 0_usize..40) {
            let values = [vec![0], values].concat();
            for total in 0..=values.len() {
                have_what_they_have(&values, total, kept);
            }
        }
    }

    /// Values that only one triple of large heaps has.
    #[test]
    fn none_of_the_heaps_is_small() {
        let mut values = vec![0; 3_400];
        for (heap, value) in [
            (1_030, 1),
            (1_040, 2),
            (1_090, 4),
            (1_100, 64),
            (1_110, 128),
        ] {
            values[heap] = value;
        }
        for total in [3_160, 3_300] {
            have_what_they_have(&values, total, 3_400);
            have_what_they_have(&values, total, 2_195);
        }
    }
}
