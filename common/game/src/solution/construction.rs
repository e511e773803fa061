//! Claims about a misère quotient for which games were found.
//!
//! A [`Construction`] names a bipartite monoid and, for each of its generators, a game of that
//! value: the options of the `i`-th game are sums of earlier ones. It is a certificate that the
//! monoid is a misère quotient (Siegel, *The structure and classification of misère quotients*,
//! Theorem 7.4), as the pairs of values and options generate a transition algebra.
//! `misere_check::construction` checks it. [`ConstructionDocument`] is its JSON form, and
//! [`ClassificationDocument`] is the JSON form of a whole list.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bipartite::{BipartiteMonoid, ClassKey, Element, MonoidError};
use crate::monoid::notation::NotationError;
use crate::monoid::presentation::presentation;
use crate::monoid::word::{Word, generator_name, lex_least_words};

/// The version of the documents' form.
pub const SCHEMA: u32 = 1;

/// A bipartite monoid with games whose misère quotient it is claimed to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Construction {
    /// The quotient; its `i`-th generator is the value of the `i`-th game.
    pub quotient: BipartiteMonoid,
    /// The options of each game, as sums of games.
    ///
    /// Each sum is a word in the generators, in which only generators of earlier games may occur.
    pub options: Vec<Vec<Word>>,
    /// The rank of every element, 0 for the identity.
    ///
    /// Every element has a pair in the transition algebra whose options have smaller ranks.
    pub rank: Vec<u32>,
}

impl Construction {
    /// Creates the construction with the ranks of Siegel's Lemma 8.3.
    ///
    /// The rank of an element is its place when all elements are ordered by their lex-least words,
    /// the exponent of the last generator first.
    ///
    /// Cost: the lex-least words of all elements, sorted.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// use misere_game::monoid::word::Word;
    /// use misere_game::solution::Construction;
    /// // T_1 is the quotient of * = {0}.
    /// let t1 = Construction::new(tame(1), vec![vec![Word(vec![0])]]);
    /// assert_eq!(t1.rank, [0, 1]);
    /// ```
    #[must_use]
    pub fn new(quotient: BipartiteMonoid, options: Vec<Vec<Word>>) -> Self {
        let words = lex_least_words(&quotient);
        let mut by_word: Vec<usize> = (0..words.len()).collect();
        by_word.sort_by(|&one, &other| words[one].0.iter().rev().cmp(words[other].0.iter().rev()));
        let mut rank = vec![0; words.len()];
        for (place, x) in (0..).zip(by_word) {
            rank[x] = place;
        }
        Self {
            quotient,
            options,
            rank,
        }
    }
}

/// A construction as a JSON document.
///
/// The fields that follow from the others (`name`, `p_size`, `class`, `words`, `presentation`) are
/// written for readers; `misere verify` compares them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/classification.md"
)]
pub struct ConstructionDocument {
    pub order: usize,
    #[serde(default)]
    pub p_size: usize,
    pub class: ClassKey,
    #[serde(default)]
    pub name: Option<String>,
    pub generators: Vec<GameDocument>,
    pub action: Vec<Vec<Element>>,
    pub p_portion: Vec<Element>,
    pub rank: Vec<u32>,
    #[serde(default)]
    pub words: Vec<String>,
    #[serde(default)]
    pub presentation: Vec<String>,
}

/// A generator with its game in a [`ConstructionDocument`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/classification.md"
)]
pub struct GameDocument {
    pub name: String,
    pub element: Element,
    pub options: Vec<String>,
}

/// The list of all misère quotients up to some order, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/classification.md"
)]
pub struct ClassificationDocument {
    pub schema: u32,
    pub max_order: usize,
    pub status: String,
    pub counts: BTreeMap<usize, usize>,
    pub published: BTreeMap<usize, usize>,
    pub quotients: Vec<ConstructionDocument>,
}

/// The reason why a document is not a construction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConstructionError {
    /// The tables are not a bipartite monoid.
    #[error("no bipartite monoid: {0}")]
    Monoid(#[from] MonoidError),
    /// `generators` and `action` disagree.
    #[error("generator {0} does not agree with its row of the action table")]
    Generator(usize),
    /// An option is not a word in the generators.
    #[error("an option of generator {generator} is no word: {cause}")]
    Option {
        /// The index of the generator.
        generator: usize,
        /// The fault in the word.
        cause: NotationError,
    },
}

impl ConstructionDocument {
    /// Creates the document of a construction.
    ///
    /// Cost: words, presentation and canonical form of the quotient.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// use misere_game::monoid::word::Word;
    /// use misere_game::solution::Construction;
    /// use misere_game::solution::construction::ConstructionDocument;
    /// let t1 = Construction::new(tame(1), vec![vec![Word(vec![0])]]);
    /// let document = ConstructionDocument::new(&t1);
    /// assert_eq!((document.order, document.name.as_deref()), (2, Some("T_1")));
    /// assert_eq!(document.generators[0].options, ["1"]);
    /// ```
    #[must_use]
    pub fn new(construction: &Construction) -> Self {
        let quotient = &construction.quotient;
        let words = lex_least_words(quotient);
        let texts = |words: &[Word]| words.iter().map(ToString::to_string).collect();
        Self {
            order: quotient.order(),
            p_size: quotient.p_size(),
            class: quotient.class_key(),
            name: quotient.known_name(),
            generators: construction
                .options
                .iter()
                .enumerate()
                .map(|(g, options)| GameDocument {
                    name: generator_name(g),
                    element: quotient.act(0, g),
                    options: texts(options),
                })
                .collect(),
            action: quotient.action().to_vec(),
            p_portion: quotient.p_portion().iter().collect(),
            rank: construction.rank.clone(),
            presentation: presentation(quotient, &words)
                .iter()
                .map(ToString::to_string)
                .collect(),
            words: texts(&words),
        }
    }

    /// Returns the construction that the document states, which is not checked yet.
    ///
    /// Cost: linear in the document.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// use misere_game::monoid::word::Word;
    /// use misere_game::solution::Construction;
    /// use misere_game::solution::construction::ConstructionDocument;
    /// let t1 = Construction::new(tame(1), vec![vec![Word(vec![0])]]);
    /// let mut document = ConstructionDocument::new(&t1);
    /// assert_eq!(document.to_construction().as_ref(), Ok(&t1));
    /// document.p_portion = vec![2];
    /// assert!(document.to_construction().is_err());
    /// ```
    ///
    /// # Errors
    /// [`ConstructionError`] if the tables are not a bipartite monoid, or the games are not written
    /// in its generators.
    pub fn to_construction(&self) -> Result<Construction, ConstructionError> {
        let quotient =
            BipartiteMonoid::new(self.order, self.action.clone(), self.p_portion.clone())?;
        let generators = quotient.generators();
        if self.generators.len() != generators {
            return Err(ConstructionError::Generator(
                generators.min(self.generators.len()),
            ));
        }
        let mut options = Vec::with_capacity(generators);
        for (g, game) in self.generators.iter().enumerate() {
            if game.element != quotient.act(0, g) || game.name != generator_name(g) {
                return Err(ConstructionError::Generator(g));
            }
            let words = game.options.iter().map(|text| Word::read(text, generators));
            options.push(words.collect::<Result<_, _>>().map_err(|cause| {
                ConstructionError::Option {
                    generator: g,
                    cause,
                }
            })?);
        }
        Ok(Construction {
            quotient,
            options,
            rank: self.rank.clone(),
        })
    }
}
