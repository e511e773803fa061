//! Nim-values that grow by the same amount from period to period.

use misere_engine::normal::{Ending, NimValues, solve};
use misere_game::control::Control;
use misere_game::ruleset::Code;

/// Returns period, saltus and preperiod that are proved by the heaps to `heaps`.
fn found(code: &str, heaps: u32) -> Option<(u32, u32, u32)> {
    let code: Code = code.parse().unwrap();
    let control = &mut Control::unlimited();
    let play = solve(&code, heaps, control);
    let mut by_definition = NimValues::new(&code);
    for _ in 1..play.nim_values.len() {
        by_definition.next(control).unwrap();
    }
    assert_eq!(play.nim_values, by_definition.values(), "{code}");
    match play.ending {
        Ending::Arithmetic(found) => Some((found.period, found.saltus, found.preperiod)),
        _ => None,
    }
}

/// 0.3F, 0.13FF and 0.9B are in *Winning Ways*, chapter 4.
#[test]
fn known_games() {
    for (code, expected) in [
        ("nim", (1, 1, 0)),
        ("0.0[3]", (2, 1, 0)),
        ("0.[2]", (1, 1, 1)),
        ("0.[03]", (2, 1, 0)),
        ("0.[033]", (2, 1, 0)),
        ("0.[7]", (1, 1, 0)),
        ("0.8", (3, 1, 1)),
        ("8.", (2, 1, 1)),
        ("0.3F", (6, 3, 0)),
        ("0.13FF", (7, 4, 6)),
        ("0.9B", (7, 4, 8)),
        ("0.28", (53, 16, 1)),
    ] {
        assert_eq!(found(code, 700), Some(expected), "{code}");
    }
}

/// 0.2048 has a ruler regularity (Grossman and Nowakowski 2015) and no arithmetic period.
#[test]
fn games_without_an_arithmetic_period() {
    for code in ["0.2048", "0.9", "0.F", "0.77", "0.[30]"] {
        assert_eq!(found(code, 500), None, "{code}");
    }
}
