//! Claims about the whole of a quotient that is infinite.
//!
//! A [`Presentation`] states by which relations the letters of some evidence present the quotient
//! of the heaps that the evidence speaks of. [`crate::verify::infinite::whole`] proves it; what has
//! to be proved, and why that is enough, stands in `docs/presentations.md`.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

pub use crate::monoid::presentation::Relation;
use crate::monoid::word::Word;

/// Relations between the letters of some evidence, and how far they present the quotient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presentation {
    /// The relations, their left sides in ascending order. A left side is greater than its right
    /// side.
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
    /// The words of at most so many letters.
    Degree(u32),
}

/// The number of letters in a word.
///
/// ```
/// use misere_theory::monoid::word::Word;
/// use misere_theory::solution::presentation::degree;
/// assert_eq!(degree(&Word(vec![2, 0, 3])), 5);
/// ```
#[must_use]
pub fn degree(word: &Word) -> u64 {
    word.0.iter().map(|&exponent| u64::from(exponent)).sum()
}

/// The degree-lexicographic order: a word of fewer letters is less. Of two words with equally many
/// letters the one with fewer copies of the last letter is less, then that with fewer copies of the
/// one before, and so on.
///
/// The order is a monomial order: `u < v` implies `uw < vw`, and every set of words has a least
/// one.
///
/// ```
/// use std::cmp::Ordering;
/// use misere_theory::monoid::word::Word;
/// use misere_theory::solution::presentation::compare;
/// let word = |text| Word::read(text, 3);
/// assert_eq!(compare(&word("c^2")?, &word("ab^2")?), Ordering::Less);
/// assert_eq!(compare(&word("b^3")?, &word("a^2c")?), Ordering::Less);
/// # Ok::<(), misere_theory::monoid::notation::NotationError>(())
/// ```
#[must_use]
pub fn compare(one: &Word, other: &Word) -> Ordering {
    let lexicographic = || one.0.iter().rev().cmp(other.0.iter().rev());
    degree(one).cmp(&degree(other)).then_with(lexicographic)
}
