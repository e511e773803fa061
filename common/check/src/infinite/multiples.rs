//! The check that the claimed outcomes distinguish all multiples of a heap.
//!
//! `k·g` and `l·g` have different values if `k + t` and `l + t` copies, for some `t`, in a context
//! of some column and some counts of the other digits, have different outcomes. The search reads
//! `k` and `l` in binary and keeps the set of all pairs of states that the two positions can have
//! reached, over all columns and all choices of the other bits (T4 in `docs/infinite.md`). It holds
//! if every set that can be reached by different `k` and `l` contains a pair that leads to
//! different outcomes when no further bit of `k` and `l` is set.

use std::collections::{BTreeSet, HashMap, HashSet};

use misere_game::control::Control;
use misere_game::outcome::Outcome;
use misere_game::solution::evidence::State;

use super::{FamilyCheckError, too_large};

/// The states that two positions have reached, and their carries to the next digit of the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Pair {
    states: [u32; 2],
    carries: [bool; 2],
}

/// The most pairs, and the most members of all sets, that are kept in memory.
const MAX_PAIRS: usize = 1_000_000;
const MAX_MEMBERS: usize = 10_000_000;

/// The choices of one bit of `k` and one bit of `l`.
const BITS: [[bool; 2]; 4] = [[false, false], [false, true], [true, false], [true, true]];

/// The automaton of some evidence, and the states at which it may begin.
pub(super) struct Automaton<'a> {
    pub(super) states: &'a [State],
    /// The number of digits that the automaton reads.
    pub(super) digits: usize,
    /// The states at which it begins for some counts of the other letters.
    pub(super) starts: Vec<u32>,
}

impl Automaton<'_> {
    fn next(&self, state: u32, bits: usize) -> u32 {
        self.states[state as usize].next[bits]
    }

    fn outcome(&self, state: u32) -> Option<Outcome> {
        self.states[state as usize].outcome
    }
}

/// Reports whether all multiples of the heaps in `distinct` are distinguished.
///
/// The heaps come with their places among the digits.
pub(super) fn check(
    distinct: &[(u32, usize)],
    automaton: &Automaton<'_>,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    for &(heap, digit) in distinct {
        if !distinguishes(automaton, digit, control)? {
            return Err(FamilyCheckError::Multiples { heap });
        }
    }
    Ok(())
}

/// All pairs that can be reached, numbered, with their successors and what they distinguish.
struct Pairs {
    /// The pairs that can follow each pair, for each choice of the two bits.
    next: Vec<[Vec<u32>; 4]>,
    /// The pairs from which different outcomes are reached without further bits.
    telling: Vec<bool>,
    /// The pairs from which different outcomes can be reached at all.
    promising: Vec<bool>,
    start: BTreeSet<u32>,
}

fn distinguishes(
    automaton: &Automaton<'_>,
    digit: usize,
    control: &mut Control,
) -> Result<bool, FamilyCheckError> {
    let pairs = all_pairs(automaton, digit, control)?;
    let promising = |set: BTreeSet<u32>| -> Vec<u32> {
        let useful = set.into_iter();
        useful
            .filter(|&pair| pairs.promising[pair as usize])
            .collect()
    };
    let start = (promising(pairs.start.clone()), false);
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start];
    let mut members = 0;
    while let Some((set, differ)) = open.pop() {
        if differ && !set.iter().any(|&pair| pairs.telling[pair as usize]) {
            return Ok(false);
        }
        for (choice, bits) in BITS.iter().enumerate() {
            let mut after = BTreeSet::new();
            for &pair in &set {
                let next = &pairs.next[pair as usize][choice];
                control.spend(20 + 60 * next.len() as u64)?;
                after.extend(next);
            }
            let after = (promising(after), differ || bits[0] != bits[1]);
            if !seen.contains(&after) {
                members += 1 + after.0.len();
                if members > MAX_MEMBERS {
                    return Err(too_large("members of sets", members, MAX_MEMBERS));
                }
                seen.insert(after.clone());
                open.push(after);
            }
        }
    }
    Ok(true)
}

fn all_pairs(
    automaton: &Automaton<'_>,
    digit: usize,
    control: &mut Control,
) -> Result<Pairs, FamilyCheckError> {
    let mut number: HashMap<Pair, u32> = HashMap::new();
    let mut list: Vec<Pair> = Vec::new();
    let mut place = |pair: Pair, list: &mut Vec<Pair>| {
        *number.entry(pair).or_insert_with(|| {
            list.push(pair);
            list.len() as u32 - 1
        })
    };
    let mut start = BTreeSet::new();
    for &state in &automaton.starts {
        let pair = Pair {
            states: [state, state],
            carries: [false, false],
        };
        start.insert(place(pair, &mut list));
    }
    let mut next: Vec<[Vec<u32>; 4]> = Vec::new();
    while let Some(&pair) = list.get(next.len()) {
        control.spend(400 << automaton.digits)?;
        if list.len() > MAX_PAIRS {
            return Err(too_large("pairs of states", list.len(), MAX_PAIRS));
        }
        next.push(BITS.map(|bits| {
            let mut after: Vec<u32> = (0..1 << automaton.digits)
                .map(|context| place(step(automaton, pair, digit, bits, context), &mut list))
                .collect();
            after.sort_unstable();
            after.dedup();
            after
        }));
    }
    let differ = |pair: &Pair| {
        let [one, other] = pair.states.map(|state| automaton.outcome(state));
        pair.carries == [false, false]
            && matches!(
                (one, other),
                (Some(Outcome::P), Some(Outcome::N)) | (Some(Outcome::N), Some(Outcome::P))
            )
    };
    let telling = backwards(&next, list.iter().map(differ).collect(), &[0], control)?;
    let promising = backwards(&next, telling.clone(), &[0, 1, 2, 3], control)?;
    Ok(Pairs {
        next,
        telling,
        promising,
        start,
    })
}

/// Returns the pair after one more binary digit.
///
/// `bits` are those of `k` and `l`; `context` are those of `t` and of the counts of the other
/// digits.
fn step(
    automaton: &Automaton<'_>,
    pair: Pair,
    digit: usize,
    bits: [bool; 2],
    context: usize,
) -> Pair {
    let others = context & !(1 << digit);
    let t = context >> digit & 1;
    let (mut states, mut carries) = (pair.states, pair.carries);
    for side in 0..2 {
        let sum = t + usize::from(bits[side]) + usize::from(carries[side]);
        states[side] = automaton.next(states[side], others | (sum & 1) << digit);
        carries[side] = sum > 1;
    }
    Pair { states, carries }
}

/// Returns the pairs from which one of those marked can be reached by these choices of bits.
fn backwards(
    next: &[[Vec<u32>; 4]],
    mut marked: Vec<bool>,
    choices: &[usize],
    control: &mut Control,
) -> Result<Vec<bool>, FamilyCheckError> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); next.len()];
    for (from, after) in (0..).zip(next) {
        for &choice in choices {
            control.spend(20 * after[choice].len() as u64)?;
            after[choice]
                .iter()
                .for_each(|&to| before[to as usize].push(from));
        }
    }
    let mut open: Vec<u32> = (0..next.len() as u32)
        .filter(|&pair| marked[pair as usize])
        .collect();
    while let Some(pair) = open.pop() {
        for &from in &before[pair as usize] {
            if !std::mem::replace(&mut marked[from as usize], true) {
                open.push(from);
            }
        }
    }
    Ok(marked)
}
