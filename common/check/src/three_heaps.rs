//! The nim-values of three heaps with a given total, as the checker computes them.
//!
//! If heaps `a ≤ b ≤ c` have the total, `a` is at most a third of the beans, and `b` and `c`
//! together have the nim-value that remains when that of `a` is removed. So for each `a` the search
//! tests whether two heaps with the remaining beans have the remaining nim-value. The answers for
//! two heaps are kept in a table with a bit for every total and nim-value, as long as it is not too
//! large. If `a` is one of the first [`FIRST`] heaps all numbers are searched for together, whole
//! rows of the table at a time.

use misere_game::control::{Control, Stop};

/// Ticks per pair of heaps, per lookup in the table and per word of a row that is read.
const PAIR: u64 = 2;
const LOOKUP: u64 = 2;
const WORD: usize = 1;
/// The number of heaps for which whole rows are read.
const FIRST: usize = 1024;
/// The most words of the table: 256 MiB.
const MAX_TABLE_WORDS: usize = 1 << 25;

/// The nim-values that two heaps can have, and those that three can have with one of the first.
pub(super) struct ThreeHeaps {
    table: Vec<u64>,
    /// The first word of the row of each total; the row ends where the next one begins.
    rows: Vec<usize>,
    /// The latest totals, at the total modulo their number, with a bit for each nim-value found.
    found: Vec<(Option<usize>, Vec<u64>)>,
}

impl ThreeHeaps {
    /// Returns a table that remembers the results of `totals` totals.
    pub(super) fn new(totals: usize) -> Self {
        Self {
            table: Vec::new(),
            rows: Vec::new(),
            found: vec![(None, Vec::new()); totals],
        }
    }

    /// Prepares for a total of at most as many beans as there are `values`.
    ///
    /// `values` are the nim-values of the heaps from 0 on. They are below `numbers`, a power of
    /// two.
    ///
    /// Cost: two ticks per pair of heaps; if that total is a new one, for each 64 numbers one tick
    /// per heap for which rows are read, and 128.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub(super) fn enter(
        &mut self,
        total: usize,
        values: &[u32],
        numbers: usize,
        control: &mut Control,
    ) -> Result<(), Stop> {
        let words = numbers.div_ceil(64);
        for beans in self.rows.len()..total {
            if self.table.len() + words > MAX_TABLE_WORDS {
                break;
            }
            control.spend(PAIR * beans as u64 / 2)?;
            let row = self.table.len();
            self.rows.push(row);
            self.table.resize(row + words, 0);
            let row = &mut self.table[row..];
            let (small, large) = (&values[1..], &values[..beans]);
            for (one, other) in small.iter().zip(large.iter().rev()).take(beans / 2) {
                let sum = one ^ other;
                row[sum as usize / 64] |= 1 << (sum % 64);
            }
        }
        let at = total % self.found.len();
        if self.found[at].0 != Some(total) {
            control.spend((WORD * words * (FIRST.min(total / 3) + 128)) as u64)?;
            self.found[at] = (Some(total), self.with_the_first(total, values, words));
        }
        Ok(())
    }

    fn with_the_first(&self, total: usize, values: &[u32], words: usize) -> Vec<u64> {
        // Grouped by the summand within words, which is then added once for all heaps.
        let mut sums = vec![0_u64; 64 * words];
        for one in 1..=FIRST.min(total / 3) {
            let within = values[one] as usize % 64 * words;
            let sums = &mut sums[within..within + words];
            let row = self.row(total - one).unwrap_or_default();
            for (at, word) in row.iter().enumerate() {
                sums[at ^ (values[one] as usize / 64)] |= word;
            }
        }
        let mut found = vec![0_u64; words];
        for (within, sums) in sums.chunks(words).enumerate() {
            for (found, &word) in found.iter_mut().zip(sums) {
                *found |= added(word, within);
            }
        }
        found
    }

    /// Reports whether three heaps with `total` beans have the nim-value.
    ///
    /// The total must have been prepared.
    ///
    /// Cost: two ticks, and as many per least heap beyond the first ones; without the table as many
    /// per pair of others.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub(super) fn have(
        &self,
        total: usize,
        nim_value: u32,
        values: &[u32],
        control: &mut Control,
    ) -> Result<bool, Stop> {
        control.spend(LOOKUP)?;
        if has(&self.found[total % self.found.len()].1, nim_value) {
            return Ok(true);
        }
        // If there are rows, all numbers with one of the first heaps have been found together
        // already.
        let has_all_rows = self.rows.len() >= total;
        let least_left = if has_all_rows { FIRST + 1 } else { 1 };
        let mut ticks = 0;
        let mut is_found = false;
        for least in (least_left..=total / 3).rev() {
            let (two, left) = (total - least, values[least] ^ nim_value);
            ticks += LOOKUP;
            match self.row(two) {
                Some(_) if least <= FIRST => {}
                Some(row) => is_found = has(row, left),
                None => {
                    control.spend(PAIR * two as u64 / 2)?;
                    is_found = (1..=two / 2).any(|one| values[one] ^ values[two - one] == left);
                }
            }
            if is_found {
                break;
            }
        }
        control.spend(ticks)?;
        Ok(is_found)
    }

    fn row(&self, total: usize) -> Option<&[u64]> {
        let start = *self.rows.get(total)?;
        let end = self.rows.get(total + 1).copied();
        Some(&self.table[start..end.unwrap_or(self.table.len())])
    }
}

fn has(row: &[u64], nim_value: u32) -> bool {
    let word = row.get(nim_value as usize / 64);
    word.is_some_and(|word| word >> (nim_value % 64) & 1 == 1)
}

/// Returns the set of all `x ⊕ value` for `x` in a set of numbers below 64.
fn added(set: u64, value: usize) -> u64 {
    // The places whose number has bit `i`.
    const PLACES: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    let mut sum = set;
    for (i, places) in PLACES.into_iter().enumerate() {
        if value >> i & 1 == 1 {
            sum = (sum & places) >> (1 << i) | (sum & !places) << (1 << i);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Compares with the definition, for a table that ends before `rows` rows.
    fn compare(values: &[u32], total: usize, rows: usize) {
        let mut three_heaps = ThreeHeaps::new(2);
        let control = &mut Control::unlimited();
        three_heaps.enter(total, values, 256, control).unwrap();
        if rows < three_heaps.rows.len() {
            three_heaps.table.truncate(three_heaps.rows[rows]);
            three_heaps.rows.truncate(rows);
            three_heaps.found[total % 2].1 = three_heaps.with_the_first(total, values, 4);
        }
        let mut expected = [false; 256];
        for one in 1..total {
            for two in 1..total - one {
                expected[(values[one] ^ values[two] ^ values[total - one - two]) as usize] = true;
            }
        }
        for nim_value in 0..300 {
            let have = three_heaps.have(total, nim_value, values, control);
            let expected = expected.get(nim_value as usize) == Some(&true);
            assert_eq!(have, Ok(expected), "{total} {nim_value} {rows}");
        }
    }

    proptest! {
        #[test]
        fn a_value_is_added_to_every_member(set in any::<u64>(), value in 0_usize..64) {
            for x in 0..64 {
                prop_assert_eq!(added(set, value) >> (x ^ value) & 1, set >> x & 1);
            }
        }

        #[test]
        fn three_heaps(values in prop::collection::vec(0_u32..256, 3..40), rows in 0_usize..40) {
            let values = [vec![0], values].concat();
            for total in 0..=values.len() {
                compare(&values, total, rows);
            }
        }
    }

    /// Some values occur only with three heaps beyond the first.
    #[test]
    fn beyond_the_first_heaps() {
        let mut values = vec![0; 3_400];
        for (heap, value) in [
            (1_025, 1),
            (1_100, 2),
            (1_200, 4),
            (1_060, 64),
            (1_111, 128),
        ] {
            values[heap] = value;
        }
        for total in [3_325, 3_285] {
            for rows in [3_400, 2_280, 0] {
                compare(&values, total, rows);
            }
        }
    }
}
