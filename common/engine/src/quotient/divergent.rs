//! Attempts that found no finite quotient, as levels and words over them.

use misere_game::lists::{at_most, snug};
use serde::{Deserialize, Deserializer, Serialize};

/// The most words that are read: there are at most twice as many as heaps.
const MAX_WORDS: usize = 1 << 18;

/// A word over heaps: heaps with their counts, ascending.
pub(super) type HeapWord = Vec<(u32, u32)>;

/// An attempt that found no finite quotient: its levels, and the words of all heaps over them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Divergent {
    /// The heaps that are levels, ascending.
    #[serde(deserialize_with = "snug")]
    pub(super) levels: Vec<u32>,
    /// The word that represents each heap from 0 on: heaps that are levels, with their counts.
    #[serde(deserialize_with = "words")]
    pub(super) words: Vec<HeapWord>,
}

/// Reads a list of words.
pub(super) fn words<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<HeapWord>, D::Error> {
    #[derive(Deserialize)]
    struct Read(#[serde(deserialize_with = "snug")] HeapWord);
    let words = at_most::<MAX_WORDS, D, Read>(from)?;
    Ok(words.into_iter().map(|Read(word)| word).collect())
}
