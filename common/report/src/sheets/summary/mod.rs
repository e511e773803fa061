//! The summary: the results of a census.

mod games;

use crate::ReportError;
use crate::facts::Summary;
use crate::facts::summary::Tally;
use misere_game::control::Control;
use misere_game::solution::Stages;
use serde_json::{Value, json};

use misere_census::quantity::{write_duration, write_fuel};

use super::same_game::with_same_game;
use crate::report::{Census, Content, Report};
use crate::sheet::{Cell, Format, Grid, Part, Sheet};
use crate::sheets::levels;
use crate::sheets::plan::{describe_budget, document as plan_document};

/// The units of fuel that one core spends in a second, approximately.
const FUEL_PER_SECOND: f64 = 1e6;

/// The report on the results of a census.
pub(crate) struct SummaryReport;

impl Report for SummaryReport {
    type Input = Census;
    type Facts = Summary;
    const NAME: &'static str = "summary";
    const ABOUT: &'static str = "What came out: counts, and the table of wild solved games";
    const HELP: &'static str = "\
Examples:
  misere report summary --data census
  misere report summary --data census --format html > summary.html
  misere report summary --data census --json

How many games have which status, the orders of the quotients of solved games,
how far smaller budgets would have come, and the tables of wild solved games, of
games that are tame relative to a heap, of those that a law or an automaton
solves, of those that are solved past an infinite quotient, and of those that
grow in a pattern unsolved.

Exit codes: 0 done, 1 failed, 2 usage.";

    fn facts(census: &Census, _: &mut Control) -> Result<Summary, ReportError> {
        Ok(Summary::of(&census.store)?)
    }

    fn content(_: &Census, summary: &Summary) -> Content {
        Content {
            title: title(summary),
            parts: parts(summary),
            data: data(summary),
            document: document(summary),
            notes: Vec::new(),
        }
    }
}

fn title(summary: &Summary) -> String {
    format!("Census of {}", summary.plan.space())
}

/// Formats the summary for people, at the end of a run.
#[must_use]
pub fn text(summary: &Summary, width: usize) -> String {
    let unfinished = if summary.is_complete() {
        ""
    } else {
        " (not complete)"
    };
    let sheet = Sheet {
        title: title(summary),
        parts: parts(summary),
        provenance: vec![
            describe_budget(&summary.plan).trim_end().to_owned(),
            format!("digest {}{unfinished}", summary.digest),
        ],
        data: Grid::default(),
    };
    sheet.set(Format::Text, width).unwrap_or_default()
}

fn parts(summary: &Summary) -> Vec<Part> {
    let mut parts = Vec::new();
    if summary.plan.space().has_games() {
        games(&mut parts, summary);
    }
    parts.extend(levels::parts(summary));
    if !summary.quarantine.is_empty() {
        parts.push(Part::Heading("In quarantine".to_owned()));
        let why = summary.quarantine.iter().map(|why| {
            format!(
                "{} after {} attempts: {}",
                why.name, why.failures, why.failure
            )
        });
        parts.push(Part::List(why.collect()));
    }
    parts
}

/// Writes a number with the word for one thing, or for several.
fn number(count: u64, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

/// Adds the results of the games.
fn games(parts: &mut Vec<Part>, summary: &Summary) {
    let counters = summary.counters;
    let batches: u64 = summary.levels.iter().map(|at| at.level.tasks).sum();
    parts.push(Part::Says(format!(
        "{} ({})",
        number(counters.tasks - batches, "ruleset", "rulesets"),
        number(counters.codes, "code", "codes")
    )));
    parts.push(Part::Grid(standings(summary)));
    if !summary.wild_games.is_empty() {
        let title = format!("Wild games solved ({})", summary.wild_games.len());
        parts.push(Part::Grid(games::wild_games(title, &summary.wild_games)));
    }
    if !summary.relative_games.is_empty() {
        let title = format!(
            "Tame relative to a heap ({}): from there on misère play is normal play",
            summary.relative_games.len()
        );
        parts.push(Part::Grid(games::relative_games(
            title,
            &summary.relative_games,
        )));
    }
    if !summary.law_games.is_empty() {
        let title = format!(
            "Solved by a law ({}): it decides every position; the quotients grow",
            summary.law_games.len()
        );
        parts.push(Part::Grid(games::law_games(title, &summary.law_games)));
    }
    if !summary.automaton_games.is_empty() {
        let title = format!(
            "Solved by an automaton ({}): it decides every position; the quotients grow",
            summary.automaton_games.len()
        );
        parts.push(Part::Grid(games::automaton_games(
            title,
            &summary.automaton_games,
        )));
    }
    if !summary.past_infinite_games.is_empty() {
        let title = format!(
            "Solved with an infinite quotient ({}): words of all heaps decide every position",
            summary.past_infinite_games.len()
        );
        let games = &summary.past_infinite_games;
        parts.push(Part::Grid(games::past_infinite_games(title, games)));
    }
    if !summary.growing_games.is_empty() {
        let title = format!(
            "Partial quotients grow in a pattern ({}): a conjecture, tested to the heap given",
            summary.growing_games.len()
        );
        parts.push(Part::Grid(games::growing_games(
            title,
            &summary.growing_games,
        )));
    }
    if !summary.orders.is_empty() {
        parts.push(Part::Grid(orders(summary)));
    }
    parts.push(Part::Grid(budgets(summary)));
    let mut facts = vec![format!(
        "{} of isomorphic quotients among the solved games, {} among all partial quotients",
        number(summary.classes_solved, "class", "classes"),
        summary.classes_met
    )];
    if let Some((order, code)) = &summary.largest {
        facts.push(format!("largest quotient proved: order {order} ({code})"));
    }
    facts.push(format!(
        "fuel spent: {}, about {} of one core",
        write_fuel(summary.fuel),
        write_duration(summary.fuel as f64 / FUEL_PER_SECOND)
    ));
    parts.push(Part::List(facts));
}

/// Returns the number of games of each status.
fn tallies(summary: &Summary) -> Vec<(&'static str, &'static str, Tally)> {
    let mut tallies = vec![
        ("solved", "solved", summary.solved),
        ("  tame", "solved, tame", summary.tame),
        ("  wild", "solved, wild", summary.wild),
        ("tame relative", "tame-relative", summary.tame_relative),
        (
            "  period of normal play proved",
            "tame-relative, periodic",
            summary.tail_periodic,
        ),
        ("infinite", "infinite", summary.infinite),
        ("diverging", "diverging", summary.diverging),
        ("growing", "growing", summary.growing),
        ("exhausted", "exhausted", summary.exhausted()),
        ("  fuel", "exhausted, fuel", summary.out_of_fuel),
        ("  max-heap", "exhausted, max-heap", summary.at_max_heap),
        ("  max-order", "exhausted, max-order", summary.at_max_order),
    ];
    // Few censuses have such games.
    let without_quotient = [
        ("  by a law", "solved, by a law", summary.by_law),
        (
            "  by an automaton",
            "solved, by an automaton",
            summary.by_automaton,
        ),
        (
            "  with an infinite quotient",
            "solved, with an infinite quotient",
            summary.past_infinite,
        ),
    ];
    let there_are = without_quotient.into_iter();
    let there_are = there_are.filter(|(.., tally)| tally.rulesets > 0);
    tallies.splice(3..3, there_are);
    tallies
}

fn standings(summary: &Summary) -> Grid {
    let counters = summary.counters;
    let mut grid = Grid::new("", &["", "rulesets", "codes"]);
    for (name, _, Tally { rulesets, codes }) in tallies(summary) {
        // Spaces at the beginning of a cell show what is part of what, in every format.
        let name = name.replace("  ", "– ");
        grid.rows.push(vec![
            Cell::text(name),
            Cell::number(rulesets),
            Cell::number(codes),
        ]);
    }
    let further = [
        ("in quarantine", counters.quarantined),
        ("given up", counters.dropped),
        ("to do", counters.pending()),
    ];
    for (name, count) in further.into_iter().filter(|&(_, count)| count > 0) {
        grid.rows
            .push(vec![Cell::text(name), Cell::number(count), Cell::None]);
    }
    grid
}

/// Returns the word for the quotient of a game, as far as its law or its automaton determines it.
pub(super) fn quotient_as_shown(infinite: bool) -> &'static str {
    match infinite {
        true => "infinite",
        false => "grows",
    }
}

fn orders(summary: &Summary) -> Grid {
    let without = [summary.by_law, summary.by_automaton, summary.past_infinite];
    let title = match without.iter().map(|tally| tally.rulesets).sum::<u64>() {
        0 => "Orders of the quotients of solved games",
        _ => "Orders of the finite quotients of solved games",
    };
    let mut grid = Grid::new(title, &["order", "rulesets", "classes"]);
    for (order, count) in &summary.orders {
        grid.rows.push(vec![
            Cell::number(order),
            Cell::number(count.rulesets),
            Cell::number(count.classes),
        ]);
    }
    grid
}

fn budgets(summary: &Summary) -> Grid {
    let title = "How far smaller budgets would have come: records that took no more fuel";
    let head = [
        "fuel of each game",
        "records",
        "solved",
        "proved infinite",
        "others",
    ];
    let mut grid = Grid::new(title, &head);
    for within in &summary.budgets {
        let mut row = vec![Cell::number(write_fuel(within.fuel))];
        let counts = [
            within.records,
            within.solved,
            within.infinite,
            within.others,
        ];
        row.extend(counts.map(Cell::number));
        grid.rows.push(row);
    }
    grid
}

/// Returns one line for every number: its table, its row, what is counted, and the count.
fn data(summary: &Summary) -> Grid {
    let mut grid = Grid::new("", &["table", "of", "counted", "number"]);
    let mut push = |table: &str, of: String, counted: &str, number: u64| {
        let fields = [table.to_owned(), of, counted.to_owned(), number.to_string()];
        grid.rows.push(fields.map(Cell::Text).to_vec());
    };
    for (_, name, Tally { rulesets, codes }) in tallies(summary) {
        push("status", name.to_owned(), "rulesets", rulesets);
        push("status", name.to_owned(), "codes", codes);
    }
    for (order, count) in &summary.orders {
        push(
            "order of solved games",
            order.to_string(),
            "rulesets",
            count.rulesets,
        );
        push(
            "order of solved games",
            order.to_string(),
            "classes",
            count.classes,
        );
    }
    for within in &summary.budgets {
        let fuel = within.fuel.to_string();
        push("within fuel", fuel.clone(), "records", within.records);
        push("within fuel", fuel.clone(), "solved", within.solved);
        push("within fuel", fuel, "proved infinite", within.infinite);
    }
    for at in &summary.levels {
        let order = at.level.order.to_string();
        push("quotients of order", order, "classes", at.quotients);
    }
    grid
}

/// Returns the number of tame extensions if it is known, and a lower bound for it.
fn stages(stages: Stages) -> (Option<u32>, u32) {
    match stages {
        Stages::Known(stages) => (Some(stages), stages),
        Stages::AtLeast(stages) => (None, stages),
    }
}

/// Returns the summary as JSON.
#[must_use]
pub fn document(summary: &Summary) -> Value {
    let tally = |Tally { rulesets, codes }: Tally| json!({ "rulesets": rulesets, "codes": codes });
    let counters = summary.counters;
    let wild = summary.wild_games.iter().map(|game| {
        let document = json!({
            "code": game.code,
            "order": game.order,
            "p_size": game.p_size,
            "generators": game.generators,
            "period": game.period,
            "preperiod": game.preperiod,
            "class": game.class,
            "name": game.name,
        });
        with_same_game(document, &game.code, &game.aliases)
    });
    let relative = summary.relative_games.iter().map(|game| {
        let (stages, at_least) = stages(game.tail.stages);
        let document = json!({
            "code": game.code,
            "heap": game.heap,
            "order": game.order,
            "nim_heaps": game.tail.nim_heaps,
            "nim_period": game.tail.nim_period.map(|nim| nim.period),
            "nim_preperiod": game.tail.nim_period.map(|nim| nim.preperiod),
            "stages": stages,
            "stages_at_least": at_least,
        });
        with_same_game(document, &game.code, &game.aliases)
    });
    let growing = summary.growing_games.iter().map(|game| {
        let document = json!({
            "code": game.code,
            "start": game.start,
            "period": game.period,
            "heaps": game.heaps,
            "order": game.order,
        });
        with_same_game(document, &game.code, &game.aliases)
    });
    let by_law = summary.law_games.iter().map(|game| {
        let document = json!({
            "code": game.code,
            "law": game.law,
            "heaps": game.heaps,
            "order": game.order,
        });
        with_same_game(document, &game.code, &game.aliases)
    });
    let by_automaton = summary.automaton_games.iter().map(|game| {
        let document = json!({
            "code": game.code,
            "automaton": game.automaton,
            "heaps": game.heaps,
            "order": game.order,
        });
        with_same_game(document, &game.code, &game.aliases)
    });
    let past_infinite = summary.past_infinite_games.iter().map(|game| {
        let document = json!({
            "code": game.code,
            "diverges_at": game.heap.diverges_at,
            "infinite_to": game.heap.proved,
            "all_heaps": game.all_heaps,
            "order": game.order,
        });
        with_same_game(document, &game.code, &game.aliases)
    });
    let orders = summary.orders.iter().map(|(order, count)| {
        json!({ "order": order, "rulesets": count.rulesets, "classes": count.classes })
    });
    let budgets = summary.budgets.iter().map(|within| {
        json!({
            "fuel": within.fuel,
            "records": within.records,
            "solved": within.solved,
            "infinite": within.infinite,
            "others": within.others,
        })
    });
    let quarantine = summary.quarantine.iter().map(|why| {
        json!({ "code": why.name, "attempts": why.failures, "reason": why.failure.to_string() })
    });
    json!({
        "schema": 1,
        "plan": plan_document(&summary.plan),
        "tasks": counters.tasks,
        "codes": counters.codes,
        "pending": counters.pending(),
        "complete": summary.is_complete(),
        "solved": tally(summary.solved),
        "tame": tally(summary.tame),
        "wild": tally(summary.wild),
        "by_law": tally(summary.by_law),
        "by_automaton": tally(summary.by_automaton),
        "past_infinite": tally(summary.past_infinite),
        "tame_relative": {
            "all": tally(summary.tame_relative),
            "periodic": tally(summary.tail_periodic),
        },
        "infinite": tally(summary.infinite),
        "diverging": tally(summary.diverging),
        "growing": tally(summary.growing),
        "exhausted": {
            "all": tally(summary.exhausted()),
            "fuel": tally(summary.out_of_fuel),
            "max-heap": tally(summary.at_max_heap),
            "max-order": tally(summary.at_max_order),
        },
        "quotients": levels::document(summary),
        "classes": { "solved": summary.classes_solved, "met": summary.classes_met },
        "largest": summary.largest.as_ref().map(|(order, code)| json!({ "order": order, "code": code })),
        "fuel": summary.fuel,
        "orders": orders.collect::<Vec<_>>(),
        "budgets": budgets.collect::<Vec<_>>(),
        "wild_games": wild.collect::<Vec<_>>(),
        "tame_relative_games": relative.collect::<Vec<_>>(),
        "law_games": by_law.collect::<Vec<_>>(),
        "automaton_games": by_automaton.collect::<Vec<_>>(),
        "past_infinite_games": past_infinite.collect::<Vec<_>>(),
        "growing_games": growing.collect::<Vec<_>>(),
        "quarantine": quarantine.collect::<Vec<_>>(),
        "digest": summary.digest.to_string(),
    })
}
