//! What is said about a command line that was not understood, or that asks for help?
//!
//! Help and version go to standard output. Errors of usage become one line like all others; what clap spreads over a
//! paragraph is joined.

use clap::error::ErrorKind;

use crate::exit::{Ended, Exit, Failure};
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

/// Prints the help that was asked for, or what was wrong with the command line.
pub fn explain(error: &clap::Error) -> Ended {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ended(help(error)),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            eprint!("{}", error.render());
            Ended(Ok(Exit::Usage))
        }
        _ => {
            eprintln!("{}", one_line(&error.render().to_string()));
            Ended(Ok(Exit::Usage))
        }
    }
}

fn help(error: &clap::Error) -> Result<Exit, Failure> {
    let help = error.render();
    let coloured = console::colors_enabled();
    terminal::print(&if coloured {
        help.ansi().to_string()
    } else {
        help.to_string()
    })?;
    Ok(Exit::Done)
}

/// Clap's paragraphs as one line: without the usage, with where to find it.
fn one_line(rendered: &str) -> String {
    let said = rendered
        .split("\n\n")
        .filter(|paragraph| {
            !paragraph.trim_start().starts_with("Usage:") && !paragraph.contains("try '--help'")
        })
        .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|paragraph| !paragraph.is_empty())
        .collect::<Vec<_>>()
        .join("; ");
    format!("{said}; try --help")
}

#[cfg(test)]
mod tests {
    use super::*;

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
