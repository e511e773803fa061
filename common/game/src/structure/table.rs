//! All products of a small monoid.

use crate::bipartite::multiplication::Multiplication;
use crate::bipartite::{BipartiteMonoid, Element};
use crate::control::{Control, Stop};

/// The table of all products.
pub struct Table {
    order: usize,
    products: Vec<Element>,
}

impl Table {
    /// Computes the table of a monoid. Time and memory: `O(n²)` for order `n`.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends the computation.
    pub fn new(monoid: &BipartiteMonoid, control: &mut Control) -> Result<Self, Stop> {
        let order = monoid.order();
        let multiplication = Multiplication::new(monoid);
        let mut products = Vec::with_capacity(order * order);
        for x in 0..order as Element {
            control.spend(order as u64)?;
            products.extend(multiplication.row(x));
        }
        Ok(Self { order, products })
    }

    /// Returns the number of elements.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Returns the product of two elements.
    pub fn times(&self, x: Element, y: Element) -> Element {
        self.products[x as usize * self.order + y as usize]
    }

    /// Returns the elements that some elements generate, the identity first.
    pub fn generated(&self, elements: &[Element]) -> Vec<Element> {
        let mut found = vec![false; self.order];
        found[0] = true;
        let mut list = vec![0];
        let mut at = 0;
        while let Some(&x) = list.get(at) {
            for &g in elements {
                let y = self.times(x, g);
                if !std::mem::replace(&mut found[y as usize], true) {
                    list.push(y);
                }
            }
            at += 1;
        }
        list
    }
}
