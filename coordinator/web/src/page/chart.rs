//! The page of the chart, in the layout of Figure 1 of the paper.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};

use misere_answers::rules;
use misere_game::ruleset::Code;
use misere_query::KnownGame;
use misere_report::completeness::Completeness;
use misere_report::facts::figure1::{COLUMNS, Chart, Entry, Kind, Published};
use misere_store::Store;

use super::links::Link;
use super::shell::Shell;
use super::template::Page;
use crate::view::chart::ChartView;
use crate::view::error::RequestError;
use crate::view::site::Site;

struct Cell {
    link: Link,
    /// Whether the game has a page; 0.000, in which no move is possible, has none.
    has_page: bool,
    look: Kind,
    star: bool,
    is_computing: bool,
    differs: bool,
    text: String,
}

impl Cell {
    fn of(made: &ChartView, entry: &Entry) -> Self {
        Self {
            link: Link::to_game(&entry.code),
            has_page: entry.code.has_moves(),
            look: entry.kind(),
            star: entry.has_star(),
            is_computing: made.is_computing(entry),
            differs: made.difference(entry).is_some(),
            text: text(made, entry),
        }
    }
}

/// Returns the description of a box in one line.
fn text(made: &ChartView, entry: &Entry) -> String {
    match made.is_computing(entry) {
        true => entry.describe_with(Some(NOT_YET.to_owned())),
        false => entry.describe(),
    }
}

/// The remark on normal play that is not computed yet.
const NOT_YET: &str = "normal play is still to be computed";

struct Block {
    caption: String,
    rows: Vec<(String, Vec<Cell>)>,
}

struct LegendLine {
    look: Kind,
    codes: usize,
    starred: usize,
}

struct Difference {
    link: Link,
    then: &'static str,
    now: String,
    why: String,
}

/// Games that a newcomer may begin with: solved by a quotient, by a law, and not solved.
const FIRST_GAMES: [&str; 3] = ["0.77", "0.26", "0.07"];

/// A game that a newcomer may begin with, and what is known of it.
struct FirstGame {
    link: Link,
    name: Option<&'static str>,
    /// The rules in words.
    rules: String,
    stands: String,
}

impl FirstGame {
    /// Lists the first games that the census has.
    fn all(store: &Store) -> Result<Vec<Self>, RequestError> {
        let mut found = Vec::new();
        for text in FIRST_GAMES {
            if let Ok(code) = text.parse::<Code>()
                && let Some(KnownGame { record, .. }) = store.game(&code)?
            {
                found.push(Self {
                    link: Link::to_game(&code),
                    name: code.name(),
                    rules: rules::in_words(&code),
                    stands: record.conclusion().sentence_with(record.tame),
                });
            }
        }
        Ok(found)
    }
}

/// Papers to begin with: address and title.
const PAPERS: [(&str, &str); 3] = [
    (
        "https://arxiv.org/abs/math/0609825",
        "Plambeck and Siegel, Misère quotients for impartial games",
    ),
    ("https://arxiv.org/abs/0705.2404", "its supplement"),
    (
        "https://arxiv.org/abs/math/0703070",
        "Siegel, The structure and classification of misère quotients",
    ),
];

/// Returns the codes that were not solved in 2007: how many there are, and of each kind now, with
/// the meaning of the kind and the address of the list of its games.
fn news(chart: &Chart) -> (usize, Vec<(usize, &'static str, &'static str)>) {
    const LISTS: [(Kind, &str); 7] = [
        (Kind::Tame, "/games?status=solved&tame=tame"),
        (Kind::WildSolved, "/games?status=solved&tame=wild"),
        (Kind::Law, "/games?law=0.."),
        (Kind::Automaton, "/games?automaton=0.."),
        (Kind::PastInfinite, "/games?past-infinite=0.."),
        (Kind::TameRelative, "/games?status=tame-relative"),
        (Kind::Infinite, "/games?status=infinite"),
    ];
    let unsolved = chart
        .entries()
        .filter(|entry| matches!(entry.published, Published::WildUnsolved | Published::Open));
    let kinds: Vec<Kind> = unsolved.map(Entry::kind).collect();
    let news = LISTS.into_iter().filter_map(|(kind, list)| {
        let codes = kinds.iter().filter(|&&now| now == kind).count();
        (codes > 0).then(|| (codes, kind.meaning(), list))
    });
    (kinds.len(), news.collect())
}

#[derive(Template)]
#[template(path = "chart.html")]
struct ChartPage {
    shell: Shell,
    first_games: Vec<FirstGame>,
    /// The number of codes of the chart that the census has, and of all its codes.
    there: usize,
    codes: usize,
    /// The number of codes that were not solved in 2007.
    unsolved_then: usize,
    /// What is known of these codes: their number, the kind of box, and the list of its games.
    news: Vec<(usize, &'static str, &'static str)>,
    /// The number of these codes without a theorem.
    still_open: usize,
    papers: [(&'static str, &'static str); 3],
    blocks: Vec<Block>,
    kinds: Vec<LegendLine>,
    /// The name of each kind, the number of its boxes in 2007, and now, if known.
    then_and_now: Vec<(&'static str, usize, Option<usize>)>,
    differences: Vec<Difference>,
    columns: usize,
    normal_play_says: String,
    /// The greatest heap to which nim-values are being computed, if they are.
    full_heaps: Option<u32>,
    /// The number of games whose normal play is still to be computed.
    computing: usize,
    completeness: Arc<Completeness>,
}

impl ChartPage {
    fn of(site: &Site, store: &Store, made: &ChartView) -> Result<Self, RequestError> {
        let full_heaps = site.charts().heaps();
        let chart = &*made.chart;
        let half = chart.rows.len() / 2;
        let block = |rows: &[misere_report::facts::figure1::Row]| {
            let ends = rows.first().zip(rows.last());
            let caption = ends.map(|(first, last)| format!("{} to {}", first.label, last.label));
            let rows = rows.iter().map(|row| {
                let cells = row
                    .entries
                    .iter()
                    .map(|entry| Cell::of(made, entry))
                    .collect();
                (row.label.clone(), cells)
            });
            Block {
                caption: caption.unwrap_or_default(),
                rows: rows.collect(),
            }
        };
        let kinds = chart.counts().into_iter();
        let kinds = kinds.map(|(codes, starred, look)| LegendLine {
            look,
            codes,
            starred,
        });
        let differences = chart.entries().filter_map(|entry| {
            Some(Difference {
                link: Link::to_game(&entry.code),
                then: entry.published.describe(),
                now: entry.ended(),
                why: made.difference(entry)?.to_owned(),
            })
        });
        let computing = made.computing();
        // No census computes 0.000, in which no move is possible.
        let games = || chart.entries().filter(|entry| entry.code.has_moves());
        let there = games()
            .filter(|entry| entry.kind() != Kind::Missing)
            .count();
        let codes = games().count();
        let title = match there == codes {
            true => "Octal games with at most three digits".to_owned(),
            false => format!("Census of {}", store.plan().space()),
        };
        let (unsolved_then, news) = news(chart);
        Ok(Self {
            unsolved_then,
            still_open: unsolved_then - news.iter().map(|(codes, ..)| codes).sum::<usize>(),
            news,
            papers: PAPERS,
            shell: Shell::of(site, store, "/", title),
            there,
            codes,
            first_games: FirstGame::all(store)?,
            blocks: vec![block(&chart.rows[..half]), block(&chart.rows[half..])],
            kinds: kinds.collect(),
            then_and_now: chart
                .then_and_now()
                .map(|(kind, then, now)| {
                    let hangs_on_normal_play =
                        matches!(kind, Published::WildUnsolved | Published::Open);
                    let is_known = computing == 0 || !hangs_on_normal_play;
                    (kind.describe(), then, is_known.then_some(now))
                })
                .to_vec(),
            differences: differences.collect(),
            columns: COLUMNS,
            normal_play_says: chart.normal_play_says(),
            full_heaps: full_heaps.filter(|_| made.is_whole()),
            computing,
            completeness: Arc::clone(&made.completeness),
        })
    }
}

/// Serves the chart, or, for a census without games, the page of its quotients.
pub(super) async fn page(State(site): State<Site>) -> Result<Response, RequestError> {
    site.block(|site| {
        let store = site.census().store()?;
        if !store.plan().space().has_games() {
            return Ok(Redirect::to("/quotients").into_response());
        }
        let made = site.charts().latest()?;
        let page = Page::set(&ChartPage::of(site, &store, &made)?)?;
        Ok(page.into_response())
    })
    .await
}
