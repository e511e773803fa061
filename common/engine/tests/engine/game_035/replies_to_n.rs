//! (N): what the claim calls N, and is not empty, has an option that it calls P.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Refused;
use super::claim::{Claim, SCARCE, Sort, moves, need, sort};
use super::options_of_p::with_light_heaps;
use super::parities::{Beside, DELTA};
use super::sums::{Outcome, Sums};

/// A value, and the contexts in which a sum of this value is not P and has no P-option, by values
/// alone.
type State = (usize, Vec<usize>);

/// The heaps of a sum other than 1, 2 and 5, and its 1s and 2s.
type Parts = (Vec<usize>, Vec<usize>);

/// The states of all sums, and where each heap leads from each state.
struct States<'a> {
    sums: &'a Sums,
    all: Vec<State>,
    numbers: HashMap<State, usize>,
    /// The state of each heap alone, if its contexts are not empty.
    first: BTreeMap<usize, Option<usize>>,
    next: Vec<BTreeMap<usize, Option<usize>>>,
}

impl<'a> States<'a> {
    fn new(sums: &'a Sums) -> Self {
        let mut states = Self {
            sums,
            all: Vec::new(),
            numbers: HashMap::new(),
            first: BTreeMap::new(),
            next: Vec::new(),
        };
        let mut contexts = BTreeMap::new();
        let mut before = BTreeMap::new();
        for heap in sums.heaps() {
            let of_heap = contexts_of_heap(sums, heap);
            let listed = (0..sums.len()).filter(|&x| of_heap[x]).collect();
            let first = states.number(sums.of_heap(heap), listed);
            states.first.insert(heap, first);
            contexts.insert(heap, of_heap);
            let mut inverse = vec![Vec::new(); sums.len()];
            for x in 0..sums.len() {
                inverse[sums.plus(x, heap)].push(x);
            }
            before.insert(heap, inverse);
        }
        while states.next.len() < states.all.len() {
            let (value, listed) = states.all[states.next.len()].clone();
            let products = sums.products(value);
            let step = |heap: usize| {
                let inverse: &Vec<Vec<usize>> = &before[&heap];
                let contexts: &Vec<bool> = &contexts[&heap];
                let mut left: Vec<usize> = listed
                    .iter()
                    .flat_map(|&x| inverse[x].iter().copied())
                    .collect();
                left.retain(|&x| contexts[products[x]]);
                left.sort_unstable();
                (heap, sums.plus(value, heap), left)
            };
            let next: Vec<(usize, usize, Vec<usize>)> = sums.heaps().map(step).collect();
            let number = |(heap, value, left)| (heap, states.number(value, left));
            let next = next.into_iter().map(number).collect();
            states.next.push(next);
        }
        states
    }

    fn number(&mut self, value: usize, contexts: Vec<usize>) -> Option<usize> {
        if contexts.is_empty() {
            return None;
        }
        let state = (value, contexts);
        if let Some(&number) = self.numbers.get(&state) {
            return Some(number);
        }
        self.all.push(state.clone());
        self.numbers.insert(state, self.all.len() - 1);
        Some(self.all.len() - 1)
    }

    /// Returns the states of sums that are N and have no option that is P by its value.
    fn without_reply(&self) -> Result<BTreeSet<usize>, Refused> {
        let mut found = BTreeSet::new();
        for (number, (value, contexts)) in self.all.iter().enumerate() {
            if contexts[0] != 0 {
                continue;
            }
            need(self.sums.outcomes[*value] != Outcome::P, "a context")?;
            if self.sums.outcomes[*value] == Outcome::N {
                need(
                    self.sums.values[*value].sort() != Sort::A,
                    "N without P in A",
                )?;
                found.insert(number);
            }
        }
        Ok(found)
    }

    /// Returns the sums with some of the states, in their least heaps, up to pairs of 1s, pairs of 2s
    /// and 5s: the other heaps in ascending order, and the 1s and 2s.
    fn sums_of(&self, wanted: &BTreeSet<usize>) -> Result<BTreeSet<Parts>, Refused> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.all.len()];
        for (from, next) in self.next.iter().enumerate() {
            for &to in next.values().flatten() {
                before[to].push(from);
            }
        }
        let mut parts = wanted.clone();
        let mut todo: Vec<usize> = wanted.iter().copied().collect();
        while let Some(state) = todo.pop() {
            todo.extend(before[state].iter().filter(|&&from| parts.insert(from)));
        }
        let step = |from: &Option<usize>, heap: usize| {
            let next = from.map_or(&self.first, |from| &self.next[from]);
            next[&heap].filter(|to| parts.contains(to)).map(Some)
        };
        let mut found = BTreeSet::new();
        let mut cores: Vec<(Option<usize>, Vec<usize>)> = vec![(None, Vec::new())];
        while let Some((state, core)) = cores.pop() {
            need(core.len() < 12, "the sums of a state end")?;
            for (to, light) in with_light_heaps(&state, step) {
                if to.is_some_and(|to| wanted.contains(&to)) {
                    found.insert((core.clone(), light));
                }
            }
            let least = core.last().copied().unwrap_or(3);
            for heap in self.sums.heaps().filter(|&heap| heap >= least && heap != 5) {
                if let Some(to) = step(&state, heap) {
                    cores.push((to, [&core[..], &[heap]].concat()));
                }
            }
        }
        Ok(found)
    }
}

/// Reports of each value whether a heap with it is not P, and no move in the heap leads to P.
fn contexts_of_heap(sums: &Sums, heap: usize) -> Vec<bool> {
    let row = sums.row(heap);
    let mut is_context: Vec<bool> = row
        .iter()
        .map(|&x| sums.outcomes[x] != Outcome::P)
        .collect();
    for &option in sums.moves(heap) {
        for (x, &product) in sums.products(option).iter().enumerate() {
            is_context[x] &= sums.outcomes[product] != Outcome::P;
        }
    }
    is_context
}

/// Finds a reply for each N-position whose value alone does not show one.
pub(super) fn check(claim: &Claim, beside: &Beside, sums: &Sums) -> Result<(), Refused> {
    let states = States::new(sums);
    for (core, light) in states.sums_of(&states.without_reply()?)? {
        let sum = [&core[..], &light].concat();
        let rest: Vec<usize> = core
            .iter()
            .copied()
            .filter(|&heap| heap != SCARCE)
            .collect();
        let has_one_16 = core.len() == rest.len() + 1;
        let is_of_threes = rest.len() <= 3 && rest.iter().all(|heap| heap % 3 == 0);
        if has_one_16 && is_of_threes && light.contains(&1) {
            // Lemma 6.
            let value = claim.beside.value(&[&rest[..], &light].concat());
            need(beside.parities(value) == DELTA, "16 + 1 + 3i + 3j + 3k")?;
            continue;
        }
        if has_one_16 && rest.len() == 1 && rest[0] >= 43 && rest[0] % 6 == 1 {
            // Lemma 7: the move to 16 + 3v.
            need(
                light.is_empty() && claim.is_p(&[SCARCE, rest[0] - 1]),
                "16 + 3v + 1",
            )?;
            continue;
        }
        need(
            core.iter().all(|&heap| sums.is_alone(heap)),
            "a family of heaps",
        )?;
        need(!claim.is_p(&sum), "an N-position")?;
        // What the claim says of a sum in B does not depend on further pairs of 1s and 2s, or 5s.
        let has_reply = if sort(&sum) == Sort::B {
            claim.has_p_option(&sum, true)
        } else {
            core.iter().enumerate().any(|(at, &heap)| {
                let rest = [&core[..at], &core[at + 1..], &light].concat();
                let left = |left: Vec<usize>| [&rest[..], &left].concat();
                let mut options = moves(heap).into_iter().map(left);
                options.any(|option| sort(&option) == Sort::B && claim.is_p(&option))
            })
        };
        need(has_reply, "N without P")?;
    }
    check_lemma_6(claim, beside)
}

/// Lemma 6 for heaps `3i` with `i ≤ 60`; the page proves it for greater ones.
fn check_lemma_6(claim: &Claim, beside: &Beside) -> Result<(), Refused> {
    for threes in super::multisets(1, 60, 3)
        .into_iter()
        .filter(|threes| !threes.is_empty())
    {
        for twos in [0, 1] {
            let mut sum = vec![SCARCE];
            sum.extend(threes.iter().map(|j| 3 * j));
            sum.push(1);
            sum.extend(std::iter::repeat_n(2, twos));
            let value = claim.beside.value(&sum[1..]);
            if beside.parities(value) == DELTA && !claim.is_p(&sum) {
                need(claim.has_p_option(&sum, true), "Lemma 6")?;
            }
        }
    }
    Ok(())
}
