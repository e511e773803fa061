//! The decision whether a bipartite monoid is a misère quotient.
//!
//! A reduced bipartite monoid with `1 ∉ P` is a misère quotient iff it carries a valid minimex
//! algebra (Siegel, *The structure and classification of misère quotients*, Theorem 8.4). This
//! module decides it for small orders: each element that may be the value of `*` is tried, and for
//! each all construction sequences (`validity.rs`). *Yes* comes with games, which
//! [`misere_check::construction`] has confirmed to have this quotient; *no* rests on the theorem
//! and on this search.

use misere_check::construction::{self, ConstructionCheckError};
use misere_game::bipartite::multiplication::Multiplication;
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::{Control, Stop};
use misere_game::solution::Construction;

use super::games;
use super::small_monoid::{MAX_ORBITS, MAX_ORDER, SmallElement, SmallMonoid};
use super::validity::Candidate;

/// The decision, as far as it could be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The bipartite monoid is the misère quotient of these games.
    Quotient(Box<Construction>),
    /// The bipartite monoid is not the misère quotient of any set of games.
    NotOne(Reason),
    /// Undecided: the bipartite monoid is too large for the search.
    Open,
}

/// The reason why a bipartite monoid is not a misère quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The end of the game is an N-position.
    #[error("its identity is in P, but the player to move at the end of a misère game wins")]
    IdentityInP,
    /// Two elements cannot be told apart.
    #[error("it is not reduced")]
    NotReduced,
    /// No element has the properties that the value of `*` has in every misère quotient.
    #[error(
        "no element can be the value of *: in a misère quotient with more than one element that is an `a` in P with a^2 = 1, ax ≠ x, \
         and x or ax not in P, for every x"
    )]
    NoStar,
    /// All construction sequences were tried and none is valid.
    #[error("no set of games has it: all construction sequences were tried (Siegel, Theorem 8.4)")]
    NoSequence,
}

/// Decides whether a bipartite monoid is a misère quotient, for orders to [`MAX_ORDER`].
///
/// Cost: the search for a valid construction sequence, at worst through all of them.
///
/// # Errors
/// [`Stop`] if `control` ends the search; then the question stays open.
///
/// ```
/// use misere_game::bipartite::families::tame;
/// use misere_algebra::classify::decision::{Decision, Reason, decide};
/// use misere_game::control::Control;
/// use misere_game::monoid::readable::WrittenPresentation;
/// let control = &mut Control::unlimited();
/// assert!(matches!(decide(&tame(3), control)?, Decision::Quotient(_)));
/// let klein: WrittenPresentation = "<a,b | a^2=1, b^2=1> P={a}".parse()?;
/// let klein = klein.bipartite_monoid(10)?;
/// assert_eq!(decide(&klein, control)?, Decision::NotOne(Reason::NoSequence));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn decide(monoid: &BipartiteMonoid, control: &mut Control) -> Result<Decision, Stop> {
    let order = monoid.order();
    if monoid.in_p(0) {
        return Ok(Decision::NotOne(Reason::IdentityInP));
    }
    if monoid.reduce().monoid.order() != order {
        return Ok(Decision::NotOne(Reason::NotReduced));
    }
    if order == 1 {
        // The quotient of no games at all: the only position is the end of the game.
        let none = Construction::new(BipartiteMonoid::trivial(), Vec::new());
        return Ok(Decision::Quotient(Box::new(none)));
    }
    if order > MAX_ORDER {
        return Ok(Decision::Open);
    }
    let multiplication = Multiplication::new(monoid);
    let mut reason = Reason::NoStar;
    for a in 1..order as Element {
        let Some(paired) = paired(monoid, &multiplication, a) else {
            continue;
        };
        reason = Reason::NoSequence;
        let translates = paired.translates();
        let candidate = Candidate::new(&paired, &translates);
        let Some(sequence) = candidate.sequence(control)? else {
            continue;
        };
        let found = games::construction(&paired, &sequence, control)?;
        match construction::check(&found, control) {
            Ok(()) => return Ok(Decision::Quotient(Box::new(found))),
            Err(ConstructionCheckError::Unchecked(stop)) => return Err(stop),
            // The search erred, so the question stays open.
            Err(_) => return Ok(Decision::Open),
        }
    }
    Ok(Decision::NotOne(reason))
}

/// Returns the monoid paired off by `a`, if `a` has the properties of the value of `*`.
pub(super) fn paired(
    monoid: &BipartiteMonoid,
    multiplication: &Multiplication<'_>,
    a: Element,
) -> Option<SmallMonoid> {
    let by_a = multiplication.row(a);
    let of = |x: Element| by_a[x as usize];
    let elements = || 0..monoid.order() as Element;
    let is_star = monoid.in_p(a)
        && of(a) == 0
        && elements().all(|x| of(x) != x && !(monoid.in_p(x) && monoid.in_p(of(x))));
    if !is_star {
        return None;
    }
    // The first element of each orbit, and the number that each element gets.
    let firsts: Vec<Element> = elements().filter(|&x| x < of(x)).collect();
    let mut number = vec![0; monoid.order()];
    for (&x, orbit) in firsts.iter().zip(0..) {
        let orbit: SmallElement = orbit;
        number[x as usize] = 2 * orbit;
        number[of(x) as usize] = 2 * orbit + 1;
    }
    let mut paired = SmallMonoid {
        orbits: firsts.len(),
        p_portion: 0,
        table: [[0; MAX_ORBITS]; MAX_ORBITS],
    };
    for x in elements().filter(|&x| monoid.in_p(x)) {
        paired.p_portion |= 1 << number[x as usize];
    }
    for (row, &x) in paired.table.iter_mut().zip(&firsts) {
        let products = multiplication.row(x);
        for (product, &y) in row.iter_mut().zip(&firsts) {
            *product = number[products[y as usize] as usize];
        }
    }
    Some(paired)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::Classifier;
    use misere_game::bipartite::families::{restive, tame};
    use misere_game::monoid::readable::WrittenPresentation;
    use std::collections::BTreeSet;

    fn decided(monoid: &BipartiteMonoid) -> Decision {
        decide(monoid, &mut Control::unlimited()).unwrap()
    }

    #[test]
    fn quotients_of_the_list_are_decided_with_their_games() {
        let mut classifier = Classifier::new(16);
        let mut control = Control::unlimited();
        let mut classes = BTreeSet::new();
        while let Some(level) = classifier.next_order(&mut control).unwrap() {
            for quotient in &level.quotients {
                // On other generators and with another numbering.
                let monoid = quotient.monoid().canonical_form().monoid;
                let Decision::Quotient(found) = decided(&monoid) else {
                    panic!("{:?} is none", quotient.class());
                };
                assert_eq!(found.quotient.class_key(), quotient.class());
                assert!(classes.insert(quotient.class()));
            }
        }
        assert_eq!(classes.len(), 1 + 1 + 1 + 1 + 6 + 12 + 67);
    }

    /// Decides quotients with another P-portion as the complete list says, up to order 8.
    ///
    /// Every bipartite monoid of order at most 8 that is a quotient with another P-portion is
    /// tried.
    #[test]
    fn monoids_off_the_list_are_not_quotients() {
        let mut classifier = Classifier::new(8);
        let mut control = Control::unlimited();
        let mut classes = BTreeSet::new();
        while let Some(level) = classifier.next_order(&mut control).unwrap() {
            classes.extend(level.quotients.iter().map(|quotient| quotient.class()));
        }
        let mut kinds = [0; 2];
        for monoid in [tame(1), tame(2), restive(2).unwrap()] {
            for portion in 0..1_u32 << monoid.order() {
                let in_p = (0..monoid.order() as Element).filter(|x| portion >> x & 1 != 0);
                let action = monoid.action().to_vec();
                let other = BipartiteMonoid::new(monoid.order(), action, in_p).unwrap();
                let is_reduced = other.reduce().monoid.order() == other.order();
                let is_one = is_reduced && classes.contains(&other.class_key());
                match decided(&other) {
                    Decision::Quotient(_) => assert!(is_one, "{portion:b}"),
                    Decision::NotOne(reason) => {
                        assert!(!is_one, "{portion:b}");
                        assert_eq!(reason == Reason::IdentityInP, portion & 1 != 0);
                    }
                    Decision::Open => panic!("{portion:b}"),
                }
                kinds[usize::from(is_one)] += 1;
            }
        }
        assert!(kinds[0] > 250 && kinds[1] >= 3, "{kinds:?}");
    }

    #[test]
    fn reasons_are_reported() {
        for (text, decision) in [
            ("<> P={}", None),
            ("<> P={1}", Some(Reason::IdentityInP)),
            ("<a | a^2=1> P={}", Some(Reason::NotReduced)),
            ("<a | a^3=1> P={a}", Some(Reason::NoStar)),
            ("<a,b | a^2=1, b^2=1> P={a}", Some(Reason::NoSequence)),
            ("<a,b | a^2=1, b^3=b> P={a,b^2}", None),
        ] {
            let written: WrittenPresentation = text.parse().unwrap();
            let found = decided(&written.bipartite_monoid(100).unwrap());
            match (decision, found) {
                (None, Decision::Quotient(_)) => {}
                (Some(expected), Decision::NotOne(reason)) => {
                    assert_eq!(reason, expected, "{text}")
                }
                (_, found) => panic!("{text}: {found:?}"),
            }
        }
        assert_eq!(decided(&tame(5)), Decision::Open);
    }
}
