//! The check that no position called P has an option called P (D4).
//!
//! Let a move take `t` beans from a heap `h` and leave the heaps `a ≤ b`, so `h = a + b + t`. The
//! positions before and after the move have the same other heaps. So the automaton reads the same
//! signs in both, except that it reads one heap more of size `a` and one more of size `b` after the
//! move, and one more of size `h` before it. From size `b` to size `h` there are exactly `a + t`
//! steps, and from size 1 to size `a` there are `a - 1`. So three things are computed:
//!
//! - the states that `a - 1` steps, with any heaps between, lead to, one size `a` after the other;
//! - the pairs of states that any signs lead to from there to the size `b`;
//! - backwards, the pairs from which exactly `a + t` steps lead to a heap `h` that is missing in
//!   the second position, and any signs after this to two states of P-positions.
//!
//! The first and the last depend on `a` alone and become periodic, since there are finitely many
//! sets of states and of pairs. When a combination of both occurs a second time, all sizes `a` are
//! done.

use std::collections::{HashMap, HashSet};

use misere_game::control::Control;

use super::{AutomatonCheckError, Machine, Pairs};

/// The greatest smaller part that is examined before all must repeat.
const MAX_PART: usize = 1_024;

pub(super) fn check(
    machine: &Machine<'_>,
    control: &mut Control,
) -> Result<(), AutomatonCheckError> {
    let length = machine.code.length();
    let both_p = |first: usize, second: usize| machine.in_p[first] && machine.in_p[second];
    let tail = machine.pairs_leading_to(both_p, control)?;
    whole_heaps(machine, &tail)?;
    let mut endings = Endings::new(machine, &tail, control)?;
    let mut states = machine.with_copies(&[0]);
    let mut met = HashSet::new();
    for part in 0..MAX_PART {
        endings.reach(part + length, control)?;
        if part > 0 {
            // An ending seen before decides those with more steps as well.
            if !met.insert((states.clone(), endings.first_like(part))) {
                return Ok(());
            }
        }
        let begun = match part {
            // With a smaller part of 0 the two positions agree up to the one heap that is left.
            0 => (0..machine.states())
                .filter(|&state| machine.residue[state].is_some())
                .map(|state| (state, state))
                .collect(),
            _ => states
                .iter()
                .map(|&state| (state, machine.heap[state]))
                .collect(),
        };
        let reached = forward(machine, begun);
        control.spend(reached.len() as u64)?;
        let wanted = if part == 0 { 2 } else { 4 };
        for taken in 0..=length {
            if machine.code.digit(taken) & wanted == 0 || part + taken == 0 {
                continue;
            }
            let ending = &endings.steps[part + taken];
            if reached
                .iter()
                .any(|&(first, second)| ending.contains(first, machine.heap[second]))
            {
                return Err(AutomatonCheckError::PToP { taken, part });
            }
        }
        if part > 0 {
            let next: Vec<usize> = states.iter().map(|&state| machine.step[state]).collect();
            states = machine.with_copies(&next);
        }
    }
    Err(AutomatonCheckError::TooLarge(
        "1,024 sizes before sets of states repeat",
    ))
}

/// Checks the moves that take a whole heap.
fn whole_heaps(machine: &Machine<'_>, tail: &Pairs) -> Result<(), AutomatonCheckError> {
    let mut states = machine.with_copies(&[0]);
    for taken in 1..=machine.code.length() {
        let both_p = |&state: &usize| tail.contains(machine.heap[state], state);
        if machine.code.digit(taken) & 1 != 0 && states.iter().any(both_p) {
            return Err(AutomatonCheckError::PToP { taken, part: 0 });
        }
        let next: Vec<usize> = states.iter().map(|&state| machine.step[state]).collect();
        states = machine.with_copies(&next);
    }
    Ok(())
}

/// Returns the pairs of states that equal signs lead to from the pairs in `todo`.
fn forward(machine: &Machine<'_>, mut todo: Vec<(usize, usize)>) -> HashSet<(usize, usize)> {
    let mut reached = HashSet::new();
    while let Some((first, second)) = todo.pop() {
        if reached.insert((first, second)) {
            todo.push((machine.heap[first], machine.heap[second]));
            todo.push((machine.step[first], machine.step[second]));
        }
    }
    reached
}

/// The pairs from which a number of steps leads to the heap from which the move was made.
struct Endings<'a> {
    machine: &'a Machine<'a>,
    steps: Vec<Pairs>,
    /// The least number of steps with each of these sets.
    first: HashMap<Pairs, usize>,
}

impl<'a> Endings<'a> {
    fn new(
        machine: &'a Machine<'a>,
        tail: &Pairs,
        control: &mut Control,
    ) -> Result<Self, AutomatonCheckError> {
        let mut none = Pairs::none(machine.states());
        for first in 0..machine.states() {
            for second in 0..machine.states() {
                if tail.contains(machine.heap[first], second) {
                    none.insert(first, second);
                }
            }
        }
        machine.close(&mut none, &[0], control)?;
        Ok(Self {
            machine,
            first: HashMap::from([(none.clone(), 0)]),
            steps: vec![none],
        })
    }

    /// Returns the least number of steps with the same pairs as this one.
    fn first_like(&self, steps: usize) -> usize {
        self.first.get(&self.steps[steps]).copied().unwrap_or(steps)
    }

    /// Computes the pairs up to this number of steps.
    fn reach(&mut self, steps: usize, control: &mut Control) -> Result<(), AutomatonCheckError> {
        let machine = self.machine;
        while self.steps.len() <= steps {
            let last = &self.steps[self.steps.len() - 1];
            let mut next = Pairs::none(machine.states());
            for first in 0..machine.states() {
                for second in 0..machine.states() {
                    if last.contains(machine.step[first], machine.step[second]) {
                        next.insert(first, second);
                    }
                }
            }
            machine.close(&mut next, &[0], control)?;
            self.first.entry(next.clone()).or_insert(self.steps.len());
            self.steps.push(next);
        }
        Ok(())
    }
}
