//! The monoid that is extended, with the tables that the search needs at every entry.

use super::super::small_monoid::{
    MAX_ORBITS, MAX_ORDER, Mask, SmallElement, SmallMonoid, elements,
};

/// The greatest number of pairs of twins that are examined.
const MAX_TWINS: usize = 64;

/// A monoid to be extended, with the tables that the search needs all the time.
pub(in super::super) struct Base<'a> {
    pub(super) monoid: &'a SmallMonoid,
    pub(super) generators: Vec<usize>,
    /// For every element `s` the set of those `y` with `sy ∈ P`.
    pub(super) translates: [Mask; MAX_ORDER],
    /// For every element `s` a set that contains the options of `s` in any valid minimex algebra.
    ///
    /// For 1 and `a` it contains the options of one pair.
    pub(super) options: [Mask; MAX_ORDER],
    /// For every orbit the generators and orbits whose product lies there.
    pub(super) factors: Vec<Vec<(usize, usize)>>,
    pub(super) twins: Twins,
    /// For every generator `g` and element `y` the set of elements `x` with `xg = y`.
    pub(super) quotients: Vec<[Mask; MAX_ORDER]>,
    /// For every orbit its possible images in S.
    ///
    /// These are the elements `v` of S such that equal products with the orbit are equal products
    /// with `v`.
    pub(super) images: [Mask; MAX_ORBITS],
}

impl<'a> Base<'a> {
    pub(in super::super) fn new(monoid: &'a SmallMonoid) -> Self {
        let generators = monoid.generators();
        let translates = monoid.translates();
        let mut options = meximal_sets(&translates[..monoid.order()]);
        options[0] = 0;
        options[1] = 1;
        let mut factors = vec![Vec::new(); monoid.orbits];
        for (index, &g) in generators.iter().enumerate() {
            for orbit in 0..monoid.orbits {
                let product = usize::from(monoid.table[g][orbit] >> 1);
                factors[product].push((index, orbit));
            }
        }
        let mut twins = Twins::default();
        let even = (0..monoid.order()).step_by(2);
        let pairs = even.flat_map(|x| (x + 2..monoid.order()).map(move |y| (x, y)));
        for (x, y) in pairs
            .filter(|&(x, y)| translates[x] == translates[y])
            .take(MAX_TWINS)
        {
            twins.add(x, y);
        }
        let quotients = generators
            .iter()
            .map(|&g| {
                let mut quotients = [0; MAX_ORDER];
                for x in 0..monoid.order() as SmallElement {
                    quotients[usize::from(monoid.product(x, 2 * g as SmallElement))] |= 1 << x;
                }
                quotients
            })
            .collect();
        let mut images = [0; MAX_ORBITS];
        for (orbit, images) in images[..monoid.orbits].iter_mut().enumerate() {
            *images = images_within(monoid, orbit);
        }
        Self {
            monoid,
            generators,
            translates,
            options,
            factors,
            twins,
            quotients,
            images,
        }
    }
}

/// The pairs of elements that cannot be told apart, by the distance of their numbers.
///
/// Of the pairs `(s, s')` and `(as, as')` only the one with an even `s` is stored.
#[derive(Clone, Copy, Default)]
pub(super) struct Twins {
    /// The distances at which there are pairs.
    pub(super) distances: Mask,
    /// For every distance the lesser elements of the pairs.
    lesser: [Mask; MAX_ORDER],
}

impl Twins {
    fn add(&mut self, x: usize, y: usize) {
        self.distances |= 1 << (y - x);
        self.lesser[y - x] |= 1 << x;
    }

    /// Keeps the pairs that a new element does not tell apart.
    ///
    /// The new element wins with the elements of `won` and loses with those of `lost`.
    #[inline]
    pub(super) fn keep_alike(&mut self, won: Mask, lost: Mask) {
        let alike = |distance: usize| won & won >> distance | lost & lost >> distance;
        for distance in elements(self.distances) {
            let at = usize::from(distance);
            // Where `(s, s')` is a pair, the numbers of `(as, as')` have the same distance if `s'`
            // is even, otherwise a distance less by 2.
            let times_a = alike(at - 2 * (at & 1)) >> 1;
            self.lesser[at] &= alike(at) & times_a;
            self.distances &= !(Mask::from(self.lesser[at] == 0) << distance);
        }
    }
}

/// Returns the elements of S that may be the image of an orbit.
///
/// These are the `v` such that `tu = t'u` implies `tv = t'v` for all `t, t' ∈ S`, where `u` is in
/// the orbit.
fn images_within(monoid: &SmallMonoid, orbit: usize) -> Mask {
    let row = &monoid.table[orbit][..monoid.orbits];
    let mut images = 0;
    for other in 0..monoid.orbits {
        let image = &monoid.table[other][..monoid.orbits];
        let agrees = (0..row.len()).all(|t| {
            (t + 1..row.len())
                .all(|u| row[t] >> 1 != row[u] >> 1 || row[t] ^ row[u] == image[t] ^ image[u])
        });
        images |= if agrees { 3 << (2 * other) } else { 0 };
    }
    images
}

/// Returns the meximal set of an element `x` with a translate.
///
/// It consists of the `y` for which no `z` has both `xz` and `yz` in P (Siegel, Definition 1.1).
pub(super) fn meximal(translates: &[Mask], of_x: Mask) -> Mask {
    let rows = translates.iter().enumerate();
    rows.fold(0, |set, (y, row)| set | Mask::from(row & of_x == 0) << y)
}

/// Returns the meximal sets of all elements.
pub(in super::super) fn meximal_sets(translates: &[Mask]) -> [Mask; MAX_ORDER] {
    let mut sets = [0; MAX_ORDER];
    for (x, set) in sets[..translates.len()].iter_mut().enumerate() {
        *set = meximal(translates, translates[x]);
    }
    sets
}
