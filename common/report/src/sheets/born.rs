//! Figures 10 and 11: the quotients of the games born by day 4; and those of 0.(3310)^n.

use crate::facts::born;
use crate::facts::born::{BornByDayFour, BornGame, BornQuotient, PowerRow};
use crate::facts::solutions::Solved;
use crate::{Report, ReportError};
use misere_store::Store;
use serde_json::{Value, json};

use super::provenance::Provenance;
use crate::sheet::{Cell, Grid, Part};

/// What is printed.
struct Shown {
    name: &'static str,
    title: &'static str,
    parts: Vec<Part>,
    data: Grid,
    says: Value,
    /// What the census does not hold, and what is compared with what.
    notes: Vec<String>,
}

impl Shown {
    fn report(self, store: &Store) -> Result<Report, ReportError> {
        let mut provenance = Provenance::of_census(store)?;
        self.notes.iter().for_each(|note| provenance.also(note));
        Ok(Report {
            name: self.name.to_owned(),
            title: self.title.to_owned(),
            parts: self.parts,
            data: self.data,
            says: self.says,
            provenance,
        })
    }
}

/// The report of Figure 10: the quotients born by day 4.
///
/// # Errors
/// [`ReportError`] if the census or what was published cannot be read.
pub fn figure10(store: &Store) -> Result<Report, ReportError> {
    quotients(&BornByDayFour::of(store)?).report(store)
}

/// The report of Figure 11: the games born by day 4.
///
/// # Errors
/// [`ReportError`] if the census or what was published cannot be read.
pub fn figure11(store: &Store) -> Result<Report, ReportError> {
    games(&BornByDayFour::of(store)?).report(store)
}

/// The report of the games 0.(3310)^n.
///
/// # Errors
/// [`ReportError`] if the census or what was published cannot be read.
pub fn table3310(store: &Store) -> Result<Report, ReportError> {
    powers(&born::powers(store)?).report(store)
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

fn presentation(solved: &Solved) -> String {
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

/// What a quotient of the census is beside the print.
fn quotient_compared(quotient: &BornQuotient) -> &'static str {
    match (&quotient.name, &quotient.solved) {
        (Some(_), Some(_)) => "as printed",
        (Some(_), None) => "no game with it in this census",
        (None, _) => "not printed",
    }
}

fn quotients(born: &BornByDayFour) -> Shown {
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
        let text = |of: &dyn Fn(&Solved) -> String| solved.map_or(String::new(), of);
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
    let says = json!({ "quotients": listed.collect::<Vec<_>>(), "differences": differences });
    Shown {
        name: "figure10",
        title: "Figure 10: the misère quotients born by day 4",
        parts: vec![Part::Items(grid), said(differences)],
        data,
        says,
        notes: coverage(born),
    }
}

fn games(born: &BornByDayFour) -> Shown {
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
        let text = |of: &dyn Fn(&Solved) -> String| Cell::text(solved.map_or(String::new(), of));
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
    let says = json!({ "games": listed.collect::<Vec<_>>(), "differences": differences });
    Shown {
        name: "figure11",
        title: "Figure 11: the 22 misère games born by day 4",
        parts: vec![Part::Grid(grid), said(differences)],
        data,
        says,
        notes: coverage(born),
    }
}

fn said(differences: Vec<String>) -> Part {
    match differences.is_empty() {
        true => Part::Says("Nothing that the census holds differs from the print.".to_owned()),
        false => Part::List(differences),
    }
}

fn powers(rows: &[PowerRow]) -> Shown {
    let mut grid = Grid::new(
        "",
        &[
            "n",
            "game",
            "|Q|",
            "|P|",
            "period",
            "preperiod",
            "class",
            "printed |Q|",
            "printed pd",
            "compared",
        ],
    );
    let mut data = Grid::new(
        "",
        &[
            "n",
            "code",
            "status",
            "order",
            "p_size",
            "period",
            "preperiod",
            "class",
            "printed_order",
            "printed_period",
            "as_printed",
        ],
    );
    let status = |row: &PowerRow| match (row.solved(), &row.record) {
        (Some(_), _) => "solved",
        (None, Some(_)) => "not solved",
        (None, None) => "not in this census",
    };
    let compared = |row: &PowerRow| match (row.agrees(), row.printed) {
        (Some(true), _) => "as printed",
        (Some(false), _) => "different",
        (None, Some(_)) => status(row),
        (None, None) => "not printed",
    };
    let or_nothing =
        |number: Option<u32>| number.map_or(String::new(), |number| number.to_string());
    for row in rows {
        let solved = row.solved();
        let record = row.record.as_ref().filter(|_| solved.is_some());
        let class = record.map(|record| record.class.to_string());
        let numbers = [
            solved.map(|(order, ..)| order),
            record.map(|record| record.p_size),
            solved.map(|(_, period, _)| period),
            solved.map(|(.., preperiod)| preperiod),
        ];
        let printed = [
            row.printed.map(|(order, _)| order),
            row.printed.map(|(_, period)| period),
        ];
        let mut cells = vec![
            Cell::number(row.n),
            Cell::Text(format!("0.(3310)^{}", row.n)),
        ];
        cells.extend(numbers.map(Cell::number_or_dash));
        cells.push(class.clone().map_or(Cell::None, Cell::Key));
        cells.extend(printed.map(Cell::number_or_dash));
        cells.push(Cell::text(compared(row)));
        grid.rows.push(cells);
        let mut fields = vec![
            row.n.to_string(),
            row.code.to_string(),
            status(row).to_owned(),
        ];
        fields.extend(numbers.map(or_nothing));
        fields.push(class.unwrap_or_default());
        fields.extend(printed.map(or_nothing));
        fields.push(
            row.agrees()
                .map_or("", |agrees| if agrees { "yes" } else { "no" })
                .to_owned(),
        );
        data.rows.push(fields.into_iter().map(Cell::Text).collect());
    }
    let held: Vec<u32> = rows
        .iter()
        .filter(|row| row.solved().is_some())
        .map(|row| row.n)
        .collect();
    let missing: Vec<String> = rows
        .iter()
        .filter(|row| row.record.is_none())
        .map(|row| format!("0.(3310)^{}", row.n))
        .collect();
    let differences: Vec<String> = rows
        .iter()
        .filter(|row| row.agrees() == Some(false))
        .filter_map(|row| {
            let ((order, period, _), (printed_order, printed_period)) = (row.solved()?, row.printed?);
            Some(format!(
                "n = {}: order {printed_order} and period {printed_period} printed, {order} and {period} here (certificate)",
                row.n
            ))
        })
        .collect();
    let mut notes = vec![format!(
        "Printed and compared: Plambeck and Siegel, supplementary material (2007), the games 0.(3310)^n for n = 1 … 5. The census \
         holds {} solved. Codes have at most 255 digits, so that n ends at {}. What happens for greater n is argued in docs/spaces.md, and what happens without end is proved there.",
        match held.is_empty() {
            true => "none".to_owned(),
            false => format!(
                "n = {}",
                held.iter()
                    .map(u32::to_string)
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        },
        born::GREATEST_POWER
    )];
    if !missing.is_empty() {
        notes.push(format!(
            "Not in this census, so not known here: {}. To compute them: misere census run --codes '{}' --data 3310",
            missing.join(" "),
            missing.join(",")
        ));
    }
    let listed = rows.iter().map(|row| {
        let solved = row.solved();
        json!({
            "n": row.n,
            "code": row.code,
            "status": status(row),
            "order": solved.map(|(order, ..)| order),
            "p_size": row.record.as_ref().map(|record| record.p_size),
            "period": solved.map(|(_, period, _)| period),
            "preperiod": solved.map(|(.., preperiod)| preperiod),
            "class": row.record.as_ref().map(|record| record.class),
            "printed_order": row.printed.map(|(order, _)| order),
            "printed_period": row.printed.map(|(_, period)| period),
            "as_printed": row.agrees(),
        })
    });
    let says = json!({ "rows": listed.collect::<Vec<_>>(), "differences": differences });
    Shown {
        name: "table3310",
        title: "The games 0.(3310)^n",
        parts: vec![Part::Grid(grid), said(differences)],
        data,
        says,
        notes,
    }
}

fn solved_document(solved: &Solved) -> Value {
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
