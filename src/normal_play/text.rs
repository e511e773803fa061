//! The normal play of a game, as text.

use misere_answers::nim_values::NimValues;
use misere_census::quantity::write_fuel;
use misere_engine::normal::Ending;
use misere_engine::normal::far::Far;
use misere_game::solution::{ArithmeticPeriod, Limit};

use super::Answer;
use crate::terminal::Page;

/// The number of columns if no period determines it.
const FREE_COLUMNS: usize = 10;
/// The fewest and the most columns that a period determines.
const FEWEST_COLUMNS: usize = 5;
const MOST_COLUMNS: usize = 24;
/// The blanks between two columns.
const GAP: usize = 2;
/// As many blanks as the widest cell can need: the label of a row is a number and a sign.
const BLANKS: &str = "                        ";

/// Formats normal play as text: with the nim-values, or, of many heaps, with the sparse space.
pub(super) fn describe(answer: &Answer, page: Page) -> String {
    let found = &answer.found;
    let mut text = format!(
        "{}, normal play\n{}\n\n{}; spent {} fuel, {:.3} s\n",
        console::style(found.code()).bold(),
        status(answer),
        greatest(found),
        write_fuel(answer.fuel),
        answer.elapsed_s,
    );
    match found {
        NimValues::InBlocks(far, _) if !answer.lists => text.push_str(&sparse_space(far)),
        _ => text.push_str(&list(&found.values(), found.ending(), page)),
    }
    text
}

fn status(answer: &Answer) -> String {
    let found = &answer.found;
    let heaps = found.heaps();
    let known = format!("nim-values known to heap {heaps}");
    match found.ending() {
        Some(Ending::Periodic(period)) => format!(
            "solved: period {} from heap {} on, proved by the heaps to {heaps}",
            period.period, period.preperiod
        ),
        Some(Ending::Arithmetic(ArithmeticPeriod {
            period,
            saltus,
            preperiod,
            heaps: proof,
            ..
        })) => format!(
            "solved: G(n + {period}) = G(n) + {saltus} from heap {preperiod} on: arithmetic period \
             {period}, saltus {saltus}, proved by the heaps to {proof}"
        ),
        Some(Ending::Exhausted(Limit::Fuel)) => {
            format!("exhausted: fuel (raise --fuel); {known}")
        }
        Some(Ending::Exhausted(_)) => {
            format!("exhausted: greatest heap (raise --max-heap); {known}")
        }
        Some(Ending::Interrupted) => {
            let by = (answer.stopped_by).map_or_else(String::new, |by| format!(" {by}"));
            format!("interrupted{by}: no verdict; {known}")
        }
        None => format!("exhausted: the next nim-value is 65536 or more; {known}"),
    }
}

fn greatest(found: &NimValues) -> String {
    let (greatest, heap) = match found {
        NimValues::InBlocks(far, _) => far.values().greatest(),
        NimValues::ByHeaps(play) if matches!(play.ending, Ending::Arithmetic(_)) => {
            return "there is no largest nim-value".to_owned();
        }
        NimValues::ByHeaps(play) => {
            let values = (0..).zip(&play.nim_values);
            values.fold((0, 0), |best, (heap, &value)| match value > best.0 {
                true => (value, heap),
                false => best,
            })
        }
    };
    format!("largest nim-value {greatest}, first of heap {heap}")
}

/// Lists the nim-values, with as many columns as the period is long.
fn list(values: &[u32], ending: Option<Ending>, page: Page) -> String {
    let heaps = values.len() - 1;
    let (period, end) = match ending {
        Some(Ending::Periodic(found)) => (
            Some(found.period as usize),
            (found.preperiod + found.period) as usize,
        ),
        Some(Ending::Arithmetic(found)) => (Some(found.period as usize), found.heaps as usize),
        _ => (None, heaps),
    };
    let columns = match period {
        Some(period) if period >= FEWEST_COLUMNS => period.min(MOST_COLUMNS),
        _ => FREE_COLUMNS,
    };
    let shown_values = values
        .get(1..=end.clamp(1, heaps.max(1)))
        .unwrap_or_default();
    let lines: Vec<&[u32]> = shown_values.chunks(columns).collect();
    let shown = page.rows.unwrap_or(usize::MAX).min(lines.len());
    let mut text = "\nnim-values\n".to_owned();
    push_rows(&mut text, &lines[..shown], columns);
    if shown < lines.len() {
        text.push_str(&format!(
            "  … {} more rows (pipe the output or use --json to see all)\n",
            lines.len() - shown
        ));
    } else if period.is_some() {
        text.push_str("  … and so on (proved)\n");
    }
    text
}

/// Adds a table of numbers, with the columns numbered from 1 and the first index of each row.
///
/// There can be a million numbers, and most of them are the same few: each is formatted once.
fn push_rows(text: &mut String, lines: &[&[u32]], columns: usize) {
    let greatest = lines.iter().copied().flatten().max().copied();
    let mut formatted = vec![String::new(); greatest.unwrap_or(0) as usize + 1];
    let header: Vec<String> = (1..=columns).map(|column| column.to_string()).collect();
    let mut widths: Vec<usize> = header.iter().map(String::len).collect();
    for line in lines {
        for (&value, width) in line.iter().zip(&mut widths) {
            let number = &mut formatted[value as usize];
            if number.is_empty() {
                *number = value.to_string();
            }
            *width = number.len().max(*width);
        }
    }
    let label = |row: usize| format!("{}+", row * columns);
    let label_width = label(lines.len().saturating_sub(1)).len();
    let row_length: usize = widths
        .iter()
        .chain([&label_width])
        .map(|width| GAP + width)
        .sum();
    text.reserve((lines.len() + 1) * (row_length + 1));
    push(text, "", label_width);
    for (cell, &width) in header.iter().zip(&widths) {
        push(text, cell, width);
    }
    text.push('\n');
    for (row, line) in lines.iter().enumerate() {
        push(text, &label(row), label_width);
        for (&value, &width) in line.iter().zip(&widths) {
            push(text, &formatted[value as usize], width);
        }
        text.push('\n');
    }
}

/// Adds a right-aligned cell of a table.
fn push(text: &mut String, cell: &str, width: usize) {
    text.push_str(&BLANKS[..GAP + width - cell.len()]);
    text.push_str(cell);
}

fn sparse_space(far: &Far) -> String {
    let space = far.space();
    let counted = if space.parity {
        "the ones under the mask and the number of the heap"
    } else {
        "the ones under the mask"
    };
    let rare = match far.rare().last() {
        None => "no heap is rare".to_owned(),
        Some(last) => format!("rare heaps {}, the last is heap {last}", far.rare().len()),
    };
    format!(
        "sparse space: mask {:b} ({counted} tell rare from common); {rare}\n",
        space.mask
    )
}
