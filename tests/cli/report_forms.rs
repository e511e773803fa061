//! The forms of reports, each of which is well formed.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::cli::command::{error_line, json, misere, text};

/// Makes a census of these games, in a directory below `dir`.
///
/// The fuel is three million units, unless the options give another amount.
pub(crate) fn census(dir: &Path, games: &[&str]) -> String {
    let data = dir.join("census").to_str().unwrap().to_owned();
    let mut run = vec!["census", "run", "--data", &data];
    if !games.contains(&"--fuel") {
        run.extend(["--fuel", "3M"]);
    }
    run.extend(games);
    let output = misere(&run);
    assert!(output.status.success(), "{output:?}");
    data
}

pub(crate) fn report(name: &str, data: &str, format: &str) -> String {
    let output = misere(&["report", name, "--data", data, "--format", format]);
    assert!(output.status.success(), "{name} {format}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

pub(crate) fn document(name: &str, data: &str) -> Value {
    let (exit, document) = json(&["report", name, "--data", data, "--json"]);
    assert_eq!(exit, 0);
    document
}

/// Returns the lines of a CSV file as records by column, read as RFC 4180 says.
pub(crate) fn records(csv: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut lines = vec![Vec::new()];
    let (mut field, mut quoted) = (String::new(), false);
    let mut chars = csv.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => field.extend(chars.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => lines.last_mut().unwrap().push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                lines.last_mut().unwrap().push(std::mem::take(&mut field));
                lines.push(Vec::new());
            }
            c => field.push(c),
        }
    }
    assert!(!quoted && field.is_empty(), "{csv}");
    lines.pop();
    let head = lines.remove(0);
    let of = |line: Vec<String>| {
        assert_eq!(line.len(), head.len(), "{line:?}");
        head.iter().cloned().zip(line).collect()
    };
    lines.into_iter().map(of).collect()
}

/// Checks that the page and its pictures are well formed, fetch nothing and run nothing.
pub(crate) fn well_formed(html: &str) {
    let xml = html
        .replace("<!DOCTYPE html>\n", "")
        .replace("<meta charset=\"utf-8\">", "")
        .replace("initial-scale=1\">", "initial-scale=1\"/>");
    roxmltree::Document::parse(&xml).unwrap_or_else(|error| panic!("{error}: {xml}"));
    for forbidden in ["<script", "href=", "src="] {
        assert!(!html.contains(forbidden), "{forbidden}");
    }
}

/// Sets the text where there is LaTeX; braces and environments are counted in any case.
pub(crate) fn typesets(dir: &Path, latex: &str) {
    let bare = latex.replace("\\{", "").replace("\\}", "");
    assert_eq!(bare.matches('{').count(), bare.matches('}').count());
    let environments = |word: &str| latex.matches(word).count();
    assert_eq!(environments("\\begin{"), environments("\\end{"));
    // Elsewhere `make typesetting` has them.
    let has = |program: &str, argument: &str| {
        let found = Command::new(program).arg(argument).output();
        found.is_ok_and(|found| found.status.success())
    };
    if !has("pdflatex", "--version") || !has("kpsewhich", "longtable.sty") {
        return;
    }
    let file = dir.join("report.tex");
    let text = crate::cli::paper::document(latex);
    std::fs::write(&file, text).unwrap();
    let made = Command::new("pdflatex")
        .args(["-interaction=nonstopmode", "-halt-on-error", "report.tex"])
        .current_dir(dir)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stdout)
    );
}

/// Checks that every format names the census, its budget and what is missing, and can be read.
pub(crate) fn in_every_format(dir: &Path, name: &str, data: &str, missing: &[&str]) {
    let (_, status) = json(&["census", "digest", "--data", data, "--json"]);
    let digest = status["digest"].as_str().unwrap();
    let document = document(name, data);
    let sentences = document["provenance"]["sentences"].to_string();
    for format in ["text", "html", "latex"] {
        // A terminal's lines are broken anywhere.
        let text = report(name, data, format).replace("\n", " ");
        // In LaTeX a key may be broken into lines, and a power sign has its own word.
        let text = text.replace("\\allowbreak{}", "").replace("\\^{}", "^");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(digest), "{name} {format}: {text}");
        for code in missing {
            assert!(text.contains(code), "{name} {format}: {code}");
        }
    }
    let completeness = &document["provenance"]["completeness"];
    let fuel = format!("fuel {}", completeness["plan"]["fuel"].as_u64().unwrap());
    assert!(sentences.contains(digest) && sentences.contains(&fuel));
    assert_eq!(completeness["digest"], digest);
    well_formed(&report(name, data, "html"));
    typesets(dir, &report(name, data, "latex"));
    // A file has the same content as standard output.
    let file = dir.join("report.txt");
    let out = ["--out", file.to_str().unwrap()];
    let (exit, printed) = text(&[&["report", name, "--data", data][..], &out].concat());
    assert_eq!((exit, printed.as_str()), (0, ""));
    let written = std::fs::read_to_string(&file).unwrap();
    assert_eq!(written, report(name, data, "text"));
    // Another report does not replace it.
    std::fs::remove_file(&file).unwrap();
    let nowhere = [
        "report",
        name,
        "--data",
        data,
        "--out",
        "/no/such/directory/report",
    ];
    assert!(error_line(&nowhere, 1).contains("there is no directory"));
    for line in records(&report(name, data, "csv")) {
        assert_eq!(line["census_digest"], digest);
        assert!(line["budget"].contains(&fuel) && line["finished"] == "yes");
    }
}
