//! The page of the chart: every octal game with at most three digits.
//!
//! It has the layout of Figure 1 of the paper. Nim-values to a great heap take a minute of a core.
//! The chart is made with few of them at once, and again with all of them in the background where
//! the census is not being written. Until then the chart reports the normal play of the games that
//! are still open as being computed, and neither counts them nor compares them with 2007: it never
//! takes back a statement.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use misere_census::normal_results::NormalResults;
use misere_game::control::Interrupt;
use misere_game::ruleset::Code;

use misere_report::completeness::Completeness;
use misere_report::facts::figure1::{COLUMNS, Chart, Entry, Kind, NormalPlay, Published};
use misere_store::{Counters, Store};

use super::census::Glance;
use super::error::PageError;
use super::links::Link;
use super::shell::Shell;
use super::site::{Page, Site};

/// The greatest heap to which nim-values are computed at once: a tenth of a second of a core.
const MAX_QUICK_HEAPS: u32 = 500;

/// The least age at which the chart of a growing census is made again.
///
/// The second value is the multiple of its making time that the age must reach too.
const CHART_AGE: (Duration, u32) = (Duration::from_secs(5), 20);

/// The chart that was made last.
#[derive(Debug)]
pub(crate) struct Charts {
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
    fn of(site: &Site, store: &Store, heaps: u32, is_settled: bool) -> Result<Self, PageError> {
        Self::watched(site, store, heaps, is_settled, &Interrupt::default())
    }

    fn watched(
        site: &Site,
        store: &Store,
        heaps: u32,
        is_settled: bool,
        interrupt: &Interrupt,
    ) -> Result<Self, PageError> {
        let begun = Instant::now();
        let chart = Chart::of(store, heaps, site.charts().results(), interrupt)?;
        let completeness = Completeness::of(store)?;
        Ok(Self {
            chart: Arc::new(chart.ok_or(PageError::Internal)?),
            completeness: Arc::new(completeness),
            is_settled,
            enough_heaps: site.charts().heaps.unwrap_or(0),
            counters: store.counters(),
            at: Instant::now(),
            took: begun.elapsed(),
        })
    }

    fn is_good(&self, counters: Counters) -> bool {
        let (age, times) = CHART_AGE;
        self.counters == counters || self.at.elapsed() < age.max(self.took * times)
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
}

impl Charts {
    pub(crate) fn new(heaps: Option<u32>, results: NormalResults) -> Self {
        Self {
            heaps,
            results,
            made: Mutex::new(None),
            turn: Mutex::default(),
            making_in_full: AtomicBool::new(false),
        }
    }

    /// Returns the normal play that was computed beforehand.
    pub(crate) fn results(&self) -> &NormalResults {
        &self.results
    }

    fn made(&self) -> Option<ChartView> {
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.clone()
    }

    fn keep(&self, made: &ChartView) {
        let mut kept = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some(made.clone());
    }
}

/// Returns the chart, made again if it is too old. May block.
pub(crate) fn made(site: &Site) -> Result<ChartView, PageError> {
    let charts = site.charts();
    let store = site.census().store()?;
    let good = || charts.made().filter(|made| made.is_good(store.counters()));
    let made = match good() {
        Some(made) => made,
        None => {
            let _turn = charts.turn.lock().unwrap_or_else(PoisonError::into_inner);
            match good() {
                Some(made) => made,
                None => {
                    let few = MAX_QUICK_HEAPS.min(charts.heaps.unwrap_or(MAX_QUICK_HEAPS));
                    let made = ChartView::of(site, &store, few, charts.heaps == Some(few))?;
                    charts.keep(&made);
                    made
                }
            }
        }
    };
    if let Some(heaps) = charts.heaps
        && !made.is_settled
        && made.counters.pending() == 0
    {
        make_in_full(site, store, heaps);
    }
    Ok(made)
}

/// Makes the chart with all nim-values at once, so that no page leaves anything open.
pub(crate) fn settle(site: &Site, heaps: u32, interrupt: &Interrupt) -> Result<(), PageError> {
    let store = site.census().store()?;
    let made = ChartView::watched(site, &store, heaps, true, interrupt)?;
    site.charts().keep(&made);
    Ok(())
}

/// Makes the chart with all nim-values in the background, unless that is already running.
fn make_in_full(site: &Site, store: Glance, heaps: u32) {
    if site.charts().making_in_full.swap(true, Ordering::AcqRel) {
        return;
    }
    let site = site.clone();
    std::thread::spawn(move || {
        let charts = site.charts();
        match ChartView::of(&site, &store, heaps, true) {
            Ok(made) => charts.keep(&made),
            Err(error) => tracing::warn!(%error, "cannot make the chart in full"),
        }
        charts.making_in_full.store(false, Ordering::Release);
    });
}

struct Cell {
    link: Link,
    look: Kind,
    star: bool,
    is_computing: bool,
    differs: bool,
    text: String,
}

impl Cell {
    fn of(made: &ChartView, entry: &Entry) -> Self {
        Self {
            link: Link::to_game(&entry.code),
            look: entry.kind(),
            star: entry.has_star(),
            is_computing: made.is_computing(entry),
            differs: made.difference(entry).is_some(),
            text: text(made, entry),
        }
    }
}

/// Returns the description of a box in one line.
fn text(made: &ChartView, entry: &Entry) -> String {
    match made.is_computing(entry) {
        true => entry.describe_with(Some(NOT_YET.to_owned())),
        false => entry.describe(),
    }
}

/// The remark on normal play that is not computed yet.
const NOT_YET: &str = "normal play is still to be computed";

/// Returns the normal play of a game of the chart, as far as it is known.
///
/// The result says whether it is cited; `None` before it was computed.
pub(super) fn normal_play_of(site: &Site, code: &Code) -> Result<Option<NormalPlay>, PageError> {
    let made = made(site)?;
    let mut entries = made.chart.entries();
    let entry = entries.find(|entry| entry.code == *code);
    let entry = entry.filter(|entry| !made.is_computing(entry));
    Ok(entry.and_then(|entry| entry.normal))
}

struct Block {
    caption: String,
    rows: Vec<(String, Vec<Cell>)>,
}

struct LegendLine {
    look: Kind,
    codes: usize,
    starred: usize,
}

struct Difference {
    link: Link,
    then: &'static str,
    now: String,
    why: String,
}

#[derive(Template)]
#[template(path = "chart.html")]
struct ChartPage {
    shell: Shell,
    blocks: Vec<Block>,
    kinds: Vec<LegendLine>,
    /// The name of each kind, the number of its boxes in 2007, and now, if known.
    then_and_now: Vec<(&'static str, usize, Option<usize>)>,
    differences: Vec<Difference>,
    columns: usize,
    normal_play_says: String,
    /// The greatest heap to which nim-values are being computed, if they are.
    full_heaps: Option<u32>,
    /// The number of games whose normal play is still to be computed.
    computing: usize,
    completeness: Arc<Completeness>,
}

impl ChartPage {
    fn of(store: &Store, made: &ChartView, full_heaps: Option<u32>) -> Self {
        let chart = &*made.chart;
        let half = chart.rows.len() / 2;
        let block = |rows: &[misere_report::facts::figure1::Row]| {
            let ends = rows.first().zip(rows.last());
            let caption = ends.map(|(first, last)| format!("{} to {}", first.label, last.label));
            let rows = rows.iter().map(|row| {
                let cells = row
                    .entries
                    .iter()
                    .map(|entry| Cell::of(made, entry))
                    .collect();
                (row.label.clone(), cells)
            });
            Block {
                caption: caption.unwrap_or_default(),
                rows: rows.collect(),
            }
        };
        let kinds = chart.counts().into_iter();
        let kinds = kinds.map(|(codes, starred, look)| LegendLine {
            look,
            codes,
            starred,
        });
        let differences = chart.entries().filter_map(|entry| {
            Some(Difference {
                link: Link::to_game(&entry.code),
                then: entry.published.describe(),
                now: entry.ended(),
                why: made.difference(entry)?.to_owned(),
            })
        });
        let computing = made.computing();
        Self {
            shell: Shell::of(store, "/", "Octal games with at most three digits"),
            blocks: vec![block(&chart.rows[..half]), block(&chart.rows[half..])],
            kinds: kinds.collect(),
            then_and_now: chart
                .then_and_now()
                .map(|(kind, then, now)| {
                    let hangs_on_normal_play =
                        matches!(kind, Published::WildUnsolved | Published::Open);
                    let is_known = computing == 0 || !hangs_on_normal_play;
                    (kind.describe(), then, is_known.then_some(now))
                })
                .to_vec(),
            differences: differences.collect(),
            columns: COLUMNS,
            normal_play_says: chart.normal_play_says(),
            full_heaps: full_heaps.filter(|_| made.counters.pending() == 0),
            computing,
            completeness: Arc::clone(&made.completeness),
        }
    }
}

/// Serves the chart, or, for a census without games, the page of its quotients.
pub(super) async fn page(State(site): State<Site>) -> Result<Response, PageError> {
    site.block(|site| {
        let store = site.census().store()?;
        if !store.plan().space().has_games() {
            return Ok(Redirect::to("/quotients").into_response());
        }
        let made = made(site)?;
        let page = Page::set(&ChartPage::of(&store, &made, site.charts().heaps))?;
        Ok(page.into_response())
    })
    .await
}
