//! The check that an automaton decides every position of a game.
//!
//! Theorem (docs/automata.md). Let an automaton satisfy the hypotheses D1 to D5. Then a position of
//! the game is a P-position in misère play exactly if the automaton says so.
//!
//! *Proof.* Exactly one set of positions has no terminal position in it, does not contain both a
//! position and an option of it, and contains an option of every position that is neither terminal
//! nor in the set. D3 says the first, D4 the second, D5 the third. ∎
//!
//! - `moves` (D4): no position that the automaton calls P has an option that it calls P
//! - `replies`, `situation`, `splits` (D5): every other position with a move has one that it calls P
//! - `infinity` (D6): the quotient is infinite, which is not part of the claim

mod infinity;
mod moves;
mod replies;
mod situation;
mod splits;
#[cfg(test)]
mod tests;

use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::PositionAutomaton;
use misere_game::solution::automaton::MAX_STATES;

/// The most parts that a move leaves.
const MAX_PARTS: u32 = 2;
/// The most digits of a code, and the longest period of the sizes.
const MAX_LENGTH: usize = 64;
/// The most copies of a heap that lead to different states.
const MAX_COPIES: usize = 64;

/// The first thing that is wrong with the claim that an automaton decides a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AutomatonCheckError {
    /// The game is not of the kind whose moves the checker reads (D1).
    #[error(
        "the check of an automaton is for take-and-break codes with an end whose moves leave at \
         most two heaps, and that have moves in all large heaps"
    )]
    Game,
    /// The automaton is not in form (D1).
    #[error("the states of the automaton are not in form")]
    Form,
    /// A step changes the outcome, or a state does not determine the size modulo the period (D2).
    #[error("state {state} is not one of positions of the same outcome and of sizes that agree")]
    State {
        /// The state.
        state: usize,
    },
    /// A position without a move is called P (D3).
    #[error("the automaton says P of a position without a move")]
    Terminal,
    /// A position called P has an option called P (D4).
    #[error(
        "the automaton says P of a position and of an option of it, by a move that takes {taken} \
         and leaves {part} as the smaller part"
    )]
    PToP {
        /// The number of beans taken.
        taken: usize,
        /// The smaller part that is left, or 0 if the move leaves at most one heap.
        part: usize,
    },
    /// No reply is found in a position called N (D5).
    #[error("the automaton says N of {position}, and no option is found of which it says P")]
    NWithoutP {
        /// A position, as a sum of heaps.
        position: String,
    },
    /// The check would become too large.
    #[error("the check of the automaton needs more than {0}")]
    TooLarge(&'static str),
    /// The check was stopped.
    #[error("the check was stopped: {0}")]
    Unchecked(#[from] Stop),
}

/// Proves for all heaps that an automaton decides every position of a game.
///
/// Cost: the pairs of states for each size, until they repeat, and the states of the search for
/// replies; for 253 states less than half a second.
///
/// # Errors
/// The [`AutomatonCheckError`] by which the claim fails, or [`AutomatonCheckError::Unchecked`] if
/// `control` ends the check.
pub fn check(
    code: &Code,
    automaton: &PositionAutomaton,
    control: &mut Control,
) -> Result<(), AutomatonCheckError> {
    let machine = Machine::new(code, automaton)?;
    machine.check_terminal()?;
    moves::check(&machine, control)?;
    replies::check(&machine, control)
}

/// Reports whether a proved automaton shows that the quotient of its game is infinite.
///
/// `false` means unknown. The answer is meaningless for an automaton that is not proved.
#[must_use]
pub fn shows_infinite(code: &Code, automaton: &PositionAutomaton) -> bool {
    Machine::new(code, automaton).is_ok_and(|machine| infinity::is_shown(&machine))
}

/// An automaton in form, with its game.
struct Machine<'a> {
    code: &'a Code,
    heap: Vec<usize>,
    step: Vec<usize>,
    in_p: Vec<bool>,
    /// The states from which a heap, or a step, leads to each state.
    before: [Vec<Vec<usize>>; 2],
    /// The period of the states without heaps.
    period: usize,
    /// The sizes at which each state is, modulo the period. `None` for states that are not reached.
    residue: Vec<Option<usize>>,
    /// The number of copies of a heap after which no new states follow.
    copies: usize,
    /// The state after each number of heaps, up to two more than `copies`.
    after_heaps: Vec<Vec<usize>>,
}

impl<'a> Machine<'a> {
    /// Checks D1 and D2.
    fn new(code: &'a Code, automaton: &PositionAutomaton) -> Result<Self, AutomatonCheckError> {
        let goes_on = code.is_take_and_break()
            && code.max_parts() <= MAX_PARTS
            && code.length() <= MAX_LENGTH
            && (0..=code.length()).any(|taken| code.digit(taken) & 6 != 0);
        if !goes_on {
            return Err(AutomatonCheckError::Game);
        }
        let states = automaton.heap.len();
        let in_range = |list: &[u32]| list.iter().all(|&state| (state as usize) < states);
        let in_form = (1..=MAX_STATES).contains(&states)
            && automaton.step.len() == states
            && [&automaton.heap, &automaton.step, &automaton.p_states]
                .iter()
                .all(|list| in_range(list))
            && automaton.p_states.is_sorted_by(|a, b| a < b);
        if !in_form {
            return Err(AutomatonCheckError::Form);
        }
        let numbers = |list: &[u32]| list.iter().map(|&state| state as usize).collect();
        let (heap, step): (Vec<usize>, Vec<usize>) =
            (numbers(&automaton.heap), numbers(&automaton.step));
        let mut in_p = vec![false; states];
        for &state in &automaton.p_states {
            in_p[state as usize] = true;
        }
        if let Some(state) = (0..states).find(|&state| in_p[state] != in_p[step[state]]) {
            return Err(AutomatonCheckError::State { state });
        }
        let before = [&heap, &step].map(|next| {
            let mut before = vec![Vec::new(); states];
            for (state, &after) in next.iter().enumerate() {
                before[after].push(state);
            }
            before
        });
        let (_, period) = settles(&step, 0);
        let copies = copies(&heap)?;
        let residue = residues(&heap, &step, period)?;
        let none: Vec<usize> = (0..states).collect();
        let one_more = |after: &Vec<usize>| Some(after.iter().map(|&at| heap[at]).collect());
        let after_heaps = std::iter::successors(Some(none), one_more);
        let after_heaps = after_heaps.take(copies + 3).collect();
        Ok(Self {
            after_heaps,
            code,
            heap,
            step,
            in_p,
            before,
            period,
            residue,
            copies,
        })
    }

    fn states(&self) -> usize {
        self.heap.len()
    }

    /// Checks D3: no position of heaps without options is called P.
    ///
    /// Beyond the length of the code, and one, every heap has an option by D1.
    fn check_terminal(&self) -> Result<(), AutomatonCheckError> {
        let mut states = vec![0];
        for size in 1..=self.code.length() + 1 {
            if self.code.options(size as u32).is_empty() {
                states = self.with_copies(&states);
            }
            if states.iter().any(|&state| self.in_p[state]) {
                return Err(AutomatonCheckError::Terminal);
            }
            states = states.iter().map(|&state| self.step[state]).collect();
        }
        Ok(())
    }

    /// Returns the states after any number of heaps of the present size, in ascending order.
    fn with_copies(&self, from: &[usize]) -> Vec<usize> {
        let mut reached = vec![false; self.states()];
        let mut todo = from.to_vec();
        while let Some(state) = todo.pop() {
            if !std::mem::replace(&mut reached[state], true) {
                todo.push(self.heap[state]);
            }
        }
        (0..self.states()).filter(|&state| reached[state]).collect()
    }

    /// Returns the state after at most [`Self::copies`] + 2 heaps of the present size.
    fn after_heaps(&self, state: usize, heaps: usize) -> usize {
        self.after_heaps[heaps][state]
    }

    /// Returns the pairs of states from which the same signs lead to a pair for which `holds`.
    fn pairs_leading_to(
        &self,
        holds: impl Fn(usize, usize) -> bool,
        control: &mut Control,
    ) -> Result<Pairs, Stop> {
        let mut pairs = Pairs::none(self.states());
        for first in 0..self.states() {
            for second in 0..self.states() {
                if holds(first, second) {
                    pairs.insert(first, second);
                }
            }
        }
        self.close(&mut pairs, &[0, 1], control)?;
        Ok(pairs)
    }

    /// Adds the pairs from which signs of these kinds, the same for both, lead to one of the pairs.
    fn close(&self, pairs: &mut Pairs, kinds: &[usize], control: &mut Control) -> Result<(), Stop> {
        let mut todo: Vec<(usize, usize)> = pairs.iter().collect();
        control.spend((self.states() * self.states()) as u64)?;
        while let Some((first, second)) = todo.pop() {
            for &kind in kinds {
                let before = &self.before[kind];
                for &earlier in &before[first] {
                    for &other in &before[second] {
                        if pairs.insert(earlier, other) {
                            todo.push((earlier, other));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// A set of pairs of states.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Pairs {
    states: usize,
    bits: Vec<u64>,
}

impl Pairs {
    fn none(states: usize) -> Self {
        Self {
            states,
            bits: vec![0; (states * states).div_ceil(64)],
        }
    }

    fn contains(&self, first: usize, second: usize) -> bool {
        let at = first * self.states + second;
        self.bits[at / 64] >> (at % 64) & 1 == 1
    }

    /// Inserts the pair and reports whether it is new.
    fn insert(&mut self, first: usize, second: usize) -> bool {
        let at = first * self.states + second;
        let was = self.contains(first, second);
        self.bits[at / 64] |= 1 << (at % 64);
        !was
    }

    fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let pairs = self.states * self.states;
        (0..pairs)
            .map(|at| (at / self.states, at % self.states))
            .filter(|&(first, second)| self.contains(first, second))
    }
}

/// Returns after how many signs of one kind the states repeat, and with which period.
fn settles(next: &[usize], from: usize) -> (usize, usize) {
    let mut met = vec![None; next.len()];
    let (mut state, mut signs) = (from, 0);
    loop {
        match met[state].replace(signs) {
            Some(first) => return (first, signs - first),
            None => (state, signs) = (next[state], signs + 1),
        }
    }
}

/// Returns the number of copies of a heap after which no new states follow, from any state.
fn copies(heap: &[usize]) -> Result<usize, AutomatonCheckError> {
    let (mut settled, mut period) = (0, 1);
    for state in 0..heap.len() {
        let (first, repeats) = settles(heap, state);
        settled = settled.max(first);
        period = lcm(period, repeats);
        if settled + period > MAX_COPIES {
            return Err(AutomatonCheckError::TooLarge("64 copies of a heap"));
        }
    }
    Ok(settled + period)
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// Returns the size of each state modulo the period, and checks D2.
///
/// D2 says that it is the same for all positions that lead to the state.
fn residues(
    heap: &[usize],
    step: &[usize],
    period: usize,
) -> Result<Vec<Option<usize>>, AutomatonCheckError> {
    let mut residue = vec![None; heap.len()];
    residue[0] = Some(1 % period);
    let mut todo = vec![(0, 1 % period)];
    while let Some((state, size)) = todo.pop() {
        for (after, size) in [(heap[state], size), (step[state], (size + 1) % period)] {
            match residue[after] {
                None => {
                    residue[after] = Some(size);
                    todo.push((after, size));
                }
                Some(known) if known != size => {
                    return Err(AutomatonCheckError::State { state: after });
                }
                Some(_) => {}
            }
        }
    }
    Ok(residue)
}
