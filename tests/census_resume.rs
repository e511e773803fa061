//! A census survives whatever happens to its process, and ends the same. Real processes,
//! really killed.
#![cfg(feature = "census")]
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// Small enough for seconds, with enough fuel for some games to take a noticeable while.
const PLAN: [&str; 4] = ["--digits", "2", "--fuel", "100k"];

fn misere(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_misere"));
    command
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run_args<'a>(data: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["census", "run", "--data", data.to_str().unwrap()];
    args.extend(PLAN);
    args.extend(more);
    args
}

fn spawn(data: &Path, more: &[&str]) -> Child {
    misere(&run_args(data, more)).spawn().unwrap()
}

fn output(args: &[&str]) -> Output {
    misere(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs the census to its end and returns its digest.
fn complete(data: &Path, more: &[&str]) -> String {
    let run = output(&run_args(data, more));
    assert!(run.status.success(), "{}", text(&run.stderr));
    let printed = text(&run.stdout);
    let digest = text(&output(&["census", "digest", "--data", data.to_str().unwrap()]).stdout);
    assert!(printed.contains(&format!("digest {digest}")), "{printed}");
    digest
}

fn records(data: &Path) -> u64 {
    let status = output(&[
        "census",
        "status",
        "--json",
        "--data",
        data.to_str().unwrap(),
    ]);
    if !status.status.success() {
        return 0;
    }
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    status["done"].as_u64().unwrap() + status["exhausted"].as_u64().unwrap()
}

#[test]
fn killed_again_and_again_the_census_is_the_same() {
    let whole = tempfile::tempdir().unwrap();
    let expected = complete(whole.path(), &[]);
    let dir = tempfile::tempdir().unwrap();
    let mut kept = 0;
    // From before the store exists to the middle of the work.
    for ms in [1, 20, 60, 100, 150, 250, 400, 600] {
        let mut child = spawn(dir.path(), &["--workers", "2"]);
        std::thread::sleep(Duration::from_millis(ms));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = records(dir.path());
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
    let mut args = run_args(dir.path(), &["--workers", "1"]);
    // Enough fuel that the run cannot be over before the signal comes.
    let fuel = args.iter().position(|&arg| arg == "100k").unwrap();
    args[fuel] = "100M";
    let child = misere(&args).spawn().unwrap();
    while records(dir.path()) == 0 {
        std::thread::sleep(Duration::from_millis(50));
    }
    // While it runs: asked through its coordinator, and not to be run twice.
    let data = dir.path().to_str().unwrap();
    let status: serde_json::Value =
        serde_json::from_slice(&output(&["census", "status", "--json", "--data", data]).stdout)
            .unwrap();
    assert_eq!(status["running"], true);
    let second = output(&args);
    assert_eq!(second.status.code(), Some(1));
    assert!(
        text(&second.stderr).contains("in use by another process"),
        "{}",
        text(&second.stderr)
    );

    let killed = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(4), "{}", text(&ended.stderr));
    assert!(
        text(&ended.stderr).contains(&format!("resume with `misere census run --data {data}`"))
    );
    assert!(records(dir.path()) > 0);
    let status: serde_json::Value =
        serde_json::from_slice(&output(&["census", "status", "--json", "--data", data]).stdout)
            .unwrap();
    assert_eq!(status["running"], false);
}

#[test]
fn what_cannot_be_run_is_refused_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    let refused = |args: &[&str], code: i32, says: &str| {
        let output = output(args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(
            said.starts_with("error: ") && said.lines().count() == 1 && said.contains(says),
            "{said}"
        );
    };
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
    std::fs::write(dir.path().join("thesis.tex"), "x").unwrap();
    refused(
        &["census", "run", "--data", data, "--codes", "0.3,0.77"],
        1,
        "something else",
    );
}

#[test]
fn the_summary_tells_the_wild_games() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    let codes = "0.3,0.123,0.77,4.6,0.37";
    let run = output(&[
        "census", "run", "--data", data, "--codes", codes, "--fuel", "3M", "--json",
    ]);
    assert!(run.status.success(), "{}", text(&run.stderr));
    let summary: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
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
    let report = output(&["report", "summary", "--data", data, "--json"]);
    // The report says the same, and where it comes from.
    let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    for (field, value) in summary.as_object().unwrap() {
        assert_eq!(&report[field], value, "{field}");
    }
    let completeness = &report["provenance"]["completeness"];
    assert_eq!(completeness["digest"], summary["digest"]);
}
