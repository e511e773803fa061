//! The pages of a census, for people.
//!
//! The pages are few, made on the machine that has the census, and complete without scripts; a
//! script makes them more convenient. They only read.
//!
//! The facts come from `view`, and a page adds words, links and formulas to them.
//!
//! - `handling`: the handling of requests; `pages`: the state of the pages
//! - `template`, `shell`, `links`, `math`, `assets`: the frame of every page, links and formulas
//! - `chart`, `games`, `game`, `class`, `quotients`, `atlas`, `search`, `live`, `about`,
//!   `glossary`, `about_api`, `solve`, `calculator`: the pages
//! - `board`: a game against the computer
//! - `strip`, `claims`, `pattern`, `structure`, `nim`, `related`, `copied`: parts of the pages
//! - `explained`: the meanings of terms, which open in place
//! - `suggestions`: where a text may lead that names nothing
//! - `cache`: the cached facts of pages
//! - `phrase`, `beginnings`: the conditions and the sequences that the search box understands
//!
//! The requests are limited: their number at once, the time of each, the connections, and the
//! viewers of the live view.

mod about;
mod about_api;
pub(crate) mod assets;
mod atlas;
mod beginnings;
mod board;
mod cache;
mod calculator;
mod chart;
mod claims;
mod class;
mod copied;
mod explained;
mod game;
mod games;
mod glossary;
mod handling;
mod links;
mod live;
mod math;
mod nim;
mod open;
mod p_positions;
pub(crate) mod pages;
mod pattern;
pub(crate) mod phrase;
mod quotients;
mod related;
mod search;
pub(crate) mod shell;
mod solve;
mod strip;
mod structure;
mod suggestions;
mod template;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::routing::get;

use crate::request::certificate;
pub use crate::request::connections::serve;
pub use crate::view::browser_solver::{BrowserSolver, BrowserSolverError};
pub use crate::view::census::Census;
use crate::view::error::RequestError;
pub use crate::view::extra_data::ExtraData;
use crate::view::site::Site;
use pages::Pages;

/// Returns the pages and the API of a census, with the supplements that are shown beside it.
///
/// Known nim-values are shown instead of computed. Others are computed to heap `normal_heaps` once
/// the census is finished; with `None` the chart leaves open what takes longer than a moment.
pub fn router(census: Census, normal_heaps: Option<u32>, beside: ExtraData) -> Router {
    let site = Site::new(census, normal_heaps, beside);
    routes()
        .layer(from_fn(handling::handle_request))
        .with_state(Pages::new(site))
}

/// Returns the pages and the API, with neither limits nor the headers of answers.
pub(crate) fn routes() -> Router<Pages> {
    Router::new()
        .route("/", get(chart::page))
        .route("/game/{code}", get(game::page))
        .route("/game/{code}/certificate", get(certificate::as_checked))
        .route(
            "/game/{code}/certificate.json",
            get(certificate::as_json_document),
        )
        .route("/game/{code}/growth.svg", get(game::growth))
        .route("/game/{code}/p-positions.svg", get(game::p_positions))
        .route("/game/{code}/play", get(board::page))
        .route("/games", get(games::page))
        .route("/games.csv", get(games::csv))
        .route("/random", get(games::random))
        .route("/class/{key}", get(class::page))
        .route("/class/{key}/classes.svg", get(class::egg_boxes))
        .route("/class/{key}/cayley.svg", get(class::cayley))
        .route(
            "/class/{key}/idempotents.svg",
            get(class::order_of_idempotents),
        )
        .route("/quotients", get(quotients::page))
        .route("/quotients/{order}", get(quotients::of_order))
        .route("/open", get(open::page))
        .route("/atlas", get(atlas::page))
        .route("/atlas/{order}", get(atlas::of_order))
        .route("/search", get(search::page))
        .route("/solve", get(solve::page))
        .route("/solver/{name}", get(solve::file))
        .route("/calculator", get(calculator::page))
        .route("/live", get(live::page))
        .route("/live/events", get(live::events))
        .route("/about", get(about::page))
        .route("/glossary", get(glossary::page))
        .route("/api", get(about_api::page))
        .route("/assets/{name}", get(assets::asset))
        .merge(crate::api::routes())
        .fallback(async || RequestError::NoPage)
        .method_not_allowed_fallback(async || RequestError::Method)
}

/// Returns the pages and the API of a census with the addresses of probes.
///
/// They are served beside a coordinator or without one. The probes of supervisors: `/healthz`, the
/// process is alive, and `/readyz`, the census can be read. A coordinator has these of its own
/// ([`crate::http`]).
pub fn router_with_health(census: Census, normal_heaps: u32, beside: ExtraData) -> Router {
    let ready = async |State(census): State<Census>| {
        let read = tokio::task::spawn_blocking(move || census.store().map(drop));
        match read.await {
            Ok(Ok(())) => (StatusCode::OK, "ready\n"),
            _ => (
                StatusCode::SERVICE_UNAVAILABLE,
                "not ready: the census cannot be read\n",
            ),
        }
    };
    Router::new()
        .route("/healthz", get(async || "alive\n"))
        .route("/readyz", get(ready))
        .with_state(census.clone())
        .merge(router(census, Some(normal_heaps), beside))
}
