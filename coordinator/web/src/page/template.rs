//! A page as it is sent.

use askama::Template;
use axum::response::{IntoResponse, Response};

use super::explained::with_meanings;
use crate::request::answer::answer;
use crate::view::error::RequestError;

/// A page as HTML.
pub(super) struct Page(String);

impl Page {
    /// Renders a page. May take a while where there is much to set.
    pub(super) fn set(template: &impl Template) -> Result<Self, RequestError> {
        Ok(Self(with_meanings(template.render()?)))
    }
}

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        answer("text/html; charset=utf-8", self.0)
    }
}

impl From<askama::Error> for RequestError {
    fn from(error: askama::Error) -> Self {
        tracing::error!(%error, "cannot set a page");
        Self::Internal
    }
}
