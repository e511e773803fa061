//! The kind of claim that a document makes.
//!
//! A document makes one claim. The fields of a claim belong to one kind of document or to several;
//! a document with a claim of another kind is refused, since that claim would not be checked but
//! would be in a file that is reported as verified.

use misere_game::solution::normal_period::CONVENTION;
use serde_json::Value;

use super::ClaimError;

/// A kind of document that `misere verify` reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClaimKind {
    /// The list of `misere classify`.
    List,
    /// The relations of an infinite quotient.
    Presentation,
    /// The P-positions of an infinite quotient, by linear conditions.
    Regions,
    /// The automaton of a game, without a quotient.
    Automaton,
    /// Nim-values of normal play.
    NormalPlay,
    /// The solution of a game.
    Game,
}

impl ClaimKind {
    const ALL: [Self; 6] = [
        Self::List,
        Self::Presentation,
        Self::Regions,
        Self::Automaton,
        Self::NormalPlay,
        Self::Game,
    ];

    /// Determines the kind of a document by its fields.
    ///
    /// # Errors
    /// [`ClaimError::TwoClaims`] if the document has claims of different kinds.
    pub(super) fn of(written: &Value) -> Result<Self, ClaimError> {
        let has = |field: &str| written.get(field).is_some();
        let is_normal = written.get("convention").and_then(Value::as_str) == Some(CONVENTION);
        let (kind, told_by) = match () {
            () if has("quotients") => (Self::List, "quotients"),
            () if has("relations") => (Self::Presentation, "relations"),
            () if has("regions") => (Self::Regions, "regions"),
            () if has("automaton") && !has("quotient") => (Self::Automaton, "automaton"),
            () if is_normal => (Self::NormalPlay, "convention"),
            () => (Self::Game, "quotient"),
        };
        let others = Self::ALL.into_iter().flat_map(|kind| kind.claims());
        let foreign = |field: &&&'static str| has(field) && !kind.claims().contains(*field);
        match others.into_iter().find(foreign) {
            Some(other) => Err(ClaimError::TwoClaims(told_by, other)),
            None => Ok(kind),
        }
    }

    /// Returns the fields by which a document of this kind claims something.
    const fn claims(self) -> &'static [&'static str] {
        match self {
            Self::List => &["quotients", "max_order", "counts", "published", "facts"],
            Self::Presentation => &[
                "relations",
                "generators",
                "complete",
                "degree",
                "hilbert",
                "dimension",
                "polynomial_from",
                "normal_degree",
                "normal_words",
                "p_portion",
                "silent_heaps",
                "diagram",
            ],
            Self::Regions => &["regions", "digits", "silent_heaps", "diagram"],
            Self::Automaton => &["automaton", "infinite"],
            Self::NormalPlay => &[
                "period",
                "preperiod",
                "nim_values",
                "mask",
                "parity",
                "rare_heaps",
                "max_nim_value",
                "marks",
            ],
            Self::Game => &[
                "quotient",
                "phi",
                "period",
                "preperiod",
                "tame",
                "diverges_at",
                "infinite_to",
                "copies",
                "tame_relative",
                "growth",
                "law",
                "automaton",
                "partials",
                "evidence",
                "diagram",
                "all_heaps",
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Returns a document of each kind, with the fields that identify it.
    fn documents() -> Vec<(ClaimKind, Value)> {
        vec![
            (ClaimKind::List, json!({ "quotients": [] })),
            (ClaimKind::Presentation, json!({ "relations": [] })),
            (ClaimKind::Regions, json!({ "regions": [] })),
            (ClaimKind::Automaton, json!({ "automaton": {} })),
            (
                ClaimKind::NormalPlay,
                json!({ "convention": CONVENTION, "mask": 1 }),
            ),
            (ClaimKind::Game, json!({ "quotient": {} })),
        ]
    }

    /// Tests that all claims of a kind are accepted together, and with unknown fields.
    #[test]
    fn a_document_may_have_all_claims_of_its_kind() {
        for (kind, mut document) in documents() {
            for field in kind.claims() {
                document[*field] = json!(null);
            }
            document["remark"] = json!("no claim");
            assert_eq!(ClaimKind::of(&document).unwrap(), kind);
        }
    }

    /// Tests that claims of another kind are refused.
    ///
    /// The exception is an automaton with a quotient, which is the document of a game.
    #[test]
    fn a_document_may_have_no_claim_of_another_kind() {
        let mut refused = 0;
        for (kind, document) in documents() {
            for field in ClaimKind::ALL.into_iter().flat_map(ClaimKind::claims) {
                if kind.claims().contains(field) {
                    continue;
                }
                let mut document = document.clone();
                document[*field] = json!(null);
                match ClaimKind::of(&document) {
                    Err(ClaimError::TwoClaims(..)) => refused += 1,
                    found => {
                        assert_eq!((kind, *field), (ClaimKind::Automaton, "quotient"));
                        assert_eq!(found.unwrap(), ClaimKind::Game);
                    }
                }
            }
        }
        assert!(refused > 150, "{refused}");
    }
}
