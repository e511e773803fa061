//! `misere compare`: whether two games are equal, and what distinguishes them.

use misere_algebra::forms::contexts::LAST_DAY;
use misere_algebra::forms::notation::GameText;
use misere_answers::comparison::{Comparison, Context};

use crate::exit::{Exit, Failure};
use crate::genus::{Effort, computed};
use crate::terminal;
use crate::watch::Guards;

/// The arguments of `misere compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere compare 0.123:3 0.123:4    equal: both are *2
  misere compare 0.123:6 0.123:11   of one genus, and one element of the
                                    quotient, but not equal
  misere compare 2+ 0 --json        the same facts as one JSON document

Two games are equal if they have the same outcome in any context. If they are
not, the least game is shown with which they have different outcomes: the one
that is born first, and of those born on one day the one with the least options,
compared greatest first. Games born by day 5 are searched; if none of them tells
the two apart, a game is made by Conway's rule. Linked games have a common
context in which both are P-positions.

Exit codes: 0 compared, 1 failed, 2 usage, 3 budget exhausted, 4 interrupted.")]
pub struct CompareArgs {
    /// The first game: 0.123:8, *2, '{*2,0}', 2/320, or a sum; see `misere form --help`
    #[arg(value_name = "GAME", value_parser = crate::rules_file::single_game)]
    first: GameText,
    /// The second game
    #[arg(value_name = "OTHER", value_parser = crate::rules_file::single_game)]
    second: GameText,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    guards: Guards,
}

/// Runs `misere compare`.
///
/// # Errors
/// A [`Failure`] if the forms are not found in time, or nothing can be printed.
pub fn run(args: &CompareArgs) -> Result<Exit, Failure> {
    let what = format!("the comparison of {} and {}", args.first, args.second);
    let (comparison, _) = computed(&what, args.effort, args.guards, |control| {
        Comparison::new([&args.first, &args.second], control)
    })?;
    if args.json {
        terminal::print_json(&comparison)?;
    } else {
        terminal::print(&describe(&comparison))?;
    }
    Ok(Exit::Done)
}

fn describe(comparison: &Comparison) -> String {
    let [first, second] = &comparison.games;
    let relation = if comparison.equal { "equals" } else { "is not" };
    let mut text = format!(
        "{} {} {}\n",
        console::style(&first.text).bold(),
        relation,
        console::style(&second.text).bold()
    );
    for game in &comparison.games {
        text.push_str(&format!(
            "  {} = {}, genus {}, {}\n",
            game.text,
            game.form,
            game.genus.genus(),
            game.genus.class()
        ));
    }
    let unmade = |done: &str| {
        format!(
            "{done}, but no game that does so is shown: none born by day {LAST_DAY} does, and \
             Conway's rule is not followed for games born so late\n"
        )
    };
    if !comparison.equal {
        match &comparison.distinguisher {
            Some(context) => text.push_str(&said("told apart by", context)),
            None => text.push_str(&unmade("told apart")),
        }
    }
    match &comparison.link {
        Some(context) => text.push_str(&said("linked by", context)),
        None if comparison.linked => text.push_str(&unmade("linked")),
        None => text.push_str("not linked: one is an option of the other\n"),
    }
    text
}

fn said(how: &str, context: &Context) -> String {
    let least = match context.least {
        true => "the least game that does so",
        false => "no game born by day {day} does so",
    };
    let least = least.replace("{day}", &LAST_DAY.to_string());
    let [first, second] = &context.sums;
    format!(
        "{how} {} ({least})\n  the sums have genus {} ({}) and {} ({})\n",
        context.form,
        first.genus(),
        first.outcome(),
        second.genus(),
        second.outcome(),
    )
}
