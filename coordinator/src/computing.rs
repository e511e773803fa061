//! What comes of a task when the coordinator computes it itself?
//!
//! Exactly what comes of it on an honest worker: the engine is deterministic, so the same task gives the same bytes. That decides
//! between certificates that differ, and confirms what cannot be proved.

use misere_census::{CertificateError, Game, Schemes, Task, certificate, schemes};
use misere_theory::control::{Control, Interrupt};
use misere_theory::quotient::solve;
use misere_theory::solution::Verdict;

/// The certificate of a task; none if `stop` was raised.
///
/// Cost: what the task may spend.
pub(crate) fn certificate_of(
    task: &Task,
    stop: &Interrupt,
) -> Option<Result<Vec<u8>, CertificateError>> {
    match task {
        Task::Game(game) => solved(game, stop),
        Task::Schemes(schemes) => settled(schemes, stop),
    }
}

fn solved(game: &Game, stop: &Interrupt) -> Option<Result<Vec<u8>, CertificateError>> {
    let budget = game.budget;
    let mut control = Control::new(budget.fuel, stop.clone());
    let solution = solve(&game.code, &budget.limits, budget.strategy, &mut control);
    (solution.verdict != Verdict::Interrupted).then(|| certificate::encode(&solution))
}

fn settled(task: &Schemes, stop: &Interrupt) -> Option<Result<Vec<u8>, CertificateError>> {
    let outcome = schemes::settle(task, &mut Control::new(0, stop.clone()));
    Some(schemes::encode(&outcome.ok()?))
}
