//! The laws and the automata of the games of a census whose partial quotients grow.

use misere_census::Alias;
use misere_game::control::Control;
use misere_game::solution::HeapLaw;
use serde_json::{Value, json};

use super::same_game::with_same_game;
use super::summary::quotient_as_shown;
use crate::ReportError;
use crate::facts::laws::{Growing, SolvedByAutomaton, SolvedByLaw, UnsolvedGame};
use crate::report::{Census, Content, Report};
use crate::sheet::{Cell, Grid, Part};

/// The report on the laws and the automata of growing games.
pub(crate) struct Laws;

impl Report for Laws {
    type Input = Census;
    type Facts = Growing;
    const NAME: &'static str = "laws";
    const ABOUT: &'static str =
        "The laws and automata that solve games whose partial quotients grow";
    const HELP: &'static str = "\
Examples:
  misere report laws --data census
  misere report laws --data census --format latex > laws.tex
  misere report laws --data census --format csv
      a line for each heap of each law
  misere report laws --data census --json   with all laws and automata

Which games a law solves for all heaps: the heap from which on the law repeats,
its period, the growth of weights in a period (slope), the modulus of weights,
the bits of a unit, how many heaps of a period can be free, and whether the law
shows that the quotient is infinite. Then the games that an automaton solves:
the number by which sizes matter modulo (period), and how many states there are.
Last the games that grow without a law or an automaton, and why none is proved.
That partial quotients go on to follow a pattern is a conjecture in all tables.

Exit codes: 0 done, 1 failed, 2 usage.";

    fn facts(census: &Census, control: &mut Control) -> Result<Growing, ReportError> {
        Growing::of(&census.store, control)
    }

    fn content(_: &Census, growing: &Growing) -> Content {
        let mut parts = Vec::new();
        if growing.solved.is_empty() {
            parts.push(Part::Says("No game is solved by a law.".to_owned()));
        } else {
            let title = format!("Solved by a law ({})", growing.solved.len());
            parts.push(Part::Grid(solved(title, &growing.solved)));
        }
        if !growing.automata.is_empty() {
            let title = format!("Solved by an automaton ({})", growing.automata.len());
            parts.push(Part::Grid(automata(title, &growing.automata)));
        }
        if !growing.unsolved.is_empty() {
            let title = format!(
                "Growing without a law or an automaton ({})",
                growing.unsolved.len()
            );
            parts.push(Part::Grid(unsolved(title, &growing.unsolved)));
        }
        Content {
            title: "Laws and automata of games whose partial quotients grow".to_owned(),
            parts,
            data: data(growing),
            document: document(growing),
            notes: vec![
                "Laws and automata are proved for all heaps; that the partial quotients go on to follow a pattern is a conjecture."
                    .to_owned(),
            ],
        }
    }
}

fn listed(aliases: &[Alias]) -> Cell {
    let aliases: Vec<String> = aliases.iter().map(ToString::to_string).collect();
    Cell::Text(aliases.join(", "))
}

fn solved(title: String, games: &[SolvedByLaw]) -> Grid {
    let head = [
        "code",
        "from heap",
        "period",
        "slope",
        "modulus",
        "bits",
        "free heaps",
        "quotient",
        "pattern",
        "same game",
    ];
    let mut grid = Grid::new(&title, &head);
    for game in games {
        let law = game.facts;
        let mut row = vec![
            Cell::Text(game.code.to_string()),
            Cell::number(game.law.repeats_from()),
        ];
        row.extend([law.period, law.slope, law.modulus, law.bits].map(Cell::number));
        row.push(Cell::number(game.free_heaps()));
        row.push(Cell::text(quotient_as_shown(law.infinite)));
        row.push(Cell::Text(pattern(game.pattern)));
        row.push(listed(&game.aliases));
        grid.rows.push(row);
    }
    grid
}

fn automata(title: String, games: &[SolvedByAutomaton]) -> Grid {
    let head = [
        "code",
        "period",
        "states",
        "P-states",
        "quotient",
        "pattern",
        "same game",
    ];
    let mut grid = Grid::new(&title, &head);
    for game in games {
        let facts = game.facts;
        let mut row = vec![Cell::Text(game.code.to_string())];
        row.extend([facts.period, facts.states, facts.p_states].map(Cell::number));
        row.push(Cell::text(quotient_as_shown(facts.infinite)));
        row.push(Cell::Text(pattern(game.pattern)));
        row.push(listed(&game.aliases));
        grid.rows.push(row);
    }
    grid
}

/// Writes a pattern of partial quotients in few words: `11 + 4t`.
fn pattern((start, period): (u32, u32)) -> String {
    format!("{start} + {period}t")
}

fn unsolved(title: String, games: &[UnsolvedGame]) -> Grid {
    let head = ["code", "pattern", "heaps", "order", "why", "same game"];
    let mut grid = Grid::new(&title, &head);
    for game in games {
        grid.rows.push(vec![
            Cell::Text(game.code.to_string()),
            Cell::Text(pattern(game.pattern)),
            Cell::number(game.heaps),
            Cell::number(game.order),
            Cell::Text(why(game)),
            listed(&game.aliases),
        ]);
    }
    grid
}

/// Returns the reason why a game has neither a law nor an automaton.
fn why(game: &UnsolvedGame) -> String {
    match &game.reason {
        Some((no_law, no_automaton)) => format!("{no_law}; for an automaton, {no_automaton}"),
        None => "computed by a release that looked for fewer rules".to_owned(),
    }
}

/// Returns one line for each heap of each law.
fn data(growing: &Growing) -> Grid {
    let head = [
        "code",
        "heap",
        "period",
        "unit",
        "weight",
        "slope",
        "threshold",
        "modulus",
        "alone",
        "first_totals",
        "totals",
        "infinite",
    ];
    let mut grid = Grid::new("", &head);
    let sets = |sets: &[u32]| {
        let sets: Vec<String> = sets.iter().map(u32::to_string).collect();
        sets.join(" ")
    };
    for game in &growing.solved {
        let law = &game.law;
        let row = |(heap, facts): (u64, &HeapLaw)| {
            // A heap that does not repeat has the period 0, and its weight does not grow.
            let repeats = heap >= law.repeats_from();
            let of_period = |number: u32| if repeats { number } else { 0 };
            let cells = [
                game.code.to_string(),
                heap.to_string(),
                of_period(law.period).to_string(),
                facts.unit.to_string(),
                facts.weight.to_string(),
                of_period(law.slope).to_string(),
                facts.threshold.to_string(),
                law.modulus.to_string(),
                sets(&facts.alone),
                sets(&law.first_totals),
                sets(&law.totals),
                u8::from(game.facts.infinite).to_string(),
            ];
            cells.map(Cell::Text).to_vec()
        };
        grid.rows.extend((1..).zip(&law.heaps).map(row));
    }
    grid
}

fn document(growing: &Growing) -> Value {
    let of_pattern = |(start, period): (u32, u32)| json!({ "start": start, "period": period });
    let solved = growing.solved.iter().map(|game| {
        let document = json!({
            "code": game.code,
            "repeats_from": game.law.repeats_from(),
            "period": game.facts.period,
            "slope": game.facts.slope,
            "modulus": game.facts.modulus,
            "bits": game.facts.bits,
            "free_heaps": game.free_heaps(),
            "infinite": game.facts.infinite,
            "heaps": game.heaps,
            "growth": of_pattern(game.pattern),
            "law": game.law,
        });
        with_same_game(document, &game.code, &game.aliases)
    });
    let automata = growing.automata.iter().map(|game| {
        let document = json!({
            "code": game.code,
            "period": game.facts.period,
            "states": game.facts.states,
            "p_states": game.facts.p_states,
            "infinite": game.facts.infinite,
            "heaps": game.heaps,
            "growth": of_pattern(game.pattern),
            "automaton": game.automaton,
        });
        with_same_game(document, &game.code, &game.aliases)
    });
    let unsolved = growing.unsolved.iter().map(|game| {
        let document = json!({
            "code": game.code,
            "heaps": game.heaps,
            "order": game.order,
            "growth": of_pattern(game.pattern),
            "why": why(game),
        });
        with_same_game(document, &game.code, &game.aliases)
    });
    json!({
        "schema": 1,
        "solved": solved.collect::<Vec<_>>(),
        "automata": automata.collect::<Vec<_>>(),
        "unsolved": unsolved.collect::<Vec<_>>(),
    })
}
