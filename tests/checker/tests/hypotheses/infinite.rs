//! H: the outcomes of an infinite family follow from one another, and they tell all multiples
//! apart.
//!
//! Each hypothesis as a whole has its test in `infinite_quotients.rs`
//! (`every_hypothesis_has_its_error`). Here are the parts that make up a hypothesis, as far
//! as each of them has a line of its own.

use misere_check::infinite::{FamilyCheckError, check_multiples, check_outcomes};
use misere_game::control::Control;
use misere_game::outcome::Outcome::{self, N, P};
use misere_game::solution::InfiniteFamily;
use misere_game::solution::evidence::{Column, Count, Letter, State, Word};

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

/// Returns a family with these claims for columns without digits, and none for positions with a
/// digit.
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
        all_heaps: None,
    }
}

/// Checks a family of 0.3, whose heap `n` has the one option `n - 1`.
///
/// Heaps 1, 3, … are `*`, and 2, 4, … are 0.
fn of_0_3(family: &InfiniteFamily) -> Result<(), FamilyCheckError> {
    check_outcomes(
        &"0.3".parse().unwrap(),
        6,
        family,
        &mut Control::unlimited(),
    )
}

fn outcome(column: &[u32]) -> Result<(), FamilyCheckError> {
    Err(FamilyCheckError::Outcome {
        column: column.to_vec(),
    })
}

#[test]
fn a_true_family_is_accepted() {
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
    assert_eq!(of_0_3(&swapped), Err(FamilyCheckError::Heap { heap: 1 }));
    let words = family(&[digit(1)], &[(3, &[(1, 1)]), (2, &[])], &[(&[], N)]);
    assert_eq!(of_0_3(&words), Err(FamilyCheckError::Heap { heap: 2 }));
    let both = family(&[digit(1), digit(2)], &[(2, &[])], &[(&[], N)]);
    assert_eq!(of_0_3(&both), Err(FamilyCheckError::Heap { heap: 2 }));
    let greater = family(&[digit(1)], &[(2, &[]), (7, &[])], &[(&[], N)]);
    assert_eq!(of_0_3(&greater), Err(FamilyCheckError::Heap { heap: 7 }));
    let dead = family(&[digit(1)], &[(2, &[])], &[(&[], N)]);
    let code = "0.1".parse().unwrap();
    let checked = check_outcomes(&code, 6, &dead, &mut Control::unlimited());
    assert_eq!(checked, Err(FamilyCheckError::Heap { heap: 2 }));
}

#[test]
fn h3_words_list_letters_once() {
    let many = family(&[digit(1)], &[(2, &[(1, 201)])], &[(&[], N)]);
    let count = Err(FamilyCheckError::LetterCount { heap: 2, letter: 1 });
    assert_eq!(of_0_3(&many), count);
    let twice = family(&[digit(1)], &[(2, &[(1, 1), (1, 1)])], &[(&[], N)]);
    assert_eq!(of_0_3(&twice), count);
    let no_letter = family(&[digit(1)], &[(2, &[]), (3, &[(2, 1)])], &[(&[], N)]);
    assert_eq!(
        of_0_3(&no_letter),
        Err(FamilyCheckError::NotALetter { heap: 3, part: 2 })
    );
}

#[test]
fn h4_digits_are_few_and_counts_are_small() {
    let five: Vec<Letter> = (1..6).map(digit).collect();
    let (what, found, most) = ("digits", 5, 4);
    assert_eq!(
        of_0_3(&family(&five, &[], &[(&[], N)])),
        Err(FamilyCheckError::TooLarge { what, found, most })
    );
    for (index, period) in [(0, 1), (201, 1), (1, 201)] {
        let letter = family(&[cycle(1, index, period), digit(2)], &[], &[(&[0], N)]);
        assert_eq!(
            of_0_3(&letter),
            Err(FamilyCheckError::Malformed {
                what: "letter",
                number: 0
            })
        );
    }
}

/// As many letters as are read, and one more.
#[test]
fn h4_letters_are_few() {
    let silent = |most: u32| {
        let letters: Vec<Letter> = (1..most)
            .map(|heap| cycle(heap, 1, 2))
            .chain([digit(most)])
            .collect();
        let zeros = vec![0; letters.len() - 1];
        let family = family(&letters, &[], &[(&zeros, N)]);
        check_outcomes(
            &"0.3".parse().unwrap(),
            most,
            &family,
            &mut Control::unlimited(),
        )
    };
    assert_eq!(silent(64), Ok(()));
    let (what, found, most) = ("letters", 65, 64);
    assert_eq!(
        silent(65),
        Err(FamilyCheckError::TooLarge { what, found, most })
    );
}

#[test]
fn h6_counts_of_a_column_are_read_as_they_are() {
    let malformed = Err(FamilyCheckError::Malformed {
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

/// From 3 heaps of 1, which are read as one, a move leads to 2, without a claim.
#[test]
fn h8_the_greater_count_is_greater_by_the_whole_period() {
    let one = family(&[cycle(1, 1, 2), digit(2)], &[], &[(&[0], N), (&[1], P)]);
    assert_eq!(of_0_3(&one), outcome(&[1]));
}

/// Counts of 2, 4, … are claimed to be P, as from 4 a move leads to 3; but from 2 it leads to 1.
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

/// All positions are claimed to be N, and only the end may be without a move to P.
#[test]
fn h8_the_end_alone_needs_no_move() {
    let mut silent = family(&[digit(1)], &[], &[(&[], N)]);
    silent.states[0].next = vec![0, 0];
    assert_eq!(of_0_3(&silent), outcome(&[]));
    let column = family(&[cycle(1, 1, 2), digit(2)], &[], &[(&[0], N), (&[1], N)]);
    assert_eq!(of_0_3(&column), outcome(&[1]));
}

/// Nothing is claimed of one heap of 1, so it is not known to be an N-position.
#[test]
fn h8_an_option_without_a_claim_does_not_help() {
    let letters = [cycle(1, 2, 1), digit(2)];
    for outcome_of_two in [N, P] {
        let gap = family(&letters, &[], &[(&[0], N), (&[2], outcome_of_two)]);
        assert_eq!(of_0_3(&gap), outcome(&[2]));
    }
}

/// In 0.131 heaps 1 and 2 are `*`; heap 3 is `*2`, and is read as two heaps of 1. Alone that is
/// right, as both are N. But beside heap 2 the two heaps of 1 are a P-position, and heap 3 has a
/// move to heap 2. Nothing is claimed of heap 2 alone, so this context belongs to no column.
#[test]
fn h9_words_are_tried_in_every_context() {
    let letters = [cycle(1, 3, 0), cycle(2, 2, 0), digit(4)];
    let columns: [(&[u32], Outcome); 5] = [
        (&[0, 0], N),
        (&[1, 0], P),
        (&[2, 0], N),
        (&[1, 1], N),
        (&[2, 1], P),
    ];
    let lie = family(&letters, &[(3, &[(1, 2)])], &columns);
    let code = "0.131".parse().unwrap();
    assert_eq!(
        check_outcomes(&code, 4, &lie, &mut Control::unlimited()),
        Err(FamilyCheckError::Word { heap: 3 })
    );
}

/// Heap 3 of 0.3 is `*`, and is read as two heaps of 1: an N-position, since a move in a letter
/// leads to one heap of 1. Heap 3 has no such move.
#[test]
fn h9_what_a_letter_of_a_word_can_the_heap_can() {
    let letters = [cycle(1, 3, 0), digit(4)];
    let lie = family(
        &letters,
        &[(2, &[]), (3, &[(1, 2)])],
        &[(&[0], N), (&[1], P), (&[2], N)],
    );
    assert_eq!(of_0_3(&lie), Err(FamilyCheckError::Word { heap: 3 }));
}

/// Heaps 1 and 2 of 0.131 are `*`. Heap 2 is read as heap 1, whose count is read by the automaton,
/// and nothing is claimed of two.
#[test]
fn h9_a_word_is_taken_away_before_the_heap_is_played() {
    let state = |outcome, next: [u32; 2]| State {
        outcome,
        next: next.to_vec(),
    };
    let mut truth = family(&[digit(1)], &[(2, &[(1, 1)])], &[(&[], N)]);
    truth.states = vec![
        state(Some(N), [1, 2]),
        state(Some(N), [1, 3]),
        state(Some(P), [2, 3]),
        state(None, [3, 3]),
    ];
    let code = "0.131".parse().unwrap();
    assert_eq!(
        check_outcomes(&code, 2, &truth, &mut Control::unlimited()),
        Ok(())
    );
}

/// Heap 1 of 0.3 is read as nothing, and nothing is claimed of any other heap.
#[test]
fn h10_a_heap_that_counts_for_nothing_has_a_move_to_p() {
    let lie = family(&[digit(2)], &[(1, &[])], &[(&[], N)]);
    assert_eq!(of_0_3(&lie), Err(FamilyCheckError::Word { heap: 1 }));
}

/// All heaps of 0.111111 are `*`. Counts of the letters that are not in a word are those of a
/// column; if each of them were tried, these would be 64 million kinds of context.
#[test]
fn h9_contexts_differ_in_letters_of_the_word_only() {
    let mut letters: Vec<Letter> = (1..5).map(|heap| cycle(heap, 200, 200)).collect();
    letters.push(digit(5));
    let columns: [(&[u32], Outcome); 3] =
        [(&[0, 0, 0, 0], N), (&[1, 0, 0, 0], P), (&[2, 0, 0, 0], N)];
    let truth = family(&letters, &[(6, &[(1, 1)])], &columns);
    let code = "0.111111".parse().unwrap();
    assert_eq!(
        check_outcomes(&code, 6, &truth, &mut Control::unlimited()),
        Ok(())
    );
}

/// Four letters in a word, each with 200 counts; what is kept is bounded before it is made.
#[test]
fn h9_contexts_are_counted_before_they_are_made() {
    let mut letters: Vec<Letter> = (1..5).map(|heap| cycle(heap, 200, 0)).collect();
    letters.push(digit(5));
    let many = family(
        &letters,
        &[(6, &[(1, 1), (2, 1), (3, 1), (4, 1)])],
        &[(&[0, 0, 0, 0], N)],
    );
    let control = &mut Control::new(1_000_000, misere_game::control::Interrupt::default());
    let (what, found, most) = ("kinds of context", 8_000_000, 500_000);
    assert_eq!(
        check_outcomes(&"0.111111".parse().unwrap(), 6, &many, control),
        Err(FamilyCheckError::TooLarge { what, found, most })
    );
}

/// Heaps 1 and 2 of 0.131 are `*`, and the only option of heap 4 is heap 2. Their counts are both
/// read by the automaton, which says whether the sum is even.
#[test]
fn h10_moves_to_any_digit_are_seen() {
    let state = |outcome, next: [u32; 4]| State {
        outcome: Some(outcome),
        next: next.to_vec(),
    };
    let mut truth = family(&[digit(1), digit(2)], &[(4, &[])], &[(&[], N)]);
    truth.states = vec![state(N, [1, 2, 2, 1]), state(N, [1; 4]), state(P, [2; 4])];
    let code = "0.131".parse().unwrap();
    assert_eq!(
        check_outcomes(&code, 4, &truth, &mut Control::unlimited()),
        Ok(())
    );
}

#[test]
fn h11_the_heaps_whose_multiples_differ_ascend() {
    let claimed = |heaps: &[u32]| {
        let mut claim = family(&[digit(1), digit(2)], &[], &[(&[], N)]);
        claim.distinct_multiples = heaps.to_vec();
        of_0_3(&claim)
    };
    assert_eq!(claimed(&[]), Err(FamilyCheckError::NoMultiples));
    let out_of_order = Err(FamilyCheckError::Heap { heap: 1 });
    assert_eq!(claimed(&[2, 1]), out_of_order);
    assert_eq!(claimed(&[1, 1]), out_of_order);
    assert_eq!(claimed(&[3]), Err(FamilyCheckError::NotADigit { heap: 3 }));
}

/// Checks the claim that all multiples of heap 1 of 0.3 differ, because an automaton of one digit
/// says so.
///
/// The automaton is given by the next states and the outcome of each state. Whether the claim is
/// true of the game is not examined here.
fn told_apart(states: &[([u32; 2], Option<Outcome>)]) -> Result<(), FamilyCheckError> {
    let mut claim = family(&[digit(1)], &[], &[(&[], N)]);
    let state = |&(next, outcome): &([u32; 2], Option<Outcome>)| State {
        outcome,
        next: next.to_vec(),
    };
    claim.states = states.iter().map(state).collect();
    let words = [2, 3, 4, 5, 6].map(|heap| Word {
        heap,
        word: Vec::new(),
    });
    claim.words = words.to_vec();
    check_multiples(
        &"0.3".parse().unwrap(),
        6,
        &claim,
        &mut Control::unlimited(),
    )
}

const REFUSED: Result<(), FamilyCheckError> = Err(FamilyCheckError::Multiples { heap: 1 });

/// P are the powers of two; all other numbers are N, or have no outcome.
#[test]
fn h12_only_p_and_n_tell_multiples_apart() {
    let powers = |other| [([0, 1], other), ([1, 2], Some(P)), ([2, 2], other)];
    assert_eq!(told_apart(&powers(Some(N))), Ok(()));
    assert_eq!(told_apart(&powers(None)), REFUSED);
}

/// P are the numbers that are not multiples of 3. So 0 and 3 are not told apart, but further bits
/// would do it.
#[test]
fn h12_multiples_are_told_apart_without_further_bits() {
    // A remainder, and whether the next bit stands for 1 or for 2.
    let state = |remainder: u32, place: u32| 2 * remainder + place;
    let states: Vec<_> = (0..6)
        .map(|at| {
            let (remainder, place) = (at / 2, at % 2);
            let next = [remainder, (remainder + 1 + place) % 3].map(|to| state(to, 1 - place));
            (next, Some(if remainder == 0 { N } else { P }))
        })
        .collect();
    assert_eq!(told_apart(&states), REFUSED);
}

/// P are all numbers but 0. While a carry is not read yet, a power of two looks like 0.
#[test]
fn h12_carries_are_read_to_the_end() {
    assert_eq!(told_apart(&[([0, 1], Some(N)), ([1, 1], Some(P))]), REFUSED);
}
