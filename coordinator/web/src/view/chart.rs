//! The chart: every octal game with at most three digits, as in Figure 1 of the paper.
//!
//! Nim-values to a great heap take a minute of a core. The chart is made with few of them at once,
//! and again with all of them in the background where the census is not being written. Until then
//! the chart reports the normal play of the games that are still open as being computed, and
//! neither counts them nor compares them with 2007: it never takes back a statement.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use misere_census::normal_results::NormalResults;
use misere_game::control::Interrupt;
use misere_game::ruleset::Code;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use misere_report::completeness::Completeness;
use misere_report::facts::figure1::{Chart, Entry, NimValuesKnown, NormalPlay};
use misere_store::{Counters, Store};

use super::census::{Census, Glance};
use super::error::RequestError;
use super::schema;

/// The greatest heap to which nim-values are computed at once: a tenth of a second of a core.
const MAX_QUICK_HEAPS: u32 = 500;

/// The least age at which the chart of a growing census is made again.
///
/// The second value is the multiple of its making time that the age must reach too.
const CHART_AGE: (Duration, u32) = (Duration::from_secs(5), 20);

/// The chart that was made last, and what it is made from.
#[derive(Clone, Debug)]
pub(crate) struct Charts(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    census: Census,
    /// The greatest heap to which nim-values are computed where there is time for it.
    ///
    /// `None` where there never is.
    heaps: Option<u32>,
    /// The normal play that was computed beforehand.
    results: NormalResults,
    made: Mutex<Option<ChartView>>,
    /// The lock of the thread that makes the chart; others wait for theirs.
    turn: Mutex<()>,
    making_in_full: AtomicBool,
}

/// The chart, with the statement on the completeness of its census.
#[derive(Clone, Debug)]
pub(crate) struct ChartView {
    pub(crate) chart: Arc<Chart>,
    pub(crate) completeness: Arc<Completeness>,
    /// Whether nim-values were computed as far as they will be.
    is_settled: bool,
    /// The heap from which precomputed nim-values leave nothing to compute.
    enough_heaps: u32,
    counters: Counters,
    at: Instant,
    took: Duration,
}

impl ChartView {
    fn is_good(&self, counters: Counters) -> bool {
        let (age, times) = CHART_AGE;
        self.counters == counters || self.at.elapsed() < age.max(self.took * times)
    }

    /// Reports whether every game of the plan was done when the chart was made.
    pub(crate) fn is_whole(&self) -> bool {
        self.counters.pending() == 0
    }

    /// Reports whether the normal play of a game is still to be computed, so that it is left open.
    pub(crate) fn is_computing(&self, entry: &Entry) -> bool {
        // A cited result may still be proved, and the chart would then differ from the chart of
        // 2007 in another box.
        let is_proved = matches!(entry.normal, None | Some(NormalPlay::Proved { .. }));
        let computed = entry.nim_values.as_ref().map(|known| known.heaps);
        let is_answered = computed.is_some_and(|heaps| heaps >= self.enough_heaps);
        !self.is_settled && !is_proved && !is_answered
    }

    /// Returns the number of games whose normal play is still to be computed.
    pub(crate) fn computing(&self) -> usize {
        let entries = self.chart.entries();
        entries.filter(|entry| self.is_computing(entry)).count()
    }

    /// Returns the reason why a box differs from the box of 2007, if one is known.
    pub(crate) fn difference<'a>(&self, entry: &'a Entry) -> Option<&'a str> {
        match self.is_computing(entry) {
            true => None,
            false => entry.difference.as_deref(),
        }
    }

    /// Returns the chart box by box.
    pub(crate) fn boxes(&self) -> Boxes<'_> {
        let chart = &*self.chart;
        Boxes {
            digest: chart.digest.to_string(),
            complete: chart.complete,
            normal_heaps: chart.normal_heaps,
            computing: self.computing(),
            games: chart.entries().map(|entry| self.of_game(entry)).collect(),
        }
    }

    fn of_game<'a>(&self, entry: &'a Entry) -> BoxView<'a> {
        let computing = self.is_computing(entry);
        BoxView {
            code: &entry.code,
            same_as: entry.game.as_ref().map(|game| &game.representative),
            standing: entry.kind().name(),
            says: entry.ended(),
            normal_play: (entry.normal)
                .filter(|_| !computing)
                .map(NormalPlay::document),
            computing,
            in_2007: entry.published.name(),
            difference: self.difference(entry),
            nim_values: entry.nim_values.as_ref(),
        }
    }
}

/// The chart box by box.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Chart")]
pub(crate) struct Boxes<'a> {
    /// The digest of the records.
    digest: String,
    /// Whether all of the plan is done.
    complete: bool,
    /// The heap to which nim-values were computed.
    normal_heaps: u32,
    /// How many games have their normal play still to be computed.
    ///
    /// Nothing is said of it, and they are not compared with 2007.
    computing: usize,
    games: Vec<BoxView<'a>>,
}

/// The box of a game.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Box")]
struct BoxView<'a> {
    #[schemars(with = "schema::Code")]
    code: &'a Code,
    /// The code of the record; null if the census has none.
    #[schemars(with = "Option<schema::Code>")]
    same_as: Option<&'a Code>,
    #[schemars(with = "schema::BoxKind")]
    standing: &'static str,
    /// The sentence on how the computation ended.
    says: String,
    #[schemars(with = "Option<schema::NormalPlay>")]
    normal_play: Option<Value>,
    /// Whether the normal play is still to be computed.
    computing: bool,
    /// The box in the chart of 2007.
    in_2007: &'static str,
    /// The reason why the box differs from that of 2007, if it does.
    difference: Option<&'a str>,
    // Only where results of normal play were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "schema::NimValuesKnown")]
    nim_values: Option<&'a NimValuesKnown>,
}

impl Charts {
    /// Creates the charts of a census, none of them made yet.
    pub(crate) fn new(census: Census, heaps: Option<u32>, results: NormalResults) -> Self {
        Self(Arc::new(Shared {
            census,
            heaps,
            results,
            made: Mutex::new(None),
            turn: Mutex::default(),
            making_in_full: AtomicBool::new(false),
        }))
    }

    /// Returns the greatest heap to which nim-values are computed where there is time for it.
    pub(crate) fn heaps(&self) -> Option<u32> {
        self.0.heaps
    }

    /// Returns the normal play that was computed beforehand.
    pub(crate) fn results(&self) -> &NormalResults {
        &self.0.results
    }

    fn made(&self) -> Option<ChartView> {
        let made = self.0.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.clone()
    }

    fn keep(&self, made: &ChartView) {
        let mut kept = self.0.made.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some(made.clone());
    }

    /// Returns the chart, made again if it is too old. May block.
    pub(crate) fn latest(&self) -> Result<ChartView, RequestError> {
        let store = self.0.census.store()?;
        let good = || self.made().filter(|made| made.is_good(store.counters()));
        let made = match good() {
            Some(made) => made,
            None => {
                let _turn = self.0.turn.lock().unwrap_or_else(PoisonError::into_inner);
                match good() {
                    Some(made) => made,
                    None => {
                        let few = MAX_QUICK_HEAPS.min(self.0.heaps.unwrap_or(MAX_QUICK_HEAPS));
                        let is_settled = self.0.heaps == Some(few);
                        let made = self.make(&store, few, is_settled, &Interrupt::default())?;
                        self.keep(&made);
                        made
                    }
                }
            }
        };
        if let Some(heaps) = self.0.heaps
            && !made.is_settled
            && made.is_whole()
        {
            self.make_in_full(store, heaps);
        }
        Ok(made)
    }

    /// Returns the normal play of a game of the chart, as far as it is known.
    ///
    /// The result says whether it is cited; `None` before it was computed.
    pub(crate) fn normal_play_of(&self, code: &Code) -> Result<Option<NormalPlay>, RequestError> {
        let made = self.latest()?;
        let mut entries = made.chart.entries();
        let entry = entries.find(|entry| entry.code == *code);
        let entry = entry.filter(|entry| !made.is_computing(entry));
        Ok(entry.and_then(|entry| entry.normal))
    }

    /// Makes the chart with all nim-values at once, so that no page leaves anything open.
    pub(crate) fn settle(&self, heaps: u32, interrupt: &Interrupt) -> Result<(), RequestError> {
        let store = self.0.census.store()?;
        let made = self.make(&store, heaps, true, interrupt)?;
        self.keep(&made);
        Ok(())
    }

    /// Makes the chart with all nim-values in the background, unless that is already running.
    fn make_in_full(&self, store: Glance, heaps: u32) {
        if self.0.making_in_full.swap(true, Ordering::AcqRel) {
            return;
        }
        let charts = self.clone();
        std::thread::spawn(move || {
            match charts.make(&store, heaps, true, &Interrupt::default()) {
                Ok(made) => charts.keep(&made),
                Err(error) => tracing::warn!(%error, "cannot make the chart in full"),
            }
            charts.0.making_in_full.store(false, Ordering::Release);
        });
    }

    fn make(
        &self,
        store: &Store,
        heaps: u32,
        is_settled: bool,
        interrupt: &Interrupt,
    ) -> Result<ChartView, RequestError> {
        let begun = Instant::now();
        let chart = Chart::of(store, heaps, self.results(), interrupt)?;
        let completeness = Completeness::of(store)?;
        Ok(ChartView {
            chart: Arc::new(chart.ok_or(RequestError::Internal)?),
            completeness: Arc::new(completeness),
            is_settled,
            enough_heaps: self.0.heaps.unwrap_or(0),
            counters: store.counters(),
            at: Instant::now(),
            took: begun.elapsed(),
        })
    }
}
