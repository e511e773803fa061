//! G: the values repeat for ever, and with the least period.

use misere_check::{CheckError, check};
use misere_game::solution::{Solution, Verdict};

use super::{flaw, refused, solved};

/// Returns 0.123, which has period 5 from heap 5 on, as 22 heaps prove, with this many heaps.
fn continued(heaps: usize, period: u32, preperiod: u32) -> Solution {
    let mut good = solved("0.123");
    assert_eq!(good.heaps(), 22);
    while good.phi.len() <= heaps {
        good.phi.push(good.phi[good.phi.len() - 5]);
    }
    good.verdict = Verdict::Solved { period, preperiod };
    good
}

#[test]
fn g1_the_period_is_not_0() {
    assert_eq!(refused(&continued(60, 0, 5)), CheckError::NoPeriod);
}

#[test]
fn g2_values_are_listed_as_far_as_the_theorem_asks() {
    assert_eq!(check(&continued(60, 5, 5)), Ok(()));
    let (period, preperiod) = (5, 5);
    assert_eq!(
        flaw(&solved("0.123"), |s| {
            s.phi.pop();
        }),
        CheckError::PeriodUnproved {
            period,
            preperiod,
            needed: 22,
            heaps: 21
        }
    );
}

#[test]
fn g3_the_values_listed_repeat() {
    let period = 4;
    assert!(matches!(
        refused(&continued(60, period, 5)),
        CheckError::NotPeriodic {
            heap: 5..,
            period: 4
        }
    ));
    assert_eq!(
        refused(&continued(60, 5, 4)),
        CheckError::NotPeriodic { heap: 4, period: 5 }
    );
}

#[test]
fn g4_the_preperiod_is_the_least() {
    let (period, preperiod) = (5, 6);
    assert_eq!(
        refused(&continued(60, 5, 7)),
        CheckError::NotLeast { period, preperiod }
    );
}

#[test]
fn g5_the_period_is_the_least() {
    let (period, preperiod) = (5, 5);
    assert_eq!(
        refused(&continued(60, 10, 5)),
        CheckError::NotLeast { period, preperiod }
    );
}
