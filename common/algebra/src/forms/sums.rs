//! Sums and mates of forms, and properties of their sums.

use rustc_hash::FxHashMap;

use misere_game::control::{Control, Stop};

use super::{Form, Forms, OPTION_TICKS};

/// Stored results about forms.
#[derive(Debug, Default)]
pub(super) struct Memory {
    sums: FxHashMap<(Form, Form), Form>,
    mates: FxHashMap<Form, Form>,
    pub(super) apart: FxHashMap<(Form, Form), Form>,
    pub(super) differences: FxHashMap<(Form, Form), Option<Form>>,
    pub(super) parts: FxHashMap<Form, Vec<(Form, Form)>>,
}

/// A sum whose options are being found.
struct Open {
    summands: (Form, Form),
    missing: Vec<(Form, Form)>,
    options: Vec<Form>,
}

impl Forms {
    /// Returns the simplest form of the sum of two games.
    ///
    /// Cost: the pairs of followers; no recursion, so large games cost time but no stack.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_algebra::forms::{Form, Forms};
    /// let (mut forms, control) = (Forms::new(), &mut Control::unlimited());
    /// let two = forms.nimber(2, control)?;
    /// assert_eq!(forms.sum(Form::STAR, Form::STAR, control)?, Form::ZERO);
    /// let sum = forms.sum(two, two, control)?;
    /// assert_eq!(forms.game(sum).expect("a small game").to_string(), "{*3,*2}");
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn sum(&mut self, a: Form, b: Form, control: &mut Control) -> Result<Form, Stop> {
        let root = (a.min(b), a.max(b));
        let mut stack = vec![self.open(root)];
        loop {
            let Some(open) = stack.last_mut() else {
                return Ok(self.known_sum(root).unwrap_or(Form::ZERO));
            };
            let mut descend = None;
            while let Some(&pair) = open.missing.last() {
                control.spend(OPTION_TICKS)?;
                match self.known_sum(pair) {
                    Some(option) => open.options.push(option),
                    None => {
                        descend = Some(pair);
                        break;
                    }
                }
                open.missing.pop();
            }
            if let Some(pair) = descend {
                let open = self.open(pair);
                stack.push(open);
            } else if let Some(open) = stack.pop() {
                let sum = self.with_options(&open.options, control)?;
                self.memory.sums.insert(open.summands, sum);
            }
        }
    }

    fn known_sum(&self, (a, b): (Form, Form)) -> Option<Form> {
        match (a, b) {
            (Form::ZERO, other) => Some(other),
            (Form::STAR, Form::STAR) => Some(Form::ZERO),
            pair => self.memory.sums.get(&pair).copied(),
        }
    }

    fn open(&self, summands: (Form, Form)) -> Open {
        let (a, b) = summands;
        let pair = |x: Form, y: Form| (x.min(y), x.max(y));
        let left = self.options(a).iter().map(|&option| pair(option, b));
        let right = self.options(b).iter().map(|&option| pair(a, option));
        let mut missing: Vec<(Form, Form)> = left.chain(right).collect();
        missing.sort_unstable();
        missing.dedup();
        Open {
            summands,
            missing,
            options: Vec::new(),
        }
    }

    /// Returns the mate of a game: `*` for `0`, otherwise the game of the mates of the options.
    ///
    /// A game and its mate sum to a P-position.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_algebra::forms::{Form, Forms};
    /// let (mut forms, control) = (Forms::new(), &mut Control::unlimited());
    /// assert_eq!(forms.mate(Form::ZERO, control)?, Form::STAR);
    /// let two = forms.nimber(2, control)?;
    /// assert_eq!(forms.mate(two, control)?, two);
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn mate(&mut self, form: Form, control: &mut Control) -> Result<Form, Stop> {
        if let Some(&mate) = self.memory.mates.get(&form) {
            return Ok(mate);
        }
        for follower in self.followers(&[form], control)? {
            if follower == Form::ZERO {
                self.memory.mates.insert(follower, Form::STAR);
                continue;
            }
            let options = self.options(follower).iter();
            let mates = options.filter_map(|option| self.memory.mates.get(option).copied());
            let mates: Vec<Form> = mates.collect();
            let mate = self.with_options(&mates, control)?;
            self.memory.mates.insert(follower, mate);
        }
        Ok(self.memory.mates.get(&form).copied().unwrap_or(Form::STAR))
    }

    /// Reports whether a game is half-tame.
    ///
    /// It is not tame, but its sum with itself is tame, with both nim-values 0.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_algebra::forms::{Form, Forms};
    /// let (mut forms, control) = (Forms::new(), &mut Control::unlimited());
    /// let two = forms.nimber(2, control)?;
    /// let sharp = forms.with_options(&[two], control)?;
    /// // {{*2},*}, the heap of 8 in 0.123, and {{*2},*3,*2,0}, which is restive.
    /// let (star, three) = (Form::STAR, forms.nimber(3, control)?);
    /// let restless = forms.with_options(&[sharp, star], control)?;
    /// let restive = forms.with_options(&[sharp, three, two, Form::ZERO], control)?;
    /// assert!(!forms.is_half_tame(two, control)?);
    /// assert!(!forms.is_half_tame(restless, control)?);
    /// assert!(forms.is_half_tame(restive, control)?);
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn is_half_tame(&mut self, form: Form, control: &mut Control) -> Result<bool, Stop> {
        if self.class(form).is_tame() {
            return Ok(false);
        }
        let twice = self.sum(form, form, control)?;
        let genus = self.genus(twice);
        let values = (genus.nim_value(), genus.misere_nim_value());
        Ok(self.class(twice).is_tame() && values == (0, 0))
    }
}
