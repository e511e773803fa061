//! P-positions of infinite quotients by linear conditions, from the command line.

use serde_json::{Value, json as value};
use tempfile::TempDir;

use super::command::{json, misere, text};

const GAME: &str = "0.005";

/// Writes a document to a folder and returns its path.
fn written(directory: &TempDir, name: &str, document: &Value) -> String {
    let path = directory.path().join(name);
    std::fs::write(&path, document.to_string()).unwrap();
    path.display().to_string()
}

#[test]
fn conditions_are_printed_kept_and_verified() {
    let directory = TempDir::new().unwrap();
    let kept = directory.path().join("kept.json").display().to_string();
    let (exit, said) = text(&["present", GAME, "--semilinear", "--out", &kept]);
    assert_eq!(exit, 0, "{said}");
    for line in [
        "infinite: the misère quotient of the heaps 0 to 18",
        "digits        13 and 18; below, x_13 is the count of the letter 13, and so on",
        "  x_13 even, x_18 even",
        "no P-position",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }

    let (exit, found) = json(&["verify", &kept, "--json"]);
    assert_eq!(exit, 0, "{found}");
    let file = &found["files"][0];
    assert_eq!(file["result"], "verified");
    assert_eq!(
        (&file["code"], &file["heaps"], &file["order"]),
        (&value!(GAME), &value!(18), &value!(null))
    );
    let document: Value = serde_json::from_str(&std::fs::read_to_string(&kept).unwrap()).unwrap();
    let regions = document["regions"].as_array().unwrap();
    assert_eq!(file["regions"], regions.len());
    let (_, again) = json(&[
        "present",
        GAME,
        "--semilinear",
        "--certificate",
        &kept,
        "--json",
    ]);
    assert_eq!(again, document);
    // The evidence in it also serves the other options of the command.
    let (exit, said) = text(&[
        "present",
        GAME,
        "--certificate",
        &kept,
        "--compare",
        "13",
        "18",
    ]);
    assert_eq!(exit, 0, "{said}");
    assert!(said.contains("different"), "{said}");
}

#[test]
fn documents_that_lie_are_refused() {
    let directory = TempDir::new().unwrap();
    let (_, right) = json(&["present", GAME, "--semilinear", "--json"]);
    let cells = |region: usize| format!("/regions/{region}/cells");
    let with_cells = (0..).find(|&number| right.pointer(&format!("{}/0", cells(number))).is_some());
    let cells = cells(with_cells.unwrap());
    let lies = [
        ("/code", value!("0.007")),
        ("/heaps", value!(17)),
        ("/heaps", value!(19)),
        ("/status", value!("solved")),
        ("/silent_heaps", value!([3])),
        ("/digits/0/heap", value!(3)),
        ("/digits/0/name", value!("z")),
        ("/regions", value!([])),
        ("/regions/0/states", value!([])),
        ("/regions/0/states", value!([4_000_000_000_u32])),
        (&cells, value!([])),
        (&cells, value!([[]])),
        (
            &format!("{cells}/0"),
            value!([{"form": [1], "at_least": 3}]),
        ),
        (
            &format!("{cells}/0"),
            value!([{"digit": 0, "remainder": 0, "modulus": 0}]),
        ),
        ("/diagram/states/0/outcome", value!("P")),
        ("/diagram/distinct_multiples", value!([])),
    ];
    for (field, wrong) in lies {
        let mut document = right.clone();
        let place = document.pointer_mut(field).unwrap();
        assert_ne!(*place, wrong, "{field}");
        *place = wrong;
        let file = written(&directory, "wrong.json", &document);
        let (exit, said) = text(&["verify", &file]);
        assert_eq!(exit, 5, "{field}: {said}");
        assert!(said.contains("flaw"), "{field}: {said}");
    }
    let unreadable = [
        ("/schema", value!(2)),
        ("/convention", value!("normal")),
        ("/regions", value!({})),
        (
            &format!("{cells}/0"),
            value!([{"form": [1, 1], "at_least": 3, "or": 2}]),
        ),
        (
            &format!("{cells}/0"),
            value!([{"form": [1e30], "at_least": 3}]),
        ),
    ];
    for (field, wrong) in unreadable {
        let mut document = right.clone();
        *document.pointer_mut(field).unwrap() = wrong;
        let file = written(&directory, "other.json", &document);
        let output = misere(&["verify", &file]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{field}: {said}");
        assert!(said.starts_with("error:"), "{field}: {said}");
        // `misere present --certificate` refuses what `misere verify` refuses.
        let output = misere(&["present", GAME, "--semilinear", "--certificate", &file]);
        assert_ne!(output.status.code(), Some(0), "{field}");
    }
}

#[test]
fn a_game_without_conditions_is_reported() {
    for (exit, arguments) in [
        (1, "present 0.77 --semilinear"),
        (2, "present 0.005 --semilinear --degree 3"),
        (2, "present 0.005 --semilinear --compare 3 5"),
        (3, "present 0.005 --semilinear --fuel 1k"),
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let output = misere(&arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(exit), "{arguments:?}: {said}");
        assert!(said.contains("error:"), "{arguments:?}: {said}");
    }
}
