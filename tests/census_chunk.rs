//! Parts of a census, computed by jobs that know nothing of each other, make the same census.
#![cfg(feature = "census")]
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const PLAN: [&str; 4] = ["--digits", "2", "--fuel", "2k"];

fn misere(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_misere"));
    command.args(args).stdin(Stdio::null());
    command
}

fn output(args: &[&str]) -> Output {
    misere(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn done(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

struct Lab(tempfile::TempDir);

impl Lab {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// A part of three.
    fn chunk(&self, residue: &str, name: &str) -> Output {
        let out = self.path(name);
        let part = [
            "census", "chunk", "--res", residue, "--mod", "3", "--out", &out,
        ];
        output(&[&part[..], &PLAN].concat())
    }

    fn merge(&self, names: &[&str]) -> Output {
        let data = self.path("census");
        let files: Vec<String> = names.iter().map(|name| self.path(name)).collect();
        let files = files.iter().map(String::as_str);
        let merge = ["census", "merge", "--json", "--data", &data];
        output(&merge.into_iter().chain(files).collect::<Vec<_>>())
    }

    fn digest(&self) -> String {
        done(&output(&[
            "census",
            "digest",
            "--data",
            &self.path("census"),
        ]))
    }
}

/// That of the same plan, computed in one piece.
fn expected() -> String {
    let lab = Lab::new();
    let run = ["census", "run", "--data", &lab.path("census")];
    done(&output(&[&run[..], &PLAN].concat()));
    lab.digest()
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn parts_in_any_order_and_twice_make_the_census() {
    let lab = Lab::new();
    for residue in ["0", "1", "2"] {
        done(&lab.chunk(residue, residue));
    }
    let first = json(&lab.merge(&["2", "0", "2"]));
    assert_eq!(first["new"], first["records"]);
    assert_eq!(first["known"], first["files"][0]["new"]);
    let merged = lab.merge(&["0", "1", "2"]);
    assert!(merged.status.success());
    let all = json(&merged);
    assert_eq!(all["records"], all["tasks"]);
    assert_eq!(all["known"], first["records"]);
    assert_eq!(lab.digest(), expected());
}

#[test]
fn what_is_missing_is_computed_by_a_run() {
    let lab = Lab::new();
    done(&lab.chunk("1", "part"));
    assert!(lab.merge(&["part"]).status.success());
    done(&output(&["census", "run", "--data", &lab.path("census")]));
    assert_eq!(lab.digest(), expected());
}

/// Wherever a job is killed, the same command goes on with what is there.
#[test]
fn a_part_that_was_cut_short_is_gone_on_with() {
    let lab = Lab::new();
    done(&lab.chunk("0", "whole"));
    let whole = fs::read(lab.path("whole")).unwrap();
    for cut in [0, 10, 40, whole.len() / 2, whole.len() - 1] {
        fs::write(lab.path("cut"), &whole[..cut]).unwrap();
        done(&lab.chunk("0", "cut"));
        let again = lab.merge(&["cut"]);
        assert!(again.status.success(), "{}", text(&again.stderr));
        // Its last results come in the order in which they were found.
        assert_eq!(
            fs::metadata(lab.path("cut")).unwrap().len(),
            whole.len() as u64
        );
    }
    // One that is whole is left alone.
    done(&lab.chunk("0", "whole"));
    assert_eq!(fs::read(lab.path("whole")).unwrap(), whole);
}

#[test]
fn a_job_that_is_killed_loses_what_is_not_written() {
    let lab = Lab::new();
    let out = lab.path("part");
    let part = ["census", "chunk", "--digits", "3", "--fuel", "20k"];
    let place = ["--res", "0", "--mod", "2", "--out", &out];
    let mut job = misere(&[&part[..], &place].concat())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while size(&out) < 10_000 && job.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(1));
    }
    job.kill().unwrap();
    job.wait().unwrap();
    let merged = lab.merge(&["part"]);
    assert!(merged.status.success(), "{}", text(&merged.stderr));
    assert!(json(&merged)["new"].as_u64() > Some(0));
}

fn size(file: impl Into<PathBuf>) -> u64 {
    fs::metadata(file.into()).map_or(0, |data| data.len())
}

/// what is false stays out, whoever brings it.
#[test]
fn what_was_tampered_with_is_refused() {
    let lab = Lab::new();
    done(&lab.chunk("0", "part"));
    let honest = fs::read(lab.path("part")).unwrap();
    let mut refused = 0;
    for at in (200..honest.len()).step_by(honest.len() / 20) {
        let mut false_one = honest.clone();
        false_one[at] ^= 1;
        fs::write(lab.path("false"), false_one).unwrap();
        let merged = lab.merge(&["false"]);
        let code = merged.status.code();
        // Refused by the checker, or not even read.
        assert!(matches!(code, Some(0 | 1 | 5)), "{}", text(&merged.stderr));
        refused += u32::from(code != Some(0));
        let _ = fs::remove_dir_all(lab.path("census"));
    }
    assert!(refused > 10, "{refused}");
    // Whatever came first, in the end the truth is there.
    for residue in ["0", "1", "2"] {
        done(&lab.chunk(residue, residue));
    }
    assert!(lab.merge(&["0", "1", "2"]).status.success());
    assert_eq!(lab.digest(), expected());
}

#[test]
fn what_does_not_belong_together_is_said_in_one_line() {
    let lab = Lab::new();
    let refused = |output: &Output, code: i32, says: &str| {
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{said}");
        let one_line = said.starts_with("error: ") && said.lines().count() == 1;
        assert!(one_line && said.contains(says), "{said}");
    };
    refused(&lab.chunk("3", "part"), 2, "0 to 2");
    done(&lab.chunk("0", "part"));
    refused(&lab.chunk("1", "part"), 1, "another part");
    fs::write(lab.path("script"), "#!/bin/sh\necho no\n").unwrap();
    refused(
        &lab.merge(&["script"]),
        1,
        "no file of `misere census chunk`",
    );
    refused(
        &lab.chunk("1", "script"),
        1,
        "no file of `misere census chunk`",
    );
    assert!(Path::new(&lab.path("script")).metadata().unwrap().len() < 30);
    refused(&lab.merge(&["nowhere"]), 1, "nowhere");
    let other = lab.path("other");
    let run = [
        "census", "chunk", "--codes", "0.3", "--res", "0", "--mod", "1", "--out", &other,
    ];
    done(&output(&run));
    assert!(lab.merge(&["part"]).status.success());
    refused(&lab.merge(&["other"]), 1, "another plan");
}
