//! Ideals: the classes of mutual divisibility, the principal series, components, the kernel.

use super::*;

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

pub(super) fn the_factor_is_what_it_is_called(
    sample: &Tabled,
    series: &PrincipalSeries,
    place: usize,
) {
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
