//! `misere report cayley|idempotents|growth`: pictures of a quotient and of a game.

use std::path::PathBuf;

use misere_engine::quotient::Limits;
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::{SolvedBy, Verdict};
use misere_report::sheet::PictureFormat;
use misere_report::sheets::pictures::{DrawnQuotient, Game};
use misere_report::sheets::provenance::Provenance;
use misere_report::{ReportSheet, registry};
use misere_store::Store;

use super::printed::DrawnFormat;
use crate::census_error::CensusError;
use crate::computation::{Budget, Strategy, compute};
use crate::destination::Destination;
use crate::exit::{Exit, Failure};
use crate::quotient_source::{self, Origin, QuotientSourceError, Source};
use crate::watch::{Guards, StoppedError};

/// A kind of report with a picture of a quotient.
pub type QuotientEntry = registry::Entry<DrawnQuotient>;

/// A kind of report with a picture of a game.
pub type GameEntry = registry::Entry<Game>;

/// The arguments of a report with a picture of a quotient.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere report cayley 0.123 > 0.123.svg
  misere report cayley R_8 --out r8.svg
  misere report cayley '<a,b | a^2=1, b^3=b> P={a,b^2}' > t2.svg
  misere report cayley c3984c70 --data census > kayles.svg
  misere report idempotents 0.77 --data census --out kayles.svg
  misere report cayley 0.77 --format csv   which element leads where

Without --data the game is solved first, within the default budget. What can be
given is what `misere identify` takes: a code, a file, a presentation with its
P-portion, a name such as T_3, S_12 or R_14, or the first digits of a class's
key (needs --data).

Exit codes: 0 done, 1 failed, 2 usage, 4 interrupted.")]
pub struct QuotientArgs {
    /// A code, a file (JSON or presentation; `-`: standard input), a presentation with P-portion,
    /// or a class's name, label or key
    #[arg(value_name = "FILE|CODE|PRESENTATION|CLASS", value_parser = quotient_source::nameable)]
    what: String,
    #[command(flatten)]
    printing: Printing,
}

/// The arguments of a report with a picture of a game.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere report growth 0.26 > growth.svg
  misere report growth 0.07 --data census --out growth.svg
  misere report growth 0.26 --format csv   heap, order, |P|

Without --data the game is solved first, within the default budget.

Exit codes: 0 done, 1 failed, 2 usage, 4 interrupted.")]
pub struct GrowthArgs {
    /// A game
    #[arg(value_parser = crate::rules_file::game)]
    code: Code,
    #[command(flatten)]
    printing: Printing,
}

#[derive(Debug, clap::Args)]
struct Printing {
    /// A census that has the class or game
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA")]
    data: Option<PathBuf>,
    /// The output format [default: svg; text on a terminal]
    #[arg(long, value_enum)]
    format: Option<DrawnFormat>,
    /// Short for --format json
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    json: bool,
    #[command(flatten)]
    destination: Destination,
}

impl Printing {
    fn print(&self, report: &ReportSheet) -> Result<Exit, Failure> {
        let format = match self.format {
            _ if self.json => PictureFormat::Json,
            Some(format) => format.into(),
            None if self.destination.is_terminal() => {
                notice!("note: `--out FILE` draws a picture");
                PictureFormat::Text
            }
            None => PictureFormat::Svg,
        };
        let text = report.set_or_drawn(format, self.destination.width())?;
        self.destination.write(&text)
    }

    fn store(&self) -> Result<Option<Store>, Failure> {
        let Some(data) = &self.data else {
            return Ok(None);
        };
        Ok(Some(
            Store::open_read_only(data).map_err(CensusError::from)?,
        ))
    }
}

/// Runs a report with a picture of a quotient.
///
/// # Errors
/// A [`Failure`] if the quotient cannot be found or written.
pub fn run_of_quotient(entry: &QuotientEntry, args: &QuotientArgs) -> Result<Exit, Failure> {
    let report = entry.make(&shown(args)?, &mut unbounded())?;
    args.printing.print(&report)
}

/// Runs a report with a picture of a game.
///
/// # Errors
/// A [`Failure`] if the game cannot be found, solved or written.
pub fn run_of_game(entry: &GameEntry, args: &GrowthArgs) -> Result<Exit, Failure> {
    args.printing.destination.check_writable()?;
    let store = args.printing.store()?;
    let game = game(&args.code, store.as_ref())?;
    args.printing.print(&entry.make(&game, &mut unbounded())?)
}

/// Returns the control of work that needs no limit: the object drawn has been computed before.
fn unbounded() -> Control {
    Control::new(u64::MAX, Interrupt::default())
}

fn shown(args: &QuotientArgs) -> Result<DrawnQuotient, Failure> {
    args.printing.destination.check_writable()?;
    let store = args.printing.store()?;
    let budget = Budget::default();
    let source = Source {
        heap: None,
        budget,
        guards: Guards::default(),
        store: store.as_ref(),
        atlas: None,
        solves: store.is_none(),
        checks: false,
    };
    let mut given = source.read(&args.what)?;
    let (Some(given), true) = (given.pop(), given.is_empty()) else {
        return Err(QuotientSourceError::NotAQuotient(format!(
            "`{}` holds several quotients, and a report shows one",
            args.what
        ))
        .into());
    };
    let quotient = given.monoid.ok_or_else(|| {
        QuotientSourceError::Unknown(format!(
            "the census keeps no tables of {}; give a code that has it",
            given.title
        ))
    })?;
    let name = quotient.known_name();
    let (title, note) = match given.of {
        Some(of) => {
            let note = match of.is_whole {
                true => "The quotient of the whole game.".to_owned(),
                false => format!(
                    "The partial quotient to heap {}: the game is not solved.",
                    of.heaps
                ),
            };
            (of.code.to_string(), note)
        }
        None => {
            let class = given.class.unwrap_or_else(|| quotient.class_key());
            let title = name.unwrap_or_else(|| format!("class {}", class.brief()));
            (title, format!("Class {class}."))
        }
    };
    let provenance = match (given.origin, &store) {
        (Origin::Computed(computed), _) => {
            Provenance::of_computation(&computed.solution, budget.fuel, budget.max_order)
        },
        (Origin::Census, Some(store)) => {
            Provenance::of_census(store).map_err(CensusError::from)?
        }
        (Origin::Named(name), _) => Provenance::of_definition(format!(
            "{name} by its definition (Siegel, The structure and classification of misère quotients, section 1; Plambeck and Siegel, \
             supplement, Figure 10); no census was read."
        )),
        (Origin::Given | Origin::Census, _) => Provenance::of_definition(
            "The bipartite monoid as it was given, without a proof that it is the misère quotient of any games.".to_owned(),
        ),
    };
    Ok(DrawnQuotient {
        title,
        quotient,
        provenance,
        note,
    })
}

fn game(code: &Code, store: Option<&Store>) -> Result<Game, Failure> {
    let (solution, provenance) = match store {
        Some(store) => {
            let solution = stored(store, code)?.ok_or_else(|| {
                QuotientSourceError::Unknown(format!(
                    "the census holds no result for {code}; leave out --data to have it solved"
                ))
            })?;
            (
                solution,
                Provenance::of_census(store).map_err(CensusError::from)?,
            )
        }
        None => {
            let budget = Budget::default();
            let computed = compute(
                code,
                Limits::default().max_heap,
                budget,
                Strategy::default(),
                Guards::default(),
                None,
            )?;
            if computed.solution.verdict == Verdict::Interrupted {
                let message = format!("interrupted before {code} was solved");
                return Err(StoppedError(message).into());
            }
            let provenance =
                Provenance::of_computation(&computed.solution, budget.fuel, budget.max_order);
            (computed.solution, provenance)
        }
    };
    Ok(Game {
        code: code.clone(),
        heaps: solution.heaps(),
        verdict: solution.verdict,
        infinite_to: solution.infinite_to(),
        rule: solution.solved_by().map(SolvedBy::words),
        all_heaps: solution.all_heaps().map(|all| (all.preperiod, all.period)),
        partials: solution.partials,
        provenance,
    })
}

/// Returns the checked solution of a game in a census, in the heap numbers of the code given.
fn stored(
    store: &Store,
    code: &Code,
) -> Result<Option<misere_game::solution::Solution>, CensusError> {
    let game = store.game(code)?;
    Ok(game.map(|game| store.solution(&game)).transpose()?)
}
