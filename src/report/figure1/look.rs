//! How does each kind of box look, and what do the boxes add up to?

use misere_coordinator::report::figure1::{Chart, Entry, NormalPlay, Published, Standing};

use crate::census::describe_budget;

/// How a kind of box looks.
#[derive(Debug)]
pub(super) struct Look {
    /// As [`misere_coordinator::report::figure1::Standing::name`].
    pub(super) name: &'static str,
    pub(super) symbol: &'static str,
    pub(super) latex: &'static str,
    pub(super) fill: &'static str,
    pub(super) ink: &'static str,
    /// For the legend.
    pub(super) meaning: &'static str,
}

/// All kinds of box, from solved to open.
pub(super) const LOOKS: [Look; 8] = [
    Look {
        name: "tame",
        symbol: "⊕",
        latex: "$\\oplus$",
        fill: "#d9ead3",
        ink: "#1b4d2b",
        meaning: "tame, solved",
    },
    Look {
        name: "wild-solved",
        symbol: "⊖",
        latex: "$\\ominus$",
        fill: "#2f7d4f",
        ink: "#ffffff",
        meaning: "wild, solved",
    },
    Look {
        name: "tame-relative",
        symbol: "◇",
        latex: "$\\diamond$",
        fill: "#a8cbe8",
        ink: "#14395a",
        meaning: "tame relative to a heap: normal play from there on",
    },
    Look {
        name: "infinite",
        symbol: "∞",
        latex: "$\\infty$",
        fill: "#a63d2f",
        ink: "#ffffff",
        meaning: "quotient proved infinite",
    },
    Look {
        name: "diverges",
        symbol: "↑",
        latex: "$\\uparrow$",
        fill: "#f0b49f",
        ink: "#5c1d10",
        meaning: "diverges: a partial quotient not finite as far as seen",
    },
    Look {
        name: "grows",
        symbol: "≈",
        latex: "$\\approx$",
        fill: "#fbe3a1",
        ink: "#5b4300",
        meaning: "partial quotients grow in a pattern (conjecture)",
    },
    Look {
        name: "exhausted",
        symbol: "—",
        latex: "---",
        fill: "#ffffff",
        ink: "#333333",
        meaning: "open: the budget ended first",
    },
    Look {
        name: "missing",
        symbol: "·",
        latex: "",
        fill: "#eeeeee",
        ink: "#999999",
        meaning: "not in this census",
    },
];

/// What stands in a box beside its symbol if normal play is known and misère play is not.
pub(super) const STAR: &str = "⋆";

pub(super) fn look(entry: &Entry) -> &'static Look {
    let name = entry.standing.name();
    LOOKS
        .iter()
        .find(|look| look.name == name)
        .unwrap_or(&LOOKS[7])
}

pub(super) fn has_star(entry: &Entry) -> bool {
    entry.normal.is_some_and(NormalPlay::is_known)
}

/// The kinds of box there are: how many, how many of those with a star, how they look.
pub(super) fn counts(chart: &Chart) -> Vec<(usize, usize, &'static Look)> {
    let count = |look: &'static Look| {
        let of_kind = || {
            chart
                .entries()
                .filter(|entry| self::look(entry).name == look.name)
        };
        (
            of_kind().count(),
            of_kind().filter(|entry| has_star(entry)).count(),
            look,
        )
    };
    LOOKS
        .iter()
        .map(count)
        .filter(|&(all, ..)| all > 0)
        .collect()
}

/// How many boxes of each kind the chart of 2007 has, and how many it would have today; of those that the census has.
pub(super) fn then_and_now(chart: &Chart) -> [(Published, usize, usize); 4] {
    use Published::{Open, Tame, WildSolved, WildUnsolved};
    let boxes = || {
        let all = chart.entries();
        all.filter(|entry| entry.standing != Standing::Missing)
    };
    [Tame, WildSolved, WildUnsolved, Open].map(|kind| {
        let then = boxes().filter(|entry| entry.published == kind);
        let now = boxes().filter(|&entry| Published::today(entry) == kind);
        (kind, then.count(), now.count())
    })
}

/// The boxes that differ from those of 2007, with the reason.
pub(super) fn differences(chart: &Chart) -> Vec<(&Entry, &str)> {
    let differing = chart.entries();
    differing
        .filter_map(|entry| Some((entry, entry.difference.as_deref()?)))
        .collect()
}

/// Which census this is of, and what is not known, in as few lines as a picture has room for.
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

/// What the stars rest on.
pub(super) fn normal_play(chart: &Chart) -> Vec<String> {
    let mut lines = vec![format!(
        "normal play: periods are proved within heap {}, or cited",
        chart.normal_heaps
    )];
    let cited = chart
        .entries()
        .filter(|entry| matches!(entry.normal, Some(NormalPlay::Cited { .. })));
    let cited: Vec<String> = cited.map(|entry| entry.code.to_string()).collect();
    if !cited.is_empty() {
        lines.push(format!("cited, not recomputed: {}", cited.join(" ")));
    }
    lines
}

/// All that is said of a box in one line.
pub(super) fn tooltip(entry: &Entry) -> String {
    let mut line = format!("{}: {}", entry.code, entry.standing.describe());
    if let Some(record) = &entry.record {
        line.push_str(&format!(
            "; quotient of order {} to heap {}",
            record.order, record.heaps
        ));
        if record.code != entry.code {
            line.push_str(&format!("; the same game as {}", record.code));
        }
    }
    match entry.normal {
        Some(NormalPlay::Proved { period, preperiod }) => line.push_str(&format!(
            "; normal play has period {period} from heap {preperiod} on"
        )),
        Some(NormalPlay::Cited {
            period,
            preperiod,
            source,
        }) => line.push_str(&format!(
            "; normal play has period {period} from heap {preperiod} on ({source})"
        )),
        Some(NormalPlay::Open) => line.push_str("; normal play is open"),
        None => {}
    }
    line.push_str(&format!("; 2007: {}", entry.published.describe()));
    line
}
