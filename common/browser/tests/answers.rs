//! The functions of the module as a native program has them. `agreement.mjs` compares both.

#![allow(clippy::unwrap_used, clippy::panic)]

use misere_browser::{BrowserError, Checked, genera, nim_values, verified};
use serde_json::Value;

fn parsed(document: Result<String, BrowserError>) -> Value {
    serde_json::from_str(&document.unwrap()).unwrap()
}

fn refused<T: std::fmt::Debug>(answer: Result<T, BrowserError>) -> (&'static str, String) {
    let error = answer.unwrap_err();
    (error.name(), error.to_string())
}

#[test]
fn a_game_is_solved_verified_and_played() {
    let kayles = Checked::solve("kayles", "").unwrap();
    assert_eq!(kayles.sentence(), "solved: period 12 from heap 71 on");
    let certificate = kayles.document().unwrap();
    assert_eq!(parsed(verified(&certificate, None))["result"], "verified");
    let read = Checked::read(&certificate).unwrap();
    assert_eq!(read.document().unwrap(), certificate);
    let answers = [&kayles, &read].map(|it| it.outcome("1000000+999999", true).unwrap());
    assert_eq!(answers[0], answers[1]);
    assert!(answers[0].contains("\"outcome\":\"N\""));
}

#[test]
fn a_changed_claim_is_refuted() {
    let mut document = parsed(Checked::solve("0.123", "").unwrap().document());
    document["quotient"]["p_portion"]
        .as_array_mut()
        .unwrap()
        .pop();
    let forged = document.to_string();
    let finding = parsed(verified(&forged, None));
    assert_eq!(
        (&finding["result"], &finding["order"]),
        (&"refuted".into(), &20.into())
    );
    assert!(finding["reason"].as_str().is_some());
    assert_eq!(refused(Checked::read(&forged)).0, "Refuted");
}

#[test]
fn fuel_bounds_the_solver_and_the_checker() {
    let little = Checked::solve("0.77", "{\"fuel\": 1}").unwrap();
    assert_eq!(little.sentence(), "exhausted: the fuel was spent");
    let law = Checked::solve("0.26", "{\"fuel\": 400000}").unwrap();
    let unchecked = parsed(verified(&law.document().unwrap(), Some(1.0)));
    assert_eq!(unchecked["result"], "unchecked");
}

#[test]
fn what_is_not_understood_is_an_error_with_a_name() {
    assert_eq!(refused(Checked::solve("0.7x", "")).0, "BadCode");
    assert_eq!(refused(Checked::solve("0.77", "7")).0, "BadBudget");
    assert_eq!(
        refused(Checked::solve("0.77", "{\"heap\": 1}")).0,
        "BadBudget"
    );
    let great = "{\"max_heap\": 4000000000}";
    assert_eq!(refused(Checked::solve("0.77", great)).0, "TooLarge");
    assert_eq!(refused(nim_values("0.77", great)).0, "TooLarge");
    let long = "1".repeat(2 << 20);
    assert_eq!(refused(Checked::solve(&long, "")).0, "TooLarge");
    assert_eq!(refused(Checked::read("{}")).0, "BadCertificate");
    let kayles = Checked::solve("0.77", "").unwrap();
    assert_eq!(refused(kayles.outcome("3+", false)).0, "BadHeap");
    let unknown = Checked::solve("0.07", "{\"max_heap\": 10}").unwrap();
    assert_eq!(refused(unknown.outcome("1000+999", false)).0, "Exhausted");
}

#[test]
fn nim_values_and_genera_are_documents() {
    assert_eq!(parsed(nim_values("0.77", ""))["period"], 12);
    assert_eq!(parsed(genera("0.123", ""))["period"], 5);
}
