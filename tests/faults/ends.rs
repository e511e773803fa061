//! The remains of a census whose files lost their ends.
//!
//! Each file of a small census is cut short, removed, or swapped with an older copy of itself, in a
//! copy of the census for each case. Then the commands either say that the census is damaged, and
//! change nothing, or nothing is lost. Following their advice destroys nothing: after a run that
//! was refused the repair saves as much as without it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::census::argument;
use crate::support::process::{done, output, text};

const PLAN: [&str; 4] = ["--digits", "2", "--fuel", "2k"];

/// The places at which a file is cut besides those between its blocks.
const PLACES: u64 = 20;

/// The length of the blocks of tables; those of logs are eight times as long.
const BLOCK: u64 = 4096;

/// A fault of a file.
#[derive(Clone, Debug)]
enum Fault {
    Cut(u64),
    Older(PathBuf),
    Missing,
}

/// The results for the faults of the files of one kind.
#[derive(Default)]
struct FaultCounts {
    cases: u32,
    harmless: u32,
    told: u32,
    least: u64,
}

/// A finished census, the state of its files at the end of the first session, and its content.
struct FinishedCensus {
    dir: tempfile::TempDir,
    digest: String,
    records: u64,
}

impl FinishedCensus {
    /// Makes a census whose results are in its log, or in tables.
    fn new(in_tables: bool) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("census");
        done(&[&["census", "run", "--data", argument(&data)][..], &PLAN].concat());
        copy(&data, &dir.path().join("earlier"));
        if in_tables {
            // A command that opens a census for writing moves its log into tables.
            done(&["census", "run", "--data", argument(&data)]);
        }
        let digest = done(&["census", "digest", "--data", argument(&data)]);
        let status = done(&["census", "status", "--json", "--data", argument(&data)]);
        let status: Value = serde_json::from_str(&status).unwrap();
        let records = status["done"].as_u64().unwrap() + status["exhausted"].as_u64().unwrap();
        Self {
            dir,
            digest,
            records,
        }
    }

    fn files(&self) -> Vec<(String, u64)> {
        let entries = fs::read_dir(self.dir.path().join("census/db")).unwrap();
        let mut files: Vec<_> = entries
            .map(|entry| {
                let entry = entry.unwrap();
                let bytes = entry.metadata().unwrap().len();
                (entry.file_name().into_string().unwrap(), bytes)
            })
            .collect();
        files.sort();
        files
    }

    /// Returns all faults to try on a file.
    fn faults(&self, name: &str, bytes: u64) -> Vec<Fault> {
        let blocks = (0..bytes).step_by(BLOCK as usize);
        let between = (0..PLACES).map(|place| bytes * place / PLACES);
        let mut cuts: Vec<u64> = blocks.chain(between).chain(bytes.checked_sub(1)).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let mut faults: Vec<Fault> = cuts.into_iter().map(Fault::Cut).collect();
        faults.push(Fault::Missing);
        let older = self.dir.path().join("earlier/db").join(name);
        faults.extend(older.exists().then_some(Fault::Older(older)));
        faults
    }

    /// Tries one fault of one file.
    ///
    /// Returns the number of records that the repair saved; `None` if nothing was lost.
    fn suffers(&self, name: &str, fault: &Fault) -> Option<u64> {
        let what = format!("{name}: {fault:?}");
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("census");
        copy(&self.dir.path().join("census"), &data);
        let file = data.join("db").join(name);
        match fault {
            Fault::Cut(bytes) => {
                let file = fs::File::options().write(true).open(&file).unwrap();
                file.set_len(*bytes).unwrap();
            }
            Fault::Older(older) => drop(fs::copy(older, &file).unwrap()),
            Fault::Missing => fs::remove_file(&file).unwrap(),
        }
        let data = argument(&data);
        let before = tables(data);
        let check = output(&["census", "check", "--data", data]);
        let is_told = check.status.code() != Some(0);
        let status = ["census", "status", "--data", data];
        let digest = ["census", "digest", "--data", data];
        let run = ["census", "run", "--data", data];
        let begin = [&run[..], &PLAN].concat();
        for args in [&status[..], &digest, &run, &begin] {
            let output = output(args);
            let (says, error) = (text(&output.stdout), text(&output.stderr));
            if output.status.code() == Some(0) {
                let is_same = args != digest || says == self.digest;
                assert!(is_same, "{what}: {args:?}: another digest");
                continue;
            }
            assert!(is_told, "{what}: {args:?}: {error}");
            assert!(error.contains("damaged"), "{what}: {args:?}: {error}");
            for advice in ["makes one", "began the", "choose an empty"] {
                assert!(!error.contains(advice), "{what}: {args:?}: {error}");
            }
        }
        let after = tables(data);
        if !is_told {
            assert_eq!(done(&digest), self.digest, "{what}");
            return None;
        }
        assert_eq!(after, before, "{what}: a refused command changed something");
        let repair = output(&["census", "check", "--repair", "--json", "--data", data]);
        let error = text(&repair.stderr);
        assert_eq!(repair.status.code(), Some(0), "{what}: {error}");
        let repaired: Value = serde_json::from_slice(&repair.stdout).unwrap();
        done(&run);
        assert_eq!(done(&digest), self.digest, "{what}");
        done(&["census", "check", "--data", data]);
        repaired["repaired"]["records"].as_u64()
    }
}

/// Returns the tables, logs and lists of a census, with their lengths.
fn tables(data: &str) -> BTreeMap<PathBuf, u64> {
    let entries = fs::read_dir(Path::new(data).join("db")).unwrap();
    let files = entries.map(|entry| entry.unwrap().path()).filter(|path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.ends_with(".sst") || name.ends_with(".log") || name.starts_with("MANIFEST")
    });
    let length = |path: PathBuf| {
        let bytes = fs::metadata(&path).unwrap().len();
        (path, bytes)
    };
    files.map(length).collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// Returns the kind of a file: its name without the number.
fn kind(name: &str) -> String {
    let kind = name.trim_matches(|letter: char| letter.is_ascii_digit() || letter == '-');
    kind.to_owned()
}

#[test]
fn a_census_that_lost_ends_says_so() {
    for in_tables in [false, true] {
        let whole = FinishedCensus::new(in_tables);
        for (name, bytes) in whole.files() {
            let fault = match kind(&name).as_str() {
                "MANIFEST" => Fault::Cut(bytes * 7 / 10),
                "CURRENT" => Fault::Missing,
                _ => continue,
            };
            // Neither has a certificate.
            assert_eq!(whole.suffers(&name, &fault), Some(whole.records), "{name}");
        }
    }
}

#[test]
#[ignore = "slow: minutes"]
fn every_file_loses_its_end() {
    let mut all: BTreeMap<(bool, String), FaultCounts> = BTreeMap::new();
    for in_tables in [false, true] {
        let whole = FinishedCensus::new(in_tables);
        for (name, bytes) in whole.files() {
            let kind = kind(&name);
            for fault in whole.faults(&name, bytes) {
                let saved = whole.suffers(&name, &fault);
                let seen = all.entry((in_tables, kind.clone())).or_insert(FaultCounts {
                    least: whole.records,
                    ..FaultCounts::default()
                });
                seen.cases += 1;
                match saved {
                    None => seen.harmless += 1,
                    Some(saved) => {
                        seen.told += 1;
                        seen.least = seen.least.min(saved);
                        let holds_results = [".log", ".sst"].contains(&kind.as_str());
                        assert!(holds_results || saved == whole.records, "{name}: {fault:?}");
                    }
                }
            }
        }
        println!("{} records, in tables: {in_tables}", whole.records);
    }
    for ((in_tables, kind), seen) in all {
        let FaultCounts {
            cases,
            harmless,
            told,
            least,
        } = seen;
        println!("{in_tables} | {kind} | {cases} | {harmless} | {told} | {least}");
    }
}
