//! The check of a statement about displaced outcomes, for all counts of the digits at once.
//!
//! A position with counts `m` of the digits is compared with positions with counts `m + u`, for
//! finitely many displacements `u`. All of them are read at once: with the bits `b` of `m` a
//! comparison at `(state, u)` goes to state `next(state, (b + u) mod 2)` with the carry
//! `⌊(b + u)/2⌋`. Carries are bounded, so there are finitely many configurations (T2 in
//! `docs/infinite.md`). When all bits are read, a comparison with a negative carry has no position
//! and is ignored; the others end by reading their carries.

use std::collections::HashSet;

use misere_game::control::Control;
use misere_game::outcome::Outcome;

use super::FamilyCheckError;
use super::reading::{MAX_DIGITS, Reading, can_reach};

/// The part that a position plays in the comparison with the position in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Role {
    /// An option of the position in question.
    Option,
    /// An option for one of two counts that are read alike in the cycle of a letter.
    ///
    /// It is the greater count (`later`) or the smaller.
    Either {
        /// The letter whose cycle is meant.
        letter: u16,
        /// Whether the greater count is meant.
        later: bool,
    },
    /// A position that, if it is a P-position, calls for an option that is one.
    Call,
    /// A position without which nothing is claimed.
    Proviso,
}

/// A carry: what is still to be added to the counts of the digits, in the order of the digits.
pub(super) type Carry = [i16; MAX_DIGITS];

/// The most comparisons that are kept in memory (about 20 bytes each).
const MAX_COMPARISONS: usize = 10_000_000;

/// A position compared with: the state reached, and the carries.
///
/// There is no state if nothing is claimed of the position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Comparison {
    pub(super) role: Role,
    pub(super) state: Option<u32>,
    pub(super) carry: Carry,
}

/// The position in question and those it is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Configuration {
    pub(super) state: u32,
    /// Whether all counts so far are zero; only kept where that makes a difference.
    pub(super) end: bool,
    /// Whether an N-position must have an option that is a P-position even if nothing calls for it.
    pub(super) called: bool,
    pub(super) compared: Vec<Comparison>,
}

/// The search through all configurations; it keeps them from one start to the next.
pub(super) struct Search<'a> {
    reading: &'a Reading<'a>,
    seen: HashSet<Configuration>,
    /// The number of comparisons in all configurations seen.
    kept: usize,
    /// The states from which an outcome can be reached, and those from which anything but N can.
    speaks: Vec<bool>,
    not_only_n: Vec<bool>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        reading: &'a Reading<'a>,
        control: &mut Control,
    ) -> Result<Self, FamilyCheckError> {
        Ok(Self {
            reading,
            seen: HashSet::new(),
            kept: 0,
            speaks: can_reach(reading.states, |outcome| outcome.is_some(), control)?,
            not_only_n: can_reach(
                reading.states,
                |outcome| outcome != Some(Outcome::N),
                control,
            )?,
        })
    }

    /// Reports whether the statement holds for all counts of the digits.
    ///
    /// If the position in question is claimed P, all options are claimed N; if it is claimed N, and
    /// not the end, and this is called for, some option is claimed P.
    pub(super) fn holds(
        &mut self,
        start: Configuration,
        control: &mut Control,
    ) -> Result<bool, FamilyCheckError> {
        let mut open = Vec::new();
        self.meet(start, &mut open)?;
        while let Some(configuration) = open.pop() {
            if !self.holds_at_the_end(&configuration) {
                return Ok(false);
            }
            for bits in 0..1 << self.reading.digits.len() {
                control.spend(60 + 40 * configuration.compared.len() as u64)?;
                let next = self.step(&configuration, bits);
                self.meet(next, &mut open)?;
            }
        }
        Ok(true)
    }

    fn meet(
        &mut self,
        mut configuration: Configuration,
        open: &mut Vec<Configuration>,
    ) -> Result<(), FamilyCheckError> {
        if !self.speaks[configuration.state as usize] {
            return Ok(());
        }
        // An option that is N or not a position, whatever follows, changes nothing.
        configuration.compared.retain(|comparison| {
            comparison
                .state
                .is_none_or(|state| self.not_only_n[state as usize])
        });
        configuration.compared.sort_unstable();
        configuration.compared.dedup();
        if !self.seen.contains(&configuration) {
            self.kept += 1 + configuration.compared.len();
            if self.kept > MAX_COMPARISONS {
                return Err(FamilyCheckError::TooLarge {
                    what: "comparisons to be made",
                    found: self.kept,
                    most: MAX_COMPARISONS,
                });
            }
            self.seen.insert(configuration.clone());
            open.push(configuration);
        }
        Ok(())
    }

    fn step(&self, configuration: &Configuration, bits: usize) -> Configuration {
        let compared = configuration
            .compared
            .iter()
            .map(|comparison| {
                let (state, carry) = self.advance(comparison.state, comparison.carry, bits);
                Comparison {
                    role: comparison.role,
                    state,
                    carry,
                }
            })
            .collect();
        Configuration {
            state: self.reading.next(configuration.state, bits),
            end: configuration.end && bits == 0,
            called: configuration.called,
            compared,
        }
    }

    fn advance(&self, state: Option<u32>, carry: Carry, bits: usize) -> (Option<u32>, Carry) {
        let mut read = 0;
        let mut rest = [0; MAX_DIGITS];
        for (digit, &carry) in carry.iter().enumerate() {
            let sum = carry + (bits >> digit & 1) as i16;
            read |= (sum.rem_euclid(2) as usize) << digit;
            rest[digit] = sum.div_euclid(2);
        }
        (state.map(|state| self.reading.next(state, read)), rest)
    }

    /// Reports whether the statement holds for the counts read so far.
    fn holds_at_the_end(&self, configuration: &Configuration) -> bool {
        let Some(claimed) = self.reading.outcome(configuration.state) else {
            return true;
        };
        let mut all_n = true;
        let mut called = configuration.called;
        let mut some_p = false;
        let mut either: Vec<(u16, bool)> = Vec::new();
        for comparison in &configuration.compared {
            if comparison.carry.iter().any(|&carry| carry < 0) {
                if comparison.role == Role::Proviso {
                    return true;
                }
                continue;
            }
            let outcome = self.outcome_after(comparison);
            let is_p = outcome == Some(Outcome::P);
            match comparison.role {
                Role::Proviso => {}
                Role::Call => called |= is_p,
                Role::Option => {
                    all_n &= outcome == Some(Outcome::N);
                    some_p |= is_p;
                }
                Role::Either { letter, later } => {
                    all_n &= outcome == Some(Outcome::N);
                    if is_p {
                        some_p |= either.contains(&(letter, !later));
                        either.push((letter, later));
                    }
                }
            }
        }
        match claimed {
            Outcome::P => all_n,
            Outcome::N => some_p || configuration.end || !called,
        }
    }

    fn outcome_after(&self, comparison: &Comparison) -> Option<Outcome> {
        let mut state = comparison.state;
        let mut carry = comparison.carry;
        while carry.iter().any(|&carry| carry > 0) {
            (state, carry) = self.advance(state, carry, 0);
        }
        self.reading.outcome(state?)
    }
}
