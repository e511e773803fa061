//! The parts of the command line that are the same for all commands.

use clap::{Arg, Command, ValueHint};
use console::Term;

use crate::terminal::flow;

/// The default width, which is also the greatest: longer lines are tiresome to read.
const WIDTH: usize = 100;

/// The smallest width for which help is formatted; a terminal may claim to have no columns at all.
const MIN_WIDTH: usize = 40;

/// Returns the width for help: the terminal's width, or else the value of `COLUMNS`.
pub fn width() -> usize {
    let stdout = Term::stdout();
    let terminal = stdout.size_checked().filter(|_| stdout.is_term());
    let said = || std::env::var("COLUMNS").ok()?.parse().ok();
    let columns = terminal.map(|(_, columns)| columns.into()).or_else(said);
    let columns = columns.filter(|&columns| columns > 0).unwrap_or(WIDTH);
    columns.clamp(MIN_WIDTH, WIDTH)
}

/// The commands by purpose, those of the first day on top.
pub const GROUPS: [(&str, &[&str]); 7] = [
    (
        "First steps",
        &["solve", "outcome", "play", "identify", "verify"],
    ),
    (
        "Games",
        &[
            "show", "explain", "genus", "form", "compare", "search", "normal",
        ],
    ),
    ("Infinite quotients", &["present", "automaton"]),
    ("Quotients", &["classify", "analyze"]),
    (
        "A census",
        &[
            "census", "query", "report", "export", "cite", "serve", "page",
        ],
    ),
    ("Machines", &["coordinator", "worker", "health"]),
    ("This program", &["completions", "man", "help"]),
];

/// The columns before the description of a command.
const BEFORE_ABOUT: usize = 15;

/// Lists the subcommands under the headings of their groups.
pub fn grouped(command: Command, width: usize) -> Command {
    let header = *command.get_styles().get_header();
    let literal = *command.get_styles().get_literal();
    let mut groups = String::new();
    for (heading, names) in GROUPS {
        let found = names.iter().filter_map(|name| {
            let below = command.find_subcommand(name)?;
            let about = below.get_about()?.to_string();
            let about = flow(about.split(' '), BEFORE_ABOUT, width);
            let (literal, padding) = (literal.render(), BEFORE_ABOUT - 2 - name.len());
            Some(format!(
                "  {literal}{name}{literal:#}{:padding$}{about}\n",
                ""
            ))
        });
        let found: String = found.collect();
        if !found.is_empty() {
            groups.push_str(&format!("{header}{heading}:{header:#}\n{found}\n"));
        }
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{header}Options:{header:#}\n{{options}}{{after-help}}"
    ))
}

/// Makes the help of each command a summary: without examples, budgets and other groups of options.
pub fn summarized(command: Command) -> Command {
    let command = command.after_help("`--help` has examples and all options.");
    let command = command.mut_args(|argument| {
        let is_special = argument.get_help_heading().is_some();
        argument.hide(is_special)
    });
    command.mut_subcommands(summarized)
}

/// Sets the width of the help of a command and of its subcommands.
pub fn fitted(command: Command, width: usize) -> Command {
    let command = command.term_width(width);
    command.mut_subcommands(|subcommand| fitted(subcommand, width))
}

/// Applies the settings that all commands share.
///
/// A negative number is a value, which is then refused as such, and shells complete names of files
/// and directories for options that take them.
pub fn uniform(command: Command) -> Command {
    let command = command.mut_args(|argument| {
        if !argument.get_action().takes_values() {
            return argument;
        }
        let hint = hint(&argument);
        argument.allow_negative_numbers(true).value_hint(hint)
    });
    let examples = command.get_after_help().map(ToString::to_string);
    let command = match examples.filter(|_| cfg!(not(feature = "census"))) {
        Some(examples) => command.after_help(without_census(&examples)),
        None => command,
    };
    command.mut_subcommands(uniform)
}

/// Leaves out the examples that name a census. An example goes on in lines that are indented more.
fn without_census(examples: &str) -> String {
    let mut is_left_out = false;
    let lines = examples.split_inclusive('\n').filter(|line| {
        if !line.starts_with("      ") {
            is_left_out = line.contains(" --data ");
        }
        !is_left_out
    });
    lines.collect()
}

fn hint(argument: &Arg) -> ValueHint {
    let names = argument.get_value_names().unwrap_or_default();
    match names.first().map(|name| name.as_str()) {
        Some("DIR") => ValueHint::DirPath,
        Some("FILE") => ValueHint::FilePath,
        Some("URL") => ValueHint::Url,
        _ => argument.get_value_hint(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::CommandLine;

    /// Returns a command and all visible commands below it, each with the words that call it.
    fn all(command: &Command, called: &str) -> Vec<(String, Command)> {
        let mut found = vec![(called.to_owned(), command.clone())];
        for subcommand in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
            let called = format!("{called} {}", subcommand.get_name());
            found.extend(all(subcommand, &called));
        }
        found
    }

    #[test]
    fn examples_of_a_census_are_left_out_where_there_is_none() {
        let examples = "\
Examples:
  misere identify R_8 --data census         by name
  misere identify 0.241 --data census       its quotient, and all games
                                            of the census that have it
  misere identify 0.77 --heap 9             the partial quotient
                                            to heap 9

A census is named by --data DIR.";
        let kept = "\
Examples:
  misere identify 0.77 --heap 9             the partial quotient
                                            to heap 9

";
        assert_eq!(without_census(examples), kept);
    }

    fn every_command() -> Vec<(String, Command)> {
        let found = all(&uniform(CommandLine::command()), "misere");
        assert!(found.len() > 40, "{}", found.len());
        found
    }

    /// Returns the examples of a command, without their remarks.
    fn examples(command: &Command) -> Vec<String> {
        let text = command.get_after_help().map(ToString::to_string);
        let text = text.unwrap_or_default().replace("\\\n      ", "");
        let paragraphs = text.split("\n\n");
        let paragraphs = paragraphs.filter(|text| text.starts_with("Example"));
        let lines = paragraphs.flat_map(|text| text.lines().skip(1));
        let lines = lines.filter(|line| !line.starts_with("   "));
        lines.map(|line| without_remark(line).to_owned()).collect()
    }

    /// Returns a line without the remark, which is two blanks apart, outside quotes.
    fn without_remark(line: &str) -> &str {
        let line = line.trim_start();
        let mut gaps = line.match_indices("  ");
        let gap = gaps.find(|&(at, _)| line[..at].matches('\'').count().is_multiple_of(2));
        gap.map_or(line, |(at, _)| &line[..at])
    }

    /// Tests the width of the texts below the options: clap would break an example like a sentence.
    #[test]
    fn texts_fit_a_terminal_of_80_columns() {
        for (called, command) in every_command() {
            let text = command.get_after_help().map(ToString::to_string);
            for line in text.unwrap_or_default().lines() {
                let width = console::measure_text_width(line);
                assert!(width <= 80, "{called}: {line}");
            }
        }
    }

    #[test]
    fn every_command_is_in_one_group() {
        let command = CommandLine::command();
        let mut listed: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        listed.retain(|name| *name != "help" && command.find_subcommand(name).is_some());
        let visible = command
            .get_subcommands()
            .filter(|below| !below.is_hide_set());
        let mut visible: Vec<&str> = visible.map(Command::get_name).collect();
        listed.sort_unstable();
        visible.sort_unstable();
        assert_eq!(listed, visible);
    }

    /// Tests that every example is a valid command line.
    #[test]
    fn examples_are_understood() {
        for (called, command) in every_command() {
            let runs = !command.has_subcommands() || command.get_name() == "coordinator";
            let examples = examples(&command);
            assert!(!runs || !examples.is_empty(), "{called} has no example");
            for example in examples {
                for arguments in calls(&example) {
                    let line = uniform(CommandLine::command());
                    if let Err(error) = line.try_get_matches_from(&arguments) {
                        panic!("{called}: {example}: {error}");
                    }
                }
            }
        }
    }

    /// Tests that every example of a command without subcommands calls that command.
    ///
    /// The call may be a part of the line.
    #[test]
    fn examples_belong_to_their_command() {
        for (called, command) in every_command() {
            if command.has_subcommands() || called.starts_with("misere report") {
                continue;
            }
            let examples = examples(&command);
            let is_of_command = |example: &String| example.contains(&called);
            assert!(examples.iter().any(is_of_command), "{called}: {examples:?}");
        }
    }

    /// Returns the arguments of each call of `misere` in a line for a shell.
    fn calls(line: &str) -> Vec<Vec<String>> {
        let mut calls: Vec<Vec<String>> = vec![Vec::new()];
        let mut word: Option<String> = None;
        let mut quoted = false;
        for c in line.chars().chain([' ']) {
            match c {
                '\'' => {
                    quoted = !quoted;
                    word.get_or_insert_default();
                }
                ' ' if !quoted => {
                    let Some(word) = word.take() else { continue };
                    match word.as_str() {
                        "|" | "&&" | ">" => calls.push(Vec::new()),
                        // A number will do for a variable.
                        variable if variable.starts_with('$') => {
                            calls.last_mut().unwrap().push("0".to_owned());
                        }
                        // The reader is to write this file of rules; any game will do for it.
                        file if file.starts_with('@') => {
                            calls.last_mut().unwrap().push("nim".to_owned());
                        }
                        _ => calls.last_mut().unwrap().push(word),
                    }
                }
                c => word.get_or_insert_default().push(c),
            }
        }
        calls.retain(|call| call.first().is_some_and(|name| name == "misere"));
        calls
    }
}
