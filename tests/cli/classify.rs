//! `misere classify` counts the quotients it finds, and `misere verify` accepts only true lists.

use std::fs;

use crate::cli::command::{error_line, json, misere, text};
use misere_algebra::classify::digest::ListDigest;
use misere_game::bipartite::ClassKey;
use serde_json::{Value, json as value};

#[test]
fn counts_with_the_published_numbers() {
    let (exit, document) = json(&["classify", "--order", "14", "--json"]);
    assert_eq!(exit, 0);
    assert_eq!(document["status"], "complete");
    assert_eq!(
        document["counts"],
        value!({"2": 1, "4": 0, "6": 1, "8": 1, "10": 1, "12": 6, "14": 12})
    );
    assert_eq!(document["published"]["14"], 9);
    assert_eq!(document["quotients"].as_array().map(Vec::len), Some(22));
    let (exit, table) = text(&["classify", "--order", "14"]);
    assert_eq!(exit, 0);
    assert!(table.contains("published"), "{table}");
    let row = table
        .lines()
        .find(|line| line.trim_start().starts_with("14 "));
    let cells: Vec<&str> = row.unwrap().split_whitespace().collect();
    assert_eq!(cells[..3], ["14", "12", "9"]);
}

#[test]
fn lists_and_facts() {
    let (exit, list) = text(&["classify", "--order", "8", "--list", "--facts"]);
    assert_eq!(exit, 0);
    for part in [
        "T_1",
        "T_2",
        "R_8",
        "⟨a,b | a^2 = 1, b^3 = b⟩",
        "P = {a, b^2}",
        "*[2#320]",
        "not regular: none",
    ] {
        assert!(list.contains(part), "{part} in {list}");
    }
}

/// Up to order 14 all games are faithful already.
#[test]
fn faithful_games_are_chosen() {
    let (exit, said) = text(&["classify", "--order", "14", "--faithful"]);
    assert_eq!(exit, 0);
    assert!(said.contains("faithful games: 22 of 22"), "{said}");
    let (_, document) = json(&["classify", "--order", "14", "--faithful", "--json"]);
    let expected = value!({"replaced": 0, "none": [], "undecided": []});
    assert_eq!(document["faithful"], expected);
    let (_, without) = json(&["classify", "--order", "14", "--json"]);
    assert_eq!(document["quotients"], without["quotients"]);
    assert!(without.get("faithful").is_none());
}

#[test]
#[ignore = "slow: half a minute of processor time"]
fn unfaithful_games_of_order_20_are_replaced() {
    let (exit, document) = json(&[
        "classify",
        "--order",
        "20",
        "--faithful",
        "--facts",
        "--json",
    ]);
    assert_eq!(exit, 0);
    let expected = value!({"replaced": 4, "none": [], "undecided": []});
    assert_eq!(document["faithful"], expected);
    assert_eq!(document["facts"]["not_faithful"], value!({}));
}

#[test]
fn the_counts_are_a_b_file() {
    let (exit, said) = text(&["classify", "--order", "14", "--bfile"]);
    assert_eq!(exit, 0);
    let (comments, terms): (Vec<&str>, Vec<&str>) =
        said.lines().partition(|line| line.starts_with('#'));
    let right = "1 1, 2 1, 3 0, 4 0, 5 0, 6 1, 7 0, 8 1, 9 0, 10 1, 11 0, 12 6, 13 0, 14 12";
    assert_eq!(terms.join(", "), right);
    let (_, document) = json(&["classify", "--order", "14", "--json"]);
    let quotients = document["quotients"].as_array().unwrap();
    let digest = ListDigest::of_classes(quotients.iter().map(|quotient| {
        let order = quotient["order"].as_u64().unwrap() as usize;
        let class: ClassKey = serde_json::from_value(quotient["class"].clone()).unwrap();
        (order, class)
    }));
    assert!(comments.join("\n").contains(&digest.to_string()), "{said}");
}

#[test]
fn lists_are_verified() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("list.json");
    let path = file.to_str().unwrap();
    let (_, document) = json(&["classify", "--order", "14", "--facts", "--json"]);
    let check = |document: &Value| {
        fs::write(&file, document.to_string()).unwrap();
        let output = misere(&["verify", path]);
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    let (exit, said) = check(&document);
    assert_eq!(exit, Some(0), "{said}");
    assert!(said.contains("22 quotients to order 14"), "{said}");
    let mut broken_off = document.clone();
    broken_off["status"] = value!("interrupted");
    broken_off.as_object_mut().unwrap().remove("facts");
    broken_off["counts"].as_object_mut().unwrap().remove("14");
    let listed = broken_off["quotients"].as_array_mut().unwrap();
    listed.retain(|quotient| quotient["order"] != 14);
    let (exit, said) = check(&broken_off);
    assert_eq!(exit, Some(0), "{said}");
    assert!(said.contains("10 quotients to order 12"), "{said}");
    type Change = fn(&mut Value);
    let changes: [(Change, &str); 16] = [
        (
            |list| list["facts"]["counts"]["14"] = value!(9),
            "in common",
        ),
        (|list| list["counts"]["14"] = value!(9), "counts"),
        (|list| list["published"]["8"] = value!(7), "Table 1"),
        (|list| list["status"] = value!("proved"), "not a status"),
        (|list| list["quotients"][2]["p_size"] = value!(3), "p_size"),
        (
            |list| list["quotients"][2]["generators"][2]["options"] = value!(["1", "b"]),
            "quotient 3",
        ),
        (
            |list| list["quotients"][2]["generators"][2]["options"] = value!(["c"]),
            "earlier games",
        ),
        (|list| list["quotients"][2]["rank"][1] = value!(0), "rank"),
        (
            |list| list["quotients"][3] = list["quotients"][2].clone(),
            "same class",
        ),
        (|list| list["max_order"] = value!(12), "order"),
        // "Complete" asks for exactly the even orders to the greatest, and the rest for fewer.
        (
            |list| list["max_order"] = value!(24),
            "complete to order 24, and has the orders to 14",
        ),
        (
            |list| list["status"] = value!("interrupted"),
            "has every order",
        ),
        (
            |list| list["status"] = value!("exhausted"),
            "has every order",
        ),
        (
            |list| {
                list.as_object_mut().unwrap().remove("facts");
                list["counts"]["14"] = value!(0);
                let listed = list["quotients"].as_array_mut().unwrap();
                listed.retain(|quotient| quotient["order"] != 14);
            },
            "0 of the 9 published quotients of order 14",
        ),
        (|list| list["counts"]["13"] = value!(0), "order 13"),
        (
            |list| drop(list["counts"].as_object_mut().unwrap().remove("4")),
            "order 6",
        ),
    ];
    for (change, reason) in changes {
        let mut changed = document.clone();
        change(&mut changed);
        let (exit, said) = check(&changed);
        assert_eq!(exit, Some(5), "{said}");
        assert!(said.contains(reason), "{reason}: {said}");
    }
    let mut foreign = document.clone();
    foreign["schema"] = value!(2);
    assert_eq!(check(&foreign).0, Some(1));
    foreign["quotients"] = value!("none");
    assert_eq!(check(&foreign).0, Some(1));
}

#[test]
fn it_goes_on_from_a_checkpoint() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("state");
    let path = file.to_str().unwrap();
    let stopped = misere(&[
        "classify",
        "--order",
        "12",
        "--checkpoint",
        path,
        "--fuel",
        "9k",
        "--json",
    ]);
    assert_eq!(stopped.status.code(), Some(3));
    let part: Value = serde_json::from_slice(&stopped.stdout).unwrap();
    assert_eq!(part["status"], "exhausted");
    assert_eq!(part["counts"].get("12"), None);
    let (exit, whole) = json(&["classify", "--order", "12", "--checkpoint", path, "--json"]);
    assert_eq!(exit, 0);
    let (_, at_once) = json(&["classify", "--order", "12", "--json"]);
    assert_eq!(whole, at_once);
    let error = error_line(&["classify", "--order", "14", "--checkpoint", path], 1);
    assert!(error.contains("order 12"), "{error}");
    fs::write(&file, "something else").unwrap();
    let error = error_line(&["classify", "--order", "12", "--checkpoint", path], 1);
    assert!(error.contains("not a state of a classification"), "{error}");
    assert!(error_line(&["classify", "--order", "34"], 2).contains("34"));
}
