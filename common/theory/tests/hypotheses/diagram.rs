//! H of diagrams: is a diagram well formed, and do its outcomes follow from one another?
//!
//! All claims are about 0.3, whose heap `n` has the one option `n - 1`: heaps 1, 3, … are `*`, and
//! 2, 4, … are 0.

use misere_theory::control::{Control, Interrupt, Stop};
use misere_theory::outcome::Outcome::{self, N, P};
use misere_theory::solution::diagram::{DiagramFamily, Node};
use misere_theory::solution::evidence::{State, Word};
use misere_theory::verify::infinite::FamilyFlaw;
use misere_theory::verify::infinite::diagram::{check, check_letters, check_words};

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

/// Sums of heaps 1 by their parity; nothing is said where there is a heap 2, which is a digit.
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
    }
}

/// Heap 1 as a digit, of whose counts the automaton says this; no other letters.
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
    }
}

fn letters(family: &DiagramFamily) -> Result<(), FamilyFlaw> {
    let code = "0.3".parse().unwrap();
    check_letters(&code, 6, family, &mut Control::unlimited())
}

fn words(family: &DiagramFamily) -> Result<(), FamilyFlaw> {
    let code = "0.3".parse().unwrap();
    check_words(&code, 6, family, &mut Control::unlimited())
}

fn flaw(change: impl FnOnce(&mut DiagramFamily)) -> FamilyFlaw {
    let mut family = parity();
    change(&mut family);
    letters(&family).unwrap_err()
}

fn malformed(what: &'static str, number: usize) -> FamilyFlaw {
    FamilyFlaw::Malformed { what, number }
}

fn position(position: &[(u32, u64)]) -> FamilyFlaw {
    FamilyFlaw::Position {
        position: position.to_vec(),
    }
}

#[test]
fn what_is_true_is_accepted() {
    assert_eq!(letters(&parity()), Ok(()));
}

#[test]
fn h1_to_h3_h5_and_h11_hold_of_diagrams_too() {
    assert_eq!(
        flaw(|f| f.letters = vec![2, 1]),
        FamilyFlaw::Heap { heap: 1 }
    );
    let closed = FamilyFlaw::NotClosed { heap: 4, part: 3 };
    assert_eq!(flaw(|f| f.letters.push(4)), closed);
    let word = Word {
        heap: 3,
        word: vec![(3, 1)],
    };
    let greater = FamilyFlaw::GreaterLetter { heap: 3, letter: 3 };
    assert_eq!(flaw(|f| f.words.push(word)), greater);
    let zero = FamilyFlaw::LeadingZero { state: 1 };
    assert_eq!(flaw(|f| f.states[1].next[0] = 0), zero);
    assert_eq!(flaw(|f| f.states[1].next[1] = 3), malformed("state", 1));
    let none = malformed("distinct multiples", 0);
    assert_eq!(flaw(|f| f.distinct_multiples.clear()), none);
    assert_eq!(
        flaw(|f| f.distinct_multiples[0] = 1),
        FamilyFlaw::Heap { heap: 1 }
    );
}

#[test]
fn h12_multiples_are_told_apart_in_diagrams_too() {
    let code = "0.3".parse().unwrap();
    let checked = check(&code, 6, &parity(), &mut Control::unlimited());
    assert_eq!(checked, Err(FamilyFlaw::Multiples { heap: 2 }));
}

#[test]
fn h14_digits_are_letters_in_order_and_few() {
    assert_eq!(flaw(|f| f.digits[0] = 3), malformed("digit", 0));
    assert_eq!(flaw(|f| f.digits.push(1)), malformed("digit", 1));
    assert_eq!(flaw(|f| f.digits.push(2)), malformed("digit", 1));
    let (what, found, most) = ("digits", 7, 6);
    let many = FamilyFlaw::TooLarge { what, found, most };
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
    assert_eq!(flaw(|f| f.nodes[0].children[0] = 1), FamilyFlaw::End);
    assert_eq!(flaw(|f| f.nodes[0].children[0] = 2), FamilyFlaw::End);
}

#[test]
fn h17_p_leads_to_no_p() {
    assert_eq!(flaw(|f| f.nodes[0].children[2] = 1), position(&[(1, 2)]));
    // An option of which nothing is said is not N.
    let silent = flaw(|f| f.nodes[0] = node(1, 3, &[0, 2, 1, 2]));
    assert_eq!(silent, position(&[(1, 2)]));
}

#[test]
fn h17_n_leads_to_p() {
    assert_eq!(flaw(|f| f.nodes[0].children[1] = 0), position(&[(1, 1)]));
    // Only the end needs no winning option, and not what is read as it.
    assert_eq!(flaw(|f| f.nodes[0] = node(1, 0, &[0])), position(&[(1, 1)]));
    assert_eq!(
        flaw(|f| f.nodes[0] = node(1, 0, &[0, 1, 0])),
        position(&[(1, 3)])
    );
    // Nor what is read as the end by the automaton.
    let digits = flaw(|f| f.states[0].next[1] = 0);
    assert!(matches!(digits, FamilyFlaw::Position { .. }), "{digits}");
}

#[test]
fn h17_a_move_needs_a_heap() {
    // Two heaps 1 are P if a heap 2 could be moved to 1 where there is none.
    let claimed = flaw(|f| f.nodes[0] = node(1, 2, &[0, 0, 1]));
    assert_eq!(claimed, position(&[(1, 3)]));
}

/// Counts 0 and 2 are N, and 1 is P; nothing is said of others.
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

/// The lowest bit says all.
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
    assert_eq!(words(&wrong), Err(FamilyFlaw::Word { heap: 2 }));
}

#[test]
fn h18_words_win_no_more() {
    let right = one_digit(&[(2, &[(1, 2)])], &up_to_two());
    assert_eq!((letters(&right), words(&right)), (Ok(()), Ok(())));
    // Two heaps 1 have a P option, heap 3 has none.
    let wrong = one_digit(&[(2, &[(1, 2)]), (3, &[(1, 2)])], &up_to_two());
    assert_eq!(words(&wrong), Err(FamilyFlaw::Word { heap: 3 }));
}

#[test]
fn h19_heaps_with_empty_words_have_a_winning_option() {
    let silent = [state(Some(N), &[0, 1]), state(None, &[1, 1])];
    let family = one_digit(&[(2, &[])], &silent);
    assert_eq!(letters(&family), Ok(()));
    assert_eq!(words(&family), Err(FamilyFlaw::Word { heap: 2 }));
}

#[test]
fn the_check_is_bounded() {
    let code = "0.3".parse().unwrap();
    let control = &mut Control::new(0, Interrupt::default());
    let checked = check(&code, 6, &parity(), control);
    assert_eq!(checked, Err(FamilyFlaw::Unchecked(Stop::FuelSpent)));
}
