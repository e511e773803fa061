//! The check that the partial quotients grow in the claimed pattern.
//!
//! That they go on to do so for ever is a conjecture and cannot be checked. What can is that the
//! pattern holds on the heaps listed, that it has been tested often enough to be called one
//! ([`Growth::is_convincing`]), and that it is the least: no smaller start, no smaller period, no
//! word left out that obeys it. The partial quotients listed have been, or will be, proved to be
//! those that occur.

use super::Flaw;
use crate::bipartite::Element;
use crate::control::Control;
use crate::solution::{GrowingWord, Growth, Polynomial, Solution};

/// The most copies of one heap in a word, and heaps in a word: far more than occur.
const LONGEST: u32 = 1_000;

pub(super) fn check(
    solution: &Solution,
    growth: &Growth,
    control: &mut Control,
) -> Result<(), Flaw> {
    let (start, period) = (growth.start, growth.period);
    let heaps = solution.heaps();
    let residues = period as usize;
    let lists = [
        growth.orders.len(),
        growth.p_sizes.len(),
        growth.words.len(),
    ];
    let in_form = start >= 1
        && period >= 1
        && lists == [residues; 3]
        && growth.words_to <= heaps
        && growth.orders.iter().chain(&growth.p_sizes).all(is_reduced)
        && growth.is_convincing(heaps);
    if !in_form {
        return Err(Flaw::NoPattern);
    }
    control.spend(u64::from(heaps) * 40)?;
    let seen = Seen::of(solution);
    for heap in start..=heaps {
        if !seen.sizes_obey(growth, heap) {
            return Err(Flaw::OffPattern { heap });
        }
    }
    for heap in start..=growth.words_to {
        if !word_obeys(solution, growth, heap, control)? {
            return Err(Flaw::WordOffPattern { heap });
        }
    }
    if growth.words_to < heaps && word_obeys(solution, growth, growth.words_to + 1, control)? {
        return Err(Flaw::PatternGoesOn {
            heap: growth.words_to + 1,
        });
    }
    if start > 1
        && seen.sizes_obey(growth, start - 1)
        && word_obeys(solution, growth, start - 1, control)?
    {
        return Err(Flaw::PatternGoesOn { heap: start - 1 });
    }
    for smaller in (1..period).filter(|&smaller| period.is_multiple_of(smaller)) {
        if seen.has_period(growth, smaller) {
            return Err(Flaw::SmallerPattern { period: smaller });
        }
    }
    Ok(())
}

/// A polynomial is written with at most four coefficients and without zeros at the end.
fn is_reduced(polynomial: &Polynomial) -> bool {
    let coefficients = polynomial.0.len();
    (1..=4).contains(&coefficients) && (coefficients == 1 || polynomial.0.last() != Some(&0))
}

/// Orders and sizes of P of all partial quotients, from heap 0 on.
struct Seen {
    orders: Vec<i64>,
    p_sizes: Vec<i64>,
}

impl Seen {
    fn of(solution: &Solution) -> Self {
        let mut seen = Self {
            orders: Vec::new(),
            p_sizes: Vec::new(),
        };
        for heap in 0..=solution.heaps() {
            // Partial quotients are proved to be in ascending order of their heaps.
            let before = solution.partials.partition_point(|p| p.heap <= heap);
            let last = before.checked_sub(1).map(|at| solution.partials[at]);
            seen.orders.push(last.map_or(1, |p| i64::from(p.order)));
            seen.p_sizes.push(last.map_or(0, |p| i64::from(p.p_size)));
        }
        seen
    }

    fn sizes_obey(&self, growth: &Growth, heap: u32) -> bool {
        let (residue, time) = place(growth, heap);
        let at = heap as usize;
        growth.orders[residue].at(time) == Some(self.orders[at])
            && growth.p_sizes[residue].at(time) == Some(self.p_sizes[at])
    }

    /// Whether a smaller period would do: fourth differences vanish, and words, if their counts
    /// stand still, are equal in the residues that it makes one.
    fn has_period(&self, growth: &Growth, period: u32) -> bool {
        let (start, step) = (growth.start as usize, period as usize);
        let vanish = |sequence: &[i64]| {
            let end = sequence.len().saturating_sub(4 * step);
            (start..end).all(|n| {
                let at = |j: usize| sequence[n + j * step];
                at(0) + 6 * at(2) + at(4) == 4 * (at(1) + at(3))
            })
        };
        let words = &growth.words;
        vanish(&self.orders)
            && vanish(&self.p_sizes)
            && words
                .iter()
                .flat_map(|word| &word.fixed)
                .all(|&(_, _, more)| more == 0)
            && (step..words.len()).all(|residue| words[residue] == words[residue - step])
    }
}

/// Residue and time of a heap, also of those before the start.
fn place(growth: &Growth, heap: u32) -> (usize, i64) {
    let since = i64::from(heap) - i64::from(growth.start);
    let period = i64::from(growth.period);
    (since.rem_euclid(period) as usize, since.div_euclid(period))
}

/// Whether the value of a heap is the product that its word says, in other generators; a
/// word that is the heap itself says that the heap is a generator.
fn word_obeys(
    solution: &Solution,
    growth: &Growth,
    heap: u32,
    control: &mut Control,
) -> Result<bool, Flaw> {
    let (residue, time) = place(growth, heap);
    let rule = &growth.words[residue];
    let parts = rule.fixed.len() + rule.moving.len();
    if parts > LONGEST as usize {
        return Ok(false);
    }
    control.spend(20 + 20 * parts as u64)?;
    let Some(product) = product(solution, rule, heap, time, control)? else {
        return Ok(false);
    };
    Ok(solution.phi[heap as usize] == product)
}

fn product(
    solution: &Solution,
    rule: &GrowingWord,
    heap: u32,
    time: i64,
    control: &mut Control,
) -> Result<Option<Element>, Flaw> {
    let Some(word) = rule.at(heap, time) else {
        return Ok(None);
    };
    let is_itself = word == [(heap, 1)] && rule.fixed.is_empty();
    let mut product = 0;
    for &(part, count) in &word {
        let generator = solution.generator_heaps.binary_search(&part);
        let (Ok(generator), 1..=LONGEST) = (generator, count) else {
            return Ok(None);
        };
        // Of two heaps that name the same new element, the generator may be the later one.
        if part == heap && !is_itself {
            return Ok(None);
        }
        control.spend(u64::from(count))?;
        for _ in 0..count {
            product = solution.quotient.act(product, generator);
        }
    }
    Ok(Some(product))
}
