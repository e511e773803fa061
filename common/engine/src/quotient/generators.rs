//! The choice of the heaps that name the generators of a quotient.
//!
//! The engine's levels generate, but often more than needed: a heap that became a generator when it
//! came can be a product of later ones (in 0.123 heap 6 is the square of heap 9). Two kinds of
//! levels are removed: first those whose values are products of proper divisors (any generating set
//! gives them, see [`misere_game::bipartite::divisibility`]), then, from the smallest heap up, those that
//! smaller ones generate. In all published examples the remaining ones are the generators that the
//! papers choose.

use misere_game::bipartite::divisibility::Divisibility;
use misere_game::bipartite::{BipartiteMonoid, Element, ElementSet};

/// Returns a copy of the monoid on irredundant generators, its elements numbered breadth first.
///
/// The heaps of the generators left out are removed from `heaps`, and `values` gets the new
/// numbers.
///
/// Cost: `O(n · g)` for order `n` and `g` generators, besides the divisibility relation.
pub(super) fn without_redundant(
    monoid: &BipartiteMonoid,
    heaps: &[u32],
    values: &[Element],
) -> (BipartiteMonoid, Vec<u32>, Vec<Element>) {
    let kept = irredundant(monoid);
    let mut number: Vec<Option<Element>> = vec![None; monoid.order()];
    number[0] = Some(0);
    let mut elements = vec![0];
    let mut action: Vec<Vec<Element>> = vec![Vec::new(); kept.len()];
    let mut next = 0;
    while let Some(&x) = elements.get(next) {
        next += 1;
        for (row, &g) in action.iter_mut().zip(&kept) {
            let y = monoid.act(x, g);
            row.push(*number[y as usize].get_or_insert_with(|| {
                elements.push(y);
                elements.len() as Element - 1
            }));
        }
    }
    let p_portion = ElementSet::where_true(elements.len(), |x| monoid.in_p(elements[x as usize]));
    let phi = values
        .iter()
        .map(|&x| number[x as usize].unwrap_or(0))
        .collect();
    let heaps = kept.iter().map(|&g| heaps[g]).collect();
    (
        BipartiteMonoid::by_construction(action, p_portion),
        heaps,
        phi,
    )
}

/// Returns the indices of generators that still generate.
fn irredundant(monoid: &BipartiteMonoid) -> Vec<usize> {
    let irreducible = Divisibility::new(monoid).irreducible(monoid);
    let mut generated = ElementSet::empty(monoid.order());
    generated.insert(0);
    let mut members = vec![0];
    let mut kept: Vec<usize> = Vec::new();
    for g in 0..monoid.generators() {
        let value = monoid.act(0, g);
        if generated.contains(value) || irreducible.binary_search(&value).is_err() {
            continue;
        }
        // The products so far are closed under the generators kept before.
        let closed = members.len();
        kept.push(g);
        let mut next = 0;
        while let Some(&x) = members.get(next) {
            let not_closed = if next < closed { &[g] } else { kept.as_slice() };
            next += 1;
            for &g in not_closed {
                let y = monoid.act(x, g);
                if generated.insert(y) {
                    members.push(y);
                }
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use misere_game::control::Control;

    use crate::quotient::{Limits, Strategy, solve};

    /// The generators that the papers name, as heaps.
    #[test]
    fn generators_of_the_papers() {
        for (code, heaps) in [
            ("0.123", vec![1, 3, 8, 9]),
            ("0.77", vec![1, 2, 5, 9, 12, 25, 27]),
            ("0.144", vec![1, 5, 9, 14, 20]),
            ("0.152", vec![1, 4, 10, 21, 24]),
        ] {
            let solution = solve(
                &code.parse().unwrap(),
                &Limits::default(),
                Strategy::Exact,
                &mut Control::unlimited(),
            );
            assert_eq!(solution.generator_heaps, heaps, "{code}");
        }
    }
}
