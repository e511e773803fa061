//! The evidence that a misère quotient is infinite.
//!
//! An [`InfiniteFamily`] states outcomes of infinitely many positions by a finite automaton, and
//! names heaps all of whose multiples those outcomes tell apart. [`crate::verify`] proves it from
//! the rules alone; what has to be proved, and why that is enough, stands in `docs/infinite.md`.

use serde::{Deserialize, Serialize};

use crate::lists::{at_most, snug};

/// The most words that are read and judged.
pub(crate) const MOST_WORDS: usize = 1_000;
/// The most columns that are read and judged.
pub(crate) const MOST_COLUMNS: usize = 65_536;
/// The most states that are read and judged.
pub(crate) const MOST_STATES: usize = 65_536;

/// A statement about the positions of some heaps that makes their misère quotient infinite.
///
/// A position is read as a vector of counts, one for each **letter**: a letter's heap counts for
/// itself, every other heap for its word. Some letters are **digits**; the counts of the others,
/// read through their cycles, name a **column**, and the column a state of the automaton. The
/// automaton then reads the counts of the digits in binary, least significant digit first, one
/// digit of each count at a time, and ends in a state with an outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InfiniteFamily {
    /// The heaps for which it is claimed that no two of their multiples `0, g, 2g, 3g, …` have
    /// equal value; all digits.
    #[serde(deserialize_with = "snug")]
    pub distinct_multiples: Vec<u32>,
    /// The letters in ascending order of their heaps.
    #[serde(deserialize_with = "snug")]
    pub letters: Vec<Letter>,
    /// The words of the other heaps spoken of, ascending: the letters that stand for each of them.
    #[serde(deserialize_with = "at_most::<MOST_WORDS, _, _>")]
    pub words: Vec<Word>,
    /// The columns of which something is claimed.
    #[serde(deserialize_with = "at_most::<MOST_COLUMNS, _, _>")]
    pub columns: Vec<Column>,
    /// The states of the automaton.
    #[serde(deserialize_with = "at_most::<MOST_STATES, _, _>")]
    pub states: Vec<State>,
}

/// A heap whose copies are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    /// The heap.
    pub heap: u32,
    /// The way in which the count of the letter is read.
    pub count: Count,
}

/// The way in which a count is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Count {
    /// Read exactly, in binary, by the automaton.
    Digits,
    /// Read exactly below `index + period`, and a greater count as if `period` were taken away
    /// until it is not greater. With period 0, nothing is said of counts from `index` on. The index
    /// is at least 1.
    Cycle {
        /// The index at which the cycle begins.
        index: u32,
        /// Its length.
        period: u32,
    },
}

/// The letters that stand for a heap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    /// The heap.
    pub heap: u32,
    /// Heaps of letters with their counts, ascending; none for a heap that counts for nothing.
    #[serde(deserialize_with = "snug")]
    pub word: Vec<(u32, u32)>,
}

/// The state at which the automaton begins, for some counts of the letters that are not digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// The counts of the letters that are not digits, in the order of the letters.
    #[serde(deserialize_with = "snug")]
    pub counts: Vec<u32>,
    /// The state at which the automaton begins.
    pub state: u32,
}

/// A state of the automaton.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The claimed outcome of positions that end in this state; nothing if absent.
    pub outcome: Option<crate::outcome::Outcome>,
    /// The next state for each letter read: bit `i` of the index is the binary digit of the `i`-th
    /// digit heap.
    #[serde(deserialize_with = "snug")]
    pub next: Vec<u32>,
}

impl InfiniteFamily {
    /// The heaps whose counts are read in binary, ascending.
    pub fn digits(&self) -> impl Iterator<Item = u32> {
        let is_digit = |letter: &&Letter| letter.count == Count::Digits;
        self.letters
            .iter()
            .filter(is_digit)
            .map(|letter| letter.heap)
    }

    /// The heaps spoken of, ascending.
    #[must_use]
    pub fn heaps(&self) -> Vec<u32> {
        let letters = self.letters.iter().map(|letter| letter.heap);
        let mut heaps: Vec<u32> = letters
            .chain(self.words.iter().map(|word| word.heap))
            .collect();
        heaps.sort_unstable();
        heaps
    }
}
