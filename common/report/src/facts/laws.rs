//! The games whose partial quotients grow: their laws and automata, or why they have neither.

use std::ops::ControlFlow;

use misere_census::{Alias, AutomatonFacts, LawFacts};
use misere_engine::quotient::{
    AutomatonSearchError, LawSearchError, position_automaton, why_no_law,
};
use misere_game::control::Control;
use misere_game::ruleset::Code;
use misere_game::solution::{PositionAutomaton, Solution, SolvedBy, ThresholdLaw};
use misere_query::{Field, Filter, KnownGame, Query, Span};
use misere_store::Store;

use crate::ReportError;

/// The games of a census whose partial quotients grow, in ascending order of their codes.
#[derive(Clone, Debug, Default)]
pub struct Growing {
    /// The games that a law solves.
    pub solved: Vec<SolvedByLaw>,
    /// The games that an automaton solves.
    pub automata: Vec<SolvedByAutomaton>,
    /// The games without a law or an automaton.
    pub unsolved: Vec<UnsolvedGame>,
}

/// A game that a law solves.
#[derive(Clone, Debug)]
pub struct SolvedByLaw {
    /// The code that represents the game.
    pub code: Code,
    /// Further codes, each with its own heap numbers.
    pub aliases: Vec<Alias>,
    /// The law, in the heap numbers of the code.
    pub law: ThresholdLaw,
    /// The numbers of the law that all codes share.
    pub facts: LawFacts,
    /// The greatest heap whose partial quotient is known.
    pub heaps: u32,
    /// The heap from which on the partial quotients follow a pattern, and its period: a conjecture.
    pub pattern: (u32, u32),
}

/// A game that an automaton solves.
#[derive(Clone, Debug)]
pub struct SolvedByAutomaton {
    /// The code that represents the game.
    pub code: Code,
    /// Further codes, each with its own heap numbers.
    pub aliases: Vec<Alias>,
    /// The automaton, in the heap numbers of the code.
    pub automaton: PositionAutomaton,
    /// The numbers of the automaton.
    pub facts: AutomatonFacts,
    /// The greatest heap whose partial quotient is known.
    pub heaps: u32,
    /// The heap from which on the partial quotients follow a pattern, and its period: a conjecture.
    pub pattern: (u32, u32),
}

/// A game that grows in a pattern, without a law or an automaton.
#[derive(Clone, Debug)]
pub struct UnsolvedGame {
    /// The code that represents the game.
    pub code: Code,
    /// Further codes, each with its own heap numbers.
    pub aliases: Vec<Alias>,
    /// The greatest heap whose partial quotient is known.
    pub heaps: u32,
    /// The order of the partial quotient there.
    pub order: u32,
    /// The heap from which on the partial quotients follow a pattern, and its period: a conjecture.
    pub pattern: (u32, u32),
    /// The reasons why there is no law and no automaton.
    ///
    /// They are `None` if an earlier release computed the game and this one finds a law or an
    /// automaton.
    pub reason: Option<(LawSearchError, AutomatonSearchError)>,
}

impl SolvedByLaw {
    /// Counts the heaps of a period that are free in some position.
    #[must_use]
    pub fn free_heaps(&self) -> usize {
        let repeats_from = self.law.repeats_from() as usize;
        let heaps = self.law.heaps.iter().skip(repeats_from.saturating_sub(1));
        heaps.filter(|heap| heap.threshold > 0).count()
    }
}

impl Growing {
    /// Reads the growing games of a census.
    ///
    /// Cost: one certificate for each such game, and the searches for a law and for an automaton
    /// where there is neither.
    ///
    /// # Errors
    /// [`ReportError`] if the census cannot be read, or `control` stops the work.
    pub fn of(store: &Store, control: &mut Control) -> Result<Self, ReportError> {
        let query = Query {
            filter: Filter {
                ranges: [(Field::GrowsFrom, Span::ANY)].into_iter().collect(),
                ..Filter::default()
            },
            ..Query::default()
        };
        let mut games: Vec<KnownGame> = Vec::new();
        misere_store::answers::visit(store, &query, &mut |game| {
            games.push(game);
            ControlFlow::Continue(())
        })?;
        let mut growing = Self::default();
        for game in games {
            let solution = store.solution(&game)?;
            let record = game.record;
            let Some(pattern) = &solution.growth else {
                continue;
            };
            let place = (pattern.start, pattern.period);
            match (&pattern.solved_by, record.law, record.automaton) {
                (Some(SolvedBy::Law(law)), Some(facts), _) => growing.solved.push(SolvedByLaw {
                    code: record.code,
                    aliases: record.aliases,
                    law: law.clone(),
                    facts,
                    heaps: record.heaps,
                    pattern: place,
                }),
                (Some(SolvedBy::Automaton(automaton)), _, Some(facts)) => {
                    growing.automata.push(SolvedByAutomaton {
                        code: record.code,
                        aliases: record.aliases,
                        automaton: automaton.clone(),
                        facts,
                        heaps: record.heaps,
                        pattern: place,
                    });
                }
                _ => growing.unsolved.push(UnsolvedGame {
                    code: record.code,
                    aliases: record.aliases,
                    heaps: record.heaps,
                    order: record.order,
                    pattern: place,
                    reason: why_neither(&solution, control)?,
                }),
            }
        }
        Ok(growing)
    }
}

/// Returns the reasons why a growing game has neither a law nor an automaton; `None` if it has one.
fn why_neither(
    solution: &Solution,
    control: &mut Control,
) -> Result<Option<(LawSearchError, AutomatonSearchError)>, ReportError> {
    let Some(no_law) = why_no_law(solution, control)? else {
        return Ok(None);
    };
    match position_automaton(solution, control) {
        Ok(_) => Ok(None),
        Err(AutomatonSearchError::Stopped(stop)) => Err(stop.into()),
        Err(reason) => Ok(Some((no_law, reason))),
    }
}
