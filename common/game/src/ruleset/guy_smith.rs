//! The bound up to which values must repeat to repeat for ever.
//!
//! The misère Guy–Smith theorem (Plambeck 2005, Theorem 3): if a quotient is correct to the heaps
//! concerned and `Φ(h_{r+p}) = Φ(h_r)` for `r_0 ≤ r < 2r_0 + p + d`, where `d` is the number of
//! digits after the point, it holds for all `r ≥ r_0` and the quotient is correct for all heaps.
//!
//! For moves that leave up to `k` heaps the same proof requires `r < k·r_0 + (k−1)p + d`. Let
//! `r ≥ k·r_0 + (k−1)p + d` and take an option of `h_{r+p}`: at most `k` heaps with sum at least
//! `r + p − d ≥ k(r_0 + p)`, so one has at least `r_0 + p` beans and can be exchanged for one
//! smaller by `p` with the same value: an option of `h_r`. The converse is the same with sum at
//! least `r − d ≥ k·r_0`. So both have the same option image, and with it the same value. The
//! exchanged heap must not vanish, so the bound is taken with `r_0 ≥ 1` even if the sequence is
//! periodic from heap 0 on. Octal games have `k = 2`, hexadecimal ones `k = 3`; `k = 2` is kept as
//! the least, as the theorem is stated.
//!
//! # Constraints
//!
//! Let a move be allowed under a constraint: the heaps that it leaves are pairwise unequal (`!`),
//! not all equal (`?`), or all equal (`=`). Let `L` be the least common multiple of the numbers of
//! heaps that some move must leave equal, and `s = Lp`. Take `r ≥ k·r_0 + c·s + d`, with `c = k²`
//! if there is a `!`, else `c = 2k` if there is a `?`, else `c = k`; and let the values below `r`
//! repeat with period `p` from `r_0` on. Then `h_r` and `h_{r−s}` have the same option image, as
//! every option of one is matched by an option of the other, of the same move, with the same value.
//! All options have a heap `a` with the greatest number of beans.
//!
//! - From `h_{r−s}`: `a ≥ (r − s − d)/k ≥ r_0`, so `a + s` has its value. No constraint, `!` and
//!   `?` still hold, as `a` was one of the greatest. For `=` with `j` heaps, `a + s/j` replaces
//!   every heap, since `s/j` is a multiple of `p`.
//! - From `h_r`: `a ≥ (r − d)/k ≥ r_0 + (c/k)·s`. Without a constraint `a − s` replaces `a`, and
//!   for `=` with `j` heaps `a − s/j` replaces every heap. For `!` let `i` be the least number such
//!   that `a − (i + 1)s` is not a heap of the option: the heaps `a, a − s, …, a − is` are different
//!   ones of at most `k`, so `i < k` and `a − (i + 1)s ≥ a − ks ≥ r_0`; and this replaces `a − is`.
//!   For `?` take `a − s` for `a`. If all heaps are then equal, the others had `b = a − s`, and
//!   instead `b − s ≥ r_0` replaces one of them: it is not `a`.
//!
//! So `h_r` has the value of `h_{r−s}`, which by the period of the smaller heaps is the value of
//! `h_{r−p}`. The values to heap `k·r_0 + c·s + d − 1` prove the period. The numbers of heaps stay
//! as they are, and no move takes the whole of `h_r` or `h_{r−s}`.
//!
//! # Codes without end
//!
//! Let the digits after `d_e` repeat with period `q`, and let `s = L·lcm(p, q)`. A move that takes
//! `t > e + s` from `h_r` leaves the same as the move that takes `t − s > e` from `h_{r−s}`, and is
//! allowed as it is: the digits are the same. So the options of `h_r` are those of the moves that
//! take more than `e` from `h_{r−s}`, and those of the moves that take at most `e + s` from `h_r`.
//! For the latter the proof above, with `d = e + s`, shows that those of `h_{r−s}` have the same
//! image; and these are all options of `h_{r−s}`. So the bound is `k·r_0 + (c + 1)·s + e − 1`.
//!
//! # Other games
//!
//! Grundy's game has its own theorem, see `grundys_game.rs`. A finite game, and a list of options, has
//! `k` heaps, and no greater heap is live. Once `Φ(h_{r+p}) = Φ(h_r)` is known for `r_0 ≤ r ≤ k` it
//! is known for all `r ≥ r_0`; the values to heap `max(k + 1, r_0) + 2p − 1` show this, and show
//! that `p` is the least.

use super::Code;
use super::code::Rules;
use super::general::{Constraint, General};
use super::grundys_game;

impl Code {
    /// Returns the greatest heap up to which values must be known and repeat to prove a period.
    ///
    /// They are then proved to repeat with `period` from `preperiod` on.
    ///
    /// ```
    /// use misere_game::ruleset::Code;
    /// assert_eq!("0.123".parse::<Code>()?.heaps_to_prove(5, 5), 22);
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn heaps_to_prove(&self, preperiod: u32, period: u32) -> u64 {
        match &self.0 {
            Rules::TakeAndBreak { .. } => {}
            Rules::Grundy => return grundys_game::heaps_to_prove(preperiod, period),
            Rules::General(digits) => return digits.heaps_to_prove(preperiod, period),
            Rules::Finite(game) => return dead_after(game.heaps(), preperiod, period),
            Rules::Listed(list) => return dead_after(list.heaps(), preperiod, period),
        }
        let (start, period) = (u64::from(preperiod.max(1)), u64::from(period));
        let parts = u64::from(self.max_parts().max(2));
        (parts * start + parts * period + self.length() as u64).saturating_sub(1)
    }
}

/// Returns the greatest heap that must be known if every heap after `last` is dead.
fn dead_after(last: u32, preperiod: u32, period: u32) -> u64 {
    let start = u64::from(preperiod).max(u64::from(last) + 1);
    (start + 2 * u64::from(period)).saturating_sub(1)
}

impl General {
    /// Returns the greatest heap up to which values must be known and repeat.
    ///
    /// See the documentation of the module.
    fn heaps_to_prove(&self, preperiod: u32, period: u32) -> u64 {
        let (start, period) = (u64::from(preperiod.max(1)), u64::from(period));
        let parts = u64::from(self.max_parts().max(2));
        let step = match self.block_length() {
            Some(block) => least_common_multiple(period, block.into()),
            None => period,
        };
        let step = step.saturating_mul(self.equal_heaps().into());
        let room = if self.has(Constraint::Unequal) {
            parts * parts
        } else if self.has(Constraint::NotAllEqual) {
            2 * parts
        } else {
            parts
        };
        let steps = room + u64::from(self.block_length().is_some());
        (parts * start)
            .saturating_add(steps.saturating_mul(step))
            .saturating_add(u64::from(self.last_before_block()))
            .saturating_sub(1)
    }
}

fn least_common_multiple(one: u64, other: u64) -> u64 {
    let (mut greater, mut lesser) = (one, other);
    while lesser > 0 {
        (greater, lesser) = (lesser, greater % lesser);
    }
    (one / greater.max(1)).saturating_mul(other)
}
