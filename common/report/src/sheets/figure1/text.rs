//! The chart for people at a terminal.

use std::collections::BTreeMap;

use crate::facts::figure1::{COLUMNS, Chart, Row};

use misere_census::running_text::flow;

use super::style::{STAR, counts, differences, style};

/// Formats the chart for a terminal.
///
/// Two blocks are side by side as in the paper, followed by the legend with counts, and every
/// difference with its reason.
pub(super) fn text(chart: &Chart, provenance: &[String], width: usize) -> String {
    let mut text = "Octal games with at most three digits\n\n".to_owned();
    let half = chart.rows.len() / 2;
    let head: String = (0..COLUMNS).map(|last| format!(" {last:<2}")).collect();
    text.push_str(format!("{:<4}{head}     {:<4}{head}", "", "").trim_end());
    text.push('\n');
    let (left, right) = chart.rows.split_at(half);
    for (left, right) in left.iter().zip(right) {
        text.push_str(format!("{}     {}", row(left), row(right)).trim_end());
        text.push('\n');
    }
    text.push('\n');
    for (all, starred, style) in counts(chart) {
        text.push_str(&format!(
            "{:>5}  {}   {}",
            all,
            style.kind.symbol(),
            style.kind.meaning()
        ));
        if starred > 0 {
            text.push_str(&format!("; {starred} {STAR}"));
        }
        text.push('\n');
    }
    text.push_str(&format!("{:>7} {STAR}   normal play is known\n\n", ""));
    text.push_str("in the terms of 2007                     2007   now\n");
    for (kind, then, now) in chart.then_and_now() {
        text.push_str(&format!("  {:<37} {then:>5} {now:>5}\n", kind.describe()));
    }
    let differences = differences(chart);
    text.push_str(&format!(
        "\nDifferent from 2007 ({} boxes)\n",
        differences.len()
    ));
    for (entry, why) in differences {
        text.push_str(&format!(
            "{:<6} {} then; {why}\n",
            entry.code.to_string(),
            entry.published.describe()
        ));
    }
    // Boxes of one game share its nim-values.
    let known: BTreeMap<_, _> = chart
        .entries()
        .filter_map(|entry| entry.nim_values.as_ref())
        .map(|known| (&known.code, known))
        .collect();
    if !known.is_empty() {
        text.push_str(
            "\nNim-values computed beforehand, where the quotient leaves normal play open\n",
        );
    }
    for known in known.values() {
        text.push_str(&format!(
            "  {}",
            flow(known.describe().split(' '), 2, width)
        ));
        text.push('\n');
    }
    text.push('\n');
    for line in provenance {
        text.push_str(&flow(line.split(' '), 0, width));
        text.push('\n');
    }
    text
}

fn row(row: &Row) -> String {
    let boxes = row.entries.iter().map(|entry| {
        let star = if entry.has_star() { STAR } else { " " };
        format!(" {}{star}", style(entry).kind.symbol())
    });
    format!("{:<4}{}", row.label, boxes.collect::<String>())
}
