//! An automaton that decides every position of a game, however large its heaps.
//!
//! The automaton reads a position in the order of the sizes of its heaps. In 0.54 the outcome of a
//! position depends on which of two large heaps is the larger, and such a rule needs no numbers,
//! but only states. `misere_check::automaton` proves it for all heaps.

use serde::{Deserialize, Serialize};

use crate::lists::at_most;
use crate::outcome::Outcome;
use crate::ruleset::Code;

/// The most states of an automaton.
pub const MAX_STATES: usize = 512;
/// The version of the document.
const SCHEMA: u32 = 1;

/// An automaton that decides which positions are P-positions, for all heaps.
///
/// The automaton begins in state 0, at size 1. It reads a position by two kinds of signs: a *heap*
/// of the present size, and a *step* to the next size. The position 1 + 1 + 3, for example, is read
/// as heap, heap, step, step, heap. A position is a P-position exactly if the last state is one of
/// the P-states.
///
/// ```
/// use misere_game::outcome::Outcome;
/// use misere_game::solution::PositionAutomaton;
/// // 0.3: all moves take one bean or two from a heap, so heaps of an odd size change the outcome.
/// // The states show whether the size is odd (0, 1) or even (2, 3), and whether the number of odd
/// // heaps so far is even (0, 2) or odd (1, 3).
/// let automaton = PositionAutomaton {
///     heap: vec![1, 0, 2, 3],
///     step: vec![2, 3, 0, 1],
///     p_states: vec![1, 3],
/// };
/// assert_eq!(automaton.outcome([(1, 1), (2, 5)]), Some(Outcome::P));
/// assert_eq!(automaton.outcome([(1_000_001, 2)]), Some(Outcome::N));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionAutomaton {
    /// The state after a heap of the present size, by the state before.
    #[serde(deserialize_with = "at_most::<MAX_STATES, _, _>")]
    pub heap: Vec<u32>,
    /// The state after the step to the next size, by the state before.
    #[serde(deserialize_with = "at_most::<MAX_STATES, _, _>")]
    pub step: Vec<u32>,
    /// The states of P-positions, in ascending order.
    #[serde(deserialize_with = "at_most::<MAX_STATES, _, _>")]
    pub p_states: Vec<u32>,
}

impl PositionAutomaton {
    /// Returns the outcome of a sum of heaps, each with its number of copies.
    ///
    /// The heap 0 is the empty sum. Returns `None` if the automaton is malformed. An automaton that
    /// has not been verified may give any outcome.
    ///
    /// Cost: for each different heap at most twice the number of states.
    #[must_use]
    pub fn outcome(&self, position: impl IntoIterator<Item = (u64, u64)>) -> Option<Outcome> {
        let last = self.state(position)?;
        Some(if self.p_states.binary_search(&last).is_ok() {
            Outcome::P
        } else {
            Outcome::N
        })
    }

    /// Returns the size from which on the states without heaps repeat, and their period.
    ///
    /// Returns `None` if the automaton is malformed.
    ///
    /// ```
    /// use misere_game::solution::PositionAutomaton;
    /// // Odd and even sizes are distinguished.
    /// let automaton = PositionAutomaton {
    ///     heap: vec![1, 0, 2, 3],
    ///     step: vec![2, 3, 0, 1],
    ///     p_states: vec![1, 3],
    /// };
    /// assert_eq!(automaton.rhythm(), Some((1, 2)));
    /// ```
    #[must_use]
    pub fn rhythm(&self) -> Option<(u32, u32)> {
        let mut met = vec![None; self.step.len()];
        let (mut state, mut size) = (0_u32, 1);
        loop {
            match met.get_mut(state as usize)?.replace(size) {
                Some(first) => return Some((first, size - first)),
                None => (state, size) = (*self.step.get(state as usize)?, size + 1),
            }
        }
    }

    /// Returns the state of the automaton after a sum of heaps; `None` if it is malformed.
    #[must_use]
    pub fn state(&self, position: impl IntoIterator<Item = (u64, u64)>) -> Option<u32> {
        let mut position: Vec<(u64, u64)> = position
            .into_iter()
            .filter(|&(heap, copies)| heap > 0 && copies > 0)
            .collect();
        position.sort_unstable();
        let (mut state, mut size) = (0, 1);
        for (heap, copies) in position {
            state = after(&self.step, state, heap - size)?;
            state = after(&self.heap, state, copies)?;
            size = heap;
        }
        Some(state)
    }
}

/// Returns the state after `signs` signs of one kind; `None` if the automaton is malformed.
fn after(next: &[u32], mut state: u32, signs: u64) -> Option<u32> {
    // After as many signs as there are states, the states repeat.
    let settled = next.len() as u64;
    for _ in 0..signs.min(settled) {
        state = *next.get(state as usize)?;
    }
    let first = state;
    let mut left = signs.saturating_sub(settled);
    let mut period = 0;
    while left > 0 {
        state = *next.get(state as usize)?;
        (left, period) = (left - 1, period + 1);
        if state == first {
            left %= period;
            period = 0;
        }
    }
    Some(state)
}

/// A game that an automaton decides, as a JSON document.
///
/// The document is the certificate of `misere automaton`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutomatonDocument {
    /// The version of the document.
    pub schema: u32,
    /// The game.
    pub code: Code,
    /// The convention of play, always `misere`.
    pub convention: String,
    /// The status of the game, always `solved`.
    pub status: String,
    /// Whether the automaton shows that the misère quotient is infinite.
    pub infinite: bool,
    /// The automaton.
    pub automaton: PositionAutomaton,
}

/// The reason why a document cannot be read as a claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AutomatonDocumentError {
    /// The version is unknown.
    #[error("is not a certificate: its schema is {0}, and this program reads 1")]
    Schema(u32),
    /// The convention is not misère play.
    #[error("is not a certificate: its convention is `{0}`, and an automaton decides misère play")]
    Convention(String),
    /// The status is not `solved`.
    #[error("its status is `{0}`, and an automaton is that of a game that is `solved`")]
    Status(String),
}

impl AutomatonDocument {
    /// Creates the document of an automaton that was proved.
    #[must_use]
    pub fn new(code: Code, automaton: PositionAutomaton, infinite: bool) -> Self {
        Self {
            schema: SCHEMA,
            code,
            convention: "misere".to_owned(),
            status: "solved".to_owned(),
            infinite,
            automaton,
        }
    }

    /// Checks that the document has this kind and version.
    ///
    /// # Errors
    /// [`AutomatonDocumentError`] if it has another one.
    pub fn check_version(&self) -> Result<(), AutomatonDocumentError> {
        if self.schema != SCHEMA {
            Err(AutomatonDocumentError::Schema(self.schema))
        } else if self.convention != "misere" {
            Err(AutomatonDocumentError::Convention(self.convention.clone()))
        } else if self.status != "solved" {
            Err(AutomatonDocumentError::Status(self.status.clone()))
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that many signs lead to the same state as the same signs read one by one.
    #[test]
    fn many_signs_are_read_by_cycles() {
        let next = [1, 2, 3, 4, 2];
        let slowly = |signs: u64| (0..signs).fold(0, |state, _| next[state as usize]);
        for signs in 0..40 {
            assert_eq!(after(&next, 0, signs), Some(slowly(signs)));
        }
        assert_eq!(after(&next, 0, u64::MAX), Some(slowly(3)));
    }

    #[test]
    fn a_malformed_automaton_says_nothing() {
        let automaton = PositionAutomaton {
            heap: vec![7],
            step: vec![0],
            p_states: vec![],
        };
        assert_eq!(automaton.outcome([(3, 2)]), None);
        assert_eq!(automaton.outcome([]), Some(Outcome::N));
    }
}
