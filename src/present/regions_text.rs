//! The text of the P-positions as linear conditions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use misere_game::solution::SemilinearDocument;
use misere_game::solution::semilinear::{Cell, Condition, Region};

use super::text::{LABEL, heading, numbers, sum, words};
use crate::terminal::{Page, counted, flow};

/// The number of regions shown on a terminal for each line of a table.
const REGIONS_PER_ROW: usize = 1;

/// Writes a word in letters: `3 + 2·5`.
fn letters(word: &[(u32, u32)]) -> String {
    let parts = word.iter().map(|&(letter, count)| match count {
        1 => letter.to_string(),
        _ => format!("{count}·{letter}"),
    });
    parts.collect::<Vec<_>>().join(" + ")
}

/// Formats the whole text.
pub(super) fn described(document: &SemilinearDocument, page: Page) -> String {
    let mut text = heading(&document.code, document.heaps, &document.silent_heaps);
    let mut label = |name: &str, items: &[String]| {
        let items = flow(items.iter().map(String::as_str), LABEL, page.width);
        let _ = writeln!(text, "{name:<LABEL$}{items}");
    };
    let digits: Vec<u32> = document.digits.iter().map(|digit| digit.heap).collect();
    label(
        "digits",
        &words(&format!(
            "{}; below, x_{} is the count of the letter {}{}",
            numbers(&digits),
            digits.first().copied().unwrap_or(0),
            digits.first().copied().unwrap_or(0),
            if digits.len() > 1 { ", and so on" } else { "" },
        )),
    );
    let others: Vec<String> = (document.diagram.words.iter())
        .map(|other| match other.word.as_slice() {
            [] => format!("{} = 0,", other.heap),
            word => format!("{} = {},", other.heap, letters(word)),
        })
        .collect();
    if !others.is_empty() {
        label(
            "other heaps",
            &words(others.join(" ").trim_end_matches(',')),
        );
    }
    let cells: usize = document
        .regions
        .iter()
        .map(|region| region.cells.len())
        .sum();
    label(
        "P-positions",
        &words(&format!(
            "semilinear; proved: {} with {}",
            counted(document.regions.len() as u64, "region"),
            counted(cells as u64, "cell"),
        )),
    );
    label("forms", &forms(document, &digits));
    let context = document.diagram.least_contexts();
    let shown = page.rows.map_or(usize::MAX, |rows| rows * REGIONS_PER_ROW);
    for (number, region) in document.regions.iter().enumerate().take(shown) {
        let _ = write!(text, "\n{}", written(number + 1, region, &digits, &context));
    }
    if document.regions.len() > shown {
        let more = document.regions.len() - shown;
        let _ = writeln!(
            text,
            "\n… {more} more (pipe the output or use --json to see all)"
        );
    }
    text
}

/// Lists the linear forms of all conditions.
fn forms(document: &SemilinearDocument, digits: &[u32]) -> Vec<String> {
    let mut forms: BTreeSet<Vec<i64>> = BTreeSet::new();
    for condition in document
        .regions
        .iter()
        .flat_map(|region| &region.cells)
        .flatten()
    {
        if let Condition::AtLeast { form, .. } = condition {
            forms.insert(positive(form).0);
        }
    }
    let mut forms: Vec<String> = forms
        .iter()
        .rev()
        .map(|form| linear(form, digits))
        .collect();
    let last = forms.len().saturating_sub(1);
    forms[..last].iter_mut().for_each(|form| form.push(','));
    if forms.is_empty() {
        forms.push("none".to_owned());
    }
    forms.iter().flat_map(|form| words(form)).collect()
}

/// Describes a region: an example of the other letters that lead to it, and its cells.
fn written(
    number: usize,
    region: &Region,
    digits: &[u32],
    context: &BTreeMap<u32, Vec<(u32, u64)>>,
) -> String {
    let example = example(region, context);
    let with = example.map_or(String::new(), |with| format!(", for example with {with}"));
    let cells = region.cells.len();
    let mut text = format!(
        "region {number}{with}: {}\n",
        match cells {
            0 => "no P-position".to_owned(),
            _ => counted(cells as u64, "cell"),
        }
    );
    for cell in &region.cells {
        let _ = writeln!(text, "  {}", conditions(cell, digits));
    }
    text
}

/// Writes the conditions of a cell, those on one form together.
fn conditions(cell: &Cell, digits: &[u32]) -> String {
    let mut bounds: Vec<(Vec<i64>, Option<i64>, Option<i64>)> = Vec::new();
    let mut remainders = Vec::new();
    for condition in cell {
        match condition {
            Condition::AtLeast { form, at_least } => {
                let (form, turned) = positive(form);
                let at = match bounds.iter().position(|other| other.0 == form) {
                    Some(at) => at,
                    None => {
                        bounds.push((form, None, None));
                        bounds.len() - 1
                    }
                };
                match turned {
                    false => bounds[at].1 = bounds[at].1.max(Some(*at_least)),
                    true => {
                        let most = bounds[at].2.unwrap_or(i64::MAX);
                        bounds[at].2 = Some(most.min(-at_least));
                    }
                }
            }
            &Condition::Remainder {
                digit,
                remainder,
                modulus,
            } => {
                let heap = digits.get(digit as usize).copied().unwrap_or(0);
                remainders.push(match (modulus, remainder) {
                    (2, 0) => format!("x_{heap} even"),
                    (2, _) => format!("x_{heap} odd"),
                    _ => format!("x_{heap} ≡ {remainder} (mod {modulus})"),
                });
            }
        }
    }
    // Single counts come first.
    bounds.sort_by_key(|(form, ..)| {
        let at = form.iter().position(|&x| x != 0);
        (form.iter().filter(|&&x| x != 0).count(), at)
    });
    let bounds = bounds.iter().map(|(form, least, most)| {
        let is_count = form.iter().all(|&x| x >= 0);
        let form = linear(form, digits);
        match (least, most) {
            (None, Some(0)) if is_count => format!("{form} = 0"),
            (Some(least), Some(most)) if least == most => format!("{form} = {least}"),
            (Some(least), Some(most)) => format!("{least} ≤ {form} ≤ {most}"),
            (Some(least), None) => format!("{form} ≥ {least}"),
            (None, Some(most)) => format!("{form} ≤ {most}"),
            (None, None) => form,
        }
    });
    let all: Vec<String> = bounds.chain(remainders).collect();
    match all.is_empty() {
        true => "all counts".to_owned(),
        false => all.join(", "),
    }
}

/// Makes the first coefficient of a form positive; returns whether the sign was changed.
fn positive(form: &[i64]) -> (Vec<i64>, bool) {
    let turned = form.iter().find(|&&x| x != 0).is_some_and(|&x| x < 0);
    let sign = if turned { -1 } else { 1 };
    (form.iter().map(|x| sign * x).collect(), turned)
}

fn linear(form: &[i64], digits: &[u32]) -> String {
    let mut text = String::new();
    for (&coefficient, heap) in form.iter().zip(digits) {
        if coefficient == 0 {
            continue;
        }
        text.push_str(match (text.is_empty(), coefficient < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        });
        if coefficient.abs() != 1 {
            let _ = write!(text, "{}·", coefficient.abs());
        }
        let _ = write!(text, "x_{heap}");
    }
    text
}

/// Returns the letters that lead to a region, as few as possible, in words.
pub(super) fn example(region: &Region, context: &BTreeMap<u32, Vec<(u32, u64)>>) -> Option<String> {
    let least = region.states.iter().filter_map(|state| context.get(state));
    let least = least.min_by_key(|context| context.iter().map(|(_, count)| count).sum::<u64>())?;
    Some(match least.as_slice() {
        [] => "no other letters".to_owned(),
        context => sum(context),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_written_as_people_write_them() {
        let at_least = |form: [i64; 2], at_least| Condition::AtLeast {
            form: form.to_vec(),
            at_least,
        };
        let odd = Condition::Remainder {
            digit: 1,
            remainder: 1,
            modulus: 2,
        };
        let written = |cell: &[Condition]| conditions(&cell.to_vec(), &[5, 7]);
        assert_eq!(
            written(&[at_least([1, -1], 2), at_least([-1, 1], -4), odd]),
            "2 ≤ x_5 - x_7 ≤ 4, x_7 odd"
        );
        assert_eq!(written(&[at_least([-1, 2], -3)]), "x_5 - 2·x_7 ≤ 3");
        assert_eq!(
            written(&[at_least([0, 1], 3), at_least([0, -1], -3)]),
            "x_7 = 3"
        );
        assert_eq!(
            written(&[at_least([1, 1], 5), at_least([0, -1], 0)]),
            "x_7 = 0, x_5 + x_7 ≥ 5"
        );
        assert_eq!(written(&[]), "all counts");
    }
}
