//! Do all grounds, with every effort, decide as the definition of outcomes does, and list exactly
//! the winning moves?

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::collections::{BTreeMap, BTreeSet};

use misere_answers::decider::extended_evidence;
use misere_answers::{Answer, Decider, Effort, Ground, WinningMoves};
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::outcome::{Convention, Oracle};
use misere_game::position::Position;
use misere_game::ruleset::Code;
use misere_game::solution::Solution;

fn solved(code: &str, fuel: u64) -> Solution {
    let control = &mut Control::new(fuel, Interrupt::default());
    solve(
        &code.parse().unwrap(),
        &Limits::default(),
        Strategy::Exact,
        control,
    )
}

/// All positions of at most three heaps to this one, with heaps of 0 beans.
fn positions(largest: u32) -> impl Iterator<Item = [u32; 3]> {
    let to = move |from: u32| from..=largest;
    to(0).flat_map(move |a| to(a).flat_map(move |b| to(b).map(move |c| [a, b, c])))
}

/// The winning moves by the definition: each a heap and what it leaves.
fn right_moves(oracle: &mut Oracle, heaps: &[u32]) -> BTreeSet<(u32, Vec<u32>)> {
    let moves = oracle
        .winning_moves(heaps, &mut Control::unlimited())
        .unwrap();
    let moves = moves.into_iter();
    moves
        .map(|found| (found.heap, found.option.parts().collect()))
        .collect()
}

#[test]
fn every_ground_agrees_with_the_definition() {
    let quick = Effort {
        nim_values: 100_000,
        ..Effort::QUICK
    };
    let mut grounds = BTreeMap::new();
    for (code, fuel, largest) in [
        ("0.77", 1_000_000, 14),
        ("0.123", 1_000_000, 12),
        ("0.005", 3_000_000, 20),
        ("0.26", 2_000_000, 14),
        ("0.07", 20_000, 12),
        ("0.114", 1_000_000, 14),
        ("4.7", 1_000_000, 10),
        ("0.54", 1_000_000, 14),
        ("0.56", 1_000_000, 14),
        ("grundy", 20_000, 12),
        ("{*2,{*2,0}}", 1_000_000, 4),
    ] {
        let solution = solved(code, fuel);
        let mut oracle = Oracle::new(&solution.code, Convention::Misere);
        for effort in [Effort::NONE, quick, Effort::THOROUGH] {
            let control = &mut Control::unlimited();
            let extended = extended_evidence(&solution, largest, effort, control).unwrap();
            let evidence = extended.as_ref().or(solution.evidence.as_ref());
            let mut decider = Decider::new(&solution, evidence, effort);
            for heaps in positions(largest) {
                let position = Position::from_iter(heaps);
                let Some(decision) = decider.decide(&position, control).unwrap() else {
                    continue;
                };
                let right = oracle.outcome(&heaps, &mut Control::unlimited());
                assert_eq!(Ok(decision.outcome), right, "{code} {heaps:?} {decision:?}");
                *grounds.entry(decision.ground).or_insert(0) += 1;
            }
        }
    }
    for ground in [Ground::Quotient, Ground::Evidence, Ground::Definition] {
        assert!(
            grounds.get(&ground).is_some_and(|&count| count > 20),
            "{grounds:?}"
        );
    }
}

/// Solutions cut short, so that heaps lie beyond those listed: laws, automata and nim-values decide
/// them.
#[test]
fn grounds_beyond_the_quotient_agree_with_the_definition() {
    for (code, fuel, largest, ground) in [
        ("0.26", 2_000_000, 14, Ground::Law),
        ("0.54", 30_000_000, 14, Ground::Automaton),
        ("0.56", 1_000_000, 14, Ground::NormalPlay),
    ] {
        let mut solution = solved(code, fuel);
        // The values of the greatest heaps are taken away; what decides all heaps stays.
        let kept = match ground {
            Ground::NormalPlay => 9,
            _ => 6,
        };
        solution.phi.truncate(kept);
        let mut oracle = Oracle::new(&solution.code, Convention::Misere);
        let effort = Effort {
            rules: 0,
            ..Effort::THOROUGH
        };
        let mut decider = Decider::new(&solution, solution.evidence.as_ref(), effort);
        let control = &mut Control::unlimited();
        let mut count = 0;
        for heaps in positions(largest) {
            let position = Position::from_iter(heaps);
            let decision = decider.decide(&position, control).unwrap();
            let decision = decision.unwrap_or_else(|| panic!("{code} {heaps:?} is undecided"));
            let right = oracle.outcome(&heaps, &mut Control::unlimited()).unwrap();
            assert_eq!(decision.outcome, right, "{code} {heaps:?} {decision:?}");
            if decision.ground == ground {
                count += 1;
                let moves = decider
                    .winning_moves(&position, right, ground, control)
                    .unwrap();
                let WinningMoves::All(moves) = moves else {
                    panic!("{code} {heaps:?}: not all moves are listed")
                };
                let moves: BTreeSet<_> = moves
                    .into_iter()
                    .map(|found| (found.heap, found.leaves))
                    .collect();
                assert_eq!(moves, right_moves(&mut oracle, &heaps), "{code} {heaps:?}");
            }
        }
        assert!(count > 100, "{code}: {count}");
    }
}

/// Positions of at most three heaps to the one at which the quotient becomes infinite.
#[test]
fn evidence_lists_exactly_the_winning_moves() {
    for (code, heap) in [("0.005", 18_u32), ("0.017", 16), ("0.404", 12)] {
        let solution = solved(code, 60_000_000);
        assert!(solution.evidence.is_some(), "{code}");
        let mut oracle = Oracle::new(&solution.code, Convention::Misere);
        let effort = Effort {
            rules: 0,
            ..Effort::THOROUGH
        };
        let mut decider = Decider::new(&solution, solution.evidence.as_ref(), effort);
        let control = &mut Control::unlimited();
        let mut listed = 0;
        for [a, b, _] in positions(heap).filter(|heaps| heaps[2] == heap) {
            let heaps = [a, b, heap];
            let position = Position::from_iter(heaps);
            // Nothing is claimed of some columns.
            let Some(decision) = decider.decide(&position, control).unwrap() else {
                continue;
            };
            let right = oracle.outcome(&heaps, &mut Control::unlimited()).unwrap();
            assert_eq!(decision.outcome, right, "{code} {heaps:?}");
            let moves = decider
                .winning_moves(&position, right, decision.ground, control)
                .unwrap();
            if let WinningMoves::All(moves) = moves {
                let moves: BTreeSet<_> = moves
                    .into_iter()
                    .map(|found| (found.heap, found.leaves))
                    .collect();
                assert_eq!(moves, right_moves(&mut oracle, &heaps), "{code} {heaps:?}");
                listed += 1;
            }
        }
        assert!(listed > 50, "{code}: {listed}");
    }
}

/// A thousand million heaps: the moves listed lead to positions that are decided the other way.
#[test]
fn copies_are_counted_and_not_unrolled() {
    let solution = solved("0.005", 60_000_000);
    for heaps in [
        "18^1000000000 3",
        "18^999999999 13^4000000000 3^5",
        "7^12345 18^77777",
    ] {
        let position = Position::parse(&solution.code, heaps).unwrap();
        let control = &mut Control::unlimited();
        let answer = Answer::new(&solution, &position, Effort::THOROUGH, None, control);
        let answer = answer.unwrap().unwrap();
        assert_eq!((answer.method, answer.position), (Ground::Evidence, None));
        let moves = answer.winning_moves.unwrap();
        assert_eq!(answer.outcome == 'P', moves.is_empty());
        for winning in moves {
            let after = Answer::new(&solution, &winning.sum, Effort::THOROUGH, None, control);
            assert_eq!(after.unwrap().unwrap().outcome, 'P', "{:?}", winning.sum);
        }
    }
}

#[test]
fn powers_of_a_finite_quotient_are_read_by_squaring() {
    let solution = solved("0.123", 60_000_000);
    let decider = Decider::new(&solution, None, Effort::NONE);
    let element = |text: &str| decider.element(&Position::parse(&solution.code, text).unwrap());
    for copies in 0..12_usize {
        let one_by_one = "9 ".repeat(copies);
        assert_eq!(
            element(&format!("3 9^{copies}")),
            element(&format!("3 {one_by_one}"))
        );
    }
    // Multiples of heap 9 repeat with period 2.
    assert_eq!(element("3 9^1000000000"), element("3 9^10"));
}

#[test]
fn an_interrupted_decision_ends() {
    let solution = solved("0.56", 1_000_000);
    let code: &Code = &solution.code;
    let interrupt = Interrupt::default();
    interrupt.raise();
    let control = &mut Control::new(u64::MAX, interrupt);
    let position = Position::parse(code, "100000 3").unwrap();
    let answer = Answer::new(&solution, &position, Effort::THOROUGH, None, control);
    assert!(answer.is_err());
}
