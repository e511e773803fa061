//! Games with a given quotient, with as few options as can be found.
//!
//! A construction sequence gives games whose options have all the values `E_i = M_{x_i} ∩ S_{i-1}`.
//! Smaller sets suffice if they leave the algebra valid: fewer options make fewer hits, so parity
//! must be checked again where a value is not in P. Options are left out one by one, those with the
//! longest words first; so the result is a function of the quotient and its sequence.

use misere_game::control::{Control, Stop};
use misere_game::monoid::word::{Word, lex_least_words};
use misere_game::solution::Construction;

use super::small_monoid::{Mask, SmallElement, SmallMonoid, elements};
use super::validity::Candidate;

/// Returns the construction of a valid sequence, with as few options as possible.
///
/// Options are left out one at a time.
pub(super) fn construction(
    monoid: &SmallMonoid,
    sequence: &[SmallElement],
    control: &mut Control,
) -> Result<Construction, Stop> {
    let quotient = monoid.unpaired(sequence);
    let words = lex_least_words(&quotient);
    let translates = monoid.translates();
    let candidate = Candidate::new(monoid, &translates);
    let mut options = candidate.meximal_options(sequence);
    let mut by_length: Vec<(u32, SmallElement)> = (0..monoid.order() as SmallElement)
        .map(|x| (words[usize::from(x)].0.iter().sum(), x))
        .collect();
    by_length.sort_unstable_by(|one, other| other.cmp(one));
    for game in (0..sequence.len()).rev() {
        for &(_, option) in &by_length {
            let fewer: Mask = options[game] & !(1 << option);
            if fewer == options[game] || fewer == 0 {
                continue;
            }
            let all = std::mem::replace(&mut options[game], fewer);
            if !candidate.keeps_parity(sequence, &options, control)? {
                options[game] = all;
            }
        }
    }
    let as_words = |set: Mask| -> Vec<Word> {
        elements(set)
            .map(|x| words[usize::from(x)].clone())
            .collect()
    };
    let options = options.into_iter().map(as_words).collect();
    Ok(Construction::new(quotient, options))
}
