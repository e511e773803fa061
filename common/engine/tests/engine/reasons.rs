//! The reasons why games that diverge are not proved infinite: deterministic, the same under every
//! code of a game, and as the documentation defines them.

use misere_engine::infinite::diagram::{DiagramSearchError, find};
use misere_engine::quotient::{Limits, Strategy, renumbered, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::{Reason, Solution, Verdict};

fn with_evidence(code: &str, max_evidence: u64) -> Solution {
    let limits = Limits {
        max_evidence,
        ..Limits::default()
    };
    let control = &mut Control::new(10_000_000, Interrupt::default());
    solve(&code.parse().unwrap(), &limits, Strategy::Exact, control)
}

#[test]
fn fuel_is_a_reason_and_so_is_its_absence() {
    for code in ["0.104", "0.165", "0.173"] {
        for (fuel, reason) in [(0, Reason::NotSought), (5_000, Reason::Fuel)] {
            let solution = with_evidence(code, fuel);
            assert!(matches!(solution.verdict, Verdict::Diverges { .. }));
            assert_eq!((solution.reason, &solution.evidence), (Some(reason), &None));
            assert_eq!(with_evidence(code, fuel), solution, "{code}");
        }
    }
}

#[test]
fn every_code_of_a_game_has_the_reason() {
    let solution = with_evidence("0.06", 0);
    let other = renumbered(&solution, &"0.037".parse().unwrap()).unwrap();
    assert_eq!(other.reason, Some(Reason::NotSought));
}

#[test]
fn proved_and_finished_games_have_no_reason() {
    for code in ["0.31011", "0.77"] {
        assert_eq!(with_evidence(code, 3_000_000).reason, None, "{code}");
    }
}

/// Searches for a diagram with all live heaps as letters, and returns how the search ends.
fn with_all_letters(code: &str, heaps: u32, fuel: u64) -> Result<(), DiagramSearchError> {
    let code: Code = code.parse().unwrap();
    let letters: Vec<u32> = (0..=heaps).filter(|&heap| code.is_live(heap)).collect();
    let word = |heap| match code.is_live(heap) {
        true => vec![(heap, 1)],
        false => Vec::new(),
    };
    let words: Vec<_> = (0..=heaps).map(word).collect();
    let control = &mut Control::new(fuel, Interrupt::default());
    find(&code, &letters, &words, control).map(|_| ())
}

/// Where the quotient is finite the outcomes are learnt, and follow from one another: it fails at
/// the last stage.
#[test]
fn finite_quotients_have_no_multiples_to_tell_apart() {
    for (code, heaps) in [("0.3", 4), ("0.77", 4), ("0.123", 6)] {
        let ended = with_all_letters(code, heaps, 20_000_000);
        assert_eq!(
            ended,
            Err(DiagramSearchError::Ended(Reason::Multiples)),
            "{code}"
        );
    }
}
