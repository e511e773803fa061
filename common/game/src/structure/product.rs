//! The decomposition of a finite commutative monoid as a direct product.
//!
//! Example: `S'_12 = ⟨a,b,c | a² = 1, b³ = b, c² = 1⟩` is the product of two groups of order 2 and
//! of the monoid `{1, b, b²}`. In general the P-portion of a quotient is not a product of sets.
//!
//! Submonoids `A` and `B` are *factors* of `Q` if every element is `ab` with `a ∈ A`, `b ∈ B` in
//! one way only. A finite monoid is a product of factors that are not products themselves, and
//! these are determined up to isomorphism and order (Jónsson and Tarski 1947, for finite algebras
//! with a zero).
//!
//! **Finding the factors.** Let `Q = A × B`. The units of `Q` are those of `A` times those of `B`.
//! If `(x, y)` is irreducible and not a unit, then `x` or `y` is a unit: otherwise it is the
//! product of `(x, 1)` and `(1, y)`, which properly divide it. So choose irreducible elements
//! `q_1, …, q_k` that generate `Q` together with the units `U`. For some complementary subgroups
//! `U_A`, `U_B` of `U`, each `q_i` times a unit of `U_B` lies in `A`, or times one of `U_A` in `B`;
//! and these elements generate `A` and `B`. All choices are tried, and a partial choice is
//! abandoned as soon as two pairs `(a, b)` have the same product.

use super::MAX_TABLE;
use super::table::Table;
use crate::bipartite::divisibility::Divisibility;
use crate::bipartite::{BipartiteMonoid, Element};
use crate::control::{Control, Stop};

/// A factor of a direct product that is not a product itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectFactor {
    /// Elements that generate the factor.
    pub generators: Vec<Element>,
    /// The elements of the factor, ascending.
    pub elements: Vec<Element>,
}

/// Returns the factors of a monoid, in the order of their sizes.
///
/// There is one if the monoid is not a product, and none if it is trivial. The result is `None` if
/// the order is above [`MAX_TABLE`].
///
/// Cost: `O(n²)` for order `n`, and the search, which may be long.
///
/// ```
/// use misere_game::bipartite::families::by_name;
/// use misere_game::control::Control;
/// use misere_game::structure::product::direct_factors;
/// let monoid = by_name("S'_12")?;
/// let factors = direct_factors(&monoid, &mut Control::unlimited())?.unwrap_or_default();
/// let orders: Vec<usize> = factors.iter().map(|factor| factor.elements.len()).collect();
/// assert_eq!(orders, [2, 2, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub fn direct_factors(
    monoid: &BipartiteMonoid,
    control: &mut Control,
) -> Result<Option<Vec<DirectFactor>>, Stop> {
    if monoid.order() > MAX_TABLE {
        return Ok(None);
    }
    let table = Table::new(monoid, control)?;
    let irreducible = Divisibility::new(monoid).irreducible(monoid);
    let mut open = vec![Part::new(&table, irreducible)];
    let mut factors = Vec::new();
    while let Some(part) = open.pop() {
        match part.split(&table, control)? {
            Some((one, other)) => open.extend([one, other]),
            None if part.elements.len() > 1 => factors.push(part.into_factor(&table)),
            None => {}
        }
    }
    factors.sort_by(|one, other| {
        let key = |factor: &DirectFactor| (factor.elements.len(), factor.elements.clone());
        key(one).cmp(&key(other))
    });
    Ok(Some(factors))
}

/// A submonoid under decomposition.
struct Part {
    elements: Vec<Element>,
    units: Vec<Element>,
    /// Irreducible elements that generate the submonoid together with the units.
    atoms: Vec<Element>,
}

impl Part {
    /// Returns the submonoid that some elements generate.
    ///
    /// Those of them that are not units must be irreducible in it.
    fn new(table: &Table, generators: Vec<Element>) -> Self {
        let elements = table.generated(&generators);
        let is_unit = |&&x: &&Element| elements.iter().any(|&y| table.times(x, y) == 0);
        let units: Vec<Element> = elements.iter().filter(is_unit).copied().collect();
        let mut kept = units.clone();
        let mut generated = table.generated(&kept);
        for x in generators {
            if !generated.contains(&x) {
                kept.push(x);
                generated = table.generated(&kept);
            }
        }
        let atoms = kept.split_off(units.len());
        Self {
            elements,
            units,
            atoms,
        }
    }

    fn into_factor(self, table: &Table) -> DirectFactor {
        let mut generators: Vec<Element> = Vec::new();
        let mut generated = vec![0];
        for x in self.units.into_iter().chain(self.atoms) {
            if !generated.contains(&x) {
                generators.push(x);
                generated = table.generated(&generators);
            }
        }
        let mut elements = self.elements;
        elements.sort_unstable();
        DirectFactor {
            generators,
            elements,
        }
    }

    /// Returns two factors, neither of them trivial, if there are any.
    fn split(&self, table: &Table, control: &mut Control) -> Result<Option<(Self, Self)>, Stop> {
        for [of_one, of_other] in complements(&self.units, table, control)? {
            let units = [of_one, of_other];
            let mut chosen = units.clone();
            if let Some([one, other]) = self.assigned(0, &units, &mut chosen, table, control)? {
                return Ok(Some((Self::new(table, one), Self::new(table, other))));
            }
        }
        Ok(None)
    }

    /// Returns the generators of two factors that begin with those chosen.
    fn assigned(
        &self,
        next: usize,
        units: &[Vec<Element>; 2],
        chosen: &mut [Vec<Element>; 2],
        table: &Table,
        control: &mut Control,
    ) -> Result<Option<[Vec<Element>; 2]>, Stop> {
        let [one, other] = [&chosen[0], &chosen[1]].map(|part| table.generated(part));
        if !products_differ(&one, &other, table, control)? {
            return Ok(None);
        }
        let Some(&atom) = self.atoms.get(next) else {
            let is_proper = one.len() > 1 && other.len() > 1;
            let is_all = one.len() * other.len() == self.elements.len();
            return Ok((is_proper && is_all).then(|| chosen.clone()));
        };
        for side in [0, 1] {
            for &unit in &units[1 - side] {
                chosen[side].push(table.times(atom, unit));
                let found = self.assigned(next + 1, units, chosen, table, control)?;
                chosen[side].pop();
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }
}

/// Reports whether different pairs have different products.
fn products_differ(
    one: &[Element],
    other: &[Element],
    table: &Table,
    control: &mut Control,
) -> Result<bool, Stop> {
    control.spend(table.order() as u64)?;
    if one.len() * other.len() > table.order() {
        return Ok(false);
    }
    let mut is_met = vec![false; table.order()];
    let mut pairs = one.iter().flat_map(|&x| other.iter().map(move |&y| (x, y)));
    Ok(pairs.all(|(x, y)| {
        let product = table.times(x, y) as usize;
        !std::mem::replace(&mut is_met[product], true)
    }))
}

/// Returns the ordered pairs of subgroups whose direct product a group is.
fn complements(
    group: &[Element],
    table: &Table,
    control: &mut Control,
) -> Result<Vec<[Vec<Element>; 2]>, Stop> {
    let mut subgroups: Vec<Vec<Element>> = vec![vec![0]];
    let mut at = 0;
    while at < subgroups.len() {
        for &x in group {
            control.spend((group.len() + subgroups.len()) as u64)?;
            let mut generators = subgroups[at].clone();
            if generators.contains(&x) {
                continue;
            }
            generators.push(x);
            let mut larger = table.generated(&generators);
            larger.sort_unstable();
            if !subgroups.contains(&larger) {
                subgroups.push(larger);
            }
        }
        at += 1;
    }
    let mut pairs = Vec::new();
    for one in &subgroups {
        for other in &subgroups {
            control.spend(one.len() as u64)?;
            let meets = one.iter().filter(|x| other.contains(x)).count();
            if one.len() * other.len() == group.len() && meets == 1 {
                pairs.push([one.clone(), other.clone()]);
            }
        }
    }
    Ok(pairs)
}
