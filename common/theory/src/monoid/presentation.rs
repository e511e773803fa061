//! What presents a finite commutative monoid? (lands next)

use super::word::Word;
use crate::bipartite::BipartiteMonoid;

/// A relation `left = right` between words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The word that is rewritten.
    pub left: Word,
    /// The lex-least word of the same element.
    pub right: Word,
}

impl std::fmt::Display for Relation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} = {}", self.left, self.right)
    }
}

/// The reduced confluent presentation over the monoid's generators.
#[must_use]
pub fn presentation(monoid: &BipartiteMonoid, words: &[Word]) -> Vec<Relation> {
    let _ = (monoid, words);
    todo!("presentation")
}
