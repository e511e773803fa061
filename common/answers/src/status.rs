//! The six statuses with which the computation of a game ends.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The statuses of the contract (`docs/reference.md`).
///
/// They are those of a verdict, except that a game that diverges has one of two, depending on
/// whether its quotient is proved infinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The whole game is known.
    ///
    /// It is known by a finite quotient and a period, by a law or an automaton, or by words of all
    /// heaps past an infinite quotient.
    Solved,
    /// Misère play equals normal play from a heap on.
    TameRelative,
    /// The quotient is proved infinite. No words of all heaps are proved.
    Infinite,
    /// A partial quotient is not finite as far as seen.
    Diverges,
    /// Partial quotients grow in a pattern: a conjecture. No law and no automaton is proved.
    Grows,
    /// A limit of the plan was reached.
    Exhausted,
}

/// A text that is not a status.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a status (there are solved, tame-relative, infinite, diverges, grows, exhausted)"
)]
pub struct StatusError(String);

impl Status {
    /// The list of all statuses, in the order in which they are shown.
    pub const ALL: [Self; 6] = [
        Self::Solved,
        Self::TameRelative,
        Self::Infinite,
        Self::Diverges,
        Self::Grows,
        Self::Exhausted,
    ];

    /// Returns the name of the status in the contract.
    ///
    /// ```
    /// use misere_answers::Status;
    /// assert_eq!(Status::TameRelative.name(), "tame-relative");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::TameRelative => "tame-relative",
            Self::Infinite => "infinite",
            Self::Diverges => "diverges",
            Self::Grows => "grows",
            Self::Exhausted => "exhausted",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Status {
    type Err = StatusError;
    fn from_str(text: &str) -> Result<Self, StatusError> {
        let is_meant = |status: &Self| status.name().eq_ignore_ascii_case(text);
        let found = Self::ALL.into_iter().find(is_meant);
        found.ok_or_else(|| StatusError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_read_as_they_are_written() {
        for status in Status::ALL {
            assert_eq!(status.name().parse(), Ok(status));
            assert_eq!(status.name().to_uppercase().parse(), Ok(status));
            let json = serde_json::to_string(&status).unwrap();
            assert_eq!(json, format!("\"{}\"", status.name()));
        }
        assert!("interrupted".parse::<Status>().is_err());
    }
}
