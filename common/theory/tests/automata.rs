//! Automata that decide all positions of games that grow.
//!
//! The automata are compared with the definition of misère play. The hypotheses D1 to D6 of the
//! theorem (docs/automata.md) each have a claim that is refused by the line which checks it; and
//! all small automata of some games that pass agree with the rules.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::LazyLock;

use misere_theory::control::{Control, Interrupt, Stop};
use misere_theory::outcome::{Convention, Oracle, Outcome};
use misere_theory::quotient::{Limits, NoAutomaton, Strategy, position_automaton, solve};
use misere_theory::ruleset::Code;
use misere_theory::solution::{
    Document, DocumentError, PositionAutomaton, Solution, SolvedBy, ThresholdLaw, Verdict,
};
use misere_theory::verify::automaton::{AutomatonFlaw, check, shows_infinite};
use misere_theory::verify::{self, Flaw};

fn found(code: &str, max_heap: u32) -> (Code, Result<PositionAutomaton, NoAutomaton>) {
    let code: Code = code.parse().unwrap();
    let limits = Limits {
        max_heap,
        ..Limits::default()
    };
    let control = &mut Control::unlimited();
    let solution = solve(&code, &limits, Strategy::Exact, control);
    let automaton = position_automaton(&solution, control);
    (code, automaton)
}

/// The game 0.54 and its automaton, which is true.
fn good() -> (Code, PositionAutomaton) {
    static GOOD: LazyLock<(Code, PositionAutomaton)> = LazyLock::new(|| {
        let (code, automaton) = found("0.54", 147);
        (code, automaton.unwrap())
    });
    GOOD.clone()
}

/// 0.3: every heap of an odd size counts, and an odd number of such heaps is a P-position.
fn parity() -> (Code, PositionAutomaton) {
    let automaton = PositionAutomaton {
        heap: vec![1, 0, 2, 3],
        step: vec![2, 3, 0, 1],
        p_states: vec![1, 3],
    };
    ("0.3".parse().unwrap(), automaton)
}

fn verdict(code: &Code, automaton: &PositionAutomaton) -> Result<(), AutomatonFlaw> {
    check(code, automaton, &mut Control::unlimited())
}

/// All sums of at most so many heaps of at most so many beans.
fn sums(most: u32, heaps: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..heaps {
        let longer = last.iter().flat_map(|sum: &Vec<u32>| {
            let from = sum.last().copied().unwrap_or(1);
            (from..=most).map(move |heap| [sum.as_slice(), &[heap]].concat())
        });
        last = longer.collect();
        all.extend_from_slice(&last);
    }
    all
}

/// The first of some sums of which an automaton says another outcome than the rules.
fn disagreement(code: &Code, automaton: &PositionAutomaton, sums: &[Vec<u32>]) -> Option<Vec<u32>> {
    let mut oracle = Oracle::new(code, Convention::Misere);
    let differs = |sum: &&Vec<u32>| {
        let heaps = sum.iter().map(|&heap| (heap.into(), 1));
        let right = oracle.outcome(sum, &mut Control::unlimited()).unwrap();
        automaton.outcome(heaps) != Some(right)
    };
    sums.iter().find(differs).cloned()
}

/// The three games of Figure 1 that grow in period 7 or 9 and have no law of thresholds.
#[test]
fn three_games_are_decided_by_automata() {
    for (code, max_heap, states) in [("0.54", 147, 253), ("0.541", 147, 253), ("0.145", 198, 420)] {
        let (code, automaton) = found(code, max_heap);
        let automaton = automaton.unwrap();
        assert_eq!(automaton.heap.len(), states, "{code}");
        assert!(shows_infinite(&code, &automaton), "{code}");
        assert_eq!(
            disagreement(&code, &automaton, &sums(14, 4)),
            None,
            "{code}"
        );
        assert_eq!(
            disagreement(&code, &automaton, &sums(22, 2)),
            None,
            "{code}"
        );
    }
}

#[test]
fn games_without_an_automaton_say_why() {
    assert_eq!(found("0.123", 100).1, Err(NoAutomaton::NoPattern));
    assert_eq!(found("0.54", 60).1, Err(NoAutomaton::NoPattern));
    let (_, refused) = found("0.26", 100);
    assert!(
        matches!(refused, Err(NoAutomaton::Refused { .. })),
        "{refused:?}"
    );
}

/// A heap of a million beans is read by cycles, and a position of two such heaps is won by making
/// halves of one of them, or by none.
#[test]
fn heaps_of_a_million_beans_are_decided() {
    let (code, automaton) = good();
    let is_p = |heaps: &[(u64, u64)]| automaton.outcome(heaps.to_vec()) == Some(Outcome::P);
    assert!(is_p(&[(1_000_001, 2)]));
    assert!(is_p(&[(20, 1), (499_998, 1), (500_000, 1), (1_000_007, 1)]));
    // The rules, once: a position of two large heaps, and all of its options.
    let options = |heap: u64| {
        code.options(heap as u32).into_iter().map(|option| {
            option
                .parts()
                .map(|part| (u64::from(part), 1))
                .collect::<Vec<_>>()
        })
    };
    for (one, other) in [
        (2_000, 2_007),
        (2_001, 2_001),
        (2_002, 2_012),
        (1_995, 2_002),
    ] {
        let beside = |left: u64, option: Vec<(u64, u64)>| {
            let mut position = option;
            match position.iter_mut().find(|heap| heap.0 == left) {
                Some(equal) => equal.1 += 1,
                None => position.push((left, 1)),
            }
            position
        };
        let next = options(one).map(|option| beside(other, option));
        let mut next = next.chain(options(other).map(|option| beside(one, option)));
        let has_p = next.any(|option| is_p(&option));
        assert_ne!(
            is_p(&beside(one, vec![(other, 1)])),
            has_p,
            "{one} + {other}"
        );
    }
}

#[test]
fn d1_the_game_has_moves_in_all_large_heaps_and_leaves_two_heaps_at_most() {
    let (_, automaton) = parity();
    for code in ["0.01", "0.8", "0.F", "4!.0", "{{*2},0}"] {
        let code: Code = code.parse().unwrap();
        assert_eq!(
            verdict(&code, &automaton),
            Err(AutomatonFlaw::Game),
            "{code}"
        );
    }
}

#[test]
fn d1_the_states_are_in_form() {
    let (code, right) = parity();
    assert_eq!(verdict(&code, &right), Ok(()));
    let wrong = |change: &dyn Fn(&mut PositionAutomaton)| {
        let mut automaton = right.clone();
        change(&mut automaton);
        assert_eq!(verdict(&code, &automaton), Err(AutomatonFlaw::Form));
    };
    wrong(&|automaton| automaton.heap[2] = 4);
    wrong(&|automaton| automaton.step[3] = 4);
    wrong(&|automaton| automaton.p_states = vec![1, 4]);
    wrong(&|automaton| automaton.p_states = vec![3, 1]);
    wrong(&|automaton| automaton.p_states = vec![1, 1, 3]);
    wrong(&|automaton| automaton.heap.push(0));
    wrong(&|automaton| automaton.step.push(0));
    wrong(&|automaton| {
        automaton.heap = (0..513).collect();
        automaton.step = (0..513).collect();
    });
    wrong(&|automaton| {
        (automaton.heap, automaton.step, automaton.p_states) = Default::default();
    });
}

#[test]
fn d2_a_step_does_not_change_the_outcome() {
    let (code, mut automaton) = parity();
    automaton.p_states = vec![1];
    assert_eq!(
        verdict(&code, &automaton),
        Err(AutomatonFlaw::State { state: 1 })
    );
}

#[test]
fn d2_a_state_tells_the_size_modulo_the_period() {
    let (code, mut automaton) = parity();
    automaton.step[3] = 3;
    assert_eq!(
        verdict(&code, &automaton),
        Err(AutomatonFlaw::State { state: 3 })
    );
}

#[test]
fn d3_positions_without_a_move_are_n() {
    let (code, mut automaton) = parity();
    automaton.p_states = vec![0, 2];
    assert_eq!(verdict(&code, &automaton), Err(AutomatonFlaw::Terminal));
    // In 0.07 a heap of one bean has no options.
    let code: Code = "0.07".parse().unwrap();
    automaton.p_states = vec![1, 3];
    assert_eq!(verdict(&code, &automaton), Err(AutomatonFlaw::Terminal));
}

/// In 0.21 the whole heap 2 may be taken. It is said that the sums of heaps 2 are P-positions, and no
/// others, so 2 + 2 is one, and leads to 2.
#[test]
fn d4_a_whole_heap_of_two_may_be_taken() {
    let automaton = PositionAutomaton {
        heap: vec![5, 2, 2, 5, 5, 5],
        step: vec![1, 3, 4, 3, 4, 5],
        p_states: vec![2, 4],
    };
    let flaw = AutomatonFlaw::PToP { taken: 2, part: 0 };
    assert_eq!(verdict(&"0.21".parse().unwrap(), &automaton), Err(flaw));
}

/// In 0.4 it is said that 2 + h and 1 + 2 + h are P-positions for odd h from 3 on, and no others. The
/// only moves from P to P lead from 2 + 5 to 1 + 2 + 3, and so on: there is a heap between the parts.
#[test]
fn d4_heaps_may_lie_between_the_parts() {
    let automaton = PositionAutomaton {
        heap: vec![1, 10, 4, 5, 11, 11, 8, 11, 10, 11, 10, 11],
        step: vec![2, 3, 10, 10, 6, 6, 7, 6, 9, 8, 11, 10],
        p_states: vec![8, 9],
    };
    let flaw = AutomatonFlaw::PToP { taken: 1, part: 1 };
    assert_eq!(verdict(&"0.4".parse().unwrap(), &automaton), Err(flaw));
}

/// If the outcome is changed of all positions that lead to a state, or to one that steps connect
/// with it, then a new P-position has an option that is one (D4), or an old one is an N-position
/// without such an option (D5).
#[test]
fn d4_and_d5_every_other_outcome_is_refused() {
    let (code, right) = good();
    let states = right.heap.len();
    let mut component: Vec<usize> = (0..states).collect();
    for _ in 0..states {
        for state in 0..states {
            let other = right.step[state] as usize;
            let least = component[state].min(component[other]);
            (component[state], component[other]) = (least, least);
        }
    }
    let (mut p_to_p, mut without_p) = (0, 0);
    for changed in 1..states {
        if component[changed] != changed {
            continue;
        }
        let was_p = right.p_states.contains(&(changed as u32));
        let is_p = |&state: &u32| {
            right.p_states.contains(&state) != (component[state as usize] == changed)
        };
        let automaton = PositionAutomaton {
            p_states: (0..states as u32).filter(is_p).collect(),
            ..right.clone()
        };
        match verdict(&code, &automaton) {
            Err(AutomatonFlaw::PToP { .. }) if !was_p => p_to_p += 1,
            Err(AutomatonFlaw::NWithoutP { .. }) if was_p => without_p += 1,
            // Positions without a move may lead there.
            Err(AutomatonFlaw::Terminal) => {}
            other => panic!("{changed}: {other:?}"),
        }
    }
    assert!(p_to_p > 5 && without_p > 5, "{p_to_p} {without_p}");
}

#[test]
fn d6_a_finite_quotient_is_not_shown_infinite() {
    let (code, automaton) = parity();
    assert!(!shows_infinite(&code, &automaton));
}

/// Automata that differ in one state from a true one are refused, or say the same.
#[test]
fn changed_automata_are_refused_or_agree_with_the_rules() {
    let (code, right) = good();
    let states = right.heap.len() as u32;
    let sums = [sums(13, 4), sums(23, 2)].concat();
    let mut random = 54_u64;
    let mut next = |below: u32| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (random >> 33) as u32 % below
    };
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
            Err(AutomatonFlaw::State { .. }) => continue,
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

/// The number of choices of P-states with which such an automaton passes.
fn passing(code: &Code, heap: &[u32], step: &[u32], sums: &[Vec<u32>]) -> usize {
    static POSITIONS: LazyLock<Vec<Vec<u32>>> =
        LazyLock::new(|| [crate::sums(5, 5), crate::sums(9, 3), crate::sums(16, 2)].concat());
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

/// Whether the flaw that is named is one by the definition, in one of some positions, and no earlier
/// one is missed there.
fn is_real(
    code: &Code,
    automaton: &PositionAutomaton,
    judged: &Result<(), AutomatonFlaw>,
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
        Err(AutomatonFlaw::PToP { taken, part }) => p_to_p().any(|found| found == (*taken, *part)),
        Err(AutomatonFlaw::NWithoutP { position }) => {
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

/// The automaton of a game with a finite quotient: it remembers the value of the heaps that it has
/// read, and the size up to the period.
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
    let mut random = 75_u64;
    let mut below = |bound: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (random >> 33) as usize % bound
    };
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
                let state = below(right.heap.len());
                let first = state - state % order;
                automaton.heap[state] = (first + below(order)) as u32;
            }
            let judged = verdict(&code, &automaton);
            match judged {
                Ok(()) => assert_eq!(disagreement(&code, &automaton, &sums), None, "{code}"),
                Err(_) => refused += 1,
            }
            // A move that is named may lie in larger positions than are looked at.
            let is_deep = matches!(judged, Err(AutomatonFlaw::PToP { .. }));
            assert!(
                is_deep || is_real(&code, &automaton, &judged, &positions),
                "{code} {change}: {judged:?}"
            );
        }
        assert!(refused > 20, "{code}: {refused}");
    }
}

/// Whether some heap, and the heaps that are one and two periods greater, are told apart by what the
/// automaton says of them in some company.
fn has_different_heaps(automaton: &PositionAutomaton) -> bool {
    static COMPANIES: LazyLock<Vec<Vec<u32>>> =
        LazyLock::new(|| [sums(6, 4), sums(14, 2)].concat());
    let (from, period) = automaton.rhythm().unwrap();
    let outcome = |heap: u32, company: &[u32]| {
        let heaps = company.iter().chain([&heap]);
        automaton.outcome(heaps.map(|&heap| (heap.into(), 1)))
    };
    let differ = |one: u32, other: u32| {
        COMPANIES
            .iter()
            .any(|company| outcome(one, company) != outcome(other, company))
    };
    (from..from + period).any(|heap| {
        let [one, two, three] = [heap, heap + period, heap + 2 * period];
        differ(one, two) && differ(one, three) && differ(two, three)
    })
}

/// Automata of four states are said to show an infinite quotient only if three of their heaps are
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

#[test]
fn a_check_without_fuel_ends() {
    let (code, automaton) = good();
    let control = &mut Control::new(1, Interrupt::default());
    let ended = check(&code, &automaton, control);
    assert_eq!(ended, Err(AutomatonFlaw::Unchecked(Stop::FuelSpent)));
}

/// The solution of 0.54 to heap 147, with its automaton.
fn solved() -> Solution {
    static SOLVED: LazyLock<Solution> = LazyLock::new(|| {
        let limits = Limits {
            max_heap: 147,
            ..Limits::default()
        };
        let code = "0.54".parse().unwrap();
        solve(&code, &limits, Strategy::Exact, &mut Control::unlimited())
    });
    SOLVED.clone()
}

/// The solution with its automaton changed.
fn forged(change: impl FnOnce(&mut PositionAutomaton)) -> Solution {
    let mut solution = solved();
    match &mut solution.growth.as_mut().unwrap().solved_by {
        Some(SolvedBy::Automaton(automaton)) => change(automaton),
        other => panic!("{other:?}"),
    }
    solution
}

/// The engine finds the automaton, and the solution says that the game is solved.
#[test]
fn a_solution_carries_its_automaton() {
    let solution = solved();
    assert!(matches!(solution.verdict, Verdict::Grows { .. }));
    assert_eq!(solution.automaton(), Some(&good().1));
    assert_eq!((solution.law(), verify::check(&solution)), (None, Ok(())));
    let document = Document::new(&solution);
    assert_eq!(document.status, "solved");
    let text = serde_json::to_string(&document).unwrap();
    let read: Document = serde_json::from_str(&text).unwrap();
    assert_eq!(read.into_solution().unwrap(), solution);
}

/// Whatever is changed, the solution is refused; a pattern without the automaton is true, too.
#[test]
fn a_solution_with_a_false_automaton_is_refused() {
    let refused = |solution: &Solution| match verify::check(solution) {
        Err(Flaw::Automaton(flaw)) => flaw,
        other => panic!("{other:?}"),
    };
    let flaw = refused(&forged(|automaton| automaton.p_states.clear()));
    assert!(matches!(flaw, AutomatonFlaw::NWithoutP { .. }), "{flaw}");
    let flaw = refused(&forged(|automaton| automaton.step[9] = 253));
    assert_eq!(flaw, AutomatonFlaw::Form);
    let flaw = refused(&forged(|automaton| {
        automaton.p_states.retain(|&state| state != 1);
    }));
    assert!(matches!(flaw, AutomatonFlaw::State { .. }), "{flaw}");
    let mut plain = solved();
    plain.growth.as_mut().unwrap().solved_by = None;
    assert_eq!(verify::check(&plain), Ok(()));
    assert_eq!(Document::new(&plain).status, "grows");
}

/// An automaton belongs to a game that grows, and stands beside no law.
#[test]
fn a_document_with_an_automaton_and_another_claim_is_no_solution() {
    let right = Document::new(&solved());
    let no_solution = |change: fn(&mut Document)| {
        let mut document = right.clone();
        change(&mut document);
        let error = document.into_solution().unwrap_err();
        assert!(matches!(error, DocumentError::Status(_)), "{error}");
    };
    no_solution(|document| document.growth = None);
    no_solution(|document| {
        document.law = Some(ThresholdLaw {
            bits: 0,
            modulus: 1,
            first_totals: vec![],
            totals: vec![0],
            heaps: vec![],
            period: 1,
            slope: 1,
        });
    });
    no_solution(|document| document.automaton = None);
}

/// The codes with at most four digits, or three and a first one of 4, that are the same game. Their
/// heaps are others, or the same, and the checker accepts their automata.
#[test]
fn other_codes_of_the_game_have_automata_of_their_own() {
    let mut sizes = Vec::new();
    for game in ["0.54", "0.145"] {
        let limits = Limits::default();
        let control = &mut Control::unlimited();
        let solution = solve(&game.parse().unwrap(), &limits, Strategy::Exact, control);
        let first = solution.automaton().unwrap();
        let octal = |n: u32, length: u32| -> Vec<u8> {
            let digit = |at: u32| (n >> (3 * at) & 7) as u8;
            (0..length).rev().map(digit).collect()
        };
        let without = (1..4096).filter_map(|n| Code::new(0, &octal(n, 4)));
        let with = (1..512).filter_map(|n| Code::new(4, &octal(n, 3)));
        for code in without.chain(with) {
            if code == solution.code || code.signature() != solution.code.signature() {
                continue;
            }
            let other = solution.renumbered(&code).unwrap();
            let automaton = other.automaton().unwrap();
            assert_eq!(verdict(&code, automaton), Ok(()), "{code}");
            assert!(shows_infinite(&code, automaton), "{code}");
            assert_eq!(automaton.rhythm().unwrap().1, first.rhythm().unwrap().1);
            assert_eq!(disagreement(&code, automaton, &sums(12, 3)), None, "{code}");
            sizes.push((code.to_string(), automaton.heap.len()));
        }
    }
    assert!(!sizes.is_empty());
    println!("{sizes:?}");
}
