//! The knowledge on the normal play of a game.
//!
//! Nim-values are computed up to the heap requested. A period is claimed only if they prove it
//! (`docs/normal-play.md`), or if the result of a run to many heaps proves it. Periods that begin
//! later are cited, each with its source; nothing else of the chart is cited.

use std::collections::BTreeMap;

use misere_census::normal_results::{NormalResult, NormalResults};
use misere_engine::normal::{self, Ending};
use misere_engine::quotient::renumbered_period;
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::{Code, Renumbering, Signature};
use misere_game::solution::NimPeriod;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Entry, Kind};

/// The periods that begin later than a census computes nim-values: code, preperiod, period, source.
const CITED: &str = include_str!("cited.txt");

/// The knowledge on the normal play of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalPlay {
    /// Nim-values that are proved to repeat.
    Proved {
        /// Their least period.
        period: u64,
        /// The least heap from which on they repeat.
        preperiod: u64,
    },
    /// Nim-values that repeat according to the literature.
    Cited {
        /// Their period.
        period: u64,
        /// The heap from which on they repeat.
        preperiod: u64,
        /// The source.
        source: &'static str,
    },
    /// No period is known.
    Open,
}

impl NormalPlay {
    /// Reports whether a period is known, proved or cited.
    #[must_use]
    pub fn is_known(self) -> bool {
        self != Self::Open
    }

    /// Describes the knowledge without a full stop, for lists.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Self::Proved { period, preperiod } => {
                format!("normal play has period {period} from heap {preperiod} on")
            }
            Self::Cited {
                period,
                preperiod,
                source,
            } => format!(
                "normal play has period {period} from heap {preperiod} on ({source}; cited)"
            ),
            Self::Open => "no period of normal play is known here".to_owned(),
        }
    }

    /// Returns a JSON object: `known`, `period`, `preperiod`, and `source` if the period is cited.
    #[must_use]
    pub fn document(self) -> Value {
        let known = |period, preperiod, source: Option<&str>| json!({ "known": true, "period": period, "preperiod": preperiod, "source": source });
        match self {
            Self::Proved { period, preperiod } => known(period, preperiod, None),
            Self::Cited {
                period,
                preperiod,
                source,
            } => known(period, preperiod, Some(source)),
            Self::Open => json!({ "known": false }),
        }
    }
}

/// The nim-values of a game that were computed beforehand, in the heap numbers of their code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NimValuesKnown {
    /// The code under which they were computed.
    pub code: Code,
    /// The last heap.
    pub heaps: u32,
    /// The mask that distinguishes rare numbers from common ones.
    pub mask: u32,
    /// Whether the parity of the heap counts, too.
    pub parity: bool,
    /// The number of rare heaps.
    pub rare: u32,
    /// The last rare heap, 0 if there is none.
    pub last_rare: u32,
    /// The greatest nim-value.
    pub max_nim_value: u32,
    /// The first heap with it.
    pub max_nim_value_heap: u32,
}

impl NimValuesKnown {
    /// Returns the facts of a result, or `None` if the result has none.
    #[must_use]
    pub fn of(result: &NormalResult) -> Option<Self> {
        let last = result.last_mark()?;
        Some(Self {
            code: result.code().clone(),
            heaps: result.values.heaps,
            mask: result.values.mask,
            parity: result.values.parity,
            rare: last.rare,
            last_rare: last.last_rare,
            max_nim_value: last.max_nim_value,
            max_nim_value_heap: last.max_nim_value_heap,
        })
    }

    /// Describes the facts without a full stop, for lists.
    #[must_use]
    pub fn describe(&self) -> String {
        let parity = if self.parity { " and parity" } else { "" };
        let rare = match self.rare {
            0 => "no heap rare".to_owned(),
            1 => format!("heap {} rare", self.last_rare),
            rare => format!("{rare} heaps rare, the last heap {}", self.last_rare),
        };
        format!(
            "nim-values of {} known to heap {}: mask {:b}{parity}, {rare}, greatest {} at heap {}",
            self.code, self.heaps, self.mask, self.max_nim_value, self.max_nim_value_heap
        )
    }
}

/// Returns the period that the literature states for a game.
///
/// ```
/// use misere_report::facts::figure1::normal_play::{NormalPlay, cited};
/// let cited = cited(&"0.376".parse()?);
/// assert!(matches!(cited, NormalPlay::Cited { period: 4, preperiod: 2_268_248, .. }));
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn cited(code: &Code) -> NormalPlay {
    let code = code.to_string();
    let found = CITED.lines().find_map(|line| {
        let mut fields = line.splitn(4, ' ');
        let (cited, preperiod, period) = (fields.next()?, fields.next()?, fields.next()?);
        (cited == code).then_some(())?;
        Some(NormalPlay::Cited {
            period: period.parse().ok()?,
            preperiod: preperiod.parse().ok()?,
            source: fields.next()?,
        })
    });
    found.unwrap_or(NormalPlay::Open)
}

/// Iterates over the codes whose normal-play period the literature states, with the sources.
pub(crate) fn all_cited() -> impl Iterator<Item = (Code, &'static str)> {
    CITED.lines().filter_map(|line| {
        let mut fields = line.splitn(4, ' ');
        Some((fields.next()?.parse().ok()?, fields.nth(2)?))
    })
}

/// Returns the normal play of the games whose conclusion leaves it open, or `None` if interrupted.
pub(super) fn of_those_open<'a>(
    entries: impl Iterator<Item = &'a Entry>,
    heaps: u32,
    results: &NormalResults,
    interrupt: &Interrupt,
) -> Option<BTreeMap<Code, NormalPlay>> {
    let open: Vec<&Entry> = entries.filter(|entry| is_open(entry)).collect();
    // One code of each game is computed; the period is renumbered for the others.
    let games: BTreeMap<Signature, &Code> = open
        .iter()
        .filter(|entry| !is_answered(results.of(&entry.code), heaps))
        .map(|&entry| (entry.code.signature(), &entry.code))
        .collect();
    let games: Vec<_> = games.into_iter().collect();
    let proved: Vec<_> = games
        .par_iter()
        .map(|&(signature, code)| Some((signature, (code, proved(code, heaps, interrupt)?))))
        .collect::<Option<_>>()?;
    let proved: BTreeMap<Signature, (&Code, Option<NimPeriod>)> = proved.into_iter().collect();
    let under = |name: &Code| {
        if let Some(period) = results.of(name).and_then(|result| period_of(result, name)) {
            return Some(period);
        }
        let &(computed, period) = proved.get(&name.signature())?;
        let renumbering = Renumbering::between(computed, name)?;
        Some(renumbered_period(period?, &renumbering, name))
    };
    let known = |entry: &Entry| match under(&entry.code) {
        Some(NimPeriod { period, preperiod }) => NormalPlay::Proved {
            period: period.into(),
            preperiod: preperiod.into(),
        },
        None => cited(&entry.code),
    };
    Some(
        open.iter()
            .map(|&entry| (entry.code.clone(), known(entry)))
            .collect(),
    )
}

/// Reports whether a result has all that a computation to a heap could find.
fn is_answered(result: Option<&NormalResult>, heaps: u32) -> bool {
    result.is_some_and(|result| result.is_solved() || result.values.heaps >= heaps)
}

/// Returns the proved period of a result, in the heap numbers of a code.
fn period_of(result: &NormalResult, name: &Code) -> Option<NimPeriod> {
    let period = NimPeriod {
        period: result.period?,
        preperiod: result.preperiod?,
    };
    let renumbering = Renumbering::between(result.code(), name)?;
    result
        .is_solved()
        .then(|| renumbered_period(period, &renumbering, name))
}

fn is_open(entry: &Entry) -> bool {
    let kind = entry.kind();
    !kind.is_solved() && kind != Kind::Missing
}

/// Returns a period proved within `heaps` heaps, or `None` if interrupted.
fn proved(code: &Code, heaps: u32, interrupt: &Interrupt) -> Option<Option<NimPeriod>> {
    let control = &mut Control::new(u64::MAX, interrupt.clone());
    match normal::solve(code, heaps, control).ending {
        Ending::Periodic(period) => Some(Some(period)),
        Ending::Exhausted(_) | Ending::Arithmetic(_) => Some(None),
        Ending::Interrupted => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that two codes of one game, cited with their own heap numbers, agree.
    #[test]
    fn citations_of_one_game_agree() {
        let codes = CITED.lines().filter_map(|line| line.split(' ').next());
        let codes: Vec<Code> = codes.map(|code| code.parse().unwrap()).collect();
        let preperiod = |code: &Code| match cited(code) {
            NormalPlay::Cited { preperiod, .. } => preperiod,
            _ => panic!("{code} is cited"),
        };
        let mut compared = 0;
        for one in &codes {
            for other in &codes {
                if let Some(renumbering) = Renumbering::between(one, other) {
                    let shift = i64::from(renumbering.shift().unwrap());
                    let moved = preperiod(other) as i64 - preperiod(one) as i64;
                    assert_eq!(moved, shift, "{one} {other}");
                    compared += usize::from(one != other);
                }
            }
        }
        assert!(compared > 0);
    }

    #[test]
    fn every_citation_can_be_read() {
        for line in CITED.lines() {
            let code: Code = line.split(' ').next().unwrap().parse().unwrap();
            let NormalPlay::Cited {
                period,
                preperiod,
                source,
            } = cited(&code)
            else {
                panic!("{line}")
            };
            assert!(period > 0 && preperiod > 0 && source.len() > 10, "{line}");
            assert_eq!(line, format!("{code} {preperiod} {period} {source}"));
        }
    }
}
