//! What is the reduced quotient of a bipartite monoid?
//!
//! Two elements `x`, `y` are indistinguishable if `xz ∈ P ⇔ yz ∈ P` for all `z`. Read the Cayley graph as a deterministic
//! automaton (states = elements, letters = generators, accepting = P): `x` and `y` are indistinguishable iff they accept
//! the same words, so the reduction is the minimal automaton. Moore's refinement finds it in `O(n · g)` per round and at
//! most `n` rounds (in practice a handful).

use rustc_hash::FxHashMap;

use super::{BipartiteMonoid, Element, ElementSet};

/// A reduced bipartite monoid with the map onto it.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The reduced monoid, on the same generators.
    pub monoid: BipartiteMonoid,
    /// The element of the reduced monoid for each element of the original.
    pub map: Vec<Element>,
}

impl BipartiteMonoid {
    /// Whether any two elements are distinguishable. Cost as for [`reduce`](Self::reduce).
    #[must_use]
    pub fn is_reduced(&self) -> bool {
        let (_, classes) = indistinguishable(self.action(), self.p_portion());
        classes == self.order()
    }

    /// The reduced quotient and the map onto it; classes are numbered by their least element.
    ///
    /// Cost: `O(rounds · n · g)` for order `n` and `g` generators.
    ///
    /// ```
    /// use misere_theory::bipartite::BipartiteMonoid;
    /// // ⟨a | a⁴ = 1⟩ with P = {a, a³} cannot tell a² from 1.
    /// let z4 = BipartiteMonoid::new(4, vec![vec![1, 2, 3, 0]], [1, 3])?;
    /// assert_eq!(z4.reduce().monoid.order(), 2);
    /// # Ok::<(), misere_theory::bipartite::MonoidError>(())
    /// ```
    #[must_use]
    pub fn reduce(&self) -> Reduction {
        let (map, classes) = indistinguishable(self.action(), self.p_portion());
        let mut first = vec![Element::MAX; classes];
        for (x, &class) in map.iter().enumerate().rev() {
            first[class as usize] = x as Element;
        }
        let action = self
            .action()
            .iter()
            .map(|row| {
                first
                    .iter()
                    .map(|&x| map[row[x as usize] as usize])
                    .collect()
            })
            .collect();
        let p_portion = ElementSet::where_true(classes, |class| self.in_p(first[class as usize]));
        Reduction {
            monoid: Self::by_construction(action, p_portion),
            map,
        }
    }
}

/// Classes of indistinguishable states, numbered by first occurrence, and how many there are.
fn indistinguishable(action: &[Vec<Element>], accepting: &ElementSet) -> (Vec<Element>, usize) {
    let order = accepting.universe();
    let mut class: Vec<Element> = (0..order as Element)
        .map(|x| u32::from(accepting.contains(x)))
        .collect();
    let mut classes = 1 + usize::from(!accepting.is_empty() && accepting.len() < order);
    loop {
        let before = classes;
        // One letter at a time: cheap keys, and later letters of a round already see the finer partition.
        for row in action {
            let mut number = FxHashMap::default();
            let finer = (0..order)
                .map(|x| {
                    let fresh = number.len() as Element;
                    *number
                        .entry((class[x], class[row[x] as usize]))
                        .or_insert(fresh)
                })
                .collect();
            class = finer;
            classes = number.len();
        }
        if classes == before {
            break;
        }
    }
    number_by_first_occurrence(&mut class);
    (class, classes)
}

fn number_by_first_occurrence(class: &mut [Element]) {
    let mut number = FxHashMap::default();
    for class in class {
        let fresh = number.len() as Element;
        *class = *number.entry(*class).or_insert(fresh);
    }
}
