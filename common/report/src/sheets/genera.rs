//! The genera of the heaps of the games of a census.

use misere_algebra::forms::sequence::HeapGenus;
use misere_algebra::genus::Class;
use misere_game::control::{Control, Stop};
use serde_json::{Value, json};

use super::same_game::with_same_game;
use crate::ReportError;
use crate::facts::genera::Genera;
use crate::report::{Census, Content, Report};
use crate::sheet::{Cell, Grid, Part};

/// The number of heaps whose genera are in the table for people.
const IN_A_LINE: usize = 10;

/// The report on genera.
pub(crate) struct GenusReport;

impl Report for GenusReport {
    type Input = Census;
    type Facts = Genera;
    const NAME: &'static str = "genus";
    const ABOUT: &'static str = "The genera of the heaps of every game, beside those published";
    const HELP: &'static str = "\
Examples:
  misere report genus --data census
  misere report genus --data census --format csv > genus.csv
      a line for each heap
  misere report genus --data census --json

For each game the genera of the first heaps, the first heap that is not tame,
and the period of the genera where it is proved. A number alone stands for a
heap that equals a nimber. Genera are computed to heap 16 within a small budget,
and to heap 32 for games whose genera were published; these are compared.
`misere genus` goes further.

Exit codes: 0 done, 1 failed, 2 usage.";

    fn facts(census: &Census, control: &mut Control) -> Result<Genera, ReportError> {
        Genera::of(&census.store, control)
    }

    fn content(_: &Census, genera: &Genera) -> Content {
        let mut parts = vec![Part::Grid(table(genera))];
        parts.extend(compared(genera).into_iter().map(Part::Says));
        Content {
            title: "Genera of heaps".to_owned(),
            parts,
            data: data(genera),
            document: document(genera),
            notes: vec![
                "A genus is computed from the rules; nothing but the rules is used.".to_owned(),
            ],
        }
    }
}

/// Writes a genus in few words: a number alone for a heap that equals a nimber.
fn written(heap: &HeapGenus) -> String {
    match heap.class {
        Class::NimHeap => heap.genus.nim_value().to_string(),
        _ => heap.genus.to_string(),
    }
}

fn table(genera: &Genera) -> Grid {
    let title = format!("Genera of the heaps 1 to {IN_A_LINE}");
    let head = [
        "code",
        "first not tame",
        "class",
        "period",
        "from heap",
        "genera",
        "same game",
    ];
    let mut grid = Grid::new(&title, &head);
    for game in &genera.games {
        let first = game.first_not_tame();
        let heaps = game.found.heaps.iter().skip(1).take(IN_A_LINE).map(written);
        let mut heaps: Vec<String> = heaps.collect();
        if game.found.heaps.len() > IN_A_LINE + 1 {
            heaps.push("…".to_owned());
        }
        let aliases: Vec<String> = game.aliases.iter().map(ToString::to_string).collect();
        grid.rows.push(vec![
            Cell::Text(game.code.to_string()),
            Cell::number_or_dash(first.map(|(heap, _)| heap)),
            Cell::text(first.map_or_else(String::new, |(_, class)| class.to_string())),
            Cell::number_or_dash(game.found.period.map(|found| found.period)),
            Cell::number_or_dash(game.found.period.map(|found| found.preperiod)),
            Cell::Text(heaps.join(" ")),
            Cell::Text(aliases.join(", ")),
        ]);
    }
    grid
}

/// Describes the comparison with the published genera, in sentences.
fn compared(genera: &Genera) -> Vec<String> {
    let (number, differ) = genera.compared();
    if number == 0 {
        return vec!["No genera of these games were published.".to_owned()];
    }
    let mut said = vec![match differ.len() {
        0 => format!("All {number} published genera of these games agree."),
        wrong => format!("Of {number} published genera {wrong} differ."),
    }];
    said.extend(differ.iter().map(|(game, printed)| {
        format!(
            "{}, heap {}: {} prints {}",
            game.code, printed.heap, printed.source, printed.text
        )
    }));
    said
}

/// Returns one line for each heap.
fn data(genera: &Genera) -> Grid {
    let head = [
        "code",
        "heap",
        "genus",
        "nim_value",
        "misere_nim_value",
        "class",
        "published",
    ];
    let mut grid = Grid::new("", &head);
    for game in &genera.games {
        for (heap, of) in (0_u32..).zip(&game.found.heaps) {
            let printed = game.published.iter().filter(|printed| printed.heap == heap);
            let mut printed: Vec<&str> = printed.map(|printed| printed.text.as_str()).collect();
            printed.dedup();
            grid.rows.push(vec![
                Cell::Text(game.code.to_string()),
                Cell::number(heap),
                Cell::Text(of.genus.to_string()),
                Cell::number(of.genus.nim_value()),
                Cell::number(of.genus.misere_nim_value()),
                Cell::Text(of.class.to_string()),
                Cell::Text(printed.join(" or ")),
            ]);
        }
    }
    grid
}

fn document(genera: &Genera) -> Value {
    let games = genera.games.iter().map(|game| {
        let first = game.first_not_tame();
        let heaps = game.found.heaps.iter().map(|of| of.genus.to_string());
        let classes = game.found.heaps.iter().map(|of| of.class);
        let document = json!({
            "code": game.code,
            "first_not_tame": first.map(|(heap, _)| heap),
            "class_of_first": first.map(|(_, class)| class),
            "period": game.found.period.map(|found| found.period),
            "preperiod": game.found.period.map(|found| found.preperiod),
            "complete": game.found.stopped != Some(Stop::FuelSpent),
            "genera": heaps.collect::<Vec<_>>(),
            "classes": classes.collect::<Vec<_>>(),
        });
        with_same_game(document, &game.code, &game.aliases)
    });
    let (compared, differ) = genera.compared();
    let differ = differ.iter().map(|(game, printed)| {
        json!({
            "code": game.code,
            "heap": printed.heap,
            "published": printed.text,
            "source": printed.source,
        })
    });
    json!({
        "schema": 1,
        "games": games.collect::<Vec<_>>(),
        "published": { "compared": compared, "different": differ.collect::<Vec<_>>() },
    })
}
