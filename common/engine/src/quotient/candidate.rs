//! A candidate quotient of some heaps: its verification, and the value of the next heap.
//!
//! A [`Candidate`] is a reduced bipartite monoid with values for the heaps `0..=n`. It is
//! *verified* if every position of those heaps has the predicted outcome (see [`super::deficit`]).
//! Further heaps join a verified candidate by **mex interpolation**: a heap with option image `E`
//! has the value `x` if `U(E) ∩ x⁻¹P = ∅` (that is, `E` lies in the meximal set of `x`) and its
//! deficit at `x` is empty or inside one already recorded at `x`; if only the first holds, `x` is
//! tried by verification.

use rustc_hash::FxHashMap;

use misere_game::bipartite::{BipartiteMonoid, Element, ElementSet};
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;

use super::deficit::{Counterexample, Deficits};
use super::products::Products;

/// The number of possible values of a heap below which each is examined separately.
const MAX_VALUES_ONE_BY_ONE: usize = 8;

/// A reduced bipartite monoid with values for the heaps from 0 on.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) monoid: BipartiteMonoid,
    pub(super) values: Vec<Element>,
    pub(super) products: Products,
    deficits: Deficits,
    /// Values of option images that occurred before.
    interpolated: FxHashMap<ElementSet, Element>,
}

impl Candidate {
    /// Returns the quotient of no heaps at all: one element, nothing in P.
    pub(super) fn trivial() -> Self {
        Self::unverified(BipartiteMonoid::trivial(), None, vec![0])
    }

    /// Returns a candidate that is not verified yet.
    ///
    /// Elements in `unknown` are of a truncated quotient: nothing is claimed about their outcomes.
    pub(super) fn unverified(
        monoid: BipartiteMonoid,
        unknown: Option<&ElementSet>,
        values: Vec<Element>,
    ) -> Self {
        let products = Products::new(&monoid, unknown);
        let deficits = Deficits::new(&products);
        Self {
            monoid,
            values,
            products,
            deficits,
            interpolated: FxHashMap::default(),
        }
    }

    /// Verifies all values and returns the lex-least failure.
    ///
    /// Returns `None` if every outcome is as predicted.
    ///
    /// `generator_heaps` are the heaps whose values are the monoid's generators. If `proved` is
    /// given, positions without the newest heap are known to be right, and it is the candidate that
    /// was verified for them.
    pub(super) fn verify(
        &mut self,
        code: &Code,
        generator_heaps: &[u32],
        proved: Option<&Self>,
        control: &mut Control,
    ) -> Result<Option<Counterexample>, Stop> {
        let newest = self.values.len() as u32 - 1;
        let mut least_p_failure: Option<Counterexample> = None;
        for heap in 1..self.values.len() as u32 {
            if !code.is_live(heap) {
                continue;
            }
            let value = self.values[heap as usize];
            let image = self.option_image(code, heap, control)?;
            if self.interpolated.get(&image) == Some(&value) {
                continue;
            }
            let wins = self.wins(&image, control)?;
            let context = self.products.context(value, control)?;
            if !wins.is_disjoint(context) {
                let both: Vec<Element> = wins.iter().filter(|&z| context.contains(z)).collect();
                for z in both {
                    control.spend(200 + 5 * image.len() as u64)?;
                    self.products.prepare(z, control)?;
                    if !self.is_p_failure(value, &image, z) {
                        continue;
                    }
                    let failure = self.position(z, heap, generator_heaps);
                    if least_p_failure
                        .as_ref()
                        .is_none_or(|least| precedes(&failure, least))
                    {
                        least_p_failure = Some(failure);
                    }
                }
            }
            let deficit = self.deficit(value, &wins, control)?;
            let (deficits, products) = (&mut self.deficits, &mut self.products);
            let failure = match proved {
                Some(before) if heap < newest => {
                    let before = &before.deficits;
                    deficits.take_proved(heap, value, &deficit, before, products, control)?;
                    None
                }
                _ => deficits.add_heap(heap, value, &deficit, products, control)?,
            };
            if let Some(failure) = failure {
                let p_failure = least_p_failure.filter(|p_failure| precedes(p_failure, &failure));
                return Ok(Some(p_failure.unwrap_or(failure)));
            }
            self.interpolated.insert(image, value);
        }
        Ok(least_p_failure)
    }

    /// Returns the value of the next heap in this quotient, if it has one, and then adds the heap.
    pub(super) fn take_in(
        &mut self,
        code: &Code,
        control: &mut Control,
    ) -> Result<Option<Element>, Stop> {
        let heap = self.values.len() as u32;
        if !code.is_live(heap) {
            control.spend(20)?;
            self.values.push(0);
            return Ok(Some(0));
        }
        let image = self.option_image(code, heap, control)?;
        let known = self.interpolated.get(&image).copied();
        let value = match known {
            Some(value) => Some(value),
            None => self.interpolate(heap, &image, control)?,
        };
        if let Some(value) = value {
            self.interpolated.insert(image, value);
            self.values.push(value);
        }
        Ok(value)
    }

    fn interpolate(
        &mut self,
        heap: u32,
        image: &ElementSet,
        control: &mut Control,
    ) -> Result<Option<Element>, Stop> {
        let wins = self.wins(image, control)?;
        let mut open = Vec::new();
        for x in self.possible_values(&wins, control)? {
            let deficit = self.deficit(x, &wins, control)?;
            if deficit.is_empty() || self.deficits.covers(x, &deficit) {
                return Ok(Some(x));
            }
            if !deficit.contains(0) {
                open.push((x, deficit));
            }
        }
        for (x, deficit) in open {
            if self
                .deficits
                .add_heap(heap, x, &deficit, &mut self.products, control)?
                .is_none()
            {
                return Ok(Some(x));
            }
        }
        Ok(None)
    }

    /// Returns `Φ''H`: the values of the heap's options.
    fn option_image(
        &mut self,
        code: &Code,
        heap: u32,
        control: &mut Control,
    ) -> Result<ElementSet, Stop> {
        let order = self.products.order();
        control.spend(30 + order as u64 / 32 + 2 * code.most_options(heap))?;
        self.products.forget_if_large();
        self.products.prepare(0, control)?;
        for part in 1..heap as usize {
            let value = self.values[part];
            if self.products.row(value).is_empty() {
                self.products.prepare(value, control)?;
            }
        }
        let mut image = ElementSet::empty(order);
        let (values, products) = (&self.values, &self.products);
        code.for_each_option(heap, |option| {
            let [a, b, others @ ..] = option.0.map(|part| values[part as usize]);
            // Most moves leave at most two heaps, so a factor 1 is skipped.
            let times = |product, &value: &Element| match value {
                0 => product,
                _ => products.product(value, product),
            };
            image.insert(others.iter().fold(products.product(a, b), times));
        });
        Ok(image)
    }

    /// Returns `U(E)`: the context in which a move into the image wins.
    fn wins(&mut self, image: &ElementSet, control: &mut Control) -> Result<ElementSet, Stop> {
        let mut wins = ElementSet::empty(self.products.order());
        for e in image.iter() {
            control.spend(5 + wins.words().len() as u64 / 2)?;
            wins.union_with(self.products.context(e, control)?);
        }
        Ok(wins)
    }

    /// Returns the elements `x` with `U ∩ x⁻¹P = ∅`.
    fn possible_values(
        &mut self,
        wins: &ElementSet,
        control: &mut Control,
    ) -> Result<Vec<Element>, Stop> {
        let order = self.products.order();
        let mut possible = ElementSet::where_true(order, |_| true);
        for u in wins.iter() {
            // xu ∈ P for some u in U rules x out. A few such u leave few x; testing those one by
            // one is then cheaper.
            control.spend(5 + possible.words().len() as u64)?;
            let out = self.products.context(u, control)?;
            possible.subtract(out);
            if possible.len() <= MAX_VALUES_ONE_BY_ONE {
                break;
            }
        }
        let mut values = Vec::new();
        for x in possible.iter() {
            control.spend(5 + possible.words().len() as u64 / 2)?;
            if self.products.context(x, control)?.is_disjoint(wins) {
                values.push(x);
            }
        }
        Ok(values)
    }

    /// Returns `{z : xz ∉ P, z ∉ U}`.
    fn deficit(
        &mut self,
        x: Element,
        wins: &ElementSet,
        control: &mut Control,
    ) -> Result<ElementSet, Stop> {
        control.spend(5 + wins.words().len() as u64)?;
        let mut settled = self.products.context(x, control)?.clone();
        settled.union_with(wins);
        Ok(settled.complement())
    }

    /// Reports whether in the context of `z` both the heap's value and one of its options are in P.
    ///
    /// `z` must be prepared. Unknown outcomes do not count as P.
    fn is_p_failure(&self, value: Element, image: &ElementSet, z: Element) -> bool {
        let in_p = |x: Element| self.monoid.in_p(self.products.product(z, x));
        in_p(value) && image.iter().any(in_p)
    }

    /// Returns the lex-least position of value `z`, with one more heap.
    fn position(&self, z: Element, heap: u32, generator_heaps: &[u32]) -> Counterexample {
        let word = self.products.word(z).0;
        let mut position: Counterexample = generator_heaps
            .iter()
            .copied()
            .zip(word)
            .filter(|&(_, count)| count > 0)
            .collect();
        match position.binary_search_by_key(&heap, |&(h, _)| h) {
            Ok(at) => position[at].1 += 1,
            Err(at) => position.insert(at, (heap, 1)),
        }
        position
    }
}

/// Reports whether a position comes before another in lex order.
///
/// The largest heap whose counts differ decides.
pub(super) fn precedes(one: &Counterexample, other: &Counterexample) -> bool {
    one.iter().rev().lt(other.iter().rev())
}
