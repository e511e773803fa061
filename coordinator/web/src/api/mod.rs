//! The API of a census, for programs.
//!
//! Programs get the facts that people see, as JSON, under `/api/v1`. [`description`] describes it;
//! the tests compare the answers with the description. A change of existing fields needs a new
//! version; new fields do not.

pub(crate) mod description;
mod documents;

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::{Query as Parameters, State};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Serialize;
use serde_json::json;

use misere_query::{KnownGame, RecordDocument};
use misere_store::answers::RecordCount;
use misere_store::{ClassNames, Store};

use crate::page::error::PageError;
use crate::page::games::total;
use crate::page::params::{PathParam, QueryParams};
use crate::page::site::{Site, answer};
use crate::page::{atlas, chart, class, game, live, search};

/// The number of games that the document of a class lists.
const LISTED: usize = 1_000;

/// Returns the routes of the API.
pub(crate) fn routes() -> Router<Site> {
    Router::new()
        .route(
            "/api/v1/openapi.json",
            get(async || answer("application/json", description::DESCRIPTION.as_str())),
        )
        .route("/api/v1/census", get(census))
        .route("/api/v1/chart", get(chart_of))
        .route("/api/v1/games", get(games))
        .route("/api/v1/games/{code}", get(one_game))
        .route(
            "/api/v1/games/{code}/solution",
            get(game::certificate_as_json),
        )
        .route("/api/v1/games/{code}/certificate", get(game::certificate))
        .route("/api/v1/classes", get(classes))
        .route("/api/v1/classes/{class}", get(one_class))
        .route("/api/v1/atlas", get(atlas_of))
        .route("/api/v1/identify", get(identify))
        .route("/api/v1/live", get(live_now))
        .route("/api/v1/live/events", get(live_events))
        .route("/api/{*rest}", get(async || PageError::NoPage))
}

/// Returns a failure as JSON.
pub(crate) fn failure(failure: &PageError) -> Response {
    let document = json!({
        "error": failure.name(),
        "says": failure.to_string(),
        "advice": failure.advice(),
    });
    let mut response = answer("application/json", document.to_string()).into_response();
    *response.status_mut() = failure.status();
    response
}

fn written(document: &impl Serialize) -> Result<Vec<u8>, PageError> {
    serde_json::to_vec(document).map_err(|error| {
        tracing::error!(%error, "cannot write a document");
        PageError::Internal
    })
}

fn as_json(document: Vec<u8>) -> Response {
    answer("application/json", document)
}

async fn census(State(site): State<Site>) -> Result<Response, PageError> {
    let live = live::live(&site).await?;
    let document = site.block(move |site| {
        let made = chart::made(site)?;
        written(&documents::census(&made.completeness, &live))
    });
    Ok(as_json(document.await?))
}

async fn chart_of(State(site): State<Site>) -> Result<Response, PageError> {
    let document = site.block(|site| written(&documents::chart(&chart::made(site)?)));
    Ok(as_json(document.await?))
}

async fn games(State(site): State<Site>, asked: QueryParams) -> Result<Response, PageError> {
    let query = asked.query()?;
    let document = site.read(move |store| {
        let (hits, _) = misere_store::answers::collect(store, &query)?;
        let found = hits.len() as u64;
        let mut names = ClassNames::default();
        let games: Vec<_> = hits
            .into_iter()
            .map(|hit| record_document(store, hit, &mut names))
            .collect::<Result<_, _>>()?;
        let next = (query.limit == Some(found) && found > 0)
            .then(|| asked.at("/api/v1/games", query.offset.saturating_add(found)));
        let total = match total(store, &query)? {
            RecordCount::All(total) => Some(total),
            RecordCount::AtLeast(_) => None,
        };
        written(&json!({ "games": games, "next": next, "total": total }))
    });
    Ok(as_json(document.await?))
}

fn record_document(
    store: &Store,
    hit: KnownGame,
    names: &mut ClassNames,
) -> Result<RecordDocument, PageError> {
    let name = names.of(store, &hit.record.class)?;
    Ok(RecordDocument::new(hit, name))
}

async fn one_game(
    State(site): State<Site>,
    PathParam(text): PathParam,
) -> Result<Response, PageError> {
    let code = game::code(&text)?;
    let document = site.read(move |store| {
        let game = game::known(store, &code)?;
        written(&record_document(store, game, &mut ClassNames::default())?)
    });
    Ok(as_json(document.await?))
}

async fn classes(
    State(site): State<Site>,
    Parameters(asked): Parameters<BTreeMap<String, String>>,
) -> Result<Response, PageError> {
    let input = |message: String| PageError::Input {
        message,
        advice: "For example order=8, or nothing for all orders.".to_owned(),
    };
    if let Some(name) = asked.keys().find(|name| *name != "order") {
        return Err(input(format!("nothing is called `{name}` here")));
    }
    let order: Option<u32> = asked
        .get("order")
        .map(|order| order.parse())
        .transpose()
        .map_err(|_| input("an order is a number".to_owned()))?;
    let document = site.block(move |site| {
        let found = site.occurrences()?;
        written(&documents::classes(&found, order))
    });
    Ok(as_json(document.await?))
}

async fn atlas_of(
    State(site): State<Site>,
    Parameters(asked): Parameters<BTreeMap<String, String>>,
) -> Result<Response, PageError> {
    atlas::only(&asked, &["order", "offset", "limit"])?;
    let offset = atlas::number(&asked, "offset")?.unwrap_or(0);
    let limit = atlas::number(&asked, "limit")?.unwrap_or(atlas::ON_A_PAGE);
    if limit > LISTED {
        return Err(PageError::Input {
            message: format!("at most {LISTED} are given at once"),
            advice: "For example limit=500.".to_owned(),
        });
    }
    let order = atlas::number(&asked, "order")?;
    // No quotient has so great an order.
    let order = order.map(|order| u32::try_from(order).unwrap_or(u32::MAX));
    let document = site.block(move |site| {
        let atlas = atlas::shown(site)?;
        written(&documents::atlas(atlas, order, offset, limit))
    });
    Ok(as_json(document.await?))
}

async fn one_class(
    State(site): State<Site>,
    PathParam(text): PathParam,
) -> Result<Response, PageError> {
    let document = site.block(move |site| {
        let store = &*site.census().store()?;
        let class = class::ClassInfo::in_census(store, class::key(store, &text)?)?;
        written(&documents::class(store, site.atlas(), &class, LISTED)?)
    });
    Ok(as_json(document.await?))
}

async fn identify(State(site): State<Site>, asked: QueryParams) -> Result<Response, PageError> {
    let written_by_somebody = search::presentation(asked.text("q").unwrap_or_default())?;
    let found = search::class_of(&site, written_by_somebody).await?;
    let document = site.block(move |site| {
        let store = &*site.census().store()?;
        written(&documents::identity(store, site.atlas(), &found)?)
    });
    Ok(as_json(document.await?))
}

async fn live_now(State(site): State<Site>) -> Result<Response, PageError> {
    Ok(as_json(written(&documents::live(
        &*live::live(&site).await?,
    ))?))
}

async fn live_events(State(site): State<Site>) -> Result<impl IntoResponse, PageError> {
    live::stream(site, |live| {
        let document = serde_json::to_string(&documents::live(live));
        let document = document.map_err(|_| PageError::Internal)?;
        Ok(Event::default().event("now").data(document))
    })
}
