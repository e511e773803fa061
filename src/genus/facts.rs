//! The genus in documents.

use misere_algebra::genus::{Class, Genus};
use misere_game::outcome::Outcome;
use serde::Serialize;

/// The facts about a game that follow from its genus.
#[derive(Clone, Debug, Serialize)]
pub struct GenusFacts {
    genus: String,
    nim_value: u32,
    misere_nim_value: u32,
    superscript: Vec<u32>,
    class: Class,
    outcome: Outcome,
}

impl GenusFacts {
    /// Returns the facts about a game of this genus and class.
    pub fn new(genus: &Genus, class: Class) -> Self {
        Self {
            genus: genus.to_string(),
            nim_value: genus.nim_value(),
            misere_nim_value: genus.misere_nim_value(),
            superscript: genus.superscript().to_vec(),
            class,
            outcome: genus.outcome(),
        }
    }

    /// Returns the genus as it is written.
    pub fn genus(&self) -> &str {
        &self.genus
    }

    /// Returns the class of the game.
    pub fn class(&self) -> Class {
        self.class
    }

    /// Returns the outcome of the game.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Returns the outcome with the player who wins.
    pub fn outcome_in_words(&self) -> &'static str {
        match self.outcome {
            Outcome::N => "N: the next player wins",
            Outcome::P => "P: the previous player wins",
        }
    }
}
