//! Games decided by automata, from the command line.

use serde_json::{Value, json as value};
use tempfile::TempDir;

use super::command::{json, misere, text};

const GAME: &str = "0.54";

/// Writes a document to a folder and returns its path.
fn written(directory: &TempDir, document: &Value) -> String {
    let path = directory.path().join("document.json");
    std::fs::write(&path, document.to_string()).unwrap();
    path.display().to_string()
}

#[test]
fn an_automaton_is_printed_kept_and_verified() {
    let directory = TempDir::new().unwrap();
    let kept = directory.path().join("kept.json").display().to_string();
    let (exit, said) = text(&["automaton", GAME, "--states", "--out", &kept]);
    assert_eq!(exit, 0, "{said}");
    for line in [
        "solved by an automaton, which decides every position of all heaps; proved",
        "states         253, of which 60 are those of P-positions",
        "sizes          matter modulo 7 from heap 9 on",
        "P-positions among the heaps 1 to 100: 1, 3, 8\n",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let rows = said.lines().filter(|line| line.ends_with(['P', 'N']));
    assert_eq!(rows.count(), 253, "{said}");

    let (exit, found) = json(&["verify", &kept, "--json"]);
    assert_eq!(exit, 0, "{found}");
    let file = &found["files"][0];
    assert_eq!(
        (&file["result"], &file["code"], &file["states"]),
        (&value!("verified"), &value!(GAME), &value!(253))
    );
    let document: Value = serde_json::from_str(&std::fs::read_to_string(&kept).unwrap()).unwrap();
    let (_, again) = json(&["automaton", GAME, "--json"]);
    assert_eq!(again, document);
}

#[test]
fn documents_that_lie_are_refused() {
    let directory = TempDir::new().unwrap();
    let (_, right) = json(&["automaton", GAME, "--json"]);
    let changed = |field: &str, wrong: &Value| {
        let mut document = right.clone();
        let place = document.pointer_mut(field).unwrap();
        assert_ne!(place, wrong, "{field}");
        *place = wrong.clone();
        written(&directory, &document)
    };
    for (field, wrong) in [
        ("/code", value!("0.56")),
        ("/code", value!("0.8")),
        ("/infinite", value!(false)),
        ("/status", value!("infinite")),
        ("/automaton/heap", value!([0])),
        ("/automaton/heap/9", value!(253)),
        ("/automaton/step/9", value!(0)),
        ("/automaton/p_states", value!([])),
    ] {
        let (exit, said) = text(&["verify", &changed(field, &wrong)]);
        assert_eq!(exit, 5, "{field}: {said}");
        assert!(said.contains("flaw"), "{field}: {said}");
    }
    for (field, wrong) in [
        ("/schema", value!(2)),
        ("/convention", value!("normal")),
        ("/automaton", value!([])),
        ("/automaton/step", value!(vec![0; 513])),
        ("/automaton/p_states", value!([-1])),
    ] {
        let output = misere(&["verify", &changed(field, &wrong)]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{field}: {said}");
        assert!(said.starts_with("error: `"), "{field}: {said}");
    }
    // It is a certificate, but not of a quotient.
    let file = written(&directory, &right);
    let output = misere(&["present", GAME, "--certificate", &file]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("holds an automaton"), "{said}");
}

#[test]
fn a_game_without_an_automaton_says_why() {
    for (game, exit, reason) in [
        ("0.123", 1, "follow no pattern"),
        (
            "0.26",
            1,
            "`misere solve '0.26'` decides the game in another way",
        ),
    ] {
        let output = misere(&["automaton", game]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(exit), "{said}");
        assert!(said.contains(reason), "{said}");
    }
    // Too little fuel for the quotients. The search for the automaton has fuel of its own.
    for fuel in ["5k", "20k"] {
        let output = misere(&["automaton", GAME, "--fuel", fuel]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains("raise --fuel"), "{said}");
    }
}

/// Heaps of a million beans: two of them that differ by 10, and two that differ by 3.
#[test]
fn positions_are_decided_by_the_automaton() {
    for (heaps, outcome) in [(["1000006", "1000016"], "P"), (["1000006", "1000009"], "N")] {
        let (exit, found) = json(&["outcome", GAME, heaps[0], heaps[1], "--json"]);
        assert_eq!(exit, 0, "{found}");
        assert_eq!(
            (&found["method"], &found["outcome"]),
            (&value!("automaton"), &value!(outcome))
        );
    }
    let (exit, said) = text(&["outcome", GAME, "1000001^2", "--explain"]);
    assert_eq!(exit, 0, "{said}");
    assert!(
        said.contains("the last state is one of P-positions"),
        "{said}"
    );
}
