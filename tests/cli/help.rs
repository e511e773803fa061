//! The help fits the terminal, and every command has examples and a manual page. `src/help.rs`
//! checks every command at every width; here a few are really run.

use std::process::{Command, Stdio};

use crate::cli::command::{error_line, text};
use crate::support::process::command;

/// Returns the help of a command on a terminal of `columns` columns.
fn help(columns: &str, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_misere"))
        .args(arguments)
        .arg("--help")
        .env("COLUMNS", columns)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn help_follows_the_width() {
    let width = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap();
    let verify = |columns| help(columns, &["verify"]);
    assert!(width(&verify("80")) <= 80);
    assert!(
        (81..=100).contains(&width(&verify("100"))),
        "{}",
        verify("100")
    );
    // On wider terminals lines of more than 100 columns are hard to read; 0 and nonsense are not
    // widths.
    for columns in ["200", "0", "wide"] {
        assert_eq!(verify(columns), verify("100"), "{columns}");
    }
    // The texts below the options fit 80 columns, whatever the width.
    let example = "\n  misere solve 0.77 --out kayles.json && misere verify kayles.json\n";
    for columns in ["80", "100"] {
        assert!(verify(columns).contains(example), "{}", verify(columns));
    }
    assert_eq!(verify("10"), verify("40"));
}

#[test]
fn every_order_has_its_own_examples() {
    for command in ["pause", "resume", "cancel", "drain", "stop-task"] {
        let help = help("100", &["census", command]);
        let (_, examples) = help.split_once("Examples:\n").unwrap();
        let (examples, _) = examples.split_once("\n\n").unwrap();
        let calls = examples.lines().filter(|line| line.starts_with("  misere"));
        let of_command = format!("  misere census {command} ");
        assert!(
            calls.clone().all(|call| call.starts_with(&of_command)),
            "{examples}"
        );
        assert!(calls.count() >= 2, "{examples}");
    }
    for command in ["list", "show", "retry", "drop"] {
        let help = help("100", &["census", "quarantine", command]);
        assert!(
            help.contains(&format!("\n  misere census quarantine {command} ")),
            "{help}"
        );
    }
}

/// Returns the manual page as `man` shows it, on lines so long that nothing is broken.
fn shown(roff: &str) -> Option<String> {
    let mut groff = Command::new("groff")
        .args(["-man", "-Tutf8", "-P-cbou", "-rLL=300n"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    std::io::Write::write_all(&mut groff.stdin.take()?, roff.as_bytes()).ok()?;
    String::from_utf8(groff.wait_with_output().ok()?.stdout).ok()
}

#[test]
fn every_command_has_a_manual_page() {
    let (exit, run) = text(&["man", "census", "run"]);
    assert_eq!(exit, 0);
    for same in [&["man", "census-run"][..], &["man", "census run"]] {
        assert_eq!(text(same).1, run, "{same:?}");
    }
    for name in [
        &["man", "report figure1"][..],
        &["man", "census-stop-task"],
        &["man", "census", "quarantine", "drop"],
        &["man", "coordinator", "certs"],
    ] {
        assert!(text(name).1.contains(".SH NAME"), "{name:?}");
    }
    for name in [
        &["man", "nothing"][..],
        &["man", "census", "nothing"],
        &["man", "census-"],
    ] {
        let said = error_line(name, 2);
        assert!(said.contains("there is no command"), "{said}");
    }
    assert_eq!(text(&["man", "census"]).1, text(&["man", "census"]).1);
}

#[test]
fn manual_pages_have_options_examples_and_exit_codes() {
    let (_, page) = text(&["man", "census", "run"]);
    let sections: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with(".SH "))
        .collect();
    for section in [".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH OPTIONS"] {
        assert!(sections.contains(&section), "{section}: {sections:?}");
    }
    let (_, top) = text(&["man"]);
    assert!(
        top.contains(r"misere\-solve(1)") && top.contains("a budget was exhausted"),
        "{top}"
    );
    let Some(shown) = shown(&page) else {
        eprintln!("groff is not there: the page was not set");
        return;
    };
    // An example is a line of its own, and so are the exit codes.
    for line in [
        "misere-census-run - Begin or resume a census on this machine's cores",
        "misere census run --digits 3 --data census",
        "Exit codes: 0 done",
    ] {
        let mut lines = shown.lines().map(str::trim_start);
        assert!(
            lines.any(|found| found.starts_with(line)),
            "{line}\n{shown}"
        );
    }
}

#[test]
fn shells_complete_directories_and_files() {
    let (_, bash) = text(&["completions", "bash"]);
    for offered in [
        "kayles dawsons-kayles",
        "solved tame-relative",
        "code order p-size",
        "R_8",
    ] {
        assert!(bash.contains(offered), "{offered}");
    }
    let (_, zsh) = text(&["completions", "zsh"]);
    let data = zsh.lines().find(|line| line.contains("--data=")).unwrap();
    assert!(data.ends_with("_files -/' \\"), "{data}");
    let ca = zsh.lines().find(|line| line.contains("--ca=")).unwrap();
    assert!(ca.ends_with("_files' \\"), "{ca}");
}

/// The colour says whether a game is solved, has an infinite quotient or is open, or that there is
/// an error.
#[test]
fn verdicts_and_errors_have_colours() {
    let (green, yellow, cyan, red) = ("\u{1b}[32m", "\u{1b}[33m", "\u{1b}[36m", "\u{1b}[31m");
    for (line, begins) in [
        ("solve 0.77", format!("{green}solved:")),
        ("solve 0.07 --evidence 0", format!("{yellow}diverges at")),
        ("solve 0.0107", format!("{cyan}proved infinite")),
        ("verify nowhere", format!("{red}error:")),
    ] {
        let mut command = command(&[line.split(' ').collect(), vec!["--color", "always"]].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = command.output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8(said).unwrap();
        assert!(said.lines().any(|line| line.starts_with(&begins)), "{said}");
    }
}

/// Tests who decides on colour in a pipe: `--color`, then `NO_COLOR`, then `CLICOLOR_FORCE`.
#[test]
fn colour_in_a_pipe_has_to_be_asked_for() {
    for (options, variables, is_colored) in [
        (&[][..], &[][..], false),
        (&[], &["CLICOLOR_FORCE"], true),
        (&[], &["CLICOLOR_FORCE", "NO_COLOR"], false),
        (&["--color", "never"], &["CLICOLOR_FORCE"], false),
        (&["--color", "always"], &["NO_COLOR"], true),
        (&["--color", "auto"], &[], false),
    ] {
        let arguments = [&["outcome", "0.77", "3", "5"], options].concat();
        let mut command = command(&arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        command.envs(variables.iter().map(|name| (name, "1")));
        let output = command.output().unwrap();
        assert!(!output.stdout.is_empty());
        let has_escapes = output.stdout.contains(&0x1b);
        assert_eq!(has_escapes, is_colored, "{options:?} {variables:?}");
        assert!(!output.stderr.contains(&0x1b), "{options:?} {variables:?}");
    }
}
