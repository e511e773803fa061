//! The outcome of a position of a game that an automaton decides.
//!
//! The automaton is that of the solution, or is learnt from the partial quotient of the game if an
//! earlier release made the certificate. The checker has accepted it.

use misere_theory::control::{Control, Interrupt};
use misere_theory::outcome::Outcome;
use misere_theory::quotient::position_automaton;
use misere_theory::solution::Solution;

use super::explain::{Explanation, Judge, outcome_of};
use super::moves::decided;
use super::position::Position;
use super::{Answer, Method};

/// Fuel for the automaton, which is found with less than a tenth of it where there is one.
const FUEL: u64 = 20_000_000;

/// Decides a position by the automaton of its game. `None` if none is found.
pub(super) fn decide(
    solution: &Solution,
    position: &Position,
    explained: Option<usize>,
) -> Option<Answer> {
    let automaton = match solution.automaton() {
        Some(automaton) => automaton.clone(),
        None => {
            let control = &mut Control::new(FUEL, Interrupt::default());
            position_automaton(solution, control).ok()?
        }
    };
    let heaps = |position: &Position| -> Vec<(u64, u64)> {
        let heaps = position.heaps();
        heaps.map(|(heap, copies)| (heap.into(), copies)).collect()
    };
    let is_p = |position: &Position| {
        let outcome = automaton.outcome(heaps(position));
        outcome.map(|outcome| outcome == Outcome::P)
    };
    let state = |position: &Position| {
        let state = automaton.state(heaps(position))?;
        Some(format!("state {state}"))
    };
    let judge = Judge {
        outcome: &|position| is_p(position).map(outcome_of),
        factor: &state,
        product: &state,
        value: &state,
    };
    let code = &solution.code;
    let decided = decided(code, position, Method::Automaton, is_p)?;
    Some(Answer {
        explanation: explained.map(|most| Explanation::new(code, position, &judge, most)),
        ..decided
    })
}
