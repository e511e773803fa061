//! The enumeration of the bipartite monoid that a presentation describes.
//!
//! The relations are completed to a confluent system ([`super::rewriting`]); the elements of the
//! monoid are then the words to which no rule applies. There are finitely many iff every generator
//! has a power that is the left side of a rule. Without such a rule its powers are all normal; with
//! such rules the exponents of normal words are bounded.

use rustc_hash::FxHashMap;

use super::notation_error::NotationError;
use super::rewriting::{CompletionError, RewritingSystem};
use super::word::Word;
use crate::bipartite::{BipartiteMonoid, Element, MonoidError};
use crate::control::{Control, Stop};

/// Named generators with relations between words in them, for a commutative monoid.
///
/// ```
/// use misere_game::monoid::finitely_presented::FinitePresentation;
/// let t2: FinitePresentation = "⟨a,b | a² = 1, b³ = b⟩".parse()?;
/// let t2 = t2.bipartite_monoid_of(&["a", "b^2"], 100)?;
/// assert_eq!(t2.order(), 6);
/// assert!(t2.is_tame());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinitePresentation {
    generators: Vec<String>,
    relations: Vec<(Word, Word)>,
}

/// The reason why a presentation gives no finite bipartite monoid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PresentationError {
    /// The text of a name, word, relation or presentation cannot be read.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The relations could not be completed.
    #[error(transparent)]
    Completion(CompletionError),
    /// The monoid is infinite.
    #[error("the monoid is infinite: all powers of `{generator}` differ")]
    Infinite {
        /// A generator of infinite order.
        generator: String,
    },
    /// The monoid is larger than the limit.
    #[error("the monoid has more than {max_order} elements")]
    TooLarge {
        /// The greatest order allowed.
        max_order: usize,
    },
    /// The P-portion lists an element twice.
    #[error("the P-portion is not a set: {0}")]
    Monoid(#[from] MonoidError),
    /// The enumeration was stopped.
    #[error("the elements were not all found: {0}")]
    Stopped(#[from] Stop),
}

impl From<CompletionError> for PresentationError {
    fn from(error: CompletionError) -> Self {
        match error {
            CompletionError::Stopped(stop) => Self::Stopped(stop),
            error => Self::Completion(error),
        }
    }
}

impl FinitePresentation {
    /// Returns the presentation with these parts; words have one exponent per name.
    pub(super) fn new(generators: Vec<String>, relations: Vec<(Word, Word)>) -> Self {
        Self {
            generators,
            relations,
        }
    }

    /// Returns the names of the generators.
    #[must_use]
    pub fn generators(&self) -> &[String] {
        &self.generators
    }

    /// Returns the relations, as pairs of equal words.
    #[must_use]
    pub fn relations(&self) -> &[(Word, Word)] {
        &self.relations
    }

    /// Returns the presented monoid, on the generators in their order.
    ///
    /// Its P-portion consists of the elements of the given words.
    ///
    /// ```
    /// use misere_game::monoid::finitely_presented::{FinitePresentation, PresentationError};
    /// let t1: FinitePresentation = "⟨a | a² = 1⟩".parse()?;
    /// let p_portion = [t1.word("a")?];
    /// assert_eq!(t1.bipartite_monoid(&p_portion, 10)?.known_name().as_deref(), Some("T_1"));
    /// let too_large = t1.bipartite_monoid(&p_portion, 1);
    /// assert_eq!(too_large, Err(PresentationError::TooLarge { max_order: 1 }));
    /// # Ok::<(), PresentationError>(())
    /// ```
    ///
    /// # Errors
    /// [`PresentationError`] if the monoid is infinite, has more than `max_order` elements, the
    /// relations cannot be completed, or two words of `p_portion` mean the same element. Cost:
    /// completion, and `O(n · g)` normal forms.
    pub fn bipartite_monoid(
        &self,
        p_portion: &[Word],
        max_order: usize,
    ) -> Result<BipartiteMonoid, PresentationError> {
        self.bipartite_monoid_within(p_portion, max_order, &mut Control::unlimited())
    }

    /// Returns the [`bipartite_monoid`](Self::bipartite_monoid), with a limit on its work.
    ///
    /// `control` can stop it.
    ///
    /// Cost: as for the method without a limit; all of it is spent from `control`.
    ///
    /// # Errors
    /// As for the method without a limit, and [`PresentationError::Stopped`] if `control` ends it.
    pub fn bipartite_monoid_within(
        &self,
        p_portion: &[Word],
        max_order: usize,
        control: &mut Control,
    ) -> Result<BipartiteMonoid, PresentationError> {
        let graph = self.cayley_graph(max_order, control)?;
        let order = graph.number.len();
        let mut marked = Vec::with_capacity(p_portion.len());
        for word in p_portion {
            // Use the normal form: the word may have many millions of letters.
            let word = graph.system.normal_form_within(word.clone(), control)?;
            marked.extend(graph.number.get(&word).copied());
        }
        let generators = graph.action.len() as u64;
        control.spend(order as u64 * (1 + generators * generators.min(16)))?;
        Ok(BipartiteMonoid::new(order, graph.action, marked)?)
    }

    /// Returns the [`bipartite_monoid`](Self::bipartite_monoid) for a P-portion given as texts.
    ///
    /// Cost: as for that method.
    ///
    /// ```
    /// use misere_game::monoid::finitely_presented::FinitePresentation;
    /// // R_8 (Plambeck and Siegel's supplement, Figure 10).
    /// let r8: FinitePresentation = "⟨a,b,c | a²=1, b³=b, bc=ab, c²=b²⟩".parse()?;
    /// let r8 = r8.bipartite_monoid_of(&["a", "b²"], 100)?;
    /// assert_eq!((r8.order(), r8.known_name().as_deref()), (8, Some("R_8")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for that method, and [`PresentationError::Notation`] if a text is not a word.
    pub fn bipartite_monoid_of<S: AsRef<str>>(
        &self,
        p_portion: &[S],
        max_order: usize,
    ) -> Result<BipartiteMonoid, PresentationError> {
        let words = p_portion
            .iter()
            .map(|text| self.word(text.as_ref()))
            .collect::<Result<Vec<_>, _>>()?;
        self.bipartite_monoid(&words, max_order)
    }

    /// Returns the Cayley graph, with one row per generator.
    ///
    /// Normal words are numbered in the order of a breadth-first search from the empty word.
    fn cayley_graph(
        &self,
        max_order: usize,
        control: &mut Control,
    ) -> Result<CayleyGraph, PresentationError> {
        let generators = self.generators.len();
        let relations = self.relations.iter().cloned();
        let system = RewritingSystem::complete_within(generators, relations, control)?;
        self.check_finite(&system)?;
        let mut number: FxHashMap<Word, Element> = FxHashMap::default();
        let mut elements = vec![Word(vec![0; generators])];
        number.insert(elements[0].clone(), 0);
        let mut action: Vec<Vec<Element>> = vec![Vec::new(); generators];
        let mut at = 0;
        while at < elements.len() {
            for (g, row) in action.iter_mut().enumerate() {
                let mut word = elements[at].clone();
                word.0[g] += 1;
                let word = system.normal_form_within(word, control)?;
                let fresh = elements.len() as Element;
                let element = *number.entry(word).or_insert_with_key(|word| {
                    elements.push(word.clone());
                    fresh
                });
                row.push(element);
            }
            if elements.len() > max_order {
                return Err(PresentationError::TooLarge { max_order });
            }
            at += 1;
        }
        Ok(CayleyGraph {
            action,
            number,
            system,
        })
    }

    fn check_finite(&self, system: &RewritingSystem) -> Result<(), PresentationError> {
        let has_power = |g: usize| {
            let is_power = |left: &Word| {
                left.0
                    .iter()
                    .enumerate()
                    .all(|(h, &exponent)| h == g || exponent == 0)
            };
            system.rules().iter().any(|(left, _)| is_power(left))
        };
        match (0..self.generators.len()).find(|&g| !has_power(g)) {
            Some(g) => Err(PresentationError::Infinite {
                generator: self.generators[g].clone(),
            }),
            None => Ok(()),
        }
    }
}

/// The elements of a presented monoid.
struct CayleyGraph {
    /// A row for each generator.
    action: Vec<Vec<Element>>,
    /// The number of each normal word.
    number: FxHashMap<Word, Element>,
    system: RewritingSystem,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monoid::notation::NotationErrorKind;
    use proptest::prelude::*;

    fn read(text: &str) -> FinitePresentation {
        text.parse().unwrap()
    }

    fn order(text: &str) -> usize {
        read(text).bipartite_monoid(&[], 10_000).unwrap().order()
    }

    #[test]
    fn notations() {
        let plain = read("<a,b,c|a^2=1,b^3=b,bc=ab,c^2=b^2>");
        assert_eq!(
            plain,
            read("⟨ a, b, c | a² = 1, b³ = b, b c = a*b, cc = b·b ⟩")
        );
        let lists = FinitePresentation::from_lists(
            &["a", "b", "c"],
            &["a^2=1", "b^3=b", "bc=ab", "c^2=b^2"],
        );
        assert_eq!(plain, lists.unwrap());
        assert_eq!(read("<x,c_12 | x^2=c_12^2=1>").relations().len(), 2);
        assert_eq!(read("<a,b>").relations().len(), 0);
        assert_eq!(
            read("<a | a^12=a^2>").word("a^3a1a").unwrap(),
            Word(vec![5])
        );
    }

    #[test]
    fn orders() {
        assert_eq!(order("<>"), 1);
        assert_eq!(order("<a | a=1>"), 1);
        assert_eq!(order("<a | a^6=1, a^4=1>"), 2);
        assert_eq!(order("<a,b | a^2=1, b^3=b>"), 6);
        assert_eq!(order("<a,b | a^1000=a^10, b=a^1000000>"), 1_000);
        // A completion with overlaps: ab = 1 makes both generators units of order dividing 3 and 5.
        assert_eq!(order("<a,b | ab=1, a^4=a, b^6=b>"), 1);
        assert_eq!(order("<a,b | a^3=b^2, a^7=a, b^5=b>"), 13);
    }

    #[test]
    fn faults_point_at_the_character() {
        let at = |text: &str| text.parse::<FinitePresentation>().unwrap_err().at;
        assert_eq!(at(""), 0);
        assert_eq!(at("a"), 0);
        assert_eq!(at("<a"), 2);
        assert_eq!(at("<a,>"), 3);
        assert_eq!(at("<a,a|>"), 3);
        assert_eq!(at("<a|a>"), 4);
        assert_eq!(at("<a|a^=1>"), 5);
        assert_eq!(at("<a|a^2=b>"), 7);
        assert_eq!(at("<a|a^9999999999=1>"), 5);
        assert_eq!(at("<a|a^1048576a=1>"), 12);
        assert_eq!(at("<a|a=1>x"), 7);
        assert_eq!(at("<a_|>"), 3);
        let error = "<a|a^2=b>".parse::<FinitePresentation>().unwrap_err();
        assert_eq!(
            error.fault,
            NotationErrorKind::UnknownGenerator("b".to_owned())
        );
        assert_eq!(
            error.to_string(),
            "at character 8 of `<a|a^2=b>`: `b` is not a generator"
        );
        assert_eq!(
            FinitePresentation::from_lists(&["a", "a"], &[])
                .unwrap_err()
                .at,
            0
        );
        assert_eq!(
            FinitePresentation::from_lists(&["ab"], &[]).unwrap_err().at,
            1
        );
    }

    #[test]
    fn unusable_presentations_are_reported() {
        let infinite = read("<a,b | a^2=1, ab^2=b^2>").bipartite_monoid(&[], 10);
        assert_eq!(
            infinite,
            Err(PresentationError::Infinite {
                generator: "b".to_owned()
            })
        );
        // This case is finite: a is a unit, so b = 1.
        assert_eq!(order("<a,b | a^2=1, ab=a>"), 2);
        let large = read("<a,b | a^200=1, b^200=1>").bipartite_monoid(&[], 1_000);
        assert_eq!(large, Err(PresentationError::TooLarge { max_order: 1_000 }));
        let twice = read("<a | a^2=1>").bipartite_monoid_of(&["a", "a^3"], 10);
        assert_eq!(
            twice,
            Err(PresentationError::Monoid(MonoidError::Repeated {
                element: 1
            }))
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,20}", near in "[<>|,=^ab1_ ²⟨⟩]{0,20}") {
            let _ = text.parse::<FinitePresentation>();
            let _ = near.parse::<FinitePresentation>();
        }

        /// Compares the order with naive enumeration.
        ///
        /// It takes the words up to the bounds, and joins them by closing the relations under
        /// multiplication.
        #[test]
        fn orders_agree_with_closing_relations(
            one in prop::collection::vec(0_u32..4, 2), other in prop::collection::vec(0_u32..4, 2),
            index in prop::collection::vec(0_u32..4, 2), period in prop::collection::vec(1_u32..4, 2),
        ) {
            let power = |g: usize, exponent: u32| Word((0..2).map(|h| if h == g { exponent } else { 0 }).collect());
            let mut relations = vec![(Word(one.clone()), Word(other.clone()))];
            relations.extend((0..2).map(|g| (power(g, index[g] + period[g]), power(g, index[g]))));
            let names = vec!["a".to_owned(), "b".to_owned()];
            let monoid = FinitePresentation::new(names, relations).bipartite_monoid(&[], 1_000).unwrap();

            // On the grid of normal exponents for the power relations alone, the third relation
            // joins translates.
            let size = [index[0] + period[0], index[1] + period[1]];
            let cut = |g: usize, e: u32| if e < size[g] { e } else { index[g] + (e - index[g]) % period[g] };
            let cell = |a: u32, b: u32| (cut(0, a) + size[0] * cut(1, b)) as usize;
            let mut class: Vec<usize> = (0..(size[0] * size[1]) as usize).collect();
            for a in 0..size[0] {
                for b in 0..size[1] {
                    let (from, to) = (class[cell(one[0] + a, one[1] + b)], class[cell(other[0] + a, other[1] + b)]);
                    class.iter_mut().filter(|class| **class == from).for_each(|class| *class = to);
                }
            }
            class.sort_unstable();
            class.dedup();
            prop_assert_eq!(monoid.order(), class.len());
        }
    }
}
