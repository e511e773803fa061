//! The chart for machines: one JSON document, or a line of CSV for each game.

use crate::facts::figure1::{Chart, Entry, NormalPlay};
use serde_json::{Value, json};

use super::style::counts;
use crate::sheet::{Cell, Grid, csv_lines};
use crate::sheets::plan::document as plan_document;
use crate::sheets::provenance::Provenance;

/// Returns the chart as JSON.
pub(super) fn document(chart: &Chart, provenance: &Provenance) -> Value {
    let counts = counts(chart).into_iter().map(|(all, starred, style)| {
        let count = json!({ "codes": all, "normal_play_known": starred });
        (style.kind.name().to_owned(), count)
    });
    let then_and_now = chart.then_and_now().into_iter().map(|(kind, then, now)| {
        let count = json!({ "then": then, "now": now });
        (kind.name().to_owned(), count)
    });
    let says = json!({
        "plan": plan_document(&chart.plan),
        "digest": chart.digest.to_string(),
        "complete": chart.complete,
        "normal_heaps": chart.normal_heaps,
        "counts": counts.collect::<serde_json::Map<_, _>>(),
        "in_the_terms_of_2007": then_and_now.collect::<serde_json::Map<_, _>>(),
        "games": chart.entries().map(game).collect::<Vec<_>>(),
    });
    provenance.document("figure1", "Octal games with at most three digits", &says)
}

fn game(entry: &Entry) -> Value {
    let mut game = json!({
        "code": entry.code,
        "same_as": entry.game.as_ref().map(|game| &game.representative),
        "standing": entry.kind().name(),
        "says": entry.ended(),
        "heaps": entry.game.as_ref().map(|game| game.record.heaps),
        "order": entry.game.as_ref().map(|game| game.record.order),
        "normal_play": entry.normal.map(NormalPlay::document),
        "in_2007": entry.published.name(),
        "difference": entry.difference,
    });
    // Only if results of normal play were given.
    if let Some(known) = &entry.nim_values {
        game["nim_values"] = json!(known);
    }
    game
}

/// The columns of the nim-values that were computed beforehand.
const NIM_VALUES: [&str; 8] = [
    "nim_values_of",
    "nim_values_to",
    "mask",
    "parity",
    "rare",
    "last_rare",
    "max_nim_value",
    "max_nim_value_heap",
];

/// Formats the chart as CSV: a heading, and a line for each game.
///
/// The columns on nim-values are present only if results of normal play were given.
pub(super) fn csv(chart: &Chart, provenance: &Provenance) -> String {
    const HEAD: [&str; 10] = [
        "code",
        "same_as",
        "standing",
        "heaps",
        "order",
        "normal_period",
        "normal_preperiod",
        "normal_source",
        "in_2007",
        "difference",
    ];
    let has_nim_values = chart.entries().any(|entry| entry.nim_values.is_some());
    let more = if has_nim_values { &NIM_VALUES[..] } else { &[] };
    let mut grid = Grid::new("", &[&HEAD[..], more].concat());
    for entry in chart.entries() {
        let record = entry.game.as_ref().map(|game| &game.record);
        let (period, preperiod, source) = match entry.normal {
            Some(NormalPlay::Proved { period, preperiod }) => {
                (period.to_string(), preperiod.to_string(), "proved")
            }
            Some(NormalPlay::Cited {
                period,
                preperiod,
                source,
            }) => (period.to_string(), preperiod.to_string(), source),
            Some(NormalPlay::Open) | None => (String::new(), String::new(), ""),
        };
        let text = |value: Option<String>| value.unwrap_or_default();
        let fields = [
            entry.code.to_string(),
            text((entry.game.as_ref()).map(|game| game.representative.to_string())),
            entry.kind().name().to_owned(),
            text(record.map(|record| record.heaps.to_string())),
            text(record.map(|record| record.order.to_string())),
            period,
            preperiod,
            source.to_owned(),
            entry.published.name().to_owned(),
            entry.difference.clone().unwrap_or_default(),
        ];
        let mut fields = fields.to_vec();
        if has_nim_values {
            fields.extend(nim_values(entry));
        }
        grid.rows.push(fields.into_iter().map(Cell::Text).collect());
    }
    csv_lines(&provenance.closing(grid))
}

fn nim_values(entry: &Entry) -> [String; NIM_VALUES.len()] {
    let Some(known) = &entry.nim_values else {
        return Default::default();
    };
    [
        known.code.to_string(),
        known.heaps.to_string(),
        format!("{:b}", known.mask),
        known.parity.to_string(),
        known.rare.to_string(),
        known.last_rare.to_string(),
        known.max_nim_value.to_string(),
        known.max_nim_value_heap.to_string(),
    ]
}
