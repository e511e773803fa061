//! The test of whether a game is tame relative to a heap.
//!
//! Siegel, *The structure and classification of misère quotients*, Definitions 3.1 to 3.5, Lemmas
//! 3.4 and 3.6 and Theorem 3.9. Let `K` be the kernel (least ideal) of `(Q, P) = Q_m(Γ)`, `z` its
//! identity. The quotient is *normal* if `K ∩ P = {z}`, and *faithful* if equal values of `Φ` have
//! equal nim-values. If it is both, `K ≅ Z_2^s` by nim-values.
//!
//! **Theorem.** Let moves leave at most `k ≥ 2` heaps and take at most `d` beans, `n0 ≥ 1` and
//! `m ≥ k·n0 + d − 1`. If `Q_m(Γ)` is faithfully normal and `Φ(h_n) ∈ K` for `n0 ≤ n ≤ m`, then for
//! every `n ≥ n0` the value of `h_n` is the element of the kernel with its nim-value, and the
//! quotient of the whole game is a tame extension `T^j(Q, P)`, `j ≤ ∞`.
//!
//! *Proof.* The identity is not in `K`: else `Q` is a group and `z = 1 ∈ P`. So `h_{n0+d}` has a
//! move that leaves a heap; as it takes less than it has to, every larger heap has one. For `n > m`
//! an option of `h_n` is a sum of at most `k` heaps with `n − d ≥ k·n0 ≥ 1` beans or more, so one
//! of them is an `h_a` with `a ≥ n0` and, by induction, a value in the kernel; hence so is the
//! option's. `Φ''h_n` is thus a non-empty part of the kernel. If it is a proper part, Lemma 3.4
//! says that the quotient stays and `Φ(h_n)` has the mex of its nim-values; if it is all of it,
//! Lemma 3.6 says that the quotient becomes its first tame extension and `Φ(h_n)` the new `z̄`,
//! with the same properties. ∎ (Theorem 3.9 is the case `k = 2`, `m = 2n0 + d − 1`.)
//!
//! **Codes without end.** A move may then leave small heaps only, whose values lie outside the
//! kernel. Let the digits repeat with period `q` after `d_e`, and let `E(n)` be the values of what
//! moves that take more than `e` beans leave of `h_n`. If for `q` heaps in a row every `x` outside
//! `K` has some `y` in `E(n)` with `xy ∈ P`, and some `y` in `E(n)` with its nim-value, then the
//! conclusion is the same. The proof is in docs/rules.md; it rests on `E(n) ⊆ E(n + q)`.
//!
//! The least `n0` does not depend on `m`: it is the heap after the last whose value is outside the
//! kernel, since the hypotheses for a smaller one would put that value inside.

use std::collections::HashMap;

use misere_game::bipartite::{BipartiteMonoid, Element, ElementSet};
use misere_game::control::{Control, Progress, Stop};
use misere_game::ruleset::{Code, General, LiveHeaps};
use misere_game::solution::{Partial, Stages, Tail};

use super::Limits;
use super::partial;
use super::period::PeriodSearch;
use crate::normal::{Ending, NimValues, to_period};

/// The number of nim-values that are computed for each heap that may be computed.
///
/// Nim-values are cheap, and their periods long.
pub const NIM_HEAPS_PER_HEAP: u32 = 100;
/// The greatest cost of the search for a period of the nim-values.
///
/// The longest one known among octal games of three digits, that of 0.56 from heap 326,640 on, is
/// found for 0.4 million.
pub const NIM_FUEL: u64 = 1_000_000;

/// The greatest heap in a first search for a period of the nim-values if the code has no end.
///
/// A heap has as many moves as beans, and most such codes have nim-values without bound.
const ENDLESS_NIM_HEAPS: u32 = 2_000;

/// Returns the heap at which the search for a period of the nim-values of a game ends without one.
///
/// The search may end earlier if its fuel is spent. Cost: `O(1)`.
#[must_use]
pub fn last_nim_heap(code: &Code, max_heap: u32) -> u32 {
    match is_endless(code) {
        true => max_heap.min(ENDLESS_NIM_HEAPS),
        false => max_heap.saturating_mul(NIM_HEAPS_PER_HEAP),
    }
}

fn is_endless(code: &Code) -> bool {
    let digits = code.general();
    digits.is_some_and(|digits| digits.block_length().is_some())
}

/// Watches a game for the hypotheses of the theorem.
#[derive(Debug, Default)]
pub(super) struct TameSearch {
    kernel: Option<Kernel>,
    /// The last heap so far whose value is outside the kernel.
    last_outside: u32,
    /// Whether the present quotient is known not to be faithfully normal.
    given_up: bool,
    /// The heap at which the moves of a code without end are examined again.
    next_look: u32,
}

/// The kernel of a quotient.
#[derive(Debug)]
struct Kernel {
    elements: ElementSet,
    /// The identity of the kernel.
    zero: Element,
}

/// A game that is tame relative to a heap.
#[derive(Debug)]
pub(super) struct Tame<'a> {
    /// The least heap relative to which the game is tame.
    pub(super) heap: u32,
    nim_values: NimValues<'a>,
    /// The elements of the kernel by their nim-values.
    of_nim: Vec<Element>,
}

impl TameSearch {
    /// Records the newest heap; `changed` says whether the quotient has changed.
    ///
    /// Cost: when the quotient has changed `O(order · generators + heaps)`; nim-values once the
    /// other hypotheses hold.
    pub(super) fn next<'a>(
        &mut self,
        code: &'a Code,
        monoid: &BipartiteMonoid,
        values: &[Element],
        generator_heaps: &[u32],
        changed: bool,
        control: &mut Control,
    ) -> Result<Option<Tame<'a>>, Stop> {
        // The theorem covers codes only.
        if !code.is_take_and_break() && code.general().is_none() {
            return Ok(None);
        }
        let newest = values.len() - 1;
        if changed || self.kernel.is_none() {
            control.spend(4 * (monoid.order() * (monoid.generators() + 1) + newest) as u64)?;
            let kernel = Kernel::of(monoid);
            let outside = |&heap: &usize| !kernel.elements.contains(values[heap]);
            self.last_outside = (0..=newest).rev().find(outside).unwrap_or(0) as u32;
            self.given_up = !kernel.is_normal(monoid);
            self.kernel = Some(kernel);
        }
        let Some(kernel) = &self.kernel else {
            return Ok(None);
        };
        if !kernel.elements.contains(values[newest]) {
            self.last_outside = newest as u32;
        }
        let heap = self.last_outside + 1;
        let endless = code
            .general()
            .filter(|digits| digits.block_length().is_some());
        let proved = match endless {
            // The moves are tested together with the other hypotheses.
            Some(_) => heap as usize <= newest && self.next_look as usize <= newest,
            None => reaches_kernel(code, heap, newest as u32),
        };
        if self.given_up || !proved {
            return Ok(None);
        }
        self.next_look = newest as u32 + newest as u32 / 8 + 1;
        let mut nim_values = NimValues::new(code);
        for _ in 0..newest {
            nim_values.next(control)?;
        }
        control.spend(4 * (monoid.order() * (monoid.generators() + 1) + newest) as u64)?;
        let of_nim = kernel.by_nim_value(monoid, values, generator_heaps, nim_values.values());
        self.given_up = of_nim.is_none();
        if let Some(digits) = endless
            && of_nim.is_some()
        {
            let nim_of = nim_values_of_elements(monoid, generator_heaps, nim_values.values());
            let nim_of = nim_of.unwrap_or_default();
            if !kernel.decides(digits, monoid, values, &nim_of, control)? {
                return Ok(None);
            }
        }
        Ok(of_nim.map(|of_nim| Tame {
            heap,
            nim_values,
            of_nim,
        }))
    }
}

/// Reports whether every heap after `newest` has moves, all of which leave a heap from `heap` on.
fn reaches_kernel(code: &Code, heap: u32, newest: u32) -> bool {
    let parts = u64::from(code.max_parts().max(2));
    let most_taken = match code.general() {
        None => code.length() as u64,
        Some(digits) => u64::from(digits.last_before_block()),
    };
    // For codes without constraints the theorem implies that they are live.
    let live = code.is_take_and_break()
        || match LiveHeaps::of(code) {
            LiveHeaps::AllBut(dead) => dead.last().is_none_or(|&last| last <= newest),
            _ => false,
        };
    live && parts * u64::from(heap) + most_taken <= u64::from(newest) + 1
}

impl Kernel {
    /// Reports whether the last heaps' moves decide every element outside the kernel.
    ///
    /// The moves must also have its nim-value.
    ///
    /// They are as many heaps as the block of a code without end has digits.
    fn decides(
        &self,
        digits: &General,
        monoid: &BipartiteMonoid,
        values: &[Element],
        nim_of: &[u32],
        control: &mut Control,
    ) -> Result<bool, Stop> {
        let block = digits.block_length().unwrap_or(0) as usize;
        if values.len() <= block {
            return Ok(false);
        }
        let mut rows: HashMap<Element, Vec<Element>> = HashMap::new();
        let mut times = |x: Element, y: Element, control: &mut Control| {
            if let Some(row) = rows.get(&x) {
                return Ok(row[y as usize]);
            }
            control.spend(4 * (monoid.order() * (monoid.generators() + 1)) as u64)?;
            let row = rows.entry(x).or_insert_with(|| multiples(monoid, x));
            Ok::<Element, Stop>(row[y as usize])
        };
        for heap in values.len() - block..values.len() {
            control.spend(20 + 5 * digits.most_options(heap as u32))?;
            let mut left = Vec::new();
            digits.for_each_repeated_option(heap as u32, |option| left.push(option));
            let mut image = ElementSet::empty(monoid.order());
            for option in left {
                let mut product = 0;
                for part in option.parts() {
                    product = times(values[part as usize], product, control)?;
                }
                image.insert(product);
            }
            for x in (0..monoid.order() as Element).filter(|&x| !self.elements.contains(x)) {
                control.spend(5 + 3 * image.len() as u64)?;
                let has_nim = image
                    .iter()
                    .any(|y| nim_of[y as usize] == nim_of[x as usize]);
                let mut wins = false;
                for y in image.iter() {
                    wins |= monoid.in_p(times(x, y, control)?);
                }
                if !has_nim || !wins {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn of(monoid: &BipartiteMonoid) -> Self {
        // Every element is a product of fewer than `order` copies of each generator, and so divides
        // this one.
        let order = monoid.order() as u32;
        let least = monoid.product((0..monoid.generators()).map(|g| (g, order)));
        let times_least = multiples(monoid, least);
        let mut elements = ElementSet::empty(monoid.order());
        let mut zero = least;
        for &multiple in &times_least {
            elements.insert(multiple);
            if times_least[multiple as usize] == least {
                zero = multiple;
            }
        }
        Self { elements, zero }
    }

    fn is_normal(&self, monoid: &BipartiteMonoid) -> bool {
        let mut p = self.elements.iter().filter(|&x| monoid.in_p(x));
        p.next() == Some(self.zero) && p.next().is_none()
    }

    /// Returns the elements of the kernel in order of their nim-values.
    ///
    /// Returns `None` if equal values have different nim-values, or if the nim-values of the kernel
    /// are not those below a power of two.
    fn by_nim_value(
        &self,
        monoid: &BipartiteMonoid,
        values: &[Element],
        generator_heaps: &[u32],
        nim_values: &[u32],
    ) -> Option<Vec<Element>> {
        let nim_of = nim_values_of_elements(monoid, generator_heaps, nim_values)?;
        let faithful = values
            .iter()
            .zip(nim_values)
            .all(|(&value, &nim)| nim_of[value as usize] == nim);
        if !faithful {
            return None;
        }
        let mut by_nim: Vec<Element> = self.elements.iter().collect();
        by_nim.sort_by_key(|&x| nim_of[x as usize]);
        let regular = (0_u32..)
            .zip(&by_nim)
            .all(|(nim, &x)| nim_of[x as usize] == nim);
        (regular && by_nim.len().is_power_of_two()).then_some(by_nim)
    }
}

/// Returns `x ↦ x · y` for all `x`.
fn multiples(monoid: &BipartiteMonoid, y: Element) -> Vec<Element> {
    let mut product = vec![None; monoid.order()];
    product[0] = Some(y);
    let mut queue = vec![(0, y)];
    while let Some((x, xy)) = queue.pop() {
        for g in 0..monoid.generators() {
            let next = monoid.act(x, g);
            if product[next as usize].is_none() {
                product[next as usize] = Some(monoid.act(xy, g));
                queue.push((next, monoid.act(xy, g)));
            }
        }
    }
    product.into_iter().map(|xy| xy.unwrap_or(y)).collect()
}

/// Returns the nim-value of all positions of each element.
///
/// Returns `None` if some element has positions with different ones.
fn nim_values_of_elements(
    monoid: &BipartiteMonoid,
    generator_heaps: &[u32],
    nim_values: &[u32],
) -> Option<Vec<u32>> {
    let generators: Vec<u32> = generator_heaps
        .iter()
        .map(|&heap| nim_values[heap as usize])
        .collect();
    let mut nim_of = vec![None; monoid.order()];
    nim_of[0] = Some(0);
    let mut queue = vec![(0, 0)];
    while let Some((x, nim)) = queue.pop() {
        for (g, &of_generator) in generators.iter().enumerate() {
            let (next, sum) = (monoid.act(x, g), nim ^ of_generator);
            match nim_of[next as usize] {
                None => {
                    nim_of[next as usize] = Some(sum);
                    queue.push((next, sum));
                }
                Some(known) if known != sum => return None,
                Some(_) => {}
            }
        }
    }
    nim_of.into_iter().collect()
}

/// The continuation of a game that is tame relative to a heap.
pub(super) enum Continuation {
    /// A proved period within the heaps allowed, and so the quotient of the whole game.
    Solved {
        period: u32,
        preperiod: u32,
        whole: ExtendedQuotient,
    },
    /// The period lies beyond the heaps allowed, or none is proved.
    Relative(Tail),
}

/// A quotient, its values, and the tame extensions of both.
pub(super) struct ExtendedQuotient {
    pub(super) monoid: BipartiteMonoid,
    pub(super) values: Vec<Element>,
    pub(super) generator_heaps: Vec<u32>,
    pub(super) partials: Vec<Partial>,
}

/// Returns the number of tame extensions that the known nim-values need.
fn stages(nim_values: &NimValues<'_>, stages_before: u32) -> u32 {
    let largest = nim_values.values().iter().copied().max().unwrap_or(0);
    (u32::BITS - largest.leading_zeros()).saturating_sub(stages_before)
}

fn without_period(nim_values: &NimValues<'_>, stages_before: u32) -> Tail {
    Tail {
        nim_heaps: nim_values.values().len() as u32 - 1,
        nim_period: None,
        stages: Stages::AtLeast(stages(nim_values, stages_before)),
    }
}

impl Tame<'_> {
    /// Continues by nim-values to a period of `Φ` within the limits, or to one of the nim-values.
    ///
    /// # Errors
    /// [`Stop::Interrupted`] only; if the fuel ends, nim-values are known up to that heap.
    pub(super) fn continued(
        mut self,
        whole: ExtendedQuotient,
        mut periods: PeriodSearch,
        limits: &Limits,
        control: &mut Control,
    ) -> Result<Continuation, Stop> {
        let stages_before = self.of_nim.len().trailing_zeros();
        let code = self.nim_values.code();
        if is_endless(code) {
            let most = last_nim_heap(code, limits.max_heap);
            let mut looked_at = self.nim_values.clone();
            let search = |part: &mut Control| to_period(&mut looked_at, most, part);
            match control.within(NIM_FUEL, search) {
                Ending::Periodic(_) => {}
                Ending::Interrupted => return Err(Stop::Interrupted),
                Ending::Exhausted(_) | Ending::Arithmetic(_) => {
                    return Ok(Continuation::Relative(without_period(
                        &looked_at,
                        stages_before,
                    )));
                }
            }
        }
        match self.until_phi_repeats(whole, &mut periods, limits, control) {
            Ok(Some(solved)) => return Ok(solved),
            Ok(None) | Err(Stop::FuelSpent) => {}
            Err(Stop::Interrupted) => return Err(Stop::Interrupted),
        }
        let most = limits.max_heap.saturating_mul(NIM_HEAPS_PER_HEAP);
        let search = |part: &mut Control| to_period(&mut self.nim_values, most, part);
        let ending = control.within(NIM_FUEL, search);
        Ok(Continuation::Relative(match ending {
            Ending::Interrupted => return Err(Stop::Interrupted),
            Ending::Periodic(nim) => Tail {
                nim_heaps: self
                    .nim_values
                    .code()
                    .heaps_to_prove(nim.preperiod, nim.period) as u32,
                nim_period: Some(nim),
                stages: Stages::Known(stages(&self.nim_values, stages_before)),
            },
            Ending::Exhausted(_) | Ending::Arithmetic(_) => {
                without_period(&self.nim_values, stages_before)
            }
        }))
    }

    fn until_phi_repeats(
        &mut self,
        mut whole: ExtendedQuotient,
        periods: &mut PeriodSearch,
        limits: &Limits,
        control: &mut Control,
    ) -> Result<Option<Continuation>, Stop> {
        for heap in whole.values.len() as u32..=limits.max_heap {
            let nim = self.nim_values.next(control)?;
            if nim as usize == self.of_nim.len() {
                if whole.monoid.order() + self.of_nim.len() > limits.max_order as usize {
                    return Ok(None);
                }
                self.extend(&mut whole, heap, control)?;
            }
            whole.values.push(self.of_nim[nim as usize]);
            control.spend(20 + u64::from(heap))?;
            control.report(Progress {
                heap,
                order: whole.monoid.order() as u32,
            });
            if let Some((period, preperiod)) = periods.next(&whole.values, self.nim_values.code()) {
                return Ok(Some(Continuation::Solved {
                    period,
                    preperiod,
                    whole,
                }));
            }
        }
        Ok(None)
    }

    /// Replaces `whole` by its first tame extension (Definition 3.5).
    ///
    /// `heap` is the generator `z̄`.
    fn extend(
        &mut self,
        whole: &mut ExtendedQuotient,
        heap: u32,
        control: &mut Control,
    ) -> Result<(), Stop> {
        let monoid = &whole.monoid;
        control.spend(8 * (monoid.order() * (monoid.generators() + 1)) as u64)?;
        let order = monoid.order() as Element;
        let mut bar = vec![0; monoid.order()];
        for (new, &x) in (order..).zip(&self.of_nim) {
            bar[x as usize] = new;
        }
        let mut action: Vec<Vec<Element>> = Vec::with_capacity(monoid.generators() + 1);
        for row in monoid.action() {
            let barred = self.of_nim.iter().map(|&x| bar[row[x as usize] as usize]);
            action.push(row.iter().copied().chain(barred).collect());
        }
        let to_kernel = multiples(monoid, self.of_nim[0]);
        let barred = to_kernel.iter().map(|&x| bar[x as usize]);
        action.push(barred.chain(self.of_nim.iter().copied()).collect());
        let mut p_portion = ElementSet::empty(monoid.order() + self.of_nim.len());
        monoid.p_portion().iter().for_each(|x| {
            p_portion.insert(x);
        });
        whole.monoid = BipartiteMonoid::by_construction(action, p_portion);
        whole.generator_heaps.push(heap);
        whole.partials.push(partial(heap, &whole.monoid, control)?);
        let new = self.of_nim.iter().map(|&x| bar[x as usize]);
        self.of_nim = self.of_nim.iter().copied().chain(new).collect();
        Ok(())
    }
}
