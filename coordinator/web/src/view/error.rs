//! Failures of a request, with the advice that is shown.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use misere_report::ReportError;
use misere_store::StoreError;

use super::schema::ErrorName;

/// The reason why a request has no answer.
///
/// [`crate::page`] shows it as a page, [`crate::request::answer`] as JSON.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum RequestError {
    /// There is no such page.
    #[error("there is nothing at this address")]
    NoPage,
    /// The method changes something, and the pages only read.
    #[error("this census is only read here; ask with GET")]
    Method,
    /// The request is well formed, and the census lacks what it names.
    #[error("{message}")]
    NotHere {
        /// The description of what is missing.
        message: String,
        /// The advice.
        advice: String,
    },
    /// The request is not understood.
    #[error("{message}")]
    Input {
        /// The description of the fault.
        message: String,
        /// The advice, with an example of a request.
        advice: String,
    },
    /// The census cannot be read.
    #[error("the census cannot be read: {0}")]
    Store(Arc<StoreError>),
    /// Too many requests come at once, or the request takes too long.
    #[error("too many requests reach this census at the moment")]
    Busy,
    /// A part of the program failed.
    #[error("a part of this program failed; the log says how")]
    Internal,
}

/// A failure.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Error")]
pub(crate) struct ErrorView<'a> {
    #[schemars(with = "ErrorName")]
    error: &'static str,
    /// What is wrong.
    says: String,
    /// What to do.
    advice: &'a str,
}

impl RequestError {
    pub(crate) fn input(message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::Input {
            message: message.into(),
            advice: advice.into(),
        }
    }

    /// Returns the advice on what may help.
    pub(crate) fn advice(&self) -> &str {
        match self {
            Self::NotHere { advice, .. } | Self::Input { advice, .. } => advice,
            Self::NoPage => "The chart, the list of games and the search lead everywhere.",
            Self::Busy => "Ask again in a moment.",
            Self::Method => "",
            Self::Store(_) | Self::Internal => "Whoever serves it finds more in its log.",
        }
    }

    /// Returns the failure as it is shown to programs.
    pub(crate) fn document(&self) -> ErrorView<'_> {
        ErrorView {
            error: self.name(),
            says: self.to_string(),
            advice: self.advice(),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::NoPage => "no-page",
            Self::Method => "method",
            Self::NotHere { .. } => "not-here",
            Self::Input { .. } => "input",
            Self::Store(_) => "store",
            Self::Busy => "busy",
            Self::Internal => "internal",
        }
    }
}

impl From<StoreError> for RequestError {
    fn from(error: StoreError) -> Self {
        Self::Store(Arc::new(error))
    }
}

impl From<ReportError> for RequestError {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Store(error) => error.into(),
            ReportError::Published(_) | ReportError::Comparison(_) | ReportError::Stopped(_) => {
                tracing::error!(%error, "cannot make a report");
                Self::Internal
            }
        }
    }
}
