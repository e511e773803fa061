//! The classes of mutual divisibility, the principal series and its Rees factors.
//!
//! Elements that divide each other are a *class of mutual divisibility* (Plambeck 2005, section
//! 8.2; Green's J-classes). Write `C > D` for classes if the elements of `C` divide the elements of
//! `D`. Number the classes `D_1, D_2, …, D_m` so that greater ones come first. The unions
//! `S_i = D_i ∪ … ∪ D_m` are ideals, and no ideal lies between `S_i` and `S_(i+1)`, since an ideal
//! with one element of a class has all of them. So
//!
//! ```text
//! Q = S_1 ⊃ S_2 ⊃ … ⊃ S_m ⊃ ∅
//! ```
//!
//! is a *principal series* (loc. cit., section 7.2). Other numberings give other series; their Rees
//! factors `S_i / S_(i+1)` are the same up to order and isomorphism (Rees 1940).
//!
//! **A factor is a group, a group with a zero, or null.** The factor `S_i / S_(i+1)` is `D_i` with
//! a zero, to which a product goes if it leaves `D_i`. If `D_i` has an idempotent, `D_i` is its
//! maximal subgroup, and no product leaves it. Conversely let a product `xy` of elements of `D_i`
//! stay in `D_i`. Then `xy` divides `x`, so `x = xyu = x(yu)^k` for some `u` and all `k`; choose
//! `k ≥ 1` with `e = (yu)^k` idempotent. From `x = xe` we see that `e` divides `x`. And `x` divides
//! its associate `y`, which divides `e`. So `e` lies in `D_i`. Hence all products are zero in a
//! factor without an idempotent. The last factor, of the kernel, has no zero: `S_m / ∅ = S_m`.

use crate::bipartite::divisibility::Divisibility;
use crate::bipartite::multiplication::Multiplication;
use crate::bipartite::{BipartiteMonoid, Element, ElementSet};
use crate::control::{Control, Stop};

/// A class of mutual divisibility.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The elements of the class, ascending.
    pub elements: Vec<Element>,
    /// The length of the longest chain of classes from the class of the units down to it.
    pub depth: u32,
    /// The idempotent of the class, if it is a group; it has at most one.
    pub idempotent: Option<Element>,
}

/// The kinds of Rees factors of a principal series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// The kernel, a group.
    Group,
    /// A group with a zero.
    GroupWithZero,
    /// A null semigroup: all products are zero.
    Null,
}

/// A principal series of a finite monoid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrincipalSeries {
    /// The classes `D_1, …, D_m`: by depth, then by their least elements.
    pub classes: Vec<Class>,
    /// For every element the place of its class.
    pub class_of: Vec<u32>,
    /// The pairs `(C, D)` of places with `C > D` and nothing between, in ascending order.
    pub covers: Vec<(u32, u32)>,
}

impl PrincipalSeries {
    /// Returns the series of a monoid.
    ///
    /// Cost: `O(n · g)` for order `n` and `g` generators, and `O(m² · s / 64)` for `m` classes with
    /// at most `s` neighbours each; `m²` bits of memory.
    ///
    /// ```
    /// use misere_game::bipartite::families::restive;
    /// use misere_game::control::Control;
    /// use misere_game::structure::principal_series::{Factor, PrincipalSeries};
    /// // R_8: the units {1, a}, then {t, at} with t² in the kernel, and the kernel.
    /// if let Some(r8) = restive(2) {
    ///     let series = PrincipalSeries::new(&r8, &mut Control::unlimited())?;
    ///     let factors = [0, 1, 2].map(|place| series.factor(place));
    ///     assert_eq!(factors, [Factor::GroupWithZero, Factor::Null, Factor::Group]);
    /// }
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn new(monoid: &BipartiteMonoid, control: &mut Control) -> Result<Self, Stop> {
        let order = monoid.order();
        control.spend((order * (monoid.generators() + 1)) as u64)?;
        let divisibility = Divisibility::new(monoid);
        let squares = Multiplication::new(monoid).powers(2);
        let mut classes: Vec<Class> = divisibility
            .depth
            .iter()
            .map(|&depth| Class {
                elements: Vec::new(),
                depth,
                idempotent: None,
            })
            .collect();
        for (x, &class) in (0..).zip(&divisibility.class) {
            let class = &mut classes[class as usize];
            class.elements.push(x);
            if squares[x as usize] == x {
                class.idempotent = Some(x);
            }
        }
        classes.sort_by_key(|class| (class.depth, class.elements.first().copied()));
        let mut class_of = vec![0; order];
        for (place, class) in (0..).zip(&classes) {
            for &x in &class.elements {
                class_of[x as usize] = place;
            }
        }
        let covers = covers(monoid, &classes, &class_of, control)?;
        Ok(Self {
            classes,
            class_of,
            covers,
        })
    }

    /// Returns the kind of the Rees factor `S_i / S_(i+1)`, for `D_i` in this place.
    ///
    /// # Panics
    /// If there is no class in this place.
    #[must_use]
    pub fn factor(&self, place: usize) -> Factor {
        match self.classes[place].idempotent {
            Some(_) if place + 1 == self.classes.len() => Factor::Group,
            Some(_) => Factor::GroupWithZero,
            None => Factor::Null,
        }
    }

    /// Returns the table of products of the Rees factor in this place; `None` means zero.
    ///
    /// The elements are in their order.
    ///
    /// Cost: `O(n · d)` for `d` elements.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// use misere_game::control::Control;
    /// use misere_game::structure::principal_series::PrincipalSeries;
    /// let t2 = tame(2);
    /// let series = PrincipalSeries::new(&t2, &mut Control::unlimited())?;
    /// // The units {1, a}.
    /// let units = series.factor_table(&t2, 0);
    /// assert_eq!(units, [[Some(0), Some(1)], [Some(1), Some(0)]]);
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Panics
    /// If there is no class in this place.
    #[must_use]
    pub fn factor_table(
        &self,
        monoid: &BipartiteMonoid,
        place: usize,
    ) -> Vec<Vec<Option<Element>>> {
        let multiplication = Multiplication::new(monoid);
        let elements = &self.classes[place].elements;
        let stays = |&x: &Element| self.class_of[x as usize] as usize == place;
        let rows = elements.iter().map(|&x| {
            let row = multiplication.row(x);
            let products = elements.iter().map(|&y| row[y as usize]);
            products.map(|xy| Some(xy).filter(stays)).collect()
        });
        rows.collect()
    }

    /// Reports whether every element lies in a group, so that the monoid is a union of groups.
    #[must_use]
    pub fn is_union_of_groups(&self) -> bool {
        self.classes.iter().all(|class| class.idempotent.is_some())
    }
}

/// Returns the covering pairs.
///
/// A class covers those of its neighbours that no other neighbour reaches.
fn covers(
    monoid: &BipartiteMonoid,
    classes: &[Class],
    class_of: &[u32],
    control: &mut Control,
) -> Result<Vec<(u32, u32)>, Stop> {
    let words = classes.len().div_ceil(64) as u64;
    let mut below: Vec<ElementSet> = Vec::with_capacity(classes.len());
    let mut covers = Vec::new();
    // Start at the last class, so that the classes below the neighbours are known.
    for (place, class) in classes.iter().enumerate().rev() {
        let edges = class.elements.iter().flat_map(|&x| {
            let images = (0..monoid.generators()).map(move |g| monoid.act(x, g));
            images.map(|y| class_of[y as usize])
        });
        let mut next: Vec<u32> = edges.filter(|&to| to as usize != place).collect();
        next.sort_unstable();
        next.dedup();
        control.spend(words * (1 + next.len() as u64))?;
        let below_of = |to: u32| &below[classes.len() - 1 - to as usize];
        let mut all = ElementSet::empty(classes.len());
        for &to in &next {
            all.union_with(below_of(to));
        }
        let direct = next.iter().filter(|&&to| !all.contains(to));
        covers.extend(direct.map(|&to| (place as u32, to)));
        for &to in &next {
            all.insert(to);
        }
        below.push(all);
    }
    covers.sort_unstable();
    Ok(covers)
}
