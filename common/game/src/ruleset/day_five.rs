//! The games born by day 5, as sets of the 22 games born by day 4.
//!
//! A game born by day 5 is given by its options, and in simplest form these are some of the 22
//! games in simplest form that are born by day 4. So a game is a set of 22 bits. Of the 4,194,304
//! sets 4,171,780 are in simplest form; the others can be simplified to games born earlier.
//!
//! # Infinite quotients
//!
//! **Theorem.** Let `B ⊆ A` be sets of games that contain all options of their members. If the
//! misère quotient of `B` is infinite, so is the quotient of `A`.
//!
//! *Proof.* Let two sums `X` and `Y` of games of `B` be different elements of the quotient of `B`.
//! Then some sum `Z` of games of `B` makes `X + Z` and `Y + Z` have different outcomes. `Z` is a
//! sum of games of `A`, too, so `X` and `Y` are different elements of the quotient of `A`. ∎
//!
//! So one proof of infinity for a set of games of day 4 is a proof for every game of day 5 that has
//! all of them as followers, and a few sets are enough for two thirds of the games. [`SETS`] names
//! them. That their quotients are infinite is not assumed here, but proved in a census by
//! certificates.

use std::collections::HashMap;

use super::finite::FiniteGame;
use super::games_born_by;

/// The greatest number of options born on day 4 that a [survey](DayFive::survey) covers.
///
/// Every game with more of them is above one of the [`SETS`].
pub const MAX_LATE: u32 = 13;

/// The least games whose followers are the sets of games of day 4 with infinite quotients.
///
/// None of these sets contains another. A search found them among all hereditary sets of the 22
/// games within 3 million units of fuel each; there may be more.
pub const SETS: [&str; 23] = [
    "{{{*2},*2,*},{{*2},0}}",
    "{{*3,{*2},0},{{*2},*2,0}}",
    "{{*3,{*2},0},{{*2},*2},{{*2},0}}",
    "{{{*2},*2,*,0},{{*2},*2,0},{{*2},0}}",
    "{{*3},{{*2},*2,0},{{*2},0}}",
    "{{*3,{*2},*2,*},{*3,{*2},*2,0},*4}",
    "{{*3,{*2},*2,*,0},{*3,{*2},*2,*},{*3,{*2},*2,0}}",
    "{{*3,{*2},*2,*,0},{*3,{*2},*2,*},{{*2},*2,*,0},{{*2},0}}",
    "{{*3,{*2},*2,*},*4,{{*2},*2,*,0},{{*2},*}}",
    "{{*3,{*2},*2,*,0},{*3,{*2},*2,*},{{*2},*2,*,0},{{*2},*}}",
    "{{*3,{*2},*2,*},*4,{*3},{{*2},*2,0}}",
    "{{*3,{*2},*2,*,0},{*3,{*2},*2,*},{*3},{{*2},*2,0}}",
    "{{*3,{*2},*2,*},*4,{{*2},*2,*,0},{{*2},*2,*}}",
    "{{*3,{*2},*2,*,0},{*3,{*2},*2,*},{{*2},*2,*,0},{{*2},*2,*}}",
    "{{*3,{*2},*2,*,0},{*3,{*2},*2,*},{*3,{*2},0},{{*2},*2,*}}",
    "{{*3,{*2},*2,*},{*3,{*2},*},*4,{{*2},*2,*,0}}",
    "{{*3,{*2},*2,*,0},{*3,{*2},*2,*},{*3,{*2},*},{{*2},*2,*,0}}",
    "{{*3,{*2},*2,*},*4,{{*2},*2,*,0},{{*2},0},{{*2}}}",
    "{{*3,{*2},*2,*,0},{*3,{*2},*2,*},{*3,{*2},*2},{{*2},*2,0},{{*2}}}",
    "{{*3,{*2},*2,*},{*3,{*2},*2},*4,{{*2},*2,0},{{*2},0}}",
    "{{*3,{*2},*2,*,0},{*3,{*2},*2,*},{*3,{*2},*2},{{*2},*2,0},{{*2},0}}",
    "{{*3,{*2},*2,*,0},{*3,{*2},*2,0},*4,{{*2},*2,*},{{*2},*}}",
    "{{*3,{*2},*2,*},*4,{{*2},*2,*,0},{{*2},*2,0},{{*2},*2}}",
];

/// A set of the 22 games born by day 4.
///
/// The `i`-th bit represents the `i`-th game in the order of [`DayFive::games`]. Sets of options
/// are ordered as the games that have these options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameSet(pub u32);

impl GameSet {
    /// Reports whether all members of `other` are members.
    ///
    /// ```
    /// use misere_game::ruleset::day_five::GameSet;
    /// assert!(GameSet(0b111).holds(GameSet(0b101)));
    /// assert!(!GameSet(0b101).holds(GameSet(0b111)));
    /// ```
    #[must_use]
    pub fn holds(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    fn members(self) -> impl Iterator<Item = usize> {
        (0..u32::BITS as usize).filter(move |game| self.0 >> game & 1 != 0)
    }
}

/// The 22 games born by day 4, and facts about sets of them.
#[derive(Clone, Debug)]
pub struct DayFive {
    games: Vec<FiniteGame>,
    numbers: HashMap<FiniteGame, usize>,
    options: Vec<GameSet>,
    followers: Vec<GameSet>,
    is_p: Vec<bool>,
    late: GameSet,
}

impl Default for DayFive {
    fn default() -> Self {
        Self::new()
    }
}

impl DayFive {
    /// Returns the 22 games with their options and followers.
    ///
    /// Cost: as for [`games_born_by`].
    #[must_use]
    pub fn new() -> Self {
        let mut day = Self {
            games: Vec::new(),
            numbers: HashMap::new(),
            options: Vec::new(),
            followers: Vec::new(),
            is_p: Vec::new(),
            late: GameSet::default(),
        };
        // Days 0 to 4 come in turn, so options come before games.
        let mut born: Vec<(u32, GameSet, FiniteGame)> = Vec::new();
        for last in 0..=4 {
            for game in games_born_by(4) {
                if game.birthday() == last {
                    let options = day.options_of(&game).unwrap_or_default();
                    born.push((last, options, game));
                }
            }
            born.sort_by_key(|(birthday, options, _)| (*birthday, *options));
            for (birthday, options, game) in born.drain(..) {
                day.push(birthday, options, game);
            }
        }
        day
    }

    fn push(&mut self, birthday: u32, options: GameSet, game: FiniteGame) {
        let number = self.games.len();
        let itself = GameSet(1 << number);
        let winning = options.members().any(|option| self.is_p[option]);
        self.is_p.push(options != GameSet::default() && !winning);
        self.options.push(options);
        let followers = self.followers_of(options).0 | itself.0;
        self.followers.push(GameSet(followers));
        if birthday == 4 {
            self.late.0 |= itself.0;
        }
        self.numbers.insert(game.clone(), number);
        self.games.push(game);
    }

    /// Returns the 22 games, by birthday and then by their options, greatest first.
    ///
    /// ```
    /// use misere_game::ruleset::day_five::DayFive;
    /// let day = DayFive::new();
    /// let games: Vec<String> = day.games().iter().map(ToString::to_string).collect();
    /// assert_eq!(games[..7], ["{}", "*", "*2", "{*2}", "*3", "{{*2}}", "{{*2},0}"]);
    /// ```
    #[must_use]
    pub fn games(&self) -> &[FiniteGame] {
        &self.games
    }

    /// Returns the options of a game as a set, if all of them are among the 22 games.
    ///
    /// ```
    /// use misere_game::ruleset::FiniteGame;
    /// use misere_game::ruleset::day_five::{DayFive, GameSet};
    /// let day = DayFive::new();
    /// assert_eq!(day.options_of(&FiniteGame::nimber(2)?), Some(GameSet(0b11)));
    /// assert_eq!(day.options_of(&FiniteGame::nimber(6)?), None);
    /// # Ok::<(), misere_game::ruleset::FiniteGameError>(())
    /// ```
    #[must_use]
    pub fn options_of(&self, game: &FiniteGame) -> Option<GameSet> {
        let options = game.options(game.heaps()).iter();
        self.set(options.map(|&option| game.follower(option.into())))
    }

    /// Returns the followers 0 to `heap` of a game as a set, if all of them are among the 22 games.
    ///
    /// ```
    /// use misere_game::ruleset::FiniteGame;
    /// use misere_game::ruleset::day_five::{DayFive, GameSet};
    /// let (day, six) = (DayFive::new(), FiniteGame::nimber(6)?);
    /// assert_eq!(day.heaps_of(&six, 2), Some(GameSet(0b111)));
    /// assert_eq!(day.heaps_of(&six, 5), None);
    /// # Ok::<(), misere_game::ruleset::FiniteGameError>(())
    /// ```
    #[must_use]
    pub fn heaps_of(&self, game: &FiniteGame, heap: u32) -> Option<GameSet> {
        self.set((0..=heap.min(game.heaps())).map(|heap| game.follower(heap)))
    }

    fn set(&self, games: impl Iterator<Item = FiniteGame>) -> Option<GameSet> {
        let mut set = GameSet::default();
        for game in games {
            set.0 |= 1 << self.numbers.get(&game)?;
        }
        Some(set)
    }

    /// Returns the followers of a game with these options, except the game itself.
    ///
    /// ```
    /// use misere_game::ruleset::day_five::{DayFive, GameSet};
    /// // The followers of {*2} are 0, * and *2.
    /// assert_eq!(DayFive::new().followers_of(GameSet(0b100)), GameSet(0b111));
    /// ```
    #[must_use]
    pub fn followers_of(&self, options: GameSet) -> GameSet {
        let followers = options
            .members()
            .filter_map(|game| self.followers.get(game));
        GameSet(followers.fold(0, |all, of_one| all | of_one.0))
    }

    /// Returns the number of members that are born on day 4.
    ///
    /// ```
    /// use misere_game::ruleset::day_five::{DayFive, GameSet};
    /// assert_eq!(DayFive::new().late(GameSet(0b111_1111)), 2);
    /// ```
    #[must_use]
    pub fn late(&self, set: GameSet) -> u32 {
        (set.0 & self.late.0).count_ones()
    }

    /// Reports whether the game with these options is in simplest form.
    ///
    /// ```
    /// use misere_game::ruleset::day_five::{DayFive, GameSet};
    /// let day = DayFive::new();
    /// // {*2} is; {*} equals 0.
    /// assert!(day.is_simplest(GameSet(0b100)));
    /// assert!(!day.is_simplest(GameSet(0b10)));
    /// ```
    #[must_use]
    pub fn is_simplest(&self, options: GameSet) -> bool {
        let through = options
            .members()
            .fold(0, |all, game| all | self.options[game].0);
        let wins = || options.members().any(|game| self.is_p[game]);
        let reverses = |to: usize| {
            let of_it = self.options[to];
            let others = GameSet(options.0 & !of_it.0);
            options.holds(of_it)
                && others
                    .members()
                    .all(|game| self.options[game].0 >> to & 1 != 0)
                && (to != 0 || wins())
        };
        !GameSet(through).members().any(reverses)
    }

    /// Returns the game with these options; `None` if they are not among the 22 games.
    ///
    /// ```
    /// use misere_game::ruleset::day_five::{DayFive, GameSet};
    /// let game = DayFive::new().game(GameSet(0b1001));
    /// assert_eq!(game.map(|game| game.to_string()).as_deref(), Some("{{*2},0}"));
    /// ```
    #[must_use]
    pub fn game(&self, options: GameSet) -> Option<FiniteGame> {
        let options: Option<Vec<FiniteGame>> = options
            .members()
            .map(|game| self.games.get(game).cloned())
            .collect();
        FiniteGame::from_options(&options?).ok()
    }

    /// Returns the option sets of the games born by day 5, in the order of these games.
    ///
    /// Cost: 4,194,304 sets, a fraction of a microsecond each.
    pub fn sets(&self) -> impl Iterator<Item = GameSet> {
        let all = 1_u32 << self.games.len();
        (0..all).map(GameSet).filter(|&set| self.is_simplest(set))
    }

    /// Returns the games of a survey.
    ///
    /// They are those with at most `late` options born on day 4, and the games of [`SETS`].
    ///
    /// A game whose followers include those of one of the [`SETS`] is left out unless it is one of
    /// them: the theorem above decides it.
    ///
    /// Cost: as for [`sets`](Self::sets).
    ///
    /// ```
    /// use misere_game::ruleset::day_five::DayFive;
    /// let day = DayFive::new();
    /// // The 21 games but 0 that are born by day 4, and the games of the sets.
    /// assert_eq!(day.survey(0).len(), 44);
    /// ```
    #[must_use]
    pub fn survey(&self, late: u32) -> Vec<GameSet> {
        let parsed = SETS
            .iter()
            .filter_map(|text| text.parse::<super::Code>().ok());
        let named = parsed.filter_map(|code| self.options_of(code.finite_game()?));
        let named: Vec<(GameSet, GameSet)> =
            named.map(|set| (set, self.followers_of(set))).collect();
        let is_meant = |&set: &GameSet| {
            let followers = self.followers_of(set);
            let above = named
                .iter()
                .find(|(_, infinite)| followers.holds(*infinite));
            match above {
                Some(_) => named.iter().any(|(least, _)| *least == set),
                None => set != GameSet::default() && self.late(set) <= late,
            }
        };
        let few =
            |set: &GameSet| self.late(*set) <= late || named.iter().any(|(least, _)| least == set);
        let all = (0..1_u32 << self.games.len()).map(GameSet);
        let meant = all.filter(few).filter(is_meant);
        meant.filter(|&set| self.is_simplest(set)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Code;

    #[test]
    fn the_order_is_that_of_finite_games() {
        let day = DayFive::new();
        assert_eq!(day.games().len(), 22);
        let whole = FiniteGame::from_options(day.games()).unwrap();
        for (number, game) in (0..).zip(day.games()) {
            assert_eq!(whole.follower(number), *game);
        }
    }

    #[test]
    fn as_many_games_as_conway_counts() {
        assert_eq!(DayFive::new().sets().count(), 4_171_780);
    }

    /// A survey omits no undecided game: those with more late options are above a set, and no
    /// smaller bound suffices.
    #[test]
    fn games_with_more_late_options_are_above_a_set() {
        let day = DayFive::new();
        let sets = SETS.map(|text| {
            let code: Code = text.parse().unwrap();
            day.followers_of(day.options_of(code.finite_game().unwrap()).unwrap())
        });
        let is_above = |set: &GameSet| {
            sets.iter()
                .any(|&least| day.followers_of(*set).holds(least))
        };
        let many: Vec<GameSet> = day
            .sets()
            .filter(|&set| day.late(set) >= MAX_LATE)
            .collect();
        assert!(
            many.iter()
                .all(|set| is_above(set) || day.late(*set) == MAX_LATE)
        );
        assert!(!many.iter().all(is_above));
    }

    /// The definition: a game is in simplest form if simplifying changes nothing.
    #[test]
    fn simplest_forms_are_those_of_the_definition() {
        let day = DayFive::new();
        for set in (1..1 << 22).step_by(4_099).chain(1..64).map(GameSet) {
            let game = day.game(set).unwrap();
            assert_eq!(day.is_simplest(set), game.simplest_form() == game, "{game}");
            assert_eq!(day.options_of(&game), Some(set));
            assert_eq!(
                day.heaps_of(&game, game.heaps() - 1),
                Some(day.followers_of(set))
            );
        }
    }

    /// Each name denotes the least game that has these followers, and no set contains another.
    #[test]
    fn the_sets_are_least() {
        let day = DayFive::new();
        let sets = SETS.map(|text| {
            let code: Code = text.parse().unwrap();
            assert_eq!(code.to_string(), text);
            day.options_of(code.finite_game().unwrap()).unwrap()
        });
        for (at, &set) in sets.iter().enumerate() {
            let followers = day.followers_of(set);
            let least = |other: &GameSet| day.followers_of(*other) == followers;
            assert_eq!(day.sets().find(least), Some(set));
            for other in &sets[at + 1..] {
                let other = day.followers_of(*other);
                assert!(!followers.holds(other) && !other.holds(followers));
            }
        }
    }
}
