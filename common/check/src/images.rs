//! The values of the options of a heap.
//!
//! They are read from the digits of the code, not from its list of options. What a move that takes
//! `k` leaves depends only on the size of the rest, so the values of two (or three) heaps that make
//! up a rest are computed once for all heaps. For a general code the options are made from its
//! digits (`general_moves`); games without digits have their options listed.

use misere_game::bipartite::{Element, ElementSet};
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;

use super::general_moves;
use super::table::Table;

/// The option values of the heaps from 0 on, one heap at a time.
pub(super) struct Images<'a> {
    code: &'a Code,
    phi: &'a [Element],
    two_parts: bool,
    three_parts: bool,
    /// The values of each rest as two heaps; emptied when no later heap can leave that rest.
    pairs: Vec<ElementSet>,
    /// The values of each rest as three heaps.
    triples: Vec<ElementSet>,
    heap: u32,
}

impl<'a> Images<'a> {
    /// Returns the images before heap 0 and keeps the rows of the values in `table`.
    pub(super) fn new(
        code: &'a Code,
        phi: &'a [Element],
        table: &mut Table<'_>,
        control: &mut Control,
    ) -> Result<Self, Stop> {
        for &value in phi {
            control.spend(5)?;
            table.keep(value, control)?;
        }
        let some_digit = |bit: u8| (0..=code.length()).any(|taken| code.digit(taken) & bit != 0);
        Ok(Self {
            code,
            phi,
            two_parts: some_digit(4 | 8),
            three_parts: some_digit(8),
            pairs: Vec::new(),
            triples: Vec::new(),
            heap: 0,
        })
    }

    /// Returns the next heap and the values of its options; `None` after the last.
    pub(super) fn next(
        &mut self,
        table: &Table<'_>,
        control: &mut Control,
    ) -> Result<Option<(u32, ElementSet)>, Stop> {
        let heap = self.heap;
        if heap as usize >= self.phi.len() {
            return Ok(None);
        }
        self.heap += 1;
        let mut image = ElementSet::empty(table.order());
        if let Some(digits) = self.code.general() {
            control.spend(20 + image.words().len() as u64 + 5 * self.code.most_options(heap))?;
            general_moves::for_each(digits, heap, 0, control, &mut |left| {
                let times = |x, &part: &u32| table.times(self.phi[part as usize], x);
                image.insert(left.iter().fold(0, times));
            })?;
            return Ok(Some((heap, image)));
        }
        if !self.code.is_take_and_break() {
            control.spend(20 + image.words().len() as u64 + 3 * self.code.most_options(heap))?;
            self.code.for_each_option(heap, |option| {
                let times = |x, part: u32| table.times(self.phi[part as usize], x);
                image.insert(option.parts().fold(0, times));
            });
            return Ok(Some((heap, image)));
        }
        self.split(heap, table, control)?;
        control.spend(20 + (self.code.length() * image.words().len()) as u64)?;
        for taken in 0..=self.code.length().min(heap as usize) {
            let (digit, rest) = (self.code.digit(taken), heap as usize - taken);
            if digit & 1 != 0 && rest == 0 && taken > 0 {
                image.insert(0);
            }
            if digit & 2 != 0 && rest > 0 {
                image.insert(self.phi[rest]);
            }
            if digit & 4 != 0 {
                image.union_with(&self.pairs[rest]);
            }
            if digit & 8 != 0 {
                image.union_with(&self.triples[rest]);
            }
        }
        Ok(Some((heap, image)))
    }

    /// Computes the values of `rest` as two and as three heaps, and drops values no longer needed.
    fn split(&mut self, rest: u32, table: &Table<'_>, control: &mut Control) -> Result<(), Stop> {
        let order = table.order();
        let past = (rest as usize).checked_sub(self.code.length() + 1);
        if self.two_parts {
            control.spend(20 + order as u64 / 64 + 3 * u64::from(rest))?;
            let mut values = ElementSet::empty(order);
            let parts = &self.phi[..rest as usize];
            for small in 1..=rest as usize / 2 {
                values.insert(table.times(parts[small], parts[rest as usize - small]));
            }
            self.pairs.push(values);
        }
        if self.three_parts {
            let mut values = ElementSet::empty(order);
            for small in 1..rest as usize {
                let others = &self.pairs[rest as usize - small];
                control.spend(5 + order as u64 / 32 + 3 * others.len() as u64)?;
                for other in others.iter() {
                    values.insert(table.times(self.phi[small], other));
                }
            }
            self.triples.push(values);
            if let Some(past) = past {
                self.triples[past] = ElementSet::empty(0);
            }
        } else if let Some(past) = past.filter(|_| self.two_parts) {
            self.pairs[past] = ElementSet::empty(0);
        }
        Ok(())
    }
}
