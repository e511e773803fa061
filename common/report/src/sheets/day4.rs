//! Figures 10 and 11: the quotients of the games born by day 4, beside those printed.

use misere_game::control::Control;
use serde_json::{Value, json};

use crate::ReportError;
use crate::facts::day4::{BornByDayFour, BornGame, BornQuotient};
use crate::report::{Census, Content, Report};
use crate::sheet::{Cell, Grid, Part};
use crate::solved_game::SolvedGame;

/// The closing text of the help of Figures 10 and 11 and of the table of 0.(3310)^n.
pub(super) const HELP: &str = "\
Examples:
  misere census run --born-by 4 --data day-4
  misere report figure10 --data day-4
  misere report figure11 --data day-4 --format html > figure11.html
  misere census run --data 3310 --codes \\
      '0.(3310)^1,0.(3310)^2,0.(3310)^3,0.(3310)^4,0.(3310)^5,0.(3310)^6'
  misere report table3310 --data 3310

Figures 10 and 11 of the supplement of Plambeck and Siegel (2007), and its table
of 0.(3310)^n, from a census, compared with the print. What the census does not
hold is said, and how to compute it.

Exit codes: 0 done, 1 failed, 2 usage.";

/// The report of Figure 10: the quotients born by day 4.
pub(crate) struct Figure10;

impl Report for Figure10 {
    type Input = Census;
    type Facts = BornByDayFour;
    const NAME: &'static str = "figure10";
    const ABOUT: &'static str = "The misère quotients born by day 4, beside those printed";
    const HELP: &'static str = HELP;

    fn facts(census: &Census, _: &mut Control) -> Result<BornByDayFour, ReportError> {
        BornByDayFour::of(&census.store)
    }

    fn content(_: &Census, born: &BornByDayFour) -> Content {
        quotients(born)
    }
}

/// The report of Figure 11: the games born by day 4.
pub(crate) struct Figure11;

impl Report for Figure11 {
    type Input = Census;
    type Facts = BornByDayFour;
    const NAME: &'static str = "figure11";
    const ABOUT: &'static str =
        "The 22 misère games born by day 4 and their quotients, beside those printed";
    const HELP: &'static str = HELP;

    fn facts(census: &Census, _: &mut Control) -> Result<BornByDayFour, ReportError> {
        BornByDayFour::of(&census.store)
    }

    fn content(_: &Census, born: &BornByDayFour) -> Content {
        games(born)
    }
}

fn coverage(born: &BornByDayFour) -> Vec<String> {
    let missing = born.missing().count();
    let mut notes = vec![format!(
        "Printed and compared: Plambeck and Siegel, supplementary material (2007), Figures 10 and 11; quotients are compared up to \
         isomorphism. The quotient of 0, the game without moves, is T_0 by definition. The census holds {} of the other 21 games.",
        21_usize.saturating_sub(missing)
    )];
    if missing > 0 {
        notes.push(
            "What is missing is not known here. To compute it: misere census run --born-by 4 --data day-4".to_owned(),
        );
    }
    notes
}

fn presentation(solved: &SolvedGame) -> String {
    match solved.relations.is_empty() {
        true => "⟨ | ⟩".to_owned(),
        false => format!(
            "⟨{} | {}⟩",
            solved.generators.join(", "),
            solved.relations.join(", ")
        ),
    }
}

fn set(words: &[String]) -> String {
    match words.is_empty() {
        true => "∅".to_owned(),
        false => format!("{{{}}}", words.join(", ")),
    }
}

/// Returns the result of the comparison of a quotient with the print.
fn quotient_compared(quotient: &BornQuotient) -> &'static str {
    match (&quotient.name, &quotient.solved) {
        (Some(_), Some(_)) => "as printed",
        (Some(_), None) => "no game with it in this census",
        (None, _) => "not printed",
    }
}

fn quotients(born: &BornByDayFour) -> Content {
    let head = ["name", "|Q|", "|P|", "Q", "P", "games", "compared"];
    let mut grid = Grid::new("", &head);
    let mut data = Grid::new(
        "",
        &[
            "name",
            "order",
            "p_size",
            "quotient",
            "p_portion",
            "class",
            "games",
            "compared",
            "printed",
        ],
    );
    for quotient in &born.quotients {
        let solved = quotient.solved.as_ref();
        let name = quotient
            .name
            .clone()
            .or_else(|| solved?.name.clone())
            .unwrap_or_default();
        let text = |of: &dyn Fn(&SolvedGame) -> String| solved.map_or(String::new(), of);
        grid.rows.push(vec![
            Cell::Formula(name.clone()),
            Cell::number_or_dash(solved.map(|solved| solved.order)),
            Cell::number_or_dash(solved.map(|solved| solved.p_size)),
            Cell::Formula(text(&presentation)),
            Cell::Formula(text(&|solved| set(&solved.p_portion))),
            Cell::Text(quotient.games.join(" ")),
            Cell::text(quotient_compared(quotient)),
        ]);
        data.rows.push(vec![
            Cell::text(name),
            Cell::text(text(&|solved| solved.order.to_string())),
            Cell::text(text(&|solved| solved.p_size.to_string())),
            Cell::text(text(&presentation)),
            Cell::text(text(&|solved| set(&solved.p_portion))),
            Cell::text(text(&|solved| solved.class.to_string())),
            Cell::text(quotient.games.join(" ")),
            Cell::text(quotient_compared(quotient)),
            Cell::text(quotient.printed.clone().unwrap_or_default()),
        ]);
    }
    let listed = born.quotients.iter().map(|quotient| {
        json!({
            "name": quotient.name,
            "printed_order": quotient.printed_order,
            "printed": quotient.printed,
            "games": quotient.games,
            "compared": quotient_compared(quotient),
            "solution": quotient.solved.as_ref().map(solved_document),
        })
    });
    let differences: Vec<String> = born
        .quotients
        .iter()
        .filter(|quotient| quotient.name.is_none())
        .map(|quotient| {
            format!(
                "a quotient of order {} that the print lacks, of {}",
                quotient.solved.as_ref().map_or(0, |solved| solved.order),
                quotient.games.join(" ")
            )
        })
        .collect();
    let document = json!({ "quotients": listed.collect::<Vec<_>>(), "differences": differences });
    Content {
        title: "Figure 10: the misère quotients born by day 4".to_owned(),
        parts: vec![Part::Items(grid), said(differences)],
        data,
        document,
        notes: coverage(born),
    }
}

fn games(born: &BornByDayFour) -> Content {
    let mut grid = Grid::new(
        "",
        &[
            "game",
            "written here",
            "birthday",
            "quotient",
            "|Q|",
            "|P|",
            "printed",
            "compared",
        ],
    );
    let mut data = Grid::new(
        "",
        &[
            "game",
            "code",
            "birthday",
            "quotient",
            "order",
            "p_size",
            "class",
            "printed",
            "as_printed",
        ],
    );
    let compared = |game: &BornGame| match game.agrees {
        Some(true) => "as printed",
        Some(false) => "different",
        None => "not in this census",
    };
    for game in &born.games {
        let solved = game.solved.as_ref();
        let name = solved
            .and_then(|solved| solved.name.clone())
            .unwrap_or_default();
        let text =
            |of: &dyn Fn(&SolvedGame) -> String| Cell::text(solved.map_or(String::new(), of));
        grid.rows.push(vec![
            Cell::Game(game.printed.clone()),
            Cell::Text(game.code.to_string()),
            Cell::number(game.birthday),
            Cell::Formula(name.clone()),
            Cell::number_or_dash(solved.map(|solved| solved.order)),
            Cell::number_or_dash(solved.map(|solved| solved.p_size)),
            Cell::Formula(game.printed_name.clone()),
            Cell::text(compared(game)),
        ]);
        data.rows.push(vec![
            Cell::text(game.printed.clone()),
            Cell::text(game.code.to_string()),
            Cell::text(game.birthday.to_string()),
            Cell::text(name),
            text(&|solved| solved.order.to_string()),
            text(&|solved| solved.p_size.to_string()),
            text(&|solved| solved.class.to_string()),
            Cell::text(game.printed_name.clone()),
            Cell::text(
                game.agrees
                    .map_or("", |agrees| if agrees { "yes" } else { "no" }),
            ),
        ]);
    }
    let differences: Vec<String> = born
        .games
        .iter()
        .filter(|game| game.agrees == Some(false))
        .map(|game| {
            let order = game.solved.as_ref().map_or(0, |solved| solved.order);
            format!(
                "{}: {} printed, a quotient of order {order} here (certificate)",
                game.printed, game.printed_name
            )
        })
        .collect();
    let listed = born.games.iter().map(|game| {
        json!({
            "game": game.printed,
            "code": game.code,
            "birthday": game.birthday,
            "printed": game.printed_name,
            "as_printed": game.agrees,
            "solution": game.solved.as_ref().map(solved_document),
        })
    });
    let document = json!({ "games": listed.collect::<Vec<_>>(), "differences": differences });
    Content {
        title: "Figure 11: the 22 misère games born by day 4".to_owned(),
        parts: vec![Part::Grid(grid), said(differences)],
        data,
        document,
        notes: coverage(born),
    }
}

pub(super) fn said(differences: Vec<String>) -> Part {
    match differences.is_empty() {
        true => Part::Says("Nothing that the census holds differs from the print.".to_owned()),
        false => Part::List(differences),
    }
}

fn solved_document(solved: &SolvedGame) -> Value {
    json!({
        "order": solved.order,
        "p_size": solved.p_size,
        "name": solved.name,
        "class": solved.class,
        "generators": solved.generators,
        "relations": solved.relations,
        "p_portion": solved.p_portion,
    })
}
