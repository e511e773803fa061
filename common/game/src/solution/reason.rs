//! The reason why a quotient that seems infinite is not proved to be.
//!
//! In 0.61 eight letters are needed at heap 17, and their outcomes take too many nodes even for few
//! copies. The reason is [`Reason::Size`].

use serde::{Deserialize, Serialize};

/// The reason why the search for evidence of infinity ended without any.
///
/// The search makes several attempts, with several sets of letters. Its reason is
/// [`Fuel`](Self::Fuel) if its fuel was spent before the last attempt had ended. Otherwise it is
/// the reason of the attempt by a diagram that [came furthest](Self::stage).
///
/// A reason describes the course of a computation, as the fuel does. It is not part of a claim: it
/// is not checked, and it is not part of any digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    // The numbers are in certificates and censuses: new reasons go to the end.
    /// The plan gives no fuel for evidence.
    NotSought,
    /// The fuel for evidence was spent before the search had ended.
    Fuel,
    /// The outcomes of few copies of the letters take too many nodes.
    Size,
    /// Heaps that may not be played as their words became letters, and there were too many letters.
    Letters,
    /// More letters must be read exactly than a diagram can read in binary.
    Digits,
    /// More copies of a letter are needed than are tried.
    Copies,
    /// The automaton or the diagram would have too many states or nodes.
    States,
    /// Heaps got words several times, and some heap may still not be played as its word.
    Words,
    /// The outcomes learnt do not follow from one another within the bounds of the checker.
    Outcomes,
    /// The outcomes follow from one another, but distinguish the multiples of no heap.
    Multiples,
}

impl Reason {
    /// All reasons, in the order of their numbers.
    pub const ALL: [Self; 10] = [
        Self::NotSought,
        Self::Fuel,
        Self::Size,
        Self::Letters,
        Self::Digits,
        Self::Copies,
        Self::States,
        Self::Words,
        Self::Outcomes,
        Self::Multiples,
    ];

    /// Returns the name in documents and conditions.
    ///
    /// ```
    /// use misere_game::solution::Reason;
    /// assert_eq!(Reason::NotSought.name(), "not-sought");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotSought => "not-sought",
            Self::Fuel => "fuel",
            Self::Size => "size",
            Self::Letters => "letters",
            Self::Digits => "digits",
            Self::Copies => "copies",
            Self::States => "states",
            Self::Words => "words",
            Self::Outcomes => "outcomes",
            Self::Multiples => "multiples",
        }
    }

    /// Returns the reason with a name, if there is one.
    ///
    /// ```
    /// use misere_game::solution::Reason;
    /// assert_eq!(Reason::named("letters"), Some(Reason::Letters));
    /// assert_eq!(Reason::named("numbers"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }

    /// Returns the reason in few words, to follow "no proof was found:".
    ///
    /// ```
    /// use misere_game::solution::Reason;
    /// assert_eq!(Reason::Letters.words(), "too many letters");
    /// ```
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::NotSought => "none was looked for",
            Self::Fuel => "the fuel for it was spent",
            Self::Size => "too many outcomes of few copies",
            Self::Letters => "too many letters",
            Self::Digits => "too many digits",
            Self::Copies => "more copies are needed",
            Self::States => "too many states",
            Self::Words => "no words for some heaps",
            Self::Outcomes => "the outcomes do not follow from one another",
            Self::Multiples => "no multiples are told apart",
        }
    }

    /// Returns the step of an attempt at which it fails for this reason.
    ///
    /// Of several attempts the attempt with the greatest stage came furthest. An attempt computes
    /// outcomes of few copies (1), chooses digits (2), and learns within the copies (3) and the
    /// bounds (4). Then the checker checks the outcomes (5), the words (6), and the multiples (7).
    #[must_use]
    pub const fn stage(self) -> u8 {
        match self {
            Self::NotSought | Self::Fuel => 0,
            Self::Size => 1,
            Self::Digits => 2,
            Self::Copies => 3,
            Self::States => 4,
            Self::Outcomes => 5,
            Self::Letters | Self::Words => 6,
            Self::Multiples => 7,
        }
    }

    /// Returns the reason of the attempt that came further; of the first if both came equally far.
    #[must_use]
    pub fn further(self, other: Self) -> Self {
        if other.stage() > self.stage() {
            other
        } else {
            self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_documents() {
        for (number, reason) in Reason::ALL.into_iter().enumerate() {
            assert_eq!(reason as usize, number);
            let written = serde_json::to_value(reason).unwrap();
            assert_eq!(written, reason.name());
            assert_eq!(Reason::named(reason.name()), Some(reason));
        }
    }
}
