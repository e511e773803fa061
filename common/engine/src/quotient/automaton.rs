//! The search for an automaton that decides all positions of a game that grows.
//!
//! Two positions lead to the same state if they have the same outcome in the context of all sums of
//! larger heaps, counted from the size that is reached. The search compares outcomes only for sums
//! of few heaps of the next sizes, in a partial quotient, which knows the outcomes of all positions
//! of its heaps. The result is a guess, and the checker decides whether it is right.

use std::collections::{BTreeSet, HashMap};

use misere_check::automaton::{AutomatonCheckError, check};
use misere_game::bipartite::multiplication::Multiplication;
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::automaton::MAX_STATES;
use misere_game::solution::{PositionAutomaton, Solution};

/// The most heaps of a sum that distinguishes two states.
const MAX_HEAPS: usize = 4;
/// The number of periods of next sizes that these heaps may have.
const PERIODS_AHEAD: usize = 4;
/// The most sizes ahead, so that there are at most 200,000 sums.
const MAX_AHEAD: usize = 44;

/// The most products of elements and values of heaps that are kept, of four bytes each.
const MAX_PRODUCTS: usize = 1 << 24;

/// The reason why no automaton of a game is proved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AutomatonSearchError {
    /// The partial quotients of the game follow no pattern, so its period is not known.
    #[error("the partial quotients of the game follow no pattern as far as they were computed")]
    NoPattern,
    /// The partial quotient is too large.
    #[error("the partial quotient has too many elements")]
    LargeQuotient,
    /// There are too many states for an automaton.
    #[error("there are more than 512 states")]
    ManyStates,
    /// More heaps are needed than are known.
    #[error("{states} states were found, and more heaps than 0 to {heaps} would be needed")]
    FewHeaps {
        /// The number of states found.
        states: usize,
        /// The greatest heap known.
        heaps: u32,
    },
    /// The checker refuses the automaton that was learnt.
    #[error("an automaton of {states} states is not proved: {flaw}")]
    Refused {
        /// The number of its states.
        states: usize,
        /// The first flaw of the automaton.
        flaw: AutomatonCheckError,
    },
    /// The search was stopped.
    #[error("the search was stopped: {0}")]
    Stopped(#[from] Stop),
}

/// Returns a proved automaton that decides every position of a game.
///
/// It is learnt from a partial quotient.
///
/// Cost: for each state the sums of at most four heaps of the next sizes, and the check.
///
/// ```
/// use misere_game::control::Control;
/// use misere_game::outcome::Outcome;
/// use misere_engine::quotient::{Limits, Strategy, position_automaton, solve};
/// let limits = Limits { max_heap: 147, ..Limits::default() };
/// let (code, control) = ("0.54".parse()?, &mut Control::unlimited());
/// let solution = solve(&code, &limits, Strategy::Exact, control);
/// let automaton = position_automaton(&solution, control)?;
/// assert_eq!(automaton.outcome([(1_000_001, 2)]), Some(Outcome::P));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`AutomatonSearchError`] if none is proved.
pub fn position_automaton(
    solution: &Solution,
    control: &mut Control,
) -> Result<PositionAutomaton, AutomatonSearchError> {
    let growth = solution
        .growth
        .as_ref()
        .ok_or(AutomatonSearchError::NoPattern)?;
    let Solution {
        code,
        quotient,
        phi,
        ..
    } = solution;
    found(code, quotient, phi, growth.period, control)
}

/// Returns the automaton of a game that grows, from its period, partial quotient and values.
pub(super) fn found(
    code: &Code,
    quotient: &BipartiteMonoid,
    phi: &[Element],
    period: u32,
    control: &mut Control,
) -> Result<PositionAutomaton, AutomatonSearchError> {
    let ahead = PERIODS_AHEAD
        .saturating_mul(period as usize)
        .saturating_add(2);
    let automaton = Learner::new(quotient, phi, ahead.min(MAX_AHEAD), control)?.learn(control)?;
    match check(code, &automaton, control) {
        Ok(()) => Ok(automaton),
        Err(AutomatonCheckError::Unchecked(stop)) => Err(AutomatonSearchError::Stopped(stop)),
        Err(flaw) => Err(AutomatonSearchError::Refused {
            states: automaton.heap.len(),
            flaw,
        }),
    }
}

struct Learner<'a> {
    quotient: &'a BipartiteMonoid,
    /// The row with the products of all elements with the value of heap 0, 1, ….
    with_heap: Vec<usize>,
    rows: Vec<Vec<Element>>,
    ahead: usize,
    /// The states by the outcomes of their sums.
    known: HashMap<Vec<u64>, u32>,
    /// For each state an element and a size that lead to it.
    seen_at: Vec<(Element, usize)>,
    /// The states that are not explored yet, by size.
    todo: BTreeSet<(usize, u32)>,
}

impl<'a> Learner<'a> {
    fn new(
        quotient: &'a BipartiteMonoid,
        phi: &[Element],
        ahead: usize,
        control: &mut Control,
    ) -> Result<Self, AutomatonSearchError> {
        let multiplication = Multiplication::new(quotient);
        let mut rows: Vec<Vec<Element>> = Vec::new();
        let mut of_value = HashMap::new();
        let mut with_heap = Vec::with_capacity(phi.len());
        for &value in phi {
            let next = rows.len();
            let row = *of_value.entry(value).or_insert(next);
            if row == next {
                if (next + 1).saturating_mul(quotient.order()) > MAX_PRODUCTS {
                    return Err(AutomatonSearchError::LargeQuotient);
                }
                control.spend(quotient.order() as u64)?;
                rows.push(multiplication.row(value));
            }
            with_heap.push(row);
        }
        Ok(Self {
            quotient,
            with_heap,
            rows,
            ahead,
            known: HashMap::new(),
            seen_at: Vec::new(),
            todo: BTreeSet::new(),
        })
    }

    fn learn(mut self, control: &mut Control) -> Result<PositionAutomaton, AutomatonSearchError> {
        self.state(0, 1, control)?;
        let mut next = Vec::new();
        while let Some((size, state)) = self.todo.pop_first() {
            let (element, _) = self.seen_at[state as usize];
            let heap = self.state(self.beside(element, size), size, control)?;
            let step = self.state(element, size + 1, control)?;
            next.push((state, heap, step));
        }
        next.sort_unstable();
        let p_states = (0..).zip(&self.seen_at);
        Ok(PositionAutomaton {
            heap: next.iter().map(|&(_, heap, _)| heap).collect(),
            step: next.iter().map(|&(_, _, step)| step).collect(),
            p_states: p_states
                .filter(|&(_, &(element, _))| self.quotient.in_p(element))
                .map(|(state, _)| state)
                .collect(),
        })
    }

    fn beside(&self, element: Element, heap: usize) -> Element {
        self.rows[self.with_heap[heap]][element as usize]
    }

    /// Returns the state of an element at a size.
    fn state(
        &mut self,
        element: Element,
        size: usize,
        control: &mut Control,
    ) -> Result<u32, AutomatonSearchError> {
        if size + self.ahead > self.with_heap.len() {
            return Err(AutomatonSearchError::FewHeaps {
                states: self.seen_at.len(),
                heaps: self.with_heap.len().saturating_sub(1) as u32,
            });
        }
        let outcomes = self.outcomes(element, size);
        control.spend(64 * outcomes.len() as u64)?;
        let fresh = self.seen_at.len() as u32;
        let state = *self.known.entry(outcomes).or_insert(fresh);
        if state == fresh {
            if self.seen_at.len() == MAX_STATES {
                return Err(AutomatonSearchError::ManyStates);
            }
            self.seen_at.push((element, size));
            self.todo.insert((size, state));
        }
        Ok(state)
    }

    /// Returns the outcomes with all sums of few heaps, from this size on.
    fn outcomes(&self, element: Element, size: usize) -> Vec<u64> {
        let mut outcomes = Vec::new();
        let mut sums = 0_usize;
        let mut todo = vec![(element, 0, 0)];
        while let Some((sum, least, heaps)) = todo.pop() {
            if sums.is_multiple_of(64) {
                outcomes.push(0);
            }
            if let Some(last) = outcomes.last_mut()
                && self.quotient.in_p(sum)
            {
                *last |= 1 << (sums % 64);
            }
            sums += 1;
            if heaps < MAX_HEAPS {
                let more = least..self.ahead;
                todo.extend(more.map(|next| (self.beside(sum, size + next), next, heaps + 1)));
            }
        }
        outcomes
    }
}
