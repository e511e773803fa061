//! An export is whole, the same each time, and made of what was requested, or is not there at all.

use std::time::Duration;

use crate::export::made::{census, done, export, failed, lines, misere, read};
use crate::support::process::Process;
use crate::support::waiting::until;
use rustix::process::Signal;

const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

#[test]
fn the_same_census_gives_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    for format in ["jsonl", "csv", "sqlite", "gap", "sage"] {
        let (one, _) = export(dir.path(), &format!("{format}1"), &["--format", format]);
        let (two, _) = export(dir.path(), &format!("{format}2"), &["--format", format]);
        for entry in std::fs::read_dir(&one).unwrap() {
            let name = entry.unwrap().file_name();
            let same =
                std::fs::read(one.join(&name)).unwrap() == std::fs::read(two.join(&name)).unwrap();
            assert!(same, "{format}: {name:?}");
        }
        assert_eq!(
            std::fs::read_dir(&one).unwrap().count(),
            std::fs::read_dir(&two).unwrap().count()
        );
    }
}

#[test]
fn a_selection_selects() {
    let dir = tempfile::tempdir().unwrap();
    let codes = |name: &str, args: &[&str]| {
        let (out, _) = export(dir.path(), name, &[&["--format", "jsonl"], args].concat());
        let text = read(&out, "rulesets.jsonl");
        let codes = lines(&text).into_iter();
        codes
            .map(|(it, _)| it["code"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(codes("alias", &["--code", "4.4"]), ["4.4"]);
    assert_eq!(codes("other-spelling", &["--code", ".770"]), ["0.77"]);
    assert_eq!(
        codes("pattern", &["--code", "0.7?"]),
        ["0.71", "0.75", "0.77"]
    );
    assert_eq!(codes("status", &["--status", "infinite,diverges"]).len(), 2);
    let (out, _) = export(
        dir.path(),
        "class",
        &["--format", "jsonl", "--code", "0.241"],
    );
    let text = read(&out, "rulesets.jsonl");
    let class = lines(&text)[0].0["quotient"]["class"].clone();
    assert_eq!(
        codes("by-class", &["--class", class.as_str().unwrap()]),
        ["0.71", "0.241"]
    );
}

#[test]
fn a_failed_export_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let out = out.to_str().unwrap();
    let fixed = ["export", "--data", census(), "--out", out, "--format"];
    let (exit, said) = failed(&[&fixed[..], &["csv", "--code", "0.1234"]].concat());
    assert!(exit == 1 && said.contains("selected"), "{said}");
    let (exit, _) = failed(&[&fixed[..], &["bfile", "--code", "0.77"]].concat());
    assert_eq!(exit, 2);
    let sequence = ["bfile", "--sequence", "outcomes", "--code", "0.7*"];
    let (exit, said) = failed(&[&fixed[..], &sequence].concat());
    assert!(exit == 2 && said.contains("one code"), "{said}");
    let (exit, _) = failed(
        &[
            &fixed[..],
            &["bfile", "--sequence", "phi", "--code", "0.77"],
        ]
        .concat(),
    );
    assert_eq!(exit, 2);
    let misplaced = [
        (&["jsonl", "--without-quotients"][..], "--without-quotients"),
        (&["sqlite", "--sequence", "outcomes"], "--sequence"),
    ];
    for (args, option) in misplaced {
        let (exit, said) = failed(&[&fixed[..], args].concat());
        assert!(exit == 2 && said.contains(option), "{said}");
    }
    let absent = ["bfile", "--sequence", "outcomes", "--code", "0.1234"];
    let (exit, said) = failed(&[&fixed[..], &absent].concat());
    assert!(exit == 1 && said.contains("0.1234"), "{said}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);

    done(&[&fixed[..], &["gap"]].concat());
    let (exit, said) = failed(&[&fixed[..], &["gap"]].concat());
    assert!(exit == 1 && said.contains("exists"), "{said}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}

/// Ctrl-C in the middle of an export that would take an hour.
#[test]
#[cfg(unix)]
fn an_interrupted_export_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let sequence = [
        "--sequence",
        "nim-values",
        "--code",
        "0.005",
        "--terms",
        "1000000",
    ];
    let place = out.to_str().unwrap();
    let export = ["export", "--format", "bfile", "--data", census(), "--out"];
    let mut child = Process::spawn(&[&export[..], &[place], &sequence].concat());
    let parts = || std::fs::read_dir(dir.path()).unwrap().count();
    until("a part of the export", WAIT_TIMEOUT, || parts() > 0);
    assert!(!out.exists());
    child.signal(Signal::INT);
    assert_eq!(child.ended(WAIT_TIMEOUT), Some(4));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_change_of_an_export_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let (out, _) = export(dir.path(), "out", &["--format", "csv"]);
    let check = ["export", "--check", out.to_str().unwrap()];
    assert!(done(&check).starts_with("13 files as written"));
    let file = out.join("partials.csv");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replacen("0.77", "0.75", 1)).unwrap();
    std::fs::remove_file(out.join("phi.csv")).unwrap();
    std::fs::write(out.join("notes"), "").unwrap();
    let output = misere(&check);
    assert_eq!(output.status.code(), Some(5));
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "partials.csv is not what was written\nphi.csv is missing\nnotes is not in the manifest\n"
    );
    let manifest = out.join("manifest.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replacen("\"phi.csv\"", "\"../phi.csv\"", 1)).unwrap();
    let found = String::from_utf8(misere(&check).stdout).unwrap();
    assert!(
        found.contains("`../phi.csv`, which is not a file of this export"),
        "{found}"
    );
    std::fs::write(&manifest, "{}").unwrap();
    assert_eq!(failed(&check).0, 1);
}
