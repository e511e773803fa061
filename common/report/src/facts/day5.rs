//! The proofs of censuses about the games born by day 5.
//!
//! A game counts as finite if a census has solved it, and as infinite if a certificate proves it of
//! the game itself, or of a set of games of day 4 that are all followers of the game: every set
//! that includes one with an infinite quotient has an infinite quotient
//! (`misere_game::ruleset::day_five`). Every other game is counted as open or as not computed.

use std::collections::{BTreeMap, HashMap};

use misere_census::Record;
use misere_game::bipartite::ClassKey;
use misere_game::bipartite::idempotents::Idempotents;
use misere_game::control::{Control, Stop};
use misere_game::ruleset::FiniteGame;
use misere_game::ruleset::day_five::{DayFive, GameSet};
use misere_game::solution::Solution;
use misere_game::structure::kernel::Kernel;
use misere_game::structure::normal_play::{NimValuesOfElements, nim_values_of_elements};
use misere_query::KnownGame;
use misere_store::{ClassNames, Store, StoreError};

use super::ReportError;

/// The price of examining one of the sets of games of day 4, in ticks: a part of a microsecond.
const TICKS_A_SET: u64 = 500;

/// Numbers of games by the knowledge of their quotients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All games.
    pub games: u64,
    /// Games that are solved, with a finite quotient.
    pub finite: u64,
    /// Games proved infinite whose followers include no set with an infinite quotient.
    ///
    /// Infinity begins with the game itself.
    pub infinite: u64,
    /// Games whose followers include a set with an infinite quotient.
    pub above: u64,
    /// Games computed without a result.
    pub open: u64,
}

impl Counts {
    /// Counts the games that were not computed and that no theorem covers.
    #[must_use]
    pub fn not_computed(&self) -> u64 {
        self.games - self.finite - self.infinite - self.above - self.open
    }

    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.finite += other.finite;
        self.infinite += other.infinite;
        self.above += other.above;
        self.open += other.open;
    }
}

/// A set of games of day 4 with an infinite quotient, none of whose subsets is proved to have one.
#[derive(Clone, Debug)]
pub struct InfiniteSet {
    /// The game whose certificate proves it.
    pub game: FiniteGame,
    /// The number of games in the set.
    pub size: u32,
    /// The number of games born by day 5 that are above the set.
    pub above: u64,
}

/// A quotient of games born by day 5.
#[derive(Clone, Debug)]
pub struct FiniteQuotient {
    /// Its class.
    pub class: ClassKey,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its order.
    pub order: u32,
    /// The number of elements of its P-portion.
    pub p_size: u32,
    /// The number of games of the censuses that have the quotient.
    pub games: u64,
    /// The least of these games.
    pub least: FiniteGame,
    /// Whether the kernel has exactly one element in P.
    pub regular: bool,
    /// Whether that element is the identity of the kernel.
    pub normal: bool,
    /// Whether, for the least game, positions of equal value have equal nim-values.
    pub faithful: bool,
}

/// The games born by day 5, with the proofs of some censuses about their quotients.
#[derive(Clone, Debug)]
pub struct BornByDayFive {
    /// The counts by the number of options born on day 4, from 0 on.
    pub by_late: Vec<Counts>,
    /// The sets with infinite quotients, in the order of their games.
    pub sets: Vec<InfiniteSet>,
    /// The finite quotients, by order, P-portion and class.
    pub quotients: Vec<FiniteQuotient>,
}

/// The verdict of a record on a game born by day 5; proved verdicts are greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Knowledge {
    Open,
    Infinite,
    Finite,
}

/// The proofs that the records of some censuses hold.
struct Proofs<'a> {
    known: HashMap<GameSet, Knowledge>,
    sets: Vec<(GameSet, InfiniteSet)>,
    least: BTreeMap<(u32, u32, ClassKey), OfClass<'a>>,
}

/// The games that have one quotient, by the least of them.
struct OfClass<'a> {
    games: u64,
    options: GameSet,
    record: Record,
    store: &'a Store,
}

impl Default for Proofs<'_> {
    /// Starts with the quotient of 0, which is known without a census.
    fn default() -> Self {
        Self {
            known: HashMap::from([(GameSet::default(), Knowledge::Finite)]),
            sets: Vec::new(),
            least: BTreeMap::new(),
        }
    }
}

impl<'a> Proofs<'a> {
    fn read(&mut self, day: &DayFive, store: &'a Store, record: Record) {
        let Some(game) = record.code.finite_game() else {
            return;
        };
        if let Some(set) = infinite_set(day, game, &record) {
            let infinite = InfiniteSet {
                game: game.clone(),
                size: set.0.count_ones(),
                above: 0,
            };
            self.sets.push((set, infinite));
        }
        let Some(options) = day.options_of(game).filter(|&set| day.is_simplest(set)) else {
            return;
        };
        let is_finite = record.verdict.is_periodic();
        let said = match (record.is_proved_infinite(), is_finite) {
            (true, _) => Knowledge::Infinite,
            (false, true) => Knowledge::Finite,
            (false, false) => Knowledge::Open,
        };
        let before = self.known.get(&options).copied();
        self.known.insert(options, said.max(before.unwrap_or(said)));
        // A game that two censuses have solved is counted once.
        if said != Knowledge::Finite || before == Some(Knowledge::Finite) {
            return;
        }
        let key = (record.order, record.p_size, record.class);
        match self.least.get_mut(&key) {
            None => {
                let games = 1;
                let of_class = OfClass {
                    games,
                    options,
                    record,
                    store,
                };
                self.least.insert(key, of_class);
            }
            Some(of_class) => {
                of_class.games += 1;
                if options < of_class.options {
                    (of_class.options, of_class.record, of_class.store) = (options, record, store);
                }
            }
        }
    }
}

impl BornByDayFive {
    /// Reads censuses and classifies all games.
    ///
    /// Cost: reads every record, the certificates of one game for each quotient, and the 4,194,304
    /// sets of games of day 4.
    ///
    /// # Errors
    /// [`ReportError`] if a census cannot be read or `control` stops the work.
    pub fn of(stores: &[&Store], control: &mut Control) -> Result<Self, ReportError> {
        let day = DayFive::new();
        let mut proofs = Proofs::default();
        for store in stores {
            for record in store.records()? {
                proofs.read(&day, store, record?);
            }
        }
        let mut sets = minimal(proofs.sets);
        let by_late = counts(&day, &proofs.known, &mut sets, control)?;
        let mut names = ClassNames::default();
        let mut quotients = Vec::new();
        for ((order, p_size, class), of_class) in proofs.least {
            let name = names.of(of_class.store, &class)?;
            let (least, [regular, normal, faithful]) =
                quotient(of_class.store, of_class.record, control)?;
            quotients.push(FiniteQuotient {
                class,
                name,
                order,
                p_size,
                games: of_class.games,
                least,
                regular,
                normal,
                faithful,
            });
        }
        Ok(Self {
            by_late,
            sets: sets.into_iter().map(|(_, set)| set).collect(),
            quotients,
        })
    }

    /// Sums the counts of all games.
    #[must_use]
    pub fn all(&self) -> Counts {
        let mut all = Counts::default();
        self.by_late.iter().for_each(|counts| all.add(counts));
        all
    }
}

/// Returns the set of games of day 4 whose quotient a game's record proves infinite, if any.
fn infinite_set(day: &DayFive, game: &FiniteGame, record: &Record) -> Option<GameSet> {
    day.heaps_of(game, record.infinite_to()?)
}

/// Returns the sets that include no other set, and the first of equal ones.
fn minimal(mut sets: Vec<(GameSet, InfiniteSet)>) -> Vec<(GameSet, InfiniteSet)> {
    sets.sort_by_key(|(set, _)| (set.0.count_ones(), *set));
    let mut kept: Vec<(GameSet, InfiniteSet)> = Vec::new();
    for (set, infinite) in sets {
        if !kept.iter().any(|(less, _)| set.holds(*less)) {
            kept.push((set, infinite));
        }
    }
    kept
}

fn counts(
    day: &DayFive,
    known: &HashMap<GameSet, Knowledge>,
    sets: &mut [(GameSet, InfiniteSet)],
    control: &mut Control,
) -> Result<Vec<Counts>, Stop> {
    let mut by_late: Vec<Counts> = Vec::new();
    for options in day.sets() {
        control.spend(TICKS_A_SET)?;
        let late = day.late(options) as usize;
        if by_late.len() <= late {
            by_late.resize(late + 1, Counts::default());
        }
        let counts = &mut by_late[late];
        counts.games += 1;
        let followers = day.followers_of(options);
        let mut is_above = false;
        for (set, infinite) in sets.iter_mut() {
            if followers.holds(*set) {
                infinite.above += 1;
                is_above = true;
            }
        }
        match known.get(&options) {
            _ if is_above => counts.above += 1,
            Some(Knowledge::Finite) => counts.finite += 1,
            Some(Knowledge::Infinite) => counts.infinite += 1,
            Some(Knowledge::Open) => counts.open += 1,
            None => {}
        }
    }
    Ok(by_late)
}

/// Returns the game of a record, and whether its quotient is regular, normal and faithful.
fn quotient(
    store: &Store,
    record: Record,
    control: &mut Control,
) -> Result<(FiniteGame, [bool; 3]), ReportError> {
    let absent = StoreError::Absent("finite game");
    let game = record.code.finite_game().cloned().ok_or(absent)?;
    let solution = store.solution(&KnownGame::as_stored(record))?;
    let kernel = Kernel::new(&solution.quotient, &Idempotents::new(&solution.quotient));
    let faithful = is_faithful(&game, &solution, control)?;
    Ok((game, [kernel.is_regular(), kernel.is_normal(), faithful]))
}

fn is_faithful(
    game: &FiniteGame,
    solution: &Solution,
    control: &mut Control,
) -> Result<bool, Stop> {
    let mut nim_values: Vec<u32> = Vec::new();
    for follower in 0..=game.heaps() {
        let options = game.options(follower).iter();
        let taken: Vec<u32> = options
            .filter_map(|&option| nim_values.get(usize::from(option)).copied())
            .collect();
        let mex = (0..).find(|value| !taken.contains(value));
        nim_values.push(mex.unwrap_or_default());
    }
    let heaps: Vec<_> = solution.phi.iter().copied().zip(nim_values).collect();
    let found = nim_values_of_elements(&solution.quotient, &heaps, control)?;
    Ok(matches!(found, NimValuesOfElements::Faithful(_)))
}
