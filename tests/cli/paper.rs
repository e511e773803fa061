//! Every report fits the paper, and loses nothing there.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::cli::command::misere;

/// The width in points by which a box may stick out of the text without being seen.
const SEEN: f64 = 2.0;

fn census(dir: &Path, name: &str, plan: &[&str]) -> String {
    let data = dir.join(name).to_str().unwrap().to_owned();
    let run = [&["census", "run", "--data", &data], plan].concat();
    let done = misere(&run);
    assert!(done.status.success(), "{done:?}");
    data
}

/// Returns the report as LaTeX, to be included.
fn latex(report: &[&str]) -> String {
    let made = misere(&[&["report"], report, &["--format", "latex"]].concat());
    assert!(made.status.success(), "{report:?}: {made:?}");
    String::from_utf8(made.stdout).unwrap()
}

/// Returns a document that includes a report, with the packages that its first lines name.
pub(crate) fn document(latex: &str) -> String {
    let mut needs = latex
        .lines()
        .filter_map(|line| line.strip_prefix("% Needs "));
    let packages = needs.next().expect("the packages are named");
    let packages = packages.trim_end_matches('.').replace(" and ", "");
    format!("\\documentclass{{article}}{packages}\n\\begin{{document}}\n{latex}\\end{{document}}\n")
}

/// Sets a report as a page of LaTeX's article class in its own directory; returns what does not
/// fit.
fn overfull(dir: &Path, name: &str, latex: &str) -> Vec<String> {
    let text = document(latex);
    std::fs::write(dir.join(format!("{name}.tex")), text).unwrap();
    // Long tables carry the widths of their columns from one run to the next.
    for _ in 0..3 {
        let made = Command::new("pdflatex")
            .args(["-interaction=nonstopmode", "-halt-on-error", name])
            .current_dir(dir)
            .stdin(Stdio::null())
            .output()
            .expect("pdflatex; `make typesetting` installs it");
        let said = String::from_utf8_lossy(&made.stdout);
        assert!(made.status.success(), "{name}: {said}");
    }
    let log = std::fs::read(dir.join(format!("{name}.log"))).unwrap();
    let log = String::from_utf8_lossy(&log);
    let boxes = log
        .lines()
        .filter(|line| line.starts_with("Overfull \\hbox"));
    let too_wide = boxes.filter(|line| {
        let points = line
            .split('(')
            .nth(1)
            .and_then(|rest| rest.split("pt").next());
        points.unwrap().parse::<f64>().unwrap() > SEEN
    });
    too_wide.map(|line| format!("{name}: {line}")).collect()
}

#[test]
#[ignore = "slow: needs pdflatex, and computes a census of three digits"]
fn every_report_fits_the_paper() {
    let dir = tempfile::tempdir().unwrap();
    // Keeps the pages for inspection.
    let kept = std::env::var("MISERE_PAPER").ok();
    let paper = kept.map_or(dir.path().join("paper"), std::path::PathBuf::from);
    std::fs::create_dir_all(&paper).unwrap();
    let three = std::env::var("MISERE_CENSUS")
        .unwrap_or_else(|_| census(dir.path(), "three", &["--digits", "3", "--fuel", "300k"]));
    let quaternary = "0.123,0.1023,0.1032,0.1033,0.1331,0.3103,0.3112,0.1232,0.1323";
    let quaternary = census(dir.path(), "quaternary", &["--codes", quaternary]);
    let born = census(dir.path(), "born", &["--born-by", "4"]);
    let repeated = "0.(3310)^1,0.(3310)^2,0.(3310)^3,0.(3310)^4,0.(3310)^5,0.(3310)^6";
    let repeated = census(dir.path(), "repeated", &["--codes", repeated]);
    let quotients = census(
        dir.path(),
        "quotients",
        &["--space", "quotients", "--order", "14"],
    );
    let list = dir.path().join("14.json");
    let classified = misere(&["classify", "--order", "14", "--json"]);
    std::fs::write(&list, classified.stdout).unwrap();
    let list = list.to_str().unwrap();

    let of_three = [
        "figure1", "figure2", "figure4", "figure5", "figure6", "figure7", "summary",
    ];
    let mut reports: Vec<(String, Vec<&str>)> = of_three
        .iter()
        .map(|name| ((*name).to_owned(), vec![*name, "--data", &three]))
        .collect();
    reports.push(("figure3".to_owned(), vec!["figure3", "--data", &quaternary]));
    for name in ["figure10", "figure11"] {
        reports.push((name.to_owned(), vec![name, "--data", &born]));
    }
    reports.push((
        "table3310".to_owned(),
        vec!["table3310", "--data", &repeated],
    ));
    for name in ["table1", "table2", "table3", "facts"] {
        reports.push((name.to_owned(), vec![name, "--list", list]));
        reports.push((format!("{name}-census"), vec![name, "--data", &quotients]));
    }
    reports.push((
        "summary-quotients".to_owned(),
        vec!["summary", "--data", &quotients],
    ));
    for code in ["0.123", "0.77", "R_8", "0.26"] {
        for name in ["cayley", "idempotents"] {
            reports.push((
                format!("{name}-{}", code.replace('.', "-")),
                vec![name, code],
            ));
        }
    }
    for code in ["0.26", "0.07"] {
        reports.push((
            format!("growth-{}", code.replace('.', "-")),
            vec!["growth", code],
        ));
    }
    let mut faults = Vec::new();
    for (name, report) in &reports {
        faults.extend(overfull(&paper, name, &latex(report)));
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
