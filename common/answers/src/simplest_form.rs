//! The simplest form of a game in misère play, as one document.

use std::fmt;

use misere_algebra::forms::notation::{GameText, table_string};
use misere_algebra::forms::parts::MAX_BIRTHDAY;
use misere_algebra::forms::{Form, Forms};
use misere_game::control::{Control, Stop};
use serde::Serialize;

use crate::genera::GenusFacts;

/// The facts about a game in simplest form: the document of `misere form --json`.
#[derive(Debug, Serialize)]
pub struct FormFacts {
    /// The version of the document.
    pub schema: u32,
    /// The game as it was written.
    pub text: String,
    /// The simplest form.
    #[serde(flatten)]
    pub form: FormText,
    /// The genus and the class.
    #[serde(flatten)]
    pub genus: GenusFacts,
    /// Whether the game is half-tame; `None` if the fuel does not suffice.
    pub half_tame: Option<bool>,
    /// The options of the simplest form, the greatest first.
    pub options: Vec<FormText>,
    /// Conway's mate; `None` if the fuel does not suffice.
    pub mate: Option<FormText>,
    /// The pairs of summands; `None` if they were not sought, or the fuel does not suffice.
    pub parts: Option<Vec<Part>>,
}

/// Two games whose sum, or sum with `*`, is the game.
#[derive(Debug, Serialize)]
pub struct Part {
    /// The two games.
    pub summands: [FormText; 2],
}

impl FormFacts {
    /// Computes the facts about a game.
    ///
    /// Mate, parts and half-tameness get a quarter of `fuel` each, and are left out if that does not
    /// suffice.
    ///
    /// ```
    /// use misere_answers::simplest_form::FormFacts;
    /// use misere_game::control::Control;
    /// let facts = FormFacts::new(&"0.123:8".parse()?, 1_000_000, &mut Control::unlimited())?;
    /// assert_eq!(facts.form.to_string(), "{{*2},*}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends the computation.
    pub fn new(game: &GameText, fuel: u64, control: &mut Control) -> Result<Self, Stop> {
        let mut forms = Forms::new();
        let form = game.form(&mut forms, control)?;
        let share = fuel / 4;
        let half_tame = attempt(control.within(share, |part| forms.is_half_tame(form, part)))?;
        let mate = attempt(control.within(share, |part| forms.mate(form, part)))?;
        let parts = match forms.birthday(form) > MAX_BIRTHDAY {
            true => None,
            false => attempt(control.within(share, |part| forms.parts(form, part)))?,
        };
        let written = |form: Form| FormText::new(&forms, form, &mut control.unmetered());
        let part = |(one, other): (Form, Form)| {
            let summands = [written(one)?, written(other)?];
            Ok(Part { summands })
        };
        Ok(Self {
            schema: 1,
            text: game.to_string(),
            form: written(form)?,
            genus: GenusFacts::new(forms.genus(form), forms.class(form)),
            half_tame,
            options: forms
                .options(form)
                .iter()
                .rev()
                .map(|&option| written(option))
                .collect::<Result<_, _>>()?,
            mate: mate.map(written).transpose()?,
            parts: parts
                .map(|parts| parts.into_iter().map(part).collect())
                .transpose()?,
        })
    }
}

/// Turns a result that is out of fuel into `None`, for results that are optional.
fn attempt<T>(tried: Result<T, Stop>) -> Result<Option<T>, Stop> {
    match tried {
        Ok(found) => Ok(Some(found)),
        Err(Stop::FuelSpent) => Ok(None),
        Err(Stop::Interrupted) => Err(Stop::Interrupted),
    }
}

/// A form, written as far as it is small enough.
#[derive(Clone, Debug, Serialize)]
pub struct FormText {
    /// The form in braces; `None` if it has too many followers or characters.
    form: Option<String>,
    /// The form in the notation of the tables.
    string: Option<String>,
    birthday: u32,
    followers: usize,
}

impl FormText {
    /// Writes a form, as far as it is small enough.
    ///
    /// Cost: linear in the followers of the form.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn new(forms: &Forms, form: Form, control: &mut Control) -> Result<Self, Stop> {
        let game = forms.game(form).ok();
        Ok(Self {
            string: game.as_ref().and_then(table_string),
            form: game.map(|game| game.to_string()),
            birthday: forms.birthday(form),
            followers: forms.followers(&[form], control)?.len(),
        })
    }

    /// Returns the string of the tables, if there is one.
    #[must_use]
    pub fn string(&self) -> Option<&str> {
        self.string.as_deref()
    }

    /// Reports whether the game is written and not only described.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.form.is_some()
    }

    /// Returns the number of moves in the longest play.
    #[must_use]
    pub fn birthday(&self) -> u32 {
        self.birthday
    }
}

/// The game in braces, with `0` for the game without options.
impl fmt::Display for FormText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.form {
            Some(form) if form == "{}" => f.write_str("0"),
            Some(form) => f.write_str(form),
            None => write!(
                f,
                "a game with {} followers, born on day {}",
                self.followers, self.birthday
            ),
        }
    }
}
