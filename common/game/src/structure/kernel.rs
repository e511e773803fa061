//! The kernel of a quotient, and its relation to misère play.
//!
//! The kernel is the least ideal. In a finite commutative monoid it is a group, whose identity is
//! the product of all idempotents. A quotient is *regular* if exactly one element of its kernel is
//! in P, and *normal* if that element is the identity of the kernel (Siegel, *Structure and
//! classification*, Definition 3.1).

use crate::bipartite::idempotents::Idempotents;
use crate::bipartite::{BipartiteMonoid, Element};

/// The kernel of a finite bipartite monoid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The identity of the kernel.
    pub identity: Element,
    /// The elements of the kernel, ascending.
    pub elements: Vec<Element>,
    /// The orders of the cyclic groups whose product the kernel is.
    ///
    /// They are prime powers in ascending order.
    pub invariants: Vec<u32>,
    /// The elements of the kernel in P, ascending.
    pub in_p: Vec<Element>,
}

impl Kernel {
    /// Returns the kernel of a monoid whose idempotents are known.
    ///
    /// Cost: as [`Idempotents::invariants`].
    ///
    /// ```
    /// use misere_game::bipartite::{families::tame, idempotents::Idempotents};
    /// use misere_game::structure::kernel::Kernel;
    /// let t3 = tame(3);
    /// let kernel = Kernel::new(&t3, &Idempotents::new(&t3));
    /// assert_eq!((kernel.elements.len(), kernel.is_normal()), (8, true));
    /// assert_eq!(kernel.invariants, [2, 2, 2]);
    /// ```
    #[must_use]
    pub fn new(monoid: &BipartiteMonoid, idempotents: &Idempotents) -> Self {
        // The least idempotent is the last one, and its group is the kernel.
        let last = idempotents.elements.len().saturating_sub(1);
        let elements = idempotents.groups.get(last).cloned().unwrap_or_default();
        let in_p = elements.iter().copied().filter(|&x| monoid.in_p(x));
        Self {
            identity: idempotents.elements.get(last).copied().unwrap_or(0),
            in_p: in_p.collect(),
            invariants: idempotents.invariants(monoid, last),
            elements,
        }
    }

    /// Reports whether exactly one element of the kernel is in P.
    #[must_use]
    pub fn is_regular(&self) -> bool {
        self.in_p.len() == 1
    }

    /// Reports whether the identity of the kernel is the only element of the kernel in P.
    #[must_use]
    pub fn is_normal(&self) -> bool {
        self.in_p == [self.identity]
    }
}
