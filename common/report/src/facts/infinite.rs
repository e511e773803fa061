//! The games of a census whose quotients are proved infinite, and those that diverge without proof.

use std::collections::BTreeMap;

use misere_census::{Alias, Record};
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::{Evidence, Reason};
use misere_query::KnownGame;
use misere_store::{Store, StoreError};
use rayon::prelude::*;

use super::described::QuotientDescription;
use crate::ReportError;

/// The infinite quotients of a census.
#[derive(Clone, Debug, Default)]
pub struct Infinite {
    /// The games whose quotients are proved infinite.
    pub proved: Vec<ProvedGame>,
    /// The games that diverge, without a proof.
    pub unproved: Vec<UnprovedGame>,
}

/// A game whose quotient is proved infinite.
#[derive(Clone, Debug)]
pub struct ProvedGame {
    /// The code that represents all codes of the game.
    pub code: Code,
    /// The other codes of the game.
    pub aliases: Vec<Alias>,
    /// The heap to which the quotient is proved infinite. The game may diverge at a smaller one.
    pub heap: u32,
    /// The fuel that was spent on the game.
    pub fuel: u64,
    /// The heaps whose multiples are proved to be distinct.
    pub distinct_multiples: Vec<u32>,
    /// The heaps that are letters.
    pub letters: Vec<u32>,
    /// The letters whose counts are read in binary.
    pub digits: Vec<u32>,
    /// The number of states of the automaton.
    pub states: usize,
    /// The number of columns, if the evidence has columns.
    pub columns: Option<usize>,
    /// The number of nodes, if the evidence is a diagram.
    pub nodes: Option<usize>,
    /// The preperiod and the period of the words of all heaps, if all heaps are solved by them.
    pub all_heaps: Option<(u32, u32)>,
    /// A description of the quotient, if requested.
    pub described: Option<QuotientDescription>,
}

/// A game that diverges and is not proved infinite.
#[derive(Clone, Debug)]
pub struct UnprovedGame {
    /// The code that represents all codes of the game.
    pub code: Code,
    /// The other codes of the game.
    pub aliases: Vec<Alias>,
    /// The heap at which the game diverges.
    pub heap: u32,
    /// The fuel that was spent on the game.
    pub fuel: u64,
    /// The reason why no proof was found, if it was recorded.
    pub reason: Option<Reason>,
}

/// A number of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The number of rulesets.
    pub rulesets: usize,
    /// The number of their codes.
    pub codes: usize,
}

impl Count {
    fn add(&mut self, aliases: &[Alias]) {
        self.rulesets += 1;
        self.codes += 1 + aliases.len();
    }
}

impl Infinite {
    /// Reads the games of a census, in the order of their codes.
    ///
    /// With `fuel` the infinite quotients are described, too.
    ///
    /// Cost: all records, and the certificates of the games that are proved infinite; for each of
    /// these games the cost of [`QuotientDescription::new`] if `fuel` is given. All cores are used.
    ///
    /// # Errors
    /// [`ReportError`] if the census cannot be read, or `control` is interrupted.
    pub fn of(
        store: &Store,
        fuel: Option<u64>,
        control: &mut Control,
    ) -> Result<Self, ReportError> {
        let mut infinite = Self::default();
        let mut evidence = Vec::new();
        for record in store.records()? {
            let record = record?;
            let Some(heap) = record.verdict.diverges_at() else {
                continue;
            };
            if let Some(heap) = record.infinite_to() {
                let (game, of_game) = ProvedGame::of(store, record, heap)?;
                infinite.proved.push(game);
                evidence.push(of_game);
            } else {
                infinite.unproved.push(UnprovedGame {
                    code: record.code,
                    aliases: record.aliases,
                    heap,
                    fuel: record.fuel,
                    reason: record.reason,
                });
            }
        }
        if let Some(fuel) = fuel {
            infinite.describe(&evidence, fuel, control)?;
        }
        Ok(infinite)
    }

    fn describe(
        &mut self,
        evidence: &[Evidence],
        fuel: u64,
        control: &Control,
    ) -> Result<(), Stop> {
        let games = self.proved.par_iter_mut().zip(evidence);
        games.try_for_each(|(game, evidence)| {
            let of_game = &mut control.unmetered();
            let described =
                QuotientDescription::new(&game.code, game.heap, evidence, fuel, of_game)?;
            game.described = Some(described);
            Ok(())
        })
    }

    /// Counts the games with an infinite quotient that are solved for all heaps.
    #[must_use]
    pub fn solved_count(&self) -> Count {
        let solved = self.proved.iter().filter(|game| game.all_heaps.is_some());
        count(solved.map(|game| game.aliases.as_slice()))
    }

    /// Counts the games that are proved infinite.
    #[must_use]
    pub fn proved_count(&self) -> Count {
        count(self.proved.iter().map(|game| game.aliases.as_slice()))
    }

    /// Counts the games that diverge without a proof.
    #[must_use]
    pub fn unproved_count(&self) -> Count {
        count(self.unproved.iter().map(|game| game.aliases.as_slice()))
    }

    /// Counts the games that diverge for each reason; those without a reason come first.
    #[must_use]
    pub fn by_reason(&self) -> BTreeMap<Option<Reason>, Count> {
        let mut counts: BTreeMap<Option<Reason>, Count> = BTreeMap::new();
        for game in &self.unproved {
            counts.entry(game.reason).or_default().add(&game.aliases);
        }
        counts
    }
}

fn count<'a>(games: impl Iterator<Item = &'a [Alias]>) -> Count {
    let mut all = Count::default();
    games.for_each(|aliases| all.add(aliases));
    all
}

impl ProvedGame {
    /// Reads the evidence of a game.
    fn of(store: &Store, record: Record, heap: u32) -> Result<(Self, Evidence), StoreError> {
        let game = KnownGame::as_stored(record);
        let solution = store.solution(&game)?;
        let evidence = solution.evidence.ok_or(StoreError::Absent("evidence"))?;
        let record = game.record;
        let all_heaps = evidence.all_heaps();
        let all_heaps = all_heaps.map(|all| (all.preperiod, all.period));
        let (letters, digits, states, columns, nodes) = match &evidence {
            Evidence::Columns(family) => (
                family.letters.iter().map(|letter| letter.heap).collect(),
                family.digits().collect(),
                family.states.len(),
                Some(family.columns.len()),
                None,
            ),
            Evidence::Diagram(family) => (
                family.letters.clone(),
                family.digits.clone(),
                family.states.len(),
                None,
                Some(family.nodes.len()),
            ),
        };
        let game = Self {
            code: record.code,
            aliases: record.aliases,
            heap,
            fuel: record.fuel,
            distinct_multiples: record.distinct_multiples,
            letters,
            digits,
            states,
            columns,
            nodes,
            all_heaps,
            described: None,
        };
        Ok((game, evidence))
    }
}
