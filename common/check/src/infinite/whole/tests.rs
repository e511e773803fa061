//! The comparison of claims about diagrams with their outcomes, one context at a time.

use proptest::prelude::*;

use misere_game::control::Control;
use misere_game::outcome::Outcome;
use misere_game::solution::diagram::{DiagramFamily, Node};
use misere_game::solution::evidence::State;
use misere_game::solution::{Evidence, EvidenceOutcomes};

use super::super::diagram::reading::Reading;
use super::least::{SearchGoal, agree_along, least};

/// The letters: the heaps 1 and 2, which are digits, and the heaps 3 and 4.
const LETTERS: usize = 4;
/// The most letters of the contexts that are tried.
const MAX_LETTERS: u64 = 7;

/// Returns a diagram with arbitrary outcomes that leaves some positions without one.
///
/// It has six states, three nodes of heap 3, and one of heap 4, which is the root.
fn diagrams() -> impl Strategy<Value = DiagramFamily> {
    let states = proptest::collection::vec((0..2_u32, [0..6_u32, 0..6, 0..6]), 6);
    let children = proptest::collection::vec(0..6_u32, 2..6);
    let nodes = [children.clone(), children.clone(), children];
    let root = proptest::collection::vec(6..9_u32, 2..5);
    let indices = [0..5_u32, 0..5, 0..5, 0..5];
    let all = (states, nodes, root, indices);
    all.prop_map(|(states, nodes, root, indices)| {
        // The states 0 and 3 have one outcome, and so have 1 and 4, and 2 and 5.
        let outcomes = [Some(Outcome::N), Some(Outcome::P), None];
        let state = |(number, (other, [one, two, both])): (u32, (u32, [u32; 3]))| State {
            outcome: outcomes[number as usize % 3],
            next: vec![number % 3 + 3 * other, one, two, both],
        };
        let lists = nodes.into_iter().chain([root]);
        let node = |(number, (children, index)): (usize, (Vec<u32>, u32))| Node {
            letter: if number == 3 { 4 } else { 3 },
            index: index % children.len() as u32,
            children,
        };
        DiagramFamily {
            distinct_multiples: vec![1],
            letters: vec![1, 2, 3, 4],
            digits: vec![1, 2],
            words: Vec::new(),
            states: (0..).zip(states).map(state).collect(),
            nodes: lists.zip(indices).enumerate().map(node).collect(),
            root: 9,
            order: Vec::new(),
            all_heaps: None,
        }
    })
}

/// Returns all contexts of at most `limit` letters.
///
/// Fewer letters come first, then fewer of the last one, and so on.
fn contexts(limit: u64) -> Vec<Vec<u64>> {
    let mut all = vec![vec![]];
    for _ in 0..LETTERS {
        let longer = all.iter().flat_map(|counts: &Vec<u64>| {
            (0..=limit - counts.iter().sum::<u64>()).map(|count| [&counts[..], &[count]].concat())
        });
        all = longer.collect();
    }
    all.sort_by_key(|counts| {
        let from_the_last: Vec<u64> = counts.iter().rev().copied().collect();
        (counts.iter().sum::<u64>(), from_the_last)
    });
    all
}

/// Returns the outcome that the diagram gives to a sum.
fn outcome(told: &EvidenceOutcomes<'_>, one: &[u64], other: &[u64]) -> Option<Outcome> {
    let both = one.iter().zip(other);
    told.outcome((1..).zip(both.map(|(x, y)| x + y)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The least context found is the first one in which the sides differ, or in which nothing is
    /// claimed.
    #[test]
    fn the_least_context_is_the_first(
        family in diagrams(),
        one in [0..40_u64, 0..40, 0..9, 0..9],
        other in [0..40_u64, 0..40, 0..9, 0..9],
    ) {
        let control = &mut Control::unlimited();
        let reading = Reading::new(&"0.3".parse().unwrap(), 4, &family, control).unwrap();
        let evidence = Evidence::Diagram(family.clone());
        let told = EvidenceOutcomes::new(&evidence);
        for wanted in [SearchGoal::Different, SearchGoal::Silent] {
            let is_met = |context: &[u64]| {
                let [one, other] = [&one, &other].map(|side| outcome(&told, side, context));
                match wanted {
                    SearchGoal::Different => one != other,
                    SearchGoal::Silent => one.is_none(),
                }
            };
            let found = least(&reading, [&one, &other], wanted, control).unwrap();
            let first = contexts(MAX_LETTERS).into_iter().find(|context| is_met(context));
            match (first, &found) {
                (Some(first), found) => prop_assert_eq!(Some(&first), found.as_ref()),
                (None, Some(found)) => {
                    prop_assert!(is_met(found) && found.iter().sum::<u64>() > MAX_LETTERS);
                }
                (None, None) => {}
            }
        }
    }

    /// Positions are alike along a digit if they have equal outcomes with any number of copies.
    #[test]
    fn positions_are_alike_along_a_digit_if_no_number_of_copies_differs(
        family in diagrams(),
        one in [0..9_u64, 0..9, 0..3, 0..3],
        other in [0..9_u64, 0..9, 0..3, 0..3],
    ) {
        let control = &mut Control::unlimited();
        let reading = Reading::new(&"0.3".parse().unwrap(), 4, &family, control).unwrap();
        let evidence = Evidence::Diagram(family.clone());
        let told = EvidenceOutcomes::new(&evidence);
        for (digit, pick) in [(0, [1, 0, 0, 0]), (1, [0, 1, 0, 0])] {
            let alike = agree_along(&reading, digit, [&one, &other], control).unwrap();
            let differ = (0..2_000).find(|copies| {
                let more = pick.map(|x: u64| x * copies);
                outcome(&told, &one, &more) != outcome(&told, &other, &more)
            });
            prop_assert_eq!(alike, differ.is_none(), "{:?}", differ);
        }
    }
}
