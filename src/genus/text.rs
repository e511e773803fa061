//! Genera, for people.

use misere_algebra::forms::sequence::{GenusSequence, HeapGenus};
use misere_algebra::genus::Class;
use misere_game::control::Stop;
use misere_game::ruleset::Code;

use misere_census::quantity::write_fuel;

use super::GenusFacts;
use crate::terminal::{Page, flow, table};
use crate::watch::StoppedBy;

/// The number of columns if no period determines it.
const FREE_COLUMNS: usize = 10;

/// The width of the words before a list of heaps.
const INDENT: usize = 10;

/// Formats the genera of the heaps of a game.
pub(super) fn of_heaps(
    code: &Code,
    found: &GenusSequence,
    by: Option<StoppedBy>,
    fuel: u64,
    elapsed_s: f64,
    page: Page,
) -> String {
    let mut text = format!("{}, misère play\n", console::style(code).bold());
    let last = found.heaps.len().saturating_sub(1);
    text.push_str(&format!("{}\n", status(found, by, last)));
    let wild = found.heaps.iter().enumerate();
    let mut wild = wild.filter(|(_, heap)| !heap.class.is_tame());
    text.push_str(&match wild.next() {
        Some((heap, HeapGenus { class, .. })) => {
            format!("the first heap that is not tame is {heap}: it is {class}\n")
        }
        None => format!("the heaps to {last} are tame\n"),
    });
    text.push_str(&format!(
        "spent {} fuel, {elapsed_s:.3} s\n\ngenera (n alone stands for a heap that equals *n)\n",
        write_fuel(fuel)
    ));
    let end = found
        .period
        .map_or(last, |found| (found.preperiod + found.period) as usize);
    let columns = found
        .period
        .map_or(FREE_COLUMNS, |found| found.period as usize);
    let columns = match columns {
        5..=24 => columns,
        _ => FREE_COLUMNS,
    };
    let header = std::iter::once(String::new()).chain((1..=columns).map(|n| n.to_string()));
    let mut rows = vec![header.collect::<Vec<_>>()];
    let cells: Vec<String> = found.heaps[..=end.min(last)]
        .iter()
        .skip(1)
        .map(cell)
        .collect();
    let lines: Vec<&[String]> = cells.chunks(columns).collect();
    let shown = page.rows.unwrap_or(usize::MAX).min(lines.len());
    for (row, line) in lines[..shown].iter().enumerate() {
        let label = std::iter::once(format!("{}+", row * columns));
        rows.push(label.chain(line.iter().cloned()).collect());
    }
    text.push_str(&table(&rows));
    if shown < lines.len() {
        text.push_str(&format!(
            "  … {} more rows (pipe the output or use --json to see all)\n",
            lines.len() - shown
        ));
    } else if found.period.is_some() {
        text.push_str("  … and so on (proved)\n");
    }
    text.push_str(&classes(found, end.min(last), page));
    text
}

fn status(found: &GenusSequence, by: Option<StoppedBy>, last: usize) -> String {
    match (found.stopped, found.period) {
        (_, Some(period)) => format!(
            "the genera have period {} from heap {} on",
            period.period, period.preperiod
        ),
        (None, None) => format!("genera to heap {last}"),
        (Some(Stop::FuelSpent), _) => {
            format!("exhausted: fuel (raise --fuel); genera known to heap {last}")
        }
        (Some(Stop::Interrupted), _) => {
            let by = by.map_or_else(String::new, |by| format!(" {by}"));
            format!("interrupted{by}; genera known to heap {last}")
        }
    }
}

fn cell(heap: &HeapGenus) -> String {
    match heap.class {
        Class::NimHeap => heap.genus.nim_value().to_string(),
        _ => heap.genus.to_string(),
    }
}

/// Lists the heaps of each class except the nim-heaps.
fn classes(found: &GenusSequence, last: usize, page: Page) -> String {
    let mut text = String::new();
    for class in [Class::Tame, Class::Restive, Class::Restless, Class::Wild] {
        let heaps = found.heaps[..=last].iter().enumerate();
        let heaps = heaps.filter(|(_, heap)| heap.class == class);
        let heaps: Vec<String> = heaps.map(|(heap, _)| heap.to_string()).collect();
        if !heaps.is_empty() {
            let heaps: Vec<String> = with_commas(heaps);
            let listed = flow(heaps.iter().map(String::as_str), INDENT, page.width);
            text.push_str(&format!("{:<INDENT$}{listed}\n", class.to_string()));
        }
    }
    match text.is_empty() {
        true => text,
        false => format!("\nheaps that are not nim-heaps\n{text}"),
    }
}

fn with_commas(mut words: Vec<String>) -> Vec<String> {
    let last = words.len().saturating_sub(1);
    words[..last].iter_mut().for_each(|word| word.push(','));
    words
}

/// Formats the genus of a position.
pub(super) fn of_position(code: &Code, heaps: &[u32], genus: &GenusFacts) -> String {
    let heaps: Vec<String> = heaps.iter().map(u32::to_string).collect();
    format!(
        "{}  {}\ngenus    {}\nclass    {}\noutcome  {}\n",
        console::style(code).bold(),
        heaps.join(" + "),
        genus.genus(),
        genus.class(),
        genus.outcome_in_words(),
    )
}
