//! The search for a proved period of the pretending function.
//!
//! A period is proved if it holds as far as the misère Guy–Smith theorem requires, see
//! [`misere_game::ruleset::guy_smith`].

use misere_game::bipartite::Element;
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;

/// Watches a sequence of values for a proved period.
#[derive(Debug, Default)]
pub(super) struct PeriodSearch {
    /// The heap from which on the values repeat with period `p`, as far as known, at index `p`.
    since: Vec<u32>,
}

impl PeriodSearch {
    /// Returns the search after these values, in which no period is proved.
    ///
    /// Cost: half the square of their number.
    pub(super) fn after(
        values: &[Element],
        code: &Code,
        control: &mut Control,
    ) -> Result<Self, Stop> {
        let mut periods = Self::default();
        for heaps in 2..=values.len() {
            control.spend(20 + heaps as u64)?;
            // No period is proved yet, or the computation would have ended.
            periods.next(&values[..heaps], code);
        }
        Ok(periods)
    }

    /// Records the value of the next heap and returns the least proved period with its preperiod.
    ///
    /// `values` holds the values of heaps `0..=heap`. Cost: `heap` comparisons.
    pub(super) fn next(&mut self, values: &[Element], code: &Code) -> Option<(u32, u32)> {
        let heap = values.len() - 1;
        let newest = values[heap];
        // since[p] is kept for 1 ≤ p ≤ heap; a new candidate period has been compared once.
        self.since.resize(heap + 1, 0);
        let mut proved = None;
        for period in 1..=heap {
            if values[heap - period] != newest {
                self.since[period] = (heap - period + 1) as u32;
            } else if proved.is_none() {
                let start = self.since[period];
                if code.heaps_to_prove(start, period as u32) <= heap as u64 {
                    // Heaps that had one value in a smaller quotient may now have two.
                    let start = last_exception(values, start as usize, period);
                    self.since[period] = start;
                    if code.heaps_to_prove(start, period as u32) <= heap as u64 {
                        proved = Some((period as u32, start));
                    }
                }
            }
        }
        proved
    }
}

/// Returns the least start, from this one on, from which the values repeat.
fn last_exception(values: &[Element], start: usize, period: usize) -> u32 {
    let fails = |&heap: &usize| values[heap] != values[heap + period];
    let last = (start..values.len() - period).rev().find(fails);
    last.map_or(start, |heap| heap + 1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_were_equal_once_do_not_count() {
        let code = "0.77".parse().unwrap();
        let mut search = PeriodSearch::default();
        let before = [9, 8, 7, 6, 1, 1, 1, 1, 1, 1, 1];
        (2..=10).for_each(|heaps| assert_eq!(search.next(&before[..heaps], &code), None));
        // In a larger quotient heap 5 has another value: the period 1 holds from heap 6 on only.
        let mut values = before.to_vec();
        values[5] = 2;
        values.resize(30, 1);
        let seen = (11..=30).find_map(|n| Some((n - 1, search.next(&values[..n], &code)?)));
        assert_eq!(seen, Some((15, (1, 6))));
    }

    #[test]
    fn a_period_is_seen_as_soon_as_it_is_proved() {
        // Preperiod 3, period 4, two digits: known to heap 2·3 + 2·4 + 2 − 1 = 15.
        let values: Vec<Element> = (0..40).map(|n| if n < 3 { 9 } else { n % 4 }).collect();
        let mut search = PeriodSearch::default();
        let code = "0.77".parse().unwrap();
        let seen = (1..=40).find_map(|n| Some((n - 1, search.next(&values[..n], &code)?)));
        assert_eq!(seen, Some((15, (4, 3))));
    }
}
