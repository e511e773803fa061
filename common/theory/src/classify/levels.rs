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
use super::paired::{MAX_ORDER, Mask, Paired, Small};
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
    valid: Vec<Valid>,
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
        let mut level = Level {
            order,
            candidates: candidates.len(),
            ..Level::default()
        };
        let found = candidates
            .par_iter()
            .map(|(code, hint)| {
                let mut control = Control::new(u64::MAX, self.interrupt.clone());
                settle(code, hint, self.most, &mut control)
            })
            .try_reduce(Found::default, |one, other| Ok(one.and(other)))?;
        level.valid = found.valid;
        level.nodes = found.effort.nodes;
        level.leaves = found.effort.leaves;
        level.passed = found.passed;
        for (at, more) in found.candidates.into_iter().enumerate() {
            merge(self.pending.entry(order + 2 + 2 * at).or_default(), more);
        }
        self.complete.push(level);
        Ok(self.complete.last())
    }
}

impl Found {
    fn and(mut self, other: Self) -> Self {
        self.valid.extend(other.valid);
        self.effort.nodes += other.effort.nodes;
        self.effort.leaves += other.effort.leaves;
        self.passed += other.passed;
        for (at, more) in other.candidates.into_iter().enumerate() {
            if at < self.candidates.len() {
                merge(&mut self.candidates[at], more);
            } else {
                self.candidates.push(more);
            }
        }
        self
    }
}

/// Judges a candidate, and extends it if it carries a valid minimex algebra.
///
/// One that is not reduced is of use only if something can be reached from it. If a single orbit is to come, looking for that first is cheaper.
fn settle(code: &Code, hint: &Hint, most: usize, control: &mut Control) -> Result<Found, Stop> {
    let monoid = Paired::of_code(code);
    let translates = monoid.translates();
    let is_reduced = can_be_told_apart(&translates[..monoid.order()], 0);
    let mut extended = None;
    if !is_reduced && monoid.order() + 2 == most {
        let reached = extend(&monoid, most, control)?;
        if reached.0.is_empty() {
            return Ok(Found {
                effort: reached.1,
                ..Found::default()
            });
        }
        extended = Some(reached);
    }
    let Some(sequence) = judge(&monoid, &translates, hint, control)? else {
        return Ok(Found {
            effort: extended.map_or_else(Effort::default, |(_, effort)| effort),
            ..Found::default()
        });
    };
    let (extended, effort) = match extended {
        Some(extended) => extended,
        None => extend(&monoid, most, control)?,
    };
    let orbits = monoid.orbits;
    let mut found = Found {
        candidates: vec![FxHashMap::default(); (most - monoid.order()) / 2],
        passed: extended.len() as u64,
        effort,
        valid: vec![Valid {
            monoid,
            sequence: sequence.clone(),
            is_reduced,
        }],
    };
    for extended in extended {
        let canonical = canonical(&extended.monoid, &extended.translates);
        let hint: Hint = sequence
            .iter()
            .chain([&extended.x])
            .map(|&x| canonical.number[usize::from(x)])
            .collect();
        let kept = found.candidates[extended.monoid.orbits - orbits - 1]
            .entry(canonical.code)
            .or_insert_with(|| hint.clone());
        if hint < *kept {
            *kept = hint;
        }
    }
    Ok(found)
}

/// The simple extensions that may be valid and may have a reduced extension of order `most`, or be reduced.
fn extend(
    monoid: &Paired,
    most: usize,
    control: &mut Control,
) -> Result<(Vec<Extended>, Effort), Stop> {
    let mut kept = Vec::new();
    let effort = extensions(&Base::new(monoid), most / 2, control, &mut |extended| {
        let to_come = most / 2 - extended.monoid.orbits;
        if can_be_told_apart(&extended.translates[..extended.monoid.order()], to_come) {
            kept.push(extended);
        }
    })?;
    Ok((kept, effort))
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

/// Whether so many orbits may tell all elements apart: each has one of three outcomes with one of a class.
fn can_be_told_apart(translates: &[u32], to_come: usize) -> bool {
    let mut rows = translates.to_vec();
    rows.sort_unstable();
    let largest = rows.chunk_by(|one, other| one == other).map(<[u32]>::len).max();
    largest.is_some_and(|largest| to_come >= 4 || largest <= 3_usize.pow(to_come as u32))
}

/// A construction sequence whose minimex algebra is valid.
fn judge(
    monoid: &Paired,
    translates: &[Mask; MAX_ORDER],
    hint: &Hint,
    control: &mut Control,
) -> Result<Option<Vec<Small>>, Stop> {
    let candidate = Candidate::new(monoid, translates);
    if candidate.is_valid(hint, control)? {
        return Ok(Some(hint.clone()));
    }
    candidate.sequence(control)
}
