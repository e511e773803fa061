//! The functions of the counts of the digits that positions leave, numbered.
//!
//! A state of the automaton with counts still to be added is a function: it gives an outcome for
//! all counts `z` of the digits. Two of them are the same function iff they give the same outcome
//! at zero and, for each choice of binary digits, the functions of the counts read after these
//! digits are the same. So equal functions are found by refining a partition (Moore 1956).

use std::collections::HashMap;

use misere_game::control::Control;
use misere_game::outcome::Outcome;

use super::super::diagram::reading::Reading;
use super::super::{FamilyCheckError, too_large};

/// The most states with rests, and the most transitions of functions, that are kept in memory.
const MAX_RESTS: usize = 2_000_000;
const MAX_TRANSITIONS: usize = 50_000_000;
/// The most digits for which functions are numbered.
const MAX_DIGITS: usize = 4;

/// The number of a function.
pub(super) type Function = u32;

/// The functions, with what each becomes when binary digits are read.
pub(super) struct Functions {
    digits: usize,
    /// The function after each function, binary digits to be added and digits of the context.
    next: Vec<Function>,
    /// Whether a function is the same whatever is read.
    constant: Vec<bool>,
}

/// States with the counts that are still to be added to those of the digits.
struct Rests<'a> {
    reading: &'a Reading<'a>,
    list: Vec<(u32, Vec<u32>)>,
    number: HashMap<(u32, Vec<u32>), u32>,
}

impl<'a> Rests<'a> {
    fn place(&mut self, state: u32, rest: &[u32]) -> u32 {
        let key = (state, rest.to_vec());
        *self.number.entry(key).or_insert_with_key(|key| {
            self.list.push(key.clone());
            self.list.len() as u32 - 1
        })
    }

    /// Returns the successor of a state with a rest, given digits to add and digits of the context.
    fn after(&mut self, number: u32, added: usize, context: usize) -> u32 {
        let (state, rest) = &self.list[number as usize];
        let mut read = 0;
        let carry: Vec<u32> = rest
            .iter()
            .enumerate()
            .map(|(digit, rest)| {
                let sum = rest + (added >> digit & 1) as u32 + (context >> digit & 1) as u32;
                read |= ((sum & 1) as usize) << digit;
                sum >> 1
            })
            .collect();
        let state = self.reading.states[*state as usize].next[read];
        self.place(state, &carry)
    }

    fn outcome(&self, number: usize) -> Option<Outcome> {
        let (mut state, mut rest) = self.list[number].clone();
        while rest.iter().any(|&x| x > 0) {
            let bits = rest.iter().enumerate();
            let bits: usize = bits.map(|(digit, x)| ((x & 1) as usize) << digit).sum();
            state = self.reading.states[state as usize].next[bits];
            rest.iter_mut().for_each(|x| *x >>= 1);
        }
        self.reading.states[state as usize].outcome
    }
}

impl Functions {
    /// Returns the functions that begin at states with rests, and all that follow.
    ///
    /// `starts` has for each column the state of each side, and `rests` the rest of each side. The
    /// functions of each side are returned by columns.
    pub(super) fn new(
        reading: &Reading<'_>,
        starts: &[Vec<u32>],
        rests: &[Vec<u32>],
        control: &mut Control,
    ) -> Result<(Self, Vec<Vec<Function>>), FamilyCheckError> {
        let digits = reading.digits.len();
        if digits > MAX_DIGITS {
            return Err(too_large("digits", digits, MAX_DIGITS));
        }
        let all = 1 << digits;
        let mut known = Rests {
            reading,
            list: Vec::new(),
            number: HashMap::new(),
        };
        let mut profiles: Vec<Vec<u32>> = Vec::with_capacity(rests.len());
        for (side, rest) in rests.iter().enumerate() {
            control.spend(100 * starts.len() as u64)?;
            let of_side = starts.iter().map(|column| known.place(column[side], rest));
            profiles.push(of_side.collect());
        }
        let mut next: Vec<u32> = Vec::new();
        while next.len() < known.list.len() * all * all {
            control.spend((150 * all * all) as u64)?;
            if known.list.len() > MAX_RESTS || next.len() > MAX_TRANSITIONS {
                return Err(too_large("states with rests", known.list.len(), MAX_RESTS));
            }
            let number = (next.len() / (all * all)) as u32;
            for added in 0..all {
                for context in 0..all {
                    next.push(known.after(number, added, context));
                }
            }
        }
        let outcomes = (0..known.list.len()).map(|number| known.outcome(number));
        let class: Vec<u32> = outcomes.map(|o| u32::from(o == Some(Outcome::P))).collect();
        let class = refined(class, &next, all, control)?;
        let mut first: Vec<usize> = Vec::new();
        for (number, &class) in class.iter().enumerate() {
            if class as usize == first.len() {
                first.push(number);
            }
        }
        let of_classes = first.iter().flat_map(|number| {
            let from = number * all * all;
            next[from..from + all * all].iter()
        });
        let next: Vec<u32> = of_classes.map(|&to| class[to as usize]).collect();
        let constant = (0..).zip(next.chunks_exact(all * all));
        let constant = constant
            .map(|(own, next)| next.iter().all(|&to| to == own))
            .collect();
        for profile in &mut profiles {
            profile
                .iter_mut()
                .for_each(|entry| *entry = class[*entry as usize]);
        }
        let functions = Self {
            digits,
            next,
            constant,
        };
        Ok((functions, profiles))
    }

    /// Returns the number of digits.
    pub(super) fn digits(&self) -> usize {
        self.digits
    }

    /// Adds the successors of a pair of functions to `after`, for each choice of context digits.
    ///
    /// `added` are the digits added to either side.
    pub(super) fn follow(
        &self,
        (one, other): (Function, Function),
        added: [usize; 2],
        after: &mut Vec<(Function, Function)>,
    ) {
        let all = 1 << self.digits;
        let of = |function: Function, added: usize| {
            let from = (function as usize * all + added) * all;
            &self.next[from..from + all]
        };
        let both = of(one, added[0]).iter().zip(of(other, added[1]));
        after.extend(both.map(|(&f, &g)| (f, g)));
    }

    /// Sorts pairs, drops duplicates, and drops pairs that never differ.
    pub(super) fn normalize(&self, set: &mut Vec<(Function, Function)>) {
        set.retain(|&(f, g)| f != g || !self.constant[f as usize]);
        set.sort_unstable();
        set.dedup();
    }
}

/// Returns the coarsest refinement of a partition that the transitions respect.
///
/// Members of one class lead to members of one class. Classes are numbered in the order of their
/// first members.
fn refined(
    mut class: Vec<u32>,
    next: &[u32],
    all: usize,
    control: &mut Control,
) -> Result<Vec<u32>, FamilyCheckError> {
    let mut classes = 0;
    loop {
        let mut number: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut refined = Vec::with_capacity(class.len());
        for (own, next) in class.iter().zip(next.chunks_exact(all * all)) {
            control.spend(60 + 10 * all as u64)?;
            // The digits of the context alone, with nothing added, determine the function.
            let mut key = vec![*own];
            key.extend(next[..all].iter().map(|&to| class[to as usize]));
            let fresh = number.len() as u32;
            refined.push(*number.entry(key).or_insert(fresh));
        }
        class = refined;
        if number.len() == classes {
            return Ok(class);
        }
        classes = number.len();
    }
}
