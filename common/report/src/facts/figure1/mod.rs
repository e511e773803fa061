//! The results of all octal games of at most three digits, beside the chart of 2007.
//!
//! Figure 1 of the supplement of Plambeck and Siegel (2007), from a census: every box with the
//! verdict of its record, the knowledge of normal play where the verdict leaves it open, and the
//! box of the published chart. Boxes that differ carry the reason ([`Entry::difference`]).
//!
//! | topic | module |
//! |---|---|
//! | kinds of box, and their numbers | [`kinds`] |
//! | the normal play of a game | [`normal_play`] |
//! | the chart of 2007, and why ours is different | [`published`] |

pub mod kinds;
pub mod normal_play;
pub mod published;

use crate::ReportError;
use misere_census::normal_results::NormalResults;
use misere_census::{CensusDigest, Plan, Record};
use misere_theory::control::Interrupt;
use misere_theory::ruleset::Code;
use misere_theory::solution::{Limit, Verdict};

pub use kinds::Kind;
pub use normal_play::{NimValuesKnown, NormalPlay};
pub use published::Published;

use misere_query::KnownGame;
use misere_store::{Store, StoreError};

/// Boxes in a row of the chart: the last digit.
pub const COLUMNS: usize = 8;

/// The state of knowledge on the misère play of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Solved, and tame.
    Tame,
    /// Solved, and wild.
    WildSolved,
    /// Solved by a law; the partial quotients grow.
    Law {
        /// The number of heaps after which the law repeats.
        period: u32,
        /// Whether the game is wild for certain.
        wild: bool,
        /// Whether the law shows that the quotient is infinite.
        infinite: bool,
    },
    /// Solved by an automaton; the partial quotients grow.
    Automaton {
        /// The number of states of the automaton that reads the heaps of the code.
        states: u32,
        /// Whether the game is wild for certain.
        wild: bool,
        /// Whether the automaton shows that the quotient is infinite.
        infinite: bool,
    },
    /// Solved past an infinite quotient, by words of all heaps that repeat.
    PastInfinite {
        /// The heap to which the quotient is proved infinite.
        heap: u32,
        /// The heap from which on the words repeat.
        preperiod: u32,
        /// The period of the words.
        period: u32,
    },
    /// Normal play from a heap on (Siegel, Theorem 3.9), without a period known.
    TameRelative {
        /// The least such heap.
        heap: u32,
    },
    /// The partial quotient to this heap is proved infinite.
    Infinite {
        /// The heap.
        heap: u32,
    },
    /// The partial quotient to this heap is not finite as far as seen.
    Diverges {
        /// The heap.
        heap: u32,
    },
    /// Partial quotients that grow in a pattern: a conjecture.
    Grows {
        /// The heap from which on the pattern holds.
        start: u32,
        /// Its period.
        period: u32,
    },
    /// At a limit of the plan.
    Exhausted(Limit),
    /// Not in this census, or not done yet.
    Missing,
}

impl Standing {
    /// Describes the standing in a few words.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Self::Tame => "tame".to_owned(),
            Self::WildSolved => "wild, solved".to_owned(),
            Self::Law {
                period,
                wild,
                infinite,
            } => solved_by(&format!("a law of period {period}"), wild, infinite),
            Self::Automaton {
                states,
                wild,
                infinite,
            } => solved_by(&format!("an automaton of {states} states"), wild, infinite),
            Self::PastInfinite {
                heap,
                preperiod,
                period,
            } => format!(
                "solved, with an infinite quotient (at heap {heap}) and period {period} from heap \
                 {preperiod} on"
            ),
            Self::TameRelative { heap } => {
                format!("tame relative to heap {heap}, no period proved")
            }
            Self::Infinite { heap } => format!("quotient proved infinite at heap {heap}"),
            Self::Diverges { heap } => format!("diverges at heap {heap}"),
            Self::Grows { start, period } => {
                format!("grows with period {period} from heap {start} on (conjecture)")
            }
            Self::Exhausted(Limit::Fuel) => "open: fuel spent".to_owned(),
            Self::Exhausted(Limit::MaxHeap) => "open: at the greatest heap".to_owned(),
            Self::Exhausted(Limit::MaxOrder) => "open: at the greatest order".to_owned(),
            Self::Missing => "not in this census".to_owned(),
        }
    }

    /// Returns the standing of the game of a record, in the heap numbers of the record.
    #[must_use]
    pub fn of(record: &Record) -> Self {
        match (record.verdict, record.law) {
            (Verdict::Solved { .. }, _) if record.tame == Some(true) => Self::Tame,
            (Verdict::Solved { .. }, _) => Self::WildSolved,
            (Verdict::TameRelative { heap }, _) => {
                let known = record.tail.is_some_and(|tail| tail.nim_period.is_some());
                match (known, record.tame) {
                    (true, Some(true)) => Self::Tame,
                    (true, Some(false)) => Self::WildSolved,
                    _ => Self::TameRelative { heap },
                }
            }
            (Verdict::Diverges { heap, .. }, _) => match record.all_heaps {
                Some(all) => Self::PastInfinite {
                    heap,
                    preperiod: all.preperiod,
                    period: all.period,
                },
                None if record.is_proved_infinite() => Self::Infinite { heap },
                None => Self::Diverges { heap },
            },
            (Verdict::Grows { .. }, Some(law)) => Self::Law {
                period: law.period,
                wild: record.tame == Some(false),
                infinite: law.infinite,
            },
            (Verdict::Grows { start, period }, None) => match record.automaton {
                Some(automaton) => Self::Automaton {
                    states: automaton.states,
                    wild: record.tame == Some(false),
                    infinite: automaton.infinite,
                },
                None => Self::Grows { start, period },
            },
            (Verdict::Exhausted(limit), _) => Self::Exhausted(limit),
            // No such record is ever committed.
            (Verdict::Interrupted, _) => Self::Missing,
        }
    }
}

/// Describes a game whose partial quotients grow and that a rule solves.
fn solved_by(rule: &str, wild: bool, infinite: bool) -> String {
    format!(
        "{}solved by {rule}, {}",
        if wild { "wild, " } else { "" },
        match infinite {
            true => "infinite quotient",
            false => "partial quotients grow",
        }
    )
}

/// One box of the chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The game.
    pub code: Code,
    /// The standing of its misère play.
    pub standing: Standing,
    /// The game as the census knows it, in the heap numbers of the code.
    pub game: Option<KnownGame>,
    /// The knowledge on its normal play, where the standing leaves that open.
    pub normal: Option<NormalPlay>,
    /// The nim-values that were computed beforehand, where the standing leaves normal play open.
    pub nim_values: Option<NimValuesKnown>,
    /// The box in the chart of 2007.
    pub published: Published,
    /// The reason why our box differs from that one, if it does.
    pub difference: Option<String>,
}

impl Entry {
    /// Describes a box in one line, without its code.
    #[must_use]
    pub fn describe(&self) -> String {
        self.describe_with(self.normal.map(NormalPlay::describe))
    }

    /// Describes a box in one line, with other words on normal play.
    #[must_use]
    pub fn describe_with(&self, normal_play: Option<String>) -> String {
        let mut parts = vec![self.standing.describe()];
        if let Some(game) = &self.game {
            let record = &game.record;
            parts.push(format!(
                "quotient of order {} to heap {}",
                record.order, record.heaps
            ));
            parts.extend(game.sentence());
        }
        parts.extend(normal_play);
        parts.extend(self.nim_values.as_ref().map(NimValuesKnown::describe));
        parts.push(format!("in 2007: {}", self.published.describe()));
        parts.extend(self.code.name().map(str::to_owned));
        parts.join("; ")
    }
}

/// A row of the chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The label before the row: `.00` to `.77`, `4.0` to `4.7`.
    pub label: String,
    /// Its boxes.
    pub entries: Vec<Entry>,
}

/// The chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Its rows, in the order of the published chart: 0.00 to 0.77, 4.0 to 4.7.
    pub rows: Vec<Row>,
    /// The heap to which nim-values were computed.
    pub normal_heaps: u32,
    /// The plan of the census.
    pub plan: Plan,
    /// The digest of its records.
    pub digest: CensusDigest,
    /// Whether all of the plan is done.
    pub complete: bool,
}

impl Chart {
    /// Builds the chart of a census, or returns `None` if it was interrupted.
    ///
    /// Cost: reads every box, and computes the nim-values to heap `normal_heaps` of the games not
    /// solved and not in `results` (about a minute of one core for heap 20,000; all cores are
    /// used).
    ///
    /// # Errors
    /// [`ReportError`] if the store or the published data cannot be read.
    pub fn of(
        store: &Store,
        normal_heaps: u32,
        results: &NormalResults,
        interrupt: &Interrupt,
    ) -> Result<Option<Self>, ReportError> {
        let mut rows = Vec::new();
        for row in 0..COLUMNS * COLUMNS + COLUMNS {
            rows.push(row_of(store, row)?);
        }
        let entries = || rows.iter().flat_map(|row| &row.entries);
        let known = normal_play::of_those_open(entries(), normal_heaps, results, interrupt);
        let Some(known) = known else {
            return Ok(None);
        };
        let published = published::Chart2007::read()?;
        for entry in rows.iter_mut().flat_map(|row| &mut row.entries) {
            entry.normal = known.get(&entry.code).copied();
            entry.nim_values = (entry.normal)
                .and_then(|_| results.of(&entry.code))
                .and_then(NimValuesKnown::of);
            entry.published = published.of(&entry.code);
            entry.difference = published.difference(entry, normal_heaps);
        }
        Ok(Some(Self {
            rows,
            normal_heaps,
            plan: store.plan().clone(),
            digest: store.digest()?,
            complete: store.counters().is_complete(),
        }))
    }

    /// Describes the grounds of the statements on normal play, as the end of a sentence.
    #[must_use]
    pub fn normal_play_says(&self) -> String {
        let known = self.entries().filter(|entry| entry.nim_values.is_some());
        let beforehand = match known.count() {
            0 => String::new(),
            boxes => format!(", or by nim-values computed beforehand (of {boxes} boxes)"),
        };
        let heaps = self.normal_heaps;
        format!("periods are proved within heap {heaps}{beforehand}, or cited")
    }

    /// Iterates over all boxes, row by row.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.rows.iter().flat_map(|row| &row.entries)
    }
}

fn row_of(store: &Store, row: usize) -> Result<Row, StoreError> {
    let (first, second) = ((row / COLUMNS) as u8, (row % COLUMNS) as u8);
    let splits = row >= COLUMNS * COLUMNS;
    let label = match splits {
        false => format!(".{first}{second}"),
        true => format!("4.{second}"),
    };
    let codes = (0..COLUMNS as u8).filter_map(|last| match splits {
        false => Code::new(0, &[first, second, last]),
        true => Code::new(4, &[second, last]),
    });
    let entries = codes.map(|code| entry(store, code));
    Ok(Row {
        label,
        entries: entries.collect::<Result<_, _>>()?,
    })
}

fn entry(store: &Store, code: Code) -> Result<Entry, StoreError> {
    let game = store.game(&code)?;
    let standing = match &game {
        Some(game) => Standing::of(&game.record),
        // A game without moves needs no computation and is in no census: its quotient is T_0.
        None if !code.has_moves() => Standing::Tame,
        None => Standing::Missing,
    };
    Ok(Entry {
        code,
        standing,
        game,
        normal: None,
        nim_values: None,
        published: Published::Open,
        difference: None,
    })
}
