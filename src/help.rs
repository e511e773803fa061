//! The width of the help, adapted to the terminal.
//!
//! Every command has a text after its options: examples, remarks and exit codes. The source has the
//! text with arbitrary line breaks; this module parses it into blocks ([`blocks`]) and formats them
//! for a width ([`fitted`]). The manual pages format the same blocks in roff.

use clap::{Arg, Command, ValueHint};
use console::Term;

use crate::terminal::flow;

/// The default width, which is also the greatest: longer lines are tiresome to read.
const WIDTH: usize = 100;

/// The smallest width for which help is formatted.
const MIN_WIDTH: usize = 40;

/// The width that a remark beside a command needs; with less, the remark goes below.
const ROOM: usize = 30;

/// A blank at which clap does not break lines.
///
/// The lines are broken already, and an example is never broken.
const FIXED_BLANK: char = '\u{a0}';

/// A part of the text after the options.
#[derive(Debug, PartialEq, Eq)]
pub enum Block<'a> {
    /// Lines of two columns under a heading: examples, or exit codes.
    Table(&'a str, Vec<Line<'a>>),
    /// Running text.
    Paragraph(String),
}

/// A line of two columns.
#[derive(Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The command, or the exit code.
    pub key: &'a str,
    /// The explanation; may be empty.
    pub remark: String,
}

/// Parses a text into blocks.
///
/// A paragraph whose first line ends in a colon, and whose other lines are indented, is a table.
/// The columns are two blanks apart, and a line that is indented further continues the remark above
/// it.
pub fn blocks(text: &str) -> Vec<Block<'_>> {
    let paragraphs = text.split("\n\n").filter(|part| !part.trim().is_empty());
    paragraphs.map(block).collect()
}

fn block(paragraph: &str) -> Block<'_> {
    let mut lines = paragraph.trim_matches('\n').lines();
    let heading = lines.next().unwrap_or("");
    let is_table = heading.ends_with(':') && lines.clone().all(|line| line.starts_with("  "));
    if !is_table {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        return Block::Paragraph(words.join(" "));
    }
    let mut table: Vec<Line<'_>> = Vec::new();
    for line in lines {
        let text = line.trim();
        match table.last_mut() {
            Some(above) if line.starts_with("   ") => {
                if !above.remark.is_empty() {
                    above.remark.push(' ');
                }
                above.remark.push_str(text);
            }
            _ => {
                let (key, remark) = columns(text);
                let remark = remark.trim_start().to_owned();
                table.push(Line { key, remark });
            }
        }
    }
    Block::Table(heading, table)
}

/// Splits a line into its columns, at two blanks outside quotes.
fn columns(line: &str) -> (&str, &str) {
    let gaps = line.match_indices("  ");
    let mut gaps = gaps.filter(|&(at, _)| line[..at].matches('\'').count().is_multiple_of(2));
    gaps.next().map_or((line, ""), |(at, _)| line.split_at(at))
}

/// Returns the width for help: the terminal's width, or else the value of `COLUMNS`.
pub fn width() -> usize {
    let stdout = Term::stdout();
    let terminal = stdout.size_checked().filter(|_| stdout.is_term());
    let said = || std::env::var("COLUMNS").ok()?.parse().ok();
    let columns = terminal.map(|(_, columns)| columns.into()).or_else(said);
    let columns = columns.filter(|&columns| columns > 0).unwrap_or(WIDTH);
    columns.clamp(MIN_WIDTH, WIDTH)
}

/// Formats the help of a command and its subcommands for a width.
///
/// [`printable`] makes the help ready to print.
pub fn fitted(command: Command, width: usize) -> Command {
    let text = command.get_after_help().map(ToString::to_string);
    let command = command.term_width(width);
    let command = match text {
        Some(text) => {
            command.after_help(set(&blocks(&text), width).replace(' ', &FIXED_BLANK.to_string()))
        }
        None => command,
    };
    command.mut_subcommands(|subcommand| fitted(subcommand, width))
}

/// Converts help as clap renders it to ordinary blanks.
pub fn printable(rendered: &str) -> String {
    rendered.replace(FIXED_BLANK, " ")
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
    command.mut_subcommands(uniform)
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

fn set(blocks: &[Block<'_>], width: usize) -> String {
    let blocks = blocks.iter().map(|block| match block {
        Block::Paragraph(text) => {
            let items = with_numbers(text);
            flow(items.iter().map(String::as_str), 0, width)
        }
        Block::Table(heading, lines) => table(heading, lines, width),
    });
    blocks.collect::<Vec<_>>().join("\n\n")
}

/// Splits a text into words, keeping a number with the word that follows it: `2 usage`.
fn with_numbers(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match items.last_mut() {
            Some(number) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                number.push(' ');
                number.push_str(word);
            }
            _ => items.push(word.to_owned()),
        }
    }
    items
}

/// Formats a table.
///
/// Remarks are beside the keys, in one column, if there is room, and below them otherwise.
fn table(heading: &str, lines: &[Line<'_>], width: usize) -> String {
    let length = |line: &Line<'_>| console::measure_text_width(line.key);
    let with_remark = lines.iter().filter(|line| !line.remark.is_empty());
    let is_short = |&length: &usize| 100 * length <= 55 * width;
    let widest = with_remark.map(length).filter(is_short).max().unwrap_or(0);
    // Exit codes are short, and need no wide gap to be seen as a column.
    let gap = if widest < 5 { 2 } else { 3 };
    let column = 2 + widest + gap;
    let mut text = heading.to_owned();
    for line in lines {
        text.push_str("\n  ");
        text.push_str(line.key);
        if line.remark.is_empty() {
            continue;
        }
        let words = line.remark.split(' ');
        if length(line) <= widest && column + ROOM <= width {
            text.push_str(&" ".repeat(column - 2 - length(line)));
            text.push_str(&flow(words, column, width));
        } else {
            text.push_str("\n      ");
            text.push_str(&flow(words, 6, width));
        }
    }
    text
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

    fn every_command() -> Vec<(String, Command)> {
        let found = all(&uniform(CommandLine::command()), "misere");
        assert!(found.len() > 40, "{}", found.len());
        found
    }

    fn help(command: &Command, width: usize) -> String {
        let mut command = fitted(command.clone(), width);
        printable(&command.render_long_help().to_string())
    }

    /// Returns the examples of a command.
    fn examples(command: &Command) -> Vec<String> {
        let text = command.get_after_help().map(ToString::to_string);
        let text = text.unwrap_or_default();
        let mut examples = Vec::new();
        for block in blocks(&text) {
            if let Block::Table(heading, lines) = block
                && heading.starts_with("Example")
            {
                examples.extend(lines.iter().map(|line| line.key.to_owned()));
            }
        }
        examples
    }

    fn indent(line: &str) -> usize {
        line.chars().take_while(|&c| c == ' ').count()
    }

    /// Returns the lines of a text that have room for the first word of the next line.
    fn broken_too_early(text: &str, width: usize) -> Vec<String> {
        let lines: Vec<&str> = text.lines().collect();
        let pairs = lines.windows(2).filter(|pair| {
            let (above, below) = (pair[0], pair[1]);
            let column = indent(below);
            let next = below.trim_start();
            let is_new = next.is_empty() || next.starts_with(['-', '<', '[']);
            if is_new || above.trim().is_empty() || above.starts_with("Usage:") {
                return false;
            }
            let goes_on = match column {
                0 => !above.ends_with(':'),
                1..6 => false,
                _ => indent(above) == column || above.chars().nth(column - 1) == Some(' '),
            };
            let word = with_numbers(next).swap_remove(0);
            goes_on && console::measure_text_width(above) + 1 + word.chars().count() <= width
        });
        pairs.map(|pair| pair.join("\n")).collect()
    }

    #[test]
    fn help_is_broken_at_the_width_alone() {
        for (called, command) in every_command() {
            for width in [40, 80, 100, 200] {
                let help = help(&command, width);
                let early = broken_too_early(&help, width);
                assert!(
                    early.is_empty(),
                    "{called} at {width}:\n{}",
                    early.join("\n\n")
                );
            }
        }
    }

    #[test]
    fn examples_are_never_broken() {
        for (called, command) in every_command() {
            let examples = examples(&command);
            for width in [40, 80, 100, 200] {
                let help = help(&command, width);
                for example in &examples {
                    let is_whole = |line: &str| {
                        let line = line.strip_prefix("  ").unwrap_or("");
                        line.strip_prefix(example.as_str())
                            .is_some_and(|rest| rest.is_empty() || rest.starts_with("   "))
                    };
                    assert!(help.lines().any(is_whole), "{called} at {width}: {example}");
                }
                for line in help.lines() {
                    let is_example = examples.iter().any(|example| line.trim() == example);
                    let is_heading = !line.starts_with(' ') && line.ends_with(':');
                    let is_usage = line.starts_with("Usage:");
                    let is_word = line.split_whitespace().count() <= 3;
                    let fits = console::measure_text_width(line) <= width;
                    assert!(
                        is_example || is_heading || is_usage || is_word || fits,
                        "{called} at {width}: {line}"
                    );
                }
            }
        }
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

    #[test]
    fn texts_are_parsed_into_blocks() {
        let text = "Examples:\n  a b   what it\n        does\n  c 'd  e'\n\nSome\nwords.\n\nExit codes:\n  0  done";
        let line = |key, remark: &str| Line {
            key,
            remark: remark.to_owned(),
        };
        let expected = [
            Block::Table(
                "Examples:",
                vec![line("a b", "what it does"), line("c 'd  e'", "")],
            ),
            Block::Paragraph("Some words.".to_owned()),
            Block::Table("Exit codes:", vec![line("0", "done")]),
        ];
        assert_eq!(blocks(text), expected);
    }

    #[test]
    fn remarks_go_beside_or_below() {
        let lines = [
            Line {
                key: "misere x",
                remark: "one two three four five six".to_owned(),
            },
            Line {
                key: "misere with-many-arguments --and --options",
                remark: "seven".to_owned(),
            },
        ];
        let expected = "E:\n  misere x   one two three four five six\n  misere with-many-arguments --and --options\n      seven";
        assert_eq!(table("E:", &lines, 60), expected);
        let expected = "E:\n  misere x\n      one two three four five six\n  misere with-many-arguments --and --options\n      seven";
        assert_eq!(table("E:", &lines, 40), expected);
    }
}
