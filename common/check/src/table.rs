//! Products in the quotient that is being checked.
//!
//! This is the checker's own multiplication. The elements are listed along a spanning tree of the
//! Cayley graph, generator by generator, and one step of the tree fills in one entry of a row
//! `z ↦ x·z`. Rows are kept while they fit into [`MAX_ENTRIES_KEPT`]; beyond that a product is
//! found by walking the word of one factor. So memory stays bounded for any claimed order, and no
//! table of size order × order is ever made.

use std::borrow::Cow;

use misere_game::bipartite::{BipartiteMonoid, Element, ElementSet};
use misere_game::control::{Control, Stop};

/// The number of entries of rows that are kept, of four bytes each.
const MAX_ENTRIES_KEPT: usize = 1 << 26;
/// The number of words of sets that are kept, of eight bytes each.
const MAX_WORDS_KEPT: usize = 1 << 24;

pub(super) struct Table<'a> {
    monoid: &'a BipartiteMonoid,
    /// The elements but the identity, each after the one from which a generator leads to it.
    listed: Vec<Element>,
    /// For each element the element before it and the generator that leads from there to it.
    step: Vec<(Element, u32)>,
    rows: Vec<Option<Box<[Element]>>>,
    entries_kept: usize,
    wins: Vec<Option<ElementSet>>,
    words_kept: usize,
}

impl<'a> Table<'a> {
    pub(super) fn new(monoid: &'a BipartiteMonoid, control: &mut Control) -> Result<Self, Stop> {
        let order = monoid.order();
        let mut step: Vec<Option<(Element, u32)>> = vec![None; order];
        step[0] = Some((0, 0));
        let mut listed = vec![0];
        for g in 0..monoid.generators() {
            // The elements are closed under the generators before; multiply by this one once,
            // twice, …
            let mut block = 0..listed.len();
            while !block.is_empty() {
                control.spend(20 + 3 * block.len() as u64)?;
                let end = listed.len();
                for at in block {
                    let (x, y) = (listed[at], monoid.act(listed[at], g));
                    if step[y as usize].is_none() {
                        step[y as usize] = Some((x, g as u32));
                        listed.push(y);
                    }
                }
                block = end..listed.len();
            }
        }
        listed.remove(0);
        Ok(Self {
            monoid,
            listed,
            step: step
                .into_iter()
                .map(|step| step.unwrap_or((0, 0)))
                .collect(),
            rows: vec![None; order],
            entries_kept: 0,
            wins: vec![None; order],
            words_kept: 0,
        })
    }

    pub(super) fn monoid(&self) -> &'a BipartiteMonoid {
        self.monoid
    }

    pub(super) fn order(&self) -> usize {
        self.rows.len()
    }

    /// Returns the row `z ↦ x·z`, either a kept one or a temporary one.
    pub(super) fn row(
        &self,
        x: Element,
        control: &mut Control,
    ) -> Result<Cow<'_, [Element]>, Stop> {
        if let Some(row) = &self.rows[x as usize] {
            return Ok(Cow::Borrowed(row));
        }
        control.spend(50 + 4 * self.order() as u64)?;
        let mut row = vec![x; self.order()];
        for &z in &self.listed {
            let (before, g) = self.step[z as usize];
            row[z as usize] = self.monoid.act(row[before as usize], g as usize);
        }
        Ok(Cow::Owned(row))
    }

    /// Computes the row of `x` and keeps it if there is room.
    pub(super) fn keep(&mut self, x: Element, control: &mut Control) -> Result<(), Stop> {
        let order = self.order();
        if self.rows[x as usize].is_none() && self.entries_kept + order <= MAX_ENTRIES_KEPT {
            let (before, g) = self.step[x as usize];
            let row = match &self.rows[before as usize] {
                Some(shorter) => {
                    control.spend(50 + 2 * order as u64)?;
                    let by = self.monoid.row(g as usize);
                    shorter.iter().map(|&z| by[z as usize]).collect()
                }
                _ => self.row(x, control)?.into(),
            };
            self.rows[x as usize] = Some(row);
            self.entries_kept += order;
        }
        Ok(())
    }

    /// Returns the row of `x`, if it is kept.
    pub(super) fn kept(&self, x: Element) -> Option<&[Element]> {
        self.rows[x as usize].as_deref()
    }

    /// Returns `x·y`, at once if the row of `x` is kept.
    #[inline]
    pub(super) fn times(&self, x: Element, y: Element) -> Element {
        match &self.rows[x as usize] {
            Some(row) => row[y as usize],
            None => self.walk(x, y),
        }
    }

    fn walk(&self, mut x: Element, mut y: Element) -> Element {
        if let Some(row) = &self.rows[y as usize] {
            return row[x as usize];
        }
        while y != 0 {
            let (before, g) = self.step[y as usize];
            x = self.monoid.act(x, g as usize);
            y = before;
        }
        x
    }

    /// Returns `{z : ez ∈ P}`.
    pub(super) fn wins_by(
        &mut self,
        e: Element,
        control: &mut Control,
    ) -> Result<&ElementSet, Stop> {
        if self.wins[e as usize].is_none() {
            let set = self.find_wins(e, control)?;
            self.words_kept += set.words().len();
            if self.words_kept > MAX_WORDS_KEPT {
                self.wins.fill(None);
                self.words_kept = set.words().len();
            }
            self.wins[e as usize] = Some(set);
        }
        Ok(self.wins[e as usize]
            .as_ref()
            .unwrap_or(self.monoid.p_portion()))
    }

    fn find_wins(&self, e: Element, control: &mut Control) -> Result<ElementSet, Stop> {
        let order = self.order();
        let (before, g) = self.step[e as usize];
        control.spend(20 + 2 * order as u64)?;
        let in_set_at = |set: &ElementSet, row: &[Element]| {
            ElementSet::where_true(order, |z| set.contains(row[z as usize]))
        };
        Ok(match &self.wins[before as usize] {
            _ if e == 0 => self.monoid.p_portion().clone(),
            // e = before·g, so ez ∈ P iff before·(zg) ∈ P.
            Some(shorter) => in_set_at(shorter, self.monoid.row(g as usize)),
            None => in_set_at(self.monoid.p_portion(), &self.row(e, control)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use misere_game::bipartite::families::tame;

    use super::*;

    /// Products, rows and wins agree with walks through the Cayley graph, whichever rows are kept.
    #[test]
    fn all_ways_to_multiply_agree() {
        let monoid = tame(4);
        let order = monoid.order() as Element;
        let control = &mut Control::unlimited();
        let words = misere_game::monoid::word::lex_least_words(&monoid);
        let product = |x: Element, y: Element| {
            monoid.product_from(x, words[y as usize].0.iter().copied().enumerate())
        };
        for kept in [0..0, 0..order, order - 3..order] {
            let mut table = Table::new(&monoid, control).unwrap();
            kept.for_each(|x| table.keep(x, control).unwrap());
            for x in 0..order {
                let row = table.row(x, control).unwrap().into_owned();
                let wins = table.wins_by(x, control).unwrap().clone();
                for y in 0..order {
                    let expected = product(x, y);
                    assert_eq!((table.times(x, y), row[y as usize]), (expected, expected));
                    assert_eq!(wins.contains(y), monoid.in_p(expected));
                }
            }
        }
    }

    /// The number of rows that are kept is bounded.
    #[test]
    fn rows_beyond_the_bound_are_not_kept() {
        let monoid = tame(3);
        let control = &mut Control::unlimited();
        let mut table = Table::new(&monoid, control).unwrap();
        table.entries_kept = MAX_ENTRIES_KEPT - monoid.order();
        table.words_kept = MAX_WORDS_KEPT - 1;
        (1..4).for_each(|x| table.keep(x, control).unwrap());
        let kept = |table: &Table<'_>| table.rows.iter().flatten().count();
        assert_eq!((kept(&table), table.entries_kept), (1, MAX_ENTRIES_KEPT));
        for x in 1..4 {
            table.wins_by(x, control).unwrap();
        }
        assert!(table.words_kept <= MAX_WORDS_KEPT);
        assert_eq!(table.wins.iter().flatten().count(), 2);
    }
}
