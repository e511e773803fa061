//! The structure of quotients against the definitions, by brute force.
//!
//! Every function of `structure/` is compared with its definition, read off the table of all
//! products: over all misère quotients of order at most 12, their tame extensions, and monoids that
//! are not quotients.

mod any_monoid;
mod ideals;
mod positions;
mod products;

use std::collections::{BTreeMap, BTreeSet};

use misere_algebra::classify::Classifier;
use misere_algebra::classify::decision::{Decision, decide};
use misere_algebra::classify::p_portions::p_portions;
use misere_game::bipartite::families::{by_name, tame};
use misere_game::bipartite::idempotents::Idempotents;
use misere_game::bipartite::multiplication::Multiplication;
use misere_game::bipartite::{BipartiteMonoid, Element, ElementSet};
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::monoid::readable::WrittenPresentation;
use misere_game::structure::automorphisms::Automorphisms;
use misere_game::structure::components::components;
use misere_game::structure::kernel::Kernel;
use misere_game::structure::least_sums::{LeastSums, Summand};
use misere_game::structure::normal_play::{NimValuesOfElements, nim_values_of_elements};
use misere_game::structure::powers::Powers;
use misere_game::structure::principal_series::{Factor, PrincipalSeries};
use misere_game::structure::product::direct_factors;
use misere_game::structure::tame_extension::TameExtension;
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

    /// Returns the least ideal: the elements that every element divides.
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
    let written: WrittenPresentation = text.parse().unwrap();
    written.bipartite_monoid(1_000).unwrap()
}

/// Returns quotients, and monoids with cyclic groups, long tails, several components, factors.
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
