//! The quotients of explicitly given games.
//!
//! The other path to quotients of small order, on which nothing of the enumeration is used: games,
//! and exact kernels. A **one-stage extension** (Siegel, Definition 2.1) of the quotient of some
//! games is that of these games and one more, whose options are sums of them; by Lemma 2.2 every
//! finite quotient is reached from the trivial one in such stages. The quotient found for a
//! construction is confirmed here, and games are tried at random for quotients that a list might
//! lack.

use std::collections::BTreeMap;

use crate::bipartite::{BipartiteMonoid, ClassKey};
use crate::control::{Control, Stop};
use crate::monoid::word::{Word, lex_least_words};
use crate::quotient::{GamesError, quotient_of_games};
use crate::solution::Construction;

/// Whether the games of a construction have the quotient that it names, the value of each game
/// being the generator that it names.
///
/// # Errors
/// [`GamesError`] if the games have no quotient that can be found, or one of greater order.
pub fn confirms(construction: &Construction, control: &mut Control) -> Result<bool, GamesError> {
    let claimed = &construction.quotient;
    let found = quotient_of_games(&construction.options, claimed.order(), control)?;
    let generators = 0..claimed.generators();
    let values = generators.map(|g| (claimed.act(0, g), found.act(0, g)));
    Ok(claimed.isomorphism_extending(&found, values).is_some())
}

/// A quotient met on a random walk.
#[derive(Clone, Debug)]
pub struct Met {
    /// The quotient.
    pub quotient: BipartiteMonoid,
    /// Games that have it.
    pub games: Vec<Vec<Word>>,
}

/// A random walk through one-stage extensions, the same for the same seed.
#[derive(Clone, Debug)]
pub struct RandomStages {
    state: u64,
    max_order: usize,
    met: BTreeMap<ClassKey, Met>,
    tried: u64,
}

/// The most games of one walk, and the most options of a game.
const MAX_GAMES: usize = 6;
/// Fuel for one extension. Games whose quotient takes longer are left aside, as those are whose
/// quotient is too large.
const STAGE_FUEL: u64 = 20_000;

impl RandomStages {
    /// A walk that has met nothing; quotients of order above `max_order` are left aside.
    #[must_use]
    pub fn new(seed: u64, max_order: usize) -> Self {
        Self {
            state: seed,
            max_order,
            met: BTreeMap::new(),
            tried: 0,
        }
    }

    /// The quotients met.
    #[must_use]
    pub fn met(&self) -> &BTreeMap<ClassKey, Met> {
        &self.met
    }

    /// The games tried.
    #[must_use]
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// Tries one more game: after those of a random quotient met, with random options.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn step(&mut self, control: &mut Control) -> Result<(), Stop> {
        let at = self.below(self.met.len().max(1) as u64) as usize;
        let games = match self.met.values().nth(at).cloned() {
            Some(met) => self.with_another(&met),
            None => vec![vec![Word(Vec::new())]],
        };
        if games.len() > MAX_GAMES {
            return Ok(());
        }
        self.tried += 1;
        let max_order = self.max_order;
        let quotient = control.within(STAGE_FUEL, |part| {
            quotient_of_games(&games, max_order, part)
        });
        match quotient {
            Ok(quotient) => {
                let met = Met { quotient, games };
                self.met.entry(met.quotient.class_key()).or_insert(met);
                Ok(())
            }
            Err(GamesError::Stopped(Stop::Interrupted)) => Err(Stop::Interrupted),
            Err(GamesError::Stopped(Stop::FuelSpent)) => control.spend(1),
            Err(_) => Ok(()),
        }
    }

    /// The games of a quotient and one more; its options are sums of them with different values.
    fn with_another(&mut self, met: &Met) -> Vec<Vec<Word>> {
        let mut words = lex_least_words(&met.quotient);
        // Few options, many, or about half.
        let share = 1 + self.below(15);
        words.retain(|_| self.below(16) < share);
        if words.is_empty() {
            words.push(Word(Vec::new()));
        }
        let mut games = met.games.clone();
        games.push(words);
        games
    }

    /// A number below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        // The generator splitmix64.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.state;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ x >> 31) % bound
    }
}
