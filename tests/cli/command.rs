//! Runs of the command for the tests of the command line.

use serde_json::Value;

pub(crate) use crate::support::process::output as misere;

/// Returns the exit code and standard output.
///
/// Standard error has one line, or none after exit code 0.
pub(crate) fn text(arguments: &[&str]) -> (i32, String) {
    let output = misere(arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    let exit = output.status.code().unwrap();
    assert_eq!(
        said.lines().count(),
        usize::from(exit != 0),
        "{arguments:?}: {said}"
    );
    (exit, String::from_utf8(output.stdout).unwrap())
}

/// Returns the exit code and the JSON document on standard output.
pub(crate) fn json(arguments: &[&str]) -> (i32, Value) {
    let (exit, text) = text(arguments);
    (
        exit,
        serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}")),
    )
}

/// Returns the error of a command that must fail with this exit code.
///
/// The error is one line, and nothing is on standard output.
pub(crate) fn error_line(arguments: &[&str], exit: i32) -> String {
    let output = misere(arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(exit), "{arguments:?}: {said}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert_eq!(said.lines().count(), 1, "{said}");
    let line = said.trim_end().to_owned();
    let message = line
        .strip_prefix("error: ")
        .unwrap_or_else(|| panic!("{line}"));
    assert!(!message.starts_with(char::is_uppercase), "{line}");
    line
}

/// Returns the indices of the generators whose product is a word such as `ab^2c_1`.
pub(crate) fn letters(word: &str, names: &[&str]) -> Vec<usize> {
    let mut letters = Vec::new();
    let mut rest = word;
    while !rest.is_empty() && rest != "1" {
        let (g, name) = (0..names.len())
            .filter(|&g| rest.starts_with(names[g]))
            .map(|g| (g, names[g]))
            .max_by_key(|(_, name)| name.len())
            .unwrap();
        rest = &rest[name.len()..];
        let mut count = 1;
        if let Some(power) = rest.strip_prefix('^') {
            let digits = power
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(power.len());
            count = power[..digits].parse().unwrap();
            rest = &power[digits..];
        }
        letters.extend(std::iter::repeat_n(g, count));
    }
    letters
}
