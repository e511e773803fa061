//! The pace of a census, and the estimate of the time left.
//!
//! Finished tasks are counted per second. Over `K` windows of equal length the counts have mean `m`
//! and variance `v`; their index of dispersion `D = v/m` is 1 for tasks that finish independently
//! of one another and greater where long tasks alternate with short ones. If `N` tasks were seen to
//! finish at rate `r`, the `R` tasks left take `R/r`, with a relative standard error of `√(D/R +
//! D/N)`: the spread of the tasks to come, and the spread of those from which the rate is known.
//! Twice that, about 95 %, is reported. The estimate assumes that the tasks to come are like those
//! seen; after too few tasks there is none.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// The number of seconds that are kept.
const WINDOW_S: usize = 600;
/// The number of windows in which the spread is observed.
const WINDOWS: usize = 10;
/// The least number of finished tasks for an estimate.
const MIN_FINISHED: u64 = 10;
/// The number of standard errors on either side.
const ERRORS: f64 = 2.0;

/// Counts of finished tasks, one per second.
#[derive(Clone, Debug, Default)]
pub struct Rates {
    /// The numbers of tasks finished so far, at the end of each second; the oldest first.
    finished: VecDeque<u64>,
}

/// The estimate of the time left, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "known", rename_all = "snake_case")]
pub enum Remaining {
    /// No task is left.
    Nothing,
    /// Too few tasks have finished.
    Unknown,
    /// The time left lies between bounds; the upper one may be unknown.
    Between {
        /// The lower bound.
        at_least: f64,
        /// The time left at the observed pace.
        likely: f64,
        /// The upper bound; `None` if the tasks differ too much.
        at_most: Option<f64>,
    },
}

impl Rates {
    /// Records the number of finished tasks; to be called once a second.
    ///
    /// Tasks may be taken out of quarantine, so that fewer are finished than before. The counts
    /// from before then are useless and dropped.
    pub fn note(&mut self, finished: u64) {
        if self.finished.back().is_some_and(|&last| last > finished) {
            self.finished.clear();
        }
        self.finished.push_back(finished);
        while self.finished.len() > WINDOW_S + 1 {
            self.finished.pop_front();
        }
    }

    /// Returns the number of tasks finished per second over the last minute, or its observed part.
    #[must_use]
    pub fn per_second(&self) -> Option<f64> {
        let seconds = self.finished.len().checked_sub(1)?.min(60);
        let last = self.finished.back()?;
        let first = self.finished.get(self.finished.len() - 1 - seconds)?;
        (seconds > 0).then(|| (last - first) as f64 / seconds as f64)
    }

    /// Estimates the time for the tasks left.
    #[must_use]
    pub fn remaining(&self, left: u64) -> Remaining {
        if left == 0 {
            return Remaining::Nothing;
        }
        let seconds = self.finished.len().saturating_sub(1) / WINDOWS * WINDOWS;
        let start = self.finished.len().saturating_sub(1) - seconds;
        let ends: Vec<u64> = (0..=WINDOWS)
            .filter_map(|window| self.finished.get(start + window * seconds / WINDOWS))
            .copied()
            .collect();
        let counts: Vec<f64> = ends.windows(2).map(|w| (w[1] - w[0]) as f64).collect();
        let seen: f64 = counts.iter().sum();
        if seconds == 0 || seen < MIN_FINISHED as f64 {
            return Remaining::Unknown;
        }
        let mean = seen / WINDOWS as f64;
        let variance =
            counts.iter().map(|c| (c - mean).powi(2)).sum::<f64>() / (WINDOWS - 1) as f64;
        let dispersion = (variance / mean).max(1.0);
        let left = left as f64;
        let likely = left * seconds as f64 / seen;
        let error = ERRORS * (dispersion / left + dispersion / seen).sqrt();
        Remaining::Between {
            at_least: likely / (1.0 + error),
            likely,
            at_most: (error < 1.0).then(|| likely / (1.0 - error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates(counts: impl IntoIterator<Item = u64>) -> Rates {
        let mut rates = Rates::default();
        let mut finished = 0;
        rates.note(0);
        for count in counts {
            finished += count;
            rates.note(finished);
        }
        rates
    }

    #[test]
    fn an_even_pace_has_narrow_bounds() {
        let rates = rates([100; 120]);
        assert_eq!(rates.per_second(), Some(100.0));
        let Remaining::Between {
            at_least,
            likely,
            at_most,
        } = rates.remaining(100_000)
        else {
            panic!("enough was seen")
        };
        assert!((likely - 1000.0).abs() < 1e-9);
        assert!(at_least > 950.0 && at_least < likely);
        assert!(at_most.is_some_and(|most| most > likely && most < 1050.0));
    }

    #[test]
    fn an_uneven_pace_widens_the_bounds() {
        let even = rates([10; 100]);
        let uneven = rates((0..100).map(|second| if second < 20 { 50 } else { 0 }));
        let width = |rates: &Rates| match rates.remaining(1000) {
            Remaining::Between {
                at_least, at_most, ..
            } => at_most.map_or(f64::INFINITY, |most| most - at_least),
            _ => panic!("enough was seen"),
        };
        assert!(width(&uneven) > 3.0 * width(&even));
    }

    #[test]
    fn few_tasks_give_no_estimate() {
        assert_eq!(Rates::default().remaining(5), Remaining::Unknown);
        assert_eq!(Rates::default().per_second(), None);
        assert_eq!(rates([1; 9]).remaining(5), Remaining::Unknown);
        assert_eq!(rates([0; 500]).remaining(5), Remaining::Unknown);
        assert_eq!(rates([1; 9]).remaining(0), Remaining::Nothing);
    }

    #[test]
    fn counts_are_bounded_and_dropped_when_tasks_come_back() {
        let mut rates = rates([1; 5000]);
        assert_eq!(rates.finished.len(), WINDOW_S + 1);
        rates.note(3);
        assert_eq!(rates.per_second(), None);
    }
}
