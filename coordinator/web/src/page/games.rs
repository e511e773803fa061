//! The page of a list of games, and the list as CSV.

use std::hash::{BuildHasher, Hasher, RandomState};

use askama::Template;
use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Redirect, Response};
use misere_census::{Record, Status};

use misere_query::{Field, Sort, Tameness};
use misere_report::csv_line;
use misere_report::facts::figure1::Kind;
use misere_store::Store;
use misere_store::answers::RecordCount;

use super::links::Link;
use super::shell::{Shell, thousands};
use super::template::Page;
use crate::request::answer::answer;
use crate::request::params::{LIMIT, QueryParams};
use crate::view::error::RequestError;
use crate::view::games::{FoundGames, found};
use crate::view::site::Site;

/// The number of lines of the CSV file, unless the request has a smaller limit.
const CSV_LINES: u64 = 20_000;

struct Row {
    game: Link,
    /// The name of the game, with the code that has it if that is another one.
    name: Option<String>,
    class: Link,
    look: Kind,
    stands: String,
    record: Record,
    period: Option<(u32, u32)>,
}

/// A heading of a column.
struct Head {
    text: &'static str,
    /// The term of the glossary that explains the column.
    term: Option<&'static str>,
    /// The address of the list sorted by this column, if it can be sorted by it.
    sorted: Option<String>,
    /// The direction in which the list is sorted by this column.
    ///
    /// It is for people who do not see the arrow.
    now: Option<&'static str>,
}

#[derive(Template)]
#[template(path = "games.html")]
struct GamesPage {
    shell: Shell,
    asked: QueryParams,
    heads: Vec<Head>,
    rows: Vec<Row>,
    first: u64,
    /// The number of all games of the list.
    total: String,
    previous: Option<String>,
    next: Option<String>,
    csv: String,
    /// The number of games in the CSV file, in words.
    csv_says: String,
    api: String,
}

/// Redirects to the page of a game drawn at random, each with the same probability.
///
/// If there is none, it redirects to the list of games, which says so.
pub(super) async fn random(State(site): State<Site>) -> Result<Response, RequestError> {
    let game = site
        .read(|store| {
            let drawn = RandomState::new().build_hasher().finish();
            let query = misere_query::Query {
                offset: drawn.checked_rem(store.counters().records()).unwrap_or(0),
                limit: Some(1),
                ..misere_query::Query::default()
            };
            let (found, _) = misere_store::answers::collect(store, &query)?;
            let game = found.into_iter().next();
            Ok(game.map(|game| Link::to_game(&game.record.code).href))
        })
        .await?;
    let address = game.unwrap_or_else(|| "/games".to_owned());
    Ok(([(CACHE_CONTROL, "no-store")], Redirect::to(&address)).into_response())
}

/// Returns the name of a game, with the code that has it if that is not the one shown.
fn named(record: &Record) -> Option<String> {
    let own = record.code.name().map(str::to_owned);
    own.or_else(|| {
        let other = record.codes().find(|code| code.name().is_some())?;
        Some(format!("{} ({other})", other.name()?))
    })
}

impl GamesPage {
    fn of(site: &Site, store: &Store, asked: QueryParams) -> Result<Self, RequestError> {
        let query = asked.query()?;
        let limit = query.limit.unwrap_or(LIMIT);
        let FoundGames { games, total } = FoundGames::of(store, &query)?;
        let offset = query.offset;
        let end = offset.saturating_add(games.len() as u64);
        let has_more = games.len() as u64 == limit && total != RecordCount::All(end);
        let rows = games.into_iter().map(|(hit, name)| {
            let conclusion = hit.record.conclusion();
            let game_name = named(&hit.record);
            Row {
                name: game_name,
                game: Link::to_game(&hit.record.code),
                class: Link::to_class(&hit.record.class, name.as_deref()),
                look: Kind::of(conclusion, hit.record.tame),
                stands: conclusion.sentence_with(hit.record.tame),
                period: hit.record.verdict.period(),
                record: hit.record,
            }
        });
        let rows = rows.collect();
        let previous = (offset > 0).then(|| asked.at("/games", offset.saturating_sub(limit)));
        let next = has_more.then(|| asked.at("/games", end));
        Ok(Self {
            shell: Shell::of(site, store, "/games", "Games"),
            api: asked.at("/api/v1/games", offset),
            csv_says: match total {
                RecordCount::All(total) if total <= CSV_LINES => "All of these as CSV".to_owned(),
                _ => format!("The first {} of these as CSV", thousands(CSV_LINES)),
            },
            csv: asked.with("/games.csv", &[("offset", ""), ("limit", "")]),
            heads: heads(&asked, query.sort, query.descending),
            rows,
            first: offset.saturating_add(1),
            total: match total {
                RecordCount::All(total) => thousands(total),
                // The list on this page may be longer than the count.
                RecordCount::AtLeast(found) => format!("at least {}", thousands(found.max(end))),
            },
            previous,
            next,
            asked,
        })
    }

    fn statuses(&self) -> [Status; 6] {
        Status::ALL
    }

    fn tamenesses(&self) -> [Tameness; 3] {
        Tameness::ALL
    }

    fn sorts(&self) -> impl Iterator<Item = Sort> {
        Sort::all()
    }

    fn is(&self, name: &str, value: &str) -> bool {
        self.asked.text(name) == Some(value)
    }

    /// Returns the text fields of the form: name, label, hint.
    fn fields(&self) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
        let (classes, ranges): (Vec<Field>, Vec<Field>) = Field::ALL
            .into_iter()
            .partition(|field| field.kind() == misere_query::Kind::Class);
        let fields = ranges.into_iter().chain(classes);
        fields.filter_map(|field| {
            let (label, hint) = field.form()?;
            Some((field.name(), label, hint))
        })
    }
}

fn heads(asked: &QueryParams, sort: Sort, descending: bool) -> Vec<Head> {
    let columns = [
        ("game", None, Some(Sort::CODE)),
        ("what is known", None, None),
        ("order", Some("order"), Sort::by(Field::Order)),
        ("|P|", Some("p-portion"), Sort::by(Field::PSize)),
        ("period", Some("period"), Sort::by(Field::Period)),
        ("preperiod", Some("period"), Sort::by(Field::Preperiod)),
        ("heaps", Some("heaps"), Sort::by(Field::Heaps)),
        ("class", Some("class"), None),
    ];
    let heads = columns.into_iter().map(|(text, term, by)| Head {
        text,
        term,
        sorted: by.map(|by| {
            // A second click reverses the order.
            let turned = by == sort && !descending;
            let descending = if turned { "1" } else { "" };
            let by = if by == Sort::CODE { "" } else { by.name() };
            asked.with(
                "/games",
                &[("sort", by), ("descending", descending), ("offset", "")],
            )
        }),
        now: (by == Some(sort)).then_some(match descending {
            true => "descending",
            false => "ascending",
        }),
    });
    heads.collect()
}

/// Serves a list of games.
pub(super) async fn page(
    State(site): State<Site>,
    asked: QueryParams,
) -> Result<Page, RequestError> {
    // Reject bad parameters before reading the store.
    asked.query()?;
    site.block(move |site| Page::set(&GamesPage::of(site, &*site.census().store()?, asked)?))
        .await
}

/// Serves a list of games as CSV (RFC 4180), a line for each.
pub(super) async fn csv(
    State(site): State<Site>,
    asked: QueryParams,
) -> Result<Response, RequestError> {
    let mut query = asked.query()?;
    if asked.text("limit").is_none() {
        query.limit = Some(CSV_LINES);
    }
    let lines = site
        .read(move |store| {
            let mut lines = format!("{}\n", CSV_COLUMNS.join(","));
            for (hit, name) in found(store, &query)? {
                let document = misere_query::RecordDocument::new(hit, name);
                let number = |number: Option<u32>| number.map_or(String::new(), |n| n.to_string());
                let tame = document
                    .tame
                    .map_or("", |tame| if tame { "yes" } else { "no" });
                let fields = [
                    document.code.to_string(),
                    document.representative.to_string(),
                    document.status,
                    tame.to_owned(),
                    document.order.to_string(),
                    document.p_size.to_string(),
                    number(document.period),
                    number(document.preperiod),
                    document.heaps.to_string(),
                    document.class.to_string(),
                    document.name.unwrap_or_default(),
                    document.fuel.to_string(),
                ];
                lines.push_str(&csv_line(fields, "\n"));
            }
            Ok(lines)
        })
        .await?;
    Ok(answer("text/csv; charset=utf-8", lines).into_response())
}

const CSV_COLUMNS: [&str; 12] = [
    "code",
    "kept_as",
    "status",
    "tame",
    "order",
    "p_size",
    "period",
    "preperiod",
    "heaps",
    "class",
    "name",
    "fuel",
];
