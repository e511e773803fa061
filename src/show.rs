//! `misere show`: all that is known of a game or of a class of quotients, on one page.
//!
//! The page joins the answers of `solve`, `identify`, `query` and `cite`.

use std::fmt::Write;

use misere_engine::quotient::Limits;
use misere_game::ruleset::Code;
use misere_query::RenumberingDocument;
use misere_query::naming::{Reading, readings};
use misere_report::whereabouts::whereabouts;
use misere_store::Store;

use crate::census_error::CensusError;
use crate::computation::{Budget, CheckedSolution, Strategy, compute};
use crate::exit::{Exit, Failure};
use crate::known::{DataArgs, in_census, not_computed};
use crate::quotient_source::{self, QuotientSourceError};
use crate::solve;
use crate::terminal::{self, Page, flow};
use crate::watch::Guards;
use crate::{cite, identify, rules_file, solution_text};

/// The arguments of `misere show`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere show kayles                    rules in words, verdict, quotient and Φ
  misere show kayles --data census      and its other codes, the games with the
                                        same quotient, and how to cite it
  misere show R_8 --data census         a class: its presentation, its games
  misere show 3717d8c2 --data census    a class, by the first digits of its key

A game that is not in the census, or without a census, is solved first.
For programs: `misere solve`, `misere identify` and `misere cite` have --json.

Exit codes: 0 done, 1 failed, 2 usage, 3 budget exhausted, 4 interrupted, 5
refuted by the checker.")]
pub struct ShowArgs {
    /// A game (code, name or @FILE) or a class (name, label, key or presentation)
    #[arg(value_name = "GAME|CLASS", value_parser = quotient_source::nameable)]
    what: String,
    #[command(flatten)]
    data: DataArgs,
    /// Print all relations, elements and rows, and whole keys
    #[arg(long)]
    full: bool,
    /// List at most N games
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    limit: usize,
    #[command(flatten)]
    budget: Budget,
    #[command(flatten)]
    guards: Guards,
}

/// Runs `misere show`.
///
/// # Errors
/// A [`Failure`] if nothing has the name, the game cannot be solved, or the census cannot be read.
pub fn run(args: &ShowArgs) -> Result<Exit, Failure> {
    match game(&args.what)? {
        Some(code) => show_game(args, &code),
        None => show_class(args),
    }
}

/// Returns the game of a text that names a game and nothing else.
fn game(text: &str) -> Result<Option<Code>, Failure> {
    if text.starts_with('@') {
        let code = rules_file::game(text).map_err(QuotientSourceError::NotAQuotient)?;
        return Ok(Some(code));
    }
    let found = readings(text).unwrap_or_default();
    Ok(match found.the_only_one() {
        Some(Reading::Game(code)) => Some(code.clone()),
        // A code that repeats for ever, as 0.[3], is also a pattern.
        Some(Reading::Pattern(_)) => text.parse().ok(),
        _ => None,
    })
}

fn show_game(args: &ShowArgs, code: &Code) -> Result<Exit, Failure> {
    let store = args.data.store()?;
    // What the census knows is shown, to whichever heap it knows the game.
    let stored = store.as_ref().map(|store| in_census(store, code));
    let computed = match stored.transpose()?.flatten() {
        Some(solution) => not_computed(solution),
        None => {
            let heaps = Limits::default().max_heap;
            compute(code, heaps, args.budget, Strategy::Exact, args.guards, None)?
        }
    };
    let page = Page::of_stdout();
    let document = solve::document(&computed);
    let mut text = solution_text::describe(&computed, &document, page, args.full);
    if let Some(store) = &store {
        text.push_str(&beside(args, store, &computed, page)?);
    }
    terminal::print(&text)?;
    Ok(solve::exit(computed.solution.verdict))
}

/// Returns what a census adds to a solution: other codes, games with the quotient, the reference.
fn beside(
    args: &ShowArgs,
    store: &Store,
    computed: &CheckedSolution,
    page: Page,
) -> Result<String, Failure> {
    let failed = CensusError::from;
    let code = &computed.solution.code;
    let class = computed.solution.class();
    let mut text = String::new();
    let known = store.game(code).map_err(failed)?;
    if let Some(game) = &known {
        let others = RenumberingDocument::of(&game.record);
        if !others.is_empty() {
            text.push_str("\nother codes of this game\n");
        }
        for other in others {
            let _ = writeln!(text, "  {}", other.sentence);
        }
    }
    let found = whereabouts(store, &class, args.limit).map_err(failed)?;
    let _ = writeln!(text, "\nthe class {} in this census", class.brief());
    text.push_str(&identify::occurrences(&found));
    if known.is_some() {
        let reference = cite::named(&code.to_string(), Some(store))?;
        text.push_str(&reference_text(&reference.text(), page));
    }
    Ok(text)
}

fn show_class(args: &ShowArgs) -> Result<Exit, Failure> {
    let store = args.data.store()?;
    let exit = identify::answer(&identify::Question {
        what: &args.what,
        store: store.as_ref(),
        full: args.full,
        limit: args.limit,
        budget: args.budget,
        guards: args.guards,
        ..identify::Question::default()
    })?;
    if is_citable(&args.what) {
        let reference = cite::named(&args.what, store.as_ref())?;
        terminal::print(&reference_text(&reference.text(), Page::of_stdout()))?;
    }
    Ok(exit)
}

fn is_citable(text: &str) -> bool {
    let found = readings(text).unwrap_or_default();
    matches!(
        found.the_only_one(),
        Some(Reading::Quotient(_) | Reading::Class(_))
    )
}

fn reference_text(reference: &str, page: Page) -> String {
    let lines = flow(reference.split_whitespace(), 2, page.width);
    format!("\nto cite it (`misere cite` has it for BibTeX)\n  {lines}\n")
}
