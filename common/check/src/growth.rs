//! The check that the partial quotients grow in the claimed pattern.
//!
//! That they continue to do so for ever is a conjecture and cannot be checked. What can be checked
//! is that the pattern holds on the heaps listed, that it has been tested often enough to be called
//! a pattern ([`Growth::is_convincing`]), and that it is the least with these words: no smaller
//! start, no smaller period, no word left out that obeys it. (Other words of equal value might do
//! more.) The partial quotients listed are proved elsewhere to be those that occur.

use std::collections::BTreeMap;

use misere_game::bipartite::Element;
use misere_game::control::Control;
use misere_game::solution::{GrowingWord, Growth, Polynomial, Solution};

use super::CheckError;

/// The most copies of one heap in a word, and the most heaps in a word: far more than occur.
const MAX_COPIES: u32 = 1_000;

pub(super) fn check(
    solution: &Solution,
    growth: &Growth,
    control: &mut Control,
) -> Result<(), CheckError> {
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
        return Err(CheckError::NoPattern);
    }
    control.spend(u64::from(heaps) * 40)?;
    let seen = PartialSizes::of(solution);
    for heap in start..=heaps {
        if !seen.sizes_obey(growth, heap) {
            return Err(CheckError::OffPattern { heap });
        }
    }
    for heap in start..=growth.words_to {
        if !word_obeys(solution, growth, heap, control)? {
            return Err(CheckError::WordOffPattern { heap });
        }
    }
    if growth.words_to < heaps && is_too_long(growth, growth.words_to + 1) {
        return Err(CheckError::NoPattern);
    }
    if growth.words_to < heaps && word_obeys(solution, growth, growth.words_to + 1, control)? {
        return Err(CheckError::PatternGoesOn {
            heap: growth.words_to + 1,
        });
    }
    if start > 1
        && seen.sizes_obey(growth, start - 1)
        && word_obeys(solution, growth, start - 1, control)?
    {
        return Err(CheckError::PatternGoesOn { heap: start - 1 });
    }
    for smaller in (1..period).filter(|&smaller| period.is_multiple_of(smaller)) {
        if seen.has_period(growth, smaller) {
            return Err(CheckError::SmallerPattern { period: smaller });
        }
    }
    Ok(())
}

/// Reports whether a polynomial has one to four coefficients and no superfluous zeros at the end.
fn is_reduced(polynomial: &Polynomial) -> bool {
    let coefficients = polynomial.0.len();
    (1..=4).contains(&coefficients) && (coefficients == 1 || polynomial.0.last() != Some(&0))
}

/// The orders and P-portion sizes of all partial quotients, from heap 0 on.
struct PartialSizes {
    orders: Vec<i64>,
    p_sizes: Vec<i64>,
}

impl PartialSizes {
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

    /// Reports whether a smaller period suffices.
    ///
    /// It does if the fourth differences vanish, and if the words of the residues that it merges
    /// follow one another as one word does in time.
    fn has_period(&self, growth: &Growth, period: u32) -> bool {
        let (start, step) = (growth.start as usize, period as usize);
        let ratio = u64::from(growth.period / period);
        let vanish = |sequence: &[i64]| {
            let end = sequence.len().saturating_sub(4 * step);
            (start..end).all(|n| {
                let at = |j: usize| sequence[n + j * step];
                at(0) + 6 * at(2) + at(4) == 4 * (at(1) + at(3))
            })
        };
        let words: Vec<Counts> = growth.words.iter().map(Counts::of).collect();
        vanish(&self.orders)
            && vanish(&self.p_sizes)
            && (step..words.len())
                .all(|residue| words[residue - step].grown(ratio).as_ref() == Some(&words[residue]))
    }
}

/// The counts of a word, independent of how it is written.
///
/// Equal heaps are added, and heaps that never occur are left out.
#[derive(PartialEq, Eq)]
struct Counts {
    /// The count at time 0 and the growth of each fixed heap.
    fixed: BTreeMap<u32, (u64, u64)>,
    /// The count of each heap that moves along.
    moving: BTreeMap<i32, u64>,
}

impl Counts {
    fn of(word: &GrowingWord) -> Self {
        let mut counts = Self {
            fixed: BTreeMap::new(),
            moving: BTreeMap::new(),
        };
        for &(heap, count, more) in &word.fixed {
            let sum = counts.fixed.entry(heap).or_default();
            *sum = (sum.0 + u64::from(count), sum.1 + u64::from(more));
        }
        for &(back, count) in &word.moving {
            *counts.moving.entry(back).or_default() += u64::from(count);
        }
        counts.fixed.retain(|_, sum| *sum != (0, 0));
        counts.moving.retain(|_, count| *count != 0);
        counts
    }

    /// Returns the word after one of `ratio` equal parts of the time in which its counts grow once.
    ///
    /// Returns `None` if they do not grow evenly.
    fn grown(&self, ratio: u64) -> Option<Self> {
        let grow = |(&heap, &(count, more)): (&u32, &(u64, u64))| {
            let even = more.is_multiple_of(ratio);
            even.then(|| (heap, (count + more / ratio, more)))
        };
        Some(Self {
            fixed: self.fixed.iter().map(grow).collect::<Option<_>>()?,
            moving: self.moving.clone(),
        })
    }
}

/// Returns the residue and time of a heap, also for heaps before the start.
fn place(growth: &Growth, heap: u32) -> (usize, i64) {
    let since = i64::from(heap) - i64::from(growth.start);
    let period = i64::from(growth.period);
    (since.rem_euclid(period) as usize, since.div_euclid(period))
}

/// Reports whether the word of a heap is too long to be multiplied, so that it decides nothing.
fn is_too_long(growth: &Growth, heap: u32) -> bool {
    let (residue, time) = place(growth, heap);
    let word = growth.words[residue].at(heap, time);
    word.is_some_and(|word| word.iter().any(|&(_, count)| count > MAX_COPIES))
}

/// Reports whether the value of a heap is the product that its word states in other generators.
///
/// A word that is the heap itself states that the heap is a generator.
fn word_obeys(
    solution: &Solution,
    growth: &Growth,
    heap: u32,
    control: &mut Control,
) -> Result<bool, CheckError> {
    let (residue, time) = place(growth, heap);
    let rule = &growth.words[residue];
    let parts = rule.fixed.len() + rule.moving.len();
    if parts > MAX_COPIES as usize {
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
) -> Result<Option<Element>, CheckError> {
    let Some(word) = rule.at(heap, time) else {
        return Ok(None);
    };
    let is_itself = word == [(heap, 1)] && rule.fixed.is_empty();
    let mut product = 0;
    for &(part, count) in &word {
        let generator = solution.generator_heaps.binary_search(&part);
        let (Ok(generator), 1..=MAX_COPIES) = (generator, count) else {
            return Ok(None);
        };
        // If two heaps name the same new element, the generator may be the later one.
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

#[cfg(test)]
mod tests {
    use misere_game::bipartite::BipartiteMonoid;
    use misere_game::solution::{Partial, Verdict};

    use super::*;

    /// Returns the group of order 2, claimed as the quotient of ten heaps, and a pattern for it.
    ///
    /// A pattern is judged by the numbers listed, whether or not they belong to a game. From heap 2
    /// on the order of heap `n` is `n`, one element is in P, and the value is that of heap 1.
    fn growing() -> (Solution, Growth) {
        let heaps = 10;
        let quotient = BipartiteMonoid::new(2, vec![vec![1, 0]; 10], [1]).unwrap();
        let partial = |heap| Partial {
            heap,
            order: if heap == 1 { 9 } else { heap },
            p_size: 1,
            class: quotient.class_key(),
        };
        let growth = Growth {
            start: 2,
            period: 1,
            orders: vec![Polynomial(vec![2, 1])],
            p_sizes: vec![Polynomial(vec![1])],
            words: vec![word(&[(1, 1, 0)])],
            words_to: heaps,
            solved_by: None,
        };
        let solution = Solution {
            code: "0.3".parse().unwrap(),
            verdict: Verdict::Grows {
                start: 2,
                period: 1,
            },
            partials: (1..=heaps).map(partial).collect(),
            quotient,
            generator_heaps: (1..=heaps).collect(),
            phi: [vec![0], vec![1; heaps as usize]].concat(),
            tail: None,
            growth: None,
            evidence: None,
            reason: None,
            fuel: 0,
        };
        (solution, growth)
    }

    fn word(fixed: &[(u32, u32, u32)]) -> GrowingWord {
        GrowingWord {
            fixed: fixed.to_vec(),
            moving: Vec::new(),
        }
    }

    fn checked(change: impl FnOnce(&mut Solution, &mut Growth)) -> Result<(), CheckError> {
        let (mut solution, mut growth) = growing();
        change(&mut solution, &mut growth);
        check(&solution, &growth, &mut Control::unlimited())
    }

    /// Checks a pattern of period 2, given for as many heaps as that needs.
    ///
    /// `change` makes the residues differ.
    fn of_period_2(change: impl FnOnce(&mut Solution, &mut Growth)) -> Result<(), CheckError> {
        checked(|s, g| {
            let heaps = 21;
            let last = s.partials[1];
            s.partials.truncate(1);
            s.partials
                .extend((2..=heaps).map(|heap| Partial { heap, ..last }));
            for partial in &mut s.partials[1..] {
                partial.order = partial.heap;
            }
            s.phi.resize(heaps as usize + 1, 1);
            g.period = 2;
            g.words_to = heaps;
            g.orders = vec![Polynomial(vec![2, 2]), Polynomial(vec![3, 2])];
            g.p_sizes = vec![Polynomial(vec![1]); 2];
            g.words = vec![word(&[(1, 1, 0)]); 2];
            change(s, g);
        })
    }

    /// F1: a constant may be 0, and nothing else may end in 0.
    #[test]
    fn zeros_at_the_end_of_a_polynomial() {
        let none_in_p = |s: &mut Solution| s.partials.iter_mut().for_each(|p| p.p_size = 0);
        let with = |coefficients: &[i64]| {
            checked(|s, g| {
                none_in_p(s);
                g.p_sizes = vec![Polynomial(coefficients.to_vec())];
            })
        };
        assert_eq!(with(&[0]), Ok(()));
        assert_eq!(with(&[0, 0]), Err(CheckError::NoPattern));
    }

    /// F5: no word is needed beyond the last heap listed.
    #[test]
    fn words_of_all_heaps() {
        assert_eq!(checked(|_, _| {}), Ok(()));
        let fewer = checked(|_, g| g.words_to -= 1);
        assert_eq!(fewer, Err(CheckError::PatternGoesOn { heap: 10 }));
    }

    /// F5: a word that is too long to be multiplied does not show that the pattern ends.
    #[test]
    fn words_that_become_too_long() {
        let with = |more: u32| {
            checked(|_, g| {
                g.words = vec![word(&[(1, 1, more)])];
                g.words_to -= 1;
            })
        };
        assert_eq!(with(2), Err(CheckError::PatternGoesOn { heap: 10 }));
        assert_eq!(with(124), Err(CheckError::PatternGoesOn { heap: 10 }));
        assert_eq!(with(126), Err(CheckError::NoPattern));
    }

    /// F6: the claimed start is not the least if the heap before obeys in its order, its P-portion
    /// and its word.
    #[test]
    fn the_heap_before_the_start() {
        let obeys = |s: &mut Solution| s.partials[0].order = 1;
        let other_word = |g: &mut Growth| g.words = vec![word(&[(2, 1, 0)])];
        let itself = Err(CheckError::WordOffPattern { heap: 2 });
        assert_eq!(checked(|_, g| other_word(g)), itself);
        let word_breaks = checked(|s, g| {
            obeys(s);
            g.words = vec![word(&[])];
            s.phi[2..].fill(0);
        });
        assert_eq!(word_breaks, Ok(()));
        let all_obey = checked(|s, g| {
            obeys(s);
            g.words = vec![word(&[])];
            s.phi.fill(0);
        });
        assert_eq!(all_obey, Err(CheckError::PatternGoesOn { heap: 1 }));
    }

    /// F6: no pattern starts with the empty heap, even if that obeys.
    #[test]
    fn the_first_heap_is_the_least_start() {
        let from_heap_1 = checked(|s, g| {
            for partial in &mut s.partials {
                partial.order = partial.heap + 1;
                partial.p_size = partial.heap;
            }
            g.start = 1;
            g.p_sizes = vec![Polynomial(vec![1, 1])];
            g.words = vec![word(&[])];
            s.phi.fill(0);
        });
        assert_eq!(from_heap_1, Ok(()));
    }

    /// F7: the claimed period is not the least if the residues are alike in all respects.
    #[test]
    fn residues_that_differ_in_one_respect() {
        assert_eq!(
            of_period_2(|_, _| {}),
            Err(CheckError::SmallerPattern { period: 1 })
        );
        let odd = |partial: &&mut Partial| partial.heap % 2 == 1;
        let orders = of_period_2(|s, g| {
            s.partials.iter_mut().filter(odd).for_each(|p| p.order += 5);
            g.orders[1] = Polynomial(vec![8, 2]);
        });
        let p_sizes = of_period_2(|s, g| {
            s.partials.iter_mut().filter(odd).for_each(|p| p.p_size = 2);
            g.p_sizes[1] = Polynomial(vec![2]);
        });
        let words = of_period_2(|_, g| g.words[1] = word(&[(1, 3, 0)]));
        let more = of_period_2(|_, g| g.words = vec![word(&[(1, 1, 2)]); 2]);
        for differing in [orders, p_sizes, words, more] {
            assert_eq!(differing, Ok(()));
        }
    }

    /// F7: counts that grow by an even number in two residues may be those of one residue that grow
    /// by half of it.
    #[test]
    fn words_that_grow_twice_as_fast() {
        let with = |more: u32, second: (u32, u32, u32)| {
            of_period_2(|s, g| {
                s.phi[3..]
                    .iter_mut()
                    .step_by(2)
                    .for_each(|value| *value = 0);
                g.words = vec![word(&[(1, 1, more)]), word(&[second])];
            })
        };
        let smaller = Err(CheckError::SmallerPattern { period: 1 });
        assert_eq!(with(2, (1, 2, 2)), smaller);
        assert_eq!(with(2, (1, 4, 2)), Ok(()));
        assert_eq!(with(2, (1, 2, 4)), Ok(()));
        assert_eq!(with(4, (1, 2, 2)), Ok(()));
    }

    /// F7: a word is the same word however it is written.
    #[test]
    fn words_that_are_written_in_two_ways() {
        let smaller = Err(CheckError::SmallerPattern { period: 1 });
        for second in [
            word(&[(1, 1, 0), (5, 0, 0)]),
            word(&[(1, 0, 0), (1, 1, 0)]),
            GrowingWord {
                moving: vec![(1, 0)],
                ..word(&[(1, 1, 0)])
            },
        ] {
            assert_eq!(of_period_2(|_, g| g.words[1] = second), smaller);
        }
    }

    /// F4: a word has at most a thousand parts.
    #[test]
    fn the_greatest_length_of_a_word() {
        let fixed = |parts: usize| GrowingWord {
            fixed: [vec![(1, 1, 0)], vec![(1, 0, 0); parts - 1]].concat(),
            moving: Vec::new(),
        };
        let moving = |parts: usize| GrowingWord {
            fixed: Vec::new(),
            moving: [vec![(1, 1)], vec![(1, 0); parts - 1]].concat(),
        };
        let off = Err(CheckError::WordOffPattern { heap: 2 });
        assert_eq!(checked(|_, g| g.words = vec![fixed(1_000)]), Ok(()));
        assert_eq!(checked(|_, g| g.words = vec![fixed(1_001)]), off);
        assert_eq!(checked(|_, g| g.words = vec![moving(1_001)]), off);
        let both = GrowingWord {
            fixed: fixed(501).fixed,
            moving: vec![(1, 0); 500],
        };
        assert_eq!(checked(|_, g| g.words = vec![both]), off);
    }

    /// F4: a word that is the heap itself is nothing but that heap, once, moving along.
    #[test]
    fn a_word_that_contains_its_own_heap() {
        let moving = |count| GrowingWord {
            fixed: Vec::new(),
            moving: vec![(0, count)],
        };
        assert_eq!(checked(|_, g| g.words = vec![moving(1)]), Ok(()));
        let off = |heap| Err(CheckError::WordOffPattern { heap });
        assert_eq!(checked(|_, g| g.words = vec![moving(3)]), off(2));
        let fixed = checked(|_, g| g.words = vec![word(&[(5, 1, 0)])]);
        assert_eq!(fixed, off(5));
    }
}
