//! The pages of the atlas: the misère quotients of small order, each with its least games.
//!
//! The least games are given for some censuses. The atlas is a file beside the census that is
//! shown, and may cover other games. Things without a page in this census are named without a link.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{Query as Parameters, State};
use misere_census::atlas::{Answer, Atlas, AtlasPlace, Entry, SearchedCensus};

use misere_store::{Store, StoreError};

use super::links::Link;
use super::shell::{Shell, thousands};
use super::template::Page;
use crate::request::params::{PathParam, number, only};
use crate::view::atlas::{ON_A_PAGE, at, listed, shown};
use crate::view::error::RequestError;
use crate::view::site::Site;

/// The digits of a digest that are shown.
const DIGEST_SHOWN: usize = 16;

/// A text with a link, where there is a page for it.
pub(crate) struct Mention {
    /// The address, if there is one.
    pub(crate) href: Option<String>,
    /// The text, as HTML.
    pub(crate) text: String,
    /// The words behind the link.
    pub(crate) behind: String,
}

impl Mention {
    fn of_class(store: &Store, entry: &Entry) -> Result<Self, StoreError> {
        let link = Link::to_class(&entry.class, entry.name.as_deref());
        let is_here = store.class(&entry.class)?.is_some();
        Ok(Self {
            href: is_here.then(|| link.href.clone()),
            text: link.set(),
            behind: String::new(),
        })
    }

    /// Returns an answer in these words, which begin with the name of the game.
    fn of_answer(store: &Store, answer: &Answer, words: &str) -> Result<Self, StoreError> {
        let Some(code) = answer.code() else {
            return Ok(Self {
                href: None,
                text: String::new(),
                behind: words.to_owned(),
            });
        };
        let link = Link::to_game(code);
        let behind = words.strip_prefix(&link.text).unwrap_or(words).to_owned();
        let is_here = store.game(code)?.is_some();
        Ok(Self {
            href: is_here.then(|| link.href.clone()),
            text: link.set(),
            behind,
        })
    }
}

/// The line of the atlas on the page of a class.
pub(crate) struct OfClass {
    /// The order, which the atlas has a page for.
    pub(crate) order: u32,
    /// Each census in words, with its answer.
    pub(crate) answers: Vec<(String, Mention)>,
}

impl OfClass {
    /// Returns the line of an atlas on a class, if the atlas lists the class.
    pub(crate) fn of(
        atlas: Option<&Atlas>,
        store: &Store,
        class: &misere_game::bipartite::ClassKey,
    ) -> Result<Option<Self>, StoreError> {
        let Some((atlas, AtlasPlace::Entry(entry))) =
            atlas.map(|atlas| (atlas, atlas.look_up(class, None)))
        else {
            return Ok(None);
        };
        let answers = atlas.censuses().iter().zip(&entry.answers);
        let answers = answers.map(|(census, answer)| {
            let mention = Mention::of_answer(store, answer, &census.sentence(answer))?;
            Ok((census.bounds.to_string(), mention))
        });
        Ok(Some(Self {
            order: entry.order,
            answers: answers.collect::<Result<_, StoreError>>()?,
        }))
    }
}

/// A census of the atlas.
struct CensusLine {
    games: String,
    tasks: String,
    records: String,
    digest: String,
}

/// An order of the atlas.
struct OrderLine {
    order: u32,
    quotients: String,
    is_complete: bool,
    /// The number of quotients that some game has, for each census.
    met: Vec<usize>,
}

struct Row {
    order: u32,
    p_size: u32,
    class: Mention,
    answers: Vec<Mention>,
}

#[derive(Template)]
#[template(path = "atlas.html")]
struct AtlasPage {
    shell: Shell,
    extent: String,
    censuses: Vec<CensusLine>,
    /// The order that is listed; `None` for all quotients that some game has.
    order: Option<u32>,
    orders: Vec<OrderLine>,
    rows: Vec<Row>,
    first: usize,
    total: usize,
    previous: Option<String>,
    next: Option<String>,
    api: String,
}

impl AtlasPage {
    fn of(
        site: &Site,
        atlas: &Atlas,
        store: &Store,
        order: Option<u32>,
        offset: usize,
    ) -> Result<Self, RequestError> {
        let all = listed(atlas, order);
        if let Some(order) = order.filter(|_| all.is_empty()) {
            return Err(RequestError::NotHere {
                message: format!("the atlas has no quotients of order {order}"),
                advice: format!("It lists {}.", atlas.extent()),
            });
        }
        let on_page = all.iter().skip(offset).take(ON_A_PAGE);
        let rows: Vec<Row> = on_page
            .map(|entry| row(store, entry))
            .collect::<Result<_, StoreError>>()?;
        let end = offset.saturating_add(rows.len());
        let path = order.map_or("/atlas".to_owned(), |order| format!("/atlas/{order}"));
        let title = match order {
            Some(order) => format!("Atlas: quotients of order {order}"),
            None => "Atlas of misère quotients".to_owned(),
        };
        let of_order = order.map_or(String::new(), |order| format!("order={order}&"));
        Ok(Self {
            shell: Shell::of(site, store, "/quotients", title),
            extent: atlas.extent(),
            censuses: atlas.censuses().iter().map(census_line).collect(),
            orders: match order {
                None => order_lines(atlas),
                Some(_) => Vec::new(),
            },
            order,
            first: offset.saturating_add(1),
            total: all.len(),
            previous: (offset > 0).then(|| at(&path, offset.saturating_sub(ON_A_PAGE))),
            next: (end < all.len()).then(|| at(&path, end)),
            api: format!("/api/v1/atlas?{of_order}offset={offset}&limit={ON_A_PAGE}"),
            rows,
        })
    }
}

fn row(store: &Store, entry: &Entry) -> Result<Row, StoreError> {
    let answers = entry.answers.iter();
    let answers = answers.map(|answer| Mention::of_answer(store, answer, &answer.to_string()));
    Ok(Row {
        order: entry.order,
        p_size: entry.p_size,
        class: Mention::of_class(store, entry)?,
        answers: answers.collect::<Result<_, _>>()?,
    })
}

fn census_line(census: &SearchedCensus) -> CensusLine {
    let extent = &census.completeness;
    CensusLine {
        games: census.bounds.to_string(),
        tasks: thousands(extent.tasks),
        records: thousands(extent.records),
        digest: extent.digest.chars().take(DIGEST_SHOWN).collect(),
    }
}

fn order_lines(atlas: &Atlas) -> Vec<OrderLine> {
    let mut orders: BTreeMap<u32, Vec<&Entry>> = BTreeMap::new();
    for entry in atlas.entries() {
        orders.entry(entry.order).or_default().push(entry);
    }
    let lines = orders.into_iter().map(|(order, entries)| {
        let met = |at: usize| {
            let answers = entries.iter().filter_map(|entry| entry.answers.get(at));
            answers.filter(|answer| answer.code().is_some()).count()
        };
        OrderLine {
            order,
            quotients: thousands(entries.len() as u64),
            is_complete: atlas.complete_orders().contains_key(&order),
            met: (0..atlas.censuses().len()).map(met).collect(),
        }
    });
    lines.collect()
}

async fn set(
    site: Site,
    order: Option<u32>,
    asked: BTreeMap<String, String>,
) -> Result<Page, RequestError> {
    only(&asked, &["offset"])?;
    let offset = number(&asked, "offset")?.unwrap_or(0);
    site.block(move |site| {
        let atlas = shown(site.atlas())?;
        let store = site.census().store()?;
        Page::set(&AtlasPage::of(site, atlas, &store, order, offset)?)
    })
    .await
}

/// Serves the page of all quotients that some game has.
pub(super) async fn page(
    State(site): State<Site>,
    Parameters(asked): Parameters<BTreeMap<String, String>>,
) -> Result<Page, RequestError> {
    set(site, None, asked).await
}

/// Serves the page of one order.
pub(super) async fn of_order(
    State(site): State<Site>,
    PathParam(text): PathParam,
    Parameters(asked): Parameters<BTreeMap<String, String>>,
) -> Result<Page, RequestError> {
    let order = text.parse().map_err(|_| RequestError::Input {
        message: format!("`{text}` is not an order of a quotient"),
        advice: "An order is a number such as 8.".to_owned(),
    })?;
    set(site, Some(order), asked).await
}
