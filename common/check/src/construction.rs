//! The check that games have a claimed misère quotient.
//!
//! The games of a [`Construction`] give pairs `(x, E)`, values with the sets of the values of their
//! options. The pairs of all sums of games are the products of these,
//! `(x, E)·(y, F) = (xy, xF ∪ yE)`: a transition algebra. It is **valid** (Siegel, *The structure
//! and classification of misère quotients*, Definition 7.2) if
//!
//! - *parity* holds: for all `(x, E)` but `(1, ∅)`, `x ∈ P` iff `E ≠ ∅` and no element of E is in
//!   P;
//! - every element has a pair, and pairs can be multiplied;
//! - it is *well-founded*: some rank has `R(1) = 0`, and every `x` has a pair `(x, E)` with
//!   `R(y) < R(x)` for all `y ∈ E`.
//!
//! Then, by Theorem 7.4, a reduced bipartite monoid with `1 ∉ P` is a misère quotient. Its proof
//! shows more for the games at hand: by parity an induction on positions proves that `Φ` gives
//! every outcome, so the monoid is the quotient of these very games.
//!
//! Here the algebra is generated in full, as sets of options, from the tables in the document; the
//! check does not use how the construction was found.

use std::collections::BTreeSet;

use misere_game::bipartite::{BipartiteMonoid, Element, MonoidError};
use misere_game::control::{Control, Stop};
use misere_game::monoid::word::Word;
use misere_game::solution::Construction;

use super::monoid::{self, MonoidCheckError};

/// The greatest order that is checked.
///
/// The elements of the algebra are sets of elements, and there can be many of these sets.
pub const MAX_ORDER: usize = 64;

/// The most pairs of the algebra that are kept. Quotients of small order have some hundreds.
const MAX_PAIRS: usize = 1_000_000;

/// The first thing found wrong with a construction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConstructionCheckError {
    /// There are more elements than are checked here.
    #[error("order {0} is more than the {MAX_ORDER} that are checked")]
    TooLarge(usize),
    /// The tables are not those of a commutative monoid.
    #[error("not a commutative monoid: {0}")]
    NotAMonoid(#[source] MonoidError),
    /// The identity is marked P, but the player to move from the empty position wins.
    #[error("the identity is in the P-portion")]
    IdentityInP,
    /// Two elements are indistinguishable.
    #[error("the monoid is not reduced: it has {order} elements, its reduction {reduced}")]
    NotReduced {
        /// Elements claimed.
        order: usize,
        /// Distinguishable elements.
        reduced: usize,
    },
    /// There are not as many games as generators.
    #[error("{games} games are given for {generators} generators")]
    GameCount {
        /// Games given.
        games: usize,
        /// Generators of the monoid.
        generators: usize,
    },
    /// An option contains a game that is not earlier.
    #[error("option {option} of game {game} is not a sum of earlier games")]
    NotEarlier {
        /// The game, counted from 0.
        game: usize,
        /// Its option, counted from 0.
        option: usize,
    },
    /// An exponent is larger than any that is needed.
    #[error(
        "option {option} of game {game} has more copies of a game than the monoid has elements"
    )]
    TooManyCopies {
        /// The game, counted from 0.
        game: usize,
        /// Its option, counted from 0.
        option: usize,
    },
    /// The games generate more pairs of a value and a set of options than are examined.
    #[error("the games generate more than {MAX_PAIRS} pairs of a value and the values of options")]
    TooManyPairs,
    /// The outcome of a sum of games differs from what its value says.
    #[error(
        "parity fails: a position of value {value} is {} P, and its options have the values {options:?}",
        if *.in_p { "in" } else { "not in" }
    )]
    Parity {
        /// Its value.
        value: Element,
        /// Whether the value is in the P-portion.
        in_p: bool,
        /// The values of its options.
        options: Vec<Element>,
    },
    /// The number of ranks differs from the number of elements, or the identity's rank is not 0.
    #[error("the ranks are not one for each element, with 0 for the identity")]
    RankForm,
    /// The element has no pair whose options all have smaller ranks.
    #[error("element {0} has no pair whose options all have smaller ranks")]
    Rank(Element),
    /// The check itself was stopped; the claim is undecided.
    #[error("not checked: {0}")]
    Unchecked(#[from] Stop),
}

/// Proves that the monoid is the misère quotient of the games, or names the first thing wrong.
///
/// Cost: products of pairs. There are at most `n·2^n` pairs for order `n`, and some hundreds in
/// quotients of small order.
///
/// ```
/// use misere_game::bipartite::families::tame;
/// use misere_game::control::Control;
/// use misere_game::monoid::word::Word;
/// use misere_game::solution::Construction;
/// use misere_check::construction::check;
/// // a = * = {0} and b = *2 = {0, *}.
/// let (zero, star) = (Word(vec![0, 0]), Word(vec![1, 0]));
/// let games = vec![vec![zero.clone()], vec![zero, star.clone()]];
/// let t2 = Construction::new(tame(2), games);
/// assert_eq!(check(&t2, &mut Control::unlimited()), Ok(()));
/// let other = Construction::new(tame(2), vec![t2.options[0].clone(), vec![star]]);
/// assert!(check(&other, &mut Control::unlimited()).is_err());
/// ```
///
/// # Errors
/// The first [`ConstructionCheckError`].
pub fn check(
    construction: &Construction,
    control: &mut Control,
) -> Result<(), ConstructionCheckError> {
    let monoid = &construction.quotient;
    let order = monoid.order();
    if order > MAX_ORDER {
        return Err(ConstructionCheckError::TooLarge(order));
    }
    monoid::check(monoid, control)?;
    if monoid.in_p(0) {
        return Err(ConstructionCheckError::IdentityInP);
    }
    let reduced = monoid.reduced_order_within(control)?;
    if reduced != order {
        return Err(ConstructionCheckError::NotReduced { order, reduced });
    }
    let (games, generators) = (construction.options.len(), monoid.generators());
    if games != generators {
        return Err(ConstructionCheckError::GameCount { games, generators });
    }
    let algebra = Algebra::new(construction, control)?;
    algebra.check_ranks(&construction.rank)
}

impl From<MonoidCheckError> for ConstructionCheckError {
    fn from(ending: MonoidCheckError) -> Self {
        match ending {
            MonoidCheckError::Flaw(flaw) => Self::NotAMonoid(flaw),
            MonoidCheckError::Stopped(stop) => Self::Unchecked(stop),
        }
    }
}

/// A set of elements.
type Mask = u64;

/// The transition algebra that pairs generate.
struct Algebra {
    order: usize,
    pairs: BTreeSet<(Element, Mask)>,
}

impl Algebra {
    /// Generates the algebra from the pairs of the games and checks every pair for parity.
    fn new(
        construction: &Construction,
        control: &mut Control,
    ) -> Result<Self, ConstructionCheckError> {
        let monoid = &construction.quotient;
        let table = products(monoid);
        let image = |x: Element, set: Mask| {
            members(set).fold(0, |image: Mask, y| {
                image | 1 << table[x as usize][y as usize]
            })
        };
        let mut games = Vec::with_capacity(construction.options.len());
        for (game, options) in construction.options.iter().enumerate() {
            let mut set: Mask = 0;
            for (option, word) in options.iter().enumerate() {
                set |= 1 << value(monoid, game, option, word)?;
            }
            games.push((monoid.act(0, game), set));
        }
        let identity = (0, 0);
        let mut pairs = BTreeSet::from([identity]);
        let mut left = vec![identity];
        while let Some((x, of_x)) = left.pop() {
            for &(y, of_y) in &games {
                control.spend(50 + 10 * monoid.order() as u64)?;
                let value = table[x as usize][y as usize];
                let options = image(y, of_x) | image(x, of_y);
                if pairs.insert((value, options)) {
                    if pairs.len() > MAX_PAIRS {
                        return Err(ConstructionCheckError::TooManyPairs);
                    }
                    let has_p = members(options).any(|option| monoid.in_p(option));
                    if monoid.in_p(value) != (options != 0 && !has_p) {
                        return Err(ConstructionCheckError::Parity {
                            value,
                            in_p: monoid.in_p(value),
                            options: members(options).collect(),
                        });
                    }
                    left.push((value, options));
                }
            }
        }
        Ok(Self {
            order: monoid.order(),
            pairs,
        })
    }

    fn check_ranks(&self, rank: &[u32]) -> Result<(), ConstructionCheckError> {
        if rank.len() != self.order || rank[0] != 0 {
            return Err(ConstructionCheckError::RankForm);
        }
        let mut is_ranked = vec![false; self.order];
        for &(x, options) in &self.pairs {
            if members(options).all(|y| rank[y as usize] < rank[x as usize]) {
                is_ranked[x as usize] = true;
            }
        }
        match is_ranked.iter().position(|&is_ranked| !is_ranked) {
            Some(x) => Err(ConstructionCheckError::Rank(x as Element)),
            None => Ok(()),
        }
    }
}

/// Returns the value of an option.
fn value(
    monoid: &BipartiteMonoid,
    game: usize,
    option: usize,
    word: &Word,
) -> Result<Element, ConstructionCheckError> {
    if word.0.len() > monoid.generators() || word.0.iter().skip(game).any(|&copies| copies != 0) {
        return Err(ConstructionCheckError::NotEarlier { game, option });
    }
    if word
        .0
        .iter()
        .any(|&copies| copies as usize > monoid.order())
    {
        return Err(ConstructionCheckError::TooManyCopies { game, option });
    }
    Ok(monoid.product(word.0.iter().copied().enumerate()))
}

/// Returns the elements of a set in ascending order.
fn members(set: Mask) -> impl Iterator<Item = Element> {
    (0..Mask::BITS).filter(move |&x| set >> x & 1 != 0)
}

/// Returns the whole multiplication table.
///
/// Every element is a product of generators, and `x·(yg) = (xy)·g`.
fn products(monoid: &BipartiteMonoid) -> Vec<Vec<Element>> {
    let order = monoid.order();
    let mut table: Vec<Vec<Element>> = (0..order as Element)
        .map(|x| {
            let mut row = vec![Element::MAX; order];
            row[0] = x;
            row
        })
        .collect();
    let (mut reached, mut left) = (vec![false; order], vec![0]);
    reached[0] = true;
    while let Some(y) = left.pop() {
        for g in 0..monoid.generators() {
            let next = monoid.act(y, g) as usize;
            if !std::mem::replace(&mut reached[next], true) {
                for row in &mut table {
                    row[next] = monoid.act(row[y as usize], g);
                }
                left.push(next as Element);
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use misere_game::bipartite::ElementSet;

    use super::*;

    /// J2, for tables that no document can state: rows that do not commute, and an element that
    /// they do not lead to. The games generate no algebra in which either fault shows.
    #[test]
    fn j2_the_rows_are_those_of_a_commutative_monoid() {
        let flaw = |action: Vec<Vec<Element>>, order, options: Vec<Vec<Word>>| {
            let p_portion = ElementSet::where_true(order, |x| x == 1);
            let construction = Construction {
                quotient: BipartiteMonoid::unchecked(action, p_portion),
                rank: (0..order as u32).collect(),
                options,
            };
            check(&construction, &mut Control::unlimited()).unwrap_err()
        };
        let star = vec![Word(Vec::new())];
        let (first, second, element) = (0, 1, 0);
        assert_eq!(
            flaw(
                vec![vec![1, 0], vec![1, 1]],
                2,
                vec![star.clone(), star.clone()]
            ),
            ConstructionCheckError::NotAMonoid(MonoidError::NotCommutative {
                first,
                second,
                element
            })
        );
        assert_eq!(
            flaw(vec![vec![1, 0, 2]], 3, vec![star]),
            ConstructionCheckError::NotAMonoid(MonoidError::Unreachable { element: 2 })
        );
    }
}
