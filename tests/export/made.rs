//! The censuses that are exported, their exports, and how a file is read back.

use misere_game::ruleset::Code;
use serde_json::Value;
use std::path::Path;
use std::path::PathBuf;
use std::sync::OnceLock;

pub(crate) use crate::support::process::output as misere;

/// 0.123 and 0.77 with an alias, 0.241 (whose quotient is that of 0.71), 0.75 (R_8), tame 0.3,
/// 0.005 (proved infinite at once), 0.14 (diverges), and a finite game, whose code has a comma.
pub(crate) const CODES: &str = "0.123,0.77,4.4,0.241,0.71,0.75,0.3,0.005,0.14,{*2,0}";

pub(crate) fn done(args: &[&str]) -> String {
    let output = misere(args);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() && said.is_empty(),
        "{args:?}: {said}"
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the exit code and error of a command that fails.
pub(crate) fn failed(args: &[&str]) -> (i32, String) {
    let output = misere(args);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("error: ") && said.lines().count() == 1,
        "{said}"
    );
    (output.status.code().unwrap(), said)
}

/// Games under several codes each: 0.4, 0.77, 0.06, 0.37 and 0.26 whose aliases have all heaps
/// larger or smaller, 0.011 whose aliases have heaps renumbered in different ways; 0.2, 0.5, 0.7
/// and their like, of one class with different pretending functions; 0.777, tame relative to a
/// heap, and 4.44; games that are not solved; finite games, Grundy's game, and games that leave
/// three heaps.
pub(crate) const NAMES: &str = "0.4,0.07,0.137,0.43,0.77,4.4,4.63,0.06,0.036,0.37,0.6,4.03,0.73,0.26,0.337,0.041,0.043,0.011,0.101,0.11,\
0.2,0.5,0.7,4,4.2,0.02,0.13,0.05,0.52,0.22,0.33,0.002,0.113,0.123,0.241,0.307,0.24,0.75,0.71,0.777,4.44,0.005,0.14,\
{*2,0},{*3,*2,0},*3,{{*2},0},grundy,0.8,0.9092,0.1F,8.3";

/// A census in a directory that is gone after the tests.
pub(crate) type SharedCensus = OnceLock<(tempfile::TempDir, String)>;

/// Returns a census, made once for all tests of this file.
pub(crate) fn made(census: &'static SharedCensus, plan: &[&str]) -> &'static str {
    let (_, data) = census.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("census").to_str().unwrap().to_owned();
        let run = misere(&[&["census", "run", "--data", &data], plan].concat());
        assert!(run.status.success(), "{run:?}");
        (dir, data)
    });
    data
}

pub(crate) fn census() -> &'static str {
    static CENSUS: SharedCensus = OnceLock::new();
    made(&CENSUS, &["--codes", CODES, "--fuel", "40k"])
}

/// Returns the census of games under several codes.
pub(crate) fn names() -> &'static str {
    static CENSUS: SharedCensus = OnceLock::new();
    made(&CENSUS, &["--codes", NAMES, "--fuel", "60k"])
}

/// Exports the census; returns the path and the manifest.
pub(crate) fn export(dir: &Path, name: &str, args: &[&str]) -> (PathBuf, Value) {
    export_of(census(), dir, name, args)
}

pub(crate) fn export_of(census: &str, dir: &Path, name: &str, args: &[&str]) -> (PathBuf, Value) {
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

pub(crate) fn read(path: &Path, name: &str) -> String {
    std::fs::read_to_string(path.join(name)).unwrap()
}

/// Returns the documents of a JSON Lines file, with their lines.
pub(crate) fn lines(text: &str) -> Vec<(Value, &str)> {
    let lines = text.lines();
    lines
        .map(|line| (serde_json::from_str(line).unwrap(), line))
        .collect()
}

/// Returns the codes of [`NAMES`], whose finite games have commas.
pub(crate) fn codes_of_names() -> Vec<String> {
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

/// Returns the output of the command, whatever its exit code.
pub(crate) fn misere_json(args: &[&str]) -> String {
    String::from_utf8(misere(args).stdout).unwrap()
}
