//! Arbitrary automata, and true ones with one change, judged by the definition.

use std::sync::LazyLock;

use misere_check::automaton::{AutomatonCheckError, shows_infinite};
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::Control;
use misere_game::outcome::Outcome;
use misere_game::ruleset::Code;
use misere_game::solution::{PositionAutomaton, Verdict};

use super::{disagreement, good, sums, verdict};

/// Returns random numbers below the bounds that are requested, the same ones for a seed.
fn random(mut seed: u64) -> impl FnMut(u32) -> u32 {
    move |below| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as u32 % below
    }
}

/// Automata that differ in one state from a true one are refused, or say the same.
#[test]
fn changed_automata_are_refused_or_agree_with_the_rules() {
    let (code, right) = good();
    let states = right.heap.len() as u32;
    let sums = [sums(13, 4), sums(23, 2)].concat();
    let mut next = random(54);
    let mut refused = 0;
    let mut judged = 0;
    while judged < 60 {
        let mut automaton = right.clone();
        let (at, to) = (next(states) as usize, next(states));
        match next(2) {
            0 => automaton.heap[at] = to,
            _ => automaton.step[at] = to,
        }
        match verdict(&code, &automaton) {
            Ok(()) => assert_eq!(disagreement(&code, &automaton, &sums), None),
            // Most changes are seen at once: the states do not fit the sizes.
            Err(AutomatonCheckError::State { .. }) => continue,
            Err(_) => refused += 1,
        }
        judged += 1;
    }
    assert!(refused > 40, "{refused}");
}

/// Every automaton with at most three states, and those of four states with a period of two, that
/// pass agree with the rules; some pass.
#[test]
fn all_small_automata_that_pass_are_true() {
    let sums = [sums(6, 4), sums(12, 2)].concat();
    let mut passed = 0;
    for code in [
        "0.3", "0.2", "0.33", "0.7", "0.03", "0.13", "4.3", "0.5", "0.4",
    ] {
        let code: Code = code.parse().unwrap();
        for states in 1..=3_u32 {
            let maps: Vec<Vec<u32>> = (0..states.pow(states))
                .map(|map| {
                    (0..states)
                        .map(|at| map / states.pow(at) % states)
                        .collect()
                })
                .collect();
            for heap in &maps {
                for step in &maps {
                    passed += passing(&code, heap, step, &sums);
                }
            }
        }
        // Four states: two for odd sizes, two for even ones.
        for map in 0..256_u32 {
            let bit = |at: u32| map >> at & 1;
            let heap = [bit(0), bit(1), 2 + bit(2), 2 + bit(3)];
            let step = [2 + bit(4), 2 + bit(5), bit(6), bit(7)];
            passed += passing(&code, &heap, &step, &sums);
        }
    }
    assert!(passed > 0);
}

/// Returns the number of choices of P-states with which such an automaton passes.
fn passing(code: &Code, heap: &[u32], step: &[u32], sums: &[Vec<u32>]) -> usize {
    static POSITIONS: LazyLock<Vec<Vec<u32>>> =
        LazyLock::new(|| [super::sums(5, 5), super::sums(9, 3), super::sums(16, 2)].concat());
    let states = heap.len() as u32;
    let mut passed = 0;
    for set in 0..1_u32 << states {
        let automaton = PositionAutomaton {
            heap: heap.to_vec(),
            step: step.to_vec(),
            p_states: (0..states).filter(|&state| set >> state & 1 == 1).collect(),
        };
        let judged = verdict(code, &automaton);
        if judged == Ok(()) {
            passed += 1;
            assert_eq!(
                disagreement(code, &automaton, sums),
                None,
                "{code} {automaton:?}"
            );
        }
        assert!(
            is_real(code, &automaton, &judged, &POSITIONS),
            "{code} {automaton:?}: {judged:?}"
        );
        if shows_infinite(code, &automaton) {
            assert!(has_different_heaps(&automaton), "{code} {automaton:?}");
        }
    }
    passed
}

/// Reports whether the flaw that is named is one by the definition, in one of some positions.
///
/// No earlier flaw may be missed in these positions.
fn is_real(
    code: &Code,
    automaton: &PositionAutomaton,
    judged: &Result<(), AutomatonCheckError>,
    positions: &[Vec<u32>],
) -> bool {
    let is_p = |position: &[u32]| {
        let heaps = position.iter().map(|&heap| (heap.into(), 1));
        automaton.outcome(heaps) == Some(Outcome::P)
    };
    // The moves to P-positions: what they take, and the smaller part that they leave.
    let moves_to_p = |position: &[u32]| {
        let mut moves = Vec::new();
        for (at, &heap) in position.iter().enumerate() {
            for option in code.options(heap) {
                let parts: Vec<u32> = option.parts().collect();
                let rest = [&position[..at], &position[at + 1..], &parts].concat();
                if is_p(&rest) {
                    let smaller = if parts.len() == 2 {
                        parts[0].min(parts[1])
                    } else {
                        0
                    };
                    let taken = heap - parts.iter().sum::<u32>();
                    moves.push((taken as usize, smaller as usize));
                }
            }
        }
        moves
    };
    let p_to_p = || {
        let p_positions = positions.iter().filter(|position| is_p(position));
        p_positions.flat_map(|position| moves_to_p(position))
    };
    match judged {
        Err(AutomatonCheckError::PToP { taken, part }) => {
            p_to_p().any(|found| found == (*taken, *part))
        }
        Err(AutomatonCheckError::NWithoutP { position }) => {
            let position: Vec<u32> = position
                .split(" + ")
                .map(|heap| heap.parse().unwrap())
                .collect();
            let has_move = position.iter().any(|&heap| code.is_live(heap));
            has_move
                && !is_p(&position)
                && moves_to_p(&position).is_empty()
                && p_to_p().next().is_none()
        }
        Ok(()) => p_to_p().next().is_none(),
        Err(_) => true,
    }
}

/// Returns the automaton of a game with a finite quotient.
///
/// It remembers the value of the heaps that it has read, and the size up to the period.
fn of_quotient(code: &Code) -> PositionAutomaton {
    let control = &mut Control::unlimited();
    let solution = solve(code, &Limits::default(), Strategy::Exact, control);
    let Verdict::Solved { period, preperiod } = solution.verdict else {
        panic!("{code}: {:?}", solution.verdict);
    };
    let quotient = &solution.quotient;
    let order = quotient.order() as u32;
    // A generator, and an element nearer to 1, for each other element.
    let mut way: Vec<Option<(u32, usize)>> = vec![None; order as usize];
    let mut met = vec![0];
    for at in 0..order as usize {
        for generator in 0..quotient.generators() {
            let next = quotient.act(met[at], generator);
            if next != 0 && way[next as usize].is_none() {
                way[next as usize] = Some((met[at], generator));
                met.push(next);
            }
        }
    }
    let product = |x: u32, mut y: u32| {
        let mut product = x;
        while let Some((nearer, generator)) = way[y as usize] {
            (product, y) = (quotient.act(product, generator), nearer);
        }
        product
    };
    let first = preperiod.max(1);
    let sizes = first + period - 1;
    let state = |size: u32, value: u32| (size - 1) * order + value;
    let all = || (1..=sizes).flat_map(|size| (0..order).map(move |value| (size, value)));
    let next = |size: u32| if size == sizes { first } else { size + 1 };
    PositionAutomaton {
        heap: all()
            .map(|(size, value)| state(size, product(value, solution.phi[size as usize])))
            .collect(),
        step: all()
            .map(|(size, value)| state(next(size), value))
            .collect(),
        p_states: all()
            .filter(|&(_, value)| quotient.in_p(value))
            .map(|(size, value)| state(size, value))
            .collect(),
    }
}

/// The automata of finite quotients pass. If one heap is read in another way, or if one value is
/// given another outcome, the automaton is refused, or it is true as well.
#[test]
fn changed_automata_of_finite_quotients_are_judged_rightly() {
    let positions = [sums(5, 5), sums(9, 3), sums(16, 2)].concat();
    let sums = [sums(8, 4), sums(16, 2)].concat();
    let mut next = random(75);
    for code in ["0.34", "0.52", "0.75", "0.332", "4.3"] {
        let code: Code = code.parse().unwrap();
        let right = of_quotient(&code);
        assert_eq!(verdict(&code, &right), Ok(()), "{code}");
        assert!(!shows_infinite(&code, &right), "{code}");
        let order = right.step[0] as usize;
        let mut refused = 0;
        for change in 0..60 {
            let mut automaton = right.clone();
            if change < order {
                let is_changed = |state: u32| state as usize % order == change;
                automaton.p_states = (0..right.heap.len() as u32)
                    .filter(|state| right.p_states.contains(state) != is_changed(*state))
                    .collect();
            } else {
                let state = next(right.heap.len() as u32) as usize;
                let first = state - state % order;
                automaton.heap[state] = first as u32 + next(order as u32);
            }
            let judged = verdict(&code, &automaton);
            match judged {
                Ok(()) => assert_eq!(disagreement(&code, &automaton, &sums), None, "{code}"),
                Err(_) => refused += 1,
            }
            // A move that is named may lie in larger positions than are examined.
            let is_deep = matches!(judged, Err(AutomatonCheckError::PToP { .. }));
            assert!(
                is_deep || is_real(&code, &automaton, &judged, &positions),
                "{code} {change}: {judged:?}"
            );
        }
        assert!(refused > 20, "{code}: {refused}");
    }
}

/// Reports whether some heap and the heaps one and two periods greater are told apart in some
/// context.
///
/// The outcomes are those of the automaton.
fn has_different_heaps(automaton: &PositionAutomaton) -> bool {
    static CONTEXTS: LazyLock<Vec<Vec<u32>>> = LazyLock::new(|| [sums(6, 4), sums(14, 2)].concat());
    let (from, period) = automaton.rhythm().unwrap();
    let outcome = |heap: u32, context: &[u32]| {
        let heaps = context.iter().chain([&heap]);
        automaton.outcome(heaps.map(|&heap| (heap.into(), 1)))
    };
    let differ = |one: u32, other: u32| {
        CONTEXTS
            .iter()
            .any(|context| outcome(one, context) != outcome(other, context))
    };
    (from..from + period).any(|heap| {
        let [one, two, three] = [heap, heap + period, heap + 2 * period];
        differ(one, two) && differ(one, three) && differ(two, three)
    })
}

/// Automata of four states count as showing an infinite quotient only if three of their heaps are
/// pairwise different. One that shows it says P if the number of heaps of the greatest size is odd.
#[test]
fn d6_heaps_are_pairwise_different_where_infinity_is_shown() {
    let code: Code = "0.3".parse().unwrap();
    let greatest = PositionAutomaton {
        heap: vec![2, 2, 3, 2],
        step: vec![0, 1, 1, 0],
        p_states: vec![1, 2],
    };
    assert!(shows_infinite(&code, &greatest));
    assert!(has_different_heaps(&greatest));
    // Every map from four states to four is a number of eight bits.
    let map = |number: u32| {
        (0..4)
            .map(|at| number >> (2 * at) & 3)
            .collect::<Vec<u32>>()
    };
    let mut shown = 0;
    for maps in (0..1_u32 << 16).step_by(3) {
        for set in [0b0010, 0b0110, 0b1010, 0b1110] {
            let automaton = PositionAutomaton {
                heap: map(maps & 255),
                step: map(maps >> 8),
                p_states: (0..4).filter(|&state| set >> state & 1 == 1).collect(),
            };
            if shows_infinite(&code, &automaton) {
                shown += 1;
                assert!(has_different_heaps(&automaton), "{automaton:?}");
            }
        }
    }
    assert!(shown > 100, "{shown}");
}
