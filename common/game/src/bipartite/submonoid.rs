//! The bipartite monoid that some elements generate.

use super::multiplication::Multiplication;
use super::{BipartiteMonoid, Element, ElementSet};

/// A submonoid with the outcomes of the monoid around it, on generators of its own.
///
/// In general it is not reduced.
#[derive(Clone, Debug)]
pub struct Submonoid {
    /// The submonoid.
    pub monoid: BipartiteMonoid,
    /// The index of the given element that each generator of the submonoid is.
    pub generators: Vec<usize>,
    /// The element of the surrounding monoid that each element of the submonoid is.
    pub embedding: Vec<Element>,
}

impl BipartiteMonoid {
    /// Returns the submonoid that some elements generate.
    ///
    /// Its generators are the given elements that the ones before do not generate.
    ///
    /// The partial quotient of a game to heap `n` is the reduction of what `Φ(1), …, Φ(n)`
    /// generate. Numbers that are not elements are skipped. Cost: `O(m·(k + g))` for order `m` of
    /// the submonoid, `k` generators of it and `g` of the monoid.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// let t3 = tame(3);
    /// let whole = t3.generated_by(&[t3.act(0, 0), t3.act(0, 1), t3.act(0, 2)]);
    /// let part = t3.generated_by(&[t3.act(0, 0), t3.act(0, 1)]);
    /// assert_eq!((whole.monoid.order(), part.monoid.order()), (10, 6));
    /// assert_eq!(part.monoid.known_name().as_deref(), Some("T_2"));
    /// ```
    #[must_use]
    pub fn generated_by(&self, elements: &[Element]) -> Submonoid {
        let multiplication = Multiplication::new(self);
        let mut rows: Vec<Vec<Element>> = Vec::new();
        let mut generators = Vec::new();
        // The number of each element that was reached.
        let mut number: Vec<Option<Element>> = vec![None; self.order()];
        let mut embedding: Vec<Element> = vec![0];
        number[0] = Some(0);
        for (index, &x) in elements.iter().enumerate() {
            if number.get(x as usize).is_none_or(Option::is_some) {
                continue;
            }
            generators.push(index);
            rows.push(multiplication.row(x));
            // Multiply all elements reached so far by the new one, and the new elements by all
            // generators.
            let mut open: Vec<Element> = embedding.clone();
            while let Some(x) = open.pop() {
                for row in &rows {
                    let y = row[x as usize];
                    if number[y as usize].is_none() {
                        number[y as usize] = Some(embedding.len() as Element);
                        embedding.push(y);
                        open.push(y);
                    }
                }
            }
        }
        let renumbered = |row: &Vec<Element>| -> Vec<Element> {
            let images = embedding.iter().map(|&x| number[row[x as usize] as usize]);
            // The submonoid is closed, so every image has a number.
            images.flatten().collect()
        };
        let action = rows.iter().map(renumbered).collect();
        let p_portion =
            ElementSet::where_true(embedding.len(), |x| self.in_p(embedding[x as usize]));
        Submonoid {
            monoid: BipartiteMonoid::by_construction(action, p_portion),
            generators,
            embedding,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bipartite::families::{restive, tame};

    /// Products in the submonoid are products in the surrounding monoid.
    #[test]
    fn it_is_embedded() {
        for monoid in [tame(4), restive(3).unwrap()] {
            let all = Multiplication::new(&monoid);
            for x in 0..monoid.order() as Element {
                for y in 0..monoid.order() as Element {
                    let part = monoid.generated_by(&[x, y, x]);
                    let inside = Multiplication::new(&part.monoid);
                    assert_eq!(part.embedding[0], 0);
                    for u in 0..part.monoid.order() {
                        let (here, there) = (inside.row(u as Element), all.row(part.embedding[u]));
                        for v in 0..part.monoid.order() {
                            let image = part.embedding[here[v] as usize];
                            assert_eq!(image, there[part.embedding[v] as usize]);
                        }
                        assert_eq!(
                            part.monoid.in_p(u as Element),
                            monoid.in_p(part.embedding[u])
                        );
                    }
                }
            }
        }
        let none = tame(2).generated_by(&[0, 99]);
        assert_eq!(none.monoid, BipartiteMonoid::trivial());
    }
}
