//! `misere classify`: all misère quotients of small order.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use console::Term;
use misere_algebra::classify::facts::{Summary, facts};
use misere_algebra::classify::faithful::faithful_games;
use misere_algebra::classify::smallest::games_of_list;
use misere_algebra::classify::{Classifier, Level, MAX_ORDER};
use misere_answers::classification::{self, RefutedQuotientError, checked, constructions};
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::solution::Construction;
use serde_json::Value;

use misere_census::quantity::fuel;

use crate::checkpoint_file::{self, CheckpointFileError};
use crate::classification_text::{self, ClassificationView, Faithful};
use crate::exit::{CommandError, Exit, Failure};
use crate::terminal::{self, Page};
use crate::watch::{Guards, Watch};

/// The arguments of `misere classify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere classify --order 14                     how many there are, with the
                                                 published numbers
  misere classify --order 12 --list              their presentations, P-portions
                                                 and games
  misere classify --order 16 --json > 16.json && misere verify 16.json
  misere classify --order 18 --facts             what they have in common
  misere classify --order 20 --faithful --facts
      the same, with faithful games
  misere classify --order 18 --bfile > b18.txt   the counts as a sequence, for
                                                 the OEIS
  misere classify --order 22 --checkpoint 22.state
      long: run it again to go on

Every quotient is checked before anything is printed, by the checker, from its
games, and by exact kernels. The proof that no quotient is missing is in
docs/classification.md. All cores are used; the result does not depend on their
number.

Exit codes: 0 all orders are complete, 1 failed, 2 usage, 3 budget exhausted,
4 interrupted, 5 refuted by the checker. After 3 and 4 the orders that are
complete are printed.")]
pub struct ClassifyArgs {
    /// The greatest order (all quotients but the trivial one have even order)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=MAX_ORDER as u64))]
    order: u64,
    /// List the quotients with presentations and games
    #[arg(long, conflicts_with = "json")]
    list: bool,
    /// Count the properties of the quotients: sizes of P, idempotents, kernels, exponents, regular,
    /// normal, faithful
    #[arg(long)]
    facts: bool,
    /// Choose faithful games (equal values have equal nim-values) for each quotient that has some
    #[arg(long)]
    faithful: bool,
    /// Print the counts as an OEIS b-file instead of text: a line `N COUNT` for each order
    #[arg(long, conflicts_with_all = ["list", "facts", "json"])]
    bfile: bool,
    /// Print JSON: the counts, and every quotient with its certificate
    #[arg(long)]
    json: bool,
    /// Keep the complete orders in FILE, and resume from there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Fuel to spend; one unit is about a microsecond of one core: 60M, or 5min
    #[arg(long, value_name = "FUEL", value_parser = fuel, default_value = "1000G")]
    fuel: u64,
    #[command(flatten)]
    guards: Guards,
}

/// The fuel for the faithful games of one quotient.
///
/// Those to order 22 take less than a hundredth of it.
const FAITHFUL_FUEL: u64 = 60_000_000;

/// The parts of the document that were requested besides the list.
#[derive(serde::Serialize)]
struct Beside {
    #[serde(skip_serializing_if = "Option::is_none")]
    facts: Option<Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    faithful: Option<Faithful>,
}

impl CommandError for RefutedQuotientError {
    fn exit(&self) -> Exit {
        Exit::Refuted
    }
}

/// Runs `misere classify`.
///
/// # Errors
/// A [`Failure`] if the computation cannot be watched, a checkpoint is invalid, a quotient is
/// refuted, or nothing can be printed.
pub fn run(args: &ClassifyArgs) -> Result<Exit, Failure> {
    let mut classifier = begin(args)?;
    let interrupt = Interrupt::default();
    let started = Instant::now();
    let watch = Watch::start("classifying".to_owned(), &interrupt, args.guards)?;
    let mut control = Control::new(args.fuel, interrupt);
    let stopped = complete(&mut classifier, args, started, &mut control);
    let constructions = constructions(&classifier).map_err(Failure::from);
    let by_games = match &constructions {
        Ok(constructions) if args.list => games_of_list(constructions, &mut control.unmetered()),
        _ => Ok(BTreeMap::new()),
    };
    let chosen = match (constructions, args.faithful) {
        (Ok(mut list), true) => choose_faithful(&mut list, &mut control).map(|it| (list, Some(it))),
        (list, _) => list.map(|list| (list, None)),
    };
    let by = watch.finish();
    let (constructions, faithful) = chosen?;
    // If stopped, the list is printed without them.
    let smallest = by_games.unwrap_or_default();
    let status = match stopped {
        None => "complete",
        Some(Stop::FuelSpent) => "exhausted",
        Some(Stop::Interrupted) => "interrupted",
    };
    let summary = args.facts.then(|| {
        let mut summary = Summary::default();
        constructions
            .iter()
            .for_each(|item| summary.add(&facts(item)));
        summary
    });
    if args.bfile {
        terminal::print(&classification_text::b_file(
            classifier.complete(),
            &constructions,
        ))?;
    } else if args.json {
        let beside = Beside {
            facts: summary,
            faithful,
        };
        print_document(args, status, &classifier, &constructions, &beside)?;
    } else {
        terminal::print(&classification_text::describe(&ClassificationView {
            levels: classifier.complete(),
            max_order: classifier.max_order(),
            constructions: &constructions,
            list: args.list,
            smallest: &smallest,
            facts: summary.as_ref(),
            faithful: faithful.as_ref(),
            stopped_by: by.map(|by| by.to_string()),
            is_complete: stopped.is_none(),
            elapsed: started.elapsed(),
            page: Page::of_stdout(),
        }))?;
    }
    Ok(match stopped {
        None => Exit::Done,
        Some(Stop::FuelSpent) => Exit::Exhausted,
        Some(Stop::Interrupted) => Exit::Interrupted,
    })
}

/// Returns the classification in the checkpoint, or a new one.
fn begin(args: &ClassifyArgs) -> Result<Classifier, Failure> {
    let most = args.order as usize & !1;
    let Some(file) = &args.checkpoint else {
        return Ok(Classifier::new(most));
    };
    let Some(bytes) = checkpoint_file::bytes(file)? else {
        return Ok(Classifier::new(most));
    };
    let classifier =
        Classifier::from_bytes(&bytes).map_err(|cause| CheckpointFileError::new(file, cause))?;
    if classifier.max_order() != most {
        let other = format!(
            "it is of the classification to order {}, which keeps other candidates",
            classifier.max_order()
        );
        return Err(CheckpointFileError::new(file, other).into());
    }
    Ok(classifier)
}

/// Completes order after order; returns the cause of a stop, if there is one.
fn complete(
    classifier: &mut Classifier,
    args: &ClassifyArgs,
    started: Instant,
    control: &mut Control,
) -> Option<Stop> {
    let is_watched = terminal::shows_progress();
    loop {
        match classifier.next_order(control) {
            Ok(None) => return None,
            Err(stop) => return Some(stop),
            Ok(Some(level)) => {
                if is_watched {
                    say(level, started);
                }
            }
        }
        if let Some(file) = &args.checkpoint {
            checkpoint_file::replace(file, &classifier.to_bytes());
        }
    }
}

/// Prints one line of progress.
fn say(level: &Level, started: Instant) {
    // The watch draws its line again.
    let _ = Term::stderr().clear_line();
    notice!(
        "order {}: {} quotients among {} candidates ({:.1} s)",
        level.order,
        level.quotients.len(),
        level.candidates,
        started.elapsed().as_secs_f64()
    );
}

/// Replaces games that are not faithful by faithful ones, and checks these.
fn choose_faithful(
    constructions: &mut [Construction],
    control: &mut Control,
) -> Result<Faithful, Failure> {
    let mut chosen = Faithful::default();
    for construction in constructions {
        if facts(construction).faithful {
            continue;
        }
        let class = construction.quotient.class_key();
        let games = control.unmetered().within(FAITHFUL_FUEL, |part| {
            faithful_games(&construction.quotient, part)
        });
        match games {
            Ok(Some(games)) => {
                checked(&games)?;
                *construction = games;
                chosen.replaced += 1;
            }
            Ok(None) => chosen.none.push(class),
            Err(_) => chosen.undecided.push(class),
        }
    }
    Ok(chosen)
}

fn print_document(
    args: &ClassifyArgs,
    status: &str,
    classifier: &Classifier,
    constructions: &[Construction],
    beside: &Beside,
) -> Result<(), Failure> {
    let most = args.order as usize;
    let document = classification::document(classifier, most, constructions, status);
    let mut value = serde_json::to_value(&document)?;
    if let (Value::Object(object), Value::Object(more)) =
        (&mut value, serde_json::to_value(beside)?)
    {
        object.extend(more);
    }
    Ok(terminal::print_json(&value)?)
}
