//! `misere completions` and `misere man`: how do a shell and the manual learn the command line?

use std::io::Write;

use clap_complete::Shell;
use clap_mangen::Man;

use crate::exit::{Exit, Failure};
use crate::terminal;

/// The arguments of `misere completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  misere completions bash > ~/.local/share/bash-completion/completions/misere

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// The arguments of `misere man`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere man | man -l -
  misere man solve > ~/.local/share/man/man1/misere-solve.1

Exit codes: 0 done, 1 failed, 2 usage (also: there is no such command).")]
pub struct ManArgs {
    /// The subcommand whose page is wanted; the command's own without
    command: Option<String>,
}

/// Prints the completion script of a shell.
///
/// # Errors
/// If standard output cannot be written.
pub fn completions(args: &CompletionsArgs, mut command: clap::Command) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "misere", &mut script);
    terminal::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

/// Prints a manual page in roff.
///
/// # Errors
/// If there is no such command, or standard output cannot be written.
pub fn man(args: &ManArgs, mut command: clap::Command) -> Result<Exit, Failure> {
    command.build();
    let page = match &args.command {
        None => command,
        Some(name) => command
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| Failure::NoCommand(name.clone()))?,
    };
    let mut roff: Vec<u8> = Vec::new();
    Man::new(page)
        .render(&mut roff)
        .and_then(|()| roff.flush())
        .map_err(Failure::Output)?;
    terminal::print(&String::from_utf8_lossy(&roff))?;
    Ok(Exit::Done)
}
