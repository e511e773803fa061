//! `misere automaton`: games that grow, decided by an automaton.
//!
//! The automaton is learnt from a partial quotient of the game, and proved for all heaps by the
//! checker before it is printed.

use misere_check::automaton::shows_infinite;
use misere_engine::quotient::{AutomatonSearchError, Limits, position_automaton};
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::outcome::Outcome;
use misere_game::ruleset::Code;
use misere_game::solution::{AutomatonDocument, Solution, Verdict};

use crate::automaton_text;
use crate::computation::{Budget, Strategy, compute};
use crate::exit::{CommandError, Exit, Failure};
use crate::result_file::OutArgs;
use crate::terminal::{self, Page};
use crate::watch::{Guards, Watch, stopped};

/// The greatest heap that is listed if it is a P-position alone.
const LISTED: u64 = 100;

/// The arguments of `misere automaton`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere automaton 0.54                         253 states decide every position
                                                of all heaps
  misere automaton 0.54 --states                the same, with a table of the
                                                states
  misere automaton 0.54 --out 54.json           keep the automaton for `misere
                                                verify`
  misere outcome 0.54 20 1000000 1000007        a position, decided by the
                                                automaton

The automaton is proved by the checker before it is printed.

Exit codes: 0 done, 1 no automaton is found, 2 usage, 3 budget exhausted,
4 interrupted, 5 refuted.")]
pub struct AutomatonArgs {
    /// A game such as 0.54 whose moves leave at most two heaps
    #[arg(value_parser = crate::rules_file::game)]
    code: Code,
    /// Also print a table of the states
    #[arg(long, conflicts_with = "json")]
    states: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out: OutArgs,
    #[command(flatten)]
    budget: Budget,
    #[command(flatten)]
    guards: Guards,
}

/// The reason why no automaton is printed.
#[derive(Debug, thiserror::Error)]
pub enum AutomatonError {
    /// No automaton of the game was found.
    #[error("{0}")]
    NotFound(String),
    /// A budget ran out.
    #[error("{0}")]
    OutOfBudget(String),
}

impl CommandError for AutomatonError {
    fn exit(&self) -> Exit {
        match self {
            Self::NotFound(_) => Exit::Failed,
            Self::OutOfBudget(_) => Exit::Exhausted,
        }
    }
}

/// Runs `misere automaton`.
///
/// # Errors
/// A [`Failure`] if no automaton of the game is found, a budget does not suffice, or the
/// computation fails.
pub fn run(args: &AutomatonArgs) -> Result<Exit, Failure> {
    args.out.check_writable()?;
    let document = found(args)?;
    args.out.write(&terminal::json_line(&document)?)?;
    if args.json || args.out.is_standard_output() {
        terminal::print_json(&document)?;
    } else {
        terminal::print(&text(&document, args.states, Page::of_stdout().width))?;
    }
    Ok(Exit::Done)
}

/// Finds the automaton of the game, and proves it.
fn found(args: &AutomatonArgs) -> Result<AutomatonDocument, Failure> {
    let (code, budget) = (&args.code, args.budget);
    let limit = Limits::default().max_heap;
    let computed = compute(code, limit, budget, Strategy::Exact, args.guards, None)?;
    if computed.solution.verdict == Verdict::Interrupted {
        let before = format!("the quotients of {code} were seen to grow");
        return Err(stopped(computed.stopped_by, &before).into());
    }
    if let Some(automaton) = computed.solution.automaton() {
        let infinite = shows_infinite(code, automaton);
        return Ok(AutomatonDocument::new(
            code.clone(),
            automaton.clone(),
            infinite,
        ));
    }
    // With more fuel than `misere solve` spends on it an automaton may be found.
    let interrupt = Interrupt::default();
    let watch = Watch::start(format!("{code}: automaton"), &interrupt, args.guards)?;
    let mut control = Control::new(budget.fuel, interrupt);
    let automaton = position_automaton(&computed.solution, &mut control);
    let by = watch.finish();
    let automaton = automaton.map_err(|reason| match reason {
        AutomatonSearchError::Stopped(Stop::FuelSpent) => AutomatonError::OutOfBudget(format!(
            "the fuel did not suffice to learn and to prove an automaton of {code}; raise --fuel"
        ))
        .into(),
        AutomatonSearchError::Stopped(Stop::Interrupted) => {
            stopped(by, &format!("an automaton of {code} was proved")).into()
        }
        reason => Failure::from(none_found(&computed.solution, &reason)),
    })?;
    let infinite = shows_infinite(code, &automaton);
    Ok(AutomatonDocument::new(code.clone(), automaton, infinite))
}

/// Says why there is no automaton, and what to do.
fn none_found(solution: &Solution, reason: &AutomatonSearchError) -> AutomatonError {
    let code = &solution.code;
    let decided = solution.verdict.describes_all_heaps() || solution.law().is_some();
    let is_exhausted = solution.verdict.limit().is_some();
    if is_exhausted && matches!(reason, AutomatonSearchError::NoPattern) {
        return AutomatonError::OutOfBudget(format!(
            "no automaton of {code} was found: {reason}, which is heap {}; raise --fuel",
            solution.heaps()
        ));
    }
    AutomatonError::NotFound(match decided {
        true => format!(
            "no automaton of {code} was found: {reason}; `misere solve '{code}'` decides the game in \
             another way"
        ),
        false => format!(
            "no automaton of {code} was found: {reason}; this does not prove that there is none"
        ),
    })
}

fn text(document: &AutomatonDocument, states: bool, width: usize) -> String {
    let automaton = &document.automaton;
    let quotient = match document.infinite {
        true => "is infinite",
        false => "is not shown to be infinite",
    };
    let (first, period) = automaton.rhythm().unwrap_or_default();
    let is_p = |heap: &u64| automaton.outcome([(*heap, 1)]) == Some(Outcome::P);
    let alone: Vec<String> = (1..=LISTED)
        .filter(is_p)
        .map(|heap| heap.to_string())
        .collect();
    let alone = match alone.is_empty() {
        true => "none".to_owned(),
        false => alone.join(", "),
    };
    let mut text = format!(
        "{}\nsolved by an automaton, which decides every position of all heaps; proved; the misère \
         quotient {quotient}\n\nstates         {}, of which {} are those of P-positions\nsizes          \
         matter modulo {period} from heap {first} on\nheaps alone    P-positions among the heaps 1 to \
         {LISTED}: {alone}\n",
        console::style(&document.code).bold(),
        automaton.heap.len(),
        automaton.p_states.len(),
    );
    if states {
        text.push('\n');
        text.push_str(&automaton_text::states(automaton, usize::MAX, width));
    }
    text
}
