//! A: the nim-values of a game grow for ever by the same amount, and with the least period.

use misere_check::arithmetic_period::{ArithmeticPeriodCheckError as Flaw, check, heaps_needed};
use misere_engine::normal::{Ending, solve};
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::solution::ArithmeticPeriod;

fn checked(code: &str, claim: ArithmeticPeriod) -> Result<(), Flaw> {
    check(&code.parse().unwrap(), &claim, &mut Control::unlimited())
}

/// Returns the true claim about a code.
fn found(code: &str) -> ArithmeticPeriod {
    let play = solve(&code.parse().unwrap(), 700, &mut Control::unlimited());
    let Ending::Arithmetic(claim) = play.ending else {
        panic!("{code}: {:?}", play.ending);
    };
    assert_eq!(checked(code, claim), Ok(()), "{code}");
    claim
}

/// Returns what is wrong with a changed claim about Nim.
fn of_nim(change: impl FnOnce(&mut ArithmeticPeriod)) -> Flaw {
    let mut claim = found("nim");
    change(&mut claim);
    checked("nim", claim).unwrap_err()
}

fn claim(period: u32, saltus: u32, preperiod: u32, step: u32, heaps: u32) -> ArithmeticPeriod {
    ArithmeticPeriod {
        period,
        saltus,
        preperiod,
        step,
        heaps,
    }
}

#[test]
fn l1_the_claim_is_in_form() {
    for code in ["0.G", "0.08!", "4!.0", "0.[3!]3", "{*2,0}", "grundy"] {
        if let Ok(game) = code.parse() {
            let checked = check(&game, &found("nim"), &mut Control::unlimited());
            assert_eq!(checked, Err(Flaw::NotCovered), "{code}");
        }
    }
    let form = |change: fn(&mut ArithmeticPeriod)| {
        assert!(matches!(of_nim(change), Flaw::Form(_)));
    };
    form(|c| c.period = 0);
    form(|c| c.saltus = 0);
    form(|c| c.step = 0);
    form(|c| c.step = 1);
    form(|c| c.step = 7);
    form(|c| c.heaps = u32::MAX);
    // Half of the step is not a multiple of the period 2, nor the step of the block of three.
    let of_block = found("0.[033]");
    assert_eq!((of_block.period, of_block.step), (2, 12));
    for step in [6, 16] {
        let claim = ArithmeticPeriod { step, ..of_block };
        assert!(matches!(checked("0.[033]", claim), Err(Flaw::Form(_))));
    }
}

#[test]
fn l3_the_values_grow() {
    let (heap, period) = (0, 1);
    assert_eq!(
        of_nim(|c| c.saltus = 2),
        Flaw::NotPeriodic {
            heap,
            period,
            one: 0,
            other: 1
        }
    );
    let mut early = found("0.[2]");
    early.preperiod = 0;
    assert!(matches!(
        checked("0.[2]", early),
        Err(Flaw::NotPeriodic { heap: 0, .. })
    ));
}

#[test]
fn l4_there_are_enough_heaps() {
    for code in ["nim", "0.8", "0.3F", "0.0[3]"] {
        let mut claim = found(code);
        let needed = heaps_needed(&code.parse().unwrap(), &claim).unwrap();
        let found = needed as u32 - 1;
        claim.heaps = found;
        assert_eq!(
            checked(code, claim),
            Err(Flaw::TooFewHeaps { found, needed })
        );
    }
    assert!(matches!(
        of_nim(|c| c.preperiod = u32::MAX),
        Flaw::TooFewHeaps { .. }
    ));
    assert!(matches!(
        of_nim(|c| c.step = u32::MAX - 1),
        Flaw::TooFewHeaps { .. }
    ));
}

/// Of the hypotheses only L5 is violated: the nim-values are too small to tell options apart.
#[test]
fn l5_no_option_has_the_value() {
    assert!(matches!(
        checked("0.0B", claim(2, 1, 5, 4, 26)),
        Err(Flaw::Option { .. })
    ));
}

#[test]
fn l6_the_values_are_not_small() {
    assert_eq!(
        checked("0.[2]", claim(1, 1, 1, 2, 5)),
        Err(Flaw::TooSmall {
            heap: 4,
            value: 3,
            least: 4
        })
    );
}

#[test]
fn l8_some_options_last_and_move() {
    assert_eq!(
        checked("nim", claim(1, 1, 0, 2, 5)),
        Err(Flaw::NotMet {
            heap: 4,
            number: 0,
            kind: "lasting and moving"
        })
    );
}

#[test]
fn l10_the_period_is_the_least() {
    assert_eq!(
        checked("nim", claim(2, 2, 0, 4, 16)),
        Err(Flaw::SmallerPeriod(1))
    );
}

#[test]
fn l11_the_preperiod_is_the_least() {
    assert_eq!(
        checked("nim", claim(1, 1, 1, 2, 7)),
        Err(Flaw::SmallerPreperiod(0))
    );
}

#[test]
fn a_check_can_be_stopped() {
    let code = "0.3F".parse().unwrap();
    let few = &mut Control::new(1, Interrupt::default());
    assert_eq!(
        check(&code, &found("0.3F"), few),
        Err(Flaw::Unchecked(Stop::FuelSpent))
    );
}
