//! Classes named from codes, files and presentations, with and without a census.

use serde_json::{Value, json as value};

use crate::command::{error_line, json, misere, text};

const R8: &str = "⟨a,b,c | a²=1, b³=b, bc=ab, c²=b²⟩  P = {a, b²}";

fn name_of(what: &str) -> Value {
    let (exit, document) = json(&["identify", what, "--json"]);
    assert_eq!(exit, 0);
    document["name"].clone()
}

#[test]
fn the_same_class_by_whatever_way() {
    let dir = tempfile::tempdir().unwrap();
    let (_, given) = json(&["identify", R8, "--json"]);
    assert_eq!(given["name"], "R_8");
    assert_eq!(
        (&given["order"], &given["p_size"]),
        (&value!(8), &value!(2))
    );
    assert_eq!(given["reduced"], true);
    let written = "⟨a,b,c | a^2 = 1, b^3 = b, bc = ab, c^2 = b^2⟩  P = {a, b^2}";
    assert_eq!(given["presentation"]["text"], written);
    assert_eq!(given["census"], Value::Null);

    // The canonical form is of the same class.
    let canonical = given["canonical"]["text"].as_str().unwrap();
    let (_, again) = json(&["identify", canonical, "--json"]);
    assert_eq!(again["class"], given["class"]);
    assert_eq!(again["quotient"], given["quotient"]);

    let presented = dir.path().join("r8.txt");
    std::fs::write(&presented, format!("{R8}\n")).unwrap();
    let certificate = dir.path().join("0.75.json");
    let certificate = certificate.to_str().unwrap();
    let solved = misere(&["solve", "0.75", "--certificate", certificate]);
    assert!(solved.status.success());
    let tables = dir.path().join("tables.json");
    std::fs::write(&tables, given["quotient"].to_string()).unwrap();
    let ways = [
        "0.75",
        "R_8",
        "{*3,{*2},*2,0}",
        certificate,
        presented.to_str().unwrap(),
        tables.to_str().unwrap(),
    ];
    for way in ways {
        let (_, document) = json(&["identify", way, "--json"]);
        assert_eq!(document["class"], given["class"], "{way}");
    }
    let (_, of_game) = json(&["identify", "0.75", "--json"]);
    assert_eq!(of_game["generator_heaps"], value!([1, 2, 5]));
    // To a heap before the last change it is another.
    for way in ["0.75", certificate] {
        let (_, partial) = json(&["identify", way, "--heap", "4", "--json"]);
        assert_eq!(partial["name"], "T_2", "{way}");
    }
}

#[test]
fn names_of_the_papers() {
    for name in ["T_0", "T_3", "R_12", "S_12", "S'_12", "R_14"] {
        assert_eq!(name_of(name), name);
    }
    assert_eq!(name_of("S_12'"), "S'_12");
    assert_eq!(name_of("0.3"), "T_1");
    assert_eq!(name_of("0.312"), "S_12");
    assert_eq!(name_of("0.123"), Value::Null);
}

#[test]
fn what_is_not_reduced_is_said_to_be_so() {
    let (_, told) = json(&["identify", "<a | a^4=1> P={a,a^3}", "--json"]);
    assert_eq!(
        (&told["reduced"], &told["given_order"]),
        (&value!(false), &value!(4))
    );
    assert_eq!(told["name"], "T_1");
    let (_, told) = text(&["identify", "<a | a^4=1> P={a,a^3}"]);
    assert!(told.contains("not reduced"), "{told}");
}

#[test]
fn a_list_is_named_quotient_by_quotient() {
    let dir = tempfile::tempdir().unwrap();
    let list = dir.path().join("12.json");
    let classified = misere(&["classify", "--order", "12", "--json"]);
    std::fs::write(&list, classified.stdout).unwrap();
    let (_, lines) = text(&["identify", list.to_str().unwrap(), "--json"]);
    let names: Vec<String> = lines
        .lines()
        .filter_map(|line| {
            let document: Value = serde_json::from_str(line).unwrap();
            Some(document["name"].as_str()?.to_owned())
        })
        .collect();
    for name in ["T_2", "R_8", "T_3", "R_12", "S_12", "S'_12"] {
        assert!(names.contains(&name.to_owned()), "{names:?}");
    }
}

#[test]
fn a_census_tells_where_a_class_occurs() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("census");
    let data = data.to_str().unwrap();
    let codes = "0.71,0.241,0.243,0.75,0.15,0.77";
    let run = misere(&[
        "census", "run", "--codes", codes, "--fuel", "3M", "--data", data,
    ]);
    assert!(run.status.success());
    let (_, told) = json(&["identify", "0.241", "--data", data, "--json"]);
    let census = &told["census"];
    assert_eq!(
        (&census["games"], &census["whole_games"]),
        (&value!(2), &value!(2))
    );
    assert_eq!(census["smallest"], value!({ "code": "0.71", "heap": 8 }));
    assert_eq!(census["occurrences"][0]["code"], "0.71");
    assert_eq!(census["occurrences"][1]["code"], "0.241");
    assert_eq!(census["occurrences"][1]["aliases"], value!(["0.243"]));
    assert_eq!(census["occurrences"][1]["ranges"][0][0], 13);
    // An alias, and the first digits of the key, lead to the same.
    let key = told["class"].as_str().unwrap();
    for way in ["0.243", &key[..10]] {
        let (_, other) = json(&["identify", way, "--data", data, "--json"]);
        assert_eq!(other["class"], told["class"]);
        assert_eq!(other["census"], told["census"]);
        assert_eq!(other["quotient"], told["quotient"]);
    }
    // A partial quotient that no game ends with, found again by its key.
    let (_, partial) = json(&["identify", "0.77", "--heap", "9", "--data", data, "--json"]);
    assert_eq!(partial["order"], 18);
    assert_eq!(
        partial["census"]["occurrences"][0]["ranges"],
        value!([[9, 11]])
    );
    let key = partial["class"].as_str().unwrap();
    let (_, again) = json(&["identify", &key[..12], "--data", data, "--json"]);
    assert_eq!(again["quotient"], partial["quotient"]);

    let (_, told) = text(&["identify", R8, "--data", data]);
    assert!(told.contains("R_8, order 8, 2 in P\n"), "{told}");
    assert!(
        told.contains("0.75") && told.contains("on, for ever"),
        "{told}"
    );
    let (_, told) = text(&["identify", "T_9", "--data", data]);
    assert!(told.contains("no game of the census has it"), "{told}");
    let line = error_line(&["identify", "00000000", "--data", data], 1);
    assert!(line.contains("no game of the census"), "{line}");
}

#[test]
fn what_names_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let empty = file("empty.txt", "");
    let list = file("list.json", "{\"schema\":1}");
    let broken = file(
        "broken.json",
        "{\"order\":2,\"action\":[[0,0]],\"p_portion\":[]}",
    );
    let torn = file("torn.json", "{\"order\":2,");
    for (what, said) in [
        ("<a,b | a^2=1> P={a}", "infinite"),
        ("<a | a^2=1>", "the P-portion"),
        ("<a | a^2=b> P={}", "`b` is no generator"),
        ("<a | a^100000=1> P={}", "more than"),
        ("nowhere/file.json", "cannot read"),
        ("what?", "is no file"),
        ("1f00a3b2", "--data"),
        (&empty, "neither JSON nor a presentation"),
        (&list, "is no quotient"),
        (&broken, "is no bipartite monoid"),
        (&torn, "neither JSON nor a presentation"),
    ] {
        let line = error_line(&["identify", what], 1);
        assert!(line.contains(said), "{what}: {line}");
    }
}
