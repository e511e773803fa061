//! The style of each kind of box on paper, and the sentences about the boxes.

use crate::facts::figure1::{Chart, Entry, Kind, NormalPlay};

use crate::sheets::plan::describe_budget;

/// The style of a kind of box.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoxStyle {
    pub(super) kind: Kind,
    pub(super) latex: &'static str,
    pub(super) fill: &'static str,
    pub(super) foreground: &'static str,
}

impl BoxStyle {
    fn of(kind: Kind) -> Self {
        let (latex, fill, foreground) = match kind {
            Kind::Tame => ("$\\oplus$", "#d9ead3", "#1b4d2b"),
            Kind::WildSolved => ("$\\ominus$", "#2f7d4f", "#ffffff"),
            Kind::Law => ("$\\otimes$", "#5aa3a0", "#06302e"),
            Kind::Automaton => ("$\\boxtimes$", "#3d6f94", "#ffffff"),
            Kind::PastInfinite => ("$\\circledast$", "#6f4d96", "#ffffff"),
            Kind::TameRelative => ("$\\diamond$", "#a8cbe8", "#14395a"),
            Kind::Infinite => ("$\\infty$", "#a63d2f", "#ffffff"),
            Kind::Diverges => ("$\\uparrow$", "#f0b49f", "#5c1d10"),
            Kind::Grows => ("$\\approx$", "#fbe3a1", "#5b4300"),
            Kind::Exhausted => ("---", "#ffffff", "#333333"),
            Kind::Missing => ("", "#eeeeee", "#999999"),
        };
        Self {
            kind,
            latex,
            fill,
            foreground,
        }
    }
}

/// The sign in a box beside its symbol if normal play is known and misère play is not.
pub(super) const STAR: &str = "⋆";

pub(super) fn style(entry: &Entry) -> BoxStyle {
    BoxStyle::of(entry.kind())
}

/// Counts the boxes of each kind that occurs, all and with a star, with the style of the kind.
pub(super) fn counts(chart: &Chart) -> Vec<(usize, usize, BoxStyle)> {
    let counts = chart.counts().into_iter();
    counts
        .map(|(all, starred, kind)| (all, starred, BoxStyle::of(kind)))
        .collect()
}

/// Returns the boxes that differ from those of 2007, with the reason.
pub(super) fn differences(chart: &Chart) -> Vec<(&Entry, &str)> {
    let differing = chart.entries();
    differing
        .filter_map(|entry| Some((entry, entry.difference.as_deref()?)))
        .collect()
}

/// Names the census and what is not known, in as few lines as a picture has room for.
pub(super) fn provenance(chart: &Chart) -> Vec<String> {
    let mut lines = vec![
        format!(
            "census of {}, {}",
            chart.plan.space(),
            describe_budget(&chart.plan).trim_end()
        ),
        format!(
            "digest {}{}",
            chart.digest,
            if chart.complete { "" } else { " (not complete)" }
        ),
        "solved, tame relative and infinite are proved, each by a certificate; diverging and growing are what was seen, no proofs"
            .to_owned(),
    ];
    lines.extend(normal_play(chart));
    lines
}

/// Returns the sentences that say what the stars rest on.
pub(super) fn normal_play(chart: &Chart) -> Vec<String> {
    let mut lines = vec![format!("normal play: {}", chart.normal_play_says())];
    let cited = chart
        .entries()
        .filter(|entry| matches!(entry.normal, Some(NormalPlay::Cited { .. })));
    let cited: Vec<String> = cited.map(|entry| entry.code.to_string()).collect();
    if !cited.is_empty() {
        lines.push(format!(
            "cited, not computed for this chart: {}",
            cited.join(" ")
        ));
    }
    lines
}

/// Describes a box in one line.
pub(super) fn tooltip(entry: &Entry) -> String {
    format!("{}: {}", entry.code, entry.describe())
}
