//! The structure of quotients against the definitions, by brute force.
//!
//! Every function of `structure/` is compared with its definition, read off the table of all
//! products: over all misère quotients of order at most 12, their tame extensions, and monoids that
//! are no quotients.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

use misere_theory::bipartite::families::{by_name, tame};
use misere_theory::bipartite::idempotents::Idempotents;
use misere_theory::bipartite::multiplication::Multiplication;
use misere_theory::bipartite::{BipartiteMonoid, Element, ElementSet};
use misere_theory::classify::Classifier;
use misere_theory::classify::decision::{Decision, decide};
use misere_theory::classify::p_portions::p_portions;
use misere_theory::control::{Control, Interrupt, Stop};
use misere_theory::monoid::readable::Written;
use misere_theory::structure::automorphisms::Automorphisms;
use misere_theory::structure::components::components;
use misere_theory::structure::kernel::Kernel;
use misere_theory::structure::least_sums::{LeastSums, Summand};
use misere_theory::structure::normal_play::{NimValuesOfElements, nim_values_of_elements};
use misere_theory::structure::powers::Powers;
use misere_theory::structure::principal_series::{Factor, PrincipalSeries};
use misere_theory::structure::product::direct_factors;
use misere_theory::structure::tame_extension::TameExtension;
use proptest::prelude::*;

/// A monoid with the table of its products.
struct Tabled {
    monoid: BipartiteMonoid,
    table: Vec<Vec<Element>>,
}

impl Tabled {
    fn new(monoid: BipartiteMonoid) -> Self {
        let multiplication = Multiplication::new(&monoid);
        let table = (0..monoid.order() as Element).map(|x| multiplication.row(x));
        let table = table.collect();
        Self { monoid, table }
    }

    fn order(&self) -> usize {
        self.table.len()
    }

    fn elements(&self) -> std::ops::Range<Element> {
        0..self.order() as Element
    }

    fn times(&self, x: Element, y: Element) -> Element {
        self.table[x as usize][y as usize]
    }

    fn divides(&self, x: Element, y: Element) -> bool {
        self.table[x as usize].contains(&y)
    }

    fn power(&self, x: Element, exponent: u32) -> Element {
        (0..exponent).fold(0, |power, _| self.times(power, x))
    }

    fn is_closed(&self, set: &BTreeSet<Element>) -> bool {
        let mut pairs = set.iter().flat_map(|&x| set.iter().map(move |&y| (x, y)));
        pairs.all(|(x, y)| set.contains(&self.times(x, y)))
    }

    /// The least ideal: what every element divides.
    fn kernel(&self) -> BTreeSet<Element> {
        let in_all = |&y: &Element| self.elements().all(|x| self.divides(x, y));
        self.elements().filter(in_all).collect()
    }

    fn subset(&self, mask: u32) -> BTreeSet<Element> {
        self.elements().filter(|x| mask >> x & 1 == 1).collect()
    }
}

fn quotients() -> Vec<BipartiteMonoid> {
    let mut classifier = Classifier::new(12);
    let control = &mut Control::unlimited();
    while classifier.next_order(control).unwrap().is_some() {}
    let levels = classifier.complete().iter();
    let all = levels.flat_map(|level| level.quotients.iter().map(|it| it.monoid()));
    all.collect()
}

fn presented(text: &str) -> BipartiteMonoid {
    let written: Written = text.parse().unwrap();
    written.bipartite_monoid(1_000).unwrap()
}

/// Quotients, and monoids with cyclic groups, long tails, several components, factors.
fn samples() -> Vec<Tabled> {
    let mut all = quotients();
    assert_eq!(all.len(), 10);
    all.extend(
        [
            "<a | a^12=1> P={a}",
            "<a | a^9=a^3> P={a,a^4}",
            "<a,b | a^4=1, b^2=1> P={a}",
            "<a,b | a^3=1, b^4=b^2> P={a,b}",
            "<a,b | a^2=a, b^2=b> P={a}",
            "<a,b,c | a^2=a, b^2=b, c^2=1, ac=a> P={c}",
            "<a,b | a^3=a^2, b^3=b^2, ab=a^2> P={a}",
            "<a,b | a^2=1, b^5=b> P={a,b^4}",
        ]
        .map(presented),
    );
    all.into_iter().map(Tabled::new).collect()
}

fn unlimited() -> Control {
    Control::unlimited()
}

#[test]
fn classes_divide_each_other_and_the_series_is_principal() {
    for sample in samples() {
        let series = PrincipalSeries::new(&sample.monoid, &mut unlimited()).unwrap();
        let class = |x: Element| series.class_of[x as usize];
        for x in sample.elements() {
            assert!(series.classes[class(x) as usize].elements.contains(&x));
            for y in sample.elements() {
                let mutual = sample.divides(x, y) && sample.divides(y, x);
                assert_eq!(class(x) == class(y), mutual);
            }
        }
        let first = |place: u32| series.classes[place as usize].elements[0];
        let classes = 0..series.classes.len() as u32;
        let above = |c: u32, d: u32| c != d && sample.divides(first(c), first(d));
        let mut covers = Vec::new();
        for c in classes.clone() {
            for d in classes.clone().filter(|&d| above(c, d)) {
                if !classes.clone().any(|e| above(c, e) && above(e, d)) {
                    covers.push((c, d));
                }
            }
        }
        assert_eq!(series.covers, covers);
        for place in classes {
            let ideal: BTreeSet<Element> = series.classes[place as usize..]
                .iter()
                .flat_map(|class| class.elements.iter().copied())
                .collect();
            let next: BTreeSet<Element> = series.classes[place as usize + 1..]
                .iter()
                .flat_map(|class| class.elements.iter().copied())
                .collect();
            for &x in &ideal {
                // The least ideal with S_(i+1) and x.
                let mut with_x = next.clone();
                with_x.extend(sample.elements().map(|y| sample.times(x, y)));
                assert!(with_x.is_subset(&ideal), "an ideal");
                assert!(next.contains(&x) || with_x == ideal, "nothing between");
            }
            the_factor_is_what_it_is_called(&sample, &series, place as usize);
        }
    }
}

fn the_factor_is_what_it_is_called(sample: &Tabled, series: &PrincipalSeries, place: usize) {
    let class = &series.classes[place];
    let table = series.factor_table(&sample.monoid, place);
    for (x, row) in class.elements.iter().zip(&table) {
        for (y, &product) in class.elements.iter().zip(row) {
            let expected = sample.times(*x, *y);
            assert_eq!(
                product,
                Some(expected).filter(|xy| class.elements.contains(xy))
            );
        }
    }
    match series.factor(place) {
        Factor::Null => assert!(table.iter().flatten().all(Option::is_none)),
        kind => {
            assert_eq!(kind == Factor::Group, place + 1 == series.classes.len());
            let e = class.idempotent.unwrap();
            assert_eq!(sample.times(e, e), e);
            let identity = class.elements.binary_search(&e).unwrap();
            for (at, &x) in class.elements.iter().enumerate() {
                assert_eq!(table[identity][at], Some(x));
                assert!(table[at].iter().all(Option::is_some));
                assert!(table[at].contains(&Some(e)), "an inverse");
            }
        }
    }
}

#[test]
fn indices_and_periods_are_the_least() {
    for sample in samples() {
        let powers = Powers::new(&sample.monoid, &mut unlimited()).unwrap();
        let n = sample.order() as u32;
        for x in sample.elements() {
            let pairs = (0..=n).flat_map(|k| (1..=n).map(move |p| (k, p)));
            let mut least = pairs.filter(|&(k, p)| sample.power(x, k + p) == sample.power(x, k));
            let of_x = (powers.index[x as usize], powers.period[x as usize]);
            assert_eq!(least.next(), Some(of_x));
        }
        let index = powers.greatest_index();
        let period = powers.common_period().unwrap() as u32;
        let holds = |k: u32, p: u32| {
            sample
                .elements()
                .all(|x| sample.power(x, k + p) == sample.power(x, k))
        };
        assert!(holds(index, period));
        assert!(index == 0 || !holds(index - 1, period));
        assert!((1..period).all(|p| !holds(index, p)));
    }
}

#[test]
fn components_are_archimedean_and_the_nilradical_sinks_to_the_kernel() {
    for sample in samples() {
        let idempotents = Idempotents::new(&sample.monoid);
        let found = components(&sample.monoid, &idempotents, &mut unlimited()).unwrap();
        let n = sample.order() as u32;
        let divides_a_power = |x: Element, y: Element| {
            (1..=n).any(|exponent| sample.divides(x, sample.power(y, exponent)))
        };
        let mut seen = BTreeMap::new();
        for (place, component) in found.iter().enumerate() {
            for &x in &component.elements {
                assert_eq!(seen.insert(x, place), None);
            }
            let group = &component.group;
            for k in 1..=component.class {
                // All products of k elements.
                let mut products = BTreeSet::from([0]);
                for _ in 0..k {
                    let pairs = products
                        .iter()
                        .flat_map(|&x| component.elements.iter().map(move |&y| (x, y)));
                    products = pairs.map(|(x, y)| sample.times(x, y)).collect();
                }
                let is_within = products.iter().all(|x| group.contains(x));
                assert_eq!(is_within, k == component.class, "{k}");
            }
        }
        for x in sample.elements() {
            for y in sample.elements() {
                let alike = divides_a_power(x, y) && divides_a_power(y, x);
                assert_eq!(seen[&x] == seen[&y], alike);
            }
        }
        let kernel = sample.kernel();
        let sinks = |&x: &Element| kernel.contains(&sample.power(x, n));
        let nilradical: Vec<Element> = sample.elements().filter(sinks).collect();
        assert_eq!(found.last().unwrap().elements, nilradical);
    }
}

#[test]
fn the_kernel_is_the_least_ideal() {
    for sample in samples() {
        let kernel = Kernel::new(&sample.monoid, &Idempotents::new(&sample.monoid));
        let expected: Vec<Element> = sample.kernel().into_iter().collect();
        assert_eq!(kernel.elements, expected);
        let is_identity = |z: &Element| expected.iter().all(|&x| sample.times(*z, x) == x);
        assert_eq!(
            expected.iter().copied().find(is_identity),
            Some(kernel.identity)
        );
        let in_p: Vec<Element> = expected
            .iter()
            .copied()
            .filter(|&x| sample.monoid.in_p(x))
            .collect();
        assert_eq!(kernel.is_regular(), in_p.len() == 1);
        assert_eq!(kernel.is_normal(), in_p == [kernel.identity]);
        assert_eq!(kernel.in_p, in_p);
    }
    // Every misère quotient of order at most 12 but T_1 and the trivial one is normal.
    for quotient in quotients() {
        let kernel = Kernel::new(&quotient, &Idempotents::new(&quotient));
        assert_eq!(kernel.is_normal(), quotient.order() > 2);
    }
}

/// How often a monoid is a tame extension, by looking for a half of its kernel that can be left
/// out.
fn stages(sample: &Tabled) -> u32 {
    let kernel: Vec<Element> = sample.kernel().into_iter().collect();
    let key = sample.monoid.class_key();
    let halves = (0..1_u32 << kernel.len())
        .filter(|mask| mask.count_ones() as usize * 2 == kernel.len())
        .filter_map(|mask| {
            let dropped = |x: &Element| {
                let at = kernel.iter().position(|y| y == x);
                at.is_some_and(|at| mask >> at & 1 == 1)
            };
            let kept: BTreeSet<Element> = sample.elements().filter(|x| !dropped(x)).collect();
            let holds = sample.is_closed(&kept)
                && kept.contains(&0)
                && sample.monoid.p_portion().iter().all(|x| kept.contains(&x));
            let kept: Vec<Element> = kept.into_iter().collect();
            holds.then(|| sample.monoid.generated_by(&kept).monoid)
        })
        .filter(|base| base.order() + kernel.len() / 2 == sample.order())
        .filter(|base| base.tame_extension().class_key() == key);
    let deeper = halves.map(|base| 1 + stages(&Tabled::new(base)));
    deeper.max().unwrap_or(0)
}

#[test]
fn tame_extensions_are_recognised() {
    let mut more: Vec<Tabled> = Vec::new();
    for sample in samples() {
        let extended = sample.monoid.tame_extension();
        // By the definition: x̄·y and x̄·ȳ for all x, y.
        let made = Tabled::new(extended.clone());
        let kernel: Vec<Element> = sample.kernel().into_iter().collect();
        let copy = |x: Element| {
            let at = kernel.iter().position(|&y| y == x).unwrap();
            (sample.order() + at) as Element
        };
        for x in sample.elements() {
            for y in sample.elements() {
                assert_eq!(made.times(x, y), sample.times(x, y));
            }
            for &y in &kernel {
                assert_eq!(made.times(x, copy(y)), copy(sample.times(x, y)));
            }
        }
        for &x in &kernel {
            for &y in &kernel {
                assert_eq!(made.times(copy(x), copy(y)), sample.times(x, y));
            }
        }
        assert_eq!(extended.p_size(), sample.monoid.p_size());
        if extended.order() <= 16 {
            more.push(made);
        }
    }
    for sample in samples().into_iter().chain(more) {
        let found = TameExtension::new(&sample.monoid, &mut unlimited()).unwrap();
        if sample.kernel().len() <= 12 {
            assert_eq!(found.stages, stages(&sample));
        }
        for stages in 0..=found.stages {
            let base = found.base_of(&sample.monoid, stages);
            let mut again = base.monoid;
            for _ in 0..stages {
                again = again.tame_extension();
            }
            assert_eq!(again.class_key(), sample.monoid.class_key());
        }
    }
    for n in 2..7 {
        let monoid = tame(n);
        let found = TameExtension::new(&monoid, &mut unlimited()).unwrap();
        assert_eq!(found.stages, n - 1);
        let t2 = found.base_of(&monoid, n - 2).monoid;
        assert_eq!(t2.known_name().as_deref(), Some("T_2"));
    }
}

#[test]
fn products_are_direct_and_none_is_overlooked() {
    for sample in samples() {
        let factors = direct_factors(&sample.monoid, &mut unlimited())
            .unwrap()
            .unwrap();
        let mut products = vec![0];
        for factor in &factors {
            let all = products
                .iter()
                .flat_map(|&x| factor.elements.iter().map(move |&y| (x, y)));
            products = all.map(|(x, y)| sample.times(x, y)).collect();
            let elements: BTreeSet<Element> = factor.elements.iter().copied().collect();
            assert!(sample.is_closed(&elements));
            let generated = sample.monoid.generated_by(&factor.generators);
            assert_eq!(generated.monoid.order(), factor.elements.len());
            let part = Tabled::new(generated.monoid);
            assert!(!is_product(&part), "{factor:?}");
        }
        assert_eq!(products.len(), sample.order());
        products.sort_unstable();
        products.dedup();
        assert_eq!(products.len(), sample.order());
        assert_eq!(factors.len() > 1, is_product(&sample));
    }
}

/// Whether two submonoids, neither of them trivial, are factors, by trying all pairs.
fn is_product(sample: &Tabled) -> bool {
    let n = sample.order();
    assert!(n <= 24);
    if n > 14 {
        // Submonoids on at most three generators are enough for the samples of this order.
        return is_product_of_generated(sample);
    }
    let submonoids: Vec<BTreeSet<Element>> = (0..1_u32 << n)
        .filter(|mask| mask & 1 == 1 && n.is_multiple_of(mask.count_ones() as usize))
        .map(|mask| sample.subset(mask))
        .filter(|set| sample.is_closed(set))
        .collect();
    has_factors(sample, &submonoids)
}

fn is_product_of_generated(sample: &Tabled) -> bool {
    let mut submonoids: BTreeSet<BTreeSet<Element>> = BTreeSet::new();
    for x in sample.elements() {
        for y in sample.elements() {
            for z in sample.elements() {
                let part = sample.monoid.generated_by(&[x, y, z]);
                submonoids.insert(part.embedding.into_iter().collect());
            }
        }
    }
    let submonoids: Vec<BTreeSet<Element>> = submonoids.into_iter().collect();
    has_factors(sample, &submonoids)
}

fn has_factors(sample: &Tabled, submonoids: &[BTreeSet<Element>]) -> bool {
    submonoids.iter().any(|one| {
        submonoids.iter().any(|other| {
            let sizes = [one.len(), other.len()];
            if sizes.contains(&1) || sizes[0] * sizes[1] != sample.order() {
                return false;
            }
            let pairs = one.iter().flat_map(|&x| other.iter().map(move |&y| (x, y)));
            let products: BTreeSet<Element> = pairs.map(|(x, y)| sample.times(x, y)).collect();
            products.len() == sample.order()
        })
    })
}

/// All automorphisms, by trying all images of the generators.
fn automorphisms(sample: &Tabled) -> Vec<Vec<Element>> {
    let monoid = &sample.monoid;
    let words = misere_theory::monoid::word::lex_least_words(monoid);
    let mut images: Vec<Vec<Element>> = vec![Vec::new()];
    for _ in 0..monoid.generators() {
        images = images
            .into_iter()
            .flat_map(|image| {
                sample.elements().map(move |x| {
                    let mut longer = image.clone();
                    longer.push(x);
                    longer
                })
            })
            .collect();
    }
    let maps = images.into_iter().map(|image| {
        let of = |word: &misere_theory::monoid::word::Word| {
            let letters = word.0.iter().zip(&image);
            letters.fold(0, |x, (&exponent, &y)| {
                sample.times(x, sample.power(y, exponent))
            })
        };
        words.iter().map(of).collect::<Vec<Element>>()
    });
    let is_automorphism = |map: &Vec<Element>| {
        let image: BTreeSet<&Element> = map.iter().collect();
        image.len() == map.len()
            && sample
                .elements()
                .all(|x| monoid.in_p(x) == monoid.in_p(map[x as usize]))
            && sample.elements().all(|x| {
                sample.elements().all(|y| {
                    map[sample.times(x, y) as usize]
                        == sample.times(map[x as usize], map[y as usize])
                })
            })
    };
    // Images of a generator that others give may not count.
    let maps: BTreeSet<Vec<Element>> = maps.filter(is_automorphism).collect();
    maps.into_iter().collect()
}

#[test]
fn automorphisms_are_counted() {
    for sample in samples() {
        let found = Automorphisms::new(&sample.monoid, &mut unlimited())
            .unwrap()
            .unwrap();
        let all = automorphisms(&sample);
        assert_eq!(found.order(), Some(all.len() as u128));
        assert!(found.generators.iter().all(|map| all.contains(map)));
        let orbit =
            |x: Element| -> BTreeSet<Element> { all.iter().map(|map| map[x as usize]).collect() };
        let mut orbits: Vec<Vec<Element>> = sample
            .elements()
            .map(|x| orbit(x).into_iter().collect())
            .collect();
        orbits.retain(|orbit: &Vec<Element>| orbit.len() > 1);
        orbits.sort();
        orbits.dedup();
        assert_eq!(found.orbits, orbits);
    }
    // The stabilizer of a vector other than 0 in GL(n, 2).
    for (n, order) in [(3, 24), (4, 1_344), (5, 322_560)] {
        let found = Automorphisms::new(&tame(n), &mut unlimited()).unwrap();
        assert_eq!(found.unwrap().order(), Some(order));
    }
}

#[test]
fn least_sums_are_least_and_companies_tell() {
    for sample in samples() {
        let monoid = &sample.monoid;
        if monoid.generators() == 0 {
            continue;
        }
        // A heap of 1, 2, … beans for each generator, and a heavy one besides.
        let mut summands: Vec<Summand> = (0..monoid.generators())
            .map(|g| Summand {
                value: monoid.act(0, g),
                beans: g as u64 + 1,
            })
            .collect();
        summands.push(Summand {
            value: sample.times(monoid.act(0, 0), monoid.act(0, monoid.generators() - 1)),
            beans: 9,
        });
        let sums = LeastSums::new(monoid, &summands, &mut unlimited()).unwrap();
        // All sums, by the number of their summands.
        let mut least: BTreeMap<Element, (u32, u64)> = BTreeMap::from([(0, (0, 0))]);
        let mut level: BTreeSet<(Element, u64)> = BTreeSet::from([(0, 0)]);
        for count in 1..=12 {
            level = level
                .iter()
                .flat_map(|&(x, beans)| {
                    let sample = &sample;
                    summands
                        .iter()
                        .map(move |one| (sample.times(x, one.value), beans + one.beans))
                })
                .collect();
            let mut lightest = BTreeMap::new();
            for &(x, beans) in &level {
                let known = lightest.entry(x).or_insert(beans);
                *known = beans.min(*known);
            }
            level = lightest.iter().map(|(&x, &beans)| (x, beans)).collect();
            for (x, beans) in lightest {
                least.entry(x).or_insert((count, beans));
            }
        }
        for x in sample.elements() {
            let sum = sums.of(x).unwrap();
            let value = sum
                .iter()
                .fold(0, |y, &place| sample.times(y, summands[place].value));
            assert_eq!(value, x);
            let beans = sum.iter().map(|&place| summands[place].beans).sum();
            assert_eq!((sum.len() as u32, beans), least[&x]);
            for y in sample.elements() {
                let tells = |&z: &Element| {
                    monoid.in_p(sample.times(x, z)) != monoid.in_p(sample.times(y, z))
                };
                let expected = sample.elements().filter(tells).map(|z| least[&z]).min();
                let company = sums.telling(x, y);
                assert_eq!(company.map(|z| least[&z]), expected);
                assert!(company.is_none_or(|z| tells(&z)));
            }
        }
    }
}

#[test]
fn unfaithful_quotients_have_two_positions_of_one_value() {
    let t2 = tame(2);
    let sample = Tabled::new(t2.clone());
    let heaps = [(t2.act(0, 0), 1), (t2.act(0, 1), 2), (t2.act(0, 1), 3)];
    let found = nim_values_of_elements(&t2, &heaps, &mut unlimited()).unwrap();
    let NimValuesOfElements::Unfaithful(clash) = found else {
        panic!("{found:?}");
    };
    assert_ne!(clash.nim_values[0], clash.nim_values[1]);
    for (places, nim_value) in clash.heaps.iter().zip(clash.nim_values) {
        let value = places.iter().fold(0, |x, &at| sample.times(x, heaps[at].0));
        assert_eq!(value, clash.element);
        let sum = places.iter().fold(0, |sum, &at| sum ^ heaps[at].1);
        assert_eq!(sum, nim_value);
    }
}

#[test]
fn p_portions_of_small_monoids() {
    for quotient in quotients().into_iter().filter(|it| it.order() <= 12) {
        let found = p_portions(&quotient, &mut unlimited()).unwrap().unwrap();
        let marked = |p: &[Element]| {
            let rows = quotient.action().to_vec();
            BipartiteMonoid::new(quotient.order(), rows, p.iter().copied()).unwrap()
        };
        let keys: Vec<_> = found
            .quotients
            .iter()
            .map(|p| marked(p).class_key())
            .collect();
        assert!(keys.contains(&quotient.class_key()));
        let different: BTreeSet<_> = keys.iter().collect();
        assert_eq!(different.len(), keys.len());
        for p in &found.quotients {
            let decision = decide(&marked(p), &mut unlimited()).unwrap();
            assert!(matches!(decision, Decision::Quotient(_)));
        }
        if quotient.order() <= 8 {
            let reduced = (0..1_u32 << quotient.order()).filter(|mask| {
                let p: Vec<Element> = (0..quotient.order() as Element)
                    .filter(|x| mask >> x & 1 == 1)
                    .collect();
                marked(&p).is_reduced()
            });
            assert_eq!(found.reduced, reduced.count());
        }
    }
    // Too large to be tried, and a monoid that is no quotient with any P-portion.
    assert_eq!(p_portions(&tame(4), &mut unlimited()), Ok(None));
    let z3 = presented("<a | a^3=1> P={a}");
    let found = p_portions(&z3, &mut unlimited()).unwrap().unwrap();
    assert_eq!((found.reduced, found.quotients.len()), (6, 0));
}

#[test]
fn fuel_ends_everything() {
    let monoid = by_name("R_14").unwrap();
    let spent = || Control::new(0, Interrupt::default());
    let stop = Err(Stop::FuelSpent);
    assert_eq!(Powers::new(&monoid, &mut spent()).map(|_| ()), stop);
    assert_eq!(
        PrincipalSeries::new(&monoid, &mut spent()).map(|_| ()),
        stop
    );
    assert_eq!(Automorphisms::new(&monoid, &mut spent()).map(|_| ()), stop);
    assert_eq!(direct_factors(&monoid, &mut spent()).map(|_| ()), stop);
    assert_eq!(TameExtension::new(&monoid, &mut spent()).map(|_| ()), stop);
    assert_eq!(p_portions(&monoid, &mut spent()).map(|_| ()), stop);
    assert_eq!(LeastSums::new(&monoid, &[], &mut spent()).map(|_| ()), stop);
}

/// A Cayley graph on two generators of bounded index and period with a further relation.
fn any_monoid() -> impl Strategy<Value = BipartiteMonoid> {
    let exponents = || prop::collection::vec(0_u32..4, 2);
    let bounds = prop::collection::vec((0_u32..3, 1_u32..4), 2);
    (exponents(), exponents(), bounds, any::<u32>()).prop_map(|(one, other, bounds, mask)| {
        let word = |exponents: &[u32]| format!("a^{}b^{}", exponents[0], exponents[1]);
        let [(i, p), (j, q)] = [bounds[0], bounds[1]];
        let text = format!(
            "<a,b | {} = {}, a^{} = a^{i}, b^{} = b^{j}> P={{}}",
            word(&one),
            word(&other),
            i + p,
            j + q
        );
        let plain = presented(&text);
        let p_portion = ElementSet::where_true(plain.order(), |x| mask >> (x % 32) & 1 == 1);
        let rows = plain.action().to_vec();
        BipartiteMonoid::new(plain.order(), rows, p_portion.iter()).unwrap()
    })
}

proptest! {
    /// Factors, automorphisms and stages of monoids that nobody chose.
    #[test]
    fn any_monoid_has_the_structure_claimed(monoid in any_monoid()) {
        let sample = Tabled::new(monoid);
        prop_assume!(sample.order() <= 12);
        let found = Automorphisms::new(&sample.monoid, &mut unlimited()).unwrap().unwrap();
        prop_assert_eq!(found.order(), Some(automorphisms(&sample).len() as u128));
        let factors = direct_factors(&sample.monoid, &mut unlimited()).unwrap().unwrap();
        prop_assert_eq!(factors.len() > 1, is_product(&sample));
        let extension = TameExtension::new(&sample.monoid, &mut unlimited()).unwrap();
        prop_assert_eq!(extension.stages, stages(&sample));
        let series = PrincipalSeries::new(&sample.monoid, &mut unlimited()).unwrap();
        for place in 0..series.classes.len() {
            the_factor_is_what_it_is_called(&sample, &series, place);
        }
    }
}
