//! Quotient, P-portion and pretending function of one game, as parts of a sheet.

use misere_game::ruleset::Code;

use crate::sheet::{Part, Values};
use crate::solved_game::SolvedGame;

/// The number of relations, and of elements of P, that are printed; the rest is in JSON.
const MAX_ITEMS: usize = 120;
/// The number of values that are printed; the rest is in CSV and JSON.
const MAX_VALUES: usize = 600;
/// The number of values that fit in one line; more are set in rows.
const SHORT: usize = 27;
/// The longest row.
const MAX_ROW_LENGTH: usize = 16;

/// Formats quotient, P and Φ, except for what is the same as for another game.
pub(super) fn solution(solved: &SolvedGame, as_for: Option<(&SolvedGame, &Code)>) -> Vec<Part> {
    let mut parts = Vec::new();
    match as_for {
        Some((other, code)) if other.values == solved.values && other.period == solved.period => {
            return vec![Part::Says(format!("Q, P and Φ as for {code}."))];
        }
        Some((_, code)) => parts.push(Part::Says(format!("Q and P as for {code}."))),
        None => {
            parts.push(Part::Formula("Q".to_owned(), quotient(solved)));
            parts.push(Part::Formula("P".to_owned(), p_portion(solved)));
        }
    }
    let period = solved.period.map(|period| {
        let begin = solved.preperiod.max(1) as usize - 1;
        (begin, begin + period as usize)
    });
    let columns = match (solved.values.len() <= SHORT, solved.period) {
        (true, _) => 0,
        (false, Some(period)) => row_length(period as usize),
        (false, None) => MAX_ROW_LENGTH,
    };
    let shown = solved.values.len().min(MAX_VALUES);
    parts.push(Part::Values(Values {
        values: solved.values[..shown].to_vec(),
        period: period.filter(|&(_, end)| end <= shown),
        columns,
    }));
    if shown < solved.values.len() {
        parts.push(Part::Says(format!(
            "Shown to heap {shown}; the list goes on to heap {} (JSON has all).",
            solved.values.len()
        )));
    }
    if let Some(note) = &solved.note {
        parts.push(Part::Says(format!("{note}.")));
    }
    parts
}

/// Returns the period, or its greatest divisor that fits into a row and is not far too short.
fn row_length(period: usize) -> usize {
    let fits = (4..=MAX_ROW_LENGTH)
        .rev()
        .find(|length| period.is_multiple_of(*length));
    fits.unwrap_or(match period {
        1..4 => MAX_ROW_LENGTH / period * period,
        _ => MAX_ROW_LENGTH,
    })
}

fn quotient(solved: &SolvedGame) -> Vec<String> {
    let opening = format!("⟨{} |", solved.generators.join(", "));
    let mut items = vec![opening];
    items.extend(listed(&solved.relations, "relations"));
    if let Some(last) = items.last_mut() {
        last.push('⟩');
    }
    items
}

fn p_portion(solved: &SolvedGame) -> Vec<String> {
    if solved.p_portion.is_empty() {
        return vec!["∅".to_owned()];
    }
    let mut items = listed(&solved.p_portion, "elements");
    if let Some(first) = items.first_mut() {
        first.insert(0, '{');
    }
    if let Some(last) = items.last_mut() {
        last.push('}');
    }
    items
}

/// Joins items with commas; a long list is cut and says so.
fn listed(items: &[String], what: &str) -> Vec<String> {
    let shown = items.len().min(MAX_ITEMS);
    let mut listed: Vec<String> = items[..shown]
        .iter()
        .map(|item| format!("{item},"))
        .collect();
    if shown < items.len() {
        listed.push(format!(
            "… {} more {what} (JSON has all)",
            items.len() - shown
        ));
    } else if let Some(last) = listed.last_mut() {
        last.pop();
    }
    listed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_as_long_as_the_period_or_a_divisor() {
        assert_eq!(
            [12, 14, 48, 2, 5, 1].map(row_length),
            [12, 14, 16, 16, 5, 16]
        );
        assert_eq!([10, 3, 23, 149].map(row_length), [10, 15, 16, 16]);
    }

    #[test]
    fn long_lists_are_cut() {
        let items = vec!["a".to_owned(); MAX_ITEMS + 2];
        let cut = listed(&items, "relations");
        assert_eq!(cut.len(), MAX_ITEMS + 1);
        assert!(cut[MAX_ITEMS].starts_with("… 2 more relations"));
        assert_eq!(listed(&items[..2], "relations"), ["a,", "a"]);
    }
}
