//! Transcripts of commands, to be compared with snapshots: all output, without the parts that
//! change from run to run.

use std::fmt::Write;

use super::process::{output, text};

/// Runs commands and returns a session as at a terminal.
///
/// Each command comes after `$`, then standard output, standard error, and the exit code if it is
/// not 0.
///
/// Digests are written as `DIGEST`, fuel and time spent as `FUEL AND TIME`, and each of the
/// `hidden` texts (a directory, say) as `DIR`.
pub(crate) fn transcript(commands: &[&[&str]], hidden: &[&str]) -> String {
    let mut session = String::new();
    for arguments in commands {
        let said = output(arguments);
        let quoted = arguments.iter().map(|argument| quoted(argument));
        let line = quoted.collect::<Vec<_>>().join(" ");
        writeln!(session, "$ misere {line}").unwrap();
        session += &text(&said.stdout);
        session += &text(&said.stderr);
        match said.status.code().unwrap() {
            0 => {}
            code => writeln!(session, "exit code {code}").unwrap(),
        }
    }
    for text in hidden {
        session = session.replace(text, "DIR");
    }
    constant(&session)
}

/// Quotes an argument as one types it.
fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=".contains(c);
    match !argument.is_empty() && argument.chars().all(is_plain) {
        true => argument.to_owned(),
        false => format!("'{argument}'"),
    }
}

/// Hides digests, and the fuel and time spent, which change from run to run.
fn constant(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let is_hexadecimal =
            |word: &str| word.len() == 64 && word.chars().all(|c| c.is_ascii_hexdigit());
        let digest = line
            .split(|c: char| !c.is_ascii_alphanumeric())
            .find(|word| is_hexadecimal(word));
        let line = match digest {
            Some(digest) => line.replace(digest, "DIGEST"),
            None => line.to_owned(),
        };
        match line.starts_with("spent ") {
            true => "spent         FUEL AND TIME\n".to_owned(),
            false => line,
        }
    });
    lines.collect()
}
