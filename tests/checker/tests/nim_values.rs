//! The checker's nim-values and their periods against the solver's.

use misere_check::nim_values::{FIRST_CHOICE, nim_values, proved_period};
use misere_engine::normal::{NimValues, period};
use misere_game::control::Control;
use misere_game::ruleset::Code;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// The solver's sequence is compared with the definition in its own tests.
    #[test]
    fn the_two_recurrences_agree(d0 in 0_u8..2, digits in prop::collection::vec(0_u8..8, 1..4)) {
        let code = Code::new(4 * d0, &digits).unwrap();
        let mut solver = NimValues::new(&code);
        for _ in 0..700 {
            solver.next(&mut Control::unlimited()).unwrap();
        }
        let own = nim_values(&code, 700, &mut Control::unlimited()).unwrap();
        prop_assert_eq!(&own, solver.values());
        let period = period::proved(&own, &code).map(|nim| (nim.period, nim.preperiod));
        let proved = proved_period(&own, &code, &mut Control::unlimited()).unwrap();
        prop_assert_eq!(proved, period);
    }

    #[test]
    fn hexadecimal_too(d0 in 0_u8..4, digits in prop::collection::vec(0_u8..16, 1..4)) {
        let code = Code::new(4 * d0, &digits).unwrap();
        let mut solver = NimValues::new(&code);
        for _ in 0..150 {
            solver.next(&mut Control::unlimited()).unwrap();
        }
        let own = nim_values(&code, 150, &mut Control::unlimited()).unwrap();
        prop_assert_eq!(&own, solver.values());
    }
}

/// A move may take a whole heap after the mask was chosen, and then it leaves no two heaps.
#[test]
fn codes_with_more_digits_than_heaps_before_the_mask() {
    for digit in 1..16 {
        for length in [FIRST_CHOICE, FIRST_CHOICE + 1, 2 * FIRST_CHOICE - 1] {
            let code = Code::new(0, &vec![digit; length]).unwrap();
            let mut solver = NimValues::new(&code);
            for _ in 0..300 {
                solver.next(&mut Control::unlimited()).unwrap();
            }
            let own = nim_values(&code, 300, &mut Control::unlimited()).unwrap();
            assert_eq!(own, solver.values(), "{code}");
        }
    }
}

/// Long enough that some least heaps are not covered by the joint search.
#[test]
fn long_sequences_of_moves_to_three_heaps() {
    for (code, heaps) in [("0.9092", 3_500), ("8.5", 3_300)] {
        let code: Code = code.parse().unwrap();
        let mut solver = NimValues::new(&code);
        for _ in 0..heaps {
            solver.next(&mut Control::unlimited()).unwrap();
        }
        let own = nim_values(&code, heaps, &mut Control::unlimited()).unwrap();
        assert_eq!(own, solver.values());
    }
}

#[test]
fn games_without_digits() {
    let by_hand: [(&str, &[u32]); 4] = [
        ("grundy", &[0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0]),
        ("{*2,0}", &[0, 1, 2, 1, 0, 0]),
        ("{*3,{*2},*2,0}", &[0, 1, 2, 0, 3, 1, 0]),
        ("heaps(0;1,0;1+1)", &[0, 1, 2, 1, 0]),
    ];
    for (text, right) in by_hand {
        let code: Code = text.parse().unwrap();
        let last = right.len() as u32 - 1;
        let found = nim_values(&code, last, &mut Control::unlimited()).unwrap();
        assert_eq!(found, right, "{text}");
    }
}
