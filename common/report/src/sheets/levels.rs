//! The levels of the misère quotients of a census, as a table and as JSON.

use crate::facts::Summary;
use crate::facts::summary::LevelSummary;
use serde_json::{Value, json};

use crate::sheet::{Cell, Grid, Part};

/// Returns the table of the levels and the meaning of its columns.
///
/// It is empty if the plan has no quotients.
pub(crate) fn parts(summary: &Summary) -> Vec<Part> {
    let Some(most) = summary.plan.space().max_quotient_order() else {
        return Vec::new();
    };
    let with_games = summary.plan.space().has_games();
    let mut head = vec!["order", "quotients", "published", "candidates", "extended"];
    if with_games {
        head.extend(["met", "realised"]);
    }
    head.push("");
    let mut grid = Grid::new("", &head);
    let mut total = 0;
    for LevelSummary {
        level,
        quotients,
        met,
        realised,
        published,
    } in &summary.levels
    {
        total += quotients;
        let mut row = vec![
            Cell::number(level.order),
            Cell::number(quotients),
            Cell::number_or_dash(*published),
            Cell::number(level.candidates),
            Cell::number(level.carriers),
        ];
        if with_games {
            row.extend([met, realised].map(Cell::number));
        }
        row.push(Cell::text(if level.closed { "" } else { "not complete" }));
        grid.rows.push(row);
    }
    let mut meaning = format!(
        "{total} misère quotients of order 2 to {most}, each with games that the checker found to have it (published: Siegel, Table 1)."
    );
    if with_games {
        meaning.push_str(
            " Met: some game of the census has it as a partial quotient; realised: as its quotient for all heaps.",
        );
    }
    let mut parts = vec![Part::Grid(grid), Part::Says(meaning)];
    if let Some(open) = summary.levels.iter().find(|at| !at.level.closed) {
        let level = open.level;
        parts.push(Part::Says(format!(
            "Order {} is not complete: {} of {} batches are settled. Complete are the orders below {}.",
            level.order, level.settled, level.tasks, level.order
        )));
    }
    parts
}

/// Returns the levels as JSON.
pub(crate) fn document(summary: &Summary) -> Vec<Value> {
    let levels = summary.levels.iter();
    levels
        .map(|at| {
            json!({
                "order": at.level.order,
                "complete": at.level.closed,
                "quotients": at.quotients,
                "published": at.published,
                "met_by_games": at.met,
                "realised_by_games": at.realised,
                "candidates": at.level.candidates,
                "extended": at.level.carriers,
                "nodes": at.level.nodes,
                "fuel": at.level.fuel,
                "batches": at.level.tasks,
                "settled": at.level.settled,
            })
        })
        .collect()
}
