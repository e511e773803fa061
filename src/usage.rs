//! The answer to a command line that was not understood, or that asks for help.
//!
//! Help and version go to standard output. Errors of usage become one line like all others: clap's
//! paragraphs are joined, and Rust's messages on numbers are reworded.

use std::error::Error;
use std::num::{IntErrorKind, ParseIntError};

use clap::error::{ContextKind, ErrorKind};

use crate::exit::{Exit, Failure};
use crate::help::printable;
use crate::notice;
use crate::terminal;

/// The exit codes, for `--help`.
pub const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  failed
  2  the command line was not understood
  3  a budget was exhausted (fuel, greatest heap, greatest order)
  4  interrupted (Ctrl-C, SIGTERM, --time-limit, --memory-limit)
  5  verification failed

`misere COMMAND --help` explains a command, with examples.";

/// Prints the help requested, or the fault of the command line.
pub fn explain(error: &clap::Error) -> Result<Exit, Failure> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => help(error),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            notice::text(&printable(&error.render().to_string()));
            Ok(Exit::Usage)
        }
        _ => {
            let message = left_out(error).or_else(|| bad_number(error));
            // Without styles, every escape belongs to an argument and is shown.
            let message = message.unwrap_or_else(|| error.render().ansi().to_string());
            notice!("{}", one_line(&message));
            Ok(Exit::Usage)
        }
    }
}

/// Reports whether the command line asks for help or the version, or lacks a subcommand.
pub fn is_help(error: &clap::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    )
}

fn help(error: &clap::Error) -> Result<Exit, Failure> {
    let help = error.render();
    let coloured = console::colors_enabled();
    terminal::print(&printable(&if coloured {
        help.ansi().to_string()
    } else {
        help.to_string()
    }))?;
    Ok(Exit::Done)
}

/// The subcommands that a build without the feature `census` lacks.
const OF_THE_CENSUS: [&str; 12] = [
    "identify",
    "analyze",
    "census",
    "coordinator",
    "worker",
    "query",
    "report",
    "export",
    "cite",
    "serve",
    "page",
    "health",
];

/// Describes a subcommand or option that this build lacks.
fn left_out(error: &clap::Error) -> Option<String> {
    let context = |kind| error.get(kind).map(ToString::to_string);
    let named = match error.kind() {
        ErrorKind::InvalidSubcommand => context(ContextKind::InvalidSubcommand)
            .filter(|name| OF_THE_CENSUS.contains(&name.as_str()))?,
        ErrorKind::UnknownArgument => {
            context(ContextKind::InvalidArg).filter(|name| name == "--latex")?
        }
        _ => return None,
    };
    cfg!(not(feature = "census")).then(|| without_census(&named))
}

fn without_census(named: &str) -> String {
    format!(
        "error: this program was built without `{named}` (with --no-default-features); build it with its default features: `cargo build --release`"
    )
}

/// Describes the fault of a number; `None` if something else is wrong.
fn bad_number(error: &clap::Error) -> Option<String> {
    let context = |kind| error.get(kind).map(ToString::to_string);
    let argument = context(ContextKind::InvalidArg)?;
    let value = context(ContextKind::InvalidValue)?;
    let source = error.source()?;
    let reason = match source.downcast_ref::<ParseIntError>() {
        Some(fault) => match fault.kind() {
            IntErrorKind::Empty => "a number is missing".to_owned(),
            IntErrorKind::PosOverflow => "the number is too large".to_owned(),
            IntErrorKind::NegOverflow => "the number cannot be negative".to_owned(),
            _ => "it is not a whole number".to_owned(),
        },
        None => out_of_range(&source.to_string())?,
    };
    Some(format!(
        "error: invalid value '{value}' for '{argument}': {reason}"
    ))
}

/// Rewords clap's `7 is not in 0..=5`.
fn out_of_range(message: &str) -> Option<String> {
    let (number, range) = message.split_once(" is not in ")?;
    let (least, most) = range.split_once("..=")?;
    let (number, least, most) = (
        number.parse::<i128>().ok()?,
        least.parse::<i128>().ok()?,
        most.parse::<i128>().ok()?,
    );
    Some(match number {
        ..0 => "the number cannot be negative".to_owned(),
        _ if number < least => format!("the number must be at least {least}"),
        _ => format!("the number must be at most {most}"),
    })
}

/// Joins clap's paragraphs to one line: without the usage, with the command that shows it.
fn one_line(rendered: &str) -> String {
    let message = rendered
        .split("\n\n")
        .filter(|paragraph| {
            !paragraph.trim_start().starts_with("Usage:") && !paragraph.contains("try '--help'")
        })
        .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|paragraph| !paragraph.is_empty())
        .collect::<Vec<_>>()
        .join("; ");
    format!("{message}; try --help")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that the names of subcommands left out without the census agree with `main.rs`.
    #[test]
    fn the_subcommands_of_the_census_are_listed() {
        let commands = include_str!("main.rs");
        let commands = commands.split_once("enum Command {").unwrap().1;
        let commands = commands.split_once("\n}").unwrap().0;
        let left_out = commands
            .split("#[cfg(feature = \"census\")]\n")
            .skip(1)
            .filter_map(|variant| variant.trim().split_once('(').map(|(name, _)| name))
            .filter(|name| name.chars().all(char::is_alphanumeric))
            .map(str::to_lowercase);
        assert_eq!(left_out.collect::<Vec<_>>(), OF_THE_CENSUS);
    }

    #[test]
    #[cfg(not(feature = "census"))]
    fn a_command_that_is_left_out_is_named() {
        use clap::CommandFactory;
        for words in [["misere", "census"], ["misere", "serve"]] {
            let error = crate::CommandLine::command().try_get_matches_from(words);
            let said = left_out(&error.unwrap_err()).unwrap();
            assert!(said.contains(&format!("without `{}`", words[1])), "{said}");
        }
        let help = crate::CommandLine::command()
            .find_subcommand("solve")
            .unwrap()
            .get_after_help()
            .unwrap()
            .to_string();
        assert!(!help.contains("--latex"));
    }

    #[test]
    fn paragraphs_become_one_line() {
        let rendered = "error: the following required arguments were not provided:\n  <CODE>\n\nUsage: misere solve <CODE>\n\nFor more information, try '--help'.\n";
        assert_eq!(
            one_line(rendered),
            "error: the following required arguments were not provided: <CODE>; try --help"
        );
        let rendered = "error: unrecognized subcommand 'slove'\n\n  tip: a similar subcommand exists: 'solve'\n\nUsage: misere <COMMAND>\n\nFor more information, try '--help'.\n";
        assert_eq!(
            one_line(rendered),
            "error: unrecognized subcommand 'slove'; tip: a similar subcommand exists: 'solve'; try --help"
        );
    }
}
