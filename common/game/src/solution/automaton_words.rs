//! An automaton in words: a line for each state, with a position that leads to it.

use std::collections::VecDeque;

use crate::outcome::Outcome;
use crate::solution::PositionAutomaton;

/// The line of a state in the table of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateLine {
    /// The state.
    pub state: u32,
    /// The heaps of a position that leads to the state by the fewest signs, as `1 + 3`, or `none`.
    pub heaps: String,
    /// The size after these heaps.
    pub size: u32,
    /// The state after a heap.
    pub heap: u32,
    /// The state after a step.
    pub step: u32,
    /// The outcome of the positions that end in the state.
    pub outcome: Outcome,
}

/// The sentences that explain how an automaton reads a position.
pub const HOW_IT_READS: &str = "The automaton begins in state 0, at size 1. It reads the heaps of a \
    position in the order of their sizes: a heap of the present size, or a step to the next size. \
    The position is a P-position exactly if the last state is one of P-positions.";

impl PositionAutomaton {
    /// Returns the lines of the states that some position leads to, in the order of their numbers.
    ///
    /// Cost: linear in the states and the lengths of the positions.
    ///
    /// ```
    /// use misere_game::solution::PositionAutomaton;
    /// // 0.3: an odd number of heaps of odd sizes is a P-position.
    /// let automaton = PositionAutomaton {
    ///     heap: vec![1, 0, 2, 3],
    ///     step: vec![2, 3, 0, 1],
    ///     p_states: vec![1, 3],
    /// };
    /// let lines = automaton.lines();
    /// assert_eq!((lines.len(), lines[1].heaps.as_str(), lines[1].size), (4, "1", 1));
    /// ```
    #[must_use]
    pub fn lines(&self) -> Vec<StateLine> {
        let mut lines: Vec<Option<StateLine>> = vec![None; self.heap.len()];
        let mut todo = VecDeque::from([(0_u32, 1_u32, Vec::new())]);
        while let Some((state, size, heaps)) = todo.pop_front() {
            let at = state as usize;
            let (Some(line @ None), Some(&heap), Some(&step)) =
                (lines.get_mut(at), self.heap.get(at), self.step.get(at))
            else {
                continue;
            };
            *line = Some(StateLine {
                state,
                heaps: match heaps.is_empty() {
                    true => "none".to_owned(),
                    false => heaps.join(" + "),
                },
                size,
                heap,
                step,
                outcome: match self.p_states.binary_search(&state) {
                    Ok(_) => Outcome::P,
                    Err(_) => Outcome::N,
                },
            });
            todo.push_back((step, size + 1, heaps.clone()));
            todo.push_back((heap, size, [heaps, vec![size.to_string()]].concat()));
        }
        lines.into_iter().flatten().collect()
    }
}
