//! `misere genus`: the genera of the heaps and positions of a game.

mod text;

use std::time::Instant;

use misere_algebra::forms::Forms;
use misere_algebra::forms::heaps::HeapForms;
use misere_algebra::forms::sequence::genera;
use misere_answers::effort::GENERA_HEAP;
use misere_answers::genera::{Genera, GenusFacts};
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::ruleset::Code;
use serde::Serialize;

use misere_census::quantity::{fuel, heap};

use crate::exit::{CommandError, Exit, Failure};
use crate::position::named;
use crate::terminal::{self, Page};
use crate::watch::{Guards, StoppedBy, StoppedError, Watch};

/// The arguments of `misere genus`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere genus 0.123                   the genera, which repeat from heap 5 on
  misere genus 0.77 --max-heap 32      as in the literature, whose table ends
                                       there
  misere genus 0.77 3 5 7              the genus of a position
  misere genus grundy --json           the same facts as one JSON document

The genus of a heap is its nim-value, with the misère nim-values of the heap,
the heap and *2, the heap and *2 and *2, … for superscript; the last two
alternate for ever. docs/forms.md says more.

Exit codes: 0 all heaps asked for are known, 1 failed, 2 usage, 3 budget
exhausted, 4 interrupted.")]
pub struct GenusArgs {
    /// The game: a code (0.77), a name (kayles), a finite game ('*2#320') or @FILE
    #[arg(value_parser = crate::rules_file::game_of_heaps)]
    code: Code,
    /// A position whose genus is found instead: 3 5 7, 3+5+7 or 3^20
    #[arg(
        value_name = "HEAP",
        allow_negative_numbers = true,
        conflicts_with = "max_heap"
    )]
    heaps: Vec<String>,
    /// The greatest heap; fewer are computed if the genera are proved to repeat
    #[arg(long, value_name = "N", default_value_t = GENERA_HEAP, value_parser = heap)]
    max_heap: u32,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    guards: Guards,
}

/// The fuel of a computation with simplest forms.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(
    next_help_heading = "Fuel (deterministic: the same command gives the same answer on any machine)"
)]
pub struct Effort {
    /// Fuel to spend; one unit is about a microsecond of one core: 60M, or 5min
    #[arg(long, value_name = "N", value_parser = fuel, default_value = "60M")]
    pub fuel: u64,
}

/// The most heaps of a position whose genus is found.
const MAX_HEAPS: u64 = 1_000;

/// The genus of a position as a document.
#[derive(Debug, Serialize)]
struct OfPosition<'a> {
    schema: u32,
    code: &'a Code,
    convention: &'static str,
    position: &'a [u32],
    #[serde(flatten)]
    genus: GenusFacts,
    fuel: u64,
}

/// The reason why a genus is not found.
#[derive(Debug, thiserror::Error)]
pub enum GenusError {
    /// The position is too large.
    #[error("the genus is found of at most {MAX_HEAPS} heaps")]
    TooManyHeaps,
    /// The fuel was spent first.
    #[error("{0} was not found before the fuel was spent; raise --fuel")]
    OutOfBudget(String),
}

impl CommandError for GenusError {
    fn exit(&self) -> Exit {
        match self {
            Self::TooManyHeaps => Exit::Usage,
            Self::OutOfBudget(_) => Exit::Exhausted,
        }
    }
}

/// Runs `misere genus`.
///
/// # Errors
/// A [`Failure`] if the position is not a position of the game, its genus is not found in
/// time, or nothing can be printed.
pub fn run(args: &GenusArgs) -> Result<Exit, Failure> {
    if !args.heaps.is_empty() {
        return of_position(args);
    }
    let interrupt = Interrupt::default();
    let watch = Watch::start(args.code.to_string(), &interrupt, args.guards)?;
    let mut control = Control::new(args.effort.fuel, interrupt);
    let started = Instant::now();
    let found = genera(&args.code, args.max_heap, &mut control);
    let elapsed_s = started.elapsed().as_secs_f64();
    let by = watch.finish();
    if args.json {
        let by = by.map(StoppedBy::name);
        let fuel = control.fuel_spent();
        terminal::print_json(&Genera::new(&args.code, &found, by, fuel, elapsed_s))?;
    } else {
        let page = Page::of_stdout();
        let fuel = control.fuel_spent();
        terminal::print(&text::of_heaps(
            &args.code, &found, by, fuel, elapsed_s, page,
        ))?;
    }
    Ok(match found.stopped {
        None => Exit::Done,
        Some(Stop::FuelSpent) => Exit::Exhausted,
        Some(Stop::Interrupted) => Exit::Interrupted,
    })
}

fn of_position(args: &GenusArgs) -> Result<Exit, Failure> {
    let code = &args.code;
    let position = named(code, &args.heaps)?;
    let heaps = position
        .one_by_one(MAX_HEAPS)
        .ok_or(GenusError::TooManyHeaps)?;
    let heaps = heaps.as_slice();
    let what = format!("the genus of the position of {code}");
    let (genus, fuel) = computed(&what, args.effort, args.guards, |control| {
        let mut forms = Forms::new();
        let form = HeapForms::new(code).position(heaps, &mut forms, control)?;
        Ok(GenusFacts::new(forms.genus(form), forms.class(form)))
    })?;
    if args.json {
        terminal::print_json(&OfPosition {
            schema: 1,
            code,
            convention: "misere",
            position: heaps,
            genus,
            fuel,
        })?;
    } else {
        terminal::print(&text::of_position(code, heaps, &genus))?;
    }
    Ok(Exit::Done)
}

/// Runs a watched computation without partial results; returns its result and the fuel it spent.
///
/// `what` names the result in an error.
///
/// # Errors
/// [`GenusError::OutOfBudget`] and [`StoppedError`] if it was stopped, and the watch's
/// failures.
pub fn computed<T>(
    what: &str,
    effort: Effort,
    guards: Guards,
    computation: impl FnOnce(&mut Control) -> Result<T, Stop>,
) -> Result<(T, u64), Failure> {
    let interrupt = Interrupt::default();
    let watch = Watch::start(what.to_owned(), &interrupt, guards)?;
    let mut control = Control::new(effort.fuel, interrupt);
    let done = computation(&mut control);
    let by = watch.finish();
    match done {
        Ok(done) => Ok((done, control.fuel_spent())),
        Err(Stop::FuelSpent) => Err(GenusError::OutOfBudget(what.to_owned()).into()),
        Err(Stop::Interrupted) => {
            let by = by.map_or_else(String::new, |by| format!(" {by}{}", by.advice()));
            Err(StoppedError(format!(
                "{what} was not found before the computation was stopped{by}"
            ))
            .into())
        }
    }
}
