//! The parts of a game: the games whose sum it is.
//!
//! A *part* of `G` is a game `H` with `G = H + X` for some `X`, the *difference* `G − H`; there is
//! at most one, since equal games can be cancelled (*On Numbers and Games*, Theorem 77). Every game
//! has the parts 0, `*`, itself and its sum with `*`; a *proper* part is another. Of `H` and
//! `H + *` the one that is born first is *even*, and only even parts are listed.
//!
//! The options of a sum `H + X` in simplest form are `H' + X` and `H + X'`. So of two parts at
//! least one is a part of an option, and these are the candidates. The options of `X` are among the
//! differences `G' − H` and `G − H'`. If these make a game that sums with `H` to `G`, it is the
//! difference. Every result is a part; that every part is found is tested and not proved.

use std::collections::BTreeSet;

use misere_game::control::{Control, Stop};

use super::{Form, Forms, OPTION_TICKS};

/// The last birthday of games whose parts are searched for: each move is a call on the stack.
pub const MAX_BIRTHDAY: u32 = 64;

impl Forms {
    /// Returns the pairs of proper even parts that sum to the game, or with `*` to the game.
    ///
    /// The list is empty for games born after [`MAX_BIRTHDAY`].
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_algebra::forms::Forms;
    /// let (mut forms, control) = (Forms::new(), &mut Control::unlimited());
    /// let two = forms.nimber(2, control)?;
    /// // {*3,*2} = *2 + *2
    /// let sum = forms.sum(two, two, control)?;
    /// assert_eq!(forms.parts(sum, control)?, [(two, two)]);
    /// assert_eq!(forms.parts(two, control)?, []);
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn parts(&mut self, form: Form, control: &mut Control) -> Result<Vec<(Form, Form)>, Stop> {
        if self.birthday(form) > MAX_BIRTHDAY {
            return Ok(Vec::new());
        }
        let form = self.even(form, control)?;
        if let Some(known) = self.memory.parts.get(&form) {
            return Ok(known.clone());
        }
        let mut candidates: BTreeSet<Form> = BTreeSet::new();
        for option in self.options(form).to_vec() {
            candidates.insert(self.even(option, control)?);
            for (one, other) in self.parts(option, control)? {
                candidates.extend([one, other]);
            }
        }
        let mut found: BTreeSet<(Form, Form)> = BTreeSet::new();
        for part in candidates {
            if part == Form::ZERO || part == form {
                continue;
            }
            if let Some(other) = self.difference(form, part, control)? {
                let other = self.even(other, control)?;
                found.insert((part.min(other), part.max(other)));
            }
        }
        let found: Vec<(Form, Form)> = found.into_iter().collect();
        self.memory.parts.insert(form, found.clone());
        Ok(found)
    }

    /// Returns the game or its sum with `*`, the one of them that is born first.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn even(&mut self, form: Form, control: &mut Control) -> Result<Form, Stop> {
        let other = self.sum(form, Form::STAR, control)?;
        Ok(match self.birthday(other) < self.birthday(form) {
            true => other,
            false => form,
        })
    }

    /// Returns the game that sums with `part` to `form`, if it is found.
    fn difference(
        &mut self,
        form: Form,
        part: Form,
        control: &mut Control,
    ) -> Result<Option<Form>, Stop> {
        control.spend(OPTION_TICKS)?;
        if form == part {
            return Ok(Some(Form::ZERO));
        }
        if part == Form::ZERO {
            return Ok(Some(form));
        }
        let with_star = self.sum(part, Form::STAR, control)?;
        if form == with_star {
            return Ok(Some(Form::STAR));
        }
        if let Some(&known) = self.memory.differences.get(&(form, part)) {
            return Ok(known);
        }
        let mut options = Vec::new();
        for option in self.options(form).to_vec() {
            options.extend(self.difference(option, part, control)?);
        }
        for option in self.options(part).to_vec() {
            options.extend(self.difference(form, option, control)?);
        }
        let other = self.with_options(&options, control)?;
        let sum = self.sum(part, other, control)?;
        let found = (sum == form).then_some(other);
        self.memory.differences.insert((form, part), found);
        Ok(found)
    }
}
