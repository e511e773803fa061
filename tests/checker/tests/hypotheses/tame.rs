//! K: the game is tame relative to this heap, and its normal play goes on as claimed.

use misere_check::CheckError;
use misere_game::solution::{NimPeriod, Solution, Stages, Tail, Verdict};

use super::{claim, flaw, refused, solved_to};

/// Returns 0.414, tame relative to heap 19, with an open normal play; 39 heaps prove it.
fn open() -> Solution {
    let good = solved_to("0.414", 60);
    assert_eq!(good.verdict, Verdict::TameRelative { heap: 19 });
    good
}

/// Returns 0.52, tame relative to a heap where its nim-values have period 4 from heap 4 on.
fn periodic() -> Solution {
    let is_tame = |solution: &Solution| matches!(solution.verdict, Verdict::TameRelative { .. });
    let good = (3..40)
        .map(|heaps| solved_to("0.52", heaps))
        .find(is_tame)
        .unwrap();
    assert!(good.tail.unwrap().nim_period.is_some());
    good
}

/// Returns the claim that a game is tame relative to a heap, whatever its quotient.
fn tame(mut claim: Solution, heap: u32) -> Solution {
    claim.verdict = Verdict::TameRelative { heap };
    claim.tail = Some(Tail {
        nim_heaps: claim.heaps(),
        nim_period: None,
        stages: Stages::AtLeast(0),
    });
    claim
}

/// An element whose powers are it and an idempotent, and 1.
const KERNEL_OF_TWO: &[&[u32]] = &[&[1, 2, 1]];

#[test]
fn k1_the_game_is_a_take_and_break_code() {
    let finite = tame(solved_to("*3", 6), 2);
    assert_eq!(refused(&finite), CheckError::NotACode);
    assert_eq!(
        refused(&tame(solved_to("grundy", 12), 3)),
        CheckError::NotACode
    );
}

#[test]
fn k2_heaps_are_listed_as_far_as_the_theorem_asks() {
    let good = open();
    let (heap, needed, heaps) = (19, 40, 39);
    assert_eq!(good.heaps(), needed as u32);
    assert_eq!(
        flaw(&good, |s| {
            s.phi.pop();
        }),
        CheckError::TooFewHeaps {
            heap,
            needed,
            heaps
        }
    );
    let before_all = flaw(&good, |s| s.verdict = Verdict::TameRelative { heap: 0 });
    assert!(matches!(
        before_all,
        CheckError::TooFewHeaps { heap: 0, .. }
    ));
}

#[test]
fn k3_the_heaps_from_there_on_have_values_in_the_kernel() {
    let before = Verdict::TameRelative { heap: 18 };
    assert_eq!(
        flaw(&open(), |s| s.verdict = before),
        CheckError::OutsideKernel { heap: 18 }
    );
}

#[test]
fn k4_the_heap_before_has_none() {
    let good = periodic();
    let Verdict::TameRelative { heap } = good.verdict else {
        panic!("{:?}", good.verdict);
    };
    let longer = solved_to("0.52", 60);
    let later = flaw(&good, |s| {
        s.phi = longer.phi[..(2 * heap + 4) as usize].to_vec();
        s.verdict = Verdict::TameRelative { heap: heap + 1 };
    });
    assert_eq!(later, CheckError::TameBefore { heap: heap + 1 });
}

/// Both elements of the kernel are in P, or only the one that is not idempotent. Such a claim fails
/// again where outcomes are checked; here it is refused by the hypothesis of the theorem.
#[test]
fn k5_the_quotient_is_normal() {
    for p in [&[1, 2][..], &[1], &[]] {
        let kayles = claim("0.77", KERNEL_OF_TWO, p, &[1], &[0, 1, 1, 1], Some(1));
        assert_eq!(refused(&tame(kayles, 1)), CheckError::NotNormal);
    }
}

/// Heaps 1 and 2 of Kayles have the nim-values 1 and 2.
#[test]
fn k6_values_that_are_equal_have_equal_nim_values() {
    let kayles = claim("0.77", KERNEL_OF_TWO, &[2], &[1], &[0, 1, 1, 1], Some(1));
    assert_eq!(
        refused(&tame(kayles, 1)),
        CheckError::NotFaithful { element: 1 }
    );
}

/// Heaps 1 to 3 of 0.51 have the nim-value 1, and two of them have not; here both are one element.
#[test]
fn k6_sums_whose_values_are_equal_have_equal_nim_values() {
    let idempotent = claim("0.51", &[&[1, 1]], &[1], &[1], &[0, 1, 1, 1], Some(1));
    assert_eq!(
        refused(&tame(idempotent, 1)),
        CheckError::NotFaithful { element: 1 }
    );
}

#[test]
fn k7_no_more_nim_values_are_claimed_than_are_computed() {
    let (claimed, most) = (100_000_001, 100_000_000);
    assert_eq!(
        flaw(&open(), |s| s.tail.as_mut().unwrap().nim_heaps = claimed),
        CheckError::TooManyNimHeaps { claimed, most }
    );
}

#[test]
fn k8_the_nim_values_repeat_as_claimed() {
    let good = periodic();
    let nim = good.tail.unwrap().nim_period.unwrap();
    let with = |period, preperiod| {
        let nim_period = Some(NimPeriod { period, preperiod });
        match flaw(&good, |s| s.tail.as_mut().unwrap().nim_period = nim_period) {
            CheckError::NormalPlay(flaw) => *flaw,
            other => panic!("{other:?}"),
        }
    };
    assert!(matches!(
        with(nim.period, nim.preperiod - 1),
        CheckError::NotPeriodic { .. }
    ));
    assert!(matches!(
        with(nim.period - 1, nim.preperiod),
        CheckError::NotPeriodic { .. }
    ));
    assert!(matches!(
        with(2 * nim.period, nim.preperiod),
        CheckError::PeriodUnproved { .. }
    ));
    assert_eq!(with(0, nim.preperiod), CheckError::NoPeriod);
}

#[test]
fn k9_a_period_that_is_proved_is_claimed() {
    let good = periodic();
    let NimPeriod { period, preperiod } = good.tail.unwrap().nim_period.unwrap();
    assert_eq!(
        flaw(&good, |s| s.tail.as_mut().unwrap().nim_period = None),
        CheckError::PeriodNotSaid { period, preperiod }
    );
}

#[test]
fn k10_the_number_of_tame_extensions_is_right() {
    let good = open();
    let Stages::AtLeast(right) = good.tail.unwrap().stages else {
        panic!("its normal play is open");
    };
    for stages in [
        Stages::AtLeast(right + 1),
        Stages::AtLeast(right - 1),
        Stages::Known(right),
    ] {
        assert_eq!(
            flaw(&good, |s| s.tail.as_mut().unwrap().stages = stages),
            CheckError::Stages { right }
        );
    }
    let known = periodic();
    assert!(matches!(
        flaw(&known, |s| s.tail.as_mut().unwrap().stages =
            Stages::AtLeast(0)),
        CheckError::Stages { right: 0 }
    ));
}

/// Heaps with an odd number of beans cannot be split into equal ones.
#[test]
fn k11_heaps_beyond_those_listed_have_moves() {
    let claim = tame(solved_to("4=.0", 20), 2);
    let heaps = claim.heaps();
    assert_eq!(refused(&claim), CheckError::DeadBeyond { heaps });
}

/// An even number of beans is taken. The moves in heaps 4 and 5 leave heap 2 or 3, or nothing;
/// those in heap 3 leave heap 1, which is dead, and do not decide the empty position.
#[test]
fn k12_the_moves_of_the_block_decide_what_is_outside_the_kernel() {
    let good = solved_to("0.[03]", 60);
    assert_eq!(good.verdict, Verdict::TameRelative { heap: 4 });
    assert_eq!(good.phi, [0, 0, 1, 1, 2, 2]);
    let shorter = flaw(&good, |s| {
        s.phi.pop();
        s.tail.as_mut().unwrap().nim_heaps = 4;
    });
    let (heap, element) = (3, 0);
    assert_eq!(shorter, CheckError::Undecided { heap, element });
}
