//! The proof that the quotient of a game with an automaton is infinite (D6).
//!
//! Let `q` be a state of the automaton without heaps, at a size `m` from which on these states
//! repeat with the period `p`. Let `x` be the state after a heap in `q`, and let `y(k)` be the
//! state that `k·p` steps lead to from `x`. Suppose that for no `k > 0` the same signs always lead
//! from `x` and from `y(k)` to the same outcome. Then the heaps `m`, `m + p`, `m + 2p`, … are
//! pairwise distinguishable: at the size of the greater of two of them, the automaton is in `x` if
//! it reads the greater heap, and in some `y(k)` if it reads the other.

use misere_game::control::Control;

use super::Machine;

/// Reports whether some class of heaps has infinitely many different values.
pub(super) fn is_shown(machine: &Machine<'_>) -> bool {
    let differ = |first: usize, second: usize| machine.in_p[first] != machine.in_p[second];
    let Ok(told_apart) = machine.pairs_leading_to(differ, &mut Control::unlimited()) else {
        return false;
    };
    let (settled, period) = super::settles(&machine.step, 0);
    let at = |steps: usize, from: usize| (0..steps).fold(from, |state, _| machine.step[state]);
    (settled..settled + period).any(|steps| {
        let after_heap = machine.heap[at(steps, 0)];
        let mut later = after_heap;
        // The states repeat after at most as many periods as there are states.
        (0..machine.states()).all(|_| {
            later = at(period, later);
            told_apart.contains(after_heap, later)
        })
    })
}
