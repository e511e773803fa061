//! Documents of normal play are certificates: the true ones pass, and no changed one does.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use misere_answers::certificates::{ClaimSummary, Finding, check};
use misere_answers::nim_values::solve;
use misere_game::control::Control;
use misere_game::solution::normal_values::LISTED_HEAPS;
use serde_json::{Value, json};

/// Games with a period, an arithmetic period, none, with three heaps, without end, and by options.
const GAMES: [(&str, u32); 8] = [
    ("0.77", 400),
    ("0.06", 60),
    ("grundy", 60),
    ("nim", 30),
    ("0.8", 40),
    ("0.3F", 60),
    ("0.B", 60),
    ("{*2,0}", 8),
];

fn document(code: &str, max_heap: u32) -> Value {
    let control = &mut Control::unlimited();
    let found = solve(&code.parse().unwrap(), max_heap, control);
    found.prove(control).unwrap();
    serde_json::to_value(found.document(true, None)).unwrap()
}

fn finding(document: &Value) -> Finding {
    let text = document.to_string();
    let checked = check(
        &text,
        &mut ClaimSummary::default(),
        &mut Control::unlimited(),
    );
    checked.map_or_else(|error| error.finding(), |_| Finding::Verified)
}

#[test]
fn what_is_computed_is_verified() {
    let mut solved = 0;
    for (code, max_heap) in GAMES {
        let document = document(code, max_heap);
        assert_eq!(finding(&document), Finding::Verified, "{document}");
        solved += u32::from(document["status"] == "solved");
        // The list is the whole claim, or a redundant part of it.
        let mut without = document.clone();
        without.as_object_mut().unwrap().remove("nim_values");
        let expected = match document.get("mask") {
            Some(_) => Finding::Verified,
            None => Finding::Unreadable,
        };
        assert_eq!(finding(&without), expected, "{code}");
    }
    assert_eq!(solved, 6);
}

#[test]
fn each_nim_value_is_verified() {
    for (code, max_heap) in GAMES {
        let right = document(code, max_heap);
        let values = right["nim_values"].as_array().unwrap().len();
        for heap in 0..values {
            let mut wrong = right.clone();
            let value = right["nim_values"][heap].as_u64().unwrap();
            wrong["nim_values"][heap] = (value + 1).into();
            assert_eq!(finding(&wrong), Finding::Refuted, "{code}, heap {heap}");
        }
        let mut longer = right.clone();
        longer["nim_values"].as_array_mut().unwrap().push(0.into());
        assert_eq!(finding(&longer), Finding::Refuted, "{code}");
        let mut shorter = right.clone();
        shorter["nim_values"].as_array_mut().unwrap().pop();
        assert_eq!(finding(&shorter), Finding::Refuted, "{code}");
        let mut empty = right.clone();
        empty["nim_values"] = json!([]);
        assert_eq!(finding(&empty), Finding::Refuted, "{code}");
    }
}

#[test]
fn each_number_of_a_period_is_verified() {
    for (code, max_heap) in GAMES {
        let right = document(code, max_heap);
        let numbers = [
            "/period",
            "/preperiod",
            "/heaps",
            "/max_nim_value",
            "/arithmetic_period/period",
            "/arithmetic_period/saltus",
            "/arithmetic_period/preperiod",
        ];
        for field in numbers {
            let Some(number) = right.pointer(field).and_then(Value::as_u64) else {
                continue;
            };
            for other in [number + 1, number.wrapping_sub(1), 2 * number, 0] {
                if other == number || other > u32::MAX.into() {
                    continue;
                }
                let mut wrong = right.clone();
                *wrong.pointer_mut(field).unwrap() = other.into();
                assert_eq!(finding(&wrong), Finding::Refuted, "{code}: {field} {other}");
            }
        }
        // A period where there is none, one of two kinds, and half of one.
        for (field, claim) in [
            ("period", json!(1)),
            ("preperiod", json!(0)),
            (
                "arithmetic_period",
                json!({ "period": 1, "saltus": 1, "preperiod": 0, "step": 2, "heaps": 6 }),
            ),
        ] {
            let mut wrong = right.clone();
            if right.get(field).is_none_or(Value::is_null) {
                wrong[field] = claim;
                assert_ne!(finding(&wrong), Finding::Verified, "{code}: {field}");
            }
        }
        let mut other_status = right.clone();
        other_status["status"] = match right["status"] == "solved" {
            true => "exhausted".into(),
            false => "solved".into(),
        };
        assert_ne!(finding(&other_status), Finding::Verified, "{code}");
    }
}

/// Documents of earlier releases list the nim-values as far as the Guy–Smith theorem asks.
#[test]
fn lists_of_earlier_releases_are_verified() {
    let mut earlier = document("0.77", 400);
    let fields = earlier.as_object_mut().unwrap();
    for field in ["mask", "parity", "rare_heaps", "marks"] {
        fields.remove(field);
    }
    let values = fields["nim_values"].as_array().unwrap().clone();
    let later = (values.len()..=167).map(|heap| values[71 + (heap - 71) % 12].clone());
    let values: Vec<Value> = values.iter().cloned().chain(later).collect();
    fields.insert("heaps".to_owned(), (values.len() - 1).into());
    fields.insert("nim_values".to_owned(), values.into());
    assert_eq!(finding(&earlier), Finding::Verified);
    // One value fewer proves no period.
    let fields = earlier.as_object_mut().unwrap();
    fields["nim_values"].as_array_mut().unwrap().pop();
    fields["heaps"] = 166.into();
    assert_eq!(finding(&earlier), Finding::Refuted);
}

#[test]
fn too_long_a_list_is_not_read() {
    let mut long = document("nim", 8);
    let values: Vec<u32> = (0..=LISTED_HEAPS + 1).collect();
    long["nim_values"] = values.into();
    long["heaps"] = (LISTED_HEAPS + 1).into();
    assert_eq!(finding(&long), Finding::Unreadable);
}
