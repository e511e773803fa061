//! The pages of the misère quotients of a census, order by order.
//!
//! They show the quotients of its games and the quotients of a classification.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;

use misere_census::atlas::Atlas;
use misere_store::{ClassNames, Level, Store};

use super::links::Link;
use super::shell::Shell;
use super::template::Page;
use crate::request::params::PathParam;
use crate::view::error::RequestError;
use crate::view::occurring::Occurrences;
use crate::view::site::Site;

/// The number of quotients that are listed.
const LISTED: usize = 500;

/// A quotient of the classification.
struct Row {
    class: Link,
    p_size: u32,
    choices_of_a: usize,
    games: Vec<Link>,
    more_games: usize,
}

/// A quotient of games of the census.
struct QuotientOccurrence {
    class: Link,
    lasting_name: String,
    p_size: u32,
    games: u64,
    solved: u64,
}

/// An order, with the quotients of games of the census.
struct OrderLine {
    order: u32,
    classes: usize,
    of_solved: usize,
    /// The quotients with a name, and the only one if there is only one.
    named: Vec<Link>,
}

#[derive(Template)]
#[template(path = "quotients.html")]
struct QuotientsPage {
    shell: Shell,
    /// The greatest order of the classification, if the census has one.
    most: Option<u8>,
    levels: Vec<Level>,
    /// The order that is listed, if there is one.
    order: Option<u32>,
    rows: Vec<Row>,
    more: usize,
    orders: Vec<OrderLine>,
    met: Vec<QuotientOccurrence>,
    more_met: usize,
    /// The number of classes of games of the census.
    classes: usize,
    /// The page of the atlas about these quotients, with its words.
    atlas: Option<Link>,
}

impl QuotientsPage {
    fn of(
        site: &Site,
        store: &Store,
        found: &Occurrences,
        order: Option<u32>,
    ) -> Result<Self, RequestError> {
        let most = store.plan().space().max_quotient_order();
        let levels: Vec<Level> = store.levels().cloned().collect();
        let mut page = Self {
            shell: Shell::of(site, store, "/quotients", "Misère quotients"),
            most,
            levels,
            order,
            rows: Vec::new(),
            more: 0,
            orders: Vec::new(),
            met: Vec::new(),
            more_met: 0,
            classes: found.0.values().map(Vec::len).sum(),
            atlas: site.atlas().and_then(|atlas| to_atlas(atlas, order)),
        };
        match order {
            None => page.orders = order_lines(found),
            Some(order) => {
                page.shell.title = format!("Misère quotients of order {order}");
                page.list(store, found, order)?;
            }
        }
        Ok(page)
    }

    /// Lists the quotients of one order.
    fn list(&mut self, store: &Store, found: &Occurrences, order: u32) -> Result<(), RequestError> {
        let level = u8::try_from(order).ok();
        let level = level.filter(|order| self.levels.iter().any(|level| level.order == *order));
        let met = found.0.get(&order);
        if level.is_none() && met.is_none() {
            return Err(RequestError::NotHere {
                message: format!("there are no quotients of order {order} here"),
                advice: format!("This census covers {}.", store.plan().space()),
            });
        }
        for occurring in met.into_iter().flatten().take(LISTED) {
            self.met.push(QuotientOccurrence {
                class: Link::to_class_of(&occurring.class, order, occurring.p_size),
                lasting_name: occurring.class.lasting_name(),
                p_size: occurring.p_size,
                games: occurring.games,
                solved: occurring.solved,
            });
        }
        self.more_met = met.map_or(0, |met| met.len().saturating_sub(LISTED));
        let Some(level) = level else {
            return Ok(());
        };
        let quotients = store.quotients(level)?;
        self.more = quotients.len().saturating_sub(LISTED);
        let mut names = ClassNames::default();
        for quotient in quotients.into_iter().take(LISTED) {
            let name = names.of(store, &quotient.class)?;
            let stored = store.class(&quotient.class)?;
            let games = quotient.games.iter().take(6);
            self.rows.push(Row {
                class: Link::to_class(&quotient.class, name.as_deref()),
                p_size: stored.map_or(0, |class| class.p_size),
                choices_of_a: quotient.choices_of_a,
                games: games.map(|(code, _)| Link::to_game(code)).collect(),
                more_games: quotient.games.len().saturating_sub(6),
            });
        }
        Ok(())
    }
}

/// Returns the link to the atlas, if it lists quotients of the order.
fn to_atlas(atlas: &Atlas, order: Option<u32>) -> Option<Link> {
    let (href, text) = match order {
        None => ("/atlas".to_owned(), format!("Atlas of {}", atlas.extent())),
        Some(order) if atlas.of_order(order).is_empty() => return None,
        Some(order) => (
            format!("/atlas/{order}"),
            format!("Atlas: the least games of all quotients of order {order}"),
        ),
    };
    Some(Link { href, text })
}

fn order_lines(found: &Occurrences) -> Vec<OrderLine> {
    let lines = found.0.iter().map(|(&order, classes)| {
        let links = classes
            .iter()
            .map(|occurring| Link::to_class_of(&occurring.class, order, occurring.p_size));
        let named = links.filter(|link| link.text.contains('_') || classes.len() == 1);
        OrderLine {
            order,
            classes: classes.len(),
            of_solved: classes.iter().filter(|class| class.solved > 0).count(),
            named: named.collect(),
        }
    });
    lines.collect()
}

async fn set(site: Site, order: Option<u32>) -> Result<Page, RequestError> {
    site.block(move |site| {
        let store = site.census().store()?;
        let found: Arc<Occurrences> = site.occurrences()?;
        Page::set(&QuotientsPage::of(site, &store, &found, order)?)
    })
    .await
}

/// Serves the page of all orders.
pub(super) async fn page(State(site): State<Site>) -> Result<Page, RequestError> {
    set(site, None).await
}

/// Serves the page of one order.
pub(super) async fn of_order(
    State(site): State<Site>,
    PathParam(text): PathParam,
) -> Result<Page, RequestError> {
    let order = text.parse().map_err(|_| RequestError::Input {
        message: format!("`{text}` is not an order of a quotient"),
        advice: "An order is a number such as 8.".to_owned(),
    })?;
    set(site, Some(order)).await
}
