//! The page of the games without a theorem: what stops the computation, and what may decide them.

use askama::Template;
use axum::extract::State;
use misere_census::Status;
use misere_census::quantity::write_fuel;
use misere_query::{Filter, KnownGame, Query};
use misere_store::Store;

use super::links::Link;
use super::shell::Shell;
use super::template::Page;
use crate::view::error::RequestError;
use crate::view::site::Site;

/// The number of games that are listed.
const LISTED: usize = 1_000;

/// The endings of games without a theorem.
const OPEN: [Status; 3] = [Status::Diverges, Status::Grows, Status::Exhausted];

/// A game without a theorem.
struct OpenGame {
    game: Link,
    name: &'static str,
    /// The number of its codes.
    codes: usize,
    /// The greatest heap to which everything is known.
    heaps: u32,
    sentence: String,
    fuel: String,
    /// The command that may decide it.
    command: Option<String>,
}

impl OpenGame {
    fn new(known: &KnownGame) -> Self {
        let record = &known.record;
        let conclusion = record.conclusion();
        let command = conclusion.option_that_may_help().map(|option| {
            // Ten times as far as the computation came, with 1G of fuel at least; 40M is what proves most.
            let amount = match option {
                "--evidence" => "40M".to_owned(),
                "--max-heap" => (10 * u64::from(record.heaps)).to_string(),
                "--max-order" => (10 * u64::from(record.order)).to_string(),
                _ if record.fuel < 100_000_000 => "1G".to_owned(),
                _ => (10 * u128::from(record.fuel)).to_string(),
            };
            format!("misere solve {} {option} {amount}", record.code)
        });
        Self {
            game: Link::to_game(&record.code),
            name: record.codes().find_map(|code| code.name()).unwrap_or(""),
            codes: record.codes().count(),
            heaps: record.heaps,
            sentence: conclusion.sentence(),
            fuel: write_fuel(record.fuel),
            command,
        }
    }
}

/// Games that end alike.
struct Group {
    title: &'static str,
    about: &'static str,
    games: Vec<OpenGame>,
}

#[derive(Template)]
#[template(path = "open.html")]
struct OpenPage {
    shell: Shell,
    /// The numbers of open games and of all games with a record.
    open: u64,
    records: u64,
    groups: Vec<Group>,
    more: u64,
}

impl OpenPage {
    fn of(site: &Site, store: &Store) -> Result<Self, RequestError> {
        let query = Query {
            filter: Filter {
                status: OPEN.into_iter().collect(),
                ..Filter::default()
            },
            limit: Some(LISTED as u64),
            ..Query::default()
        };
        let (found, _) = misere_store::answers::collect(store, &query)?;
        let open = misere_store::answers::count(store, &query.filter)?.found;
        let more = open - found.len() as u64;
        let groups = OPEN.map(|status| {
            let games = found.iter();
            let games = games.filter(|game| game.record.status() == Some(status));
            let (title, about) = about(status);
            Group {
                title,
                about,
                games: games.map(OpenGame::new).collect(),
            }
        });
        Ok(Self {
            shell: Shell::of(site, store, "/open", "Open problems"),
            open,
            records: store.counters().records(),
            groups: groups
                .into_iter()
                .filter(|group| !group.games.is_empty())
                .collect(),
            more,
        })
    }
}

/// Returns the title of a group, and what is missing there.
fn about(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Diverges => (
            "Infinite or not?",
            "A partial quotient is not finite as far as was seen. Missing is a proof that it is \
             infinite, or the finite quotient. If the fuel for a proof was spent, more may find one; \
             otherwise another kind of evidence is needed.",
        ),
        Status::Grows => (
            "What rule do they follow?",
            "The partial quotients grow in a pattern as far as they are known. Missing is a law or an \
             automaton that decides every position, or a proof that there is none.",
        ),
        _ => (
            "How do they go on?",
            "A limit of the plan ended the computation. No pattern was found so far.",
        ),
    }
}

/// Serves the page.
pub(super) async fn page(State(site): State<Site>) -> Result<Page, RequestError> {
    site.block(|site| Page::set(&OpenPage::of(site, &*site.census().store()?)?))
        .await
}
