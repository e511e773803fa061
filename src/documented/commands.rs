//! Tests that the command line accepts every command mentioned anywhere.
//!
//! They examine the pages of the book and the files beside them, the examples in the help, the
//! templates of the web pages, and all text between backticks in the source, especially error
//! messages. A command may be mentioned without arguments that it needs. Words in capitals are
//! placeholders, and so are braces in the source.

use std::fs;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Arg, Command};

use super::markdown::{Inline, Page, book, repository};
use super::{all_below, command_line};

/// Pages beside the book.
const BESIDE_THE_BOOK: [&str; 6] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "benches/README.md",
    "common/report/data/README.md",
    "deploy/README.md",
    "tests/data/README.md",
];

/// Folders with source in which commands are named.
const SOURCE: [&str; 8] = [
    "src",
    "common",
    "coordinator/ledger/src",
    "coordinator/src",
    "coordinator/web/src",
    "coordinator/web/templates",
    "proto",
    "worker/src",
];

/// The values for placeholders if the option does not determine one.
const SAMPLES: [(&str, &str); 24] = [
    ("--worker N", "3.7"),
    ("A..B", "1..2"),
    ("ADDR", "127.0.0.1:8117"),
    ("BYTES", "1GiB"),
    ("CLASS", "R_8"),
    ("CODE", "0.77"),
    ("COMMAND", "solve"),
    ("DAY", "2"),
    ("F", "jsonl"),
    ("GAME", "0.77"),
    ("GLOB", "0.7?"),
    ("HEAP", "3"),
    ("LIST", "0.77,0.07"),
    ("M", "50"),
    ("N", "3"),
    ("R", "0"),
    ("ROLE", "worker"),
    ("S", "solved"),
    ("S,…", "solved,grows"),
    ("SHELL", "bash"),
    ("TIME", "10s"),
    ("URL", "http://127.0.0.1:7117"),
    ("WHAT", "0.77"),
    ("BY", "code"),
];

/// The programs that start the program named after them.
const STARTERS: [&str; 3] = ["exec", "nice", "srun"];

/// A text that reads as a command: from `misere` to the end of the command.
struct CommandText {
    place: String,
    text: String,
}

/// Tests that the reference lists the commands in the groups of the help.
#[test]
fn the_reference_has_the_groups_of_the_help() {
    let reference = fs::read_to_string(repository().join("docs/reference.md")).unwrap();
    for (heading, names) in crate::help::GROUPS {
        let begins = format!("| {heading} | ");
        let row = reference.lines().find(|line| line.starts_with(&begins));
        let row = row.unwrap_or_else(|| panic!("the group {heading} is missing"));
        for name in names.iter().filter(|name| **name != "help") {
            assert!(row.contains(&format!("[{name}")), "{name} in {heading}");
        }
    }
}

#[test]
fn every_command_in_a_text_is_valid() {
    let line = command_line();
    let mut written = in_pages();
    written.extend(in_source());
    written.extend(in_help(&line));
    assert!(
        written.len() > 300,
        "only {} commands were found",
        written.len()
    );
    let faults: Vec<String> = written
        .iter()
        .flat_map(|CommandText { place, text }| {
            let fault = move |fault| format!("{place}: `{text}`: {fault}");
            misunderstood(&line, text).into_iter().map(fault)
        })
        .collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn options_that_are_named_exist() {
    let line = command_line();
    let commands = all_below(&line, "");
    let exists = |option: &str| {
        commands.iter().any(|named| {
            let mut options = named.command.get_arguments().filter_map(Arg::get_long);
            options.any(|long| long == option)
        })
    };
    let mut faults = Vec::new();
    for page in book() {
        for Inline { line, code } in page.inline() {
            let word = code.split([' ', '=']).next().unwrap_or("");
            if let Some(option) = word.strip_prefix("--")
                && !exists(option)
                && !OPTIONS_OF_OTHERS.contains(&option)
            {
                faults.push(format!(
                    "{}:{line}: there is no option `--{option}`",
                    page.name
                ));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Options of other programs that the pages name.
const OPTIONS_OF_OTHERS: [&str; 5] = ["every", "mem", "partials", "requeue", "signal"];

fn in_pages() -> Vec<CommandText> {
    let beside = BESIDE_THE_BOOK.map(|name| Page::read(&repository().join(name)));
    let mut written = Vec::new();
    for page in book().iter().chain(&beside) {
        let place = |line| format!("{}:{line}", page.name);
        for Inline { line, code } in page.inline() {
            if is_command(&code) {
                written.push(CommandText {
                    place: place(line),
                    text: code,
                });
            }
        }
        for block in page.blocks() {
            for (text, line) in block.code.iter().zip(block.line..) {
                let mut text = text.trim_start_matches("$ ").to_owned();
                if text.ends_with('\\') {
                    let more = block.code.iter().skip(line - block.line + 1);
                    let more = more.map(|line| line.trim());
                    let end = more.clone().position(|line| !line.ends_with('\\'));
                    let more: Vec<&str> = more.take(end.map_or(0, |end| end + 1)).collect();
                    text = format!("{text} {}", more.join(" ")).replace('\\', "");
                }
                if is_command(&text) || text.contains(" misere ") {
                    written.push(CommandText {
                        place: place(line),
                        text: before_remark(&text),
                    });
                }
            }
        }
    }
    written
}

fn in_source() -> Vec<CommandText> {
    let mut files = Vec::new();
    for folder in SOURCE {
        files_below(&repository().join(folder), &mut files);
    }
    let mut written = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.strip_prefix(repository()).unwrap().display();
        let is_page = file
            .extension()
            .is_some_and(|extension| extension == "html");
        for (line, text) in text.lines().enumerate() {
            let pieces: Vec<&str> = if is_page {
                text.split("<code>")
                    .skip(1)
                    .filter_map(|piece| piece.split("</code>").next())
                    .collect()
            } else {
                text.split('`').skip(1).step_by(2).collect()
            };
            let place = format!("{name}:{}", line + 1);
            let commands = pieces.into_iter().filter(|piece| is_command(piece));
            written.extend(commands.map(|piece| CommandText {
                place: place.clone(),
                text: without_braces(piece),
            }));
        }
    }
    written
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if path.is_dir() {
            files_below(&path, files);
        } else if matches!(extension, Some("rs" | "html" | "proto")) {
            files.push(path);
        }
    }
}

/// Collects the commands in the help of every command.
fn in_help(line: &Command) -> Vec<CommandText> {
    let mut written = Vec::new();
    for named in all_below(line, "") {
        let help = named.command.get_after_help().map(ToString::to_string);
        let help = help.unwrap_or_default().replace("\\\n      ", "");
        for text in help.lines() {
            if text.starts_with("  ") && text.contains("misere ") {
                written.push(CommandText {
                    place: format!("{} --help", named.name),
                    text: before_remark(text.trim_start()),
                });
            }
        }
    }
    written
}

fn is_command(text: &str) -> bool {
    text == "misere" || text.starts_with("misere ")
}

/// Returns an example without the remark after it, which two spaces or more separate.
fn before_remark(text: &str) -> String {
    let mut quoted = false;
    let mut spaces = 0;
    for (at, character) in text.char_indices() {
        if character == '\'' {
            quoted = !quoted;
        }
        spaces = if character == ' ' && !quoted {
            spaces + 1
        } else {
            0
        };
        if spaces == 2 {
            return text[..at].to_owned();
        }
    }
    text.to_owned()
}

/// Returns a text of the source with values in place of its braces.
fn without_braces(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let end = rest[at..].find('}').map_or(rest.len(), |end| at + end);
        let name = rest[at..end].trim_matches(['{', ' ']);
        result.push_str(&rest[..at]);
        result.push_str(if name.contains("code") || name.contains("text") {
            "0.77"
        } else {
            "4"
        });
        rest = rest[end..].trim_start_matches('}');
    }
    result + rest
}

/// Returns the reason why a command line would not be understood.
///
/// The line may contain several commands of a shell.
fn misunderstood(line: &Command, text: &str) -> Option<String> {
    if text.starts_with("misere …") {
        return None;
    }
    let Some(words) = shlex::split(&text.replace("; ", " ; ")) else {
        return Some("a quotation has no end".to_owned());
    };
    let separators = ["|", "&&", "||", ";", "&", ">", "<", "<<<", "2>", "#"];
    words
        .split(|word| separators.contains(&word.as_str()))
        .filter_map(|words| {
            let start = words.iter().position(|word| word == "misere")?;
            let is_started = words[..start]
                .iter()
                .all(|word| STARTERS.contains(&word.as_str()));
            is_started.then_some(&words[start..])
        })
        .flat_map(alternatives)
        .find_map(|words| {
            let words = with_samples(line, &words);
            let result = line.clone().try_get_matches_from(&words);
            let error = result
                .err()
                .filter(|error| !is_mere_mention(error.kind()))?;
            let said = error.to_string();
            Some(said.lines().next().unwrap_or("").to_owned())
        })
}

/// Reports whether a command may be mentioned without the missing arguments.
fn is_mere_mention(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
            | ErrorKind::MissingRequiredArgument
            | ErrorKind::MissingSubcommand
    )
}

/// Expands `a b|c [d]…` to its readings: `a b d` and `a c d`.
fn alternatives(words: &[String]) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    for word in words {
        // Digits that repeat without end are in brackets, too.
        let is_value = word.contains(['<', '⟨', '\'', '*', '{']) || word.contains(".[");
        // The reader is to write this file of rules, so any game will do for it.
        let word = match word.strip_prefix('@') {
            Some(_) => &"nim".to_owned(),
            None => word,
        };
        let bare = if is_value {
            word
        } else {
            word.trim_matches(['[', ']', '…', ',', '.'])
        };
        let bare = if bare.starts_with("..") || word.starts_with("..") {
            word
        } else {
            bare
        };
        if bare.is_empty() {
            continue;
        }
        let choices: Vec<&str> = if is_value {
            vec![bare]
        } else {
            bare.split('|').collect()
        };
        all = all
            .iter()
            .flat_map(|before| {
                choices.iter().map(move |choice| {
                    let mut words: Vec<String> = before.clone();
                    words.push((*choice).to_owned());
                    words
                })
            })
            .collect();
    }
    all
}

/// Replaces placeholders by values.
fn with_samples(line: &Command, words: &[String]) -> Vec<String> {
    let mut command = line;
    let mut option: Option<&Arg> = None;
    let mut result = Vec::new();
    for word in words {
        let long = word.strip_prefix("--");
        if let Some(below) = command.find_subcommand(word) {
            command = below;
        }
        result.push(match (long, option) {
            (None, Some(option)) => sample(word, Some(option)),
            (None, None) => sample(word, None),
            (Some(_), _) => word.clone(),
        });
        option = long.and_then(|long| {
            let mut arguments = command.get_arguments();
            arguments.find(|argument| argument.get_long() == Some(long))
        });
    }
    result
}

fn sample(word: &str, option: Option<&Arg>) -> String {
    if word.starts_with('$') {
        return "3".to_owned();
    }
    if !word.starts_with(|c: char| c.is_ascii_uppercase()) {
        return word.to_owned();
    }
    let values = option.map(Arg::get_possible_values).unwrap_or_default();
    let is_placeholder = word.chars().all(|c| !c.is_lowercase()) && !word.contains('_');
    match values.first() {
        Some(value) if is_placeholder => value.get_name().to_owned(),
        _ => {
            let long = option.and_then(Arg::get_long).unwrap_or_default();
            let of_option = format!("--{long} {word}");
            let mut samples = SAMPLES.iter();
            let known =
                samples.find(|(placeholder, _)| of_option == *placeholder || word == *placeholder);
            known.map_or(word, |(_, sample)| sample).to_owned()
        }
    }
}

#[test]
fn invalid_commands_are_found() {
    let line = command_line();
    let fault = |text: &str| misunderstood(&line, text);
    assert_eq!(fault("misere solve CODE"), None);
    assert_eq!(fault("misere census status|backup|quarantine"), None);
    assert_eq!(
        fault("misere solve 0.77 --out FILE && misere verify FILE"),
        None
    );
    assert_eq!(
        fault("misere coordinator certs --dir DIR [--role ROLE]… [--days N]"),
        None
    );
    assert!(fault("misere solve 0.77 --certificat FILE").is_some());
    assert!(fault("misere slove 0.77").is_some());
    assert!(fault("misere census status|backups").is_some());
    assert!(fault("misere solve 0.77 --json | misere verfy -").is_some());
    assert!(fault("misere solve 0.7x").is_some());
}
