//! The search for an automaton that reads the digits and a diagram that leads to its states.
//!
//! A state is a **residual**, `z ↦ outcome at (y, 2^k·z + r)` for the counts `z` of the digits
//! still to be read, where `y` are counts of the other letters. Residuals that agree on a list of
//! tests are taken to be equal. The diagram leads counts `y` that agree on the tests to the same
//! residual. Both are guesses; a position for which they are wrong gives another test (after Rivest
//! and Schapire 1993).

use rustc_hash::FxHashMap;

use misere_game::control::{Control, Stop};

use super::super::system::System;
use super::digits::vectors;
use super::outcomes::Outcomes;
use crate::quotient::capped::{Capped, Part};

/// The greatest number of states of a useful automaton, and of nodes of a diagram.
const MAX_STATES: usize = 1_500;
const MAX_NODES: usize = 200_000;
/// The greatest number of counts of one letter that a node distinguishes.
const MAX_COUNTS: usize = 2_000;
/// The first tests are all counts of the digits below this, by the number of digits.
const TESTS: [i32; 7] = [1, 40, 12, 6, 4, 3, 2];

/// A guess: an automaton, and a diagram.
///
/// A place of the diagram below the number of states is a state.
pub(super) struct Guess {
    /// The residual that represents each state.
    residuals: Vec<Residual>,
    /// Whether a state is P, by the empty rest of the digits; `None` if the state makes no claim.
    pub(super) is_p: Vec<Option<bool>>,
    pub(super) next: Vec<Vec<u32>>,
    /// The level, the index and the children of each node.
    pub(super) nodes: Vec<(usize, usize, Vec<u32>)>,
    pub(super) root: u32,
}

#[derive(Clone)]
struct Residual {
    /// The counts of all levels, 0 for digits.
    others: Vec<i32>,
    depth: u32,
    read: Vec<i32>,
}

/// The reason why nothing was learnt.
pub(super) enum LearnError {
    /// The outcomes of greater counts than known are needed.
    OutOfReach,
    /// There are too many states, nodes or counts.
    TooLarge,
    Stopped(Stop),
}

impl From<Stop> for LearnError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// The observations of a residual: at each test P, not P, or nothing.
type Observations = Vec<Option<bool>>;

pub(super) struct Learner {
    pub(super) outcomes: Outcomes,
    pub(super) tests: Vec<Vec<i32>>,
    /// The number of tests at which a residual may be unknown.
    ///
    /// The outcomes of the later tests are found by the rules.
    first_tests: usize,
    /// For each test the part of all positions with these counts of the digits.
    parts: Vec<Part>,
}

/// The states found so far.
#[derive(Default)]
struct States {
    residuals: Vec<Residual>,
    seen: Vec<Observations>,
    /// The state without a claim; nothing was seen at it.
    nothing: Option<u32>,
    exactly: FxHashMap<Observations, u32>,
}

/// A diagram under construction.
#[derive(Default)]
struct Diagram {
    nodes: Vec<(usize, usize, Vec<u32>)>,
    number: FxHashMap<(usize, usize, Vec<u32>), u32>,
    known: FxHashMap<Vec<Part>, u32>,
}

/// Places of nodes are counted down from here until all states are known.
const NODES: u32 = 1 << 31;

impl Learner {
    /// Returns a learner that begins with tests of an earlier one, if there are any.
    pub(super) fn new(outcomes: Outcomes, mut tests: Vec<Vec<i32>>) -> Self {
        let digits = outcomes.digits.len();
        let side: Vec<i32> = (0..TESTS[digits.min(TESTS.len() - 1)]).collect();
        let first = vectors(digits, &side);
        let first_tests = first.len();
        if tests.is_empty() {
            tests = first;
        }
        Self {
            tests,
            first_tests,
            parts: Vec::new(),
            outcomes,
        }
    }

    /// Returns a guess that agrees with all tests.
    pub(super) fn learn(&mut self, control: &mut Control) -> Result<Guess, LearnError> {
        while let Some(test) = self.tests.get(self.parts.len()) {
            self.parts.push(self.outcomes.with_digits(test, control)?);
        }
        let (mut states, mut diagram) = (States::default(), Diagram::default());
        let mut others = vec![0; self.outcomes.levels];
        let parts = self.parts.clone();
        let root = self.place(parts, &mut others, &mut diagram, &mut states, control)?;
        let digits = self.outcomes.digits.len();
        let mut next: Vec<Vec<u32>> = Vec::new();
        while let Some(residual) = states.residuals.get(next.len()).cloned() {
            let state = next.len() as u32;
            let mut row = vec![state; 1 << digits];
            if states.nothing != Some(state) {
                for (bits, next) in row.iter_mut().enumerate() {
                    *next = self.state(residual.after(bits), &mut states, control)?;
                }
            }
            next.push(row);
        }
        let count = states.residuals.len() as u32;
        let numbered = |place: u32| match place.checked_sub(NODES) {
            Some(node) => count + node,
            None => place,
        };
        let nodes = diagram.nodes.into_iter().map(|(level, index, children)| {
            (level, index, children.into_iter().map(numbered).collect())
        });
        Ok(Guess {
            nodes: nodes.collect(),
            root: numbered(root),
            is_p: states
                .seen
                .iter()
                .map(|seen| seen.first().map(|&first| first == Some(true)))
                .collect(),
            residuals: states.residuals,
            next,
        })
    }

    /// Returns the place of counts of the other letters for which the tests have these parts.
    ///
    /// `others` lead there.
    fn place(
        &mut self,
        parts: Vec<Part>,
        others: &mut Vec<i32>,
        diagram: &mut Diagram,
        states: &mut States,
        control: &mut Control,
    ) -> Result<u32, LearnError> {
        if let Some(&known) = diagram.known.get(&parts) {
            return Ok(known);
        }
        control.spend(100 + 30 * parts.len() as u64)?;
        let greatest = parts
            .iter()
            .filter_map(|&part| self.outcomes.level(part))
            .max();
        let place = match greatest {
            None => {
                let residual = Residual {
                    others: others.clone(),
                    depth: 0,
                    read: vec![0; self.outcomes.digits.len()],
                };
                match parts.first() {
                    Some(&Capped::NOTHING) => states.nothing(residual),
                    _ => {
                        let seen = parts.iter().map(|&part| Some(part == Capped::ALL));
                        states.find(residual, seen.collect(), control)?
                    }
                }
            }
            Some(level) => {
                let (mut index, mut period) = (0, 1);
                for &part in &parts {
                    if let Some((own, (entries, start))) = self.outcomes.entries(part, control)?
                        && own == level
                    {
                        index = index.max(*start);
                        period = lcm(period, entries.len() - start);
                    }
                    if index + period > MAX_COUNTS {
                        return Err(LearnError::TooLarge);
                    }
                }
                let mut children = Vec::with_capacity(index + period);
                for count in 0..index + period {
                    let mut with = Vec::with_capacity(parts.len());
                    for &part in &parts {
                        with.push(self.outcomes.with(part, level, count, control)?);
                    }
                    others[level] = count as i32;
                    children.push(self.place(with, others, diagram, states, control)?);
                }
                others[level] = 0;
                diagram.node(level, index, children)
            }
        };
        if diagram.nodes.len() > MAX_NODES {
            return Err(LearnError::TooLarge);
        }
        diagram.known.insert(parts, place);
        Ok(place)
    }

    fn state(
        &mut self,
        residual: Residual,
        states: &mut States,
        control: &mut Control,
    ) -> Result<u32, LearnError> {
        let mut seen = Vec::with_capacity(self.tests.len());
        for number in 0..self.tests.len() {
            let test = self.tests[number].clone();
            let by_rules = number >= self.first_tests;
            seen.push(self.at(&residual, &test, by_rules, control)?);
        }
        // The tests begin with the counts below 2: without their outcomes the state makes no claim.
        if seen[..1 << residual.read.len()].contains(&None) {
            return Err(LearnError::OutOfReach);
        }
        states.find(residual, seen, control)
    }

    fn at(
        &mut self,
        residual: &Residual,
        rest: &[i32],
        by_rules: bool,
        control: &mut Control,
    ) -> Result<Option<bool>, Stop> {
        let mut counts = residual.others.clone();
        let digits = self.outcomes.digits.clone();
        for ((digit, &z), &r) in digits.into_iter().zip(rest).zip(&residual.read) {
            let shifted = z.checked_mul(1 << residual.depth.min(30));
            match shifted.and_then(|shifted| shifted.checked_add(r)) {
                Some(count) => counts[digit] = count,
                None => return Ok(None),
            }
        }
        match by_rules {
            true => self.outcomes.is_p_by_rules(&counts, control),
            false => self.outcomes.is_p(&counts, control),
        }
    }

    /// Learns from a position whose guessed outcome does not follow from those of its options.
    ///
    /// It adds a test if it finds one, and returns whether it did.
    pub(super) fn refute(
        &mut self,
        guess: &Guess,
        system: &System,
        counts: &[i32],
        control: &mut Control,
    ) -> Result<bool, Stop> {
        if self.differs(guess, counts, control)? {
            return Ok(true);
        }
        for (level, options) in system.options.iter().enumerate() {
            if counts[level] == 0 {
                continue;
            }
            for option in options {
                let mut after: Vec<i32> = counts.iter().zip(option).map(|(x, y)| x + y).collect();
                after[level] -= 1;
                if self.differs(guess, &after, control)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Adds a test that separates residuals taken to be equal on the way of a position.
    ///
    /// It returns whether there is such a test.
    fn differs(
        &mut self,
        guess: &Guess,
        counts: &[i32],
        control: &mut Control,
    ) -> Result<bool, Stop> {
        let mut others = counts.to_vec();
        let mut digits = Vec::new();
        for &digit in &self.outcomes.digits {
            digits.push(std::mem::take(&mut others[digit]));
        }
        let mut state = guess.start(&others);
        if guess.is_p[state as usize].is_none() {
            return Ok(false);
        }
        let mut reached = Residual {
            others,
            depth: 0,
            read: vec![0; digits.len()],
        };
        for place in 0..31 {
            let rest: Vec<i32> = digits.iter().map(|&x| x >> place).collect();
            let own = &guess.residuals[state as usize];
            let here = self.at(&reached, &rest, true, control)?;
            let there = self.at(own, &rest, true, control)?;
            if let (Some(here), Some(there)) = (here, there)
                && here != there
            {
                // The part of a test has to be right, too.
                let reach = self.outcomes.reach();
                if self.tests.contains(&rest) || rest.iter().any(|&x| x > reach) {
                    return Ok(false);
                }
                self.tests.push(rest);
                return Ok(true);
            }
            if rest.iter().all(|&x| x == 0) {
                break;
            }
            let bits = rest.iter().enumerate();
            let bits: usize = bits.map(|(digit, x)| ((x & 1) as usize) << digit).sum();
            reached = own.after(bits);
            state = guess.next[state as usize][bits];
        }
        Ok(false)
    }
}

impl Guess {
    /// Returns the state at which the automaton begins for some counts of the other letters.
    fn start(&self, others: &[i32]) -> u32 {
        let mut place = self.root;
        while let Some(node) = (place as usize).checked_sub(self.is_p.len()) {
            let (level, index, children) = &self.nodes[node];
            let count = others[*level].max(0) as usize;
            place = children[if count < children.len() {
                count
            } else {
                index + (count - index) % (children.len() - index)
            }];
        }
        place
    }
}

impl Residual {
    fn after(&self, bits: usize) -> Self {
        let read = self.read.iter().enumerate();
        Self {
            others: self.others.clone(),
            depth: self.depth + 1,
            read: read
                .map(|(digit, &r)| r + (((bits >> digit & 1) as i32) << self.depth.min(30)))
                .collect(),
        }
    }
}

impl States {
    /// Returns the state without a claim; the residual leads to it.
    fn nothing(&mut self, residual: Residual) -> u32 {
        *self.nothing.get_or_insert_with(|| {
            self.residuals.push(residual);
            self.seen.push(Observations::new());
            self.seen.len() as u32 - 1
        })
    }

    /// Returns the state that represents a residual, by the outcomes seen of it.
    fn find(
        &mut self,
        residual: Residual,
        seen: Observations,
        control: &mut Control,
    ) -> Result<u32, LearnError> {
        if let Some(&known) = self.exactly.get(&seen) {
            return Ok(known);
        }
        for (state, known) in (0..).zip(&self.seen) {
            let agree =
                |&(a, b): &(&Option<bool>, &Option<bool>)| a.is_none() || b.is_none() || a == b;
            let common = known.iter().zip(&seen).take_while(agree).count();
            control.spend(5 + common as u64)?;
            if common == seen.len() {
                return Ok(state);
            }
        }
        let state = self.residuals.len() as u32;
        if self.residuals.len() == MAX_STATES {
            return Err(LearnError::TooLarge);
        }
        self.residuals.push(residual);
        self.exactly.insert(seen.clone(), state);
        self.seen.push(seen);
        Ok(state)
    }
}

impl Diagram {
    /// Returns the node with these children, in its shortest form.
    ///
    /// If all children are the same, it returns the child.
    fn node(&mut self, level: usize, index: usize, mut children: Vec<u32>) -> u32 {
        let cycle = children.split_off(index);
        let length = cycle.len();
        let repeats = |&p: &usize| length.is_multiple_of(p) && cycle[p..] == cycle[..length - p];
        let period = (1..=length).find(repeats).unwrap_or(length);
        let mut cycle = cycle[..period].to_vec();
        while children
            .last()
            .is_some_and(|last| cycle.last() == Some(last))
        {
            children.pop();
            cycle.rotate_right(1);
        }
        if let ([], [only]) = (&children[..], &cycle[..]) {
            return *only;
        }
        let index = children.len();
        children.extend(cycle);
        let nodes = &mut self.nodes;
        *self
            .number
            .entry((level, index, children))
            .or_insert_with_key(|node| {
                nodes.push(node.clone());
                NODES + nodes.len() as u32 - 1
            })
    }
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).saturating_mul(b)
}
