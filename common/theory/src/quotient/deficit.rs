//! Does a candidate quotient predict every outcome? If not, where is the least failure?
//!
//! For a position `X` with value `x = Φ(X)` let `U(X) = {z : Φ(X')z ∈ P for some option X'}` be the company in which a
//! move inside `X` wins, and `D(X) = {z : xz ∉ P, z ∉ U(X)}` its **deficit**: the N-positions `X + Z` not yet won inside `X`.
//!
//! - Sum rule: `D(X+Y) = y⁻¹D(X) ∩ x⁻¹D(Y)`, since the options of `X+Y` are `X'+Y` and `X+Y'`.
//! - `X ≠ 0` is an N-failure (predicted N, no option predicted P) iff `1 ∈ D(X)`.
//! - A P-failure exists iff `Φ(H)z ∈ P` and `z ∈ U(H)` for some heap `H` and element `z` (Plambeck–Siegel, Fact C.1).
//! - If `D(X) = ∅` no `X+Z` fails. If `Y <lex X` with the same value and `D(X) ⊆ D(Y)`, then whenever `X+Z` fails so does
//!   `Y+Z`: unless `Y+Z = 0`, which is `X` itself with value 1 and is looked at before. So `X` and all its multiples can
//!   be left out (Definition C.2 with deficits for option images, which is coarser and prunes more).
//!
//! Of a truncated quotient some outcomes are unknown. The elements of unknown outcome then count with P here, so that a
//! failure is a position of known outcome N all of whose options have known outcomes, none P; everything above holds for
//! any set in the place of P.
//!
//! The search walks through the positions in lex order (largest heap first), keeping for each value the maximal deficits
//! met. There are finitely many pairs of value and deficit, so it ends although the positions are infinitely many.

use super::products::Products;
use crate::bipartite::{Element, ElementSet};
use crate::control::{Control, Stop};

/// A heap as the search sees it: its value and the elements of its deficit.
#[derive(Clone, Debug)]
struct Heap {
    heap: u32,
    value: Element,
    deficit: Vec<u16>,
    members: ElementSet,
    /// `z` listed by `value·z`: those with product `t` are `inverse[first[t]..first[t+1]]`.
    preimage: usize,
}

/// The least position whose outcome a candidate gets wrong, as heaps with their counts, ascending.
pub(super) type Failure = Vec<(u32, u32)>;

/// A position in which the search stands: the counts of its heaps are on the path that leads there.
struct Visit {
    value: Element,
    deficit: Vec<u16>,
    /// The index of its smallest heap: multiples add heaps up to that.
    largest: usize,
    next: usize,
}

/// Maximal deficits by value, proved to hold no failure; grows heap by heap.
pub(super) struct Deficits {
    heaps: Vec<Heap>,
    preimages: Vec<Preimage>,
    preimage_of: Vec<usize>,
    maximal: Vec<Vec<ElementSet>>,
    /// What the search under way has overwritten, so that a failure leaves no trace.
    journal: Vec<(Element, Vec<ElementSet>)>,
}

struct Preimage {
    first: Vec<u32>,
    inverse: Vec<u16>,
}

const NO_PREIMAGE: usize = usize::MAX;

impl Deficits {
    /// No heaps yet: only the empty position, whose deficit is all of N. As it is no failure itself, 1 is left out.
    pub(super) fn new(products: &Products) -> Self {
        let order = products.order();
        let settled = products.settled();
        let mut maximal = vec![Vec::new(); order];
        maximal[0].push(ElementSet::where_true(order, |z| {
            z != 0 && !settled.contains(z)
        }));
        Self {
            heaps: Vec::new(),
            preimages: Vec::new(),
            preimage_of: vec![NO_PREIMAGE; order],
            maximal,
            journal: Vec::new(),
        }
    }

    /// Whether a deficit at `value` lies inside one already proved harmless.
    pub(super) fn covers(&self, value: Element, deficit: &ElementSet) -> bool {
        self.maximal[value as usize]
            .iter()
            .any(|maximal| deficit.is_subset(maximal))
    }

    /// Adds a heap with its value and deficit and looks for the least N-failure among positions that contain it.
    ///
    /// Returns `None` and keeps the heap if there is none; otherwise all is as before. Cost: for each position visited the preimages of its
    /// deficit, and a comparison with each maximal deficit of its value.
    pub(super) fn add_heap(
        &mut self,
        heap: u32,
        value: Element,
        deficit: &ElementSet,
        products: &mut Products,
        control: &mut Control,
    ) -> Result<Option<Failure>, Stop> {
        control.spend(
            40 + self.maximal[value as usize].len() as u64 * deficit.words().len() as u64 / 4,
        )?;
        if deficit.is_empty() || self.covers(value, deficit) {
            return Ok(None);
        }
        if deficit.contains(0) {
            return Ok(Some(vec![(heap, 1)]));
        }
        products.prepare(value, control)?;
        let preimage = self.preimage(value, products, control)?;
        self.heaps.push(Heap {
            heap,
            value,
            deficit: deficit.iter().map(|z| z as u16).collect(),
            members: deficit.clone(),
            preimage,
        });
        self.journal.clear();
        let failure = self.search_from(self.heaps.len() - 1, products, control);
        if !matches!(failure, Ok(None)) {
            self.heaps.pop();
            while let Some((value, before)) = self.journal.pop() {
                self.maximal[value as usize] = before;
            }
        }
        failure
    }

    /// Depth first through the positions whose largest heap is the one at `newest`, in lex order.
    fn search_from(
        &mut self,
        newest: usize,
        products: &mut Products,
        control: &mut Control,
    ) -> Result<Option<Failure>, Stop> {
        let Heap {
            value,
            deficit,
            members,
            ..
        } = self.heaps[newest].clone();
        self.keep_maximal(value, members, control)?;
        let mut path = vec![Visit {
            value,
            deficit,
            largest: newest,
            next: 0,
        }];
        while let Some(visit) = path.last_mut() {
            if visit.next > visit.largest {
                path.pop();
                continue;
            }
            let index = visit.next;
            visit.next += 1;
            let added = &self.heaps[index];
            products.prepare(visit.value, control)?;
            let row = products.row(visit.value);
            let preimage = &self.preimages[added.preimage];
            // D(X+H) = h⁻¹D(X) ∩ x⁻¹D(H)
            let mut deficit = Vec::new();
            let mut looked_at = 0;
            for &target in &visit.deficit {
                let target = usize::from(target);
                let sources = &preimage.inverse
                    [preimage.first[target] as usize..preimage.first[target + 1] as usize];
                looked_at += 1 + sources.len();
                deficit.extend(
                    sources
                        .iter()
                        .filter(|&&z| added.members.contains(u32::from(row[usize::from(z)])))
                        .copied(),
                );
            }
            let value = products.product(added.value, visit.value);
            control.spend(30 + 2 * looked_at as u64)?;
            if deficit.is_empty() {
                continue;
            }
            if deficit.contains(&0) {
                let mut failure: Failure = Vec::new();
                for at in path.iter().map(|visit| visit.largest).chain([index]) {
                    match failure.last_mut() {
                        Some((heap, count)) if *heap == self.heaps[at].heap => *count += 1,
                        _ => failure.push((self.heaps[at].heap, 1)),
                    }
                }
                failure.reverse();
                return Ok(Some(failure));
            }
            let maximal = &self.maximal[value as usize];
            control.spend((maximal.len() * 4) as u64)?;
            let covered = maximal
                .iter()
                .any(|set| deficit.iter().all(|&z| set.contains(u32::from(z))));
            if !covered {
                let mut members = ElementSet::empty(products.order());
                for &z in &deficit {
                    members.insert(u32::from(z));
                }
                self.keep_maximal(value, members, control)?;
                path.push(Visit {
                    value,
                    deficit,
                    largest: index,
                    next: 0,
                });
            }
        }
        Ok(None)
    }

    fn keep_maximal(
        &mut self,
        value: Element,
        members: ElementSet,
        control: &mut Control,
    ) -> Result<(), Stop> {
        let maximal = &mut self.maximal[value as usize];
        control.spend(10 + (maximal.len() * members.words().len()) as u64 / 4)?;
        self.journal.push((value, maximal.clone()));
        maximal.retain(|smaller| !smaller.is_subset(&members));
        maximal.push(members);
        Ok(())
    }

    fn preimage(
        &mut self,
        value: Element,
        products: &Products,
        control: &mut Control,
    ) -> Result<usize, Stop> {
        let at = self.preimage_of[value as usize];
        if at != NO_PREIMAGE {
            return Ok(at);
        }
        let order = products.order();
        control.spend(3 * order as u64)?;
        let row = products.row(value);
        let mut first = vec![0; order + 1];
        row.iter().for_each(|&t| first[usize::from(t) + 1] += 1);
        for t in 0..order {
            first[t + 1] += first[t];
        }
        let mut place = first.clone();
        let mut inverse = vec![0; order];
        for (z, &t) in row.iter().enumerate() {
            let at = &mut place[usize::from(t)];
            inverse[*at as usize] = z as u16;
            *at += 1;
        }
        self.preimages.push(Preimage { first, inverse });
        self.preimage_of[value as usize] = self.preimages.len() - 1;
        Ok(self.preimages.len() - 1)
    }
}
