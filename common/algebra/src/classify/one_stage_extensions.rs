//! The quotients of explicitly given games.
//!
//! A second path to quotients of small order, which uses nothing of the enumeration: games, and
//! exact kernels. A **one-stage extension** (Siegel, Definition 2.1) of the quotient of some games
//! is the quotient of these games and one more, whose options are sums of them; by Lemma 2.2 every
//! finite quotient is reached from the trivial one in such stages. The module confirms the quotient
//! found for a construction, and tries games at random for quotients that a list might lack.

use std::collections::BTreeMap;

use misere_engine::quotient::{GamesError, quotient_of_games};
use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::control::{Control, Stop};
use misere_game::monoid::word::{Word, lex_least_words};
use misere_game::solution::Construction;

/// Reports whether the games of a construction have the quotient that it names.
///
/// The value of each game must be the generator that it names.
///
/// Cost: an exact kernel, and a canonical form of it.
///
/// ```
/// use misere_game::bipartite::families::tame;
/// use misere_algebra::classify::one_stage_extensions::confirms;
/// use misere_game::control::Control;
/// use misere_game::monoid::word::Word;
/// use misere_game::solution::Construction;
/// let star = vec![vec![Word(vec![0])]];
/// let right = Construction::new(tame(1), star.clone());
/// assert!(confirms(&right, &mut Control::unlimited())?);
/// let wrong = Construction::new(tame(2), star);
/// assert!(!confirms(&wrong, &mut Control::unlimited())?);
/// # Ok::<(), misere_engine::quotient::GamesError>(())
/// ```
///
/// # Errors
/// [`GamesError`] if the games have no quotient that can be found, or one of greater order.
pub fn confirms(construction: &Construction, control: &mut Control) -> Result<bool, GamesError> {
    let claimed = &construction.quotient;
    if claimed.generators() != construction.options.len() {
        return Ok(false);
    }
    let found = quotient_of_games(&construction.options, claimed.order(), control)?;
    let generators = 0..claimed.generators();
    let values = generators.map(|g| (claimed.act(0, g), found.act(0, g)));
    Ok(claimed.isomorphism_extending(&found, values).is_some())
}

/// A quotient found on a random walk.
#[derive(Clone, Debug)]
pub struct VisitedQuotient {
    /// The quotient.
    pub quotient: BipartiteMonoid,
    /// Games that have this quotient.
    pub games: Vec<Vec<Word>>,
}

/// A random walk through one-stage extensions, the same for the same seed.
#[derive(Clone, Debug)]
pub struct RandomStages {
    state: u64,
    max_order: usize,
    met: BTreeMap<ClassKey, VisitedQuotient>,
    tried: u64,
}

/// The greatest number of games of one walk, and of options of a game.
const MAX_GAMES: usize = 6;
/// Fuel for one extension.
///
/// Games whose quotient takes longer, or is too large, are left aside.
const STAGE_FUEL: u64 = 20_000;

impl RandomStages {
    /// Returns a walk that has found nothing yet.
    ///
    /// Quotients of order above `max_order` are left aside.
    #[must_use]
    pub fn new(seed: u64, max_order: usize) -> Self {
        Self {
            state: seed,
            max_order,
            met: BTreeMap::new(),
            tried: 0,
        }
    }

    /// Returns the quotients found.
    #[must_use]
    pub fn met(&self) -> &BTreeMap<ClassKey, VisitedQuotient> {
        &self.met
    }

    /// Returns the number of games tried.
    #[must_use]
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// Tries one more game: after those of a random quotient found before, with random options.
    ///
    /// Cost: at most 20,000 units of fuel, which one extension may take.
    ///
    /// ```
    /// use misere_algebra::classify::one_stage_extensions::RandomStages;
    /// use misere_game::control::Control;
    /// let mut walk = RandomStages::new(1, 14);
    /// walk.step(&mut Control::unlimited())?;
    /// // The first game is always *, whose quotient is T_1.
    /// let met: Vec<usize> = walk.met().values().map(|met| met.quotient.order()).collect();
    /// assert_eq!((walk.tried(), met), (1, vec![2]));
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
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
                let met = VisitedQuotient { quotient, games };
                self.met.entry(met.quotient.class_key()).or_insert(met);
                Ok(())
            }
            Err(GamesError::Stopped(Stop::Interrupted)) => Err(Stop::Interrupted),
            Err(GamesError::Stopped(Stop::FuelSpent)) => control.spend(1),
            Err(_) => Ok(()),
        }
    }

    /// Returns the games of a quotient and one more.
    ///
    /// Its options are sums of the others, with different values.
    fn with_another(&mut self, met: &VisitedQuotient) -> Vec<Vec<Word>> {
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

    /// Returns a number below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        // The generator splitmix64.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.state;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ x >> 31) % bound
    }
}
