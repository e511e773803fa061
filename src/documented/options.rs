//! Tests that docs/reference.md lists every command with its options, defaults and exit codes.
//!
//! The lists are between `<!-- options: misere solve -->` and `<!-- end of options -->`. They are
//! made from the parser and its help; `make documents` makes them again.

use std::fs;

use clap::{Arg, Command};

use crate::terminal::flow;

use super::markdown::repository;
use super::{NamedCommand, all_below, command_line};

/// The variable, set by `make documents`, that makes the tests write the lists into the page.
const REFRESH: &str = "MISERE_REFRESH_DOCUMENTS";

/// The width of a page.
const WIDTH: usize = 100;

const PAGE: &str = "docs/reference.md";
const BEGIN: &str = "<!-- options: ";
const END: &str = "<!-- end of options -->";

/// The options that many commands share, which are listed once.
///
/// Each has the beginning of its heading in the help, the command whose list has the options, and
/// the words for them in the lists of the other commands.
const GROUPS: [(&str, &str, &str); 13] = [
    (
        "Plan",
        "misere census plan",
        "[plan options](#misere-census-plan)",
    ),
    (
        "Conditions on the games",
        "misere query",
        "[conditions](#misere-query)",
    ),
    (
        "Further conditions",
        "misere query",
        "[conditions](#misere-query)",
    ),
    (
        "Output",
        "misere report summary",
        "[output](#misere-report)",
    ),
    (
        "Census",
        "misere census workers",
        "[census](#orders-to-a-coordinator)",
    ),
    ("Log", "misere coordinator", "[log](#misere-coordinator)"),
    (
        "Traces",
        "misere coordinator",
        "[traces](#misere-coordinator)",
    ),
    ("Pages", "misere serve", "[pages](#misere-serve)"),
    ("Budget", "misere solve", "[budget](#misere-solve)"),
    ("Guards (what", "misere solve", "[guards](#misere-solve)"),
    (
        "Guards (a game",
        "misere census run",
        "[guards](#misere-census-run)",
    ),
    (
        "Processes",
        "misere census run",
        "[processes](#misere-census-run)",
    ),
    (
        "Security",
        "misere coordinator",
        "[security](#misere-coordinator)",
    ),
];

#[test]
fn the_reference_lists_every_option() {
    let line = command_line();
    let commands = all_below(&line, "");
    let file = repository().join(PAGE);
    let page = fs::read_to_string(&file).unwrap();
    let (made, listed) = with_lists(&page, &commands);
    if std::env::var_os(REFRESH).is_some() && made != page {
        fs::write(&file, &made).unwrap();
        return;
    }
    for (was, is) in page.lines().zip(made.lines()) {
        assert_eq!(
            was, is,
            "{PAGE} is not as the command line is; run `make documents`"
        );
    }
    assert_eq!(
        page, made,
        "{PAGE} is not as the command line is; run `make documents`"
    );
    let missing: Vec<&str> = commands
        .iter()
        .filter(|named| is_listed(named.command))
        .map(|named| named.name.as_str())
        .filter(|name| !listed.contains(&(*name).to_owned()))
        .collect();
    assert!(
        missing.is_empty(),
        "{PAGE} has no list of options of {missing:?}; write `{BEGIN}{} -->` and `{END}`, and run \
         `make documents`",
        missing[0]
    );
}

/// Reports whether a command does something itself; others only hold the commands below them.
fn is_listed(command: &Command) -> bool {
    !command.is_subcommand_required_set()
}

/// Returns the page with every list made again, and the commands listed.
fn with_lists(page: &str, commands: &[NamedCommand]) -> (String, Vec<String>) {
    let mut made = String::new();
    let mut listed = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find(BEGIN) {
        let (before, list) = rest.split_at(at);
        let (head, list) = list
            .split_once(" -->\n")
            .expect("a comment ends with its line");
        let names = names(&head[BEGIN.len()..]);
        let (_, after) = list
            .split_once(END)
            .unwrap_or_else(|| panic!("{PAGE}: `{head} -->` has no `{END}`"));
        let text = list_of(&names, commands);
        made.push_str(&format!("{before}{head} -->\n{text}{END}"));
        listed.extend(names);
        rest = after;
    }
    (made + rest, listed)
}

/// Returns the names of a list of commands.
///
/// A list that ends with `table1, table2` has `misere report table1` and `misere report table2`.
fn names(list: &str) -> Vec<String> {
    let (first, others) = list.split_once(", ").unwrap_or((list, ""));
    let group = first.rsplit_once(' ').map_or("", |(group, _)| group);
    let others = others.split(", ").filter(|other| !other.is_empty());
    let others = others.map(|other| format!("{group} {other}"));
    std::iter::once(first.to_owned()).chain(others).collect()
}

/// Formats the list of commands that share options.
fn list_of(names: &[String], commands: &[NamedCommand]) -> String {
    let mut texts = names.iter().map(|name| {
        let named = commands.iter().find(|named| named.name == *name);
        let named = named.unwrap_or_else(|| panic!("{PAGE}: there is no `{name}`"));
        list(named, commands)
    });
    let text = texts.next().unwrap_or_default();
    for (other, name) in texts.zip(&names[1..]) {
        assert_eq!(
            text, other,
            "`{name}` has other options than `{}`",
            names[0]
        );
    }
    text
}

fn list(named: &NamedCommand, commands: &[NamedCommand]) -> String {
    let mut text = String::from("| option | default | |\n|---|---|---|\n");
    let mut groups: Vec<&str> = Vec::new();
    for argument in arguments(named.command) {
        let heading = argument.get_help_heading().unwrap_or("");
        let group = GROUPS
            .iter()
            .find(|(begins, command, _)| heading.starts_with(begins) && *command != named.name);
        let Some((_, elsewhere, called)) = group else {
            text.push_str(&row(argument));
            continue;
        };
        let elsewhere = commands
            .iter()
            .find(|named| named.name == *elsewhere)
            .unwrap();
        let mut there = arguments(elsewhere.command).map(row);
        assert!(
            there.any(|there| there == row(argument)),
            "`{}` lists another {argument} than `{}`",
            elsewhere.name,
            named.name
        );
        if !groups.contains(called) {
            groups.push(called);
            text.push_str(&format!("| {called} | | those of `{}` |\n", elsewhere.name));
        }
    }
    let codes = exit_codes(named.command)
        .unwrap_or_else(|| panic!("the help of `{}` does not tell its exit codes", named.name));
    text + "\n" + &codes + "\n"
}

fn arguments(command: &Command) -> impl Iterator<Item = &Arg> {
    command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set() && !argument.is_global_set())
        .filter(|argument| !matches!(argument.get_id().as_str(), "help" | "version"))
}

/// Formats one argument as a row of the list.
fn row(argument: &Arg) -> String {
    let help = argument
        .get_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    // If the default is not a fixed value the help has it.
    let (help, told) = match help.split_once(" [default: ") {
        Some((help, told)) => (help.to_owned(), told.trim_end_matches(']').to_owned()),
        None => (help, String::new()),
    };
    let values = argument.get_default_values().iter();
    let values: Vec<&str> = values.filter_map(|value| value.to_str()).collect();
    let default = match (takes_value(argument), argument.is_required_set()) {
        (_, true) => "required".to_owned(),
        (true, false) if told.is_empty() => values.join(", "),
        _ => told,
    };
    let meanings = possible_values(argument)
        .into_iter()
        .filter_map(|(name, meaning)| Some(format!(". `{name}`: {}", meaning?)));
    let variable = argument.get_env().and_then(|name| name.to_str());
    let variable = variable.map(|name| format!(". Variable: `{name}`"));
    let help = format!(
        "{help}{}{}",
        meanings.collect::<String>(),
        variable.unwrap_or_default()
    );
    let default = match default.as_str() {
        "" => " ".to_owned(),
        told => format!(" {} ", escaped(told)),
    };
    format!(
        "| `{}` |{default}| {} |\n",
        written(argument),
        escaped(&help)
    )
}

fn takes_value(argument: &Arg) -> bool {
    argument.get_action().takes_values()
}

/// Formats the argument as on a command line: `--strategy exact|classical`, `HEAP…`.
fn written(argument: &Arg) -> String {
    let mut value = String::new();
    if takes_value(argument) {
        let names: Vec<String> = possible_values(argument)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        let called = argument.get_value_names().unwrap_or_default();
        value = if names.is_empty() {
            let names = called.iter().map(|name| name.replace('|', "\\|"));
            names.collect::<Vec<_>>().join(" ")
        } else {
            names.join("\\|")
        };
        let many = argument
            .get_num_args()
            .is_some_and(|count| count.max_values() > 1);
        if many || matches!(argument.get_action(), clap::ArgAction::Append) {
            value.push('…');
        }
    }
    match argument.get_long() {
        Some(long) if value.is_empty() => format!("--{long}"),
        Some(long) => format!("--{long} {value}"),
        None => value,
    }
}

fn possible_values(argument: &Arg) -> Vec<(String, Option<String>)> {
    let values = argument.get_possible_values().into_iter();
    let shown = values.filter(|value| takes_value(argument) && !value.is_hide_set());
    shown
        .map(|value| {
            let meaning = value.get_help().map(ToString::to_string);
            (value.get_name().to_owned(), meaning)
        })
        .collect()
}

/// Escapes everything outside code that Markdown would interpret.
fn escaped(text: &str) -> String {
    let pieces = text.split('`').enumerate();
    let escape = |(place, piece): (usize, &str)| {
        let piece = piece.replace("\\|", "|").replace('|', "\\|");
        if place % 2 == 1 {
            return piece;
        }
        let piece = piece.replace('*', "\\*").replace('<', "\\<");
        piece.replace('_', "\\_")
    };
    pieces.map(escape).collect::<Vec<_>>().join("`")
}

/// Returns the paragraph of the help with the exit codes.
fn exit_codes(command: &Command) -> Option<String> {
    let help = command.get_after_help()?.to_string();
    let mut paragraphs = help.split("\n\n");
    let codes = paragraphs.find(|paragraph| paragraph.trim_start().starts_with("Exit codes:"))?;
    Some(flow(escaped(codes).split_whitespace(), 0, WIDTH) + "\n")
}

#[test]
fn a_row_describes_an_option() {
    let argument = Arg::new("color")
        .long("color")
        .value_name("WHEN")
        .default_value("auto")
        .value_parser(["auto", "never"])
        .help("Whether to use a|b*");
    assert_eq!(
        row(&argument),
        "| `--color auto\\|never` | auto | Whether to use a\\|b\\* |\n"
    );
    let argument = Arg::new("n")
        .long("n")
        .value_name("N")
        .help("How many [default: one per core]");
    assert_eq!(row(&argument), "| `--n N` | one per core | How many |\n");
    let argument = Arg::new("all")
        .long("all")
        .action(clap::ArgAction::SetTrue)
        .help("All");
    assert_eq!(row(&argument), "| `--all` | | All |\n");
}
