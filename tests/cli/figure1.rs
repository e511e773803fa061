//! The chart of a small census, in every format.

use insta::assert_snapshot;

use crate::cli::command::{json, misere};
use crate::support::transcript::transcript;

/// Returns the chart of a census of four games, one of them under two codes, in a format.
fn chart(dir: &std::path::Path, format: &str) -> String {
    let data = dir.join("census");
    let data = data.to_str().unwrap();
    if !data_exists(data) {
        let codes = "0.77,4.4,0.3,0.07,0.005,0.14";
        let run = [
            "census", "run", "--codes", codes, "--fuel", "40k", "--data", data,
        ];
        assert!(misere(&run).status.success());
    }
    let report = misere(&[
        "report",
        "figure1",
        "--data",
        data,
        "--normal-heaps",
        "200",
        "--format",
        format,
    ]);
    assert!(report.status.success(), "{report:?}");
    String::from_utf8(report.stdout).unwrap()
}

fn data_exists(data: &str) -> bool {
    std::path::Path::new(data).exists()
}

#[test]
fn every_box_says_what_the_census_knows() {
    let dir = tempfile::tempdir().unwrap();
    let csv = chart(dir.path(), "csv");
    assert_eq!(csv.lines().count(), 1 + 576);
    let line = |code: &str| {
        let begin = format!("{code},");
        csv.lines()
            .find(|line| line.starts_with(&begin))
            .unwrap()
            .to_owned()
    };
    assert!(line("0.77").starts_with("0.77,0.77,wild-solved,167,40,,,,wild_solved,,"));
    assert!(line("4.4").starts_with("4.4,0.77,wild-solved,168,40,,,,wild_solved,,"));
    assert!(line("4.4").ends_with(",yes"));
    assert!(line("0.3").contains(",tame,"));
    // The least budget proves 0.005 infinite; how its normal play goes on is not known.
    assert!(
        line("0.005").contains(",infinite,17,18,,,,open,"),
        "{}",
        line("0.005")
    );
    assert!(line("0.4").starts_with("0.4,,missing,,,,,,wild_unsolved,,"));
    assert!(line("0").contains(",tame,"));

    let data = dir.path().join("census");
    let (_, document) = json(&[
        "report",
        "figure1",
        "--json",
        "--normal-heaps",
        "200",
        "--data",
        data.to_str().unwrap(),
    ]);
    assert_eq!(document["games"].as_array().unwrap().len(), 576);
    assert_eq!(document["counts"]["wild-solved"]["codes"], 2);
    assert_eq!(document["counts"]["infinite"]["codes"], 1);
    assert_eq!(document["complete"], true);

    let svg = chart(dir.path(), "svg");
    assert_eq!(
        (svg.matches("<g>").count(), svg.matches("</g>").count()),
        (576, 576)
    );
    assert!(chart(dir.path(), "html").contains(&svg));
    let latex = chart(dir.path(), "latex");
    assert_eq!(latex.matches(" \\\\\n").count(), 36);
    let data = data.to_str().unwrap();
    let report = ["report", "figure1", "--normal-heaps", "200", "--data", data];
    assert_snapshot!(transcript(&[&report], &[data]));
}

/// The nim-values that `misere normal run` found are in the JSON, the CSV and the text.
#[test]
fn nim_values_computed_beforehand_are_shown() {
    let dir = tempfile::tempdir().unwrap();
    let (data, normal) = (dir.path().join("census"), dir.path().join("normal"));
    let (data, normal) = (data.to_str().unwrap(), normal.to_str().unwrap());
    let run = [
        "census", "run", "--codes", "0.6,0.77", "--fuel", "10k", "--data", data,
    ];
    assert!(misere(&run).status.success());
    let run = [
        "normal", "run", "0.6", "0.77", "--heaps", "2048", "--data", normal,
    ];
    assert!(misere(&run).status.success());
    let report = |format| {
        let given = ["--data", data, "--normal", normal, "--normal-heaps", "200"];
        let report = [&["report", "figure1", "--format", format][..], &given].concat();
        let made = misere(&report);
        assert!(made.status.success(), "{made:?}");
        String::from_utf8(made.stdout).unwrap()
    };
    let file = std::fs::read(dir.path().join("normal/0.6.json")).unwrap();
    let file: serde_json::Value = serde_json::from_slice(&file).unwrap();
    let mark = file["marks"].as_array().unwrap().last().unwrap();

    let chart: serde_json::Value = serde_json::from_str(&report("json")).unwrap();
    let games = chart["games"].as_array().unwrap();
    let of = |code: &str| games.iter().find(|game| game["code"] == code).unwrap();
    let known = &of("0.6")["nim_values"];
    for field in ["rare", "last_rare", "max_nim_value", "max_nim_value_heap"] {
        assert_eq!(known[field], mark[field], "{field}");
    }
    assert_eq!(known["mask"], file["mask"]);
    // The quotient of 0.77 decides all of its normal play.
    assert_eq!(of("0.77").get("nim_values"), None);

    let csv = report("csv");
    let head: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let line = csv.lines().find(|line| line.starts_with("0.6,")).unwrap();
    let cells: Vec<&str> = line.split(',').collect();
    let cell = |name: &str| cells[head.iter().position(|&it| it == name).unwrap()];
    assert_eq!(
        (cell("nim_values_of"), cell("nim_values_to")),
        ("0.6", "2048")
    );
    for field in ["rare", "last_rare", "max_nim_value", "max_nim_value_heap"] {
        assert_eq!(cell(field), mark[field].to_string(), "{field}");
    }
    let mask = file["mask"].as_u64().unwrap();
    assert_eq!(cell("mask"), format!("{mask:b}"));

    let text = report("text");
    assert!(text.contains("Nim-values computed beforehand"), "{text}");
    let said = format!("{} heaps rare", mark["rare"]);
    assert!(text.replace("\n  ", " ").contains(&said), "{text}");
}
