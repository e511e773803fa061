//! `misere form`: the simplest form of a game, and what follows from it.

mod born;

use misere_algebra::forms::notation::GameText;
use misere_algebra::forms::parts::MAX_BIRTHDAY;
use misere_answers::simplest_form::{FormFacts, FormText, Part};

use crate::exit::{Exit, Failure};
use crate::genus::{Effort, computed};
use crate::terminal::{self, Page, flow};
use crate::watch::Guards;

/// The arguments of `misere form`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere form 0.123:8       the heap of 8 in 0.123 is {{*2},*}
  misere form 0.77:3+5      a position of Kayles
  misere form '{*3,*2,0}'   a finite game, in braces
  misere form '(2_2)+4'     a string of the tables: {{*2 + *2},*4}
  misere form '2/ + 3'      a sum: a plus between blanks
  misere form --born-by 4   the 22 games born by day 4; on day 5 they are
                            counted

A string of several digits is the game with these nimbers for options: 32 is
{*3,*2}, and *32 is the nimber 32. docs/forms.md describes the notations.

Exit codes: 0 done, 1 failed, 2 usage, 3 budget exhausted, 4 interrupted.")]
pub struct FormArgs {
    /// The game: a heap or position (0.123:8, 0.77:3+5), a finite game ('{*2,0}'), a string of the
    /// tables (2/320), or a sum of these
    #[arg(value_name = "GAME", required_unless_present = "born_by", value_parser = crate::rules_file::single_game)]
    game: Option<GameText>,
    /// List the games born by this day, at most 4, or count those born by day 5
    #[arg(long, value_name = "DAY", value_parser = clap::value_parser!(u32).range(0..=5), conflicts_with = "game")]
    born_by: Option<u32>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    guards: Guards,
}

/// Runs `misere form`.
///
/// # Errors
/// A [`Failure`] if the form is not found in time, or nothing can be printed.
pub fn run(args: &FormArgs) -> Result<Exit, Failure> {
    let Some(game) = &args.game else {
        let day = args.born_by.unwrap_or(0);
        return born::run(day, args.json, args.effort, args.guards);
    };
    let what = format!("the simplest form of {game}");
    let (facts, _) = computed(&what, args.effort, args.guards, |control| {
        FormFacts::new(game, args.effort.fuel, control)
    })?;
    if args.json {
        terminal::print_json(&facts)?;
    } else {
        terminal::print(&describe(&facts, Page::of_stdout()))?;
    }
    Ok(Exit::Done)
}

/// The width of the names of facts.
const INDENT: usize = 12;

fn describe(facts: &FormFacts, page: Page) -> String {
    let mut text = format!("{}\n", console::style(&facts.text).bold());
    let mut say = |name: &str, value: &str| {
        let value = flow(value.split(' '), INDENT, page.width.max(40));
        text.push_str(&format!("{name:<INDENT$}{value}\n"));
    };
    let undecided = "not found with this fuel";
    say("form", &facts.form.to_string());
    if let Some(string) = facts.form.string() {
        say("in tables", string);
    }
    say("birthday", &facts.form.birthday().to_string());
    say("outcome", facts.genus.outcome_in_words());
    let half = match facts.half_tame {
        Some(true) => ", half-tame",
        Some(false) => "",
        None => ", half-tame or not",
    };
    say("genus", facts.genus.genus());
    say("class", &format!("{}{half}", facts.genus.class()));
    say("options", &listed(&facts.options));
    let mate = facts.mate.as_ref().map(ToString::to_string);
    say("mate", mate.as_deref().unwrap_or(undecided));
    let parts = facts.parts.as_ref().map(|parts| match parts.as_slice() {
        [] => "none found but 0 and the game, and these with *".to_owned(),
        parts => {
            let pairs = parts.iter().map(|Part { summands }| {
                let [one, other] = summands;
                format!("{one} + {other}")
            });
            pairs.collect::<Vec<_>>().join("; ")
        }
    });
    let not_looked_for = format!("not looked for, since the game is born after day {MAX_BIRTHDAY}");
    let without = match facts.form.birthday() > MAX_BIRTHDAY {
        true => &not_looked_for,
        false => undecided,
    };
    say("parts", parts.as_deref().unwrap_or(without));
    text
}

/// Lists the games that can be written, and counts those that cannot.
fn listed(games: &[FormText]) -> String {
    let mut said: Vec<String> = games
        .iter()
        .filter(|game| game.is_written())
        .map(ToString::to_string)
        .collect();
    match games.len() - said.len() {
        0 => {}
        great => said.push(match said.is_empty() {
            true => format!("{great}, too great to be written"),
            false => format!("and {great} too great to be written"),
        }),
    }
    match said.is_empty() {
        true => "none".to_owned(),
        false => said.join(", "),
    }
}
