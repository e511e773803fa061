//! How are the levels of the misère quotients of a census shown?

use misere_coordinator::report::Summary;
use misere_coordinator::report::summary::LevelSummary;
use serde_json::{Value, json};

/// The table of the levels; empty if the plan has no quotients.
pub fn text(summary: &Summary) -> String {
    let Some(most) = summary.plan.space().quotients() else {
        return String::new();
    };
    let with_games = summary.plan.space().has_games();
    let mut text = format!(
        "{:>5}{:>11}{:>11}{:>12}{:>10}",
        "order", "quotients", "published", "candidates", "extended"
    );
    if with_games {
        text.push_str(&format!("{:>7}{:>10}", "met", "realised"));
    }
    text.push('\n');
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
            "{:>5}{quotients:>11}{published:>11}{:>12}{:>10}",
            level.order, level.candidates, level.carriers
        ));
        if with_games {
            text.push_str(&format!("{met:>7}{realised:>10}"));
        }
        text.push_str(&format!("{is_closed}\n"));
    }
    text.push_str(&format!(
        "{total} misère quotients of order 2 to {most}, each with games that the checker found to have it\n\
         (published: Siegel, Table 1)\n"
    ));
    if with_games {
        text.push_str(
            "met: some game of the census has it as a partial quotient; realised: as its quotient for all heaps\n",
        );
    }
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
