//! The search for a diagram in which one scarce heap is greater than the heap of the divergence.
//!
//! A game diverges at heap `n`. Beside few heaps of `n` all counts of smaller heaps may repeat, and
//! beside one heap `N > n` they need not. Such a diagram proves that the quotient to heap `N` is
//! infinite. `docs/infinite.md` gives the reasons.

use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::Reason;
use misere_game::solution::diagram::DiagramFamily;

use super::outcomes::Outcomes;
use super::{DiagramSearchError, with_system};
use crate::ahead::{self, Attempts, Fuel};
use crate::infinite::system::System;

/// The copies of each level after which a sequence is said not to repeat in the survey.
const SURVEY_CAP: u32 = 24;
/// The most nodes of the outcomes in the survey. Those of systems worth an attempt are small.
const SURVEY_NODES: usize = 150_000;
/// The most fuel for the survey of one system, and the part of all fuel for a survey.
const SURVEY_FUEL: u64 = 200_000;
const SURVEY_PART: u64 = 2;
/// The greatest scarce heap, in terms of the heap `n` of the divergence: `2n` and these more.
const MORE_HEAPS: u32 = 12;
/// The steps of the search.
const STEPS: [Step; 13] = [
    Step::Survey(1),
    Step::Least(400_000),
    Step::Least(1_250_000),
    Step::Survey(2),
    Step::Least(400_000),
    Step::Least(1_250_000),
    Step::Least(4_000_000),
    Step::All(400_000),
    Step::Least(20_000_000),
    Step::All(1_250_000),
    Step::All(4_000_000),
    Step::All(20_000_000),
    Step::All(u64::MAX),
];

/// A step of the search.
#[derive(Clone, Copy)]
enum Step {
    /// A survey for this number of copies of the scarce heap.
    Survey(usize),
    /// Attempts with this fuel; of the choices with the same `t`, with the least scarce heap.
    Least(u64),
    /// Attempts with this fuel for all choices.
    All(u64),
}

/// A choice of the scarce heap `N` and the greatest heap `t` that may have any number of copies.
struct Choice {
    free: u32,
    scarce: u32,
    /// The number of copies of the scarce heap.
    copies: usize,
    nodes: usize,
    /// Whether no smaller scarce heap has the same `t`.
    is_least: bool,
    /// The fuel with which an attempt was made; all of it, if the attempt has ended.
    tried: u64,
}

/// Searches for a diagram with one or two copies of a scarce heap that may be above the last level.
///
/// `levels` and `words` are as for [`find`](super::find); the last level is the heap `n` at which
/// the game diverges. A survey finds for each scarce heap `N` from `n` on the least heap `t` such
/// that some counts of the heaps to `t` do not repeat beside copies of `N`. Then attempts are made,
/// those with the smallest outcomes first, and again with more fuel.
///
/// Cost: as for [`find`](super::find), for each scarce heap. The surveys cost half of the fuel.
///
/// # Errors
/// As for [`find`](super::find); the reason is taken from the attempt that came furthest.
pub fn find_with_greater_scarce_heap(
    code: &Code,
    levels: &[u32],
    words: &[Vec<(u32, u32)>],
    control: &mut Control,
) -> Result<DiagramFamily, DiagramSearchError> {
    let last = levels.last().copied().unwrap_or(0);
    let search = Search {
        code,
        levels,
        words,
        many: (0..last).filter(|&heap| code.is_live(heap)).collect(),
    };
    let mut choices = Vec::new();
    let mut furthest = Reason::Multiples;
    for step in STEPS {
        let (fuel, all) = match step {
            Step::Survey(copies) => {
                search.survey(copies, &mut choices, control)?;
                continue;
            }
            Step::Least(fuel) => (fuel, false),
            Step::All(fuel) => (fuel, true),
        };
        let chosen = choices.iter_mut();
        let chosen = chosen.filter(|choice| choice.tried < fuel && (all || choice.is_least));
        match search.attempts(&mut chosen.collect::<Vec<_>>(), fuel, control)? {
            Ok(family) => return Ok(family),
            Err(reason) => furthest = furthest.further(reason),
        }
    }
    Err(DiagramSearchError::Ended(furthest))
}

/// The result of the survey of one system.
enum Survey {
    /// All counts repeat.
    Repeats,
    /// Some counts do not repeat, as far as seen; the number of nodes that this takes.
    Unrepeated(usize),
    /// The outcomes take too many nodes to see this.
    TooLarge,
}

struct Search<'a> {
    code: &'a Code,
    levels: &'a [u32],
    words: &'a [Vec<(u32, u32)>],
    /// The heaps below the last level, in ascending order, that may have any number of copies.
    many: Vec<u32>,
}

impl Search<'_> {
    fn system(&self, free: u32, scarce: u32, copies: usize) -> System {
        let start = vec![scarce; copies];
        System::with_scarce_heaps(self.code, self.levels, self.words, (free, &start))
    }

    /// Adds the choices with a number of copies, and sorts all choices by the nodes they take.
    fn survey(
        &self,
        copies: usize,
        choices: &mut Vec<Choice>,
        control: &mut Control,
    ) -> Result<(), Stop> {
        let last = self.levels.last().copied().unwrap_or(0);
        let greatest = last.saturating_mul(2).saturating_add(MORE_HEAPS);
        let fuel = control.fuel_left() / SURVEY_PART;
        let scarce: Vec<u32> = (last..=greatest)
            .filter(|&heap| self.code.is_live(heap))
            .collect();
        let mut known = None;
        let surveys = &Surveys(self);
        let surveyed = control.within(fuel, |part| {
            ahead::search(surveys, part, |ahead, part| {
                for (index, &heap) in scarce.iter().enumerate() {
                    // The choice is mostly the same for the next heaps.
                    ahead.keep(|&(.., before)| before == known);
                    for &next in scarce[index + 1..].iter().take(ahead.most()) {
                        ahead.suggest((next, copies, known), part);
                    }
                    let Some(choice) = ahead.take(&(heap, copies, known), part)? else {
                        continue;
                    };
                    known = Some(choice.free);
                    let is_new =
                        |before: &Choice| (before.free, before.copies) != (choice.free, copies);
                    let is_least = choices.iter().all(is_new);
                    choices.push(Choice { is_least, ..choice });
                }
                Ok(())
            })
        });
        match surveyed {
            // The survey has spent its part: the choices found so far will do.
            Ok(()) | Err(Stop::FuelSpent) => {}
            Err(stop) => return Err(stop),
        }
        choices.sort_by_key(|choice| (choice.nodes, choice.copies, choice.scarce));
        control.spend(1)
    }

    /// Returns the choice of the least `t` with which not all counts repeat, if there is one.
    ///
    /// `known` is the choice for the scarce heap before, which is mostly the same.
    fn least(
        &self,
        scarce: u32,
        copies: usize,
        known: Option<u32>,
        control: &mut Control,
    ) -> Result<Option<Choice>, Stop> {
        // With a greater `t` fewer heaps are scarce, so there are fewer sums of them.
        let (mut low, mut high) = (0, self.many.len());
        while low < high {
            let at = usize::midpoint(low, high);
            let system = self.system(self.many[at], scarce, copies);
            match system.has_few_scarce_positions(control)? {
                true => high = at,
                false => low = at + 1,
            }
        }
        let (mut low, mut high) = (low, self.many.len());
        let known = known.and_then(|free| self.many.binary_search(&free).ok());
        let mut first = [
            known,
            known.and_then(|at| at.checked_sub(1)),
            high.checked_sub(1),
        ]
        .into_iter()
        .flatten();
        let mut least = None;
        while low < high {
            // The greatest is tried soon: if all counts repeat there, they do so everywhere.
            let at = first.find(|at| (low..high).contains(at));
            let at = at.unwrap_or_else(|| usize::midpoint(low, high));
            let free = self.many[at];
            match self.repeats(free, scarce, copies, control)? {
                Survey::Repeats => low = at + 1,
                Survey::TooLarge => high = at,
                Survey::Unrepeated(nodes) => {
                    high = at;
                    least = Some(Choice {
                        free,
                        scarce,
                        copies,
                        nodes,
                        is_least: false,
                        tried: 0,
                    });
                }
            }
        }
        Ok(least)
    }

    /// Reports whether all counts repeat within the cap of the survey.
    fn repeats(
        &self,
        free: u32,
        scarce: u32,
        copies: usize,
        control: &mut Control,
    ) -> Result<Survey, Stop> {
        let system = self.system(free, scarce, copies);
        let caps = vec![SURVEY_CAP; system.levels.len()];
        let found = control.within(SURVEY_FUEL, |part| {
            Outcomes::new(&system, &caps, SURVEY_NODES, part)
        });
        match found {
            Ok(Some(outcomes)) if outcomes.is_exact() => Ok(Survey::Repeats),
            Ok(Some(outcomes)) => Ok(Survey::Unrepeated(outcomes.nodes())),
            Ok(None) => Ok(Survey::TooLarge),
            Err(Stop::FuelSpent) => {
                // The survey has spent its part, or all fuel is spent.
                control.spend(1)?;
                Ok(Survey::TooLarge)
            }
            Err(stop) => Err(stop),
        }
    }

    /// Makes attempts for these choices until one finds a diagram.
    ///
    /// Without one the result is the reason of the attempt that came furthest.
    fn attempts(
        &self,
        choices: &mut [&mut Choice],
        fuel: u64,
        control: &mut Control,
    ) -> Result<Result<DiagramFamily, Reason>, DiagramSearchError> {
        let names: Vec<Attempt> = choices
            .iter()
            .map(|choice| (choice.free, choice.scarce, choice.copies, fuel))
            .collect();
        ahead::search(self, control, |ahead, control| {
            let mut furthest = Reason::Multiples;
            for (index, (choice, name)) in choices.iter_mut().zip(&names).enumerate() {
                for next in names[index + 1..].iter().take(ahead.most()) {
                    ahead.suggest(*next, control);
                }
                choice.tried = fuel;
                match ahead.take(name, control) {
                    Ok(family) => return Ok(Ok(family)),
                    Err(DiagramSearchError::Ended(reason)) => {
                        choice.tried = u64::MAX;
                        furthest = furthest.further(reason);
                    }
                    Err(DiagramSearchError::Stopped(Stop::FuelSpent)) => {
                        // The attempt has spent its part, or all fuel is spent.
                        control.spend(1)?;
                    }
                    Err(stopped) => return Err(stopped),
                }
            }
            Ok(Err(furthest))
        })
    }
}

/// An attempt: `t`, the scarce heap, its copies, and the fuel.
type Attempt = (u32, u32, usize, u64);

impl Attempts for Search<'_> {
    type Name = Attempt;
    type Made = Result<DiagramFamily, DiagramSearchError>;

    fn make(&self, &(free, scarce, copies, _): &Attempt, control: &mut Control) -> Self::Made {
        with_system(self.code, self.system(free, scarce, copies), control)
    }

    fn fuel(&self, &(.., fuel): &Attempt) -> Fuel {
        Fuel::AtMost(fuel)
    }

    fn is_last(&self, made: &Self::Made) -> bool {
        made.is_ok()
    }
}

/// The surveys of scarce heaps, each with the choice for the heap before.
struct Surveys<'s, 'a>(&'s Search<'a>);

impl Attempts for Surveys<'_, '_> {
    /// The scarce heap, its copies, and the choice for the heap before.
    type Name = (u32, usize, Option<u32>);
    type Made = Result<Option<Choice>, Stop>;

    fn make(&self, &(scarce, copies, known): &Self::Name, control: &mut Control) -> Self::Made {
        self.0.least(scarce, copies, known, control)
    }

    fn fuel(&self, _: &Self::Name) -> Fuel {
        Fuel::Rest
    }

    fn is_last(&self, _: &Self::Made) -> bool {
        false
    }
}
