//! A second count of the misère quotients of small order, by another plan than `classify/`.
//!
//! Every misère quotient with more than one element is a double cover of a commutative monoid
//! (`docs/classification.md`, "A second count"). So there are: all commutative monoids up to
//! isomorphism (`monoids`), all their double covers (`covers`), all P-portions (`bipartite`), and
//! for each of these all sequences of games (`games`). Nothing here uses the sources of the
//! program. In the end the quotients are compared with those that `classify/` finds, by the keys
//! of classes.

mod bipartite;
mod covers;
mod games;
mod monoids;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use bipartite::{Bipartite, cover, elements, portions};
use misere_algebra::classify::Classifier;
use misere_algebra::classify::published_tables::TABLE_1;
use misere_game::bipartite::{BipartiteMonoid, ClassKey, Element};
use misere_game::control::Control;
use rayon::prelude::*;

/// A bipartite monoid with the values of games whose misère quotient it is.
type ValuedMonoid = (Bipartite, Vec<usize>);

/// The steps of a count.
struct Count {
    monoids: u64,
    covers: u64,
    portions: u64,
    reduced: u64,
    /// The misère quotients, one of each isomorphism class.
    quotients: Vec<ValuedMonoid>,
}

/// Counts the misère quotients of an even order.
fn count(order: usize) -> Count {
    let half = order / 2;
    let monoids = monoids::monoids(half);
    assert!(monoids::is_complete(half, &monoids));
    let found: Mutex<BTreeMap<_, Vec<ValuedMonoid>>> = Mutex::default();
    let of_monoid = |monoid: &monoids::Table| {
        let (mut tried, mut reduced) = (0, 0);
        let cocycles = covers::cocycles(half, monoid);
        for &cocycle in &cocycles {
            let table = cover(half, monoid, cocycle);
            tried += portions(half, &table, |p, rows| {
                reduced += 1;
                let quotient = Bipartite { order, table, p };
                let Some(games) = games::sequence(&quotient, rows) else {
                    return;
                };
                let mut found = found.lock().unwrap();
                let alike = found.entry(quotient.profiles()).or_default();
                if !alike
                    .iter()
                    .any(|(other, _)| other.is_isomorphic(&quotient))
                {
                    alike.push((quotient, games));
                }
            });
        }
        [cocycles.len() as u64, tried, reduced]
    };
    let sums = monoids.par_iter().map(of_monoid);
    let [covers, portions, reduced] = sums.reduce(
        || [0; 3],
        |one, other| std::array::from_fn(|at| one[at] + other[at]),
    );
    let found = found.into_inner().unwrap();
    Count {
        monoids: monoids.len() as u64,
        covers,
        portions,
        reduced,
        quotients: found.into_values().flatten().collect(),
    }
}

/// Returns the key by which the program knows a quotient.
fn key((quotient, games): &ValuedMonoid) -> ClassKey {
    // The elements in the order in which the generators reach them.
    let (mut reached, mut next) = (vec![0], 0);
    while let Some(&x) = reached.get(next) {
        for &g in games {
            let y = quotient.product(x, g);
            if !reached.contains(&y) {
                reached.push(y);
            }
        }
        next += 1;
    }
    let number = |x: usize| reached.iter().position(|&y| y == x).unwrap() as Element;
    let action = games.iter().map(|&g| {
        let row = reached.iter().map(|&x| number(quotient.product(x, g)));
        row.collect()
    });
    let p = elements(quotient.p).map(number);
    let monoid = BipartiteMonoid::new(quotient.order, action.collect(), p);
    monoid.unwrap().class_key()
}

/// Compares a count with what is published and with what `classify/` finds.
fn compare(orders: impl Iterator<Item = usize>, expected: &[[u64; 5]]) {
    let most = orders.size_hint().0 * 2;
    let mut classifier = Classifier::new(most);
    for (order, expected) in orders.zip(expected) {
        let counted = count(order);
        let quotients = counted.quotients.len() as u64;
        let steps = [
            counted.monoids,
            counted.covers,
            counted.portions,
            counted.reduced,
            quotients,
        ];
        eprintln!("order {order}: {steps:?}");
        assert_eq!(steps, *expected, "order {order}");
        let published = TABLE_1.iter().find(|(published, _)| *published == order);
        let (_, published) = published.unwrap();
        if order <= 12 {
            assert_eq!(quotients, *published as u64, "order {order}");
        } else {
            assert!(quotients > *published as u64, "order {order}");
        }
        let level = classifier.next_order(&mut Control::unlimited());
        let level = level.unwrap().unwrap();
        let keys =
            |all: &mut dyn Iterator<Item = ClassKey>| -> BTreeSet<ClassKey> { all.collect() };
        let own = keys(&mut counted.quotients.iter().map(key));
        assert_eq!(own.len() as u64, quotients, "order {order}");
        let theirs = keys(&mut level.quotients.iter().map(|quotient| quotient.class()));
        assert_eq!((level.order, own), (order, theirs));
    }
}

/// Monoids, covers, P-portions tried, reduced ones, and quotients, of the orders 2, 4, …
const COUNTS: [[u64; 5]; 8] = [
    [1, 1, 1, 1, 1],
    [2, 3, 9, 5, 0],
    [5, 6, 54, 27, 1],
    [19, 28, 756, 357, 1],
    [78, 100, 8_100, 2_555, 1],
    [421, 546, 132_678, 35_253, 6],
    [2_637, 3_321, 2_421_009, 488_671, 12],
    [20_486, 25_312, 55_357_344, 9_246_833, 67],
];

#[test]
fn orders_to_12_are_counted_again() {
    compare((2..=12).step_by(2), &COUNTS);
}

#[test]
#[ignore = "slow: some minutes of processor time"]
fn orders_to_16_are_counted_again() {
    compare((2..=16).step_by(2), &COUNTS);
}
