//! Evidence with letters greater than the heap at which the game diverges.
//!
//! That a game diverges at a heap is an observation, which the checker does not prove. So a solution
//! of 0.005 that ends early, with the evidence for heap 18, is a claim of this kind.

use misere_check::infinite::FamilyCheckError;
use misere_check::{CheckError, check};
use misere_engine::infinite::diagram::find;
use misere_engine::quotient::{Limits, Strategy as Way, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::evidence::Word;
use misere_game::solution::{DiagramFamily, Document, Evidence, InfiniteFamily, Solution, Verdict};

const DIVERGES_AT: u32 = 9;

/// Solves 0.005 to a heap; the whole game diverges at heap 18.
fn solved_to(max_heap: u32) -> Solution {
    let limits = Limits {
        max_heap,
        ..Limits::default()
    };
    let control = &mut Control::new(20_000_000, Interrupt::default());
    solve(&"0.005".parse().unwrap(), &limits, Way::Exact, control)
}

/// Returns the claim that 0.005 diverges at heap 9, with evidence that has letters to heap 18.
fn early() -> Solution {
    Solution {
        verdict: Verdict::Diverges {
            heap: DIVERGES_AT,
            copies: 20,
        },
        evidence: solved_to(10_000).evidence,
        ..solved_to(DIVERGES_AT - 1)
    }
}

/// The same claim with a diagram of all heaps to 18, each of them a letter.
fn early_by_diagram() -> Solution {
    let code: Code = "0.005".parse().unwrap();
    let is_live = |&heap: &u32| code.is_live(heap);
    let letters: Vec<u32> = (0..=18).filter(is_live).collect();
    let word = |heap| {
        if code.is_live(heap) {
            vec![(heap, 1)]
        } else {
            Vec::new()
        }
    };
    let words: Vec<Vec<(u32, u32)>> = (0..=18).map(word).collect();
    let found = find(&code, &letters, &words, &mut Control::unlimited());
    Solution {
        evidence: Some(Evidence::Diagram(found.unwrap())),
        ..early()
    }
}

fn columns(solution: &mut Solution) -> &mut InfiniteFamily {
    match &mut solution.evidence {
        Some(Evidence::Columns(family)) => family,
        _ => panic!("the evidence of 0.005 has columns"),
    }
}

fn diagram(solution: &mut Solution) -> &mut DiagramFamily {
    match &mut solution.evidence {
        Some(Evidence::Diagram(family)) => family,
        _ => panic!("the evidence is a diagram"),
    }
}

fn refused(solution: &Solution, flaw: FamilyCheckError) {
    assert_eq!(check(solution), Err(CheckError::Evidence(flaw)));
}

#[test]
fn the_quotient_to_the_greatest_letter_is_infinite() {
    for solution in [early(), early_by_diagram()] {
        assert_eq!(check(&solution), Ok(()));
        assert_eq!(solution.verdict.diverges_at(), Some(DIVERGES_AT));
        assert_eq!(solution.infinite_to(), Some(18));
        let document = Document::new(&solution);
        assert_eq!(document.infinite_to, Some(18));
        assert_eq!(document.into_solution().unwrap(), solution);
    }
    let late = solved_to(10_000);
    assert_eq!(
        (late.verdict.diverges_at(), late.infinite_to()),
        (Some(18), Some(18))
    );
    let without = Solution {
        evidence: None,
        ..late
    };
    assert_eq!(
        (without.infinite_to(), Document::new(&without).infinite_to),
        (None, None)
    );
}

/// H1: no letter is as great as this heap, so no position of letters needs its word.
#[test]
fn h1_a_word_of_a_heap_above_the_greatest_letter_is_refused() {
    let word = Word {
        heap: 19,
        word: Vec::new(),
    };
    let mut by_columns = early();
    columns(&mut by_columns).words.push(word.clone());
    refused(&by_columns, FamilyCheckError::Heap { heap: 19 });
    let mut by_diagram = early_by_diagram();
    diagram(&mut by_diagram).words.push(word);
    refused(&by_diagram, FamilyCheckError::Heap { heap: 19 });
}

/// H2: the heaps between that of the divergence and the greatest letter are closed under moves.
#[test]
fn h2_a_heap_between_the_divergence_and_the_greatest_letter_may_not_be_missing() {
    let mut solution = early();
    let family = columns(&mut solution);
    assert!(family.words.iter().any(|word| word.heap == 12));
    family.words.retain(|word| word.heap != 12);
    let Err(CheckError::Evidence(FamilyCheckError::NotClosed { heap, part: 12 })) =
        check(&solution)
    else {
        panic!("heap 12 is missing: {:?}", check(&solution));
    };
    assert!(heap > 12);
}

/// H13: the heap of the divergence follows the listed heaps, whatever the evidence covers.
#[test]
fn h13_the_divergence_follows_the_listed_heaps() {
    for heap in [8, 10, 17, 18] {
        let moved = Solution {
            verdict: Verdict::Diverges { heap, copies: 20 },
            ..early()
        };
        assert_eq!(
            check(&moved),
            Err(CheckError::DivergesElsewhere { heap, heaps: 8 })
        );
    }
}

/// Every other heap in the place of the greatest letter is refused: it has other options, or is not
/// closed under moves.
#[test]
fn another_greatest_letter_is_refused() {
    for heap in 14..40 {
        let mut solution = early();
        let letter = columns(&mut solution).letters.last_mut().unwrap();
        if letter.heap == heap {
            continue;
        }
        letter.heap = heap;
        let multiples = &mut columns(&mut solution).distinct_multiples;
        *multiples.last_mut().unwrap() = heap;
        assert!(
            matches!(check(&solution), Err(CheckError::Evidence(_))),
            "{heap}"
        );
    }
}
