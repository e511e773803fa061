//! Positions: least sums, contexts that tell two apart, P-portions; and the bounds by fuel.

use super::*;

#[test]
fn least_sums_are_least_and_contexts_tell() {
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
                let context = sums.telling(x, y);
                assert_eq!(context.map(|z| least[&z]), expected);
                assert!(context.is_none_or(|z| tells(&z)));
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
    // Too large to be tried, and a monoid that is not a quotient with any P-portion.
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
