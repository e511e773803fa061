//! The kinds of misconduct of a worker.

use serde::{Deserialize, Serialize};

use crate::TaskId;

/// A reason why a worker is not trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Misconduct {
    /// The worker made another certificate of this task than the trusted workers.
    OtherCertificate(TaskId),
    /// Its certificates of too many tasks were refused that others could finish.
    RefusedTooOften,
    /// An operator, or the previous coordinator, distrusted the worker.
    CaughtBefore,
    /// The worker failed at too many tasks that others could finish.
    FailedTooOften,
    /// An operator refuses it.
    Banned,
    /// As a checker it gave another verdict on a certificate of this task than the coordinator.
    OtherVerdict(TaskId),
}

impl std::fmt::Display for Misconduct {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::OtherCertificate(_) => {
                f.write_str("its certificate of a game differs from the one that is believed")
            }
            Self::RefusedTooOften => f.write_str(
                "the checker refused its certificates of several games that others could finish",
            ),
            Self::CaughtBefore => f.write_str("it was caught before the coordinator was started"),
            Self::FailedTooOften => {
                f.write_str("it failed at several games that others could finish")
            }
            Self::Banned => f.write_str("an operator banned it"),
            Self::OtherVerdict(_) => {
                f.write_str("its verdict on a certificate differs from the coordinator's")
            }
        }
    }
}

impl Misconduct {
    /// All [words](Self::word).
    pub const WORDS: [&'static str; 6] = [
        "other_certificate",
        "refused_too_often",
        "failed_too_often",
        "told",
        "banned",
        "other_verdict",
    ];

    /// Returns a word for the misconduct in metrics and documents.
    ///
    /// ```
    /// use misere_census::Misconduct;
    /// assert!(Misconduct::WORDS.contains(&Misconduct::Banned.word()));
    /// ```
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::OtherCertificate(_) => "other_certificate",
            Self::RefusedTooOften => "refused_too_often",
            Self::CaughtBefore => "told",
            Self::FailedTooOften => "failed_too_often",
            Self::Banned => "banned",
            Self::OtherVerdict(_) => "other_verdict",
        }
    }
}
