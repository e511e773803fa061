//! The outcomes of few copies of the letters.

use rustc_hash::FxHashMap;

use super::super::system::{Counts, System};
use crate::control::{Control, Stop};
use crate::quotient::capped::{Capped, Part, Sequence};

/// The greatest count of a digit that is looked at by the rules, in terms of the reach of the
/// outcomes of few copies.
const FARTHEST: i32 = 4;
/// The most positions whose outcomes are found by the rules, and the most for one position.
const MAX_FAR: usize = 1_000_000;
const MAX_FAR_AT_ONCE: usize = 100_000;

/// Outcomes that are right for few copies, and the letters that are read exactly.
pub(super) struct Outcomes {
    capped: Capped,
    pub(super) levels: usize,
    /// The levels that are digits, ascending.
    pub(super) digits: Vec<usize>,
    /// The greatest count of each level that is asked for if the level is a digit.
    reach: Vec<i32>,
    /// The moves: the level, and how the counts change.
    moves: Vec<(usize, Counts)>,
    /// Whether positions beyond the reach are P-positions, as far as the rules were followed.
    far: FxHashMap<Counts, bool>,
}

/// A position whose outcome is being found by the rules, with the options that are still to be
/// looked at. No other option is a P-position.
struct Open {
    counts: Counts,
    options: Vec<Counts>,
}

impl Outcomes {
    pub(super) fn new(
        system: &System,
        caps: &[u32],
        most_nodes: usize,
        control: &mut Control,
    ) -> Result<Option<Self>, Stop> {
        let scarce = system.scarce_heaps();
        let scarce = scarce
            .as_ref()
            .map(|(before, of_each)| (*before, &of_each[..]));
        let Some(capped) = Capped::new(&system.options, scarce, caps, most_nodes, control)? else {
            return Ok(None);
        };
        let levels = system.levels.len();
        // The greatest level repeats late, as a rule, unless it is scarce.
        let first = match scarce {
            None => levels.checked_sub(1),
            Some(_) => None,
        };
        let mut moves = Vec::new();
        for (level, options) in system.options.iter().enumerate() {
            for option in options {
                let mut change = option.clone();
                change[level] -= 1;
                moves.push((level, change));
            }
        }
        Ok(Some(Self {
            capped,
            levels,
            digits: first.into_iter().collect(),
            reach: caps.iter().map(|cap| (cap - cap / 4) as i32).collect(),
            moves,
            far: FxHashMap::default(),
        }))
    }

    /// Whether the outcomes are right for all counts. Then all multiples of every level repeat.
    pub(super) fn is_exact(&self) -> bool {
        self.capped.is_exact()
    }

    /// The greatest count that may be asked for of every digit.
    pub(super) fn reach(&self) -> i32 {
        let reaches = self.digits.iter().map(|&digit| self.reach[digit]);
        reaches.min().unwrap_or(0)
    }

    /// Whether a position is a P-position; `None` if the position is out of reach.
    pub(super) fn is_p(
        &mut self,
        counts: &[i32],
        control: &mut Control,
    ) -> Result<Option<bool>, Stop> {
        let too_far = |&digit: &usize| counts[digit] > self.reach[digit];
        if self.digits.iter().any(too_far) {
            return Ok(None);
        }
        self.capped.is_p(counts, control).map(Some)
    }

    /// Whether a position is a P-position, also somewhat beyond the reach of the outcomes of few
    /// copies: the outcome follows by the rules from those within reach. `None` if that takes too
    /// many positions.
    pub(super) fn is_p_by_rules(
        &mut self,
        counts: &[i32],
        control: &mut Control,
    ) -> Result<Option<bool>, Stop> {
        let too_far = |&digit: &usize| counts[digit] / FARTHEST > self.reach[digit];
        if self.digits.iter().any(too_far) {
            return Ok(None);
        }
        if let Some(known) = self.known(counts, control)? {
            return Ok(Some(known));
        }
        let most = MAX_FAR.min(self.far.len() + MAX_FAR_AT_ONCE);
        let mut open = Vec::new();
        let mut found = self.open(counts.to_vec(), &mut open, control)?;
        loop {
            if self.far.len() >= most {
                return Ok(None);
            }
            // The outcome found is that of an option of the last open position.
            let Some(last) = open.last_mut() else {
                return Ok(found);
            };
            match found {
                Some(true) => found = self.close(&mut open, false),
                _ => match last.options.pop() {
                    None => found = self.close(&mut open, true),
                    Some(option) => {
                        found = match self.known(&option, control)? {
                            None => self.open(option, &mut open, control)?,
                            known => known,
                        };
                    }
                },
            }
        }
    }

    /// Remembers the outcome of the last open position, and returns it.
    fn close(&mut self, open: &mut Vec<Open>, is_p: bool) -> Option<bool> {
        if let Some(last) = open.pop() {
            self.far.insert(last.counts, is_p);
        }
        Some(is_p)
    }

    /// Whether a position is a P-position, if that is within reach or was found by the rules.
    fn known(&mut self, counts: &[i32], control: &mut Control) -> Result<Option<bool>, Stop> {
        control.spend(50)?;
        match self.far.get(counts) {
            Some(&known) => Ok(Some(known)),
            None => self.is_p(counts, control),
        }
    }

    /// Opens a position, unless its outcome follows from options that are known; returns the
    /// outcome then.
    fn open(
        &mut self,
        counts: Counts,
        open: &mut Vec<Open>,
        control: &mut Control,
    ) -> Result<Option<bool>, Stop> {
        let mut options = Vec::new();
        let mut option = counts.clone();
        for at in 0..self.moves.len() {
            let (level, change) = &self.moves[at];
            if counts[*level] == 0 {
                continue;
            }
            for ((option, x), y) in option.iter_mut().zip(&counts).zip(change) {
                *option = x + y;
            }
            match self.known(&option, control)? {
                Some(true) => {
                    self.far.insert(counts, false);
                    return Ok(Some(false));
                }
                Some(false) => {}
                None => options.push(option.clone()),
            }
        }
        if options.is_empty() {
            self.far.insert(counts, true);
            return Ok(Some(true));
        }
        open.push(Open { counts, options });
        Ok(None)
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
