//! What is `x·y` in a candidate quotient, and in which company is a move to `x` good?
//!
//! Multiplication by an element is a *row* `z ↦ x·z`. Rows are made when first asked for, each by one gather from the
//! row of a shorter word, and kept; rows of rarely used elements of a large quotient never exist. Entries are 16 bits,
//! so a candidate has at most [`MOST_ELEMENTS`] elements; a row costs two bytes and [`TICKS_PER_ENTRY`] per element.

use crate::bipartite::{BipartiteMonoid, Element, ElementSet};
use crate::control::{Control, Stop};
use crate::monoid::word::{Word, lex_least_tree, word_in_tree};

/// The greatest order of a candidate quotient (entries of rows are 16 bits).
pub(super) const MOST_ELEMENTS: usize = 1 << 16;

/// Ticks per entry of a gather.
pub(super) const TICKS_PER_ENTRY: u64 = 1;

/// The multiplication of a candidate quotient, row by row on demand.
pub(super) struct Products {
    generators: Vec<Box<[u16]>>,
    /// For each element the last step of its lex-least word.
    before: Vec<(Element, usize)>,
    rows: Vec<Option<Box<[u16]>>>,
    /// For each element `e` the set `{z : ez is settled}`, once asked for.
    company: Vec<Option<ElementSet>>,
    settled: ElementSet,
}

impl Products {
    /// The multiplication of `monoid`. Settled, in the sense that a move there may be all that is asked for, are its
    /// P-portion and the elements of `unknown` outcome, of which a truncated quotient has some and a quotient none.
    pub(super) fn new(monoid: &BipartiteMonoid, unknown: Option<&ElementSet>) -> Self {
        let order = monoid.order();
        debug_assert!(order <= MOST_ELEMENTS);
        let generators: Vec<Box<[u16]>> = monoid
            .action()
            .iter()
            .map(|row| row.iter().map(|&x| x as u16).collect())
            .collect();
        let mut settled = monoid.p_portion().clone();
        if let Some(unknown) = unknown {
            settled.union_with(unknown);
        }
        Self {
            before: lex_least_tree(monoid),
            generators,
            rows: vec![None; order],
            company: vec![None; order],
            settled,
        }
    }

    pub(super) fn order(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn settled(&self) -> &ElementSet {
        &self.settled
    }

    /// The lex-least word of `x` in the generators.
    pub(super) fn word(&self, x: Element) -> Word {
        word_in_tree(&self.before, x, self.generators.len())
    }

    /// Makes the row of `x`, so that [`row`](Self::row) may be called.
    pub(super) fn prepare(&mut self, x: Element, control: &mut Control) -> Result<(), Stop> {
        let mut missing = Vec::new();
        let mut at = x;
        while self.rows[at as usize].is_none() {
            missing.push(at);
            if at == 0 {
                break;
            }
            at = self.before[at as usize].0;
        }
        let order = self.order();
        for x in missing.into_iter().rev() {
            control.spend(40 + TICKS_PER_ENTRY * order as u64)?;
            let row = if x == 0 {
                (0..order).map(|z| z as u16).collect()
            } else {
                let (shorter, generator) = self.before[x as usize];
                let by = &self.generators[generator];
                self.row(shorter)
                    .iter()
                    .map(|&z| by[usize::from(z)])
                    .collect()
            };
            self.rows[x as usize] = Some(row);
        }
        Ok(())
    }

    /// The row `z ↦ x·z` of an element that was prepared (an empty row otherwise).
    #[inline]
    pub(super) fn row(&self, x: Element) -> &[u16] {
        self.rows[x as usize].as_deref().unwrap_or(&[])
    }

    /// `x·y` for one of the two prepared.
    #[inline]
    pub(super) fn product(&self, prepared: Element, other: Element) -> Element {
        Element::from(self.row(prepared)[other as usize])
    }

    /// `{z : ez is settled}`: in which company leaving `e` wins.
    pub(super) fn company(
        &mut self,
        e: Element,
        control: &mut Control,
    ) -> Result<&ElementSet, Stop> {
        if self.company[e as usize].is_none() {
            self.prepare(e, control)?;
            control.spend(TICKS_PER_ENTRY * self.order() as u64)?;
            let row = self.row(e);
            let set = ElementSet::where_true(row.len(), |z| {
                self.settled.contains(u32::from(row[z as usize]))
            });
            self.company[e as usize] = Some(set);
        }
        Ok(self.company[e as usize].as_ref().unwrap_or(&self.settled))
    }
}
