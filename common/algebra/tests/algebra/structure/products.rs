//! Products: tame extensions, direct factors and automorphisms, compared with exhaustive searches.

use super::*;

/// Returns the number of times that a monoid is a tame extension.
///
/// Looks for a half of its kernel that can be left out.
pub(super) fn stages(sample: &Tabled) -> u32 {
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

/// Reports whether two submonoids, neither of them trivial, are factors, by trying all pairs.
pub(super) fn is_product(sample: &Tabled) -> bool {
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

/// Returns all automorphisms, by trying all images of the generators.
pub(super) fn automorphisms(sample: &Tabled) -> Vec<Vec<Element>> {
    let monoid = &sample.monoid;
    let words = misere_game::monoid::word::lex_least_words(monoid);
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
        let of = |word: &misere_game::monoid::word::Word| {
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
