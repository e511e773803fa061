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

use crate::exit::{CommandError, Exit, Failure};
use crate::terminal::{self, PrintError};

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
  misere man census run | man -l -   the same page: misere man census-run
  misere man solve > ~/.local/share/man/man1/misere-solve.1

Exit codes: 0 done, 1 failed, 2 usage (also: there is no such command).")]
pub struct ManArgs {
    /// The subcommand, such as census run; without one the page is that of misere itself
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

/// Prints the completion script of a shell.
///
/// # Errors
/// A [`Failure`] if standard output cannot be written.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<Exit, Failure> {
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

/// The manual has no page of this name.
#[derive(Debug, thiserror::Error)]
#[error("there is no command `{0}`; `misere --help` lists the commands")]
struct NoCommandError(String);

impl CommandError for NoCommandError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}

/// Prints a manual page in roff.
///
/// # Errors
/// A [`Failure`] if there is no such command, or standard output cannot be written.
pub fn man(args: &ManArgs, command: Command) -> Result<Exit, Failure> {
    // Names may be separated by blanks or hyphens: `census run`, `census-run`.
    let named = args.command.join("-").replace(' ', "-");
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let found = match args.command.as_slice() {
        [] => Some(&command),
        _ => found(&command, &named),
    };
    let found = found.ok_or_else(|| NoCommandError(args.command.join(" ")))?;
    let version = format!("misere {}", env!("CARGO_PKG_VERSION"));
    let page = Man::new(found.clone()).section("1").source(version);
    let mut roff = Vec::new();
    page.render(&mut roff).map_err(PrintError::Output)?;
    terminal::print(&String::from_utf8_lossy(&roff))?;
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
}
