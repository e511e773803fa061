//! The page of games: those with some properties, in some order.

use askama::Template;
use axum::extract::State;
use misere_census::{Record, Status};
use misere_theory::solution::Verdict;

use super::asked::Asked;
use super::failure::Failure;
use super::links::Link;
use super::shell::Shell;
use super::site::{Page, Site};
use crate::query::document::ClassNames;
use crate::query::{self, Sort, Tameness};
use crate::report::figure1::{Kind, Standing};
use crate::store::Store;

struct Row {
    game: Link,
    class: Link,
    look: &'static Kind,
    stands: String,
    record: Record,
    period: Option<(u32, u32)>,
}

#[derive(Template)]
#[template(path = "games.html")]
struct GamesPage {
    shell: Shell,
    asked: Asked,
    rows: Vec<Row>,
    first: u64,
    earlier: Option<String>,
    later: Option<String>,
    api: String,
}

impl GamesPage {
    fn of(store: &Store, asked: Asked) -> Result<Self, Failure> {
        let mut query = asked.query()?;
        let limit = query.limit.unwrap_or(super::asked::LIMIT);
        // One more tells whether there are more.
        query.limit = Some(limit.saturating_add(1));
        let (mut hits, _) = query::collect(store, &query)?;
        let more = hits.len() as u64 > limit;
        hits.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        let mut names = ClassNames::default();
        let mut rows = Vec::new();
        for hit in hits {
            let standing = Standing::of(&hit.record);
            let name = names.of(store, &hit.record.class)?;
            rows.push(Row {
                game: Link::to_game(&hit.record.code),
                class: Link::to_class(&hit.record.class, name.as_deref()),
                look: standing.kind(),
                stands: standing.describe(),
                period: match hit.record.verdict {
                    Verdict::Solved { period, preperiod } => Some((period, preperiod)),
                    _ => None,
                },
                record: hit.record,
            });
        }
        let offset = query.offset;
        let earlier = (offset > 0).then(|| asked.at("/games", offset.saturating_sub(limit)));
        let later = more.then(|| asked.at("/games", offset.saturating_add(limit)));
        Ok(Self {
            shell: Shell::of(store, "/games", "Games"),
            api: asked.at("/api/v1/games", offset),
            rows,
            first: offset.saturating_add(1),
            earlier,
            later,
            asked,
        })
    }

    fn statuses(&self) -> [Status; 6] {
        Status::ALL
    }

    fn tamenesses(&self) -> [Tameness; 3] {
        Tameness::ALL
    }

    fn sorts(&self) -> [Sort; 9] {
        Sort::ALL
    }

    fn is(&self, name: &str, value: &str) -> bool {
        self.asked.text(name) == Some(value)
    }

    /// Fields of the form in which a range can be written: name, label, example.
    fn spans(&self) -> [(&'static str, &'static str, &'static str); 4] {
        [
            ("order", "Order", "8..40"),
            ("p-size", "|P|", "2.."),
            ("period", "Period", "2"),
            ("preperiod", "Preperiod", "..10"),
        ]
    }
}

/// The page.
pub(super) async fn page(State(site): State<Site>, asked: Asked) -> Result<Page, Failure> {
    // What is not understood is told before anything is read.
    asked.query()?;
    site.read(move |store| Page::set(&GamesPage::of(store, asked)?))
        .await
}
