//! A game of a census under one of its codes.

use misere_census::{Alias, Record};
use misere_game::ruleset::Code;

/// A game of a census, shown under one of its codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownGame {
    /// The record with the code and the heap numbers under which the game is shown.
    pub record: Record,
    /// The code under which the census stores the game.
    pub representative: Code,
}

impl KnownGame {
    /// Returns a game shown under the code under which the census stores it.
    ///
    /// ```
    /// use misere_query::{KnownGame, samples::record};
    /// let game = KnownGame::as_stored(record("0.77"));
    /// assert_eq!(game.representative.to_string(), "0.77");
    /// assert!(game.sentence().is_none());
    /// ```
    #[must_use]
    pub fn as_stored(record: Record) -> Self {
        let representative = record.code.clone();
        Self {
            record,
            representative,
        }
    }

    /// Returns the code under which the census stores the game, if the game is shown under another.
    #[must_use]
    pub fn stored_alias(&self) -> Option<&Alias> {
        let mut aliases = self.record.aliases.iter();
        aliases.find(|alias| alias.code == self.representative)
    }

    /// Returns the sentence that relates a game shown under another code to the game of the census.
    ///
    /// An example is "0.07 is 0.4 with every heap one smaller".
    #[must_use]
    pub fn sentence(&self) -> Option<String> {
        let kept = self.stored_alias()?;
        let renumbering = kept.renumbering.inverse();
        Some(renumbering.sentence(&self.representative, &self.record.code))
    }
}
