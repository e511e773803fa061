//! Options from the environment and from the file of settings. `src/settings.rs` checks what each
//! setting means; here the command is run with them.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::cli::command::text;
use crate::support::census::argument;
use crate::support::process::{command, done};

/// Runs a command with variables of the environment.
fn with(variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = command(arguments);
    command.envs(variables.iter().copied());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.output().unwrap()
}

/// Returns the error of a command with variables of the environment.
fn refused(variables: &[(&str, &str)], arguments: &[&str]) -> String {
    let output = with(variables, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

fn census(place: &Path) -> &str {
    let data = argument(place);
    done(&["census", "run", "--codes", "0.3", "--data", data]);
    data
}

#[test]
fn the_directory_of_a_census_may_be_in_the_environment() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("census");
    let data = census(&place);
    let (_, expected) = text(&["query", "--data", data, "--count"]);
    let found = with(&[("MISERE_DATA", data)], &["query", "--count"]);
    assert_eq!(String::from_utf8(found.stdout).unwrap(), expected);
    // The command line comes first, and a coordinator contradicts a directory.
    let none = [("MISERE_DATA", "/nonexistent")];
    assert!(
        with(&none, &["query", "--count", "--data", data])
            .status
            .success()
    );
    let coordinator = ["query", "--count", "--coordinator", "http://127.0.0.1:1"];
    let said = String::from_utf8(with(&none, &coordinator).stderr).unwrap();
    assert!(said.contains("no coordinator answers"), "{said}");
    let empty = refused(&[("MISERE_DATA", "")], &["query", "--count"]);
    assert!(
        empty.contains("--data <DIR>|--coordinator <URL>"),
        "{empty}"
    );
    let (_, help) = text(&["query", "--help"]);
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("[env: MISERE_DATA="), "{help}");
}

#[test]
fn certificates_may_be_in_the_environment() {
    let query = ["query", "--coordinator", "https://127.0.0.1:1", "--count"];
    let ca = ("MISERE_CA", "/nonexistent/ca.pem");
    let said = refused(&[ca], &query);
    assert!(said.contains("belong together"), "{said}");
    let all = [
        ca,
        ("MISERE_CERT", "/nonexistent/ada.pem"),
        ("MISERE_KEY", "/nonexistent/ada.key"),
    ];
    let said = String::from_utf8(with(&all, &query).stderr).unwrap();
    assert!(said.contains("/nonexistent/ca.pem"), "{said}");
}

#[test]
fn settings_of_the_earlier_form_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("misere");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("settings"), "[solve]\nfuel = 20M\n").unwrap();
    let run = || {
        let mut command = command(&["solve", "0.3"]);
        command.env_remove("MISERE_SETTINGS");
        command.env("XDG_CONFIG_HOME", dir.path());
        command.stderr(Stdio::piped()).output().unwrap()
    };
    let output = run();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("rename it to settings.toml"), "{said}");
    fs::write(folder.join("settings.toml"), "[solve]\nfuel = \"20M\"\n").unwrap();
    assert!(run().status.success());
}

#[test]
fn faults_of_settings_name_file_and_line() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("mine.toml");
    let name = argument(&file);
    for (line, fault) in [
        (
            "fuel = \"plenty\"",
            "invalid value 'plenty' for '--fuel <N>'",
        ),
        ("fuel = true", "invalid value 'true' for '--fuel <N>'"),
        ("max-order = -1", "the number cannot be negative"),
        ("json = \"yes\"", "`--json` takes no value"),
        ("fule = 1", "the command `solve` has no option `--fule`"),
        ("fuel = 20M", "line 3"),
    ] {
        fs::write(&file, format!("[solve]\n\n{line}\n")).unwrap();
        let said = refused(&[("MISERE_SETTINGS", name)], &["solve", "0.3"]);
        assert!(said.contains(fault), "{said}");
        let place = format!("error: line 3 of the settings in {name}: ");
        assert!(said.starts_with(&place), "{said}");
    }
}
