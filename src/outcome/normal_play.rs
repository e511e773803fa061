//! The decision of a position where misère play is normal play.

use std::collections::HashMap;

use misere_theory::bipartite::Element;
use misere_theory::control::{Control, Interrupt};
use misere_theory::normal::NimValues;
use misere_theory::ruleset::Code;
use misere_theory::solution::Solution;

use super::explain::{Explanation, Judge, outcome_of};
use super::moves::{WinningMove, decided};
use super::position::Position;
use super::values::Values;
use super::{Answer, Method, Patience};

/// Decides a position with a heap beyond those listed, of a game that is tame relative to `from`:
/// it lies in the kernel, so it is a P-position iff its nim-value is 0. `None` if nim-values that
/// far cost more than the fuel there is.
pub(super) fn decide(
    code: &Code,
    patience: Patience,
    position: &Position,
    from: u32,
    values: &Values<'_>,
    explained: Option<usize>,
) -> Option<Answer> {
    let mut nim_values = NimValues::new(code);
    let mut control = Control::new(patience.fuel, Interrupt::default());
    for _ in 0..position.largest() {
        nim_values.next(&mut control).ok()?;
        if patience.is_over() {
            return None;
        }
    }
    let nim_value = |position: &Position| {
        let odd = position.heaps().filter(|(_, copies)| copies % 2 == 1);
        let values = nim_values.values();
        odd.fold(0, |sum, (heap, _)| sum ^ values[heap as usize])
    };
    let is_p = |position: &Position| {
        if position.largest() >= from {
            Some(nim_value(position) == 0)
        } else {
            let element = values.of_sum(position.heaps())?;
            Some(values.solution.quotient.in_p(element))
        }
    };
    let kernel = kernel_by_nim_value(values.solution, from, nim_values.values());
    // If no nim-value so far asks for a tame extension, the quotient to the largest heap is the one
    // known.
    let largest = nim_values.values().iter().copied().max().unwrap_or(0);
    let known = (largest as usize) < kernel.len();
    let element_of = |position: &Position| match (known, position.largest() >= from) {
        (false, _) => None,
        (true, true) => kernel.get(&nim_value(position)).copied(),
        (true, false) => values.of_sum(position.heaps()),
    };
    let named = |found: WinningMove| {
        let element = element_of(&found.sum);
        values.named(found, element)
    };
    let element = element_of(position);
    let decided = decided(code, position, Method::NormalPlay, is_p)?;
    let factor = |position: &Position| Some(nim_value(position).to_string());
    let value = |position: &Position| match position.largest() >= from {
        true => factor(position),
        false => values.of_sum(position.heaps()).map(|x| values.word(x)),
    };
    let judge = Judge {
        outcome: &|position| is_p(position).map(outcome_of),
        factor: &factor,
        product: &factor,
        value: &value,
    };
    Some(Answer {
        explanation: explained.map(|most| Explanation::new(code, position, &judge, most)),
        order: element.map(|_| values.solution.quotient.order()),
        element,
        word: element.map(|x| values.word(x)),
        winning_moves: decided
            .winning_moves
            .map(|moves| moves.into_iter().map(named).collect()),
        winning_move: decided.winning_move.map(named),
        ..decided
    })
}

/// The elements of the kernel by their nim-values: all that is reached from the values of heaps
/// from `from` on.
fn kernel_by_nim_value(
    solution: &Solution,
    from: u32,
    nim_values: &[u32],
) -> HashMap<u32, Element> {
    let start = from as usize;
    let mut queue: Vec<(u32, Element)> = nim_values[start..]
        .iter()
        .copied()
        .zip(solution.phi[start..].iter().copied())
        .collect();
    let mut kernel = HashMap::new();
    while let Some((nim, x)) = queue.pop() {
        if kernel.insert(nim, x).is_none() {
            let products = solution.generator_heaps.iter().enumerate();
            queue.extend(
                products.map(|(g, &heap)| {
                    (nim ^ nim_values[heap as usize], solution.quotient.act(x, g))
                }),
            );
        }
    }
    kernel
}
