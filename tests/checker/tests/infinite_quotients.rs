//! Evidence that quotients are infinite: published examples, the definition of outcomes, and false
//! evidence.

use std::sync::LazyLock;

use misere_check::CheckError;
use misere_check::infinite::{FamilyCheckError, check};
use misere_engine::quotient::{Limits, Strategy as Way, solve};
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::ruleset::Code;
use misere_game::solution::evidence::{Column, Count, Letter, State, Word};
use misere_game::solution::{Document, Evidence, InfiniteFamily, Solution, Verdict};
use proptest::prelude::*;

fn solution(code: &str) -> Solution {
    let fuel = 20_000_000;
    solve(
        &code.parse().unwrap(),
        &Limits::default(),
        Way::Exact,
        &mut Control::new(fuel, Interrupt::default()),
    )
}

fn columns(solution: &Solution) -> &InfiniteFamily {
    solution.evidence.as_ref().unwrap().columns().unwrap()
}

fn family(code: &str) -> InfiniteFamily {
    columns(&solution(code)).clone()
}

/// The evidence for 0.005 to heap 18.
static OF_0_005: LazyLock<InfiniteFamily> = LazyLock::new(|| family("0.005"));

fn checked(code: &str, heaps: u32, family: &InfiniteFamily) -> Result<(), FamilyCheckError> {
    check(
        &code.parse().unwrap(),
        heaps,
        family,
        &mut Control::unlimited(),
    )
}

/// Returns the outcome that the evidence claims of a position, read as `docs/infinite.md` says.
fn claimed(family: &InfiniteFamily, position: &[u32]) -> Option<Outcome> {
    let mut counts = vec![0; family.letters.len()];
    let letter = |heap| family.letters.iter().position(|l| l.heap == heap);
    for &heap in position {
        match letter(heap) {
            Some(at) => counts[at] += 1,
            None => {
                let word = family.words.iter().find(|word| word.heap == heap)?;
                for &(heap, count) in &word.word {
                    counts[letter(heap)?] += count;
                }
            }
        }
    }
    let (mut column, mut digits) = (Vec::new(), Vec::new());
    for (&x, letter) in counts.iter().zip(&family.letters) {
        match letter.count {
            Count::Digits => digits.push(x),
            Count::Cycle { index, period } if x < index + period => column.push(x),
            Count::Cycle { period: 0, .. } => return None,
            Count::Cycle { index, period } => column.push(index + (x - index) % period),
        }
    }
    let mut state = family.columns.iter().find(|c| c.counts == column)?.state;
    while digits.iter().any(|&x| x > 0) {
        let bits = digits.iter().enumerate();
        let bits: usize = bits.map(|(d, x)| ((x & 1) as usize) << d).sum();
        state = family.states[state as usize].next[bits];
        digits.iter_mut().for_each(|x| *x /= 2);
    }
    family.states[state as usize].outcome
}

/// Compares the claims with the definition on sums of at most `limit` of the heaps.
fn compare(code: &str, heaps: &[u32], limit: usize, family: &InfiniteFamily) -> usize {
    let mut oracle = Oracle::new(&code.parse().unwrap(), Convention::Misere);
    let control = &mut Control::unlimited();
    let mut known = 0;
    let mut open = vec![Vec::new()];
    while let Some(position) = open.pop() {
        if let Some(outcome) = claimed(family, &position) {
            assert_eq!(
                outcome,
                oracle.outcome(&position, control).unwrap(),
                "{code} {position:?}"
            );
            known += 1;
        }
        if position.len() < limit {
            let least = position.last().copied().unwrap_or(0);
            for &heap in heaps.iter().filter(|&&heap| heap >= least) {
                let mut greater = position.clone();
                greater.push(heap);
                open.push(greater);
            }
        }
    }
    known
}

#[test]
fn weimerskirchs_games_have_infinite_quotients() {
    // Weimerskirch, section 5: 0.31011 to heap 5 and 0.3122 to heap 7, with diagonal periods in
    // these heaps.
    for (code, heap, distinct) in [("0.31011", 5, [4, 5]), ("0.3122", 7, [5, 7])] {
        let solution = solution(code);
        assert!(matches!(solution.verdict, Verdict::Diverges { heap: at, .. } if at == heap));
        assert_eq!(
            solution.evidence.as_ref().unwrap().distinct_multiples(),
            distinct
        );
        assert_eq!(misere_check::check(&solution), Ok(()));
    }
}

#[test]
fn claims_are_outcomes() {
    let family = family("0.31011");
    assert!(compare("0.31011", &[1, 2, 3, 4, 5], 12, &family) > 6_000);
    let family = self::family("0.3122");
    assert!(compare("0.3122", &[1, 2, 3, 4, 5, 6, 7], 8, &family) > 6_000);
    // Not all heaps are letters here.
    let family = self::family("0.005");
    assert!(!family.words.is_empty());
    assert!(compare("0.005", &family.heaps(), 4, &family) > 1_000);
}

/// The engine ends with more levels here than a proof can handle, so the proof has to use the
/// levels that the engine began with.
#[test]
fn few_letters_prove_what_many_do_not() {
    for (code, distinct) in [("0.017", [11, 13]), ("0.026", [9, 13])] {
        let solution = solution(code);
        let family = columns(&solution);
        assert_eq!(family.distinct_multiples, distinct, "{code}");
        assert_eq!(misere_check::check(&solution), Ok(()), "{code}");
    }
}

#[test]
fn evidence_survives_the_document() {
    let solution = solution("0.31011");
    let text = serde_json::to_string(&Document::new(&solution)).unwrap();
    let read: Document = serde_json::from_str(&text).unwrap();
    assert_eq!(read.into_solution().unwrap(), solution);
}

#[test]
fn evidence_is_for_divergence_only() {
    let mut finite = solution("0.123");
    assert_eq!(finite.evidence, None);
    finite.evidence = Some(Evidence::Columns(family("0.31011")));
    assert_eq!(
        misere_check::check(&finite),
        Err(CheckError::Evidence(FamilyCheckError::NotDivergent))
    );
}

/// 0.1 has one live heap, and its quotient is T_1: two copies are equal to none.
#[test]
fn a_finite_quotient_has_no_distinct_multiples() {
    let state = |outcome, next: [u32; 2]| State {
        outcome: Some(outcome),
        next: next.to_vec(),
    };
    let parity = InfiniteFamily {
        distinct_multiples: vec![1],
        letters: vec![Letter {
            heap: 1,
            count: Count::Digits,
        }],
        words: Vec::new(),
        columns: vec![Column {
            counts: Vec::new(),
            state: 0,
        }],
        states: vec![
            state(Outcome::N, [1, 2]),
            state(Outcome::N, [1, 1]),
            state(Outcome::P, [2, 2]),
        ],
        all_heaps: None,
    };
    assert_eq!(
        checked("0.1", 1, &parity),
        Err(FamilyCheckError::Multiples { heap: 1 })
    );
    // The outcomes are right, and wrong ones are detected.
    let mut wrong = parity.clone();
    wrong.states[2].outcome = Some(Outcome::N);
    assert!(matches!(
        checked("0.1", 1, &wrong),
        Err(FamilyCheckError::Outcome { .. })
    ));
    // With a dead heap, or one that is too large.
    assert!(matches!(
        checked("0.01", 1, &parity),
        Err(FamilyCheckError::Heap { heap: 1 })
    ));
    assert!(matches!(
        checked("0.1", 0, &parity),
        Err(FamilyCheckError::Heap { heap: 1 })
    ));
}

/// Returns the evidence for `0.3` to heap 3: heaps 1 and 3 are `*`, heap 2 is equal to 0.
///
/// Everything is right except that the multiples of heap 1 differ.
fn parity_of_0_3() -> InfiniteFamily {
    let state = |outcome, next: [u32; 2]| State {
        outcome: Some(outcome),
        next: next.to_vec(),
    };
    let word = |heap, word| Word { heap, word };
    InfiniteFamily {
        distinct_multiples: vec![1],
        letters: vec![Letter {
            heap: 1,
            count: Count::Digits,
        }],
        words: vec![word(2, vec![]), word(3, vec![(1, 1)])],
        columns: vec![Column {
            counts: Vec::new(),
            state: 0,
        }],
        // The lowest bit says all.
        states: vec![
            state(Outcome::N, [2, 1]),
            state(Outcome::P, [1, 1]),
            state(Outcome::N, [2, 2]),
        ],
        all_heaps: None,
    }
}

/// The hypotheses by their numbers in `docs/infinite.md`; H13 is about the whole certificate, see
/// `tampered_certificates.rs`.
#[test]
fn every_hypothesis_has_its_error() {
    let malformed = |what, number| FamilyCheckError::Malformed { what, number };
    let broken = |change: &dyn Fn(&mut InfiniteFamily)| {
        let mut family = parity_of_0_3();
        change(&mut family);
        checked("0.3", 3, &family).unwrap_err()
    };
    let cycle = |index, period| Count::Cycle { index, period };
    // H1 to H3: heaps, moves, words.
    assert_eq!(
        broken(&|f| f.words[1].heap = 4),
        FamilyCheckError::Heap { heap: 4 }
    );
    assert_eq!(
        broken(&|f| drop(f.words.remove(0))),
        FamilyCheckError::NotClosed { heap: 3, part: 2 }
    );
    for letter in [2, 3] {
        assert_eq!(
            broken(&|f| f.words[0].word.push((letter, 1))),
            FamilyCheckError::GreaterLetter { heap: 2, letter }
        );
    }
    // H4: cycles.
    assert_eq!(
        broken(&|f| f.letters[0].count = cycle(0, 2)),
        malformed("letter", 0)
    );
    // H5: the automaton.
    assert_eq!(
        broken(&|f| {
            f.states[1].next.pop();
        }),
        malformed("state", 1)
    );
    assert_eq!(broken(&|f| f.states[1].next[1] = 3), malformed("state", 1));
    assert_eq!(
        broken(&|f| f.states[0].next[0] = 1),
        FamilyCheckError::LeadingZero { state: 0 }
    );
    // H6: columns.
    assert_eq!(
        broken(&|f| f.columns[0].counts.push(0)),
        malformed("column", 0)
    );
    assert_eq!(broken(&|f| f.columns[0].state = 3), malformed("column", 0));
    assert_eq!(
        broken(&|f| f.columns.push(f.columns[0].clone())),
        malformed("column", 1)
    );
    // H7 and H8: outcomes.
    assert_eq!(
        broken(&|f| {
            f.states[0].outcome = None;
            f.states[2].outcome = None;
        }),
        FamilyCheckError::End
    );
    assert_eq!(
        broken(&|f| f.states[1].outcome = Some(Outcome::N)),
        FamilyCheckError::Outcome { column: vec![] }
    );
    // H9 and H10: words. With another word for heap 2 a P-position moves to one; heap 3 alone has
    // no move to one.
    assert_eq!(
        broken(&|f| f.words[0].word.push((1, 1))),
        FamilyCheckError::Word { heap: 2 }
    );
    assert_eq!(
        broken(&|f| f.words[1].word.clear()),
        FamilyCheckError::Word { heap: 3 }
    );
    // H11 and H12: multiples.
    assert_eq!(
        broken(&|f| f.distinct_multiples.clear()),
        FamilyCheckError::NoMultiples
    );
    assert_eq!(
        broken(&|f| f.distinct_multiples.push(2)),
        FamilyCheckError::NotADigit { heap: 2 }
    );
    assert_eq!(broken(&|_| ()), FamilyCheckError::Multiples { heap: 1 });
}

#[test]
fn heap_5_of_0_3122_has_no_evidence_before_heap_7() {
    let family = family("0.3122");
    assert!(checked("0.3122", 6, &family).is_err());
    assert!(checked("0.3123", 7, &family).is_err());
}

#[test]
fn every_outcome_of_a_state_matters() {
    let family = family("0.31011");
    for at in 0..family.states.len() {
        let mut wrong = family.clone();
        let flipped = match wrong.states[at].outcome {
            Some(Outcome::N) => Outcome::P,
            _ => Outcome::N,
        };
        wrong.states[at].outcome = Some(flipped);
        assert!(checked("0.31011", 5, &wrong).is_err(), "state {at}");
    }
}

#[test]
fn every_part_of_the_form_matters() {
    let good = OF_0_005.clone();
    assert_eq!(checked("0.005", 18, &good), Ok(()));
    let refused = |change: &dyn Fn(&mut InfiniteFamily)| {
        let mut changed = good.clone();
        change(&mut changed);
        assert!(checked("0.005", 18, &changed).is_err());
    };
    refused(&|f| f.distinct_multiples.clear());
    refused(&|f| f.distinct_multiples = vec![3]);
    refused(&|f| f.distinct_multiples = vec![18, 13]);
    refused(&|f| f.letters.swap(0, 1));
    refused(&|f| f.letters.truncate(f.letters.len() - 1));
    refused(&|f| f.letters[0].heap = 1);
    refused(&|f| {
        f.letters[0].count = Count::Cycle {
            index: 0,
            period: 2,
        }
    });
    refused(&|f| {
        f.letters[0].count = Count::Cycle {
            index: 1,
            period: u32::MAX,
        }
    });
    refused(&|f| {
        f.letters[0].count = Count::Cycle {
            index: 1,
            period: 1,
        }
    });
    refused(&|f| f.words.truncate(f.words.len() - 1));
    refused(&|f| f.words.reverse());
    refused(&|f| f.words[0].word.clear());
    refused(&|f| f.words[0].word.push((4, 1)));
    refused(&|f| f.words[0].word = vec![(3, u32::MAX)]);
    refused(&|f| {
        f.words.insert(
            0,
            Word {
                heap: 4,
                word: Vec::new(),
            },
        )
    });
    refused(&|f| f.columns.clear());
    refused(&|f| f.columns.push(f.columns[0].clone()));
    refused(&|f| f.columns[0].counts.clear());
    refused(&|f| f.columns[1].counts[0] = 1_000);
    refused(&|f| f.columns[0].state = u32::MAX);
    refused(&|f| f.states.clear());
    refused(&|f| f.states[0].next.clear());
    refused(&|f| f.states[0].next[0] = u32::MAX);
}

#[test]
fn evidence_without_claims_proves_nothing() {
    let mut silent = family("0.31011");
    silent
        .states
        .iter_mut()
        .for_each(|state| state.outcome = None);
    assert_eq!(checked("0.31011", 5, &silent), Err(FamilyCheckError::End));
    // With fewer claims than are known the outcomes hold as far as they go, or fail; they never
    // prove more.
    let mut less = family("0.31011");
    less.columns.truncate(1);
    assert!(checked("0.31011", 5, &less).is_err());
}

#[test]
fn the_check_is_bounded() {
    let code: Code = "0.31011".parse().unwrap();
    let family = family("0.31011");
    for fuel in [0, 10, 100, 1_000] {
        let control = &mut Control::new(fuel, Interrupt::default());
        assert_eq!(
            check(&code, 5, &family, control),
            Err(FamilyCheckError::Unchecked(Stop::FuelSpent))
        );
    }
}

proptest! {
    /// A changed transition is detected, or leads to a state that is equal to the one before; the
    /// outcomes claimed are right in any case that passes.
    #[test]
    fn a_changed_transition_is_refused_or_harmless(at in 0_usize..19, bits in 0_usize..4, to in 0_u32..19) {
        let mut family = OF_0_005.clone();
        prop_assume!(at < family.states.len() && (to as usize) < family.states.len());
        family.states[at].next[bits] = to;
        if checked("0.005", 18, &family).is_ok() {
            compare("0.005", &[3, 7, 13, 18], 5, &family);
        }
    }

    /// The check of any document ends with an answer.
    #[test]
    fn any_cycle_is_read_or_refused(letter in 0_usize..5, index in 0_u32..12, period in 0_u32..12) {
        let mut family = OF_0_005.clone();
        family.letters[letter].count = Count::Cycle { index, period };
        let control = &mut Control::new(1_000_000, Interrupt::default());
        let _ = check(&"0.005".parse().unwrap(), 18, &family, control);
    }
}
