//! Bipartite monoids, represented by their Cayley graphs.
//!
//! A bipartite monoid is a commutative monoid Q with a marked subset, its P-portion
//! (Plambeck–Siegel 2007). It is *reduced* if any two elements are distinguished by some translate:
//! for `x ≠ y` there is `z` with exactly one of `xz`, `yz` in P. Misère quotients of games are
//! reduced bipartite monoids.
//!
//! A finite one is stored as its **Cayley graph**: for each generator `g` the row `x ↦ x·g`.
//! Elements are numbers, the identity is 0. This determines the monoid: commuting rows in which
//! every element can be reached from 0 are the Cayley graph of exactly one commutative monoid with
//! those generators.
//!
//! - [`elements`]: sets of elements as bitsets
//! - [`multiplication`]: rows of elements that are not generators
//! - [`divisibility`]: divisibility, and irreducible elements
//! - [`canonical`]: the canonical form
//! - [`class`]: keys of isomorphism classes
//! - [`label`]: short labels of classes
//! - `commuting`: whether the rows of a table commute, in time proportional to the table
//! - `reading`: the reader of tables from untrusted input
//! - [`idempotents`]: idempotents, archimedean components, maximal subgroups
//! - [`isomorphism`]: isomorphisms of bipartite monoids
//! - [`families`]: the tame and the restive quotients, and quotients with a name
//! - [`submonoid`]: the bipartite monoid that some elements generate
//! - [`reduction`]: the reduced quotient by automaton minimisation

pub mod canonical;
pub mod class;
mod commuting;
pub mod divisibility;
pub mod elements;
pub mod families;
pub mod idempotents;
pub mod isomorphism;
pub mod label;
pub mod multiplication;
mod reading;
pub mod reduction;
mod refinement;
pub mod submonoid;

use serde::{Serialize, Serializer};

pub use canonical::CanonicalForm;
pub use class::{ClassKey, ClassKeyError};
pub use elements::ElementSet;

/// An element of a finite monoid; the identity is 0.
pub type Element = u32;

/// A finite commutative monoid with its P-portion, as a Cayley graph over named generators.
///
/// ```
/// use misere_game::bipartite::BipartiteMonoid;
/// // T_1 = ⟨a | a² = 1⟩ with P = {a}: the misère quotient of *1.
/// let t1 = BipartiteMonoid::new(2, vec![vec![1, 0]], [1])?;
/// assert!(t1.in_p(t1.act(0, 0)));
/// # Ok::<(), misere_game::bipartite::MonoidError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BipartiteMonoid {
    order: usize,
    action: Vec<Vec<Element>>,
    p_portion: ElementSet,
}

/// The reason why a table is not the Cayley graph of a bipartite monoid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MonoidError {
    /// A monoid has at least its identity.
    #[error("a monoid has at least one element")]
    Empty,
    /// A row of the action table has the wrong length.
    #[error("the row of generator {generator} has {found} entries, the order is {order}")]
    RowLength {
        /// Index of the generator.
        generator: usize,
        /// Entries found.
        found: usize,
        /// Order of the monoid.
        order: usize,
    },
    /// An entry of the action table, or of the P-portion, is not an element.
    #[error("{element} is not an element of a monoid of order {order}")]
    NotAnElement {
        /// The number found.
        element: Element,
        /// Order of the monoid.
        order: usize,
    },
    /// Two generators do not commute.
    #[error("generators {first} and {second} do not commute at element {element}")]
    NotCommutative {
        /// Index of one generator.
        first: usize,
        /// Index of the other.
        second: usize,
        /// The element at which they differ.
        element: Element,
    },
    /// An element is not a product of generators.
    #[error("element {element} is not a product of generators")]
    Unreachable {
        /// The element.
        element: Element,
    },
    /// An element is listed twice in the P-portion.
    #[error("element {element} is listed twice in the P-portion")]
    Repeated {
        /// The element.
        element: Element,
    },
}

impl BipartiteMonoid {
    /// Returns the bipartite monoid with the given rows and P-portion.
    ///
    /// It has `order` elements and one row `x ↦ x·g` per generator.
    ///
    /// ```
    /// use misere_game::bipartite::{BipartiteMonoid, MonoidError};
    /// // ⟨a | a³ = a⟩ with P = {a}: the elements 1, a, a².
    /// let monoid = BipartiteMonoid::new(3, vec![vec![1, 2, 1]], [1])?;
    /// assert_eq!((monoid.order(), monoid.p_size()), (3, 1));
    /// // No product of the generator, which is 1, is the element 1.
    /// let lost = BipartiteMonoid::new(2, vec![vec![0, 1]], []);
    /// assert_eq!(lost, Err(MonoidError::Unreachable { element: 1 }));
    /// # Ok::<(), MonoidError>(())
    /// ```
    ///
    /// # Errors
    /// [`MonoidError`] unless the rows commute, stay inside the monoid and reach every element from
    /// the identity. Cost: `O(n · g)`; with more than 16 rows, the test whether they commute errs
    /// with probability 2⁻¹¹⁷.
    pub fn new(
        order: usize,
        action: Vec<Vec<Element>>,
        p_portion: impl IntoIterator<Item = Element>,
    ) -> Result<Self, MonoidError> {
        if order == 0 || order > Element::MAX as usize {
            return Err(MonoidError::Empty);
        }
        // Check before anything of that size is allocated: the order is only claimed, the rows are
        // there.
        check_rows(order, &action)?;
        if action.is_empty() && order > 1 {
            return Err(MonoidError::Unreachable { element: 1 });
        }
        let mut marked = ElementSet::empty(order);
        for element in p_portion {
            if element as usize >= order {
                return Err(MonoidError::NotAnElement { element, order });
            }
            if !marked.insert(element) {
                return Err(MonoidError::Repeated { element });
            }
        }
        Self::of_rows(action, marked)
    }

    /// Returns the bipartite monoid of rows as long as the order, whose entries are all elements.
    fn of_rows(action: Vec<Vec<Element>>, p_portion: ElementSet) -> Result<Self, MonoidError> {
        let monoid = Self {
            order: p_portion.capacity(),
            action,
            p_portion,
        };
        monoid.check_reachable()?;
        monoid.check_commutes()?;
        Ok(monoid)
    }

    /// Makes a monoid like [`new`](Self::new), from tables that are Cayley graphs by construction.
    ///
    /// They are checked only in debug builds.
    pub fn by_construction(action: Vec<Vec<Element>>, p_portion: ElementSet) -> Self {
        let monoid = Self {
            order: p_portion.capacity(),
            action,
            p_portion,
        };
        debug_assert_eq!(
            check_rows(monoid.order, &monoid.action).and_then(|()| monoid.check_commutes()),
            Ok(())
        );
        debug_assert_eq!(monoid.check_reachable(), Ok(()));
        monoid
    }

    /// Makes a monoid of tables that have not been checked, for tests of the checks.
    #[cfg(feature = "unchecked")]
    #[must_use]
    pub fn unchecked(action: Vec<Vec<Element>>, p_portion: ElementSet) -> Self {
        Self {
            order: p_portion.capacity(),
            action,
            p_portion,
        }
    }

    /// Returns the trivial bipartite monoid T_0: one element, no generators, empty P-portion.
    ///
    /// ```
    /// use misere_game::bipartite::BipartiteMonoid;
    /// use misere_game::bipartite::families::tame;
    /// let t0 = BipartiteMonoid::trivial();
    /// assert_eq!((t0.order(), t0.generators(), t0.p_size()), (1, 0, 0));
    /// assert_eq!(t0, tame(0));
    /// ```
    #[must_use]
    pub fn trivial() -> Self {
        Self {
            order: 1,
            action: Vec::new(),
            p_portion: ElementSet::empty(1),
        }
    }

    /// Returns the number of elements.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// // T_n has 2^n + 2 elements for n ≥ 2.
    /// assert_eq!([2, 3, 4].map(|n| tame(n).order()), [6, 10, 18]);
    /// ```
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// Returns the number of generators.
    #[must_use]
    pub fn generators(&self) -> usize {
        self.action.len()
    }

    /// Returns `x·g` for the generator with index `g`.
    ///
    /// ```
    /// use misere_game::bipartite::BipartiteMonoid;
    /// let z3 = BipartiteMonoid::new(3, vec![vec![1, 2, 0]], [1])?;
    /// assert_eq!(z3.act(2, 0), 0); // a²·a = 1
    /// # Ok::<(), misere_game::bipartite::MonoidError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn act(&self, x: Element, g: usize) -> Element {
        self.action[g][x as usize]
    }

    /// Returns the row `x ↦ x·g` of the generator with index `g`.
    #[must_use]
    pub fn row(&self, g: usize) -> &[Element] {
        &self.action[g]
    }

    /// Returns the rows of the Cayley graph, one per generator.
    #[must_use]
    pub fn action(&self) -> &[Vec<Element>] {
        &self.action
    }

    /// Returns the P-portion.
    #[must_use]
    pub fn p_portion(&self) -> &ElementSet {
        &self.p_portion
    }

    /// Reports whether `x` lies in the P-portion.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// // T_1: the identity is N, since a player who cannot move has won; a = Φ(*) is P.
    /// let t1 = tame(1);
    /// assert!(!t1.in_p(0) && t1.in_p(1));
    /// ```
    #[must_use]
    #[inline]
    pub fn in_p(&self, x: Element) -> bool {
        self.p_portion.contains(x)
    }

    /// Returns the number of elements in the P-portion.
    #[must_use]
    pub fn p_size(&self) -> usize {
        self.p_portion.len()
    }

    /// Returns the product of generators, given by their indices with exponents.
    ///
    /// It walks the graph.
    ///
    /// Cost: one step for each generator, counted with its exponent.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// // T_2 = ⟨a, b | a² = 1, b³ = b⟩ with P = {a, b²}.
    /// let t2 = tame(2);
    /// assert_eq!(t2.product([(0, 2)]), 0);
    /// assert_eq!(t2.product([(1, 3)]), t2.act(0, 1));
    /// assert!(t2.in_p(t2.product([(1, 2)])));
    /// ```
    #[must_use]
    pub fn product(&self, exponents: impl IntoIterator<Item = (usize, u32)>) -> Element {
        self.product_from(0, exponents)
    }

    /// Returns `x` times the product of generators, given by their indices with exponents.
    ///
    /// Cost: one step for each generator, counted with its exponent.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// let t2 = tame(2);
    /// let b = t2.act(0, 1);
    /// assert_eq!(t2.product_from(b, [(1, 1)]), t2.product([(1, 2)]));
    /// ```
    #[must_use]
    pub fn product_from(
        &self,
        x: Element,
        exponents: impl IntoIterator<Item = (usize, u32)>,
    ) -> Element {
        exponents
            .into_iter()
            .fold(x, |x, (g, count)| (0..count).fold(x, |x, _| self.act(x, g)))
    }

    fn check_commutes(&self) -> Result<(), MonoidError> {
        match commuting::disagreement(self.order, &self.action) {
            None => Ok(()),
            Some((first, second, element)) => Err(MonoidError::NotCommutative {
                first,
                second,
                element,
            }),
        }
    }

    fn check_reachable(&self) -> Result<(), MonoidError> {
        let mut reached = ElementSet::empty(self.order);
        reached.insert(0);
        let mut queue = vec![0];
        while let Some(x) = queue.pop() {
            queue.extend(
                (0..self.generators())
                    .map(|g| self.act(x, g))
                    .filter(|&y| reached.insert(y)),
            );
        }
        match (0..self.order as Element).find(|&x| !reached.contains(x)) {
            Some(element) => Err(MonoidError::Unreachable { element }),
            None => Ok(()),
        }
    }
}

fn check_rows(order: usize, action: &[Vec<Element>]) -> Result<(), MonoidError> {
    for (generator, row) in action.iter().enumerate() {
        if row.len() != order {
            return Err(MonoidError::RowLength {
                generator,
                found: row.len(),
                order,
            });
        }
        if let Some(&element) = row.iter().find(|&&x| x as usize >= order) {
            return Err(MonoidError::NotAnElement { element, order });
        }
    }
    Ok(())
}

/// The form in which a monoid is serialised; `reading` reads it.
#[derive(Serialize)]
#[serde(rename = "RawMonoid")]
struct MonoidForm<'a> {
    order: usize,
    action: &'a [Vec<Element>],
    p_portion: Vec<Element>,
}

impl Serialize for BipartiteMonoid {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let written = MonoidForm {
            order: self.order,
            action: &self.action,
            p_portion: self.p_portion.iter().collect(),
        };
        written.serialize(to)
    }
}
