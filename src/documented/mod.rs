//! Tests that the documents describe the command line as it is.
//!
//! They need the parser itself, so they are here and not in `tests/documents`, which runs the
//! commands on the pages.

mod commands;
#[path = "../../tests/documents/markdown.rs"]
#[allow(dead_code, reason = "shared with tests/documents")]
mod markdown;
mod options;

use clap::{Command, CommandFactory};

/// Builds the command line, with everything that clap adds to it.
fn command_line() -> Command {
    let mut command = crate::CommandLine::command();
    command.build();
    command
}

/// A command below `misere` with the words that name it.
struct NamedCommand<'a> {
    /// The words, as `misere census run`.
    name: String,
    command: &'a Command,
}

/// Returns `command` and all visible commands below it, each before those below it.
fn all_below<'a>(command: &'a Command, before: &str) -> Vec<NamedCommand<'a>> {
    let name = format!("{before} {}", command.get_name());
    let name = name.trim().to_owned();
    let below = command.get_subcommands().filter(|one| !one.is_hide_set());
    let below = below.filter(|one| one.get_name() != "help");
    let below: Vec<NamedCommand> = below.flat_map(|one| all_below(one, &name)).collect();
    std::iter::once(NamedCommand { name, command })
        .chain(below)
        .collect()
}
