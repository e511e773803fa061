//! The search for a pattern in which the partial quotients grow.
//!
//! In 0.26 and 4.7 every partial quotient is finite and the quotient of the whole game is not
//! (Plambeck–Siegel, supplement, Figures 8 and 9: *algebraic periodic* games). The engine
//! recognizes such a game by its observations: from some heap on the orders of the partial
//! quotients, and of their P-portions, are a quasi-polynomial in the heap, and the words of `Φ`
//! repeat but for letters that move along with the heap. The pattern is a conjecture about all
//! heaps; it is a fact about the heaps listed, and [`misere_check`] proves it as one.
//!
//! A quasi-polynomial of degree at most 3 and period `p` is a sequence whose fourth differences in
//! steps of `p` vanish. The search takes the least `p` for which they do from some heap on, far
//! enough back for the rule of [`Growth::is_convincing`]. Then it reads each word from two
//! neighbours in the middle and tests it up and down. The words of the last few heaps differ, since
//! the heaps that distinguish their generators come later.

use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::{Control, Stop};
use misere_game::monoid::word::{lex_least_tree, word_in_tree};
use misere_game::solution::{GrowingWord, Growth, Partial, Polynomial};

/// The order of the differences; degrees are less.
const DIFFERENCES: usize = 4;

/// Returns the pattern in which the partial quotients grow to the last heap.
///
/// Returns `None` if there is none, or if it has not held long enough.
///
/// Cost: `O(heaps² + order · generators)`.
///
/// # Errors
/// [`Stop`] if `control` ends the search.
pub(super) fn pattern(
    monoid: &BipartiteMonoid,
    generator_heaps: &[u32],
    values: &[Element],
    partials: &[Partial],
    control: &mut Control,
) -> Result<Option<Growth>, Stop> {
    let heaps = values.len() - 1;
    let found = QuotientValues {
        monoid,
        generator_heaps,
        values,
    };
    let orders = by_heap(heaps, partials, 1, |partial| partial.order);
    let p_sizes = by_heap(heaps, partials, 0, |partial| partial.p_size);
    let mut words: Option<Vec<HeapWord>> = None;
    for period in 1..=heaps / DIFFERENCES {
        control.spend(10 + 4 * heaps as u64)?;
        let start = holds_from(&orders, period).max(holds_from(&p_sizes, period));
        if start + 2 * DIFFERENCES * period > heaps {
            continue;
        }
        if words.is_none() {
            control.spend(20 * (monoid.order() * (monoid.generators() + 1)) as u64)?;
        }
        let words = words.get_or_insert_with(|| heap_words(&found));
        // Every heap's word is read and walked once.
        control.spend(100 * heaps as u64)?;
        let growth = with_words(&found, &orders, &p_sizes, words, start, period)
            .filter(|growth| growth.is_convincing(heaps as u32));
        if growth.is_some() {
            return Ok(growth);
        }
    }
    Ok(None)
}

/// A word of `Φ` over heaps, ascending, with their counts.
type HeapWord = Vec<(u32, u32)>;

fn by_heap(
    heaps: usize,
    partials: &[Partial],
    first: u32,
    of: impl Fn(&Partial) -> u32,
) -> Vec<i64> {
    let mut at = partials.iter().peekable();
    let mut present = i64::from(first);
    let mut sequence = Vec::with_capacity(heaps + 1);
    for heap in 0..=heaps {
        if let Some(partial) = at.next_if(|partial| partial.heap as usize == heap) {
            present = i64::from(of(partial));
        }
        sequence.push(present);
    }
    sequence
}

/// Returns the heap, at least 1, from which on the fourth differences in steps of `period` vanish.
fn holds_from(sequence: &[i64], period: usize) -> usize {
    let difference = |n: usize| {
        let at = |j: usize| sequence[n + j * period];
        at(0) - 4 * at(1) + 6 * at(2) - 4 * at(3) + at(4)
    };
    let last = sequence.len() - 1;
    match last.checked_sub(DIFFERENCES * period) {
        Some(end) => (1..=end)
            .rev()
            .find(|&n| difference(n) != 0)
            .map_or(1, |n| n + 1),
        None => last + 1,
    }
}

/// A quotient with its values.
struct QuotientValues<'a> {
    monoid: &'a BipartiteMonoid,
    generator_heaps: &'a [u32],
    values: &'a [Element],
}

impl QuotientValues<'_> {
    /// Returns the product of heaps that are all generators.
    fn product(&self, word: &[(u32, u32)]) -> Option<Element> {
        word.iter().try_fold(0, |product, &(heap, count)| {
            let generator = self.generator_heaps.binary_search(&heap).ok()?;
            Some(self.monoid.product_from(product, [(generator, count)]))
        })
    }
}

fn heap_words(found: &QuotientValues<'_>) -> Vec<HeapWord> {
    let tree = lex_least_tree(found.monoid);
    let heap_word = |&value: &Element| {
        let word = word_in_tree(&tree, value, found.monoid.generators());
        let counts = found.generator_heaps.iter().copied().zip(word.0);
        counts.filter(|&(_, count)| count > 0).collect()
    };
    found.values.iter().map(heap_word).collect()
}

fn with_words(
    found: &QuotientValues<'_>,
    orders: &[i64],
    p_sizes: &[i64],
    words: &[HeapWord],
    start: usize,
    period: usize,
) -> Option<Growth> {
    let heaps = orders.len() - 1;
    let middle = start + (heaps - start) / 2;
    let middle = middle.min(heaps.checked_sub(2 * period)?).max(start);
    // By residue of the heap; its distance from the start comes later.
    let mut rules: Vec<Option<GrowingWord>> = vec![None; period];
    for heap in middle..middle + period {
        let rule = GrowingWord::of_neighbours(heap as u32, &words[heap], &words[heap + period]);
        rules[heap % period] = Some(rule);
    }
    let obeys = |heap: usize| {
        let first = middle + (heap + period - middle % period) % period;
        let time = (heap as i64 - first as i64) / period as i64;
        let word = rules[heap % period].as_ref()?.at(heap as u32, time)?;
        (found.product(&word)? == found.values[heap]).then_some(heap)
    };
    obeys(middle)?;
    let to = (middle..=heaps).map_while(obeys).last()?;
    let from = (start..=middle).rev().map_while(obeys).last()?;
    let polynomials = |sequence: &[i64]| -> Option<Vec<Polynomial>> {
        (from..from + period)
            .map(|first| Polynomial::through(sequence.get(first..)?.iter().step_by(period)))
            .collect()
    };
    Some(Growth {
        start: from as u32,
        period: period as u32,
        orders: polynomials(orders)?,
        p_sizes: polynomials(p_sizes)?,
        words: (from..from + period)
            .map(|heap| {
                let first = middle + (heap + period - middle % period) % period;
                let periods = (first - heap) / period;
                rules[heap % period]
                    .as_ref()?
                    .counted_from_earlier(periods as u32)
            })
            .collect::<Option<_>>()?,
        words_to: to as u32,
        solved_by: None,
    })
}
