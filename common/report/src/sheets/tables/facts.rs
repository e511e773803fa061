//! The facts that the misère quotients of small order have in common.

use std::collections::BTreeMap;

use misere_algebra::classify::facts::{Distribution, Summary, facts};
use misere_game::control::Control;
use serde_json::json;

use super::content;
use super::source::Source;
use crate::ReportError;
use crate::report::{Content, Report};
use crate::sheet::{Cell, Grid, Part};

/// The report on what the misère quotients of small order have in common.
pub(crate) struct CommonFacts;

impl Report for CommonFacts {
    type Input = Source;
    type Facts = Summary;
    const NAME: &'static str = "facts";
    const ABOUT: &'static str = "What the misère quotients of small order have in common";

    fn facts(source: &Source, _: &mut Control) -> Result<Summary, ReportError> {
        let mut summary = Summary::default();
        let list = source.list.iter();
        list.for_each(|construction| summary.add(&facts(construction)));
        Ok(summary)
    }

    fn content(source: &Source, summary: &Summary) -> Content {
        shown(source, summary)
    }
}

fn shown(source: &Source, summary: &Summary) -> Content {
    let distributions = distributions(summary);
    let mut parts = vec![Part::Grid(conjectures(source, summary))];
    for (name, what, distribution) in &distributions {
        let title = format!("{name}: {what}");
        parts.push(Part::Grid(distribution_grid(source, &title, distribution)));
    }
    parts.push(Part::Says(format!(
        "With a name: {}.",
        summary
            .names
            .values()
            .flatten()
            .cloned()
            .collect::<Vec<_>>()
            .join(", ")
    )));
    let document = json!({
        "facts": summary,
    });
    content(
        source,
        format!(
            "What the {} misère quotients of order {} to {} have in common",
            source.list.len(),
            source.counts.keys().min().unwrap_or(&2),
            source.counts.keys().max().unwrap_or(&2),
        ),
        parts,
        data(summary, &distributions),
        document,
    )
}

type TitledDistribution<'a> = (&'static str, &'static str, &'a Distribution);

fn distributions(summary: &Summary) -> [TitledDistribution<'_>; 6] {
    [
        ("|P|", "elements of P", &summary.p_size),
        ("idempotents", "with the identity", &summary.idempotents),
        ("units", "invertible elements", &summary.units),
        (
            "kernel",
            "order of the least ideal, a group",
            &summary.kernel,
        ),
        (
            "period",
            "least p with x^(k+p) = x^k for all x and large k",
            &summary.period,
        ),
        (
            "index",
            "least k with x^(k+p) = x^k for all x",
            &summary.index,
        ),
    ]
}

/// Returns questions, and for each order how many quotients answer them in the less common way.
fn conjectures(source: &Source, summary: &Summary) -> Grid {
    let mut head = vec!["asked".to_owned()];
    head.extend(source.counts.keys().map(ToString::to_string));
    let mut grid = Grid {
        title: "Exceptions: how many quotients of each order lack the usual properties".to_owned(),
        head,
        rows: Vec::new(),
    };
    let mut row = |what: &str, counter: &BTreeMap<usize, usize>| {
        let mut cells = vec![Cell::text(what)];
        cells.extend(source.counts.keys().map(|order| match counter.get(order) {
            Some(count) => Cell::number(count),
            None => Cell::number("·"),
        }));
        grid.rows.push(cells);
    };
    row("quotients", &summary.counts);
    row("not regular", &summary.not_regular);
    row("regular, not normal", &summary.regular_not_normal);
    row("games of the list not faithful", &summary.not_faithful);
    row(
        "|P| = 2, neither tame nor restive (none by Theorem 3.8)",
        &summary.two_in_p_neither_tame_nor_restive,
    );
    grid
}

fn distribution_grid(source: &Source, title: &str, distribution: &Distribution) -> Grid {
    let mut values: Vec<u32> = distribution
        .values()
        .flat_map(|row| row.keys().copied())
        .collect();
    values.sort_unstable();
    values.dedup();
    let mut head = vec!["order".to_owned()];
    head.extend(values.iter().map(ToString::to_string));
    let none = BTreeMap::new();
    let rows = source.counts.keys().map(|order| {
        let row = distribution.get(order).unwrap_or(&none);
        let cells = values.iter().map(|value| match row.get(value) {
            Some(count) => Cell::number(count),
            None => Cell::number("·"),
        });
        std::iter::once(Cell::number(order)).chain(cells).collect()
    });
    Grid {
        title: title.to_owned(),
        head,
        rows: rows.collect(),
    }
}

/// Returns one line for each fact, order and value.
fn data(summary: &Summary, distributions: &[TitledDistribution<'_>]) -> Grid {
    let mut data = Grid::new("", &["fact", "order", "value", "quotients"]);
    let mut line = |fact: &str, order: usize, value: String, count: usize| {
        data.rows.push(vec![
            Cell::text(fact),
            Cell::number(order),
            Cell::text(value),
            Cell::number(count),
        ]);
    };
    for (name, _, distribution) in distributions {
        for (&order, row) in *distribution {
            for (value, &count) in row {
                line(name, order, value.to_string(), count);
            }
        }
    }
    for (name, counter) in [
        ("not regular", &summary.not_regular),
        ("regular, not normal", &summary.regular_not_normal),
        ("not faithful", &summary.not_faithful),
        (
            "|P| = 2, neither tame nor restive",
            &summary.two_in_p_neither_tame_nor_restive,
        ),
    ] {
        for (&order, &count) in counter {
            line(name, order, String::new(), count);
        }
    }
    data
}
