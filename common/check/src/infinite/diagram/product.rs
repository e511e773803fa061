//! The check of a statement about displaced outcomes, for all counts of all letters at once.
//!
//! The outcomes at `z + v`, for a few vectors `v`, are all read at once: first the count of each
//! letter that is not a digit, from the greatest down, then the binary digits of all digits, one at
//! a time. A **runner** is a place of the diagram and what is still to be added to the counts to
//! come. A runner drops out if a count would be negative. At each level finitely many counts
//! represent all, since children repeat, and carries are bounded. So finitely many sets of runners
//! occur (T2 for diagrams in `docs/infinite.md`).
//!
//! A further option never breaks a statement that asks for one. So of two sets that differ only in
//! a further option the smaller one is followed ([`layer`](super::layer)).

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use misere_game::control::Control;
use misere_game::outcome::Outcome;

use super::super::{FamilyCheckError, too_large};
use super::layer::{Layer, Runner, Runners};
use super::reading::{Place, Reading, common_multiple};

/// The rest that is still to be added to the counts to come.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Rest {
    /// A rest for the count of the next level, and the number of the rest after that.
    Level(i32, u32),
    /// A rest for the counts of the digits.
    Carry(Vec<i32>),
}

/// The last step of a way to a set of runners: the way before, and the count or binary digits read.
#[derive(Clone, Copy)]
struct Step {
    before: u32,
    read: u32,
}

/// The most ways that are kept in memory.
const MAX_WAYS: usize = 60_000_000;
/// The mark of a way that begins here.
const START: u32 = u32::MAX;
/// The greatest number of counts that are examined at one level.
const MAX_COUNTS: u64 = 1 << 20;

/// The statement in question, about a base and options of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Statement {
    /// If the base is claimed P, the option is claimed N or is not a position.
    Losing,
    /// If the base is claimed N, it is the end or some option is claimed P.
    ///
    /// If a position that calls for such an option is given, this is required only where that
    /// position is claimed P.
    Winning,
}

/// Positions by their displacements from the counts `z` of all letters.
pub(super) struct DisplacedPositions {
    pub(super) base: Vec<i32>,
    pub(super) call: Option<Vec<i32>>,
    pub(super) options: Vec<Vec<i32>>,
}

/// The search through all sets of runners.
pub(super) struct Search<'a> {
    reading: &'a Reading<'a>,
    statement: Statement,
    rests: Vec<Rest>,
    number: HashMap<Rest, u32, FxBuildHasher>,
    /// For each carry and choice of binary digits, the digits read and the carry left.
    ///
    /// Empty for a carry that has not occurred yet.
    advances: Vec<Vec<(u32, u32)>>,
    /// Rests reduced to what a place at some level reads.
    shortened: HashMap<(u32, u32), u32, FxBuildHasher>,
    ways: Vec<Step>,
    /// The places from which P can be reached; the next two: N, and anything but N.
    may_be_p: Vec<bool>,
    may_be_n: Vec<bool>,
    not_only_n: Vec<bool>,
}

/// A runner at one level, advanced through the counts of the letter.
struct Cursor<'a> {
    /// The place that every count leads to if the level has no node to read.
    place: Place,
    children: &'a [Place],
    /// The child of the next count, and the one that follows on the last.
    at: usize,
    index: usize,
    /// The number of counts to come that would be negative.
    negative: u32,
    /// The rest for the levels from `next_level` on.
    rest: u32,
    next_level: usize,
    /// The level of the place reached last, and the rest that matters there.
    shortened: Option<(usize, u32)>,
}

impl<'a> Cursor<'a> {
    fn new(search: &Search<'a>, runner: Runner, level: usize) -> Self {
        let (displacement, rest) = search.displacement(runner.rest());
        let (children, index) = match search.reading.node(runner.place(), level) {
            Some(node) => (&node.children[..], node.index as usize),
            None => (&[][..], 0),
        };
        let count = displacement.max(0) as usize;
        let at = if count < children.len() || children.is_empty() {
            count
        } else {
            index + (count - index) % (children.len() - index)
        };
        Self {
            place: runner.place(),
            children,
            at,
            index,
            negative: displacement.min(0).unsigned_abs(),
            rest,
            next_level: level + 1,
            shortened: None,
        }
    }

    /// Returns the runner after the next count; `None` if its count would be negative.
    fn next_runner(&mut self, search: &mut Search<'a>) -> Option<Runner> {
        if self.negative > 0 {
            self.negative -= 1;
            return None;
        }
        let place = match self.children.get(self.at) {
            Some(&child) => child,
            None => self.place,
        };
        self.at += 1;
        if self.at == self.children.len() {
            self.at = self.index;
        }
        let place_level = search.reading.level(place);
        let rest = match self.shortened {
            Some((known, rest)) if known == place_level => rest,
            _ => search.shorten(self.rest, self.next_level, place_level),
        };
        self.shortened = Some((place_level, rest));
        Some(Runner::new(place, rest))
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(
        reading: &'a Reading<'a>,
        statement: Statement,
        control: &mut Control,
    ) -> Result<Self, FamilyCheckError> {
        let (p, n) = (Some(Outcome::P), Some(Outcome::N));
        Ok(Self {
            reading,
            statement,
            rests: Vec::new(),
            number: HashMap::default(),
            advances: Vec::new(),
            shortened: HashMap::default(),
            ways: Vec::new(),
            may_be_p: reading.places_that_reach(|outcome| outcome == p, control)?,
            may_be_n: reading.places_that_reach(|outcome| outcome == n, control)?,
            not_only_n: reading.places_that_reach(|outcome| outcome != n, control)?,
        })
    }

    /// Returns a counterexample to the statement about one of these lists of positions.
    ///
    /// It is the counts `z` of all letters; `None` if the statement holds for all.
    pub(super) fn counterexample(
        &mut self,
        lists: &[DisplacedPositions],
        control: &mut Control,
    ) -> Result<Option<Vec<u64>>, FamilyCheckError> {
        let mut layer = Layer::default();
        for list in lists {
            let mut start = |counts: &Vec<i32>| self.start(counts);
            let mut runners = Runners {
                base: start(&list.base),
                call: list.call.as_ref().map(&mut start),
                options: list.options.iter().map(&mut start).collect(),
                end: self.statement == Statement::Winning && list.call.is_none(),
            };
            let step = Step {
                before: START,
                read: 0,
            };
            runners
                .options
                .retain(|option| self.counts_as_option(option.place()));
            self.meet(&mut layer, &mut runners, step, control)?;
        }
        for level in 0..self.reading.levels.len() {
            let mut next = Layer::default();
            for at in 0..layer.len() {
                if let Some((runners, way)) = layer.set(at) {
                    self.read_level(runners, way, level, &mut next, control)?;
                }
            }
            layer = next;
        }
        let mut at = 0;
        while at < layer.len() {
            if let Some((runners, way)) = layer.set(at) {
                let runners = runners.clone();
                if !self.holds_at_the_end(&runners) {
                    return Ok(Some(self.way_to(way)));
                }
                self.read_digits(&mut layer, &runners, way, control)?;
            }
            at += 1;
        }
        Ok(None)
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

    /// Returns the runner of a position before anything of it is read.
    fn start(&mut self, counts: &[i32]) -> Runner {
        let root = self.reading.root;
        let rest = self.intern_all(counts);
        Runner::new(root, self.shorten(rest, 0, self.reading.level(root)))
    }

    fn intern_all(&mut self, counts: &[i32]) -> u32 {
        let carry = self.reading.digits.iter().map(|&digit| counts[digit]);
        let mut rest = self.intern(Rest::Carry(carry.collect()));
        for &letter in self.reading.levels.iter().rev() {
            rest = self.intern(Rest::Level(counts[letter], rest));
        }
        rest
    }

    /// Returns the rest without what a place of a level does not read.
    ///
    /// The letters before that level play no part, so only counts that become negative matter.
    fn shorten(&mut self, rest: u32, from: usize, place_level: usize) -> u32 {
        if from >= place_level {
            return rest;
        }
        let Rest::Level(displacement, lower) = self.rests[rest as usize] else {
            return rest;
        };
        let key = (rest, (place_level - from) as u32);
        if let Some(&known) = self.shortened.get(&key) {
            return known;
        }
        let lower = self.shorten(lower, from + 1, place_level);
        let shortened = self.intern(Rest::Level(displacement.min(0), lower));
        self.shortened.insert(key, shortened);
        shortened
    }

    /// Reads the counts of one letter: enough of them to distinguish all.
    fn read_level(
        &mut self,
        runners: &Runners,
        way: u32,
        level: usize,
        next: &mut Layer,
        control: &mut Control,
    ) -> Result<(), FamilyCheckError> {
        let (mut index, mut period) = (u64::from(runners.end), 1);
        for runner in runners.all() {
            let displacement = i64::from(self.displacement(runner.rest()).0);
            let (own, length) = match self.reading.node(runner.place(), level) {
                Some(node) => (
                    node.index,
                    node.children.len() as u64 - u64::from(node.index),
                ),
                None => (0, 1),
            };
            let from = (i64::from(own) - displacement).max(-displacement).max(0);
            index = index.max(from.unsigned_abs());
            period = common_multiple(period, length);
            let counts = index.saturating_add(period);
            if counts > MAX_COUNTS {
                let found = usize::try_from(counts).unwrap_or(usize::MAX);
                return Err(too_large("counts of a letter", found, MAX_COUNTS as usize));
            }
        }
        let cursor = |runner: &Runner| Cursor::new(self, *runner, level);
        let mut base = cursor(&runners.base);
        let mut call = runners.call.as_ref().map(cursor);
        let mut options: Vec<Cursor> = runners.options.iter().map(cursor).collect();
        let mut after = runners.clone();
        for count in 0..index + period {
            control.spend(100 + 60 * runners.options.len() as u64)?;
            after.options.clear();
            for option in &mut options {
                if let Some(option) = option.next_runner(self)
                    && self.counts_as_option(option.place())
                {
                    after.options.push(option);
                }
            }
            let base = base.next_runner(self);
            after.call = call.as_mut().and_then(|call| call.next_runner(self));
            // Without a base, or without a call that was given, the statement claims nothing.
            let (Some(base), true) = (base, after.call.is_some() == call.is_some()) else {
                continue;
            };
            after.base = base;
            after.end = runners.end && count == 0;
            let step = Step {
                before: way,
                read: count as u32,
            };
            self.meet(next, &mut after, step, control)?;
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

    /// Reads one more binary digit of the counts of all digits.
    fn read_digits(
        &mut self,
        layer: &mut Layer,
        runners: &Runners,
        way: u32,
        control: &mut Control,
    ) -> Result<(), FamilyCheckError> {
        let mut after = runners.clone();
        for bits in 0..1_u32 << self.reading.digits.len() {
            control.spend(100 + 60 * runners.options.len() as u64)?;
            after.base = self.advanced(runners.base, bits);
            after.call = runners.call.map(|call| self.advanced(call, bits));
            after.options.clear();
            for option in &runners.options {
                let option = self.advanced(*option, bits);
                if self.counts_as_option(option.place()) {
                    after.options.push(option);
                }
            }
            after.end = runners.end && bits == 0;
            let step = Step {
                before: way,
                read: bits,
            };
            self.meet(layer, &mut after, step, control)?;
        }
        Ok(())
    }

    /// Returns the runner after one more binary digit.
    fn advanced(&mut self, runner: Runner, bits: u32) -> Runner {
        let (place, rest) = self.advance(runner.place(), runner.rest(), bits);
        Runner::new(place, rest)
    }

    /// Returns the state and the carry after one more binary digit.
    fn advance(&mut self, state: Place, carry: u32, bits: u32) -> (Place, u32) {
        let known = self.advances.get(carry as usize);
        if known.is_none_or(Vec::is_empty) {
            self.learn_advances(carry);
        }
        let (read, rest) = self.advances[carry as usize][bits as usize];
        let next = self.reading.states[state as usize].next[read as usize];
        (next, rest)
    }

    /// Computes the digits read and the carry left for each choice of binary digits.
    fn learn_advances(&mut self, carry: u32) {
        let before = match &self.rests[carry as usize] {
            Rest::Carry(carry) => carry.clone(),
            // The digits are read after all levels.
            Rest::Level(..) => Vec::new(),
        };
        let advances = (0..1_u32 << self.reading.digits.len()).map(|bits| {
            let (mut read, mut rest) = (0, Vec::new());
            for (digit, &carry) in before.iter().enumerate() {
                let sum = carry + (bits >> digit & 1) as i32;
                read |= (sum.rem_euclid(2) as u32) << digit;
                rest.push(sum.div_euclid(2));
            }
            (read, self.intern(Rest::Carry(rest)))
        });
        let advances = advances.collect();
        if self.advances.len() <= carry as usize {
            self.advances.resize(carry as usize + 1, Vec::new());
        }
        self.advances[carry as usize] = advances;
    }

    /// Reports whether an option at a place can still fulfil, or break, the statement.
    fn counts_as_option(&self, place: Place) -> bool {
        match self.statement {
            Statement::Losing => self.not_only_n[place as usize],
            Statement::Winning => self.may_be_p[place as usize],
        }
    }

    /// Adds runners to the layer of a level, unless they cannot break the statement.
    ///
    /// They are also left out if other runners break it whenever these do. Leaves them with ordered
    /// options.
    fn meet(
        &mut self,
        layer: &mut Layer,
        runners: &mut Runners,
        step: Step,
        control: &mut Control,
    ) -> Result<(), FamilyCheckError> {
        let base = match self.statement {
            Statement::Losing => &self.may_be_p,
            Statement::Winning => &self.may_be_n,
        };
        let called = runners
            .call
            .is_none_or(|call| self.may_be_p[call.place() as usize]);
        let idle = self.statement == Statement::Losing && runners.options.is_empty();
        if !base[runners.base.place() as usize] || !called || idle {
            return Ok(());
        }
        runners.options.sort_unstable();
        runners.options.dedup();
        if self.ways.len() == MAX_WAYS {
            return Err(too_large("sets of comparisons", MAX_WAYS + 1, MAX_WAYS));
        }
        if layer.take_in(runners, self.ways.len() as u32, control)? {
            self.ways.push(step);
        }
        Ok(())
    }

    /// Reports whether the statement holds for the counts read so far, all further digits being 0.
    fn holds_at_the_end(&mut self, runners: &Runners) -> bool {
        let p = Some(Some(Outcome::P));
        let base = self.outcome(runners.base);
        match self.statement {
            Statement::Losing => {
                base != p
                    || runners.options.iter().all(|&option| {
                        let outcome = self.outcome(option);
                        outcome.is_none_or(|outcome| outcome == Some(Outcome::N))
                    })
            }
            Statement::Winning => {
                base != Some(Some(Outcome::N))
                    || runners.end
                    || runners.call.is_some_and(|call| self.outcome(call) != p)
                    || runners
                        .options
                        .iter()
                        .any(|&option| self.outcome(option) == p)
            }
        }
    }

    /// Returns the outcome claimed of a position after its carry is read to the end.
    ///
    /// Returns `None` if a count is negative, so that there is no such position.
    fn outcome(&mut self, runner: Runner) -> Option<Option<Outcome>> {
        let (mut state, mut rest) = (runner.place(), runner.rest());
        loop {
            match &self.rests[rest as usize] {
                Rest::Carry(carry) if carry.iter().any(|&x| x < 0) => return None,
                Rest::Carry(carry) if carry.iter().any(|&x| x > 0) => {}
                _ => return Some(self.reading.states[state as usize].outcome),
            }
            (state, rest) = self.advance(state, rest, 0);
        }
    }

    /// Returns the counts of all letters that were read along a way.
    fn way_to(&self, mut way: u32) -> Vec<u64> {
        let mut steps = Vec::new();
        while let Some(step) = self.ways.get(way as usize)
            && step.before != START
        {
            steps.push(step.read);
            way = step.before;
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
