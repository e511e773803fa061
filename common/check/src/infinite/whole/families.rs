//! The words that no relation shortens, as finitely many families.
//!
//! A word is *normal* for some relations if no left side divides it. The normal words are the
//! disjoint union of finitely many families `m·N^S`: a word `m`, multiplied by any counts of the
//! letters in a set `S`.

use misere_game::control::Control;
use misere_game::monoid::word::Word;

use super::super::{FamilyCheckError, too_large};

/// The most families that are kept.
const MAX_FAMILIES: usize = 200_000;

/// All products of a word with letters that may be repeated.
///
/// ```
/// use misere_game::monoid::word::Word;
/// use misere_check::infinite::whole::Family;
/// let family = Family { base: Word(vec![1, 0]), free: vec![1] };
/// assert_eq!((family.dimension(), family.words(3)), (1, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The least word.
    pub base: Word,
    /// The letters that may be repeated, by their numbers, ascending.
    pub free: Vec<usize>,
}

impl Family {
    /// Returns the number of letters that may be repeated.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.free.len()
    }

    /// Returns the number of words with `degree` letters.
    #[must_use]
    pub fn words(&self, degree: u64) -> u128 {
        let base: u64 = self.base.0.iter().map(|&count| u64::from(count)).sum();
        let Some(more) = degree.checked_sub(base) else {
            return 0;
        };
        // The ways to write `more` as a sum of one count for each letter.
        match self.free.len() as u128 {
            0 => u128::from(more == 0),
            kinds => (1..kinds).fold(1, |ways: u128, i| {
                ways.saturating_mul(u128::from(more) + i) / i
            }),
        }
    }
}

/// Returns the families of the words that none of these words divides.
///
/// Cost: families times words.
///
/// ```
/// use misere_game::control::Control;
/// use misere_game::monoid::word::Word;
/// use misere_check::infinite::whole::normal_families;
/// // No word with `a^2` or `ab`: the powers of `b`, and `a`.
/// let lefts = [Word(vec![2, 0]), Word(vec![1, 1])];
/// let families = normal_families(2, &lefts, &mut Control::unlimited())?;
/// assert_eq!(families.iter().map(|family| family.words(1)).sum::<u128>(), 2);
/// assert_eq!(families.iter().map(|family| family.words(7)).sum::<u128>(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`FamilyCheckError::TooLarge`] if there are too many families, [`FamilyCheckError::Unchecked`]
/// if fuel or patience run out.
pub fn normal_families(
    letters: usize,
    lefts: &[Word],
    control: &mut Control,
) -> Result<Vec<Family>, FamilyCheckError> {
    let mut families = vec![(
        Family {
            base: Word(vec![0; letters]),
            free: Vec::new(),
        },
        lefts.iter().collect::<Vec<_>>(),
    )];
    for letter in 0..letters {
        let mut refined = Vec::new();
        for (family, dividing) in families {
            control.spend(100 * (1 + dividing.len() as u64))?;
            let greatest = dividing.iter().map(|left| left.0[letter]).max();
            let greatest = greatest.unwrap_or(0);
            for count in 0..=greatest {
                control.spend(100 + 10 * dividing.len() as u64)?;
                // With these counts of the letters so far, only these left sides may still divide.
                let still = dividing.iter().filter(|left| left.0[letter] <= count);
                let still: Vec<&Word> = still.copied().collect();
                let rest_is_empty = |left: &&Word| left.0[letter + 1..].iter().all(|&x| x == 0);
                if still.iter().any(rest_is_empty) {
                    break;
                }
                let mut family = family.clone();
                family.base.0[letter] = count;
                if count == greatest {
                    family.free.push(letter);
                }
                refined.push((family, still));
            }
            if refined.len() > MAX_FAMILIES {
                return Err(too_large("families of words", refined.len(), MAX_FAMILIES));
            }
        }
        families = refined;
    }
    Ok(families.into_iter().map(|(family, _)| family).collect())
}
