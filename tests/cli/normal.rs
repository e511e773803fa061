//! `misere normal` writes the same after any interruption, and only true results.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::cli::command::{error_line, json, misere, text};
use serde_json::{Value, json as value};
use tempfile::TempDir;

fn directory(parent: &TempDir, name: &str) -> String {
    parent.path().join(name).display().to_string()
}

fn run(data: &str, more: &[&str]) -> (i32, Value) {
    let heaps = ["--heaps", "20000"];
    let all = [
        &["normal", "run", "--data", data, "--json"],
        &heaps[..],
        more,
    ]
    .concat();
    json(&all)
}

/// Returns the results: the names of the files and their content.
fn files(data: &str) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(data).unwrap().map(|entry| entry.unwrap());
    let mut files: Vec<(String, String)> = entries
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read_to_string(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn one_worker_two_and_a_killed_one_write_the_same() {
    let parent = TempDir::new().unwrap();
    let [one, two, killed] = ["one", "two", "killed"].map(|name| directory(&parent, name));
    let digits = ["--digits", "2"];
    let (exit, first) = run(&one, &[&digits[..], &["--workers", "1"]].concat());
    assert_eq!((exit, &first["left"]), (0, &value!(0)));
    assert_eq!(
        (&first["games"], &first["solved"], &first["bounded"]),
        (&value!(46), &value!(36), &value!(10)),
        "{first}"
    );
    let (exit, second) = run(&two, &[&digits[..], &["--workers", "2"]].concat());
    assert_eq!((exit, &second), (0, &first));
    assert_eq!(files(&one), files(&two));

    let mut process = Command::new(env!("CARGO_BIN_EXE_misere"))
        .args(["normal", "run", "--digits", "2", "--heaps", "20000"])
        .args(["--data", &killed])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let some = || Path::new(&killed).join("0.06.json").exists();
    while !some() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    process.kill().unwrap();
    process.wait().unwrap();
    let (exit, after) = run(&killed, &digits);
    assert_eq!((exit, &after), (0, &first));
    let left_over = |(name, _): &(String, String)| name.starts_with('.');
    let mut found = files(&killed);
    found.retain(|file| !left_over(file));
    assert_eq!(found, files(&one));

    let results = files(&one);
    let results = results.iter().filter(|(name, _)| name.starts_with("0."));
    let paths: Vec<String> = results.map(|(name, _)| format!("{one}/{name}")).collect();
    let verify: Vec<&str> = std::iter::once("verify")
        .chain(paths.iter().map(String::as_str))
        .collect();
    let (exit, said) = text(&verify);
    assert_eq!(exit, 0, "{said}");
    assert!(said.contains("0.77 solved in normal play"), "{said}");
}

#[test]
fn more_heaps_go_further_and_other_plans_are_refused() {
    let parent = TempDir::new().unwrap();
    let data = directory(&parent, "famous");
    let run = |more: &[&str]| {
        json(
            &[
                &["normal", "run", "0.6", "0.156", "--data", &data, "--json"],
                more,
            ]
            .concat(),
        )
    };
    let (exit, few) = run(&["--heaps", "1000"]);
    assert_eq!((exit, &few["bounded"]), (0, &value!(2)));
    let (exit, more) = run(&["--heaps", "2^13"]);
    assert_eq!((exit, &more["solved"]), (0, &value!(1)));
    let (_, listed) = json(&["normal", "list", "--data", &data, "--json"]);
    assert_eq!(listed["games"][1]["code"], "0.156");
    assert_eq!(listed["games"][1]["period"], 349);
    assert_eq!(listed["games"][0]["heaps"], 8192);
    let marks = listed["games"][0]["marks"].as_array().unwrap();
    assert_eq!(marks.len(), 4);
    let (_, shown) = text(&["normal", "list", "--data", &data, "--open"]);
    assert!(shown.contains("0.6") && !shown.contains("0.156"), "{shown}");

    error_line(&["normal", "run", "0.7", "--data", &data], 1);
    error_line(
        &[
            "normal", "run", "0.6", "0.156", "--heaps", "9", "--data", &data,
        ],
        1,
    );
    let foreign = parent.path().display().to_string();
    error_line(&["normal", "run", "0.7", "--data", &foreign], 1);
    error_line(
        &["normal", "list", "--data", &directory(&parent, "none")],
        1,
    );
    error_line(
        &["normal", "run", "8!.0", "--data", &directory(&parent, "g")],
        1,
    );
    let heaps = ["0", "2^99", "4294967295", "x", "2^", "-1"];
    for heaps in heaps {
        let option = format!("--heaps={heaps}");
        let output = misere(&["normal", "run", "0.7", "--data", "nowhere", &option]);
        assert_eq!(output.status.code(), Some(2), "{heaps}");
    }
}

#[test]
fn a_changed_result_is_refuted() {
    let parent = TempDir::new().unwrap();
    let data = directory(&parent, "one");
    let (exit, _) = run(&data, &["0.6"]);
    assert_eq!(exit, 0);
    let file = format!("{data}/0.6.json");
    let (exit, said) = text(&["verify", &file]);
    assert_eq!(exit, 0, "{said}");
    assert!(
        said.contains("nim-values of heaps 0 to 20000, no period"),
        "{said}"
    );
    let right: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    for (field, wrong) in [
        ("max_nim_value", value!(1)),
        ("mask", value!(2)),
        (
            "marks",
            value!([{ "heaps": 1024, "rare": 0, "last_rare": 0, "max_nim_value": 1,
            "max_nim_value_heap": 1, "most_frequent": 1, "frequency": 1 }]),
        ),
    ] {
        let mut forged = right.clone();
        forged[field] = wrong;
        std::fs::write(&file, forged.to_string()).unwrap();
        let (exit, said) = text(&["verify", &file]);
        assert_eq!(exit, 5, "{field}: {said}");
    }
}

/// The other fields of a file than its nim-values are checked, too.
#[test]
fn a_certificate_says_nothing_false_beside_its_nim_values() {
    let parent = TempDir::new().unwrap();
    let file = directory(&parent, "06.json");
    let solve = ["solve", "0.6", "--normal", "--max-heap", "3000"];
    assert_eq!(
        misere(&[&solve[..], &["--out", &file]].concat())
            .status
            .code(),
        Some(3)
    );
    let known: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    for (field, claim, exit, reason) in [
        ("aliases", value!(["0.6"]), 0, ""),
        (
            "aliases",
            value!(["0.6", "grundy"]),
            5,
            "`aliases` names grundy",
        ),
        ("preperiod", value!(17), 5, "`preperiod` is not what"),
        ("nim_values", value!([0, 5, 5]), 5, "`heaps` is not what"),
    ] {
        let mut document = known.clone();
        document[field] = claim;
        std::fs::write(&file, document.to_string()).unwrap();
        let output = misere(&["verify", &file]);
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert_eq!(output.status.code(), Some(exit), "{field}: {said}");
        assert!(said.contains(reason), "{field}: {said}");
    }
}
