//! The archimedean components, and the nilradical.
//!
//! A commutative semigroup is *archimedean* if each of two elements divides a power of the other.
//! Every finite commutative monoid is, in one way only, a semilattice of archimedean semigroups
//! (Tamura and Kimura 1954; Plambeck 2005, section 8.3): the elements with the same idempotent
//! among their powers are a component, and the components multiply as their idempotents do. A
//! component consists of a group, the maximal subgroup of its idempotent, and of elements with some
//! power in that group.
//!
//! The component of the identity of the kernel is here called the **nilradical**: its elements are
//! those with some power in the kernel, so they are the nilpotent elements of the Rees quotient of
//! the monoid by its kernel.

use crate::bipartite::idempotents::Idempotents;
use crate::bipartite::multiplication::Multiplication;
use crate::bipartite::{BipartiteMonoid, Element, ElementSet};
use crate::control::{Control, Stop};

/// An archimedean component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// The idempotent of the component.
    pub idempotent: Element,
    /// The elements of the component, ascending.
    pub elements: Vec<Element>,
    /// The elements of its group, ascending.
    pub group: Vec<Element>,
    /// The least `k ≥ 1` such that every product of `k` of its elements lies in its group.
    pub class: u32,
}

/// Returns the archimedean components, in the order of the idempotents.
///
/// The last one is the nilradical.
///
/// Cost: the products of each component with itself, once for each step of its class.
///
/// ```
/// use misere_game::bipartite::{families::restive, idempotents::Idempotents};
/// use misere_game::control::Control;
/// use misere_game::structure::components::components;
/// // R_8: t² and all other products of t with the elements below the units lie in the kernel.
/// if let Some(r8) = restive(2) {
///     let found = components(&r8, &Idempotents::new(&r8), &mut Control::unlimited())?;
///     let nilradical = &found[1];
///     assert_eq!((nilradical.elements.len(), nilradical.group.len()), (6, 4));
///     assert_eq!(nilradical.class, 2);
/// }
/// # Ok::<(), misere_game::control::Stop>(())
/// ```
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub fn components(
    monoid: &BipartiteMonoid,
    idempotents: &Idempotents,
    control: &mut Control,
) -> Result<Vec<Component>, Stop> {
    let mut elements = vec![Vec::new(); idempotents.elements.len()];
    for (x, &place) in (0..).zip(&idempotents.component) {
        elements[place as usize].push(x);
    }
    let multiplication = Multiplication::new(monoid);
    let parts = idempotents.elements.iter().zip(&idempotents.groups);
    let mut components = Vec::with_capacity(elements.len());
    for ((&idempotent, group), elements) in parts.zip(elements) {
        let class = class(&multiplication, monoid.order(), &elements, group, control)?;
        components.push(Component {
            idempotent,
            elements,
            group: group.clone(),
            class,
        });
    }
    Ok(components)
}

/// Returns the least number of factors with which every product lies in the group.
fn class(
    multiplication: &Multiplication<'_>,
    order: usize,
    elements: &[Element],
    group: &[Element],
    control: &mut Control,
) -> Result<u32, Stop> {
    let mut in_group = ElementSet::empty(order);
    group.iter().for_each(|&x| {
        in_group.insert(x);
    });
    let outside = |x: &&Element| !in_group.contains(**x);
    // A product with a factor in the group lies in the group, so only the others are followed.
    let factors: Vec<Element> = elements.iter().filter(outside).copied().collect();
    let mut rows = Vec::new();
    if factors.len() <= super::MAX_TABLE {
        for &x in &factors {
            control.spend(order as u64)?;
            rows.push(multiplication.row(x));
        }
    }
    let mut products = factors.clone();
    let mut class = 1;
    while !products.is_empty() {
        let mut next = ElementSet::empty(order);
        for (place, &factor) in factors.iter().enumerate() {
            control.spend((products.len() + 1) as u64)?;
            let made;
            let row = match rows.get(place) {
                Some(row) => row,
                None => {
                    control.spend(order as u64)?;
                    made = multiplication.row(factor);
                    &made
                }
            };
            for &x in &products {
                next.insert(row[x as usize]);
            }
        }
        products = next.iter().filter(|&x| !in_group.contains(x)).collect();
        class += 1;
    }
    Ok(class)
}
