//! The outcomes of few copies of the letters.

use rustc_hash::FxHashMap;

use super::super::system::System;
use crate::control::{Control, Stop};
use crate::quotient::capped::{Capped, Part, Sequence};

/// Outcomes that are right for few copies, and the letters that are read exactly.
pub(super) struct Outcomes {
    capped: Capped,
    pub(super) levels: usize,
    /// The levels that are digits, ascending.
    pub(super) digits: Vec<usize>,
    /// The greatest count of a digit that is asked for.
    reach: i32,
}

impl Outcomes {
    pub(super) fn new(
        system: &System,
        cap: u32,
        control: &mut Control,
    ) -> Result<Option<Self>, Stop> {
        let Some(capped) = Capped::new(&system.options, cap, control)? else {
            return Ok(None);
        };
        let levels = system.levels.len();
        Ok(Some(Self {
            capped,
            levels,
            digits: levels.checked_sub(1).into_iter().collect(),
            reach: (cap - cap / 4) as i32,
        }))
    }

    /// Whether a position is a P-position; `None` if the position is out of reach.
    pub(super) fn is_p(
        &mut self,
        counts: &[i32],
        control: &mut Control,
    ) -> Result<Option<bool>, Stop> {
        if counts.iter().any(|&count| count > self.reach) {
            return Ok(None);
        }
        self.capped.is_p(counts, control).map(Some)
    }

    /// The part of all positions in which the digits have these counts.
    pub(super) fn with_digits(
        &mut self,
        digits: &[i32],
        control: &mut Control,
    ) -> Result<Part, Stop> {
        let root = self.capped.root();
        self.restrict(root, digits, &mut FxHashMap::default(), control)
    }

    fn restrict(
        &mut self,
        part: Part,
        digits: &[i32],
        known: &mut FxHashMap<Part, Part>,
        control: &mut Control,
    ) -> Result<Part, Stop> {
        let Some(level) = self.capped.level(part) else {
            return Ok(part);
        };
        if let Some(&restricted) = known.get(&part) {
            return Ok(restricted);
        }
        control.spend(100)?;
        let restricted = match self.digits.iter().position(|&digit| digit == level) {
            Some(digit) => {
                let count = digits[digit].max(0) as usize;
                let lower = self.capped.with(part, level, count, control)?;
                self.restrict(lower, digits, known, control)?
            }
            None => {
                let (mut entries, start) = self.capped.sequence(part, control)?.clone();
                for entry in &mut entries {
                    *entry = self.restrict(*entry, digits, known, control)?;
                }
                self.capped.repeating(level, &entries, start, control)?
            }
        };
        known.insert(part, restricted);
        Ok(restricted)
    }

    /// The level of a part without digits, its entries for each count, and from where on they
    /// repeat.
    pub(super) fn entries(
        &mut self,
        part: Part,
        control: &mut Control,
    ) -> Result<Option<(usize, &Sequence)>, Stop> {
        match self.capped.level(part) {
            Some(level) => Ok(Some((level, self.capped.sequence(part, control)?))),
            None => Ok(None),
        }
    }

    /// The level on which, and below, a part depends.
    pub(super) fn level(&self, part: Part) -> Option<usize> {
        self.capped.level(part)
    }

    /// The part with so many copies of a level.
    pub(super) fn with(
        &mut self,
        part: Part,
        level: usize,
        count: usize,
        control: &mut Control,
    ) -> Result<Part, Stop> {
        self.capped.with(part, level, count, control)
    }
}
