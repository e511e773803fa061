//! Claims made from values of heaps, right in all respects but one.

use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::ruleset::Code;
use misere_game::solution::{Limit, Partial, Solution, Verdict};

/// A bipartite monoid and a value for every heap from 0 on.
#[derive(Clone)]
pub(crate) struct Values {
    pub(crate) monoid: BipartiteMonoid,
    pub(crate) phi: Vec<Element>,
}

impl Values {
    pub(crate) fn of(solution: &Solution) -> Self {
        Self {
            monoid: solution.quotient.clone(),
            phi: solution.phi.clone(),
        }
    }

    pub(crate) fn to(&self, heap: usize) -> Self {
        let end = self.phi.len().min(heap + 1);
        Self {
            monoid: self.monoid.clone(),
            phi: self.phi[..end].to_vec(),
        }
    }

    /// Returns the part of the monoid that the values generate, with the first heaps that are
    /// needed for generators.
    fn generated(&self) -> (Self, Vec<u32>) {
        let part = self.monoid.generated_by(&self.phi);
        let number = |x: &Element| {
            let found = part.embedding.iter().position(|inside| inside == x);
            found.unwrap() as Element
        };
        let generated = Self {
            phi: self.phi.iter().map(number).collect(),
            monoid: part.monoid,
        };
        (
            generated,
            part.generators.iter().map(|&g| g as u32).collect(),
        )
    }

    /// Returns the reduced claim: elements that nothing tells apart are merged.
    fn reduced(&self) -> Self {
        let reduction = self.monoid.reduce();
        Self {
            phi: self
                .phi
                .iter()
                .map(|&x| reduction.map[x as usize])
                .collect(),
            monoid: reduction.monoid,
        }
    }

    /// Returns the partial quotients as they would be if the values were right.
    pub(crate) fn partials(&self) -> Vec<Partial> {
        let mut partials: Vec<Partial> = Vec::new();
        for heap in 1..self.phi.len() {
            if self.phi[..heap].contains(&self.phi[heap]) {
                continue;
            }
            let quotient = self.to(heap).generated().0.monoid.reduce().monoid;
            if quotient.order() > partials.last().map_or(1, |last| last.order as usize) {
                partials.push(Partial {
                    heap: heap as u32,
                    order: quotient.order() as u32,
                    p_size: quotient.p_size() as u32,
                    class: quotient.class_key(),
                });
            }
        }
        partials
    }

    /// Claims that these are the quotient and the values of a game, and that a limit was reached
    /// then.
    ///
    /// Everything but the values is as it has to be. If `is_reduced` is false, elements that
    /// nothing tells apart stay.
    pub(crate) fn claimed_of(&self, code: &Code, is_reduced: bool) -> Solution {
        let (mut generated, generator_heaps) = self.generated();
        if is_reduced {
            generated = generated.reduced();
        }
        Solution {
            code: code.clone(),
            verdict: Verdict::Exhausted(Limit::MaxHeap),
            partials: generated.partials(),
            quotient: generated.monoid,
            generator_heaps,
            phi: generated.phi,
            tail: None,
            growth: None,
            evidence: None,
            reason: None,
            fuel: 0,
        }
    }
}
