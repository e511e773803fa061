//! Orders settled in batches, compared with orders settled at once.

use std::collections::BTreeMap;

use misere_algebra::classify::Classifier;
use misere_algebra::classify::batch::{Batch, BatchResult, Scheme, SchemeError};
use misere_check::construction::check;
use misere_game::control::{Control, Stop};
use proptest::prelude::*;

const FUEL: u64 = 100_000_000;

/// The result of a whole order, whatever its batches were.
#[derive(Debug, Default, PartialEq, Eq)]
struct Order {
    candidates: usize,
    carriers: u64,
    nodes: u64,
    /// Canonical codes with construction sequences.
    quotients: Vec<(Box<[u8]>, Vec<u8>)>,
}

/// Settles the orders to `most` in batches of `size` candidates and judges every result.
fn in_batches(most: u8, size: usize) -> Vec<Order> {
    let mut ahead = BTreeMap::from([(2, BTreeMap::from([(Scheme::first().code, vec![1])]))]);
    let mut orders = Vec::new();
    for order in (2..=most).step_by(2) {
        let candidates: BTreeMap<Box<[u8]>, Vec<u8>> = ahead.remove(&order).unwrap_or_default();
        let schemes: Vec<Scheme> = candidates
            .into_iter()
            .map(|(code, hint)| Scheme { code, hint })
            .collect();
        let mut whole = Order {
            candidates: schemes.len(),
            ..Order::default()
        };
        for part in schemes.chunks(size) {
            let batch = Batch {
                most,
                order,
                schemes: part.to_vec(),
            };
            batch.check().unwrap();
            let settled = batch.settle(FUEL, &mut Control::unlimited()).unwrap();
            for games in settled.constructions(&batch).unwrap() {
                check(&games, &mut Control::unlimited()).unwrap();
            }
            whole.carriers += settled.carriers;
            whole.nodes += settled.nodes;
            for found in settled.quotients {
                let code = batch.schemes[found.place as usize].code.clone();
                whole.quotients.push((code, found.sequence));
            }
            for Scheme { code, hint } in settled.reached {
                let known = ahead.entry(2 * code[0]).or_default();
                let least = known.entry(code).or_insert_with(|| hint.clone());
                *least = hint.min(std::mem::take(least));
            }
        }
        orders.push(whole);
    }
    orders
}

#[test]
fn batches_of_any_size_make_the_same_order() {
    let one = in_batches(14, 1);
    assert_eq!(one, in_batches(14, 7));
    assert_eq!(one, in_batches(14, usize::MAX));
    let mut classifier = Classifier::new(14);
    for order in &one {
        let level = classifier.next_order(&mut Control::unlimited()).unwrap();
        let level = level.unwrap();
        assert_eq!(order.candidates, level.candidates, "order {}", level.order);
        assert_eq!(order.carriers, level.carriers as u64);
        assert_eq!(order.nodes, level.nodes);
        let choices = level
            .quotients
            .iter()
            .map(|quotient| quotient.choices_of_a());
        assert_eq!(order.quotients.len(), choices.sum::<usize>());
    }
}

fn batch() -> (Batch, BatchResult) {
    let first = Batch {
        most: 10,
        order: 2,
        schemes: vec![Scheme::first()],
    };
    let settled = first.settle(FUEL, &mut Control::unlimited()).unwrap();
    let schemes = settled
        .reached
        .into_iter()
        .filter(|scheme| scheme.order() == 6);
    let batch = Batch {
        most: 10,
        order: 6,
        schemes: schemes.collect(),
    };
    let settled = batch.settle(FUEL, &mut Control::unlimited()).unwrap();
    (batch, settled)
}

#[test]
fn a_false_result_is_refused() {
    let (batch, settled) = batch();
    let refused = |change: fn(&mut BatchResult)| {
        let mut settled = settled.clone();
        change(&mut settled);
        settled.constructions(&batch).unwrap_err()
    };
    assert!(settled.reached.len() > 1 && !settled.quotients.is_empty());
    assert_eq!(refused(|it| it.reached.reverse()), SchemeError::Unsorted);
    assert_eq!(
        refused(|it| {
            it.reached.truncate(1);
            it.reached[0].code[1] = 9;
        }),
        SchemeError::Code
    );
    assert_eq!(
        refused(|it| it.reached[0].hint.clear()),
        SchemeError::Sequence
    );
    assert_eq!(
        refused(|it| it.reached = vec![Scheme::first()]),
        SchemeError::Order(2)
    );
    assert_eq!(
        refused(|it| it.reached[0].hint = vec![1]),
        SchemeError::Unreached
    );
    assert_eq!(
        refused(|it| it.quotients[0].place = 1_000),
        SchemeError::Place
    );
    assert_eq!(
        refused(|it| it.quotients[0].sequence = vec![1]),
        SchemeError::Sequence
    );
    let mut lie = settled.clone();
    lie.quotients[0].options[1].clear();
    let games = lie.constructions(&batch).unwrap();
    assert!(check(&games[0], &mut Control::unlimited()).is_err());
}

#[test]
fn fuel_is_given_to_each_candidate() {
    let (batch, settled) = batch();
    let spent = batch.settle(1, &mut Control::unlimited());
    assert_eq!(spent, Err(Stop::FuelSpent));
    let again = batch.settle(settled.fuel, &mut Control::unlimited());
    assert_eq!(again, Ok(settled));
}

proptest! {
    #[test]
    fn any_bytes_are_a_candidate_or_refused(
        code in prop::collection::vec(0_u8..8, 0..40),
        hint in prop::collection::vec(any::<u8>(), 0..6),
    ) {
        let scheme = Scheme { code: code.into(), hint };
        let _ = scheme.check();
        let batch = Batch { most: 12, order: scheme.order(), schemes: vec![scheme.clone()] };
        if batch.check().is_ok() {
            prop_assert!(batch.settle(FUEL, &mut Control::unlimited()).is_ok());
        }
        let settled = BatchResult { reached: vec![scheme], ..BatchResult::default() };
        let first = Batch { most: 12, order: 2, schemes: vec![Scheme::first()] };
        let _ = settled.constructions(&first);
    }
}
