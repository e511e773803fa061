//! Does a statement about displaced outcomes hold for all counts of all letters?
//!
//! The outcome at `z + v`, for a few vectors `v`, is read for all of them at once: first the count
//! of each letter that is no digit, from the greatest down, then one binary digit of all digits
//! after the other. A **runner** is a place of the diagram and what is still to be added to the
//! counts to come. Where a count would be negative, the runner drops out. At a level finitely many
//! counts stand for all, since children repeat; and carries are bounded. So finitely many
//! configurations of runners occur (T2 for diagrams in `docs/infinite.md`).

use std::collections::HashMap;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

use super::super::{FamilyFlaw, too_large};
use super::reading::{Place, Reading};
use crate::control::Control;
use crate::outcome::Outcome;

/// What a position compared with has to do with the one in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Role {
    /// It is the position in question.
    Base,
    /// It is an option.
    Option,
    /// That it is a P-position calls for an option that is one.
    Call,
}

/// Reading one of the positions: where it stands, and what is still to be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Runner {
    role: Role,
    place: Place,
    rest: u32,
}

/// What is still to be added to the counts to come.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Rest {
    /// To the count of the next level, and then.
    Level(i32, u32),
    /// To the counts of the digits.
    Carry(Vec<i32>),
}

/// A set of runners, the base first, as it was first reached.
struct Configuration {
    /// Where its runners begin; they end where those of the next begin.
    first: usize,
    level: u32,
    /// Whether all counts so far are zero; only kept where that makes a difference.
    end: bool,
    /// The configuration before, and the count or the binary digits read there.
    before: u32,
    read: u32,
}

/// The most runners that are kept in memory (12 bytes each), and the most configurations.
const MOST_RUNNERS: usize = 30_000_000;
const MOST_CONFIGURATIONS: usize = 6_000_000;
/// The most counts that are looked at at a level.
const MOST_COUNTS: u64 = 1 << 20;

/// The statement in question.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Statement {
    /// If the base is claimed P, all options are claimed N; if it is claimed N, it is the end or
    /// some option is claimed P.
    Letters,
    /// The same, but an option claimed P is needed only where one that calls for it is claimed P.
    Word,
}

/// The search through all configurations.
pub(super) struct Search<'a> {
    reading: &'a Reading<'a>,
    statement: Statement,
    rests: Vec<Rest>,
    number: HashMap<Rest, u32, FxBuildHasher>,
    /// For each carry and each choice of binary digits what is read and what is left.
    advances: HashMap<(u32, u32), (u32, u32), FxBuildHasher>,
    runners: Vec<Runner>,
    configurations: Vec<Configuration>,
    seen: HashTable<u32>,
    /// Places from which an outcome can be reached, and from which anything but N can.
    speaks: Vec<bool>,
    not_only_n: Vec<bool>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        reading: &'a Reading<'a>,
        statement: Statement,
        control: &mut Control,
    ) -> Result<Self, FamilyFlaw> {
        let not_n = |outcome| outcome != Some(Outcome::N);
        Ok(Self {
            reading,
            statement,
            rests: Vec::new(),
            number: HashMap::default(),
            advances: HashMap::default(),
            runners: Vec::new(),
            configurations: Vec::new(),
            seen: HashTable::new(),
            speaks: reading.places_that_reach(|outcome| outcome.is_some(), control)?,
            not_only_n: reading.places_that_reach(not_n, control)?,
        })
    }

    /// A counterexample to the statement about the positions displaced by these vectors of counts
    /// of all letters, the base among them: the counts `z` of all letters; `None` if it holds.
    pub(super) fn counterexample(
        &mut self,
        displaced: &[(Role, Vec<i32>)],
        control: &mut Control,
    ) -> Result<Option<Vec<u64>>, FamilyFlaw> {
        let mut runners = Vec::with_capacity(displaced.len());
        for (role, counts) in displaced {
            runners.push(Runner {
                role: *role,
                place: self.reading.root,
                rest: self.intern_all(counts),
            });
        }
        let mut next = self.configurations.len();
        let end = self.statement == Statement::Letters;
        self.meet(runners, 0, end, (u32::MAX, 0))?;
        let levels = self.reading.levels.len() as u32;
        while let Some(configuration) = self.configurations.get(next) {
            let level = configuration.level;
            if level == levels && !self.holds_at_the_end(next) {
                return Ok(Some(self.way_to(next)));
            }
            if level == levels {
                self.read_digits(next, control)?;
            } else {
                self.read_level(next, control)?;
            }
            next += 1;
        }
        Ok(None)
    }

    fn runners_of(&self, configuration: usize) -> &[Runner] {
        let first = self.configurations[configuration].first;
        let after = self.configurations.get(configuration + 1);
        &self.runners[first..after.map_or(self.runners.len(), |after| after.first)]
    }

    fn intern(&mut self, rest: Rest) -> u32 {
        if let Some(&known) = self.number.get(&rest) {
            return known;
        }
        let id = self.rests.len() as u32;
        self.rests.push(rest.clone());
        self.number.insert(rest, id);
        id
    }

    fn intern_all(&mut self, counts: &[i32]) -> u32 {
        let carry = self.reading.digits.iter().map(|&digit| counts[digit]);
        let mut rest = self.intern(Rest::Carry(carry.collect()));
        for &letter in self.reading.levels.iter().rev() {
            rest = self.intern(Rest::Level(counts[letter], rest));
        }
        rest
    }

    /// The counts of one letter: as many as tell all apart.
    fn read_level(&mut self, at: usize, control: &mut Control) -> Result<(), FamilyFlaw> {
        let Configuration { level, end, .. } = self.configurations[at];
        let mut index = u64::from(end);
        let mut period = 1;
        for runner in self.runners_of(at) {
            let displacement = i64::from(self.displacement(runner.rest).0);
            let (own, length) = match self.reading.node(runner.place, level as usize) {
                Some(node) => (node.index, node.children.len() as u64 - u64::from(node.index)),
                None => (0, 1),
            };
            let from = (i64::from(own) - displacement).max(-displacement).max(0);
            index = index.max(from.unsigned_abs());
            period = lcm(period, length);
            if index.saturating_add(period) > MOST_COUNTS {
                let found = usize::try_from(index.saturating_add(period)).unwrap_or(usize::MAX);
                return Err(too_large("counts of a letter", found, MOST_COUNTS as usize));
            }
        }
        for count in 0..index + period {
            control.spend(100 + 40 * self.runners_of(at).len() as u64)?;
            let mut after = Vec::with_capacity(self.runners_of(at).len());
            for &Runner { role, place, rest } in self.runners_of(at) {
                let (displacement, rest) = self.displacement(rest);
                let Some(count) = count.checked_add_signed(i64::from(displacement)) else {
                    continue;
                };
                let place = self.reading.child(place, level as usize, count);
                after.push(Runner { role, place, rest });
            }
            self.meet(after, level + 1, end && count == 0, (at as u32, count as u32))?;
        }
        Ok(())
    }

    fn displacement(&self, rest: u32) -> (i32, u32) {
        match &self.rests[rest as usize] {
            Rest::Level(displacement, rest) => (*displacement, *rest),
            // No level is left to be read.
            Rest::Carry(_) => (0, rest),
        }
    }

    /// One more binary digit of the counts of all digits.
    fn read_digits(&mut self, at: usize, control: &mut Control) -> Result<(), FamilyFlaw> {
        let Configuration { level, end, .. } = self.configurations[at];
        for bits in 0..1_u32 << self.reading.digits.len() {
            control.spend(100 + 40 * self.runners_of(at).len() as u64)?;
            let mut after = self.runners_of(at).to_vec();
            for runner in &mut after {
                (runner.place, runner.rest) = self.advance(runner.place, runner.rest, bits);
            }
            self.meet(after, level, end && bits == 0, (at as u32, bits))?;
        }
        Ok(())
    }

    /// The state and the carry after one more binary digit.
    fn advance(&mut self, state: Place, carry: u32, bits: u32) -> (Place, u32) {
        let (read, rest) = match self.advances.get(&(carry, bits)) {
            Some(&known) => known,
            None => {
                let (mut read, mut rest) = (0, Vec::new());
                if let Rest::Carry(carry) = &self.rests[carry as usize] {
                    for (digit, &carry) in carry.iter().enumerate() {
                        let sum = carry + (bits >> digit & 1) as i32;
                        read |= (sum.rem_euclid(2) as u32) << digit;
                        rest.push(sum.div_euclid(2));
                    }
                }
                let found = (read, self.intern(Rest::Carry(rest)));
                self.advances.insert((carry, bits), found);
                found
            }
        };
        let next = self.reading.states[state as usize].next[read as usize];
        (next, rest)
    }

    /// Takes a configuration in if it is new and may break the statement.
    fn meet(
        &mut self,
        mut runners: Vec<Runner>,
        level: u32,
        end: bool,
        (before, read): (u32, u32),
    ) -> Result<(), FamilyFlaw> {
        // An option that is N, whatever follows, changes nothing.
        runners.retain(|runner| {
            runner.role == Role::Base || self.not_only_n[runner.place as usize]
        });
        let said = runners.first().is_some_and(|base| {
            base.role == Role::Base && self.speaks[base.place as usize]
        });
        if !said {
            return Ok(());
        }
        runners.sort_unstable();
        runners.dedup();
        let hash = |runners: &[Runner], level: u32, end: bool| {
            FxBuildHasher.hash_one((runners, level, end))
        };
        let of = |number: u32| {
            let configuration = &self.configurations[number as usize];
            (self.runners_of(number as usize), configuration.level, configuration.end)
        };
        let hashed = hash(&runners, level, end);
        let same = |&number: &u32| of(number) == (&runners[..], level, end);
        if self.seen.find(hashed, same).is_some() {
            return Ok(());
        }
        let kept = self.runners.len() + runners.len();
        if kept > MOST_RUNNERS {
            return Err(too_large("comparisons to be made", kept, MOST_RUNNERS));
        }
        let number = self.configurations.len();
        if number == MOST_CONFIGURATIONS {
            return Err(too_large("configurations", number + 1, MOST_CONFIGURATIONS));
        }
        let configuration = Configuration {
            first: self.runners.len(),
            level,
            end,
            before,
            read,
        };
        self.configurations.push(configuration);
        self.runners.extend(runners);
        let (configurations, all) = (&self.configurations, &self.runners);
        self.seen.insert_unique(hashed, number as u32, |&number| {
            let Configuration { first, level, end, .. } = configurations[number as usize];
            let after = configurations.get(number as usize + 1);
            let runners = &all[first..after.map_or(all.len(), |after| after.first)];
            hash(runners, level, end)
        });
        Ok(())
    }

    /// The statement for the counts read so far, with no further binary digit set.
    fn holds_at_the_end(&mut self, at: usize) -> bool {
        let end = self.configurations[at].end;
        let runners = self.runners_of(at).to_vec();
        let mut claimed = None;
        let (mut all_n, mut some_p) = (true, false);
        let mut called = self.statement == Statement::Letters;
        for Runner { role, place, rest } in runners {
            let Some(state) = self.state_at_the_end(place, rest) else {
                continue;
            };
            let outcome = self.reading.states[state as usize].outcome;
            let is_p = outcome == Some(Outcome::P);
            match role {
                Role::Base => claimed = outcome,
                Role::Option => {
                    all_n &= outcome == Some(Outcome::N);
                    some_p |= is_p;
                }
                Role::Call => called |= is_p,
            }
        }
        match claimed {
            None => true,
            Some(Outcome::P) => all_n,
            Some(Outcome::N) => some_p || end || !called,
        }
    }

    /// The state after the carry is read to its end; none if a count is negative.
    fn state_at_the_end(&mut self, mut state: Place, mut rest: u32) -> Option<Place> {
        loop {
            match &self.rests[rest as usize] {
                Rest::Carry(carry) if carry.iter().any(|&x| x < 0) => return None,
                Rest::Carry(carry) if carry.iter().any(|&x| x > 0) => {}
                _ => return Some(state),
            }
            (state, rest) = self.advance(state, rest, 0);
        }
    }

    /// The counts of all letters that were read on the way to a configuration.
    fn way_to(&self, at: usize) -> Vec<u64> {
        let mut steps = Vec::new();
        let mut at = at as u32;
        while let Some(configuration) = self.configurations.get(at as usize)
            && configuration.before != u32::MAX
        {
            steps.push(configuration.read);
            at = configuration.before;
        }
        steps.reverse();
        let mut counts = vec![0; self.reading.letters.len()];
        let (of_levels, of_digits) = steps.split_at(self.reading.levels.len().min(steps.len()));
        for (&letter, &count) in self.reading.levels.iter().zip(of_levels) {
            counts[letter] = u64::from(count);
        }
        for (place, &bits) in of_digits.iter().enumerate().take(64) {
            for (digit, &letter) in self.reading.digits.iter().enumerate() {
                counts[letter] |= u64::from(bits >> digit & 1) << place;
            }
        }
        counts
    }
}

fn lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).saturating_mul(b)
}
