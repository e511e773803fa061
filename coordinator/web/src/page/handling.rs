//! The handling of requests: their time, and the headers and forms of answers.
//!
//! Answers carry headers that keep a browser from fetching or running anything but our own files,
//! and are not sent again to clients that have them.

use std::time::Duration;

use askama::Template;
use axum::body::Body;
use axum::extract::{Query, Request};
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use misere_census::shown_text::visible;

use super::math;
use super::shell::Shell;
use crate::request::answer::{answer, failure};
use crate::view::error::RequestError;

/// The time that a request may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(15);

/// The content policy of pages: no inline scripts or styles, no requests to others, no frames.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The content policy of pictures, which contain their own style and nothing else.
const PICTURE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage {
    shell: Shell,
    status: u16,
    message: String,
    /// The advice, as HTML.
    advice: String,
}

/// Handles a request, and gives its answer the right form.
pub(super) async fn handle_request(request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let sought = sought(request.uri());
    let has = request.headers().get(header::IF_NONE_MATCH).cloned();
    let asked = tokio::time::timeout(REQUEST_TIMEOUT, next.run(request)).await;
    let mut response = asked.unwrap_or_else(|_| RequestError::Busy.into_response());
    if let Some(error) = response.extensions().get::<RequestError>() {
        response = match is_api {
            true => failure(error),
            false => failure_page(error, sought),
        };
    } else if has.is_some() && response.headers().get(header::ETAG) == has.as_ref() {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_LENGTH);
    }
    protect(&mut response);
    if is_api {
        // Pages of other sites may read public data; nothing can be changed here, and no cookie
        // identifies the visitor.
        let anybody = HeaderValue::from_static("*");
        response
            .headers_mut()
            .insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, anybody);
    }
    response
}

/// Returns the text that was written into the search box, so that it can be corrected.
fn sought(address: &Uri) -> String {
    let asked = Query::<Vec<(String, String)>>::try_from_uri(address);
    let asked = asked.map_or_else(|_| Vec::new(), |Query(asked)| asked);
    let sought = asked.into_iter().find(|(name, _)| name == "q");
    let text = sought.map_or_else(String::new, |(_, text)| text);
    text.chars()
        .filter(|c| !c.is_control())
        .take(4_000)
        .collect()
}

fn failure_page(failure: &RequestError, sought: String) -> Response {
    let message = visible(&failure.to_string());
    let mut letters = message.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    let page = ErrorPage {
        shell: Shell {
            query: sought,
            ..Shell::bare("Nothing to show")
        },
        status: failure.status().as_u16(),
        message: first.into_iter().chain(letters.map(String::from)).collect(),
        advice: math::with_code(failure.advice()),
    };
    let mut response = match page.render() {
        Ok(html) => answer("text/html; charset=utf-8", html),
        Err(_) => failure.to_string().into_response(),
    };
    *response.status_mut() = failure.status();
    response
}

fn protect(response: &mut Response) {
    let headers = response.headers_mut();
    let is_picture = headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"image/svg"));
    let policy = if is_picture { PICTURE_POLICY } else { POLICY };
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(policy));
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
