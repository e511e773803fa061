//! A census survives what happens to its process, and ends the same. Real processes,
//! really killed.
#![cfg(unix)]

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::support::census::{argument, digest, records, status};
use crate::support::process::{
    Process, assert_refused as refused, command, document, done, output, text,
};
use crate::support::waiting::until;
use rustix::process::Signal;

/// Small enough for seconds, with enough fuel for some games to take a noticeable while.
const PLAN: [&str; 4] = ["--digits", "2", "--fuel", "100k"];

fn run_args<'a>(data: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["census", "run", "--data", argument(data)];
    args.extend(PLAN);
    args.extend(more);
    args
}

/// Runs the census to its end and returns its digest.
fn complete(data: &Path, more: &[&str]) -> String {
    let printed = done(&run_args(data, more));
    let digest = digest(argument(data));
    assert!(printed.contains(&format!("digest {digest}")), "{printed}");
    digest
}

#[test]
fn killed_again_and_again_the_census_is_the_same() {
    let whole = tempfile::tempdir().unwrap();
    let expected = complete(whole.path(), &[]);
    let dir = tempfile::tempdir().unwrap();
    let mut kept = 0;
    // From before the store exists to the middle of the work.
    for ms in [1, 20, 60, 100, 150, 250, 400, 600] {
        let run = Process::spawn(&run_args(dir.path(), &["--workers", "2"]));
        std::thread::sleep(Duration::from_millis(ms));
        drop(run);
        let now = records(argument(dir.path()));
        assert!(now >= kept, "{kept} records were there, {now} are left");
        kept = now;
    }
    assert_eq!(complete(dir.path(), &[]), expected);
    // Running a finished census again is harmless.
    assert_eq!(complete(dir.path(), &[]), expected);
}

#[test]
fn the_number_of_workers_does_not_show() {
    let digests: Vec<String> = ["1", "2", "5"]
        .iter()
        .map(|workers| {
            let dir = tempfile::tempdir().unwrap();
            complete(dir.path(), &["--workers", workers])
        })
        .collect();
    assert_eq!(digests[0], digests[1]);
    assert_eq!(digests[0], digests[2]);
}

#[test]
fn a_signal_stops_cleanly_and_says_how_to_resume() {
    let dir = tempfile::tempdir().unwrap();
    let data = argument(dir.path());
    // A game of some milliseconds, and enough fuel for the others that the run cannot be over before
    // the signal comes.
    let plan = ["--codes", "0.77,0.142,0.316", "--fuel", "100G"];
    let args = [
        &["census", "run", "--data", data, "--workers", "2"][..],
        &plan,
    ]
    .concat();
    let mut child = command(&args);
    let child = child.stderr(Stdio::piped()).spawn().unwrap();
    let mut child = Process(child);
    until("a record", Duration::from_secs(60), || records(data) > 0);
    // While it runs: queried through its coordinator, and not to be run twice.
    assert_eq!(status(data)["running"], true);
    let second = output(&args);
    assert_eq!(second.status.code(), Some(1));
    assert!(
        text(&second.stderr).contains("in use by another process"),
        "{}",
        text(&second.stderr)
    );

    child.signal(Signal::TERM);
    let said = std::io::read_to_string(child.0.stderr.take().unwrap()).unwrap();
    assert_eq!(child.ended(Duration::from_secs(60)), Some(4), "{said}");
    assert!(said.contains(&format!("resume with `misere census run --data {data}`")));
    assert!(records(data) > 0);
    assert_eq!(status(data)["running"], false);
}

#[test]
fn impossible_runs_are_refused_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    refused(
        &["census", "run", "--data", data],
        2,
        "--digits N, --codes LIST or --born-by DAY",
    );
    refused(
        &["census", "run", "--data", data, "--digits", "9"],
        2,
        "out of range",
    );
    refused(
        &["census", "run", "--data", data, "--codes", "0"],
        2,
        "no move",
    );
    refused(
        &["census", "run", "--data", data, "--codes", "0.7x"],
        2,
        "character 4",
    );
    refused(&["census", "digest", "--data", data], 1, "no census in");
    refused(&["report", "summary", "--data", data], 1, "no census in");
    let made = output(&["census", "run", "--data", data, "--codes", "0.3,0.77"]);
    assert!(made.status.success());
    refused(
        &["census", "run", "--data", data, "--codes", "0.3"],
        1,
        "another plan",
    );
    refused(
        &["census", "run", "--data", data, "--fuel", "3M"],
        1,
        "another plan",
    );
    let resumed = output(&["census", "run", "--data", data]);
    assert!(resumed.status.success());
    assert_eq!(resumed.stdout, made.stdout);
    // A foreign file beside a census is ignored; without a census it is named.
    std::fs::write(dir.path().join("thesis.tex"), "x").unwrap();
    assert!(output(&["census", "run", "--data", data]).status.success());
    let other = tempfile::tempdir().unwrap();
    std::fs::write(other.path().join("thesis.tex"), "x").unwrap();
    let other = other.path().to_str().unwrap();
    refused(
        &["census", "run", "--data", other, "--codes", "0.3,0.77"],
        1,
        "thesis.tex",
    );
}

#[test]
fn the_summary_tells_the_wild_games() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    let codes = "0.3,0.123,0.77,4.6,0.37";
    let summary = document(&[
        "census", "run", "--data", data, "--codes", codes, "--fuel", "3M", "--json",
    ]);
    assert_eq!(summary["solved"]["codes"], 4);
    assert_eq!(summary["tame"]["rulesets"], 1);
    assert_eq!(summary["diverging"]["rulesets"], 1);
    let wild = summary["wild_games"].as_array().unwrap();
    let facts = |game: &serde_json::Value| {
        let number = |key: &str| game[key].as_u64().unwrap();
        let code = game["code"].as_str().unwrap().to_owned();
        (code, number("order"), number("p_size"), number("period"))
    };
    let expected = [
        ("0.77".to_owned(), 40, 9, 12),
        ("0.123".to_owned(), 20, 5, 5),
    ];
    assert_eq!(wild.iter().map(facts).collect::<Vec<_>>(), expected);
    assert_eq!(wild[0]["aliases"][0], "4.6");
    // The report says the same, and where it comes from.
    let report = document(&["report", "summary", "--data", data, "--json"]);
    for (field, value) in summary.as_object().unwrap() {
        assert_eq!(&report[field], value, "{field}");
    }
    let completeness = &report["provenance"]["completeness"];
    assert_eq!(completeness["digest"], summary["digest"]);
}
