//! The P-portion of an infinite quotient, as words and progressions.
//!
//! If at most one letter of every family of normal words may be repeated, the counts of that letter
//! that give a P-position describe the P-portion. A preperiod and a period of these counts are
//! guessed from the first ones, and proved by reading the two sides `k` and `k + p` together (T8 in
//! `docs/presentations.md`).

use misere_game::control::Control;
use misere_game::monoid::word::Word;
use misere_game::outcome::Outcome;
use misere_game::solution::presentation::compare;

use super::super::FamilyCheckError;
use super::super::diagram::reading::Reading;
use super::families::Family;
use super::least::{agree_along, outcome_of};

/// The number of counts from which a period is guessed.
const EXAMINED_COUNTS: u32 = 128;

/// The normal words that are P-positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Portion {
    /// Words, in degree-lexicographic order.
    pub words: Vec<Word>,
    /// Progressions, in the order of their first words.
    pub progressions: Vec<Progression>,
}

/// A word and its products with the powers of another word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progression {
    /// The least word.
    pub first: Word,
    /// The word that it is multiplied with.
    pub step: Word,
}

/// Returns the words of the families that are P-positions.
///
/// Returns `None` if progressions in one letter do not describe them.
pub(super) fn portion(
    reading: &Reading<'_>,
    families: &[Family],
    control: &mut Control,
) -> Result<Option<Portion>, FamilyCheckError> {
    let mut portion = Portion::default();
    for family in families {
        let is_p = |word: &Word| {
            let counts: Vec<u64> = word.0.iter().map(|&count| u64::from(count)).collect();
            outcome_of(reading, &counts) == Some(Outcome::P)
        };
        control.spend(1_000)?;
        match family.free.as_slice() {
            [] => portion
                .words
                .extend(Some(&family.base).filter(|w| is_p(w)).cloned()),
            &[letter] => {
                let Some(digit) = reading.digits.iter().position(|&digit| digit == letter) else {
                    return Ok(None);
                };
                let with = |count: u32| {
                    let mut word = family.base.clone();
                    word.0[letter] = word.0[letter].saturating_add(count);
                    word
                };
                control.spend(1_000 * u64::from(EXAMINED_COUNTS))?;
                let first: Vec<bool> = (0..EXAMINED_COUNTS)
                    .map(|count| is_p(&with(count)))
                    .collect();
                let Some((index, period)) = cycle(&first) else {
                    return Ok(None);
                };
                let counts = |word: Word| word.0.into_iter().map(u64::from).collect::<Vec<_>>();
                let sides = [index, index + period].map(|count| counts(with(count as u32)));
                if !agree_along(reading, digit, [&sides[0], &sides[1]], control)? {
                    return Ok(None);
                }
                let p = (0..index + period).filter(|&count| first[count]);
                for count in p {
                    let word = with(count as u32);
                    if count < index {
                        portion.words.push(word);
                    } else {
                        let mut step = Word(vec![0; word.0.len()]);
                        step.0[letter] = period as u32;
                        portion.progressions.push(Progression { first: word, step });
                    }
                }
            }
            _ => return Ok(None),
        }
    }
    portion.words.sort_unstable_by(compare);
    portion
        .progressions
        .sort_unstable_by(|one, other| compare(&one.first, &other.first));
    Ok(Some(portion))
}

/// Returns the least index and period of a list, if the list shows the period twice.
fn cycle(list: &[bool]) -> Option<(usize, usize)> {
    let from = |period: usize| {
        let differs = |at: &usize| list[*at] != list[at + period];
        let last = (0..list.len() - period).rev().find(differs);
        last.map_or(0, |at| at + 1)
    };
    (1..=list.len() / 4)
        .map(|period| (from(period), period))
        .find(|(index, period)| index + 2 * period <= list.len() / 2)
}

#[cfg(test)]
mod tests {
    use super::cycle;

    #[test]
    fn cycles_are_least() {
        let list = |rule: fn(usize) -> bool| (0..64).map(rule).collect::<Vec<_>>();
        assert_eq!(cycle(&list(|_| true)), Some((0, 1)));
        assert_eq!(cycle(&list(|k| k % 3 == 0)), Some((0, 3)));
        assert_eq!(cycle(&list(|k| k == 4 || k % 2 == 1)), Some((5, 2)));
        assert_eq!(cycle(&list(|k| k.is_power_of_two())), None);
    }
}
