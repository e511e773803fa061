//! The words of all heaps of a game whose quotient is infinite.
//!
//! [`AllHeaps`] extends evidence that a quotient is infinite to every heap of the game.
//! `misere_check` proves it; the theorem is in `docs/beyond.md`.

use std::borrow::Cow;

use super::Solution;
use super::evidence::Evidence;
use super::evidence_parts::{AllHeaps, Word};

/// A line of the table of the words of all heaps, for readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordLine {
    /// The heap, or the heaps: `5`, `6 + 2t`.
    pub heaps: String,
    /// The sum of letters that represents the heap: `1 + 2·4`, or `nothing`.
    pub word: String,
}

/// Returns a word as text for readers: `1 + 2·4`, or `nothing`.
///
/// ```
/// use misere_game::solution::all_heaps::written;
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
    /// Returns the words of all heaps that solve the game past an infinite quotient, if claimed.
    #[must_use]
    pub fn all_heaps(&self) -> Option<&AllHeaps> {
        self.evidence.as_ref()?.all_heaps()
    }
}

impl Evidence {
    /// Returns the words of all heaps, if they are claimed.
    #[must_use]
    pub fn all_heaps(&self) -> Option<&AllHeaps> {
        match self {
            Self::Columns(family) => family.all_heaps.as_ref(),
            Self::Diagram(family) => family.all_heaps.as_ref(),
        }
    }

    /// Returns evidence of the same outcomes with these words of all heaps, or without any.
    #[must_use]
    pub fn with_all_heaps(mut self, all: Option<AllHeaps>) -> Self {
        match &mut self {
            Self::Columns(family) => family.all_heaps = all,
            Self::Diagram(family) => family.all_heaps = all,
        }
        self
    }

    /// Returns the evidence with the words that are listed for all heaps among its own.
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

    /// Returns the words of all heaps as lines of a table.
    ///
    /// The heaps before the preperiod come first, then the heaps of the first period. Without words
    /// of all heaps there are no lines.
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
                // A heap without moves is not listed, and its word is empty.
                word: written(&listed.word_of(heap).unwrap_or_default()),
            })
            .collect()
    }

    /// Returns the letters that represent a heap, with their counts; `None` if it is not covered.
    ///
    /// A letter represents itself, and any other heap is represented by its word. The words that
    /// are listed for all heaps are left out.
    #[must_use]
    pub fn word_of(&self, heap: u32) -> Option<Vec<(u32, u32)>> {
        let words = self.words();
        match words.binary_search_by_key(&heap, |word| word.heap) {
            Ok(at) => Some(words[at].word.clone()),
            Err(_) if self.letters().binary_search(&heap).is_ok() => Some(vec![(heap, 1)]),
            Err(_) => None,
        }
    }

    /// Returns the letters, the heaps that represent themselves, in ascending order.
    #[must_use]
    pub fn letters(&self) -> Vec<u32> {
        match self {
            Self::Columns(family) => family.letters.iter().map(|letter| letter.heap).collect(),
            Self::Diagram(family) => family.letters.clone(),
        }
    }

    /// Returns the words of the other heaps covered.
    ///
    /// The words that are listed for all heaps are left out.
    #[must_use]
    pub fn words(&self) -> &[Word] {
        match self {
            Self::Columns(family) => &family.words,
            Self::Diagram(family) => &family.words,
        }
    }
}
