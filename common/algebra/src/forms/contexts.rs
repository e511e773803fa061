//! The least games that tell two games apart or link them, and the numbers of games by day.
//!
//! There are 22 games in simplest form that are born by day 4, and a game born by day 5 is a set of
//! them. So a context born by day 5 is one of 2²² sets of bits, and 64 of them are judged at once.
//!
//! Games are ordered by birthday, and games of one birthday by their options, greatest first, as
//! lists. Among the sets of the 22 games, each a bit in that order, this is the order of the
//! numbers. The least set of a kind is in simplest form: a game that it reverses to has only
//! options of the set, and so is less.

use misere_game::control::{Control, Stop};
use misere_game::outcome::Outcome;
use misere_game::ruleset::games_born_by;

use super::{Form, Forms, OPTION_TICKS};

/// The last day for which least contexts are searched for and games are counted.
pub const LAST_DAY: u32 = 5;

/// The number of sets of games judged together: all choices of the lowest bits.
const LANES: u32 = 64;

/// The number of bits that distinguish the sets of a word.
const LOW_BITS: u32 = 6;

/// The task of a context of two games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextGoal {
    /// The sums with the two games have different outcomes.
    ToTellApart,
    /// Both sums are P-positions.
    ToLink,
}

impl ContextGoal {
    fn holds(self, g: u64, h: u64) -> u64 {
        match self {
            Self::ToTellApart => g ^ h,
            Self::ToLink => g & h,
        }
    }
}

impl Forms {
    /// Returns the games born by day 4, in their order.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_algebra::forms::Forms;
    /// let mut forms = Forms::new();
    /// let games = forms.born_by_four(&mut Control::unlimited())?;
    /// let written = games[..5].iter().map(|&form| forms.game(form).map(|game| game.to_string()));
    /// let written: Result<Vec<String>, _> = written.collect();
    /// assert_eq!(written?, ["{}", "*", "*2", "{*2}", "*3"]);
    /// assert_eq!(games.len(), 22);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn born_by_four(&mut self, control: &mut Control) -> Result<Vec<Form>, Stop> {
        let mut games = Vec::new();
        for game in games_born_by(4) {
            games.push(self.of_game(&game, control)?);
        }
        let mut ordered: Vec<Form> = Vec::new();
        for day in 0..LAST_DAY {
            let mut born: Vec<(Vec<usize>, Form)> = games
                .iter()
                .filter(|&&form| self.birthday(form) == day)
                .map(|&form| (self.places(form, &ordered), form))
                .collect();
            born.sort_unstable();
            ordered.extend(born.into_iter().map(|(_, form)| form));
        }
        Ok(ordered)
    }

    /// Returns the places of the options among games in their order, greatest first.
    fn places(&self, form: Form, ordered: &[Form]) -> Vec<usize> {
        let options = self.options(form).iter();
        let places = options.filter_map(|option| ordered.iter().position(|game| game == option));
        let mut places: Vec<usize> = places.collect();
        places.sort_unstable_by(|a, b| b.cmp(a));
        places
    }

    /// Returns a game that does the task with two games, and whether no earlier game does.
    ///
    /// It is the least one born by day 5 or, if there is none, the game that Conway's rule makes.
    ///
    /// Cost: as of [`least_context`](Self::least_context), and as the rule if no game is born by
    /// then.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_algebra::forms::contexts::ContextGoal;
    /// use misere_algebra::forms::{Form, Forms};
    /// let (mut forms, control) = (Forms::new(), &mut Control::unlimited());
    /// let apart = forms.context(Form::ZERO, Form::STAR, ContextGoal::ToTellApart, control)?;
    /// assert_eq!(apart, Some((Form::ZERO, true)));
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn context(
        &mut self,
        g: Form,
        h: Form,
        wanted: ContextGoal,
        control: &mut Control,
    ) -> Result<Option<(Form, bool)>, Stop> {
        if let Some(least) = self.least_context(g, h, wanted, control)? {
            return Ok(Some((least, true)));
        }
        let made = match wanted {
            ContextGoal::ToTellApart => self.telling_apart(g, h, control)?,
            ContextGoal::ToLink => self.link(g, h, control)?,
        };
        Ok(made.map(|made| (made, false)))
    }

    /// Returns the least game born by day 5 that does the task with two games, if there is one.
    ///
    /// Cost: the followers of the two games with their options, for each of 65536 words of sets.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_algebra::forms::contexts::ContextGoal;
    /// use misere_algebra::forms::{Form, Forms};
    /// let (mut forms, control) = (Forms::new(), &mut Control::unlimited());
    /// // * + * is 0, an N-position, and 0 + * a P-position.
    /// let apart = forms.least_context(Form::ZERO, Form::STAR, ContextGoal::ToTellApart, control)?;
    /// assert_eq!(apart, Some(Form::ZERO));
    /// assert_eq!(forms.least_context(Form::ZERO, Form::STAR, ContextGoal::ToLink, control)?, None);
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn least_context(
        &mut self,
        g: Form,
        h: Form,
        wanted: ContextGoal,
        control: &mut Control,
    ) -> Result<Option<Form>, Stop> {
        let games = self.born_by_four(control)?;
        let followers = self.followers(&[g, h], control)?;
        let place = |form: Form| followers.binary_search(&form).unwrap_or(0);
        let options: Vec<Vec<usize>> = followers
            .iter()
            .map(|&form| self.options(form).iter().map(|&o| place(o)).collect())
            .collect();
        let edges = options
            .iter()
            .map(|options| 1 + options.len() as u64)
            .sum::<u64>();
        let (at_g, at_h) = (place(g), place(h));
        // For each follower the set of games born by day 4 with which it is a P-position.
        let mut with_four = vec![0_u32; followers.len()];
        for (t, &game) in games.iter().enumerate() {
            let options_of_t = self.places(game, &games);
            let options_of_t = options_of_t.iter().fold(0, |set, &place| set | 1 << place);
            control.spend(edges)?;
            for follower in 0..followers.len() {
                let is_end = game == Form::ZERO && options[follower].is_empty();
                let is_p = !is_end
                    && with_four[follower] & options_of_t == 0
                    && options[follower]
                        .iter()
                        .all(|&o| with_four[o] >> t & 1 == 0);
                with_four[follower] |= u32::from(is_p) << t;
            }
            let p = |at: usize| u64::from(with_four[at] >> t & 1);
            if wanted.holds(p(at_g), p(at_h)) != 0 {
                return Ok(Some(game));
            }
        }
        let lanes = sets_without();
        let mut is_p = vec![0_u64; followers.len()];
        for word in 0..1_u32 << (games.len() as u32 - LOW_BITS) {
            control.spend(2 * edges)?;
            for follower in 0..followers.len() {
                let forbidden = with_four[follower];
                let mut p = match word & forbidden >> LOW_BITS {
                    0 => lanes[(forbidden % LANES) as usize],
                    _ => 0,
                };
                if word == 0 && options[follower].is_empty() {
                    // Neither summand has a move.
                    p &= !1;
                }
                for &option in &options[follower] {
                    p &= !is_p[option];
                }
                is_p[follower] = p;
            }
            let found = wanted.holds(is_p[at_g], is_p[at_h]);
            if found != 0 {
                let set = word << LOW_BITS | found.trailing_zeros();
                let chosen = games.iter().enumerate();
                let chosen = chosen.filter(|&(at, _)| set >> at & 1 != 0);
                let chosen: Vec<Form> = chosen.map(|(_, &game)| game).collect();
                return self.with_options(&chosen, control).map(Some);
            }
        }
        Ok(None)
    }

    /// Returns the number of games in simplest form that are born by a day, at most [`LAST_DAY`].
    ///
    /// The numbers are 1, 2, 3, 5, 22 and 4171780.
    ///
    /// Cost: on day 5 a few steps for each of 2²² sets of games.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_algebra::forms::Forms;
    /// assert_eq!(Forms::new().number_born_by(4, &mut Control::unlimited())?, 22);
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn number_born_by(&mut self, day: u32, control: &mut Control) -> Result<u64, Stop> {
        let games = self.born_by_four(control)?;
        if day < LAST_DAY {
            let born = games.iter().filter(|&&form| self.birthday(form) <= day);
            return Ok(born.count() as u64);
        }
        // A set reverses through an option of a member, which is born by day 3.
        struct Through {
            options: u32,
            /// The games that have this game as an option.
            members: u32,
            is_zero: bool,
        }
        let set = |form: Form, places: Vec<usize>| Through {
            options: places.iter().fold(0, |set, &place| set | 1 << place),
            members: games.iter().enumerate().fold(0, |set, (at, &member)| {
                let has = self.options(member).binary_search(&form).is_ok();
                set | u32::from(has) << at
            }),
            is_zero: form == Form::ZERO,
        };
        let through: Vec<Through> = games
            .iter()
            .filter(|&&form| self.birthday(form) < 4)
            .map(|&form| set(form, self.places(form, &games)))
            .collect();
        let p_positions = games.iter().enumerate().fold(0, |set, (at, &form)| {
            set | u32::from(self.outcome(form) == Outcome::P) << at
        });
        let reverses = |set: u32, h: &Through| {
            h.options & !set == 0
                && set != h.options
                && set & !h.options & !h.members == 0
                && (!h.is_zero || set & p_positions != 0)
        };
        let mut count = 0;
        for set in 0..1_u32 << games.len() {
            if set % 1_024 == 0 {
                control.spend(1_024 * OPTION_TICKS)?;
            }
            count += u64::from(!through.iter().any(|h| reverses(set, h)));
        }
        Ok(count)
    }
}

/// Returns the sets of a word that have none of some lowest games, for each set of these.
fn sets_without() -> [u64; LANES as usize] {
    let mut lanes = [0; LANES as usize];
    for (forbidden, lane) in lanes.iter_mut().enumerate() {
        for set in 0..LANES as usize {
            if set & forbidden == 0 {
                *lane |= 1 << set;
            }
        }
    }
    lanes
}
