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

use misere_census::normal_results::NormalResults;
use misere_census::{CensusDigest, Conclusion, Plan};
use misere_game::control::Interrupt;
use misere_game::ruleset::Code;

use crate::ReportError;

pub use kinds::Kind;
pub use normal_play::{NimValuesKnown, NormalPlay};
pub use published::Published;

use misere_query::KnownGame;
use misere_store::{Store, StoreError};

/// Boxes in a row of the chart: the last digit.
pub const COLUMNS: usize = 8;

/// One box of the chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The game.
    pub code: Code,
    /// How its computation ended; `None` if it is not in this census, or not done yet.
    pub conclusion: Option<Conclusion>,
    /// Whether the game is tame; `None` if that is open.
    pub tame: Option<bool>,
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
    /// Returns the kind of the box.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.conclusion
            .map_or(Kind::Missing, |conclusion| Kind::of(conclusion, self.tame))
    }

    /// Returns the sentence on how the computation ended.
    #[must_use]
    pub fn ended(&self) -> String {
        match self.conclusion {
            Some(conclusion) => conclusion.sentence_with(self.tame),
            None => Kind::Missing.meaning().to_owned(),
        }
    }

    /// Describes a box in one line, without its code.
    #[must_use]
    pub fn describe(&self) -> String {
        self.describe_with(self.normal.map(NormalPlay::describe))
    }

    /// Describes a box in one line, with other words on normal play.
    #[must_use]
    pub fn describe_with(&self, normal_play: Option<String>) -> String {
        let mut parts = vec![self.ended()];
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
    // A game without moves needs no computation and is in no census: its quotient is T_0.
    let no_moves = || Conclusion::Periodic {
        period: 1,
        preperiod: 0,
    };
    let (conclusion, tame) = match &game {
        Some(game) => (Some(game.record.conclusion()), game.record.tame),
        None if !code.has_moves() => (Some(no_moves()), Some(true)),
        None => (None, None),
    };
    Ok(Entry {
        code,
        conclusion,
        tame,
        game,
        normal: None,
        nim_values: None,
        published: Published::Open,
        difference: None,
    })
}
