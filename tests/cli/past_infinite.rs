//! Games solved past an infinite quotient, on every surface of a census.

use serde_json::json as value;

use super::command::{json, misere, text};

/// Weimerskirch's game and one with period 9 are solved past an infinite quotient; 0.3122 is only
/// proved infinite.
#[test]
fn a_census_of_games_solved_past_an_infinite_quotient() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("census").display().to_string();
    let codes = "0.31011,0.1210002,0.3122,0.77";
    let output = misere(&["census", "run", "--data", &data, "--codes", codes]);
    assert!(output.status.success(), "{output:?}");

    let (_, found) = json(&["query", "--data", &data, "--past-infinite", "1..", "--json"]);
    let games = found["records"].as_array().unwrap();
    let told: Vec<_> = games
        .iter()
        .map(|game| {
            (
                &game["code"],
                &game["status"],
                &game["period"],
                &game["diverges_at"],
                &game["all_heaps"],
            )
        })
        .collect();
    let solved = value!("solved");
    assert_eq!(
        told,
        [
            (
                &value!("0.31011"),
                &solved,
                &value!(null),
                &value!(5),
                &value!({ "preperiod": 6, "period": 2 })
            ),
            (
                &value!("0.1210002"),
                &solved,
                &value!(null),
                &value!(17),
                &value!({ "preperiod": 13, "period": 9 })
            ),
        ]
    );
    let (_, count) = text(&["query", "--data", &data, "--status", "infinite", "--count"]);
    assert_eq!(count, "1\n");

    let (_, summary) = json(&["report", "summary", "--data", &data, "--json"]);
    assert_eq!(summary["solved"]["rulesets"], 3);
    assert_eq!(summary["past_infinite"]["rulesets"], 2);
    assert_eq!(summary["infinite"]["rulesets"], 1);
    assert_eq!(summary["past_infinite_games"][0]["code"], "0.31011");
    let (_, shown) = text(&["report", "summary", "--data", &data]);
    assert!(shown.contains("with an infinite quotient"), "{shown}");

    let (_, infinite) = json(&["report", "infinite", "--data", &data, "--json"]);
    assert_eq!(infinite["infinite"]["solved"]["rulesets"], 2);
    let statuses = infinite["infinite"]["games"].as_array().unwrap().iter();
    let statuses: Vec<&str> = statuses
        .filter_map(|game| game["status"].as_str())
        .collect();
    assert_eq!(statuses, ["infinite", "solved", "solved"]);

    let (exit, checked) = text(&["census", "check", "--data", &data]);
    assert_eq!(exit, 0, "{checked}");
}

/// Certificates say that the game is solved, and those of earlier versions, which said that it is
/// infinite, are read.
#[test]
fn certificates_of_earlier_versions_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("certificate.json");
    let path = file.display().to_string();
    let (exit, mut certificate) = json(&["solve", "0.31011", "--json"]);
    assert_eq!((exit, &certificate["status"]), (0, &value!("solved")));
    assert_eq!(certificate["period"], value!(null));
    for status in ["solved", "infinite"] {
        certificate["status"] = value!(status);
        std::fs::write(&file, certificate.to_string()).unwrap();
        let (exit, said) = text(&["verify", &path]);
        assert_eq!(exit, 0, "{said}");
        let (_, outcome) = json(&[
            "outcome",
            "0.31011",
            "1000001",
            "1000000",
            "--certificate",
            &path,
            "--json",
        ]);
        assert_eq!(outcome["method"], "evidence");
    }
    // Without the words no claim solves the game.
    certificate["status"] = value!("solved");
    certificate.as_object_mut().unwrap().remove("all_heaps");
    std::fs::write(&file, certificate.to_string()).unwrap();
    assert_eq!(text(&["verify", &path]).0, 5);
}
