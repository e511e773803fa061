//! How are the levels of the misère quotients of a census shown?

use misere_coordinator::report::Summary;
use misere_coordinator::report::summary::LevelSummary;
use serde_json::{Value, json};

/// The table of the levels; empty if the plan has no quotients.
pub fn text(summary: &Summary) -> String {
    let Some(most) = summary.plan.space().quotients() else {
        return String::new();
    };
    let mut text = format!(
        "{:>5}{:>11}{:>10}{:>11}{:>11}{:>9}{:>10}\n",
        "order", "quotients", "published", "candidates", "extended", "met", "realised"
    );
    let mut total = 0;
    for LevelSummary {
        level,
        quotients,
        met,
        realised,
        published,
    } in &summary.levels
    {
        let published = published.map_or("–".to_owned(), |count| count.to_string());
        let is_closed = if level.closed { "" } else { "  not complete" };
        total += quotients;
        text.push_str(&format!(
            "{:>5}{quotients:>11}{published:>10}{:>11}{:>11}{met:>9}{realised:>10}{is_closed}\n",
            level.order, level.candidates, level.carriers
        ));
    }
    text.push_str(&format!(
        "{total} misère quotients of order 2 to {most}, each with games that the checker has found to have it. Met: some game of the census has it as a partial\n\
         quotient; realised: as its quotient for all heaps. Published: Siegel, Table 1.\n"
    ));
    if let Some(open) = summary.levels.iter().find(|at| !at.level.closed) {
        let level = open.level;
        text.push_str(&format!(
            "Order {} is not complete: {} of {} batches are settled. Complete are the orders below {}.\n",
            level.order, level.settled, level.tasks, level.order
        ));
    }
    text
}

/// The levels as JSON.
pub fn document(summary: &Summary) -> Vec<Value> {
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
