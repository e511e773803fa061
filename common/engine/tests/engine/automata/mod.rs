//! Automata that decide all positions of games that grow.
//!
//! The automata are compared with the definition of misère play. The hypotheses D1 to D6 of the
//! theorem (docs/automata.md) each have a claim that is refused by the line which checks it; and
//! all small automata of some games that pass agree with the rules.

mod changed;
mod solutions;

use std::sync::LazyLock;

use misere_check::automaton::{AutomatonCheckError, check, shows_infinite};
use misere_engine::quotient::{AutomatonSearchError, Limits, Strategy, position_automaton, solve};
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::ruleset::Code;
use misere_game::solution::PositionAutomaton;

fn found(code: &str, max_heap: u32) -> (Code, Result<PositionAutomaton, AutomatonSearchError>) {
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

/// Returns the game 0.54 and its automaton, which is true.
fn good() -> (Code, PositionAutomaton) {
    static GOOD: LazyLock<(Code, PositionAutomaton)> = LazyLock::new(|| {
        let (code, automaton) = found("0.54", 147);
        (code, automaton.unwrap())
    });
    GOOD.clone()
}

/// Returns 0.3: every heap of an odd size counts, and an odd number of them is a P-position.
fn parity() -> (Code, PositionAutomaton) {
    let automaton = PositionAutomaton {
        heap: vec![1, 0, 2, 3],
        step: vec![2, 3, 0, 1],
        p_states: vec![1, 3],
    };
    ("0.3".parse().unwrap(), automaton)
}

fn verdict(code: &Code, automaton: &PositionAutomaton) -> Result<(), AutomatonCheckError> {
    check(code, automaton, &mut Control::unlimited())
}

/// Returns all sums of at most `heaps` heaps of at most `limit` beans.
fn sums(limit: u32, heaps: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..heaps {
        let longer = last.iter().flat_map(|sum: &Vec<u32>| {
            let from = sum.last().copied().unwrap_or(1);
            (from..=limit).map(move |heap| [sum.as_slice(), &[heap]].concat())
        });
        last = longer.collect();
        all.extend_from_slice(&last);
    }
    all
}

/// Returns the first of some sums for which an automaton and the rules have different outcomes.
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
    assert_eq!(found("0.123", 100).1, Err(AutomatonSearchError::NoPattern));
    assert_eq!(found("0.54", 60).1, Err(AutomatonSearchError::NoPattern));
    let (_, refused) = found("0.26", 100);
    assert!(
        matches!(refused, Err(AutomatonSearchError::Refused { .. })),
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
            Err(AutomatonCheckError::Game),
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
        assert_eq!(verdict(&code, &automaton), Err(AutomatonCheckError::Form));
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
        Err(AutomatonCheckError::State { state: 1 })
    );
}

#[test]
fn d2_a_state_tells_the_size_modulo_the_period() {
    let (code, mut automaton) = parity();
    automaton.step[3] = 3;
    assert_eq!(
        verdict(&code, &automaton),
        Err(AutomatonCheckError::State { state: 3 })
    );
}

#[test]
fn d3_positions_without_a_move_are_n() {
    let (code, mut automaton) = parity();
    automaton.p_states = vec![0, 2];
    assert_eq!(
        verdict(&code, &automaton),
        Err(AutomatonCheckError::Terminal)
    );
    // In 0.07 a heap of one bean has no options.
    let code: Code = "0.07".parse().unwrap();
    automaton.p_states = vec![1, 3];
    assert_eq!(
        verdict(&code, &automaton),
        Err(AutomatonCheckError::Terminal)
    );
}

/// In 0.21 the whole heap 2 may be taken. The sums of heaps 2 are claimed to be P-positions, and no
/// others, so 2 + 2 is one, and leads to 2.
#[test]
fn d4_a_whole_heap_of_two_may_be_taken() {
    let automaton = PositionAutomaton {
        heap: vec![5, 2, 2, 5, 5, 5],
        step: vec![1, 3, 4, 3, 4, 5],
        p_states: vec![2, 4],
    };
    let flaw = AutomatonCheckError::PToP { taken: 2, part: 0 };
    assert_eq!(verdict(&"0.21".parse().unwrap(), &automaton), Err(flaw));
}

/// In 0.4 the claim is that 2 + h and 1 + 2 + h are P-positions for odd h from 3 on, and no others.
/// The only moves from P to P lead from 2 + 5 to 1 + 2 + 3, and so on: there is a heap between the
/// parts.
#[test]
fn d4_heaps_may_lie_between_the_parts() {
    let automaton = PositionAutomaton {
        heap: vec![1, 10, 4, 5, 11, 11, 8, 11, 10, 11, 10, 11],
        step: vec![2, 3, 10, 10, 6, 6, 7, 6, 9, 8, 11, 10],
        p_states: vec![8, 9],
    };
    let flaw = AutomatonCheckError::PToP { taken: 1, part: 1 };
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
            Err(AutomatonCheckError::PToP { .. }) if !was_p => p_to_p += 1,
            Err(AutomatonCheckError::NWithoutP { .. }) if was_p => without_p += 1,
            // Positions without a move may lead there.
            Err(AutomatonCheckError::Terminal) => {}
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

#[test]
fn a_check_without_fuel_ends() {
    let (code, automaton) = good();
    let control = &mut Control::new(1, Interrupt::default());
    let ended = check(&code, &automaton, control);
    assert_eq!(ended, Err(AutomatonCheckError::Unchecked(Stop::FuelSpent)));
}
