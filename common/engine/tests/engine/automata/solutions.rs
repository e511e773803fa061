//! Solutions and documents that carry an automaton.

use std::sync::LazyLock;

use misere_check::CheckError;
use misere_check::automaton::{AutomatonCheckError, shows_infinite};
use misere_engine::quotient::{Limits, Strategy, renumbered, solve};
use misere_game::control::Control;
use misere_game::ruleset::Code;
use misere_game::solution::{
    Document, PositionAutomaton, Solution, SolvedBy, ThresholdLaw, Verdict,
};

use super::{disagreement, good, sums, verdict};

/// Returns the solution of 0.54 to heap 147, with its automaton.
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

/// Returns the solution with its automaton changed.
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
    assert_eq!(
        (solution.law(), misere_check::check(&solution)),
        (None, Ok(()))
    );
    let document = Document::new(&solution);
    assert_eq!(document.status, "solved");
    let text = serde_json::to_string(&document).unwrap();
    let read: Document = serde_json::from_str(&text).unwrap();
    assert_eq!(read.into_solution().unwrap(), solution);
}

/// A solution with any change is refused; a pattern without the automaton is true, too.
#[test]
fn a_solution_with_a_false_automaton_is_refused() {
    let refused = |solution: &Solution| match misere_check::check(solution) {
        Err(CheckError::Automaton(flaw)) => flaw,
        other => panic!("{other:?}"),
    };
    let flaw = refused(&forged(|automaton| automaton.p_states.clear()));
    assert!(
        matches!(flaw, AutomatonCheckError::NWithoutP { .. }),
        "{flaw}"
    );
    let flaw = refused(&forged(|automaton| automaton.step[9] = 253));
    assert_eq!(flaw, AutomatonCheckError::Form);
    let flaw = refused(&forged(|automaton| {
        automaton.p_states.retain(|&state| state != 1);
    }));
    assert!(matches!(flaw, AutomatonCheckError::State { .. }), "{flaw}");
    let mut plain = solved();
    plain.growth.as_mut().unwrap().solved_by = None;
    assert_eq!(misere_check::check(&plain), Ok(()));
    assert_eq!(Document::new(&plain).status, "grows");
}

/// An automaton belongs to a game that grows, and excludes a law.
#[test]
fn a_document_with_an_automaton_and_another_claim_is_no_solution() {
    let right = Document::new(&solved());
    let refused = |change: fn(&mut Document)| {
        let mut document = right.clone();
        change(&mut document);
        document.into_solution().unwrap_err().to_string()
    };
    assert_eq!(
        refused(|document| document.growth = None),
        "status `solved` requires `growth`, which is missing or unknown"
    );
    let both = refused(|document| {
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
    assert_eq!(both, "`law` and `automaton` exclude each other");
    assert_eq!(
        refused(|document| document.automaton = None),
        "status `solved` requires `period`, which is missing or unknown"
    );
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
            let other = renumbered(&solution, &code).unwrap();
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
