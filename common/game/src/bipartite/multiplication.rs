//! Products of elements that are not generators.
//!
//! A Cayley graph has rows for generators only. A spanning tree of it from the identity gives, for
//! every `y ≠ 1`, an earlier element and a generator with `y = parent(y) · letter(y)`, and then
//! `y·s = (parent(y)·s) · letter(y)`: one step per element fills the row `y ↦ y·s`, for words of
//! any length. The same step gives all squares, cubes, ….

use super::{BipartiteMonoid, Element};

/// Rows `y ↦ y·s` and powers, computed on demand along a spanning tree of the Cayley graph.
///
/// ```
/// use misere_game::bipartite::{BipartiteMonoid, multiplication::Multiplication};
/// let z4 = BipartiteMonoid::new(4, vec![vec![1, 2, 3, 0]], [1])?;
/// let multiplication = Multiplication::new(&z4);
/// assert_eq!(multiplication.row(3), [3, 0, 1, 2]);
/// assert_eq!(multiplication.powers(2), [0, 2, 0, 2]);
/// # Ok::<(), misere_game::bipartite::MonoidError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Multiplication<'a> {
    monoid: &'a BipartiteMonoid,
    /// The elements other than the identity with parent and letter, parents first.
    tree: Vec<(Element, Element, u32)>,
    /// For every element its parent and the letter between them; the identity is its own parent.
    parents: Vec<(Element, u32)>,
}

impl<'a> Multiplication<'a> {
    /// Builds the spanning tree by breadth. Cost: `O(n · g)` for order `n` and `g` generators.
    #[must_use]
    pub fn new(monoid: &'a BipartiteMonoid) -> Self {
        let order = monoid.order();
        let mut found = vec![false; order];
        found[0] = true;
        let mut parents = vec![(0, 0); order];
        let mut tree = Vec::with_capacity(order - 1);
        let (mut parent, mut next) = (0, 0);
        while tree.len() + 1 < order {
            for g in 0..monoid.generators() {
                let child = monoid.act(parent, g);
                if !std::mem::replace(&mut found[child as usize], true) {
                    tree.push((child, parent, g as u32));
                    parents[child as usize] = (parent, g as u32);
                }
            }
            // Every element is a product of generators, so the queue cannot run dry before the tree
            // spans.
            let Some(&(element, ..)) = tree.get(next) else {
                break;
            };
            parent = element;
            next += 1;
        }
        Self {
            monoid,
            tree,
            parents,
        }
    }

    /// Returns the product `x·y`. Cost: the length of the shortest word of `y`.
    ///
    /// ```
    /// use misere_game::bipartite::{families::tame, multiplication::Multiplication};
    /// // T_1 = {1, a} with a² = 1.
    /// let t1 = tame(1);
    /// assert_eq!(Multiplication::new(&t1).times(1, 1), 0);
    /// ```
    #[must_use]
    pub fn times(&self, x: Element, y: Element) -> Element {
        let (mut product, mut rest) = (x, y);
        while rest != 0 {
            let (parent, letter) = self.parents[rest as usize];
            product = self.monoid.act(product, letter as usize);
            rest = parent;
        }
        product
    }

    /// Returns the power `x^exponent`, by repeated squaring. Cost: `O(log exponent)` products.
    ///
    /// ```
    /// use misere_game::bipartite::{families::tame, multiplication::Multiplication};
    /// // Every element of T_n has x³ = x.
    /// let t3 = tame(3);
    /// assert_eq!(Multiplication::new(&t3).power(5, 1_000_001), 5);
    /// ```
    #[must_use]
    pub fn power(&self, x: Element, exponent: u64) -> Element {
        let (mut power, mut square, mut rest) = (0, x, exponent);
        while rest > 0 {
            if rest & 1 == 1 {
                power = self.times(power, square);
            }
            rest >>= 1;
            if rest > 0 {
                square = self.times(square, square);
            }
        }
        power
    }

    /// Returns the row `y ↦ y·s`. Cost: one step per element.
    ///
    /// ```
    /// use misere_game::bipartite::{families::tame, multiplication::Multiplication};
    /// // In T_1 = {1, a} multiplication by a exchanges the two.
    /// let t1 = tame(1);
    /// assert_eq!(Multiplication::new(&t1).row(1), [1, 0]);
    /// ```
    #[must_use]
    pub fn row(&self, s: Element) -> Vec<Element> {
        let mut row = vec![s; self.monoid.order()];
        for &(element, parent, letter) in &self.tree {
            row[element as usize] = self.monoid.act(row[parent as usize], letter as usize);
        }
        row
    }

    /// Returns the map `y ↦ y^exponent`. Cost: `exponent` steps per element.
    ///
    /// ```
    /// use misere_game::bipartite::{families::tame, multiplication::Multiplication};
    /// // Every element of T_n has x³ = x.
    /// let t3 = tame(3);
    /// assert_eq!(Multiplication::new(&t3).powers(3), (0..10).collect::<Vec<u32>>());
    /// ```
    #[must_use]
    pub fn powers(&self, exponent: u32) -> Vec<Element> {
        let mut power = vec![0; self.monoid.order()];
        for &(element, parent, letter) in &self.tree {
            power[element as usize] = (0..exponent).fold(power[parent as usize], |x, _| {
                self.monoid.act(x, letter as usize)
            });
        }
        power
    }
}
