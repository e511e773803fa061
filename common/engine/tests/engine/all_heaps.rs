//! Games with an infinite quotient that are solved for all heaps, against the definition of
//! outcomes.

use misere_engine::quotient::{Limits, Strategy, renumbered, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::ruleset::Code;
use misere_game::solution::{Document, Evidence, EvidenceOutcomes, Solution};

fn solution(code: &str) -> Solution {
    let control = &mut Control::new(5_000_000, Interrupt::default());
    let limits = Limits::default();
    solve(&code.parse().unwrap(), &limits, Strategy::Exact, control)
}

fn evidence(solution: &Solution) -> &Evidence {
    solution.evidence.as_ref().expect("evidence")
}

/// Compares the claimed outcomes with the definition, on positions of at most `limit` heaps up to
/// `to`.
///
/// Returns the number of positions.
fn compare(code: &Code, told: &EvidenceOutcomes<'_>, to: u32, limit: usize) -> usize {
    let heaps: Vec<u32> = (1..=to).filter(|&heap| code.is_live(heap)).collect();
    let mut oracle = Oracle::new(code, Convention::Misere);
    let control = &mut Control::unlimited();
    let mut compared = 0;
    let mut open = vec![(Vec::new(), 0)];
    while let Some((position, from)) = open.pop() {
        let copies: Vec<(u32, u64)> = position.iter().map(|&heap| (heap, 1)).collect();
        let right = oracle.outcome(&position, control).unwrap();
        assert_eq!(told.outcome(copies), Some(right), "{code} {position:?}");
        compared += 1;
        for (at, &heap) in heaps.iter().enumerate().skip(from) {
            if position.len() < limit {
                let mut greater = position.clone();
                greater.push(heap);
                open.push((greater, at));
            }
        }
    }
    compared
}

/// The codes, the heap at which the quotient becomes infinite, and preperiod and period of the
/// words.
const SOLVED: [(&str, u32, u32, u32); 6] = [
    ("0.31011", 5, 6, 2),
    ("0.3101101", 5, 6, 2),
    ("0.3011011", 7, 8, 2),
    ("0.3111011", 7, 8, 2),
    ("0.1210002", 17, 13, 9),
    ("0.1021000002", 24, 18, 13),
];

#[test]
fn games_with_infinite_quotients_are_solved_for_all_heaps() {
    for (code, infinite_at, preperiod, period) in SOLVED {
        let solution = solution(code);
        assert_eq!(misere_check::check(&solution), Ok(()), "{code}");
        assert_eq!(solution.heaps() + 1, infinite_at, "{code}");
        let evidence = evidence(&solution);
        let all = evidence.all_heaps().expect("words of all heaps");
        assert_eq!((all.preperiod, all.period), (preperiod, period), "{code}");
        let told = EvidenceOutcomes::new(evidence);
        // All positions of few heaps that go beyond those listed, and of more small ones.
        let compared = compare(&solution.code, &told, 30, 3);
        assert!(compared > 4_000, "{code}: {compared}");
        let compared = compare(&solution.code, &told, 9, 7);
        assert!(compared > 3_000, "{code}: {compared}");
    }
}

/// Heap 2,000,000,000 of 0.31011 is even and counts for nothing; 2,000,000,001 counts as heap 1.
#[test]
fn heaps_of_any_size_are_read() {
    let solution = solution("0.31011");
    let told = EvidenceOutcomes::new(evidence(&solution));
    assert_eq!(told.outcome([(2_000_000_000, 1)]), Some(Outcome::N));
    assert_eq!(told.outcome([(2_000_000_001, 1)]), Some(Outcome::P));
    assert_eq!(
        told.outcome([(u32::MAX, 3), (6, 1_000_000_000)]),
        Some(Outcome::P)
    );
}

#[test]
fn the_document_keeps_the_words() {
    let solution = solution("0.31011");
    let document = Document::new(&solution);
    assert_eq!(document.status, "solved");
    let text = serde_json::to_string(&document).unwrap();
    let read: Document = serde_json::from_str(&text).unwrap();
    assert_eq!(read.clone().into_solution().unwrap(), solution);
    // Words of all heaps without evidence are refused.
    let without = Document {
        evidence: None,
        status: "diverges".to_owned(),
        ..read
    };
    assert!(without.into_solution().is_err());
}

/// In 0.201011 heap 1 is dead, and every other heap is one of 0.31011 with a bean more.
#[test]
fn a_solution_goes_over_to_another_code() {
    let to: Code = "0.201011".parse().unwrap();
    let same = renumbered(&solution("0.31011"), &to).expect("one game");
    assert_eq!(misere_check::check(&same), Ok(()));
    let all = evidence(&same).all_heaps().expect("words of all heaps");
    assert_eq!((all.preperiod, all.period), (7, 2));
    assert!(compare(&to, &EvidenceOutcomes::new(evidence(&same)), 26, 3) > 2_000);
}
