//! Censuses of several directories, merged into one, are the census of one run.
#![cfg(unix)]

use std::process::Output;
use std::time::Duration;

use crate::support::census::{digest, records, undisturbed};
use crate::support::process::{Process, done, output, text};
use crate::support::waiting::until;
use rustix::process::Signal;

const BUDGET: [&str; 2] = ["--fuel", "2k"];
const PLAN: [&str; 4] = ["--digits", "2", "--fuel", "2k"];

struct Lab(tempfile::TempDir);

impl Lab {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Makes a census of the listed codes.
    fn listed(&self, name: &str, codes: &str) {
        let data = self.path(name);
        let run = ["census", "run", "--codes", codes, "--data", &data];
        done(&[&run[..], &BUDGET].concat());
    }

    /// Makes a census of the plan with a third of its games.
    fn third(&self, residue: &str) {
        let (part, data) = (self.path("part"), self.path(residue));
        let chunk = [
            "census", "chunk", "--mod", "3", "--out", &part, "--res", residue,
        ];
        done(&[&chunk[..], &PLAN].concat());
        done(&["census", "merge", "--data", &data, &part]);
        std::fs::remove_file(part).unwrap();
    }

    /// Merges into `whole`.
    fn merge(&self, options: &[&str], names: &[&str]) -> Output {
        let data = self.path("whole");
        let censuses: Vec<String> = names.iter().map(|name| self.path(name)).collect();
        let censuses: Vec<&str> = censuses.iter().map(String::as_str).collect();
        let merge = ["census", "merge", "--json", "--data", &data];
        output(&[&merge[..], options, &censuses].concat())
    }
}

fn refused(output: &Output, code: i32, says: &str) {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(said.starts_with("error: ") && said.contains(says), "{said}");
}

fn json(output: &Output) -> serde_json::Value {
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn parts_of_one_plan_make_the_census() {
    let lab = Lab::new();
    for residue in ["0", "1", "2"] {
        lab.third(residue);
    }
    let two = json(&lab.merge(&[], &["2", "0"]));
    assert_eq!(two["new"], two["records"]);
    // The classes that both have are one class, and existing results are only compared.
    let all = json(&lab.merge(&[], &["0", "1", "2"]));
    assert_eq!(all["records"], all["tasks"]);
    assert_eq!(all["known"], two["records"]);
    assert_eq!(digest(&lab.path("whole")), undisturbed(&PLAN));
    done(&["census", "check", "--data", &lab.path("whole")]);
}

#[test]
fn lists_of_codes_make_the_census_of_all_of_them() {
    let lab = Lab::new();
    lab.listed("one", "0.77,0.3,0.07");
    lab.listed("two", "0.123,0.6");
    json(&lab.merge(&[], &["one", "two"]));
    let whole = ["--codes", "0.77,0.3,0.07,0.123,0.6", "--fuel", "2k"];
    assert_eq!(digest(&lab.path("whole")), undisturbed(&whole));
}

/// The codes of a list have fewer aliases than those of the whole space.
#[test]
fn lists_are_parts_of_the_space_that_the_options_name() {
    let lab = Lab::new();
    lab.listed("one", "0.77,0.2,0.15");
    let merged = json(&lab.merge(&PLAN, &["one"]));
    assert_eq!((&merged["new"], &merged["tasks"]), (&3.into(), &46.into()));
    assert_eq!(merged["files"][0]["left_out"], 0);
    done(&["census", "run", "--data", &lab.path("whole")]);
    assert_eq!(digest(&lab.path("whole")), undisturbed(&PLAN));
}

#[test]
fn censuses_that_do_not_belong_together_are_refused() {
    let lab = Lab::new();
    lab.listed("one", "0.77");
    let other = lab.path("other");
    let fuel = ["--codes", "0.77", "--fuel", "3k", "--data", &other];
    done(&[&["census", "run"][..], &fuel].concat());
    refused(&lab.merge(&[], &["one", "other"]), 2, "another plan");
    let codes = ["--codes", "0.77", "--fuel", "2k"];
    refused(&lab.merge(&codes, &["one", "other"]), 1, "another budget");
    refused(&lab.merge(&[], &["whole"]), 2, "the census itself");
    std::fs::create_dir(lab.path("empty")).unwrap();
    refused(&lab.merge(&[], &["empty"]), 1, "no census");
    let quotients = lab.path("quotients");
    let run = ["--space", "quotients", "--order", "4", "--data", &quotients];
    done(&[&["census", "run"][..], &run].concat());
    let data = lab.path("of-quotients");
    let merge = ["census", "merge", "--data", &data, &quotients];
    refused(&output(&merge), 1, "levels of quotients");
}

/// Results without a task are reported.
#[test]
fn results_without_a_task_are_left_out() {
    let lab = Lab::new();
    lab.listed("one", "0.77,0.3,0.123");
    let merged = lab.merge(&["--codes", "0.77", "--fuel", "2k"], &["one"]);
    assert_eq!(json(&merged)["files"][0]["left_out"], 2);
    assert!(text(&merged.stderr).contains("2 results left out"));
}

#[test]
fn a_merge_that_is_killed_goes_on() {
    let lab = Lab::new();
    let plan = ["--digits", "3", "--fuel", "2k"];
    let one = lab.path("one");
    done(&[&["census", "run", "--data", &one][..], &plan].concat());
    let (whole, merge) = (
        lab.path("whole"),
        ["census", "merge", "--confirm-one-in", "1"],
    );
    let mut killed = Process::spawn(&[&merge[..], &["--data", &whole, &one]].concat());
    until("a census that is begun", Duration::from_secs(60), || {
        std::path::Path::new(&whole).join("db").exists()
    });
    killed.signal(Signal::KILL);
    killed.wait();
    assert!(records(&whole) <= 307);
    json(&lab.merge(&[], &["one"]));
    assert_eq!(digest(&whole), digest(&one));
}
