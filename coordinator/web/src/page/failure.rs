//! What is said where there is no answer?

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use misere_report::ReportError;
use misere_store::StoreError;

/// Why a question has no answer. The page sets it as a page, the API as JSON; see [`super::site`].
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// There is no such page.
    #[error("there is nothing at this address")]
    NoPage,
    /// Things are only read here.
    #[error("this census is only read here; ask with GET")]
    Method,
    /// What was asked for is well formed, and not here.
    #[error("{said}")]
    NotHere {
        /// What is not here.
        said: String,
        /// What helps.
        advice: String,
    },
    /// What was asked is not understood.
    #[error("{said}")]
    Input {
        /// What is wrong with it.
        said: String,
        /// What it might look like.
        advice: String,
    },
    /// The census cannot be read.
    #[error("the census cannot be read: {0}")]
    Store(Arc<StoreError>),
    /// Too many ask at once, or it takes too long.
    #[error("too much is asked of this census just now")]
    Busy,
    /// A part of the program failed.
    #[error("a part of this program failed; it has noted how")]
    Internal,
}

impl Failure {
    /// The status of the answer.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::NoPage | Self::NotHere { .. } => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::Input { .. } => StatusCode::BAD_REQUEST,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Store(_) | Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// What may help.
    pub(crate) fn advice(&self) -> &str {
        match self {
            Self::NotHere { advice, .. } | Self::Input { advice, .. } => advice,
            Self::NoPage => "The chart, the list of games and the search lead everywhere.",
            Self::Busy => "Ask again in a moment.",
            Self::Method => "",
            Self::Store(_) | Self::Internal => "Whoever serves it finds more in its log.",
        }
    }

    /// A name for machines.
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

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(Arc::new(error))
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Store(error) => error.into(),
            ReportError::Published(_) | ReportError::Comparison(_) => {
                tracing::error!(%error, "cannot make a report");
                Self::Internal
            }
        }
    }
}

impl From<askama::Error> for Failure {
    fn from(error: askama::Error) -> Self {
        tracing::error!(%error, "cannot set a page");
        Self::Internal
    }
}

/// The failure itself; whoever hands the answer out gives it its form.
impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        if let Self::Store(error) = &self {
            tracing::warn!(%error, "the page cannot read the census");
        }
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}
