//! The exceptions of the module.

use misere_algebra::forms::notation::GameError;
use misere_answers::certificates::{ClaimError, Finding};
use misere_answers::classification::RefutedQuotientError;
use misere_answers::nim_values::NimValuesCheckError;
use misere_answers::product::ProductError;
use misere_answers::{RefutedError, UndecidedError};
use misere_game::bipartite::families::QuotientNameError;
use misere_game::control::Stop;
use misere_game::monoid::finitely_presented::PresentationError;
use misere_game::monoid::notation::NotationError;
use misere_game::position::PositionError;
use misere_game::ruleset::CodeError;
use wasm_bindgen::JsValue;

/// The reason why a question is not answered.
#[derive(Debug, thiserror::Error)]
pub enum BrowserError {
    /// The text is not the JSON of a budget.
    #[error("the budget is not understood: {0}")]
    Budget(serde_json::Error),
    /// Something is larger than is read here.
    #[error("{what} is limited to {limit} here")]
    TooLarge {
        /// The thing that is too large.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// The text is not a game.
    #[error(transparent)]
    Code(#[from] CodeError),
    /// The text is not a position of the game.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The checker refutes the result of the engine.
    #[error(transparent)]
    Refuted(#[from] RefutedError),
    /// The checker refutes a period of nim-values.
    #[error(transparent)]
    NimValues(#[from] NimValuesCheckError),
    /// The text is not a true certificate of a game.
    #[error("the certificate {0}")]
    Claim(#[from] ClaimError),
    /// The certificate is about an infinite quotient instead of a game.
    #[error("the certificate is of an infinite quotient; it can be verified, but not played")]
    NoGame,
    /// The solution does not decide the position.
    #[error(transparent)]
    Undecided(#[from] UndecidedError),
    /// The text is not a single game.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The text is not a presentation with its P-portion.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A product is not a word in the generators.
    #[error(transparent)]
    Product(#[from] ProductError),
    /// The monoid that is presented is not finite, or too large.
    #[error(transparent)]
    Presentation(#[from] PresentationError),
    /// No quotient has the name.
    #[error(transparent)]
    Name(#[from] QuotientNameError),
    /// A quotient of the list is refuted.
    #[error(transparent)]
    Quotient(#[from] RefutedQuotientError),
    /// The fuel was spent.
    #[error(transparent)]
    Stopped(#[from] Stop),
    /// A result cannot be written as JSON.
    #[error("the result cannot be written: {0}")]
    Unwritable(#[from] serde_json::Error),
}

impl BrowserError {
    /// Returns the name of the exception, which is that of the class in the Python package.
    ///
    /// ```
    /// use misere_browser::Checked;
    /// let error = Checked::solve("0.7x", "").unwrap_err();
    /// assert_eq!(error.name(), "BadCode");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Budget(_) => "BadBudget",
            Self::TooLarge { .. } => "TooLarge",
            Self::Code(_) => "BadCode",
            Self::Position(_) => "BadHeap",
            Self::NoGame => "BadCertificate",
            Self::Game(_) => "BadGame",
            Self::Notation(_) | Self::Name(_) | Self::Product(ProductError::Word { .. }) => {
                "BadQuotient"
            }
            Self::Presentation(PresentationError::Stopped(Stop::FuelSpent)) => "Exhausted",
            Self::Presentation(_) => "BadQuotient",
            Self::NimValues(flaw) if flaw.is_unchecked() => "Stopped",
            Self::Refuted(_) | Self::Quotient(_) | Self::NimValues(_) => "Refuted",
            Self::Claim(error) => match error.finding() {
                Finding::Refuted => "Refuted",
                Finding::Unchecked => "Stopped",
                Finding::Unreadable | Finding::Verified => "BadCertificate",
            },
            Self::Undecided(UndecidedError::Unknown(_)) => "Unknown",
            Self::Undecided(UndecidedError::OutOfBudget(_)) => "Exhausted",
            Self::Undecided(UndecidedError::Stopped(_)) => "Stopped",
            Self::Stopped(stop) | Self::Product(ProductError::Stopped(stop)) => match stop {
                Stop::FuelSpent => "Exhausted",
                Stop::Interrupted => "Stopped",
            },
            Self::Unwritable(_) => "Error",
        }
    }
}

impl From<BrowserError> for JsValue {
    fn from(error: BrowserError) -> Self {
        let exception = js_sys::Error::new(&error.to_string());
        exception.set_name(error.name());
        exception.into()
    }
}
