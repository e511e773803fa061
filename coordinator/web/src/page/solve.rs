//! The page that solves a game in the browser, and the files that it loads.

use askama::Template;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::shell::Shell;
use super::template::Page;
use crate::request::answer::answer;
use crate::request::params::PathParam;
use crate::view::error::RequestError;
use crate::view::site::Site;

/// The content policy of the files: a worker compiles the module, and loads nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

#[derive(Template)]
#[template(path = "solve.html")]
struct SolvePage<'a> {
    shell: Shell,
    /// The content of the page, as HTML.
    main: &'a str,
}

/// Serves the page, if the site has the solver.
pub(super) async fn page(State(site): State<Site>) -> Result<Page, RequestError> {
    site.block(|site| {
        let solver = site.browser_solver().ok_or(RequestError::NoPage)?;
        let store = site.census().store()?;
        Page::set(&SolvePage {
            shell: Shell::of(site, &store, "/solve", "Solve a game"),
            main: solver.main(),
        })
    })
    .await
}

/// Serves one of the files.
pub(super) async fn file(
    State(site): State<Site>,
    PathParam(name): PathParam,
) -> Result<Response, RequestError> {
    let file = site.browser_solver().and_then(|solver| solver.file(&name));
    let (kind, content) = file.ok_or(RequestError::NoPage)?;
    let policy = [(header::CONTENT_SECURITY_POLICY, POLICY)];
    Ok((policy, answer(kind, content)).into_response())
}
