//! The outcomes of few copies of the letters.

use rustc_hash::FxHashMap;

use misere_game::control::{Control, Stop};

use super::super::system::{Counts, System};
use crate::quotient::capped::{Capped, Part, Sequence};

/// The greatest count of a digit that is examined by the rules, in multiples of the reach.
///
/// The reach is the greatest count in the outcomes of few copies.
const MAX_DISTANCE: i32 = 4;
/// The greatest number of positions whose outcomes are found by the rules, and for one position.
const MAX_FAR: usize = 1_000_000;
const MAX_FAR_AT_ONCE: usize = 100_000;

/// Outcomes that are right for few copies, and the letters that are read exactly.
pub(super) struct Outcomes {
    capped: Capped,
    pub(super) levels: usize,
    /// The levels that are digits, ascending.
    pub(super) digits: Vec<usize>,
    /// The greatest count of each level that is queried if the level is a digit.
    reach: Vec<i32>,
    moves: Vec<Move>,
    /// Whether positions beyond the reach are P-positions, by their fingerprints.
    ///
    /// The positions are those for which the rules were followed.
    ///
    /// If two positions had the same fingerprint, a guess would be wrong, and be refuted like any
    /// other wrong guess.
    far: FxHashMap<u64, bool>,
    /// The counts of the option under examination.
    option: Counts,
}

/// A move: the level it is made in, and how the counts and the fingerprint change.
struct Move {
    level: usize,
    change: Counts,
    fingerprint: u64,
}

/// A position whose outcome is being found by the rules, with the remaining options.
///
/// No other option is a P-position.
struct Open {
    counts: Counts,
    fingerprint: u64,
    /// The numbers of the moves that lead to the options.
    options: Vec<u32>,
}

/// Returns a number of 64 bits for a position.
///
/// The number of a sum is the sum of the numbers, so a move changes it by an amount that depends on
/// the move alone.
fn fingerprint(counts: &[i32]) -> u64 {
    let mut weight = 1_u64;
    counts.iter().fold(0_u64, |sum, &count| {
        weight = weight.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23) | 1;
        sum.wrapping_add(weight.wrapping_mul(i64::from(count).cast_unsigned()))
    })
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
        // The greatest level usually repeats late, unless it is scarce.
        let first = match scarce {
            None => levels.checked_sub(1),
            Some(_) => None,
        };
        let mut moves = Vec::new();
        for (level, options) in system.options.iter().enumerate() {
            for option in options {
                let mut change = option.clone();
                change[level] -= 1;
                moves.push(Move {
                    level,
                    fingerprint: fingerprint(&change),
                    change,
                });
            }
        }
        Ok(Some(Self {
            capped,
            levels,
            digits: first.into_iter().collect(),
            reach: caps.iter().map(|cap| (cap - cap / 4) as i32).collect(),
            moves,
            far: FxHashMap::default(),
            option: vec![0; levels],
        }))
    }

    /// Reports whether the outcomes are right for all counts.
    ///
    /// Then all multiples of every level repeat.
    pub(super) fn is_exact(&self) -> bool {
        self.capped.is_exact()
    }

    /// Returns the number of nodes that the outcomes took.
    pub(super) fn nodes(&self) -> usize {
        self.capped.nodes()
    }

    /// Returns the greatest count of every digit that may be queried.
    pub(super) fn reach(&self) -> i32 {
        let reaches = self.digits.iter().map(|&digit| self.reach[digit]);
        reaches.min().unwrap_or(0)
    }

    /// Reports whether a position is a P-position; `None` if the position is out of reach.
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

    /// Reports whether a position is a P-position, also somewhat beyond the reach.
    ///
    /// There the outcome follows by the rules from outcomes within reach.
    ///
    /// `None` if that takes too many positions.
    pub(super) fn is_p_by_rules(
        &mut self,
        counts: &[i32],
        control: &mut Control,
    ) -> Result<Option<bool>, Stop> {
        let too_far = |&digit: &usize| counts[digit] / MAX_DISTANCE > self.reach[digit];
        if self.digits.iter().any(too_far) {
            return Ok(None);
        }
        let start = fingerprint(counts);
        control.spend(50)?;
        if let Some(&known) = self.far.get(&start) {
            return Ok(Some(known));
        }
        if let Some(known) = self.is_p(counts, control)? {
            return Ok(Some(known));
        }
        let most = MAX_FAR.min(self.far.len() + MAX_FAR_AT_ONCE);
        let mut open = Vec::new();
        let mut found = self.open(counts.to_vec(), start, &mut open, control)?;
        loop {
            if self.far.len() >= most {
                return Ok(None);
            }
            // The outcome found belongs to an option of the last open position.
            let Some(last) = open.last_mut() else {
                return Ok(found);
            };
            match found {
                Some(true) => found = self.close(&mut open, false),
                _ => match last.options.pop() {
                    None => found = self.close(&mut open, true),
                    Some(number) => {
                        let known = self.known(&last.counts, last.fingerprint, number, control)?;
                        found = match known {
                            None => {
                                let by = &self.moves[number as usize];
                                let after = last.counts.iter().zip(&by.change).map(|(x, y)| x + y);
                                let (counts, fingerprint) = (
                                    after.collect(),
                                    last.fingerprint.wrapping_add(by.fingerprint),
                                );
                                self.open(counts, fingerprint, &mut open, control)?
                            }
                            known => known,
                        };
                    }
                },
            }
        }
    }

    /// Stores the outcome of the last open position and returns it.
    fn close(&mut self, open: &mut Vec<Open>, is_p: bool) -> Option<bool> {
        if let Some(last) = open.pop() {
            self.far.insert(last.fingerprint, is_p);
        }
        Some(is_p)
    }

    /// Reports whether a move leads to a P-position, if the outcome is known.
    ///
    /// It is known if it is within reach or was found by the rules.
    fn known(
        &mut self,
        counts: &[i32],
        fingerprint: u64,
        number: u32,
        control: &mut Control,
    ) -> Result<Option<bool>, Stop> {
        control.spend(50)?;
        let by = &self.moves[number as usize];
        let after = fingerprint.wrapping_add(by.fingerprint);
        if let Some(&known) = self.far.get(&after) {
            return Ok(Some(known));
        }
        let too_far = |&digit: &usize| counts[digit] + by.change[digit] > self.reach[digit];
        if self.digits.iter().any(too_far) {
            return Ok(None);
        }
        for ((option, x), y) in self.option.iter_mut().zip(counts).zip(&by.change) {
            *option = x + y;
        }
        self.capped.is_p(&self.option, control).map(Some)
    }

    /// Opens a position, unless known options decide its outcome; then it returns the outcome.
    fn open(
        &mut self,
        counts: Counts,
        fingerprint: u64,
        open: &mut Vec<Open>,
        control: &mut Control,
    ) -> Result<Option<bool>, Stop> {
        let mut options = Vec::new();
        for number in 0..self.moves.len() {
            if counts[self.moves[number].level] == 0 {
                continue;
            }
            match self.known(&counts, fingerprint, number as u32, control)? {
                Some(true) => {
                    self.far.insert(fingerprint, false);
                    return Ok(Some(false));
                }
                Some(false) => {}
                None => options.push(number as u32),
            }
        }
        if options.is_empty() {
            self.far.insert(fingerprint, true);
            return Ok(Some(true));
        }
        open.push(Open {
            counts,
            fingerprint,
            options,
        });
        Ok(None)
    }

    /// Returns the part of all positions in which the digits have these counts.
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

    /// Returns the entries of a part without digits for each count of its level.
    ///
    /// It also returns the level and the count from which on the entries repeat.
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

    /// Returns the level on which, and below, a part depends.
    pub(super) fn level(&self, part: Part) -> Option<usize> {
        self.capped.level(part)
    }

    /// Returns the part with `count` copies of a level.
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
