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
    /// How each of the first heaps compares with the one before: 0 if they are equal.
    relations: [usize; 2],
    /// The residue of the last heap, and the steps since then, at most one more than are near.
    last: (usize, usize),
    /// The residue of the present size.
    residue: usize,
}

/// The automata that compare heaps by their residues, and by whether they are near.
#[derive(Clone, Debug)]
struct Comparison {
    modulus: usize,
    near: usize,
    /// Whether residues are those of the differences from the first heap.
    by_difference: bool,
    /// Whether the positions of each class are P.
    is_p: Vec<bool>,
}

impl Comparison {
    /// The number of relations of two heaps, and of residues.
    const RELATIONS: usize = 5;
    const RESIDUES: usize = 3;
    const CLASSES: usize = 2 + Self::RESIDUES * (1 + 6 * Self::RELATIONS);

    fn after_heap(&self, before: Compared) -> Compared {
        let (residue, steps) = before.last;
        let differs = usize::from(residue != before.residue);
        let relation = match steps {
            0 => 0,
            steps if steps <= self.near => 1 + differs,
            _ => 3 + differs,
        };
        let mut next = Compared {
            heaps: before.heaps + 1,
            last: (before.residue, 0),
            ..before
        };
        match before.heaps {
            0 => {}
            1 | 2 => next.relations[before.heaps - 1] = relation,
            _ => {
                next = Compared {
                    heaps: 4,
                    residue: if self.by_difference {
                        0
                    } else {
                        before.residue
                    },
                    ..Compared::default()
                };
            }
        }
        next
    }

    fn after_step(&self, before: Compared) -> Compared {
        let (residue, steps) = before.last;
        let is_counted = (1..3).contains(&before.heaps);
        let goes_on = !self.by_difference || (1..4).contains(&before.heaps);
        Compared {
            last: (
                residue,
                (steps + usize::from(is_counted)).min(self.near + 1),
            ),
            residue: (before.residue + usize::from(goes_on)) % self.modulus,
            ..before
        }
    }

    /// Returns the number of a class, which the present size does not change.
    fn class(state: Compared) -> usize {
        let [second, third] = state.relations;
        let compared = match state.heaps {
            0 => return Self::CLASSES - 1,
            1 => 0,
            2 => 1 + second,
            3 => 1 + Self::RELATIONS * (1 + second) + third,
            _ => return Self::CLASSES - 2,
        };
        Self::RESIDUES * compared + state.last.0
    }

    fn automaton(&self) -> PositionAutomaton {
        let mut states = vec![Compared::default()];
        let mut automaton = PositionAutomaton {
            heap: Vec::new(),
            step: Vec::new(),
            p_states: Vec::new(),
        };
        for at in 0.. {
            let Some(&state) = states.get(at) else { break };
            if self.is_p[Self::class(state)] {
                automaton.p_states.push(at as u32);
            }
            let mut number = |next: Compared| {
                let known = states.iter().position(|&state| state == next);
                known.unwrap_or_else(|| {
                    states.push(next);
                    states.len() - 1
                }) as u32
            };
            automaton.heap.push(number(self.after_heap(state)));
            automaton.step.push(number(self.after_step(state)));
        }
        automaton
    }
}

fn comparisons() -> impl Strategy<Value = Comparison> {
    let classes = proptest::collection::vec(proptest::bool::weighted(0.75), Comparison::CLASSES);
    let shape = (1..=3_usize, 0..=5_usize, any::<bool>());
    (shape, classes).prop_map(|((modulus, near, by_difference), mut is_p)| {
        // Otherwise a position of many heaps would have no option that is P.
        is_p[Comparison::CLASSES - 2] = true;
        Comparison {
            modulus,
            near,
            by_difference,
            is_p,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// The same for games whose moves leave two heaps, where splits are among the replies.
    #[test]
    fn positions_without_a_split_are_found(comparison in comparisons(), code in 0..5_usize) {
        let codes = ["0.4", "0.04", "0.44", "0.7", "4.4"];
        let code: Code = codes[code].parse().unwrap();
        let automaton = comparison.automaton();
        let machine = Machine::new(&code, &automaton).unwrap();
        let control = &mut Control::new(3_000_000, Interrupt::default());
        // Some true claims need other replies than the check looks for.
        if replies::check(&machine, control) == Ok(()) {
            let positions = [sums(6, 4), sums(14, 3), sums(36, 2)].concat();
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
