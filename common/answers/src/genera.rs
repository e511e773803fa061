//! Genera in documents.

use misere_algebra::forms::sequence::GenusSequence;
use misere_algebra::genus::{Class, Genus};
use misere_game::control::Stop;
use misere_game::outcome::Outcome;
use misere_game::ruleset::Code;
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
    #[must_use]
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
    #[must_use]
    pub fn genus(&self) -> &str {
        &self.genus
    }

    /// Returns the class of the game.
    #[must_use]
    pub fn class(&self) -> Class {
        self.class
    }

    /// Returns the outcome of the game.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Returns the outcome with the player who wins.
    #[must_use]
    pub fn outcome_in_words(&self) -> &'static str {
        match self.outcome {
            Outcome::N => "N: the next player wins",
            Outcome::P => "P: the previous player wins",
        }
    }
}

/// The genera of a game as a document.
#[derive(Debug, Serialize)]
pub struct Genera<'a> {
    schema: u32,
    code: &'a Code,
    convention: &'static str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped_by: Option<&'static str>,
    heaps: usize,
    period: Option<u32>,
    preperiod: Option<u32>,
    first_not_tame: Option<u32>,
    genera: Vec<GenusFacts>,
    fuel: u64,
    elapsed_s: f64,
}

impl<'a> Genera<'a> {
    /// Returns the document of `misere genus --json`.
    ///
    /// `stopped_by` is the cause of an interruption, if it is known, and `elapsed_s` is in seconds.
    ///
    /// ```
    /// use misere_algebra::forms::sequence::genera;
    /// use misere_answers::genera::Genera;
    /// use misere_game::control::Control;
    /// let (code, control) = ("0.123".parse()?, &mut Control::unlimited());
    /// let found = genera(&code, 100, control);
    /// let document = Genera::new(&code, &found, None, control.fuel_spent(), 0.0);
    /// assert_eq!(serde_json::to_value(document)?["period"], 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(
        code: &'a Code,
        found: &GenusSequence,
        stopped_by: Option<&'static str>,
        fuel: u64,
        elapsed_s: f64,
    ) -> Self {
        Self {
            schema: 1,
            code,
            convention: "misere",
            status: match found.stopped {
                None => "complete",
                Some(Stop::FuelSpent) => "exhausted",
                Some(Stop::Interrupted) => "interrupted",
            },
            stopped_by,
            heaps: found.heaps.len().saturating_sub(1),
            period: found.period.map(|found| found.period),
            preperiod: found.period.map(|found| found.preperiod),
            first_not_tame: found.first(|heap| !heap.class.is_tame()),
            genera: found
                .heaps
                .iter()
                .map(|heap| GenusFacts::new(&heap.genus, heap.class))
                .collect(),
            fuel,
            elapsed_s,
        }
    }
}
