//! Arbitrary monoids: factors, automorphisms, stages and principal series.

use super::ideals::the_factor_is_what_it_is_called;
use super::products::{automorphisms, is_product, stages};
use super::*;

/// Generates Cayley graphs on two generators of bounded index and period with a further relation.
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
    /// Factors, automorphisms and stages of arbitrary monoids are as claimed.
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
