//! The reports on the misère quotients of small order, in every format.

use std::fs;
use std::path::Path;

use serde_json::{Value, json as value};

use insta::assert_snapshot;

use crate::cli::command::{error_line, json, misere, text};
use crate::support::transcript::transcript;

/// Writes a list to some order as a file.
fn list(directory: &Path, order: &str) -> String {
    let (exit, document) = json(&["classify", "--order", order, "--json"]);
    assert_eq!(exit, 0);
    let file = directory.join("list.json");
    fs::write(&file, document.to_string()).unwrap();
    file.to_str().unwrap().to_owned()
}

fn report(name: &str, list: &str, format: &str) -> String {
    let (exit, text) = text(&["report", name, "--list", list, "--format", format]);
    assert_eq!(exit, 0, "{name} {format}");
    text
}

#[test]
fn the_tables_beside_the_published_ones() {
    let directory = tempfile::tempdir().unwrap();
    let list = list(directory.path(), "14");
    let (_, counts) = json(&["report", "table1", "--list", &list, "--json"]);
    let order = |order: u64| {
        let rows = counts["orders"].as_array().unwrap();
        rows.iter().find(|row| row["order"] == order).unwrap()
    };
    for (at, quotients, published) in [(4, 0, 0), (8, 1, 1), (12, 6, 6), (14, 12, 9)] {
        assert_eq!(order(at)["quotients"], quotients);
        assert_eq!(order(at)["published"], published);
        assert_eq!(
            order(at)["classes"].as_array().map(Vec::len),
            Some(quotients as usize)
        );
    }
    assert_eq!(order(14)["more"], 3);
    assert_eq!(order(18)["quotients"], Value::Null);
    assert_eq!(order(18)["published"], 211);
    let said = report("table1", &list, "text");
    assert!(
        said.contains("Not complete in this list: order 16, 18"),
        "{said}"
    );
    assert!(said.contains("at least 3 are not in"), "{said}");

    let (_, table_2) = json(&["report", "table2", "--list", &list, "--json"]);
    let rows = table_2["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    for row in rows {
        assert_eq!(row["game_has_the_quotient"], true);
        assert_eq!(
            row["published_quotient"]["class"],
            row["ours"]["quotient"]["class"]
        );
        assert!(row["ours"]["smallest_game_found"].is_string());
    }
    assert_eq!(table_2["unpublished"], value!([]));

    let (_, table_3) = json(&["report", "table3", "--list", &list, "--json"]);
    let rows = table_3["rows"].as_array().unwrap();
    let found = rows.iter().filter(|row| row["ours"].is_object());
    assert_eq!((rows.len(), found.count()), (9, 8));
    assert_eq!(rows[2]["game"], Value::Null);
    assert_eq!(table_3["unpublished"].as_array().map(Vec::len), Some(4));
    for document in [&counts, &table_2, &table_3] {
        assert_eq!(document["digest"], counts["digest"]);
    }
}

#[test]
fn every_format_says_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let list = list(directory.path(), "14");
    let (_, document) = json(&["report", "table1", "--list", &list, "--json"]);
    let digest = document["digest"].as_str().unwrap();
    // Looking for small games takes a second, so Tables 2 and 3 are not set in all formats.
    for (name, format) in [
        ("table1", "text"),
        ("table1", "html"),
        ("table1", "latex"),
        ("facts", "text"),
        ("facts", "html"),
        ("facts", "latex"),
        ("table2", "latex"),
        ("table3", "html"),
    ] {
        // In LaTeX a key may be broken into lines.
        let said = report(name, &list, format).replace("\\allowbreak{}", "");
        assert!(said.contains(digest), "{name} {format}");
        match format {
            "html" => {
                assert!(!said.contains("<script") && !said.contains("src="));
                let ends = said.matches("</table>").count();
                assert_eq!(said.matches("<table>").count(), ends);
                assert!(name == "facts" || said.contains("<i>b</i><sup>2</sup>"));
            }
            "latex" => {
                let ends = said.matches("\\end{").count();
                assert_eq!(said.matches("\\begin{").count(), ends);
                assert_eq!(said.matches('$').count() % 2, 0);
                assert_eq!(name == "table2", said.contains("$c^{2} = 1\\rangle $"));
            }
            _ => {}
        }
    }
    let table1 = ["report", "table1", "--list", &list];
    let facts = ["report", "facts", "--list", &list];
    assert_snapshot!(transcript(&[&table1, &facts], &[&list]));
    let csv = report("table3", &list, "csv");
    assert_eq!(csv.lines().count(), 1 + 9 + 4);
    assert_eq!(csv.lines().filter(|line| line.contains(digest)).count(), 13);
    assert!(report("facts", &list, "csv").contains("|P|,14,4,9,"));
}

#[test]
fn a_missing_order_is_reported() {
    let directory = tempfile::tempdir().unwrap();
    let list = list(directory.path(), "10");
    let said = report("table3", &list, "text");
    assert!(said.contains("not complete in this list"), "{said}");
    assert!(said.contains("misere classify --order 14"), "{said}");
    let (_, document) = json(&["report", "table3", "--list", &list, "--json"]);
    assert_eq!(document["classified"], false);
}

#[test]
fn only_true_lists_are_reported_on() {
    let directory = tempfile::tempdir().unwrap();
    let list = list(directory.path(), "8");
    let mut document: Value = serde_json::from_str(&fs::read_to_string(&list).unwrap()).unwrap();
    document["quotients"][2]["generators"][2]["options"] = value!(["1", "b"]);
    fs::write(&list, document.to_string()).unwrap();
    assert!(error_line(&["report", "table1", "--list", &list], 5).contains("quotient 3"));
    fs::write(&list, "{}").unwrap();
    error_line(&["report", "table1", "--list", &list], 1);
    error_line(&["report", "table1", "--list", "/nowhere.json"], 1);
    for usage in [
        &["report", "table1"][..],
        &["report", "table1", "--list", "-", "--data", "."],
    ] {
        assert_eq!(misere(usage).status.code(), Some(2));
    }
}

/// The reports treat a census of quotients and a list of `misere classify` alike.
#[test]
fn a_census_says_what_a_list_says() {
    let directory = tempfile::tempdir().unwrap();
    let list = list(directory.path(), "14");
    let data = directory.path().join("census");
    let data = data.to_str().unwrap();
    let run = [
        "census",
        "run",
        "--space",
        "quotients",
        "--order",
        "14",
        "--data",
        data,
    ];
    assert!(misere(&run).status.success());
    for name in ["table1", "facts"] {
        let (_, of_list) = json(&["report", name, "--list", &list, "--json"]);
        let (_, of_census) = json(&["report", name, "--data", data, "--json"]);
        assert_eq!(of_list["digest"], of_census["digest"]);
        assert_eq!(of_list["orders"], of_census["orders"]);
        assert_eq!(of_list["facts"], of_census["facts"]);
        assert!(of_census["provenance"]["completeness"]["digest"].is_string());
    }
    let games = directory.path().join("games");
    let games = games.to_str().unwrap();
    assert!(
        misere(&["census", "run", "--codes", "0.3", "--data", games])
            .status
            .success()
    );
    let (exit, said) = text(&["report", "table1", "--data", games]);
    assert_eq!(exit, 0);
    assert!(
        said.replace('\n', " ")
            .contains("census run --space quotients --order 18"),
        "{said}"
    );
}
