//! In which order are the monoids found, and when is an order complete?
//!
//! Order by order. The monoids of order `m` that carry a valid minimex algebra are among the simple extensions of smaller ones that do, since every prefix of
//! a valid construction sequence is valid on the submonoid that it generates. So once all of order below `m` have been
//! extended, the candidates of order `m` are complete; each is judged once, and those that pass are extended in their turn.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::canonical::{Code, canonical};
use super::extension::{Base, Effort, Extended, extensions};
use super::paired::{MAX_ORDER, Paired, Small};
use super::validity::Candidate;
use crate::control::{Control, Interrupt, Stop};

/// A bipartite monoid that carries a valid minimex algebra, in canonical numbers.
#[derive(Clone, Debug)]
pub(super) struct Valid {
    pub(super) monoid: Paired,
    /// A construction sequence of it.
    pub(super) sequence: Vec<Small>,
    pub(super) is_reduced: bool,
}

/// What is known about one order.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// The order.
    pub order: usize,
    pub(super) valid: Vec<Valid>,
    /// Different candidates judged.
    pub candidates: usize,
    pub(super) nodes: u64,
    pub(super) leaves: u64,
    pub(super) passed: u64,
}

/// A candidate: the sequence of the monoid it extends, and the new generator.
type Hint = Vec<Small>;

pub(super) struct Levels {
    most: usize,
    /// Candidates of the orders that are not complete.
    pending: BTreeMap<usize, FxHashMap<Code, Hint>>,
    pub(super) complete: Vec<Level>,
    interrupt: Interrupt,
}

#[derive(Default)]
struct Found {
    candidates: Vec<FxHashMap<Code, Hint>>,
    effort: Effort,
    passed: u64,
}

impl Levels {
    pub(super) fn new(most: usize, interrupt: Interrupt) -> Self {
        let first = Paired::first();
        let code = canonical(&first, &first.translates()).code;
        let mut pending = BTreeMap::new();
        pending.insert(2, FxHashMap::from_iter([(code, vec![1])]));
        Self {
            most: most.min(MAX_ORDER),
            pending,
            complete: Vec::new(),
            interrupt,
        }
    }

    /// Completes the next order; `None` if all are.
    pub(super) fn next(&mut self) -> Result<Option<&Level>, Stop> {
        let order = self.complete.last().map_or(2, |level| level.order + 2);
        if order > self.most {
            return Ok(None);
        }
        let candidates = self.pending.remove(&order).unwrap_or_default();
        let mut candidates: Vec<(Code, Hint)> = candidates.into_iter().collect();
        candidates.sort_unstable();
        let to_come = (self.most - order) / 2;
        let judged: Vec<Option<Valid>> = candidates
            .par_iter()
            .map(|(code, hint)| {
                judge(code, hint, to_come, &mut Control::new(u64::MAX, self.interrupt.clone()))
            })
            .collect::<Result<_, Stop>>()?;
        let mut level = Level {
            order,
            candidates: candidates.len(),
            valid: judged.into_iter().flatten().collect(),
            ..Level::default()
        };
        if order < self.most {
            let found = self.extend(&level.valid)?;
            level.nodes = found.effort.nodes;
            level.leaves = found.effort.leaves;
            level.passed = found.passed;
            for (at, more) in found.candidates.into_iter().enumerate() {
                let pending = self.pending.entry(order + 2 + 2 * at).or_default();
                merge(pending, more);
            }
        }
        self.complete.push(level);
        Ok(self.complete.last())
    }

    fn extend(&self, valid: &[Valid]) -> Result<Found, Stop> {
        valid
            .par_iter()
            .map(|valid| {
                extend(valid, self.most, &mut Control::new(u64::MAX, self.interrupt.clone()))
            })
            .try_reduce(Found::default, |mut one, other| {
                one.effort.nodes += other.effort.nodes;
                one.effort.leaves += other.effort.leaves;
                one.passed += other.passed;
                for (at, more) in other.candidates.into_iter().enumerate() {
                    if at < one.candidates.len() {
                        merge(&mut one.candidates[at], more);
                    } else {
                        one.candidates.push(more);
                    }
                }
                Ok(one)
            })
    }
}

/// Of two hints for one code the least is kept, so that threads do not matter.
fn merge(into: &mut FxHashMap<Code, Hint>, from: FxHashMap<Code, Hint>) {
    for (code, hint) in from {
        let kept = into.entry(code).or_insert_with(|| hint.clone());
        if hint < *kept {
            *kept = hint;
        }
    }
}

fn extend(valid: &Valid, most: usize, control: &mut Control) -> Result<Found, Stop> {
    let base = Base::new(&valid.monoid);
    let mut found = Found {
        candidates: vec![FxHashMap::default(); (most - valid.monoid.order()) / 2],
        ..Found::default()
    };
    let first = valid.monoid.orbits + 1;
    let mut passed = 0;
    let candidates = &mut found.candidates;
    found.effort = extensions(&base, most / 2, control, &mut |extended: Extended| {
        let to_come = most / 2 - extended.monoid.orbits;
        if !can_be_told_apart(&extended.translates[..extended.monoid.order()], to_come) {
            return;
        }
        passed += 1;
        let canonical = canonical(&extended.monoid, &extended.translates);
        let sequence = valid.sequence.iter().chain([&extended.x]);
        let hint: Hint = sequence
            .map(|&x| canonical.number[usize::from(x)])
            .collect();
        let kept = candidates[extended.monoid.orbits - first]
            .entry(canonical.code)
            .or_insert_with(|| hint.clone());
        if hint < *kept {
            *kept = hint;
        }
    })?;
    found.passed = passed;
    Ok(found)
}

/// Whether so many orbits may tell all elements apart: each has one of three outcomes with one of a class.
fn can_be_told_apart(translates: &[u32], to_come: usize) -> bool {
    let mut rows = translates.to_vec();
    rows.sort_unstable();
    let largest = rows.chunk_by(|one, other| one == other).map(<[u32]>::len).max();
    largest.is_some_and(|largest| to_come >= 4 || largest <= 3_usize.pow(to_come as u32))
}

fn judge(
    code: &Code,
    hint: &Hint,
    to_come: usize,
    control: &mut Control,
) -> Result<Option<Valid>, Stop> {
    let monoid = Paired::of_code(code);
    let translates = monoid.translates();
    let candidate = Candidate::new(&monoid, &translates);
    let sequence = if candidate.is_valid(hint, control)? {
        Some(hint.clone())
    } else {
        candidate.sequence(control)?
    };
    let rows = &translates[..monoid.order()];
    debug_assert!(can_be_told_apart(rows, to_come));
    let is_reduced = can_be_told_apart(rows, 0);
    Ok(sequence.map(|sequence| Valid {
        monoid,
        sequence,
        is_reduced,
    }))
}
