//! The report on the games born by day 5: what a census proves of their quotients.

use misere_game::control::Control;
use misere_store::Store;
use serde_json::{Value, json};

use crate::ReportError;
use crate::facts::day5::{BornByDayFive, Counts};
use crate::report::{Censuses, Content, Report};
use crate::sheet::{Cell, Grid, Part};

/// The report on the games born by day 5.
pub(crate) struct DayFiveReport;

impl Report for DayFiveReport {
    type Input = Censuses;
    type Facts = BornByDayFive;
    const NAME: &'static str = "day5";
    const ABOUT: &'static str =
        "The games born by day 5, as far as censuses prove something of them";
    const HELP: &'static str = "\
Examples:
  misere census run --born-by 5 --late 1 --data day-5
  misere report day5 --data day-5
  misere report day5 --data day-5 --format csv > quotients.csv
  misere report day5 --data many --data few   what two censuses prove together,
                                              with different budgets

Of all 4,171,780 games born by day 5: how many are solved with a finite
quotient, how many have an infinite quotient, and how many were not computed. A
game has an infinite quotient if a set of its followers has one, so few
certificates decide most of the games; docs/day-five.md has the theorem. The
finite quotients that were found are listed with their least games.

Exit codes: 0 done, 1 failed, 2 usage.";

    fn facts(censuses: &Censuses, control: &mut Control) -> Result<BornByDayFive, ReportError> {
        let censuses = std::iter::once(&censuses.first).chain(&censuses.others);
        let stores: Vec<&Store> = censuses.map(|census| &census.store).collect();
        BornByDayFive::of(&stores, control)
    }

    fn content(_: &Censuses, born: &BornByDayFive) -> Content {
        Content {
            title: "The games born by day 5".to_owned(),
            parts: parts(born),
            data: quotients("", born),
            document: document(born),
            notes: vec![
                "A game is called infinite if the certificate of a record proves it of the game, or of a set of games \
                 born by day 4 that are all followers of the game. A game is called open if it was computed and \
                 neither was proved. Of the games that were not computed nothing is claimed."
                    .to_owned(),
            ],
        }
    }
}

fn parts(born: &BornByDayFive) -> Vec<Part> {
    let all = born.all();
    let mut parts = vec![
        Part::Says(format!(
            "Of {} games born by day 5, {} have a finite quotient, {} an infinite one, {} are open, and {} were not computed.",
            all.games,
            all.finite,
            all.infinite + all.above,
            all.open,
            all.not_computed()
        )),
        Part::Grid(counts(born)),
    ];
    if !born.sets.is_empty() {
        parts.push(Part::Grid(sets(born)));
    }
    parts.push(Part::Says(format!(
        "{} finite quotients: {} are not regular, {} not normal, {} not faithful.",
        born.quotients.len(),
        born.quotients.iter().filter(|one| !one.regular).count(),
        born.quotients.iter().filter(|one| !one.normal).count(),
        born.quotients.iter().filter(|one| !one.faithful).count()
    )));
    parts.push(Part::Grid(quotients("The finite quotients", born)));
    parts
}

const HEAD: [&str; 7] = [
    "options born on day 4",
    "games",
    "finite",
    "infinite by itself",
    "infinite by followers",
    "open",
    "not computed",
];

fn counts(born: &BornByDayFive) -> Grid {
    let mut grid = Grid::new(
        "The games by the number of their options born on day 4",
        &HEAD,
    );
    let row = |name: String, counts: &Counts| {
        let mut row = vec![Cell::Number(name)];
        let numbers = [
            counts.games,
            counts.finite,
            counts.infinite,
            counts.above,
            counts.open,
            counts.not_computed(),
        ];
        row.extend(numbers.map(Cell::number));
        row
    };
    for (late, counts) in born.by_late.iter().enumerate() {
        grid.rows.push(row(late.to_string(), counts));
    }
    grid.rows.push(row("all".to_owned(), &born.all()));
    grid
}

fn sets(born: &BornByDayFive) -> Grid {
    let title = "The least sets of games of day 4 with infinite quotients: the followers of a game";
    let mut grid = Grid::new(
        title,
        &["followers of", "games in the set", "games above it"],
    );
    for set in &born.sets {
        grid.rows.push(vec![
            Cell::text(set.game.to_string()),
            Cell::number(set.size),
            Cell::number(set.above),
        ]);
    }
    grid
}

fn quotients(title: &str, born: &BornByDayFive) -> Grid {
    let head = [
        "order", "p_size", "name", "class", "games", "least", "regular", "normal", "faithful",
    ];
    let mut grid = Grid::new(title, &head);
    let said = |holds: bool| Cell::text(if holds { "yes" } else { "no" });
    for one in &born.quotients {
        grid.rows.push(vec![
            Cell::number(one.order),
            Cell::number(one.p_size),
            Cell::Formula(one.name.clone().unwrap_or_default()),
            Cell::Key(one.class.to_string()),
            Cell::number(one.games),
            Cell::text(one.least.to_string()),
            said(one.regular),
            said(one.normal),
            said(one.faithful),
        ]);
    }
    grid
}

fn document(born: &BornByDayFive) -> Value {
    let counted = |counts: &Counts| {
        json!({
            "games": counts.games,
            "finite": counts.finite,
            "infinite_by_itself": counts.infinite,
            "infinite_by_followers": counts.above,
            "open": counts.open,
            "not_computed": counts.not_computed(),
        })
    };
    let sets = born
        .sets
        .iter()
        .map(|set| json!({ "game": set.game.to_string(), "size": set.size, "above": set.above }));
    let quotients = born.quotients.iter().map(|one| {
        json!({
            "order": one.order,
            "p_size": one.p_size,
            "name": one.name,
            "class": one.class,
            "games": one.games,
            "least": one.least.to_string(),
            "regular": one.regular,
            "normal": one.normal,
            "faithful": one.faithful,
        })
    });
    json!({
        "all": counted(&born.all()),
        "by_late_options": born.by_late.iter().map(counted).collect::<Vec<_>>(),
        "infinite_sets": sets.collect::<Vec<_>>(),
        "quotients": quotients.collect::<Vec<_>>(),
    })
}
