//! The automaton of a game under another code of the same game.
//!
//! The heaps of the other code are read as their counterparts in the first code. A heap that is
//! dead in the other code changes no state. Where heaps of the first code are dead, one step is
//! several steps of its automaton. So a state is a state of the first automaton, together with the
//! size as long as the size is small. Of states that agree only one is kept.

use std::collections::{BTreeSet, HashMap};

use misere_game::ruleset::Renumbering;
use misere_game::solution::PositionAutomaton;
use misere_game::solution::automaton::MAX_STATES;

/// A state of the first automaton at a size of the other code.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    /// The size, or the size from which on all heaps change by the same number.
    size: u32,
    /// The size modulo the period of the sizes.
    residue: u32,
    /// The state of the first automaton.
    state: u32,
}

/// Returns the automaton of the code from whose heaps the renumbering leads to those of `old`.
///
/// Returns `None` if it would have too many states, or `old` is malformed.
///
/// Cost: the states times the small sizes, once for each of them and for each class of states.
pub(super) fn renumbered(old: &PositionAutomaton, back: &Renumbering) -> Option<PositionAutomaton> {
    let uniform = back.uniform_from();
    let (_, period) = old.rhythm()?;
    let after = |next: &[u32], state: u32| next.get(state as usize).copied();
    let steps =
        |state: u32, steps: u32| (0..steps).try_fold(state, |state, _| after(&old.step, state));
    let start = Place {
        size: 1.min(uniform),
        residue: 1 % period,
        state: steps(0, like(back, 1)?.checked_sub(1)?)?,
    };
    let heap = |at: Place| {
        // Every heap from the uniform ones on is live if the first of them is.
        let live = back.heap(at.size).is_some();
        let state = if live {
            after(&old.heap, at.state)?
        } else {
            at.state
        };
        Some(Place { state, ..at })
    };
    let step = |at: Place| {
        let made = like(back, at.size + 1)?.checked_sub(like(back, at.size)?)?;
        Some(Place {
            size: uniform.min(at.size + 1),
            residue: (at.residue + 1) % period,
            state: steps(at.state, made)?,
        })
    };
    let mut places = vec![start];
    let mut known = HashMap::from([(start, 0)]);
    let mut next: Vec<[usize; 2]> = Vec::new();
    while let Some(&at) = places.get(next.len()) {
        let number = |place: Place| {
            *known.entry(place).or_insert_with(|| {
                places.push(place);
                places.len() - 1
            })
        };
        next.push([heap(at)?, step(at)?].map(number));
    }
    let is_p = |place: &Place| old.p_states.binary_search(&place.state).is_ok();
    let said = places.iter().map(|place| (is_p(place), place.residue));
    let class = classes(&next, said);
    written(&next, &class, |at| places.get(at).is_some_and(is_p))
}

/// Returns the heap of the first code that corresponds to a heap, or the next live one.
fn like(back: &Renumbering, heap: u32) -> Option<u32> {
    (heap..=heap.max(back.uniform_from())).find_map(|heap| back.heap(heap))
}

/// Returns the number of the class of each place.
///
/// Places are of one class if the same signs lead from them to places with equal `said`.
fn classes(next: &[[usize; 2]], said: impl Iterator<Item = (bool, u32)>) -> Vec<usize> {
    let mut class = numbered(said);
    loop {
        let finer = numbered((0..next.len()).map(|at| (class[at], next[at].map(|to| class[to]))));
        // Refinement only divides classes.
        if finer.iter().max() == class.iter().max() {
            return class;
        }
        class = finer;
    }
}

/// Returns the numbers of equal things, in order of first occurrence.
fn numbered<T: Eq + std::hash::Hash>(things: impl Iterator<Item = T>) -> Vec<usize> {
    let mut known = HashMap::new();
    let number = |thing: T| {
        let fresh = known.len();
        *known.entry(thing).or_insert(fresh)
    };
    things.map(number).collect()
}

/// Returns the automaton of the classes, numbered as the search for automata numbers states.
///
/// That is the order of discovery when the states of smaller sizes are explored first.
fn written(
    next: &[[usize; 2]],
    class: &[usize],
    is_p: impl Fn(usize) -> bool,
) -> Option<PositionAutomaton> {
    let mut number_of = HashMap::from([(class[0], 0_u32)]);
    let mut todo = BTreeSet::from([(1_u32, 0_u32, 0_usize)]);
    let mut read = Vec::new();
    while let Some((size, state, place)) = todo.pop_first() {
        let mut number = |to: usize, size: u32| {
            let fresh = number_of.len() as u32;
            let number = *number_of.entry(class[to]).or_insert(fresh);
            if number == fresh {
                todo.insert((size, fresh, to));
            }
            number
        };
        let [heap, step] = next[place];
        read.push((
            state,
            number(heap, size),
            number(step, size + 1),
            is_p(place),
        ));
    }
    if read.len() > MAX_STATES {
        return None;
    }
    read.sort_unstable();
    Some(PositionAutomaton {
        heap: read.iter().map(|&(_, heap, ..)| heap).collect(),
        step: read.iter().map(|&(_, _, step, _)| step).collect(),
        p_states: read
            .iter()
            .filter(|read| read.3)
            .map(|read| read.0)
            .collect(),
    })
}
