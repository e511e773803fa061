//! The API of a census, for programs.
//!
//! Programs get the facts that people see, as JSON, under `/api/v1`. [`crate::view::description`]
//! describes it;
//! the tests compare the answers with the description. A change of existing fields needs a new
//! version; new fields do not.

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::{FromRef, Query as Parameters, State};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use misere_query::RecordDocument;
use misere_store::ClassNames;

use crate::request::answer::{as_json, json, sorted_json};
use crate::request::certificate;
use crate::request::events::stream;
use crate::request::params::{PathParam, QueryParams, number, only};
use crate::view::atlas::{AtlasView, ON_A_PAGE, shown};
use crate::view::calculation;
use crate::view::class::{ClassInfo, ClassView, key};
use crate::view::description::DESCRIPTION;
use crate::view::error::RequestError;
use crate::view::game;
use crate::view::games::Games;
use crate::view::identity::{self, IdentityView};
use crate::view::live::CensusView;
use crate::view::occurring::Classes;
use crate::view::site::Site;

/// The number of games that the document of a class lists.
const LISTED: usize = 1_000;

/// Returns the routes of the API.
pub(crate) fn routes<S>() -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    Site: FromRef<S>,
{
    Router::new()
        .route(
            "/api/v1/openapi.json",
            get(async || as_json(DESCRIPTION.as_str())),
        )
        .route("/api/v1/census", get(census))
        .route("/api/v1/chart", get(chart_of))
        .route("/api/v1/games", get(games))
        .route("/api/v1/games/{code}", get(one_game))
        .route(
            "/api/v1/games/{code}/solution",
            get(certificate::as_json_document),
        )
        .route(
            "/api/v1/games/{code}/certificate",
            get(certificate::as_checked),
        )
        .route("/api/v1/games/{code}/outcome", get(outcome_of))
        .route("/api/v1/classes/{class}/product", get(product_in))
        .route("/api/v1/compare", get(compare))
        .route("/api/v1/classes", get(classes))
        .route("/api/v1/classes/{class}", get(one_class))
        .route("/api/v1/atlas", get(atlas_of))
        .route("/api/v1/identify", get(identify))
        .route("/api/v1/live", get(live_now))
        .route("/api/v1/live/events", get(live_events))
        .route("/api/{*rest}", get(async || RequestError::NoPage))
}

async fn census(State(site): State<Site>) -> Result<Response, RequestError> {
    let live = site.live().await?;
    let document = site.block(move |site| {
        let made = site.charts().latest()?;
        sorted_json(&CensusView::new(&live, &made.completeness))
    });
    Ok(as_json(document.await?))
}

async fn chart_of(State(site): State<Site>) -> Result<Response, RequestError> {
    let document = site.block(|site| sorted_json(&site.charts().latest()?.boxes()));
    Ok(as_json(document.await?))
}

async fn games(State(site): State<Site>, asked: QueryParams) -> Result<Response, RequestError> {
    let query = asked.query()?;
    let document = site.read(move |store| {
        let next = |offset| asked.at("/api/v1/games", offset);
        sorted_json(&Games::of(store, &query, next)?)
    });
    Ok(as_json(document.await?))
}

async fn one_game(
    State(site): State<Site>,
    PathParam(text): PathParam,
) -> Result<Response, RequestError> {
    let code = game::code(&text)?;
    let document = site.read(move |store| {
        let game = game::known(store, &code)?;
        let name = ClassNames::default().of(store, &game.record.class)?;
        json(&RecordDocument::new(game, name))
    });
    Ok(as_json(document.await?))
}

async fn outcome_of(
    State(site): State<Site>,
    PathParam(code): PathParam,
    Parameters(asked): Parameters<BTreeMap<String, String>>,
) -> Result<Response, RequestError> {
    only(&asked, &["position"])?;
    let position = asked.get("position").cloned().unwrap_or_default();
    let document = site.compute(move |site| {
        let store = &*site.census().store()?;
        json(&calculation::outcome(store, &code, &position)?.answer)
    });
    Ok(as_json(document.await?))
}

async fn compare(
    State(site): State<Site>,
    Parameters(asked): Parameters<BTreeMap<String, String>>,
) -> Result<Response, RequestError> {
    only(&asked, &["first", "second"])?;
    let game = |name: &str| {
        let text = asked.get(name).cloned();
        text.ok_or_else(|| {
            RequestError::input(
                format!("`{name}` is missing"),
                "For example first=0.123:3 and second=0.123:4.",
            )
        })
    };
    let (first, second) = (game("first")?, game("second")?);
    let document = site.compute(move |_| json(&calculation::comparison(&first, &second)?));
    Ok(as_json(document.await?))
}

async fn classes(
    State(site): State<Site>,
    Parameters(asked): Parameters<BTreeMap<String, String>>,
) -> Result<Response, RequestError> {
    let input = |message: String| RequestError::Input {
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
        sorted_json(&Classes::of(&found, order))
    });
    Ok(as_json(document.await?))
}

async fn atlas_of(
    State(site): State<Site>,
    Parameters(asked): Parameters<BTreeMap<String, String>>,
) -> Result<Response, RequestError> {
    only(&asked, &["order", "offset", "limit"])?;
    let offset = number(&asked, "offset")?.unwrap_or(0);
    let limit = number(&asked, "limit")?.unwrap_or(ON_A_PAGE);
    if limit > LISTED {
        return Err(RequestError::Input {
            message: format!("at most {LISTED} are given at once"),
            advice: "For example limit=500.".to_owned(),
        });
    }
    let order = number(&asked, "order")?;
    // No quotient has so great an order.
    let order = order.map(|order| u32::try_from(order).unwrap_or(u32::MAX));
    let document = site.block(move |site| {
        let atlas = shown(site.atlas())?;
        sorted_json(&AtlasView::of(atlas, order, offset, limit))
    });
    Ok(as_json(document.await?))
}

async fn one_class(
    State(site): State<Site>,
    PathParam(text): PathParam,
) -> Result<Response, RequestError> {
    let document = site.compute(move |site| {
        let store = &*site.census().store()?;
        let class = ClassInfo::in_census(store, key(store, &text)?)?;
        sorted_json(&ClassView::of(store, site.atlas(), &class, LISTED)?)
    });
    Ok(as_json(document.await?))
}

async fn product_in(
    State(site): State<Site>,
    PathParam(class): PathParam,
    Parameters(asked): Parameters<BTreeMap<String, String>>,
) -> Result<Response, RequestError> {
    only(&asked, &["word"])?;
    let word = asked.get("word").cloned();
    let word =
        word.ok_or_else(|| RequestError::input("`word` is missing", "For example b·c^2."))?;
    let document = site.compute(move |site| {
        let store = &*site.census().store()?;
        json(&calculation::product(store, &class, &word)?)
    });
    Ok(as_json(document.await?))
}

async fn identify(State(site): State<Site>, asked: QueryParams) -> Result<Response, RequestError> {
    let written = identity::presentation(asked.text("q").unwrap_or_default())?;
    let found = identity::class_of(&site, written).await?;
    let document = site.block(move |site| {
        let store = &*site.census().store()?;
        sorted_json(&IdentityView::of(store, site.atlas(), &found)?)
    });
    Ok(as_json(document.await?))
}

async fn live_now(State(site): State<Site>) -> Result<Response, RequestError> {
    Ok(as_json(sorted_json(&*site.live().await?)?))
}

async fn live_events(State(site): State<Site>) -> Result<impl IntoResponse, RequestError> {
    stream(site, |live| {
        let document = String::from_utf8(sorted_json(live)?).map_err(|_| RequestError::Internal)?;
        Ok(Event::default().event("now").data(document))
    })
}
