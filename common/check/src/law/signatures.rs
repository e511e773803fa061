//! Tuples of natural numbers that represent all tuples.
//!
//! A statement about a tuple may depend on it only through linear forms, and on each form only up
//! to a bound: values beyond the bound are all alike. Then finitely many tuples represent all.
//! [`representatives`] finds them by reading the binary digits of all numbers at once, the most
//! significant digits first: a form with the value `v` so far has the value `2v + d` after the next
//! digits, where `d` is the form of these digits. A value beyond the bound stays beyond it, if the
//! bound is at least the sum of the coefficients; so the values cut off at the bound are the states
//! of a finite automaton, and its states that can be reached are the combinations that occur.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use misere_game::control::{Control, Stop};

/// A linear form with integer coefficients.
pub(super) type Form<const N: usize> = [i64; N];

/// The ticks for one step of the automaton.
const STEP: u64 = 4;

/// Returns a tuple for each combination of values of the forms, cut off at `±bound`, that occurs.
///
/// A combination includes the parity of the sum of the numbers in `parity_of`. Numbers that are not
/// `active` are 0.
///
/// Cost: the number of combinations times `2^N · forms`.
///
/// # Errors
/// [`Stop`] if `control` ends the check.
pub(super) fn representatives<const N: usize, const F: usize>(
    forms: &[Form<N>; F],
    active: [bool; N],
    parity_of: [bool; N],
    bound: i64,
    control: &mut Control,
) -> Result<Vec<[u64; N]>, Stop> {
    let most = forms.iter().map(|form| form.iter().map(|c| c.abs()).sum());
    let bound = bound.max(most.max().unwrap_or(1));
    let digits: Vec<[u64; N]> = (0_u32..1 << N)
        .map(|bits| std::array::from_fn(|at| u64::from(bits >> at & 1)))
        .filter(|digits: &[u64; N]| (0..N).all(|at| active[at] || digits[at] == 0))
        .collect();
    let mut found = vec![[0_u64; N]];
    let mut states = vec![([0_i64; F], false)];
    let mut seen = HashMap::from([(states[0], ())]);
    let mut at = 0;
    while let Some(&(values, _)) = states.get(at) {
        let tuple = found[at];
        at += 1;
        control.spend(STEP * digits.len() as u64)?;
        for digits in &digits {
            let next: [i64; F] = std::array::from_fn(|form| {
                let more: i64 = (0..N).map(|n| forms[form][n] * digits[n] as i64).sum();
                (2 * values[form] + more).clamp(-bound, bound)
            });
            let odd = (0..N).filter(|&n| parity_of[n] && digits[n] == 1).count() % 2 == 1;
            if let Entry::Vacant(entry) = seen.entry((next, odd)) {
                entry.insert(());
                states.push((next, odd));
                found.push(std::array::from_fn(|n| 2 * tuple[n] + digits[n]));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair of small numbers has a representative with the same forms.
    #[test]
    fn every_tuple_has_a_representative() {
        let forms = [[1, 0], [0, 1], [1, -1], [3, -1]];
        let bound = 5;
        let cut = |tuple: [u64; 2]| {
            let values = forms.map(|form| {
                let value: i64 = (0..2).map(|n| form[n] * tuple[n] as i64).sum();
                value.clamp(-bound, bound)
            });
            (values, (tuple[0] + tuple[1]) % 2)
        };
        let found = Control::without_limit(|control| {
            representatives(&forms, [true; 2], [true; 2], bound, control)
        });
        let found: Vec<_> = found.into_iter().map(cut).collect();
        for x in 0..60 {
            for y in 0..60 {
                assert!(found.contains(&cut([x, y])), "{x}, {y}");
            }
        }
        let mut once = found.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), found.len());
    }
}
