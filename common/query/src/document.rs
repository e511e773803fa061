//! A record as a JSON document.
//!
//! This is the one JSON form of a record: `misere query --json`, the service, the page and exports
//! use it. The fields are a contract (`docs/query.md`).

use std::fmt;

use misere_census::{Alias, AllHeapsFacts, AutomatonFacts, LawFacts, Record, Status};
use misere_game::bipartite::ClassKey;
use misere_game::ruleset::{Code, LiveHeaps};
use misere_game::solution::document::TailDocument;
use misere_game::solution::{Partial, Reason, Stages, Tail};
use serde::{Deserialize, Serialize};

use crate::KnownGame;
use crate::genus::{GenusClass, first_not_tame, first_wild};
use crate::tameness::wild_from;

/// A record as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/query.md"
)]
pub struct RecordDocument {
    pub code: Code,
    #[serde(default)]
    pub game_name: Option<String>,
    pub representative: Code,
    pub aliases: Vec<Code>,
    pub renumberings: Vec<RenumberingDocument>,
    pub status: String,
    pub limit: Option<String>,
    pub tame: Option<bool>,
    pub order: u32,
    pub p_size: u32,
    pub generators: u32,
    pub class: ClassKey,
    #[serde(default)]
    pub label: Option<String>,
    pub name: Option<String>,
    pub heaps: u32,
    pub period: Option<u32>,
    pub preperiod: Option<u32>,
    pub wild_from: Option<u32>,
    pub genus: Vec<String>,
    pub first_not_tame: Option<u32>,
    pub first_wild: Option<u32>,
    pub diverges_at: Option<u32>,
    pub infinite_to: Option<u32>,
    pub distinct_multiples: Vec<u32>,
    pub reason: Option<Reason>,
    pub tame_relative: Option<TailDocument>,
    pub growth: Option<GrowthDocument>,
    pub law: Option<LawFacts>,
    pub automaton: Option<AutomatonFacts>,
    pub all_heaps: Option<AllHeapsFacts>,
    pub partials: Vec<Partial>,
    pub fuel: u64,
}

/// The numbering of the heaps of a record's code in another code of the same game.
///
/// It is part of a [`RecordDocument`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/query.md"
)]
pub struct RenumberingDocument {
    pub code: Code,
    pub sentence: String,
    pub mark: Option<String>,
    pub shift: Option<i32>,
    pub dead_heaps: Option<Vec<u32>>,
    pub live_heaps: Option<Vec<u32>>,
}

/// The form with the mark of the renumbering after the code: `4.4 (+1)`.
impl fmt::Display for RenumberingDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.mark {
            Some(mark) => write!(f, "{} ({mark})", self.code),
            None => self.code.fmt(f),
        }
    }
}

impl RenumberingDocument {
    /// Returns the documents of all other codes of a record's game.
    #[must_use]
    pub fn of(record: &Record) -> Vec<Self> {
        let aliases = record.aliases.iter();
        aliases
            .map(|alias| Self::new(&record.code, alias))
            .collect()
    }

    /// Creates the document of one other code.
    #[must_use]
    pub fn new(code: &Code, alias: &Alias) -> Self {
        let (dead_heaps, live_heaps) = match alias.renumbering.to() {
            LiveHeaps::AllBut(dead) => (Some(dead.clone()), None),
            LiveHeaps::Only(live) => (None, Some(live.clone())),
            // Such a code is the only one of its game.
            LiveHeaps::Repeating { .. } => (None, None),
        };
        Self {
            code: alias.code.clone(),
            sentence: alias.renumbering.sentence(code, &alias.code),
            mark: alias.renumbering.mark(),
            shift: alias.renumbering.shift(),
            dead_heaps,
            live_heaps,
        }
    }
}

/// The pattern of growth, as part of a [`RecordDocument`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/query.md"
)]
pub struct GrowthDocument {
    pub start: u32,
    pub period: u32,
}

impl RecordDocument {
    /// Creates the document of an answer, with the name of its class if it has one.
    ///
    /// ```
    /// use misere_query::{KnownGame, RecordDocument, samples::record};
    /// let game = KnownGame::as_stored(record("0.77"));
    /// let document = RecordDocument::new(game, Some("T_1".to_owned()));
    /// assert_eq!(document.status, "solved");
    /// assert_eq!(document.period, Some(1));
    /// ```
    ///
    /// Cost: linear in the size of the record, and the cost of [`GenusClass::of`].
    #[must_use]
    pub fn new(game: KnownGame, name: Option<String>) -> Self {
        let KnownGame {
            record,
            representative,
        } = game;
        let game_name = record.codes().find_map(Code::name);
        let limit = record.conclusion().ending().limit();
        let (period, preperiod) = record.verdict.period().unzip();
        let tame_relative = record.verdict.tame_from().zip(record.tail);
        let growth = record.verdict.growth();
        Self {
            game_name: game_name.map(str::to_owned),
            representative,
            renumberings: RenumberingDocument::of(&record),
            status: status(&record),
            limit: limit.map(str::to_owned),
            tame: record.tame,
            order: record.order,
            p_size: record.p_size,
            generators: record.generators,
            class: record.class,
            label: record.class.label().map(|label| label.to_string()),
            name,
            heaps: record.heaps,
            period,
            preperiod,
            wild_from: wild_from(&record),
            genus: (GenusClass::of(&record).into_iter())
                .map(|class| class.name().to_owned())
                .collect(),
            first_not_tame: first_not_tame(&record),
            first_wild: first_wild(&record),
            diverges_at: record.verdict.diverges_at(),
            infinite_to: record.infinite_to(),
            reason: record.reason,
            tame_relative: tame_relative.map(|(heap, tail)| tail_document(heap, tail)),
            growth: growth.map(|(start, period)| GrowthDocument { start, period }),
            law: record.law,
            automaton: record.automaton,
            all_heaps: record.all_heaps,
            fuel: record.fuel,
            code: record.code,
            aliases: (record.aliases.into_iter().map(|alias| alias.code)).collect(),
            distinct_multiples: record.distinct_multiples,
            partials: record.partials,
        }
    }
}

fn status(record: &Record) -> String {
    let status = record.status().map(Status::name);
    status.unwrap_or("interrupted").to_owned()
}

fn tail_document(heap: u32, tail: Tail) -> TailDocument {
    let (stages, stages_at_least) = match tail.stages {
        Stages::Known(stages) => (Some(stages), stages),
        Stages::AtLeast(stages) => (None, stages),
    };
    TailDocument {
        heap,
        nim_heaps: tail.nim_heaps,
        nim_period: tail.nim_period.map(|nim| nim.period),
        nim_preperiod: tail.nim_period.map(|nim| nim.preperiod),
        stages,
        stages_at_least,
    }
}
