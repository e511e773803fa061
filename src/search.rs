//! `misere search`: the games whose sequences begin as given.

use misere_answers::search::{self, Beginnings};
use misere_census::Space;
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::outcome::Outcome;
use misere_game::ruleset::Code;
use serde::Serialize;

use crate::exit::{CommandError, Exit, Failure};
use crate::genus::Effort;
use crate::terminal;
use crate::watch::{Guards, Watch, stopped};

/// The arguments of `misere search`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere search --nim 0,1,2,3,1,4,3,2,1,4     Kayles, by its nim-values
  misere search --nim 0,1,?,?,1,4 --digits 2  entries may be unknown
  misere search --outcomes PNNPNNNNPNNP       by the outcomes of single heaps in
                                              misère play
  misere search --genera '0^120 1^031 2^20'   by genera, as in the literature
  misere search --orders '1 2 2 6 6 6 6 6 12 20'
      by the orders of the partial quotients

Nim-values, genera and orders begin with heap 0, outcomes with heap 1. All octal
codes of at most --digits digits are compared; codes of one game are listed
each. Of a game that is tame relative to a heap, the orders to that heap are
compared.

Exit codes: 0 searched, even if nothing was found, 1 failed, 2 usage, 3 budget
exhausted, 4 interrupted.")]
pub struct SearchArgs {
    /// The nim-values of the heaps 0, 1, 2, … in normal play; ? may be any
    #[arg(long, value_name = "NUMBERS", value_parser = numbers)]
    nim: Option<Numbers>,
    /// The outcomes of the heaps 1, 2, … in misère play: P, N or ?
    #[arg(long, value_name = "OUTCOMES", value_parser = outcomes)]
    outcomes: Option<Outcomes>,
    /// The genera of the heaps 0, 1, 2, …, as `misere genus` writes them; ? may be any
    #[arg(long, value_name = "GENERA", value_parser = genera)]
    genera: Option<Genera>,
    /// The orders of the partial quotients to the heaps 0, 1, 2, …; ? may be any
    #[arg(long, value_name = "NUMBERS", value_parser = numbers)]
    orders: Option<Numbers>,
    /// The most digits of the octal codes that are compared
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=5))]
    digits: u8,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    guards: Guards,
}

/// Nim-values or orders, as an option has them.
type Numbers = std::sync::Arc<[Option<u32>]>;
/// Outcomes, as an option has them.
type Outcomes = std::sync::Arc<[Option<Outcome>]>;
/// Genera, as an option has them.
type Genera = std::sync::Arc<[Option<String>]>;

fn numbers(text: &str) -> Result<Numbers, search::BeginningError> {
    Ok(search::numbers(text)?.into())
}

fn outcomes(text: &str) -> Result<Outcomes, search::BeginningError> {
    Ok(search::outcomes(text)?.into())
}

fn genera(text: &str) -> Result<Genera, search::BeginningError> {
    Ok(search::written_genera(text)?.into())
}

/// The reason why a search does not end.
#[derive(Debug, thiserror::Error)]
enum SearchError {
    /// No entry is given.
    #[error("nothing is asked: give some entries to --nim, --outcomes, --genera or --orders")]
    Nothing,
    /// No game has the first entry of a sequence.
    #[error("the {sequence} of a game begin with heap 0: write {entry} before the entry of heap 1")]
    NotFromHeap0 {
        /// The name of the sequence.
        sequence: &'static str,
        /// The entry of heap 0.
        entry: &'static str,
    },
    /// The fuel was spent.
    #[error(
        "the fuel was spent before all games were compared, at {0}; raise --fuel, or give fewer entries"
    )]
    OutOfBudget(Code),
}

impl CommandError for SearchError {
    fn exit(&self) -> Exit {
        match self {
            Self::Nothing | Self::NotFromHeap0 { .. } => Exit::Usage,
            Self::OutOfBudget(_) => Exit::Exhausted,
        }
    }
}

/// The games found, as a document.
#[derive(Serialize)]
struct FoundGames {
    schema: u32,
    digits: u8,
    compared: u64,
    games: Vec<FoundGame>,
    fuel: u64,
}

/// One game that was found.
#[derive(Serialize)]
struct FoundGame {
    code: Code,
    name: Option<&'static str>,
}

/// Runs `misere search`.
///
/// # Errors
/// A [`Failure`] if nothing is asked, the search does not end in time, or nothing can be printed.
pub fn run(args: &SearchArgs) -> Result<Exit, Failure> {
    let asked = Beginnings {
        nim_values: args.nim.as_deref().unwrap_or_default().to_vec(),
        outcomes: args.outcomes.as_deref().unwrap_or_default().to_vec(),
        genera: args.genera.as_deref().unwrap_or_default().to_vec(),
        orders: args.orders.as_deref().unwrap_or_default().to_vec(),
    };
    if asked.is_empty() {
        return Err(SearchError::Nothing.into());
    }
    if let Some((sequence, entry)) = asked.wrong_at_heap_0() {
        return Err(SearchError::NotFromHeap0 { sequence, entry }.into());
    }
    let space = Space::Octal {
        digits: args.digits,
    };
    let interrupt = Interrupt::default();
    let watch = Watch::start("search".to_owned(), &interrupt, args.guards)?;
    let mut control = Control::new(args.effort.fuel, interrupt);
    let found = matching(&asked, &space, &mut control);
    let by = watch.finish();
    let games = found.map_err(|(code, stop)| match stop {
        Stop::FuelSpent => Failure::from(SearchError::OutOfBudget(code)),
        Stop::Interrupted => stopped(by, "all games were compared").into(),
    })?;
    let compared = space.listing().count();
    if args.json {
        terminal::print_json(&FoundGames {
            schema: 1,
            digits: args.digits,
            compared,
            games,
            fuel: control.fuel_spent(),
        })?;
    } else {
        terminal::print(&describe(&games, compared))?;
    }
    Ok(Exit::Done)
}

/// Returns the games of a space that begin as asked, or the game at which the search was stopped.
fn matching(
    asked: &Beginnings,
    space: &Space,
    control: &mut Control,
) -> Result<Vec<FoundGame>, (Code, Stop)> {
    let listing = space.listing();
    let mut games = Vec::new();
    for code in (0..listing.count()).filter_map(|place| listing.code(place)) {
        match asked.fit(&code, control) {
            Ok(false) => {}
            Ok(true) => games.push(FoundGame {
                name: code.name(),
                code,
            }),
            Err(stop) => return Err((code, stop)),
        }
    }
    Ok(games)
}

fn describe(games: &[FoundGame], compared: u64) -> String {
    let lines = games.iter().map(|game| {
        let line = format!("{:<8}  {}", game.code.to_string(), game.name.unwrap_or(""));
        format!("{}\n", line.trim_end())
    });
    let count = match games.len() {
        0 => "no game".to_owned(),
        found => terminal::counted(found as u64, "game"),
    };
    format!(
        "{}{count} of {compared} compared\n",
        lines.collect::<String>()
    )
}
