//! Parts of the check, compared with their definitions on arbitrary automata.

use std::collections::HashSet;

use proptest::prelude::*;

use misere_game::control::{Control, Interrupt};
use misere_game::outcome::Outcome;
use misere_game::ruleset::Code;
use misere_game::solution::PositionAutomaton;

use super::{AutomatonCheckError, Machine, Pairs, copies, moves, replies};

/// Returns automata of seven states whose steps preserve P-states, each P with a probability.
///
/// The sizes are read alike from some size on, or by their parity.
fn automata(p: f64) -> impl Strategy<Value = PositionAutomaton> {
    let maps = (0..7_u32, 0..7_u32, proptest::bool::weighted(p));
    let maps = proptest::collection::vec(maps, 7);
    (maps, any::<bool>()).prop_map(|(maps, by_parity)| {
        // By parity, odd sizes have the states 0 to 3, and even sizes the states 4 to 6.
        let side = |state: u32, to: u32| match by_parity {
            false => to,
            true if state < 4 => to % 4,
            true => 4 + to % 3,
        };
        let lists = (0..).zip(&maps);
        let heap = lists
            .clone()
            .map(|(state, map)| side(state, map.0))
            .collect();
        let step = lists.map(|(state, map)| match by_parity {
            false => map.1 % (state + 1),
            true if state < 4 => 4 + map.1 % 3,
            true => 0,
        });
        let step: Vec<u32> = step.collect();
        // All states that steps connect are P-states, or none is.
        let mut first: Vec<u32> = (0..7).collect();
        for _ in 0..7 {
            for state in 0..7 {
                let least = first[state].min(first[step[state] as usize]);
                (first[state], first[step[state] as usize]) = (least, least);
            }
        }
        let is_p = |&state: &u32| maps[first[state as usize] as usize].2;
        PositionAutomaton {
            heap,
            p_states: (0..7).filter(is_p).collect(),
            step,
        }
    })
}

/// Reports whether an automaton says P of a position.
fn is_p(automaton: &PositionAutomaton, position: &[u32]) -> bool {
    let heaps = position.iter().map(|&heap| (heap.into(), 1));
    automaton.outcome(heaps) == Some(Outcome::P)
}

/// Reports whether an automaton says N of a position with a move, and P of none of its options.
fn has_no_reply(code: &Code, automaton: &PositionAutomaton, position: &[u32]) -> bool {
    let mut moves = position.iter().enumerate().flat_map(|(at, &heap)| {
        let others = [&position[..at], &position[at + 1..]].concat();
        let options = code.options(heap).into_iter();
        options.map(move |option| option.parts().chain(others.clone()).collect())
    });
    let has_move = position.iter().any(|&heap| code.is_live(heap));
    let is_p = |position: &[u32]| is_p(automaton, position);
    has_move && !is_p(position) && !moves.any(|left: Vec<u32>| is_p(&left))
}

/// Returns all sums of at most `heaps` heaps of at most `limit` beans each.
fn sums(limit: u32, heaps: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for at in 0.. {
        let Some(sum) = all.get(at).cloned() else {
            return all;
        };
        let from = sum.last().copied().unwrap_or(1);
        if sum.len() < heaps {
            all.extend((from..=limit).map(|heap| [&sum[..], &[heap]].concat()));
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40_000))]

    /// No move leads from P to P in an automaton that passes the check.
    ///
    /// A move that the check names is a move of the code.
    #[test]
    fn moves_from_p_to_p_are_found(automaton in automata(0.5), code in 0..9_usize) {
        let codes = ["0.4", "0.04", "0.44", "4.4", "0.5", "0.24", "0.7", "0.14", "0.401"];
        let code: Code = codes[code].parse().unwrap();
        let machine = Machine::new(&code, &automaton).unwrap();
        let is_p = |position: &[u32]| is_p(&automaton, position);
        let leads_to_p = |position: &[u32]| {
            position.iter().enumerate().any(|(at, &heap)| {
                code.options(heap).iter().any(|option| {
                    let parts: Vec<u32> = option.parts().collect();
                    is_p(&[&position[..at], &position[at + 1..], &parts].concat())
                })
            })
        };
        match moves::check(&machine, &mut Control::unlimited()) {
            Ok(()) => {
                let positions = [sums(6, 4), sums(11, 2)].concat();
                let flaw = positions.iter().find(|position| is_p(position) && leads_to_p(position));
                prop_assert_eq!(flaw, None, "{}", code);
            }
            Err(AutomatonCheckError::PToP { taken, part }) => {
                let digit = code.digit(taken);
                prop_assert!(part > 0 && digit & 4 != 0 || part == 0 && digit & 3 != 0);
            }
            Err(flaw) => prop_assert!(false, "{}", flaw),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Every N-position with a move has an option that is P, in an automaton that passes the check.
    /// A position that the check names has none.
    #[test]
    fn positions_without_a_reply_are_found(automaton in automata(0.8), code in 0..6_usize) {
        let codes = ["0.03", "0.012", "0.021", "0.102", "0.3", "0.33"];
        let code: Code = codes[code].parse().unwrap();
        let machine = Machine::new(&code, &automaton).unwrap();
        let is_open = |position: &[u32]| has_no_reply(&code, &automaton, position);
        let control = &mut Control::new(300_000, Interrupt::default());
        match replies::check(&machine, control) {
            Ok(()) => {
                let positions = [sums(6, 4), sums(11, 2)].concat();
                let open = positions.iter().find(|position| is_open(position));
                prop_assert_eq!(open, None, "{}", code);
            }
            Err(AutomatonCheckError::NWithoutP { position }) => {
                let heaps = position.split(" + ").map(|heap| heap.parse().unwrap());
                prop_assert!(is_open(&heaps.collect::<Vec<u32>>()), "{}: {}", code, position);
            }
            // Some checks take too long.
            Err(_) => {}
        }
    }
}

/// What is remembered of a position: how its first three heaps compare in ascending order.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Compared {
    /// The number of heaps, at most four.
    heaps: usize,
    /// Whether each of the first heaps is equal to the one before, of the same parity, or neither.
    relations: [usize; 2],
    /// The parity of the last heap, and whether it has the present size.
    last: (bool, bool),
    is_even: bool,
}

impl Compared {
    fn after_heap(self) -> Self {
        let (is_even, is_present) = self.last;
        let relation = match is_present {
            true => 0,
            false => 1 + usize::from(is_even != self.is_even),
        };
        let mut next = Self {
            heaps: self.heaps + 1,
            last: (self.is_even, true),
            ..self
        };
        match self.heaps {
            0 => next,
            1 | 2 => {
                next.relations[self.heaps - 1] = relation;
                next
            }
            _ => Self {
                heaps: 4,
                is_even: self.is_even,
                ..Self::default()
            },
        }
    }

    fn after_step(self, by_parity: bool) -> Self {
        Self {
            last: (self.last.0, false),
            is_even: self.is_even != by_parity,
            ..self
        }
    }

    /// Returns a number less than 28 that the present size does not change.
    fn class(self) -> usize {
        let [second, third] = self.relations;
        let parity = usize::from(self.last.0);
        match self.heaps {
            0 => 27,
            1 => parity,
            2 => 2 + 2 * second + parity,
            3 => 8 + 6 * second + 2 * third + parity,
            _ => 26,
        }
    }

    /// Returns the automaton that calls positions of these classes P.
    fn automaton(is_p: &[bool], by_parity: bool) -> PositionAutomaton {
        let mut states = vec![Self::default()];
        let mut automaton = PositionAutomaton {
            heap: Vec::new(),
            step: Vec::new(),
            p_states: Vec::new(),
        };
        for at in 0.. {
            let Some(&state) = states.get(at) else { break };
            if is_p[state.class()] {
                automaton.p_states.push(at as u32);
            }
            let mut number = |next: Self| {
                let known = states.iter().position(|&state| state == next);
                known.unwrap_or_else(|| {
                    states.push(next);
                    states.len() - 1
                }) as u32
            };
            automaton.heap.push(number(state.after_heap()));
            automaton.step.push(number(state.after_step(by_parity)));
        }
        automaton
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// The same for games whose moves leave two heaps, where splits are among the replies.
    #[test]
    fn positions_without_a_split_are_found(
        mut classes in proptest::collection::vec(proptest::bool::weighted(0.75), 28),
        by_parity: bool,
        code in 0..5_usize,
    ) {
        classes[26] = true;
        let codes = ["0.4", "0.04", "0.44", "0.7", "4.4"];
        let code: Code = codes[code].parse().unwrap();
        let automaton = Compared::automaton(&classes, by_parity);
        let machine = Machine::new(&code, &automaton).unwrap();
        let control = &mut Control::new(3_000_000, Interrupt::default());
        // Some true claims need other replies than the check looks for.
        if replies::check(&machine, control) == Ok(()) {
            let positions = [sums(6, 4), sums(9, 3), sums(16, 2)].concat();
            let open = positions.iter().find(|position| has_no_reply(&code, &automaton, position));
            prop_assert_eq!(open, None, "{}", code);
        }
    }
}

proptest! {
    /// The states after any number of heaps are those after a bounded number.
    #[test]
    fn more_copies_lead_to_no_other_state(heap in proptest::collection::vec(0..12_usize, 12)) {
        let bound = copies(&heap).unwrap();
        for from in 0..heap.len() {
            let after = |heaps: usize| (0..heaps).fold(from, |state, _| heap[state]);
            let few: HashSet<usize> = (0..=bound).map(after).collect();
            prop_assert!((bound..bound + 12).all(|heaps| few.contains(&after(heaps))));
        }
    }

    #[test]
    fn pairs_are_a_set(inserted in proptest::collection::vec((0..23_usize, 0..23_usize), 0..90)) {
        let (mut pairs, mut set) = (Pairs::none(23), HashSet::new());
        for &(first, second) in &inserted {
            prop_assert_eq!(pairs.insert(first, second), set.insert((first, second)));
        }
        prop_assert_eq!(pairs.iter().collect::<HashSet<_>>(), set);
    }
}

/// Two automata whose moves from P to P begin late. Arbitrary automata show it once in a million.
#[test]
fn sizes_are_gone_through_until_they_repeat() {
    let is_refused = |code: &str, heap: [u32; 7], step: [u32; 7], p_states: Vec<u32>| {
        let (heap, step) = (heap.to_vec(), step.to_vec());
        let automaton = PositionAutomaton {
            heap,
            step,
            p_states,
        };
        let code: Code = code.parse().unwrap();
        let machine = Machine::new(&code, &automaton).unwrap();
        let judged = moves::check(&machine, &mut Control::unlimited());
        assert!(
            matches!(judged, Err(AutomatonCheckError::PToP { .. })),
            "{judged:?}"
        );
    };
    is_refused(
        "0.4",
        [5, 1, 1, 0, 2, 4, 0],
        [0, 1, 0, 0, 1, 4, 0],
        vec![0, 2, 3, 6],
    );
    is_refused(
        "0.5",
        [4, 0, 2, 5, 3, 2, 0],
        [0, 0, 2, 2, 3, 0, 0],
        vec![0, 1, 5, 6],
    );
}

/// Positions with one size, or with three or more, are called P. The only ones without a reply have
/// heaps of two sizes: 1 + 1 + 2 + 2 is the first.
#[test]
fn two_sizes_with_a_move_have_a_move() {
    let automaton = PositionAutomaton {
        heap: vec![1, 1, 3, 3, 5, 5, 5],
        step: vec![0, 2, 2, 4, 4, 6, 6],
        p_states: vec![1, 2, 5, 6],
    };
    let code: Code = "0.3".parse().unwrap();
    let machine = Machine::new(&code, &automaton).unwrap();
    let judged = replies::check(&machine, &mut Control::unlimited());
    assert!(
        matches!(judged, Err(AutomatonCheckError::NWithoutP { .. })),
        "{judged:?}"
    );
}

/// Cycles of three, four and five states repeat together after sixty heaps.
#[test]
fn cycles_of_heaps_repeat_together() {
    let heap = [1, 2, 0, 4, 5, 6, 3, 8, 9, 10, 11, 7];
    assert_eq!(copies(&heap).unwrap(), 60);
    let too_many = [1, 2, 0, 4, 5, 6, 3, 8, 9, 10, 11, 12, 13, 7];
    assert!(matches!(
        copies(&too_many),
        Err(AutomatonCheckError::TooLarge(_))
    ));
}
