//! The order in which heaps are queried whether they meet a number.
//!
//! The more heaps have the nim-value `u ⊕ G(a)`, the more heaps heap `a` lets meet `u`. So heaps
//! for which this nim-value is frequent come first. A heap for which it does not occur need not be
//! queried at all.

use super::planes::{HeapQuery, Place, Planes};

/// The number of heaps of the first part.
const MIN_PART: usize = 32;

/// Heaps with their nim-values, grouped by nim-value.
#[derive(Default)]
pub(super) struct Heaps {
    /// The heaps of each nim-value, with the number of bits by which their pieces begin too early.
    by_number: Vec<(usize, Vec<(HeapQuery, usize)>)>,
}

impl Heaps {
    pub(super) fn new(heaps: impl Iterator<Item = (usize, u16)>, phase: usize) -> Self {
        let mut by_number: Vec<(usize, Vec<(HeapQuery, usize)>)> = Vec::new();
        let mut at = Vec::new();
        for (heap, value) in heaps {
            let number = usize::from(value);
            if number >= at.len() {
                at.resize(number + 1, usize::MAX);
            }
            if at[number] == usize::MAX {
                at[number] = by_number.len();
                by_number.push((number, Vec::new()));
            }
            by_number[at[number]]
                .1
                .push(HeapQuery::new(heap, value, phase));
        }
        Self { by_number }
    }
}

/// The places of the heaps' pieces, in the order in which they are queried about one number.
#[derive(Default)]
pub(super) struct Order {
    places: Vec<Place>,
    /// The parts, as runs of heaps whose pieces begin equally too early.
    ///
    /// A run has its end, and the number of bits by which the pieces begin too early.
    parts: Vec<Vec<(usize, usize)>>,
    /// The numbers whose planes were empty.
    absent: Vec<usize>,
}

impl Order {
    /// Returns the order for a number. Each part is as long as all before it together.
    pub(super) fn new(number: usize, heaps: &Heaps, planes: &Planes) -> Self {
        let times = |of: usize| planes.times().get(of ^ number).copied().unwrap_or(0);
        let mut order = Self::default();
        let mut present: Vec<(u32, usize)> = Vec::new();
        for (at, (of, _)) in heaps.by_number.iter().enumerate() {
            match times(*of) {
                0 => order.absent.push(of ^ number),
                times => present.push((times, at)),
            }
        }
        present.sort_unstable_by(|one, other| other.cmp(one));
        let heaps = present
            .iter()
            .flat_map(|&(_, index)| &heaps.by_number[index].1);
        let mut part: Vec<(usize, Place)> = Vec::new();
        for &(heap, early) in heaps {
            part.push((early, planes.ask(number, heap)));
            if part.len() >= order.places.len().max(MIN_PART) {
                order.end_part(&mut part);
            }
        }
        order.end_part(&mut part);
        order
    }

    fn end_part(&mut self, part: &mut Vec<(usize, Place)>) {
        part.sort_by_key(|&(early, _)| early);
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for (early, place) in part.drain(..) {
            self.places.push(place);
            match runs.last_mut() {
                Some((end, of)) if *of == early => *end = self.places.len(),
                _ => runs.push((self.places.len(), early)),
            }
        }
        if !runs.is_empty() {
            self.parts.push(runs);
        }
    }

    /// Reports whether a plane that was empty has heaps now.
    pub(super) fn is_old(&self, planes: &Planes) -> bool {
        let times = planes.times();
        self.absent.iter().any(|&number| times[number] > 0)
    }

    /// Returns the parts in turn, as runs of heaps.
    ///
    /// A run comes with the number of bits by which its pieces begin too early.
    pub(super) fn parts(&self) -> impl Iterator<Item = impl Iterator<Item = (&[Place], usize)>> {
        let mut start = 0;
        self.parts.iter().map(move |runs| {
            let from = start;
            start = runs.last().map_or(from, |&(end, _)| end);
            let mut from = from;
            runs.iter().map(move |&(end, early)| {
                let run = &self.places[from..end];
                from = end;
                (run, early)
            })
        })
    }
}
