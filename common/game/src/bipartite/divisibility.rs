//! Divisibility of elements, and the irreducible elements.
//!
//! `y` *divides* `x`, written `y ≥ x`, if `x ∈ yQ`. Elements that divide each other are
//! *associates*; the classes of associates (Green's J-classes) are the strongly connected
//! components of the Cayley graph, since `yQ` consists of the elements that can be reached from
//! `y`. Write `y > x` if `y` divides `x` and is not an associate of it.
//!
//! An element `x ≠ 1` is *decomposable* if it is a product of elements that are all `> x`. The
//! others (units other than 1 among them) are the *irreducible* elements. Divisibility is defined
//! without generators, so isomorphisms map irreducible elements to irreducible ones; and **the
//! irreducible elements generate Q**: by induction from the top of the (finite) order, a
//! decomposable `x` is a product of greater elements, and each of these is a product of irreducible
//! ones.
//!
//! **They can be read off any Cayley graph.** A letter of a word for `y` divides `y`. Writing the
//! factors of a decomposition of `x` as words, we see that `x` is decomposable iff it is a product
//! of generators `> x`. Follow such a product letter by letter; its prefixes divide `x`. Either the
//! last proper prefix `y` is `> x`, and `x = y·g` with `y > x` and `g > x`; or `y` is an associate
//! of `x`, decomposable as a product of the same kind, and `x = y·g` with `g > x`. Conversely, if
//! `x = y·g` with `g > x`, and `y > x` or `y` is a decomposable associate of `x`, then `x` is
//! decomposable: letters of `y > x` are `≥ y`, hence `> x`. In `x = y·g` both factors divide `x`,
//! so `>` only asks for a different class. Redundant generators, or the identity among them, do not
//! change this.

use super::{BipartiteMonoid, Element};

/// The classes of associates, and their place in the order.
#[derive(Clone, Debug)]
pub struct Divisibility {
    /// The class of every element; if `y > x` then `class[y] > class[x]`.
    pub class: Vec<u32>,
    /// For each class the number of its elements.
    pub size: Vec<u32>,
    /// The length of the longest strict chain from the class of the units down to each class.
    pub depth: Vec<u32>,
    /// The elements, class by class in ascending number.
    by_class: Vec<Element>,
}

impl Divisibility {
    /// Computes classes and depths. Cost: `O(n · g)` for order `n` and `g` generators.
    ///
    /// ```
    /// use misere_game::bipartite::{divisibility::Divisibility, families::tame};
    /// // T_2 has two classes: the units 1 and a, and the kernel {b, ab, b², ab²} below them.
    /// let classes = Divisibility::new(&tame(2));
    /// assert_eq!(classes.size.iter().sum::<u32>(), 6);
    /// assert_eq!(classes.size.len(), 2);
    /// assert_eq!(classes.depth.iter().max(), Some(&1));
    /// ```
    #[must_use]
    pub fn new(monoid: &BipartiteMonoid) -> Self {
        let (class, by_class) = strong_components(monoid);
        let classes = by_class
            .last()
            .map_or(0, |&top| class[top as usize] as usize + 1);
        let mut size = vec![0; classes];
        class.iter().for_each(|&c| size[c as usize] += 1);
        // A covering pair of classes is joined by an edge of the graph and every edge descends or
        // stays, so longest paths between components are longest chains: an invariant of the order,
        // not of the generators.
        let mut depth = vec![0; classes];
        for &x in by_class.iter().rev() {
            let from = class[x as usize] as usize;
            for g in 0..monoid.generators() {
                let to = class[monoid.act(x, g) as usize] as usize;
                if to != from {
                    depth[to] = depth[to].max(depth[from] + 1);
                }
            }
        }
        Self {
            class,
            size,
            depth,
            by_class,
        }
    }

    /// Returns the irreducible elements in ascending number; see the module's text.
    ///
    /// Cost: `O(n · g)`.
    ///
    /// ```
    /// use misere_game::bipartite::{divisibility::Divisibility, families::tame};
    /// // The generators a and b of T_2 are irreducible.
    /// let t2 = tame(2);
    /// let irreducible = Divisibility::new(&t2).irreducible(&t2);
    /// assert!(irreducible.contains(&t2.act(0, 0)) && irreducible.contains(&t2.act(0, 1)));
    /// ```
    #[must_use]
    pub fn irreducible(&self, monoid: &BipartiteMonoid) -> Vec<Element> {
        let class_of = |x: Element| self.class[x as usize];
        let mut decomposable = vec![false; monoid.order()];
        let mut spreading = Vec::new();
        let generator_class: Vec<u32> = (0..monoid.generators())
            .map(|g| class_of(monoid.act(0, g)))
            .collect();
        for &y in &self.by_class {
            for (g, &above) in generator_class.iter().enumerate() {
                let x = monoid.act(y, g);
                let is_strict = class_of(x) != class_of(y) && class_of(x) != above;
                if is_strict && !std::mem::replace(&mut decomposable[x as usize], true) {
                    spreading.push(x);
                }
            }
        }
        while let Some(y) = spreading.pop() {
            for (g, &above) in generator_class.iter().enumerate() {
                let x = monoid.act(y, g);
                let is_within = class_of(x) == class_of(y) && class_of(x) != above;
                if is_within && !std::mem::replace(&mut decomposable[x as usize], true) {
                    spreading.push(x);
                }
            }
        }
        (1..monoid.order() as Element)
            .filter(|&x| !decomposable[x as usize])
            .collect()
    }
}

/// Finds the component of every element, and the elements component by component.
///
/// This is Tarjan's algorithm without recursion.
///
/// Components are numbered in the order in which they are closed: components that can be reached
/// from a component come before it.
fn strong_components(monoid: &BipartiteMonoid) -> (Vec<u32>, Vec<Element>) {
    const UNSEEN: u32 = u32::MAX;
    let order = monoid.order();
    let mut index = vec![UNSEEN; order];
    let mut low = vec![0_u32; order];
    let mut class = vec![UNSEEN; order];
    let mut by_class = Vec::with_capacity(order);
    let mut open: Vec<Element> = vec![0];
    let mut path: Vec<(Element, usize)> = vec![(0, 0)];
    let (mut seen, mut classes) = (1, 0);
    index[0] = 0;
    while let Some((x, g)) = path.last_mut() {
        let x = *x;
        if *g < monoid.generators() {
            let y = monoid.act(x, *g);
            *g += 1;
            if index[y as usize] == UNSEEN {
                index[y as usize] = seen;
                low[y as usize] = seen;
                seen += 1;
                open.push(y);
                path.push((y, 0));
            } else if class[y as usize] == UNSEEN {
                low[x as usize] = low[x as usize].min(index[y as usize]);
            }
            continue;
        }
        path.pop();
        if let Some(&(parent, _)) = path.last() {
            low[parent as usize] = low[parent as usize].min(low[x as usize]);
        }
        if low[x as usize] == index[x as usize] {
            while let Some(y) = open.pop() {
                class[y as usize] = classes;
                by_class.push(y);
                if y == x {
                    break;
                }
            }
            classes += 1;
        }
    }
    (class, by_class)
}
