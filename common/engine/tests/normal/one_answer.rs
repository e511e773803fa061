//! The two computations of nim-values give the same answer.

use misere_engine::normal::{Ending, NimValues, nim_values, solve, to_period};
use misere_game::control::Control;
use misere_game::ruleset::Code;

/// Compares [`solve`] to a heap with the computation heap by heap.
///
/// Both end alike, or fewer heaps prove the period by the sparse space.
fn compare(code: &Code, heaps: u32) -> bool {
    let control = &mut Control::unlimited();
    let mut by_heaps = NimValues::new(code);
    let ending = to_period(&mut by_heaps, heaps, control);
    let play = solve(code, heaps, control);
    let mut length = heaps as usize + 1;
    match (ending, play.ending) {
        (Ending::Exhausted(_), Ending::Periodic(found)) => {
            let proof = code.heaps_to_prove(found.preperiod, found.period);
            assert!(u64::from(heaps) < proof, "{code}");
            let later = to_period(&mut by_heaps, proof as u32, control);
            assert_eq!(play.ending, later, "{code}");
        }
        (Ending::Periodic(found), _) => {
            length = code.heaps_to_prove(found.preperiod, found.period) as usize + 1;
            assert_eq!(play.ending, ending, "{code}");
        }
        _ => assert_eq!(play.ending, ending, "{code}"),
    }
    assert_eq!(play.nim_values, by_heaps.values()[..length], "{code}");
    let all = nim_values(code, heaps, control).unwrap();
    assert_eq!(all.len(), heaps as usize + 1, "{code}");
    while by_heaps.values().len() < all.len() {
        by_heaps.next(control).unwrap();
    }
    assert_eq!(all, by_heaps.values()[..all.len()], "{code}");
    matches!(play.ending, Ending::Periodic(_))
}

#[test]
fn of_all_octal_codes_of_three_digits() {
    let digits = |n: u32| [n >> 6, n >> 3 & 7, n & 7].map(|digit| digit as u8);
    let codes = (0..1024).filter_map(|n| Code::new((n >> 7 & 4) as u8, &digits(n & 511)));
    let periods = codes.filter(|code| {
        compare(code, 9);
        compare(code, 70);
        compare(code, 400)
    });
    assert_eq!(periods.count(), 656);
}

#[test]
fn of_codes_with_marks() {
    let digits = ["0", "1", "3", "4", "4!", "4=", "5!", "6=", "7", "7!", "7="];
    for zero in ["0", "4", "4!", "4="] {
        for one in digits {
            for two in digits {
                if let Ok(code) = format!("{zero}.{one}{two}").parse() {
                    compare(&code, 120);
                }
            }
        }
    }
}
