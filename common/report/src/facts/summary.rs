//! The summary of the results of a census.

use std::collections::{BTreeMap, BTreeSet};

use misere_algebra::classify::published_tables::TABLE_1;
use misere_census::{
    Alias, AllHeapsFacts, AutomatonFacts, CensusDigest, Conclusion, InfiniteHeap, LawFacts, Plan,
    Record, Status,
};
use misere_game::bipartite::ClassKey;
use misere_game::ruleset::Code;
use misere_game::solution::{Limit, Tail};

use misere_store::{Counters, Level, Quarantine, Store, StoreError};

/// Rulesets, and the codes that name them (aliases included).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of distinct games.
    pub rulesets: u64,
    /// The number of their codes.
    pub codes: u64,
}

impl Tally {
    fn add(&mut self, record: &Record) {
        self.rulesets += 1;
        self.codes += 1 + record.aliases.len() as u64;
    }
}

/// The solved games with quotients of one order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// The number of games.
    pub rulesets: u64,
    /// The number of classes of isomorphic quotients.
    pub classes: u64,
}

/// The counts of the records that a smaller budget of fuel would have had as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallerBudget {
    /// The fuel of each game.
    pub fuel: u64,
    /// The number of records that took no more.
    pub records: u64,
    /// The number of solved games among them.
    pub solved: u64,
    /// The number with a proof that the quotient is infinite.
    pub infinite: u64,
    /// The number of all others: tame relative to a heap, seen to diverge or to grow, at a limit.
    pub others: u64,
}

impl SmallerBudget {
    /// Returns empty counts for the powers of ten from 1,000 to below `fuel`, and for `fuel`.
    fn up_to(fuel: u64) -> Vec<Self> {
        let powers = std::iter::successors(Some(1_000_u64), |power| power.checked_mul(10));
        let fuels = powers.take_while(|&power| power < fuel).chain([fuel]);
        let none = |fuel| Self {
            fuel,
            records: 0,
            solved: 0,
            infinite: 0,
            others: 0,
        };
        fuels.map(none).collect()
    }

    fn add(&mut self, record: &Record) {
        self.records += 1;
        match record.status() {
            Some(Status::Solved) => self.solved += 1,
            Some(Status::Infinite) => self.infinite += 1,
            Some(Status::TameRelative | Status::Diverges | Status::Grows | Status::Exhausted)
            | None => self.others += 1,
        }
    }
}

/// A wild game that is solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WildGame {
    /// The code that represents the game.
    pub code: Code,
    /// Further codes, each with its own heap numbers.
    pub aliases: Vec<Alias>,
    /// The order of its misère quotient.
    pub order: u32,
    /// The size of its P-portion.
    pub p_size: u32,
    /// The number of its generators.
    pub generators: u32,
    /// The period of its pretending function.
    pub period: u32,
    /// The heap from which on the function is periodic.
    pub preperiod: u32,
    /// The isomorphism class.
    pub class: ClassKey,
    /// The name of the class, if it has one.
    pub name: Option<String>,
}

impl WildGame {
    fn of(store: &Store, record: Record) -> Result<Option<Self>, StoreError> {
        let Some((period, preperiod)) = record.verdict.period() else {
            return Ok(None);
        };
        let class = store.class(&record.class)?;
        let name = class
            .and_then(|class| class.quotient)
            .and_then(|quotient| quotient.known_name());
        Ok(Some(Self {
            code: record.code,
            aliases: record.aliases,
            order: record.order,
            p_size: record.p_size,
            generators: record.generators,
            period,
            preperiod,
            class: record.class,
            name,
        }))
    }
}

/// A game that is tame relative to a heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelativeGame {
    /// The code that represents the game.
    pub code: Code,
    /// Further codes, each with its own heap numbers.
    pub aliases: Vec<Alias>,
    /// The least heap relative to which the game is tame.
    pub heap: u32,
    /// The order of the quotient that the whole game's quotient extends tamely.
    pub order: u32,
    /// The continuation of its normal play.
    pub tail: Tail,
}

impl RelativeGame {
    fn of(record: Record, heap: u32) -> Option<Self> {
        Some(Self {
            tail: record.tail?,
            code: record.code,
            aliases: record.aliases,
            heap,
            order: record.order,
        })
    }
}

/// A game whose partial quotients grow, and that a law solves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawGame {
    /// The code that represents the game.
    pub code: Code,
    /// Further codes, each with its own heap numbers.
    pub aliases: Vec<Alias>,
    /// The greatest heap whose partial quotient is known.
    pub heaps: u32,
    /// The order of the partial quotient there.
    pub order: u32,
    /// The numbers of the law.
    pub law: LawFacts,
}

impl LawGame {
    fn of(record: Record) -> Option<Self> {
        Some(Self {
            law: record.law?,
            code: record.code,
            aliases: record.aliases,
            heaps: record.heaps,
            order: record.order,
        })
    }
}

/// A game whose partial quotients grow, and that an automaton solves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomatonGame {
    /// The code that represents the game.
    pub code: Code,
    /// Further codes, each with its own heap numbers.
    pub aliases: Vec<Alias>,
    /// The greatest heap whose partial quotient is known.
    pub heaps: u32,
    /// The order of the partial quotient there.
    pub order: u32,
    /// The numbers of the automaton.
    pub automaton: AutomatonFacts,
}

impl AutomatonGame {
    fn of(record: Record) -> Option<Self> {
        Some(Self {
            automaton: record.automaton?,
            code: record.code,
            aliases: record.aliases,
            heaps: record.heaps,
            order: record.order,
        })
    }
}

/// A game that is solved past an infinite quotient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastInfiniteGame {
    /// The code that represents the game.
    pub code: Code,
    /// Further codes, each with its own heap numbers.
    pub aliases: Vec<Alias>,
    /// The heap at which the game diverges, and to which the quotient is proved infinite.
    pub heap: InfiniteHeap,
    /// The order of the partial quotient before the heap at which the game diverges.
    pub order: u32,
    /// The repetition of the words of all heaps.
    pub all_heaps: AllHeapsFacts,
}

impl PastInfiniteGame {
    fn of(record: Record, heap: InfiniteHeap) -> Option<Self> {
        Some(Self {
            all_heaps: record.all_heaps?,
            code: record.code,
            aliases: record.aliases,
            heap,
            order: record.order,
        })
    }
}

/// A game whose partial quotients grow in a pattern, without a law or an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrowingGame {
    /// The code that represents the game.
    pub code: Code,
    /// Further codes, each with its own heap numbers.
    pub aliases: Vec<Alias>,
    /// The greatest heap known.
    pub heaps: u32,
    /// The order of the partial quotient there.
    pub order: u32,
    /// The heap from which on the pattern holds.
    pub start: u32,
    /// The period of the pattern.
    pub period: u32,
}

/// The misère quotients of one order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelSummary {
    /// The state of the level.
    pub level: Level,
    /// The number of classes found so far.
    pub quotients: u64,
    /// The number of classes that some game of the census has as a partial quotient.
    pub met: u64,
    /// The number of classes that some game of the census has as its quotient, for all heaps.
    pub realised: u64,
    /// The number that Siegel printed for the order (Table 1), if any.
    pub published: Option<u64>,
}

impl LevelSummary {
    /// Returns all levels that exist.
    ///
    /// # Errors
    /// [`StoreError`] if the census cannot be read.
    pub fn all(store: &Store) -> Result<Vec<Self>, StoreError> {
        store
            .levels()
            .map(|level| Self::of(store, *level))
            .collect()
    }

    fn of(store: &Store, level: Level) -> Result<Self, StoreError> {
        let order = usize::from(level.order);
        let published = TABLE_1.iter().find(|(of, _)| *of == order);
        let mut summary = Self {
            level,
            quotients: 0,
            met: 0,
            realised: 0,
            published: published.map(|&(_, count)| count as u64),
        };
        for quotient in store.quotients(level.order)? {
            summary.quotients += 1;
            summary.met += u64::from(!quotient.games.is_empty());
            let forever = quotient.games.iter().any(|(_, at)| at.forever);
            summary.realised += u64::from(forever);
        }
        Ok(summary)
    }
}

/// The results of a census.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The plan.
    pub plan: Plan,
    /// The number of tasks in each state.
    pub counters: Counters,
    /// Whether every task has its record and every level is closed.
    pub is_complete: bool,
    /// The levels of the misère quotients.
    pub levels: Vec<LevelSummary>,
    /// All solved games.
    pub solved: Tally,
    /// Games solved by a finite quotient and tame.
    pub tame: Tally,
    /// Games solved by a finite quotient and wild.
    pub wild: Tally,
    /// Games solved by a law.
    pub by_law: Tally,
    /// Games solved by an automaton.
    pub by_automaton: Tally,
    /// Games solved past an infinite quotient.
    pub past_infinite: Tally,
    /// All games that are tame relative to a heap.
    pub tame_relative: Tally,
    /// The games tame relative to a heap whose normal play is known for all heaps.
    ///
    /// Their misère play is known for all heaps, too.
    pub tail_periodic: Tally,
    /// Games with a quotient that is proved infinite, and not solved past it.
    pub infinite: Tally,
    /// Games with a partial quotient that is not finite as far as seen, without proof.
    pub diverging: Tally,
    /// Games with partial quotients that grow in a pattern.
    pub growing: Tally,
    /// Games out of fuel.
    pub out_of_fuel: Tally,
    /// Games at the greatest heap.
    pub at_max_heap: Tally,
    /// Games at the greatest order.
    pub at_max_order: Tally,
    /// The number of distinct classes of the quotients of solved games.
    pub classes_solved: u64,
    /// The number of distinct classes of all partial quotients found.
    pub classes_met: u64,
    /// The order of the largest quotient proved, and the first code with it.
    pub largest: Option<(u32, Code)>,
    /// The rulesets solved by a finite quotient, and the classes among them, by order.
    pub orders: BTreeMap<u32, Order>,
    /// The games that smaller budgets would have solved, for powers of ten up to the plan's budget.
    pub budgets: Vec<SmallerBudget>,
    /// Fuel spent on all records.
    pub fuel: u64,
    /// The wild games that are solved, in ascending order of their codes.
    pub wild_games: Vec<WildGame>,
    /// The games that are tame relative to a heap, in ascending order of their codes.
    pub relative_games: Vec<RelativeGame>,
    /// The games that a law solves, in ascending order of their codes.
    pub law_games: Vec<LawGame>,
    /// The games that an automaton solves, in ascending order of their codes.
    pub automaton_games: Vec<AutomatonGame>,
    /// The games that are solved past an infinite quotient, in ascending order of their codes.
    pub past_infinite_games: Vec<PastInfiniteGame>,
    /// The games that grow in a pattern, without a law or an automaton, in ascending order of their
    /// codes.
    pub growing_games: Vec<GrowingGame>,
    /// The tasks in quarantine.
    pub quarantine: Vec<Quarantine>,
    /// The digest of the records.
    pub digest: CensusDigest,
}

impl Summary {
    /// Reads the summary of a census.
    ///
    /// Cost: one pass over all records, and one over all classes.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot be read.
    pub fn of(store: &Store) -> Result<Self, StoreError> {
        let mut summary = Self {
            plan: store.plan().clone(),
            counters: store.counters(),
            is_complete: store.is_complete(),
            levels: LevelSummary::all(store)?,
            solved: Tally::default(),
            tame: Tally::default(),
            wild: Tally::default(),
            by_law: Tally::default(),
            by_automaton: Tally::default(),
            past_infinite: Tally::default(),
            tame_relative: Tally::default(),
            tail_periodic: Tally::default(),
            infinite: Tally::default(),
            diverging: Tally::default(),
            growing: Tally::default(),
            out_of_fuel: Tally::default(),
            at_max_heap: Tally::default(),
            at_max_order: Tally::default(),
            classes_solved: 0,
            classes_met: store.class_count()?,
            largest: None,
            orders: BTreeMap::new(),
            budgets: SmallerBudget::up_to(store.plan().budget().fuel),
            fuel: 0,
            wild_games: Vec::new(),
            relative_games: Vec::new(),
            growing_games: Vec::new(),
            law_games: Vec::new(),
            automaton_games: Vec::new(),
            past_infinite_games: Vec::new(),
            quarantine: store
                .quarantined()?
                .into_iter()
                .map(|(_, why)| why)
                .collect(),
            digest: store.digest()?,
        };
        let mut classes: BTreeSet<(u32, ClassKey)> = BTreeSet::new();
        for record in store.records()? {
            let record = record?;
            summary.fuel += record.fuel;
            let within = summary.budgets.iter_mut();
            for within in within.filter(|within| record.fuel <= within.fuel) {
                within.add(&record);
            }
            if summary
                .largest
                .as_ref()
                .is_none_or(|(order, _)| record.order > *order)
            {
                summary.largest = Some((record.order, record.code.clone()));
            }
            match record.conclusion() {
                Conclusion::FiniteGame { .. } | Conclusion::Periodic { .. } => {
                    summary.solved.add(&record);
                    let order = summary.orders.entry(record.order).or_default();
                    order.rulesets += 1;
                    order.classes += u64::from(classes.insert((record.order, record.class)));
                    if record.tame == Some(true) {
                        summary.tame.add(&record);
                    } else {
                        summary.wild.add(&record);
                        summary.wild_games.extend(WildGame::of(store, record)?);
                    }
                }
                Conclusion::TameRelative { heap, nim_period } => {
                    summary.tame_relative.add(&record);
                    if nim_period.is_some() {
                        summary.tail_periodic.add(&record);
                    }
                    summary
                        .relative_games
                        .extend(RelativeGame::of(record, heap));
                }
                Conclusion::PastInfinite { heap, .. } => {
                    summary.solved.add(&record);
                    summary.past_infinite.add(&record);
                    summary
                        .past_infinite_games
                        .extend(PastInfiniteGame::of(record, heap));
                }
                Conclusion::Infinite { .. } => summary.infinite.add(&record),
                Conclusion::Diverges { .. } => summary.diverging.add(&record),
                Conclusion::Law { .. } => {
                    summary.solved.add(&record);
                    summary.by_law.add(&record);
                    summary.law_games.extend(LawGame::of(record));
                }
                Conclusion::Automaton { .. } => {
                    summary.solved.add(&record);
                    summary.by_automaton.add(&record);
                    summary.automaton_games.extend(AutomatonGame::of(record));
                }
                Conclusion::Grows { start, period } => {
                    summary.growing.add(&record);
                    summary.growing_games.push(GrowingGame {
                        code: record.code,
                        aliases: record.aliases,
                        heaps: record.heaps,
                        order: record.order,
                        start,
                        period,
                    });
                }
                Conclusion::Exhausted(Limit::Fuel) => summary.out_of_fuel.add(&record),
                Conclusion::Exhausted(Limit::MaxHeap) => summary.at_max_heap.add(&record),
                Conclusion::Exhausted(Limit::MaxOrder) => summary.at_max_order.add(&record),
                // No such record is ever committed.
                Conclusion::Interrupted => {}
            }
        }
        summary.classes_solved = classes.len() as u64;
        Ok(summary)
    }

    /// Reports whether every task has its record.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Sums the games that a limit of the plan stopped.
    #[must_use]
    pub fn exhausted(&self) -> Tally {
        let limits = [self.out_of_fuel, self.at_max_heap, self.at_max_order];
        Tally {
            rulesets: limits.iter().map(|tally| tally.rulesets).sum(),
            codes: limits.iter().map(|tally| tally.codes).sum(),
        }
    }
}
