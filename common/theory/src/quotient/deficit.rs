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
//!
//! Any positions whose outcomes are right may serve for `Y` above without having been searched. So when the quotient changes with a new
//! heap and positions without that heap are known to be right, only those with it are searched
//! ([`Deficits::take_proved`]); the positions kept by the search before are merely given their deficits in the new quotient.

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
#[derive(Clone)]
pub(super) struct Deficits {
    heaps: Vec<Heap>,
    preimages: Vec<Preimage>,
    preimage_of: Vec<usize>,
    maximal: Vec<Vec<ElementSet>>,
    /// What the search under way has overwritten, so that a failure leaves no trace.
    journal: Vec<(Element, Vec<ElementSet>)>,
    /// The positions whose deficits were kept, in the order in which they were met.
    kept: Vec<Kept>,
}

/// A position whose deficit was kept: one more heap beside the last position before it of one heap less.
#[derive(Clone, Copy)]
struct Kept {
    largest: u32,
    heaps: u32,
    heap: u32,
}

#[derive(Clone)]
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
            kept: Vec::new(),
        }
    }

    /// Whether a deficit at `value` lies inside one already proved harmless.
    pub(super) fn covers(&self, value: Element, deficit: &ElementSet) -> bool {
        self.maximal[value as usize]
            .iter()
            .any(|maximal| deficit.is_subset(maximal))
    }

    /// Whether a heap of that value and deficit adds nothing to what is proved.
    fn is_settled(
        &self,
        value: Element,
        deficit: &ElementSet,
        control: &mut Control,
    ) -> Result<bool, Stop> {
        let comparisons = self.maximal[value as usize].len() * deficit.words().len();
        control.spend(40 + comparisons as u64 / 4)?;
        Ok(deficit.is_empty() || self.covers(value, deficit))
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
        if self.is_settled(value, deficit, control)? {
            return Ok(None);
        }
        if deficit.contains(0) {
            return Ok(Some(vec![(heap, 1)]));
        }
        let kept_before = self.kept.len();
        self.journal.clear();
        self.push_heap(heap, value, deficit, products, control)?;
        let failure = self.search_from(self.heaps.len() - 1, products, control);
        if !matches!(failure, Ok(None)) {
            self.heaps.pop();
            self.kept.truncate(kept_before);
            while let Some((value, before)) = self.journal.pop() {
                self.maximal[value as usize] = before;
            }
        }
        failure
    }

    /// Adds a heap all of whose positions with heaps added before are known to have no failure. Those that `before` kept, in
    /// another quotient of the same game, are kept here.
    ///
    /// Cost: as [`add_heap`](Self::add_heap), but only for positions that were kept.
    pub(super) fn take_proved(
        &mut self,
        heap: u32,
        value: Element,
        deficit: &ElementSet,
        before: &Self,
        products: &mut Products,
        control: &mut Control,
    ) -> Result<(), Stop> {
        if self.is_settled(value, deficit, control)? {
            return Ok(());
        }
        self.push_heap(heap, value, deficit, products, control)?;
        let newest = &self.heaps[self.heaps.len() - 1];
        let mut path = vec![(value, newest.deficit.clone())];
        self.kept.push(Kept {
            largest: heap,
            heaps: 1,
            heap,
        });
        self.keep_maximal(value, deficit.clone(), control)?;
        for kept in before.kept_with_largest(heap) {
            let depth = kept.heaps as usize;
            // Positions whose beginnings are settled already are settled themselves.
            if depth > path.len() + 1 {
                continue;
            }
            path.truncate(depth - 1);
            let (Some((value, deficit)), Ok(index)) = (
                path.last(),
                self.heaps
                    .binary_search_by_key(&kept.heap, |heap| heap.heap),
            ) else {
                continue;
            };
            let (value, deficit) = self.sum(*value, deficit, index, products, control)?;
            if !deficit.is_empty() && self.keep_unless_covered(value, &deficit, control)? {
                self.kept.push(*kept);
                path.push((value, deficit));
            }
        }
        Ok(())
    }

    /// The positions of two heaps and more that were kept and whose largest heap is this.
    fn kept_with_largest(&self, heap: u32) -> &[Kept] {
        let from = self.kept.partition_point(|kept| kept.largest < heap);
        let to = self.kept.partition_point(|kept| kept.largest <= heap);
        self.kept[from..to].get(1..).unwrap_or(&[])
    }

    fn push_heap(
        &mut self,
        heap: u32,
        value: Element,
        deficit: &ElementSet,
        products: &mut Products,
        control: &mut Control,
    ) -> Result<(), Stop> {
        products.prepare(value, control)?;
        let preimage = self.preimage(value, products, control)?;
        self.heaps.push(Heap {
            heap,
            value,
            deficit: deficit.iter().map(|z| z as u16).collect(),
            members: deficit.clone(),
            preimage,
        });
        Ok(())
    }

    /// Depth first through the positions whose largest heap is the one at `newest`, in lex order.
    fn search_from(
        &mut self,
        newest: usize,
        products: &mut Products,
        control: &mut Control,
    ) -> Result<Option<Failure>, Stop> {
        let Heap {
            heap,
            value,
            deficit,
            members,
            ..
        } = self.heaps[newest].clone();
        self.kept.push(Kept {
            largest: heap,
            heaps: 1,
            heap,
        });
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
            let visit = &path[path.len() - 1];
            let (value, deficit) =
                self.sum(visit.value, &visit.deficit, index, products, control)?;
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
            if self.keep_unless_covered(value, &deficit, control)? {
                self.kept.push(Kept {
                    largest: heap,
                    heaps: path.len() as u32 + 1,
                    heap: self.heaps[index].heap,
                });
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

    /// Value and deficit of a position of that value and deficit and one more heap: `D(X+H) = h⁻¹D(X) ∩ x⁻¹D(H)`.
    fn sum(
        &self,
        value: Element,
        deficit: &[u16],
        index: usize,
        products: &mut Products,
        control: &mut Control,
    ) -> Result<(Element, Vec<u16>), Stop> {
        let added = &self.heaps[index];
        products.forget_if_large();
        products.prepare(value, control)?;
        let row = products.row(value);
        let preimage = &self.preimages[added.preimage];
        let mut both = Vec::new();
        let mut looked_at = 0;
        for &target in deficit {
            let target = usize::from(target);
            let sources = &preimage.inverse
                [preimage.first[target] as usize..preimage.first[target + 1] as usize];
            looked_at += 1 + sources.len();
            both.extend(
                sources
                    .iter()
                    .filter(|&&z| added.members.contains(u32::from(row[usize::from(z)])))
                    .copied(),
            );
        }
        control.spend(30 + 2 * looked_at as u64)?;
        Ok((products.product(value, added.value), both))
    }

    /// Keeps a deficit, unless it lies inside one that is kept already; whether it was kept.
    fn keep_unless_covered(
        &mut self,
        value: Element,
        deficit: &[u16],
        control: &mut Control,
    ) -> Result<bool, Stop> {
        let maximal = &self.maximal[value as usize];
        control.spend((maximal.len() * 4) as u64)?;
        let covered = maximal
            .iter()
            .any(|set| deficit.iter().all(|&z| set.contains(u32::from(z))));
        if !covered {
            let mut members = ElementSet::empty(self.preimage_of.len());
            for &z in deficit {
                members.insert(u32::from(z));
            }
            self.keep_maximal(value, members, control)?;
        }
        Ok(!covered)
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
