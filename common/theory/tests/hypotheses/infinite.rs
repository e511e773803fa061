//! H: do the outcomes of an infinite family follow from one another, and do they tell all multiples
//! apart?
//!
//! Each hypothesis as a whole has its test in `infinite_quotients.rs`
//! (`every_hypothesis_has_its_error`). Here are the parts of which a hypothesis is made up, as far
//! as each of them has a line of its own.

use misere_theory::control::Control;
use misere_theory::outcome::Outcome::{self, N, P};
use misere_theory::solution::InfiniteFamily;
use misere_theory::solution::evidence::{Column, Count, Letter, State, Word};
use misere_theory::verify::infinite::{FamilyFlaw, check_outcomes};

fn digit(heap: u32) -> Letter {
    Letter {
        heap,
        count: Count::Digits,
    }
}

fn cycle(heap: u32, index: u32, period: u32) -> Letter {
    Letter {
        heap,
        count: Count::Cycle { index, period },
    }
}

/// What is said in each column where no digit is there; of positions with a digit nothing is said.
fn family(
    letters: &[Letter],
    words: &[(u32, &[(u32, u32)])],
    columns: &[(&[u32], Outcome)],
) -> InfiniteFamily {
    let digits = letters
        .iter()
        .filter(|letter| letter.count == Count::Digits)
        .count();
    let nothing = 2;
    let state = |outcome, own: u32| {
        let next = |bits| if bits == 0 { own } else { nothing };
        State {
            outcome,
            next: (0..1 << digits).map(next).collect(),
        }
    };
    InfiniteFamily {
        distinct_multiples: letters
            .iter()
            .filter(|l| l.count == Count::Digits)
            .map(|l| l.heap)
            .take(1)
            .collect(),
        letters: letters.to_vec(),
        words: words
            .iter()
            .map(|&(heap, word)| Word {
                heap,
                word: word.to_vec(),
            })
            .collect(),
        columns: columns
            .iter()
            .map(|&(counts, outcome)| Column {
                counts: counts.to_vec(),
                state: u32::from(outcome == P),
            })
            .collect(),
        states: vec![state(Some(N), 0), state(Some(P), 1), state(None, nothing)],
    }
}

/// Of 0.3, whose heap `n` has the one option `n - 1`: heaps 1, 3, … are `*`, and 2, 4, … are 0.
fn of_0_3(family: &InfiniteFamily) -> Result<(), FamilyFlaw> {
    check_outcomes(
        &"0.3".parse().unwrap(),
        6,
        family,
        &mut Control::unlimited(),
    )
}

fn outcome(column: &[u32]) -> Result<(), FamilyFlaw> {
    Err(FamilyFlaw::Outcome {
        column: column.to_vec(),
    })
}

#[test]
fn what_is_true_is_accepted() {
    let parity = family(
        &[cycle(1, 1, 2), digit(2)],
        &[],
        &[(&[0], N), (&[1], P), (&[2], N)],
    );
    assert_eq!(of_0_3(&parity), Ok(()));
}

#[test]
fn h1_letters_and_words_stand_in_order_and_in_one_place() {
    let swapped = family(&[digit(2), cycle(1, 1, 2)], &[], &[(&[0], N)]);
    assert_eq!(of_0_3(&swapped), Err(FamilyFlaw::Heap { heap: 1 }));
    let words = family(&[digit(1)], &[(3, &[(1, 1)]), (2, &[])], &[(&[], N)]);
    assert_eq!(of_0_3(&words), Err(FamilyFlaw::Heap { heap: 2 }));
    let both = family(&[digit(1), digit(2)], &[(2, &[])], &[(&[], N)]);
    assert_eq!(of_0_3(&both), Err(FamilyFlaw::Heap { heap: 2 }));
    let greater = family(&[digit(1)], &[(2, &[]), (7, &[])], &[(&[], N)]);
    assert_eq!(of_0_3(&greater), Err(FamilyFlaw::Heap { heap: 7 }));
    let dead = family(&[digit(1)], &[(2, &[])], &[(&[], N)]);
    let code = "0.1".parse().unwrap();
    let checked = check_outcomes(&code, 6, &dead, &mut Control::unlimited());
    assert_eq!(checked, Err(FamilyFlaw::Heap { heap: 2 }));
}

#[test]
fn h4_digits_are_few_and_counts_are_small() {
    let five: Vec<Letter> = (1..6).map(digit).collect();
    let (what, found, most) = ("digits", 5, 4);
    assert_eq!(
        of_0_3(&family(&five, &[], &[(&[], N)])),
        Err(FamilyFlaw::TooLarge { what, found, most })
    );
    let malformed = Err(FamilyFlaw::Malformed {
        what: "word",
        number: 0,
    });
    let many = family(&[digit(1)], &[(2, &[(1, 201)])], &[(&[], N)]);
    assert_eq!(of_0_3(&many), malformed);
    let twice = family(&[digit(1)], &[(2, &[(1, 1), (1, 1)])], &[(&[], N)]);
    assert_eq!(of_0_3(&twice), malformed);
    let no_letter = family(&[digit(1)], &[(2, &[]), (3, &[(2, 1)])], &[(&[], N)]);
    assert_eq!(
        of_0_3(&no_letter),
        Err(FamilyFlaw::Malformed {
            what: "word",
            number: 1
        })
    );
    for (index, period) in [(0, 1), (201, 1), (1, 201)] {
        let letter = family(&[cycle(1, index, period), digit(2)], &[], &[(&[0], N)]);
        assert_eq!(
            of_0_3(&letter),
            Err(FamilyFlaw::Malformed {
                what: "letter",
                number: 0
            })
        );
    }
}

#[test]
fn h6_counts_of_a_column_are_read_as_they_are() {
    let malformed = Err(FamilyFlaw::Malformed {
        what: "column",
        number: 1,
    });
    let letters = [cycle(1, 1, 2), digit(2)];
    let read_as_another = family(&letters, &[], &[(&[0], N), (&[3], P)]);
    assert_eq!(of_0_3(&read_as_another), malformed);
    let too_many = family(&letters, &[], &[(&[0], N), (&[1, 1], P)]);
    assert_eq!(of_0_3(&too_many), malformed);
    let too_few = family(&letters, &[], &[(&[0], N), (&[], P)]);
    assert_eq!(of_0_3(&too_few), malformed);
}

/// Two heaps of 1 are read as one of them is.
#[test]
fn h8_a_count_at_the_index_may_be_greater_by_a_period() {
    let always = family(&[cycle(1, 1, 1), digit(2)], &[], &[(&[0], N), (&[1], P)]);
    assert_eq!(of_0_3(&always), outcome(&[1]));
}

/// Counts of 2, 4, … are said to be P, as from 4 a move leads to 3; but from 2 it leads to 1.
#[test]
fn h8_a_count_at_the_index_may_be_the_index() {
    let even = family(
        &[cycle(1, 2, 2), digit(2)],
        &[],
        &[(&[0], N), (&[1], P), (&[2], P), (&[3], N)],
    );
    assert_eq!(of_0_3(&even), outcome(&[2]));
}

/// From 2 a move leads to 1, which is P; from 3 none does.
#[test]
fn h8_both_counts_at_the_index_need_a_move_to_p() {
    let more = family(
        &[cycle(1, 2, 1), digit(2)],
        &[],
        &[(&[0], N), (&[1], P), (&[2], N)],
    );
    assert_eq!(of_0_3(&more), outcome(&[2]));
}

/// All positions are said to be N, and only the end may be without a move to P.
#[test]
fn h8_the_end_alone_needs_no_move() {
    let mut silent = family(&[digit(1)], &[], &[(&[], N)]);
    silent.states[0].next = vec![0, 0];
    assert_eq!(of_0_3(&silent), outcome(&[]));
    let column = family(&[cycle(1, 1, 2), digit(2)], &[], &[(&[0], N), (&[1], N)]);
    assert_eq!(of_0_3(&column), outcome(&[1]));
}

/// Nothing is said of one heap of 1, so it is not known to be no P-position.
#[test]
fn h8_an_option_of_which_nothing_is_said_does_not_help() {
    let letters = [cycle(1, 2, 1), digit(2)];
    for outcome_of_two in [N, P] {
        let gap = family(&letters, &[], &[(&[0], N), (&[2], outcome_of_two)]);
        assert_eq!(of_0_3(&gap), outcome(&[2]));
    }
}
