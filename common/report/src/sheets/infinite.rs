//! The table of games whose quotients are proved infinite, and of those that diverge without proof.

use misere_census::Alias;
use misere_census::quantity::write_fuel;
use misere_game::control::Control;
use misere_game::solution::Reason;
use misere_store::StoreError;
use serde_json::{Value, json};

use super::provenance::Provenance;
use super::same_game::with_same_game;
use crate::ReportError;
use crate::facts::described::{QuotientDescription, Relations};
use crate::facts::infinite::{Count, Infinite, ProvedGame, UnprovedGame};
use crate::report::{Census, Content, Input, Report};
use crate::sheet::{Cell, Grid, Part};

/// The input of the report: a census, and whether its infinite quotients are described.
#[derive(Debug)]
pub struct InfiniteInput {
    /// The census.
    pub census: Census,
    /// The fuel for each description of a quotient; `None` if the quotients are not described.
    pub describe: Option<u64>,
}

impl Input for InfiniteInput {
    fn provenance(&self) -> Result<Provenance, StoreError> {
        self.census.provenance()
    }
}

/// The report on infinite quotients.
pub(crate) struct InfiniteReport;

impl Report for InfiniteReport {
    type Input = InfiniteInput;
    type Facts = Infinite;
    const NAME: &'static str = "infinite";
    const ABOUT: &'static str = "Games proved infinite, and why the other diverging games are not";
    const HELP: &'static str = "\
Examples:
  misere report infinite --data census
  misere report infinite --data census --format csv > infinite.csv
  misere report infinite --data census --json
  misere report infinite --data census --describe
      relations and linear conditions of each quotient: minutes

For each game whose quotient is proved infinite: the heap, the heaps of which
all multiples are distinct, the size of the evidence, and the period of the
words of all heaps if the game is solved by them (docs/beyond.md). Then the
games that diverge without a proof, by the reason why none was found. The reason
is what the computation said; unlike a proof it is not checked. docs/infinite.md
explains the reasons.

With --describe each infinite quotient is described, too, as by `misere present`
and `misere present --semilinear`: how many relations it has, whether they
present it, and how many linear conditions describe its P-positions. All of
this is proved by the checker. --fuel is the amount for each search.

Exit codes: 0 done, 1 failed, 2 usage, 4 interrupted.";

    fn facts(input: &InfiniteInput, control: &mut Control) -> Result<Infinite, ReportError> {
        Infinite::of(&input.census.store, input.describe, control)
    }

    fn content(input: &InfiniteInput, infinite: &Infinite) -> Content {
        let mut notes = vec![
            "That a quotient is infinite is proved by the evidence in the certificate. The reason \
             why a game that diverges is not proved infinite is what the computation said; nobody \
             has checked it."
                .to_owned(),
        ];
        if let Some(fuel) = input.describe {
            notes.push(format!(
                "Relations and linear conditions were searched with {} of fuel each, and were \
                 proved by the checker for this report. Where none are given, none were found; \
                 this does not prove that there are none.",
                write_fuel(fuel)
            ));
        }
        Content {
            title: "Infinite quotients".to_owned(),
            parts: parts(infinite),
            data: data(infinite),
            document: document(infinite),
            notes,
        }
    }
}

/// The name in documents of a reason that was not recorded.
const NOT_RECORDED: &str = "not-recorded";

fn name(reason: Option<Reason>) -> &'static str {
    reason.map_or(NOT_RECORDED, Reason::name)
}

fn words(reason: Option<Reason>) -> &'static str {
    reason.map_or("the reason was not recorded", Reason::words)
}

fn counted(count: Count) -> String {
    let rulesets = match count.rulesets {
        1 => "1 ruleset".to_owned(),
        many => format!("{many} rulesets"),
    };
    let codes = match count.codes {
        1 => "1 code".to_owned(),
        many => format!("{many} codes"),
    };
    format!("{rulesets} ({codes})")
}

fn parts(infinite: &Infinite) -> Vec<Part> {
    let mut parts = vec![Part::Says(format!(
        "Proved infinite: {}; solved for all heaps: {} of them. Diverging without a proof: {}.",
        counted(infinite.proved_count()),
        counted(infinite.solved_count()),
        counted(infinite.unproved_count())
    ))];
    if !infinite.proved.is_empty() {
        parts.push(Part::Grid(proved(&infinite.proved)));
        parts.extend(described(&infinite.proved).map(Part::Grid));
    }
    if !infinite.unproved.is_empty() {
        parts.push(Part::Grid(reasons(infinite)));
        parts.push(Part::Grid(unproved(&infinite.unproved)));
    }
    parts
}

fn list(heaps: &[u32]) -> String {
    let heaps: Vec<String> = heaps.iter().map(u32::to_string).collect();
    heaps.join(" ")
}

fn codes(aliases: &[Alias]) -> String {
    let codes: Vec<String> = aliases.iter().map(ToString::to_string).collect();
    codes.join(", ")
}

fn proved(games: &[ProvedGame]) -> Grid {
    let title = "Proved infinite: no two multiples of these heaps are alike";
    let head = [
        "code",
        "heap",
        "multiples of",
        "letters",
        "digits",
        "states",
        "columns",
        "nodes",
        "period, all heaps",
        "fuel",
        "same game",
    ];
    let mut grid = Grid::new(title, &head);
    for game in games {
        grid.rows.push(vec![
            Cell::text(game.code.to_string()),
            Cell::number(game.heap),
            Cell::text(list(&game.distinct_multiples)),
            Cell::number(game.letters.len()),
            Cell::number(game.digits.len()),
            Cell::number(game.states),
            Cell::number_or_dash(game.columns),
            Cell::number_or_dash(game.nodes),
            Cell::number_or_dash(
                game.all_heaps
                    .map(|(preperiod, period)| format!("{period} from heap {preperiod}")),
            ),
            Cell::number(write_fuel(game.fuel)),
            Cell::text(codes(&game.aliases)),
        ]);
    }
    grid
}

/// Returns a line for each quotient that was described; `None` if none was requested.
fn described(games: &[ProvedGame]) -> Option<Grid> {
    let described = games.iter().filter_map(|game| {
        let described = game.described.as_ref()?;
        Some((game, described))
    });
    let head = [
        "code",
        "heap",
        "generators",
        "without",
        "relations",
        "present the quotient",
        "regions",
        "cells",
        "forms",
    ];
    let title = "The quotients described: relations, and P-positions by linear conditions";
    let mut grid = Grid::new(title, &head);
    for (game, described) in described {
        let reach = match described.relations {
            None => "–".to_owned(),
            Some(Relations { degree: None, .. }) => "proved".to_owned(),
            Some(Relations {
                degree: Some(degree),
                ..
            }) => format!("to degree {degree}"),
        };
        let conditions = described.conditions;
        grid.rows.push(vec![
            Cell::text(game.code.to_string()),
            Cell::number(game.heap),
            Cell::number_or_dash(described.generators),
            Cell::text(list(&described.silent_heaps)),
            Cell::number_or_dash(described.relations.map(|found| found.count)),
            Cell::text(reach),
            Cell::number_or_dash(conditions.map(|found| found.regions)),
            Cell::number_or_dash(conditions.map(|found| found.cells)),
            Cell::number_or_dash(conditions.map(|found| found.forms)),
        ]);
    }
    (!grid.rows.is_empty()).then_some(grid)
}

fn reasons(infinite: &Infinite) -> Grid {
    let title = "Diverging without a proof, by reason";
    let mut grid = Grid::new(
        title,
        &["reason", "rulesets", "codes", "no proof was found:"],
    );
    for (reason, count) in infinite.by_reason() {
        grid.rows.push(vec![
            Cell::text(name(reason)),
            Cell::number(count.rulesets),
            Cell::number(count.codes),
            Cell::text(words(reason)),
        ]);
    }
    grid
}

fn unproved(games: &[UnprovedGame]) -> Grid {
    let head = ["code", "heap", "reason", "fuel", "same game"];
    let mut grid = Grid::new("The games that diverge without a proof", &head);
    for game in games {
        grid.rows.push(vec![
            Cell::text(game.code.to_string()),
            Cell::number(game.heap),
            Cell::text(name(game.reason)),
            Cell::number(write_fuel(game.fuel)),
            Cell::text(codes(&game.aliases)),
        ]);
    }
    grid
}

/// Returns a line for each game, those proved infinite first.
fn data(infinite: &Infinite) -> Grid {
    let head = [
        "code",
        "status",
        "heap",
        "reason",
        "distinct_multiples",
        "letters",
        "digits",
        "states",
        "columns",
        "nodes",
        "preperiod",
        "period",
        "fuel",
        "same_game",
        "generators",
        "silent_heaps",
        "relations",
        "complete",
        "regions",
        "cells",
        "forms",
    ];
    let mut grid = Grid::new("", &head);
    let or_nothing = |number: Option<usize>| number.map_or(String::new(), |n| n.to_string());
    let of = |game: &'_ ProvedGame| game.described.clone();
    let proved = infinite.proved.iter().map(|game| {
        [
            game.code.to_string(),
            match game.all_heaps {
                Some(_) => "solved".to_owned(),
                None => "infinite".to_owned(),
            },
            game.heap.to_string(),
            String::new(),
            list(&game.distinct_multiples),
            list(&game.letters),
            list(&game.digits),
            game.states.to_string(),
            or_nothing(game.columns),
            or_nothing(game.nodes),
            or_nothing(game.all_heaps.map(|(preperiod, _)| preperiod as usize)),
            or_nothing(game.all_heaps.map(|(_, period)| period as usize)),
            game.fuel.to_string(),
            codes(&game.aliases),
            or_nothing(of(game).and_then(|of| of.generators)),
            of(game).map_or(String::new(), |of| list(&of.silent_heaps)),
            or_nothing(
                of(game)
                    .and_then(|of| of.relations)
                    .map(|found| found.count),
            ),
            of(game)
                .and_then(|of| of.relations)
                .map_or(String::new(), |found| found.is_complete().to_string()),
            or_nothing(
                of(game)
                    .and_then(|of| of.conditions)
                    .map(|found| found.regions),
            ),
            or_nothing(
                of(game)
                    .and_then(|of| of.conditions)
                    .map(|found| found.cells),
            ),
            or_nothing(
                of(game)
                    .and_then(|of| of.conditions)
                    .map(|found| found.forms),
            ),
        ]
    });
    let unproved = infinite.unproved.iter().map(|game| {
        let mut line: [String; 21] = Default::default();
        line[0] = game.code.to_string();
        line[1] = "diverges".to_owned();
        line[2] = game.heap.to_string();
        line[3] = name(game.reason).to_owned();
        line[12] = game.fuel.to_string();
        line[13] = codes(&game.aliases);
        line
    });
    let lines = proved.chain(unproved);
    grid.rows = lines.map(|line| line.map(Cell::Text).to_vec()).collect();
    grid
}

fn described_document(described: &QuotientDescription) -> Value {
    json!({
        "generators": described.generators,
        "silent_heaps": described.silent_heaps,
        "relations": described.relations.map(|found| json!({
            "count": found.count,
            "complete": found.is_complete(),
            "degree": found.degree,
        })),
        "conditions": described.conditions.map(|found| json!({
            "regions": found.regions,
            "cells": found.cells,
            "forms": found.forms,
        })),
    })
}

fn document(infinite: &Infinite) -> Value {
    let count = |count: Count| json!({ "rulesets": count.rulesets, "codes": count.codes });
    let proved = infinite.proved.iter().map(|game| {
        let document = json!({
            "code": game.code,
            "status": if game.all_heaps.is_some() { "solved" } else { "infinite" },
            "heap": game.heap,
            "distinct_multiples": game.distinct_multiples,
            "letters": game.letters,
            "digits": game.digits,
            "states": game.states,
            "columns": game.columns,
            "nodes": game.nodes,
            "preperiod": game.all_heaps.map(|(preperiod, _)| preperiod),
            "period": game.all_heaps.map(|(_, period)| period),
            "fuel": game.fuel,
            "described": game.described.as_ref().map(described_document),
        });
        with_same_game(document, &game.code, &game.aliases)
    });
    let unproved = infinite.unproved.iter().map(|game| {
        let document = json!({
            "code": game.code,
            "heap": game.heap,
            "reason": game.reason,
            "fuel": game.fuel,
        });
        with_same_game(document, &game.code, &game.aliases)
    });
    let reasons = infinite.by_reason().into_iter().map(|(reason, count)| {
        json!({
            "reason": reason,
            "words": words(reason),
            "rulesets": count.rulesets,
            "codes": count.codes,
        })
    });
    json!({
        "infinite": { "all": count(infinite.proved_count()), "solved": count(infinite.solved_count()), "games": proved.collect::<Vec<_>>() },
        "diverging": {
            "all": count(infinite.unproved_count()),
            "reasons": reasons.collect::<Vec<_>>(),
            "games": unproved.collect::<Vec<_>>(),
        },
    })
}
