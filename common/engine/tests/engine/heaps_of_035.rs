//! What is observed of 0.35 in `docs/automata.md`, compared with partial quotients.

use std::collections::{BTreeSet, HashMap};

use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::bipartite::BipartiteMonoid;
use misere_game::bipartite::multiplication::Multiplication;
use misere_game::control::Control;
use misere_game::ruleset::Code;

/// The partial quotient to a heap.
struct Partial {
    quotient: BipartiteMonoid,
    phi: Vec<u32>,
    /// The product of each element with each heap.
    rows: Vec<Vec<u32>>,
}

impl Partial {
    fn to_heap(max_heap: u32) -> Self {
        let code: Code = "0.35".parse().unwrap();
        let limits = Limits {
            max_heap,
            max_evidence: 0,
            ..Limits::default()
        };
        let control = &mut Control::unlimited();
        let solution = solve(&code, &limits, Strategy::Exact, control);
        assert_eq!(solution.heaps(), max_heap);
        let (quotient, phi) = (solution.quotient, solution.phi);
        let products = Multiplication::new(&quotient);
        let elements = 0..quotient.order() as u32;
        let row = |&y: &u32| elements.clone().map(|x| products.times(x, y)).collect();
        let rows = phi.iter().map(row).collect();
        Self {
            quotient,
            phi,
            rows,
        }
    }

    /// Returns the product of a value with a heap.
    fn times(&self, x: u32, heap: usize) -> u32 {
        self.rows[heap][x as usize]
    }

    /// Returns the heaps for which a condition holds, but for those with the value of a smaller one.
    fn heaps(&self, is_taken: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut values = BTreeSet::new();
        let taken = (1..self.phi.len()).filter(|&heap| is_taken(heap));
        taken
            .filter(|&heap| values.insert(self.phi[heap]))
            .collect()
    }

    /// Returns the products of some values with any heaps for which a condition holds.
    fn closed(&self, start: &[u32], is_taken: impl Fn(usize) -> bool) -> BTreeSet<u32> {
        let heaps = self.heaps(is_taken);
        let mut found: BTreeSet<u32> = start.iter().copied().collect();
        let mut todo = start.to_vec();
        while let Some(x) = todo.pop() {
            for &heap in &heaps {
                let product = self.times(x, heap);
                if found.insert(product) {
                    todo.push(product);
                }
            }
        }
        found
    }

    fn is_p(&self, sum: &[usize]) -> bool {
        let value = sum.iter().fold(0, |x, &heap| self.times(x, heap));
        self.quotient.in_p(value)
    }
}

/// Reports whether the page says P of 16 with heaps of 1, of 2, of `3j` and of `3u + 2`.
fn is_said_p(ones: usize, twos: usize, threes: &[usize], others: &[usize]) -> bool {
    let o = ones % 2;
    let weight: usize = others.iter().map(|u| u - 1).sum();
    let c = (twos + threes.len() + threes.iter().sum::<usize>() + weight) % 2;
    let z = match *threes {
        [] => true,
        [j] => weight + 4 < j + o || others.iter().any(|u| j + weight - (u - 1) + 3 < u + o),
        [i, j] => weight + i.abs_diff(j) <= 2 + o,
        _ => false,
    };
    if o == 0 { c == 1 && z } else { c == 0 && !z }
}

/// Returns all lists of at most `most` numbers in the range, in ascending order.
fn lists(from: usize, to: usize, most: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for at in 0.. {
        let Some(list) = all.get(at).cloned() else {
            return all;
        };
        let least = list.last().copied().unwrap_or(from);
        if list.len() < most {
            all.extend((least..=to).map(|next| [&list[..], &[next]].concat()));
        }
    }
    all
}

#[test]
fn sums_beside_a_heap_of_16_are_as_the_page_says() {
    let partial = Partial::to_heap(56);
    let mut count = 0;
    for (ones, twos) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 3), (3, 2)] {
        for threes in lists(6, 18, 3) {
            for others in lists(1, 18, 2) {
                let mut sum = vec![16];
                sum.extend(std::iter::repeat_n(1, ones));
                sum.extend(std::iter::repeat_n(2, twos));
                sum.extend(threes.iter().map(|j| 3 * j));
                sum.extend(others.iter().map(|u| 3 * u + 2));
                let said = is_said_p(ones, twos, &threes, &others);
                assert_eq!(partial.is_p(&sum), said, "{sum:?}");
                count += 1;
            }
        }
    }
    assert!(count > 500_000, "{count}");
}

#[test]
fn all_other_sums_have_finitely_many_values() {
    for heap in [56, 62] {
        let partial = Partial::to_heap(heap);
        let phi = &partial.phi;
        let others = (4..phi.len()).step_by(3).filter(|&heap| heap != 16);
        let mut start: Vec<u32> = others.map(|heap| phi[heap]).collect();
        start.push(partial.times(phi[16], 16));
        assert_eq!(partial.closed(&start, |_| true).len(), 1_980, "{heap}");

        let without = |heap: usize| heap != 16;
        let sums = partial.closed(&[0], without);
        let classes = classes(&partial, &sums, without);
        assert_eq!(
            classes.values().collect::<BTreeSet<_>>().len(),
            2_598,
            "{heap}"
        );
        let of_heap = |heap: usize| classes[&phi[heap]];
        assert!((47..phi.len() - 6).all(|heap| of_heap(heap) == of_heap(heap + 6)));
    }
}

/// Returns the class of each sum, if two are alike that no sum of these heaps tells apart.
fn classes(
    partial: &Partial,
    sums: &BTreeSet<u32>,
    is_taken: impl Fn(usize) -> bool,
) -> HashMap<u32, usize> {
    let heaps = partial.heaps(is_taken);
    let first = |&x: &u32| (x, usize::from(partial.quotient.in_p(x)));
    let mut classes: HashMap<u32, usize> = sums.iter().map(first).collect();
    let mut count = 2;
    loop {
        let mut known: HashMap<Vec<usize>, usize> = HashMap::new();
        let finer: HashMap<u32, usize> = sums
            .iter()
            .map(|&x| {
                let after = heaps.iter().map(|&heap| classes[&partial.times(x, heap)]);
                let look: Vec<usize> = [classes[&x]].into_iter().chain(after).collect();
                let next = known.len();
                (x, *known.entry(look).or_insert(next))
            })
            .collect();
        if known.len() == count {
            return classes;
        }
        (count, classes) = (known.len(), finer);
    }
}
