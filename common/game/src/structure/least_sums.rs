//! The least sums: for each element the least sum of heaps with that value.
//!
//! Two elements `x ≠ y` of a reduced quotient are told apart by some context `z`: exactly one of
//! `xz`, `yz` is in P. Example: in 0.123 the positions 6 and 3 + 3 have different values, and the
//! context 1 + 9 tells them apart. Sums are compared by the number of their heaps, then by the
//! number of their beans; where there are no heaps, by the number of the letters of words.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::bipartite::multiplication::Multiplication;
use crate::bipartite::{BipartiteMonoid, Element};
use crate::control::{Control, Stop};

/// A part of a sum: a heap, or a generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summand {
    /// The value of the part.
    pub value: Element,
    /// The beans of the heap; 0 for generators that are not heaps.
    pub beans: u64,
}

/// For each element of a monoid the least sum with this value.
#[derive(Clone, Debug)]
pub struct LeastSums<'a> {
    monoid: &'a BipartiteMonoid,
    /// For each element reached the size of its sum, and the previous element and summand.
    met: Vec<Option<(Size, Element, usize)>>,
}

/// The size of a sum: the number of its summands, then of its beans.
type Size = (u32, u64);

impl<'a> LeastSums<'a> {
    /// Returns the least sums of some summands.
    ///
    /// Summands whose value is not an element are skipped.
    ///
    /// Cost: `O(n · k · log n)` for order `n` and `k` different values of summands.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// use misere_game::control::Control;
    /// use misere_game::structure::least_sums::{LeastSums, Summand};
    /// // T_2 with heaps of 1 and 2 beans for a and b: the least sum of ab² is 1 + 2 + 2.
    /// let t2 = tame(2);
    /// let heap = |g: usize| Summand { value: t2.act(0, g), beans: g as u64 + 1 };
    /// let sums = LeastSums::new(&t2, &[heap(0), heap(1)], &mut Control::unlimited())?;
    /// let x = t2.product([(0, 1), (1, 2)]);
    /// assert_eq!(sums.of(x), Some(vec![0, 1, 1]));
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn new(
        monoid: &'a BipartiteMonoid,
        summands: &[Summand],
        control: &mut Control,
    ) -> Result<Self, Stop> {
        let order = monoid.order();
        let multiplication = Multiplication::new(monoid);
        // Of summands with the same value the lightest is used, and of equally light ones the
        // first.
        let mut letters: Vec<(Element, u64, usize)> = summands
            .iter()
            .enumerate()
            .filter(|(_, summand)| (summand.value as usize) < order && summand.value != 0)
            .map(|(place, summand)| (summand.value, summand.beans, place))
            .collect();
        letters.sort_unstable();
        letters.dedup_by_key(|&mut (value, ..)| value);
        let mut rows = Vec::with_capacity(letters.len());
        for &(value, ..) in &letters {
            control.spend(order as u64)?;
            rows.push(multiplication.row(value));
        }
        let mut met: Vec<Option<(Size, Element, usize)>> = vec![None; order];
        let mut open = BinaryHeap::from([Reverse(((0, 0), 0, 0, usize::MAX))]);
        while let Some(Reverse((size, x, before, place))) = open.pop() {
            control.spend(letters.len() as u64 + 8)?;
            if met[x as usize].is_some() {
                continue;
            }
            met[x as usize] = Some((size, before, place));
            for (row, &(_, beans, place)) in rows.iter().zip(&letters) {
                let y = row[x as usize];
                if met[y as usize].is_none() {
                    let size = (size.0 + 1, size.1.saturating_add(beans));
                    open.push(Reverse((size, y, x, place)));
                }
            }
        }
        Ok(Self { monoid, met })
    }

    /// Returns the least sum with a value, if there is one.
    ///
    /// It has the places in the list of summands, ascending.
    #[must_use]
    pub fn of(&self, x: Element) -> Option<Vec<usize>> {
        let (mut x, mut places) = (x, Vec::new());
        loop {
            let &(_, before, place) = self.met.get(x as usize)?.as_ref()?;
            if place == usize::MAX {
                break;
            }
            places.push(place);
            x = before;
        }
        places.sort_unstable();
        Some(places)
    }

    /// Returns the element of the least context that tells two elements apart; `None` if none does.
    ///
    /// Cost: `O(n)` for order `n`.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// use misere_game::control::Control;
    /// use misere_game::structure::least_sums::{LeastSums, Summand};
    /// // 1 and b² of T_2: one of them is in P, so no context is needed.
    /// let t2 = tame(2);
    /// let letters = [0, 1].map(|g| Summand { value: t2.act(0, g), beans: 0 });
    /// let sums = LeastSums::new(&t2, &letters, &mut Control::unlimited())?;
    /// assert_eq!(sums.telling(0, t2.product([(1, 2)])), Some(0));
    /// // a and b² are both in P; a makes both N, b² separates them.
    /// assert_eq!(sums.telling(t2.act(0, 0), t2.act(0, 0)), None);
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    #[must_use]
    pub fn telling(&self, x: Element, y: Element) -> Option<Element> {
        let multiplication = Multiplication::new(self.monoid);
        let (by_x, by_y) = (multiplication.row(x), multiplication.row(y));
        let tells = |z: &Element| {
            let [xz, yz] = [&by_x, &by_y].map(|row| row[*z as usize]);
            self.monoid.in_p(xz) != self.monoid.in_p(yz)
        };
        let contexts = (0..self.monoid.order() as Element).filter(tells);
        let sized = contexts.filter_map(|z| Some((self.met[z as usize]?.0, z)));
        sized.min().map(|(_, z)| z)
    }
}
