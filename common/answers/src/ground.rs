//! The ground on which an outcome is known.

use misere_game::bipartite::Element;
use misere_game::outcome::Outcome;
use serde::Serialize;

/// The ground on which an outcome is known, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// The element of the position in the proved misère quotient.
    Quotient,
    /// The nim-value of the position: the game is tame relative to a heap, and the position has one
    /// so large that misère play is normal play there.
    NormalPlay,
    /// The evidence that the quotient is infinite, which states outcomes and was checked.
    Evidence,
    /// The law of a game that grows, which is proved for all heaps.
    Law,
    /// The automaton of a game that grows, which is proved for all heaps.
    Automaton,
    /// The definition of outcomes.
    Definition,
}

impl Ground {
    /// All grounds, in the order in which they are tried.
    pub const ALL: [Self; 6] = [
        Self::Quotient,
        Self::NormalPlay,
        Self::Evidence,
        Self::Law,
        Self::Automaton,
        Self::Definition,
    ];

    /// Returns the name of the ground in documents.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Quotient => "quotient",
            Self::NormalPlay => "normal-play",
            Self::Evidence => "evidence",
            Self::Law => "law",
            Self::Automaton => "automaton",
            Self::Definition => "definition",
        }
    }
}

/// The outcome of a position, with what decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The outcome.
    pub outcome: Outcome,
    /// The ground on which it is known.
    pub ground: Ground,
    /// The element of the position in the quotient, if [`Ground::Quotient`] decides.
    pub element: Option<Element>,
    /// The nim-value of the position, if [`Ground::NormalPlay`] decides.
    pub nim_value: Option<u32>,
}

impl Decision {
    pub(crate) fn new(outcome: Outcome, ground: Ground) -> Self {
        Self {
            outcome,
            ground,
            element: None,
            nim_value: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_have_the_names() {
        for ground in Ground::ALL {
            let name = serde_json::to_value(ground).unwrap();
            assert_eq!(name, ground.name());
        }
    }
}
