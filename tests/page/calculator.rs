//! The calculator and the API answer as the command does, and refuse what is wrong in a line.

use serde_json::Value;

use crate::page::html::check;
use crate::page::served::{encoded, small};
use crate::support::process::document;

fn calculated(pairs: &[(&str, &str)]) -> String {
    let pairs = pairs
        .iter()
        .map(|(name, text)| format!("{name}={}", encoded(text)));
    let asked = pairs.collect::<Vec<_>>().join("&");
    let address = format!("/calculator?{asked}");
    // A server whose computations take too long answers 503: then one asks again.
    let mut answers = std::iter::repeat_with(|| small().get(&address)).take(20);
    let answer = answers.find(|answer| answer.status != 503).expect(&asked);
    assert_eq!(answer.status, 200, "{asked}");
    let page = check(answer.text()).unwrap_or_else(|faults| panic!("{asked}: {faults:#?}"));
    page.text
}

#[test]
fn a_position_is_decided_as_by_the_command() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("certificate");
    for (code, position) in [
        ("0.77", "3+5+7"),
        ("0.77", "1000000+999999"),
        ("0.77", "1000000"),
        ("0.77", ""),
        ("0.123", "2+9+40"),
        ("4.4", "3^20"),
    ] {
        let address = format!(
            "/api/v1/games/{code}/outcome?position={}",
            encoded(position)
        );
        let served: Value = small().get(&address).json();
        let certificate = small().get(&format!("/api/v1/games/{code}/solution"));
        std::fs::write(&file, certificate.body).unwrap();
        let mut command = vec!["outcome", code];
        command.extend((!position.is_empty()).then_some(position));
        command.extend(["--json", "--certificate", file.to_str().unwrap()]);
        let by_command = document(&command);
        assert_eq!(served, by_command, "{code}: {position}");
        if !position.is_empty() {
            let said = calculated(&[("game", code), ("position", position)]);
            let wins = match by_command["outcome"].as_str() {
                Some("P") => "a P-position",
                _ => "an N-position",
            };
            assert!(said.contains(wins), "{code}: {position}: {said}");
        }
    }
}

#[test]
fn products_and_comparisons_are_calculated() {
    for (asked, said) in [
        ([("class", "R_8"), ("word", "b·c·c")], "b·c·c = b, not in P"),
        ([("class", "8.2.1"), ("word", "b^2")], "b^2 = b2, in P"),
        ([("class", "R_8"), ("word", "1")], "1 = 1, not in P"),
        (
            [("first", "0.123:3"), ("second", "0.123:4")],
            "They are equal",
        ),
        ([("first", "2+"), ("second", "0")], "They are not equal"),
    ] {
        let page = calculated(&asked);
        assert!(page.contains(said), "{asked:?}: {page}");
    }
    let served = small()
        .get("/api/v1/classes/R_8/product?word=b%C2%B7c%5E2")
        .json();
    let product = serde_json::json!({
        "schema": 1, "product": "b·c^2", "word": "b", "outcome": "N",
    });
    assert_eq!(served, product);
    let served = small()
        .get("/api/v1/compare?first=0.123:6&second=0.123:11")
        .json();
    assert_eq!(
        served,
        document(&["compare", "0.123:6", "0.123:11", "--json"])
    );
}

#[test]
fn what_is_wrong_is_said_in_the_calculator() {
    let long = "1+".repeat(2_000);
    for (asked, said) in [
        (
            [("game", "0.9x"), ("position", "3")],
            "is not a code of a game",
        ),
        ([("game", "0.6"), ("position", "3")], "no record of 0.6"),
        ([("game", "0.77"), ("position", "x")], "3+5+7"),
        ([("game", "0.77"), ("position", "99999999999")], "too large"),
        ([("game", "0.77"), ("position", long.as_str())], "too long"),
        (
            [("class", "R_9"), ("word", "a")],
            "no misère quotient is called R_9",
        ),
        ([("class", "R_8"), ("word", "d")], "is not a generator"),
        (
            [("class", "R_8"), ("word", "a^99999999")],
            "an exponent is at most",
        ),
        (
            [("first", "0.77:400"), ("second", "0.77:600")],
            "longer than a page may",
        ),
        ([("first", "xx"), ("second", "0")], "is not a game"),
    ] {
        let page = calculated(&asked);
        assert!(page.contains(said), "{asked:?}: {page}");
    }
    assert_eq!(small().get("/calculator?nosuch=1").status, 400);
    assert_eq!(small().get("/api/v1/compare?first=0").status, 400);
    for (class, word, status) in [
        ("R_8", "?word=d", 400),
        ("R_8", "", 400),
        ("R_9", "?word=a", 400),
        ("zz", "?word=a", 400),
    ] {
        let address = format!("/api/v1/classes/{class}/product{word}");
        assert_eq!(small().get(&address).status, status, "{address}");
    }
}
