//! The pages of a classification: which misère quotients there are, order by order.

use askama::Template;
use axum::extract::State;

use super::asked::Named;
use super::failure::Failure;
use super::links::Link;
use super::shell::Shell;
use super::site::{Page, Site};
use crate::query::document::ClassNames;
use crate::store::{Level, Store};

/// Quotients that are listed.
const LISTED: usize = 500;

struct Row {
    class: Link,
    p_size: u32,
    choices_of_a: usize,
    games: Vec<Link>,
    more_games: usize,
}

#[derive(Template)]
#[template(path = "quotients.html")]
struct QuotientsPage {
    shell: Shell,
    most: u8,
    levels: Vec<Level>,
    /// The order that is listed, if one is.
    order: Option<u8>,
    rows: Vec<Row>,
    more: usize,
}

impl QuotientsPage {
    fn of(store: &Store, order: Option<u8>) -> Result<Self, Failure> {
        let not_here = |said: String| Failure::NotHere {
            said,
            advice: format!("This census covers {}.", store.plan().space()),
        };
        let most = store.plan().space().quotients();
        let most =
            most.ok_or_else(|| not_here("this census classifies no quotients".to_owned()))?;
        let levels: Vec<Level> = store.levels().cloned().collect();
        let mut rows = Vec::new();
        let mut more = 0;
        if let Some(order) = order {
            if !levels.iter().any(|level| level.order == order) {
                return Err(not_here(format!(
                    "there are no quotients of order {order} here"
                )));
            }
            let quotients = store.quotients(order)?;
            more = quotients.len().saturating_sub(LISTED);
            let mut names = ClassNames::default();
            for quotient in quotients.into_iter().take(LISTED) {
                let name = names.of(store, &quotient.class)?;
                let stored = store.class(&quotient.class)?;
                let games = quotient.games.iter().take(6);
                rows.push(Row {
                    class: Link::to_class(&quotient.class, name.as_deref()),
                    p_size: stored.map_or(0, |class| class.p_size),
                    choices_of_a: quotient.choices_of_a,
                    games: games.map(|(code, _)| Link::to_game(code)).collect(),
                    more_games: quotient.games.len().saturating_sub(6),
                });
            }
        }
        let title = match order {
            Some(order) => format!("Misère quotients of order {order}"),
            None => format!("Misère quotients of order at most {most}"),
        };
        Ok(Self {
            shell: Shell::of(store, "/quotients", title),
            most,
            levels,
            order,
            rows,
            more,
        })
    }
}

/// All orders.
pub(super) async fn page(State(site): State<Site>) -> Result<Page, Failure> {
    site.read(|store| Page::set(&QuotientsPage::of(store, None)?))
        .await
}

/// One order.
pub(super) async fn of_order(
    State(site): State<Site>,
    Named(text): Named,
) -> Result<Page, Failure> {
    let order = text.parse().map_err(|_| Failure::Input {
        said: format!("`{text}` is no order of a classification"),
        advice: "An order is a number such as 8.".to_owned(),
    })?;
    site.read(move |store| Page::set(&QuotientsPage::of(store, Some(order))?))
        .await
}
