//! H of diagrams: a diagram is well formed, and its outcomes follow from one another.
//!
//! Most claims are about 0.3, whose heap `n` has the one option `n - 1`: heaps 1, 3, … are `*`, and
//! 2, 4, … are 0. Those with several letters are about 0.33, whose heap `n` has the options `n - 1`
//! and `n - 2`: heaps 1, 4, … are `*`, heaps 2, 5, … are `*2`, and 3, 6, … are 0.

use misere_check::infinite::FamilyCheckError;
use misere_check::infinite::diagram::{check, check_letters, check_words};
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::outcome::Outcome::{self, N, P};
use misere_game::solution::diagram::{DiagramFamily, Node};
use misere_game::solution::evidence::{State, Word};

fn state(outcome: Option<Outcome>, next: &[u32]) -> State {
    State {
        outcome,
        next: next.to_vec(),
    }
}

fn node(letter: u32, index: u32, children: &[u32]) -> Node {
    Node {
        letter,
        index,
        children: children.to_vec(),
    }
}

/// Returns the diagram of sums of heaps 1 by their parity.
///
/// It claims nothing where there is a heap 2, which is a digit.
fn parity() -> DiagramFamily {
    DiagramFamily {
        distinct_multiples: vec![2],
        letters: vec![1, 2],
        digits: vec![2],
        words: Vec::new(),
        states: vec![
            state(Some(N), &[0, 2]),
            state(Some(P), &[1, 2]),
            state(None, &[2, 2]),
        ],
        nodes: vec![node(1, 1, &[0, 1, 0])],
        root: 3,
        order: Vec::new(),
        all_heaps: None,
    }
}

/// Returns a diagram with heap 1 as a digit whose counts these states read, and no other letters.
fn one_digit(words: &[(u32, &[(u32, u32)])], states: &[State]) -> DiagramFamily {
    let word = |&(heap, word): &(u32, &[(u32, u32)])| Word {
        heap,
        word: word.to_vec(),
    };
    DiagramFamily {
        distinct_multiples: vec![1],
        letters: vec![1],
        digits: vec![1],
        words: words.iter().map(word).collect(),
        states: states.to_vec(),
        nodes: Vec::new(),
        root: 0,
        order: Vec::new(),
        all_heaps: None,
    }
}

fn beside(heap: u32, context: &[(u32, u64)]) -> FamilyCheckError {
    FamilyCheckError::Context {
        heap,
        context: context.to_vec(),
    }
}

fn letters(family: &DiagramFamily) -> Result<(), FamilyCheckError> {
    let code = "0.3".parse().unwrap();
    check_letters(&code, 6, family, &mut Control::unlimited())
}

fn words(family: &DiagramFamily) -> Result<(), FamilyCheckError> {
    let code = "0.3".parse().unwrap();
    check_words(&code, 6, family, &mut Control::unlimited())
}

fn flaw(change: impl FnOnce(&mut DiagramFamily)) -> FamilyCheckError {
    let mut family = parity();
    change(&mut family);
    letters(&family).unwrap_err()
}

fn malformed(what: &'static str, number: usize) -> FamilyCheckError {
    FamilyCheckError::Malformed { what, number }
}

fn position(position: &[(u32, u64)]) -> FamilyCheckError {
    FamilyCheckError::Position {
        position: position.to_vec(),
    }
}

#[test]
fn a_true_diagram_is_accepted() {
    assert_eq!(letters(&parity()), Ok(()));
}

#[test]
fn h1_to_h3_h5_and_h11_hold_of_diagrams_too() {
    assert_eq!(
        flaw(|f| f.letters = vec![2, 1]),
        FamilyCheckError::Heap { heap: 1 }
    );
    let closed = FamilyCheckError::NotClosed { heap: 4, part: 3 };
    assert_eq!(flaw(|f| f.letters.push(4)), closed);
    let word = Word {
        heap: 3,
        word: vec![(3, 1)],
    };
    let greater = FamilyCheckError::GreaterLetter { heap: 3, letter: 3 };
    assert_eq!(flaw(|f| f.words.push(word)), greater);
    let zero = FamilyCheckError::LeadingZero { state: 1 };
    assert_eq!(flaw(|f| f.states[1].next[0] = 0), zero);
    assert_eq!(flaw(|f| f.states[1].next[1] = 3), malformed("state", 1));
    assert_eq!(
        flaw(|f| f.distinct_multiples.clear()),
        FamilyCheckError::NoMultiples
    );
    assert_eq!(
        flaw(|f| f.distinct_multiples[0] = 1),
        FamilyCheckError::NotADigit { heap: 1 }
    );
}

#[test]
fn h12_multiples_are_told_apart_in_diagrams_too() {
    let code = "0.3".parse().unwrap();
    let checked = check(&code, 6, &parity(), &mut Control::unlimited());
    assert_eq!(checked, Err(FamilyCheckError::Multiples { heap: 2 }));
}

/// States 0 to 2 say whether a count is a power of two, which tells all multiples apart, but no
/// count leads to them.
#[test]
fn h12_states_that_are_not_reached_tell_nothing_apart() {
    let mut family = parity();
    for next in family.states.iter_mut().flat_map(|state| &mut state.next) {
        *next += 3;
    }
    let idle = [
        state(Some(N), &[0, 1]),
        state(Some(P), &[1, 2]),
        state(Some(N), &[2, 2]),
    ];
    family.states = [&idle, &family.states[..]].concat();
    family.nodes = vec![node(1, 1, &[3, 4, 3])];
    family.root = 6;
    let code = "0.3".parse().unwrap();
    let checked = check(&code, 6, &family, &mut Control::unlimited());
    assert_eq!(checked, Err(FamilyCheckError::Multiples { heap: 2 }));
}

#[test]
fn h14_digits_are_letters_in_order_and_few() {
    assert_eq!(flaw(|f| f.digits[0] = 3), malformed("digit", 0));
    assert_eq!(flaw(|f| f.digits.push(1)), malformed("digit", 1));
    assert_eq!(flaw(|f| f.digits.push(2)), malformed("digit", 1));
    let (what, found, most) = ("digits", 7, 6);
    let many = FamilyCheckError::TooLarge { what, found, most };
    assert_eq!(flaw(|f| f.digits = (1..8).collect()), many);
}

#[test]
fn h15_nodes_lead_down() {
    let broken = malformed("node", 0);
    assert_eq!(flaw(|f| f.nodes[0].letter = 2), broken);
    assert_eq!(flaw(|f| f.nodes[0].letter = 3), broken);
    assert_eq!(flaw(|f| f.nodes[0].index = 3), broken);
    assert_eq!(flaw(|f| f.nodes[0].children.clear()), broken);
    assert_eq!(flaw(|f| f.nodes[0].children[2] = 3), broken);
    assert_eq!(flaw(|f| f.nodes[0].children[2] = u32::MAX), broken);
    let same_letter = flaw(|f| f.nodes.push(node(1, 0, &[3])));
    assert_eq!(same_letter, malformed("node", 1));
    assert_eq!(flaw(|f| f.root = 4), malformed("root", 0));
}

#[test]
fn h16_the_end_is_n() {
    assert_eq!(flaw(|f| f.nodes[0].children[0] = 1), FamilyCheckError::End);
    assert_eq!(flaw(|f| f.nodes[0].children[0] = 2), FamilyCheckError::End);
}

#[test]
fn h17_p_leads_to_no_p() {
    assert_eq!(flaw(|f| f.nodes[0].children[2] = 1), position(&[(1, 2)]));
    // An option without a claim is not N.
    let silent = flaw(|f| f.nodes[0] = node(1, 3, &[0, 2, 1, 2]));
    assert_eq!(silent, position(&[(1, 2)]));
}

#[test]
fn h17_n_leads_to_p() {
    assert_eq!(flaw(|f| f.nodes[0].children[1] = 0), position(&[(1, 1)]));
    // Only the end needs no winning option, and no other position that is read as the end.
    assert_eq!(flaw(|f| f.nodes[0] = node(1, 0, &[0])), position(&[(1, 1)]));
    assert_eq!(
        flaw(|f| f.nodes[0] = node(1, 0, &[0, 1, 0])),
        position(&[(1, 3)])
    );
    // Nor a position that the automaton reads as the end.
    let digits = flaw(|f| f.states[0].next[1] = 0);
    assert!(
        matches!(digits, FamilyCheckError::Position { .. }),
        "{digits}"
    );
}

#[test]
fn h17_a_move_needs_a_heap() {
    // Two heaps 1 are P if a heap 2 could be moved to 1 where there is none.
    let claimed = flaw(|f| f.nodes[0] = node(1, 2, &[0, 0, 1]));
    assert_eq!(claimed, position(&[(1, 3)]));
}

/// The last of three children in a cycle claims nothing, so four heaps 1, which are P, have an
/// option without a claim.
#[test]
fn h17_counts_are_read_through_the_cycle() {
    let claimed = flaw(|f| f.nodes[0] = node(1, 1, &[0, 1, 0, 2]));
    assert_eq!(claimed, position(&[(1, 4)]));
}

/// Only the end needs no winning option, also where all letters are digits.
#[test]
fn h17_the_end_has_no_digit() {
    let all_n = one_digit(&[], &[state(Some(N), &[0, 0])]);
    assert_eq!(letters(&all_n), Err(position(&[(1, 1)])));
}

/// Returns states for which counts 0 and 2 are N and 1 is P; they claim nothing of others.
fn up_to_two() -> Vec<State> {
    vec![
        state(Some(N), &[1, 3]),
        state(Some(N), &[2, 4]),
        state(Some(N), &[2, 5]),
        state(Some(P), &[3, 5]),
        state(Some(N), &[4, 5]),
        state(None, &[5, 5]),
    ]
}

/// Returns states for which the lowest bit decides.
fn by_parity() -> Vec<State> {
    vec![
        state(Some(N), &[2, 1]),
        state(Some(P), &[1, 1]),
        state(Some(N), &[2, 2]),
    ]
}

#[test]
fn h18_words_win_no_less() {
    let right = one_digit(&[(2, &[]), (3, &[(1, 1)])], &by_parity());
    assert_eq!((letters(&right), words(&right)), (Ok(()), Ok(())));
    let wrong = one_digit(&[(2, &[(1, 1)])], &by_parity());
    assert_eq!(words(&wrong), Err(FamilyCheckError::Word { heap: 2 }));
}

/// Returns states for which count 0 is N and 1 is P; they claim nothing of others.
fn up_to_one() -> Vec<State> {
    vec![
        state(Some(N), &[1, 2]),
        state(Some(N), &[1, 3]),
        state(Some(P), &[2, 3]),
        state(None, &[3, 3]),
    ]
}

/// Nothing is said of a position that is N with the word, so that (C) asks for nothing.
#[test]
fn h18_options_of_what_is_p_with_the_word_are_n() {
    let wrong = one_digit(&[(2, &[(1, 1)])], &up_to_one());
    assert_eq!(letters(&wrong), Ok(()));
    assert_eq!(words(&wrong), Err(FamilyCheckError::Word { heap: 2 }));
}

/// A heap 2, the word of heap 3, can be moved to 1, which is P; heap 3 can only be moved to 2,
/// which is N.
#[test]
fn h18_moves_inside_words_leave_letters() {
    let mut wrong = one_digit(&[(3, &[(2, 1)])], &up_to_one());
    wrong.letters.push(2);
    wrong.states.push(state(Some(N), &[4, 3]));
    wrong.nodes = vec![node(2, 2, &[0, 4, 3])];
    wrong.root = 5;
    assert_eq!(letters(&wrong), Ok(()));
    assert_eq!(words(&wrong), Err(FamilyCheckError::Word { heap: 3 }));
}

#[test]
fn h18_words_win_no_more() {
    let right = one_digit(&[(2, &[(1, 2)])], &up_to_two());
    assert_eq!((letters(&right), words(&right)), (Ok(()), Ok(())));
    // Two heaps 1 have a P option, heap 3 has none.
    let wrong = one_digit(&[(2, &[(1, 2)]), (3, &[(1, 2)])], &up_to_two());
    assert_eq!(words(&wrong), Err(FamilyCheckError::Word { heap: 3 }));
}

#[test]
fn h19_heaps_with_empty_words_have_a_winning_option() {
    let silent = [state(Some(N), &[0, 1]), state(None, &[1, 1])];
    let family = one_digit(&[(2, &[])], &silent);
    assert_eq!(letters(&family), Ok(()));
    assert_eq!(words(&family), Err(FamilyCheckError::Word { heap: 2 }));
}

/// Returns a diagram of 0.33 with heap 4 as a digit.
///
/// Without heaps 2 the number of the others decides, as the node 4 says; with an even number of
/// them node 5 does; with an odd number everything is N.
fn nim_by_nodes() -> DiagramFamily {
    DiagramFamily {
        distinct_multiples: vec![4],
        letters: vec![1, 2, 4],
        digits: vec![4],
        words: vec![word(3, &[])],
        states: vec![
            state(Some(N), &[2, 3]),
            state(Some(P), &[3, 2]),
            state(Some(N), &[2, 2]),
            state(Some(P), &[3, 3]),
        ],
        nodes: vec![
            node(1, 0, &[0, 1]),
            node(1, 0, &[1, 0]),
            node(2, 1, &[4, 2, 5]),
        ],
        root: 6,
        order: Vec::new(),
        all_heaps: None,
    }
}

/// Returns a diagram of 0.33 with heaps 1 and 2 as digits.
///
/// State 1 has read only zeros but for the second and further digits of heaps 1, state 2 an odd
/// number of heaps 1, state 3 even numbers of both, with heaps 2.
fn nim_by_digits() -> DiagramFamily {
    DiagramFamily {
        distinct_multiples: vec![1],
        letters: vec![1, 2],
        digits: vec![1, 2],
        words: vec![
            word(3, &[(1, 4)]),
            word(4, &[(1, 1)]),
            word(5, &[(2, 1)]),
            word(6, &[]),
        ],
        states: vec![
            state(Some(N), &[1, 2, 4, 4]),
            state(Some(N), &[1, 1, 3, 3]),
            state(Some(P), &[2, 2, 4, 4]),
            state(Some(P), &[3, 3, 3, 3]),
            state(Some(N), &[4, 4, 4, 4]),
        ],
        nodes: Vec::new(),
        root: 0,
        order: Vec::new(),
        all_heaps: None,
    }
}

fn word(heap: u32, word: &[(u32, u32)]) -> Word {
    Word {
        heap,
        word: word.to_vec(),
    }
}

/// Returns what is wrong with the letters of a claim about 0.33, or with its words.
fn nim(family: &DiagramFamily) -> Result<(), FamilyCheckError> {
    let code = "0.33".parse().unwrap();
    check_letters(&code, 6, family, &mut Control::unlimited())?;
    check_words(&code, 6, family, &mut Control::unlimited())
}

#[test]
fn a_true_diagram_of_several_letters_is_accepted() {
    assert_eq!(nim(&nim_by_nodes()), Ok(()));
    assert_eq!(nim(&nim_by_digits()), Ok(()));
    // Heaps 3 as a letter that plays no part, so that the root reads a smaller one.
    let mut with_idle_letter = nim_by_nodes();
    with_idle_letter.letters = vec![1, 2, 3, 4];
    with_idle_letter.words.clear();
    assert_eq!(nim(&with_idle_letter), Ok(()));
    // Heaps 1 and 3 of 0.3 by their parity: an option of heap 4 is the second digit.
    let mut two_digits = one_digit(&[(2, &[]), (4, &[])], &[]);
    (two_digits.letters, two_digits.digits) = (vec![1, 3], vec![1, 3]);
    two_digits.states = vec![
        state(Some(N), &[1, 2, 2, 1]),
        state(Some(N), &[1; 4]),
        state(Some(P), &[2; 4]),
    ];
    assert_eq!((letters(&two_digits), words(&two_digits)), (Ok(()), Ok(())));
}

#[test]
fn h17_every_child_of_several_letters_matters() {
    let broken = |number: usize, child: usize, place: u32| {
        let mut family = nim_by_nodes();
        family.nodes[number].children[child] = place;
        nim(&family).unwrap_err()
    };
    let found = [
        broken(0, 1, 0),
        broken(1, 0, 0),
        broken(1, 1, 1),
        broken(2, 1, 3),
        broken(2, 2, 4),
    ];
    let expected = [
        position(&[(1, 1), (4, 1)]),
        position(&[(1, 1), (2, 2), (4, 1)]),
        position(&[(1, 1), (2, 2)]),
        position(&[(1, 1), (2, 1)]),
        position(&[(2, 2)]),
    ];
    assert_eq!(found, expected);
}

#[test]
fn h17_every_digit_of_several_letters_matters() {
    let mut family = nim_by_digits();
    family.states[1].next = vec![1, 1, 4, 4];
    assert_eq!(nim(&family), Err(position(&[(2, 2)])));
    let mut family = nim_by_digits();
    family.states[2].next = vec![2, 2, 3, 3];
    assert_eq!(nim(&family), Err(position(&[(1, 2), (2, 2)])));
}

#[test]
fn the_check_is_bounded() {
    let code = "0.3".parse().unwrap();
    let control = &mut Control::new(0, Interrupt::default());
    let checked = check(&code, 6, &parity(), control);
    assert_eq!(checked, Err(FamilyCheckError::Unchecked(Stop::FuelSpent)));
}

/// Returns the outcomes of a few sums of the heaps 1 to 4 of 0.333, and claims nothing of other
/// sums.
///
/// Heap `n` has the options `n - 1`, `n - 2` and `n - 3`; heap 1 is the digit.
fn few_sums() -> DiagramFamily {
    let p: [&[u32]; 7] = [
        &[1],
        &[2, 2],
        &[3, 3],
        &[1, 2, 3],
        &[1, 1, 1],
        &[1, 4],
        &[2, 2, 4],
    ];
    let n: [&[u32]; 22] = [
        &[],
        &[2],
        &[3],
        &[4],
        &[1, 1],
        &[1, 2],
        &[1, 3],
        &[2, 3],
        &[1, 1, 2],
        &[1, 1, 3],
        &[1, 1, 4],
        &[4, 4],
        &[3, 4],
        &[2, 4],
        &[1, 3, 3],
        &[2, 3, 4],
        &[2, 3, 3],
        &[2, 2, 3],
        &[1, 2, 4],
        &[1, 3, 4],
        &[1, 2, 2],
        &[2, 2, 2],
    ];
    let said = |counts: [usize; 4]| {
        let is = |sum: &&&[u32]| (1..).zip(counts).all(|(heap, x)| of(sum, heap) == x);
        let of_p = p.iter().find(is).map(|_| P);
        of_p.or(n.iter().find(is).map(|_| N))
    };
    let mut family = DiagramFamily {
        distinct_multiples: vec![1],
        letters: vec![1, 2, 3, 4],
        digits: vec![1],
        words: vec![word(5, &[(1, 1)])],
        states: vec![state(None, &[0, 0])],
        nodes: Vec::new(),
        root: 0,
        order: Vec::new(),
        all_heaps: None,
    };
    let mut starts = Vec::new();
    for (twos, threes, fours) in triples() {
        let outcomes = [0, 1, 2, 3, 4].map(|ones| said([ones, twos, threes, fours]));
        starts.push(reads_ones(&mut family.states, outcomes));
    }
    let states = family.states.len() as u32;
    let mut places = starts;
    for letter in [2, 3, 4] {
        places = places
            .chunks(4)
            .map(|children| {
                let silent = [0];
                family
                    .nodes
                    .push(node(letter, 4, &[children, &silent].concat()));
                states + family.nodes.len() as u32 - 1
            })
            .collect();
    }
    family.root = places[0];
    family
}

fn of(sum: &[u32], heap: u32) -> usize {
    sum.iter().filter(|&&part| part == heap).count()
}

/// Iterates over all counts below 4 of three letters, the first changing fastest.
fn triples() -> impl Iterator<Item = (usize, usize, usize)> {
    (0..64).map(|number| (number % 4, number / 4 % 4, number / 16))
}

/// Adds states that claim these outcomes of the counts 0 to 4 and nothing of others.
fn reads_ones(states: &mut Vec<State>, outcomes: [Option<Outcome>; 5]) -> u32 {
    let mut add = |outcome, zero: Option<u32>, one| {
        let own = states.len() as u32;
        states.push(state(outcome, &[zero.unwrap_or(own), one]));
        own
    };
    let [none, one, two, three, four] = outcomes;
    let after_four = add(four, None, 0);
    let after_zeros = add(none, None, 0);
    let of_four = add(none, Some(after_zeros), after_four);
    let after_two = add(two, None, 0);
    let even = add(none, Some(of_four), after_two);
    let after_one = add(one, None, 0);
    let after_three = add(three, None, 0);
    let odd = add(one, Some(after_one), after_three);
    add(none, Some(even), odd)
}

/// Heap 5 is played as heap 1. Beside two heaps 3 the move to nothing inside the word wins, and
/// nothing is claimed of the move to heap 4; but a move in a heap 3 wins, too. Beside 1 + 4 a move
/// in heap 4 does.
#[test]
fn h18_a_letter_before_answers() {
    let judged = |order: &[u32]| {
        let mut family = few_sums();
        family.order = order.to_vec();
        let control = &mut Control::unlimited();
        let code = "0.333".parse().unwrap();
        check_letters(&code, 5, &family, control)?;
        check_words(&code, 5, &family, control)
    };
    assert_eq!(judged(&[3, 4]), Ok(()));
    assert_eq!(judged(&[4, 3, 1, 2]), Ok(()));
    let beside_threes = Err(beside(5, &[(3, 2)]));
    let beside_four = Err(beside(5, &[(1, 1), (4, 1)]));
    assert_eq!(judged(&[]), beside_threes);
    assert_eq!(judged(&[4]), beside_threes);
    assert_eq!(judged(&[4, 1, 3]), beside_threes);
    assert_eq!(judged(&[3]), beside_four);
    assert_eq!(judged(&[2, 3, 1, 4]), beside_four);
}

#[test]
fn h20_the_order_names_letters_once() {
    let ordered = |order: &[u32]| flaw(|f| f.order = order.to_vec());
    assert_eq!(ordered(&[2, 1, 2]), malformed("order", 2));
    assert_eq!(ordered(&[1, 3]), malformed("order", 1));
}
