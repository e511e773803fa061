//! Grundy's game, and its period theorem.
//!
//! A move splits a heap into two heaps of different sizes. Heaps of 1 and 2 are dead. No
//! take-and-break code can express "different".
//!
//! The Guy–Smith theorem holds with another bound: **if `Φ(h_{r+p}) = Φ(h_r)` for
//! `r_0 ≤ r < 2r_0 + 2p`, where `r_0 ≥ 1`, then for all `r ≥ r_0`**. Let `r ≥ 2r_0 + 2p` and let
//! the values below `r + p` repeat from `r_0` on. It suffices that `h_{r+p}` and `h_r` have the
//! same option image, for then they have the same value.
//!
//! - An option of `h_r` is `a + b` with `a > b ≥ 1` and `a > r/2 ≥ r_0`. So `(a + p) + b` has the
//!   same value, and it is an option of `h_{r+p}`, since `a + p > b`.
//! - An option of `h_{r+p}` is `a + b` with `a > b ≥ 1`, and `a − p > (r − p)/2 ≥ r_0`. If
//!   `a − p ≠ b`, then `(a − p) + b` is an option of `h_r` with the same value. If `a − p = b`,
//!   then `b = r/2`, and `b − p ≥ r_0`, so `a + (b − p)` is an option of `h_r` with the same value:
//!   its parts differ by `2p`.
//!
//! So values to heap `2r_0 + 3p − 1` prove a period. No period of Grundy's game is known, in normal
//! or in misère play.

/// The name of the game in a text.
pub(super) const GRUNDY: &str = "grundy";

/// Returns the splits of a heap, larger part first.
pub(super) fn splits(heap: u32) -> impl Iterator<Item = (u32, u32)> {
    (1..heap.div_ceil(2)).map(move |small| (heap - small, small))
}

/// Returns the greatest heap to which values must be known and repeat.
pub(super) fn heaps_to_prove(preperiod: u32, period: u32) -> u64 {
    (2 * u64::from(preperiod.max(1)) + 3 * u64::from(period)).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_differ() {
        assert_eq!(splits(0).count() + splits(1).count() + splits(2).count(), 0);
        assert_eq!(splits(3).collect::<Vec<_>>(), [(2, 1)]);
        assert_eq!(splits(4).collect::<Vec<_>>(), [(3, 1)]);
        assert_eq!(splits(7).collect::<Vec<_>>(), [(6, 1), (5, 2), (4, 3)]);
    }

    /// The theorem's two exchanges, tried on colourings instead of values: if colours repeat, the
    /// colours of options do.
    #[test]
    fn options_repeat_where_values_do() {
        for (preperiod, period) in [(1_u32, 1_u32), (1, 2), (3, 2), (2, 5), (5, 3), (4, 7)] {
            let colour = |heap: u32| {
                if heap < preperiod {
                    heap + 100
                } else {
                    (heap - preperiod) % period
                }
            };
            let image = |heap: u32| {
                let pair = |(a, b): (u32, u32)| {
                    let (a, b) = (colour(a), colour(b));
                    (a.min(b), a.max(b))
                };
                splits(heap)
                    .map(pair)
                    .collect::<std::collections::BTreeSet<_>>()
            };
            let first = 2 * preperiod + 2 * period;
            for heap in first..first + 4 * period {
                assert_eq!(
                    image(heap),
                    image(heap + period),
                    "{preperiod} {period} {heap}"
                );
            }
        }
    }
}
