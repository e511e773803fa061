//! The certificate of a game as a file.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use misere_game::ruleset::Code;

use super::answer::{answer, as_json, json};
use super::params::PathParam;
use crate::view::error::RequestError;
use crate::view::game;
use crate::view::site::Site;

/// Serves the certificate as it was checked.
pub(crate) async fn as_checked(
    State(site): State<Site>,
    PathParam(text): PathParam,
) -> Result<Response, RequestError> {
    let code = game::code(&text)?;
    let name = file_name(&code, "certificate");
    let bytes = site
        .read(move |store| game::certificate(store, &game::known(store, &code)?))
        .await?;
    Ok(attached(answer("application/octet-stream", bytes), &name))
}

/// Serves the certificate as a JSON document.
pub(crate) async fn as_json_document(
    State(site): State<Site>,
    PathParam(text): PathParam,
) -> Result<Response, RequestError> {
    let code = game::code(&text)?;
    let name = file_name(&code, "json");
    let json = site.read(move |store| json(&game::document(store, &code)?));
    Ok(attached(as_json(json.await?), &name))
}

fn attached(response: Response, name: &str) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_DISPOSITION, disposition)], response).into_response()
}

/// Returns the name of a file for a game, which every system takes.
fn file_name(code: &Code, ending: &str) -> String {
    let text = code.to_string();
    let plain = text.chars().map(|c| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '.' => c,
        _ => '_',
    });
    let plain: String = plain.take(60).collect();
    format!("{plain}.{ending}")
}
