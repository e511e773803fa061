//! Finite impartial games, and the heaps that represent their followers.
//!
//! A finite impartial game is the set of its options, each a finite impartial game (Conway, *On
//! Numbers and Games*, chapter 12): `0` has none, `*n` has `0, *, …, *(n−1)`. To solve one game is
//! to solve its closure: all sums of its followers. The followers other than `0` are numbered 1, 2,
//! …, k so that options come before. Follower `n` acts as the heap of `n`, an option is a single
//! smaller heap, and greater heaps are dead.
//!
//! The numbering is a function of the set alone: games are ordered by birthday, games of one
//! birthday by their options, greatest first. So equal sets are equal values here, in whatever form
//! they were written. Nothing is simplified: a game and its [simplest form](super::simplest_form) are
//! equal, but may have different followers and with them different quotients.

use std::collections::HashMap;
use std::fmt;

/// The most followers a game may have, itself and `0` included.
pub const MAX_FOLLOWERS: usize = 256;

/// The most characters with which a game is written; bounds the cost of storing its name.
pub const MAX_TEXT: usize = 4_096;

/// A finite impartial game with its followers.
///
/// ```
/// use misere_game::ruleset::{Code, FiniteGame};
/// let two_sharp = FiniteGame::from_options(&[FiniteGame::nimber(2)?])?;
/// assert_eq!(two_sharp.to_string(), "{*2}");
/// assert_eq!("*2#".parse::<Code>()?, two_sharp.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FiniteGame {
    /// The options of each follower, ascending.
    ///
    /// Follower 0 is the game `0`, the last one is the game itself.
    followers: Vec<Vec<u16>>,
}

/// The reason why a finite game is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FiniteGameError {
    /// There are more than [`MAX_FOLLOWERS`] followers.
    #[error("more than {MAX_FOLLOWERS} followers")]
    Followers,
    /// There are more than [`MAX_TEXT`] characters.
    #[error("more than {MAX_TEXT} characters")]
    Text,
}

impl FiniteGame {
    /// Returns the game `0`.
    #[must_use]
    pub fn zero() -> Self {
        Self {
            followers: vec![Vec::new()],
        }
    }

    /// Returns the nimber `*n`.
    ///
    /// Cost: `O(n²)`, the options of all followers.
    ///
    /// ```
    /// use misere_game::ruleset::{FiniteGame, FiniteGameError};
    /// assert_eq!(FiniteGame::nimber(3)?.heaps(), 3);
    /// assert_eq!(FiniteGame::nimber(256), Err(FiniteGameError::Followers));
    /// # Ok::<(), FiniteGameError>(())
    /// ```
    ///
    /// # Errors
    /// [`FiniteGameError`] from `n` = [`MAX_FOLLOWERS`] on.
    pub fn nimber(n: usize) -> Result<Self, FiniteGameError> {
        if n >= MAX_FOLLOWERS {
            return Err(FiniteGameError::Followers);
        }
        Ok(Self {
            followers: (0..=n as u16).map(|m| (0..m).collect()).collect(),
        })
    }

    /// Returns the game with these options; the order and repetitions do not matter.
    ///
    /// Cost: the followers of all options, each looked up by its options.
    ///
    /// ```
    /// use misere_game::ruleset::FiniteGame;
    /// let (zero, star) = (FiniteGame::zero(), FiniteGame::nimber(1)?);
    /// let two = FiniteGame::from_options(&[star.clone(), zero, star])?;
    /// assert_eq!(two, FiniteGame::nimber(2)?);
    /// # Ok::<(), misere_game::ruleset::FiniteGameError>(())
    /// ```
    ///
    /// # Errors
    /// [`FiniteGameError`] if it has too many followers or its text is too long.
    pub fn from_options(options: &[Self]) -> Result<Self, FiniteGameError> {
        // Followers of all options in one list, by their sets of options.
        let mut arena: Vec<Vec<usize>> = Vec::new();
        let mut known: HashMap<Vec<usize>, usize> = HashMap::new();
        let mut intern = |options: Vec<usize>| -> Result<usize, FiniteGameError> {
            if let Some(&at) = known.get(&options) {
                return Ok(at);
            }
            if arena.len() >= MAX_FOLLOWERS {
                return Err(FiniteGameError::Followers);
            }
            known.insert(options.clone(), arena.len());
            arena.push(options);
            Ok(arena.len() - 1)
        };
        let mut roots = Vec::new();
        for option in options {
            let mut at: Vec<usize> = Vec::with_capacity(option.followers.len());
            for follower in &option.followers {
                at.push(intern(sorted(follower.iter().map(|&o| at[o as usize])))?);
            }
            roots.extend(at.last().copied());
        }
        intern(sorted(roots.into_iter()))?;
        let game = Self {
            followers: numbered(&arena),
        };
        if game.text_length() > MAX_TEXT {
            return Err(FiniteGameError::Text);
        }
        Ok(game)
    }

    /// Returns the sum with another game; nothing is simplified.
    ///
    /// Cost: the pairs of followers, each looked up by its options.
    ///
    /// # Errors
    /// [`FiniteGameError`] if it has too many followers or its text is too long.
    pub(super) fn plus(&self, other: &Self) -> Result<Self, FiniteGameError> {
        let mut arena: Vec<Vec<usize>> = Vec::new();
        let mut known: HashMap<Vec<usize>, usize> = HashMap::new();
        let mut at = vec![vec![0; other.followers.len()]; self.followers.len()];
        for (one, moves) in self.followers.iter().enumerate() {
            for (two, others) in other.followers.iter().enumerate() {
                let here = moves.iter().map(|&to| at[to as usize][two]);
                let there = others.iter().map(|&to| at[one][to as usize]);
                let options = sorted(here.chain(there));
                let next = arena.len();
                let place = *known.entry(options.clone()).or_insert(next);
                if place == next {
                    if arena.len() >= MAX_FOLLOWERS {
                        return Err(FiniteGameError::Followers);
                    }
                    arena.push(options);
                }
                at[one][two] = place;
            }
        }
        let game = Self {
            followers: numbered(&arena),
        };
        match game.text_length() > MAX_TEXT {
            true => Err(FiniteGameError::Text),
            false => Ok(game),
        }
    }

    /// Returns the number of heaps of the game: its followers except `0`, itself included.
    ///
    /// The greatest heap is the game itself.
    #[must_use]
    pub fn heaps(&self) -> u32 {
        self.followers.len() as u32 - 1
    }

    /// Returns the options of a follower, as follower numbers in ascending order.
    ///
    /// Numbers greater than [`heaps`](Self::heaps) are dead.
    ///
    /// ```
    /// use misere_game::ruleset::FiniteGame;
    /// let three = FiniteGame::nimber(3)?;
    /// assert_eq!(three.options(2), [0, 1]);
    /// # Ok::<(), misere_game::ruleset::FiniteGameError>(())
    /// ```
    #[must_use]
    pub fn options(&self, follower: u32) -> &[u16] {
        self.followers
            .get(follower as usize)
            .map_or(&[], Vec::as_slice)
    }

    /// Returns the follower with this number; the game `0` beyond the last.
    ///
    /// Cost: the followers of the game with their options.
    ///
    /// ```
    /// use misere_game::ruleset::FiniteGame;
    /// let three = FiniteGame::nimber(3)?;
    /// assert_eq!(three.follower(2), FiniteGame::nimber(2)?);
    /// # Ok::<(), misere_game::ruleset::FiniteGameError>(())
    /// ```
    #[must_use]
    pub fn follower(&self, number: u32) -> Self {
        let mut reached = vec![false; self.followers.len()];
        let Some(root) = reached.get_mut(number as usize) else {
            return Self::zero();
        };
        *root = true;
        for n in (0..self.followers.len()).rev() {
            if reached[n] {
                for &option in &self.followers[n] {
                    reached[option as usize] = true;
                }
            }
        }
        // Omitting followers keeps the order of the others.
        let mut number_of = vec![0; self.followers.len()];
        let mut followers = Vec::new();
        for n in (0..self.followers.len()).filter(|&n| reached[n]) {
            number_of[n] = followers.len() as u16;
            followers.push(
                self.followers[n]
                    .iter()
                    .map(|&o| number_of[o as usize])
                    .collect(),
            );
        }
        Self { followers }
    }

    /// Returns the number of moves in the longest play.
    ///
    /// Cost: the followers of the game with their options.
    ///
    /// ```
    /// use misere_game::ruleset::FiniteGame;
    /// // {*2}: the longest play leads to *2, to * and to 0.
    /// let game = FiniteGame::from_options(&[FiniteGame::nimber(2)?])?;
    /// assert_eq!(game.birthday(), 3);
    /// # Ok::<(), misere_game::ruleset::FiniteGameError>(())
    /// ```
    #[must_use]
    pub fn birthday(&self) -> u32 {
        birthdays(&self.followers).last().copied().unwrap_or(0)
    }

    /// Returns for each follower the number `n` if it is the nimber `*n`.
    fn nimbers(&self) -> Vec<Option<usize>> {
        let mut nimbers: Vec<Option<usize>> = Vec::with_capacity(self.followers.len());
        for options in &self.followers {
            // Nimbers come in the order of their values.
            let mut values = options.iter().map(|&o| nimbers[o as usize]).enumerate();
            let is_nimber = values.all(|(n, value)| value == Some(n));
            nimbers.push(is_nimber.then_some(options.len()));
        }
        nimbers
    }

    /// Returns a bound on the characters of the text, which could be exponentially long.
    fn text_length(&self) -> usize {
        const MAX_NIMBER_OPTIONS: usize = 4;
        let mut lengths: Vec<usize> = Vec::with_capacity(self.followers.len());
        for (options, nimber) in self.followers.iter().zip(self.nimbers()) {
            let length = |sum: usize, &o: &u16| sum.saturating_add(lengths[o as usize] + 1);
            let listed = options.iter().fold(2, length);
            lengths.push(
                nimber
                    .map_or(listed, |_| MAX_NIMBER_OPTIONS)
                    .min(2 * MAX_TEXT),
            );
        }
        lengths.last().copied().unwrap_or(0)
    }

    fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        nimbers: &[Option<usize>],
        follower: usize,
    ) -> fmt::Result {
        match nimbers[follower] {
            Some(0) => write!(f, "0"),
            Some(1) => write!(f, "*"),
            Some(n) => write!(f, "*{n}"),
            None => {
                write!(f, "{{")?;
                for (place, &option) in self.followers[follower].iter().rev().enumerate() {
                    if place > 0 {
                        write!(f, ",")?;
                    }
                    self.write(f, nimbers, option as usize)?;
                }
                write!(f, "}}")
            }
        }
    }
}

/// Writes `*n` for nimbers, otherwise the options in braces, greatest first: `{*3,{*2},0}`.
///
/// The game `0` is written `{}` by itself and `0` inside.
impl fmt::Display for FiniteGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.heaps() == 0 {
            return write!(f, "{{}}");
        }
        let nimbers = self.nimbers();
        self.write(f, &nimbers, self.followers.len() - 1)
    }
}

fn sorted(options: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut options: Vec<usize> = options.collect();
    options.sort_unstable();
    options.dedup();
    options
}

fn birthdays<Number: Copy + Into<usize>>(followers: &[Vec<Number>]) -> Vec<u32> {
    let mut birthdays: Vec<u32> = Vec::with_capacity(followers.len());
    for options in followers {
        let latest = options.iter().map(|&o| birthdays[o.into()] + 1).max();
        birthdays.push(latest.unwrap_or(0));
    }
    birthdays
}

/// Returns the games of an arena (options before games, no two equal) in their order.
fn numbered(arena: &[Vec<usize>]) -> Vec<Vec<u16>> {
    let birthdays = birthdays(arena);
    let last = birthdays.iter().copied().max().unwrap_or(0);
    let mut number_of = vec![0_u16; arena.len()];
    let mut followers: Vec<Vec<u16>> = Vec::with_capacity(arena.len());
    for day in 0..=last {
        // The options of each game, greatest first, so that lists compare as the games do.
        let mut born: Vec<(Vec<u16>, usize)> = (0..arena.len())
            .filter(|&at| birthdays[at] == day)
            .map(|at| {
                let mut options: Vec<u16> = arena[at].iter().map(|&o| number_of[o]).collect();
                options.sort_unstable_by(|a, b| b.cmp(a));
                (options, at)
            })
            .collect();
        born.sort_unstable();
        for (options, at) in born {
            number_of[at] = followers.len() as u16;
            followers.push(options.into_iter().rev().collect());
        }
    }
    followers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(options: &[FiniteGame]) -> FiniteGame {
        FiniteGame::from_options(options).unwrap()
    }

    #[test]
    fn sets_not_expressions() {
        let nim = |n| FiniteGame::nimber(n).unwrap();
        assert_eq!(game(&[]), FiniteGame::zero());
        assert_eq!(game(&[nim(1), nim(0), nim(1)]), nim(2));
        let sharp = game(&[nim(2)]);
        assert_eq!(
            game(&[nim(0), sharp.clone(), nim(3)]),
            game(&[nim(3), nim(0), sharp.clone()])
        );
        let written = game(&[nim(0), sharp.clone(), nim(3)]);
        // {*2} and *3 = {*2,*,0} are both born on day 3, and *3 has more options after the same
        // greatest.
        assert_eq!(written.to_string(), "{*3,{*2},0}");
        assert_eq!((written.heaps(), written.birthday()), (5, 4));
        assert_eq!(written.follower(5), written);
        assert_eq!(written.follower(3), sharp);
        assert_eq!(written.follower(4), nim(3));
        assert_eq!(written.follower(6), FiniteGame::zero());
        assert_eq!(FiniteGame::zero().to_string(), "{}");
        assert_eq!(nim(12).to_string(), "*12");
    }

    #[test]
    fn great_games_are_refused() {
        assert_eq!(FiniteGame::nimber(256), Err(FiniteGameError::Followers));
        assert!(FiniteGame::nimber(255).is_ok());
        let full = FiniteGame::nimber(255).unwrap();
        assert_eq!(
            FiniteGame::from_options(&[full]),
            Err(FiniteGameError::Followers)
        );
        // Each game has all but one of the games before it as options: few followers, and a text
        // that doubles at every step.
        let mut games = vec![FiniteGame::zero(), game(&[FiniteGame::zero()])];
        let refused = (0..40).find_map(|_| {
            let from = games.len().saturating_sub(2);
            match FiniteGame::from_options(&games[from..]) {
                Ok(next) => games.push(next),
                Err(error) => return Some(error),
            }
            None
        });
        assert_eq!(refused, Some(FiniteGameError::Text));
    }
}
