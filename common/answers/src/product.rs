//! The product of generators in a bipartite monoid, as one document.

use misere_game::bipartite::BipartiteMonoid;
use misere_game::control::{Control, Stop};
use misere_game::monoid::finitely_presented::FinitePresentation;
use misere_game::monoid::notation::NotationError;
use misere_game::monoid::readable::Readable;
use misere_game::monoid::word::lex_least_words_within;
use misere_game::outcome::Outcome;
use serde::Serialize;

/// A product of generators.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Product {
    schema: u32,
    /// The product as it was written.
    pub product: String,
    /// The lex-least word of its value.
    pub word: String,
    /// The outcome of positions with this value: P if the value is in the P-portion.
    pub outcome: Outcome,
}

/// The reasons why a product is not computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProductError {
    /// The text is not a word in the generators.
    #[error("{fault}; the generators are {}", .generators.join(", "))]
    Word {
        /// What is wrong with the text.
        fault: NotationError,
        /// The names of the generators.
        generators: Vec<String>,
    },
    /// The computation was stopped.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

impl Product {
    /// Multiplies generators of a bipartite monoid, each of them called by its own name.
    ///
    /// `names` are the names of all generators of the monoid, in their order.
    ///
    /// Cost: `O(n · g)` for order `n` and `g` generators.
    ///
    /// ```
    /// use misere_answers::product::Product;
    /// use misere_game::control::Control;
    /// use misere_game::outcome::Outcome;
    /// use misere_game::monoid::readable::WrittenPresentation;
    /// let t2: WrittenPresentation = "⟨x,y | x² = 1, y³ = y⟩, P = {x, y²}".parse()?;
    /// let (monoid, names) = (t2.bipartite_monoid(100)?, t2.presentation.generators());
    /// let product = Product::new(&monoid, names, "x·y^3·x", &mut Control::unlimited())?;
    /// assert_eq!((product.word.as_str(), product.outcome), ("y", Outcome::N));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ProductError`] if the text is not a word in these names, or `control` stops the work.
    pub fn new(
        monoid: &BipartiteMonoid,
        names: &[String],
        text: &str,
        control: &mut Control,
    ) -> Result<Self, ProductError> {
        let unread = |fault| ProductError::Word {
            fault,
            generators: names.to_vec(),
        };
        let free = FinitePresentation::from_lists(names, &[]).map_err(unread)?;
        let read = free.word(text).map_err(unread)?;
        let element = monoid.product(read.0.iter().copied().enumerate());
        let words = lex_least_words_within(monoid, control)?;
        let outcome = match monoid.in_p(element) {
            true => Outcome::P,
            false => Outcome::N,
        };
        Ok(Self {
            schema: 1,
            product: text.trim().to_owned(),
            word: words[element as usize].with_names(names),
            outcome,
        })
    }

    /// Multiplies generators of a bipartite monoid, called as its readable presentation calls them.
    ///
    /// Generators that others give are left out, as [`Readable`] does.
    ///
    /// Cost: as for [`Readable::of`].
    ///
    /// ```
    /// use misere_answers::product::Product;
    /// use misere_game::bipartite::families::restive;
    /// use misere_game::control::Control;
    /// use misere_game::outcome::Outcome;
    /// let r8 = restive(2).ok_or("R_8 is small")?;
    /// let product = Product::on_readable(&r8, "b·c·c", &mut Control::unlimited())?;
    /// assert_eq!((product.word.as_str(), product.outcome), ("b", Outcome::N));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn on_readable(
        monoid: &BipartiteMonoid,
        text: &str,
        control: &mut Control,
    ) -> Result<Self, ProductError> {
        let readable = Readable::of_within(monoid, control)?;
        Self::new(
            &readable.on_its_generators(monoid),
            &readable.names(),
            text,
            control,
        )
    }
}
