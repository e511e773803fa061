//! The computation of a task by the coordinator itself.
//!
//! Exactly what comes of it on an honest worker: the engine is deterministic, so the same task
//! gives the same bytes. That decides between certificates that differ, and confirms what cannot be
//! proved.

use misere_census::{CertificateError, GameTask, Schemes, Task, certificate, schemes};
use misere_theory::control::{Control, Interrupt};
use misere_theory::quotient::solve;
use misere_theory::solution::Verdict;

/// The result of a computation by the coordinator.
pub(crate) enum Computed {
    /// The certificate of the task.
    Certificate(Vec<u8>),
    /// The task takes more fuel than the limit that was given.
    TakesMore,
    /// The result is larger than a certificate may be.
    CannotBeWritten,
    /// The computation was stopped.
    Stopped,
}

impl From<Result<Vec<u8>, CertificateError>> for Computed {
    fn from(written: Result<Vec<u8>, CertificateError>) -> Self {
        written.map_or(Self::CannotBeWritten, Self::Certificate)
    }
}

/// Computes a task, with no more fuel than `within`, if a limit is given.
///
/// Cost: what the task may spend.
pub(crate) fn compute(task: &Task, within: Option<u64>, stop: &Interrupt) -> Computed {
    match task {
        Task::Game(game) => solved(game, within, stop),
        Task::Schemes(schemes) => settled(schemes, stop),
    }
}

fn solved(game: &GameTask, within: Option<u64>, stop: &Interrupt) -> Computed {
    let budget = game.budget;
    // One more than was said: whoever is honest does not come so far, unless the fuel of the plan
    // ends there.
    let fuel = within.map_or(budget.fuel, |fuel| fuel.saturating_add(1).min(budget.fuel));
    let mut control = Control::new(fuel, stop.clone());
    let solution = solve(&game.code, &budget.limits, budget.strategy, &mut control);
    match solution.verdict {
        Verdict::Interrupted => Computed::Stopped,
        // It ended only because no more was allowed: its certificate would not be that of the plan.
        _ if fuel < budget.fuel && control.ticks_left() == 0 => Computed::TakesMore,
        _ => certificate::encode(&solution).into(),
    }
}

fn settled(task: &Schemes, stop: &Interrupt) -> Computed {
    match schemes::settle(task, &mut Control::new(0, stop.clone())) {
        Ok(outcome) => schemes::encode(&outcome).into(),
        Err(_) => Computed::Stopped,
    }
}
