//! The check that the tables are those of a commutative monoid.
//!
//! The claim is a Cayley graph: a row `x ↦ x·g` for each generator. Commuting rows under which
//! every element is reached from 0 are the multiplications of exactly one commutative monoid by its
//! generators. Tables from a file were checked when they were read ([`BipartiteMonoid::new`]), but
//! a solver's tables were not, so here all are checked again.
//!
//! Comparing every row with every other would cost `n·g²` for order `n` and `g` generators. A
//! spanning tree of the graph, built generator by generator, reduces this. The *basis* is the
//! generators that lead to new elements; their rows commute at every element, so they make a monoid
//! of all elements. The row of any other generator `g` need only commute with the steps of the
//! tree: from `g(0)` on, these determine it as the multiplication by `g(0)` in that monoid, and
//! multiplications commute.
//!
//! Rows and tree ([`Shape`]) come first, since everything else relies on them, and take time
//! proportional to the tables. That rows commute ([`Shape::commutes`]) comes last: it is expensive
//! if nearly all generators belong to the basis, and an attacker who wants to keep the checker busy
//! with that has to make a solution in which all else is true.

use misere_game::bipartite::{BipartiteMonoid, Element, MonoidError};
use misere_game::control::{Control, Stop};

/// The reason why the check of a monoid ended without a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MonoidCheckError {
    /// The tables are not those of a commutative monoid.
    Flaw(MonoidError),
    /// The check was stopped; the tables are undecided.
    Stopped(Stop),
}

impl From<Stop> for MonoidCheckError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl From<MonoidError> for MonoidCheckError {
    fn from(flaw: MonoidError) -> Self {
        Self::Flaw(flaw)
    }
}

/// Proves that the rows are those of a commutative monoid.
///
/// Cost: [`Shape::new`] plus [`Shape::commutes`].
pub(super) fn check(
    monoid: &BipartiteMonoid,
    control: &mut Control,
) -> Result<(), MonoidCheckError> {
    Shape::new(monoid, control)?.commutes(monoid, control)
}

/// Tables whose rows have an entry for each element and lead from 0 to all of them.
pub(super) struct Shape {
    tree: Tree,
}

impl Shape {
    /// Returns the shape of these tables.
    ///
    /// Cost: `O(n·g)` for order `n` and `g` generators.
    pub(super) fn new(
        monoid: &BipartiteMonoid,
        control: &mut Control,
    ) -> Result<Self, MonoidCheckError> {
        check_rows(monoid, control)?;
        let tree = Tree::new(monoid, control)?;
        Ok(Self { tree })
    }

    /// Proves that the rows of the tables are those of a commutative monoid.
    ///
    /// The tables must be those of this shape.
    ///
    /// Cost: `O(n·(g + b²))` for order `n`, `g` generators and `b` of them in the basis.
    pub(super) fn commutes(
        &self,
        monoid: &BipartiteMonoid,
        control: &mut Control,
    ) -> Result<(), MonoidCheckError> {
        let tree = &self.tree;
        for (at, &first) in tree.basis.iter().enumerate() {
            for &second in &tree.basis[at + 1..] {
                control.spend(10 + 2 * monoid.order() as u64)?;
                let all = 0..monoid.order() as Element;
                commute_at(monoid, first, second, all)?;
            }
        }
        let mut basis = tree.basis.iter().copied().peekable();
        for generator in 0..monoid.generators() {
            if basis.next_if_eq(&generator).is_some() {
                continue;
            }
            control.spend(10 + 2 * monoid.order() as u64)?;
            for &(before, step) in &tree.steps {
                commute_at(monoid, step, generator, [before])?;
            }
        }
        Ok(())
    }
}

/// Checks that every row has an entry for each element, and that every entry is an element.
fn check_rows(monoid: &BipartiteMonoid, control: &mut Control) -> Result<(), MonoidCheckError> {
    let order = monoid.order();
    if order == 0 {
        return Err(MonoidError::Empty.into());
    }
    for (generator, row) in monoid.action().iter().enumerate() {
        control.spend(10 + row.len() as u64)?;
        if row.len() != order {
            return Err(MonoidError::RowLength {
                generator,
                found: row.len(),
                order,
            }
            .into());
        }
        if let Some(&element) = row.iter().find(|&&x| x as usize >= order) {
            return Err(MonoidError::NotAnElement { element, order }.into());
        }
    }
    Ok(())
}

/// A spanning tree of the Cayley graph.
struct Tree {
    /// The element before each element but the identity, and the generator that leads on.
    ///
    /// Earlier elements come first.
    steps: Vec<(Element, usize)>,
    /// The generators that lead to new elements, ascending.
    basis: Vec<usize>,
}

impl Tree {
    fn new(monoid: &BipartiteMonoid, control: &mut Control) -> Result<Self, MonoidCheckError> {
        let mut is_reached = vec![false; monoid.order()];
        is_reached[0] = true;
        let mut reached: Vec<Element> = vec![0];
        let mut steps = Vec::new();
        let mut basis = Vec::new();
        for g in 0..monoid.generators() {
            let known = reached.len();
            // The products of what the generators before reach with the powers of this one.
            let mut at = 0;
            while at < reached.len() {
                let (before, after) = (reached[at], monoid.act(reached[at], g));
                if !std::mem::replace(&mut is_reached[after as usize], true) {
                    reached.push(after);
                    steps.push((before, g));
                }
                at += 1;
            }
            control.spend(10 + 3 * reached.len() as u64)?;
            if reached.len() > known {
                basis.push(g);
            }
        }
        match (0..).zip(&is_reached).find(|(_, is_reached)| !**is_reached) {
            Some((element, _)) => Err(MonoidError::Unreachable { element }.into()),
            None => Ok(Self { steps, basis }),
        }
    }
}

/// Checks that applying two generators to these elements in either order gives the same.
fn commute_at(
    monoid: &BipartiteMonoid,
    first: usize,
    second: usize,
    elements: impl IntoIterator<Item = Element>,
) -> Result<(), MonoidError> {
    let (f, s) = (monoid.row(first), monoid.row(second));
    let mut elements = elements.into_iter();
    match elements.find(|&x| s[f[x as usize] as usize] != f[s[x as usize] as usize]) {
        Some(element) => Err(MonoidError::NotCommutative {
            first: first.min(second),
            second: first.max(second),
            element,
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use misere_game::bipartite::ElementSet;
    use misere_game::bipartite::families::tame;
    use misere_game::control::Interrupt;
    use misere_game::monoid::word::lex_least_words;
    use proptest::prelude::*;

    fn checked(order: usize, action: Vec<Vec<Element>>) -> Result<(), MonoidCheckError> {
        let monoid = BipartiteMonoid::unchecked(action, ElementSet::empty(order));
        check(&monoid, &mut Control::unlimited())
    }

    /// Returns the rows of some elements of a monoid, generators or not.
    fn rows_of(monoid: &BipartiteMonoid, elements: &[Element]) -> Vec<Vec<Element>> {
        let words = lex_least_words(monoid);
        let times = |x: Element, y: Element| {
            monoid.product_from(x, words[y as usize].0.iter().copied().enumerate())
        };
        let row = |&y: &Element| {
            (0..monoid.order() as Element)
                .map(|x| times(x, y))
                .collect()
        };
        elements.iter().map(row).collect()
    }

    #[test]
    fn every_violation_of_the_axioms_is_reported() {
        let flaw = |order, action| match checked(order, action) {
            Err(MonoidCheckError::Flaw(flaw)) => flaw,
            other => panic!("{other:?}"),
        };
        assert_eq!(flaw(0, vec![]), MonoidError::Empty);
        assert_eq!(flaw(2, vec![]), MonoidError::Unreachable { element: 1 });
        assert_eq!(
            flaw(3, vec![vec![1, 0, 2]]),
            MonoidError::Unreachable { element: 2 }
        );
        assert_eq!(
            flaw(2, vec![vec![1]]),
            MonoidError::RowLength {
                generator: 0,
                found: 1,
                order: 2
            }
        );
        assert_eq!(
            flaw(2, vec![vec![1, 2]]),
            MonoidError::NotAnElement {
                element: 2,
                order: 2
            }
        );
        // Two generators of the basis.
        assert_eq!(
            flaw(3, vec![vec![1, 1, 1], vec![2, 2, 2]]),
            MonoidError::NotCommutative {
                first: 0,
                second: 1,
                element: 0
            }
        );
        // A generator that is redundant beside the other: it takes 1 to a, but a to a.
        assert_eq!(
            flaw(2, vec![vec![1, 0], vec![1, 1]]),
            MonoidError::NotCommutative {
                first: 0,
                second: 1,
                element: 0
            }
        );
        assert_eq!(checked(1, vec![]), Ok(()));
        assert_eq!(checked(1, vec![vec![0], vec![0]]), Ok(()));
    }

    #[test]
    fn the_check_can_be_stopped() {
        let stopped = check(&tame(5), &mut Control::new(1, Interrupt::default()));
        assert_eq!(stopped, Err(MonoidCheckError::Stopped(Stop::FuelSpent)));
        let mut control = Control::new(10, Interrupt::default());
        assert_eq!(check(&tame(5), &mut control), Ok(()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        /// Agrees with the definition, all rows with all others, for true rows in any order with at
        /// most one entry changed.
        #[test]
        fn the_check_agrees_with_the_definition(
            n in 1_u32..4,
            elements in prop::collection::vec(0_u32..18, 0..5),
            (row, at, to) in (0_usize..8, 0_usize..18, 0_u32..18),
            swap in 0_usize..8,
        ) {
            let monoid = tame(n);
            let order = monoid.order();
            let elements: Vec<Element> = elements.iter().map(|x| x % order as Element).collect();
            let mut action = monoid.action().to_vec();
            action.extend(rows_of(&monoid, &elements));
            let rows = action.len();
            action.swap(0, swap % rows);
            action[row % rows][at % order] = to % order as Element;
            let definition = BipartiteMonoid::new(order, action.clone(), []);
            prop_assert_eq!(checked(order, action).is_ok(), definition.is_ok());
        }
    }
}
