//! The search for the least position whose outcome a candidate quotient predicts wrongly.
//!
//! For a position `X` with value `x = Φ(X)` let `U(X) = {z : Φ(X')z ∈ P for some option X'}` be the
//! context in which a move inside `X` wins, and `D(X) = {z : xz ∉ P, z ∉ U(X)}` its **deficit**:
//! the N-positions `X + Z` not yet won inside `X`.
//!
//! - Sum rule: `D(X+Y) = y⁻¹D(X) ∩ x⁻¹D(Y)`, since the options of `X+Y` are `X'+Y` and `X+Y'`.
//! - `X ≠ 0` is an N-failure (predicted N, no option predicted P) iff `1 ∈ D(X)`.
//! - A P-failure exists iff `Φ(H)z ∈ P` and `z ∈ U(H)` for some heap `H` and element `z`
//!   (Plambeck–Siegel, Fact C.1).
//! - If `D(X) = ∅` no `X+Z` fails. If `Y <lex X` with the same value and `D(X) ⊆ D(Y)`, then
//!   whenever `X+Z` fails so does `Y+Z`, unless `Y+Z = 0`. In that case the failure is `X` itself
//!   with value 1, which is examined before. So `X` and all its multiples can be left out
//!   (Definition C.2 with deficits for option images, which is coarser and prunes more).
//!
//! In a truncated quotient some outcomes are unknown. The elements of unknown outcome then count as
//! P here, so that a failure is a position of known outcome N all of whose options have known
//! outcomes, none P; everything above holds for any set in the place of P.
//!
//! The search walks through the positions in lex order (largest heap first), keeping for each value
//! the maximal deficits found. There are finitely many pairs of value and deficit, so it ends
//! although there are infinitely many positions.
//!
//! Any positions whose outcomes are right may serve for `Y` above without having been searched. So
//! when the quotient changes with a new heap and positions without that heap are known to be right,
//! only those with it are searched ([`Deficits::take_proved`]); for the positions kept by the
//! earlier search only the deficits in the new quotient are computed.
//!
//! If deficits are large, those of [`MAX_EXAMINED_TOGETHER`] positions one heap larger are computed
//! at once, on all cores. They are examined and paid for in sequence as always, so the search is
//! the same on any number of cores.

use std::sync::Arc;

use rayon::prelude::*;

use misere_game::bipartite::{Element, ElementSet};
use misere_game::control::{Control, Stop};

use super::products::Products;

/// The number of positions one heap larger that may be examined together.
const MAX_EXAMINED_TOGETHER: usize = 16;
/// The fewest elements, in all deficits of a group of positions, for which several cores are used.
const MIN_PARALLEL_WORK: usize = 30_000;
/// The number of elements from which on several cores work on positions that are proved.
///
/// Most of their deficits are smaller than the deficit of their largest heap.
const MIN_PARALLEL_PROOFS: usize = 60_000;
/// The number of proved positions examined together.
///
/// As many more may be added that begin like the last one.
const AHEAD_PROVED: usize = 512;

/// A heap as the search sees it: its value and the elements of its deficit.
#[derive(Clone, Debug)]
struct Heap {
    heap: u32,
    value: Element,
    deficit: Vec<u16>,
    members: ElementSet,
    /// The index of the multiples of its value.
    multiples: usize,
}

/// The least position whose outcome a candidate gets wrong, as heaps with their counts, ascending.
pub(super) type Counterexample = Vec<(u32, u32)>;

/// A position of the search; the path that leads to it gives the counts of its heaps.
struct Visit {
    value: Element,
    deficit: Vec<u16>,
    /// The index of its smallest heap: multiples add heaps up to that.
    largest: usize,
    next: usize,
    /// The sums with one more heap from `next` on, the nearest last, as far as they are computed.
    ahead: Vec<Sum>,
}

/// The value and deficit of a position with one more heap.
struct Sum {
    value: Element,
    deficit: Vec<u16>,
    /// The ticks that computing the deficit costs.
    ticks: u64,
    /// The number of deficits kept when the new one was found not to be inside any.
    ///
    /// It is `None` if the new one is inside a kept one.
    uncovered: Option<usize>,
}

/// The maximal deficits by value, proved to hold no failure; grows heap by heap.
#[derive(Clone)]
pub(super) struct Deficits {
    heaps: Vec<Heap>,
    multiples: Vec<Multiples>,
    multiples_of: Vec<usize>,
    maximal: Vec<Vec<Arc<ElementSet>>>,
    /// A journal of what was overwritten since the newest heap came: an entry for each deficit
    /// kept.
    ///
    /// It lets a failure leave no trace.
    journal: Vec<(Element, Vec<Arc<ElementSet>>)>,
    /// The positions whose deficits were kept, in the order of the search.
    kept: Vec<DeficitEntry>,
}

/// A position whose deficit was kept.
///
/// It has one more heap than the last position before it with one heap less.
#[derive(Clone, Copy)]
struct DeficitEntry {
    largest: u32,
    heaps: u32,
    heap: u32,
}

/// The multiples of an element `v`.
#[derive(Clone)]
struct Multiples {
    /// `z ↦ v·z`.
    row: Box<[u16]>,
    /// `z` listed by `v·z`: those with product `t` are `inverse[first[t]..first[t+1]]`.
    first: Vec<u32>,
    inverse: Vec<u16>,
}

const NO_MULTIPLES: usize = usize::MAX;

/// A method of multiplying an element by the value of a position.
enum Times<'a> {
    /// Multiplication by a row.
    Row(&'a [u16]),
    /// Heap by heap.
    ///
    /// This is less work than computing the row if deficits are small and the quotient is large.
    Heaps(Vec<&'a [u16]>),
}

impl Deficits {
    /// Returns the search without heaps: only the empty position, whose deficit is all of N.
    ///
    /// The empty position is not a failure itself, so 1 is left out.
    pub(super) fn new(products: &Products) -> Self {
        let order = products.order();
        let settled = products.settled();
        let mut maximal = vec![Vec::new(); order];
        let open = ElementSet::where_true(order, |z| z != 0 && !settled.contains(z));
        maximal[0].push(Arc::new(open));
        Self {
            heaps: Vec::new(),
            multiples: Vec::new(),
            multiples_of: vec![NO_MULTIPLES; order],
            maximal,
            journal: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// Reports whether a deficit at `value` lies inside one already proved harmless.
    pub(super) fn covers(&self, value: Element, deficit: &ElementSet) -> bool {
        self.maximal[value as usize]
            .iter()
            .any(|maximal| deficit.is_subset(maximal))
    }

    /// Reports whether a heap of this value and deficit adds nothing to what is proved.
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

    /// Adds a heap and searches positions that contain it for the least N-failure.
    ///
    /// The heap is given by its value and its deficit.
    ///
    /// Returns `None` and keeps the heap if there is none; otherwise nothing changes.
    ///
    /// Cost: for each position visited the preimages of its deficit, and a comparison with each
    /// maximal deficit of its value.
    pub(super) fn add_heap(
        &mut self,
        heap: u32,
        value: Element,
        deficit: &ElementSet,
        products: &mut Products,
        control: &mut Control,
    ) -> Result<Option<Counterexample>, Stop> {
        if self.is_settled(value, deficit, control)? {
            return Ok(None);
        }
        if deficit.contains(0) {
            return Ok(Some(vec![(heap, 1)]));
        }
        let kept_before = self.kept.len();
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

    /// Adds a heap all of whose positions with heaps added before are known to have no failure.
    ///
    /// Positions that `before` kept, in another quotient of the same game, are kept here.
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
        let newest = self.heaps.len() - 1;
        let mut path = vec![(newest, value, self.heaps[newest].deficit.clone())];
        self.kept.push(DeficitEntry {
            largest: heap,
            heaps: 1,
            heap,
        });
        self.keep_maximal(value, deficit.clone(), control)?;
        let proved = before.kept_with_largest(heap);
        let mut sums = Vec::new().into_iter();
        for (at, kept) in proved.iter().enumerate() {
            if sums.len() == 0 {
                sums = self.sums_ahead(&proved[at..], newest, products).into_iter();
            }
            let ahead = sums.next().flatten();
            let depth = kept.heaps as usize;
            // Positions whose beginnings are already settled are settled themselves.
            if depth > path.len() + 1 {
                continue;
            }
            path.truncate(depth - 1);
            let (Some((_, value, deficit)), Ok(index)) = (
                path.last(),
                self.heaps
                    .binary_search_by_key(&kept.heap, |heap| heap.heap),
            ) else {
                continue;
            };
            let sum = match ahead {
                Some(sum) => sum,
                None => {
                    let heaps = path.iter().map(|&(heap, ..)| heap);
                    let times = self.times(*value, heaps, deficit.len(), products, control)?;
                    self.sum(deficit, index, &times)
                }
            };
            control.spend(sum.ticks)?;
            if self.keep_unless_covered(&sum, control)? {
                self.kept.push(*kept);
                path.push((index, sum.value, sum.deficit));
            }
        }
        Ok(())
    }

    /// Returns the sums of the first of these positions, computed ahead on several cores.
    ///
    /// The largest heap of the positions is the one at `newest`. Some hundreds are computed at once
    /// if that is worth sharing, otherwise none. They are computed whether or not their beginnings
    /// will turn out to be settled.
    fn sums_ahead(
        &self,
        kept: &[DeficitEntry],
        newest: usize,
        products: &Products,
    ) -> Vec<Option<Sum>> {
        if kept.len() * self.heaps[newest].deficit.len() < MIN_PARALLEL_PROOFS {
            return Vec::new();
        }
        let groups = kept.chunk_by(|_, next| next.heaps > 2);
        let together: Vec<&[DeficitEntry]> = groups
            .scan(0, |before, group| {
                let fits = *before < AHEAD_PROVED;
                *before += group.len();
                fits.then_some(group)
            })
            .collect();
        let sums = |group: &&[DeficitEntry]| self.sums_of_group(group, newest, products);
        together.par_iter().flat_map_iter(sums).collect()
    }

    /// Returns the sums of a position of two heaps and of those that begin with it.
    fn sums_of_group(
        &self,
        group: &[DeficitEntry],
        newest: usize,
        products: &Products,
    ) -> Vec<Option<Sum>> {
        let Heap { value, deficit, .. } = &self.heaps[newest];
        let mut path = vec![(newest, *value, deficit.clone())];
        let sum_of = |kept: &DeficitEntry| {
            let depth = kept.heaps as usize;
            if depth > path.len() + 1 {
                return None;
            }
            path.truncate(depth - 1);
            let (_, value, deficit) = path.last()?;
            let index = self
                .heaps
                .binary_search_by_key(&kept.heap, |heap| heap.heap)
                .ok()?;
            let times = match products.is_prepared(*value) {
                true => Times::Row(products.row(*value)),
                false => Times::Heaps(path.iter().map(|&(heap, ..)| self.row(heap)).collect()),
            };
            let sum = self.sum(deficit, index, &times);
            if !sum.deficit.is_empty() {
                path.push((index, sum.value, sum.deficit.clone()));
            }
            Some(sum)
        };
        group.iter().map(sum_of).collect()
    }

    /// Returns the row of the value of the heap at this index.
    fn row(&self, index: usize) -> &[u16] {
        &self.multiples[self.heaps[index].multiples].row
    }

    /// Returns the kept positions of at least two heaps whose largest heap is this one.
    fn kept_with_largest(&self, heap: u32) -> &[DeficitEntry] {
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
        self.journal.clear();
        let multiples = self.multiples(value, products, control)?;
        self.heaps.push(Heap {
            heap,
            value,
            deficit: deficit.iter().map(|z| z as u16).collect(),
            members: deficit.clone(),
            multiples,
        });
        Ok(())
    }

    /// Searches depth first the positions whose largest heap is the one at `newest`, in lex order.
    fn search_from(
        &mut self,
        newest: usize,
        products: &mut Products,
        control: &mut Control,
    ) -> Result<Option<Counterexample>, Stop> {
        let Heap {
            heap,
            value,
            deficit,
            members,
            ..
        } = self.heaps[newest].clone();
        self.kept.push(DeficitEntry {
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
            ahead: Vec::new(),
        }];
        while let Some(visit) = path.last() {
            if visit.next > visit.largest {
                path.pop();
                continue;
            }
            let ahead = match visit.ahead.is_empty() {
                true => self.look_ahead(&path, products, control)?,
                false => Vec::new(),
            };
            let Some(visit) = path.last_mut() else { break };
            visit.ahead.extend(ahead);
            let Some(sum) = visit.ahead.pop() else { break };
            let index = visit.next;
            visit.next += 1;
            control.spend(sum.ticks)?;
            if sum.deficit.contains(&0) {
                let mut failure: Counterexample = Vec::new();
                for at in path.iter().map(|visit| visit.largest).chain([index]) {
                    match failure.last_mut() {
                        Some((heap, count)) if *heap == self.heaps[at].heap => *count += 1,
                        _ => failure.push((self.heaps[at].heap, 1)),
                    }
                }
                failure.reverse();
                return Ok(Some(failure));
            }
            if self.keep_unless_covered(&sum, control)? {
                self.kept.push(DeficitEntry {
                    largest: heap,
                    heaps: path.len() as u32 + 1,
                    heap: self.heaps[index].heap,
                });
                path.push(Visit {
                    value: sum.value,
                    deficit: sum.deficit,
                    largest: index,
                    next: 0,
                    ahead: Vec::new(),
                });
            }
        }
        Ok(None)
    }

    /// Returns the next positions with one heap more than the last of the path, the nearest last.
    fn look_ahead(
        &self,
        path: &[Visit],
        products: &mut Products,
        control: &mut Control,
    ) -> Result<Vec<Sum>, Stop> {
        let Some(visit) = path.last() else {
            return Ok(Vec::new());
        };
        let left = visit.next..visit.largest + 1;
        let elements = visit.deficit.len() * left.len();
        let heaps = path.iter().map(|visit| visit.largest);
        let times = self.times(visit.value, heaps, elements, products, control)?;
        let first = left.start;
        let together = left.len().min(MAX_EXAMINED_TOGETHER);
        let sum = |index| self.sum(&visit.deficit, index, &times);
        if visit.deficit.len() * together < MIN_PARALLEL_WORK {
            return Ok(vec![sum(first)]);
        }
        let ahead = (first..first + together).into_par_iter().rev();
        Ok(ahead.map(sum).collect())
    }

    /// Chooses how to multiply `elements` elements by the value of a position of these heaps.
    fn times<'a>(
        &'a self,
        value: Element,
        heaps: impl Iterator<Item = usize>,
        elements: usize,
        products: &'a mut Products,
        control: &mut Control,
    ) -> Result<Times<'a>, Stop> {
        products.forget_if_large();
        if !products.is_prepared(value) {
            let rows: Vec<&[u16]> = heaps.map(|heap| self.row(heap)).collect();
            if 2 * elements * rows.len() <= products.order() {
                return Ok(Times::Heaps(rows));
            }
            products.prepare(value, control)?;
        }
        Ok(Times::Row(products.row(value)))
    }

    /// Returns the value and deficit of a position with this deficit and one more heap.
    ///
    /// `D(X+H) = h⁻¹D(X) ∩ x⁻¹D(H)`.
    fn sum(&self, deficit: &[u16], index: usize, times: &Times<'_>) -> Sum {
        let mut sum = match times {
            Times::Row(row) => self.sum_by(deficit, index, 1, |z| row[usize::from(z)]),
            Times::Heaps(rows) => self.sum_by(deficit, index, rows.len(), |z| {
                rows.iter().fold(z, |z, row| row[usize::from(z)])
            }),
        };
        if !self.is_covered(&sum) {
            sum.uncovered = Some(self.journal.len());
        }
        sum
    }

    /// Returns a sum, where multiplying by the position's value takes `steps` steps.
    #[inline]
    fn sum_by(
        &self,
        deficit: &[u16],
        index: usize,
        steps: usize,
        times: impl Fn(u16) -> u16,
    ) -> Sum {
        let added = &self.heaps[index];
        let multiples = &self.multiples[added.multiples];
        let mut both = Vec::new();
        let mut looked_at = 0;
        for &target in deficit {
            let target = usize::from(target);
            let sources = &multiples.inverse
                [multiples.first[target] as usize..multiples.first[target + 1] as usize];
            looked_at += 1 + steps * sources.len();
            both.extend(
                sources
                    .iter()
                    .filter(|&&z| added.members.contains(u32::from(times(z))))
                    .copied(),
            );
        }
        Sum {
            value: Element::from(times(multiples.row[0])),
            deficit: both,
            ticks: 30 + 2 * looked_at as u64,
            uncovered: None,
        }
    }

    /// Reports whether the deficit lies inside one that is kept.
    fn is_covered(&self, sum: &Sum) -> bool {
        sum.deficit.is_empty()
            || self.maximal[sum.value as usize]
                .iter()
                .any(|set| sum.deficit.iter().all(|&z| set.contains(u32::from(z))))
    }

    /// Keeps a deficit unless it lies inside one that is kept already; returns whether it was kept.
    fn keep_unless_covered(&mut self, sum: &Sum, control: &mut Control) -> Result<bool, Stop> {
        if sum.deficit.is_empty() {
            return Ok(false);
        }
        control.spend((self.maximal[sum.value as usize].len() * 4) as u64)?;
        // A deficit inside a kept one stays inside one, since only greater sets replace it.
        let covered = match sum.uncovered {
            None => true,
            Some(kept) => kept != self.journal.len() && self.is_covered(sum),
        };
        if !covered {
            let mut members = ElementSet::empty(self.multiples_of.len());
            for &z in &sum.deficit {
                members.insert(u32::from(z));
            }
            self.keep_maximal(sum.value, members, control)?;
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
        maximal.push(Arc::new(members));
        Ok(())
    }

    fn multiples(
        &mut self,
        value: Element,
        products: &mut Products,
        control: &mut Control,
    ) -> Result<usize, Stop> {
        let at = self.multiples_of[value as usize];
        if at != NO_MULTIPLES {
            return Ok(at);
        }
        products.prepare(value, control)?;
        let order = products.order();
        control.spend(3 * order as u64)?;
        let row: Box<[u16]> = products.row(value).into();
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
        self.multiples.push(Multiples {
            row,
            first,
            inverse,
        });
        self.multiples_of[value as usize] = self.multiples.len() - 1;
        Ok(self.multiples.len() - 1)
    }
}
