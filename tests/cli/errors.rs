//! Errors of commands that were to print JSON.

use crate::cli::command::{error_line, misere};

/// The error is the same line on standard error, and there is no document.
#[test]
fn with_json_an_error_is_one_line_and_no_document() {
    let place = tempfile::tempdir().unwrap();
    let nowhere = place.path().join("nowhere").to_str().unwrap().to_owned();
    let nowhere = nowhere.as_str();
    for (exit, command) in [
        (2, "solve 0.77x"),
        (2, "outcome 0.77 a"),
        (2, "genus 0.77x"),
        (2, "form 0.77x"),
        (2, "compare 0.77 0.77x"),
        (2, "present 0.77x"),
        (1, "normal list --data DIR"),
        (2, "classify --order 99"),
        (1, "identify 0.77x"),
        (1, "analyze 0.77x"),
        (2, "census plan"),
        (1, "census status --data DIR"),
        (1, "census digest --data DIR"),
        (1, "census check --data DIR"),
        (1, "census merge --data DIR DIR/part"),
        (2, "census chunk --codes 0.3 --res 1 --mod 1 --out DIR"),
        (1, "census quarantine list --data DIR"),
        (2, "census submit --to ssh --codes 0.3 --data DIR"),
        (1, "census workers --data DIR"),
        (1, "cite census --data DIR"),
        (1, "coordinator certs --dir DIR --role coordinator"),
        (1, "export --format csv --data DIR --out DIR/tables"),
        (1, "page --static DIR/pages --data DIR"),
        (1, "query --data DIR"),
        (1, "report summary --data DIR"),
    ] {
        let command = command.replace("DIR", nowhere);
        let words: Vec<&str> = command.split(' ').chain(["--json"]).collect();
        error_line(&words, exit);
    }
}

/// A path where a game stands is answered with the option that takes it.
#[test]
fn a_path_alone_is_answered_with_its_option() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a certificate.json");
    let file = file.to_str().unwrap();
    assert!(misere(&["solve", "0.3", "--out", file]).status.success());
    for command in ["solve", "outcome", "explain", "play"] {
        let line = error_line(&[command, file], 2);
        let (verify, quoted) = (format!("`misere verify '{file}'`"), format!("'{file}'"));
        assert!(line.contains(&verify), "{line}");
        assert!(line.contains(&format!("--certificate {quoted}")), "{line}");
    }
    let directory = dir.path().to_str().unwrap();
    for command in [
        &["query"][..],
        &["census", "status"],
        &["solve"],
        &["serve"],
    ] {
        let line = error_line(&[command, &[directory]].concat(), 2);
        assert!(line.contains(&format!("--data {directory}")), "{line}");
    }
}
