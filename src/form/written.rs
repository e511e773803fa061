//! Simplest forms as they are printed.

use std::fmt;

use misere_algebra::forms::notation::table_string;
use misere_algebra::forms::{Form, Forms};
use misere_game::control::{Control, Stop};
use serde::Serialize;

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
    pub fn string(&self) -> Option<&str> {
        self.string.as_deref()
    }

    /// Reports whether the game is written and not only described.
    pub fn is_written(&self) -> bool {
        self.form.is_some()
    }

    /// Returns the number of moves in the longest play.
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
