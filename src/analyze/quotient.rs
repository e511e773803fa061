//! The quotient under analysis: the words of its elements, and the positions behind them.

use misere_answers::HeapValues;
use misere_game::bipartite::multiplication::Multiplication;
use misere_game::bipartite::reduction::Reduction;
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::Control;
use misere_game::monoid::finitely_presented::FinitePresentation;
use misere_game::monoid::readable::Readable;
use misere_game::monoid::word::{generator_name, lex_least_words_within};
use misere_game::ruleset::Code;
use misere_game::solution::NimPeriod;

use super::AnalysisError;
use crate::exit::Failure;
use crate::quotient_source::{QuotientSource, QuotientSourceError};

/// A reduced bipartite monoid with names for its elements.
pub(super) struct Quotient {
    /// The monoid, without the generators that the others generate.
    pub(super) monoid: BipartiteMonoid,
    /// The presentation on these generators.
    pub(super) readable: Readable,
    /// The names of these generators.
    pub(super) names: Vec<String>,
    /// The word of every element.
    pub(super) words: Vec<String>,
    /// The game, if it is the quotient of one.
    pub(super) game: Option<Game>,
}

/// A game with the values of its heaps.
pub(super) struct Game {
    /// The game.
    pub(super) code: Code,
    /// The value of each heap from 0 on.
    pub(super) values: Vec<Element>,
    /// The period of the values, if the values of all heaps are known.
    pub(super) repeats: Option<NimPeriod>,
    /// A heap for each generator, with the generator as its value.
    pub(super) generator_heaps: Vec<u32>,
}

impl Quotient {
    /// Names the elements of the reduction of a given bipartite monoid.
    pub(super) fn new(
        given: &QuotientSource,
        reduction: &Reduction,
        control: &mut Control,
    ) -> Result<Self, AnalysisError> {
        let readable = Readable::of_within(&reduction.monoid, control)?;
        let kept = &readable.generators;
        let rows = kept.iter().map(|&g| reduction.monoid.row(g).to_vec());
        let in_p = reduction.monoid.p_portion().iter();
        let reduced = BipartiteMonoid::new(reduction.monoid.order(), rows.collect(), in_p)
            .map_err(|error| QuotientSourceError::NotAQuotient(error.to_string()))?;
        let typed = kept.iter().map(|&g| given.names.get(g).cloned());
        let names: Option<Vec<String>> = typed.collect();
        let names = names.unwrap_or_else(|| (0..kept.len()).map(generator_name).collect());
        let words = lex_least_words_within(&reduced, control)?;
        let words = words.iter().map(|word| word.with_names(&names)).collect();
        let game = given.of.as_ref().map(|of| Game {
            code: of.code.clone(),
            values: of
                .values
                .iter()
                .map(|&x| reduction.map[x as usize])
                .collect(),
            repeats: of.repeats,
            generator_heaps: kept
                .iter()
                .filter_map(|&g| given.heaps.get(g).copied())
                .collect(),
        });
        Ok(Self {
            monoid: reduced,
            readable,
            names,
            words,
            game,
        })
    }

    /// Returns the word of an element.
    pub(super) fn word(&self, x: Element) -> String {
        self.words[x as usize].clone()
    }

    /// Returns the words of some elements.
    pub(super) fn words_of(&self, elements: &[Element]) -> Vec<String> {
        elements.iter().map(|&x| self.word(x)).collect()
    }

    /// Returns the presentation with the names of the generators.
    pub(super) fn presentation(&self) -> String {
        let relations = self.readable.relations.iter().map(|relation| {
            let sides = [&relation.left, &relation.right];
            let [left, right] = sides.map(|word| word.with_names(&self.names));
            format!("{left} = {right}")
        });
        let relations: Vec<String> = relations.collect();
        let p_portion = self.readable.p_portion.iter();
        let p_portion: Vec<String> = p_portion.map(|word| word.with_names(&self.names)).collect();
        let bar = if relations.is_empty() { "" } else { " | " };
        format!(
            "⟨{}{bar}{}⟩  P = {{{}}}",
            self.names.join(","),
            relations.join(", "),
            p_portion.join(", ")
        )
    }

    /// Returns the relations with the names of the generators.
    pub(super) fn relations(&self) -> Vec<String> {
        let relations = self.readable.relations.iter().map(|relation| {
            let sides = [&relation.left, &relation.right];
            let [left, right] = sides.map(|word| word.with_names(&self.names));
            format!("{left} = {right}")
        });
        relations.collect()
    }

    /// Returns the words of the P-portion.
    pub(super) fn p_portion(&self) -> Vec<String> {
        let words = self.readable.p_portion.iter();
        words.map(|word| word.with_names(&self.names)).collect()
    }

    /// Parses an element: a word, or a position of the game such as `3+3` or `h6`.
    ///
    /// # Errors
    /// A [`Failure`] that says what is wrong with the text.
    pub(super) fn named(&self, text: &str) -> Result<NamedElement, Failure> {
        let text = text.trim();
        if let Some(heaps) = position(text) {
            return self.of_position(text, heaps);
        }
        let letters = FinitePresentation::from_lists::<String>(&self.names, &[]);
        let word = letters.and_then(|letters| letters.word(text));
        let word = word.map_err(|error| {
            let positions = match self.game {
                Some(_) => "; a position is written as 3+3, a single heap as h6",
                None => "",
            };
            QuotientSourceError::NotAQuotient(format!(
                "`{text}` is not an element: {error}; write a word in {}, such as {}{positions}",
                self.names.join(", "),
                self.words.last().map_or("1", String::as_str),
            ))
        })?;
        let products = Multiplication::new(&self.monoid);
        let letters = word.0.iter().enumerate();
        let element = letters.fold(0, |x, (g, &exponent)| {
            let letter = self.monoid.act(0, g);
            products.times(x, products.power(letter, exponent.into()))
        });
        Ok(NamedElement {
            text: self.word(element),
            element,
        })
    }

    fn of_position(&self, text: &str, heaps: Vec<u32>) -> Result<NamedElement, Failure> {
        let Some(game) = &self.game else {
            return Err(QuotientSourceError::NotAQuotient(format!(
                "`{text}` is a position, and no game is given here; write a word in {}",
                self.names.join(", ")
            ))
            .into());
        };
        let mut element = 0;
        for &heap in &heaps {
            let value = game.heap_values().value(heap).ok_or_else(|| {
                QuotientSourceError::Unknown(format!(
                    "the value of heap {heap} is not known here: heaps 0 to {} are",
                    game.values.len().saturating_sub(1)
                ))
            })?;
            element = self.times(element, value);
        }
        Ok(NamedElement {
            text: sum(&heaps),
            element,
        })
    }

    /// Returns the product of two elements.
    pub(super) fn times(&self, x: Element, y: Element) -> Element {
        Multiplication::new(&self.monoid).times(x, y)
    }
}

impl Game {
    /// Returns the values of the heaps.
    pub(super) fn heap_values(&self) -> HeapValues<'_> {
        HeapValues {
            code: &self.code,
            listed: &self.values,
            repeats: self.repeats,
        }
    }
}

/// An element as the user named it.
pub(super) struct NamedElement {
    /// The text: a word, or a sum of heaps.
    pub(super) text: String,
    /// The element.
    pub(super) element: Element,
}

/// Writes heaps as a sum: `3 + 3`.
pub(super) fn sum(heaps: &[u32]) -> String {
    if heaps.is_empty() {
        return "the empty position".to_owned();
    }
    let heaps: Vec<String> = heaps.iter().map(u32::to_string).collect();
    heaps.join(" + ")
}

/// Returns the heaps if the text is a position: a sum with `+`, or a single heap such as `h6`.
fn position(text: &str) -> Option<Vec<u32>> {
    let is_single = text.starts_with(['h', 'H']) && !text.contains('+');
    if !is_single && !text.contains('+') {
        return None;
    }
    let parts = text.split('+').map(|part| {
        let part = part.trim();
        part.trim_start_matches(['h', 'H']).parse::<u32>().ok()
    });
    parts.collect()
}
