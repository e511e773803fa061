//! From which heap on does the pretending function repeat, and is that proved?
//!
//! The misère Guy–Smith theorem (Plambeck 2005, Theorem 3): if a quotient is correct to the heaps concerned and
//! `Φ(h_{r+p}) = Φ(h_r)` for `r_0 ≤ r < 2r_0 + p + d`, where `d` is the number of digits after the point, it holds for all
//! `r ≥ r_0` and the quotient is correct for all heaps.
//!
//! For moves that leave up to `k` heaps the same proof asks for `r < k·r_0 + (k−1)p + d`: of at most `k` heaps with sum
//! `r + p − t ≥ k·r_0 + k·p − …` one is at least `r_0 + p` and can be exchanged for one smaller by `p`. Octal games have `k = 2`,
//! hexadecimal ones `k = 3`; `k = 2` is kept as the least, as the theorem is stated. The exchanged heap must not
//! vanish, so the bound is taken with `r_0 ≥ 1` even where the sequence is periodic from heap 0 on.

use crate::bipartite::Element;

/// The greatest heap to which values must be known, so that a period `p` from `r_0` on is proved.
///
/// ```
/// # use misere_theory::quotient::heaps_needed;
/// assert_eq!(heaps_needed(5, 5, 3, 2), 22); // 0.123
/// ```
#[must_use]
pub fn heaps_needed(preperiod: u32, period: u32, digits: usize, max_parts: u32) -> u64 {
    let (start, period, parts) = (u64::from(preperiod.max(1)), u64::from(period), u64::from(max_parts.max(2)));
    parts * start + (parts - 1) * period + digits as u64 + period - 1
}

/// Watches a sequence of values for a proved period.
#[derive(Debug, Default)]
pub(super) struct PeriodSearch {
    /// `since[p]`: the values from here on repeat with period `p` as far as known.
    since: Vec<u32>,
}

impl PeriodSearch {
    /// Takes note of the value of the next heap; `values` holds those of heaps `0..=heap`.
    ///
    /// Returns the least proved period with its preperiod. Cost: `heap` comparisons.
    pub(super) fn next(&mut self, values: &[Element], digits: usize, max_parts: u32) -> Option<(u32, u32)> {
        let heap = values.len() - 1;
        let newest = values[heap];
        // since[p] is kept for 1 ≤ p ≤ heap; a new candidate period has one comparison to its name.
        self.since.resize(heap + 1, 0);
        let mut proved = None;
        for period in 1..=heap {
            if values[heap - period] != newest {
                self.since[period] = (heap - period + 1) as u32;
            } else if proved.is_none() {
                let start = self.since[period];
                if heaps_needed(start, period as u32, digits, max_parts) <= heap as u64 {
                    proved = Some((period as u32, start));
                }
            }
        }
        proved
    }
}

/// The period that a sequence of values proves, if it does: the least one, with its least preperiod.
pub(super) fn proved_period(values: &[Element], digits: usize, max_parts: u32) -> Option<(u32, u32)> {
    let last = values.len().checked_sub(1)?;
    (1..=last).find_map(|period| {
        let start = (0..=last - period).rev().take_while(|&r| values[r] == values[r + period]).last()?;
        let needed = heaps_needed(start as u32, period as u32, digits, max_parts);
        (needed <= last as u64).then_some((period as u32, start as u32))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_is_seen_as_soon_as_it_is_proved() {
        // Preperiod 3, period 4, two digits: known to heap 2·3 + 2·4 + 2 − 1 = 15.
        let values: Vec<Element> = (0..40).map(|n| if n < 3 { 9 } else { n % 4 }).collect();
        let mut search = PeriodSearch::default();
        let seen = (1..=40).find_map(|n| Some((n - 1, search.next(&values[..n], 2, 2)?)));
        assert_eq!(seen, Some((15, (4, 3))));
        assert_eq!(proved_period(&values[..16], 2, 2), Some((4, 3)));
        assert_eq!(proved_period(&values[..15], 2, 2), None);
    }
}
