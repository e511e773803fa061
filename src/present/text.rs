//! The text of a presentation, and of a comparison.

use std::fmt::Write;

use misere_game::ruleset::Code;
use misere_game::solution::PresentedDocument;

use super::Comparison;
use crate::terminal::{Page, counted, flow};

/// The number of columns of the labels.
pub(super) const LABEL: usize = 14;

/// The number of items shown on a terminal for each line of a table.
const ITEMS_PER_ROW: usize = 4;

/// Formats the whole text for a presentation.
pub(super) fn presented(document: &PresentedDocument, page: Page) -> String {
    let mut text = heading(&document.code, document.heaps, &document.silent_heaps);
    let generators = document.generators.iter();
    let generators: Vec<String> = generators
        .map(|generator| format!("{} = {},", generator.name, generator.heap))
        .collect();
    let mut label = |name: &str, items: &[String]| {
        let items = flow(items.iter().map(String::as_str), LABEL, page.width);
        let _ = writeln!(text, "{name:<LABEL$}{}", items.trim_end_matches(','));
    };
    label("generators", &generators);
    let count = document.relations.len();
    let reach = match document.complete {
        true => format!("{count}; proved: they present the quotient"),
        false => format!(
            "{count}; proved: they say all equalities of words of at most {} letters",
            document.degree
        ),
    };
    label("relations", &words(&reach));
    label("", &some(&document.relations, page));
    let mut hilbert: Vec<String> = document.hilbert.iter().map(|n| format!("{n},")).collect();
    if let (Some(from), Some(dimension)) = (document.polynomial_from, document.dimension) {
        let last = document.hilbert.last().copied().unwrap_or(0);
        hilbert.extend(words(&match dimension {
            0 | 1 => format!("and {last} of every degree from {from} on"),
            2 => format!("and so on: a linear function of the degree, from {from} on"),
            _ => format!(
                "and so on: a polynomial of degree {} in the degree, from {from} on",
                dimension - 1
            ),
        }));
    }
    label("by degree", &hilbert);
    let mut normal = words(&format!(
        "of at most {}:",
        counted(document.normal_degree, "letter")
    ));
    normal.extend(some(&document.normal_words, page));
    label("normal words", &normal);
    match &document.p_portion {
        Some(portion) => {
            let progressions = portion.progressions.iter();
            let progressions = progressions.map(|p| match p.first.as_str() {
                "1" => format!("({})^k", p.step),
                first => format!("{first}·({})^k", p.step),
            });
            let counts = format!(
                "{} words, and {} progressions with k = 0, 1, 2, …; proved",
                portion.words.len(),
                portion.progressions.len()
            );
            label("P", &words(&counts));
            label("", &some(&portion.words, page));
            label("", &some(&progressions.collect::<Vec<_>>(), page));
        }
        None => label("P", &words("not described")),
    }
    text
}

/// Formats the game, and the quotient that is claimed to be infinite.
pub(super) fn heading(code: &Code, heaps: u32, silent_heaps: &[u32]) -> String {
    let of = match silent_heaps {
        [] => format!("of the heaps 0 to {heaps}"),
        silent => format!(
            "of the heaps 0 to {heaps} without {}, about which nothing is proved",
            numbers(silent)
        ),
    };
    let code = console::style(code).bold();
    format!("{code}\ninfinite: the misère quotient {of}\n\n")
}

pub(super) fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// Joins the items of a list with commas; on a terminal only the first ones.
fn some(items: &[String], page: Page) -> Vec<String> {
    let shown = page.rows.map_or(items.len(), |rows| rows * ITEMS_PER_ROW);
    let mut some: Vec<String> = items.iter().take(shown).map(|x| format!("{x},")).collect();
    if items.len() > shown {
        let more = items.len() - shown;
        some.extend(words(&format!(
            "… {more} more (pipe the output or use --json to see all)"
        )));
    }
    some
}

pub(super) fn numbers(heaps: &[u32]) -> String {
    let all: Vec<String> = heaps.iter().map(u32::to_string).collect();
    match all.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => all.concat(),
    }
}

/// Formats a comparison.
pub(super) fn compared(comparison: &Comparison) -> String {
    let [one, other] = comparison.positions.each_ref().map(|p| sum(p));
    let code = console::style(&comparison.code).bold();
    let of = match (0..=comparison.heaps)
        .filter(|heap| comparison.code.is_live(*heap))
        .all(|heap| comparison.spoken_of.contains(&heap))
    {
        true => format!("the heaps 0 to {}", comparison.heaps),
        false => format!("the heaps {}", numbers(&comparison.spoken_of)),
    };
    match &comparison.apart {
        None => format!(
            "{code}  {one}  =  {other}\nequal          in the misère quotient of {of}; proved\n"
        ),
        Some(apart) => format!(
            "{code}  {one}  ≠  {other}\ndifferent      in the misère quotient of {of}; proved\n\
             apart          with {}: one sum is a P-position, the other is not\n",
            sum(apart)
        ),
    }
}

/// Writes a position as a sum of heaps.
pub(super) fn sum(position: &[(u32, u64)]) -> String {
    if position.is_empty() {
        return "the empty position".to_owned();
    }
    let heaps = position.iter().map(|&(heap, count)| match count {
        1 => heap.to_string(),
        _ => format!("{count}·{heap}"),
    });
    heaps.collect::<Vec<_>>().join(" + ")
}
