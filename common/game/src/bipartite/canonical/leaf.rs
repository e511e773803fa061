//! A leaf of the search for the canonical form: a generating sequence with its tables.

use std::cell::OnceCell;

use super::super::class::key_of_tables;
use super::super::divisibility::Divisibility;
use super::super::{BipartiteMonoid, Element, ElementSet};
use super::CanonicalForm;
use crate::control::{Control, Stop};

/// A generating sequence at the end of a path, with its tables.
#[derive(Debug)]
pub(super) struct Leaf {
    /// Digests of the colourings along the path.
    pub(super) trace: Vec<u64>,
    pub(super) sequence: Vec<Element>,
    /// The rows of the sequence, then the P-portion in ascending order, in the leaf's numbers.
    pub(super) tables: Vec<Element>,
    /// The element with each number.
    pub(super) numbering: Vec<Element>,
    /// The places in the sequence of elements that generate Q; made for the first comparison.
    pub(super) generating: OnceCell<Vec<usize>>,
}

impl Leaf {
    /// Returns the row of an element of the sequence, in the leaf's numbers.
    pub(super) fn row(&self, place: usize) -> &[Element] {
        let order = self.numbering.len();
        &self.tables[place * order..][..order]
    }

    /// Returns the rows of all elements of the sequence, in the leaf's numbers.
    fn rows(&self) -> Vec<&[Element]> {
        (0..self.sequence.len()).map(|at| self.row(at)).collect()
    }

    /// Returns the places in the sequence of elements that generate Q.
    ///
    /// The fuel of a leaf pays for this work, which a comparison needs.
    pub(super) fn generating(&self, divisibility: &Divisibility) -> &[usize] {
        self.generating.get_or_init(|| {
            let rows = self.rows();
            Control::without_limit(|control| self.irredundant(&rows, divisibility, control))
        })
    }

    /// Returns the canonical form of the leaf, without generators that the others give.
    ///
    /// Smaller cells come first in the sequence, and often become redundant later.
    pub(super) fn into_form(
        self,
        monoid: &BipartiteMonoid,
        divisibility: &Divisibility,
        control: &mut Control,
    ) -> Result<CanonicalForm, Stop> {
        let order = monoid.order();
        let rows = self.rows();
        let kept = self.irredundant(&rows, divisibility, control)?;
        control.spend(20 * (order * (kept.len() + 1)) as u64)?;
        let mut submonoid = Submonoid::trivial(order);
        kept.iter().for_each(|&g| submonoid.extend(rows[g]));
        let mut number = vec![0; order];
        for (new, &x) in submonoid.members.iter().enumerate() {
            number[x as usize] = new as Element;
        }
        let renumbered = |&g: &usize| {
            submonoid
                .members
                .iter()
                .map(|&x| number[rows[g][x as usize] as usize])
                .collect()
        };
        let action: Vec<Vec<Element>> = kept.iter().map(renumbered).collect();
        let mut relabelling = vec![0; order];
        for (&x, &new) in self.numbering.iter().zip(&number) {
            relabelling[x as usize] = new;
        }
        let mut p_portion = ElementSet::empty(order);
        for x in monoid.p_portion().iter() {
            p_portion.insert(relabelling[x as usize]);
        }
        let monoid = BipartiteMonoid::by_construction(action, p_portion);
        let generators = kept.iter().map(|&g| self.sequence[g]).collect();
        Ok(CanonicalForm {
            key: key_of_tables(&monoid),
            relabelling,
            generators,
            monoid,
        })
    }

    /// Returns the places of the rows that remain when redundant rows are struck out in order.
    ///
    /// A row is redundant if the others that are left generate its element.
    ///
    /// An element that is a product of others of the sequence is divided by all of them, and since
    /// it is irreducible, one of them is its associate. So if it has none among the others it
    /// stays. If it has, products of the others are formed as far as they may divide it, which lies
    /// at no greater depth than its divisors' and has no other associates.
    fn irredundant(
        &self,
        rows: &[&[Element]],
        divisibility: &Divisibility,
        control: &mut Control,
    ) -> Result<Vec<usize>, Stop> {
        let class_of = |x: Element| divisibility.class[x as usize];
        let class_of_number = |number: Element| class_of(self.numbering[number as usize]);
        let mut kept: Vec<usize> = (0..rows.len()).collect();
        for (g, &s) in self.sequence.iter().enumerate() {
            let others = || kept.iter().copied().filter(|&other| other != g);
            let mut classes = others().map(|other| class_of(self.sequence[other]));
            if classes.all(|class| class != class_of(s)) {
                continue;
            }
            let depth = divisibility.depth[class_of(s) as usize];
            let may_divide = |number: Element| {
                let class = class_of_number(number);
                class == class_of(s) || divisibility.depth[class as usize] < depth
            };
            let target = rows[g][0];
            let mut reached = ElementSet::empty(self.numbering.len());
            reached.insert(0);
            let mut open = vec![0];
            while let Some(x) = open.pop() {
                control.spend(5 + 3 * kept.len() as u64)?;
                let products = others().map(|other| rows[other][x as usize]);
                open.extend(products.filter(|&y| may_divide(y) && reached.insert(y)));
            }
            if reached.contains(target) {
                kept.retain(|&other| other != g);
            }
        }
        Ok(kept)
    }
}

/// A submonoid with a sequence of generators, its elements in the order of their lex-least words.
#[derive(Clone, Debug)]
pub(super) struct Submonoid {
    pub(super) members: Vec<Element>,
    pub(super) contains: Vec<bool>,
}

impl Submonoid {
    pub(super) fn trivial(order: usize) -> Self {
        let mut contains = vec![false; order];
        contains[0] = true;
        Self {
            members: vec![0],
            contains,
        }
    }

    /// Appends a generator, given by its row.
    ///
    /// The words with one more of it follow those with fewer, in the same order.
    pub(super) fn extend(&mut self, row: &[Element]) {
        let mut block = 0..self.members.len();
        while !block.is_empty() {
            let end = self.members.len();
            for at in block {
                let y = row[self.members[at] as usize];
                if !std::mem::replace(&mut self.contains[y as usize], true) {
                    self.members.push(y);
                }
            }
            block = end..self.members.len();
        }
    }

    /// Keeps the first `members` elements and removes the latest generators.
    pub(super) fn truncate(&mut self, members: usize) {
        self.members
            .drain(members..)
            .for_each(|x| self.contains[x as usize] = false);
    }
}
