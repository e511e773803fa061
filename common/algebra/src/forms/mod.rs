//! Simplest forms of games in misère play, and their properties.
//!
//! Two games are equal in misère play if no context tells them apart, and every game has one
//! simplest form ([`misere_game::ruleset::simplest_form`]). A [`Forms`] is a shelf that has each
//! simplest form once: equal games are the same [`Form`], and each property of a form is computed
//! once. A form may have any number of followers; [`FiniteGame`] is a form that can be written.
//!
//! - [`heaps`]: the forms of the heaps and positions of a code
//! - [`sequence`]: the genera of the heaps of a code
//! - [`classes`]: the classes of these heaps, and the first heap of each class
//! - [`sums`]: sums, mates, and whether a game is half-tame
//! - [`parts`]: the games whose sum a form is
//! - [`links`]: games that tell two games apart, and games that link them
//! - [`contexts`]: the least such games, and the numbers of games by day
//! - [`notation`]: the notation of games, in the tables of the papers and here

pub mod classes;
pub mod contexts;
pub mod heaps;
pub mod links;
pub mod notation;
pub mod parts;
pub mod sequence;
pub mod sums;

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::genus::class::{GenusAndClass, class_of};
use crate::genus::{Class, Genus};
use misere_game::control::{Control, Stop};
use misere_game::outcome::Outcome;
use misere_game::ruleset::{FiniteGame, FiniteGameError};
use sums::Memory;

/// The price of a game on the shelf: its memory costs more than the time.
const GAME_TICKS: u64 = 2_000;

/// The price of an option that is kept, again for its memory.
const KEPT_TICKS: u64 = 240;

/// The price of an option that is examined.
const OPTION_TICKS: u64 = 60;

/// A game in simplest form on a shelf, [`Forms`].
///
/// Two forms of one shelf are the same if and only if the games are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form(u32);

impl Form {
    /// The game without options.
    pub const ZERO: Self = Self(0);

    /// The game whose only option is the game without options.
    pub const STAR: Self = Self(1);

    fn place(self) -> usize {
        self.0 as usize
    }
}

/// The facts known of a form.
#[derive(Debug)]
struct FormRecord {
    /// Ascending.
    options: Box<[Form]>,
    birthday: u32,
    genus: Genus,
    class: Class,
}

/// A shelf of games in simplest form.
///
/// ```
/// use misere_game::control::Control;
/// use misere_algebra::forms::{Form, Forms};
/// let (mut forms, control) = (Forms::new(), &mut Control::unlimited());
/// let two = forms.with_options(&[Form::ZERO, Form::STAR], control)?;
/// let sharp = forms.with_options(&[two], control)?;
/// assert_eq!(forms.genus(sharp).to_string(), "0^02");
/// // {*2,*} is 0.
/// assert_eq!(forms.with_options(&[two, Form::STAR], control)?, Form::ZERO);
/// # Ok::<(), misere_game::control::Stop>(())
/// ```
#[derive(Debug)]
pub struct Forms {
    games: Vec<FormRecord>,
    by_options: FxHashMap<Box<[Form]>, Form>,
    memory: Memory,
}

impl Default for Forms {
    fn default() -> Self {
        Self::new()
    }
}

impl Forms {
    /// Returns the shelf with `0` and `*`.
    #[must_use]
    pub fn new() -> Self {
        let mut forms = Self {
            games: Vec::new(),
            by_options: FxHashMap::default(),
            memory: Memory::default(),
        };
        let zero = forms.intern(Box::new([]));
        forms.intern(Box::new([zero]));
        forms
    }

    /// Returns returns the simplest form of the game with these options, in any order.
    ///
    /// Cost: for the option that is born last, each of its options is compared with all options of
    /// the game.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn with_options(&mut self, options: &[Form], control: &mut Control) -> Result<Form, Stop> {
        let mut options = options.to_vec();
        options.sort_unstable();
        options.dedup();
        control.spend(OPTION_TICKS * (1 + options.len() as u64))?;
        if let Some(&form) = self.by_options.get(options.as_slice()) {
            return Ok(form);
        }
        // The game reverses through `h`. If no option of `h` is born as late as the last option,
        // then `h` is an option of the last option. Otherwise all options are options of `h`, which
        // is known.
        let last = options.iter().max_by_key(|&&option| self.birthday(option));
        let through = last.map_or(&[][..], |&last| self.options(last));
        control.spend(OPTION_TICKS * through.len() as u64)?;
        for &h in through {
            if self.reverses(&options, h, control)? {
                return Ok(h);
            }
        }
        let genera: u64 = options
            .iter()
            .map(|&option| self.genus(option).superscript().len() as u64)
            .sum();
        let kept = KEPT_TICKS * options.len() as u64;
        control.spend(GAME_TICKS + kept + OPTION_TICKS / 4 * genera)?;
        Ok(self.intern(options.into_boxed_slice()))
    }

    /// Reports whether the game with these options equals `h` by reversing.
    fn reverses(&self, options: &[Form], h: Form, control: &mut Control) -> Result<bool, Stop> {
        let of_h = self.options(h);
        if of_h.len() > options.len() {
            return Ok(false);
        }
        let mut shared = 0;
        for &option in options {
            control.spend(OPTION_TICKS)?;
            if of_h.binary_search(&option).is_ok() {
                shared += 1;
            } else if self.options(option).binary_search(&h).is_err() {
                return Ok(false);
            }
        }
        let is_n = || {
            options
                .iter()
                .any(|&option| self.outcome(option) == Outcome::P)
        };
        Ok(shared == of_h.len() && (h != Form::ZERO || is_n()))
    }

    /// Puts a new form on the shelf.
    fn intern(&mut self, options: Box<[Form]>) -> Form {
        let known = |option: Form| {
            let FormRecord { genus, class, .. } = &self.games[option.place()];
            let class = *class;
            GenusAndClass { genus, class }
        };
        let of_options: Vec<GenusAndClass<'_>> =
            options.iter().map(|&option| known(option)).collect();
        let genera: Vec<&Genus> = of_options.iter().map(|option| option.genus).collect();
        let genus = Genus::of_options(&genera);
        let options_of = |at: usize| self.options(options[at]).iter().map(|&form| known(form));
        let class = class_of(&genus, &of_options, options_of);
        let born = options.iter().map(|&option| self.birthday(option) + 1);
        let birthday = born.max().unwrap_or(0);
        let form = Form(self.games.len() as u32);
        self.by_options.insert(options.clone(), form);
        self.games.push(FormRecord {
            options,
            birthday,
            genus,
            class,
        });
        form
    }

    /// Returns the nimber `*n`.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_algebra::forms::Forms;
    /// let mut forms = Forms::new();
    /// let five = forms.nimber(5, &mut Control::unlimited())?;
    /// assert_eq!((forms.birthday(five), forms.options(five).len()), (5, 5));
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn nimber(&mut self, n: u32, control: &mut Control) -> Result<Form, Stop> {
        let mut smaller = Vec::new();
        for _ in 0..n {
            let next = self.with_options(&smaller, control)?;
            smaller.push(next);
        }
        self.with_options(&smaller, control)
    }

    /// Returns the simplest form of a finite game.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn of_game(&mut self, game: &FiniteGame, control: &mut Control) -> Result<Form, Stop> {
        let mut forms: Vec<Form> = Vec::new();
        for follower in 0..=game.heaps() {
            let options = game.options(follower).iter();
            let options: Vec<Form> = options.map(|&option| forms[option as usize]).collect();
            forms.push(self.with_options(&options, control)?);
        }
        Ok(forms.last().copied().unwrap_or(Form::ZERO))
    }

    /// Returns the options of a form, ascending.
    #[must_use]
    pub fn options(&self, form: Form) -> &[Form] {
        &self.games[form.place()].options
    }

    /// Returns the number of moves in the longest play.
    #[must_use]
    pub fn birthday(&self, form: Form) -> u32 {
        self.games[form.place()].birthday
    }

    /// Returns the genus of a form.
    #[must_use]
    pub fn genus(&self, form: Form) -> &Genus {
        &self.games[form.place()].genus
    }

    /// Returns the class of a form in the theory of genera.
    #[must_use]
    pub fn class(&self, form: Form) -> Class {
        self.games[form.place()].class
    }

    /// Returns the outcome of a form in misère play.
    #[must_use]
    pub fn outcome(&self, form: Form) -> Outcome {
        self.genus(form).outcome()
    }

    /// Returns the number of forms on the shelf.
    #[must_use]
    pub fn count(&self) -> usize {
        self.games.len()
    }

    /// Returns the followers of some forms, including the forms themselves, options first.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_algebra::forms::Forms;
    /// let (mut forms, control) = (Forms::new(), &mut Control::unlimited());
    /// let five = forms.nimber(5, control)?;
    /// assert_eq!(forms.followers(&[five], control)?.len(), 6);
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn followers(&self, of: &[Form], control: &mut Control) -> Result<Vec<Form>, Stop> {
        let mut met: BTreeSet<Form> = of.iter().copied().collect();
        let mut open: Vec<Form> = met.iter().copied().collect();
        while let Some(form) = open.pop() {
            control.spend(OPTION_TICKS * (1 + self.options(form).len() as u64))?;
            open.extend(self.options(form).iter().filter(|&&o| met.insert(o)));
        }
        Ok(met.into_iter().collect())
    }

    /// Copies a game to another shelf.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_algebra::forms::Forms;
    /// let (mut forms, mut others) = (Forms::new(), Forms::new());
    /// let control = &mut Control::unlimited();
    /// let five = forms.nimber(5, control)?;
    /// let copy = forms.copied(five, &mut others, control)?;
    /// assert_eq!(copy, others.nimber(5, control)?);
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn copied(
        &self,
        form: Form,
        shelf: &mut Self,
        control: &mut Control,
    ) -> Result<Form, Stop> {
        let mut copies: FxHashMap<Form, Form> = FxHashMap::default();
        for follower in self.followers(&[form], control)? {
            let options = self.options(follower).iter();
            let options: Vec<Form> = options.filter_map(|o| copies.get(o).copied()).collect();
            copies.insert(follower, shelf.with_options(&options, control)?);
        }
        Ok(copies.remove(&form).unwrap_or(Form::ZERO))
    }

    /// Returns the form as a finite game, which can be printed.
    ///
    /// # Errors
    /// [`FiniteGameError`] if it has too many followers or its text is too long.
    pub fn game(&self, form: Form) -> Result<FiniteGame, FiniteGameError> {
        let unlimited = |control: &mut Control| self.followers(&[form], control);
        let followers = Control::without_limit(unlimited);
        if followers.len() > misere_game::ruleset::finite::MAX_FOLLOWERS {
            return Err(FiniteGameError::Followers);
        }
        let mut games: FxHashMap<Form, FiniteGame> = FxHashMap::default();
        for follower in followers {
            let options: Vec<FiniteGame> = self
                .options(follower)
                .iter()
                .filter_map(|option| games.get(option).cloned())
                .collect();
            games.insert(follower, FiniteGame::from_options(&options)?);
        }
        Ok(games.remove(&form).unwrap_or_else(FiniteGame::zero))
    }
}
