//! The description of an infinite quotient: a presentation, and linear conditions of P-positions.

use std::collections::BTreeSet;

use misere_check::infinite::whole::{PresentationCheckError, TotalEvidence};
use misere_engine::infinite::{extend, presentation, semilinear};
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::Evidence;
use misere_game::solution::presentation::Reach;
use misere_game::solution::semilinear::{Condition, Region};

/// The greatest number of letters in the words between which relations are searched for.
const DEGREE: u32 = 20;

/// The divisor of the fuel that one check whether the relations suffice may spend.
const SHARE: u64 = 4;

/// The facts about an infinite quotient beyond its being infinite. All of them are proved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuotientDescription {
    /// The number of generators, if the evidence covers every position.
    pub generators: Option<usize>,
    /// The live heaps that the evidence does not cover, ascending.
    pub silent_heaps: Vec<u32>,
    /// The relations, if some were found.
    pub relations: Option<Relations>,
    /// The linear conditions that say which positions are P-positions, if they were found.
    pub conditions: Option<Conditions>,
}

/// The relations of a quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relations {
    /// The number of relations.
    pub count: usize,
    /// The number of letters up to which the relations give all equalities of words.
    ///
    /// It is `None` if the relations present the quotient.
    pub degree: Option<u32>,
}

impl Relations {
    /// Reports whether the relations present the quotient.
    #[must_use]
    pub fn is_complete(self) -> bool {
        self.degree.is_none()
    }
}

/// The linear conditions of P-positions, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// The number of regions.
    pub regions: usize,
    /// The number of cells of all regions.
    pub cells: usize,
    /// The number of linear forms, apart from their signs.
    pub forms: usize,
}

impl QuotientDescription {
    /// Describes the quotient of the heaps to `heap`, as far as the fuel suffices.
    ///
    /// Cost: at most `fuel` for words of uncovered heaps, as much for each of the two descriptions,
    /// and the checks of what was found.
    ///
    /// # Errors
    /// [`Stop::Interrupted`] if `control` is interrupted.
    pub fn new(
        code: &Code,
        heap: u32,
        evidence: &Evidence,
        fuel: u64,
        control: &mut Control,
    ) -> Result<Self, Stop> {
        let extended = control.within(fuel, |control| extend(code, evidence, heap, control));
        let diagram = match uninterrupted(extended, control)? {
            Some(extended) => extended.as_diagram(),
            None => evidence.as_diagram(),
        };
        let whole = match TotalEvidence::new(code, heap, &diagram, control) {
            Ok(whole) => whole,
            Err(PresentationCheckError::Evidence(_)) if control.is_interrupted() => {
                return Err(Stop::Interrupted);
            }
            Err(_) => return Ok(Self::default()),
        };
        let live = (1..=heap).filter(|&heap| code.is_live(heap));
        let spoken_of = whole.heaps();
        Ok(Self {
            generators: Some(whole.letters().len()),
            silent_heaps: live.filter(|heap| !spoken_of.contains(heap)).collect(),
            relations: relations(&whole, fuel, control)?,
            conditions: conditions(&whole, fuel, control)?,
        })
    }
}

fn relations(
    whole: &TotalEvidence<'_>,
    fuel: u64,
    control: &mut Control,
) -> Result<Option<Relations>, Stop> {
    let found = control.within(fuel, |control| {
        presentation::find(whole, DEGREE, fuel / SHARE, control)
    });
    let Some(found) = uninterrupted(found, control)? else {
        return Ok(None);
    };
    let checked = whole.check(&found, control);
    Ok(uninterrupted(checked, control)?.map(|()| Relations {
        count: found.relations.len(),
        degree: match found.reach {
            Reach::All => None,
            Reach::Degree(degree) => Some(degree),
        },
    }))
}

fn conditions(
    whole: &TotalEvidence<'_>,
    fuel: u64,
    control: &mut Control,
) -> Result<Option<Conditions>, Stop> {
    let found = control.within(fuel, |control| semilinear::find(whole, control));
    let Some(Some(regions)) = uninterrupted(found, control)? else {
        return Ok(None);
    };
    let checked = whole.check_regions(&regions, control);
    Ok(uninterrupted(checked, control)?.map(|()| Conditions {
        regions: regions.len(),
        cells: regions.iter().map(|region| region.cells.len()).sum(),
        forms: forms(&regions),
    }))
}

/// Returns the result of a search, or nothing if the fuel or the checker ended it.
fn uninterrupted<T, E>(found: Result<T, E>, control: &Control) -> Result<Option<T>, Stop> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(_) if control.is_interrupted() => Err(Stop::Interrupted),
        Err(_) => Ok(None),
    }
}

/// Counts the linear forms; a form and its negative are one.
fn forms(regions: &[Region]) -> usize {
    let conditions = regions.iter().flat_map(|region| &region.cells).flatten();
    let forms = conditions.filter_map(|condition| match condition {
        Condition::AtLeast { form, .. } => {
            let negative: Vec<i64> = form.iter().map(|coefficient| -coefficient).collect();
            Some(form.clone().max(negative))
        }
        Condition::Remainder { .. } => None,
    });
    forms.collect::<BTreeSet<_>>().len()
}
