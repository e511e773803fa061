//! The group of the automorphisms of a bipartite monoid.
//!
//! An automorphism of `(Q, P)` is a bijection of `Q` that preserves products and takes `P` onto
//! `P`. Example: in `T_3` the six elements of the kernel other than `z` and `az` can be exchanged,
//! and there are 24 automorphisms. The quotient of 0.123 has none but the identity.
//!
//! An automorphism is known from the images of generators `b_1, …, b_k`. The group is counted along
//! its *stabilizer chain*: its order is the product over `i` of the number of images that `b_i` has
//! under the automorphisms that fix `b_1, …, b_(i-1)`. A search decides whether `y` is such an
//! image: images of `b_(i+1), …, b_k` are tried one after the other, and a choice is abandoned as
//! soon as the submonoid generated so far is not mapped one to one, with products and P.
//! Automorphisms that are found extend the list of images without a search, and map elements that
//! are not images to elements that are not images, so there are few searches.

use super::MAX_TABLE;
use super::powers::Powers;
use super::table::Table;
use crate::bipartite::divisibility::Divisibility;
use crate::bipartite::{BipartiteMonoid, Element};
use crate::control::{Control, Stop};

/// The automorphisms of a bipartite monoid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automorphisms {
    /// Automorphisms that generate the group, each as the image of every element.
    pub generators: Vec<Vec<Element>>,
    /// The numbers whose product is the order of the group.
    pub factors: Vec<u64>,
    /// The sets of more than one element that automorphisms exchange.
    ///
    /// They are sorted by their least elements, and each is ascending.
    pub orbits: Vec<Vec<Element>>,
}

impl Automorphisms {
    /// Returns the group of a monoid; `None` if its order is above [`MAX_TABLE`].
    ///
    /// Cost: `O(n²)` for order `n`, and the searches.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// use misere_game::control::Control;
    /// use misere_game::structure::automorphisms::Automorphisms;
    /// // T_2: b and ab can be exchanged.
    /// let found = Automorphisms::new(&tame(2), &mut Control::unlimited())?;
    /// let found = found.ok_or("too large")?;
    /// assert_eq!((found.order(), found.orbits.len()), (Some(2), 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn new(monoid: &BipartiteMonoid, control: &mut Control) -> Result<Option<Self>, Stop> {
        if monoid.order() > MAX_TABLE {
            return Ok(None);
        }
        let search = Search::new(monoid, control)?;
        let mut generators: Vec<Vec<Element>> = Vec::new();
        let mut factors = Vec::with_capacity(search.base.len());
        // Start at the deepest stabilizer: automorphisms found there fix all generators before.
        for level in (0..search.base.len()).rev() {
            factors.push(search.images_of(level, &mut generators, control)?);
        }
        factors.retain(|&factor| factor > 1);
        factors.sort_unstable();
        let orbits = orbits(monoid.order(), &generators);
        Ok(Some(Self {
            generators,
            factors,
            orbits,
        }))
    }

    /// Returns the number of automorphisms; `None` if it has more than 128 bits.
    #[must_use]
    pub fn order(&self) -> Option<u128> {
        let mut factors = self.factors.iter();
        factors.try_fold(1_u128, |order, &factor| order.checked_mul(factor.into()))
    }

    /// Reports whether the identity is the only automorphism.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.generators.is_empty()
    }
}

/// Properties of an element that every automorphism preserves.
type Colour = (bool, bool, u32, u32, u32, u32, usize);

struct Search<'a> {
    monoid: &'a BipartiteMonoid,
    table: Table,
    /// Elements that generate the monoid.
    base: Vec<Element>,
    /// For each element of the base the elements that have its colour, ascending.
    candidates: Vec<Vec<Element>>,
}

impl<'a> Search<'a> {
    fn new(monoid: &'a BipartiteMonoid, control: &mut Control) -> Result<Self, Stop> {
        let table = Table::new(monoid, control)?;
        let divisibility = Divisibility::new(monoid);
        let colours = colours(monoid, &table, &divisibility, control)?;
        let mut irreducible = divisibility.irreducible(monoid);
        let alike = |x: Element| {
            let colour = &colours[x as usize];
            colours.iter().filter(|other| *other == colour).count()
        };
        // Elements with few candidates come first.
        irreducible.sort_by_cached_key(|&x| (alike(x), x));
        let mut base = Vec::new();
        let mut generated = vec![0];
        for x in irreducible {
            control.spend(monoid.order() as u64)?;
            if !generated.contains(&x) {
                base.push(x);
                generated = table.generated(&base);
            }
        }
        let with_colour_of = |&x: &Element| {
            let colour = &colours[x as usize];
            let alike = (0..).zip(&colours).filter(|(_, other)| *other == colour);
            alike.map(|(y, _)| y).collect()
        };
        let candidates = base.iter().map(with_colour_of).collect();
        Ok(Self {
            monoid,
            table,
            base,
            candidates,
        })
    }

    /// Returns the number of images of the element of the base in a place.
    ///
    /// The images are under the automorphisms that fix the elements before it.
    ///
    /// `found` generates the automorphisms that also fix the element itself, and is extended.
    fn images_of(
        &self,
        level: usize,
        found: &mut Vec<Vec<Element>>,
        control: &mut Control,
    ) -> Result<u64, Stop> {
        let fixed = &self.base[..level];
        let mut orbit = orbit(self.base[level], found);
        let mut refused: Vec<Element> = Vec::new();
        for &y in &self.candidates[level] {
            if orbit.contains(&y) || refused.contains(&y) {
                continue;
            }
            let mut images = fixed.to_vec();
            images.push(y);
            match self.extended(&mut images, control)? {
                Some(automorphism) => {
                    found.push(automorphism);
                    orbit = self::orbit(self.base[level], found);
                }
                None => refused.extend(self::orbit(y, found)),
            }
        }
        Ok(orbit.len() as u64)
    }

    /// Returns an automorphism that takes the first elements of the base to these images.
    fn extended(
        &self,
        images: &mut Vec<Element>,
        control: &mut Control,
    ) -> Result<Option<Vec<Element>>, Stop> {
        let Some(map) = self.partial(images, control)? else {
            return Ok(None);
        };
        let Some(candidates) = self.candidates.get(images.len()) else {
            return Ok(Some(map));
        };
        for &y in candidates {
            images.push(y);
            let extended = self.extended(images, control)?;
            images.pop();
            if extended.is_some() {
                return Ok(extended);
            }
        }
        Ok(None)
    }

    /// Returns the partial map that images of the first elements of the base determine.
    ///
    /// It maps the submonoid that they generate. The result is `None` unless the map is one to one
    /// and keeps products and P.
    ///
    /// Elements outside are mapped to `Element::MAX`.
    fn partial(
        &self,
        images: &[Element],
        control: &mut Control,
    ) -> Result<Option<Vec<Element>>, Stop> {
        let order = self.table.order();
        control.spend(order as u64)?;
        let mut image = vec![Element::MAX; order];
        let mut is_taken = vec![false; order];
        (image[0], is_taken[0]) = (0, true);
        let mut open = vec![0];
        while let Some(x) = open.pop() {
            control.spend(images.len() as u64)?;
            for (&b, &c) in self.base.iter().zip(images) {
                let (y, z) = (
                    self.table.times(x, b),
                    self.table.times(image[x as usize], c),
                );
                let known = image[y as usize];
                if known == z {
                    continue;
                }
                let is_new = known == Element::MAX && !is_taken[z as usize];
                if !is_new || self.monoid.in_p(y) != self.monoid.in_p(z) {
                    return Ok(None);
                }
                image[y as usize] = z;
                is_taken[z as usize] = true;
                open.push(y);
            }
        }
        Ok(Some(image))
    }
}

fn colours(
    monoid: &BipartiteMonoid,
    table: &Table,
    divisibility: &Divisibility,
    control: &mut Control,
) -> Result<Vec<Colour>, Stop> {
    let powers = Powers::new(monoid, control)?;
    let order = monoid.order() as Element;
    let mut colours = Vec::with_capacity(monoid.order());
    for x in 0..order {
        control.spend(u64::from(order))?;
        let class = divisibility.class[x as usize] as usize;
        let won = (0..order).filter(|&y| monoid.in_p(table.times(x, y)));
        colours.push((
            monoid.in_p(x),
            monoid.in_p(table.times(x, x)),
            powers.index[x as usize],
            powers.period[x as usize],
            divisibility.depth[class],
            divisibility.size[class],
            won.count(),
        ));
    }
    Ok(colours)
}

/// Returns the images of an element under the group that some automorphisms generate.
fn orbit(x: Element, generators: &[Vec<Element>]) -> Vec<Element> {
    let mut orbit = vec![x];
    let mut at = 0;
    while let Some(&y) = orbit.get(at) {
        for generator in generators {
            let z = generator[y as usize];
            if !orbit.contains(&z) {
                orbit.push(z);
            }
        }
        at += 1;
    }
    orbit
}

fn orbits(order: usize, generators: &[Vec<Element>]) -> Vec<Vec<Element>> {
    let mut is_known = vec![false; order];
    let mut orbits = Vec::new();
    for x in 0..order as Element {
        if is_known[x as usize] {
            continue;
        }
        let mut found = orbit(x, generators);
        found.iter().for_each(|&y| is_known[y as usize] = true);
        found.sort_unstable();
        if found.len() > 1 {
            orbits.push(found);
        }
    }
    orbits
}
