//! Games that tell two games apart, and games that link them.
//!
//! A game `T` *tells* `G` and `H` *apart* if `G + T` and `H + T` have different outcomes. It
//! *links* them, `G ⋈ H`, if both sums are P-positions. For games in simplest form (Conway, *On
//! Numbers and Games*, Theorems 75 and 76):
//!
//! - `G` and `H` are linked exactly if neither is an option of the other. If both are `0`, the link
//!   is `*`. Otherwise its options are games `T` for which `G' + T` is a P-position and `H + T` is
//!   not, one for each option `G'` of `G`; and likewise games for the options of `H` against `G`.
//! - Different games are told apart: by `0`, if one is `0` and the other a P-position; otherwise by
//!   a link of one and an option of the other, since from the other that option can be reached.
//! - If `T` tells them apart where `H + T` is the P-position, then the game with the options `T`
//!   and the mates of the options of `G` does so the other way round.
//!
//! The games made here are of any size. The least ones are found in [`super::contexts`].

use misere_game::control::{Control, Stop};
use misere_game::outcome::Outcome;

use super::{Form, Forms};

/// The greatest sum of two birthdays for which games are made that tell apart or link.
///
/// Each move is a call on the stack.
pub const MAX_BIRTHDAYS: u32 = 200;

impl Forms {
    /// Reports whether some game links the two: neither is an option of the other.
    ///
    /// ```
    /// use misere_algebra::forms::{Form, Forms};
    /// let forms = Forms::new();
    /// assert!(forms.are_linked(Form::STAR, Form::STAR));
    /// assert!(!forms.are_linked(Form::STAR, Form::ZERO));
    /// ```
    #[must_use]
    pub fn are_linked(&self, g: Form, h: Form) -> bool {
        let has = |form: Form, option: Form| self.options(form).binary_search(&option).is_ok();
        !has(g, h) && !has(h, g)
    }

    /// Returns a game `T` for which `G + T` and `H + T` are P-positions, if there is one.
    ///
    /// The result is `None` for games beyond [`MAX_BIRTHDAYS`].
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_algebra::forms::{Form, Forms};
    /// let (mut forms, control) = (Forms::new(), &mut Control::unlimited());
    /// assert_eq!(forms.link(Form::ZERO, Form::ZERO, control)?, Some(Form::STAR));
    /// assert_eq!(forms.link(Form::ZERO, Form::STAR, control)?, None);
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn link(&mut self, g: Form, h: Form, control: &mut Control) -> Result<Option<Form>, Stop> {
        if !self.are_linked(g, h) || self.are_too_late(g, h) {
            return Ok(None);
        }
        if (g, h) == (Form::ZERO, Form::ZERO) {
            return Ok(Some(Form::STAR));
        }
        let mut options = Vec::new();
        for (one, other) in [(g, h), (h, g)] {
            for option in self.options(one).to_vec() {
                options.extend(self.telling_apart(option, other, control)?);
            }
        }
        self.with_options(&options, control).map(Some)
    }

    /// Returns a game `T` for which `G + T` is a P-position and `H + T` an N-position.
    ///
    /// The result is `None` if the games are the same, and for games beyond [`MAX_BIRTHDAYS`].
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_algebra::forms::{Form, Forms};
    /// let (mut forms, control) = (Forms::new(), &mut Control::unlimited());
    /// // * is a P-position, and 0 is not.
    /// assert_eq!(forms.telling_apart(Form::STAR, Form::ZERO, control)?, Some(Form::ZERO));
    /// assert_eq!(forms.telling_apart(Form::STAR, Form::STAR, control)?, None);
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn telling_apart(
        &mut self,
        g: Form,
        h: Form,
        control: &mut Control,
    ) -> Result<Option<Form>, Stop> {
        if g == h || self.are_too_late(g, h) {
            return Ok(None);
        }
        if let Some(&known) = self.memory.apart.get(&(g, h)) {
            return Ok(Some(known));
        }
        let Some(either) = self.telling_either(g, h, control)? else {
            return Ok(None);
        };
        let sum = self.sum(g, either, control)?;
        let found = if self.outcome(sum) == Outcome::P {
            either
        } else {
            let mut options = vec![either];
            for option in self.options(g).to_vec() {
                options.push(self.mate(option, control)?);
            }
            self.with_options(&options, control)?
        };
        self.memory.apart.insert((g, h), found);
        Ok(Some(found))
    }

    /// Returns a game that tells two different games apart; either sum may be the P-position.
    fn telling_either(
        &mut self,
        g: Form,
        h: Form,
        control: &mut Control,
    ) -> Result<Option<Form>, Stop> {
        let is_p = |forms: &Self, form: Form| forms.outcome(form) == Outcome::P;
        if (g == Form::ZERO && is_p(self, h)) || (h == Form::ZERO && is_p(self, g)) {
            return Ok(Some(Form::ZERO));
        }
        for (one, other) in [(g, h), (h, g)] {
            for option in self.options(one).to_vec() {
                if let Some(link) = self.link(option, other, control)? {
                    return Ok(Some(link));
                }
            }
        }
        Ok(None)
    }

    fn are_too_late(&self, g: Form, h: Form) -> bool {
        self.birthday(g).saturating_add(self.birthday(h)) > MAX_BIRTHDAYS
    }
}
