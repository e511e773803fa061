//! Table 1: the numbers of misère quotients of each order.

use std::collections::BTreeMap;

use misere_algebra::classify::comparison::Comparison;
use misere_algebra::classify::digest::ListDigest;
use misere_algebra::classify::published_tables::{PublishedTable, TABLE_1, TABLE_2, TABLE_3};
use misere_game::control::Control;
use misere_game::solution::Construction;
use serde_json::json;

use super::content;
use super::order::{unpublished_grid, verdict};
use super::source::Source;
use crate::ReportError;
use crate::report::{Content, Report};
use crate::sheet::{Cell, Grid, Part};

/// An order: our quotients beside the published number.
struct Row<'a> {
    order: usize,
    /// `None` if the list does not have the order.
    ours: Option<Vec<&'a Construction>>,
    published: Option<usize>,
}

impl Row<'_> {
    fn count(&self) -> Option<usize> {
        self.ours.as_ref().map(Vec::len)
    }

    fn more(&self) -> Option<i64> {
        Some(self.count()? as i64 - self.published? as i64)
    }

    fn digest(&self) -> Option<String> {
        let ours = self.ours.as_ref()?;
        Some(ListDigest::of(ours.iter().copied()).to_string())
    }
}

/// The report of Table 1: how many quotients of each order there are.
pub(crate) struct Table1;

impl Report for Table1 {
    type Input = Source;
    type Facts = Vec<(&'static PublishedTable, Comparison)>;
    const NAME: &'static str = "table1";
    const ABOUT: &'static str =
        "How many misère quotients of each order, beside the published numbers";

    fn facts(source: &Source, control: &mut Control) -> Result<Self::Facts, ReportError> {
        let mut compared = Vec::new();
        for table in [&TABLE_2, &TABLE_3] {
            if source.counts.contains_key(&table.order) {
                compared.push((table, Comparison::of(&source.list, table, control)?));
            }
        }
        Ok(compared)
    }

    fn content(source: &Source, facts: &Self::Facts) -> Content {
        shown(source, facts)
    }
}

fn shown(source: &Source, comparisons: &[(&'static PublishedTable, Comparison)]) -> Content {
    let rows = rows(source);
    let mut parts = vec![Part::Grid(grid(&rows))];
    let missing: Vec<String> = rows
        .iter()
        .filter(|row| row.ours.is_none())
        .map(|row| row.order.to_string())
        .collect();
    if let Some(last) = missing.last() {
        let last = last.parse().unwrap_or(0);
        parts.push(Part::Says(format!(
            "Not complete in {}: order {}; {}.",
            source.place(),
            missing.join(", "),
            source.how_to_run(last)
        )));
    }
    parts.push(Part::Says(agreement(&rows)));
    let mut explained = Vec::new();
    for (table, compared) in comparisons {
        parts.push(Part::Says(verdict(table, compared)));
        if !compared.unpublished.is_empty() {
            parts.push(Part::Items(unpublished_grid(
                source,
                compared,
                &BTreeMap::new(),
            )));
        }
        explained.push(json!({
            "table": table.number,
            "order": table.order,
            "rows": compared.rows.len(),
            "illegible": compared.illegible(),
            "matched": compared.rows.iter().filter(|row| row.ours.is_some()).count(),
            "unpublished": compared.unpublished.iter().map(|&at| source.list[at].quotient.class_key().to_string()).collect::<Vec<_>>(),
        }));
    }
    for row in rows.iter().filter(|row| row.order > 14) {
        if let (Some(more @ 1..), Some(digest)) = (row.more(), row.digest()) {
            parts.push(Part::Says(format!(
                "Order {}: the published quotients are not listed one by one, so it cannot be said which {more} are not among them; but there are {} here with \
                 certificates, no two isomorphic (digest {digest}).",
                row.order,
                row.count().unwrap_or(0),
            )));
        }
    }
    let document = json!({
        "orders": rows.iter().map(|row| json!({
            "order": row.order,
            "quotients": row.count(),
            "published": row.published,
            "more": row.more(),
            "digest": row.digest(),
            "classes": row.ours.as_ref().map(|ours| ours.iter().map(|construction| construction.quotient.class_key().to_string()).collect::<Vec<_>>()),
        })).collect::<Vec<_>>(),
        "tables": explained,
    });
    content(
        source,
        "The number of misère quotients of each order, up to isomorphism".to_owned(),
        parts,
        grid(&rows),
        document,
    )
}

fn rows(source: &Source) -> Vec<Row<'_>> {
    let published = BTreeMap::from(TABLE_1);
    let last = source.counts.keys().chain(published.keys()).max();
    (2..=last.copied().unwrap_or(0))
        .step_by(2)
        .map(|order| Row {
            order,
            ours: source.of_order(order),
            published: published.get(&order).copied(),
        })
        .collect()
}

fn grid(rows: &[Row<'_>]) -> Grid {
    let mut grid = Grid::new("", &["order", "quotients", "published", "more", "digest"]);
    for row in rows {
        grid.rows.push(vec![
            Cell::number(row.order),
            Cell::number_or_dash(row.count()),
            Cell::number_or_dash(row.published),
            Cell::number_or_dash(row.more()),
            row.digest().map_or(Cell::None, Cell::Key),
        ]);
    }
    grid
}

fn agreement(rows: &[Row<'_>]) -> String {
    let orders = |more: fn(i64) -> bool| {
        let orders = rows.iter().filter(|row| row.more().is_some_and(more));
        let orders: Vec<String> = orders.map(|row| row.order.to_string()).collect();
        orders.join(", ")
    };
    let (same, more, fewer) = (
        orders(|more| more == 0),
        orders(|more| more > 0),
        orders(|more| more < 0),
    );
    let mut says = "Published: Siegel, The structure and classification of misère quotients, Table 1. Besides those of the table there is the \
                    trivial quotient, of order 1, and none of another odd order."
        .to_owned();
    for (orders, what) in [
        (same, "as published"),
        (more, "more than published"),
        (fewer, "fewer than published"),
    ] {
        if !orders.is_empty() {
            says.push_str(&format!(" Order {orders}: {what}."));
        }
    }
    says
}
