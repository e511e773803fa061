//! The answer to a command line that was not understood, or that asks for help.
//!
//! Help and version go to standard output. Errors of usage are one line like all others: what clap
//! says, and the command that explains more. Rust's messages on numbers are reworded.

use std::error::Error;
use std::ffi::OsString;
use std::num::{IntErrorKind, ParseIntError};
use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use misere_game::position::Position;
use misere_game::ruleset::Code;

use crate::exit::{Exit, Failure};
use crate::{notice, shell, terminal};

/// The exit codes, for `--help`.
pub const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  failed
  2  the command line was not understood
  3  a budget was exhausted (fuel, greatest heap, greatest order)
  4  interrupted (Ctrl-C, SIGTERM, --time-limit, --memory-limit)
  5  verification failed
  6  a worker found no coordinator, or one that refuses it

`misere COMMAND -h` is a summary, `misere COMMAND --help` has examples.";

/// Prints the help requested, or the fault of the command line.
///
/// `given` is the command line, and `line` describes it.
pub fn explain(error: clap::Error, given: &[OsString], line: &Command) -> Result<Exit, Failure> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => help(&error),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            notice::text(&error.render().to_string());
            Ok(Exit::Usage)
        }
        _ => {
            let called = called(given, line);
            notice!("error: {}; try {called} --help", fault(error));
            Ok(Exit::Usage)
        }
    }
}

/// Returns the words that call a command: those of the command line before options and values.
fn called(given: &[OsString], line: &Command) -> String {
    let mut command = line;
    let mut called = line.get_name().to_owned();
    for word in given.iter().skip(1) {
        let below = word.to_str().and_then(|word| command.find_subcommand(word));
        let Some(below) = below.filter(|below| !below.is_hide_set()) else {
            break;
        };
        called = format!("{called} {}", below.get_name());
        command = below;
    }
    called
}

/// Describes the fault of a command line, on one line.
///
/// It is what clap says, without the usage and without its tip to write `-- --option`; numbers are
/// in words.
pub fn fault(mut error: clap::Error) -> String {
    let reworded = bad_number(&error).or_else(|| heaps_beside_the_game(&error));
    if let Some(message) = reworded.or_else(|| path_alone(&error)) {
        return message;
    }
    error.remove(ContextKind::Usage);
    error.remove(ContextKind::Suggested);
    if let Some(tip) = left_out(&error).or_else(|| meant(&error)) {
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::SuggestedArg);
        let tip = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tip);
    }
    // Without styles, every escape belongs to an argument and is shown.
    let said = error.render().ansi().to_string();
    let said = said.strip_prefix("error: ").unwrap_or(&said);
    let said = said.rsplit_once(MORE).map_or(said, |(said, _)| said);
    let paragraphs = said.split("\n\n").map(|paragraph| {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        words.join(" ")
    });
    let paragraphs: Vec<String> = paragraphs.filter(|text| !text.is_empty()).collect();
    paragraphs.join("; ")
}

/// The beginning of clap's last line, which names the help without the command.
const MORE: &str = "\n\nFor more information";

/// Reports whether the command line asks for help or the version, or lacks a subcommand.
pub fn is_help(error: &clap::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    )
}

/// Prints the help or the version that was asked for.
pub fn help(error: &clap::Error) -> Result<Exit, Failure> {
    let help = error.render();
    let coloured = console::colors_enabled();
    terminal::print(&match coloured {
        true => help.ansi().to_string(),
        false => help.to_string(),
    })?;
    Ok(Exit::Done)
}

/// The subcommands that a build without the feature `census` lacks.
const OF_THE_CENSUS: [&str; 11] = [
    "show",
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

/// Says how a subcommand or option that this build lacks is obtained.
fn left_out(error: &clap::Error) -> Option<String> {
    let context = |kind| error.get(kind).map(ToString::to_string);
    let named = match error.kind() {
        ErrorKind::InvalidSubcommand => context(ContextKind::InvalidSubcommand)
            .filter(|name| OF_THE_CENSUS.contains(&name.as_str()))?,
        ErrorKind::UnknownArgument => {
            let of_the_census = ["--data", "-d"];
            context(ContextKind::InvalidArg)
                .filter(|name| of_the_census.contains(&name.as_str()))?
        }
        _ => return None,
    };
    cfg!(not(feature = "census")).then(|| {
        format!(
            "this program was built without `{named}`, as the Python package is; run \
             `make install` in a clone of misere-census for the whole program"
        )
    })
}

/// Words that are no commands, with the commands that do what they say.
const MEANT: [(&str, &str); 10] = [
    ("list", "`misere query` lists the games of a census"),
    (
        "find",
        "`misere query` lists the games of a census that satisfy conditions",
    ),
    (
        "status",
        "`misere census status` shows the standing of a census",
    ),
    ("run", "`misere census run` begins or resumes a census"),
    ("resume", "`misere census run` resumes a census"),
    (
        "quotient",
        "`misere solve GAME` finds the misère quotient of a game",
    ),
    (
        "win",
        "`misere outcome GAME HEAP…` finds the winner and the winning moves",
    ),
    (
        "check",
        "`misere verify` checks certificates, `misere census check` a census",
    ),
    (
        "nim",
        "`misere solve nim` solves Nim, `misere solve GAME --normal` normal play",
    ),
    (
        "table",
        "`misere report` makes tables and pictures from a census",
    ),
];

/// Says which command may have been meant by a word that is none.
fn meant(error: &clap::Error) -> Option<String> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let word = error.get(ContextKind::InvalidSubcommand)?.to_string();
    let known = MEANT.iter().find(|(meant, _)| *meant == word);
    let known = known.map(|(_, does)| (*does).to_owned());
    let is_game = || word.parse::<Code>().is_ok();
    known.or_else(|| is_game().then(|| format!("`misere solve {word}` solves this game")))
}

/// Describes the fault of a position that is written as one word, `0.77:3+5`, where a game and its
/// heaps are separate words.
fn heaps_beside_the_game(error: &clap::Error) -> Option<String> {
    let context = |kind| error.get(kind).map(ToString::to_string);
    let value = context(ContextKind::InvalidValue)?;
    let (code, heaps) = value.split_once(':')?;
    let is_position = error.kind() == ErrorKind::ValueValidation
        && context(ContextKind::InvalidArg)? == "<CODE>"
        && code
            .parse()
            .is_ok_and(|code| Position::parse(&code, heaps).is_ok());
    is_position.then(|| format!("the heaps follow the game: write {code} {}", heaps.trim()))
}

/// Describes the fault of a path that needs an option before it, or `@`.
fn path_alone(error: &clap::Error) -> Option<String> {
    let context = |kind| error.get(kind).map(ToString::to_string);
    let path = match error.kind() {
        ErrorKind::ValueValidation => {
            let argument = context(ContextKind::InvalidArg)?;
            let is_positional = argument.starts_with(['<', '[']);
            context(ContextKind::InvalidValue).filter(|_| is_positional)?
        }
        ErrorKind::UnknownArgument => context(ContextKind::InvalidArg)?,
        _ => return None,
    };
    let shown = shell::quoted(&path);
    if Path::new(&path).is_dir() {
        return Some(format!(
            "{shown} is a directory; a census is named by an option: --data {shown}"
        ));
    }
    Path::new(&path).is_file().then(|| {
        format!(
            "{shown} is a file; `misere verify {shown}` checks a certificate, and --certificate \
             {shown} uses one where a command has that option; @{shown} is a game whose options \
             are listed in the file"
        )
    })
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
        "invalid value '{value}' for '{argument}': {reason}"
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use clap::builder::Styles;

    use super::*;

    /// Tests that the names of subcommands left out without the census agree with `lib.rs`.
    #[test]
    fn the_subcommands_of_the_census_are_listed() {
        let commands = include_str!("lib.rs");
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
        for (line, left_out) in [
            ("misere census", "census"),
            ("misere serve", "serve"),
            ("misere solve 0.77 --data d", "--data"),
        ] {
            let said = said(line);
            assert!(said.contains(&format!("without `{left_out}`")), "{said}");
        }
    }

    /// Returns the fault of a command line.
    fn said(line: &str) -> String {
        let words = line.split(' ');
        let line = crate::CommandLine::command().styles(Styles::plain());
        fault(line.try_get_matches_from(words).unwrap_err())
    }

    #[test]
    fn a_fault_is_one_line_without_usage() {
        assert_eq!(
            said("misere solve"),
            "the following required arguments were not provided: <CODE>"
        );
        assert_eq!(
            said("misere slove"),
            "unrecognized subcommand 'slove'; tip: some similar subcommands exist: 'serve', 'solve'"
        );
        assert_eq!(
            said("misere solve 0.3 --jsn"),
            "unexpected argument '--jsn' found; tip: a similar argument exists: '--json'"
        );
        assert_eq!(
            said("misere 0.77"),
            "unrecognized subcommand '0.77'; tip: `misere solve 0.77` solves this game"
        );
        assert!(
            said("misere status")
                .ends_with("; tip: `misere census status` shows the standing of a census")
        );
        assert_eq!(said("misere verify --x"), "unexpected argument '--x' found");
        assert_eq!(
            said("misere outcome 0.77:3+5"),
            "the heaps follow the game: write 0.77 3+5"
        );
        assert!(said("misere outcome 0.77:x").contains("bad code"));
    }

    #[test]
    fn the_help_of_the_command_called_is_named() {
        let line = crate::CommandLine::command();
        for (given, expected) in [
            ("misere slove", "misere"),
            ("misere solve 0.3 verify", "misere solve"),
            ("misere man solve", "misere man"),
            ("misere --x solve", "misere"),
        ] {
            let given: Vec<OsString> = given.split(' ').map(OsString::from).collect();
            assert_eq!(called(&given, &line), expected);
        }
    }
}
