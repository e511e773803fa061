//! `misere completions` and `misere man`: the command line for shells and for the manual.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;
use clap_mangen::Man;
#[cfg(feature = "census")]
use misere_census::Status;
#[cfg(feature = "census")]
use misere_export::Sequence;
#[cfg(feature = "census")]
use misere_game::solution::Reason;
#[cfg(feature = "census")]
use misere_query::Sort;
use roff::{Inline, Roff, bold, italic, roman};

use crate::exit::{CommandError, Exit};
use crate::help::{Block, Line, blocks};
use crate::terminal;

/// The section of the manual for commands.
const SECTION: &str = "1";

/// The arguments of `misere completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  misere completions bash > ~/.local/share/bash-completion/completions/misere

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct CompletionsArgs {
    /// The name of the shell
    #[arg(value_enum)]
    shell: Shell,
}

/// The arguments of `misere man`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere man | man -l -
  misere man census run | man -l -      the same page: misere man census-run
  misere man solve > ~/.local/share/man/man1/misere-solve.1

Exit codes: 0 done, 1 failed, 2 usage (also: there is no such command).")]
pub struct ManArgs {
    /// The subcommand of the page, such as census run; if there is none, the page is that of the
    /// command itself
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

/// Prints the completion script of a shell.
///
/// # Errors
/// A [`CommandError`] if standard output cannot be written.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<Exit, CommandError> {
    let mut script = Vec::new();
    command = completable(command);
    clap_complete::generate(args.shell, &mut command, "misere", &mut script);
    terminal::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

/// Returns a command line whose arguments list the words that a shell offers for them.
///
/// Other values are valid, too, so this command line only makes the script and parses nothing.
fn completable(command: Command) -> Command {
    let command = command.mut_args(|argument| {
        let words = offered(&argument);
        match words.is_empty() {
            true => argument,
            false => argument.value_parser(PossibleValuesParser::new(words)),
        }
    });
    command.mut_subcommands(completable)
}

/// Returns the words offered for an argument: statuses, orders, classes, names of games.
fn offered(argument: &Arg) -> Vec<&'static str> {
    if !argument.get_action().takes_values() {
        return Vec::new();
    }
    #[cfg(feature = "census")]
    match argument.get_long() {
        Some("status") => return Status::ALL.map(Status::name).to_vec(),
        Some("sort") => return Sort::all().map(Sort::name).collect(),
        Some("reason") => return Reason::ALL.map(|reason| reason.name()).to_vec(),
        Some("sequence") => return Sequence::ALL.map(Sequence::name).to_vec(),
        Some("class" | "any-class") => return CLASSES.to_vec(),
        _ => {}
    }
    let names = argument.get_value_names().unwrap_or_default();
    match (argument.is_positional(), names) {
        (true, [name]) if name == "CODE" => GAMES.to_vec(),
        _ => Vec::new(),
    }
}

/// The names of games that a shell offers in place of a code.
const GAMES: [&str; 9] = [
    "kayles",
    "dawsons-kayles",
    "dawsons-chess",
    "treblecross",
    "officers",
    "guiles",
    "grundy",
    "nim",
    "laskers-nim",
];

/// The names of classes that a shell offers: those most frequent in the literature.
#[cfg(feature = "census")]
const CLASSES: [&str; 8] = ["T_0", "T_1", "T_2", "T_3", "T_4", "R_8", "S_12", "R_14"];

/// Prints a manual page in roff.
///
/// # Errors
/// A [`CommandError`] if there is no such command, or standard output cannot be written.
pub fn man(args: &ManArgs, command: Command) -> Result<Exit, CommandError> {
    // Names may be separated by blanks or hyphens: `census run`, `census-run`.
    let named = args.command.join("-").replace(' ', "-");
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let found = match args.command.as_slice() {
        [] => Some(&command),
        _ => found(&command, &named),
    };
    let found = found.ok_or_else(|| CommandError::NoCommand(args.command.join(" ")))?;
    let page = page(found).map_err(CommandError::Output)?;
    terminal::print(&page)?;
    Ok(Exit::Done)
}

/// Finds the subcommand with a name whose words are joined by hyphens.
///
/// Names of commands may have hyphens themselves.
fn found<'a>(command: &'a Command, named: &str) -> Option<&'a Command> {
    let subcommands = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    subcommands.into_iter().find_map(|sub| {
        let rest = named.strip_prefix(sub.get_name())?;
        match rest.strip_prefix('-') {
            Some(rest) => found(sub, rest),
            None if rest.is_empty() => Some(sub),
            None => None,
        }
    })
}

/// Returns the name of a command's page, `misere-census-run`.
fn page_name(command: &Command) -> &str {
    let name = command.get_display_name();
    name.unwrap_or_else(|| command.get_name())
}

/// Makes the manual page of a command whose tree is built.
fn page(command: &Command) -> std::io::Result<String> {
    let version = format!("misere {}", env!("CARGO_PKG_VERSION"));
    let options = Man::new(command.clone()).section(SECTION).source(version);
    let mut page: Vec<u8> = Vec::new();
    options.render_title(&mut page)?;
    let text = command.get_after_help().map(ToString::to_string);
    let text = Text::of(text.as_deref().unwrap_or(""));
    introduction(command, &text.remarks).to_writer(&mut page)?;
    if command
        .get_arguments()
        .any(|argument| !argument.is_hide_set())
    {
        options.render_options_section(&mut page)?;
    }
    conclusion(command, &text).to_writer(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// The text after the options, by sections of a manual page.
#[derive(Default)]
struct Text<'a> {
    examples: Vec<Line<'a>>,
    exit_codes: Vec<(String, String)>,
    remarks: Vec<String>,
}

impl<'a> Text<'a> {
    fn of(text: &'a str) -> Self {
        let mut parts = Self::default();
        for block in blocks(text) {
            match block {
                Block::Table(heading, lines) if heading.starts_with("Exit codes") => {
                    let lines = lines.into_iter();
                    let codes = lines.map(|line| (line.key.to_owned(), line.remark));
                    parts.exit_codes.extend(codes);
                }
                Block::Table(_, lines) => parts.examples.extend(lines),
                Block::Paragraph(text) => match text.strip_prefix("Exit codes: ") {
                    Some(codes) => parts.exit_codes.extend(exit_codes(codes)),
                    None => parts.remarks.push(text),
                },
            }
        }
        parts
    }
}

/// Parses the codes and words of a line such as `0 done, 1 failed, 2 usage.`.
fn exit_codes(listed: &str) -> Vec<(String, String)> {
    let mut codes: Vec<(String, String)> = Vec::new();
    for part in listed.split(", ") {
        match (part.split_once(' '), codes.last_mut()) {
            (Some((code, meaning)), _) if code.chars().all(|c| c.is_ascii_digit()) => {
                codes.push((code.to_owned(), meaning.to_owned()));
            }
            (_, Some((_, meaning))) => {
                meaning.push_str(", ");
                meaning.push_str(part);
            }
            (_, None) => {}
        }
    }
    if let Some((_, last)) = codes.last_mut()
        && !last.contains(". ")
    {
        last.truncate(last.trim_end_matches('.').len());
    }
    codes
}

/// Makes the part of a page before the options.
fn introduction(command: &Command, remarks: &[String]) -> Roff {
    let mut roff = Roff::new();
    // Names of commands and options must appear as typed: no hyphenation, no stretched blanks.
    roff.control("nh", []);
    roff.control("ad", ["l"]);
    let about = command.get_about().map(ToString::to_string);
    let about = about.unwrap_or_default();
    roff.control("SH", ["NAME"]);
    roff.text([roman(format!("{} - {about}", page_name(command)))]);
    roff.control("SH", ["SYNOPSIS"]);
    let usage = command.clone().term_width(0).render_usage().to_string();
    for (at, line) in usage.lines().enumerate() {
        let line = line.trim_start_matches("Usage:").trim();
        if at > 0 {
            roff.control("br", []);
        }
        roff.text(synopsis(line, command));
    }
    if !remarks.is_empty() {
        roff.control("SH", ["DESCRIPTION"]);
    }
    for remark in remarks {
        roff.control("PP", []);
        roff.text([roman(remark.as_str())]);
    }
    roff
}

/// Formats the words that call a command in bold, and the rest as it is.
fn synopsis(line: &str, command: &Command) -> Vec<Inline> {
    let called = command.get_bin_name().unwrap_or_else(|| command.get_name());
    match line.strip_prefix(called) {
        Some(rest) => vec![bold(called), roman(rest)],
        None => vec![roman(line)],
    }
}

/// Makes the part of a page after the options.
fn conclusion(command: &Command, text: &Text<'_>) -> Roff {
    let mut roff = Roff::new();
    let subcommands = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    let subcommands: Vec<&Command> = subcommands.collect();
    if !subcommands.is_empty() {
        roff.control("SH", ["COMMANDS"]);
    }
    for subcommand in &subcommands {
        let about = subcommand.get_about().map(ToString::to_string);
        roff.control("TP", []);
        roff.text([bold(subcommand.get_name())]);
        roff.text([roman(about.unwrap_or_default())]);
    }
    if !text.examples.is_empty() {
        roff.control("SH", ["EXAMPLES"]);
    }
    for Line { key, remark } in &text.examples {
        // A command is never filled, so that it can be copied.
        roff.control("PP", []);
        roff.control("nf", []);
        roff.text([bold(*key)]);
        roff.control("fi", []);
        if !remark.is_empty() {
            roff.control("RS", ["4"]);
            roff.text([roman(remark.as_str())]);
            roff.control("RE", []);
        }
    }
    if !text.exit_codes.is_empty() {
        roff.control("SH", ["EXIT STATUS"]);
    }
    for (code, meaning) in &text.exit_codes {
        roff.control("TP", ["4"]);
        roff.text([bold(code.as_str())]);
        roff.text([roman(meaning.as_str())]);
    }
    let related_pages = related_pages(command, &subcommands);
    if !related_pages.is_empty() {
        roff.control("SH", ["SEE ALSO"]);
        roff.text(related_pages);
    }
    roff
}

/// Lists the pages of the command above and of those below.
fn related_pages(command: &Command, subcommands: &[&Command]) -> Vec<Inline> {
    let above = page_name(command).strip_suffix(command.get_name());
    let above = above.and_then(|above| above.strip_suffix('-'));
    let below = subcommands.iter().map(|sub| page_name(sub));
    let mut pages = Vec::new();
    for name in above.into_iter().chain(below) {
        if !pages.is_empty() {
            pages.push(roman(", "));
        }
        pages.push(italic(name));
        pages.push(roman(format!("({SECTION})")));
    }
    pages
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that every name offered belongs to a game or a class.
    #[test]
    fn offered_names_are_valid() {
        for name in GAMES {
            assert!(name.parse::<misere_game::ruleset::Code>().is_ok(), "{name}");
        }
        #[cfg(feature = "census")]
        for name in CLASSES {
            assert!(name.parse::<misere_query::ClassPattern>().is_ok(), "{name}");
        }
    }

    #[test]
    fn exit_codes_are_parsed() {
        let code = |code: &str, meaning: &str| (code.to_owned(), meaning.to_owned());
        assert_eq!(
            exit_codes("0 solved, diverging or growing, 1 failed, 2 usage."),
            [
                code("0", "solved, diverging or growing"),
                code("1", "failed"),
                code("2", "usage")
            ]
        );
        assert_eq!(
            exit_codes("0 done, 5 refuted. After 5 nothing is printed."),
            [
                code("0", "done"),
                code("5", "refuted. After 5 nothing is printed.")
            ]
        );
    }
}
