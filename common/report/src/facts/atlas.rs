//! The least games that have a misère quotient, in some censuses.
//!
//! The quotient of a whole game is distinguished from its partial quotients. A quotient that a
//! census does not show is either impossible for its games or open: partial quotients never shrink,
//! so a game whose last known partial quotient has order 30 has no later one of order 20
//! (`docs/atlas.md`).

use std::collections::BTreeMap;

use misere_census::Record;
use misere_census::atlas::{Answer, Bounds, Entry};
use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::control::Control;
use misere_game::ruleset::Code;
use misere_game::solution::Construction;
use misere_store::Store;
use misere_store::commit::memberships;

use super::ReportError;
use crate::completeness::Completeness;
use crate::report::Census;

/// The ticks charged for one record: some microseconds.
const TICKS_A_RECORD: u64 = 5_000;

/// A partial quotient of a game: the quotient of its heaps up to `heap`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialOf {
    /// The game.
    pub code: Code,
    /// The least heap to which the game has this partial quotient.
    pub heap: u32,
}

/// The games of a census that have one quotient.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassGames {
    /// The least code whose whole game has the quotient.
    pub whole: Option<Code>,
    /// The least code that has it as a partial quotient.
    pub partial: Option<PartialOf>,
}

/// A census that was searched for quotients.
#[derive(Clone, Debug)]
pub struct SurveyedCensus {
    /// The name of its directory.
    pub directory: String,
    /// The games of its plan.
    pub bounds: Bounds,
    /// The completeness statement of the census.
    pub completeness: Completeness,
    /// The games found, by class.
    found: BTreeMap<ClassKey, ClassGames>,
    /// The numbers of games that may have further partial quotients, by a bound on the orders.
    ///
    /// The orders of these partial quotients are known to exceed the bound.
    unsettled: BTreeMap<u32, u64>,
}

/// The possible partial quotients of a game after those of its record.
enum LaterQuotients {
    /// No partial quotient of another finite order.
    None,
    /// Tame extensions of the last partial quotient.
    TameExtensions,
    /// Any partial quotients of greater orders.
    Greater,
}

impl SurveyedCensus {
    /// Searches a census for all quotients of order at most `greatest`.
    ///
    /// Cost: reads every record; memory for the classes of these orders.
    ///
    /// # Errors
    /// [`ReportError`] if the census cannot be read or `control` stops the work.
    pub fn of(
        store: &Store,
        directory: &str,
        greatest: u32,
        control: &mut Control,
    ) -> Result<Self, ReportError> {
        let mut surveyed = Self {
            directory: directory.to_owned(),
            bounds: Bounds::of(store.plan().space()),
            completeness: Completeness::of(store)?,
            found: BTreeMap::new(),
            unsettled: BTreeMap::new(),
        };
        // The games that are tame relative to a heap, by the class of their last partial quotient,
        // with its order and the number of games.
        let mut extended: BTreeMap<ClassKey, (u32, u64)> = BTreeMap::new();
        for record in store.records()? {
            control.spend(TICKS_A_RECORD)?;
            let record = record?;
            surveyed.add(&record, greatest);
            let last = record.partials.last();
            match (later_than(&record), last) {
                (LaterQuotients::None, _) => {}
                (LaterQuotients::TameExtensions, Some(last)) => {
                    extended.entry(last.class).or_insert((last.order, 0)).1 += 1;
                }
                _ => surveyed.leave_open(last.map_or(0, |last| last.order), 1),
            }
        }
        for (class, (order, games)) in extended {
            control.spend(TICKS_A_RECORD)?;
            let quotient = store.class(&class)?.and_then(|class| class.quotient);
            match quotient {
                Some(quotient) => {
                    if let Some(before) = surveyed.first_unknown_extension(&quotient, greatest) {
                        surveyed.leave_open(before, games);
                    }
                }
                None => surveyed.leave_open(order, games),
            }
        }
        Ok(surveyed)
    }

    /// Counts games that may have partial quotients of any order above this one.
    fn leave_open(&mut self, order: u32, games: u64) {
        *self.unsettled.entry(order).or_default() += games;
    }

    /// Returns the greatest order before the first tame extension that no known game has.
    ///
    /// Returns `None` if games are known for all extensions up to the greatest order.
    ///
    /// Returns `None` if all extensions up to the greatest order are known.
    fn first_unknown_extension(&self, quotient: &BipartiteMonoid, greatest: u32) -> Option<u32> {
        let next = |last: &BipartiteMonoid| Some(last.tame_extension());
        let extensions = std::iter::successors(next(quotient), next);
        let mut extensions = extensions.take_while(|one| one.order() <= greatest as usize);
        let unknown = extensions.find(|one| !self.found.contains_key(&one.class_key()));
        unknown.map(|one| one.order() as u32 - 1)
    }

    fn add(&mut self, record: &Record, greatest: u32) {
        let orders: BTreeMap<ClassKey, u32> = record
            .partials
            .iter()
            .map(|partial| (partial.class, partial.order))
            .collect();
        for (class, membership) in memberships(record) {
            if orders.get(&class).is_none_or(|order| *order > greatest) {
                continue;
            }
            let found = self.found.entry(class).or_default();
            if membership.forever {
                keep_least(&mut found.whole, record.code.clone(), |code| code);
            }
            if let Some(&(heap, _)) = membership.ranges.first() {
                let code = record.code.clone();
                keep_least(&mut found.partial, PartialOf { code, heap }, |it| &it.code);
            }
        }
    }

    /// Counts the games of the plan that may have a quotient of an order that no known game has.
    ///
    /// A game counts if it has no record, or if it may have further partial quotients and the last
    /// one known is smaller. A game that is tame relative to a heap counts from the order of the
    /// first tame extension that no game is known to have.
    #[must_use]
    pub fn open_at(&self, order: u32) -> u64 {
        let absent = self.completeness.tasks - self.completeness.records;
        absent
            + self
                .unsettled
                .range(..order)
                .map(|(_, games)| games)
                .sum::<u64>()
    }

    /// Returns the games that have a quotient of a given order.
    #[must_use]
    pub fn answer(&self, class: &ClassKey, order: u32) -> Answer {
        match self.found.get(class) {
            Some(ClassGames {
                whole: Some(code), ..
            }) => Answer::Whole { code: code.clone() },
            Some(ClassGames {
                partial: Some(PartialOf { code, heap }),
                ..
            }) => Answer::Partial {
                code: code.clone(),
                heap: *heap,
            },
            _ => match self.open_at(order) {
                0 => Answer::None,
                open => Answer::Open { open },
            },
        }
    }
}

/// Returns the kind of the partial quotients that may follow those of a record.
fn later_than(record: &Record) -> LaterQuotients {
    let is_forever = memberships(record).values().any(|one| one.forever);
    if is_forever || is_infinite_next(record) {
        LaterQuotients::None
    } else if record.verdict.tame_from().is_some() {
        LaterQuotients::TameExtensions
    } else {
        LaterQuotients::Greater
    }
}

/// Reports whether the heap after the last known partial quotient makes the quotient infinite.
///
/// All later partial quotients are infinite then, too.
fn is_infinite_next(record: &Record) -> bool {
    record.infinite_to() == Some(record.heaps + 1)
}

/// Keeps the one with the lesser code.
fn keep_least<T>(kept: &mut Option<T>, other: T, code: impl Fn(&T) -> &Code) {
    if kept.as_ref().is_none_or(|kept| code(&other) < code(kept)) {
        *kept = Some(other);
    }
}

/// The quotients of a list, each with its least games in some censuses.
#[derive(Clone, Debug)]
pub struct Atlas {
    /// The censuses, in the order given.
    pub censuses: Vec<SurveyedCensus>,
    /// The quotients, in the order of the list.
    pub entries: Vec<Entry>,
}

/// The numbers of the quotients of one order by the answers of one census.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Quotients of whole games.
    pub whole: u64,
    /// Partial quotients that are not known to belong to a whole game.
    pub partial: u64,
    /// Quotients proved to belong to no game of the plan, not even as partial quotients.
    pub none: u64,
    /// Quotients that no game is known to have, and that are not excluded.
    pub open: u64,
}

impl Atlas {
    /// Searches the censuses for the quotients of a list.
    ///
    /// Cost: reads every record of every census, and computes a class key for every quotient.
    ///
    /// # Errors
    /// [`ReportError`] if a census cannot be read or `control` stops the work.
    pub fn of(
        list: &[Construction],
        censuses: &[Census],
        control: &mut Control,
    ) -> Result<Self, ReportError> {
        let orders = list
            .iter()
            .map(|construction| construction.quotient.order() as u32);
        let greatest = orders.max().unwrap_or(0);
        let censuses = censuses
            .iter()
            .map(|census| SurveyedCensus::of(&census.store, &census.directory, greatest, control))
            .collect::<Result<Vec<SurveyedCensus>, ReportError>>()?;
        let entries = list.iter().map(|construction| {
            let quotient = &construction.quotient;
            let (order, class) = (quotient.order() as u32, quotient.class_key());
            Entry {
                order,
                p_size: quotient.p_size() as u32,
                class,
                name: quotient.known_name(),
                answers: censuses
                    .iter()
                    .map(|one| one.answer(&class, order))
                    .collect(),
            }
        });
        let entries = entries.collect();
        Ok(Self { censuses, entries })
    }

    /// Returns for every order that occurs the number of its quotients and a tally for each census.
    #[must_use]
    pub fn by_order(&self) -> BTreeMap<u32, (u64, Vec<Tally>)> {
        let mut by_order: BTreeMap<u32, (u64, Vec<Tally>)> = BTreeMap::new();
        for entry in &self.entries {
            let none = || (0, vec![Tally::default(); self.censuses.len()]);
            let (quotients, tallies) = by_order.entry(entry.order).or_insert_with(none);
            *quotients += 1;
            for (tally, answer) in tallies.iter_mut().zip(&entry.answers) {
                *match answer {
                    Answer::Whole { .. } => &mut tally.whole,
                    Answer::Partial { .. } => &mut tally.partial,
                    Answer::None => &mut tally.none,
                    Answer::Open { .. } => &mut tally.open,
                } += 1;
            }
        }
        by_order
    }
}
