//! The search for a proved period of the nim-values.
//!
//! The Guy–Smith theorem: nim-values that repeat to heap `2·r0 + 2p + d − 1` repeat for ever. The
//! proof and the bound for moves that leave three heaps are those of the misère theorem, with
//! nim-values for `Φ` ([`misere_game::ruleset::guy_smith`]).

use misere_game::ruleset::Code;
use misere_game::solution::NimPeriod;

/// Returns the least period that `values` prove, with its least preperiod.
///
/// `values` are the nim-values of the heaps from 0 on.
///
/// Cost: linear in the length.
///
/// ```
/// use misere_engine::normal::period::proved;
/// use misere_game::solution::NimPeriod;
/// // 0.3: take one bean and leave the rest. The nim-values are 0, 1, 0, 1, ….
/// let code = "0.3".parse()?;
/// let period = NimPeriod { period: 2, preperiod: 0 };
/// assert_eq!(proved(&[0, 1, 0, 1, 0, 1, 0], &code), Some(period));
/// // The theorem requires the heaps to 2·1 + 2·2 + 1 - 1 = 6.
/// assert_eq!(proved(&[0, 1, 0, 1, 0, 1], &code), None);
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn proved(values: &[u32], code: &Code) -> Option<NimPeriod> {
    let last = values.len().checked_sub(1)?;
    let repeats = repeats_from_the_end(values);
    (1..=last).find_map(|period| {
        let preperiod = (last + 1 - period - repeats[period]) as u32;
        let period = period as u32;
        let needed = code.heaps_to_prove(preperiod, period);
        (needed <= last as u64).then_some(NimPeriod { period, preperiod })
    })
}

/// Returns for each `p` how many of the last entries equal the entry `p` places before.
///
/// They are counted from the end without a gap: this is the Z-function of the reversed sequence
/// (Gusfield 1997, section 1.4).
fn repeats_from_the_end(values: &[u32]) -> Vec<usize> {
    let length = values.len();
    let reversed = |at: usize| values[length - 1 - at];
    let mut matches = vec![0; length];
    // The window [start, end) is known to equal the beginning.
    let (mut start, mut end) = (0, 0);
    for at in 1..length {
        let mut run = if at < end {
            matches[at - start].min(end - at)
        } else {
            0
        };
        while at + run < length && reversed(run) == reversed(at + run) {
            run += 1;
        }
        if at + run > end {
            (start, end) = (at, at + run);
        }
        matches[at] = run;
    }
    matches
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_period_that_holds_far_enough_is_proved() {
        let code = "0.77".parse().unwrap();
        // Preperiod 3, period 4, two digits: known to heap 2·3 + 2·4 + 2 − 1 = 15.
        let values: Vec<u32> = (0..40).map(|n| if n < 3 { 9 } else { n % 4 }).collect();
        let seen = (1..=40).find_map(|n| Some((n - 1, proved(&values[..n], &code)?)));
        let expected = NimPeriod {
            period: 4,
            preperiod: 3,
        };
        assert_eq!(seen, Some((15, expected)));
        assert_eq!(proved(&values, &code), Some(expected));
        assert_eq!(proved(&[], &code), None);
    }

    proptest! {
        #[test]
        fn repeats_are_counted_from_the_end(values in prop::collection::vec(0_u32..3, 1..60)) {
            let counted = repeats_from_the_end(&values);
            for p in 1..values.len() {
                let plain = (p..values.len()).rev().take_while(|&n| values[n] == values[n - p]).count();
                prop_assert_eq!(counted[p], plain);
            }
        }
    }
}
