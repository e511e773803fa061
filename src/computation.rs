//! The computation of one game for a user: bounded, guarded, watched, and checked before printing.

use std::path::Path;
use std::time::{Duration, Instant};

use misere_answers::RefutedError;
use misere_answers::effort::SOLVE_FUEL;
use misere_check::CheckError;
use misere_engine::quotient::{self, Checkpoint, Limits};
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::Solution;

use misere_census::quantity::fuel;

use crate::checkpoint_file;
use crate::exit::{CommandError, Exit, Failure};
use crate::watch::{Guards, StoppedBy, Watch, stopped};

/// The ways in which new partial quotients are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Strategy {
    /// Finds every finite partial quotient, and looks for proofs of infinity
    #[default]
    Exact,
    /// MisereSolver's recalibration, as published: slower, finds less; a cross-check
    Classical,
}

impl From<Strategy> for quotient::Strategy {
    fn from(strategy: Strategy) -> Self {
        match strategy {
            Strategy::Exact => Self::Exact,
            Strategy::Classical => Self::Classical,
        }
    }
}

/// The limits of a computation, which are deterministic, so that the same command gives the same
/// answer on any machine.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(
    next_help_heading = "Budget (deterministic: the same command gives the same answer on any machine)"
)]
pub struct Budget {
    /// Fuel to spend; one unit is about a microsecond of one core: 60M, or 5min
    #[arg(long, value_name = "N", value_parser = fuel, default_value = "60M")]
    pub fuel: u64,
    /// The greatest order of a partial quotient
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_order, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_order: u32,
    /// The part of --fuel for proofs that a quotient which looks infinite is infinite; 0: none
    #[arg(long, value_name = "N", value_parser = fuel, default_value = "3M")]
    pub evidence: u64,
}

impl Default for Budget {
    /// Returns the limits without any options.
    fn default() -> Self {
        Self {
            fuel: SOLVE_FUEL,
            max_order: Limits::default().max_order,
            evidence: Limits::default().max_evidence,
        }
    }
}

impl CommandError for RefutedError {
    fn exit(&self) -> Exit {
        Exit::Refuted
    }
}

/// A result that was computed, and checked by the independent checker.
#[derive(Debug)]
pub struct CheckedSolution {
    /// The result.
    pub solution: Solution,
    /// The cause of the stop, if the computation was stopped.
    pub stopped_by: Option<StoppedBy>,
    /// The time of the engine, without the time of the checker.
    pub elapsed: Duration,
}

/// Solves `code` to heap `max_heap` at most, and checks the result from scratch.
///
/// With a file for checkpoints the computation resumes at the file's checkpoint, and writes new
/// ones to the file.
///
/// # Errors
/// [`RefutedError`] if the checker finds anything wrong; [`StoppedError`](crate::watch::StoppedError) if the
/// memory guard or Ctrl-C ends the check of a finished result; the watch's failures.
pub fn compute(
    code: &Code,
    max_heap: u32,
    budget: Budget,
    strategy: Strategy,
    guards: Guards,
    checkpoint: Option<&Path>,
) -> Result<CheckedSolution, Failure> {
    let limits = Limits {
        max_heap,
        max_order: budget.max_order,
        max_evidence: budget.evidence,
        ..Limits::default()
    };
    let from = checkpoint
        .map(|file| checkpoint_file::read(file, code, &limits))
        .transpose()?
        .flatten();
    let interrupt = Interrupt::default();
    let watch = Watch::start(code.to_string(), &interrupt, guards)?;
    let mut control = Control::new(budget.fuel, interrupt).with_idle_threads();
    let started = Instant::now();
    let mut keep = |at: &Checkpoint| {
        if let Some(file) = checkpoint {
            checkpoint_file::write(file, code, &limits, at);
        }
    };
    let solution = quotient::solve_resumable(
        code,
        &limits,
        strategy.into(),
        from.as_ref(),
        &mut keep,
        &mut control,
    );
    let elapsed = started.elapsed();
    let stopped_by = watch.finish();
    // A result stopped by a guard is checked without guards: it was requested, and nothing else is
    // available. A result stopped by a signal is checked for a moment only, since the process has
    // to end.
    if stopped_by.is_some() {
        check(&solution, last_check(stopped_by))
            .unwrap_or_else(|| Err(stopped(stopped_by, UNCHECKED).into()))?;
    } else {
        let interrupt = Interrupt::default();
        let what = format!("{code}: checking the result");
        let watch = Watch::start(what, &interrupt, guards.of_the_check())?;
        let checked = check(&solution, interrupt);
        let by = watch.finish();
        checked.unwrap_or_else(|| Err(stopped(by, UNCHECKED).into()))?;
    }
    Ok(CheckedSolution {
        solution,
        stopped_by,
        elapsed,
    })
}

/// The end of the message of a computation that is stopped while its result is checked.
const UNCHECKED: &str = "the result was checked, so the result is not printed";

/// The time in which a result that a signal stopped may be checked.
const LAST_CHECK: Duration = Duration::from_millis(700);

/// Returns the interrupt for the check of a stopped result, raised in time if a signal stopped it.
fn last_check(by: Option<StoppedBy>) -> Interrupt {
    let interrupt = Interrupt::default();
    if by == Some(StoppedBy::Signal) {
        let late = interrupt.clone();
        let wait = move || {
            std::thread::sleep(LAST_CHECK);
            late.raise();
        };
        if std::thread::Builder::new().spawn(wait).is_err() {
            interrupt.raise();
        }
    }
    interrupt
}

/// Checks a solution; `None` if the check was stopped.
fn check(solution: &Solution, interrupt: Interrupt) -> Option<Result<(), Failure>> {
    match misere_check::check_within(solution, &mut Control::new(u64::MAX, interrupt)) {
        Ok(()) => Some(Ok(())),
        Err(CheckError::Unchecked(_)) => None,
        Err(flaw) => Some(Err(RefutedError {
            code: solution.code.to_string(),
            flaw,
        }
        .into())),
    }
}
