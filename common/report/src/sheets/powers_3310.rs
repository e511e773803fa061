//! The table of the games 0.(3310)^n, beside the printed one.

use misere_game::control::Control;
use serde_json::json;

use super::day4::{HELP, said};
use crate::ReportError;
use crate::facts::powers_3310::{MAX_POWER, PowerRow, powers};
use crate::report::{Census, Content, Report};
use crate::sheet::Part;
use crate::sheet::{Cell, Grid};

/// The report of the games 0.(3310)^n.
pub(crate) struct Table3310;

impl Report for Table3310 {
    type Input = Census;
    type Facts = Vec<PowerRow>;
    const NAME: &'static str = "table3310";
    const ABOUT: &'static str = "Order and period of the games 0.(3310)^n, beside those printed";
    const HELP: &'static str = HELP;

    fn facts(census: &Census, _: &mut Control) -> Result<Vec<PowerRow>, ReportError> {
        powers(&census.store)
    }

    fn content(_: &Census, rows: &Vec<PowerRow>) -> Content {
        table(rows)
    }
}

fn table(rows: &[PowerRow]) -> Content {
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
        MAX_POWER
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
    let document = json!({ "rows": listed.collect::<Vec<_>>(), "differences": differences });
    Content {
        title: "The games 0.(3310)^n".to_owned(),
        parts: vec![Part::Grid(grid), said(differences)],
        data,
        document,
        notes,
    }
}
