//! What do programs see of a census?
//!
//! The same as people, as JSON, under `/api/v1`. `openapi.json` describes it; the tests hold the answers against that.

use axum::Router;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::page::failure::Failure;
use crate::page::site::{Site, answer};

/// The addresses.
pub(crate) fn routes() -> Router<Site> {
    Router::new()
}

/// A failure as JSON.
pub(crate) fn failure(failure: &Failure) -> Response {
    let document = json!({
        "error": failure.name(),
        "says": failure.to_string(),
        "advice": failure.advice(),
    });
    let mut response = answer("application/json", document.to_string()).into_response();
    *response.status_mut() = failure.status();
    response
}
