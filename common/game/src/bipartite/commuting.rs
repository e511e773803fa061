//! The test whether the rows of a table commute.
//!
//! The definition compares every row with every other at every element: `n·g²` comparisons for
//! order `n` and `g` generators. A table that a client sends has only `n·g` entries, so by the
//! definition a table of a few hundred kilobytes would keep a reader busy for a minute. This module
//! decides in `O(n·g)`.
//!
//! **A spanning tree of the Cayley graph is not enough.** It is tempting to look only at the
//! `n - 1` steps of a tree: for each element `y = x·t` of the tree and each generator `h` whether
//! `y·h = (x·h)·t`. That is necessary but does not suffice: on the elements 0, 1, 2 the rows
//! `a = (1, 0, 0)` and `b = (2, 0, 1)` with the tree `0·a = 1`, `0·b = 2` pass (`1·b = 2·a = 0`),
//! but `(1·a)·b = 0·b = 2` and `(1·b)·a = 0·a = 1`. The steps miss the places where two words lead
//! to one element, and checking these for all generators costs `n·g²` again. (Deciding it means
//! deciding whether a table is associative, and no exact method is known that takes time
//! proportional to the table.)
//!
//! **A random combination is enough.** Let `r` and `s` give a number to each generator and `v` one
//! to each element, modulo the prime `p = 2⁶¹ - 1`, and let `(A f)(x) = Σ_g r_g · f(x·g)` and
//! `(B f)(x) = Σ_h s_h · f(x·h)`. Then
//!
//! ```text
//! D(x) = (A B v)(x) - (B A v)(x) = Σ_g Σ_h r_g · s_h · ( v(x·g·h) - v(x·h·g) )
//! ```
//!
//! *Rows that commute always pass*: every bracket is zero. *Rows that do not commute hardly ever
//! do*: if `y = x·g·h` differs from `x·h·g`, then `D(x)`, as a polynomial in all these numbers, has
//! the term `r_g · s_h · v(y)` with coefficient 1, since the only other bracket that goes with
//! `r_g · s_h` is the one subtracted, at another element. So `D(x)` is a polynomial of degree 3
//! that is not zero, and by the lemma of Schwartz and Zippel at most 3 of `p` choices of the
//! numbers make it vanish. The test is made [`TRIALS`] times with independent numbers, so an error
//! has probability below 2⁻¹¹⁷. Each trial takes four sums over the table.
//!
//! The numbers are drawn from the BLAKE3 hash of the table itself. So the answer is a function of
//! the table (A-5), and the author of a table cannot fit it to the numbers, other than by trying
//! 2¹¹⁷ tables. There is no error in the other direction: a table that is refused does not commute,
//! and the error names a pair of rows that shows it.
//!
//! A few rows are compared by the definition, which then costs no more. A solution that enters a
//! census is proved again, exactly, by `misere_check`, with a meter and after everything else
//! has been checked.

use super::Element;

/// The greatest number of rows that are compared by the definition.
///
/// That is half as many comparisons for each entry of the table.
const MAX_ROWS_BY_DEFINITION: usize = 16;
/// The number of comparisons of random combinations.
const TRIALS: usize = 2;
/// The prime modulus 2⁶¹ - 1.
const PRIME: u64 = (1 << 61) - 1;

/// Returns two rows that do not commute and an element at which they differ, if there are any.
///
/// The entries must be elements. Cost: `O(n · g)` for order `n` and `g` rows, and `g²` more if they
/// do not commute.
pub(super) fn disagreement(
    order: usize,
    action: &[Vec<Element>],
) -> Option<(usize, usize, Element)> {
    match action.len() {
        0..=MAX_ROWS_BY_DEFINITION => by_definition(order, action),
        _ => by_combinations(order, action),
    }
}

/// Finds two rows that do not commute, with an element at which they differ, by the definition.
///
/// Cost: `n · g²`.
fn by_definition(order: usize, action: &[Vec<Element>]) -> Option<(usize, usize, Element)> {
    action.iter().enumerate().find_map(|(first, f)| {
        action[first + 1..]
            .iter()
            .zip(first + 1..)
            .find_map(|(s, second)| {
                let differ = |&x: &Element| s[f[x as usize] as usize] != f[s[x as usize] as usize];
                let element = (0..order as Element).find(differ)?;
                Some((first, second, element))
            })
    })
}

/// Finds rows that do not commute, and an element at which they differ, by random combinations.
fn by_combinations(order: usize, action: &[Vec<Element>]) -> Option<(usize, usize, Element)> {
    let mut numbers = Numbers::of(order, action);
    let element = (0..TRIALS).find_map(|_| differs_at(order, action, &mut numbers))?;
    // Some pair of rows differs there, since the sum over all pairs does not vanish.
    let at = |row: &[Element], x: Element| row[x as usize];
    action.iter().enumerate().find_map(|(first, f)| {
        let mut later = action[first + 1..].iter().zip(first + 1..);
        later
            .find(|(s, _)| at(s, at(f, element)) != at(f, at(s, element)))
            .map(|(_, second)| (first, second, element))
    })
}

/// Returns an element at which one random combination, applied twice in both orders, differs.
fn differs_at(order: usize, action: &[Vec<Element>], numbers: &mut Numbers) -> Option<Element> {
    let of_elements: Vec<u64> = (0..order).map(|_| numbers.next()).collect();
    let of_rows: Vec<(u64, u64)> = action
        .iter()
        .map(|_| (numbers.next(), numbers.next()))
        .collect();
    let (mut a, mut b) = (vec![0; order], vec![0; order]);
    for (row, &(r, s)) in action.iter().zip(&of_rows) {
        for ((a, b), &y) in a.iter_mut().zip(&mut b).zip(row) {
            let value = of_elements[y as usize];
            *a = plus(*a, times(r, value));
            *b = plus(*b, times(s, value));
        }
    }
    let mut difference = vec![0; order];
    for (row, &(r, s)) in action.iter().zip(&of_rows) {
        let minus_s = PRIME - s;
        for (difference, &y) in difference.iter_mut().zip(row) {
            let ab = times(r, b[y as usize]);
            let ba = times(minus_s, a[y as usize]);
            *difference = plus(*difference, plus(ab, ba));
        }
    }
    (0..)
        .zip(&difference)
        .find(|&(_, &difference)| difference != 0)
        .map(|(x, _)| x)
}

/// Returns the sum, modulo the prime, of two numbers below the prime.
fn plus(x: u64, y: u64) -> u64 {
    let sum = x + y;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// Returns the product, modulo the prime, of two numbers that are at most the prime.
fn times(x: u64, y: u64) -> u64 {
    let product = u128::from(x) * u128::from(y);
    // 2⁶¹ is 1, so the upper bits are added unshifted.
    let folded = (product as u64 & PRIME) + (product >> 61) as u64;
    if folded >= PRIME {
        folded - PRIME
    } else {
        folded
    }
}

/// Numbers below the prime that a table cannot have been fitted to.
struct Numbers(blake3::OutputReader);

impl Numbers {
    fn of(order: usize, action: &[Vec<Element>]) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("misere: do these rows commute");
        hasher.update(&(order as u64).to_le_bytes());
        let mut bytes = Vec::with_capacity(4096);
        for row in action {
            for part in row.chunks(1024) {
                bytes.clear();
                bytes.extend(part.iter().flat_map(|x| x.to_le_bytes()));
                hasher.update(&bytes);
            }
        }
        Self(hasher.finalize_xof())
    }

    fn next(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        // The prime itself means 0, so 0 is twice as likely as any other number: once more in 2⁶¹.
        let number = u64::from_le_bytes(bytes) & PRIME;
        if number == PRIME { 0 } else { number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bipartite::families::tame;
    use proptest::prelude::*;

    /// Reports whether some rows do not commute.
    ///
    /// Checks that both methods agree, and that the rows differ at the element that is named.
    fn agree(order: usize, action: &[Vec<Element>]) -> bool {
        let slow = by_definition(order, action).is_some();
        let fast = by_combinations(order, action);
        assert_eq!(fast.is_some(), slow, "{order}: {action:?}");
        if let Some((first, second, x)) = fast {
            let (f, s) = (&action[first], &action[second]);
            assert_ne!(s[f[x as usize] as usize], f[s[x as usize] as usize]);
        }
        slow
    }

    /// Returns every map of a set of `order` elements to itself.
    fn maps(order: usize) -> Vec<Vec<Element>> {
        let n = order as Element;
        let all = 0..n.pow(n);
        all.map(|at| (0..n).map(|x| at / n.pow(x) % n).collect())
            .collect()
    }

    #[test]
    fn all_small_tables_are_decided_as_by_the_definition() {
        let (mut commute, mut tables) = (0, 0);
        for (order, rows) in [
            (1, 3),
            (2, 1),
            (2, 2),
            (2, 3),
            (2, 4),
            (3, 1),
            (3, 2),
            (3, 3),
            (4, 2),
        ] {
            let maps = maps(order);
            for choice in 0..maps.len().pow(rows) {
                let row = |at| maps[choice / maps.len().pow(at) % maps.len()].clone();
                let action: Vec<Vec<Element>> = (0..rows).map(row).collect();
                tables += 1;
                commute += u32::from(!agree(order, &action));
            }
        }
        assert!(commute > 1_000 && tables > 80_000, "{commute} of {tables}");
    }

    /// Refuses tables that pass a test of the steps of a spanning tree only.
    ///
    /// They have order 3 and two generators, with the tree 1 = 0·a and 2 = 0·b. Some of them do not
    /// commute, and these are found.
    #[test]
    fn tables_made_to_pass_along_a_tree_are_refused() {
        let mut made_to_pass = 0;
        for rows in 0..3_u32.pow(4) {
            let entry = |at: u32| rows / 3_u32.pow(at) % 3;
            let action = vec![vec![1, entry(0), entry(1)], vec![2, entry(2), entry(3)]];
            let (a, b) = (&action[0], &action[1]);
            // At the steps (0, a) and (0, b) each with the other generator.
            if b[a[0] as usize] == a[b[0] as usize] && agree(3, &action) {
                made_to_pass += 1;
            }
        }
        assert!(made_to_pass > 0);
        assert!(agree(3, &[vec![1, 0, 0], vec![2, 0, 1]]));
    }

    /// Finds the two rows among many that differ, at one element.
    #[test]
    fn one_entry_among_many_rows_is_seen() {
        let order = 200;
        let constant = || vec![0; order];
        let mut action: Vec<Vec<Element>> = (0..100).map(|_| constant()).collect();
        assert_eq!(disagreement(order, &action), None);
        action[70][150] = 150;
        assert_eq!(
            disagreement(order, &action),
            None,
            "it commutes with what is constantly 0"
        );
        action[30][7] = 150;
        assert_eq!(disagreement(order, &action), Some((30, 70, 7)));
    }

    #[test]
    fn arithmetic_is_modulo_the_prime() {
        for x in [0, 1, 2, PRIME / 2, PRIME - 1, PRIME] {
            for y in [0, 1, 3, PRIME / 2 + 1, PRIME - 1] {
                let product = u128::from(x) * u128::from(y) % u128::from(PRIME);
                assert_eq!(u128::from(times(x, y)), product, "{x}·{y}");
            }
        }
        assert_eq!(
            (plus(PRIME - 1, 1), plus(PRIME - 1, PRIME - 1)),
            (0, PRIME - 2)
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn random_tables_are_decided_as_by_the_definition(
            order in 1_usize..7,
            entries in prop::collection::vec(0_u32..60, 0..60),
        ) {
            let rows = entries.chunks_exact(order);
            let action: Vec<Vec<Element>> = rows.map(|row| row.iter().map(|x| x % order as Element).collect()).collect();
            agree(order, &action);
        }

        /// Decides the hardest tables: monoid rows, many of them equal, at most one entry changed.
        #[test]
        fn nearly_commuting_tables_are_decided_as_by_the_definition(
            n in 1_u32..5,
            copies in 1_usize..9,
            (row, at, to) in (0_usize..64, 0_usize..64, 0_u32..64),
        ) {
            let monoid = tame(n);
            let order = monoid.order();
            let mut action: Vec<Vec<Element>> = (0..copies).flat_map(|_| monoid.action().to_vec()).collect();
            let rows = action.len();
            action[row % rows][at % order] = to % order as Element;
            prop_assert_eq!(disagreement(order, &action).is_some(), agree(order, &action));
        }
    }
}
