//! Tame extensions, and the number of times that a bipartite monoid is one.
//!
//! The *first tame extension* `T(Q, P)` of a bipartite monoid with kernel `K` has a second copy of
//! the kernel (Siegel, *Structure and classification*, Definition 3.5):
//!
//! ```text
//! Q⁺ = Q ∪ {x̄ : x ∈ K}      x̄·y = (xy)‾ for y ∈ Q      x̄·ȳ = xy      P⁺ = P
//! ```
//!
//! Example: `T_3 = T(T_2)`, `R_12 = T(R_8)`. The *`k`-th* is `T^k(Q, P) = T(T^(k-1)(Q, P))`.
//!
//! **Which monoids are `k`-th tame extensions.** Let `K` be the kernel of `Q` with identity `z`,
//! and `H` the subgroup of `K` that the elements `zy`, `y ∉ K`, and the elements of `K ∩ P`
//! generate. Then `Q` is the `k`-th tame extension of the submonoid `(Q ∖ K) ∪ K_0` iff `K_0` is a
//! subgroup with `H ⊆ K_0` and `K = K_0 × E`, where `E` is elementary abelian of order `2^k`.
//!
//! - Let `K_0` and `E` be such, and `t ≠ z` in `E`. Put `x̄ = xt` for `x` in `K_0`. For `y` in
//!   `K_0` or outside `K` the product `xy = x·zy` is in `K_0`, and `x̄y = xyt`, `x̄ȳ = xyt² = xy`.
//!   A product of elements outside `K` that lies in `K` is a product of elements `zy`, so it is in
//!   `K_0`, and the rest is a submonoid. So one factor of order 2 of `E` is one extension.
//! - Conversely the copies of `k` extensions are `xt` for the `t` of such an `E`: the copy `z̄` of
//!   the identity has the square `z`, and products of elements of `Q` are in `Q`.
//!
//! **The greatest `k`.** `K_0` contains `M = H·K²`, and `V = K/M` is a vector space over the field
//! with two elements. The group `E` is a complement of `K_0`, so it maps one to one into `V`, to a
//! part of the image `W` of the elements of order 2. Conversely a basis of `W` comes from such
//! elements `t_1, …, t_k`, which generate an `E`, and a complement of `W` in `V` comes from a
//! `K_0`. So the greatest `k` is the dimension of `W`.

use crate::bipartite::idempotents::Idempotents;
use crate::bipartite::multiplication::Multiplication;
use crate::bipartite::submonoid::Submonoid;
use crate::bipartite::{BipartiteMonoid, Element, ElementSet};
use crate::control::{Control, Stop};

impl BipartiteMonoid {
    /// Returns the first tame extension.
    ///
    /// Its generators are those of the monoid and the copy of the identity of its kernel.
    ///
    /// The copies have the greatest numbers.
    ///
    /// Cost: as for the idempotents, and linear in the table.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// assert_eq!(tame(2).tame_extension().known_name().as_deref(), Some("T_3"));
    /// ```
    #[must_use]
    pub fn tame_extension(&self) -> Self {
        let idempotents = Idempotents::new(self);
        let kernel = idempotents.groups.last().cloned().unwrap_or_default();
        let identity = idempotents.elements.last().copied().unwrap_or(0);
        let order = self.order();
        let mut copy = vec![Element::MAX; order];
        for (number, &x) in (order as Element..).zip(&kernel) {
            copy[x as usize] = number;
        }
        let mut action: Vec<Vec<Element>> = Vec::with_capacity(self.generators() + 1);
        for g in 0..self.generators() {
            let mut row = self.row(g).to_vec();
            row.extend(kernel.iter().map(|&x| copy[self.act(x, g) as usize]));
            action.push(row);
        }
        // The copy of z takes x to the copy of xz, and the copy of x to xz = x.
        let by_identity = Multiplication::new(self).row(identity);
        let mut row: Vec<Element> = by_identity.iter().map(|&x| copy[x as usize]).collect();
        row.extend(&kernel);
        action.push(row);
        let p_portion = ElementSet::where_true(order + kernel.len(), |x| {
            (x as usize) < order && self.in_p(x)
        });
        Self::by_construction(action, p_portion)
    }
}

/// A bipartite monoid as a tame extension of another.
#[derive(Clone, Debug)]
pub struct TameExtension {
    /// The greatest `k` such that the monoid is a `k`-th tame extension.
    pub stages: u32,
    /// The elements of a bipartite monoid whose `k`-th tame extension it is, ascending.
    pub base: Vec<Element>,
    /// Elements of order 2 of the kernel, one for each extension: the copies of its identity.
    pub copies: Vec<Element>,
}

impl TameExtension {
    /// Returns the greatest number of extensions that a monoid comes from.
    ///
    /// Cost: `O(n)` for order `n` for each of at most `3 log n` elements, and for the products of
    /// the identity of the kernel.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// use misere_game::control::Control;
    /// use misere_game::structure::tame_extension::TameExtension;
    /// // T_4 comes from ⟨a, z | a² = 1, z² = z⟩ by three extensions; T_2 and T_3 are on the way.
    /// let t4 = tame(4);
    /// let found = TameExtension::new(&t4, &mut Control::unlimited())?;
    /// assert_eq!((found.stages, found.base.len()), (3, 4));
    /// assert_eq!(found.base_of(&t4, 2).monoid.known_name().as_deref(), Some("T_2"));
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn new(monoid: &BipartiteMonoid, control: &mut Control) -> Result<Self, Stop> {
        let order = monoid.order();
        control.spend((order * (monoid.generators() + 1)) as u64)?;
        let idempotents = Idempotents::new(monoid);
        let multiplication = Multiplication::new(monoid);
        let kernel = idempotents.groups.last().cloned().unwrap_or_default();
        let identity = idempotents.elements.last().copied().unwrap_or(0);
        let by_identity = multiplication.row(identity);
        let squares = multiplication.powers(2);
        let in_kernel = ElementSet::where_true(order, |x| by_identity[x as usize] == x);
        let outside = (0..order as Element).filter(|&x| !in_kernel.contains(x));
        let needed = outside.map(|x| by_identity[x as usize]);
        let marked = kernel.iter().copied().filter(|&x| monoid.in_p(x));
        let roots = kernel.iter().map(|&x| squares[x as usize]);
        let mut base = Subgroup::new(order, identity);
        for x in needed.chain(marked).chain(roots) {
            base.extend(x, &multiplication, control)?;
        }
        // Elements of order 2 come first as long as they are new, then a complement of them.
        let (mut all, mut copies) = (base.clone(), Vec::new());
        for &t in kernel.iter().filter(|&&t| squares[t as usize] == identity) {
            if all.extend(t, &multiplication, control)? {
                copies.push(t);
            }
        }
        for &x in &kernel {
            if all.extend(x, &multiplication, control)? {
                base.extend(x, &multiplication, control)?;
            }
        }
        let outside = (0..order as Element).filter(|&x| !in_kernel.contains(x));
        let mut elements: Vec<Element> = outside.chain(base.elements).collect();
        elements.sort_unstable();
        Ok(Self {
            stages: copies.len() as u32,
            base: elements,
            copies,
        })
    }

    /// Returns the bipartite monoid whose `stages`-th tame extension the monoid is.
    ///
    /// Greater numbers than [`stages`](Self::stages) count as that.
    ///
    /// Cost: as for the submonoid.
    #[must_use]
    pub fn base_of(&self, monoid: &BipartiteMonoid, stages: u32) -> Submonoid {
        let kept = self.copies.len().saturating_sub(stages as usize);
        let elements = self.base.iter().chain(&self.copies[..kept]);
        let elements: Vec<Element> = elements.copied().collect();
        monoid.generated_by(&elements)
    }
}

/// A subgroup of the kernel.
#[derive(Clone, Debug)]
struct Subgroup {
    elements: Vec<Element>,
    contains: ElementSet,
}

impl Subgroup {
    fn new(order: usize, identity: Element) -> Self {
        let mut contains = ElementSet::empty(order);
        contains.insert(identity);
        Self {
            elements: vec![identity],
            contains,
        }
    }

    /// Adds an element with all its products and reports whether it is new.
    fn extend(
        &mut self,
        x: Element,
        multiplication: &Multiplication<'_>,
        control: &mut Control,
    ) -> Result<bool, Stop> {
        if self.contains.contains(x) {
            return Ok(false);
        }
        control.spend(self.contains.capacity() as u64)?;
        let row = multiplication.row(x);
        // Coset by coset, until a power of x is reached.
        let mut coset = self.elements.clone();
        loop {
            coset.iter_mut().for_each(|y| *y = row[*y as usize]);
            if coset.first().is_none_or(|&y| self.contains.contains(y)) {
                return Ok(true);
            }
            for &y in &coset {
                self.contains.insert(y);
            }
            self.elements.extend_from_slice(&coset);
        }
    }
}
