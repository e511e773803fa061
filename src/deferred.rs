//! Options that are described only when their subcommand is used.
//!
//! `misere solve 0.123` needs only the options of `solve`. Describing the options of all
//! subcommands takes longer than solving the game.

use std::cell::Cell;
use std::ops::Deref;

use clap::{ArgMatches, Args, Command, CommandFactory, Error, FromArgMatches, Id};

use crate::help::uniform;
use crate::settings;

thread_local! {
    /// Whether options are being deferred.
    static IS_PUT_OFF: Cell<bool> = const { Cell::new(false) };
}

/// Builds a command line whose subcommands get their options when they are used.
///
/// It parses like the complete one with the defaults of the user; help and errors are made from the
/// complete one.
pub fn command_line<C: CommandFactory>() -> Command {
    IS_PUT_OFF.set(true);
    let command = C::command();
    IS_PUT_OFF.set(false);
    uniform(command)
}

/// The options of a subcommand.
#[derive(Debug)]
pub struct Deferred<T>(T);

impl<T> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Args> Args for Deferred<T> {
    fn group_id() -> Option<Id> {
        T::group_id()
    }

    fn augment_args(command: Command) -> Command {
        match IS_PUT_OFF.get() {
            true => command.defer(|command| {
                let words = command.get_name().to_owned();
                settings::applied(uniform(T::augment_args(command)), &words)
            }),
            false => T::augment_args(command),
        }
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;
    use crate::CommandLine;

    /// Lists the facts that determine the parsing, of a command and of those below it.
    fn facts(command: &Command) -> Vec<String> {
        let argument = |argument: &Arg| {
            format!(
                "{}: {argument:?} {:?}",
                command.get_name(),
                argument.get_value_hint()
            )
        };
        let mut own: Vec<String> = command.get_arguments().map(argument).collect();
        // The options of all commands come first where the others are deferred.
        own.sort_unstable();
        own.extend(command.get_subcommands().flat_map(facts));
        own
    }

    #[test]
    fn deferred_options_are_the_same() {
        let (mut whole, mut put_off) = (
            settings::applied(uniform(CommandLine::command()), ""),
            command_line::<CommandLine>(),
        );
        let solve = put_off.find_subcommand("solve").unwrap();
        assert_eq!(solve.get_arguments().count(), 0);
        whole.build();
        put_off.build();
        let facts = [&whole, &put_off].map(facts);
        assert!(facts[0].len() > 300, "{}", facts[0].len());
        assert_eq!(facts[0], facts[1]);
    }
}
