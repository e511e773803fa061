//! The bound up to which values must repeat to repeat for ever.
//!
//! The misère Guy–Smith theorem (Plambeck 2005, Theorem 3): if a quotient is correct to the heaps
//! concerned and `Φ(h_{r+p}) = Φ(h_r)` for `r_0 ≤ r < 2r_0 + p + d`, where `d` is the number of
//! digits after the point, it holds for all `r ≥ r_0` and the quotient is correct for all heaps.
//!
//! For moves that leave up to `k` heaps the same proof asks for `r < k·r_0 + (k−1)p + d`. Let
//! `r ≥ k·r_0 + (k−1)p + d` and take an option of `h_{r+p}`: at most `k` heaps with sum at least
//! `r + p − d ≥ k(r_0 + p)`, so one has at least `r_0 + p` beans and can be exchanged for one
//! smaller by `p` with the same value: an option of `h_r`. The converse is the same with sum at
//! least `r − d ≥ k·r_0`. So both have the same option image, and with it the same value. The
//! exchanged heap must not vanish, so the bound is taken with `r_0 ≥ 1` even where the sequence is
//! periodic from heap 0 on. Octal games have `k = 2`, hexadecimal ones `k = 3`; `k = 2` is kept as
//! the least, as the theorem is stated.

//!
//! Grundy's game has a theorem of its own, see `grundy.rs`. A finite game has `k`
//! heaps and then none that is live. Once `Φ(h_{r+p}) = Φ(h_r)` is known for `r_0 ≤ r ≤ k` it is
//! known for all `r ≥ r_0`; the values to heap `max(k + 1, r_0) + 2p − 1` show as much, and enough
//! to see that `p` is the least.

use super::Code;
use super::code::Rules;
use super::grundy;

impl Code {
    /// The greatest heap to which values must be known and repeat, so that they are proved to
    /// repeat with `period` from `preperiod` on.
    ///
    /// ```
    /// use misere_theory::ruleset::Code;
    /// assert_eq!("0.123".parse::<Code>()?.heaps_to_prove(5, 5), 22);
    /// # Ok::<(), misere_theory::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn heaps_to_prove(&self, preperiod: u32, period: u32) -> u64 {
        match &self.0 {
            Rules::TakeAndBreak { .. } => {}
            Rules::Grundy => return grundy::heaps_to_prove(preperiod, period),
            Rules::Finite(game) => {
                let start = u64::from(preperiod.max(game.heaps() + 1));
                return (start + 2 * u64::from(period)).saturating_sub(1);
            }
        }
        let (start, period) = (u64::from(preperiod.max(1)), u64::from(period));
        let parts = u64::from(self.max_parts().max(2));
        (parts * start + parts * period + self.length() as u64).saturating_sub(1)
    }
}
