//! The parts that both forms of evidence share: words, those of all heaps, and states.

use serde::{Deserialize, Serialize};

use super::repeated_heap;
use crate::lists::{at_most, snug};
use crate::outcome::Outcome;

/// The most words that are read and checked.
pub const MAX_WORDS: usize = 1_000;
/// The most states that are read and checked.
pub const MAX_STATES: usize = 65_536;

/// The letters that represent a heap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    /// The heap.
    pub heap: u32,
    /// The heaps of letters with their counts, ascending; none if the heap is worth nothing.
    #[serde(deserialize_with = "snug")]
    pub word: Vec<(u32, u32)>,
}

/// Words for the heaps that evidence does not cover, and a period with which all words repeat.
///
/// The word of a letter is the letter itself, and the word of a heap without moves is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllHeaps {
    /// The least heap from which on words repeat.
    pub preperiod: u32,
    /// The least period with which words repeat.
    pub period: u32,
    /// The words of the heaps that the evidence does not cover, in ascending order.
    ///
    /// They are listed as far as the theorem requires.
    #[serde(deserialize_with = "at_most::<MAX_WORDS, _, _>")]
    pub words: Vec<Word>,
}

impl AllHeaps {
    /// Returns the listed heap that has the same word as a heap.
    ///
    /// For a heap greater than `listed` it is in the last period of the heaps to `listed`. Any
    /// other heap is returned itself.
    ///
    /// ```
    /// use misere_game::solution::AllHeaps;
    /// let all = AllHeaps { preperiod: 6, period: 2, words: Vec::new() };
    /// assert_eq!(all.listed_like(20, 1_000_000_001), 19);
    /// assert_eq!(all.listed_like(20, 7), 7);
    /// ```
    #[must_use]
    pub fn listed_like(&self, listed: u32, heap: u32) -> u32 {
        let like = repeated_heap(heap.into(), listed.into(), self.period.into());
        like.and_then(|(heap, _)| u32::try_from(heap).ok())
            .unwrap_or(0)
    }
}

/// A state of the automaton.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The claimed outcome of positions that end in this state; `None` if nothing is claimed.
    pub outcome: Option<Outcome>,
    /// The next state for each letter of the automaton.
    ///
    /// Bit `i` of the index is the binary digit of the count of the `i`-th digit heap.
    #[serde(deserialize_with = "snug")]
    pub next: Vec<u32>,
}
