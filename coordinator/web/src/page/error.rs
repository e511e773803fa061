//! Failures of a request, with the advice that is shown.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use misere_report::ReportError;
use misere_store::StoreError;

/// The reason why a request has no answer.
///
/// The page shows it as a page, the API as JSON; see [`super::site`].
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum PageError {
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

impl PageError {
    /// Returns the HTTP status of the answer.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::NoPage | Self::NotHere { .. } => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::Input { .. } => StatusCode::BAD_REQUEST,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Store(_) | Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
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

    /// Returns the name of the failure for machines.
    pub(crate) fn name(&self) -> &'static str {
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

impl From<StoreError> for PageError {
    fn from(error: StoreError) -> Self {
        Self::Store(Arc::new(error))
    }
}

impl From<ReportError> for PageError {
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

impl From<askama::Error> for PageError {
    fn from(error: askama::Error) -> Self {
        tracing::error!(%error, "cannot set a page");
        Self::Internal
    }
}

/// The failure itself; [`super::site`] gives the answer its form.
impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        if let Self::Store(error) = &self {
            tracing::warn!(%error, "the page cannot read the census");
        }
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}
