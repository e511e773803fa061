//! Simplest forms of finite games in misère play, and the games born by a given day.
//!
//! `G = H` if `G + X` and `H + X` have the same misère outcome for *every* impartial game `X`.
//! Unlike in normal play little can be simplified (Conway, *On Numbers and Games*, chapter 12;
//! Grundy and Smith 1956):
//!
//! - `H` is one of the options of an option of `G`, or `0`; all options of `H` are options of `G`;
//!   and every other option of `G` has `H` for an option (it is *reversible* through `H`). Then
//!   `G = H`, provided that, if `H = 0`, `G` is an N-position as `0` is.
//!
//! A game none of whose followers can be simplified in this way is in **simplest form**, and equal
//! games have the same simplest form.
//!
//! Equality is about all impartial games; a quotient is about sums of one game's followers. `G` and
//! its simplest form can have different quotients, for `G` may have followers that the form lacks.

use std::collections::{BTreeMap, BTreeSet};

use super::finite::{FiniteGame, FiniteGameError};

/// The last day whose games are listed; day 5 has 4,171,780.
pub const LAST_DAY: u32 = 4;

/// Games as sets of numbers of earlier games, all in simplest form.
#[derive(Debug, Default)]
struct Forms {
    options: Vec<BTreeSet<usize>>,
    is_p: Vec<bool>,
    known: BTreeMap<BTreeSet<usize>, usize>,
}

impl Forms {
    /// Returns the simplest form of the game with these options.
    fn simplest(&mut self, options: BTreeSet<usize>) -> usize {
        let through: BTreeSet<usize> = options
            .iter()
            .flat_map(|&option| self.options[option].iter().copied())
            .collect();
        if let Some(form) = through.into_iter().find(|&h| self.reverses(&options, h)) {
            return form;
        }
        let is_p = !options.is_empty() && !options.iter().any(|&option| self.is_p[option]);
        *self.known.entry(options).or_insert_with_key(|options| {
            self.options.push(options.clone());
            self.is_p.push(is_p);
            self.options.len() - 1
        })
    }

    /// Reports whether the game with these options is `h` by reversing.
    fn reverses(&self, options: &BTreeSet<usize>, h: usize) -> bool {
        let of_h = &self.options[h];
        of_h.is_subset(options)
            && options
                .difference(of_h)
                .all(|&option| self.options[option].contains(&h))
            && (!of_h.is_empty() || options.iter().any(|&option| self.is_p[option]))
    }

    fn game(&self, form: usize) -> Result<FiniteGame, FiniteGameError> {
        // Forms are numbered so that options come first.
        let mut games: BTreeMap<usize, FiniteGame> = BTreeMap::new();
        let mut needed = BTreeSet::from([form]);
        let mut open = vec![form];
        while let Some(next) = open.pop() {
            open.extend(self.options[next].iter().filter(|&&o| needed.insert(o)));
        }
        for at in needed {
            let options: Vec<FiniteGame> = self.options[at]
                .iter()
                .map(|option| games[option].clone())
                .collect();
            games.insert(at, FiniteGame::from_options(&options)?);
        }
        Ok(games.remove(&form).unwrap_or_else(FiniteGame::zero))
    }
}

impl FiniteGame {
    /// Returns the simplest form in misère play.
    ///
    /// Cost: the followers, each compared with the options of its options.
    ///
    /// ```
    /// use misere_game::ruleset::FiniteGame;
    /// // {*2,*} is 0: both options have the option 0, and * is a P-position.
    /// let (star, two) = (FiniteGame::nimber(1)?, FiniteGame::nimber(2)?);
    /// assert_eq!(FiniteGame::from_options(&[two, star])?.simplest_form(), FiniteGame::zero());
    /// # Ok::<(), misere_game::ruleset::FiniteGameError>(())
    /// ```
    #[must_use]
    pub fn simplest_form(&self) -> Self {
        let mut forms = Forms::default();
        let mut form_of: Vec<usize> = Vec::new();
        for follower in 0..=self.heaps() {
            let options = self.options(follower);
            let options = options.iter().map(|&o| form_of[o as usize]).collect();
            form_of.push(forms.simplest(options));
        }
        // A simplest form has at most as many followers, and at most as long a text, as the game.
        let form = form_of.last().copied().unwrap_or(0);
        forms.game(form).unwrap_or_else(|_| self.clone())
    }
}

/// Returns the games in simplest form that are born by a day, at most [`LAST_DAY`], by birthday.
///
/// There are 1, 2, 3, 5, 22 of them on days 0 to 4.
///
/// Cost: the subsets of the games born a day earlier; at most 32 of them for the days allowed.
///
/// ```
/// use misere_game::ruleset::{FiniteGame, games_born_by};
/// // 0, * and *2.
/// let nimbers: Result<Vec<_>, _> = (0..3).map(FiniteGame::nimber).collect();
/// assert_eq!(games_born_by(2), nimbers?);
/// assert_eq!(games_born_by(4).len(), 22);
/// # Ok::<(), misere_game::ruleset::FiniteGameError>(())
/// ```
#[must_use]
pub fn games_born_by(day: u32) -> Vec<FiniteGame> {
    let mut forms = Forms::default();
    let mut games = vec![forms.simplest(BTreeSet::new())];
    for _ in 0..day.min(LAST_DAY) {
        let born: Vec<usize> = games.clone();
        for subset in 0..1_u32 << born.len() {
            let chosen = (0..born.len()).filter(|at| subset >> at & 1 != 0);
            let form = forms.simplest(chosen.map(|at| born[at]).collect());
            if !games.contains(&form) {
                games.push(form);
            }
        }
    }
    games
        .into_iter()
        .filter_map(|form| forms.game(form).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        let counts: Vec<usize> = (0..=6).map(|day| games_born_by(day).len()).collect();
        assert_eq!(counts, [1, 2, 3, 5, 22, 22, 22]);
        for game in games_born_by(4) {
            assert_eq!(game.simplest_form(), game);
            assert!(game.birthday() <= 4);
        }
    }

    #[test]
    fn equal_games_have_equal_simplest_forms() {
        let nim = |n| FiniteGame::nimber(n).unwrap();
        let form =
            |options: &[FiniteGame]| FiniteGame::from_options(options).unwrap().simplest_form();
        assert_eq!(form(&[nim(1)]), nim(0));
        // {*2} is not 0: it is a P-position. In normal play it is 0.
        assert_eq!(form(&[nim(2)]).to_string(), "{*2}");
        // {*3,0} = *: *3 reverses through *.
        assert_eq!(form(&[nim(3), nim(0)]), nim(1));
        assert_eq!(form(&[nim(3), nim(1), nim(0)]), nim(2));
    }
}
