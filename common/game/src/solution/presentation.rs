//! Claims about the whole of a quotient that is infinite.
//!
//! A [`Presentation`] states by which relations the letters of some evidence present the quotient
//! of the heaps that the evidence covers. `misere_check::infinite::whole` proves it.
//! `docs/presentations.md` lists the conditions to prove and shows why they suffice.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

pub use crate::monoid::presentation::Relation;
use crate::monoid::word::Word;

/// Relations between the letters of some evidence, and the words for which they are complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presentation {
    /// The relations, in ascending order of their left sides.
    ///
    /// A left side is greater than its right side.
    pub relations: Vec<Relation>,
    /// The words for which every equality follows from the relations.
    pub reach: Reach,
}

/// The words for which every equality follows from the relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    /// All words: the relations present the quotient.
    All,
    /// The words of at most this number of letters.
    Degree(u32),
}

/// Returns the number of letters in a word.
///
/// ```
/// use misere_game::monoid::word::Word;
/// use misere_game::solution::presentation::degree;
/// assert_eq!(degree(&Word(vec![2, 0, 3])), 5);
/// ```
#[must_use]
pub fn degree(word: &Word) -> u64 {
    word.0.iter().map(|&exponent| u64::from(exponent)).sum()
}

/// Compares two words in the degree-lexicographic order.
///
/// A word of fewer letters is less. Of two words with equally many letters the word with fewer
/// copies of the last letter is less, then the word with fewer copies of the letter before, and so
/// on.
///
/// The order is a monomial order: `u < v` implies `uw < vw`, and every set of words has a least
/// word.
///
/// ```
/// use std::cmp::Ordering;
/// use misere_game::monoid::word::Word;
/// use misere_game::solution::presentation::compare;
/// let word = |text| Word::read(text, 3);
/// assert_eq!(compare(&word("c^2")?, &word("ab^2")?), Ordering::Less);
/// assert_eq!(compare(&word("b^3")?, &word("a^2c")?), Ordering::Less);
/// # Ok::<(), misere_game::monoid::notation::NotationError>(())
/// ```
#[must_use]
pub fn compare(one: &Word, other: &Word) -> Ordering {
    let lexicographic = || one.0.iter().rev().cmp(other.0.iter().rev());
    degree(one).cmp(&degree(other)).then_with(lexicographic)
}
