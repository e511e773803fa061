//! The reduced confluent presentation of a finite commutative monoid.
//!
//! Order words by the exponent of the last generator, then of the one before, and so on (the order
//! in which lex-least words are least). It is a monomial order: `u < v` implies `uw < vw`, and
//! every set of words has a least one. Call a word *normal* if it is the lex-least word of its
//! element.
//!
//! - A divisor of a normal word is normal: if `u` were not, with normal form `u' < u`, then
//!   `u'w < uw` would be a lesser word of the same element as `uw`.
//! - So the words that are not normal are the multiples of the *minimal* ones among them, whose
//!   proper divisors are all normal. There are finitely many (Dickson).
//! - The relations `m = nf(m)`, `m` minimal, rewrite every word to its normal form: each step
//!   descends in a well-order, and a word to which none applies is not a multiple of a minimal
//!   word, hence normal. Since steps keep the element, the result is *the* normal word of the
//!   element for any choice of steps. The presentation is therefore complete and confluent.
//! - It is reduced: no left side divides another, and right sides are normal. Such a presentation
//!   is unique for the given order: it is the reduced Gröbner basis of the binomial ideal of the
//!   congruence.

use super::word::Word;
use crate::bipartite::{BipartiteMonoid, Element};
use crate::control::{Control, Stop};

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

/// Returns the reduced confluent presentation over the monoid's generators.
///
/// Left sides are in ascending lex order.
///
/// `words` are the lex-least words of the elements, as
/// [`lex_least_words`](super::word::lex_least_words) finds them; with other words the result is
/// meaningless. Cost: `O(n · g²)` for order `n` and `g` generators.
///
/// ```
/// use misere_game::bipartite::BipartiteMonoid;
/// use misere_game::monoid::{presentation::presentation, word::lex_least_words};
/// let cyclic = BipartiteMonoid::new(3, vec![vec![1, 2, 1]], [1])?;
/// let relations = presentation(&cyclic, &lex_least_words(&cyclic));
/// assert_eq!(relations.iter().map(ToString::to_string).collect::<Vec<_>>(), ["a^3 = a"]);
/// # Ok::<(), misere_game::bipartite::MonoidError>(())
/// ```
#[must_use]
pub fn presentation(monoid: &BipartiteMonoid, words: &[Word]) -> Vec<Relation> {
    Control::without_limit(|control| presentation_within(monoid, words, control))
}

/// Returns the [`presentation`], with a limit on its work and a way to stop it.
///
/// Cost: as without a limit, a tick for each comparison of exponents.
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub fn presentation_within(
    monoid: &BipartiteMonoid,
    words: &[Word],
    control: &mut Control,
) -> Result<Vec<Relation>, Stop> {
    let steps = NormalSteps::new(monoid, words, control)?;
    let mut relations = Vec::new();
    let generators = monoid.generators() as u64;
    for (x, word) in words.iter().enumerate() {
        control.spend(generators * generators)?;
        // Every minimal word arises once, as a normal word times its last letter.
        let last = word
            .0
            .iter()
            .rposition(|&exponent| exponent > 0)
            .unwrap_or(0);
        for g in last..monoid.generators() {
            if steps.is_minimal(x as Element, word, g) {
                let mut left = word.clone();
                left.0[g] += 1;
                relations.push(Relation {
                    left,
                    right: words[monoid.act(x as Element, g) as usize].clone(),
                });
            }
        }
    }
    relations.sort_unstable_by(|one, other| one.left.0.iter().rev().cmp(other.left.0.iter().rev()));
    Ok(relations)
}

/// The letters that lead from a normal word to a normal word.
struct NormalSteps {
    generators: usize,
    /// Entry `x·g`: whether the normal word of `x` times `g` is normal.
    is_normal: Vec<bool>,
    /// Entry `x·g`: the element of the normal word of `x` without one `g`, if it contains `g`.
    without: Vec<Element>,
}

impl NormalSteps {
    fn new(monoid: &BipartiteMonoid, words: &[Word], control: &mut Control) -> Result<Self, Stop> {
        let generators = monoid.generators();
        let mut is_normal = vec![false; words.len() * generators];
        let mut without = vec![Element::MAX; words.len() * generators];
        for (x, word) in words.iter().enumerate() {
            control.spend(5 + (generators * generators) as u64)?;
            for g in 0..generators {
                let y = monoid.act(x as Element, g) as usize;
                if is_step(word, g, &words[y]) {
                    is_normal[x * generators + g] = true;
                    without[y * generators + g] = x as Element;
                }
            }
        }
        Ok(Self {
            generators,
            is_normal,
            without,
        })
    }

    /// Reports whether the normal word of `x` times `g` is minimal.
    ///
    /// Then it is not normal, but all its proper divisors are.
    fn is_minimal(&self, x: Element, word: &Word, g: usize) -> bool {
        let at = |x: Element, g: usize| x as usize * self.generators + g;
        !self.is_normal[at(x, g)]
            && (0..self.generators)
                .filter(|&h| h != g && word.0[h] > 0)
                .all(|h| {
                    // Divisors of normal words are normal, so x has a normal word without one h.
                    self.is_normal
                        .get(at(self.without[at(x, h)], g))
                        .copied()
                        .unwrap_or(false)
                })
    }
}

/// Reports whether `next` is `word` with one more `g`.
fn is_step(word: &Word, g: usize, next: &Word) -> bool {
    let same = |range: std::ops::Range<usize>| word.0[range.clone()] == next.0[range];
    word.0[g] + 1 == next.0[g] && same(0..g) && same(g + 1..word.0.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monoid::finitely_presented::FinitePresentation;
    use crate::monoid::word::lex_least_words;
    use proptest::prelude::*;

    fn presented(text: &str) -> Vec<String> {
        let given: FinitePresentation = text.parse().unwrap();
        let monoid = given.bipartite_monoid(&[], 1_000).unwrap();
        presentation(&monoid, &lex_least_words(&monoid))
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn figure_10_as_printed() {
        let r8 = presented("<a,b,c | a^2=1, b^3=b, bc=ab, c^2=b^2>");
        assert_eq!(r8, ["a^2 = 1", "b^3 = b", "bc = ab", "c^2 = b^2"]);
        let s12 = presented("<a,b,c | a^2=1, b^4=b^2, b^2c=b^3, c^2=1>");
        assert_eq!(s12, ["a^2 = 1", "b^4 = b^2", "b^2c = b^3", "c^2 = 1"]);
    }

    /// The quotient of 0.123 (Plambeck 2005, Figure 5), generators in the order of their heaps.
    #[test]
    fn quotient_of_0_123() {
        let relations =
            presented("<a,b,c,d | a^2=c^2=1, b^4=b^2, d^4=d^2, acb=d, d^3a=d^2, b^3c=b^2>");
        // d = abc is not a generator after all.
        assert_eq!(
            relations
                .iter()
                .filter(|relation| relation.ends_with("= d"))
                .count(),
            0
        );
        let printed =
            presented("<a,b,c,d | a^2=1, c^2=1, b^4=b^2, cd=bd, b^2d=d, d^3=ad^2, b^2c=b^3>");
        assert_eq!(
            printed,
            [
                "a^2 = 1",
                "b^4 = b^2",
                "b^2c = b^3",
                "c^2 = 1",
                "b^2d = d",
                "cd = bd",
                "d^3 = ad^2"
            ]
        );
    }

    #[test]
    fn redundant_generators_are_words_in_the_others() {
        assert_eq!(
            presented("<a,b,c | a^2=1, b=1, c=a>"),
            ["a^2 = 1", "b = 1", "c = a"]
        );
        assert!(presented("<>").is_empty());
    }

    proptest! {
        /// Rewriting any word ends at the lex-least word of its element.
        ///
        /// The relations may be applied in any order.
        #[test]
        fn rewriting_ends_at_the_lex_least_word(
            relations in prop::collection::vec((prop::collection::vec(0_u32..4, 3), prop::collection::vec(0_u32..4, 3)), 0..4),
            bounds in prop::collection::vec((1_u32..5, 0_u32..4), 3),
            exponents in prop::collection::vec(0_u32..9, 3),
        ) {
            let mut all: Vec<(Word, Word)> = relations.into_iter().map(|(one, other)| (Word(one), Word(other))).collect();
            for (g, (period, index)) in bounds.into_iter().enumerate() {
                let power = |exponent: u32| Word((0..3).map(|h| if h == g { exponent } else { 0 }).collect());
                all.push((power(index + period), power(index)));
            }
            let names = ["a", "b", "c"].map(str::to_owned).to_vec();
            let monoid = FinitePresentation::new(names, all).bipartite_monoid(&[], 1_000).unwrap();
            let words = lex_least_words(&monoid);
            let relations = presentation(&monoid, &words);
            let element = |word: &Word| monoid.product(word.0.iter().copied().enumerate());
            for relation in &relations {
                prop_assert_eq!(element(&relation.left), element(&relation.right));
                prop_assert_eq!(&words[element(&relation.left) as usize], &relation.right);
            }
            let divides = |left: &Word, word: &Word| left.0.iter().zip(&word.0).all(|(l, w)| l <= w);
            for (at, relation) in relations.iter().enumerate() {
                prop_assert!(!relations.iter().enumerate().any(|(other, by)| other != at && divides(&by.left, &relation.left)));
            }
            let mut word = Word(exponents);
            let target = words[element(&word) as usize].clone();
            while let Some(relation) = relations.iter().find(|relation| divides(&relation.left, &word)) {
                for g in 0..3 {
                    word.0[g] = word.0[g] - relation.left.0[g] + relation.right.0[g];
                }
            }
            prop_assert_eq!(word, target);
        }
    }
}
