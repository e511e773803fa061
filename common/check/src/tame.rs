//! The check that a game is tame relative to a heap, and of its normal play.
//!
//! The hypotheses of Siegel's Theorem 3.9 (*Structure and classification*; for three heaps and for
//! any number of known heaps see the proof in `docs/mathematics.md`) are tested from their
//! definitions: the kernel as the least ideal, normality, faithfulness, and the location of the
//! heaps' values. The quotient itself is proved elsewhere to be that of the heaps listed.
//! Nim-values are recomputed ([`super::nim_values`]).

use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::{Control, Stop};
use misere_game::ruleset::{Code, LiveHeaps};
use misere_game::solution::{NimPeriod, Solution, Stages, Tail};

use super::block_moves;
use super::nim_values::{nim_values, proved_period};
use super::{CheckError, check_repetition};

/// The most nim-values that are computed for a check: half a gigabyte.
///
/// The solver's own budget for them ends at half as many, since each costs at least 20 ticks.
const MAX_NIM_HEAPS: u32 = 100_000_000;

pub(super) fn check(
    solution: &Solution,
    heap: u32,
    tail: &Tail,
    control: &mut Control,
) -> Result<(), CheckError> {
    let (code, monoid) = (&solution.code, &solution.quotient);
    let digits = code.general();
    if !code.is_take_and_break() && digits.is_none() {
        return Err(CheckError::NotACode);
    }
    let endless = digits.filter(|digits| digits.block_length().is_some());
    let parts = u64::from(code.max_parts().max(2));
    let needed = match (endless, digits) {
        // As many heaps as the block has digits, and at least one from `heap` on.
        (Some(digits), _) => u64::from(heap.max(digits.block_length().unwrap_or(0))),
        (None, Some(digits)) => {
            (parts * u64::from(heap) + u64::from(digits.last_before_block())).saturating_sub(1)
        }
        (None, None) => (parts * u64::from(heap) + code.length() as u64).saturating_sub(1),
    };
    if heap == 0 || needed > u64::from(solution.heaps()) {
        return Err(CheckError::TooFewHeaps {
            heap,
            needed,
            heaps: solution.heaps(),
        });
    }
    if let (None, Some(_)) = (endless, digits)
        && !all_live_after(code, solution.heaps())
    {
        let heaps = solution.heaps();
        return Err(CheckError::DeadBeyond { heaps });
    }
    let kernel = Kernel::of(monoid, control)?;
    let inside = |heap: u32| kernel.contains(solution.phi[heap as usize]);
    if let Some(outside) = (heap..=solution.heaps()).find(|&heap| !inside(heap)) {
        return Err(CheckError::OutsideKernel { heap: outside });
    }
    if inside(heap - 1) {
        return Err(CheckError::TameBefore { heap });
    }
    if !kernel.is_normal(monoid) {
        return Err(CheckError::NotNormal);
    }
    if tail.nim_heaps > MAX_NIM_HEAPS {
        return Err(CheckError::TooManyNimHeaps {
            claimed: tail.nim_heaps,
            most: MAX_NIM_HEAPS,
        });
    }
    let known = nim_values(code, tail.nim_heaps.max(solution.heaps()), control)?;
    check_faithful(solution, &known, control)?;
    if let Some(digits) = endless {
        block_moves::check(solution, digits, |x| kernel.contains(x), &known, control)?;
    }
    let nim_values = &known[..=tail.nim_heaps as usize];
    check_nim_period(solution, tail, nim_values, control)?;
    check_stages(tail, nim_values, kernel.elements.len())
}

/// Reports whether every heap after the last one listed has a move.
///
/// In a code of finitely many digits, some digit has to allow a move that leaves at least one heap,
/// not necessarily equal ones, and that is possible there.
fn all_live_after(code: &Code, heaps: u32) -> bool {
    match LiveHeaps::of(code) {
        LiveHeaps::AllBut(dead) => dead.last().is_none_or(|&last| last <= heaps),
        LiveHeaps::Only(_) | LiveHeaps::Repeating { .. } => false,
    }
}

/// Checks that the nim-value is a function of the value.
///
/// It carries the nim-value along every edge of the Cayley graph.
fn check_faithful(
    solution: &Solution,
    nim_values: &[u32],
    control: &mut Control,
) -> Result<(), CheckError> {
    let monoid = &solution.quotient;
    control.spend((monoid.order() * monoid.generators() + solution.phi.len()) as u64)?;
    let mut nim_of: Vec<Option<u32>> = vec![None; monoid.order()];
    nim_of[0] = Some(0);
    // A path of generators reaches every element, so this gives each its nim-value.
    let mut layer = vec![0];
    while let Some(x) = layer.pop() {
        for (g, &heap) in solution.generator_heaps.iter().enumerate() {
            let y = monoid.act(x, g);
            if nim_of[y as usize].is_none() {
                nim_of[y as usize] = nim_of[x as usize].map(|nim| nim ^ nim_values[heap as usize]);
                layer.push(y);
            }
        }
    }
    for x in 0..monoid.order() as Element {
        for (g, &heap) in solution.generator_heaps.iter().enumerate() {
            let along = nim_of[x as usize].map(|nim| nim ^ nim_values[heap as usize]);
            if nim_of[monoid.act(x, g) as usize] != along {
                return Err(CheckError::NotFaithful {
                    element: monoid.act(x, g),
                });
            }
        }
    }
    let differs = solution
        .phi
        .iter()
        .zip(nim_values)
        .find(|&(&value, &nim)| nim_of[value as usize] != Some(nim));
    differs.map_or(Ok(()), |(&element, _)| {
        Err(CheckError::NotFaithful { element })
    })
}

fn check_nim_period(
    solution: &Solution,
    tail: &Tail,
    nim_values: &[u32],
    control: &mut Control,
) -> Result<(), CheckError> {
    match tail.nim_period {
        Some(NimPeriod { period, preperiod }) => {
            check_repetition(&solution.code, nim_values, period, preperiod, control).map_err(
                |flaw| match flaw {
                    CheckError::Unchecked(stop) => CheckError::Unchecked(stop),
                    flaw => CheckError::NormalPlay(Box::new(flaw)),
                },
            )
        }
        None => match proved_period(nim_values, &solution.code, control)? {
            Some((period, preperiod)) => Err(CheckError::PeriodNotSaid { period, preperiod }),
            None => Ok(()),
        },
    }
}

/// Checks the number of stages.
///
/// The kernel is `Z_2^s`, so it represents the nim-values below its order; further bits are further
/// stages.
fn check_stages(tail: &Tail, nim_values: &[u32], kernel: usize) -> Result<(), CheckError> {
    let largest = nim_values.iter().copied().max().unwrap_or(0);
    let mut right = 0;
    while (kernel as u64) << right <= u64::from(largest) {
        right += 1;
    }
    let said = match (tail.stages, tail.nim_period) {
        (Stages::Known(stages), Some(_)) | (Stages::AtLeast(stages), None) => Some(stages),
        _ => None,
    };
    if said == Some(right) {
        Ok(())
    } else {
        Err(CheckError::Stages { right })
    }
}

/// The least ideal.
struct Kernel {
    elements: Vec<Element>,
    inside: Vec<bool>,
}

impl Kernel {
    /// Returns the kernel.
    ///
    /// Descends from the whole monoid: if an element of the ideal `xQ` does not reach `x`, its
    /// ideal is smaller.
    fn of(monoid: &BipartiteMonoid, control: &mut Control) -> Result<Self, Stop> {
        let edges = |x: Element| (0..monoid.generators()).map(move |g| monoid.act(x, g));
        let mut backwards: Vec<Vec<Element>> = vec![Vec::new(); monoid.order()];
        for x in 0..monoid.order() as Element {
            edges(x).for_each(|y| backwards[y as usize].push(x));
        }
        let mut x = 0;
        loop {
            control.spend(4 * (monoid.order() * (monoid.generators() + 1)) as u64)?;
            let ideal = reached(monoid.order(), x, edges);
            let above = reached(monoid.order(), x, |y| backwards[y as usize].iter().copied());
            match (0..monoid.order()).find(|&y| ideal[y] && !above[y]) {
                Some(smaller) => x = smaller as Element,
                None => {
                    let elements = (0..monoid.order() as Element)
                        .filter(|&y| ideal[y as usize])
                        .collect();
                    return Ok(Self {
                        elements,
                        inside: ideal,
                    });
                }
            }
        }
    }

    fn contains(&self, x: Element) -> bool {
        self.inside[x as usize]
    }

    /// Reports whether the one P-element of the kernel is its identity, the only idempotent there.
    fn is_normal(&self, monoid: &BipartiteMonoid) -> bool {
        let mut p = self.elements.iter().filter(|&&x| monoid.in_p(x));
        match (p.next(), p.next()) {
            (Some(&x), None) => square(monoid, x) == x,
            _ => false,
        }
    }
}

fn reached<I: Iterator<Item = Element>>(
    order: usize,
    from: Element,
    edges: impl Fn(Element) -> I,
) -> Vec<bool> {
    let mut reached = vec![false; order];
    reached[from as usize] = true;
    let mut queue = vec![from];
    while let Some(x) = queue.pop() {
        for y in edges(x) {
            if !std::mem::replace(&mut reached[y as usize], true) {
                queue.push(y);
            }
        }
    }
    reached
}

/// Returns `x²`, by walking a shortest path from 1 to `x` from `x`.
fn square(monoid: &BipartiteMonoid, x: Element) -> Element {
    let mut images = vec![None; monoid.order()];
    images[0] = Some(x);
    let mut layer = vec![0];
    while images[x as usize].is_none() && !layer.is_empty() {
        let mut next = Vec::new();
        for y in layer {
            for g in 0..monoid.generators() {
                let z = monoid.act(y, g);
                if images[z as usize].is_none() {
                    images[z as usize] = images[y as usize].map(|image| monoid.act(image, g));
                    next.push(z);
                }
            }
        }
        layer = next;
    }
    images[x as usize].unwrap_or(0)
}
