//! A search by the definitions only, as a test of the classification.
//!
//! All commutative monoids of order at most 8 with a free involution `a`, all P-portions, all
//! sequences of elements, whole transition algebras with sets of options: no prunes, no canonical
//! codes, no hits.

use std::collections::BTreeSet;

use misere_game::control::Control;

use super::canonical::canonical;
use super::enumeration::Classifier;
use super::small_monoid::{MAX_ORBITS, Mask, SmallElement, SmallMonoid, elements};

/// Returns the tables on `orbits` orbits of the commutative monoids with identity 0.
fn monoids(orbits: usize) -> Vec<SmallMonoid> {
    let pairs: Vec<(usize, usize)> = (1..orbits)
        .flat_map(|one| (one..orbits).map(move |other| (one, other)))
        .collect();
    let order = 2 * orbits as SmallElement;
    let mut monoid = SmallMonoid {
        orbits,
        p_portion: 0,
        table: [[0; MAX_ORBITS]; MAX_ORBITS],
    };
    for orbit in 0..orbits {
        monoid.table[0][orbit] = 2 * orbit as SmallElement;
        monoid.table[orbit][0] = 2 * orbit as SmallElement;
    }
    let mut found = Vec::new();
    let mut entries = vec![0; pairs.len()];
    loop {
        for (&(one, other), &entry) in pairs.iter().zip(&entries) {
            monoid.table[one][other] = entry;
            monoid.table[other][one] = entry;
        }
        let even = || (2..order).step_by(2);
        let is_associative = even().all(|x| {
            even().all(|y| {
                even().all(|z| {
                    monoid.product(monoid.product(x, y), z)
                        == monoid.product(x, monoid.product(y, z))
                })
            })
        });
        if is_associative {
            found.push(monoid.clone());
        }
        let Some(next) = entries.iter().position(|&entry| entry + 1 < order) else {
            return found;
        };
        entries[next] += 1;
        entries[..next].fill(0);
    }
}

/// Returns the P-portions with `a ∈ P`, `1 ∉ P`, `u ∈ P ⇒ au ∉ P`.
fn portions(orbits: usize) -> impl Iterator<Item = Mask> {
    (0..3_u32.pow(orbits as u32 - 1)).map(move |mut number| {
        let mut portion = 0b10;
        for orbit in 1..orbits {
            portion |= (number % 3) << (2 * orbit);
            number /= 3;
        }
        portion
    })
}

fn meximal(monoid: &SmallMonoid, x: SmallElement) -> Mask {
    let order = monoid.order() as SmallElement;
    let meets = |y: SmallElement| {
        (0..order).any(|z| monoid.in_p(monoid.product(x, z)) && monoid.in_p(monoid.product(y, z)))
    };
    (0..order)
        .filter(|&y| !meets(y))
        .fold(0, |set, y| set | 1 << y)
}

/// Reports whether the pairs generate an algebra in which parity holds.
fn is_valid(monoid: &SmallMonoid, generators: &[(SmallElement, Mask)]) -> bool {
    let mut pairs = BTreeSet::from([(0, 0)]);
    let mut left = vec![(0, 0)];
    while let Some((x, of_x)) = left.pop() {
        for &(y, of_y) in generators {
            let value = monoid.product(x, y);
            let options = monoid.image(y, of_x) | monoid.image(x, of_y);
            if pairs.insert((value, options)) {
                let is_p = options != 0 && options & monoid.p_portion == 0;
                if monoid.in_p(value) != is_p {
                    return false;
                }
                left.push((value, options));
            }
        }
    }
    true
}

/// Reports whether some sequence that continues these pairs generates the whole monoid.
///
/// All prefixes of the sequence must be valid.
fn carries(
    monoid: &SmallMonoid,
    generators: &mut Vec<(SmallElement, Mask)>,
    generated: Mask,
) -> bool {
    if generated == monoid.all() {
        return true;
    }
    for x in elements(monoid.all() & !generated) {
        let options = meximal(monoid, x) & generated;
        if options == 0 {
            continue;
        }
        generators.push((x, options));
        if is_valid(monoid, generators) && carries(monoid, generators, monoid.joined(generated, x))
        {
            return true;
        }
        generators.pop();
    }
    false
}

#[test]
fn everything_to_order_8_by_the_definitions() {
    // To order 16 no class is too large to be told apart later, so nothing is left out for that.
    let mut classifier = Classifier::new(16);
    for order in [2, 4, 6, 8] {
        let orbits = order / 2;
        let (mut carriers, mut reduced) = (BTreeSet::new(), BTreeSet::new());
        for mut monoid in monoids(orbits) {
            for portion in portions(orbits) {
                monoid.p_portion = portion;
                let mut first = vec![(1, meximal(&monoid, 1) & 1)];
                if first[0].1 == 0 || !is_valid(&monoid, &first) {
                    continue;
                }
                if carries(&monoid, &mut first, 0b11) {
                    let translates = monoid.translates();
                    let rows = BTreeSet::from_iter(&translates[..order]);
                    let code = canonical(&monoid, &translates).code;
                    if rows.len() == order {
                        reduced.insert(
                            monoid
                                .unpaired(&elements(monoid.all() & !3).collect::<Vec<_>>())
                                .class_key(),
                        );
                    }
                    carriers.insert(code);
                }
            }
        }
        let candidates = classifier.pending[&order].clone();
        assert!(carriers.iter().all(|code| candidates.contains_key(code)));
        let level = classifier
            .next_order(&mut Control::unlimited())
            .unwrap()
            .unwrap();
        assert_eq!(level.carriers, carriers.len(), "order {order}");
        let found: BTreeSet<_> = level
            .quotients
            .iter()
            .map(|quotient| quotient.class())
            .collect();
        assert_eq!(found, reduced, "order {order}");
    }
}

/// Compares equality of codes with the existence of a renumbering of the orbits.
///
/// The even elements may be chosen freely.
#[test]
fn codes_agree_with_isomorphism() {
    let orbits = 3;
    let mut by_code: Vec<(Vec<u8>, SmallMonoid)> = Vec::new();
    for mut monoid in monoids(orbits) {
        for portion in portions(orbits) {
            monoid.p_portion = portion;
            let code = canonical(&monoid, &monoid.translates()).code.to_vec();
            by_code.push((code, monoid.clone()));
        }
    }
    let renumberings: Vec<[SmallElement; 6]> = (0..8)
        .map(|bits| {
            let (flip, other) = (bits & 1, bits >> 1 & 1);
            if bits >> 2 == 0 {
                [0, 1, 2 ^ flip, 3 ^ flip, 4 ^ other, 5 ^ other]
            } else {
                [0, 1, 4 ^ flip, 5 ^ flip, 2 ^ other, 3 ^ other]
            }
        })
        .collect();
    let is_isomorphic = |one: &SmallMonoid, other: &SmallMonoid| {
        renumberings.iter().any(|to| {
            (0..6).all(|x: SmallElement| {
                one.in_p(x) == other.in_p(to[usize::from(x)])
                    && (0..6).all(|y: SmallElement| {
                        to[usize::from(one.product(x, y))]
                            == other.product(to[usize::from(x)], to[usize::from(y)])
                    })
            })
        })
    };
    assert!(by_code.len() > 100);
    for (code, one) in &by_code {
        for (other_code, other) in &by_code {
            assert_eq!(code == other_code, is_isomorphic(one, other));
        }
    }
}

/// A code gives back the monoid, in the numbers of the code.
#[test]
fn codes_are_read_back() {
    for mut monoid in monoids(3) {
        for portion in portions(3) {
            monoid.p_portion = portion;
            let form = canonical(&monoid, &monoid.translates());
            let read = SmallMonoid::of_code(&form.code);
            for x in 0..6 {
                let number = |x: SmallElement| form.number[usize::from(x)];
                assert_eq!(monoid.in_p(x), read.in_p(number(x)));
                for y in 0..6 {
                    assert_eq!(
                        number(monoid.product(x, y)),
                        read.product(number(x), number(y))
                    );
                }
            }
        }
    }
}
