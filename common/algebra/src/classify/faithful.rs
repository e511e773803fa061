//! The decision whether a misère quotient is the quotient of faithful games.
//!
//! Games are *faithful* if games of equal value have equal nim-values (Siegel, *The structure and
//! classification of misère quotients*, Definition 3.2). Let `x_1, …, x_k` be a construction
//! sequence with numbers `v_1, …, v_k`, such that one homomorphism `ν` takes `x_i` to the nimber
//! `v_i`, and let `E_i` be the set of the `y` in `M_{x_i} ∩ S_{i-1}` with `ν(y) ≠ v_i`. A finite
//! quotient has faithful games iff, for some sequence with numbers, the nimbers of `E_i` include
//! all below `v_i`, and the pairs `(x_i, E_i)` generate an algebra with parity. The proof is the
//! same as for Theorem 8.4 (`docs/classification.md`, "Faithful games"). All sequences are tried.

use misere_game::bipartite::multiplication::Multiplication;
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::{Control, Stop};
use misere_game::monoid::word::lex_least_words;
use misere_game::solution::Construction;

use super::decision::paired;
use super::small_monoid::{MAX_ORDER, Mask, SmallElement, SmallMonoid, elements};
use super::validity::{Algebra, Candidate};

/// The nimbers of elements.
type Nimbers = [u8; MAX_ORDER];

/// Returns faithful games with a given misère quotient, if there are such games.
///
/// Returned games need not be trusted: [`misere_check::construction`] judges whether they have the
/// quotient, and [`super::facts::facts`] whether they are faithful. A `None` rests on the theorem
/// and on this search. The order must be at most [`MAX_ORDER`], and greater than 1; otherwise the
/// answer is `None`.
///
/// Cost: at worst all construction sequences.
///
/// ```
/// use misere_game::bipartite::families::tame;
/// use misere_algebra::classify::facts::facts;
/// use misere_algebra::classify::faithful::faithful_games;
/// use misere_game::control::Control;
/// let games = faithful_games(&tame(3), &mut Control::unlimited())?;
/// assert!(games.is_some_and(|games| facts(&games).faithful));
/// # Ok::<(), misere_game::control::Stop>(())
/// ```
///
/// # Errors
/// [`Stop`] if `control` ends the search; then the question stays open.
pub fn faithful_games(
    quotient: &BipartiteMonoid,
    control: &mut Control,
) -> Result<Option<Construction>, Stop> {
    if quotient.order() > MAX_ORDER {
        return Ok(None);
    }
    let multiplication = Multiplication::new(quotient);
    for a in 1..quotient.order() as Element {
        let Some(monoid) = paired(quotient, &multiplication, a) else {
            continue;
        };
        let translates = monoid.translates();
        let candidate = Candidate::new(&monoid, &translates);
        let star = Game {
            value: 1,
            nimber: 1,
            options: 1,
        };
        let Some(algebra) = candidate.extended(&Algebra::trivial(), 1, 1, control)? else {
            continue;
        };
        let mut nimbers = [0; MAX_ORDER];
        nimbers[1] = 1;
        let mut search = Search {
            monoid: &monoid,
            candidate: &candidate,
            games: vec![star],
            control,
        };
        if search.continued(&algebra, &nimbers)? {
            let games = search.games;
            return with_fewer_options(&monoid, &candidate, games, control).map(Some);
        }
    }
    Ok(None)
}

/// A game of a sequence.
#[derive(Clone, Copy)]
struct Game {
    value: SmallElement,
    nimber: u8,
    /// The values of the options.
    options: Mask,
}

struct Search<'a> {
    monoid: &'a SmallMonoid,
    candidate: &'a Candidate<'a>,
    games: Vec<Game>,
    control: &'a mut Control,
}

impl Search<'_> {
    /// Searches for games after the ones there are, whose algebra and nimbers are given.
    fn continued(&mut self, algebra: &Algebra, nimbers: &Nimbers) -> Result<bool, Stop> {
        if algebra.values == self.monoid.all() {
            return Ok(true);
        }
        for value in elements(self.monoid.all() & !algebra.values) {
            let allowed = self.candidate.options(value, algebra.values);
            for nimber in 0..=mex(allowed, nimbers) {
                let other = |&y: &SmallElement| nimbers[usize::from(y)] != nimber;
                let options = elements(allowed)
                    .filter(other)
                    .fold(0, |set, y| set | 1 << y);
                let Some(next) = self.extended(algebra.values, nimbers, value, nimber) else {
                    continue;
                };
                let extended = self
                    .candidate
                    .extended(algebra, value, options, self.control)?;
                let Some(extended) = extended else {
                    continue;
                };
                self.games.push(Game {
                    value,
                    nimber,
                    options,
                });
                if self.continued(&extended, &next)? {
                    return Ok(true);
                }
                self.games.pop();
            }
        }
        Ok(false)
    }

    /// Returns the nimbers of the submonoid with one more element, if no element would have two.
    fn extended(
        &self,
        before: Mask,
        nimbers: &Nimbers,
        x: SmallElement,
        of_x: u8,
    ) -> Option<Nimbers> {
        let mut all = *nimbers;
        let mut known = before;
        let mut last = before;
        while last != 0 {
            let mut next = 0;
            for y in elements(last) {
                let product = self.monoid.product(x, y);
                let nimber = all[usize::from(y)] ^ of_x;
                if known >> product & 1 == 0 {
                    all[usize::from(product)] = nimber;
                    known |= 1 << product;
                    next |= 1 << product;
                } else if all[usize::from(product)] != nimber {
                    return None;
                }
            }
            last = next;
        }
        Some(all)
    }
}

/// Returns the least number that is not the nimber of an element of the set.
fn mex(set: Mask, nimbers: &Nimbers) -> u8 {
    let has = |nimber| elements(set).any(|y| nimbers[usize::from(y)] == nimber);
    // A set has fewer elements than there are numbers.
    (0..=u8::MAX).find(|&nimber| !has(nimber)).unwrap_or(0)
}

/// Returns the construction, with as few options as parity and nim-values allow.
///
/// Options are left out one at a time.
fn with_fewer_options(
    monoid: &SmallMonoid,
    candidate: &Candidate<'_>,
    games: Vec<Game>,
    control: &mut Control,
) -> Result<Construction, Stop> {
    let sequence: Vec<SmallElement> = games.iter().map(|game| game.value).collect();
    let mut options: Vec<Mask> = games.iter().map(|game| game.options).collect();
    let quotient = monoid.unpaired(&sequence);
    let words = lex_least_words(&quotient);
    let mut nimbers = [0; MAX_ORDER];
    for (nimber, word) in nimbers.iter_mut().zip(&words) {
        let odd = games
            .iter()
            .zip(&word.0)
            .filter(|(_, copies)| *copies % 2 == 1);
        *nimber = odd.fold(0, |sum, (game, _)| sum ^ game.nimber);
    }
    let mut by_length: Vec<(u32, SmallElement)> = (0..monoid.order() as SmallElement)
        .map(|x| (words[usize::from(x)].0.iter().sum(), x))
        .collect();
    by_length.sort_unstable_by(|one, other| other.cmp(one));
    for (at, game) in games.iter().enumerate().rev() {
        for &(_, option) in &by_length {
            let fewer = options[at] & !(1 << option);
            if fewer == options[at] || fewer == 0 || mex(fewer, &nimbers) != game.nimber {
                continue;
            }
            let all = std::mem::replace(&mut options[at], fewer);
            if !candidate.keeps_parity(&sequence, &options, control)? {
                options[at] = all;
            }
        }
    }
    let as_words = |set: Mask| elements(set).map(|x| words[usize::from(x)].clone());
    let options = options.into_iter().map(|set| as_words(set).collect());
    Ok(Construction::new(quotient, options.collect()))
}

#[cfg(test)]
mod tests {
    use misere_check::construction::check;

    use super::*;
    use crate::classify::Classifier;
    use crate::classify::facts::facts;

    /// Every quotient to order 16 has faithful games, by the checker and by their nim-values.
    #[test]
    fn faithful_games_are_found() {
        let mut classifier = Classifier::new(16);
        let mut control = Control::unlimited();
        let mut found = 0;
        while let Some(level) = classifier.next_order(&mut control).unwrap() {
            for quotient in &level.quotients {
                // On other generators and with another numbering.
                let monoid = quotient.monoid().canonical_form().monoid;
                let games = faithful_games(&monoid, &mut control).unwrap().unwrap();
                assert_eq!(games.quotient.class_key(), quotient.class());
                assert_eq!(check(&games, &mut control), Ok(()));
                assert!(facts(&games).faithful);
                found += 1;
            }
        }
        assert_eq!(found, 1 + 1 + 1 + 1 + 6 + 12 + 67);
    }

    /// A monoid that is not a quotient has no faithful games.
    #[test]
    fn monoids_that_are_not_quotients_have_none() {
        let klein: misere_game::monoid::readable::WrittenPresentation =
            "<a,b | a^2=1, b^2=1> P={a}".parse().unwrap();
        let klein = klein.bipartite_monoid(10).unwrap();
        let mut control = Control::unlimited();
        assert_eq!(faithful_games(&klein, &mut control), Ok(None));
        let trivial = BipartiteMonoid::trivial();
        assert_eq!(faithful_games(&trivial, &mut control), Ok(None));
    }
}
