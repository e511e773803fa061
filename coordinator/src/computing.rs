//! The computation of a task by the coordinator itself.
//!
//! The result is the one that an honest worker gets: the engine is deterministic, so the same task
//! gives the same bytes. It decides between certificates that differ, and confirms what cannot be
//! proved.

use misere_census::{CertificateError, GameTask, Schemes, Task, certificate, schemes};
use misere_engine::quotient::solve;
use misere_game::control::{Control, Interrupt};
use misere_game::solution::Verdict;

/// The result of a computation by the coordinator.
pub(crate) enum ComputationResult {
    /// The certificate of the task.
    Certificate(Vec<u8>),
    /// A task that takes more fuel than the given limit.
    TakesMore,
    /// A result larger than the limit of certificates.
    CannotBeWritten,
    /// A computation that was stopped.
    Stopped,
}

impl From<Result<Vec<u8>, CertificateError>> for ComputationResult {
    fn from(written: Result<Vec<u8>, CertificateError>) -> Self {
        written.map_or(Self::CannotBeWritten, Self::Certificate)
    }
}

/// Computes a task, with at most `within` fuel if a limit is given.
///
/// Cost: at most the budget of the task.
pub(crate) fn compute(task: &Task, within: Option<u64>, stop: &Interrupt) -> ComputationResult {
    match task {
        Task::Game(game) => solved(game, within, stop),
        Task::Schemes(schemes) => settled(schemes, stop),
    }
}

fn solved(game: &GameTask, within: Option<u64>, stop: &Interrupt) -> ComputationResult {
    let budget = game.budget;
    // One more than the claim: an honest computation ends before that, unless the plan's own fuel
    // ends there.
    let fuel = within.map_or(budget.fuel, |fuel| fuel.saturating_add(1).min(budget.fuel));
    let mut control = Control::new(fuel, stop.clone());
    let solution = solve(&game.code, &budget.limits, budget.strategy, &mut control);
    if solution.verdict == Verdict::Interrupted {
        return ComputationResult::Stopped;
    }
    // The lower limit ended the computation, so the certificate would differ from the plan's.
    if fuel < budget.fuel && control.ticks_left() == 0 {
        return ComputationResult::TakesMore;
    }
    certificate::encode(&solution).into()
}

fn settled(task: &Schemes, stop: &Interrupt) -> ComputationResult {
    match schemes::settle(task, &mut Control::new(0, stop.clone())) {
        Ok(outcome) => schemes::encode(&outcome).into(),
        Err(_) => ComputationResult::Stopped,
    }
}
