//! The reasons why a document is not a true certificate.

use misere_check::CheckError;
use misere_check::arithmetic_period::ArithmeticPeriodCheckError;
use misere_check::automaton::AutomatonCheckError;
use misere_check::infinite::FamilyCheckError;
use misere_check::infinite::whole::PresentationCheckError;
use misere_check::normal_period::NormalPeriodCheckError;
use misere_game::control::Stop;
use misere_game::ruleset::Code;
use misere_game::solution::presented::PresentedError;
use misere_game::solution::{AutomatonDocumentError, DocumentError};
use serde::Serialize;
use serde_json::Value;

use super::json_words::in_words;
use super::quotient_list::QuotientListError;

/// The verdict on a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Finding {
    /// Every claim is proved.
    Verified,
    /// A claim is wrong.
    Refuted,
    /// It holds no claim that could be checked.
    Unreadable,
    /// The check was stopped before it was decided.
    Unchecked,
}

/// The reason why a file is not a true certificate.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// The text is not JSON, or its fields are of other types.
    #[error("is not a certificate: {}", in_words(.0))]
    Form(#[from] serde_json::Error),
    /// The JSON is not an object.
    #[error("is not a certificate: it holds {0}, and a certificate is a JSON object")]
    NoObject(&'static str),
    /// The quotient is not an object.
    #[error("is not a certificate: `quotient` is {0}, and should be an object")]
    QuotientNoObject(&'static str),
    /// The document has claims of two kinds.
    #[error(
        "is not a certificate: it has both `{0}` and `{1}`, which are claims of different kinds"
    )]
    TwoClaims(&'static str, &'static str),
    /// The schema or the convention of the document is not known.
    #[error("is not a certificate: {0}")]
    Version(DocumentError),
    /// The document contradicts itself.
    #[error("{0}")]
    Contradiction(DocumentError),
    /// The checker refutes the claim about a game, or was stopped.
    #[error("{0}")]
    Flaw(CheckError),
    /// A nim-value of the list is wrong.
    #[error("heap {heap} has the nim-value {right}, not {found}")]
    NimValue {
        /// The heap.
        heap: u32,
        /// The nim-value in the list.
        found: u32,
        /// Its nim-value.
        right: u32,
    },
    /// The nim-values that are listed prove another period, or none: period and preperiod.
    #[error("the nim-values that are listed prove {}", match .0 {
        Some((period, from)) => format!("period {period} from heap {from} on"),
        None => "no period".to_owned(),
    })]
    Period(Option<(u32, u32)>),
    /// The checker refutes the claim that nim-values grow for ever, or was stopped.
    #[error("{0}")]
    Arithmetic(#[from] ArithmeticPeriodCheckError),
    /// The check of a list of nim-values was stopped.
    #[error("not checked to the end: {0}")]
    Stopped(#[from] Stop),
    /// The checker refutes the claim about normal play, or was stopped.
    #[error("{0}")]
    Normal(NormalPeriodCheckError),
    /// The claim is too large to be checked.
    #[error("cannot be checked: {0}")]
    TooLarge(Box<dyn std::error::Error + Send + Sync>),
    /// A code that is named as another code of the same game is not one.
    #[error("`aliases` names {0}, which is not a code of the same game")]
    Alias(Code),
    /// The list of quotients is false.
    #[error("{0}")]
    List(#[from] QuotientListError),
    /// The document of a presentation is not well-formed.
    #[error("{0}")]
    Presented(#[from] PresentedError),
    /// The checker refutes the claim about an infinite quotient, or was stopped.
    #[error("{0}")]
    Whole(PresentationCheckError),
    /// The document is about an automaton, where a quotient is needed.
    #[error(
        "is not a certificate of a quotient: it holds an automaton, which `misere verify` reads; give a \
         certificate of `misere solve`"
    )]
    NoQuotient,
    /// The document of an automaton is not well-formed.
    #[error("{0}")]
    AutomatonForm(#[from] AutomatonDocumentError),
    /// The checker refutes the automaton, or was stopped.
    #[error("{0}")]
    Automaton(#[from] AutomatonCheckError),
    /// A field for readers does not follow from the claim.
    #[error("`{field}` is not what the rest of the document says: {found} instead of {right}")]
    Derived {
        /// The path of the field, with dots between its steps.
        field: String,
        /// The value in the document.
        found: Value,
        /// The value that follows.
        right: Value,
    },
}

impl From<NormalPeriodCheckError> for ClaimError {
    fn from(error: NormalPeriodCheckError) -> Self {
        match error.is_too_large() {
            true => Self::TooLarge(error.into()),
            false => Self::Normal(error),
        }
    }
}

impl From<CheckError> for ClaimError {
    fn from(flaw: CheckError) -> Self {
        match flaw.too_large() {
            Some(size) => Self::TooLarge(size.clone().into()),
            None => Self::Flaw(flaw),
        }
    }
}

impl From<PresentationCheckError> for ClaimError {
    fn from(flaw: PresentationCheckError) -> Self {
        match flaw {
            PresentationCheckError::Evidence(size) if size.is_too_large() => {
                Self::TooLarge(size.into())
            }
            flaw => Self::Whole(flaw),
        }
    }
}

impl ClaimError {
    /// Returns the kind of finding.
    ///
    /// Either a claim was read and is wrong, or no claim was found, or nothing was decided.
    #[must_use]
    pub fn finding(&self) -> Finding {
        match self {
            Self::Form(_)
            | Self::NoObject(_)
            | Self::QuotientNoObject(_)
            | Self::TwoClaims(..)
            | Self::NoQuotient
            | Self::TooLarge(_)
            | Self::Version(_) => Finding::Unreadable,
            Self::Flaw(CheckError::Unchecked(_))
            | Self::Normal(NormalPeriodCheckError::Unchecked(_))
            | Self::Arithmetic(ArithmeticPeriodCheckError::Unchecked(_))
            | Self::Stopped(_) => Finding::Unchecked,
            Self::Whole(PresentationCheckError::Evidence(FamilyCheckError::Unchecked(_))) => {
                Finding::Unchecked
            }
            Self::Presented(PresentedError::Schema(_) | PresentedError::Convention(_)) => {
                Finding::Unreadable
            }
            Self::Automaton(AutomatonCheckError::Unchecked(_)) => Finding::Unchecked,
            Self::AutomatonForm(
                AutomatonDocumentError::Schema(_) | AutomatonDocumentError::Convention(_),
            ) => Finding::Unreadable,
            Self::List(fault) if fault.is_stop() => Finding::Unchecked,
            Self::List(fault) if fault.is_unreadable() => Finding::Unreadable,
            _ => Finding::Refuted,
        }
    }
}
