//! The double covers of a commutative monoid by cocycles.
//!
//! Let `a` be an element of a commutative monoid `Q` with `a² = 1` and `ax ≠ x` for all `x`. Then
//! `Q` is a double cover of `M = Q/{1, a}`: its elements are pairs `(u, i)` with `u` in `M` and `i`
//! in `{0, 1}`, and `(u, i)(v, j) = (uv, i + j + c(u, v))`. The *cocycle* `c` is symmetric, it is
//! 0 if `u` or `v` is 1, and `c(u, v) + c(uv, w) = c(v, w) + c(u, vw)`. Other names of the pairs
//! change `c` by a *coboundary* `f(u) + f(v) + f(uv)`. All sums are modulo 2.

use super::monoids::{MAX_ORDER, Table};

/// A cocycle: a bit for each two elements, the rows one after the other.
pub(crate) type Cocycle = u128;

/// Returns the place of the value for two elements.
fn place(u: usize, v: usize) -> u32 {
    (u.min(v) * MAX_ORDER + u.max(v)) as u32
}

/// Returns the value of a cocycle for two elements.
pub(crate) fn value(cocycle: Cocycle, u: usize, v: usize) -> bool {
    cocycle >> place(u, v) & 1 != 0
}

/// Returns one cocycle of each class modulo coboundaries.
pub(crate) fn cocycles(order: usize, monoid: &Table) -> Vec<Cocycle> {
    let elements = || 1..order;
    let product = |u: usize, v: usize| usize::from(monoid[u][v]);
    let bit = |u: usize, v: usize| match u == 0 || v == 0 {
        true => 0,
        false => 1 << place(u, v),
    };
    let mut laws = Vec::new();
    for u in elements() {
        for v in elements() {
            for w in elements() {
                let law = bit(u, v) ^ bit(product(u, v), w) ^ bit(v, w) ^ bit(u, product(v, w));
                insert(&mut laws, law);
            }
        }
    }
    let places = elements().flat_map(|u| (u..order).map(move |v| 1 << place(u, v)));
    let all = kernel(&laws, &places.collect::<Vec<Cocycle>>());
    let mut span = Vec::new();
    for e in elements() {
        let mut coboundary = 0;
        for u in elements() {
            for v in u..order {
                let is_odd = (u == e) ^ (v == e) ^ (product(u, v) == e);
                coboundary ^= if is_odd { bit(u, v) } else { 0 };
            }
        }
        insert(&mut span, coboundary);
    }
    let mut classes = vec![0];
    for cocycle in all {
        if insert(&mut span, cocycle) {
            let more: Vec<Cocycle> = classes.iter().map(|class| class ^ cocycle).collect();
            classes.extend(more);
        }
    }
    classes
}

/// Adds a vector to a list of vectors whose highest bits differ; false if it is a sum of these.
fn insert(list: &mut Vec<Cocycle>, mut vector: Cocycle) -> bool {
    for &other in list.iter() {
        vector = vector.min(vector ^ other);
    }
    if vector == 0 {
        return false;
    }
    list.push(vector);
    list.sort_unstable_by(|one, other| other.cmp(one));
    true
}

/// Returns a basis of the vectors on these places that meet every law in an even number of places.
fn kernel(laws: &[Cocycle], places: &[Cocycle]) -> Vec<Cocycle> {
    // Each vector with the laws that it breaks, one bit for each law.
    let broken = |place: Cocycle| {
        (0..laws.len()).fold(0_u64, |bits, at| {
            bits | u64::from(laws[at] & place != 0) << at
        })
    };
    let mut pivots: Vec<(u64, Cocycle)> = Vec::new();
    let mut kernel = Vec::new();
    for &place in places {
        let (mut breaks, mut vector) = (broken(place), place);
        for &(other, with) in &pivots {
            if breaks ^ other < breaks {
                (breaks, vector) = (breaks ^ other, vector ^ with);
            }
        }
        if breaks == 0 {
            kernel.push(vector);
        } else {
            pivots.push((breaks, vector));
            pivots.sort_unstable_by_key(|pivot| std::cmp::Reverse(pivot.0));
        }
    }
    kernel
}

/// The group with two elements has itself and the cyclic group of order 4 for covers; a chain of
/// idempotents has only the direct product.
#[test]
fn covers_of_small_monoids() {
    let mut group = [[0; MAX_ORDER]; MAX_ORDER];
    (group[0][1], group[1][0]) = (1, 1);
    let classes = cocycles(2, &group);
    assert_eq!(classes.len(), 2);
    assert!(value(classes[1], 1, 1));
    let mut chain = group;
    chain[1][1] = 1;
    assert_eq!(cocycles(2, &chain), [0]);
}
