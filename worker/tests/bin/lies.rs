//! The computations of workers that lie.

use std::sync::Arc;

use misere_engine::quotient::solve;
use misere_game::control::Control;
use misere_game::solution::{Limit, Verdict};
use misere_worker::Compute;

/// Returns the computation of a lie, `lazy` or `forged`.
pub(crate) fn lie(name: &str) -> Option<Compute> {
    match name {
        "lazy" => Some(lazy()),
        "forged" => Some(forged()),
        _ => None,
    }
}

/// Returns a computation that uses a tenth of the fuel, and claims that all of it was spent.
///
/// Only a worker or coordinator that computes the game again can tell.
fn lazy() -> Compute {
    Arc::new(|game, interrupt| {
        let budget = game.budget;
        let mut control = Control::new(budget.fuel / 10, interrupt);
        let mut solution = solve(&game.code, &budget.limits, budget.strategy, &mut control);
        if solution.verdict == Verdict::Exhausted(Limit::Fuel) {
            solution.fuel = budget.fuel;
        }
        solution
    })
}

/// Returns a computation that gives the solution of another game, which every check refuses.
fn forged() -> Compute {
    Arc::new(|game, interrupt| {
        let budget = game.budget;
        let mut control = Control::new(budget.fuel, interrupt);
        let solved = match game.code.to_string().as_str() {
            "0.123" => "0.77",
            _ => "0.123",
        };
        // Both codes can be read.
        let other = solved.parse().unwrap_or_else(|_| game.code.clone());
        let mut solution = solve(&other, &budget.limits, budget.strategy, &mut control);
        solution.code = game.code.clone();
        solution
    })
}
