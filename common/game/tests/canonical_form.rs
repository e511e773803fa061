//! Canonical forms: one key per class of isomorphic bipartite monoids, whatever the generators and
//! the numbering.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::collections::{BTreeMap, BTreeSet};

use misere_game::bipartite::divisibility::Divisibility;
use misere_game::bipartite::families::{restive, tame};
use misere_game::bipartite::multiplication::Multiplication;
use misere_game::bipartite::{BipartiteMonoid, ClassKey, Element};
use proptest::prelude::*;

/// Returns `∏ ⟨t | t^(index + period) = t^index⟩` with the P-portion drawn by `is_p`.
fn product_of_cyclic(factors: &[(u32, u32)], is_p: impl FnMut(&u32) -> bool) -> BipartiteMonoid {
    let sizes: Vec<u32> = factors
        .iter()
        .map(|(index, period)| index + period)
        .collect();
    let order: u32 = sizes.iter().product();
    let step =
        |t: u32, (index, period): (u32, u32)| if t + 1 < index + period { t + 1 } else { index };
    let mut place = 1;
    let mut action = Vec::new();
    for (&factor, &size) in factors.iter().zip(&sizes) {
        let exponent = |x: u32| x / place % size;
        action.push(
            (0..order)
                .map(|x| x - exponent(x) * place + step(exponent(x), factor) * place)
                .collect(),
        );
        place *= size;
    }
    BipartiteMonoid::new(order as usize, action, (0..order).filter(is_p)).unwrap()
}

/// A small deterministic generator, seeded by proptest.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.roll(last + 1));
        }
    }
}

/// Grows the submonoid `members` by the elements `additions`.
fn generate(multiplication: &Multiplication<'_>, is_member: &mut [bool], addition: Element) {
    let row = multiplication.row(addition);
    let members: Vec<usize> = (0..is_member.len()).filter(|&x| is_member[x]).collect();
    for mut x in members {
        // Powers of the addition times x, until they are known.
        loop {
            x = row[x] as usize;
            if std::mem::replace(&mut is_member[x], true) {
                break;
            }
        }
    }
}

/// Returns the same bipartite monoid on other generators and renumbered, with the renumbering.
///
/// Some of the generators are redundant, and one may be the identity.
fn disguised(monoid: &BipartiteMonoid, dice: &mut Dice) -> (BipartiteMonoid, Vec<Element>) {
    let order = monoid.order();
    let multiplication = Multiplication::new(monoid);
    // Irreducible elements generate. Take them in a random order, without those that earlier ones
    // generate.
    let mut irreducible = Divisibility::new(monoid).irreducible(monoid);
    dice.shuffle(&mut irreducible);
    let mut is_member = vec![false; order];
    is_member[0] = true;
    let mut generators = Vec::new();
    for s in irreducible {
        if !is_member[s as usize] {
            generate(&multiplication, &mut is_member, s);
            generators.push(s);
        }
    }
    assert!(
        is_member.iter().all(|&is_member| is_member),
        "irreducible elements generate"
    );
    for _ in 0..dice.roll(4) {
        generators.push(dice.roll(order) as Element);
    }
    dice.shuffle(&mut generators);
    let mut number: Vec<Element> = (0..order as Element).collect();
    dice.shuffle(&mut number[1..]);
    let renumbered = |row: Vec<Element>| {
        let mut image = vec![0; order];
        for (x, &y) in row.iter().enumerate() {
            image[number[x] as usize] = number[y as usize];
        }
        image
    };
    let action = generators
        .iter()
        .map(|&s| renumbered(multiplication.row(s)))
        .collect();
    let p_portion: Vec<Element> = monoid
        .p_portion()
        .iter()
        .map(|x| number[x as usize])
        .collect();
    (
        BipartiteMonoid::new(order, action, p_portion).unwrap(),
        number,
    )
}

/// Checks that a disguised copy has the same form and that the isomorphism found is one.
fn check_disguise(monoid: &BipartiteMonoid, dice: &mut Dice) {
    let (copy, number) = disguised(monoid, dice);
    let (form, other) = (monoid.canonical_form(), copy.canonical_form());
    assert_eq!(form.key, other.key);
    assert_eq!(form.monoid, other.monoid);
    assert_eq!(form.monoid.class_key(), form.key);
    let relabelled = |g: usize| form.relabelling[form.generators[g] as usize];
    assert!((0..form.generators.len()).all(|g| form.monoid.act(0, g) == relabelled(g)));

    let isomorphism = monoid.isomorphism(&copy).unwrap();
    let generators = (0..monoid.generators()).map(|g| monoid.act(0, g));
    let pairs: Vec<_> = generators
        .clone()
        .map(|s| (s, isomorphism[s as usize]))
        .collect();
    assert_eq!(
        monoid.isomorphism_extending(&copy, pairs),
        Some(isomorphism)
    );
    let pairs: Vec<_> = generators.map(|s| (s, number[s as usize])).collect();
    assert_eq!(monoid.isomorphism_extending(&copy, pairs), Some(number));
}

fn small_factors() -> impl Strategy<Value = Vec<(u32, u32)>> {
    prop::collection::vec((0_u32..4, 1_u32..4), 1..4)
}

proptest! {
    #[test]
    fn a_key_survives_renumbering_and_other_generators(
        factors in small_factors(), seed: u64, density in 1_usize..8,
    ) {
        let mut dice = Dice(seed);
        let monoid = product_of_cyclic(&factors, |_| dice.roll(8) < density);
        check_disguise(&monoid.reduce().monoid, &mut dice);
        check_disguise(&monoid, &mut dice);
    }

    /// Few elements in P leave much symmetry, and the search tree branches.
    #[test]
    fn symmetric_monoids_have_one_key_too(
        index in 0_u32..3, period in 1_u32..4, copies in 2_usize..4, seed: u64, marked in 0_usize..3,
    ) {
        let mut dice = Dice(seed);
        let order = (index + period).pow(copies as u32) as usize;
        let p: Vec<u32> = (0..marked).map(|_| dice.roll(order) as u32).collect();
        let monoid = product_of_cyclic(&vec![(index, period); copies], |x| p.contains(x));
        check_disguise(&monoid, &mut dice);
        check_disguise(&monoid.reduce().monoid, &mut dice);
    }

    #[test]
    fn another_size_of_p_is_another_class(factors in small_factors(), seed: u64) {
        let mut dice = Dice(seed);
        let monoid = product_of_cyclic(&factors, |_| dice.roll(2) == 0);
        let flipped = dice.roll(monoid.order()) as Element;
        let p = (0..monoid.order() as Element).filter(|&x| monoid.in_p(x) != (x == flipped));
        let other = BipartiteMonoid::new(monoid.order(), monoid.action().to_vec(), p).unwrap();
        prop_assert_ne!(monoid.class_key(), other.class_key());
        prop_assert_eq!(monoid.isomorphism(&other), None);
    }
}

#[test]
fn families_with_large_automorphism_groups() {
    let mut dice = Dice(7);
    for n in 0..=8 {
        check_disguise(&tame(n), &mut dice);
    }
    for n in 2..=6 {
        check_disguise(&restive(n).unwrap(), &mut dice);
    }
    for p in [0, 1, 2] {
        check_disguise(&product_of_cyclic(&[(0, 2); 6], |&x| x < p), &mut dice);
        check_disguise(&product_of_cyclic(&[(0, 3); 4], |&x| x < p), &mut dice);
        check_disguise(&product_of_cyclic(&[(0, 180)], |&x| x < p), &mut dice);
        check_disguise(
            &product_of_cyclic(&[(0, 8), (0, 4), (1, 4)], |&x| x < p),
            &mut dice,
        );
        check_disguise(&product_of_cyclic(&[(2, 1); 4], |&x| x < p), &mut dice);
    }
}

#[test]
fn tame_quotient_of_order_1026() {
    let monoid = tame(10);
    assert_eq!(
        disguised(&monoid, &mut Dice(3)).0.class_key(),
        monoid.class_key()
    );
}

#[test]
fn thousands_of_elements() {
    let mut dice = Dice(11);
    let long = [
        &[(2, 6), (3, 5), (1, 8), (0, 8)][..],
        &[(1, 1); 12],
        &[(40, 60), (2, 48)],
        &[(0, 2), (30, 2), (70, 2)],
    ];
    for factors in long {
        let monoid = product_of_cyclic(factors, |_| dice.roll(2) == 0)
            .reduce()
            .monoid;
        assert!(monoid.order() > 3_900, "{}", monoid.order());
        assert_eq!(
            disguised(&monoid, &mut dice).0.class_key(),
            monoid.class_key()
        );
    }
}

/// Orders of 10,000 and above: without symmetry, with symmetry between factors, with much of it.
#[test]
#[ignore = "slow: orders above 10,000"]
fn ten_thousand_elements() {
    let mut dice = Dice(12);
    for (factors, marked) in [
        (&[(2, 8), (3, 7), (1, 9), (2, 8)][..], 5_000),
        (&[(2, 8), (2, 8), (2, 8), (2, 8)], 5_000),
        (&[(2, 8), (2, 8), (2, 8), (2, 8)], 1),
        (&[(1, 1); 14], 3),
        (&[(0, 2), (100, 10), (40, 8)], 2_000),
        (&[(0, 3), (0, 5), (0, 7), (0, 11), (1, 8)], 4),
    ] {
        let order: u32 = factors
            .iter()
            .map(|(index, period)| index + period)
            .product();
        let p: BTreeSet<u32> = (0..marked)
            .map(|_| dice.roll(order as usize) as u32)
            .collect();
        let monoid = product_of_cyclic(factors, |x| p.contains(x));
        assert!(monoid.order() >= 10_000, "{}", monoid.order());
        check_disguise(&monoid, &mut dice);
    }
    check_disguise(&tame(13), &mut dice);
    check_disguise(&restive(13).unwrap(), &mut dice);
}

/// Returns the monoid of a graph: vertices, `1`, `z`, `0`.
///
/// The product of two vertices is `z` if they are adjacent, else 0, and every product of more than
/// two vertices is 0. Two of these monoids are isomorphic iff the graphs are, so everything that
/// makes graphs hard makes them hard.
fn monoid_of_graph(vertices: u32, is_edge: impl Fn(u32, u32) -> bool) -> BipartiteMonoid {
    // 1 is element 0, then the vertices, then z and 0.
    let (z, zero) = (vertices + 1, vertices + 2);
    let row = |v: u32| -> Vec<Element> {
        let product = |x: Element| match x {
            0 => v + 1,
            x if x <= vertices && x != v + 1 && is_edge(x - 1, v) => z,
            _ => zero,
        };
        (0..vertices + 3).map(product).collect()
    };
    let action = (0..vertices).map(row).collect();
    BipartiteMonoid::new(vertices as usize + 3, action, [z]).unwrap()
}

/// Sixteen vertices, each with six neighbours; adjacent ones have two in common, and so have the
/// others: rounds of refinement see no difference between any two vertices of either graph, nor
/// between the graphs.
#[test]
fn strongly_regular_graphs_are_told_apart() {
    let at = |v: u32| (v / 4, v % 4);
    let rook = monoid_of_graph(16, |u, v| {
        let ((a, b), (c, d)) = (at(u), at(v));
        (a == c) != (b == d)
    });
    let shrikhande = monoid_of_graph(16, |u, v| {
        let ((a, b), (c, d)) = (at(u), at(v));
        let difference = ((4 + a - c) % 4, (4 + b - d) % 4);
        [(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)].contains(&difference)
    });
    let mut dice = Dice(5);
    for monoid in [&rook, &shrikhande] {
        check_disguise(monoid, &mut dice);
        check_disguise(monoid, &mut dice);
    }
    assert_ne!(rook.class_key(), shrikhande.class_key());
    assert_eq!(rook.isomorphism(&shrikhande), None);
}

/// Paley graphs: `u` and `v` are adjacent if their difference is a square. All vertices are alike,
/// and so are all edges.
#[test]
fn graphs_in_which_all_vertices_are_alike() {
    let mut dice = Dice(6);
    for prime in [5, 13, 29, 61] {
        let squares: BTreeSet<u32> = (1..prime).map(|x| x * x % prime).collect();
        let paley = monoid_of_graph(prime, |u, v| squares.contains(&((prime + u - v) % prime)));
        check_disguise(&paley, &mut dice);
    }
    // Circles: one of twelve, two of six, three of four.
    let circles = |length: u32| {
        monoid_of_graph(12, move |u, v| {
            let step = (length + u % length - v % length) % length;
            u / length == v / length && (step == 1 || step == length - 1)
        })
    };
    let keys: BTreeSet<ClassKey> = [12, 6, 4].map(|length| circles(length).class_key()).into();
    assert_eq!(keys.len(), 3);
    for length in [12, 6, 4] {
        check_disguise(&circles(length), &mut dice);
    }
}

/// Three circles of three, four and five vertices: the products of two vertices are all different,
/// and those of adjacent vertices are in P. Every permutation of the vertices respects products,
/// and only P decides which of them are automorphisms. Refinement sees no difference between any
/// two vertices.
#[test]
fn automorphisms_respect_p() {
    let circles = [0..3_u32, 3..7, 7..12];
    let is_edge = |u: u32, v: u32| {
        circles.iter().any(|circle| {
            let step = u.abs_diff(v);
            let length = circle.end - circle.start;
            circle.contains(&u) && circle.contains(&v) && (step == 1 || step == length - 1)
        })
    };
    let pairs: Vec<(u32, u32)> = (0..12).flat_map(|v| (0..v).map(move |u| (u, v))).collect();
    // 1 is element 0, then the vertices, then the pairs and 0.
    let zero = 13 + pairs.len() as Element;
    let pair = |u: u32, v: u32| {
        let place = pairs.iter().position(|&pair| pair == (u.min(v), u.max(v)));
        place.map_or(zero, |place| 13 + place as Element)
    };
    let row = |v: u32| -> Vec<Element> {
        let product = |x: Element| match x {
            0 => v + 1,
            1..=12 => pair(x - 1, v),
            _ => zero,
        };
        (0..=zero).map(product).collect()
    };
    let edges = pairs.iter().filter(|&&(u, v)| is_edge(u, v));
    let p = edges.map(|&(u, v)| pair(u, v));
    let action = (0..12).map(row).collect();
    let monoid = BipartiteMonoid::new(zero as usize + 1, action, p).unwrap();
    let mut dice = Dice(9);
    for _ in 0..10 {
        check_disguise(&monoid, &mut dice);
    }
}

/// Groups: all automorphisms of `(Z/p)^n` are automorphisms, unless P forbids them.
#[test]
fn groups_and_products_with_them() {
    let mut dice = Dice(8);
    let groups = [
        &[(0, 5), (0, 5), (0, 5)][..],
        &[(0, 4), (0, 4), (0, 2)],
        &[(0, 9), (0, 3), (0, 3)],
        &[(0, 6), (0, 10), (0, 15)],
        &[(0, 2), (0, 2), (0, 2), (1, 1), (1, 1)],
        &[(0, 3), (0, 3), (2, 1), (2, 1)],
    ];
    let mut keys = BTreeSet::new();
    for factors in groups {
        for marked in [0, 1, 2, 6] {
            let order: u32 = factors
                .iter()
                .map(|(index, period)| index + period)
                .product();
            let p: BTreeSet<u32> = (0..marked)
                .map(|_| dice.roll(order as usize) as u32)
                .collect();
            let monoid = product_of_cyclic(factors, |x| p.contains(x));
            check_disguise(&monoid, &mut dice);
            keys.insert(monoid.class_key());
        }
    }
    assert_eq!(keys.len(), 24);
    // Z/36 x Z/6 in another way.
    let one = product_of_cyclic(&[(0, 36), (0, 6)], |&x| x == 0);
    let other = product_of_cyclic(&[(0, 72), (0, 3)], |&x| x == 0);
    assert_ne!(one.class_key(), other.class_key());
    let other = product_of_cyclic(&[(0, 4), (0, 9), (0, 2), (0, 3)], |&x| x == 0);
    assert_eq!(one.class_key(), other.class_key());
}

/// A multiplication table.
type Table = Vec<Vec<Element>>;

const OPEN: Element = Element::MAX;

/// Returns all commutative multiplications on `0..order` with identity 0.
fn commutative_monoids(order: usize) -> Vec<Table> {
    let mut table = vec![vec![OPEN; order]; order];
    table[0] = (0..order as Element).collect();
    table.iter_mut().zip(0..).for_each(|(row, x)| row[0] = x);
    let cells: Vec<_> = (1..order)
        .flat_map(|x| (x..order).map(move |y| (x, y)))
        .collect();
    let mut found = Vec::new();
    fill(&mut table, &cells, &mut found);
    found
}

fn fill(table: &mut Table, cells: &[(usize, usize)], found: &mut Vec<Table>) {
    let Some((&(x, y), rest)) = cells.split_first() else {
        found.push(table.clone());
        return;
    };
    for value in 0..table.len() as Element {
        (table[x][y], table[y][x]) = (value, value);
        if is_associative_so_far(table) {
            fill(table, rest, found);
        }
    }
    (table[x][y], table[y][x]) = (OPEN, OPEN);
}

fn is_associative_so_far(table: &Table) -> bool {
    let of = |x: Element, y: Element| {
        if x == OPEN || y == OPEN {
            OPEN
        } else {
            table[x as usize][y as usize]
        }
    };
    let all = 1..table.len() as Element;
    all.clone().all(|x| {
        all.clone().all(|y| {
            all.clone().all(|z| {
                let (left, right) = (of(of(x, y), z), of(x, of(y, z)));
                left == OPEN || right == OPEN || left == right
            })
        })
    })
}

/// Returns all renumberings of `0..order` that keep 0.
fn renumberings(order: usize) -> Vec<Vec<Element>> {
    let mut all = vec![vec![0]];
    for x in 1..order as Element {
        all = all
            .into_iter()
            .flat_map(|shorter| {
                (1..=shorter.len()).map(move |at| {
                    let mut longer = shorter.clone();
                    longer.insert(at, x);
                    longer
                })
            })
            .collect();
    }
    all
}

/// Returns the least table and P-portion over all renumberings: a canonical form by brute force.
fn least_table(table: &Table, p: u32, renumberings: &[Vec<Element>]) -> Vec<Element> {
    let order = table.len();
    let renumbered = |number: &Vec<Element>| {
        let mut image = vec![0; order * order + order];
        for x in 0..order {
            for y in 0..order {
                image[number[x] as usize * order + number[y] as usize] =
                    number[table[x][y] as usize];
            }
            image[order * order + number[x] as usize] = p >> x & 1;
        }
        image
    };
    renumberings.iter().map(renumbered).min().unwrap()
}

/// Every bipartite monoid of order at most 5: equal keys exactly for isomorphic ones. The numbers
/// of commutative monoids (P empty) are those of OEIS A058131.
#[test]
fn all_bipartite_monoids_of_small_order() {
    for (order, classes) in [(1, 1), (2, 2), (3, 5), (4, 19), (5, 78)] {
        let renumberings = renumberings(order);
        let mut representatives: BTreeMap<Vec<Element>, Table> = BTreeMap::new();
        let mut key_of: BTreeMap<Vec<Element>, ClassKey> = BTreeMap::new();
        for table in commutative_monoids(order) {
            let key = BipartiteMonoid::new(order, table.clone(), [])
                .unwrap()
                .class_key();
            let least = least_table(&table, 0, &renumberings);
            assert_eq!(*key_of.entry(least.clone()).or_insert(key), key);
            representatives.entry(least).or_insert(table);
        }
        assert_eq!(representatives.len(), classes);
        let mut form_of: BTreeMap<ClassKey, Vec<Element>> = BTreeMap::new();
        for table in representatives.values() {
            for p in 0..1_u32 << order {
                let marked = (0..order as Element).filter(|&x| p >> x & 1 != 0);
                let key = BipartiteMonoid::new(order, table.clone(), marked)
                    .unwrap()
                    .class_key();
                let least = least_table(table, p, &renumberings);
                assert_eq!(*key_of.entry(least.clone()).or_insert(key), key);
                assert_eq!(*form_of.entry(key).or_insert_with(|| least.clone()), least);
            }
        }
    }
}

/// Irreducible elements by their definition: not in the submonoid generated by what lies strictly
/// above.
#[test]
fn irreducible_elements_as_defined() {
    for order in 1..=5 {
        for table in commutative_monoids(order) {
            let all = 0..order as Element;
            let divides = |y: Element, x: Element| table[y as usize].contains(&x);
            let irreducible: Vec<Element> = (1..order as Element)
                .filter(|&x| {
                    let above: Vec<Element> = all
                        .clone()
                        .filter(|&y| divides(y, x) && !divides(x, y))
                        .collect();
                    let mut products = vec![0];
                    let mut at = 0;
                    while at < products.len() {
                        for &y in &above {
                            let product = table[products[at] as usize][y as usize];
                            if !products.contains(&product) {
                                products.push(product);
                            }
                        }
                        at += 1;
                    }
                    !products.contains(&x)
                })
                .collect();
            let monoid = BipartiteMonoid::new(order, table.clone(), []).unwrap();
            assert_eq!(
                Divisibility::new(&monoid).irreducible(&monoid),
                irreducible,
                "{table:?}"
            );
        }
    }
}
