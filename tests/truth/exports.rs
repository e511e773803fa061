//! Do the tables and documents of an export say what is true of each code that they name?

use serde_json::Value;

use crate::certificates::judge_document;
use crate::compared::Surface;
use crate::plan::{Census, text};
use crate::record;

pub(crate) fn judge(census: &Census) -> Vec<Surface> {
    vec![json_lines(census)]
}

/// Writes an export, and tells where.
fn export(census: &Census, form: &str) -> std::path::PathBuf {
    let out = census.scratch.path().join(form);
    text(&[
        "export",
        "--format",
        form,
        "--data",
        &census.data,
        "--out",
        out.to_str().unwrap(),
    ]);
    out
}

/// Each line is a solution of the code that it names.
fn json_lines(census: &Census) -> Surface {
    let mut surface = Surface::new("export --format jsonl", 8);
    let out = export(census, "jsonl");
    let lines = std::fs::read_to_string(out.join("rulesets.jsonl")).unwrap();
    for line in lines.lines() {
        let said: Value = serde_json::from_str(line).unwrap();
        let truth = census.truth(said["code"].as_str().unwrap()).unwrap();
        record::judge_heaps(&mut surface, truth, &said);
        judge_document(&mut surface, truth, said);
    }
    surface
}
