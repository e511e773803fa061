//! The test whether an honest worker could have made a statement within the plan.
//!
//! The checker decides what a certificate proves. The rest (that no more was found within the
//! budget, that no repetition was seen) is the worker's word; but a worker that follows the plan
//! can only state certain things, and these at a price:
//!
//! - **Limits.** No worker gives up before a limit is reached, or goes beyond one.
//! - **Divergence** is claimed by the exact strategy only, after as many copies as the engine tries
//!   ([`tries_copies`]), and at heap [`MIN_HEAP`] or later, if the plan allows for a few copies.
//!   Heap 1 is `0` or `*1`. An option of heap 2 is a sum of such heaps, `0` or `*1`, since in
//!   misère play `*1 + *1 = 0`; so heap 2 is `0`, `*1`, `*2` or `{*1}`. Here `{*1} = 0`, as it is
//!   an N-position whose only option reverses to `0`. Hence the quotient of heaps 1 and 2 is `T_0`,
//!   `T_1` or `T_2`, of at most [`MAX_ORDER_BEFORE_MIN_HEAP`] elements. (Which heaps these are
//!   depends on whether `0`, `1` and `1 + 1` are options; a test tries all.)
//! - **The greatest order** is not reached there either, if it is at least that; and a worker that
//!   reaches it has listed that many elements, which has a price ([`LISTING_TICKS`]).
//! - **The beginning.** The engine is deterministic, so the coordinator computes the first part of
//!   every game whose end is not proved again, with [`beginning`] of the fuel. If that comes to an
//!   end, the certificate must be the same in all; if not, the certificate must know at least as
//!   many heaps. A lie is therefore no cheaper than true values of all heaps that this fuel gives.
//!
//! All of this is a necessary condition. Whether a claim is true is seen by computing it again,
//! which happens to a share of all tasks.

use misere_algebra::classify::batch::BatchResult;
use misere_engine::quotient::{
    LISTING_TICKS, Limits, NIM_FUEL, NIM_HEAPS_PER_HEAP, Strategy, last_nim_heap, solve,
    tries_copies,
};
use misere_game::control::{Control, Interrupt, Stop, TICKS_PER_FUEL};
use misere_game::solution::{Limit, Solution, Stages, Verdict};

use crate::{Budget, GameTask, Schemes};

use super::VerificationError;

/// The least heap at which a quotient can be infinite.
const MIN_HEAP: u32 = 3;
/// The copies that suffice to see that the quotients of heaps before [`MIN_HEAP`] are finite.
const MAX_COPIES_BEFORE_MIN_HEAP: u32 = 14;
/// The greatest order of a quotient of heaps before [`MIN_HEAP`].
const MAX_ORDER_BEFORE_MIN_HEAP: u32 = 6;
/// The share of a budget with which the beginning of a game is computed again.
///
/// The bounds on it are in units of fuel.
const REPLAY_SHARE: u64 = 16;
const MIN_REPLAY_FUEL: u64 = 20;
const MAX_REPLAY_FUEL: u64 = 2_000;

/// Returns the fuel for the beginning of a task that may spend `fuel`.
fn beginning(fuel: u64) -> u64 {
    (fuel / REPLAY_SHARE)
        .clamp(MIN_REPLAY_FUEL, MAX_REPLAY_FUEL)
        .min(fuel)
}

/// Reports whether only the worker's word says that the computation ends like this.
///
/// Evidence with heaps beyond that of the divergence proves the quotient infinite to the greatest of
/// them; that it is infinite at the heap of the divergence already is the worker's word.
pub(super) fn is_unproved(solution: &Solution) -> bool {
    match solution.verdict {
        Verdict::Solved { .. } | Verdict::TameRelative { .. } | Verdict::Diverges { .. } => {
            solution.infinite_to() != solution.verdict.diverges_at()
        }
        Verdict::Grows { .. } | Verdict::Exhausted(_) | Verdict::Interrupted => true,
    }
}

/// Reports whether the game begins as the certificate states, if its end is not proved.
///
/// Cost: at most [`beginning`] of the fuel of the task.
///
/// # Errors
/// [`VerificationError::Budget`] if it begins otherwise, [`VerificationError::Stopped`] if `stop`
/// is raised.
pub(super) fn replays_prefix(
    task: &GameTask,
    solution: &Solution,
    stop: &Interrupt,
) -> Result<(), VerificationError> {
    if !is_unproved(solution) {
        return Ok(());
    }
    let budget = &task.budget;
    let fuel = beginning(budget.fuel);
    let mut control = Control::new(fuel, stop.clone());
    let begun = solve(&task.code, &budget.limits, budget.strategy, &mut control);
    match begun.verdict {
        Verdict::Interrupted => Err(VerificationError::Stopped),
        // With the whole budget the same would have happened: the remaining fuel changes nothing
        // before it is gone.
        _ if begun.fuel < fuel && begun != *solution => Err(VerificationError::Budget(
            "the coordinator came to another end with a small part of the fuel",
        )),
        Verdict::Solved { .. } | Verdict::TameRelative { .. } => Ok(()),
        _ if begun.heaps() > solution.heaps() => Err(VerificationError::Budget(
            "it ends before a heap that a small part of the fuel reaches",
        )),
        _ => Ok(()),
    }
}

/// Reports whether a batch of schemes begins as the certificate states: `settled`, or exhausted.
///
/// Cost: at most [`beginning`] of the fuel of one scheme.
///
/// # Errors
/// [`VerificationError::Budget`] if it begins otherwise, [`VerificationError::Stopped`] if `stop`
/// is raised.
pub(super) fn batch_replays_prefix(
    task: &Schemes,
    settled: Option<&BatchResult>,
    stop: &Interrupt,
) -> Result<(), VerificationError> {
    let fuel = task.budget.fuel;
    let mut control = Control::new(beginning(fuel), stop.clone());
    match task.batch.settle(fuel, &mut control) {
        Ok(found) if settled != Some(&found) => Err(VerificationError::Budget(
            "the coordinator came to another end with a small part of the fuel",
        )),
        Ok(_) | Err(Stop::FuelSpent) => Ok(()),
        Err(Stop::Interrupted) => Err(VerificationError::Stopped),
    }
}

/// Reports whether the solution's statements about limits fit those of the task.
///
/// A worker may not give up early, or go further than the plan.
pub(super) fn check_budget(task: &GameTask, solution: &Solution) -> Result<(), VerificationError> {
    let (limits, strategy) = (&task.budget.limits, task.budget.strategy);
    let next_heap = solution.heaps().saturating_add(1);
    if solution.fuel > task.budget.fuel {
        return Err(VerificationError::Budget(
            "more fuel was spent than there is",
        ));
    }
    if solution.heaps() > limits.max_heap {
        return Err(VerificationError::Budget(
            "it goes beyond the greatest heap",
        ));
    }
    let order = solution
        .partials
        .iter()
        .map(|partial| partial.order as usize)
        .max();
    if order.unwrap_or(1).max(solution.quotient.order()) > limits.max_order.max(1) as usize {
        return Err(VerificationError::Budget(
            "it goes beyond the greatest order",
        ));
    }
    let nim_heaps = solution.tail.map_or(0, |tail| tail.nim_heaps);
    let nim_heaps_allowed = limits.max_heap.saturating_mul(NIM_HEAPS_PER_HEAP);
    // The search for a period of nim-values ends with one, at the last heap, or when its fuel is
    // gone.
    let last = last_nim_heap(&solution.code, limits.max_heap);
    let gives_up = solution
        .tail
        .is_some_and(|tail| tail.nim_period.is_none() && tail.nim_heaps < last)
        && solution.fuel < task.budget.fuel.min(NIM_FUEL);
    // No limit was reached that ends a computation for a pattern tested less long.
    let may_go_on = solution.heaps() < limits.max_heap && solution.fuel < task.budget.fuel;
    let worth_ending_for = solution
        .growth
        .as_ref()
        .is_some_and(|growth| growth.is_worth_ending_for(solution.heaps(), limits.max_heap));
    match solution.verdict {
        Verdict::Interrupted => Err(VerificationError::NoVerdict),
        Verdict::Exhausted(Limit::Fuel) if solution.fuel < task.budget.fuel => Err(
            VerificationError::Budget("fuel is said to be spent, but some is left"),
        ),
        Verdict::Exhausted(Limit::MaxHeap) if solution.heaps() < limits.max_heap => Err(
            VerificationError::Budget("the greatest heap is said to be reached, but it is not"),
        ),
        Verdict::Diverges { copies, .. } if copies > limits.max_copies.max(1) => Err(
            VerificationError::Budget("it tries more copies than allowed"),
        ),
        Verdict::Diverges { .. } if strategy == Strategy::Classical => Err(
            VerificationError::Budget("recalibration does not say that a game diverges"),
        ),
        Verdict::Diverges { copies, .. } if !tries_copies(copies, solution.fuel, limits) => {
            Err(VerificationError::Budget(
                "the engine does not try this many copies before it reports that a game diverges",
            ))
        }
        Verdict::Diverges { .. }
            if next_heap < MIN_HEAP && limits.max_copies >= MAX_COPIES_BEFORE_MIN_HEAP =>
        {
            Err(VerificationError::Budget(
                "the quotient of heaps 1 and 2 is finite",
            ))
        }
        Verdict::Exhausted(Limit::MaxOrder)
            if next_heap < MIN_HEAP && limits.max_order >= MAX_ORDER_BEFORE_MIN_HEAP =>
        {
            Err(VerificationError::Budget(
                "the quotient of heaps 1 and 2 has 6 elements at most",
            ))
        }
        Verdict::Exhausted(Limit::MaxOrder) if solution.fuel < fuel_to_exceed(&task.budget) => Err(
            VerificationError::Budget("this many elements cannot be listed with so little fuel"),
        ),
        Verdict::TameRelative { .. } if nim_heaps_allowed < nim_heaps => Err(
            VerificationError::Budget("it computes nim-values of more heaps than allowed"),
        ),
        Verdict::TameRelative { .. } if gives_up => Err(VerificationError::Budget(
            "it ends the search for a period of nim-values before its limits",
        )),
        Verdict::TameRelative { heap } if may_go_on && is_solvable(solution, heap, limits) => Err(
            VerificationError::Budget("its period could have been proved within the greatest heap"),
        ),
        Verdict::Grows { .. } if may_go_on && !worth_ending_for => Err(VerificationError::Budget(
            "it ends for a pattern of growth that has not been tested long enough",
        )),
        Verdict::Solved { .. }
        | Verdict::TameRelative { .. }
        | Verdict::Diverges { .. }
        | Verdict::Grows { .. }
        | Verdict::Exhausted(_) => Ok(()),
    }
}

/// Returns the fuel below which no more elements than allowed can be listed.
fn fuel_to_exceed(budget: &Budget) -> u64 {
    match budget.strategy {
        Strategy::Exact => {
            (LISTING_TICKS * u64::from(budget.limits.greatest_order())).div_ceil(TICKS_PER_FUEL)
        }
        Strategy::Classical => 0,
    }
}

/// Reports whether a game tame relative to a heap has a period of `Φ` that could have been proved.
///
/// The heaps and the order allowed suffice for the proof: from that heap on `Φ` repeats with the
/// nim-values.
fn is_solvable(solution: &Solution, heap: u32, limits: &Limits) -> bool {
    let Some(tail) = solution.tail else {
        return false;
    };
    let (Some(nim), Stages::Known(stages)) = (tail.nim_period, tail.stages) else {
        return false;
    };
    let proved_by = solution
        .code
        .heaps_to_prove(nim.preperiod.max(heap), nim.period);
    // Each tame extension adds a kernel, and doubles it.
    let order = (solution.quotient.order() as u64).checked_shl(stages);
    proved_by <= u64::from(limits.max_heap)
        && order.is_some_and(|order| order <= u64::from(limits.max_order))
}

#[cfg(test)]
mod tests {
    use misere_game::ruleset::Code;

    use super::*;

    /// Every game has one of these for its heaps 1 and 2: the first digits determine their options.
    #[test]
    fn the_quotients_of_heaps_1_and_2_are_small_and_seen_to_be_finite() {
        let limits = Limits {
            max_heap: 2,
            max_order: MAX_ORDER_BEFORE_MIN_HEAP,
            max_copies: MAX_COPIES_BEFORE_MIN_HEAP,
            max_evidence: 0,
        };
        for digits in 0..4_u32 << 8 {
            let [d0, d1, d2] = [digits >> 8 << 2, digits >> 4 & 15, digits & 15].map(|d| d as u8);
            let Some(code) = Code::new(d0, &[d1, d2]) else {
                panic!("{d0} {d1} {d2}")
            };
            for strategy in [Strategy::Exact, Strategy::Classical] {
                let solution = solve(&code, &limits, strategy, &mut Control::unlimited());
                let ends_there = matches!(
                    solution.verdict,
                    Verdict::Diverges { .. } | Verdict::Exhausted(Limit::MaxOrder)
                );
                assert!(!ends_there, "{code} {strategy:?}: {:?}", solution.verdict);
            }
        }
    }
}
