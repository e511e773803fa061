//! Parts of a census, computed by independent jobs, make the same census.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use crate::support::census::{digest, undisturbed};
use crate::support::process::{Process, done, output, text};
use crate::support::waiting::until;
use rustix::process::Signal;

const PLAN: [&str; 4] = ["--digits", "2", "--fuel", "2k"];

struct Lab(tempfile::TempDir);

impl Lab {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Computes one part of three.
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
        digest(&self.path("census"))
    }
}

/// Asserts that a command failed in one line.
fn refused(output: &Output, code: i32, says: &str) {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    let is_one_line = said.starts_with("error: ") && said.lines().count() == 1;
    assert!(is_one_line && said.contains(says), "{said}");
}

/// Asserts that a part was computed.
fn made(chunk: &Output) {
    assert!(chunk.status.success(), "{}", text(&chunk.stderr));
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn parts_in_any_order_and_twice_make_the_census() {
    let lab = Lab::new();
    for residue in ["0", "1", "2"] {
        made(&lab.chunk(residue, residue));
    }
    let first = json(&lab.merge(&["2", "0", "2"]));
    assert_eq!(first["new"], first["records"]);
    assert_eq!(first["known"], first["files"][0]["new"]);
    let merged = lab.merge(&["0", "1", "2"]);
    assert!(merged.status.success());
    let all = json(&merged);
    assert_eq!(all["records"], all["tasks"]);
    assert_eq!(all["known"], first["records"]);
    assert_eq!(lab.digest(), undisturbed(&PLAN));
}

#[test]
fn missing_results_are_computed_by_a_run() {
    let lab = Lab::new();
    made(&lab.chunk("1", "part"));
    assert!(lab.merge(&["part"]).status.success());
    done(&["census", "run", "--data", &lab.path("census")]);
    assert_eq!(lab.digest(), undisturbed(&PLAN));
}

/// After a kill at any point the same command goes on with the results that are there.
#[test]
fn a_part_that_was_cut_short_is_gone_on_with() {
    let lab = Lab::new();
    made(&lab.chunk("0", "whole"));
    let whole = fs::read(lab.path("whole")).unwrap();
    for cut in [0, 10, 40, whole.len() / 2, whole.len() - 1] {
        fs::write(lab.path("cut"), &whole[..cut]).unwrap();
        made(&lab.chunk("0", "cut"));
        let again = lab.merge(&["cut"]);
        assert!(again.status.success(), "{}", text(&again.stderr));
        // Its last results come in the order in which they were found.
        assert_eq!(
            fs::metadata(lab.path("cut")).unwrap().len(),
            whole.len() as u64
        );
    }
    // A complete part is left alone.
    made(&lab.chunk("0", "whole"));
    assert_eq!(fs::read(lab.path("whole")).unwrap(), whole);
}

#[test]
fn a_job_that_is_killed_loses_what_is_not_written() {
    let lab = Lab::new();
    let out = lab.path("part");
    let part = ["census", "chunk", "--digits", "3", "--fuel", "20k"];
    let place = ["--res", "0", "--mod", "2", "--out", &out];
    let mut job = Process::spawn(&[&part[..], &place].concat());
    until("results on disk", Duration::from_secs(60), || {
        size(&out) >= 10_000 || job.has_ended()
    });
    drop(job);
    let merged = lab.merge(&["part"]);
    assert!(merged.status.success(), "{}", text(&merged.stderr));
    assert!(json(&merged)["new"].as_u64() > Some(0));
}

/// A long game goes on where it was, and its result is that of an undisturbed job.
#[test]
#[ignore = "slow: minutes"]
fn a_game_that_is_stopped_in_the_middle_goes_on_from_its_checkpoint() {
    let lab = Lab::new();
    // The first checkpoint is kept after some ten million units of fuel.
    let game = ["--codes", "0.316", "--fuel", "16M"];
    let (whole, cut) = (lab.path("whole"), lab.path("cut"));
    let part = |out| ["census", "chunk", "--res", "0", "--mod", "1", "--out", out];
    done(&[&part(&whole)[..], &game].concat());
    let often = ["--checkpoint-every", "1ms"];
    let mut job = Process::spawn(&[&part(&cut)[..], &game, &often].concat());
    until("a checkpoint on disk", Duration::from_secs(600), || {
        !checkpoints(&lab).is_empty() || job.has_ended()
    });
    job.signal(Signal::TERM);
    assert_eq!(job.ended(Duration::from_secs(60)), Some(4));
    assert_eq!(checkpoints(&lab).len(), 1);
    assert!(size(&cut) < size(&whole));
    // The file says which part it is.
    let again = output(&["census", "chunk", "--out", &cut]);
    made(&again);
    assert_eq!(fs::read(&cut).unwrap(), fs::read(&whole).unwrap());
    assert!(checkpoints(&lab).is_empty());
}

/// A damaged checkpoint costs only its own work.
#[test]
fn a_damaged_checkpoint_is_passed_over() {
    let lab = Lab::new();
    made(&lab.chunk("0", "whole"));
    made(&lab.chunk("0", "part"));
    fs::write(
        lab.path("part"),
        &fs::read(lab.path("part")).unwrap()[..300],
    )
    .unwrap();
    let task = misere_task();
    fs::write(lab.path(&format!(".part.{task}.checkpoint")), "none").unwrap();
    made(&lab.chunk("0", "part"));
    let (part, whole) = (lab.path("part"), lab.path("whole"));
    assert_eq!(size(part), size(whole));
}

/// Returns the first digits of the name of the first task of the plan.
fn misere_task() -> String {
    let space = misere_census::Space::Octal { digits: 2 };
    let budget = misere_census::Budget {
        fuel: 2_000,
        ..misere_census::Budget::default()
    };
    let plan = misere_census::Plan::new(space, budget).unwrap();
    let first = misere_census::plan::tasks(&plan).next().unwrap();
    first.id().to_string()[..16].to_owned()
}

fn checkpoints(lab: &Lab) -> Vec<PathBuf> {
    let files = fs::read_dir(lab.0.path()).unwrap();
    let files = files.map(|file| file.unwrap().path());
    files
        .filter(|file| file.extension().is_some_and(|end| end == "checkpoint"))
        .collect()
}

#[test]
fn a_part_says_which_it_is() {
    let lab = Lab::new();
    let part = lab.path("part");
    refused(&output(&["census", "chunk", "--out", &part]), 1, "part");
    fs::write(&part, "").unwrap();
    let empty = output(&["census", "chunk", "--out", &part]);
    refused(&empty, 2, "does not say which part");
    let half = ["census", "chunk", "--digits", "2", "--out", &part];
    refused(&output(&half), 2, "--res");
}

fn size(file: impl Into<PathBuf>) -> u64 {
    fs::metadata(file.into()).map_or(0, |data| data.len())
}

/// a false result stays out, whatever its source.
#[test]
fn a_part_that_was_tampered_with_is_refused() {
    let lab = Lab::new();
    made(&lab.chunk("0", "part"));
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
    // Whatever came first, the truth is there in the end.
    for residue in ["0", "1", "2"] {
        made(&lab.chunk(residue, residue));
    }
    assert!(lab.merge(&["0", "1", "2"]).status.success());
    assert_eq!(lab.digest(), undisturbed(&PLAN));
}

#[test]
fn mismatched_parts_are_refused_in_one_line() {
    let lab = Lab::new();
    refused(&lab.chunk("3", "part"), 2, "0 to 2");
    made(&lab.chunk("0", "part"));
    refused(&lab.chunk("1", "part"), 1, "another part");
    fs::write(lab.path("script"), "#!/bin/sh\necho no\n").unwrap();
    refused(
        &lab.merge(&["script"]),
        1,
        "not a file of `misere census chunk`",
    );
    refused(
        &lab.chunk("1", "script"),
        1,
        "not a file of `misere census chunk`",
    );
    assert!(Path::new(&lab.path("script")).metadata().unwrap().len() < 30);
    refused(&lab.merge(&["nowhere"]), 1, "nowhere");
    let other = lab.path("other");
    let run = [
        "census", "chunk", "--codes", "0.3", "--res", "0", "--mod", "1", "--out", &other,
    ];
    done(&run);
    assert!(lab.merge(&["part"]).status.success());
    refused(&lab.merge(&["other"]), 1, "another plan");
}
