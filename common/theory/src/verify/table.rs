//! What is `x·y` in the quotient under examination?
//!
//! The checker's own multiplication: the row of an element is made from the row of an element one generator shorter.

use crate::bipartite::{BipartiteMonoid, Element, ElementSet};
use crate::control::{Control, Stop};

pub(super) struct Table<'a> {
    monoid: &'a BipartiteMonoid,
    /// For each element one from which a generator leads to it, in an order in which that one comes earlier.
    step: Vec<(Element, usize)>,
    rows: Vec<Option<Box<[Element]>>>,
    wins: Vec<Option<ElementSet>>,
}

impl<'a> Table<'a> {
    pub(super) fn new(monoid: &'a BipartiteMonoid) -> Self {
        let order = monoid.order();
        let mut step: Vec<Option<(Element, usize)>> = vec![None; order];
        step[0] = Some((0, 0));
        let mut layer = vec![0];
        while !layer.is_empty() {
            let mut next = Vec::new();
            for x in layer {
                for g in 0..monoid.generators() {
                    let y = monoid.act(x, g);
                    if step[y as usize].is_none() {
                        step[y as usize] = Some((x, g));
                        next.push(y);
                    }
                }
            }
            layer = next;
        }
        let step = step
            .into_iter()
            .map(|step| step.unwrap_or((0, 0)))
            .collect();
        Self {
            monoid,
            step,
            rows: vec![None; order],
            wins: vec![None; order],
        }
    }

    pub(super) fn monoid(&self) -> &'a BipartiteMonoid {
        self.monoid
    }

    /// The row `z ↦ x·z`.
    pub(super) fn row(&mut self, x: Element, control: &mut Control) -> Result<&[Element], Stop> {
        let mut path = vec![x];
        while let Some(&at) = path
            .last()
            .filter(|&&at| at != 0 && self.rows[at as usize].is_none())
        {
            path.push(self.step[at as usize].0);
        }
        for &x in path.iter().rev() {
            if self.rows[x as usize].is_some() {
                continue;
            }
            control.spend(50 + self.monoid.order() as u64)?;
            let row = if x == 0 {
                (0..self.monoid.order() as Element).collect()
            } else {
                let (before, g) = self.step[x as usize];
                self.made(before)
                    .iter()
                    .map(|&z| self.monoid.act(z, g))
                    .collect()
            };
            self.rows[x as usize] = Some(row);
        }
        Ok(self.made(x))
    }

    /// A row that was made before (empty otherwise).
    pub(super) fn made(&self, x: Element) -> &[Element] {
        self.rows[x as usize].as_deref().unwrap_or(&[])
    }

    /// `{z : ez ∈ P}`.
    pub(super) fn wins_by(
        &mut self,
        e: Element,
        control: &mut Control,
    ) -> Result<&ElementSet, Stop> {
        if self.wins[e as usize].is_none() {
            let monoid = self.monoid;
            let row = self.row(e, control)?;
            let set = ElementSet::where_true(row.len(), |z| monoid.in_p(row[z as usize]));
            control.spend(set.universe() as u64)?;
            self.wins[e as usize] = Some(set);
        }
        Ok(self.wins[e as usize]
            .as_ref()
            .unwrap_or(self.monoid.p_portion()))
    }
}
