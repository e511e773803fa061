//! The reduced quotient of a bipartite monoid.
//!
//! Two elements `x`, `y` are indistinguishable if `xz ∈ P ⇔ yz ∈ P` for all `z`. Read the Cayley
//! graph as a deterministic automaton (states = elements, letters = generators, accepting = P): `x`
//! and `y` are indistinguishable iff they accept the same words. So the reduction is the minimal
//! automaton: the coarsest partition that refines `P` and is **stable**, which means that each
//! letter takes equivalent states to equivalent states.
//!
//! It is found by colours that indistinguishable elements share. First colours are outcomes in the
//! context of `CONTEXTS` sample elements, which distinguish most elements at once; a round of
//! refinement (Moore) mixes in the colours of the successors. As different colours always mean
//! distinguishable elements, the partition by colour is never too fine; so it is the right one as
//! soon as it is stable, and this is checked entry by entry. (Colours are 64-bit hashes. Should two
//! collide, the partition stays too coarse and unstable, and exact rounds finish the work.)

use rustc_hash::FxHashMap;

use super::refinement::mix;
use super::{BipartiteMonoid, Element, ElementSet};
use crate::control::{Control, Stop};

/// Sample elements for first colours, besides 1.
const CONTEXTS: usize = 64;
/// The greatest number of letters in the words of sample elements.
///
/// Long words lead into the minimal ideal, where few elements are distinguished.
const MAX_WORD_LENGTH: usize = 6;

/// A reduced bipartite monoid with the map onto it.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The reduced monoid, on the same generators.
    pub monoid: BipartiteMonoid,
    /// The element of the reduced monoid for each element of the original.
    pub map: Vec<Element>,
}

impl BipartiteMonoid {
    /// Reports whether any two elements are distinguishable. Cost as for [`reduce`](Self::reduce).
    ///
    /// ```
    /// use misere_game::bipartite::BipartiteMonoid;
    /// use misere_game::bipartite::families::tame;
    /// assert!(tame(2).is_reduced());
    /// // With an empty P-portion no elements are distinguished.
    /// let without_p = BipartiteMonoid::new(2, vec![vec![1, 0]], [])?;
    /// assert!(!without_p.is_reduced());
    /// # Ok::<(), misere_game::bipartite::MonoidError>(())
    /// ```
    #[must_use]
    pub fn is_reduced(&self) -> bool {
        Control::without_limit(|control| self.reduced_order_within(control)) == self.order()
    }

    /// Returns the order of the reduced quotient.
    ///
    /// Cost as for [`reduce`](Self::reduce).
    ///
    /// ```
    /// use misere_game::bipartite::BipartiteMonoid;
    /// use misere_game::control::Control;
    /// // ⟨a | a⁴ = 1⟩ with P = {a, a³} does not distinguish a² from 1.
    /// let z4 = BipartiteMonoid::new(4, vec![vec![1, 2, 3, 0]], [1, 3])?;
    /// assert_eq!(z4.reduced_order_within(&mut Control::unlimited())?, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn reduced_order_within(&self, control: &mut Control) -> Result<usize, Stop> {
        Ok(indistinguishable(self.action(), self.p_portion(), u64::MAX, control)?.1)
    }

    /// Returns the reduced quotient and the map onto it.
    ///
    /// Classes are numbered by their least element.
    ///
    /// Cost: `O(n · (g + log n))` for order `n` and `g` generators, and `O(n · g)` for each round
    /// of refinement. There are few rounds unless only long words distinguish some elements.
    ///
    /// ```
    /// use misere_game::bipartite::BipartiteMonoid;
    /// // ⟨a | a⁴ = 1⟩ with P = {a, a³} does not distinguish a² from 1.
    /// let z4 = BipartiteMonoid::new(4, vec![vec![1, 2, 3, 0]], [1, 3])?;
    /// assert_eq!(z4.reduce().monoid.order(), 2);
    /// # Ok::<(), misere_game::bipartite::MonoidError>(())
    /// ```
    #[must_use]
    pub fn reduce(&self) -> Reduction {
        Control::without_limit(|control| self.reduce_within(control))
    }

    /// Computes [`reduce`](Self::reduce) with a limit on its work and a way to stop it.
    ///
    /// Cost: as for the method without a limit; all of it is spent from `control`.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn reduce_within(&self, control: &mut Control) -> Result<Reduction, Stop> {
        reduction(self.action(), self.p_portion(), control)
    }
}

/// Reduces rows that are the Cayley graph of a monoid, like [`BipartiteMonoid::reduce`].
pub fn reduction(
    action: &[Vec<Element>],
    p_portion: &ElementSet,
    control: &mut Control,
) -> Result<Reduction, Stop> {
    let (map, classes) = indistinguishable(action, p_portion, u64::MAX, control)?;
    control.spend((classes * action.len()) as u64 + map.len() as u64)?;
    let mut first = vec![Element::MAX; classes];
    for (x, &class) in map.iter().enumerate().rev() {
        first[class as usize] = x as Element;
    }
    let image = |row: &Vec<Element>| {
        first
            .iter()
            .map(|&x| map[row[x as usize] as usize])
            .collect()
    };
    let p_portion = ElementSet::where_true(classes, |x| p_portion.contains(first[x as usize]));
    Ok(Reduction {
        monoid: BipartiteMonoid::by_construction(action.iter().map(image).collect(), p_portion),
        map,
    })
}

/// Returns the classes of indistinguishable states, and their number.
///
/// Classes are numbered by first occurrence. Only the bits of `mask` are used of colours; a test
/// uses few bits to make colours collide.
fn indistinguishable(
    action: &[Vec<Element>],
    accepting: &ElementSet,
    mask: u64,
    control: &mut Control,
) -> Result<(Vec<Element>, usize), Stop> {
    let mut colour = outcomes_in_context(action, accepting, control)?;
    let mut before = 0;
    loop {
        colour.iter_mut().for_each(|colour| *colour &= mask);
        let (class, first) = classes(&colour, control)?;
        if is_stable(action, accepting, &class, &first, control)? {
            return Ok((class, first.len()));
        }
        if first.len() == before {
            return refined_exactly(action, accepting, control);
        }
        before = first.len();
        colour = with_successors(action, &colour, control)?;
    }
}

/// Returns for each element a hash of its outcomes in the context of sample elements.
///
/// The samples are 1, the generators, and others.
fn outcomes_in_context(
    action: &[Vec<Element>],
    accepting: &ElementSet,
    control: &mut Control,
) -> Result<Vec<u64>, Stop> {
    let order = accepting.capacity();
    control.spend(10 + order as u64)?;
    let mut colour: Vec<u64> = (0..order as Element)
        .map(|x| u64::from(accepting.contains(x)))
        .collect();
    let mut letters = 0_u64;
    let mut row: Vec<Element> = Vec::new();
    for sample in 0..if action.is_empty() { 0 } else { CONTEXTS } {
        control.spend(10 + 4 * order as u64)?;
        letters = mix(letters, sample as u64);
        let by = &action[(letters % action.len() as u64) as usize];
        if sample % MAX_WORD_LENGTH == 0 {
            row.clone_from(by);
        } else {
            row.iter_mut().for_each(|x| *x = by[*x as usize]);
        }
        // 64 outcomes fit into the colour as they are.
        let rotate = u32::from(sample > 0);
        for (colour, &x) in colour.iter_mut().zip(&row) {
            *colour = colour.rotate_left(rotate) ^ (u64::from(accepting.contains(x)) << 1);
        }
    }
    Ok(colour)
}

/// Returns the class of every element, and the first element of every class.
///
/// Classes are numbered by first occurrence.
fn classes(colour: &[u64], control: &mut Control) -> Result<(Vec<Element>, Vec<Element>), Stop> {
    control.spend(10 + 20 * colour.len() as u64)?;
    let mut first: Vec<Element> = Vec::new();
    let mut number: FxHashMap<u64, Element> = FxHashMap::default();
    number.reserve(colour.len());
    let class = (0..)
        .zip(colour)
        .map(|(x, &colour)| {
            *number.entry(colour).or_insert_with(|| {
                first.push(x);
                first.len() as Element - 1
            })
        })
        .collect();
    Ok((class, first))
}

/// Reports whether equivalent elements have the same outcome and equivalent successors.
fn is_stable(
    action: &[Vec<Element>],
    accepting: &ElementSet,
    class: &[Element],
    first: &[Element],
    control: &mut Control,
) -> Result<bool, Stop> {
    let others: Vec<(Element, Element)> = (0..)
        .zip(class)
        .map(|(x, &class)| (x, first[class as usize]))
        .filter(|(x, first)| x != first)
        .collect();
    control.spend(10 + class.len() as u64)?;
    if others
        .iter()
        .any(|&(x, y)| accepting.contains(x) != accepting.contains(y))
    {
        return Ok(false);
    }
    for row in action {
        control.spend(4 * others.len() as u64)?;
        let class_after = |x: Element| class[row[x as usize] as usize];
        if others
            .iter()
            .any(|&(x, y)| class_after(x) != class_after(y))
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Performs a round of refinement: the new colours mix each element's colour with its successors'.
fn with_successors(
    action: &[Vec<Element>],
    colour: &[u64],
    control: &mut Control,
) -> Result<Vec<u64>, Stop> {
    let mut finer = colour.to_vec();
    for (letter, row) in (0_u64..).zip(action) {
        control.spend(10 + 4 * row.len() as u64)?;
        for (finer, &y) in finer.iter_mut().zip(row) {
            *finer = finer.wrapping_add(mix(colour[y as usize], letter));
        }
    }
    finer
        .iter_mut()
        .for_each(|colour| *colour = mix(*colour, 1));
    Ok(finer)
}

/// Returns the classes of indistinguishable elements, refined without hashes.
///
/// The refinement starts from the two outcomes.
fn refined_exactly(
    action: &[Vec<Element>],
    accepting: &ElementSet,
    control: &mut Control,
) -> Result<(Vec<Element>, usize), Stop> {
    let order = accepting.capacity();
    let mut class: Vec<Element> = (0..order as Element)
        .map(|x| u32::from(accepting.contains(x)))
        .collect();
    let mut before = 0;
    loop {
        let mut count = 0;
        // One letter at a time: later letters of a round already see the finer partition. The
        // letter after the last one keeps the classes of the round apart and numbers them.
        let stay: Vec<Element> = (0..order as Element).collect();
        for row in action.iter().chain([&stay]) {
            control.spend(10 + 40 * order as u64)?;
            let mut number = FxHashMap::default();
            class = (0..order)
                .map(|x| {
                    let fresh = number.len() as Element;
                    let pair = (class[x], class[row[x] as usize]);
                    *number.entry(pair).or_insert(fresh)
                })
                .collect();
            count = number.len();
        }
        if count == before {
            return Ok((class, count));
        }
        before = count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bipartite::families::tame;

    /// Colours of 64, 4, 2, 1 and no bits all lead to the same classes.
    #[test]
    fn colliding_colours_lead_to_the_same_classes() {
        for n in 0..6 {
            let tame = tame(n);
            // Two copies of the same monoid: a new generator of order 2 that outcomes do not depend
            // on.
            let order = tame.order() as Element;
            let beside = |row: &Vec<Element>| {
                let other = row.iter().map(|&x| x + order);
                row.iter().copied().chain(other).collect()
            };
            let mut action: Vec<Vec<Element>> = tame.action().iter().map(beside).collect();
            action.push((0..2 * order).map(|x| (x + order) % (2 * order)).collect());
            let p = tame.p_portion().iter().flat_map(|x| [x, x + order]);
            let twice = BipartiteMonoid::new(2 * order as usize, action, p).unwrap();
            for mask in [u64::MAX, 15, 3, 1, 0] {
                let control = &mut Control::unlimited();
                let (class, count) =
                    indistinguishable(twice.action(), twice.p_portion(), mask, control).unwrap();
                assert_eq!(count, order as usize, "T_{n} with {mask}");
                assert!((0..2 * order).all(|x| class[x as usize] == x % order));
            }
        }
    }
}
