//! B: the outcomes claimed by evidence are right for all heaps, with the words that are claimed.
//!
//! In 0.31011 the heaps 1 to 5 are letters; 6, 8, … count for nothing, and 7, 9, … as heap 1. B1
//! and B7 are tested beside the checker, in `verify/all_heaps.rs`, because a whole certificate that
//! breaks them fails for another reason first.

use misere_check::CheckError;
use misere_check::infinite::FamilyCheckError;
use misere_game::solution::evidence::Word;
use misere_game::solution::{AllHeaps, Evidence, Solution};

use super::{flaw, solved_within};

fn good() -> Solution {
    solved_within("0.31011", 5_000_000)
}

/// Returns what is wrong with the words of all heaps after a change.
fn broken(change: impl FnOnce(&mut AllHeaps)) -> CheckError {
    let found = flaw(&good(), |solution| {
        let evidence = solution.evidence.take().unwrap();
        let mut all = evidence.all_heaps().unwrap().clone();
        change(&mut all);
        solution.evidence = Some(evidence.with_all_heaps(Some(all)));
    });
    match found {
        CheckError::AllHeaps(flaw) => *flaw,
        other => panic!("{other}"),
    }
}

fn word(heap: u32) -> Word {
    let word = match heap % 2 {
        0 => Vec::new(),
        _ => vec![(1, 1)],
    };
    Word { heap, word }
}

fn evidence(flaw: FamilyCheckError) -> CheckError {
    CheckError::Evidence(flaw)
}

#[test]
fn the_true_claim_is_accepted() {
    let solution = good();
    let all = solution.evidence.as_ref().and_then(Evidence::all_heaps);
    let words = (6..=20).map(word).collect();
    let (preperiod, period) = (6, 2);
    let right = AllHeaps {
        preperiod,
        period,
        words,
    };
    assert_eq!(all, Some(&right));
}

#[test]
fn b2_every_live_heap_has_a_word_in_its_place() {
    let no_word = broken(|all| {
        all.words.remove(3);
    });
    assert_eq!(no_word, evidence(FamilyCheckError::NoWord { heap: 9 }));
    let swapped = broken(|all| all.words.swap(2, 3));
    assert_eq!(swapped, evidence(FamilyCheckError::Heap { heap: 8 }));
    let twice = broken(|all| {
        all.words.insert(2, word(8));
    });
    assert_eq!(twice, evidence(FamilyCheckError::Heap { heap: 8 }));
    let of_a_letter = broken(|all| all.words.insert(0, word(5)));
    assert_eq!(of_a_letter, evidence(FamilyCheckError::Heap { heap: 5 }));
    let far = broken(|all| all.words.push(word(u32::MAX)));
    assert_eq!(far, evidence(FamilyCheckError::NoWord { heap: 21 }));
    // Only a letter that is smaller than the heap can represent it.
    let greater = broken(|all| {
        let even = |word: &&mut Word| word.heap.is_multiple_of(2);
        let words = all.words.iter_mut();
        words.filter(even).for_each(|word| word.word = vec![(7, 1)]);
    });
    assert!(matches!(
        greater,
        CheckError::Evidence(FamilyCheckError::GreaterLetter { heap: 6, letter: 7 })
    ));
}

#[test]
fn b3_every_heap_may_be_played_as_its_word() {
    // The words repeat as they should, but they are those of the next heap.
    let shifted = broken(|all| {
        all.words.iter_mut().for_each(|other| {
            other.word = word(other.heap + 1).word;
        });
    });
    assert_eq!(shifted, evidence(FamilyCheckError::Word { heap: 6 }));
    // Only the last of them is wrong, in the last of its words.
    let two = broken(|all| all.words[1].word = vec![(2, 1)]);
    assert!(matches!(
        two,
        CheckError::NotPeriodic { heap: 7, period: 2 }
    ));
    let last = broken(|all| {
        all.preperiod = 8;
        all.words[1].word = vec![(2, 1)];
        all.words.extend((21..=24).map(word));
    });
    assert_eq!(last, evidence(FamilyCheckError::Word { heap: 7 }));
}

#[test]
fn b4_words_are_listed_as_far_as_the_theorem_asks_for() {
    assert_eq!(broken(|all| all.period = 0), CheckError::NoPeriod);
    let short = broken(|all| {
        all.words.pop();
    });
    let unproved = |heaps| CheckError::PeriodUnproved {
        period: 2,
        preperiod: 6,
        needed: 20,
        heaps,
    };
    assert_eq!(short, unproved(19));
    assert_eq!(broken(|all| all.words.clear()), unproved(5));
}

#[test]
fn b5_the_words_repeat() {
    let one = broken(|all| all.period = 1);
    assert_eq!(one, CheckError::NotPeriodic { heap: 6, period: 1 });
    let earlier = broken(|all| all.preperiod = 5);
    assert_eq!(earlier, CheckError::NotPeriodic { heap: 5, period: 2 });
}

#[test]
fn b6_no_smaller_preperiod_or_period_would_do() {
    let more = |all: &mut AllHeaps| all.words.extend((21..=40).map(word));
    let later = broken(|all| {
        more(all);
        all.preperiod = 7;
    });
    let not_least = |period, preperiod| CheckError::NotLeast { period, preperiod };
    assert_eq!(later, not_least(2, 6));
    let twice = broken(|all| {
        more(all);
        all.period = 4;
    });
    assert_eq!(twice, not_least(2, 6));
}
