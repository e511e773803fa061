//! The structure of a quotient: what semigroup theory says about it, assembled once for every
//! surface that shows it.

use misere_algebra::classify::decision::{Decision, decide};
use misere_game::bipartite::BipartiteMonoid;
use misere_game::bipartite::idempotents::Idempotents;
use misere_game::control::{Control, Stop};
use misere_game::structure::automorphisms::Automorphisms;
use misere_game::structure::components::{Component, components};
use misere_game::structure::kernel::Kernel;
use misere_game::structure::powers::Powers;
use misere_game::structure::principal_series::PrincipalSeries;
use misere_game::structure::product::{DirectFactor, direct_factors};
use misere_game::structure::tame_extension::TameExtension;

use crate::{HeapValues, NormalComparison};

/// The fuel for the searches that may take long; questions that they do not decide are left open.
#[derive(Clone, Copy, Debug)]
pub struct StructureEffort {
    /// For each search: automorphisms, direct factors, tame extensions, nim-values.
    pub search: u64,
    /// For each decision whether a base of a tame extension is a misère quotient.
    pub decision: u64,
}

impl StructureEffort {
    /// What a person at a terminal waits for: some seconds.
    pub const THOROUGH: Self = Self {
        search: 3_000_000,
        decision: 1_000_000,
    };
    /// What a page may cost: about a second and a half in all, and no decision about bases.
    pub const QUICK: Self = Self {
        search: 300_000,
        decision: 0,
    };
}

/// The structure of a reduced quotient.
#[derive(Debug)]
pub struct Structure {
    /// The idempotents and their maximal subgroups.
    pub idempotents: Idempotents,
    /// The archimedean components, in the order of the idempotents; the last is the nilradical.
    pub components: Vec<Component>,
    /// The classes of mutual divisibility.
    pub series: PrincipalSeries,
    /// The least ideal.
    pub kernel: Kernel,
    /// The index and period of every element.
    pub powers: Powers,
    /// The normal play of the game beside the quotient, if there is a game.
    pub normal_play: Option<NormalComparison>,
    /// The quotient as a tame extension; `None` if this is open.
    pub tame_extension: Option<Extension>,
    /// The factors of the quotient as a direct product; `None` if they are open.
    pub direct_factors: Option<Vec<DirectFactor>>,
    /// The automorphisms; `None` if they are open.
    pub automorphisms: Option<Automorphisms>,
}

impl Structure {
    /// Computes the structure of a quotient, and compares it with normal play if it has a game.
    ///
    /// Cost: `O(n²)` for order `n`, and the searches within their fuel.
    ///
    /// ```
    /// use misere_answers::structure::{Structure, StructureEffort};
    /// use misere_game::bipartite::families::restive;
    /// use misere_game::control::Control;
    /// let (quotient, control) = (restive(2).ok_or("R_8")?, &mut Control::unlimited());
    /// let structure = Structure::new(&quotient, None, StructureEffort::QUICK, control)?;
    /// assert_eq!(structure.kernel.elements.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn new(
        quotient: &BipartiteMonoid,
        game: Option<&HeapValues<'_>>,
        effort: StructureEffort,
        control: &mut Control,
    ) -> Result<Self, Stop> {
        let idempotents = Idempotents::new(quotient);
        let kernel = Kernel::new(quotient, &idempotents);
        let normal = |game: &HeapValues<'_>| {
            NormalComparison::new(quotient, &kernel, game, effort.search, control)
        };
        let normal_play = game.map(normal).transpose()?.flatten();
        Ok(Self {
            components: components(quotient, &idempotents, control)?,
            series: PrincipalSeries::new(quotient, control)?,
            powers: Powers::new(quotient, control)?,
            normal_play,
            tame_extension: Extension::of(quotient, effort, control)?,
            direct_factors: searched(control, effort.search, |control| {
                direct_factors(quotient, control)
            })?
            .flatten(),
            automorphisms: searched(control, effort.search, |control| {
                Automorphisms::new(quotient, control)
            })?
            .flatten(),
            idempotents,
            kernel,
        })
    }

    /// Returns the cyclic factors of the group of a class in the principal series, if it has one.
    #[must_use]
    pub fn group_of_class(&self, quotient: &BipartiteMonoid, class: usize) -> Option<Vec<u32>> {
        let idempotent = self.series.classes.get(class)?.idempotent?;
        let elements = &self.idempotents.elements;
        let place = elements.iter().position(|&other| other == idempotent)?;
        Some(self.idempotents.invariants(quotient, place))
    }

    /// Returns the elements with a power in the kernel.
    #[must_use]
    pub fn nilradical(&self) -> Option<&Component> {
        self.components.last()
    }
}

/// A quotient as a tame extension.
#[derive(Debug)]
pub struct Extension {
    /// The greatest number of tame extensions that lead from some monoid to the quotient; 0 if it
    /// is not a tame extension.
    pub stages: u32,
    /// The monoid at the base of them; the quotient itself if there are none.
    pub base: Base,
    /// The base with the fewest elements that is a misère quotient, if one is known.
    pub of_quotient: Option<Base>,
}

/// A bipartite monoid that has a quotient as a tame extension.
#[derive(Clone, Debug)]
pub struct Base {
    /// The number of tame extensions from it to the quotient.
    pub stages: u32,
    /// The monoid.
    pub monoid: BipartiteMonoid,
    /// Its name, if it is a quotient that has one.
    pub name: Option<String>,
    /// Whether it is a misère quotient, if that is known.
    pub is_quotient: Option<bool>,
}

impl Extension {
    /// Finds the bases of a quotient; `None` if the fuel does not suffice.
    fn of(
        quotient: &BipartiteMonoid,
        effort: StructureEffort,
        control: &mut Control,
    ) -> Result<Option<Self>, Stop> {
        let found = searched(control, effort.search, |control| {
            TameExtension::new(quotient, control)
        })?;
        let Some(found) = found else {
            return Ok(None);
        };
        let mut base = |stages: u32| -> Result<Base, Stop> {
            let monoid = found.base_of(quotient, stages).monoid;
            let name = monoid.known_name();
            let is_quotient = match &name {
                Some(_) => Some(true),
                None => is_quotient(&monoid, effort.decision, control)?,
            };
            Ok(Base {
                stages,
                monoid,
                name,
                is_quotient,
            })
        };
        if found.stages == 0 {
            return Ok(Some(Self {
                stages: 0,
                base: Base {
                    stages: 0,
                    monoid: quotient.clone(),
                    name: quotient.known_name(),
                    is_quotient: None,
                },
                of_quotient: None,
            }));
        }
        let least = base(found.stages)?;
        let mut of_quotient = (least.is_quotient == Some(true)).then(|| least.clone());
        for stages in (1..found.stages).rev() {
            if of_quotient.is_some() {
                break;
            }
            of_quotient = Some(base(stages)?).filter(|base| base.is_quotient == Some(true));
        }
        Ok(Some(Self {
            stages: found.stages,
            base: least,
            of_quotient,
        }))
    }
}

/// Reports whether a bipartite monoid is a misère quotient; `None` if this is open.
fn is_quotient(
    monoid: &BipartiteMonoid,
    fuel: u64,
    control: &mut Control,
) -> Result<Option<bool>, Stop> {
    Ok(
        match searched(control, fuel, |control| decide(monoid, control))? {
            Some(Decision::Quotient(_)) => Some(true),
            Some(Decision::NotOne(_)) => Some(false),
            Some(Decision::Open) | None => None,
        },
    )
}

/// Runs a search with fuel of its own; returns `None` if that fuel is spent.
fn searched<T>(
    control: &mut Control,
    fuel: u64,
    search: impl FnOnce(&mut Control) -> Result<T, Stop>,
) -> Result<Option<T>, Stop> {
    match control.within(fuel, search) {
        Ok(found) => Ok(Some(found)),
        Err(Stop::FuelSpent) => Ok(None),
        Err(stop @ Stop::Interrupted) => Err(stop),
    }
}

#[cfg(test)]
mod tests {
    use misere_game::bipartite::families::{restive, tame};

    use super::*;

    fn of(quotient: &BipartiteMonoid, effort: StructureEffort) -> Structure {
        Structure::new(quotient, None, effort, &mut Control::unlimited()).unwrap()
    }

    #[test]
    fn a_tame_quotient_is_a_tame_extension_of_a_named_quotient() {
        let found = of(&tame(4), StructureEffort::QUICK).tame_extension.unwrap();
        let base = found.of_quotient.unwrap();
        assert_eq!((found.stages, base.stages), (3, 2));
        assert_eq!(base.name.as_deref(), Some("T_2"));
    }

    #[test]
    fn a_search_without_fuel_is_left_open() {
        let effort = StructureEffort {
            search: 0,
            decision: 0,
        };
        let found = of(&restive(2).unwrap(), effort);
        assert!(found.tame_extension.is_none() && found.automorphisms.is_none());
        assert!(found.direct_factors.is_none());
    }

    #[test]
    fn the_group_of_the_kernel_is_that_of_the_last_class() {
        let quotient = restive(2).unwrap();
        let found = of(&quotient, StructureEffort::QUICK);
        let last = found.series.classes.len() - 1;
        let group = found.group_of_class(&quotient, last);
        assert_eq!(group, Some(found.kernel.invariants.clone()));
        assert_eq!(found.nilradical().map(|part| part.elements.len()), Some(6));
    }
}
