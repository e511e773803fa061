//! Bipartite monoids as whole tables: covers with their P-portions, and isomorphisms.

use super::covers::{Cocycle, value};
use super::monoids::{MAX_ORDER, Table};

/// A set of elements, a bit for each.
pub(crate) type Set = u32;

/// The greatest order for which tables have room.
pub(crate) const MAX_COVERED: usize = 2 * MAX_ORDER;

/// The multiplication table of a cover.
pub(crate) type Products = [[u8; MAX_COVERED]; MAX_COVERED];

/// A set for each element.
pub(crate) type Rows = [Set; MAX_COVERED];

/// A finite commutative monoid with a P-portion. The identity is 0, and 1 is `a`.
#[derive(Clone, Debug)]
pub(crate) struct Bipartite {
    /// The number of elements.
    pub(crate) order: usize,
    /// The multiplication table.
    pub(crate) table: Products,
    /// The P-portion.
    pub(crate) p: Set,
}

/// Iterates over the elements of a set.
pub(crate) fn elements(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let least = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        least
    })
}

/// Returns the cover of a monoid by a cocycle; the pair `(u, i)` has the number `2u + i`.
pub(crate) fn cover(order: usize, monoid: &Table, cocycle: Cocycle) -> Products {
    let product = |x: usize, y: usize| {
        let (u, v) = (x / 2, y / 2);
        let bit = (x ^ y) as u8 & 1 ^ u8::from(value(cocycle, u, v));
        2 * monoid[u][v] + bit
    };
    let mut table = [[0; MAX_COVERED]; MAX_COVERED];
    for (x, row) in table.iter_mut().enumerate().take(2 * order) {
        (0..2 * order).for_each(|y| row[y] = product(x, y));
    }
    table
}

/// Finds the P-portions of a cover that make it a reduced bipartite monoid.
///
/// These have `1 ∉ P`, `a ∈ P`, and at most one of `(u, 0)` and `(u, 1)` in P.
///
/// Calls `reduced` with each of them and, for each element `x`, the set of the `z` with `xz ∈ P`.
/// Returns the number of P-portions tried.
pub(crate) fn portions(order: usize, table: &Products, mut reduced: impl FnMut(Set, &Rows)) -> u64 {
    let tried = 3_u64.pow(order as u32 - 1);
    for number in 0..tried {
        let (mut p, mut rest): (Set, u64) = (0b10, number);
        for u in 1..order {
            p |= ((rest % 3) as Set) << (2 * u);
            rest /= 3;
        }
        if let Some(rows) = rows_if_reduced(order, table, p) {
            reduced(p, &rows);
        }
    }
    tried
}

/// Returns the sets of the `z` with `xz ∈ P`, if they are different for different `x`.
fn rows_if_reduced(order: usize, table: &Products, p: Set) -> Option<Rows> {
    let mut rows = [0; MAX_COVERED];
    for u in 0..order {
        let mut row: Set = 0;
        for v in 0..order {
            // The row of (u, 0): its products with (v, 0) and (v, 1).
            let product = table[2 * u][2 * v];
            let pair = p >> (product & !1) & 0b11;
            let turned = if product & 1 == 0 {
                pair
            } else {
                pair >> 1 | (pair & 1) << 1
            };
            row |= turned << (2 * v);
        }
        // The row of (u, 1).
        let other = row >> 1 & 0x5555_5555 | row << 1 & 0xAAAA_AAAA;
        if row == other || rows[..2 * u].contains(&row) {
            return None;
        }
        rows[2 * u] = row;
        rows[2 * u + 1] = other;
    }
    Some(rows)
}

impl Bipartite {
    /// Returns the product of two elements.
    pub(crate) fn product(&self, x: usize, y: usize) -> usize {
        usize::from(self.table[x][y])
    }

    /// Reports whether an element is in P.
    pub(crate) fn in_p(&self, x: usize) -> bool {
        self.p >> x & 1 != 0
    }

    /// Returns the elements `z` with `xz ∈ P`.
    pub(crate) fn wins(&self, x: usize) -> Set {
        (0..self.order)
            .filter(|&z| self.in_p(self.product(x, z)))
            .fold(0, |set, z| set | 1 << z)
    }

    /// Returns numbers of an element that every isomorphism preserves.
    fn profile(&self, x: usize) -> [u32; 6] {
        let order = self.order;
        let square = self.product(x, x);
        let count = |has: &dyn Fn(usize) -> bool| (0..order).filter(|&y| has(y)).count() as u32;
        [
            u32::from(self.in_p(x)),
            self.wins(x).count_ones(),
            self.wins(square).count_ones(),
            count(&|y| self.product(y, y) == x),
            count(&|y| self.product(x, y) == x),
            count(&|y| self.product(x, y) == square),
        ]
    }

    /// Returns the profiles of all elements in ascending order.
    pub(crate) fn profiles(&self) -> Vec<[u32; 6]> {
        let mut all: Vec<_> = (0..self.order).map(|x| self.profile(x)).collect();
        all.sort_unstable();
        all
    }

    /// Reports whether some bijection respects products and P.
    pub(crate) fn is_isomorphic(&self, other: &Self) -> bool {
        fn extend(one: &Bipartite, other: &Bipartite, to: &mut Vec<usize>) -> bool {
            let x = to.len();
            if x == one.order {
                return (0..x).all(|x| {
                    (0..=x).all(|y| to[one.product(x, y)] == other.product(to[x], to[y]))
                });
            }
            let profile = one.profile(x);
            for image in 0..other.order {
                if to.contains(&image) || profile != other.profile(image) {
                    continue;
                }
                to.push(image);
                let fits = (0..=x).all(|y| {
                    let product = one.product(x, y);
                    product > x || to[product] == other.product(image, to[y])
                });
                if fits && extend(one, other, to) {
                    return true;
                }
                to.pop();
            }
            false
        }
        self.order == other.order && extend(self, other, &mut Vec::new())
    }
}
