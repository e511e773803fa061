//! The chart of 2007, and the reasons why ours is different.

use std::collections::BTreeMap;

use misere_census::Conclusion;
use misere_game::ruleset::{Code, Signature};

use super::{Entry, Kind, NormalPlay};
use crate::facts::PublishedError;

/// The chart as scanned: code, status.
const AS_SCANNED: &str = include_str!("../../../data/figure1_2007.csv");

/// The four kinds of box in the chart of 2007.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Published {
    /// Tame, and solved.
    Tame,
    /// Wild, and solved.
    WildSolved,
    /// Wild and not solved; its normal play is solved.
    WildUnsolved,
    /// Neither misère play nor normal play is solved.
    Open,
}

impl Published {
    /// Returns a name for machines, as in the data.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tame => "tame",
            Self::WildSolved => "wild_solved",
            Self::WildUnsolved => "wild_unsolved",
            Self::Open => "open",
        }
    }

    /// Describes the box in a few words.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::Tame => "tame",
            Self::WildSolved => "wild, solved",
            Self::WildUnsolved => "wild, not solved, normal play known",
            Self::Open => "not solved, normal play not known",
        }
    }

    fn named(name: &str) -> Option<Self> {
        let all = [Self::Tame, Self::WildSolved, Self::WildUnsolved, Self::Open];
        all.into_iter().find(|published| published.name() == name)
    }

    /// Returns the box that the chart of 2007 would have with today's knowledge.
    #[must_use]
    pub fn today(entry: &Entry) -> Self {
        let is_wild = entry.tame == Some(false);
        match entry.kind() {
            Kind::Tame => Self::Tame,
            Kind::WildSolved | Kind::PastInfinite => Self::WildSolved,
            // A tame game has finite partial quotients.
            Kind::Law | Kind::Automaton if is_wild => Self::WildSolved,
            _ if entry.normal.is_some_and(NormalPlay::is_known) => Self::WildUnsolved,
            _ => Self::Open,
        }
    }
}

/// The chart of 2007.
#[derive(Clone, Debug)]
pub(super) struct Chart2007 {
    boxes: BTreeMap<Code, Published>,
    /// The codes of each game.
    same: BTreeMap<Signature, Vec<Code>>,
}

impl Chart2007 {
    /// Reads the chart as it was scanned.
    ///
    /// # Errors
    /// [`PublishedError`] if a line of the file is not a box.
    pub(super) fn read() -> Result<Self, PublishedError> {
        Self::of_lines(AS_SCANNED)
    }

    /// Reads the chart from lines `code,status` below a heading.
    fn of_lines(file: &str) -> Result<Self, PublishedError> {
        let mut boxes = BTreeMap::new();
        for (number, line) in (1..).zip(file.lines()).skip(1) {
            let (code, status) = box_of(line)
                .ok_or_else(|| PublishedError::line("figure1_2007.csv", number, line))?;
            boxes.insert(code, status);
        }
        let mut same: BTreeMap<Signature, Vec<Code>> = BTreeMap::new();
        for code in boxes.keys() {
            same.entry(code.signature()).or_default().push(code.clone());
        }
        Ok(Self { boxes, same })
    }

    pub(super) fn of(&self, code: &Code) -> Published {
        self.boxes.get(code).copied().unwrap_or(Published::Open)
    }

    /// Returns the reason why one of our boxes differs from the published one, if it does.
    pub(super) fn difference(&self, entry: &Entry, normal_heaps: u32) -> Option<String> {
        let today = Published::today(entry);
        if today == entry.published || entry.conclusion.is_none() {
            return None;
        }
        let mut reason = match today {
            Published::Tame => format!("tame{}", solved(entry)),
            Published::WildSolved => format!("wild, and solved{}", solved(entry)),
            Published::WildUnsolved => {
                format!("{}; normal play {}", entry.ended(), period(entry.normal))
            }
            Published::Open => format!(
                "{}; no period of normal play is proved to heap {normal_heaps}, and we know of none to cite",
                entry.ended()
            ),
        };
        let otherwise = self.same.get(&entry.code.signature());
        let otherwise = otherwise.into_iter().flatten();
        let otherwise = otherwise.filter(|code| self.of(code) == today);
        let otherwise: Vec<String> = otherwise.map(ToString::to_string).collect();
        if let Some(code) = otherwise.first() {
            reason.push_str(&format!(
                ". The chart of 2007 has {code}, the same game, as we do"
            ));
        }
        Some(reason)
    }
}

/// Parses the box that a line describes, if it describes one.
fn box_of(line: &str) -> Option<(Code, Published)> {
    let (code, status) = line.split_once(',')?;
    Some((code.parse().ok()?, Published::named(status)?))
}

fn solved(entry: &Entry) -> String {
    let Some(record) = entry.game.as_ref().map(|game| &game.record) else {
        return String::new();
    };
    match record.conclusion() {
        Conclusion::Periodic { period, preperiod } => format!(
            ": quotient of order {}, period {period} from heap {preperiod} on (certificate)",
            record.order
        ),
        Conclusion::TameRelative { heap, .. } => {
            format!(": normal play from heap {heap} on, whose period is proved (certificate)")
        }
        Conclusion::Law { period, .. } => {
            format!(" by a law of period {period}, which is proved for all heaps (certificate)")
        }
        Conclusion::Automaton { states, .. } => format!(
            " by an automaton of {states} states, which is proved for all heaps (certificate)"
        ),
        Conclusion::PastInfinite {
            heap,
            preperiod,
            period,
        } => format!(
            ": infinite quotient {heap}, period {period} from heap {preperiod} on \
             (certificate)"
        ),
        _ => String::new(),
    }
}

fn period(normal: Option<NormalPlay>) -> String {
    match normal {
        Some(NormalPlay::Proved { period, preperiod }) => {
            format!("is proved to have period {period} from heap {preperiod} on")
        }
        Some(NormalPlay::Cited {
            period,
            preperiod,
            source,
        }) => format!("has period {period} from heap {preperiod} on, cited: {source}"),
        Some(NormalPlay::Open) | None => "is open".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chart_has_a_box_for_every_code() {
        let chart = Chart2007::read().unwrap();
        assert_eq!(chart.boxes.len(), AS_SCANNED.lines().count() - 1);
        assert_eq!(chart.of(&"0.77".parse().unwrap()), Published::WildSolved);
        assert_eq!(chart.of(&"0.26".parse().unwrap()), Published::WildUnsolved);
    }

    #[test]
    fn a_malformed_line_is_an_error_that_names_the_line() {
        for broken in ["0.77", "0.77,solved", "0.7x,tame", ""] {
            let file = format!("code,status\n0.07,tame\n{broken}\n");
            let error = Chart2007::of_lines(&file).unwrap_err().to_string();
            assert!(
                error.contains("figure1_2007.csv") && error.contains("line 3"),
                "{error}"
            );
        }
    }
}
