//! The form of answers, and of failures for programs.

use axum::http::StatusCode;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::view::error::RequestError;

/// Returns an answer that is not sent again to clients that have it.
pub(crate) fn answer(kind: &'static str, content: impl Into<Vec<u8>>) -> Response {
    let content = content.into();
    let hash = blake3::hash(&content).to_hex();
    let tag = format!("\"{}\"", &hash[..24]);
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::ETAG, tag),
    ];
    (headers, content).into_response()
}

/// Returns a document as JSON, its fields in the order of their declaration.
pub(crate) fn json(document: &impl Serialize) -> Result<Vec<u8>, RequestError> {
    serde_json::to_vec(document).map_err(not_written)
}

/// Returns a document as JSON, the fields of each object in alphabetical order.
pub(crate) fn sorted_json(document: &impl Serialize) -> Result<Vec<u8>, RequestError> {
    json(&serde_json::to_value(document).map_err(not_written)?)
}

fn not_written(error: serde_json::Error) -> RequestError {
    tracing::error!(%error, "cannot write a document");
    RequestError::Internal
}

/// Returns an answer of JSON.
pub(crate) fn as_json(document: impl Into<Vec<u8>>) -> Response {
    answer("application/json", document)
}

/// Returns a failure as JSON.
pub(crate) fn failure(failure: &RequestError) -> Response {
    let mut response = as_json(sorted_json(&failure.document()).unwrap_or_default());
    *response.status_mut() = failure.status();
    response
}

impl RequestError {
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
}

/// The failure itself; [`crate::page`] gives the answer its form.
impl IntoResponse for RequestError {
    fn into_response(self) -> Response {
        if let Self::Store(error) = &self {
            tracing::warn!(%error, "the page cannot read the census");
        }
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}
