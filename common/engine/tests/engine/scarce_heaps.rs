//! Proofs of infinity in which the great heaps are scarce: their claims, and the definition of
//! outcomes.

use misere_check::{infinite::FamilyCheckError, infinite::diagram::check_letters};
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::outcome::{Convention, Oracle};
use misere_game::ruleset::Code;
use misere_game::solution::{
    DiagramFamily, Document, Evidence, EvidenceOutcomes, Solution, Verdict,
};

/// Solves a game with so little fuel for a proof that only scarce heaps are affordable.
fn solution(code: &str) -> Solution {
    let limits = Limits {
        max_evidence: 200_000,
        ..Limits::default()
    };
    let control = &mut Control::new(10_000_000, Interrupt::default());
    solve(&code.parse().unwrap(), &limits, Strategy::Exact, control)
}

fn diagram(solution: &Solution) -> &DiagramFamily {
    solution.evidence.as_ref().unwrap().diagram().unwrap()
}

/// Compares the claims with the definition on all sums of at most `limit` of the covered heaps.
///
/// Returns the numbers of sums with a claim and without one.
fn compare(code: &Code, evidence: &Evidence, limit: usize) -> (usize, usize) {
    compare_within(code, evidence, |position| position.len() <= limit)
}

/// Compares the claims with the definition on all sums of at most `beans` beans.
///
/// The options of such a sum have no more beans, so the outcome of each is found once.
fn compare_beans(code: &Code, evidence: &Evidence, beans: u32) -> (usize, usize) {
    compare_within(code, evidence, |position| {
        position.iter().sum::<u32>() <= beans
    })
}

fn compare_within(
    code: &Code,
    evidence: &Evidence,
    is_wanted: impl Fn(&[u32]) -> bool,
) -> (usize, usize) {
    let (heaps, told) = (evidence.heaps(), EvidenceOutcomes::new(evidence));
    let mut oracle = Oracle::new(code, Convention::Misere);
    let control = &mut Control::unlimited();
    let (mut claimed, mut open) = (0, vec![(Vec::new(), 0)]);
    let mut all = 0;
    while let Some((position, from)) = open.pop() {
        all += 1;
        if let Some(outcome) = told.outcome(position.iter().map(|&heap| (heap, 1))) {
            let defined = oracle.outcome(&position, control).unwrap();
            assert_eq!(outcome, defined, "{code} {position:?}");
            claimed += 1;
        }
        for (at, &heap) in heaps.iter().enumerate().skip(from) {
            let greater = [&position[..], &[heap]].concat();
            if is_wanted(&greater) {
                open.push((greater, at));
            }
        }
    }
    (claimed, all - claimed)
}

/// Proves a game infinite at a heap by evidence with at most `copies` copies of that heap.
///
/// Beside them there is any number of the distinct multiples.
fn proved(text: &str, heap: u32, copies: u64, distinct: [u32; 2]) -> (Code, Solution) {
    let solution = solution(text);
    assert!(matches!(solution.verdict, Verdict::Diverges { heap: at, .. } if at == heap));
    assert_eq!(misere_check::check(&solution), Ok(()), "{text}");
    let evidence = solution.evidence.as_ref().unwrap();
    assert_eq!(evidence.distinct_multiples(), distinct, "{text}");
    let told = EvidenceOutcomes::new(evidence);
    let many = (distinct[0], 1_000_000);
    assert!(told.outcome([(heap, copies), many]).is_some(), "{text}");
    assert_eq!(told.outcome([(heap, copies + 1)]), None, "{text}");
    (text.parse().unwrap(), solution)
}

/// Three games of Figure 1 that no search for all positions has proved, and 0.036, which is 0.06
/// with every heap one smaller.
#[test]
fn one_copy_of_the_new_heap_is_enough() {
    for (text, heap, distinct) in [
        ("0.06", 17, [5, 12]),
        ("0.036", 16, [4, 11]),
        ("0.6", 17, [3, 7]),
    ] {
        let (code, solution) = proved(text, heap, 1, distinct);
        let evidence = solution.evidence.as_ref().unwrap();
        let (claimed, not_claimed) = compare(&code, evidence, 6);
        assert!(
            claimed > 1_000 && not_claimed > 1_000,
            "{text} {claimed} {not_claimed}"
        );
    }
}

/// Two games in which a single copy of the new heap is not enough. In Grundy's game the heaps 23,
/// 25 and 27 may not be played as their words beside two heaps of 29. In 0.006 no move leaves a
/// heap of 22, but such heaps tell positions apart.
#[test]
fn two_copies_of_the_new_heap_are_enough() {
    for (text, heap, distinct) in [("grundy", 29, [13, 25]), ("0.006", 24, [18, 22])] {
        let (code, solution) = proved(text, heap, 2, distinct);
        let evidence = solution.evidence.as_ref().unwrap();
        let (claimed, _) = compare_beans(&code, evidence, 40);
        assert!(claimed > 4_000, "{text} {claimed}");
    }
}

/// In 0.344, which diverges at heap 17, one heap of 28 is enough, and in 0.336, which diverges at
/// heap 14, one heap of 27. No search with few heaps of the divergence has found a proof.
#[test]
fn one_copy_of_a_greater_heap_is_enough() {
    proves_with_one_copy("0.344", 17, 28, &[7, 10, 11]);
    proves_with_one_copy("0.336", 14, 27, &[8, 9]);
}

#[test]
#[ignore = "slow: half a minute"]
fn one_copy_of_heap_34_is_enough_for_0_244() {
    proves_with_one_copy("0.244", 22, 34, &[9, 12]);
}

/// Proves a game that diverges at `heap` infinite to a greater heap, which occurs at most once.
///
/// The claims are compared with the definition on all sums of at most `greater` + 12 beans.
fn proves_with_one_copy(text: &str, heap: u32, greater: u32, distinct: &[u32]) {
    let code: Code = text.parse().unwrap();
    let control = &mut Control::new(20_000_000, Interrupt::default());
    let solution = solve(&code, &Limits::default(), Strategy::Exact, control);
    assert_eq!(solution.verdict.diverges_at(), Some(heap), "{text}");
    assert_eq!(solution.infinite_to(), Some(greater), "{text}");
    assert_eq!(misere_check::check(&solution), Ok(()), "{text}");
    let evidence = solution.evidence.as_ref().unwrap();
    assert_eq!(evidence.distinct_multiples(), distinct, "{text}");
    let told = EvidenceOutcomes::new(evidence);
    let many = (distinct[0], 1_000_000);
    assert!(told.outcome([(greater, 1), many]).is_some(), "{text}");
    assert_eq!(told.outcome([(greater, 2)]), None, "{text}");
    // Sums with the greatest heap and twelve beans beside it are among them.
    let (claimed, _) = compare_beans(&code, evidence, greater + 12);
    assert!(claimed > 10_000, "{text} {claimed}");
}

/// With half of the fuel the search ends before it finds the proof, and the verdict is the same.
#[test]
fn the_search_for_a_greater_heap_ends_with_its_fuel() {
    let solved = |fuel: u64| {
        let control = &mut Control::new(fuel, Interrupt::default());
        let code = "0.344".parse().unwrap();
        solve(&code, &Limits::default(), Strategy::Exact, control)
    };
    let (all, less) = (solved(20_000_000), solved(3_000_000));
    assert!(all.evidence.is_some() && all.fuel > 6_000_000);
    assert_eq!((less.evidence, less.verdict), (None, all.verdict));
}

/// More than a million claims about each of three games, and the definition.
#[test]
#[ignore = "slow: some minutes"]
fn a_million_claims_agree_with_the_definition() {
    for (text, beans) in [("grundy", 78), ("0.006", 88), ("0.051", 68)] {
        let code: Code = text.parse().unwrap();
        let control = &mut Control::new(10_000_000, Interrupt::default());
        let solution = solve(&code, &Limits::default(), Strategy::Exact, control);
        let (claimed, _) = compare_beans(&code, solution.evidence.as_ref().unwrap(), beans);
        assert!(claimed > 1_000_000, "{text} {claimed}");
    }
}

#[test]
fn the_search_is_deterministic_and_its_evidence_survives_the_document() {
    let solution = self::solution("0.06");
    assert_eq!(self::solution("0.06"), solution);
    let text = serde_json::to_string(&Document::new(&solution)).unwrap();
    let read: Document = serde_json::from_str(&text).unwrap();
    assert_eq!(read.into_solution().unwrap(), solution);
}

/// If something is claimed of the positions that the evidence leaves out, it does not follow.
#[test]
fn positions_left_out_cannot_be_claimed() {
    let solution = solution("0.06");
    let family = diagram(&solution);
    let code: Code = "0.06".parse().unwrap();
    let silent: Vec<usize> = (0..family.states.len())
        .filter(|&state| family.states[state].outcome.is_none())
        .collect();
    assert_eq!(silent.len(), 1);
    let said = family.states.iter().find_map(|state| state.outcome);
    let mut more = family.clone();
    more.states[silent[0]].outcome = said;
    let checked = check_letters(&code, 17, &more, &mut Control::unlimited());
    assert!(
        matches!(checked, Err(FamilyCheckError::Position { .. })),
        "{checked:?}"
    );
}
