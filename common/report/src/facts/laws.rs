//! The games whose partial quotients grow: their laws, or why there is none.

use std::ops::ControlFlow;

use misere_census::{Alias, LawFacts};
use misere_query::{Field, Filter, KnownGame, Query, Span};
use misere_store::Store;
use misere_theory::control::Control;
use misere_theory::quotient::{NoLaw, why_no_law};
use misere_theory::ruleset::Code;
use misere_theory::solution::ThresholdLaw;

use crate::ReportError;

/// The games of a census whose partial quotients grow, in ascending order of their codes.
#[derive(Clone, Debug, Default)]
pub struct Growing {
    /// The games that a law solves.
    pub solved: Vec<SolvedByLaw>,
    /// The games without a law.
    pub unsolved: Vec<WithoutLaw>,
}

/// A game that a law solves.
#[derive(Clone, Debug)]
pub struct SolvedByLaw {
    /// The code that stands for it.
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

/// A game that grows in a pattern, without a law.
#[derive(Clone, Debug)]
pub struct WithoutLaw {
    /// The code that stands for it.
    pub code: Code,
    /// Further codes, each with its own heap numbers.
    pub aliases: Vec<Alias>,
    /// The greatest heap whose partial quotient is known.
    pub heaps: u32,
    /// The order of the partial quotient there.
    pub order: u32,
    /// The heap from which on the partial quotients follow a pattern, and its period: a conjecture.
    pub pattern: (u32, u32),
    /// The reason why there is no law; `None` if a release that knew no laws computed the game, and
    /// this one finds a law in its certificate.
    pub reason: Option<NoLaw>,
}

impl SolvedByLaw {
    /// The number of heaps of a period that are free in some position.
    #[must_use]
    pub fn free_heaps(&self) -> usize {
        let repeats_from = self.law.repeats_from() as usize;
        let heaps = self.law.heaps.iter().skip(repeats_from.saturating_sub(1));
        heaps.filter(|heap| heap.threshold > 0).count()
    }
}

impl Growing {
    /// The growing games of a census.
    ///
    /// Cost: one certificate for each such game, and the search for a law where there is none.
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
            let reason = why_no_law(&solution, control)?;
            let record = game.record;
            let Some(pattern) = solution.growth else {
                continue;
            };
            let place = (pattern.start, pattern.period);
            match (pattern.law, record.law) {
                (Some(law), Some(facts)) => growing.solved.push(SolvedByLaw {
                    code: record.code,
                    aliases: record.aliases,
                    law,
                    facts,
                    heaps: record.heaps,
                    pattern: place,
                }),
                _ => growing.unsolved.push(WithoutLaw {
                    code: record.code,
                    aliases: record.aliases,
                    heaps: record.heaps,
                    order: record.order,
                    pattern: place,
                    reason,
                }),
            }
        }
        Ok(growing)
    }
}
