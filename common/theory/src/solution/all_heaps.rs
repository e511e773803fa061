//! The words of all heaps of a game whose quotient is infinite.
//!
//! [`AllHeaps`] goes with evidence that a quotient is infinite, and makes it speak of every heap of
//! the game. [`crate::verify`] proves it; the theorem stands in `docs/beyond.md`.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::evidence::{Evidence, MAX_WORDS, Word};
use super::{Solution, repeated_heap};
use crate::lists::at_most;

/// Words for the heaps of which evidence says nothing, and a period with which all words repeat.
///
/// The word of a letter is the letter itself, and that of a heap without moves is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllHeaps {
    /// The least heap from which on words repeat.
    pub preperiod: u32,
    /// The least period with which they do.
    pub period: u32,
    /// The words of the heaps of which the evidence says nothing, ascending, as far as the theorem
    /// asks for.
    #[serde(deserialize_with = "at_most::<MAX_WORDS, _, _>")]
    pub words: Vec<Word>,
}

impl AllHeaps {
    /// The heap with the same word, among the last period of those listed to heap `listed`, for a
    /// heap that is greater than all of them.
    ///
    /// ```
    /// use misere_theory::solution::AllHeaps;
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

/// A line of the table of the words of all heaps, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordLine {
    /// The heap, or the heaps: `5`, `6 + 2t`.
    pub heaps: String,
    /// The sum of letters for which the heap counts: `1 + 2·4`, or `nothing`.
    pub word: String,
}

/// A word for people: `1 + 2·4`, or `nothing`.
///
/// ```
/// use misere_theory::solution::all_heaps::written;
/// assert_eq!(written(&[(1, 1), (4, 2)]), "1 + 2·4");
/// assert_eq!(written(&[]), "nothing");
/// ```
#[must_use]
pub fn written(word: &[(u32, u32)]) -> String {
    let letter = |&(letter, count): &(u32, u32)| match count {
        1 => letter.to_string(),
        _ => format!("{count}·{letter}"),
    };
    match word {
        [] => "nothing".to_owned(),
        word => word.iter().map(letter).collect::<Vec<_>>().join(" + "),
    }
}

impl Solution {
    /// The words of all heaps that solve the game past an infinite quotient, if they are claimed.
    #[must_use]
    pub fn all_heaps(&self) -> Option<&AllHeaps> {
        self.evidence.as_ref()?.all_heaps()
    }
}

impl Evidence {
    /// The words of all heaps, if they are claimed.
    #[must_use]
    pub fn all_heaps(&self) -> Option<&AllHeaps> {
        match self {
            Self::Columns(family) => family.all_heaps.as_ref(),
            Self::Diagram(family) => family.all_heaps.as_ref(),
        }
    }

    /// Evidence of the same outcomes with these words of all heaps, or without any.
    #[must_use]
    pub fn with_all_heaps(mut self, all: Option<AllHeaps>) -> Self {
        match &mut self {
            Self::Columns(family) => family.all_heaps = all,
            Self::Diagram(family) => family.all_heaps = all,
        }
        self
    }

    /// The evidence with the words that are listed for all heaps among its own.
    ///
    /// Cost: a copy, if there are such words.
    #[must_use]
    pub fn with_listed_words(&self) -> Cow<'_, Self> {
        let Some(all) = self.all_heaps() else {
            return Cow::Borrowed(self);
        };
        let mut more = all.words.clone();
        let mut evidence = self.clone().with_all_heaps(None);
        let words = match &mut evidence {
            Self::Columns(family) => &mut family.words,
            Self::Diagram(family) => &mut family.words,
        };
        words.append(&mut more);
        words.sort_by_key(|word| word.heap);
        Cow::Owned(evidence)
    }

    /// The words of all heaps as lines of a table: the heaps before the preperiod, then those of
    /// the first period. Without words of all heaps there are no lines.
    ///
    /// Cost: linear in the preperiod and the period, times the logarithm of the number of words.
    #[must_use]
    pub fn word_lines(&self) -> Vec<WordLine> {
        let Some(all) = self.all_heaps() else {
            return Vec::new();
        };
        let listed = self.with_listed_words();
        let end = all.preperiod.saturating_add(all.period);
        (1..end)
            .map(|heap| WordLine {
                heaps: match heap < all.preperiod {
                    true => heap.to_string(),
                    false => format!("{heap} + {}t", all.period),
                },
                // A heap without moves is not listed, and counts for nothing.
                word: written(&listed.word_of(heap).unwrap_or_default()),
            })
            .collect()
    }

    /// The letters that stand for a heap, with their counts: for a letter itself, for another heap
    /// its word, without those that are listed for all heaps.
    #[must_use]
    pub fn word_of(&self, heap: u32) -> Option<Vec<(u32, u32)>> {
        let words = self.words();
        match words.binary_search_by_key(&heap, |word| word.heap) {
            Ok(at) => Some(words[at].word.clone()),
            Err(_) if self.letters().binary_search(&heap).is_ok() => Some(vec![(heap, 1)]),
            Err(_) => None,
        }
    }

    /// The letters: heaps that count for themselves, ascending.
    #[must_use]
    pub fn letters(&self) -> Vec<u32> {
        match self {
            Self::Columns(family) => family.letters.iter().map(|letter| letter.heap).collect(),
            Self::Diagram(family) => family.letters.clone(),
        }
    }

    /// The words of the other heaps spoken of, without those that are listed for all heaps.
    #[must_use]
    pub fn words(&self) -> &[Word] {
        match self {
            Self::Columns(family) => &family.words,
            Self::Diagram(family) => &family.words,
        }
    }
}
