//! Evidence beyond the heap at which a quotient becomes infinite.
//!
//! Heaps without a word become letters, and the outcomes of all positions of the heaps are proved
//! again.

use misere_check::infinite;
use misere_engine::infinite::{extend, extend_by_letters};
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::outcome::{Convention, Oracle};
use misere_game::ruleset::Code;
use misere_game::solution::{Evidence, EvidenceOutcomes};

/// Returns the first live heap that the evidence does not cover.
fn end(code: &Code, evidence: &Evidence) -> u32 {
    let told = EvidenceOutcomes::new(evidence);
    let silent = |heap: &u32| code.is_live(*heap) && !told.covers(*heap);
    (1..).find(silent).unwrap()
}

/// In 0.005 heap 18 makes the quotient infinite, and heap 19 has no word. As a letter it lets the
/// outcomes go on to heap 22.
#[test]
#[ignore = "slow: a minute"]
fn a_heap_without_a_word_becomes_a_letter() {
    let code: Code = "0.005".parse().unwrap();
    let solution = solve(
        &code,
        &Limits::default(),
        Strategy::Exact,
        &mut Control::unlimited(),
    );
    let evidence = solution.evidence.unwrap();
    let control = &mut Control::new(40_000_000, Interrupt::default());
    let by_words = extend(&code, &evidence, 22, control).unwrap();
    assert_eq!(end(&code, &by_words), 19);

    let more = extend_by_letters(&code, &evidence, 22, control).unwrap();
    assert_eq!(end(&code, &more), 23);
    assert!(more.letters().contains(&19));
    // The checker proves the outcomes of the evidence, whatever the finder did.
    let checked = match &more {
        Evidence::Columns(family) => infinite::check(&code, 22, family, control),
        Evidence::Diagram(family) => infinite::diagram::check(&code, 22, family, control),
    };
    assert_eq!(checked, Ok(()));

    let told = EvidenceOutcomes::new(&more);
    let mut oracle = Oracle::new(&code, Convention::Misere);
    for a in 0..=22 {
        for b in 0..=a {
            for c in 0..=b.min(12) {
                let heaps = [a, b, c];
                let live = heaps.into_iter().filter(|&heap| code.is_live(heap));
                if let Some(outcome) = told.outcome(live.map(|heap| (heap, 1))) {
                    let by_rules = oracle.outcome(&heaps, &mut Control::unlimited());
                    assert_eq!(Ok(outcome), by_rules, "{heaps:?}");
                }
            }
        }
    }
}

/// Without fuel the evidence stays as it is.
#[test]
fn without_fuel_nothing_is_added() {
    let code: Code = "0.31011".parse().unwrap();
    let solution = solve(
        &code,
        &Limits::default(),
        Strategy::Exact,
        &mut Control::unlimited(),
    );
    let evidence = solution.evidence.unwrap().with_all_heaps(None);
    let none = &mut Control::new(0, Interrupt::default());
    assert_eq!(extend_by_letters(&code, &evidence, 9, none), Ok(evidence));
}
