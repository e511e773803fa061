//! A small census in every form that other programs read, read back. Every test runs the real command.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use misere_theory::bipartite::BipartiteMonoid;
use misere_theory::bipartite::multiplication::Multiplication;
use misere_theory::control::Control;
use misere_theory::normal::NimValues;
use misere_theory::outcome::{Convention, Oracle, Outcome};
use misere_theory::ruleset::Code;
use misere_theory::solution::Document;
use serde_json::Value;

/// 0.123 and 0.77 with an alias, 0.241 (whose quotient is that of 0.71), 0.75 (R_8), tame 0.3, 0.005 (proved infinite at
/// once), 0.14 (diverges), and a finite game, whose code has a comma.
const CODES: &str = "0.123,0.77,4.4,0.241,0.71,0.75,0.3,0.005,0.14,{*2,0}";

fn misere(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_misere"))
        .args(args)
        .output()
        .unwrap()
}

fn done(args: &[&str]) -> String {
    let output = misere(args);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() && said.is_empty(),
        "{args:?}: {said}"
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Exit code and error of a command that fails.
fn failed(args: &[&str]) -> (i32, String) {
    let output = misere(args);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("error: ") && said.lines().count() == 1,
        "{said}"
    );
    (output.status.code().unwrap(), said)
}

/// Games under several codes each: 0.4, 0.77, 0.06, 0.37 and 0.26 whose aliases have all heaps larger or smaller,
/// 0.011 whose aliases have heaps renumbered in different ways; 0.2, 0.5, 0.7 and their like, of one
/// class with different pretending functions; 0.777, tame relative to a heap, and 4.44; games that are not solved; finite
/// games, Grundy's game, and games that leave three heaps.
const NAMES: &str = "0.4,0.07,0.137,0.43,0.77,4.4,4.63,0.06,0.036,0.37,0.6,4.03,0.73,0.26,0.337,0.041,0.043,0.011,0.101,0.11,\
0.2,0.5,0.7,4,4.2,0.02,0.13,0.05,0.52,0.22,0.33,0.002,0.113,0.123,0.241,0.307,0.24,0.75,0.71,0.777,4.44,0.005,0.14,\
{*2,0},{*3,*2,0},*3,{{*2},0},grundy,0.8,0.9092,0.1F,8.3";

/// A census in a directory that is gone after the tests.
type Made = OnceLock<(tempfile::TempDir, String)>;

/// A census, made once for all tests of this file.
fn made(census: &'static Made, plan: &[&str]) -> &'static str {
    let (_, data) = census.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("census").to_str().unwrap().to_owned();
        let run = misere(&[&["census", "run", "--data", &data], plan].concat());
        assert!(run.status.success(), "{run:?}");
        (dir, data)
    });
    data
}

fn census() -> &'static str {
    static CENSUS: Made = OnceLock::new();
    made(&CENSUS, &["--codes", CODES, "--fuel", "40k"])
}

/// The census of games under several codes.
fn names() -> &'static str {
    static CENSUS: Made = OnceLock::new();
    made(&CENSUS, &["--codes", NAMES, "--fuel", "60k"])
}

/// Exports the census, and tells where and with which manifest.
fn export(dir: &Path, name: &str, args: &[&str]) -> (PathBuf, Value) {
    export_of(census(), dir, name, args)
}

fn export_of(census: &str, dir: &Path, name: &str, args: &[&str]) -> (PathBuf, Value) {
    let out = dir.join(name);
    let fixed = [
        "export",
        "--json",
        "--data",
        census,
        "--out",
        out.to_str().unwrap(),
    ];
    let manifest = done(&[&fixed[..], args].concat());
    (out, serde_json::from_str(&manifest).unwrap())
}

fn read(path: &Path, name: &str) -> String {
    std::fs::read_to_string(path.join(name)).unwrap()
}

/// The documents of a JSON Lines file, with their lines.
fn lines(text: &str) -> Vec<(Value, &str)> {
    let lines = text.lines();
    lines
        .map(|line| (serde_json::from_str(line).unwrap(), line))
        .collect()
}

/// A CSV file (RFC 4180): its heading, and the fields of each row.
fn csv(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let row = rows.last_mut().unwrap();
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                row.last_mut().unwrap().push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(String::new()),
            '\r' if !quoted => {
                assert_eq!(chars.next(), Some('\n'));
                rows.push(vec![String::new()]);
            }
            c => row.last_mut().unwrap().push(c),
        }
    }
    assert!(!quoted);
    assert_eq!(rows.pop().unwrap(), [""]);
    let heading = rows.remove(0);
    assert!(rows.iter().all(|row| row.len() == heading.len()));
    (heading, rows)
}

#[test]
fn status_and_manifest_say_what_is_complete_and_how_sure() {
    let dir = tempfile::tempdir().unwrap();
    let status: Value =
        serde_json::from_str(&done(&["census", "status", "--json", "--data", census()])).unwrap();
    let stated = &status["completeness"];
    assert_eq!(stated["complete"], true);
    assert_eq!(stated["plan"]["fuel"], 40_000);
    let known: BTreeMap<&str, (&str, u64)> = (stated["statuses"].as_array().unwrap().iter())
        .map(|it| {
            let text = |name: &str| it[name].as_str().unwrap();
            (
                text("status"),
                (text("knowledge"), it["rulesets"].as_u64().unwrap()),
            )
        })
        .collect();
    assert_eq!(known["solved"], ("proved", 7));
    assert_eq!(known["infinite"], ("proved", 1));
    assert_eq!(known.values().map(|(_, count)| count).sum::<u64>(), 9);

    let text = done(&["census", "status", "--data", census()]);
    for part in [
        "Plan ",
        "Finished: all 9 rulesets",
        "Proved, each by a certificate",
        "Digest ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (_, manifest) = export(dir.path(), "out", &["--format", "gap"]);
    assert_eq!(&manifest["completeness"], stated);
    assert_eq!(manifest["digest"], stated["digest"]);
    assert_eq!(manifest["plan"], stated["plan"]["id"]);
}

/// A census of misère quotients: complete orders are said to be complete, and nothing of others.
#[test]
fn status_says_which_orders_are_complete() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("census");
    let data = data.to_str().unwrap();
    let plan = ["--space", "quotients", "--order", "10"];
    let run = misere(&[&["census", "run", "--data", data], &plan[..]].concat());
    assert!(run.status.success(), "{run:?}");
    let status: Value =
        serde_json::from_str(&done(&["census", "status", "--json", "--data", data])).unwrap();
    let stated = &status["completeness"];
    assert_eq!(
        (&stated["complete"], &stated["tasks"]),
        (&true.into(), &0.into())
    );
    assert_eq!(stated["greatest_order"], 10);
    let orders = stated["orders"].as_array().unwrap().iter();
    let quotients: Vec<_> = orders
        .map(|it| {
            (
                it["order"].as_u64().unwrap(),
                it["quotients"].as_u64().unwrap(),
            )
        })
        .collect();
    // Siegel, Structure and classification, Table 1.
    assert_eq!(quotients, [(2, 1), (4, 0), (6, 1), (8, 1), (10, 1)]);
    let text = done(&["census", "status", "--data", data]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("complete to order 10, 4 of order 2 to 10"),
        "{text}"
    );
    assert!(!text.contains("rulesets of the plan"), "{text}");
}

#[test]
fn json_lines_are_certificates() {
    let dir = tempfile::tempdir().unwrap();
    let (out, manifest) = export(dir.path(), "out", &["--format", "jsonl"]);
    let text = read(&out, "rulesets.jsonl");
    let rulesets = lines(&text);
    assert_eq!(rulesets.len(), 9);
    assert_eq!(manifest["counts"]["rulesets"], 9);
    for (at, (document, line)) in rulesets.iter().enumerate() {
        let file = dir.path().join(format!("{at}.json"));
        std::fs::write(&file, line).unwrap();
        done(&["verify", file.to_str().unwrap()]);
        let solution: Document = serde_json::from_str(line).unwrap();
        solution.into_solution().unwrap();
        let aliases = document["aliases"].as_array().unwrap();
        assert_eq!(aliases.is_empty(), document["code"] != "0.77", "{line}");
    }
    let text = read(&out, "classes.jsonl");
    let classes = lines(&text);
    let class_of = |code: &str| {
        let (document, _) = rulesets.iter().find(|(it, _)| it["code"] == code).unwrap();
        document["quotient"]["class"].clone()
    };
    assert_eq!(class_of("0.71"), class_of("0.241"));
    let (shared, _) = classes
        .iter()
        .find(|(it, _)| it["class"] == class_of("0.71"))
        .unwrap();
    let quotient = &shared["quotient"];
    let action = serde_json::from_value(quotient["action"].clone()).unwrap();
    let p_portion: Vec<u32> = serde_json::from_value(quotient["p_portion"].clone()).unwrap();
    let rebuilt = BipartiteMonoid::new(36, action, p_portion).unwrap();
    assert_eq!(rebuilt.class_key().to_string(), shared["class"]);
    let members = shared["members"].as_array().unwrap();
    let members: Vec<&Value> = members.iter().map(|it| &it["code"]).collect();
    assert_eq!(members, ["0.71", "0.241"]);
    // Every partial quotient's class is there, and nothing else.
    let mut met: Vec<&Value> = (rulesets.iter())
        .flat_map(|(it, _)| it["partials"].as_array().unwrap())
        .map(|partial| &partial["class"])
        .collect();
    met.sort_by_key(|class| class.as_str().unwrap());
    met.dedup();
    assert_eq!(
        met,
        classes
            .iter()
            .map(|(it, _)| &it["class"])
            .collect::<Vec<_>>()
    );
}

#[test]
fn tables_say_the_same_in_csv_and_in_sqlite_as_the_documents() {
    let dir = tempfile::tempdir().unwrap();
    let (tables, _) = export(dir.path(), "csv", &["--format", "csv"]);
    let (database, manifest) = export(dir.path(), "sqlite", &["--format", "sqlite"]);
    let (documents, _) = export(dir.path(), "jsonl", &["--format", "jsonl"]);
    let connection = rusqlite::Connection::open(database.join("census.sqlite")).unwrap();
    let number = |sql: &str| {
        connection
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .unwrap()
    };
    assert_eq!(number("PRAGMA user_version"), 2);
    assert_eq!(number("PRAGMA application_id"), 0x4D69_7351);
    assert_eq!(number("SELECT count(*) FROM pragma_foreign_key_check"), 0);
    let text = connection.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0));
    assert_eq!(text.unwrap(), "ok");

    for (table, count) in manifest["counts"].as_object().unwrap() {
        let (heading, rows) = csv(&read(&tables, &format!("{table}.csv")));
        assert_eq!(rows.len() as u64, count.as_u64().unwrap(), "{table}");
        let mut select = connection
            .prepare(&format!("SELECT * FROM {table}"))
            .unwrap();
        assert!(select.column_names().eq(heading.iter().map(String::as_str)));
        let stored = select.query_map([], |row| {
            (0..heading.len())
                .map(|at| {
                    Ok(match row.get_ref(at)? {
                        rusqlite::types::ValueRef::Null => String::new(),
                        rusqlite::types::ValueRef::Integer(number) => number.to_string(),
                        other => other.as_str().unwrap().to_owned(),
                    })
                })
                .collect::<Result<Vec<String>, _>>()
        });
        let mut stored: Vec<Vec<String>> = stored.unwrap().map(Result::unwrap).collect();
        let mut rows = rows;
        stored.sort();
        rows.sort();
        assert!(stored == rows, "{table}");
    }

    let text = read(&documents, "rulesets.jsonl");
    for (document, line) in lines(&text) {
        let code = document["code"].as_str().unwrap();
        let solution = serde_json::from_str::<Document>(line)
            .unwrap()
            .into_solution()
            .unwrap();
        let mut select = connection
            .prepare("SELECT element FROM phi WHERE code = ? ORDER BY heap")
            .unwrap();
        let phi = select.query_map([code], |row| row.get(0)).unwrap();
        assert_eq!(
            phi.map(Result::unwrap).collect::<Vec<u32>>(),
            solution.phi,
            "{code}"
        );
        let mut action = vec![vec![0; solution.quotient.order()]; solution.quotient.generators()];
        let mut select = connection
            .prepare("SELECT generator, element, product FROM action WHERE code = ?")
            .unwrap();
        let mut rows = select.query([code]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let at = |column| row.get::<_, u32>(column).unwrap() as usize;
            action[at(0)][at(1)] = at(2) as u32;
        }
        let mut select = connection
            .prepare("SELECT element FROM elements WHERE code = ? AND in_p = 1")
            .unwrap();
        let p_portion = select
            .query_map([code], |row| row.get::<_, u32>(0))
            .unwrap();
        let p_portion = p_portion.map(Result::unwrap).collect::<Vec<_>>();
        let rebuilt = BipartiteMonoid::new(solution.quotient.order(), action, p_portion).unwrap();
        assert!(rebuilt == solution.quotient, "{code}");
        let mut select = connection
            .prepare("SELECT left_word || ' = ' || right_word FROM relations WHERE code = ? ORDER BY position")
            .unwrap();
        let relations = select
            .query_map([code], |row| row.get::<_, String>(0))
            .unwrap();
        let relations: Vec<Value> = relations.map(|it| Value::from(it.unwrap())).collect();
        assert_eq!(
            &relations,
            document["quotient"]["presentation"].as_array().unwrap()
        );
    }

    // The views answer what they are for.
    let texts = |sql: &str| {
        let mut select = connection.prepare(sql).unwrap();
        let rows = select.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.map(Result::unwrap).collect::<Vec<_>>()
    };
    assert_eq!(
        texts("SELECT code FROM wild_solved ORDER BY code"),
        ["0.123", "0.241", "0.71", "0.75", "0.77"]
    );
    assert_eq!(
        texts("SELECT name FROM wild_solved WHERE code = '0.75'"),
        ["R_8"]
    );
    assert_eq!(
        texts("SELECT ruleset FROM games WHERE code = '4.4'"),
        ["0.77"]
    );
    assert_eq!(
        texts(
            "SELECT code FROM occurrences WHERE last_heap IS NULL AND class = (SELECT class FROM rulesets WHERE code = '0.71')"
        ),
        ["0.241", "0.71"]
    );
    assert_eq!(
        texts(
            "SELECT heap || '' FROM outcomes WHERE code = '0.77' AND outcome = 'P' AND heap < 40"
        ),
        ["1", "4", "9", "12", "20"]
    );
    assert_eq!(number("SELECT sum(codes) FROM knowledge"), 10);
}

#[test]
fn tables_without_quotients_are_the_others() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, _) = export(dir.path(), "whole", &["--format", "csv"]);
    let without = ["--format", "csv", "--without-quotients"];
    let (small, manifest) = export(dir.path(), "small", &without);
    for table in [
        "phi",
        "alias_phi",
        "generators",
        "elements",
        "action",
        "relations",
    ] {
        let (_, rows) = csv(&read(&small, &format!("{table}.csv")));
        assert!(rows.is_empty() && manifest["counts"][table].is_null());
    }
    for table in [
        "rulesets",
        "aliases",
        "partials",
        "alias_partials",
        "classes",
    ] {
        let file = format!("{table}.csv");
        assert_eq!(read(&small, &file), read(&whole, &file));
    }
    assert!(read(&small, "meta.csv").contains("\r\nquotients,0\r\n"));
}

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
fn what_cannot_be_exported_leaves_nothing() {
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
    let child = Command::new(env!("CARGO_BIN_EXE_misere"))
        .args(["export", "--format", "bfile", "--data", census(), "--out"])
        .arg(&out)
        .args(sequence)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut child = Running(child);
    let parts = || std::fs::read_dir(dir.path()).unwrap().count();
    for _ in 0..2000 {
        if parts() > 0 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(parts() > 0 && !out.exists());
    let pid = child.0.id().to_string();
    Command::new("kill").args(["-INT", &pid]).output().unwrap();
    assert_eq!(child.0.wait().unwrap().code(), Some(4));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

/// A process that dies with the test.
struct Running(std::process::Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_change_of_an_export_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let (out, _) = export(dir.path(), "out", &["--format", "csv"]);
    let check = ["export", "--check", out.to_str().unwrap()];
    assert!(done(&check).starts_with("12 files as written"));
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
        found.contains("`../phi.csv`, which is no file of this export"),
        "{found}"
    );
    std::fs::write(&manifest, "{}").unwrap();
    assert_eq!(failed(&check).0, 1);
}

#[test]
fn b_files_have_the_values_of_the_game() {
    let dir = tempfile::tempdir().unwrap();
    let terms = |code: &str, sequence: &str| {
        let args = [
            "--format",
            "bfile",
            "--sequence",
            sequence,
            "--code",
            code,
            "--terms",
            "150",
        ];
        let (out, _) = export(dir.path(), &format!("{code}-{sequence}"), &args);
        let text = read(&out, &format!("{sequence}.txt"));
        let lines = text.lines().skip_while(|line| line.starts_with('#'));
        let terms: Vec<(u64, u64)> = lines
            .map(|line| {
                let (n, value) = line.split_once(' ').unwrap();
                (n.parse().unwrap(), value.parse().unwrap())
            })
            .collect();
        let first = terms[0].0;
        assert!(terms.iter().zip(first..).all(|(&(n, _), at)| n == at));
        (
            first,
            terms
                .into_iter()
                .map(|(_, value)| value)
                .collect::<Vec<_>>(),
        )
    };
    // Winning Ways, chapter 13: the single heaps that are P-positions of misère Kayles.
    assert_eq!(terms("0.77", "p-heaps"), (1, vec![1, 4, 9, 12, 20]));
    // In 4.4 every heap is one larger.
    assert_eq!(terms("4.4", "p-heaps"), (1, vec![2, 5, 10, 13, 21]));
    let normal: Value =
        serde_json::from_str(&done(&["solve", "0.77", "--normal", "--json"])).unwrap();
    let values: Vec<u64> = serde_json::from_value(normal["nim_values"].clone()).unwrap();
    assert_eq!(terms("0.77", "nim-values").1, values[..150]);
    let (offset, orders) = terms("0.123", "quotient-orders");
    assert_eq!((offset, orders[0], orders[149]), (0, 1, 20));
    for heap in [7, 20, 100, 149] {
        let arguments = ["outcome", "0.77", &heap.to_string(), "--json"];
        let outcome: Value = serde_json::from_str(&done(&arguments)).unwrap();
        let is_p = u64::from(outcome["outcome"] == "P");
        assert_eq!(terms_at(&terms, heap), is_p, "{heap}");
    }
    // Of a game that is not solved no more is told than is known.
    assert!(terms("0.005", "outcomes").1.len() < 150);
}

/// Whether a heap is a P-position of Kayles; the b-file is written once more for each question.
fn terms_at(terms: &impl Fn(&str, &str) -> (u64, Vec<u64>), heap: usize) -> u64 {
    static KNOWN: OnceLock<Vec<u64>> = OnceLock::new();
    KNOWN.get_or_init(|| terms("0.77", "outcomes").1)[heap]
}

/// The data of a source file: its monoids, games and aliases in their order, each as what it is and its fields.
fn data(text: &str) -> Vec<(&'static str, BTreeMap<String, String>)> {
    let mut found: Vec<(&'static str, BTreeMap<String, String>)> = Vec::new();
    let mut open: Option<String> = None;
    for line in text.lines() {
        let kind = match line {
            "MONOIDS.append(MisereQuotient(" | "Add(MisereMonoids, rec(" => Some("monoid"),
            "add_game(" | "MisereAddGame(rec(" => Some("game"),
            "add_alias(" | "MisereAddAlias(rec(" => Some("alias"),
            _ => None,
        };
        if let Some(kind) = kind {
            found.push((kind, BTreeMap::new()));
            open = Some(String::new());
        } else if line.starts_with(')') {
            open = None;
        } else if let (Some(name), Some((_, fields))) = (&mut open, found.last_mut()) {
            let field = line.split_once(" := ").or_else(|| line.split_once('='));
            match field.filter(|_| !line.starts_with("    [")) {
                Some((field, value))
                    if field.trim().chars().all(|c| c.is_alphabetic() || c == '_') =>
                {
                    *name = field.trim().to_owned();
                    fields.insert(name.clone(), value.to_owned());
                }
                _ => fields.get_mut(name).unwrap().push_str(line),
            }
        }
    }
    found
}

/// A value as both languages write it.
fn value(fields: &BTreeMap<String, String>, name: &str) -> Value {
    let text = fields[name].trim_end_matches(',');
    match text {
        "None" | "fail" => Value::Null,
        text => {
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"))
        }
    }
}

fn numbers(value: &Value) -> Vec<u32> {
    serde_json::from_value(value.clone()).unwrap()
}

/// The live heap of `to` that has the place of a live heap of `from`; nothing for a dead heap.
fn same_heap(from: &Value, to: &Value, heap: u32) -> Option<u32> {
    let (listed, other) = (numbers(&from[1]), numbers(&to[1]));
    let is_listed = listed.contains(&heap);
    let before = |heaps: &[u32], heap: u32| heaps.iter().filter(|&&it| it < heap).count() as u32;
    let place = match from[0].as_str().unwrap() {
        "only" => is_listed.then(|| before(&listed, heap)),
        _ => (heap > 0 && !is_listed).then(|| heap - 1 - before(&listed, heap)),
    }?;
    match to[0].as_str().unwrap() {
        "only" => other.get(place as usize).copied(),
        _ => (1..)
            .filter(|heap| !other.contains(heap))
            .nth(place as usize),
    }
}

/// What stands in GAP and Sage source of every code, against the definition of outcomes.
#[test]
fn source_tells_the_outcomes_of_every_code() {
    let dir = tempfile::tempdir().unwrap();
    let mut statuses = std::collections::BTreeSet::new();
    for (format, file, first) in [("sage", "monoids.py", 0), ("gap", "monoids.g", 1)] {
        let (out, _) = export_of(names(), dir.path(), format, &["--format", format]);
        let text = read(&out, file);
        let mut codes = Vec::new();
        let mut monoid = None;
        let mut games: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        let (mut compared, mut periodic) = (0, 0);
        for (kind, fields) in data(&text) {
            if kind == "monoid" {
                let action = value(&fields, "action");
                let rows = action.as_array().unwrap().iter();
                let less = |row: Vec<u32>| row.into_iter().map(|x| x - first).collect();
                let action = rows.map(|row| less(numbers(row))).collect();
                let in_p = if format == "gap" {
                    "pPortion"
                } else {
                    "p_portion"
                };
                let in_p: Vec<u32> = less(numbers(&value(&fields, in_p)));
                let order = value(&fields, "order").as_u64().unwrap() as usize;
                let quotient = BipartiteMonoid::new(order, action, in_p).unwrap();
                monoid = Some(quotient);
                continue;
            }
            let code = value(&fields, "code").as_str().unwrap().to_owned();
            let kept = match kind {
                "game" => code.clone(),
                _ => {
                    let name = if format == "gap" { "kept" } else { "of" };
                    value(&fields, name).as_str().unwrap().to_owned()
                }
            };
            if kind == "game" {
                statuses.insert(value(&fields, "status").as_str().unwrap().to_owned());
                games.insert(code.clone(), fields.clone());
            }
            let game = &games[&kept];
            let quotient = monoid.as_ref().unwrap();
            let times = Multiplication::new(quotient);
            let phi = numbers(&value(game, "phi"));
            let (live, kept_live) = (value(&fields, "live"), value(game, "live"));
            let repeats = value(game, "period").as_u64().map(|period| {
                let preperiod = value(game, "preperiod").as_u64().unwrap();
                (preperiod as u32, period as u32)
            });
            let element = |heap: u32| {
                let Some(heap) = same_heap(&live, &kept_live, heap) else {
                    return Some(0);
                };
                let heap = match repeats {
                    Some((from, period)) if heap >= from => from + (heap - from) % period,
                    _ => heap,
                };
                phi.get(heap as usize).map(|x| x - first)
            };
            let known = value(&fields, "heaps").as_u64().unwrap() as u32;
            assert!((0..=known).all(|heap| element(heap).is_some()), "{code}");
            let code: Code = code.parse().unwrap();
            let mut oracle = Oracle::new(&code, Convention::Misere);
            for position in positions(14) {
                let values: Option<Vec<u32>> = position.iter().map(|&heap| element(heap)).collect();
                let Some(values) = values else { continue };
                let product = values.iter().fold(0, |x, &y| times.row(x)[y as usize]);
                let told = if quotient.in_p(product) {
                    Outcome::P
                } else {
                    Outcome::N
                };
                let outcome = oracle
                    .outcome(&position, &mut Control::unlimited())
                    .unwrap();
                assert_eq!(told, outcome, "{code} {position:?}");
                compared += 1;
            }
            // Under an alias the preperiod is one of the alias.
            if let (Some((_, period)), Some(preperiod)) =
                (repeats, value(&fields, "preperiod").as_u64())
            {
                let preperiod = preperiod as u32;
                assert!((preperiod..preperiod + 100).all(|n| element(n) == element(n + period)));
                assert!(
                    preperiod == 0 || element(preperiod - 1) != element(preperiod - 1 + period),
                    "{code}"
                );
                periodic += 1;
            }
            codes.push(code.to_string());
        }
        codes.sort();
        let mut asked = codes_of_names();
        asked.sort();
        assert_eq!(codes, asked);
        assert!(compared > 4000 && periodic > 20, "{compared} {periodic}");
    }
    assert!(statuses.len() >= 4, "{statuses:?}");
}

/// The codes of [`NAMES`], whose finite games have commas.
fn codes_of_names() -> Vec<String> {
    let mut codes = Vec::new();
    let mut depth = 0;
    for piece in NAMES.split(',') {
        match depth {
            0 => codes.push(piece.to_owned()),
            _ => {
                let code: &mut String = codes.last_mut().unwrap();
                code.push(',');
                code.push_str(piece);
            }
        }
        depth += piece.matches('{').count() as i32 - piece.matches('}').count() as i32;
    }
    let codes = codes.into_iter();
    codes
        .map(|code| code.parse::<Code>().unwrap().to_string())
        .collect()
}

/// Positions of at most three heaps with at most so many beans, and single heaps of a few more.
fn positions(beans: u32) -> Vec<Vec<u32>> {
    let mut positions: Vec<Vec<u32>> = (beans..20).map(|heap| vec![heap]).collect();
    for one in 0..=beans {
        for two in 0..=one.min(beans - one) {
            for three in 0..=two.min(beans - one - two) {
                positions.push(vec![one, two, three]);
            }
        }
    }
    positions
}

/// Every view has every code, each with its own heap numbers.
#[test]
fn tables_tell_of_every_code() {
    let dir = tempfile::tempdir().unwrap();
    let (database, _) = export_of(names(), dir.path(), "sqlite", &["--format", "sqlite"]);
    let connection = rusqlite::Connection::open(database.join("census.sqlite")).unwrap();
    let mut shifted = 0;
    for name in codes_of_names() {
        let code: Code = name.parse().unwrap();
        let mut oracle = Oracle::new(&code, Convention::Misere);
        let mut select = connection
            .prepare(
                "SELECT heap, outcome FROM outcomes WHERE code = ? AND heap < 20 ORDER BY heap",
            )
            .unwrap();
        let told = select.query_map([&name], |row| Ok((row.get(0)?, row.get(1)?)));
        let told: Vec<(u32, String)> = told.unwrap().map(Result::unwrap).collect();
        assert!(!told.is_empty(), "{name}");
        for (at, (heap, outcome)) in (0..).zip(&told) {
            let true_one = oracle.outcome(&[*heap], &mut Control::unlimited()).unwrap();
            assert_eq!((at, outcome), (*heap, &true_one.to_string()), "{name}");
        }
        // The program's own answer for this very code.
        let solved: Value =
            serde_json::from_str(&misere_json(&["solve", &name, "--fuel", "60k", "--json"]))
                .unwrap();
        let row = connection.query_row(
            "SELECT g.status, g.heaps, g.period, g.preperiod, g.diverges_at, g.tame_from, g.ruleset, a.shift
             FROM games g LEFT JOIN aliases a ON a.alias = g.code WHERE g.code = ?",
            [&name],
            |row| {
                let number = |at| row.get::<_, Option<i64>>(at);
                let numbers: Vec<Option<i64>> =
                    (1..6).map(number).collect::<Result<_, _>>()?;
                Ok((row.get::<_, String>(0)?, numbers, row.get::<_, String>(6)?, number(7)?))
            },
        );
        let (status, numbers, ruleset, shift) = row.unwrap();
        let number = |value: &Value| value.as_i64();
        let count = connection.query_row(
            "SELECT count(*) FROM outcomes WHERE code = ?",
            [&name],
            |row| row.get::<_, i64>(0),
        );
        let heaps = numbers[0].unwrap();
        let listed = if status == "solved" {
            heaps.max(999)
        } else {
            heaps
        };
        assert_eq!(count.unwrap(), listed + 1, "{name}");
        shifted += i32::from(shift.is_some_and(|shift| shift != 0));
        assert_eq!(
            shift.is_none() && ruleset != name,
            ruleset != name && code.max_parts() == 0,
            "{name}"
        );
        // Fuel ends at another heap where there are other dead heaps.
        if solved["status"] != status.as_str() || status == "exhausted" {
            continue;
        }
        let expected = [
            number(&solved["heaps"]),
            number(&solved["period"]),
            number(&solved["preperiod"]),
            number(&solved["diverges_at"]["heap"]).or(number(&solved["diverges_at"])),
            number(&solved["tame_relative"]["heap"]),
        ];
        let compared = if status == "tame-relative" { 4 } else { 0 };
        assert_eq!(
            numbers[compared..],
            expected[compared..],
            "{name}: {solved}"
        );
    }
    assert!(shifted > 8);
}

/// What the command prints, whatever it exits with.
fn misere_json(args: &[&str]) -> String {
    String::from_utf8(misere(args).stdout).unwrap()
}

/// A b-file is that of the code that was asked for, and says which game of the census that is.
#[test]
fn b_files_are_of_the_code_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let read_back = |name: &str, sequence: &str| {
        let args = [
            "--format",
            "bfile",
            "--sequence",
            sequence,
            "--code",
            name,
            "--terms",
            "20",
        ];
        let place = format!("{}-{sequence}", name.replace(['{', '}', '*', ','], "_"));
        let (out, _) = export_of(names(), dir.path(), &place, &args);
        let text = read(&out, &format!("{sequence}.txt"));
        let (comments, terms): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.starts_with('#'));
        let terms = terms
            .iter()
            .map(|line| line.split_once(' ').unwrap().1.parse().unwrap());
        (comments.join("\n"), terms.collect::<Vec<u64>>())
    };
    for name in codes_of_names() {
        let code: Code = name.parse().unwrap();
        let mut misere = Oracle::new(&code, Convention::Misere);
        let (_, outcomes) = read_back(&name, "outcomes");
        for (heap, &is_p) in (0..).zip(&outcomes) {
            let outcome = misere.outcome(&[heap], &mut Control::unlimited()).unwrap();
            assert_eq!(is_p == 1, outcome == Outcome::P, "{name} {heap}");
        }
        // A nim-value is the heap of Nim with which the sum is a P-position, in normal play.
        let mut normal = NimValues::new(&code);
        for _ in 0..20 {
            normal.next(&mut Control::unlimited()).unwrap();
        }
        let expected = normal.values()[..20].iter().map(|&nim| u64::from(nim));
        let (comments, values) = read_back(&name, "nim-values");
        assert_eq!(values, expected.collect::<Vec<_>>(), "{name}");
        assert!(comments.contains("computed by the recurrence") && !comments.contains("proved"));
        let (comments, orders) = read_back(&name, "quotient-orders");
        assert!(
            comments.contains("proved by the certificate of "),
            "{comments}"
        );
        // The order changes at the first live heap, to 2, and not before.
        let first = (0..20).find(|&heap| code.is_live(heap)).unwrap() as usize;
        for (heap, &order) in orders.iter().enumerate() {
            assert_eq!(order == 1, heap < first, "{name} {heap}");
        }
    }
    let (comments, _) = read_back("0.137", "p-sizes");
    assert!(comments.starts_with("# 0.137: ") && comments.contains("certificate of 0.4 "));
    assert!(
        comments.contains("# 0.137 is 0.4 with every heap two smaller."),
        "{comments}"
    );
}

/// A game that is asked for under an alias is written under that code where one line is one code.
#[test]
fn json_lines_are_under_the_code_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let (out, _) = export_of(
        names(),
        dir.path(),
        "out",
        &["--format", "jsonl", "--code", "4.*"],
    );
    let text = read(&out, "rulesets.jsonl");
    let rulesets = lines(&text);
    assert!(rulesets.len() >= 4);
    for (document, line) in &rulesets {
        let code = document["code"].as_str().unwrap();
        assert!(code.starts_with('4'), "{code}");
        let file = dir.path().join(format!("{code}.json"));
        std::fs::write(&file, line).unwrap();
        done(&["verify", file.to_str().unwrap()]);
        let renumberings = document["renumberings"].as_array().unwrap().iter();
        let aliases: Vec<&Value> = renumberings.map(|it| &it["code"]).collect();
        assert!(
            aliases.iter().eq(document["aliases"]
                .as_array()
                .unwrap()
                .iter()
                .collect::<Vec<_>>()
                .iter())
        );
        assert!(aliases.iter().all(|alias| *alias != code));
    }
    let (kayles, _) = rulesets.iter().find(|(it, _)| it["code"] == "4.4").unwrap();
    assert_eq!(
        (&kayles["period"], &kayles["preperiod"]),
        (&12.into(), &72.into())
    );
    let text = read(&out, "classes.jsonl");
    let mut last = BTreeMap::new();
    for (class, _) in lines(&text) {
        for member in class["members"].as_array().unwrap() {
            let range = member["heaps"].as_array().unwrap().last().unwrap().clone();
            last.insert(member["code"].to_string(), range);
        }
    }
    assert!(last.keys().all(|code| code.starts_with("\"4")));
}

/// What GAP or Python should print for each monoid.
fn expected(out: &Path, file: &str) -> String {
    let text = read(out, "rulesets.jsonl");
    let mut documents: BTreeMap<String, Vec<Document>> = BTreeMap::new();
    for (it, line) in lines(&text) {
        let class = it["quotient"]["class"].as_str().unwrap().to_owned();
        documents
            .entry(class)
            .or_default()
            .push(serde_json::from_str(line).unwrap());
    }
    let mut shown: Vec<Document> = documents
        .into_values()
        .map(|mut all| all.remove(0))
        .collect();
    shown.sort_by(|one, other| one.code.cmp(&other.code));
    let mut expected = String::new();
    for document in &shown {
        let solution = document.clone().into_solution().unwrap();
        let quotient = &solution.quotient;
        let squares = Multiplication::new(quotient).powers(2);
        let idempotents = (0_u32..)
            .zip(squares)
            .filter(|(x, square)| x == square)
            .count();
        expected.push_str(&format!(
            "{} order {} idempotents {idempotents} P-portion {}\n",
            document.code,
            quotient.order(),
            quotient.p_size(),
        ));
    }
    assert!(!shown.is_empty(), "{file}");
    expected + &format!("{} monoids checked\n", shown.len())
}

/// The Python source asks for nothing of Sage; Python checks what Sage would.
#[test]
#[ignore = "slow: needs Python, which `make test-slow` installs"]
fn python_rebuilds_the_monoids() {
    let dir = tempfile::tempdir().unwrap();
    let (documents, _) = export(dir.path(), "jsonl", &["--format", "jsonl"]);
    let (out, _) = export(dir.path(), "sage", &["--format", "sage"]);
    let script = "import monoids\nmonoids.check_all()\nq = monoids.find('0.77')\nprint(''.join(q.outcome([n]) for n in range(1, 22)))\nq.p_portion.pop()\ntry: q.check()\nexcept ValueError as error: print(error)";
    let said = python(&out, script);
    let games = "10 codes of 9 games agree with their rules in ";
    let said = without_positions(&said, games);
    let more = "PNNPNNNNPNNPNNNNNNNPN\nmisere quotient of 0.77: it is not reduced\n";
    assert_eq!(said, expected(&documents, "monoids.py") + games + more);
}

/// What Python prints for a script beside an export.
fn python(out: &Path, script: &str) -> String {
    let python = Command::new("python3")
        .args(["-B", "-c", script])
        .current_dir(out)
        .output()
        .expect("Python is needed: apt-get install python3, as `make test-slow` does");
    let errors = String::from_utf8(python.stderr).unwrap();
    assert!(errors.is_empty(), "{errors}");
    String::from_utf8(python.stdout).unwrap()
}

/// What GAP prints for a script beside an export.
fn gap(out: &Path, script: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("ask.g");
    let script = format!("Read(\"monoids.g\");\n{script}\nQUIT_GAP(7);\n");
    std::fs::write(&file, script).unwrap();
    let gap = Command::new("gap")
        .args(["-q", "-A", "-r", file.to_str().unwrap()])
        .current_dir(out)
        .stdin(std::process::Stdio::null())
        .output()
        .expect("GAP is needed: apt-get install gap-core, as `make test-slow` does");
    let said = String::from_utf8(gap.stdout).unwrap();
    assert_eq!(gap.status.code(), Some(7), "{said}");
    said
}

/// The text without the number of positions that were compared, which must not be small.
fn without_positions(said: &str, games: &str) -> String {
    let (before, after) = said.split_once(games).unwrap_or_else(|| panic!("{said}"));
    let (count, after) = after.split_once(" positions\n").unwrap();
    let codes: u32 = games.split(' ').next().unwrap().parse().unwrap();
    assert!(count.parse::<u32>().unwrap() > 10 * codes, "{said}");
    format!("{before}{games}{after}")
}

/// Games of one class with other pretending functions, shifted heaps, periods, the kernel: the source tells
/// outcomes of any heap of any code, and its own check compares them with the rules.
#[test]
#[ignore = "slow: needs Python and GAP, which `make test-slow` installs"]
fn python_and_gap_tell_outcomes_under_every_code() {
    let dir = tempfile::tempdir().unwrap();
    let (sage, manifest) = export_of(names(), dir.path(), "sage", &["--format", "sage"]);
    let (of_gap, _) = export_of(names(), dir.path(), "gap", &["--format", "gap"]);
    let counts = &manifest["counts"];
    let count = |what: &str| counts[what].as_u64().unwrap();
    let games = format!(
        "{} codes of {} games agree with their rules in ",
        count("games") + count("aliases"),
        count("games")
    );
    assert_eq!(
        count("games") + count("aliases"),
        codes_of_names().len() as u64
    );
    without_positions(&python(&sage, "from monoids import *\ncheck_all()"), &games);
    without_positions(&gap(&of_gap, "MisereCheckAll();"), &games);

    let positions: [(&str, &[u32]); 12] = [
        ("4.4", &[1000, 28]),
        ("4.4", &[1000, 5]),
        ("4.63", &[1, 100_000, 34]),
        ("0.7", &[1_000_000, 4, 3]),
        ("0.137", &[20, 3, 11]),
        ("0.07", &[30, 5]),
        ("0.101", &[3, 400, 2]),
        ("0.777", &[120, 9]),
        ("0.777", &[120, 14]),
        ("4.44", &[121, 15]),
        ("0.9092", &[60, 1, 31]),
        ("{*2,0}", &[1, 1, 1]),
    ];
    for (code, heaps) in positions {
        let heaps: Vec<String> = heaps.iter().map(ToString::to_string).collect();
        let mut asked = vec!["outcome", code, "--json"];
        asked.extend(heaps.iter().map(String::as_str));
        let told: Value = serde_json::from_str(&done(&asked)).unwrap();
        let told = told["outcome"].as_str().unwrap();
        let heaps = heaps.join(", ");
        let asked = format!("from monoids import *\nprint(find('{code}').outcome([{heaps}]))");
        assert_eq!(python(&sage, &asked).trim(), told, "{code} {heaps}");
        let asked = format!("Print(MisereOutcome(MisereFind(\"{code}\"), [{heaps}]), \"\\n\");");
        assert_eq!(gap(&of_gap, &asked).trim(), told, "{code} {heaps}");
    }

    // What is not known is said, with the reason and the heap to which it is known.
    let asked = "from monoids import *\nfor what in [lambda: find('0.07').outcome([500]), lambda: find('0.777').value([5000]), \
        lambda: find('0.77').outcome([-1]), lambda: find('0.999')]:\n  try: what()\n  except (ValueError, KeyError) as error: print(error)";
    let said = python(&sage, asked);
    let said: Vec<&str> = said.lines().collect();
    assert_eq!(said.len(), 4, "{said:?}");
    assert_eq!(
        said[0],
        "heap 500 of 0.07 is not known: the game is not solved, and phi is known to heap 33"
    );
    assert!(said[1].contains("tame relative to a heap"), "{said:?}");
    assert!(said[2].contains("whole numbers"), "{said:?}");
    assert!(said[3].contains("0.999"), "{said:?}");

    // A value that is wrong, an alias with the heap numbers of another, a period that is none: each is found.
    for spoiled in [
        "find('0.7').values[2] ^= 1",
        "find('4.4').live = ['all but', []]",
        "find('0.07').rules = [0, 0, 3]",
        "find('0.77').kept.preperiod = 20",
        "find('0.777').tame_from = 3",
    ] {
        let asked = format!(
            "from monoids import *\n{spoiled}\ntry: check_all()\nexcept (ValueError, IndexError) as error: print('found:', error)"
        );
        assert!(python(&sage, &asked).contains("found: "), "{spoiled}");
    }
}

#[test]
#[ignore = "slow: needs GAP, which `make test-slow` installs"]
fn gap_rebuilds_the_monoids() {
    let dir = tempfile::tempdir().unwrap();
    let (documents, _) = export(dir.path(), "jsonl", &["--format", "jsonl"]);
    let (out, _) = export(dir.path(), "gap", &["--format", "gap"]);
    let asks = "MisereCheckAll();\nm := MisereFind(\"0.77\");;\nPrint(List([1 .. 21], n -> MisereOutcome(m, [n])[1]), \"\\n\");";
    let games = "10 codes of 9 games agree with their rules in ";
    let said = without_positions(&gap(&out, asks), games);
    let more = "PNNPNNNNPNNPNNNNNNNPN\n";
    assert_eq!(said, expected(&documents, "monoids.g") + games + more);
}
