//! An export of a census with quotients of small order has a list that can be verified.

use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::export::made::{SharedCensus, done, export_of, failed, made, read};

const PLAN: [&str; 4] = ["--space", "quotients", "--order", "10"];

pub(crate) fn census() -> &'static str {
    static CENSUS: SharedCensus = OnceLock::new();
    made(&CENSUS, &PLAN)
}

#[test]
fn the_list_is_verified_and_is_that_of_the_classification() {
    let dir = tempfile::tempdir().unwrap();
    let (out, manifest) = export_of(census(), dir.path(), "out", &["--format", "jsonl"]);
    assert_eq!(manifest["counts"], json!({ "quotients": 4 }));
    let file = out.join("quotients.json");
    assert!(done(&["verify", file.to_str().unwrap()]).starts_with("ok    "));
    let list: Value = serde_json::from_str(&read(&out, "quotients.json")).unwrap();
    let classified = done(&["classify", "--order", "10", "--json"]);
    let classified: Value = serde_json::from_str(&classified).unwrap();
    for field in ["schema", "max_order", "status", "counts", "published"] {
        assert_eq!(list[field], classified[field], "{field}");
    }
    let classes = |list: &Value| {
        let quotients = list["quotients"].as_array().unwrap().iter();
        let mut classes: Vec<String> = quotients.map(|it| it["class"].to_string()).collect();
        classes.sort();
        classes
    };
    assert_eq!(classes(&list), classes(&classified));
}

#[test]
fn games_and_quotients_stand_side_by_side() {
    let dir = tempfile::tempdir().unwrap();
    static CENSUS: SharedCensus = OnceLock::new();
    let both = [&["--codes", "0.3,0.7"][..], &PLAN].concat();
    let census = made(&CENSUS, &both);
    let (out, manifest) = export_of(census, dir.path(), "out", &["--format", "jsonl"]);
    assert_eq!(manifest["counts"]["rulesets"], 2);
    assert_eq!(manifest["counts"]["quotients"], 4);
    assert!(out.join("quotients.json").exists());
    // Conditions are conditions on games.
    let one = ["--format", "jsonl", "--code", "0.3"];
    let (out, manifest) = export_of(census, dir.path(), "one", &one);
    assert_eq!(manifest["counts"]["rulesets"], 1);
    assert!(!out.join("quotients.json").exists());
}

#[test]
fn a_census_of_quotients_alone_has_no_tables() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let to = ["export", "--data", census(), "--out", out.to_str().unwrap()];
    for args in [
        &["--format", "csv"][..],
        &["--format", "jsonl", "--code", "0.3"],
    ] {
        let (exit, said) = failed(&[&to[..], args].concat());
        assert_eq!(exit, 1);
        assert!(
            said.contains("--format jsonl, without conditions"),
            "{said}"
        );
        assert!(!out.exists());
    }
}
