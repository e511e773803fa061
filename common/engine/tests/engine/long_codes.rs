//! Codes up to the last digit that a code may have, solved and checked.
//!
//! The checker computes nim-values of games that become tame from some heap on, and from heap 128
//! on it sorts them by a mask; a code with more digits than that lets a whole heap be taken after
//! the mask is chosen.

use misere_check::{check, check_within};
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::{Solution, Verdict};

/// As many digits as a code had when the checker chose its mask, one more, two more, and the most.
const LENGTHS: [usize; 4] = [128, 129, 130, 255];

fn solved(code: &Code, max_heap: u32, fuel: u64) -> Solution {
    let limits = Limits {
        max_heap,
        ..Limits::default()
    };
    let mut control = Control::new(fuel, Interrupt::default());
    solve(code, &limits, Strategy::Exact, &mut control)
}

/// Returns the code `0.ddd…d` with `length` digits `d`.
fn repeated(digit: u8, length: usize) -> Code {
    Code::new(0, &vec![digit; length]).unwrap()
}

#[test]
fn sevens_are_tame_and_proved() {
    for length in LENGTHS {
        let code = repeated(7, length);
        let claim = solved(&code, 700, 20_000_000);
        assert_eq!(check(&claim), Ok(()), "{code}");
        assert!(
            matches!(claim.verdict, Verdict::TameRelative { .. }),
            "{code}: {:?}",
            claim.verdict
        );
    }
}

#[test]
fn every_digit_is_solved_and_checked_at_every_length() {
    for length in LENGTHS {
        for digit in 1..16 {
            let code = repeated(digit, length);
            let claim = solved(&code, 300, 100_000);
            assert_eq!(check(&claim), Ok(()), "{code}");
        }
        // One digit at the end: all smaller heaps are dead.
        for last in [1, 4, 7, 8, 15] {
            let mut digits = vec![0; length];
            digits[length - 1] = last;
            for d0 in [0, 4, 8, 12] {
                let code = Code::new(d0, &digits).unwrap();
                let claim = solved(&code, 300, 100_000);
                assert_eq!(check(&claim), Ok(()), "{code}");
            }
        }
    }
}

#[test]
fn a_small_budget_ends_in_a_claim_and_an_answer() {
    for length in LENGTHS {
        for fuel in [0, 1, 1_000, 30_000] {
            let code = repeated(7, length);
            let claim = solved(&code, 1_000, fuel);
            assert_eq!(check(&claim), Ok(()), "{code} with {fuel}");
            let _ = check_within(&claim, &mut Control::new(fuel, Interrupt::default()));
        }
    }
}
